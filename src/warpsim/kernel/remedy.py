"""How an array of shared memory should lie so that a launch's accesses to it have fewer bank conflicts.

The watch keeps addresses of some executions of each access. From those of a statement with conflicts the pitch of the
rows is told, if its lanes form rows and columns; each padding and swizzle is then counted for all recorded accesses to
the same bytes, and the cheapest is what the note advises.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from itertools import islice, pairwise
from pathlib import PurePosixPath
from typing import Any

import numpy as np

from ..arguments import FULL_MASK, LANES
from ..instruction.base import Instruction
from ..instruction.findings import RULES
from ..instruction.kinds import CpAsync, Ld, St, parse
from ..tile.layout import Swizzle
from .demands import CONFLICTS
from .stops import SHARED, KernelFinding, lanes_of, thread_of

ROWS = 8  # WS_SAMPLE_ROWS
SAMPLE = np.dtype(
    [(name, np.uint32) for name in ("step", "block", "seen", "rows", "nbytes")]
    + [("mask", np.uint32, (ROWS,)), ("offset", np.uint32, (ROWS, LANES))]
)
MOST_SWIZZLE = 5  # bits: 32 banks
MOST_LINES = 8  # that a note names
MOST_STATEMENTS, MOST_OTHERS = 256, 64  # the costliest: each layout is tried on each of them
Extent = tuple[int, int, int]


@dataclass(frozen=True, eq=False)
class Access:
    """Recorded executions of one statement: (n, 32) offsets in shared memory, their lanes."""

    op: Instruction
    nbytes: int
    offsets: np.ndarray
    mask: np.ndarray
    block: int
    _counted: dict[tuple[int, int, int, int], np.ndarray] = field(default_factory=dict)

    @cached_property
    def used(self) -> np.ndarray:
        """Which of the offsets are those of lanes that take part."""
        return (self.mask[:, None] >> np.arange(LANES, dtype=np.uint32) & 1).astype(bool)

    @cached_property
    def span(self) -> tuple[int, int]:
        """The first byte, and the one after the last."""
        used = self.offsets[self.used]
        return int(used.min()), int(used.max()) + self.nbytes

    def wavefronts(self, offsets: np.ndarray) -> np.ndarray:
        """Of these offsets (..., n, 32), counted by the core."""
        is_matrix = self.op.kind in ("ldmatrix", "stmatrix")
        active = FULL_MASK if is_matrix else np.broadcast_to(self.mask, offsets.shape[:-1])
        counted: np.ndarray = self.op.traffic(np.where(self.used, offsets, 0), active=active).wavefronts
        return counted

    @cached_property
    def now(self) -> np.ndarray:
        """Wavefronts of each recorded execution."""
        return self.wavefronts(self.offsets)

    def under(self, key: tuple[int, int, int, int]) -> np.ndarray:
        """Wavefronts of what is recorded under each of _candidates(*key): one call of the core for all."""
        if key not in self._counted:
            moved = np.stack([remedy.moved(self.offsets) for remedy in _candidates(*key)])
            self._counted[key] = self.wavefronts(moved).sum(axis=-1, dtype=np.int64)
        return self._counted[key]


@dataclass(frozen=True)
class Remedy:
    """Rows of `pitch` bytes from `begin`, each followed by `pad` bytes, or XORed."""

    begin: int
    pitch: int
    element: int
    pad: int = 0
    swizzle: Swizzle | None = None

    def moved(self, offsets: np.ndarray) -> np.ndarray:
        """Where the bytes at these offsets lie under the remedy."""
        at = np.asarray(offsets, np.int64) - self.begin
        if self.swizzle is not None:
            b, m, s = self.swizzle.B, self.swizzle.M + self.element.bit_length() - 1, self.swizzle.S
            return self.begin + (at ^ ((at >> (m + s) & ((1 << b) - 1)) << m))
        return self.begin + at + at // self.pitch * self.pad

    def wavefronts(self, accesses: Iterable[Access]) -> int:
        """Of what is recorded of them, moved."""
        return sum(int(one.wavefronts(self.moved(one.offsets)).sum()) for one in accesses)

    def __str__(self) -> str:
        columns = self.pitch // self.element
        if self.swizzle is not None:
            return f"Index the elements of {self.element} bytes by {self.swizzle}, with rows of {columns} as now"
        return (
            f"Pad each row of {self.pitch} bytes by {self.pad} bytes, such as"
            f" tile[rows][{columns} + {self.pad // self.element}] of elements of {self.element} bytes"
        )


def _instruction(opcode: str, nbytes: int) -> Instruction | None:
    """What counts the accesses of a statement; None for what has no addresses by lane."""
    word = opcode.partition(".")[0]
    if word in ("ldmatrix", "stmatrix"):
        return parse(opcode)
    if opcode.startswith("cp.async"):
        return CpAsync(size=nbytes, cache="cg" if nbytes == 16 else "ca")
    if word not in ("ld", "st", "ldu") or nbytes not in (1, 2, 4, 8, 16):
        return None
    vec, bits = max(nbytes // 4, 1), 8 * min(nbytes, 4)
    return (Ld if word != "st" else St)(type=f"b{bits}", vec=vec)


def accesses(program: Any, sampled: Iterable[bytes | None]) -> dict[int, Access]:
    """What was recorded of each statement; of several pieces of a launch, the one with the first block counts."""
    of_step = program.statements()
    found: dict[int, Access] = {}
    for piece in sampled:
        for row in np.frombuffer(piece or b"", SAMPLE):
            number, n = of_step[int(row["step"])], int(row["rows"])
            op = _instruction(program.module.place(number)[2], int(row["nbytes"])) if n else None
            if op is None or (number in found and found[number].block <= row["block"]):
                continue
            offsets = row["offset"][:n].astype(np.int64) // int(row["nbytes"]) * int(row["nbytes"])
            found[number] = Access(op, int(row["nbytes"]), offsets, row["mask"][:n], int(row["block"]))
    return found


def _is_even(values: Iterable[int]) -> bool:
    return len({after - before for before, after in pairwise(sorted(values))}) <= 1


def _pitches(access: Access, begin: int, unit: int) -> list[int]:
    """Bytes that the rows of the array may have, multiples of `unit`: lanes form even rows and columns."""
    rows = zip(access.offsets - begin, access.used, strict=True)
    lines = {tuple(sorted(set(offsets[used].tolist()))) for offsets, used in rows}
    steps = {at - line[0] for line in lines for at in line if at - line[0] >= 2 * access.nbytes}
    return sorted(
        pitch for pitch in steps if pitch % unit == 0 and all(_fits(line, pitch, access.nbytes) for line in lines)
    )


def _fits(line: tuple[int, ...], pitch: int, nbytes: int) -> bool:
    rows, columns = {at // pitch for at in line}, {at % pitch for at in line}
    is_grid = len(rows) * len(columns) == len(line) and max(columns) + nbytes <= pitch
    return is_grid and _is_even(rows) and _is_even(columns)


def _layouts(begin: int, pitch: int, element: int, unit: int) -> tuple[Remedy, ...]:
    """Paddings by the widest access, then swizzles of pieces of that size."""
    found = [Remedy(begin, pitch, element, pad) for pad in range(unit, 128 + unit, unit)]
    if pitch & (pitch - 1):
        return tuple(found)
    m = unit.bit_length() - 1
    for b in range(1, min(MOST_SWIZZLE, pitch.bit_length() - 1 - m) + 1):
        for s in range(max(b, pitch.bit_length() - 1 - m), max(7, pitch.bit_length() - 1) - m + 1):
            found.append(Remedy(begin, pitch, element, swizzle=Swizzle(b, m - element.bit_length() + 1, s)))
    return tuple(found)


_candidates = lru_cache(maxsize=256)(_layouts)


def best(access: Access, others: list[Access], begin: int) -> Remedy | None:
    """The cheapest remedy for an access and for those to the same array; None if nothing saves wavefronts."""
    group = [access, *others]
    unit = max(one.nbytes for one in group)
    element = min(2 if "matrix" in one.op.kind else one.nbytes for one in group)
    before, all_before = int(access.now.sum()), sum(int(one.now.sum()) for one in group)
    found: list[tuple[int, int, int, Remedy]] = []
    for pitch in _pitches(access, begin, unit):
        key = begin, pitch, element, unit
        own = access.under(key)
        if own.min() >= before:
            continue
        total = np.sum([one.under(key) for one in group], axis=0)
        number = int(np.where(own < before, total, all_before).argmin())
        if total[number] < all_before:
            found.append((int(total[number]), number, pitch, _candidates(*key)[number]))
    return min(found, key=lambda one: one[:3])[3] if found else None


def advice_without_rows(access: Access) -> str:
    """The worst recorded execution in words, where no layout is known."""
    worst = int(access.now.argmax())
    steps = np.unique(np.diff(access.offsets[worst][access.used[worst]]))
    by = f"lanes step by {abs(int(steps[0]))} bytes" if len(steps) == 1 else "lanes have no even stride"
    lanes = LANES if access.nbytes <= 4 else 128 // access.nbytes
    return (
        f"Change the index or the bytes of a row so that each {lanes} lanes in turn fall into different banks:"
        f" {by}, which takes {int(access.now[worst]):,} wavefronts."
    )


@dataclass(frozen=True)
class _Conflict:
    """A statement with bank conflicts."""

    number: int
    access: Access
    others: list[Access]
    row: np.void
    array: tuple[str | None, int | None, int | None]

    @property
    def lost(self) -> int:
        """Wavefronts beyond those that are enough."""
        return int(self.row["wavefronts"]) - int(self.row["ideal_wavefronts"])


def _fix(remedy: Remedy | str, group: list[_Conflict]) -> str:
    if isinstance(remedy, str):
        return remedy
    own = [one.access for one in group]
    every = list({id(one): one for conflict in group for one in (conflict.access, *conflict.others)}.values())
    now = [sum(int(one.now.sum()) for one in some) for some in (own, every)]
    here = "this line" if len(group) == 1 else "these lines"
    counts = (
        f"{remedy.wavefronts(own):,} wavefronts instead of {now[0]:,} in the recorded executions of {here},"
        f" {remedy.wavefronts(every):,} instead of {now[1]:,} in those of all accesses to these bytes"
    )
    return f"{remedy}: {counts}."


def _finding(kernel: Any, shape: tuple[Extent, Extent], remedy: Remedy | str, group: list[_Conflict]) -> KernelFinding:
    """One note for statements that want the same, at that which loses most."""
    worst = max(group, key=lambda one: one.lost)
    line, column, opcode = kernel._module._core.place(worst.number)
    file, source_line = kernel._module._core.source(worst.number)
    source = kernel._module._core.files()[file] if file >= 0 else None
    where = f"line {line}: {opcode}" + (f" ({PurePosixPath(source).name}:{source_line})" if source else "")
    also = sorted({kernel._module._core.place(one.number)[0] for one in group} - {line})
    more = ", ".join(map(str, also[:MOST_LINES])) + (" ..." if len(also) > MOST_LINES else "")
    where += f"; and line{'s' if len(also) > 1 else ''} {more}" if also else ""
    wavefronts, ideal = (sum(int(one.row[name]) for one in group) for name in ("wavefronts", "ideal_wavefronts"))
    name, at, size = worst.array
    grid, threads = shape
    return KernelFinding(
        CONFLICTS,
        RULES[CONFLICTS].severity,
        f"{RULES[CONFLICTS].title}: {wavefronts:,} wavefronts, {ideal:,} are enough; {where}",
        _fix(remedy, group),
        thread_of(worst.access.block, grid),
        0,
        tuple(thread_of(lane, threads) for lane in lanes_of(int(worst.access.mask[0]))),
        line,
        column,
        opcode,
        source,
        source_line if source else -1,
        address=worst.access.span[0],
        array=name,
        offset=at,
        array_bytes=size,
        count=sum(int(one.row["executed"]) for one in group),
        also=tuple(also),
    )


def remedies(
    kernel: Any, program: Any, memory: Any, shape: tuple[Extent, Extent], lines: np.ndarray, sampled: list[bytes | None]
) -> tuple[KernelFinding, ...]:
    """Notes on statements with bank conflicts, with the layout that frees them or the stride that is to blame."""
    conflicting = {(int(row["line"]), int(row["column"])): row for row in lines[lines["bank_conflicts"] > 0]}
    if not conflicting:
        return ()
    recorded = accesses(program, sampled)
    groups: dict[Remedy | str, list[_Conflict]] = {}
    rows = {number: conflicting.get(kernel._module._core.place(number)[:2]) for number in recorded}
    costly = sorted(recorded, key=lambda number: -recorded[number].now.sum())
    for number in sorted([number for number in costly if rows[number] is not None][:MOST_STATEMENTS]):
        row, access = rows[number], recorded[number]
        assert row is not None
        first, end = access.span
        name, at, size = memory.nearest(SHARED, first)
        is_inside = at is not None and size is not None and at >= 0 and at + end - first <= size
        same = (other for other in costly if recorded[other].span[0] < end and first < recorded[other].span[1])
        others = [recorded[other] for other in islice(same, MOST_OTHERS + 1) if other != number]
        begin = first - at if is_inside and at is not None else min(one.span[0] for one in [access, *others])
        remedy = best(access, others, begin) or advice_without_rows(access)
        groups.setdefault(remedy, []).append(_Conflict(number, access, others, row, (name, at, size)))
    return tuple(_finding(kernel, shape, remedy, group) for remedy, group in groups.items())
