"""From CUDA C++ and Triton to PTX: compilers that need no GPU, and modules that know the names of the source."""
