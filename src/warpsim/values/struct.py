"""`ws.Struct`: a struct argument of a kernel, whose pointers are arrays."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ..arguments import describe, shown
from ..errors import bad_type, bad_value
from ..kernel.arguments import Packed, array_of, native
from ..numpy_types import dtype_of
from ..words import nearest

POINTER = "pointer"
ADDRESS_BYTES = 8


def _with_addresses(fields: Any) -> Any:
    """A description of fields with 8-byte integers where it says "pointer"."""
    if isinstance(fields, str):
        return np.dtype(np.uint64) if fields == POINTER else dtype_of("fields", fields)
    if isinstance(fields, list):
        return [
            (one[0], _with_addresses(one[1]), *one[2:]) if isinstance(one, tuple) and len(one) > 1 else one
            for one in fields
        ]
    return fields


def _dtype(fields: Any) -> np.dtype[Any]:
    if not isinstance(fields, list | np.dtype):
        raise bad_type("fields", f"expected a list of (name, type) or a NumPy dtype, got {describe(fields)}")
    try:
        found = fields if isinstance(fields, np.dtype) else np.dtype(_with_addresses(fields), align=True)
    except (TypeError, ValueError) as error:
        raise bad_type("fields", f"expected (name, type) for each field: {error}") from error
    if found.names is None or found.hasobject:
        raise bad_type("fields", f"expected a dtype with fields of numbers, got {found}")
    native("fields", found)
    return found


def _fits(given: np.ndarray, dtype: np.dtype[Any]) -> bool:
    """No integer is cut, and no number becomes infinite."""
    if not given.size or given.dtype.kind not in "iuf" or dtype.kind not in "iuf":
        return True
    if dtype.kind in "iu":
        most = np.iinfo(dtype)
        return most.min <= int(given.min()) and int(given.max()) <= most.max
    with np.errstate(over="ignore"):
        return not bool((np.isinf(given.astype(dtype)) & ~np.isinf(given)).any())


class Struct(Packed):
    """A struct that a kernel takes by value.

    `fields`: (name, type) or (name, type, shape) for each member in the order of the C++ struct,
    which are then placed as C++ places them, or a structured NumPy dtype, taken as it is. A type is
    "pointer", whatever NumPy takes, or a list of fields for a struct inside. `values`: a value for
    each field: for a pointer an array, which the kernel reads and writes in place, or None; for a
    struct inside a dict. Fields that are not given are zero.

    >>> import numpy as np, warpsim as ws
    >>> row = ws.Struct([("data", "pointer"), ("n", "i4")], data=np.zeros(8, np.float32), n=8)
    >>> row.nbytes
    16
    """

    def __init__(self, fields: Any, /, **values: Any) -> None:
        self.dtype = _dtype(fields)
        self._record = np.zeros((), self.dtype)
        self._arrays: dict[int, tuple[str, Any]] = {}
        self._set(self._record, values, 0, "")

    @property
    def nbytes(self) -> int:
        """Its size in bytes."""
        return self.dtype.itemsize

    def packed(self) -> tuple[bytes, dict[int, tuple[str, Any]]]:
        """Its bytes, with zeros for the pointers, and the arrays that these point to."""
        return self._record.tobytes(), self._arrays

    def __repr__(self) -> str:
        return f"Struct({', '.join(self.dtype.names or ())}: {self.nbytes} bytes, {len(self._arrays)} arrays)"

    def _set(self, record: np.ndarray, values: Mapping[str, Any], begin: int, outer: str) -> None:
        assert record.dtype.names is not None and record.dtype.fields is not None
        for name, value in values.items():
            label = f"{outer}{name}"
            if name not in record.dtype.names:
                close = nearest(name, record.dtype.names)
                hint = f"; did you mean {close}?" if close else ""
                raise bad_value(label, f"expected one of {', '.join(record.dtype.names)}{hint}")
            self._put(record[name], value, begin + record.dtype.fields[name][1], label)

    def _put(self, field: np.ndarray, value: Any, at: int, label: str) -> None:
        """One field; `field` is a view of its bytes, with a dimension for each of its shape."""
        if field.ndim and isinstance(value, list | tuple):
            if len(value) != len(field):
                raise bad_value(label, f"expected {len(field)} values, got {len(value)}")
            for number, one in enumerate(value):
                self._put(field[number, ...], one, at + number * field.strides[0], f"{label}[{number}]")
            return
        if field.dtype.names is not None and not field.ndim and isinstance(value, Mapping):
            self._set(field, value, at, f"{label}.")
            return
        is_address = field.dtype.kind in "iu" and field.itemsize == ADDRESS_BYTES and not field.ndim
        if is_address and array_of(label, value) is not None:
            self._arrays[at] = (label, value)
            return
        given = np.asarray(0 if is_address and value is None else value)
        if given.shape not in ((), field.shape):
            raise bad_value(label, f"expected shape {field.shape} for {field.dtype}, got {given.shape}")
        if given.dtype.kind in "fc" and field.dtype.kind in "iu":
            raise bad_type(label, f"expected an integer for {field.dtype}, got {describe(value)}")
        if given.dtype.kind == "c" and field.dtype.kind == "f":
            raise bad_type(label, f"expected a real number for {field.dtype}, got {describe(value)}")
        try:
            if given.dtype.kind in "USMm":
                raise TypeError
            if not _fits(given, field.dtype):
                raise OverflowError
            field[...] = value if given.ndim == 0 and value is not None else given
        except OverflowError:
            raise OverflowError(f"{label}: {shown(value)} does not fit into {field.dtype}") from None
        except (TypeError, ValueError) as error:
            raise bad_type(label, f"expected a value for {field.dtype}, got {describe(value)}") from error
