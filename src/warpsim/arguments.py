"""Array arguments: what callers pass, as the C-contiguous arrays that the core takes.

Each function names the argument in its error, with what was expected and what was given.
"""

from __future__ import annotations

import itertools
import math
import operator
import reprlib
from collections.abc import Callable, Collection, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import _core
from .arrays import Index, pieces, put
from .errors import bad_type, bad_value
from .words import meant, plural

LANES = 32
FULL_MASK = 0xFFFF_FFFF
MOST_ITEMS = 2**34
POLICIES = ("raise", "record", "hardware")

_SHORT = reprlib.Repr()
_SHORT.maxstring = _SHORT.maxother = 80
_SHORT.maxlong = 40


def shown(value: object) -> str:
    """repr(value), cut to 200 characters; never fails."""
    if isinstance(value, int) and value.bit_length() > 10_000:
        return f"an int of {value.bit_length()} bits"
    try:
        return _SHORT.repr(value)[:200]
    except Exception:  # a repr of the caller's own that fails
        return f"a {type(value).__name__}"


def whole(name: str, value: Any) -> int:
    """`value` as a plain int; TypeError if it is not an integer."""
    if type(value) is int:
        return value
    if not isinstance(value, bool | np.bool_):
        try:
            return int.__index__(operator.index(value))
        except TypeError:
            pass
    given = shown(value) if isinstance(value, float) else ""
    raise bad_type(name, f"expected an int, got {describe(value)} {given}".rstrip())


def flag(name: str, value: Any) -> bool:
    """A truth value: a bool, NumPy's bool, 0 or 1."""
    if isinstance(value, bool | np.bool_) or (isinstance(value, int | np.integer) and value in (0, 1)):
        return bool(value)
    if isinstance(value, int | np.integer):
        raise bad_value(name, f"expected a bool, got {shown(value)}")
    raise bad_type(name, f"expected a bool, got {describe(value)}")


def word(name: str, value: Any, words: Collection[str]) -> str:
    """`value` as a plain str, which must be one of `words`; else TypeError or ValueError."""
    found = str.__str__(value) if isinstance(value, str) else None
    if found is not None and found in words:
        return found
    *most, last = (repr(one) for one in words)
    expected = f"expected {', '.join(most)} or {last}"
    if found is None:
        raise bad_type(name, f"{expected}; got {describe(value)}")
    raise bad_value(name, f"{expected}; got {shown(found)}{meant(found, words)}")


def array(name: str, value: Any, dtype: Any = None) -> NDArray[Any]:
    """`value` as an ndarray, of a subclass as the plain ndarray that it is."""
    if type(value) is np.ndarray and dtype is None:
        return value
    try:
        return np.asarray(value, dtype)
    except (TypeError, ValueError, OverflowError, RecursionError) as error:
        raise bad_value(name, f"cannot make an array of {describe(value)}: {error}") from error


def integers(name: str, value: Any) -> NDArray[Any]:
    """`value` as an array of integers (plain ints as objects where 64 bits do not hold them)."""
    array_ = array(name, value)
    if array_.dtype.kind == "f" and not isinstance(value, np.ndarray | np.generic):
        # NumPy makes floats of Python ints that share no integer dtype
        array_ = array(name, value, object)
    if array_.dtype.kind == "O":
        plain = np.empty(array_.shape, object)
        plain.reshape(-1)[:] = [_item(name, item) for item in array_.flat]
        return plain
    if array_.dtype.kind not in "iu" and array_.size:
        raise bad_type(name, f"expected an array of integers, got dtype {array_.dtype}")
    return array_


def bounds(name: str, values: NDArray[Any]) -> tuple[int, int]:
    """The least and the largest of some integers.

    A broadcast array can have more than any memory holds: that is a MemoryError, and no wait.
    """
    if values.size > MOST_ITEMS:
        raise MemoryError(f"{name}: no memory for {values.size} values")
    return int(values.min()), int(values.max())


def each_of(name: str, values: Any) -> Iterator[Any]:
    """iter(values), or a TypeError; of a released memoryview, CPython 3.11 gives half an error."""
    try:
        return iter(values.tolist() if isinstance(values, memoryview) else values)
    except (TypeError, ValueError, NotImplementedError):
        raise bad_type(name, f"expected several values, got {describe(values)}") from None


def several(name: str, values: Any, most: int) -> list[Any]:
    """The items of an iterable, at most `most`; else TypeError or ValueError."""
    found = list(itertools.islice(each_of(name, values), most + 1))
    if len(found) > most:
        raise bad_value(name, f"expected at most {plural(most, 'value')}, got more")
    return found


def _item(name: str, value: Any) -> int:
    try:
        return whole(name, value)
    except TypeError:
        hint = "; pass layout.addresses(op), or a place in it" if type(value).__name__ == "Layout" else ""
        raise bad_type(name, f"expected integers, got {describe(value)}{hint}") from None


def addresses(
    name: str, value: Any, bits: int, used_lanes: Callable[[Index], NDArray[np.bool_]], *, one: bool
) -> NDArray[Any]:
    """Lane addresses as a contiguous uint32 or uint64 array of shape (..., 32).

    `one`: a last axis of 1 is allowed, too: the same address for all lanes.

    `used_lanes(piece)`: bool, lanes of a piece of the warps whose value must fit; others may hold
    anything.
    """
    dtype = np.dtype(np.uint32 if bits == 32 else np.uint64)
    array = integers(name, value)
    if array.ndim == 0 or array.shape[-1] not in ((1, LANES) if one else (LANES,)):
        raise bad_value(
            name,
            f"expected shape (..., 32){' or (..., 1)' if one else ''}, the last axis being"
            f" the lanes; got {array.shape}",
        )
    if array.dtype == dtype and array.flags.c_contiguous and array.flags.aligned:
        return array
    found = _core.new_array(np.empty, array.shape, dtype)
    for at in pieces(array.shape):
        given = array[at]
        found[at], fits = _narrowed(given, dtype)
        if not fits.all() and (wrong := ~fits & used_lanes(at)).any():
            where = tuple(int(i) for i in np.argwhere(wrong)[0])
            warp = _warp(at, where)
            raise bad_value(
                name,
                f"expected values from 0 to 2**{bits} - 1, got {shown(int(given[where]))}"
                f" in lane {where[-1]}" + (f" of warp {warp}" if warp else ""),
            )
    return found


def _narrowed(given: NDArray[Any], dtype: np.dtype[Any]) -> tuple[NDArray[Any], NDArray[np.bool_]]:
    """The values in another integer type, and which of them it can hold."""
    if given.dtype.kind == "O":
        limit = 2 ** (8 * dtype.itemsize)
        numbers = given.reshape(-1).tolist()
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
    if type(value) is int and value == default:
        return None
    array = integers(name, value)
    if array.ndim and array.shape != batch:
        raise bad_value(name, f"expected an int or shape {batch}, got shape {array.shape}")
    least, most = bounds(name, array) if array.size else (0, 0)
    if least < 0 or most > FULL_MASK:
        wrong = shown(least if least < 0 else most)
        raise bad_value(name, f"expected 32-bit masks, bit l = lane l; got {wrong}")
    return np.ascontiguousarray(np.broadcast_to(array.astype(np.uint32), batch)).reshape(-1)


def strides(value: Any, batch: tuple[int, ...]) -> NDArray[np.uint32] | None:
    """Wmma strides, 32 bits each: (n,) where the lanes agree, (n, 32) where each has its own."""
    if value is None:
        return None
    array = integers("stride", value)
    if array.ndim and array.shape not in (batch, (*batch, LANES)):
        raise bad_value("stride", f"expected an int, shape {batch} or {(*batch, LANES)}; got {array.shape}")
    least, most = bounds("stride", array) if array.size else (0, 0)
    if least < -(2**31) or most > FULL_MASK:
        raise bad_value("stride", f"expected 32-bit values, got {shown(least)}..{shown(most)}")
    shape = (*batch, LANES) if array.ndim == len(batch) + 1 else batch
    wrapped = _core.new_array(np.empty, shape, np.uint32)
    given = np.broadcast_to(array.astype(np.int64) if array.dtype.kind == "O" else array, shape)
    for at in pieces(shape):
        wrapped[at] = given[at].astype(np.int64).astype(np.uint32)
    return wrapped.reshape(-1)


def lanes_of(masks_: NDArray[np.uint32]) -> NDArray[np.bool_]:
    """Masks (...) as bool (..., 32)."""
    bits: NDArray[np.bool_] = (masks_[..., None] >> np.arange(LANES, dtype=np.uint32) & 1).astype(bool)
    return bits


def registers(name: str, value: Any, shape: tuple[int, ...], bits: int, batch_of: str = "address") -> NDArray[Any]:
    """Source registers, contiguous, of exactly this shape."""
    dtype = np.uint32 if bits == 32 else np.uint64
    if value is None:
        raise bad_type(name, f"this instruction reads registers, expected shape {shape}")
    array = integers(name, value)
    if array.shape != shape:
        raise bad_value(name, f"expected shape {shape} ({batch_of}, lanes, registers), got {array.shape}")
    if array.dtype == dtype and array.flags.c_contiguous and array.flags.aligned:
        return array
    found = _core.new_array(np.empty, shape, dtype)
    for at in pieces(shape):
        least, most = bounds(name, array[at]) if array.size else (0, 0)
        if least < 0 or most >= 2**bits:
            wrong = least if least < 0 else most
            raise bad_value(name, f"expected unsigned {bits}-bit values, got {shown(wrong)}; use .view(np.uint{bits})")
    return put(found, array)


def output(value: Any, shape: tuple[int, ...], bits: int, make: Callable[..., NDArray[Any]]) -> NDArray[Any]:
    """Where a load puts its registers: the storage of `out`, or a new array: np.empty's or np.zeros's."""
    dtype = np.dtype(np.uint32 if bits == 32 else np.uint64)
    if value is None:
        return _core.new_array(make, shape, dtype)
    found = array("out", value) if isinstance(value, np.ndarray) else None
    if found is None or found.dtype != dtype:
        raise bad_type("out", f"expected an ndarray of {dtype}, got {describe(value)}")
    if found.shape != shape:
        raise bad_value("out", f"expected shape {shape}, got {found.shape}")
    if not found.flags.c_contiguous or not found.flags.writeable:
        lacks = "a read-only one" if found.flags.c_contiguous else "one with gaps"
        raise bad_value("out", f"expected a C-contiguous, writable array, got {lacks}")
    return found


def describe(value: object) -> str:
    """A value's type, and its dtype if it is an array."""
    if isinstance(value, np.ndarray):
        return f"ndarray of {np.asarray(value).dtype}"
    return type(value).__name__


def count_of(batch: tuple[int, ...]) -> int:
    """How many warps a batch has."""
    return math.prod(batch)


def positive_int(name: str, value: Any, most: int = 2**62) -> int:
    """An int of 1 or more, and at most `most`."""
    found = whole(name, value)
    if found < 1:
        raise bad_value(name, f"expected 1 or more, got {shown(found)}")
    if found > most:
        raise bad_value(name, f"expected 1 to {most}, got {shown(found)}")
    return found


def positive_number(name: str, value: Any) -> float:
    """A finite number above 0."""
    if isinstance(value, bool | np.bool_) or not isinstance(value, int | float | np.integer | np.floating):
        raise bad_type(name, f"expected numbers above 0, got {describe(value)}")
    if not 0 < value < 2.0**62:
        most = " and below 2**62" if value > 0 else ""
        raise bad_value(name, f"expected numbers above 0{most}, got {shown(value)}")
    return float(value)


def one_warp(name: str, value: NDArray[Any]) -> None:
    """Refuses a batch where one warp's pattern is meant."""
    if value.ndim != 1:
        raise bad_value(name, f"expected one warp's addresses, shape (32,); got {value.shape}")
