"""The NumPy type that a caller means, by NumPy's name or by PTX's: "u8" and "i4" count bytes, as NumPy's do."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

from . import words
from .arguments import shown
from .errors import bad_type

#: what both know, and NumPy reads as 4 and 8 bytes
NUMPYS_OWN = ("u4", "u8", "i4", "i8")


def dtype_of(name: str, value: Any) -> np.dtype[Any]:
    """np.dtype(value), or that of a PTX type such as "f16"; TypeError if it is neither."""
    named = str.__str__(value).lower() if isinstance(value, str) else ""
    if named not in NUMPYS_OWN:
        named = words.NUMPY.get(words.SAME.get(named, named), named)
    if named in _extra_types():
        value = _extra_types()[named]
    elif named in words.NUMPY.values():
        if not hasattr(np, named):
            raise bad_type(name, f"{shown(value)} needs ml_dtypes: pip install 'warpsim[dtypes]'")
        value = named
    try:
        found: np.dtype[Any] = np.dtype(value)
    except Exception as error:
        hint = words.meant(named, words.NUMPY) if named else ""
        raise bad_type(name, f"expected a NumPy dtype or a PTX type, got {shown(value)}{hint}") from error
    if found.kind == "c" or (found.kind == "f" and found.itemsize > 8):
        raise bad_type(name, f"PTX has no {found}; expected a type of 64 bits or less, such as 'f16' or 'f64'")
    return found


def _import_types() -> dict[str, Any]:
    """The types of ml_dtypes by name; empty without it."""
    try:
        import ml_dtypes  # noqa: PLC0415 - an extra
    except ImportError:
        return {}
    return {name: getattr(ml_dtypes, name) for name in words.NUMPY.values() if hasattr(ml_dtypes, name)}


_extra_types = functools.cache(_import_types)
