"""Accesses that the assembler joins into wider ones, told from the text alone."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from .text import Access, Text

WIDE = (16, 8)
NARROW = (1, 2, 4, 8)
JOINED = ("load", "store")


@dataclass(frozen=True)
class Merged:
    """Lines whose accesses become one of `nbytes` bytes a thread, which counts at `line`."""

    lines: tuple[int, ...]
    line: int
    opcode: str
    nbytes: int

    def __str__(self) -> str:
        others = [line for line in self.lines if line != self.line]
        said = f"line{'s' if len(others) > 1 else ''} {', '.join(map(str, others))}"
        return f"line {self.line}: {self.opcode} of {self.nbytes} bytes a thread takes in {said}"


def _stretches(text: Text) -> Iterator[list[Access]]:
    """Accesses by one register, with nothing between that writes what they load or sees what they store."""
    found = defaultdict(list)
    between = dict.fromkeys(JOINED, 0)
    for access in text.accesses:
        between["load"] += access.family != "load"
        between["store"] += access.family != "store" and access.space in ("shared", "generic")
        if access.family not in JOINED or access.space != "shared" or access.is_volatile:
            continue
        if access.nbytes in NARROW:
            same = access.stretch, between[access.family], access.root, access.guard, access.element_bytes == 8
            found[access.family, *same].append(access)
    return iter(found.values())


def groups(text: Text) -> Iterator[list[Access]]:
    """Accesses of shared memory that become one."""
    for accesses in _stretches(text):
        if len(accesses) == 1:
            continue
        alignment = text.alignment(accesses[0].root)
        left = accesses
        for nbytes in WIDE:
            slots = defaultdict(list)
            for access in left:
                slots[access.offset // nbytes].append(access)
            joined: set[int] = set()
            for slot in slots.values():
                covered = {access.offset + i for access in slot for i in range(access.nbytes)}
                if alignment >= nbytes and len(slot) > 1 and len(covered) == nbytes == sum(a.nbytes for a in slot):
                    yield slot
                    joined.update(access.number for access in slot)
            left = [access for access in left if access.number not in joined]


def by_text(text: Text, statements: Iterable[int]) -> tuple[Merged, ...]:
    """What the assembler would join of some statements."""
    reached = set(statements)
    merged = []
    for group in groups(text):
        if group[0].number in reached:
            nbytes = sum(access.nbytes for access in group)
            last = group[0].family == "store"  # a load comes as early as the first needs it, a store when all is there
            opcode = f"{'STS' if last else 'LDS'}.{8 * nbytes}"
            merged.append(Merged(tuple(access.line for access in group), group[-last].line, opcode, nbytes))
    return tuple(sorted(merged, key=lambda one: one.lines))
