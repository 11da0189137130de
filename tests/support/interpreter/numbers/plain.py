"""Statements that only compute: operands to registers."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from tests.support.interpreter.numbers import arithmetic, bits, compare, convert, integers, special
from tests.support.interpreter.numbers.operations import Array, Builder, Operation, U, ones
from tests.support.interpreter.text import Function, Statement, width_of

if TYPE_CHECKING:
    from tests.support.interpreter.machine import Machine

Run = Callable[[Array], None]
TABLE: dict[str, Builder] = (
    integers.table() | bits.table() | compare.table() | {"cvt": convert.cvt, "testp": arithmetic.testp}
)
FLOAT_ONLY = ("fma", "rcp", "sqrt", "copysign", "rsqrt", "lg2", "ex2", "sin", "cos", "tanh")
CARRYING = ("addc", "subc", "madc")


def operation(parts: list[str]) -> Operation:
    op, kind = parts[0], parts[-1]
    if op in CARRYING or "cc" in parts:
        return integers.carrying(parts)
    if op in FLOAT_ONLY or ("f" in kind and op in ("add", "sub", "mul", "mad", "div", "abs", "neg", "min", "max")):
        approximate = any(p in ("approx", "full") for p in parts) or op in ("rsqrt", "lg2", "ex2", "sin", "cos", "tanh")
        return special.approximate(parts) if approximate else arithmetic.float_operation(parts)
    if op == "neg" and kind[0] == "b":
        return arithmetic.float_operation(parts)
    return TABLE[op](parts)


def flat(operand: Any) -> list[Any]:
    return operand[1] if operand[0] == "pair" else [operand]


def compute(m: "Machine", f: Function, s: Statement) -> Run:
    if s.parts[0] == "mov" and any(x[0] == "vec" for x in s.operands):
        return pack(m, f, s)
    o = operation(s.parts)
    into = flat(s.operands[0])
    if "carry" in o.of:
        return with_carry(m, f, s, o)
    given = s.operands[1:]
    if len(given) == len(o.of) - 1 and o.of[-1] == "pred":
        o.of.pop()
    if len(given) != len(o.of):
        raise ValueError(f"line {s.line}: {s.opcode} with {len(given)} sources")
    readers = [m.reader(f, x, kind) for x, kind in zip(given, o.of, strict=True)]
    writers = [m.writer(f, x, kind) for x, kind in zip(into, o.into, strict=False)]
    function = o.function

    def run(lanes: Array) -> None:
        found = function(*[read(lanes) for read in readers])
        for write, x in zip(writers, found if isinstance(found, tuple) else (found,), strict=False):
            write(lanes, x)

    if s.parts[0] == "lop3" and len(into) > 1 and into[0][0] == "none":
        writers[0] = lambda _lanes, _x: None
    return run


def with_carry(m: "Machine", f: Function, s: Statement, o: Operation) -> Run:
    flags = m.registers[f.name].setdefault("carry flag", np.zeros(m.size, bool))
    readers = [m.reader(f, x, kind) for x, kind in zip(s.operands[1:], o.of, strict=False)]
    write, keep = m.writer(f, s.operands[0], o.into[0]), "cc" in s.parts

    def run(lanes: Array) -> None:
        x, carry = o.function(*[read(lanes) for read in readers], flags[lanes])
        write(lanes, x)
        if keep:
            flags[lanes] = carry

    return run


def pack(m: "Machine", f: Function, s: Statement) -> Run:
    into, of = s.operands
    n = width_of(s.parts[-1])
    if of[0] == "vec":
        w = n // len(of[1])
        readers = [m.reader(f, x, f"b{w}") for x in of[1]]
        write = m.writer(f, into, f"b{n}")
        return lambda lanes: write(
            lanes, np.bitwise_or.reduce([read(lanes) << U(w * k) for k, read in enumerate(readers)])
        )
    w = n // len(into[1])
    read = m.reader(f, of, f"b{n}")
    writers = [m.writer(f, x, f"b{w}") for x in into[1]]

    def run(lanes: Array) -> None:
        v = read(lanes)
        for k, put in enumerate(writers):
            put(lanes, v >> U(w * k) & ones(w))

    return run


HANDLERS: dict[str, Callable[["Machine", Function, Statement], Run]] = dict.fromkeys(
    [*TABLE, *FLOAT_ONLY, *CARRYING], compute
)
