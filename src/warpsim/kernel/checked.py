"""What the checks have found, as findings: each pair of lines once, with a count, one example and what to do."""

from __future__ import annotations

from typing import Any

from .. import _engine as engine
from .. import errors
from ..instruction.findings import RULES
from . import stops
from .entry import Entry
from .entry import Place as _Place
from .entry import place as _place
from .memory import Memory
from .stops import Found, KernelFinding, Party, Thread, folded

(USED,) = stops.numbers("UNWRITTEN")


def _index(number: int, grid: Thread) -> Thread:
    return stops.thread_of(number, grid)


def _who(thread: int, block: int, shape: tuple[Thread, Thread]) -> str:
    grid, threads = shape
    return f"thread {stops.thread_of(thread, threads)} of block {_index(block, grid)}"


def _address(kernel: Entry, memory: Memory, grid: Thread, found: Found) -> str:
    is_missed = found.rule in stops.MISSED
    where = stops.object_place(kernel, found) if is_missed else memory.where(found.space, found.address, found.nbytes)
    owner = memory.owner(found.space, found.address, found.block)
    of_block = f" of block {_index(owner, grid)}" if owner != found.block or found.other_block != found.block else ""
    return f"{stops.SPACES[found.space]} address 0x{found.address:x}{of_block}, {where}"


def _sentence(kernel: Entry, memory: Memory, shape: tuple[Thread, Thread], found: Found, here: _Place) -> str:
    title = RULES[stops.id_of(found.rule)].title
    at = f": {_address(kernel, memory, shape[0], found)}" if found.nbytes else ""
    lanes = stops.spelled(stops.lanes_of(found.lanes))
    where = f"block {_index(found.block, shape[0])}, warp {found.thread // 32}, {lanes}"
    if found.rule in stops.MISSED:
        at = stops.access_of(found) + at[1:]
    if found.other < 0 or found.rule in stops.MISSED:
        return f"{title}{at}; {where}, {here}"
    there = _place(kernel, found.other)
    if found.rule == USED:
        at = at or (": the value of a lane that does not take part" if here.opcode.startswith("shfl") else "")
        return f"{title}{at}\n  {where}\n  read at {here}\n  used at {there}"
    one, other = _who(found.thread, found.block, shape), _who(found.other_thread, found.other_block, shape)
    return (
        f"{title}{at}"
        f"\n  {stops.does(found.is_write, found.is_copy)} by {one}, {here}"
        f"\n  {stops.does(found.other_is_write, found.other_is_copy)} by {other}, {there}"
    )


def _finding(kernel: Entry, memory: Memory, shape: tuple[Thread, Thread], found: Found, fix: str) -> KernelFinding:
    here = _place(kernel, found.statement)
    id_ = stops.id_of(found.rule)
    grid, threads = shape
    other = None
    if found.other >= 0 and found.rule not in stops.MISSED:
        other = Party(
            _index(found.other_block, grid), found.other_thread // 32, stops.thread_of(found.other_thread, threads),
            found.other_is_write, *_place(kernel, found.other),
        )  # fmt: skip
    name, offset, size = memory.nearest(found.space, found.address) if found.nbytes else (None, None, None)
    if found.rule in stops.MISSED:
        name, offset, size = stops.object_of(kernel, found), found.inside, found.object_bytes
    times = f"\n  {found.times:,} times" if found.times > 1 else ""
    return KernelFinding(
        id_,
        RULES[id_].severity,
        _sentence(kernel, memory, shape, found, here) + times,
        fix,
        _index(found.block, grid),
        found.thread // 32,
        tuple(stops.thread_of(found.thread // 32 * 32 + lane, threads) for lane in stops.lanes_of(found.lanes)),
        *here,
        address=found.address if found.nbytes else None,
        array=name,
        offset=offset,
        array_bytes=size,
        other=other,
        count=found.times,
    )


#: those that end a launch with on_finding="raise": bit n for WS-RUN-n
ERRORS = sum(
    1 << int(id_[-3:]) for id_, rule in RULES.items() if id_.startswith("WS-RUN-") and rule.severity == "error"
)


def checked(
    kernel: Entry, program: Any, memory: Memory, shape: tuple[Thread, Thread], rows: list[Any], raises: bool
) -> tuple[KernelFinding, ...]:
    """What the checks have found in a launch of that grid and block; raises the first error if asked to."""
    findings = folded(_finding(kernel, memory, shape, Found(*found), fix) for found, fix in engine.told(program, rows))
    worst = next((one for one in findings if one.severity == "error"), None)
    if raises and worst is not None:
        assert issubclass(worst.error, errors.UndefinedBehaviorError)
        raise worst.error(str(worst), (worst,))
    return findings
