"""The statements of a PTX text as the core reads them: what the opcode of each says, and its operands as values."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple


class Product(NamedTuple):
    """What a product multiplies: m x k by k x n elements of `type`, added up in `sum`, by `warps` warps together."""

    m: int
    n: int
    k: int
    sum: str
    type: str
    warps: int
    is_sparse: bool


class Row(NamedTuple):
    """What an opcode says by itself (csrc opcode/row.h).

    `name`: the instruction, add of add.rn.f32. `event`: what it is to those who watch (step/meant.h); "none" of what
    only computes. `space`: the one that it names, else "generic". `type`: the last that it names; `nbytes` of a lane's
    elements. `choice`: "hi" of mul.hi. `source`: the space that a copy reads, else ""; `is_tensor`: a bulk copy by a
    tensor map. `writes`: its first operand is a destination. Of an opcode that is not known
    nothing is sure, and `writes` is True.
    """

    opcode: str
    name: str
    is_known: bool
    writes: bool
    event: str
    space: str
    type: str
    element_bytes: int
    nbytes: int
    choice: str
    rounds: bool
    is_strong: bool
    is_noncoherent: bool
    product: Product | None
    source: str
    is_tensor: bool


class Operand(NamedTuple):
    """An operand, or a part of one.

    `kind`: register, integer, float32, float64, variable, function, label, list, sink, special, address, vector,
    parentheses or pair. `number`: the register, variable, function, statement or list of the module; 0 to 3 for .x to
    .w of a special register. `value`: a number, the bits of a float, or bytes that are added. `base`: the kind of what
    an address begins with. `text`: the name of a special register, or the part of a register that is meant, as .b0.
    """

    kind: str
    number: int = -1
    value: int = 0
    base: str = ""
    is_negated: bool = False
    text: str = ""
    parts: tuple[Operand, ...] = ()

    def registers(self) -> Iterator[int]:
        """Those that it names, parts and bases among them."""
        if self.kind == "register" or self.base == "register":
            yield self.number
        for part in self.parts:
            yield from part.registers()


class Statement(NamedTuple):
    """A statement: where it is, in lines, columns and bytes of the text, its opcode and its operands.

    `is_label`: jumps go there.
    """

    number: int
    line: int
    column: int
    begin: int
    opcode_begin: int
    row: Row
    guard: Operand | None
    operands: tuple[Operand, ...]
    is_label: bool

    @property
    def defines(self) -> tuple[int, ...]:
        """The registers that it writes."""
        first = self.operands[:1]
        if self.row.event == "call":  # results in parentheses come before the function
            first = tuple(one for one in first if one.kind == "parentheses")
        elif not self.row.writes or (first and first[0].kind == "address"):
            return ()
        return tuple(name for one in first for name in one.registers())

    @property
    def reads(self) -> tuple[int, ...]:
        """The registers that it reads, its guard among them; a product of a warpgroup those that it adds to, too."""
        rest = self.operands[1:] if self.defines and self.row.event != "product" else self.operands
        given = rest if self.guard is None else (self.guard, *rest)
        return tuple(name for one in given for name in one.registers())
