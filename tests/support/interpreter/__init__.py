"""A slow interpreter of PTX kernels, written from the PTX manual and from what was measured: a second opinion."""
