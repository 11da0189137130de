"""Values that kernels take by name: structs that hold addresses of arrays."""
