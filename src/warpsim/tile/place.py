"""The addresses with which an instruction works at a place of a tile."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..errors import bad_value
from ..instruction.base import DataMovement
from .layout import PACKED, TYPE_BITS, Layout


def place_in(op: DataMovement, layout: Layout, row: int, col: int) -> tuple[NDArray[np.int64], int | None]:
    """The addresses with which `op` works at (row, col) of a tile; of wmma p, and the stride."""
    if not op.is_wmma:
        return layout.addresses(op, row, col), None
    bits = op.register_bits // op.fields
    if layout.swizzle is not None or layout.type in PACKED or layout.order != op.layout:
        raise bad_value("layout", f"{op.ptx} reads a plain tile of order {op.layout}, not {layout!r}")
    if bits != TYPE_BITS[layout.type]:
        raise bad_value("layout", f"{op.ptx} needs elements of {bits} bits, got {layout.type}")
    return np.array([layout(row, col)]), layout.pitch * 8 // bits
