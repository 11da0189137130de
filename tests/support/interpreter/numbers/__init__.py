"""What instructions do to the bits of registers, whole arrays of lanes at a time."""
