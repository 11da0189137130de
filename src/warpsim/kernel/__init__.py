"""Whole kernels: a PTX module, its kernels, launches on arrays, and what a launch reports."""
