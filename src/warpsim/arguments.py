"""Array arguments: what callers pass, as the C-contiguous arrays that the core takes.

Each function names the argument in its error, with what was expected and what was given.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

LANES = 32
FULL_MASK = 0xFFFF_FFFF
POLICIES = ("raise", "record", "hardware")
PIECE = 1 << 19  # elements that NumPy takes at a time: between two, Python looks for Ctrl-C

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


def integers(name: str, value: Any) -> NDArray[Any]:
    """`value` as an array of integers (dtype object where 64 bits do not hold them)."""
    array = np.asarray(value)
    if array.dtype.kind == "f" and not isinstance(value, np.ndarray | np.generic):
        # NumPy makes floats of Python ints that share no integer dtype
        array = np.asarray(value, dtype=object)
    if array.dtype.kind == "O":
        for item in array.flat:
            if isinstance(item, bool) or not hasattr(item, "__index__"):
                raise TypeError(f"{name}: expected integers, got {type(item).__name__}")
    elif array.dtype.kind not in "iu" and array.size:
        raise TypeError(f"{name}: expected an array of integers, got dtype {array.dtype}")
    return array


def addresses(
    name: str, value: Any, bits: int, used_lanes: Callable[[Index], NDArray[np.bool_]], *, one: bool
) -> NDArray[Any]:
    """Lane addresses as a contiguous uint32 or uint64 array of shape (..., 32).

    `one`: a last axis of 1 is all right, too; it stands for all lanes.

    `used_lanes(piece)`: bool, lanes of a piece of the warps whose value must fit; others may hold
    anything.
    """
    dtype = np.dtype(np.uint32 if bits == 32 else np.uint64)
    array = integers(name, value)
    if array.ndim == 0 or array.shape[-1] not in ((1, LANES) if one else (LANES,)):
        raise ValueError(
            f"{name}: expected shape (..., 32){' or (..., 1)' if one else ''}, the last axis being"
            f" the lanes; got {array.shape}"
        )
    if array.dtype == dtype and array.flags.c_contiguous and array.flags.aligned:
        return array
    found = np.empty(array.shape, dtype)
    for at in pieces(array.shape):
        given = array[at]
        found[at], fits = _narrowed(given, dtype)
        if not fits.all() and (wrong := ~fits & used_lanes(at)).any():
            where = tuple(int(i) for i in np.argwhere(wrong)[0])
            warp = _warp(at, where)
            raise ValueError(
                f"{name}: expected values from 0 to 2**{bits} - 1, got {given[where]}"
                f" in lane {where[-1]}" + (f" of warp {warp}" if warp else "")
            )
    return found


def _narrowed(given: NDArray[Any], dtype: np.dtype[Any]) -> tuple[NDArray[Any], NDArray[np.bool_]]:
    """The values in another integer type, and which of them it can hold."""
    if given.dtype.kind == "O":
        limit = 2 ** (8 * dtype.itemsize)
        numbers = [item.__index__() for item in given.flat]
        narrow = np.array([n % limit for n in numbers], dtype).reshape(given.shape)
        return narrow, np.array([0 <= n < limit for n in numbers], bool).reshape(given.shape)
    narrow = given.astype(dtype)
    return narrow, (given >= 0) & (narrow.astype(given.dtype) == given)


def _warp(at: Index, where: tuple[int, ...]) -> tuple[int, ...]:
    """The index of a warp, from that of its piece and that in the piece."""
    if not at:
        return ()
    *before, last = at
    assert isinstance(last, slice)
    return (*(int(i) for i in before if isinstance(i, int)), last.start + where[0], *where[1:-1])


def masks(name: str, value: Any, batch: tuple[int, ...], default: int) -> NDArray[np.uint32] | None:
    """Lane masks, one a warp; None where all are the default."""
    if isinstance(value, int) and value == default:
        return None
    array = integers(name, value)
    if array.ndim and array.shape != batch:
        raise ValueError(f"{name}: expected an int or shape {batch}, got shape {array.shape}")
    if array.size and (int(array.min()) < 0 or int(array.max()) > FULL_MASK):
        raise ValueError(f"{name}: expected 32-bit masks, bit l = lane l; got {array.max()}")
    return np.ascontiguousarray(np.broadcast_to(array.astype(np.uint32), batch)).reshape(-1)


def strides(value: Any, batch: tuple[int, ...]) -> NDArray[np.uint32] | None:
    """Wmma strides, 32 bits each: (n,) where the lanes agree, (n, 32) where each has its own."""
    if value is None:
        return None
    array = integers("stride", value)
    if array.ndim and array.shape not in (batch, (*batch, LANES)):
        raise ValueError(
            f"stride: expected an int, shape {batch} or {(*batch, LANES)}; got {array.shape}"
        )
    if array.size and (int(array.min()) < -(2**31) or int(array.max()) > FULL_MASK):
        raise ValueError(f"stride: expected 32-bit values, got {array.min()}..{array.max()}")
    shape = (*batch, LANES) if array.ndim == len(batch) + 1 else batch
    wrapped = np.empty(shape, np.uint32)
    whole = np.broadcast_to(array, shape)
    for at in pieces(shape):
        wrapped[at] = whole[at].astype(np.int64).astype(np.uint32)
    return wrapped.reshape(-1)


def lanes_of(masks_: NDArray[np.uint32]) -> NDArray[np.bool_]:
    """Masks (...) as bool (..., 32)."""
    bits: NDArray[np.bool_] = (masks_[..., None] >> np.arange(LANES, dtype=np.uint32) & 1).astype(
        bool
    )
    return bits


def registers(
    name: str, value: Any, shape: tuple[int, ...], bits: int, batch_of: str = "address"
) -> NDArray[Any]:
    """Source registers, contiguous, of exactly this shape."""
    dtype = np.uint32 if bits == 32 else np.uint64
    if value is None:
        raise TypeError(f"{name}: this instruction reads registers, expected shape {shape}")
    array = integers(name, value)
    if array.shape != shape:
        raise ValueError(
            f"{name}: expected shape {shape} ({batch_of}, lanes, registers), got {array.shape}"
        )
    if array.dtype == dtype and array.flags.c_contiguous:
        return array
    for at in pieces(shape):
        if array.size and (int(array[at].min()) < 0 or int(array[at].max()) >= 2**bits):
            raise ValueError(
                f"{name}: expected unsigned {bits}-bit values; use .view(np.uint{bits})"
            )
    return put(np.empty(shape, dtype), array)


def output(value: Any, shape: tuple[int, ...], bits: int) -> NDArray[Any]:
    """Where a load puts its registers: `out` itself, or a new array of zeros."""
    dtype = np.dtype(np.uint32 if bits == 32 else np.uint64)
    if value is None:
        return np.zeros(shape, dtype)
    if not isinstance(value, np.ndarray) or value.dtype != dtype:
        raise TypeError(f"out: expected an ndarray of {dtype}, got {describe(value)}")
    if value.shape != shape:
        raise ValueError(f"out: expected shape {shape}, got {value.shape}")
    if not value.flags.c_contiguous or not value.flags.writeable:
        raise ValueError("out: expected a C-contiguous, writable array")
    return value


def describe(value: object) -> str:
    """A value's type, and its dtype if it is an array."""
    if isinstance(value, np.ndarray):
        return f"ndarray of {value.dtype}"
    return type(value).__name__


def apart(array: NDArray[Any] | None, *others: NDArray[Any] | None) -> NDArray[Any] | None:
    """`array`, or a copy of it where it shares memory with bytes that are about to be written."""
    if array is None:
        return None
    shares = any(other is not None and np.may_share_memory(array, other) for other in others)
    return put(np.empty_like(array), array) if shares else array


def count_of(batch: tuple[int, ...]) -> int:
    """How many warps a batch has."""
    return math.prod(batch)


def positive_int(name: str, value: Any) -> int:
    """An int of 1 or more."""
    if isinstance(value, bool) or not hasattr(value, "__index__"):
        raise TypeError(f"{name}: expected an int, got {type(value).__name__}")
    if value.__index__() < 1:
        raise ValueError(f"{name}: expected 1 or more, got {value}")
    return int(value.__index__())


def one_warp(name: str, value: ArrayLike) -> None:
    """Refuses a batch where one warp's pattern is meant."""
    if np.ndim(value) != 1:
        raise ValueError(
            f"{name}: expected one warp's addresses, shape (32,); got {np.shape(value)}"
        )
