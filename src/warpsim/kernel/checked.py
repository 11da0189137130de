"""What the checks have found, as findings: each pair of lines once, with a count, one example and what to do."""

from __future__ import annotations

from typing import Any, NamedTuple

from .. import _engine as engine
from .. import errors
from ..instruction.findings import RULES
from . import stops
from .entry import Entry
from .entry import Place as _Place
from .entry import place as _place
from .memory import Memory
from .stops import Found, KernelFinding, Party, Thread, folded

RACE, WARP, ARRAY, IN_FLIGHT, USED, UNACQUIRED = stops.numbers(
    "RACE WARP_RACE ARRAY_RACE IN_FLIGHT UNWRITTEN UNACQUIRED"
)
#: whom a barrier must order: kinds of the core
CLUSTER, BLOCK, OF_WARP = range(3)
BARRIERS = (
    "cluster.sync() (barrier.cluster.arrive and barrier.cluster.wait)",
    "__syncthreads() (bar.sync)",
    "__syncwarp() (bar.warp.sync)",
)
#: copies that no thread makes itself
BULK = ("cp.async.bulk", "cp.reduce.async.bulk")


def _index(number: int, grid: Thread) -> Thread:
    return stops.thread_of(number, grid)


def _who(thread: int, block: int, shape: tuple[Thread, Thread]) -> str:
    grid, threads = shape
    return f"thread {stops.thread_of(thread, threads)} of block {_index(block, grid)}"


def _barrier(found: Found) -> str:
    """The barrier that orders the two parties of a race."""
    between = CLUSTER if found.rule == RACE and found.block != found.other_block else BLOCK
    return BARRIERS[OF_WARP if found.rule == WARP else between]


class _Repair(NamedTuple):
    """One barrier that orders several pairs of accesses: after a statement and before another, or the next round's."""

    after: int
    before: int
    pairs: int
    kind: int
    in_loop: bool  # there is one in the straight line; what is missing is one between two rounds


def _repair_fix(kernel: Entry, repair: _Repair) -> str:
    after, before = (_place(kernel, statement).short for statement in (repair.after, repair.before))
    orders = f", which orders these {repair.pairs} pairs of lines" if repair.pairs > 1 else ""
    barrier = BARRIERS[repair.kind]
    if repair.in_loop:
        return f"Put {barrier} after {after}, before the next round of the loop comes to {before}{orders}."
    rounds = "; in a loop, also between the later and the next round."
    return f"Put {barrier} between {after} and {before}{orders}{rounds}"


def _is_narrow(place: _Place) -> bool:
    """An atomic, or a strong load or store, whose scope is less than the GPU."""
    parts = place.opcode.split(".")
    return parts[0] in ("atom", "red", "ld", "st") and not {"cta", "cluster"}.isdisjoint(parts)


def _fence_fix(kernel: Entry, found: Found) -> str:
    """Where a fence is missing after a read that sees a flag."""
    rule = RULES[stops.id_of(found.rule)]
    if found.via < 0:
        return rule.fix
    read = _place(kernel, found.via)
    fence = f"__threadfence{'_block' if found.block == found.other_block else ''}()"
    return (
        f"Put {fence} after {read.short}, which reads the flag, the lock or the counter, in the thread that reads it;"
        " or let it acquire (memory_order_acquire, ld.acquire, atom.acquire)."
    )


def _race_fix(found: Found, here: _Place, there: _Place) -> str:
    """What to put where."""
    rule = RULES[stops.id_of(found.rule)]
    if found.rule == ARRAY and found.block != found.other_block:
        if _is_narrow(here) or _is_narrow(there):
            return (
                "Let the accesses reach the GPU: atomicAdd() instead of atomicAdd_block(), cuda::thread_scope_device"
                " instead of thread_scope_block, .gpu instead of .cta and .cluster."
            )
        return rule.fix
    if found.rule == USED and here.opcode.startswith("shfl"):
        return "Let the lane that is read from take part, or use the value only where it does."
    if found.rule == IN_FLIGHT:
        copy, access = (here, there) if found.is_copy else (there, here)
        where = f"Between the copy at {copy.short} and the access at {access.short}"
        if copy.opcode.startswith(BULK):
            return (
                f"{where}, wait for the phase of its mbarrier object: mbarrier.try_wait with the parity of this round."
            )
        if copy.opcode.startswith("st.async"):
            return f"{where}, wait for the mbarrier object that counts its bytes (mbarrier.try_wait)."
        return f"{where}, wait for the copy: cp.async.wait_group with a smaller count, then a barrier."
    barrier = _barrier(found)
    if found.rule not in (RACE, WARP, ARRAY):
        return rule.fix
    if here.line == there.line:
        return f"Put {barrier} into the loop around {here.short}, or give each thread bytes of its own."
    if here.opcode.startswith(BULK) or there.opcode.startswith(BULK):
        barrier = "__syncthreads() (bar.sync), after fence.proxy.async where a bulk copy reads what was stored,"
    elif found.is_copy or found.other_is_copy:
        barrier = f"the wait for the copy, and then {barrier},"
    return (
        f"Put {barrier} between {here.short} and {there.short}; in a loop, also between the later and the next round."
    )


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


def _finding(
    kernel: Entry, memory: Memory, shape: tuple[Thread, Thread], found: Found, repair: _Repair | None
) -> KernelFinding:
    here = _place(kernel, found.statement)
    id_ = stops.id_of(found.rule)
    grid, threads = shape
    other = None
    fix = RULES[id_].fix
    if found.other >= 0 and found.rule not in stops.MISSED:
        there = _place(kernel, found.other)
        fix = _race_fix(found, here, there) if repair is None else _repair_fix(kernel, repair)
        fix = _fence_fix(kernel, found) if found.rule == UNACQUIRED else fix
        other = Party(
            _index(found.other_block, grid), found.other_thread // 32, stops.thread_of(found.other_thread, threads),
            found.other_is_write, *there,
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
    findings = folded(
        _finding(kernel, memory, shape, Found(*found), repair and _Repair(*repair))
        for found, repair in engine.told(program, rows)
    )
    worst = next((one for one in findings if one.severity == "error"), None)
    if raises and worst is not None:
        assert issubclass(worst.error, errors.UndefinedBehaviorError)
        raise worst.error(str(worst), (worst,))
    return findings
