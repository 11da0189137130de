"""Tensors of other libraries (torch, jax ...) as arrays that share their memory, by DLPack."""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np
from numpy.typing import NDArray


def array_of_tensor(tensor: Any) -> NDArray[Any]:
    """The array that shares the memory of a tensor of the CPU.

    NumPy 2.0 makes it read-only, though it knows only tensors that may be written.
    """
    array = np.from_dlpack(tensor)
    if np.lib.NumpyVersion(np.__version__) >= "2.1.0" or not array.nbytes or not array.flags.c_contiguous:
        return array
    memory = (ctypes.c_char * array.nbytes).from_address(array.ctypes.data)
    memory.tensor = array  # type: ignore[attr-defined] # which must live as long
    return np.frombuffer(memory, array.dtype).reshape(array.shape)
