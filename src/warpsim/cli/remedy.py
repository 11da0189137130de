"""A layout that an access reads without conflicts, near the one that has them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from itertools import product

from ..instruction.base import Instruction
from ..tile.explain import place_in
from ..tile.layout import PACKED, TYPE_BITS, Layout, Swizzle
from .options import Place


def _near(layout: Layout) -> Iterator[tuple[str, Layout]]:
    """Layouts of the same matrix and how a command writes them: swizzles of 16-byte pieces, then paddings."""
    rows, cols, type_, order = layout.rows, layout.cols, layout.type, layout.order
    head = f"{rows}x{cols}:{type_}" + (":col" if order == "col" else "")
    bits = 8 if type_ in PACKED else TYPE_BITS[type_]
    piece = max(1, 128 // bits)
    m, unit = (4, ",byte") if type_ in PACKED else (piece.bit_length() - 1, "")
    for s, b in product((3, 2, 4, 1, 5), (3, 2, 1)):
        with suppress(ValueError):  # of a matrix that cannot be swizzled so
            swizzle = Swizzle(b, m, s, "byte" if unit else "element")
            yield f"{head}:swizzle={b},{m},{s}{unit}", Layout(rows, cols, type_, order, 0, swizzle)
    for pad in range(piece, 9 * piece, piece):
        with suppress(ValueError):
            yield f"{head}:pad={pad}", Layout(rows, cols, type_, order, pad)


def remedy(op: Instruction, place: Place, wavefronts: int) -> str:
    """What to write instead, in words; empty where nothing near is free of conflicts."""
    if place.layout is None or place.at is None:
        return ""
    for written, layout in _near(place.layout):
        with suppress(ValueError):  # wmma takes no swizzle
            address, stride = place_in(op, layout, *place.at)
            traffic = op.traffic(address, stride=stride)
            if traffic.wavefronts == traffic.ideal_wavefronts:
                return f"fix: {written} has no conflict: {int(traffic.wavefronts)} wavefronts instead of {wavefronts}"
    return ""
