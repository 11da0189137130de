"""Tiles of shared memory that the recorded accesses of a launch reveal, and the layout that suits all who touch them.

Accesses whose bytes overlap share a tile: those that fill it and those that read it. Each padding and swizzle is
counted for all of them at their recorded addresses, each weighed by how often it ran; `search` then says what it would
choose for a tile of that size, filled and read by the same instructions in its own order.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from ..instruction.base import DataMovement
from ..threads.once import cached_property
from ..tile.layout import Layout
from ..tile.search import search
from ..tile.search_result import SearchResult
from ..tile.users import KINDS, MOST
from ..words import plural
from .access import Access, Remedy, candidates, pitches, shown_rows
from .report import SharedTile, Use

TYPES = {1: "u8", 2: "f16", 4: "f32", 8: "f64"}  # of elements of so many bytes, for search
MOST_TILES, MOST_USES = 64, 256  # the costliest
GUESSED = (64, 128, 256, 512)  # bytes of a row where lanes form none: swizzles need no more
MOST_LAYOUTS = 64  # of a search, that are counted at the recorded addresses
MOST_SEARCHED = 1 << 16  # elements


@dataclass(frozen=True, eq=False)
class Recorded:
    """A statement with its recorded executions; `array`: what it touches, its first byte, its bytes, if known.

    `counted`: how often it ran, its wavefronts, and the fewest of them.
    """

    access: Access
    line: int
    column: int
    opcode: str
    source: str | None
    source_line: int
    array: tuple[str, int, int] | None
    counted: tuple[int, int, int]

    @cached_property
    def weight(self) -> float:
        """Wavefronts of the launch for each recorded one."""
        return self.counted[1] / max(int(self.access.now.sum()), 1)

    @property
    def is_store(self) -> bool:
        """It fills the tile."""
        return self.access.op.kind in KINDS["store"]

    def use(self, after: int | None) -> Use:
        """The statement in a report; `after`: the wavefronts its recorded executions would take."""
        executed, wavefronts, ideal = self.counted
        then = wavefronts if after is None else max(round(after * self.weight), min(ideal, wavefronts))
        kind = "store" if self.is_store else "load"
        return Use(
            kind, self.line, self.column, self.opcode, self.source, self.source_line, executed, wavefronts, ideal, then
        )


def grouped(recorded: Iterable[Recorded]) -> list[list[Recorded]]:
    """Those that share a tile: their bytes overlap, directly or by way of others."""
    groups: list[list[Recorded]] = []
    end = -1
    for one in sorted(recorded, key=lambda one: one.access.span):
        if not groups or one.access.span[0] >= end:
            groups.append([])
        groups[-1].append(one)
        end = max(end, one.access.span[1])
    return groups


@dataclass(frozen=True)
class _Place:
    """Where a tile lies, and what its accesses have in common."""

    begin: int
    end: int
    element: int
    unit: int
    taken: str

    def layouts(self, pitch: int) -> tuple[Remedy, ...]:
        """What may be tried for rows of so many bytes."""
        return candidates(self.begin, pitch, self.element, self.unit, self.taken)

    def layout(self, remedy: Remedy | None, pitch: int) -> Layout | None:
        """The same as a Layout; None where no Layout says it."""
        if self.element not in TYPES or pitch % self.element:
            return None
        rows = max(-(-(self.end - self.begin) // pitch), 1)
        pad, swizzle = (0, None) if remedy is None else (remedy.pad // self.element, remedy.swizzle)
        try:
            return Layout(rows, pitch // self.element, TYPES[self.element], "row", pad, swizzle)
        except ValueError:
            return None


def _place(group: Sequence[Recorded]) -> _Place:
    first = min(one.access.span[0] for one in group)
    end = max(one.access.span[1] for one in group)
    within = {one.array for one in group}
    array = next(iter(within)) if len(within) == 1 else None
    if array is not None and array[1] <= first and end <= array[1] + array[2]:
        first = array[1]
    element = min(2 if "matrix" in one.access.op.kind else one.access.nbytes for one in group)
    taken = group[0].access.takers.take([one.access for one in group])
    return _Place(first, end, element, max(one.access.nbytes for one in group), taken)


def _remedies(group: Sequence[Recorded], place: _Place) -> tuple[list[Remedy], list[int]]:
    """What may be tried, and the bytes of a row that lanes tell: best those of accesses that take a part of each."""
    told = {pitch for one in group for pitch in pitches(one.access, place.begin, place.unit)}
    shown = set[int]().union(*(shown_rows(one.access, place.begin) for one in group))
    fitting = [pitch for pitch in sorted(told & shown or told) if pitch < place.end - place.begin]
    found = [one for pitch in fitting for one in place.layouts(pitch)]
    if not fitting:
        tried = (place.layouts(pitch) for pitch in GUESSED)
        found = [one for some in tried for one in some if one.swizzle is not None]
    return found, fitting


def _total(group: Sequence[Recorded], remedy: Remedy) -> float:
    return sum(one.weight * int(one.access.wavefronts(remedy.moved(one.access.offsets)).sum()) for one in group)


def _best(group: Sequence[Recorded], place: _Place) -> tuple[Remedy | None, list[int]]:
    """The cheapest layout, of equal ones the smallest and simplest; None if nothing saves a wavefront."""
    found, told = _remedies(group, place)
    if not found:
        return None, told
    keys = list(dict.fromkeys((one.begin, one.pitch, one.element, place.unit, place.taken) for one in found))
    totals = np.concatenate([np.sum([one.weight * one.access.under(key) for one in group], axis=0) for key in keys])
    every = [one for key in keys for one in candidates(*key)]
    allowed = set(map(id, found))
    now = sum(one.counted[1] for one in group)
    better = [
        (round(float(total), 6), one.pad, one.swizzle.B if one.swizzle else 0, number)
        for number, (total, one) in enumerate(zip(totals, every, strict=True))
        if id(one) in allowed and total < now - 0.5
    ]
    return (every[min(better)[-1]] if better else None), told


def _searched(group: Sequence[Recorded], place: _Place, pitch: int, warps: int) -> tuple[SearchResult | None, str]:
    """What `search` finds for the tile and the instructions that touch it; else why it cannot tell."""
    plain = place.layout(None, pitch)
    if plain is None:
        return None, f"elements of {plural(place.element, 'byte')} are not searched"
    if plain.rows * plain.cols > MOST_SEARCHED:
        return None, f"{plain.rows:,} rows of {plain.cols:,} elements are too many to search"
    sides: dict[str, dict[DataMovement, float]] = {"store": {}, "load": {}}
    for one in group:
        if one.access.op.kind in (*KINDS["store"], *KINDS["load"]):
            side = sides["store" if one.is_store else "load"]
            side[one.access.op] = side.get(one.access.op, 0) + one.counted[0]
    stores, loads = (list(sides[kind])[: MOST // 2] for kind in ("store", "load"))
    weights = [*(sides["store"][op] for op in stores), *(sides["load"][op] for op in loads)]
    try:
        found = search(
            plain.rows, plain.cols, plain.type, stores=stores, loads=loads, weights=weights, warps=warps, progress=False
        )
    except (ValueError, TypeError) as error:
        return None, f"{error}"
    return (found, "") if len(found) else (None, "no layout is legal")


def _as_remedy(layout: Layout, place: _Place, pitch: int) -> Remedy:
    return Remedy(place.begin, pitch, place.element, layout.pad * place.element, layout.swizzle)


def _of_search(
    group: Sequence[Recorded], place: _Place, pitch: int, warps: int
) -> tuple[Layout | None, Remedy | None, str]:
    """The first layout of a search, and that of its first ones which is best at the recorded addresses."""
    found, why = _searched(group, place, pitch, warps)
    if found is None:
        return None, None, why
    first = [found.layout(row) for row in range(min(len(found), MOST_LAYOUTS))]
    remedies = [_as_remedy(layout, place, pitch) for layout in first]
    return first[0], min(remedies, key=lambda one: _total(group, one)), ""


def _better(group: Sequence[Recorded], own: Remedy | None, offered: Sequence[Remedy]) -> Remedy | None:
    """The cheapest; of equal ones without more bytes the first that a search offers."""
    now = sum(one.counted[1] for one in group)
    least, pad = (now - 0.5, 0) if own is None else (_total(group, own), own.pad)
    for remedy in offered:
        total = _total(group, remedy)
        if total < least - 0.5 or (own is not None and total <= least and remedy.pad <= pad):
            return remedy
    return own


def _tile(group: Sequence[Recorded], warps: int) -> SharedTile:
    place = _place(group)
    remedy, told = _best(group, place)
    shown = {pitch for one in group for pitch in shown_rows(one.access, place.begin)} & set(told)
    pitch = remedy.pitch if remedy is not None else min(shown, default=0)
    searched, other, why = None, None, "lanes tell no rows"
    if sum(one.counted[1] for one in group) <= sum(one.counted[2] for one in group):
        why = "there is nothing to save"
    elif place.taken:
        why = "bulk copies or products of a warpgroup take its rows as they lie"
    elif pitch and told:
        searched, other, why = _of_search(group, place, pitch, warps)
    first = None if searched is None else _as_remedy(searched, place, pitch)
    remedy = _better(group, remedy, [one for one in (first, other) if one is not None])
    uses = [
        one.use(None if remedy is None else int(one.access.wavefronts(remedy.moved(one.access.offsets)).sum()))
        for one in group
    ]
    array = group[0].array
    return SharedTile(
        "" if array is None else array[0],
        place.begin,
        place.end - place.begin,
        pitch,
        place.element,
        tuple(sorted(uses, key=lambda use: (use.kind == "load", use.line))),
        None if remedy is None else place.layout(remedy, pitch),
        "" if remedy is None else str(remedy),
        searched,
        None if first is None else round(_total(group, first)),
        why,
    )


def tiles_of(recorded: Sequence[Recorded], warps: int) -> tuple[SharedTile, ...]:
    """Every tile, the one that can save most first."""
    costly = sorted(recorded, key=lambda one: -one.counted[1])[:MOST_USES]
    groups = sorted(grouped(costly), key=lambda group: -sum(one.counted[1] for one in group))[:MOST_TILES]
    return tuple(sorted((_tile(group, warps) for group in groups), key=lambda tile: -tile.saved))
