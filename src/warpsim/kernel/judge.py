"""What ended a launch, as a finding or as the error that the caller asked for."""

from __future__ import annotations

from dataclasses import replace
from pathlib import PurePosixPath

from .. import _core, errors
from ..instruction.findings import RULES
from ..render.text import ranges
from . import stops
from .entry import Entry
from .memory import Memory
from .stops import KernelFinding, Stop, Thread

MOST_PLACES = 8
BOUNDS, ALIGNMENT, PART = stops.numbers("BOUNDS ALIGNMENT PART_OF_WARP")
ADDRESSED = stops.numbers("BOUNDS READ_ONLY ALIGNMENT")  # kinds of stops that are about an address
#: what a matrix instruction does wrong -> the kind of stop that says so of any access
KINDS: tuple[tuple[type[errors.WarpsimError], int], ...] = (
    (errors.OutOfBoundsError, BOUNDS),
    (errors.NonSharedAddressError, BOUNDS),
    (errors.MisalignedAddressError, ALIGNMENT),
    (errors.InactiveLaneError, PART),
    (errors.ExitedThreadError, PART),
)


def _access(memory: Memory, stop: Stop) -> str:
    what = f"{'write' if stop.is_write else 'read'} of {stop.nbytes} bytes at {stops.SPACES[stop.space]} address"
    return f"{what} 0x{stop.address:x}, {memory.where(stop.space, stop.address, stop.nbytes)}"


def _object(address: int, pending: int, expected: int, missing: int) -> str:
    """What an mbarrier object lacks for its phase to end."""
    bytes_ = f"{missing:,} bytes are still to come" if missing >= 0 else f"{-missing:,} bytes more came than expected"
    told = "" if missing == 0 else f"; {bytes_}: compare expect_tx with what the copies bring"
    arrivals = f"{expected - pending} of {expected} arrivals have come"
    return f", waits for the mbarrier object at shared address 0x{address:x}: {arrivals}{told}"


def _missing(stop: Stop, key: tuple[Thread | None, int]) -> str:
    """Who is missing at a barrier of a block, or (None, -1) at that of the cluster, with lanes elsewhere."""
    block, number = key
    near = [place for place in stop.places if block in (None, place[4])]
    here = {(place[4], place[0]) for place in near if isinstance(place[3], tuple) and place[3][0] == number}
    warps = sorted({(place[4], place[0]) for place in near} - here)
    apart = [p for p in near if (p[4], p[0]) in here and not (isinstance(p[3], tuple) and p[3][0] == number)]
    if not warps:
        lanes = [f"{stops.spelled(stops.lanes_of(place[1]))} of warp {place[0]}" for place in apart[:MOST_PLACES]]
        return ", ".join(lanes) or "threads that have exited, or that the block does not have"
    if block is not None:
        return f"warp {ranges([warp for _, warp in warps])}"
    blocks = dict.fromkeys(block for block, _ in warps)
    return "; ".join(f"warp {ranges([w for b, w in warps if b == one])} of block {one}" for one in blocks)


def _polls(kernel: Entry, memory: Memory, stop: Stop) -> str:
    """What warps of all blocks poll, and which blocks could still write it."""
    lines = []
    for block, warp, lanes, statement, space, address in stop.polled[:MOST_PLACES]:
        line, _, opcode = kernel._module._core.place(statement)
        who = f"block {block}, warp {warp}, {stops.spelled(stops.lanes_of(lanes))}"
        lines.append(f"\n  {who} polls an address {memory.where(space, address, 1)}, line {line}: {opcode}")
    if len(stop.polled) > MOST_PLACES:
        lines.append(f"\n  and {len(stop.polled) - MOST_PLACES:,} more warps poll")
    if stop.polled and stop.unstarted and stop.kind != stops.STEPS:
        lines.append(
            f"\n  {stop.unstarted:,} clusters or blocks have not started: {stop.residents:,} run at once, as many as"
            " fit, and others start when some of them end"
        )
    return "".join(lines)


def _waits(kernel: Entry, stop: Stop) -> str:
    """Where each warp stands, and what it waits for."""
    lines = []
    is_cluster = len({block for *_, block in stop.places}) > 1
    barriers: dict[tuple[Thread | None, int], str] = {}
    for warp, lanes, statement, at, block in stop.places:
        line, _, opcode = kernel._module._core.place(statement)
        waits, where = "", f"block {block}, " if is_cluster else ""
        if isinstance(at, tuple):
            number, arrived, expected = at
            name = f"barrier {number}" if number >= 0 else "the barrier of the cluster"
            waits = f", waits at {name}: {arrived} of {expected} threads have arrived"
            barriers[block if number >= 0 else None, number] = name + (
                f" of block {block}" if is_cluster and number >= 0 else ""
            )
        elif isinstance(at, list):
            address, pending, expected, nbytes = at
            waits = _object(address, pending, expected, nbytes)
        elif at is not None:
            waits = f", waits for {stops.spelled(stops.lanes_of(at & ~lanes))}"
        lines.append(f"\n  {where}warp {warp}, {stops.spelled(stops.lanes_of(lanes))}, line {line}: {opcode}{waits}")
    more = len(lines) - MOST_PLACES
    lines = lines[:MOST_PLACES] + ([f"\n  and {more} more places"] if more > 0 else [])
    lines += [f"\n  missing at {barriers[key]}: {_missing(stop, key)}" for key in sorted(barriers, key=str)]
    return "".join(lines)


def _details(memory: Memory, stop: Stop) -> str:
    if stop.kind == stops.ASSERT:
        text = memory.text(stop.address)
        return f": {text} (source line {stop.nbytes})" if text else ""
    if stop.kind == stops.FREE:
        return f": 0x{stop.address:x}"
    return f": {_access(memory, stop)}" if stop.nbytes else ""


def _matrix(memory: Memory, stop: Stop) -> tuple[int, str, str]:
    """What a matrix instruction does wrong: the kind of stop that says so of any access, in words, its own rule."""
    rule = RULES[_core.RULES[stop.rule][0]]
    kind = next((kind for error, kind in KINDS if rule.error is error), stops.MATRIX)
    at = f" at {stops.SPACES[stop.space]} address 0x{stop.address:x}, {memory.where(stop.space, stop.address, 0)}"
    return kind, f"{rule.title} ({rule.id}){at if kind in ADDRESSED else ''}", rule.id


def _fix(stop: Stop) -> str:
    """What to do about a launch that does not end."""
    if not stop.polled:
        return RULES[stops.id_of(stop.kind)].fix
    longer = "; raise max_steps if they only need longer" if stop.kind == stops.STEPS else ""
    return f"Look for the statement that is to write what these warps poll, and let its threads come to it{longer}."


def _finding(kernel: Entry, memory: Memory, block: Thread, stop: Stop) -> KernelFinding:
    line, column, opcode = kernel._module._core.place(stop.statement)
    file, source_line = kernel._module._core.source(stop.statement)
    source = kernel._module._core.files()[file] if file >= 0 else None
    kind, what, own = stop.kind, "", None
    if kind == stops.MATRIX:
        kind, what, own = _matrix(memory, stop)
    rule = stops.id_of(kind)
    what = what or RULES[rule].title + _details(memory, stop)
    lanes = stops.lanes_of(stop.lanes)
    place = f"line {line}: {opcode}" + (f" ({PurePosixPath(source).name}:{source_line})" if source else "")
    who = f"block {stop.block}, warp {stop.warp}, {stops.spelled(lanes)}"
    finding = KernelFinding(
        rule,
        RULES[rule].severity,
        f"{what}; {who}, {place}{_waits(kernel, stop)}{_polls(kernel, memory, stop)}",
        RULES[own].fix if own else _fix(stop._replace(kind=kind)),
        stop.block,
        stop.warp,
        tuple(stops.thread_of(32 * stop.warp + lane, block) for lane in lanes),
        line,
        column,
        opcode,
        source,
        source_line if source else -1,
        instruction_rule=own,
    )
    if kind not in ADDRESSED:
        return finding
    name, offset, size = memory.nearest(stop.space, stop.address)
    return replace(finding, address=stop.address, array=name, offset=offset, array_bytes=size)


def judged(
    kernel: Entry, memory: Memory, block: Thread, stop: Stop | None, raises: bool, max_steps: int
) -> tuple[KernelFinding, ...]:
    """What ended the launch, as findings or as the error that the caller asked for."""
    if stop is None:
        return ()
    if stop.kind == stops.STEPS:
        raise errors.StepLimitError(
            f"{kernel.name}: more warp instructions than max_steps allows, {max_steps:,}, in block {stop.block}"
            f"{_waits(kernel, stop)}{_polls(kernel, memory, stop)}\n  fix: {_fix(stop)}"
        )
    finding = _finding(kernel, memory, block, stop)
    if raises or finding.error is errors.DeadlockError:
        if issubclass(finding.error, errors.UndefinedBehaviorError):
            raise finding.error(str(finding), (finding,))
        raise finding.error(str(finding))
    return (finding,)
