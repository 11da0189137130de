"""An instruction as a value: what it is and does, whether it is legal, what it costs the memory."""
