"""What ended a launch, as a finding or as the error that the caller asked for."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .. import errors
from . import stops
from .entry import Entry


def _access(where: Callable[[int], str], stop: tuple[Any, ...]) -> str:
    _, space, _, is_write, _, _, _, address, nbytes, _ = stop
    what = f"{'write' if is_write else 'read'} of {nbytes} bytes at {stops.SPACES[space]} address 0x{address:x}"
    return f"{what}, {where(address)}" if space in (0, 2, 4, 5) else what


def _finding(kernel: Entry, where: Callable[[int], str], stop: tuple[Any, ...]) -> stops.KernelFinding:
    kind, _, rule, _, statement, warp, lanes, address, nbytes, block = stop
    line, column, opcode = kernel._module._core.place(statement)
    row = stops.RULES[kind - 1]
    who = f"block {block}, warp {warp}, {stops.spelled(stops.lanes_of(lanes))}"
    detail = f": {_access(where, stop)}" if nbytes and kind <= 3 else ""
    if rule >= 0:
        detail = f": {stops.instruction_rule(rule)}"
    message = f"{row.title}{detail}; {who}, line {line}: {opcode}"
    return stops.KernelFinding(
        row.id,
        "error",
        message,
        row.fix,
        block,
        warp,
        stops.lanes_of(lanes),
        line,
        column,
        opcode,
        address if nbytes else None,
    )


def judged(kernel: Entry, where: Callable[[int], str], plan: Any, core: Any) -> tuple[stops.KernelFinding, ...]:
    """What ended the launch, as findings or as the error that the caller asked for."""
    if core.stop is None:
        return ()
    if core.stop[0] == "steps":
        raise errors.StepLimitError(
            f"{kernel.name}: more warp instructions than max_steps allows, in block {core.stop[9]}; raise max_steps"
        )
    finding = _finding(kernel, where, core.stop)
    error = stops.RULES[core.stop[0] - 1].error
    if plan.on_finding == "raise" or error is errors.DeadlockError:
        if issubclass(error, errors.UndefinedBehaviorError):
            raise error(str(finding), (finding,))
        raise error(str(finding))
    return (finding,)
