"""Large arrays worked on a piece at a time, so that Ctrl-C is seen between two pieces."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

PIECE = 1 << 19  # elements that NumPy takes at a time

Index = tuple[int | slice, ...]


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
