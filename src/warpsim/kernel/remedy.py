"""How an array of shared memory should lie so that a launch's accesses to it have fewer bank conflicts.

The watch keeps addresses of some executions of each access. From those of a statement with conflicts the pitch of the
rows is told, if its lanes form rows and columns; each padding and swizzle is then counted for all recorded accesses to
the same bytes, and the cheapest is what the note advises.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import islice
from typing import Any

import numpy as np

from .. import _engine as engine
from ..arguments import LANES
from ..instruction.findings import RULES
from ..shared.access import SAMPLE, Access, Remedy, Takers, candidates, instruction_of, pitches
from ..shared.declared import padded
from ..shared.tiles import Recorded
from ..words import enough, plural
from .demands import CONFLICTS
from .memory import Setting
from .stops import SHARED, KernelFinding, and_lines, lanes_of, thread_of

__all__ = ["Access", "Remedy", "accesses", "advice_without_rows", "best", "recorded", "remedies"]

MOST_STATEMENTS, MOST_OTHERS = 256, 64  # the costliest: each layout is tried on each of them


def accesses(program: Any, sampled: Iterable[bytes | None]) -> dict[int, Access]:
    """What was recorded of each statement; of several pieces of a launch, the one with the first block counts."""
    of_step = program.statements()
    rows = {number: engine.row(program.module.place(number)[2]) for number in dict.fromkeys(of_step)}
    takers = Takers.of(rows.values())
    found: dict[int, Access] = {}
    for piece in sampled:  # in the order of their blocks
        for row in np.frombuffer(piece or b"", SAMPLE):
            number, n = of_step[int(row["step"])], int(row["rows"])
            op = instruction_of(rows[number], int(row["nbytes"])) if n else None
            if op is None or (number in found and found[number].block <= int(row["block"])):
                continue
            offsets = row["offset"][:n].astype(np.int64) // int(row["nbytes"]) * int(row["nbytes"])
            found[number] = Access(op, int(row["nbytes"]), offsets, row["mask"][:n], int(row["block"]), takers)
    return found


def best(access: Access, others: list[Access], begin: int) -> Remedy | None:
    """The cheapest remedy for an access and for those to the same array; None if nothing saves wavefronts."""
    group = [access, *others]
    unit = max(one.nbytes for one in group)
    element = min(2 if "matrix" in one.op.kind else one.nbytes for one in group)
    before, all_before = int(access.now.sum()), sum(int(one.now.sum()) for one in group)
    found: list[tuple[int, int, int, Remedy]] = []
    for pitch in pitches(access, begin, unit):
        key = begin, pitch, element, unit, access.takers.take(group)
        if not candidates(*key):
            continue
        own = access.under(key)
        if own.min() >= before:
            continue
        total = np.sum([one.under(key) for one in group], axis=0)
        number = int(np.where(own < before, total, all_before).argmin())
        if total[number] < all_before:
            found.append((int(total[number]), number, pitch, candidates(*key)[number]))
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


def _declared(setting: Setting, remedy: Remedy, one: _Conflict) -> str:
    """Rows with their padding as the source declares the array, if it shows such rows."""
    source, (name, at, size) = setting.kernel.source, one.array
    if not remedy.pad or name is None or at is None or size is None:
        return ""
    texts = (source.sources.text(file) for file in {frame.file for frame in source.place(one.number).frames})
    found = (padded(text, name, size, remedy.pitch, remedy.pad) for text in texts if text is not None)
    words = next((words for words in found if words is not None), None)
    return "" if words is None else f", such as {words}"


def _fix(setting: Setting, remedy: Remedy | str, group: list[_Conflict]) -> str:
    if isinstance(remedy, str):
        return remedy
    own = [one.access for one in group]
    every = list({id(one): one for conflict in group for one in (conflict.access, *conflict.others)}.values())
    now = [sum(int(one.now.sum()) for one in some) for some in (own, every)]
    here = "this line" if len(group) == 1 else "these lines"
    counts = (
        f"{plural(remedy.wavefronts(own), 'wavefront')} instead of {now[0]:,} in the recorded executions of {here},"
        f" {remedy.wavefronts(every):,} instead of {now[1]:,} in those of all accesses to these bytes"
    )
    return f"{remedy}{_declared(setting, remedy, group[0])}: {counts}."


def _finding(setting: Setting, remedy: Remedy | str, group: list[_Conflict]) -> KernelFinding:
    """One note for statements with the same remedy, at the one that loses most."""
    worst = max(group, key=lambda one: one.lost)
    place = setting.kernel.source.place(worst.number)
    also = sorted({setting.kernel.source.place(one.number).line for one in group} - {place.line})
    wavefronts, ideal = (sum(int(one.row[name]) for one in group) for name in ("wavefronts", "ideal_wavefronts"))
    name, at, size = worst.array
    block = setting.clusters.block(worst.access.block, 0)
    return KernelFinding(
        CONFLICTS,
        RULES[CONFLICTS].severity,
        f"{RULES[CONFLICTS].title}: {plural(wavefronts, 'wavefront')}, {enough(ideal)}; {place}{and_lines(also)}",
        _fix(setting, remedy, group),
        thread_of(block, setting.grid),
        0,
        tuple(thread_of(lane, setting.block) for lane in lanes_of(int(worst.access.mask[0]))),
        *place,
        address=worst.access.span[0],
        array=name,
        offset=at,
        array_bytes=size,
        count=sum(int(one.row["executed"]) for one in group),
        also=tuple(also),
    )


def recorded(setting: Setting, lines: np.ndarray, known: dict[int, Access]) -> tuple[Recorded, ...]:
    """What was recorded of each statement that touches shared memory, with its place, its array and its counters."""
    rows = {(int(row["line"]), int(row["column"])): row for row in lines[lines["wavefronts"] > 0]}
    found = []
    near = engine.near(setting.names, SHARED, (access.span[0] for access in known.values()))
    for (number, access), (name, at, size) in zip(known.items(), near, strict=True):
        place = setting.kernel.source.place(number)
        if (row := rows.get((place.line, place.column))) is None:
            continue
        array = None if name is None or at is None or size is None else (name, access.span[0] - at, size)
        counted = int(row["executed"]), int(row["wavefronts"]), int(row["ideal_wavefronts"])
        found.append(Recorded(access, *place[:5], array, counted))
    return tuple(found)


def remedies(setting: Setting, lines: np.ndarray, recorded: dict[int, Access]) -> tuple[KernelFinding, ...]:
    """Notes on statements with bank conflicts, with the layout that frees them or the stride that is to blame."""
    conflicting = {(int(row["line"]), int(row["column"])): row for row in lines[lines["bank_conflicts"] > 0]}
    if not conflicting:
        return ()
    groups: dict[Remedy | str, list[_Conflict]] = {}
    rows = {number: conflicting.get(setting.kernel.source.place(number)[:2]) for number in recorded}
    costly = sorted(recorded, key=lambda number: -recorded[number].now.sum())
    costliest = sorted([number for number in costly if rows[number] is not None][:MOST_STATEMENTS])
    near = engine.near(setting.names, SHARED, (recorded[number].span[0] for number in costliest))
    for number, (name, at, size) in zip(costliest, near, strict=True):
        row, access = rows[number], recorded[number]
        assert row is not None
        first, end = access.span
        is_inside = at is not None and size is not None and at >= 0 and at + end - first <= size
        same = (other for other in costly if recorded[other].span[0] < end and first < recorded[other].span[1])
        others = [recorded[other] for other in islice(same, MOST_OTHERS + 1) if other != number]
        begin = first - at if is_inside and at is not None else min(one.span[0] for one in [access, *others])
        remedy = best(access, others, begin) or advice_without_rows(access)
        groups.setdefault(remedy, []).append(_Conflict(number, access, others, row, (name, at, size)))
    return tuple(_finding(setting, remedy, group) for remedy, group in groups.items())
