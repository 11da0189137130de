"""A slow interpreter of PTX kernels, written from the PTX text and the measured truth alone: a second opinion on the engine."""
