"""How often a statement must be there: not where nobody needs its result, nor where its value is known already.

A register is needed by what has an effect (a store, an atomic, a barrier, a jump, a call), and by what makes a needed
register. Two statements have one value if their opcodes and the values of their operands are equal; a copy has that of
what it copies. And a statement in a loop has no more values than its operands have, of a load as many again as stores
and barriers may have changed the memory: what is left, the assembler can move out of the loop.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence

from ..machine.text import Text
from .statements import FLOATS, VOLATILE, Use

REGISTER = re.compile(r"%?[A-Za-z_$%][\w$%]*")
MARK = re.compile(r"[,{}\[\]]")
#: what they give is told by no operand of theirs: memory, other lanes
OPAQUE = ("ld.shared", "ld.global", "ld.local", "ld.volatile", "ld.relaxed", "ld.acquire", "ld.u", "ld.s", "ld.f",
          "ld.b", "ld.v", "atom", "shfl", "vote", "match", "redux", "activemask", "elect", "call", "mma", "wmma",
          "wgmma", "ldmatrix", "bar", "mapa", "mbarrier")  # fmt: skip
#: what changes memory, or orders what others change
CLOBBERS = ("st", "red", "atom", "bar", "barrier", "membar", "fence", "cp", "mbarrier", "stmatrix", "call", "wgmma")
EFFECTS = (*CLOBBERS, "bra", "brx", "ret", "exit", "trap", "brkpt", "vote", "nanosleep", "setmaxnreg", "griddepcontrol")
#: of what has no effect: loads, products and exchanges, which leave the loop or the code as arithmetic does
LOADS = ("ld.", "ldu.", "ldmatrix.", "wmma.load")
REMOVABLE = (*LOADS, "mma.", "wmma.mma", "shfl.")
READ_ONLY = (".nc", "ld.const", "ld.param")


def _split(operands: str) -> list[str]:
    """At commas that no bracket encloses: one is enclosed if the next bracket closes."""
    if not operands:
        return []
    cuts: list[int] = []
    undecided = 0  # commas since the last bracket
    for mark in MARK.finditer(operands):
        if mark[0] == ",":
            cuts.append(mark.start())
            undecided += 1
            continue
        if mark[0] in "}]":
            del cuts[len(cuts) - undecided :]
        undecided = 0
    ends = [*cuts, len(operands)]
    return [operands[begin:end].strip() for begin, end in zip([0, *(cut + 1 for cut in cuts)], ends, strict=True)]


class _Statement:
    """What one statement defines and reads."""

    def __init__(self, opcode: str, operands: str, guard: str) -> None:
        self.opcode, self.guard = opcode, guard
        self.operands = _split(operands)
        word = opcode.split(".", maxsplit=1)[0]
        is_store = opcode.startswith("wmma.store") or (bool(self.operands) and self.operands[0].startswith("["))
        self.has_effect = is_store or word in EFFECTS or any(one in opcode for one in VOLATILE)
        self.clobbers = is_store or word in CLOBBERS
        first = [] if is_store or not self.operands else REGISTER.findall(self.operands[0])
        self.defines = [] if word in ("bra", "bar", "barrier") else first
        self.reads = REGISTER.findall(" ".join([guard, *self.operands[not is_store :]]))
        if word in ("call", "wgmma", "mbarrier"):
            self.reads += first


class _Values:
    """Numbers of values: equal for statements that compute the same; a copy is what it copies."""

    def __init__(self) -> None:
        self._of_register: dict[str, int] = {}
        self._known: dict[object, int] = {}
        self._packed: dict[int, tuple[int, ...]] = {}  # of values that mov made of several

    def of(self, opcode: str, operands: Sequence[str]) -> tuple[int, bool]:
        """The number of what a statement computes, and whether it is new."""
        is_move = opcode.startswith("mov.") and len(operands) == 1
        if is_move and operands[0].startswith("{"):
            parts = tuple(self._operand(name) for name in REGISTER.findall(operands[0]))
            number, is_new = self.fresh(("pack", parts))
            self._packed[number] = parts
            return number, is_new
        if is_move:
            return self._operand(operands[0]), False
        return self.fresh((opcode, *(self._operand(one) for one in operands)))

    def _operand(self, text: str) -> int:
        return self._of_register[text] if text in self._of_register else self.fresh(text)[0]

    def fresh(self, key: object) -> tuple[int, bool]:
        """The number of a key, and whether it is new."""
        before = len(self._known)
        number = self._known.setdefault(key, before)
        return number, number == before

    def define(self, operand: str, number: int) -> None:
        """The registers of a first operand; of several, each has its part."""
        names = REGISTER.findall(operand)
        packed = self._packed.get(number, ())
        parts = packed if len(packed) == len(names) else [self.fresh((number, i))[0] for i in range(len(names))]
        for name, part in zip(names, [number] if len(names) == 1 else parts, strict=True):
            self._of_register[name] = part


def _needed(statements: Sequence[_Statement]) -> set[str]:
    """The registers whose values matter."""
    needed = {name for one in statements if one.has_effect for name in one.reads}
    makers = defaultdict(list)
    for one in statements:
        for name in one.defines:
            makers[name].append(one)
    left = list(needed)
    while left:
        new = {name for one in makers.pop(left.pop(), ()) for name in one.reads} - needed
        needed |= new
        left += new
    return needed


def _firsts(statements: Sequence[_Statement]) -> list[bool]:
    """Whether each is the first of its value, in the order of the text, whatever jumps there are."""
    values, found = _Values(), []
    for number, one in enumerate(statements):
        is_known = len(one.operands) > 1 and not one.guard and not one.opcode.startswith(OPAQUE)
        value, is_new = values.of(one.opcode, one.operands[1:]) if is_known else values.fresh((number,))
        found.append(is_new)
        if one.defines:
            values.define(one.operands[0], value)
    return found


class _Changes:
    """How often registers and memory change, in warp instructions."""

    def __init__(self, statements: Sequence[_Statement], executed: Sequence[float], warps: float) -> None:
        self._warps = warps
        self._of_register: dict[str, float] = defaultdict(float)
        self._of_memory = {"shared": 0.0, "global": 0.0}
        for one, count in zip(statements, executed, strict=True):
            for name in one.defines:
                self._of_register[name] += count
            for space, other in (("shared", ".global"), ("global", ".shared")) if one.clobbers else ():
                if other not in one.opcode or (space == "shared" and one.opcode.startswith("cp.")):
                    self._of_memory[space] += count

    def most(self, one: _Statement) -> float:
        """Values that a statement can have."""
        found = max([self._warps, *(self._of_register[name] for name in one.reads if name in self._of_register)])
        if not one.opcode.startswith(LOADS) or any(word in one.opcode for word in READ_ONLY):
            return found
        spaces = [space for space in self._of_memory if f".{space}" in one.opcode] or list(self._of_memory)
        return found + sum(self._of_memory[space] for space in spaces)


def remaining(text: Text, uses: Sequence[Use], executed: Sequence[float], warps: float) -> list[float]:
    """The share of each statement's executions that must be there, 0 to 1; 1 of what the assembler leaves alone.

    `executed`: of each statement that ran, in warp instructions; `warps`: that ran in all.
    """
    parts = zip(text.places, text.operands, text.guards, strict=True)
    statements = [_Statement(place[2], operands, guard) for place, operands, guard in parts]
    needed, firsts, changes = _needed(statements), _firsts(statements), _Changes(statements, executed, warps)
    found = []
    for one, use, first, count in zip(statements, uses, firsts, executed, strict=True):
        is_arithmetic = use.pipe in (*FLOATS.values(), "XU")
        if one.has_effect or not (is_arithmetic or one.opcode.startswith(REMOVABLE)):
            found.append(1.0)
        elif needed.isdisjoint(one.defines) or (is_arithmetic and not first):
            found.append(0.0)
        else:
            found.append(min(1.0, changes.most(one) / count) if count else 0.0)
    return found
