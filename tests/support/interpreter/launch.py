"""A whole launch: arguments in, bytes out."""

from collections import Counter
from dataclasses import dataclass
from typing import Any

import numpy as np

from tests.support.interpreter.machine import Machine
from tests.support.interpreter.numbers.operations import Array, U
from tests.support.interpreter.parse import Parser


@dataclass
class Outcome:
    machine: Machine
    arrays: list[Array | None]
    executed: Counter[str]

    @property
    def thread_statements(self) -> int:
        return sum(self.executed.values())


def run(
    ptx: str,
    kernel: str,
    grid: Any,
    block: Any,
    arguments: list[Any],
    shared_bytes: int = 0,
    trace: Any = None,
    watch: Any = None,
    most_turns: int = 10**9,
) -> Outcome:
    """arguments: arrays for pointers (their bytes are not touched; the outcome has them), ints or bytes for values."""
    machine = Machine(Parser(ptx).module(), kernel, grid, block, shared_bytes)
    entry = machine.kernel
    held: list[tuple[int, Array] | None] = []
    local = machine.memory
    everyone = np.arange(machine.size)
    for variable, given in zip(entry.params, arguments, strict=True):
        if isinstance(given, np.ndarray):
            at = local.allocate(np.ascontiguousarray(given).view(np.uint8).ravel())
            held.append((at, given))
            content = at.to_bytes(8, "little")
        else:
            held.append(None)
            content = (
                given
                if isinstance(given, bytes)
                else int(given).to_bytes(variable.nbytes, "little", signed=int(given) < 0)
            )
        for k, byte in enumerate(content):
            local.write(
                "local", everyone, np.full(machine.size, U(variable.offset + k)), 1, np.full(machine.size, U(byte))
            )
    machine.flow.trace = trace
    if watch:
        machine.flow.watch = local.watch = watch(machine)
    machine.flow.launch(entry)
    machine.flow.run(most_turns)
    data = local.spaces["global"].data[0]
    arrays: list[Array | None] = []
    for h in held:
        if h is None:
            arrays.append(None)
        else:
            start = h[0] - local.spaces["global"].base
            arrays.append(data[start : start + h[1].nbytes].copy().view(h[1].dtype).reshape(h[1].shape))
    return Outcome(machine, arrays, machine.flow.executed)
