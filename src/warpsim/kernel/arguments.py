"""The arguments of a launch, checked against the kernel's parameters and turned into the bytes that it reads."""

from __future__ import annotations

import ctypes
import math
import struct
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..arguments import describe, shown
from ..arrays import array_of_tensor
from ..errors import bad_type, bad_value
from ..numpy_types import dtype_of

RECORDS = (bytes, bytearray, memoryview, ctypes.Structure, ctypes.Union, ctypes.Array)
ADDRESS_BYTES = 8
FLOATS = {"f16": "<e", "f32": "<f", "f64": "<d"}


@dataclass(frozen=True)
class Param:
    """One parameter of a kernel: its PTX name and type, its size and alignment in bytes, its name in the source.

    `element`: what it points to, where the source says so, such as "f32".
    """

    name: str
    type: str
    nbytes: int
    align: int
    is_array: bool = False
    source_name: str = ""
    element: str = ""

    @property
    def label(self) -> str:
        """Its name in the source where that is known, else in the PTX."""
        return self.source_name or self.name


@dataclass(frozen=True)
class Pointer:
    """Where the address of an array goes: parameter `number`, or `within` another array, from byte `offset`.

    `name` is what messages call the array.
    """

    number: int
    offset: int
    array: np.ndarray
    name: str
    unwritten: bool = False  # nobody has written the array before this launch
    within: np.ndarray | None = None


class Packed:
    """A value of `size` bytes that may hold addresses of arrays: {offset: (name, array)}."""

    def packed(self) -> tuple[bytes, dict[int, tuple[str, Any]]]:
        """Its bytes, with zeros for the addresses; and the arrays."""
        raise NotImplementedError


class Uninitialized(np.ndarray):
    """An array that no one has written before its first launch: see uninitialized()."""

    def __array_finalize__(self, of: NDArray[Any] | None) -> None:
        is_view = isinstance(of, Uninitialized) and self.base is not None
        #: of the memory, not of a view: whether a launch was given it; what NumPy has made is written
        self._launched: list[bool] = of._launched if is_view else [True]  # type: ignore[union-attr]

    @property
    def was_launched(self) -> bool:
        """A kernel may have written the memory, or NumPy has."""
        return self._launched[0]

    @was_launched.setter
    def was_launched(self, value: bool) -> None:
        self._launched[0] = value


def uninitialized(shape: int | Sequence[int], dtype: Any) -> Uninitialized:
    """An array for a kernel to write before it reads it.

    Its bytes are all 0xFF, so that floats are NaN and a value that is read too early shows.

    >>> import numpy as np, warpsim as ws
    >>> ws.uninitialized((2, 2), np.float32)
    Uninitialized([[nan, nan],
                   [nan, nan]], dtype=float32)
    """
    kind = dtype_of("dtype", dtype)
    if kind.hasobject:
        raise bad_type("dtype", f"expected a dtype of numbers, got {kind}")
    try:
        made = np.empty(shape, kind)
    except (TypeError, ValueError, MemoryError) as error:
        raise bad_value(
            "shape", f"expected a shape that NumPy takes and that fits into memory, got {shown(shape)}"
        ) from error
    made.reshape(-1).view(np.uint8)[:] = 0xFF
    found = made.view(Uninitialized)
    found.was_launched = False
    return found


def native(label: str, dtype: np.dtype[Any]) -> None:
    """Refuses numbers whose bytes a GPU would read the other way round."""
    if dtype != dtype.newbyteorder("<"):
        raise bad_type(
            label,
            f"expected numbers in the GPU's byte order, got dtype {dtype}; "
            "pass array.astype(array.dtype.newbyteorder('<'))",
        )


def array_of(label: str, value: Any) -> np.ndarray | None:
    """The array that a value is, or None; `label` is what messages call it."""
    if isinstance(value, np.ndarray):
        array = np.asarray(value)  # what a subclass says about itself may be wrong
    elif hasattr(value, "__dlpack__"):
        array = array_of_tensor(value)
    elif hasattr(value, "__array_interface__") and not isinstance(value, np.generic):
        array = np.asarray(value)
    else:
        return None
    if array.dtype.hasobject or array.dtype.kind in "UMm":
        raise bad_type(label, f"expected an array of numbers, got dtype {array.dtype}")
    native(label, array.dtype)
    if not array.flags.c_contiguous:
        raise bad_type(label, "expected a C-contiguous array; pass numpy.ascontiguousarray(...) of it")
    if not array.flags.writeable:
        raise bad_type(label, "expected a writable array; pass a copy of it")
    return array


def _integer(param: Param, value: int) -> bytes:
    bits = 8 * param.nbytes
    low = -(1 << (bits - 1))
    high = (1 << (bits - 1)) - 1 if param.type[0] == "s" else (1 << bits) - 1
    if not low <= value <= high:
        raise OverflowError(f"{param.label}: {shown(value)} does not fit into .{param.type}: expected {low} to {high}")
    return (value & ((1 << bits) - 1)).to_bytes(param.nbytes, "little")


def _address(param: Param) -> str:
    """What else a message expects of a parameter that is wide enough for an address."""
    return "an array, None or " if param.nbytes == 8 else ""


def _float(param: Param, value: float) -> bytes:
    if param.type not in FLOATS:
        raise bad_type(param.label, f"expected {_address(param)}an int for .{param.type}, got {describe(value)}")
    try:
        return struct.pack(FLOATS[param.type], value)
    except (OverflowError, struct.error):  # the latter of huge ints
        raise OverflowError(f"{param.label}: {shown(value)} does not fit into .{param.type}") from None


def _scalar(param: Param, value: Any) -> bytes:
    if value is None and param.nbytes == 8:
        return bytes(8)
    if isinstance(value, np.generic) and value.dtype.itemsize == param.nbytes and value.dtype.kind in "fV":
        if param.type[0] in "us":
            raise bad_type(param.label, f"expected an int for .{param.type}, got {describe(value)}")
        return value.tobytes()
    if isinstance(value, bool | np.bool_ | int | np.integer):
        whole = int(value)
        return _float(param, whole) if param.type in FLOATS else _integer(param, whole)
    if isinstance(value, float | np.floating):
        number = float(value)
        if math.isinf(number) and not np.isinf(value):  # a longdouble
            raise OverflowError(f"{param.label}: {shown(value)} does not fit into .{param.type}")
        return _float(param, number)
    hint = "; pass a NumPy array" if param.nbytes == 8 else ""
    raise bad_type(param.label, f"expected {_address(param)}a number for .{param.type}, got {describe(value)}{hint}")


def _record(param: Param, value: Any) -> bytes | None:
    """The bytes of a struct, or None."""
    if isinstance(value, RECORDS):
        found = bytes(value)
    elif isinstance(value, np.void) or (param.is_array and isinstance(value, np.generic | np.ndarray)):
        native(param.label, value.dtype)
        found = value.tobytes()
    else:
        return None
    if len(found) != param.nbytes:
        hint = "; for a pointer pass a NumPy array" if param.nbytes == 8 and not param.is_array else ""
        raise bad_value(param.label, f"expected {param.nbytes} bytes, got {len(found)}{hint}")
    return found


def _pointer(number: int, offset: int, array: np.ndarray, value: Any, name: str) -> Pointer:
    unwritten = isinstance(value, Uninitialized) and not value.was_launched
    return Pointer(number, offset, array, name, unwritten)


def _packed(number: int, param: Param, value: Packed) -> tuple[bytes, list[Pointer]]:
    """By value, or by its address in global memory."""
    found, arrays = value.packed()
    if param.nbytes == ADDRESS_BYTES != len(found) and not param.is_array:
        held = np.frombuffer(found, np.uint8).copy()
        pointers = [Pointer(number, 0, held, param.label)]
        inner = _packed(number, replace(param, nbytes=len(found)), value)[1]
        return bytes(ADDRESS_BYTES), pointers + [replace(one, within=held) for one in inner]
    if len(found) != param.nbytes:
        raise bad_value(param.label, f"expected {param.nbytes} bytes, got {len(found)}: {value!r}")
    pointers = []
    for offset, (name, given) in arrays.items():
        label = f"{param.label}.{name}" if name else param.label
        array = array_of(label, given)
        assert array is not None
        pointers.append(_pointer(number, offset, array, given, label))
    return found, pointers


def _same_size(param: Param, array: np.ndarray) -> None:
    """Refuses numbers of another size than the source's pointer has; bytes, pairs and records are let through."""
    wanted, given = int(param.element[1:] or 0) // 8, array.dtype.itemsize
    if not wanted or array.dtype.kind not in "fiu" or given in (1, wanted):
        return
    dtype = {"f": "float", "s": "int", "u": "uint"}[param.element[0]] + param.element[1:]
    raise bad_type(
        param.label,
        f"expected an array of {dtype} for a pointer to {param.element}, got {array.dtype}; pass"
        f" .astype(numpy.{dtype}) for its values, or .view(numpy.{dtype}) for its bytes",
    )


def _converted(number: int, param: Param, value: Any) -> tuple[bytes, list[Pointer]]:
    if isinstance(value, Packed):
        return _packed(number, param, value)
    record = _record(param, value)
    if record is not None:
        return record, []
    array = array_of(param.label, value)
    if array is not None and param.nbytes != 8:
        raise bad_type(param.label, f"expected a number for .{param.type}, got {describe(value)}")
    if array is not None:
        _same_size(param, array)
        return bytes(8), [_pointer(number, 0, array, value, param.label)]
    if param.is_array:
        raise bad_type(
            param.label, f"expected a ws.Struct, bytes or a record of {param.nbytes} bytes, got {describe(value)}"
        )
    return _scalar(param, value), []


def convert(params: Sequence[Param], args: Sequence[Any]) -> tuple[list[bytes], list[Pointer]]:
    """The bytes of each parameter, and the addresses of arrays that go into them."""
    if isinstance(args, str | bytes) or not isinstance(args, Sequence):
        raise bad_type("args", f"expected a tuple or list with one value for each parameter, got {describe(args)}")
    if len(args) != len(params):
        names = ", ".join(param.label for param in params)
        raise bad_type("args", f"expected {len(params)} ({names}), got {len(args)}")
    found = [_converted(*one) for one in zip(range(len(params)), params, args, strict=True)]
    return [value for value, _ in found], [pointer for _, pointers in found for pointer in pointers]


def launched(args: Sequence[Any]) -> None:
    """From now on a kernel may have written these."""
    for value in args:
        held = [array for _, array in value.packed()[1].values()] if isinstance(value, Packed) else [value]
        for array in held:
            if isinstance(array, Uninitialized):
                array.was_launched = True


def extent(name: str, value: int | Sequence[int], most: tuple[int, int, int]) -> tuple[int, int, int]:
    """A grid or a block: three positive numbers."""
    items = (value,) if isinstance(value, int | np.integer) and not isinstance(value, bool) else value
    if isinstance(items, str | bytes) or not isinstance(items, Sequence) or not 1 <= len(items) <= 3:
        raise bad_type(name, f"expected an int or a tuple of up to 3, got {describe(value)}")
    full = []
    for item, limit, axis in zip([*items, 1, 1][:3], most, "xyz", strict=True):
        if isinstance(item, bool) or not isinstance(item, int | np.integer):
            raise bad_type(name, f"expected ints, got {describe(item)}")
        if not 1 <= item <= limit:
            raise bad_value(name, f"expected 1 to {limit:,} in {axis}, got {shown(item)}")
        full.append(int(item))
    return full[0], full[1], full[2]
