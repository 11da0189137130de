"""call, ret, exit: a frame of bytes for parameters and locals; registers are kept where a function calls itself."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from tests.support.interpreter.memory import FUNCTIONS, ProgramError
from tests.support.interpreter.numbers.operations import Array, I, U
from tests.support.interpreter.text import Function, Statement, Variable

if TYPE_CHECKING:
    from tests.support.interpreter.flow import Flow

STACK = 1 << 18


def copy_value(flow: "Flow", lanes: Array, of: tuple[Function, Any, Array], into: tuple[Function, Any, Array]) -> None:
    """A parameter: bytes of a frame or a register on either side; (function, name, frame starts)."""
    (f, x, base), (g, y, start) = of, into
    source, target = flow.m.frame_variable(f, x), flow.m.frame_variable(g, y)
    local = flow.m.memory
    nbytes = source.nbytes if source else target.nbytes if target else 0
    if source is None and target is None:
        flow.m.registers[g.name][y][lanes] = flow.m.registers[f.name][x][lanes]
        return
    step = min(nbytes & -nbytes, 8, *(v.align for v in (source, target) if isinstance(v, Variable)))
    for k in range(0, nbytes, step):
        if source:
            word = local.read("local", lanes, base + U(source.offset + k), step)
        else:
            word = flow.m.registers[f.name][x][lanes]
        if target:
            local.write("local", lanes, start + U(target.offset + k), step, word)
        else:
            flow.m.registers[g.name][y][lanes] = word


def enter(flow: "Flow", f: Function, g: Function, lanes: Array, here: int, arguments: list[Any]) -> None:
    base = flow.frame[lanes]
    start = base + U(f.frame_bytes)
    top = int(start.max()) + g.frame_bytes
    local = flow.m.memory.spaces["local"]
    if top > STACK:
        raise ProgramError("the stack is full")
    if top > local.data.shape[1]:
        local.data = np.concatenate([local.data, np.zeros((local.data.shape[0], top), np.uint8)], axis=1)
    keep_registers(flow, g, lanes)
    for x, formal in zip(arguments, g.params, strict=True):
        if x[0] == "name":
            copy_value(flow, lanes, (f, x[1], base), (g, formal.name, start))
        else:
            flow.m.registers[g.name][formal.name][lanes] = flow.m.reader(f, x, formal.kind)(lanes)
    level = int(flow.depth[lanes[0]])
    while len(flow.returns) <= level:
        flow.returns.append(np.zeros(flow.m.size, I))
    flow.returns[level][lanes] = here
    flow.depth[lanes] += 1
    flow.frame[lanes] = start
    flow.pc[lanes] = g.start


def keep_registers(flow: "Flow", g: Function, lanes: Array) -> None:
    times = flow.active[g.name]
    for n in np.unique(times[lanes]):
        if n == 0:
            continue
        while len(flow.saved[g.name]) < n:
            flow.saved[g.name].append({k: v.copy() for k, v in flow.m.registers[g.name].items()})
        some = lanes[times[lanes] == n]
        for name, register in flow.m.registers[g.name].items():
            flow.saved[g.name][n - 1].setdefault(name, register.copy())[some] = register[some]
    times[lanes] += 1


def leave(flow: "Flow", g: Function, lanes: Array) -> None:
    level = int(flow.depth[lanes[0]])
    if level == 0:
        flow.leave(lanes)
        return
    for at in np.unique(flow.returns[level - 1][lanes]):
        some = lanes[flow.returns[level - 1][lanes] == at]
        item = flow.code[at]
        f, s = item.function, item.statement
        start = flow.frame[some]
        base = start - U(f.frame_bytes)
        results = s.operands[0][1] if s.operands[0][0] == "list" else []
        held = [flow.m.registers[g.name][v.name][some].copy() if v.state == ".reg" else None for v in g.results]
        restore(flow, g, some)
        for x, formal, value in zip(results, g.results, held, strict=True):
            if value is not None:
                flow.m.writer(f, x, formal.kind)(some, value)
            else:
                copy_value(flow, some, (g, formal.name, start), (f, x[1], base))
        flow.frame[some] = base
        flow.depth[some] -= 1
        flow.pc[some] = at + 1


def restore(flow: "Flow", g: Function, lanes: Array) -> None:
    times = flow.active[g.name]
    times[lanes] -= 1
    for n in np.unique(times[lanes]):
        if n:
            some = lanes[times[lanes] == n]
            for name, kept in flow.saved[g.name][n - 1].items():
                flow.m.registers[g.name][name][some] = kept[some]


def compile_call(flow: "Flow", f: Function, s: Statement, here: int) -> Callable[[Array, Array], None]:
    op = s.parts[0]
    if op == "trap":

        def fall(lanes: Array, on: Array) -> None:
            flow.pc[lanes] += 1
            if on.size:
                raise ProgramError("trap")

        return fall
    if op in ("ret", "exit"):

        def end(lanes: Array, on: Array) -> None:
            flow.pc[lanes] += 1
            if on.size:
                flow.leave(on) if op == "exit" else leave(flow, f, on)

        return end
    operands = list(s.operands)
    if operands[0][0] == "list":
        operands.pop(0)
    name = operands.pop(0)[1]
    arguments = operands[0][1] if operands and operands[0][0] == "list" else []
    functions = flow.m.module.functions

    def direct(lanes: Array, on: Array) -> None:
        flow.pc[lanes] += 1
        if on.size:
            enter(flow, f, functions[name], on, here, arguments)

    def indirect(lanes: Array, on: Array) -> None:
        flow.pc[lanes] += 1
        which = (flow.m.registers[f.name][name][on] - U(FUNCTIONS)).astype(I) // 16
        for k in np.unique(which):
            enter(flow, f, list(functions.values())[k], on[which == k], here, arguments)

    return indirect if name in f.registers else direct
