"""The constants of the cost model, measured on the GPU at hand with the driver alone."""
