"""Random valid PTX kernels, and how the engine and the interpreter are compared on them."""
