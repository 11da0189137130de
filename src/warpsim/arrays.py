"""Arrays of tensors; large arrays worked on a piece at a time, so that Ctrl-C is seen between two pieces."""

from __future__ import annotations

import ctypes
import math
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

PIECE = 1 << 19  # elements that NumPy takes at a time

Index = tuple[int | slice, ...]


def array_of_tensor(tensor: Any) -> NDArray[Any]:
    """The array that shares the memory of a tensor of the CPU (torch, jax ...), by DLPack.

    NumPy 2.0 makes it read-only, though it knows only tensors that may be written.
    """
    array: NDArray[Any] = np.from_dlpack(tensor)
    if np.lib.NumpyVersion(np.__version__) >= "2.1.0" or not array.nbytes or not array.flags.c_contiguous:
        return array
    memory = (ctypes.c_char * array.nbytes).from_address(array.ctypes.data)
    memory.tensor = array  # type: ignore[attr-defined] # which must live as long
    return np.frombuffer(memoryview(memory), array.dtype).reshape(array.shape)


def pieces(shape: tuple[int, ...]) -> Iterator[Index]:
    """Indices of the pieces of an array of this shape, in order; none goes through a last axis."""
    if len(shape) < 2:
        yield ()
        return
    inner = math.prod(shape[1:])
    if inner > PIECE and len(shape) > 2:
        for i in range(shape[0]):
            for rest in pieces(shape[1:]):
                yield (i, *rest)
        return
    step = max(1, PIECE // max(1, inner))
    for first in range(0, shape[0], step):
        yield (slice(first, first + step),)


def put(target: NDArray[Any], source: NDArray[Any]) -> NDArray[Any]:
    """`target`, filled with `source` of the same shape."""
    for at in pieces(source.shape):
        target[at] = source[at]
    return target


def apart(array: NDArray[Any] | None, *others: NDArray[Any] | None) -> NDArray[Any] | None:
    """`array`, or a copy of it: where it shares memory with bytes that are about to be written.

    Of an array out of alignment, too.
    """
    if array is None:
        return None
    shares = any(other is not None and np.may_share_memory(array, other) for other in others)
    return put(np.empty_like(array), array) if shares or not array.flags.aligned else array
