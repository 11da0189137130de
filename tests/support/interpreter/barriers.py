"""bar and barrier: arrivals are counted per block and number, whole warps where a count is given."""

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from tests.support.interpreter.memory import ProgramError
from tests.support.interpreter.numbers.operations import Array, I, U
from tests.support.interpreter.text import Function, Statement

if TYPE_CHECKING:
    from tests.support.interpreter.flow import Flow


def compile_barrier(flow: "Flow", f: Function, s: Statement, here: int) -> Callable[[Array, Array], None]:
    m, parts = flow.m, s.parts
    if "cluster" in parts:

        def alone(lanes: Array, _on: Array) -> None:
            flow.pc[lanes] += 1

        return alone
    operands = list(s.operands)
    vote = "red" in parts
    target = operands.pop(0) if vote else None
    voter = m.reader(f, operands.pop(), "pred") if vote else None
    number = m.reader(f, operands[0], "u32") if operands else None
    count = m.reader(f, operands[1], "u32") if len(operands) > 1 else None
    if vote:
        write = m.writer(f, target, "pred" if "pred" in parts else "u32")
        kind = "popc" if "popc" in parts else "and" if "and" in parts else "or"
        flow.results[here] = write

    def arrive(lanes: Array, on: Array) -> None:
        from tests.support.interpreter.flow import BARRIER

        flow.pc[lanes] += 1
        if not on.size:
            return
        numbers = number(on).astype(I) if number else np.zeros(on.size, I)
        np.add.at(flow.arrived, (m.block_of[on], numbers), flow.weight[on])
        if flow.watch:
            flow.watch.barrier_arrival(on, numbers)
        if voter is not None:
            flow.voted[on] = voter(on)
        if "arrive" not in parts:
            flow.state[on], flow.waits_at[on], flow.pc[on] = BARRIER, numbers, here
        for n in np.unique(numbers):
            given = count(on)[numbers == n] if count else None
            release(flow, int(n), given, kind if vote else None)

    return arrive


def release(flow: "Flow", number: int, given: Array | None, kind: str | None = None) -> None:
    from tests.support.interpreter.flow import BARRIER, GONE, RUNS

    m = flow.m
    if given is not None and np.unique(given).size > 1:
        raise ProgramError("threads give one barrier different counts")
    live = np.bincount(m.block_of, flow.weight * (flow.state != GONE), flow.arrived.shape[0]).astype(I)
    expected = live if given is None else np.full_like(live, int(given[0]))
    full = (flow.arrived[:, number] >= expected) & (flow.arrived[:, number] > 0)
    if not full.any():
        return
    flow.arrived[full, number] = 0
    waiting = (flow.state == BARRIER) & (flow.waits_at == number) & full[m.block_of]
    lanes = np.flatnonzero(waiting)
    if flow.watch:
        flow.watch.barrier_release(lanes, number)
    if kind:
        votes = np.bincount(m.block_of[lanes], flow.voted[lanes], full.size).astype(I)
        people = np.bincount(m.block_of[lanes], minlength=full.size)
        value = {"popc": votes.astype(U), "and": votes == people, "or": votes > 0}[kind]
        for at in np.unique(flow.pc[lanes]):
            some = lanes[flow.pc[lanes] == at]
            if int(at) in flow.results:
                flow.results[int(at)](some, value[m.block_of[some]])
    flow.state[lanes] = RUNS
    flow.pc[lanes] += 1
