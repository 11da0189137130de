"""TMA's swizzle modes: what CUtensorMapSwizzle says about bytes in shared memory.

Sources: "Swizzling Modes" of PTX's tensors; cute/atom/copy_traits_sm90_tma_swizzle.hpp of CUTLASS, which names the
Swizzle of each mode.
"""

from __future__ import annotations

import numpy as np

from .. import arguments
from ..errors import bad_value
from .tables import NO_SWIZZLE, Tables

ENUM = "CU_TENSOR_MAP_SWIZZLE_"
#: mode -> (bytes of a row of the box, Swizzle of byte offsets)
MODES = {
    "NONE": (0, NO_SWIZZLE),
    "32B": (32, (1, 4, 3)),
    "64B": (64, (2, 4, 3)),
    "128B": (128, (3, 4, 3)),
    "128B_ATOM_32B": (128, (2, 5, 2)),
}
MOST_BOX = 256  # elements along an axis of a box: cuTensorMapEncodeTiled


def mode_of(mode: object) -> str:
    """The name in MODES of "128B", "128b", "none" or CU_TENSOR_MAP_SWIZZLE_128B."""
    name = mode.upper().removeprefix(ENUM) if isinstance(mode, str) else mode
    return arguments.word("swizzle", name, MODES)


def read(rows: int, cols: int, mode: str, bits: int) -> Tables:
    """The tables of one box of rows x cols elements."""
    span, swizzle = MODES[mode]
    run = cols * bits
    if max(rows, cols) > MOST_BOX:
        raise bad_value("box", f"expected at most {MOST_BOX} elements along each axis, got {rows}x{cols}")
    if run % 128:
        raise bad_value("box", f"expected rows of a multiple of 16 bytes, got {cols} elements of {bits} bits")
    if span and run != span * 8:
        fits = span * 8 // bits
        raise bad_value(
            "box",
            f"expected rows of {span} bytes, {fits} elements, in mode {mode}; got {cols}: a wider tile has"
            f" several boxes, as Layout.from_tma(({rows}, {fits}), ...).boxes({max(2, -(-cols // fits))})",
        )
    return Tables(np.arange(rows, dtype=np.int64) * cols, np.arange(cols, dtype=np.int64), swizzle, "byte")


def write(rows: int, pitch_bits: int, run_bits: int, swizzle: tuple[int, int, int], bits: int, unit: str) -> str:
    """CUtensorMapSwizzle of a matrix that one box fills."""
    b, m, s = swizzle
    if unit == "element" and b:
        m += (bits // 8).bit_length() - 1 if bits >= 8 else -1
    for name, (span, wanted) in MODES.items():
        is_same = (b, m, s) == wanted if b else not wanted[0]
        if is_same and pitch_bits == run_bits and (not span or run_bits == span * 8):
            if max(rows, run_bits // bits) > MOST_BOX or run_bits % 128:
                break
            return ENUM + name
    raise bad_value(
        "layout",
        f"expected what one TMA box fills: no padding, at most {MOST_BOX} rows, rows of 128, 64 or 32 bytes with"
        f" Swizzle<3,4,3>, <2,4,3> or <1,4,3> of bytes; got rows of {run_bits // 8} bytes, pitch {pitch_bits // 8}"
        + (f", Swizzle<{b},{m},{s}> of bytes" if b else ""),
    )
