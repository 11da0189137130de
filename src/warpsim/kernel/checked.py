"""What the checks have found, as findings: each pair of lines once, with a count, one example and what to do."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from .. import errors
from ..instruction.findings import RULES
from . import stops
from .entry import Entry
from .entry import Place as _Place
from .entry import place as _place
from .memory import Memory
from .stops import Found, KernelFinding, Party, Thread, folded

RACE, WARP, ARRAY, IN_FLIGHT, USED, READ = stops.numbers("RACE WARP_RACE ARRAY_RACE IN_FLIGHT UNWRITTEN UNUSED_READ")
UNACQUIRED, GUESS, STALE = stops.numbers("UNACQUIRED GUESS STALE")
RACES = (RACE, WARP, ARRAY, IN_FLIGHT, UNACQUIRED, GUESS)
CLUSTER = 0  #: a race between blocks of a cluster: no rule of its own, and what orders it orders races of a block, too
#: copies that no thread makes itself
BULK = ("cp.async.bulk", "cp.reduce.async.bulk")


def _one_way(found: Found) -> Found:
    """The two parties of a race in the order of the text, whoever came first."""
    if (
        found.other < 0
        or found.rule in (USED, STALE, *stops.MISSED)
        or (found.statement, found.is_write) <= (found.other, found.other_is_write)
    ):
        return found
    return found._replace(
        statement=found.other, other=found.statement, block=found.other_block, other_block=found.block,
        thread=found.other_thread, other_thread=found.thread, lanes=1 << found.other_thread % 32,
        is_write=found.other_is_write, other_is_write=found.is_write, is_copy=found.other_is_copy,
        other_is_copy=found.is_copy,
    )  # fmt: skip


def _grouped(rows: Iterable[Found]) -> list[Found]:
    """One row for each rule and pair of accesses: counts add up, the example is of the first block and thread."""
    groups: dict[tuple[object, ...], Found] = {}
    for row in map(_one_way, rows):
        other = row.other if row.rule != USED else None  # one use of what was read there is enough
        key = (row.rule, row.statement, other, row.is_write, row.other_is_write)
        old = groups.get(key)
        first = row if old is None else min(old, row, key=lambda one: (one.block, one.thread, one.address))
        groups[key] = first._replace(times=row.times + (old.times if old else 0))
    return sorted(groups.values(), key=lambda one: (one.statement, one.other, one.rule))


def _once(rows: list[Found]) -> list[Found]:
    """No read twice: as unused if it is used, as unwritten if it races, as a race if it meets a copy in flight.

    What is used says where it was read.
    """
    reads = {row.statement: row for row in rows if row.rule == READ}
    used = {row.statement for row in rows if row.rule == USED}
    races = {end for row in rows if row.rule in RACES for end in (row.statement, row.other)}
    flights = {(row.statement, row.other) for row in rows if row.rule == IN_FLIGHT}
    found = []
    for row in rows:
        read = reads.get(row.statement)
        is_told = row.rule in (READ, USED) and row.statement in races
        is_told = is_told or (row.rule == READ and row.statement in used)
        is_told = is_told or (row.rule in (RACE, WARP) and (row.statement, row.other) in flights)
        if row.rule == USED and read is not None and not is_told:
            found.append(row._replace(address=read.address, nbytes=read.nbytes, space=read.space))
        elif not is_told:
            found.append(row)
    return found


def _index(number: int, grid: Thread) -> Thread:
    return stops.thread_of(number, grid)


def _who(thread: int, block: int, shape: tuple[Thread, Thread]) -> str:
    grid, threads = shape
    return f"thread {stops.thread_of(thread, threads)} of block {_index(block, grid)}"


def _kind(found: Found) -> int:
    """The rule of a race; CLUSTER between blocks of one."""
    return CLUSTER if found.rule == RACE and found.block != found.other_block else found.rule


def _barrier(rule: int) -> str:
    if rule == CLUSTER:
        return "cluster.sync() (barrier.cluster.arrive and barrier.cluster.wait)"
    return "__syncwarp() (bar.warp.sync)" if rule == WARP else "__syncthreads() (bar.sync)"


class _Repair(NamedTuple):
    """One barrier that orders several pairs of accesses: after a statement and before another, or the next round's."""

    after: int
    before: int
    pairs: int
    rule: int
    in_loop: bool  # there is one in the straight line; what is missing is one between two rounds


def _is_barrier(opcode: str, rule: int) -> bool:
    if rule == CLUSTER:
        return opcode.startswith("barrier.cluster.wait")
    return opcode.startswith(("bar.", "barrier.")) and (rule == WARP or not opcode.startswith("bar.warp"))


def _is_race(row: Found) -> bool:
    """A race in shared memory that a barrier alone may repair."""
    return row.rule in (RACE, WARP) and not (row.is_copy or row.other_is_copy)


def _repairs(kernel: Entry, rows: Iterable[Found]) -> dict[tuple[int, int], _Repair]:
    """How to order races between two statements: as few barriers as there can be.

    Each race wants a barrier between its statements; the first to end takes along all that have begun before. Where
    there is a barrier already, it wants one after the later, before a loop comes to the earlier again.
    """
    races = [row for row in rows if _is_race(row) and row.statement != row.other]
    spans: dict[tuple[int, int], tuple[int, int, int]] = {}
    for row in races:
        pair = row.statement, row.other
        spans[pair] = min(pair), max(pair), min(_kind(row), spans.get(pair, (0, 0, WARP))[2])
    ends = [end for span in spans.values() for end in span[:2]]
    opcodes = {n: kernel._module._core.place(n)[2] for n in range(min(ends, default=0), max(ends, default=0))}
    barriers = {
        rule: [n for n, opcode in opcodes.items() if _is_barrier(opcode, rule)] for rule in (CLUSTER, RACE, WARP)
    }
    in_loops = {
        pair: any(low < number < high for number in barriers[rule]) for pair, (low, high, rule) in spans.items()
    }
    found: dict[tuple[int, int], _Repair] = {}
    left = sorted(spans, key=lambda pair: spans[pair][1])
    while left:
        high, in_loop = spans[left[0]][1], in_loops[left[0]]
        here = [pair for pair in left if spans[pair][0] < high and in_loops[pair] == in_loop]
        taken = set(here)
        left = [pair for pair in left if pair not in taken]
        lows, highs, rules = zip(*(spans[pair] for pair in here), strict=True)
        between = (max(highs), min(lows)) if in_loop else (max(lows), min(highs))
        found |= dict.fromkeys(here, _Repair(*between, len(here), min(rules), in_loop))
    return found


def _repair_fix(kernel: Entry, repair: _Repair) -> str:
    after, before = (_place(kernel, statement).short for statement in (repair.after, repair.before))
    orders = f", which orders these {repair.pairs} pairs of lines" if repair.pairs > 1 else ""
    barrier = _barrier(repair.rule)
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
    barrier = _barrier(_kind(found))
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
    kernel: Entry, memory: Memory, shape: tuple[Thread, Thread], rows: Iterable[Found], raises: bool
) -> tuple[KernelFinding, ...]:
    """What the checks have found in a launch of that grid and block; raises the first error if asked to."""
    once = _once(_grouped(rows))
    repairs = _repairs(kernel, once)
    findings = folded(
        _finding(kernel, memory, shape, found, repairs.get((found.statement, found.other)) if _is_race(found) else None)
        for found in once
    )
    worst = next((one for one in findings if one.severity == "error"), None)
    if raises and worst is not None:
        assert issubclass(worst.error, errors.UndefinedBehaviorError)
        raise worst.error(str(worst), (worst,))
    return findings
