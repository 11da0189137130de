"""What a launch takes at least: how long each pipe of an SM, L2 and DRAM is busy with it."""
