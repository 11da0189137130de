"""How often a statement must be there: not where nobody needs its result, nor where its value is known already.

A register is needed by what has an effect (a store, an atomic, a barrier, a jump, a call), and by what makes a needed
register. Two statements have one value if their opcodes and the values of their operands are equal; a copy has that of
what it copies. And a statement in a loop has no more values than its operands have, of a load as many again as stores
and barriers may have changed the memory: what is left, the assembler can move out of the loop.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Sequence

from .._engine.statement import Operand, Row, Statement
from .statements import FLOATS, Use

#: events of what changes no memory and orders nothing, if it writes a register
QUIET = ("none", "divide", "load", "matrix", "members")
JUMPS = ("branch", "return", "exit")
SPACES = ("shared", "global", "local")


def _clobbers(row: Row) -> bool:
    """Does it change memory, or order what others change?"""
    return not row.is_known or (row.event not in JUMPS and not (row.event in QUIET and row.writes))


def _has_effect(row: Row) -> bool:
    """Is there more to it than the registers that it writes?"""
    return _clobbers(row) or row.event in JUMPS or row.is_strong


def _is_load(row: Row) -> bool:
    return row.writes and row.event in ("load", "matrix")


def _is_constant(row: Row) -> bool:
    """A load of what nobody changes while a kernel runs."""
    return row.event == "load" and row.space in ("const", "param")


def _is_removable(row: Row) -> bool:
    """Of what has no effect: loads, products and exchanges leave the loop or the code as arithmetic does."""
    return _is_load(row) or row.product is not None or row.name == "shfl"


def _is_told(row: Row) -> bool:
    """Do the operands alone tell what it gives? Else memory or other lanes do."""
    is_computed = row.event in ("none", "divide") and row.product is None
    return row.is_known and not row.is_strong and (is_computed or _is_constant(row))


class _Values:
    """Numbers of values: equal for statements that compute the same; a copy is what it copies."""

    def __init__(self) -> None:
        self._of_register: dict[int, int] = {}
        self._known: dict[Hashable, int] = {}
        self._packed: dict[int, tuple[int, ...]] = {}  # of values that mov made of several

    def of(self, row: Row, operands: Sequence[Operand]) -> tuple[int, bool]:
        """The number of what a statement computes, and whether it is new."""
        if row.name == "mov" and len(operands) == 1:
            if operands[0].kind != "vector":
                return self._operand(operands[0]), False
            parts = tuple(self._operand(part) for part in operands[0].parts)
            number, is_new = self.fresh(("pack", parts))
            self._packed[number] = parts
            return number, is_new
        return self.fresh((row.opcode, *(self._operand(one) for one in operands)))

    def _operand(self, one: Operand) -> int:
        """Registers in it count by their values."""
        value = self._of_register.get(one.number) if "register" in (one.kind, one.base) else None
        if value is not None and one == Operand("register", one.number):
            return value
        parts = tuple(self._operand(part) for part in one.parts)
        return self.fresh((value, parts, one._replace(number=one.number if value is None else -1, parts=())))[0]

    def fresh(self, key: Hashable) -> tuple[int, bool]:
        """The number of a key, and whether it is new."""
        before = len(self._known)
        number = self._known.setdefault(key, before)
        return number, number == before

    def define(self, registers: Sequence[int], number: int) -> None:
        """The registers that a statement writes; of several, each has its part."""
        packed = self._packed.get(number, ())
        count = len(registers)
        parts = packed if len(packed) == count else [self.fresh((number, i))[0] for i in range(count)]
        for register, part in zip(registers, [number] if count == 1 else parts, strict=True):
            self._of_register[register] = part


def _needed(statements: Sequence[Statement]) -> set[int]:
    """The registers whose values matter."""
    needed = {register for one in statements if _has_effect(one.row) for register in one.reads}
    makers = defaultdict(list)
    for one in statements:
        for register in one.defines:
            makers[register].append(one)
    left = list(needed)
    while left:
        new = {register for one in makers.pop(left.pop(), ()) for register in one.reads} - needed
        needed |= new
        left += new
    return needed


def _firsts(statements: Sequence[Statement]) -> list[bool]:
    """Whether each is the first of its value, in the order of the text, whatever jumps there are."""
    values, found = _Values(), []
    for number, one in enumerate(statements):
        is_known = len(one.operands) > 1 and one.guard is None and _is_told(one.row)
        value, is_new = values.of(one.row, one.operands[1:]) if is_known else values.fresh((number,))
        found.append(is_new)
        if one.defines:
            values.define(one.defines, value)
    return found


class _Changes:
    """How often registers and memory change, in warp instructions."""

    def __init__(self, statements: Sequence[Statement], executed: Sequence[float], warps: float) -> None:
        self._warps = warps
        self._of_register: dict[int, float] = defaultdict(float)
        self._of_memory: dict[str, float] = defaultdict(float)
        for one, count in zip(statements, executed, strict=True):
            for register in one.defines:
                self._of_register[register] += count
            for space in self._spaces(one.row) if _clobbers(one.row) else ():
                self._of_memory[space] += count

    @staticmethod
    def _spaces(row: Row) -> Sequence[str]:
        """The memories that may be meant."""
        return SPACES if row.space == "generic" else (row.space,)

    def most(self, one: Statement) -> float:
        """Values that a statement can have."""
        found = max([self._warps, *(self._of_register.get(register, 0.0) for register in one.reads)])
        if not _is_load(one.row) or one.row.is_noncoherent or _is_constant(one.row):
            return found
        return found + sum(self._of_memory[space] for space in self._spaces(one.row))


def remaining(
    statements: Sequence[Statement], uses: Sequence[Use], executed: Sequence[float], warps: float
) -> list[float]:
    """The share of each statement's executions that must be there, 0 to 1; 1 of what the assembler leaves alone.

    `executed`: of each statement that ran, in warp instructions; `warps`: that ran in all.
    """
    needed, firsts, changes = _needed(statements), _firsts(statements), _Changes(statements, executed, warps)
    found = []
    for one, use, first, count in zip(statements, uses, firsts, executed, strict=True):
        is_arithmetic = use.pipe in (*FLOATS.values(), "XU")
        if _has_effect(one.row) or not (is_arithmetic or _is_removable(one.row)):
            found.append(1.0)
        elif needed.isdisjoint(one.defines) or (is_arithmetic and not first):
            found.append(0.0)
        else:
            found.append(min(1.0, changes.most(one) / count) if count else 0.0)
    return found
