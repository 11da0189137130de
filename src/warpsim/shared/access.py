"""What was recorded of accesses to shared memory, and how it counts if their array lies another way.

The watch of a launch keeps the addresses of some executions of each statement. From them the bytes of a row can be
told, if lanes form rows and columns; paddings and swizzles are then counted for the very same addresses.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import pairwise

import numpy as np

from .._engine.statement import Row
from ..arguments import FULL_MASK, LANES
from ..instruction.base import DataMovement
from ..instruction.kinds import CpAsync, Ld, St, parse
from ..threads.once import cached_property
from ..tile.layout import Swizzle
from ..tile.users import KINDS
from ..words import plural

ROWS = 8  # WS_SAMPLE_ROWS
SAMPLE = np.dtype(
    [("block", np.uint64)]
    + [(name, np.uint32) for name in ("step", "seen", "rows", "nbytes")]
    + [("mask", np.uint32, (ROWS,)), ("offset", np.uint32, (ROWS, LANES))]
)
MOST_SWIZZLE = 5  # bits: 32 banks
PIECE, PIECES = 16, (2, 4, 8)  # bytes that tensor maps and descriptors move in a row, and how many they have

Key = tuple[int, int, int, int, str]  # what candidates() takes


@dataclass(frozen=True)
class Takers:
    """How a kernel's bulk copies and products of warpgroups take rows that they fill, and rows that they read.

    "rows": as they lie; "swizzled": as they lie, or by the swizzle of a tensor map or a descriptor; "": none does.
    """

    fill: str = ""
    read: str = ""

    @classmethod
    def of(cls, rows: Iterable[Row]) -> Takers:
        """Those among the statements of a kernel."""
        fill, read = set(), set()
        for row in rows:
            how = "rows" if row.event == "bulk" and not row.is_tensor else "swizzled"
            if row.event == "bulk" and row.space == "shared":
                fill.add(how)
            if (row.event == "bulk" and row.source == "shared") or (row.event == "product" and row.name == "wgmma"):
                read.add(how)
        return cls(*("rows" if "rows" in how else "".join(how) for how in (fill, read)))

    def take(self, group: Iterable[Access]) -> str:
        """How they may take the rows of these accesses: they fill what no lane fills, and read what lanes fill."""
        return self.read if any(one.op.kind in KINDS["store"] for one in group) else self.fill


@dataclass(frozen=True, eq=False)
class Access:
    """Recorded executions of one statement: (n, 32) offsets in shared memory, their lanes."""

    op: DataMovement
    nbytes: int
    offsets: np.ndarray
    mask: np.ndarray
    block: int
    takers: Takers = Takers()
    _counted: dict[Key, np.ndarray] = field(default_factory=dict)

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

    def under(self, key: Key) -> np.ndarray:
        """Wavefronts of what is recorded under each of candidates(*key): one call of the core for all."""
        if key not in self._counted:
            moved = np.stack([remedy.moved(self.offsets) for remedy in candidates(*key)])
            self._counted[key] = self.wavefronts(moved).sum(axis=-1, dtype=np.int64)
        return self._counted[key]


@dataclass(frozen=True)
class Remedy:
    """Rows of `pitch` bytes from `begin`, each followed by `pad` bytes, then XORed."""

    begin: int
    pitch: int
    element: int
    pad: int = 0
    swizzle: Swizzle | None = None

    def moved(self, offsets: np.ndarray) -> np.ndarray:
        """Where the bytes at these offsets lie under the remedy; what begins before `begin` stays."""
        now = np.asarray(offsets, np.int64) - self.begin
        at = now + now // self.pitch * self.pad
        if self.swizzle is not None:
            b, m, s = self.swizzle.B, self.swizzle.M + self.element.bit_length() - 1, self.swizzle.S
            taken = at >> (m + max(s, 0)) & ((1 << b) - 1)
            at = at ^ (taken << (m + max(-s, 0)))
        return self.begin + np.where(now < 0, now, at)

    def wavefronts(self, accesses: Iterable[Access]) -> int:
        """Of what is recorded of them, moved."""
        return sum(int(one.wavefronts(self.moved(one.offsets)).sum()) for one in accesses)

    def __str__(self) -> str:
        if self.swizzle is not None:
            return f"Index the elements of {plural(self.element, 'byte')} by {self.swizzle}"
        return f"Pad each {self.pitch} bytes by {plural(self.pad, 'byte')}"


def _find(row: Row, nbytes: int) -> DataMovement | None:
    if row.event == "matrix":
        return parse(row.opcode) if row.name != "wmma" else None
    if row.event == "copy":
        return CpAsync(size=nbytes, cache="cg" if nbytes == 16 else "ca")
    if row.event not in ("load", "store") or nbytes not in (1, 2, 4, 8, 16):
        return None
    vec, bits = max(nbytes // 4, 1), 8 * min(nbytes, 4)
    return (Ld if row.event == "load" else St)(type=f"b{bits}", vec=vec)


_found = lru_cache(maxsize=1024)(_find)


def instruction_of(row: Row, nbytes: int) -> DataMovement | None:
    """What counts the accesses of a statement; None for what has no addresses by lane."""
    return _found(row, nbytes)


def _is_even(values: Iterable[int]) -> bool:
    return len({after - before for before, after in pairwise(sorted(values))}) <= 1


def pitches(access: Access, begin: int, unit: int) -> list[int]:
    """Bytes that the rows of the array may have, multiples of `unit`: lanes form even rows and columns."""
    rows = zip(access.offsets - begin, access.used, strict=True)
    lines = {tuple(sorted(set(offsets[used].tolist()))) for offsets, used in rows}
    steps = {at - line[0] for line in lines for at in line if at - line[0] >= 2 * access.nbytes}
    return sorted(
        pitch for pitch in steps if pitch % unit == 0 and all(_fits(line, pitch, access.nbytes) for line in lines)
    )


def shown_rows(access: Access, begin: int) -> set[int]:
    """Bytes of rows that an access shows by what it leaves out: it takes a part of each of several rows."""
    found = set()
    for pitch in pitches(access, begin, access.nbytes):
        columns = (access.offsets - begin)[access.used] % pitch
        if int(columns.max()) + access.nbytes < pitch:
            found.add(pitch)
    return found


def _fits(line: tuple[int, ...], pitch: int, nbytes: int) -> bool:
    rows, columns = {at // pitch for at in line}, {at % pitch for at in line}
    is_grid = len(rows) * len(columns) == len(line) and max(columns) + nbytes <= pitch
    return is_grid and _is_even(rows) and _is_even(columns)


def _layouts(begin: int, pitch: int, element: int, unit: int, taken: str = "") -> tuple[Remedy, ...]:
    """Paddings by the widest access, then swizzles of pieces of that size; if rows are `taken`, those that allow it."""
    if taken:
        pieces = pitch // PIECE if taken == "swizzled" and pitch % PIECE == 0 and element <= PIECE else 0
        if pieces not in PIECES:
            return ()
        return (Remedy(begin, pitch, element, 0, Swizzle(pieces.bit_length() - 1, 5 - element.bit_length(), 3)),)
    found = [Remedy(begin, pitch, element, pad) for pad in range(unit, 128 + unit, unit)]
    if pitch & (pitch - 1):
        return tuple(found)
    m = unit.bit_length() - 1
    for b in range(1, min(MOST_SWIZZLE, pitch.bit_length() - 1 - m) + 1):
        for s in range(max(b, pitch.bit_length() - 1 - m), max(7, pitch.bit_length() - 1) - m + 1):
            found.append(Remedy(begin, pitch, element, swizzle=Swizzle(b, m - element.bit_length() + 1, s)))
    return tuple(found)


#: the same, kept for the next access to the same array
candidates = lru_cache(maxsize=256)(_layouts)
