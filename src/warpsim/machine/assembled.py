"""Which access of the machine code each access of a PTX text became, and what counts change by it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from ..errors import UnsupportedError
from . import sass
from .cubin import registers
from .merged import Merged
from .text import Access, Text

LOOP, FOLDED = 0x40, 0x80  # WS_MADE_... of the core, beside bytes of a lane
WIDTHS = {"U8": 1, "S8": 1, "U16": 2, "S16": 2, "64": 8, "128": 16, "256": 32}
#: how opcodes of the machine code begin, by family, and for loads and stores by space: others on the line are spills
OPCODES = {
    "load shared": ("LDS",), "load global": ("LDG", "LD"), "load local": ("LDL",), "load generic": ("LD", "LDS", "LDG"),
    "store shared": ("STS",), "store global": ("STG", "ST"), "store local": ("STL",),
    "store generic": ("ST", "STS", "STG"), "atomic": ("ATOMS", "ATOMG", "ATOM", "RED", "REDG"), "copy": ("LDGSTS",),
    "load matrix": ("LDSM",), "store matrix": ("STSM",),
}  # fmt: skip
#: what a warp does first where one thread acts for it
TOGETHER = ("REDUX", "VOTE", "VOTEU", "POPC", "UPOPC", "CREDUX")
LISTED = 20


@dataclass
class Machine:
    """What the machine code does otherwise than the text, by the number of the statement."""

    widths: dict[int, int] = field(default_factory=dict)  # bytes of a lane, and the flags above
    nowhere: set[int] = field(default_factory=set)  # joined into others, or left out
    elected: set[int] = field(default_factory=set)  # one thread acts for its warp
    merged: tuple[Merged, ...] = ()
    notes: tuple[str, ...] = ()
    registers: int | None = None  # of a thread, where the assembler was asked

    def bytes_of_steps(self, statements: Sequence[int]) -> bytes | None:
        """For the core: a byte for each step."""
        return bytes(self.widths.get(number, 0) for number in statements) if self.widths else None


def width(opcode: str) -> int:
    """Bytes of a lane that an instruction of the machine code loads or stores."""
    return next((WIDTHS[word] for word in opcode.split(".")[1:] if word in WIDTHS), 4)


class _Reading:
    """One kernel's accesses beside its machine code."""

    def __init__(self, accesses: Sequence[Access], code: dict[int, list[sass.Instruction]]) -> None:
        self.machine = Machine()
        self.accesses = accesses
        self.code = code  # by statement
        self.absent: list[Access] = []
        self.wide: list[tuple[Access, sass.Instruction]] = []
        self.removed: list[Access] = []
        self.unclear: list[Access] = []
        for access in accesses:
            self._read(access)
        self._join()
        self._say()

    def _own(self, access: Access) -> list[sass.Instruction]:
        opcodes = OPCODES.get(f"{access.family} {access.space}") or OPCODES[access.family]
        return [one for one in self.code.get(access.number, ()) if one.opcode.split(".")[0] in opcodes]

    def _read(self, access: Access) -> None:
        found = self._own(access)
        if access.family == "atomic":
            self._read_atomic(access, found)
        elif not found:
            self.absent.append(access)
        elif access.family in ("load", "store"):
            widths = {width(one.opcode) for one in found}
            if widths == {access.nbytes}:
                return
            if len(widths) > 1 or (min(widths) < access.nbytes and len(found) > 1):
                self.unclear.append(access)
                return
            self.machine.widths[access.number] = min(widths)
            if min(widths) > access.nbytes:
                self.wide.append((access, found[0]))

    def _read_atomic(self, access: Access, found: list[sass.Instruction]) -> None:
        here = {one.opcode.split(".")[0] for one in self.code.get(access.number, ())}
        if not found:
            self.unclear.append(access)
        elif access.space == "shared" and any("CAST" in one.opcode for one in found):
            self.machine.widths[access.number] = LOOP
        elif all(one.guard for one in found) and not access.guard and here & set(TOGETHER):
            self.machine.elected.add(access.number)

    def _partner(self, access: Access) -> int | None:
        """The place in `wide` of the access that takes this one in."""
        near = []
        for place, (other, one) in enumerate(self.wide):
            if (other.family, other.space) != (access.family, access.space):
                continue
            nbytes = width(one.opcode)
            apart = abs(other.number - access.number)
            if other.root != access.root:
                near += [(2, apart, place)] if other.stretch == access.stretch else []
            elif abs(other.offset - access.offset) < nbytes:
                near.append((other.offset // nbytes != access.offset // nbytes, apart, place))
        return min(near)[2] if near else None

    def _join(self) -> None:
        taken: dict[int, list[Access]] = defaultdict(list)
        for access in self.absent:
            place = self._partner(access)
            if place is not None:
                taken[place].append(access)
            elif access.family == "store" and access.space != "local":
                self.unclear.append(access)  # nothing removes a store: its line is another's
                continue
            else:
                self.removed.append(access)
            self.machine.nowhere.add(access.number)
        merged = []
        for place, (access, one) in enumerate(self.wide):
            if place not in taken:
                self.machine.widths[access.number] |= FOLDED  # rounds of a loop that was unrolled
            lines = sorted({access.line, *(other.line for other in taken[place])})
            merged.append(Merged(tuple(lines), access.line, one.opcode, width(one.opcode)))
        self.machine.merged = tuple(merged)

    def _say(self) -> None:
        machine = self.machine
        loops = {number for number, made in machine.widths.items() if made == LOOP}
        folded = {number for number, made in machine.widths.items() if made & FOLDED}
        at = {access.number: access.line for access in self.accesses}
        said = (
            ("one access for several rounds of a loop", [at[number] for number in folded]),
            ("left out of the machine code", [access.line for access in self.removed]),
            ("one thread acts for its warp", [at[number] for number in machine.elected]),
            ("a loop of compare and swap: wavefronts are approximate", [at[number] for number in loops]),
            ("counted as in PTX, since the machine code is ambiguous", [access.line for access in self.unclear]),
        )
        machine.notes = tuple(f"{what}: {_lines(lines)}" for what, lines in said if lines)


def _lines(lines: Sequence[int]) -> str:
    listed = sorted(set(lines))
    more = f" and {len(listed) - LISTED:,} more" if len(listed) > LISTED else ""
    return f"line{'s' if len(listed) > 1 else ''} {', '.join(map(str, listed[:LISTED]))}{more}"


def by_rule(merged: Iterable[Merged], accesses: Iterable[Access]) -> Machine:
    """Counts as if the accesses of some lines were joined."""
    machine = Machine(merged=tuple(merged))
    by_line = defaultdict(list)
    for access in accesses:
        by_line[access.line].append(access.number)
    for one in machine.merged:
        for line in one.lines:
            if line == one.line:
                machine.widths.update(dict.fromkeys(by_line[line], one.nbytes))
            else:
                machine.nowhere.update(by_line[line])
    return machine


def _assemble(text: Text, target: str, contracts: bool) -> tuple[sass.Code, dict[int, int]]:
    """The machine code, and the statement of each of its lines."""
    alone, lines = text.own_lines()
    return sass.assemble(alone, target, contracts), {line: number for number, line in enumerate(lines)}


_assembled = lru_cache(maxsize=4)(_assemble)


def by_assembler(text: Text, kernel: str, statements: Iterable[int], target: str, contracts: bool) -> Machine:
    """What NVIDIA's assembler makes of the statements of a kernel."""
    made, statement_of = _assembled(text, target, contracts)
    code = defaultdict(list)
    for one in made.kernels.get(kernel, ()):
        if one.line in statement_of:
            code[statement_of[one.line]].append(one)
    if not code:
        raise UnsupportedError(f"the machine code of {kernel} names no lines, so that as_assembled cannot count it")
    reached = set(statements)
    machine = _Reading([access for access in text.accesses if access.number in reached], code).machine
    machine.registers = registers(made.binary, kernel)
    joined = sum(len(one.lines) - 1 for one in machine.merged)
    first = f"counters are those of the machine code for {target} (ptxas {sass.version()})"
    if joined:
        parts = f"{joined:,} access{'es are parts' if joined > 1 else ' is part'}"
        wide = f"{len(machine.merged):,} wider one{'s' if len(machine.merged) > 1 else ''}"
        first += f": {parts} of {wide} (report.merged)"
    machine.notes = (first, *machine.notes)
    return machine
