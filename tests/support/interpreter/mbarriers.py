"""mbarrier objects: how many arrivals the phase still wants, and its number."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from tests.support.interpreter.memory import ProgramError
from tests.support.interpreter.numbers.operations import Array, U
from tests.support.interpreter.text import Function, Statement

if TYPE_CHECKING:
    from tests.support.interpreter.machine import Machine

Run = Callable[[Array], None]


@dataclass
class Phases:
    count: int
    pending: int
    phase: int = 0

    def arrive(self, n: int) -> int:
        now = self.phase
        self.pending -= n
        if self.pending < 0:
            raise ProgramError("more arrivals than an mbarrier expects")
        if self.pending == 0:
            self.pending, self.phase = self.count, self.phase + 1
        return now


def mbarrier(m: "Machine", f: Function, s: Statement) -> Run:
    objects: dict[tuple[int, int], Phases] = m.__dict__.setdefault("mbarriers", {})
    op, operands = s.parts[s.parts.index("mbarrier") + 1], list(s.operands)
    copies = s.parts[0] == "cp"
    gives = op in ("arrive", "arrive_drop", "test_wait", "try_wait", "pending_count") and not copies
    into = operands.pop(0) if gives else None
    address = m.address(f, operands.pop(0))
    given = m.reader(f, operands[0], "b64") if operands else lambda lanes: np.ones(lanes.size, U)
    write = m.writer(f, into, "pred" if "wait" in op else "b64") if into else None
    if op not in ("init", "inval", "arrive", "test_wait", "try_wait") or "expect_tx" in s.parts:
        raise NotImplementedError(s.opcode)

    def one(key: tuple[int, int], word: int) -> int:
        if op == "init":
            objects[key] = Phases(word, word)
        elif op == "inval":
            del objects[key]
        elif copies and "noinc" not in s.parts:
            return 0  # one arrival more, which comes at once
        elif op == "arrive":
            return objects[key].arrive(word)
        elif "parity" in s.parts:
            return int(objects[key].phase & 1 != word)
        else:
            return int(objects[key].phase != word)
        return 0

    def told(lane: int, key: tuple[int, int], word: int) -> int:
        before = objects[key].phase if key in objects else 0
        found = one(key, word)
        if m.flow.watch:
            m.flow.watch.mbarrier(
                "copies" if copies else op, lane, key, bool(found), key in objects and objects[key].phase != before
            )
        return found

    def run(lanes: Array) -> None:
        keys = zip(m.block_of[lanes].tolist(), address(lanes).tolist(), strict=True)
        given_keys = zip(lanes.tolist(), keys, given(lanes).tolist(), strict=True)
        out = np.array([told(lane, key, word) for lane, key, word in given_keys], U)
        m.flow.in_vain |= "wait" in op and not out.all()
        if write:
            write(lanes, out != 0 if "wait" in op else out)

    return run


HANDLERS = {"mbarrier": mbarrier}  # and cp.async.mbarrier.arrive
