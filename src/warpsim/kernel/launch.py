"""One launch of a kernel: its memory, its blocks over threads, and what ended it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from .. import _core, errors, targets
from .. import _engine as engine
from ..arguments import describe, flag, shown
from ..errors import bad_type, bad_value
from . import pieces
from .arguments import extent
from .checked import ERRORS, checked
from .cluster import Chosen, Clusters
from .counters import lines_of, machine_of, together, touched_bytes
from .entry import Entry
from .judge import judged
from .memory import Memory
from .pieces import Outcome, remarks
from .printing import formatted
from .remedy import accesses, recorded, remedies
from .report import KernelReport
from .stops import Stop
from .watch import Follower, Progress, Watch

PRINTED_BYTES = 1 << 20
STACK_BYTES = 1024
MAX_STEPS = 10**11


@dataclass(frozen=True)
class Plan:
    """What a caller asks of a launch; see Kernel.__call__."""

    grid: Any
    block: Any
    args: Any
    shared_bytes: int = 0
    cluster: Any = None
    blocks: Any = None
    target: str | None = None
    contract: bool = True
    check: bool = True
    count: bool = True
    as_assembled: Any = False
    on_finding: str = "record"
    threads: int = 1
    executor: Executor | None = None
    order: int = 0
    stack_bytes: int | None = None
    max_steps: int | None = None
    print_output: bool = False
    progress: Progress = None
    simd: int = 0
    placed: Sequence[tuple[int, np.ndarray, str]] = ()  # memory at addresses of its own: address, bytes, name


def _number(name: str, value: Any, low: int, high: int) -> int:
    if isinstance(value, bool) or not isinstance(value, int | np.integer):
        raise bad_type(name, f"expected an int, got {describe(value)}")
    number = int(value)
    if not low <= number <= high:
        raise bad_value(name, f"expected {low:,} to {high:,}, got {shown(number)}")
    return number


def _shape(kernel: Entry, plan: Plan) -> tuple[tuple[int, int, int], tuple[int, int, int]]:
    grid, block = extent("grid", plan.grid, _core.GRID_MOST), extent("block", plan.block, _core.BLOCK_MOST)
    threads = block[0] * block[1] * block[2]
    if threads > _core.BLOCK_THREADS:
        raise bad_value("block", f"expected at most {_core.BLOCK_THREADS:,} threads, got {threads:,}")
    if kernel.required_block is not None and block != kernel.required_block:
        raise bad_value("block", f"expected {kernel.required_block} (.reqntid of the kernel), got {block}")
    if threads > kernel.max_threads:
        raise bad_value(
            "block", f"expected at most {kernel.max_threads} threads (.maxntid of the kernel), got {threads}"
        )
    return grid, block


def _shared_bytes(kernel: Entry, static: int, dynamic: int, row: int) -> int:
    """Static and dynamic shared memory of a block, if a GPU of the target has so much."""
    most = targets.limits_of(row).block_shared_bytes
    whose = "a thread block" if row == targets.NO_TARGET else f"a thread block of {_core.TARGETS[row]}"
    if static > _core.STATIC_SHARED_BYTES:
        raise errors.UnsupportedError(
            f"{kernel.name}: its variables of shared memory take {static:,} bytes; a thread block has at most"
            f" {_core.STATIC_SHARED_BYTES:,} for them: take more as dynamic memory (.extern .shared, shared_bytes)"
        )
    if static + dynamic > most:
        beside = f" beside {static:,} static ones" if static else ""
        raise bad_value(
            "shared_bytes", f"expected at most {most - static:,}{beside}, got {dynamic:,}: {whose} has {most:,}"
        )
    return static + dynamic


def _run(core: Any, threads: int, max_steps: int, look: Follower | None) -> None:
    """All blocks, on this thread and on more."""
    if threads <= 1:
        core.run(max_steps, True, look)
        return
    with ThreadPoolExecutor(threads - 1, "warpsim") as pool:
        try:  # from the first thread on: Ctrl-C may come while the others start
            others = [pool.submit(core.run, max_steps, False) for _ in range(threads - 1)]
            core.run(max_steps, True, look)
            for other in others:
                other.result()
        except BaseException:
            core.cancelled = True
            raise


def refuse(kernel: Entry, program: Any) -> None:
    """Raises for statements that are not modelled: all of them, with their lines."""
    refused = kernel._refused(program)
    if not refused:
        return
    lines = "\n".join(f"  line {line}: {opcode}" for line, opcode in refused[:20])
    more = f"\n  and {len(refused) - 20} more" if len(refused) > 20 else ""
    count = f"{len(refused)} statement{'s' if len(refused) > 1 else ''}"
    raise errors.UnsupportedError(f"{kernel.name} has {count} that warpsim does not model:\n{lines}{more}")


def _notes(ran: int, total: int, outcomes: Sequence[Outcome], memory: Memory, plan: Plan, deaths: int) -> Iterator[str]:
    lost, findings = (sum(getattr(one, name) for one in outcomes) for name in ("printf_lost", "lost"))
    if ran < total:
        yield f"{ran:,} of {total:,} thread blocks ran: what the others would have written is missing"
    if lost:
        yield f"{lost:,} calls of printf are lost: a launch keeps {PRINTED_BYTES:,} bytes"
    if findings:
        yield f"{findings:,} findings are lost: repair those that are listed, and run again"
    for number in sorted({number for one in outcomes for number in one.unjudged}):
        region = memory.space.regions[number]
        yield (
            f"{region.name} is not checked for races: it has {len(region.array):,} bytes, and arrays of at most"
            f" {engine.MOST_JUDGED:,} are; launch fewer blocks on a part of it"
        )
    if any(one.unordered for one in outcomes):
        yield (
            f"order between thread blocks was judged for the first {engine.MOST_RELEASES:,} releases (atomics after"
            " fences): races that come after later ones are not found; launch fewer blocks"
        )
    if plan.executor is not None:
        yield (
            "blocks ran in separate processes, each with its own copy of memory:"
            " writes of one are invisible to the others"
        )
    if deaths:
        yield f"{deaths} time{'s'[: deaths > 1]} a worker process died: its blocks ran again in new processes"


def _checked(plan: Plan) -> Plan:
    """The plan, with plain bools."""
    if not isinstance(plan.on_finding, str) or plan.on_finding not in ("record", "raise"):
        raise bad_value("on_finding", f"expected 'record' or 'raise', got {shown(plan.on_finding)}")
    names = ("contract", "check", "count", "print_output")
    flags: dict[str, Any] = {name: flag(name, getattr(plan, name)) for name in names}
    if isinstance(plan.as_assembled, np.bool_):
        flags["as_assembled"] = bool(plan.as_assembled)
    _number("simd", plan.simd, 0, len(_core.simd_levels()))
    if plan.executor is not None and (
        isinstance(plan.executor, type) or not callable(getattr(plan.executor, "submit", None))
    ):
        raise bad_type("executor", f"expected None or an executor with submit(), got {shown(plan.executor)}")
    return replace(plan, **flags)


def _outcome(core: Any) -> Outcome:
    printed, lost = core.printed_records(0)
    return Outcome(core.done, core.steps, core.stop, printed, lost, core.lines(), {}, *remarks(core))


def _here(
    program: Any, memory: Memory, shape: dict[str, Any], picked: Chosen, plan: Plan, limits: tuple[int, int]
) -> list[Outcome]:
    """Blocks on threads of this process."""
    threads, max_steps = limits
    clusters, blocks = picked
    threads = min(threads, len(clusters) or 1)
    core = engine.Launch(program, regions=memory.rows(), alone=threads == 1, picked=clusters.door, **shape)
    watch = Watch(plan.progress, plan.print_output, len(blocks))
    follow = Follower(core, watch) if watch.is_needed else None
    try:
        _run(core, threads, max_steps, follow)
        if follow is not None:
            follow()
    finally:
        watch.clear()
    return [_outcome(core)]


def _there(
    kernel: Entry, memory: Memory, key: Any, shape: dict[str, Any], picked: Chosen, plan: Plan, max_steps: int
) -> tuple[list[Outcome], int]:
    """Blocks in pieces through an executor, and how many of its workers died."""
    assert plan.executor is not None
    regions = memory.space.regions
    rows = [
        (r.base, len(r.array) if r.kind == engine.HEAP else bytes(r.array), number, r.kind, r.read_only, r.unwritten)
        for number, r in enumerate(regions)
    ]
    clusters, blocks = picked
    watch = Watch(plan.progress, plan.print_output, len(blocks))
    try:
        outcomes, deaths = pieces.run(
            pieces.Work(kernel._module._text, kernel.name, key, rows, shape, max_steps), clusters, plan.executor, watch
        )
    finally:
        watch.clear()
    ended = next((number for number, one in enumerate(outcomes) if one.stop is not None), len(outcomes))
    outcomes = outcomes[: ended + 1]
    pieces.merge(outcomes, [r.name for r in regions], [r.array for r in regions])
    return outcomes, deaths


def launch(kernel: Entry, plan: Plan) -> KernelReport:
    """Runs a kernel as planned."""
    grid, block = _shape(kernel, plan)
    plan = _checked(plan)
    dynamic = _number("shared_bytes", plan.shared_bytes, 0, targets.MOST.block_shared_bytes)
    threads = _number("threads", plan.threads, 1, 1024)
    max_steps = MAX_STEPS if plan.max_steps is None else _number("max_steps", plan.max_steps, 1, 2**63)
    stack = STACK_BYTES if plan.stack_bytes is None else _number("stack_bytes", plan.stack_bytes, 0, 1 << 20)
    order = _number("order", plan.order, 0, 2**63)
    key = kernel._key(plan.target, plan.simd, plan.contract)
    program = kernel._program_of(key)
    refuse(kernel, program)
    shared = _shared_bytes(kernel, program.shared_bytes, dynamic, key[0])
    raises = plan.on_finding == "raise"
    machine = machine_of(kernel, program, plan.as_assembled, plan.count, plan.target, plan.contract)
    memory = Memory(kernel, program, plan.args, shared, plan.placed)
    clusters = Clusters(kernel, plan.cluster, grid, key[0])
    memory.clusters = clusters if clusters.size > 1 else None
    total = grid[0] * grid[1] * grid[2]
    picked = clusters.picked(plan.blocks, plan.check)
    ran = picked[1]
    shape = {
        "grid": grid, "block": block, "cluster": clusters.extent,
        "parameters": memory.parameters, "variables": memory.variables, "names": memory.names,
        "shared_bytes": shared, "stack_bytes": stack, "order": order, "simd": key[1],
        "heap": (memory.heap.base, len(memory.heap.array)), "printed_bytes": PRINTED_BYTES if program.needs_heap else 0,
        "counts": plan.count, "checks": plan.check, "stops_at": ERRORS if raises else 0,
        "made": machine and machine.bytes_of_steps(program.statements()),
    }  # fmt: skip
    if plan.executor is None:
        outcomes, deaths = _here(program, memory, shape, picked, plan, (threads, max_steps)), 0
    else:
        outcomes, deaths = _there(kernel, memory, key, shape, picked, plan, max_steps)
    stop = next((Stop(*one.stop) for one in outcomes if one.stop is not None), None)
    found = [row for one in outcomes for row in one.found]
    findings = (
        *judged(kernel, block, stop, raises, max_steps),
        *checked(kernel, program, memory, (grid, block), found, raises),
    )
    lines = lines_of(kernel, program, together([one.counted for one in outcomes]), machine)
    known = accesses(program, [one.sampled for one in outcomes]) if plan.check and stop is None else {}
    findings += remedies(kernel, memory, (grid, block), lines, known)
    read, written = touched_bytes([one.touched for one in outcomes])
    inexact = sorted(set().union(*(one.inexact for one in outcomes)))  # statements without an exact rule that ran
    return KernelReport(
        kernel.label,
        grid,
        block,
        plan.target or (kernel._module.targets[0] if kernel._module.targets else ""),
        ran,
        total / len(ran) if len(ran) else 0.0,
        int(lines["executed"].sum()) if plan.count else sum(one.steps for one in outcomes),
        formatted(b"".join(one.printed for one in outcomes)),
        findings,
        lines,
        kernel._module._core.files(),
        inexact=tuple(dict.fromkeys(kernel._module._core.place(number)[2] for number in inexact)),
        notes=(
            *_notes(len(ran), total, outcomes, memory, plan, deaths),
            *kernel.refusals(program),
            *(machine.notes if machine else ()),
        ),
        merged=machine.merged if machine else (),
        ptx=kernel._module._decoded,
        source_texts=kernel._module._sources.texts(kernel._module._core.files(), lines, findings),
        is_checked=plan.check,
        recorded=recorded(kernel, memory, lines, known),
        shared_bytes=shared,
        read_bytes=read,
        written_bytes=written,
        is_assembled=machine is not None,
    )
