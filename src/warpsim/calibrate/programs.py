"""PTX of the held-out tiles and main loops: where the lanes work is data, which the host writes, not code."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from .held_out import FEW, MANY, SLABS, SLOTS, Loop, Tile, place
from .probes import ALL, COPY_GROUP, Launch, Probe
from .texts import LANES, Room, looped, sunk, text, vector

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


def _places(loop: Loop) -> tuple[Callable[[int, int], int], Callable[[int, int], int]]:
    """Where an element of A and of B is in a stage, in bytes."""
    m, _, k = loop.tile
    after_a, b_cols = 2 * m * (k + loop.pad), loop.b_size[1]
    return (
        lambda row, col: place(row, col, k + loop.pad, loop.swizzle_a),
        lambda row, col: after_a + place(row, col, b_cols + loop.pad, loop.swizzle_b),
    )


def _copies(loop: Loop, threads: int, found: _Places) -> list[tuple[int, int, int, int]]:
    """Row, distance, which matrix, bytes from its first; of pieces of 16 bytes, one a thread."""
    copies = []
    sizes = ((loop.tile[0], loop.tile[2]), loop.b_size)
    for which, ((rows, cols), at) in enumerate(zip(sizes, _places(loop), strict=True)):
        for first in range(0, rows * cols // 8, threads):
            pieces = [divmod(8 * (first + thread), cols) for thread in range(threads)]
            copies.append((*found.of([at(row, col) for row, col in pieces]), which, 16 * first))
    return copies


def _loads(loop: Loop, threads: int, found: _Places) -> list[tuple[list[tuple[int, int]], list[tuple[int, int]]]]:
    """Of each step of 16 along K: row and distance of the ldmatrix of A, and of B."""
    (m, n, k), (along_m, along_n) = loop.tile, loop.warps
    a_at, b_at = _places(loop)
    warps = [divmod(thread // LANES, along_n) for thread in range(threads)]
    lanes = [thread % LANES for thread in range(threads)]
    loads = []
    for step in range(0, k, 16):
        a_side, b_side = [], []
        for i in range(0, m // along_m, 16):
            rows = [row * (m // along_m) + i for row, _ in warps]
            offsets = [a_at(r + x % 16, step + x // 16 * 8) for r, x in zip(rows, lanes, strict=True)]
            a_side.append(found.of(offsets))
        for j in range(0, n // along_n, 16):
            cols = [col * (n // along_n) + j for _, col in warps]
            if loop.trans_b:
                offsets = [b_at(step + x % 16, c + x // 16 * 8) for c, x in zip(cols, lanes, strict=True)]
            else:
                places = [(c + x % 8 + x // 16 * 8, step + x // 8 % 2 * 8) for c, x in zip(cols, lanes, strict=True)]
                offsets = [b_at(row, col) for row, col in places]
            b_side.append(found.of(offsets))
        loads.append((a_side, b_side))
    return loads


def _code(loop: Loop) -> _Code:
    threads, found = LANES * loop.warps[0] * loop.warps[1], _Places()
    return _Code(_copies(loop, threads, found), _loads(loop, threads, found), found.rows)


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
            shared=stages * size, version=70, room=Room(max(sums, 1), 160, threads),
        ),
        launches, stages * size, 80,
    )  # fmt: skip
