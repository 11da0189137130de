"""Who runs next: the deepest call, then the lowest statement, of all threads; branches, calls, barriers, ends."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from tests.support.interpreter.memory import FUNCTIONS, ProgramError
from tests.support.interpreter.numbers.operations import Array, I, U
from tests.support.interpreter.text import Function, Statement

if TYPE_CHECKING:
    from tests.support.interpreter.machine import Machine
    from tests.support.interpreter.order import Order

RUNS, BARRIER, MEETS, GONE = range(4)
CONTROL = ("bra", "brx", "call", "ret", "exit", "trap", "bar", "barrier", "shfl", "vote", "match", "redux", "elect")
DEPTH = 1 << 40


@dataclass
class Item:
    run: Callable[[Array], None] | None
    control: Callable[[Array, Array], None] | None
    guard: Callable[[Array], Array] | None
    statement: Statement
    function: Function


class Flow:
    def __init__(self, m: "Machine") -> None:
        self.m = m
        n = m.size
        self.pc, self.depth, self.frame = np.zeros(n, I), np.zeros(n, I), np.zeros(n, U)
        self.state = np.where(m.exists, RUNS, GONE)
        self.code: list[Item] = []
        self.returns: list[Array] = []
        self.active: dict[str, Array] = {}
        self.saved: dict[str, list[dict[str, Array]]] = {}
        blocks = n // m.lanes_of_block
        self.arrived = np.zeros((blocks, 16), I)
        self.waits_at = np.full(n, -1)
        self.voted = np.zeros(n, bool)
        count = int(np.prod(m.block))
        self.weight = np.where(m.thread == count - 1, 1 + (-count) % 32, 1) * m.exists
        self.executed: Counter[str] = Counter()
        self.trace: Callable[[Item, Array], None] | None = None
        self.watch: Order | None = None
        self.results: dict[int, Callable[[Array, Array], None]] = {}
        self.random = np.random.default_rng(1)
        self.steps = 0
        self.in_vain = False  # somebody has just waited for what others have yet to do
        self.pools: dict[str, dict[int, Any]] = {}

    def compile(self) -> None:
        functions = list(self.m.module.functions.values())
        at = 0
        for f in functions:
            f.start = at
            at += len(f.code) + 1
        for f in functions:
            self.active[f.name] = np.zeros(self.m.size, I)
            self.saved[f.name] = []
            for s in [*f.code, Statement(0, None, "ret", [])]:
                guard = None
                if s.guard:
                    name, negated = s.guard
                    guard = self.m.reader(f, ("not", ("name", name)) if negated else ("name", name), "pred")
                self.code.append(self.item(f, s, guard))

    def item(self, f: Function, s: Statement, guard: Any) -> Item:
        from tests.support.interpreter import barriers, calls, exchange

        here = len(self.code)
        op = s.parts[0]
        try:
            if op in ("bra", "brx"):
                return Item(None, self.branch(f, s), guard, s, f)
            if op in ("call", "ret", "exit", "trap"):
                return Item(None, calls.compile_call(self, f, s, here), guard, s, f)
            if op in ("bar", "barrier") and "warp" not in s.parts:
                return Item(None, barriers.compile_barrier(self, f, s, here), guard, s, f)
            if exchange.meets(s):
                return Item(None, exchange.meeting(self, f, s), guard, s, f)
            return Item(self.m.compile(f, s), None, guard, s, f)
        except (ProgramError, KeyError, ValueError, NotImplementedError, IndexError, StopIteration) as why:
            message = f"line {s.line}: {s.opcode} cannot be run here ({why!r})"

            def refuse(_lanes: Array) -> None:
                raise ProgramError(message)

            return Item(refuse, None, guard, s, f)

    def branch(self, f: Function, s: Statement) -> Callable[[Array, Array], None]:
        if s.parts[0] == "bra":
            target = f.start + f.labels[s.operands[0][1]]

            def go(lanes: Array, on: Array) -> None:
                self.pc[lanes] += 1
                self.pc[on] = target

            return go
        targets = np.array([f.start + f.labels[x] for x in f.tables[s.operands[1][1]]])
        index = self.m.reader(f, s.operands[0], "u32")

        def choose(lanes: Array, on: Array) -> None:
            self.pc[lanes] += 1
            self.pc[on] = targets[index(on).astype(I)]

        return choose

    def launch(self, f: Function) -> None:
        self.pc[:] = f.start
        self.active[f.name] += 1

    # ---------------------------------------------------------------- turns
    def run(self, limit: int = 10**9) -> None:
        while True:
            ready = np.flatnonzero(self.state == RUNS)
            if ready.size == 0:
                if (self.state == GONE).all():
                    return
                if not self.settle():
                    lines = sorted({self.code[p].statement.line for p in self.pc[self.state != GONE]})
                    raise ProgramError(f"nobody can go on: lines {lines}")
                continue
            key = self.pc[ready] - self.depth[ready] * DEPTH
            self.steps += 1
            least = key.min() if self.steps % 1024 and not self.in_vain else self.random.choice(key)
            self.in_vain = False
            mine = key == least
            rest = key[~mine]
            later = rest[rest > least]
            if self.steps > limit:
                raise ProgramError("too many turns")
            self.straight(ready[mine], int(later.min()) if later.size else None)

    def straight(self, lanes: Array, until: int | None) -> None:
        """Runs a group to its next control statement, or to where another group is."""
        at = int(self.pc[lanes[0]])
        end = until + int(self.depth[lanes[0]]) * DEPTH if until is not None else None
        while True:
            item = self.code[at]
            on = lanes if item.guard is None else lanes[item.guard(lanes)]
            self.executed[item.statement.opcode] += on.size
            if self.watch:
                self.watch.statement(item.statement, on)
            if item.control:
                self.pc[lanes] = at
                item.control(lanes, on)
                if self.trace:
                    self.trace(item, on)
                return
            if on.size and item.run:
                item.run(on)
                if self.trace:
                    self.trace(item, on)
            at += 1
            if at == end:
                self.pc[lanes] = at
                return

    def settle(self) -> bool:
        """Nobody runs: barriers that only exited threads are missing from."""
        from tests.support.interpreter import barriers, exchange

        before = int((self.state == RUNS).sum())
        for number in range(16):
            barriers.release(self, number, None)
        exchange.wake(self)
        return int((self.state == RUNS).sum()) > before

    def leave(self, lanes: Array) -> None:
        self.state[lanes] = GONE


def function_address(m: "Machine", name: str) -> int:
    return FUNCTIONS + 16 * list(m.module.functions).index(name)
