"""atom and red: lanes that hit one address are served in ascending order."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from tests.support.interpreter.memory import check_alignment, elements, space_of
from tests.support.interpreter.numbers import arithmetic as ar
from tests.support.interpreter.numbers.floats import is_nan
from tests.support.interpreter.numbers.integers import BOOLEAN
from tests.support.interpreter.numbers.operations import Array, U, halves, ones, signed
from tests.support.interpreter.text import Function, Statement, width_of

if TYPE_CHECKING:
    from tests.support.interpreter.machine import Machine

OPERATIONS = ("add", "min", "max", "inc", "dec", "cas", "exch", "and", "or", "xor")


def add_f64(shared: bool) -> Callable[[Array, Array], Array]:
    def f(x: Array, y: Array) -> Array:
        if shared:
            return ar.add(y, x, "f64")
        return ar.bits_where([(is_nan(y, "f64"), y), (is_nan(x, "f64"), x)], ar.add(x, y, "f64"))

    return f


def rule(op: str, kind: str, shared: bool) -> Callable[..., Array]:
    """New memory of (memory, operand, operand)."""
    n = width_of(kind)
    if op in BOOLEAN:
        return BOOLEAN[op]
    if "f" in kind:
        fmt = kind.removesuffix("x2")
        if kind == "f64":
            return add_f64(shared)
        ftz = kind == "f32" and not shared
        f: Any = (
            (lambda x, y: ar.add(x, y, fmt, "rn", ftz)) if op == "add" else (lambda x, y: ar.extreme(x, y, fmt, [op]))
        )
        return halves(f) if kind.endswith("x2") else f
    number = (lambda x: signed(x, n)) if kind[0] == "s" else (lambda x: x)
    rules: dict[str, Callable[..., Array]] = {
        "exch": lambda x, y: y,
        "cas": lambda x, y, z: np.where(x == y, z, x),
        "add": lambda x, y: x + y & ones(n),
        "inc": lambda x, y: np.where(x >= y, U(0), x + U(1)),
        "dec": lambda x, y: np.where((x == 0) | (x > y), y, x - U(1)),
        "min": lambda x, y: np.where(number(x) <= number(y), x, y),
        "max": lambda x, y: np.where(number(x) >= number(y), x, y),
    }
    return rules[op]


def in_turn(rows: Array, at: Array) -> list[Array]:
    """Lanes, those of one address one after the other."""
    order = np.lexsort((at, rows))
    new = np.ones(order.size, bool)
    new[1:] = (at[order][1:] != at[order][:-1]) | (rows[order][1:] != rows[order][:-1])
    places = np.arange(order.size)
    turn = places - np.maximum.accumulate(np.where(new, places, 0))
    by_turn = np.argsort(turn, kind="stable")
    return [np.sort(order[some]) for some in np.split(by_turn, np.cumsum(np.bincount(turn))[:-1])]


def atomic(m: "Machine", f: Function, s: Statement) -> Callable[[Array], None]:
    parts, kind = s.parts, s.parts[-1]
    op = next(p for p in parts[1:] if p in OPERATIONS)
    space, nbytes = space_of(parts), width_of(kind) // 8
    operands = list(s.operands)
    targets = elements(operands.pop(0)) if parts[0] == "atom" else []
    writers = [m.writer(f, x, kind) for x in targets]
    address = m.address(f, operands.pop(0))
    width = len(elements(operands[0]))
    readers = [[m.reader(f, x, kind) for x in elements(operand)] for operand in operands]

    def step(lanes: Array, at: Array, k: int, given: list[Array]) -> Array:
        old = m.memory.read(space, lanes, at, nbytes)
        shared = space == "shared" or (space == "generic" and bool((at >> U(56) == 1).all()))
        m.memory.write(space, lanes, at, nbytes, rule(op, kind, shared)(old, *given))
        return old

    def run(lanes: Array) -> None:
        at = address(lanes)
        check_alignment(at, nbytes * width)
        rows = m.memory.rows(space, lanes) if space != "generic" else np.where(at >> U(56) == 1, m.block_of[lanes], 0)
        given = [[read(lanes) for read in group] for group in readers]
        turns = in_turn(rows, at)
        for k in range(width):
            old = np.zeros(lanes.size, U)
            for now in turns:
                old[now] = step(lanes[now], at[now] + U(k * nbytes), k, [g[k][now] for g in given])
            if writers:
                writers[k](lanes, old)

    return run


HANDLERS = {"atom": atomic, "red": atomic}
