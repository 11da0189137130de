"""Tiles and main loops that no constant is fitted to, drawn by chance, and their PTX.

A tile is read or filled again and again by all warps of a block, each its own steps; a main loop is cp.async, ldmatrix
and mma.sync as benchmarks/device/loop.cu writes them. Where the lanes work is data, not code.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from .probes import ALL, COPY_GROUP, Launch, Probe
from .texts import LANES, looped, sunk, text, vector

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


LOOK_UP = "mul.wide.u32 %q16, %u4, 4; add.u64 %q16, %q0, %q16;"


def looked_up(name: str, count: int, threads: int, first: int = 0) -> str:
    """Loads of rows of the table, one 32-bit word a thread each, into registers name0, name1, ..."""
    return "\n".join(f"ld.global.u32 {name}{i}, [%q16+{4 * threads * (first + i)}];" for i in range(count))


def tile_probe(name: str, tile: Tile, steps: Sequence[Sequence[Sequence[int]]]) -> tuple[Probe, int]:
    """The program of a tile, whose lanes work at steps[warp][step][lane], and how often a pass does them."""
    form, count, threads = tile.form, len(steps[0]), LANES * tile.warps
    repeats = -(-(COPY_GROUP if form.kind == "copy" else SLOTS) // count)
    rows = [[offset for warp in steps for offset in warp[step]] for step in range(count)] * repeats
    setup = [LOOK_UP, looked_up("%a", len(rows), threads)]
    setup += [f"add.u32 %a{i}, %a{i}, %u7;" for i in range(len(rows))]
    parts, width = [], max(form.registers, 1)
    words = form.ptx.replace("ld.shared", "ld.volatile.shared").replace("st.shared", "st.volatile.shared")
    for i in range(len(rows)):
        values = vector(width * (i % SLOTS), width)
        values = values.strip("{}") if form.ptx.endswith("d.b32") else values
        line = f"{words} {values}, [%a{i}];" if form.kind == "load" else f"{words} [%a{i}], {values};"
        parts.append(line)
    if form.kind == "copy":
        group = 512 * tile.warps * len(rows)
        setup.append("mul.wide.u32 %q10, %u4, 16; add.u64 %q10, %q2, %q10; mov.u64 %g0, %q10; mov.u32 %u20, %u3;")
        parts = [f"{words} [%a{i}], [%g0+{512 * tile.warps * i}], 16;" for i in range(len(rows))]
        parts.append(
            f"cp.async.commit_group; cp.async.wait_group 3; add.u32 %u20, %u20, {group};"
            f" setp.ge.u32 %p1, %u20, {SLABS * group}; @%p1 mov.u32 %u20, %u3;"
            " cvt.u64.u32 %q12, %u20; add.u64 %g0, %q10, %q12;"
        )
        parts = ["\n".join(parts)]
    used = sunk(f"%r{i}" for i in range(width * min(SLOTS, len(rows)))) if form.kind == "load" else ""
    shared = -(-max(offset for row in rows for offset in row) // 1024) * 1024 + 1024
    launches = tuple(Launch(str(passes), tile.warps, passes, ALL, tuple(map(tuple, rows))) for passes in (FEW, MANY))
    made = Probe(
        name, lambda sm: looped(sm, parts, sink=used, setup="\n".join(setup), shared=shared, version=form.version),
        launches, shared, form.least,
    )  # fmt: skip
    return made, repeats


class _Places:
    """Where lanes work: each list of offsets (one a thread) as a row of the table and a distance from it."""

    def __init__(self) -> None:
        self.rows: list[tuple[int, ...]] = []

    def of(self, offsets: Sequence[int]) -> tuple[int, int]:
        """Row and distance; lists that differ by one number share a row."""
        for index, row in enumerate(self.rows):
            if len({a - b for a, b in zip(offsets, row, strict=True)}) == 1:
                return index, offsets[0] - row[0]
        self.rows.append(tuple(offsets))
        return len(self.rows) - 1, 0


@dataclass(frozen=True, slots=True)
class _Code:
    """The parts of a main loop: (row, distance) of its copies, of its loads of A and of B by step."""

    copies: list[tuple[int, int, int, int]]  # row, distance, which matrix, bytes from its first
    loads: list[tuple[list[tuple[int, int]], list[tuple[int, int]]]]
    rows: list[tuple[int, ...]]


def _code(loop: Loop) -> _Code:
    (m, n, k), (along_m, along_n) = loop.tile, loop.warps
    threads, after_a = LANES * along_m * along_n, 2 * m * (k + loop.pad)
    b_rows, b_cols = loop.b_size
    found = _Places()

    def a_at(row: int, col: int) -> int:
        return place(row, col, k + loop.pad, loop.swizzle_a)

    def b_at(row: int, col: int) -> int:
        return after_a + place(row, col, b_cols + loop.pad, loop.swizzle_b)

    copies = []
    for which, (rows, cols, at) in enumerate(((m, k, a_at), (b_rows, b_cols, b_at))):
        for first in range(0, rows * cols // 8, threads):
            pieces = [divmod(8 * (first + thread), cols) for thread in range(threads)]
            copies.append((*found.of([at(row, col) for row, col in pieces]), which, 16 * first))
    warps = [divmod(thread // LANES, along_n) for thread in range(threads)]
    lanes = [thread % LANES for thread in range(threads)]
    loads = []
    for step in range(0, k, 16):
        a_side, b_side = [], []
        for i in range(0, m // along_m, 16):
            rows_of = [w[0] * (m // along_m) + i + lane % 16 for w, lane in zip(warps, lanes, strict=True)]
            a_side.append(found.of([a_at(r, step + lane // 16 * 8) for r, lane in zip(rows_of, lanes, strict=True)]))
        for j in range(0, n // along_n, 16):
            first_col = [w[1] * (n // along_n) + j for w in warps]
            if loop.trans_b:
                at = [b_at(step + x % 16, c + x // 16 * 8) for c, x in zip(first_col, lanes, strict=True)]
            else:
                at = [
                    b_at(c + x % 8 + x // 16 * 8, step + x // 8 % 2 * 8) for c, x in zip(first_col, lanes, strict=True)
                ]
            b_side.append(found.of(at))
        loads.append((a_side, b_side))
    return _Code(copies, loads, found.rows)


def _fill(code: _Code, base: str) -> str:
    """Copies of a slab to the stage whose address is in `base`; its sources are at %g0 and %g1."""
    used = sorted({row for row, *_ in code.copies})
    lines = [f"add.u32 %u{40 + row}, %a{row}, {base};" for row in used]
    lines += [
        f"cp.async.cg.shared.global [%u{40 + row}+{distance}], [%g{which}+{source}], 16;"
        for row, distance, which, source in code.copies
    ]
    return "\n".join([*lines, "cp.async.commit_group;"])


def _source(loop: Loop, slab: str) -> str:
    """Where the slab whose number is in a register begins."""
    (m, n, k), parts = loop.tile, []
    parts.append(f"and.b32 %u30, {slab}, {SLABS - 1};")
    for which, size in ((0, 2 * m * k), (1, 2 * n * k)):
        parts.append(f"mul.wide.u32 %q{17 + which}, %u30, {size}; add.u64 %g{which}, %g{4 + which}, %q{17 + which};")
    return " ".join(parts)


def _compute(loop: Loop, code: _Code) -> str:
    """Loads (ldmatrix) and products (mma.sync) of a slab whose stage begins at %u31."""
    (m, n, _), (along_m, along_n) = loop.tile, loop.warps
    rows, cols = m // along_m // 16, n // along_n // 8
    used = sorted({row for sides in code.loads for side in sides for row, _ in side})
    lines = [f"add.u32 %u{80 + row}, %a{row}, %u31;" for row in used]
    trans = ".trans" if loop.trans_b else ""
    for a_side, b_side in code.loads:
        for first, side, kind in ((0, a_side, ""), (4 * rows, b_side, trans)):
            lines += [
                f"ldmatrix.sync.aligned.m8n8.x4{kind}.shared.b16 {vector(first + 4 * i, 4)}, [%u{80 + row}+{distance}];"
                for i, (row, distance) in enumerate(side)
            ]
        for i in range(rows):
            for j in range(cols):
                d, b = vector(4 * (i * cols + j), 4, "f"), 4 * rows + 2 * j
                words = "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32"
                lines.append(f"{words} {d}, {vector(4 * i, 4)}, {vector(b, 2)}, {d};")
    return "\n".join(lines)


def loop_probe(name: str, loop: Loop) -> Probe:
    """The program of a main loop: a pass is an iteration."""
    (m, n, _), (along_m, along_n) = loop.tile, loop.warps
    code, stages, size = _code(loop), loop.stages, loop.stage_bytes
    sums, threads = m * n // (LANES * along_m * along_n), LANES * along_m * along_n
    k = loop.tile[2]
    setup = [LOOK_UP, looked_up("%a", len(code.rows), threads)]
    setup.append(
        "mul.wide.u32 %q10, %u4, 16; add.u64 %g4, %q2, %q10;"
        f" add.u64 %g5, %g4, {SLABS * 2 * m * k}; mov.u32 %u33, %u3; mov.u32 %u34, %u3;"
    )
    setup += [f"mov.b32 %f{i}, %u3;" for i in range(sums)]
    for stage in range(stages):
        setup.append(f"mov.u32 %u32, {stage}; {_source(loop, '%u32')} add.u32 %u32, %u7, {stage * size};")
        setup.append(_fill(code, "%u32"))
    setup.append("cp.async.wait_group 0;")
    last = stages * size
    body = [
        'BODY: .pragma "nounroll";',
        f"cp.async.wait_group {stages - 2}; bar.sync 0;",
        f"add.u32 %u32, %u34, {(stages - 1) * size}; setp.ge.u32 %p1, %u32, {last};"
        f" @%p1 sub.u32 %u32, %u32, {last}; add.u32 %u32, %u32, %u7; add.u32 %u31, %u34, %u7;",
        f"add.u32 %u35, %u33, {stages - 1}; {_source(loop, '%u35')}",
        _fill(code, "%u32"),
        _compute(loop, code),
        f"add.u32 %u34, %u34, {size}; setp.ge.u32 %p1, %u34, {last}; @%p1 sub.u32 %u34, %u34, {last};",
        "add.u32 %u33, %u33, 1; setp.ne.u32 %p2, %u33, %u2; @%p2 bra BODY;",
    ]
    used = "@%p5 bra SINK;"
    launches = tuple(Launch(str(p), along_m * along_n, p, ALL, tuple(code.rows)) for p in (FEW, MANY))
    return Probe(
        name,
        lambda sm: text(
            sm, "\n".join([*body, used]), setup="\n".join(setup), sink=sunk(f"%f{i}" for i in range(sums)),
            shared=stages * size, version=70, floats=max(sums, 1), helpers=160, threads=threads,
        ),
        launches, stages * size, 80,
    )  # fmt: skip
