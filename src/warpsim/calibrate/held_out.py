"""Tiles and main loops that no constant is fitted to, drawn by chance.

A tile is read or filled again and again by all warps of a block, each its own steps; a main loop is cp.async, ldmatrix
and mma.sync as benchmarks/device/loop.cu writes them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import Any

SEED, TILES, LOOPS = 24, 15, 15
FEW, MANY = 32, 160  # passes
SLOTS = 16  # instructions of a pass of a tile, at least
SLABS = 8  # of global memory, one after another
PITCHED = (0, 8, 16)  # elements


@dataclass(frozen=True, slots=True)
class Form:
    """An instruction of a tile: the words between its name and its operands."""

    ptx: str
    registers: int
    least: int = 75
    version: int = 0

    @property
    def kind(self) -> str:
        """What it does: "load", "store" or "copy"."""
        return "copy" if self.ptx.startswith("cp") else "load" if self.ptx.startswith("ld") else "store"

    @property
    def name(self) -> str:
        """The instruction without what all of its kind have."""
        return self.ptx.replace(".sync.aligned.m8n8", "").replace(".shared.b16", "").replace(".shared.global", "")

    @property
    def ptx_text(self) -> str:
        """The instruction as the package reads it."""
        return f"{self.ptx} [%rd0], [%rd1], 16;" if self.kind == "copy" else self.ptx


FORMS = (
    Form("ld.shared.b32", 1),
    Form("ld.shared.v2.b32", 2),
    Form("ld.shared.v4.b32", 4),
    Form("ldmatrix.sync.aligned.m8n8.x2.shared.b16", 2),
    Form("ldmatrix.sync.aligned.m8n8.x4.shared.b16", 4),
    Form("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16", 4),
    Form("st.shared.b32", 1),
    Form("st.shared.v4.b32", 4),
    Form("stmatrix.sync.aligned.m8n8.x4.shared.b16", 4, 90, 78),
    Form("cp.async.cg.shared.global", 0, 80, 70),
)


@dataclass(frozen=True, slots=True)
class Tile:
    """A tile of f16 that `warps` warps fill or read with one instruction."""

    form: Form
    rows: int
    cols: int
    pad: int
    swizzle: tuple[int, int, int] | None
    warps: int

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready."""
        names = ("rows", "cols", "pad", "swizzle", "warps")
        return {"ptx": self.form.ptx, **{name: getattr(self, name) for name in names}}


@dataclass(frozen=True, slots=True)
class Loop:
    """A main loop of f16 with f32 accumulators; names as in ws.mainloop, one padding for both sides."""

    tile: tuple[int, int, int]
    warps: tuple[int, int]
    stages: int
    trans_b: bool
    pad: int
    swizzle_a: tuple[int, int, int] | None
    swizzle_b: tuple[int, int, int] | None

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready."""
        return {name: getattr(self, name) for name in self.__slots__}

    @property
    def b_size(self) -> tuple[int, int]:
        """Rows and columns of B."""
        _, n, k = self.tile
        return (k, n) if self.trans_b else (n, k)

    @property
    def stage_bytes(self) -> int:
        """Bytes of A and B of one stage."""
        m, _, k = self.tile
        rows, cols = self.b_size
        return 2 * (m * (k + self.pad) + rows * (cols + self.pad))


def usual_swizzle(cols: int) -> tuple[int, int, int]:
    """The usual one of rows of a power of two of 2-byte elements."""
    return min(3, (cols // 16).bit_length()), 3, max(3, cols.bit_length() - 4)


def tiles(seed: int = SEED) -> Iterator[Tile]:
    """Tiles without end; what does not divide is left out by who knows."""
    draw = Random(seed)
    while True:
        rows, cols = draw.choice((32, 64, 128)), draw.choice((32, 64, 128))
        pad = draw.choice(PITCHED)
        swizzle = usual_swizzle(cols) if pad == 0 and draw.random() < 0.6 else None
        yield Tile(draw.choice(FORMS), rows, cols, pad, swizzle, draw.choice((4, 8, 16)))


def loops(most_shared: int, seed: int = SEED) -> Iterator[Loop]:
    """Main loops without end: usual sizes, padded or swizzled, 4 or 8 warps, at most 128 accumulators a thread."""
    draw = Random(seed)
    while True:
        m, n, k = draw.choice((64, 128, 256)), draw.choice((64, 128, 256)), draw.choice((32, 64))
        warps = draw.choice(((2, 2), (2, 4), (4, 2)))
        trans_b, pad = draw.random() < 0.4, draw.choice((0, 0, 8))
        a, b = (None, None) if pad else (usual_swizzle(k), usual_swizzle(n if trans_b else k))
        found = Loop((m, n, k), warps, draw.choice((2, 3, 4)), trans_b, pad, a, b)
        if m * n // (32 * warps[0] * warps[1]) <= 128 and found.stages * found.stage_bytes <= most_shared:
            yield found


def place(row: int, col: int, pitch: int, swizzle: tuple[int, int, int] | None) -> int:
    """Byte of an element; the swizzle is CuTe's, on elements."""
    at = row * pitch + col
    if swizzle is not None:
        bits, base, shift = swizzle
        at ^= at >> shift & ((1 << bits) - 1) << base
    return 2 * at
