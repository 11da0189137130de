"""Whole kernels: their instructions, and other simulators of the same kernels."""
