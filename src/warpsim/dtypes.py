"""Narrow element types: registers as the values that they hold.

The 4- and 6-bit codes that ldmatrix unpacks lie in the low bits of a byte, zeros above. An mma of
kind f8f6f4 wants 6-bit codes there, too, but 4-bit codes in bits 2 to 5: shift them first.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import arguments
from .errors import bad_type, bad_value
from .numpy_types import dtype_of


def fp4_to_mma(registers: ArrayLike) -> NDArray[np.uint32]:
    """Registers of 4-bit codes as ldmatrix gives them -> as an mma of kind f8f6f4 wants them.

    `registers`: uint32 of any shape, four codes each in the low nibbles of the bytes. Every byte is
    shifted left by 2: code in bits [5:2], zeros elsewhere. Bits above a code are a ValueError.
    Source: "mma with .kind::f8f6f4" of the PTX ISA (e2m1 in bits 2 to 5 of its 8-bit container).

    >>> import warpsim as ws
    >>> hex(ws.fp4_to_mma([0x0F020100])[0])
    '0x3c080400'
    """
    array = arguments.integers("registers", registers)
    least, most = arguments.bounds("registers", array) if array.size else (0, 0)
    if least < 0 or most > arguments.FULL_MASK:
        raise bad_value(
            "registers", f"expected unsigned 32-bit values, got {arguments.shown(least if least < 0 else most)}"
        )
    words = array.astype(np.uint32)
    if np.any(words & np.uint32(0xF0F0F0F0)):
        raise bad_value("registers", "expected 4-bit codes in the low nibbles, got bits above them")
    shifted: NDArray[np.uint32] = words << np.uint32(2)
    return shifted


def values(registers: NDArray[Any], dtype: Any) -> NDArray[Any]:
    """Registers as values of `dtype`: shape (..., num_registers * values per register).

    `registers`: the array of a Result, (..., num_registers). A view where it can be one: "float16" or "f16",
    "int8" or "s8", and with the extra `warpsim[dtypes]` every type of ml_dtypes (bfloat16, float8_e4m3fn,
    float6_e2m3fn, float4_e2m1fn, int4 ...). 6- and 4-bit types take one byte each, as ldmatrix
    unpacks them; bits above the code are masked off, since ml_dtypes would read them.

    >>> import numpy as np
    >>> from warpsim.dtypes import values
    >>> values(np.array([0x40003C00], np.uint32), "float16")
    array([1., 2.], dtype=float16)
    """
    kind = dtype_of("dtype", dtype)
    array = arguments.array("registers", registers)
    if array.dtype not in (np.dtype(np.uint32), np.dtype(np.uint64)) or array.ndim == 0:
        raise bad_type("registers", f"expected uint32 or uint64 registers, got {array.dtype}")
    if kind.hasobject or not kind.itemsize or kind.subdtype is not None:
        raise bad_type("dtype", f"expected plain numbers, got {kind}")
    per_register, rest = divmod(array.dtype.itemsize, kind.itemsize)
    if rest or per_register == 0:
        raise bad_value("dtype", f"{kind} does not divide a register of {array.dtype}")
    contiguous = np.ascontiguousarray(array)
    width = code_bits(kind)
    if width < 8:
        contiguous = (contiguous.view(np.uint8) & np.uint8(2**width - 1)).view(array.dtype)
    found: NDArray[Any] = contiguous.view(kind).reshape(*array.shape[:-1], array.shape[-1] * per_register)
    return found


def code_bits(dtype: Any) -> int:
    """Bits of one value of a dtype: 4 for float4_e2m1fn, 6 for float6_e3m2fn, 16 for float16."""
    kind = dtype_of("dtype", dtype)
    for prefix, bits in (("float4", 4), ("float6", 6), ("int4", 4), ("uint4", 4), ("int2", 2)):
        if kind.name.startswith(prefix) or kind.name == f"u{prefix}":
            return bits
    return int(kind.itemsize) * 8
