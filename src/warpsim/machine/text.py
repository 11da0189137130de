"""The statements of a PTX text that access memory: where they point, as far as the text says."""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from .. import _engine as engine
from .._engine.statement import Operand, Row, Statement

#: what an access is, by its event; a matrix instruction by the side that it writes
FAMILIES = {
    "load": "load", "store": "store", "atomic": "atomic", "exchange": "atomic", "swap": "atomic", "copy": "copy",
}  # fmt: skip
#: events within a straight stretch of the text: control stays, and threads do not meet
STRAIGHT = {"none", "divide", "load", "store", "atomic", "exchange", "swap", "matrix", "members"}
#: sums of a register and a constant, and the sign of the constant
SUMS = {f"{name}.{type_}": sign for name, sign in (("add", 1), ("sub", -1)) for type_ in ("u32", "s32", "u64", "s64")}
ALIGNMENT_MOST = 256
MOST_REGISTERS = 200  # that an alignment is sought through
#: what an address is computed from: a register, variable or number of the module, and how often the text has defined it
Root = tuple[str, int, int]


@dataclass(frozen=True)
class Access:
    """A statement that accesses memory. `root`, `offset`: its address, as far back as sums with constants go."""

    number: int
    line: int
    opcode: str
    family: str
    space: str
    nbytes: int
    element_bytes: int
    root: Root
    offset: int
    guard: Operand | None
    stretch: int
    is_volatile: bool  # the assembler leaves it alone


def family_of(row: Row) -> str | None:
    """What kind of access an opcode is; None of what accesses no memory, and of wmma, which is lowered to others."""
    if row.event != "matrix":
        return FAMILIES.get(row.event)
    if row.name == "wmma":
        return None
    return "load matrix" if row.writes else "store matrix"


def _ends(row: Row) -> bool:
    """Does a straight stretch of the text end here? What is unknown, or writes nothing that is seen, ends it, too."""
    is_seen = row.event != "none" or row.writes
    return not (row.is_known and is_seen) or row.event not in STRAIGHT or row.name == "wmma"


def _is_plain(operand: Operand, *kinds: str) -> bool:
    return operand.kind in kinds and not operand.text


def _operands(one: Statement) -> Sequence[Operand]:
    """What a statement makes a register of, as far as that is registers, variables and numbers."""
    operands = one.operands[1:]
    is_plain = all(_is_plain(operand, "register", "variable", "integer") for operand in operands)
    return operands if is_plain and one.operands[0].kind == "register" else ()


class Text:
    """A PTX text by statement: what defines each register, and accesses."""

    def __init__(self, text: bytes, statements: Sequence[Statement], symbols: Mapping[int, int]) -> None:
        self.bytes = text
        self.statements = statements
        self.symbols = symbols  # the alignment of each variable of shared memory
        self._definitions: dict[int, list[int]] = defaultdict(list)
        self._alignments: dict[tuple[str, int], int] = {}
        rows = []
        stretch = 0
        for one in statements:
            stretch += one.is_label or _ends(one.row)
            for register in one.defines:
                self._definitions[register].append(one.number)
            rows.append((one, stretch))
        self.accesses = [access for row in rows if (access := self._access(*row)) is not None]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Text) and self.bytes == other.bytes

    def __hash__(self) -> int:
        return hash(self.bytes)

    def own_lines(self) -> tuple[bytes, list[int]]:
        """The text with each opcode on a line of its own, and these lines."""
        parts: list[bytes] = []
        lines: list[int] = []
        end, line = 0, 1
        for one in self.statements:
            between = self.bytes[end : one.begin]
            if lines and b"\n" not in between:
                between += b"\n"
            parts += [between, self.bytes[one.begin : one.opcode_begin]]
            line += between.count(b"\n") + parts[-1].count(b"\n")
            lines.append(line)
            end = one.opcode_begin
        return b"".join([*parts, self.bytes[end:]]), lines

    def _access(self, one: Statement, stretch: int) -> Access | None:
        row, family = one.row, family_of(one.row)
        address = next((operand for operand in one.operands if operand.kind == "address"), None)
        if family is None or address is None or row.space in ("param", "const"):
            return None
        root, offset = self._root(one.number, address)
        return Access(
            one.number, one.line, row.opcode, family, row.space, row.nbytes, row.element_bytes, root, offset, one.guard,
            stretch, row.is_strong,
        )  # fmt: skip

    def _root(self, number: int, address: Operand) -> tuple[Root, int]:
        """Where an address points at a statement, from what it is computed from by adding constants."""
        kind, index, offset = address.base, address.number, address.value
        for _ in range(64):
            defined = self._definitions.get(index, []) if kind == "register" else []
            found = _sum(self.statements[defined[0]]) if len(defined) == 1 else None
            if found is None:
                break
            number, kind, index, offset = defined[0], found[0].kind, found[0].number, offset + found[1]
        times = bisect_left(self._definitions.get(index, []), number) if kind == "register" else 0
        return (kind, index, times), offset

    def alignment(self, root: Root) -> int:
        """A power of two that the address at a root is a multiple of, as far as the text shows it."""
        kind, index, _ = root
        if (kind, index) not in self._alignments:
            place = Operand(kind, index)
            self._alignments[kind, index] = self._aligned(place, self._registers(place))
        return self._alignments[kind, index]

    def _registers(self, place: Operand) -> dict[int, int]:
        """What the registers are aligned to that a place is made of: in a loop, as what it begins with and adds."""
        known: dict[int, int] = {}
        waiting = [place]
        while waiting and len(known) < MOST_REGISTERS:
            one = waiting.pop()
            if one.kind == "register" and one.number not in known:
                known[one.number] = ALIGNMENT_MOST
                waiting += [of for made in self._defined(one.number) for of in _operands(made)]
        before: dict[int, int] = {}
        while known != before:
            before = dict(known)
            for register in reversed(before):
                known[register] = min((self._made(made, known) for made in self._defined(register)), default=1)
        return known

    def _defined(self, register: int) -> list[Statement]:
        return [self.statements[number] for number in self._definitions.get(register, [])]

    def _aligned(self, operand: Operand, known: Mapping[int, int]) -> int:
        if operand.kind == "register":
            return known.get(operand.number, 1)
        most = self.symbols.get(operand.number, 1) if operand.kind == "variable" else ALIGNMENT_MOST
        return min(operand.value & -operand.value or most, most, ALIGNMENT_MOST)

    def _made(self, one: Statement, known: Mapping[int, int]) -> int:
        name, operands = one.row.name, _operands(one)
        if not operands:
            return 1
        if name == "shl" and operands[1].kind == "integer":
            return min(self._aligned(operands[0], known) << min(operands[1].value % 2**32, 8), ALIGNMENT_MOST)
        of = [self._aligned(operand, known) for operand in operands]
        if name in ("mov", "cvta", "cvt"):
            return of[0]
        if name in ("add", "sub", "or", "xor", "selp", "min", "max"):
            return min(of[:2])
        if name == "and":
            return max(of)
        if name in ("mul", "mad"):
            product = min(of[0] * of[1], ALIGNMENT_MOST) if one.row.choice != "hi" else 1
            return min([product, *of[2:]])
        return 1


def _sum(one: Statement) -> tuple[Operand, int] | None:
    """The register or variable that a statement copies or adds a constant to, and what is added."""
    sign, first = SUMS.get(one.row.opcode), one.operands[1:2]
    if one.operands[0].kind != "register" or not all(_is_plain(operand, "register", "variable") for operand in first):
        return None
    if one.row.name == "mov" and len(one.operands) == 2:
        return first[0], first[0].value
    if sign is not None and len(one.operands) == 3 and one.operands[2].kind == "integer":
        return first[0], first[0].value + sign * one.operands[2].value
    return None


def read(module: Any, text: bytes) -> Text:
    """The text of a module that the engine has read; the assembler aligns its own shared variables to 16 bytes."""
    symbols = {
        number: max(alignment, 1 if is_external else 16)
        for number, (_, space, _, _, alignment, _, _, is_external) in enumerate(module.variables())
        if space == "shared"
    }
    statements = [engine.statement(module, number) for number in range(module.statement_count)]
    return Text(text, statements, symbols)
