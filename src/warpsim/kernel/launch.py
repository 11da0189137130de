"""One launch of a kernel: its memory, its blocks over threads, and what ended it."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import Executor, ThreadPoolExecutor, wait
from dataclasses import replace
from functools import cache, partial
from typing import Any

from .. import _core
from .. import _engine as engine
from ..machine.assembled import Machine
from ..memory.written import merge
from ..words import are
from . import pieces
from .arguments import launched
from .cluster import Clusters
from .counters import lines_of, machine_of, touched_bytes
from .entry import Entry
from .judge import ERRORS, Judgement, checked, judged
from .memory import Memory, Setting
from .pieces import Outcome, together
from .plan import Plan
from .printing import TEXT_MOST, formatted
from .remedy import accesses, recorded, remedies
from .report import KernelReport
from .stops import seek
from .watch import Follower, Watch, deadline

PRINTED_BYTES = 1 << 20
HELD_BYTES = 1 << 30  # of memory that is kept, should blocks have to run again
LOOK = 0.1  # seconds between two looks at threads that still run


def _over_threads(core: engine.Launch, threads: int, max_steps: int, look: Follower | None) -> None:
    """All blocks, on this thread and on more."""
    if threads <= 1:
        core.run(max_steps, True, look)
        return
    with ThreadPoolExecutor(threads - 1, "warpsim") as pool:
        try:  # from the first thread on: Ctrl-C may come while the others start
            others = [pool.submit(core.run, max_steps, False) for _ in range(threads - 1)]
            core.run(max_steps, True, look)
            for other in others:
                while look is not None and not other.done():
                    wait([other], LOOK)
                    look()
                other.result()
        except BaseException:
            core.cancelled = True
            raise


class Launch:
    """A kernel with its plan and its memory: run() it once, then ask for its outcome and its report."""

    def __init__(self, kernel: Entry, plan: Plan) -> None:
        self.kernel, self.plan, self.key = kernel, plan, plan.key(kernel)
        self.program = kernel.program(self.key)
        kernel.refuse(self.program)
        plan.refuse_sizes(kernel, self.program.parameter_bytes)
        shared = plan.block_shared_bytes(kernel, self.program.shared_bytes)
        self.machine = self._machine()
        clusters = Clusters(kernel, plan.cluster, plan.grid, self.key.target)
        self.most_steps = engine.most_steps(clusters.size)
        self.is_too_long = plan.check and self.program.steps >= self.most_steps
        if self.is_too_long:
            self.plan = plan = replace(plan, check=False, strict=False)
        self.clusters, self.blocks = clusters.picked(plan.blocks, plan.check)  # those that run
        #: after all else that the caller gave, whose methods might free an array
        self.memory = memory = Memory(kernel, self.program, plan.args, shared, plan.cooperative or self.program.meets)
        self.setting = Setting(kernel, self.program, memory.names, clusters, plan.block)
        self.shape = self._shape(shared)
        self.outcome = Outcome()
        self.deaths = 0  # of worker processes

    def _machine(self) -> Machine | None:
        plan = self.plan
        machine = machine_of(self.kernel, self.program, plan.as_assembled, plan.count, plan.target, plan.contract)
        if machine is not None and machine.registers is not None:
            plan.refuse_registers(machine.registers)
        return machine

    def _shape(self, shared: int) -> engine.Shape:
        plan, memory, program = self.plan, self.memory, self.program
        return engine.Shape(
            grid=plan.grid,
            block=plan.block,
            cluster=self.setting.clusters.extent,
            parameters=memory.parameters,
            variables=tuple(memory.variables),
            names=memory.names,
            shared_bytes=shared,
            stack_bytes=plan.stack_bytes,
            order=plan.order,
            simd=self.key.simd,
            heap=(memory.heap.base, len(memory.heap.array)),
            workspace=memory.workspace.base if len(memory.workspace.array) else 0,
            printed_bytes=PRINTED_BYTES if program.needs_heap else 0,
            counts=plan.count,
            checks=plan.check,
            strict=plan.strict,
            stops_at=ERRORS if plan.raises else 0,
            made=None if self.machine is None else self.machine.bytes_of_steps(program.statements()),
        )

    def run(self) -> None:
        """Runs the blocks: the arrays hold what they wrote, `outcome` the rest."""
        watch = Watch(self.plan.progress, self.plan.print_output, len(self.blocks))
        self.deadline = deadline(self.plan.timeout)
        launched(self.plan.args)
        try:
            self.outcome = self._here(watch) if self.plan.executor is None else self._there(watch, self.plan.executor)
        finally:
            watch.clear()

    def _here(self, watch: Watch) -> Outcome:
        """Blocks on threads of this process. What is found must be the same each time: on one, where it may not be."""
        checks, memory = self.plan.check, self.memory
        threads = min(self.plan.threads, len(self.clusters) or 1)
        if checks and (engine.needs_order(self.program) or memory.nbytes > HELD_BYTES):
            threads = 1
        held = memory.held() if checks and threads > 1 else None
        core = self._over(threads, watch)
        is_cut = core.is_late or core.steps >= self.plan.max_steps
        if held is not None and not is_cut and (core.reaches or core.lost or core.unordered or core.stop is not None):
            memory.restore(held)
            core = self._over(1, watch)
        return Outcome.of(core)

    def _over(self, threads: int, watch: Watch) -> engine.Launch:
        """All blocks on so many threads."""
        core = engine.Launch(self.program, self.shape, self.memory.rows(), self.clusters.door, threads == 1)
        follow = Follower(core, watch, self.deadline) if watch.is_needed or self.plan.timeout else None
        _over_threads(core, threads, self.plan.max_steps, follow)
        if follow is not None:
            follow()
        return core

    def _there(self, watch: Watch, executor: Executor) -> Outcome:
        """Blocks in pieces through an executor."""
        regions = self.memory.space.regions
        rows = [
            (r.base, len(r.array) if r.kind == engine.HEAP else bytes(r.array), n, r.kind, r.read_only, r.unwritten)
            for n, r in enumerate(regions)
        ]
        limits = self.plan.max_steps, self.plan.timeout
        work = pieces.Work(self.kernel.source.text, self.kernel.name, self.key, rows, self.shape, *limits)
        outcomes, self.deaths = pieces.run(work, self.clusters, executor, watch)
        ended = next((number for number, one in enumerate(outcomes) if one.stop is not None), len(outcomes))
        outcomes = outcomes[: ended + 1]
        merge([one.written for one in outcomes], [r.name for r in regions], [r.array for r in regions])
        return together(outcomes)

    def _limit(self) -> str:
        """The limit that a launch came to which stopped at one."""
        steps, timeout = self.plan.max_steps, self.plan.timeout
        if timeout is not None and self.outcome.steps < steps:
            return f"more time than timeout allows, {timeout:g} s"
        return f"more warp instructions than max_steps allows, {steps:,}"

    def _findings(self) -> Judgement:
        """What is wrong, and the error that the launch ends in."""
        stop, raises = self.outcome.stop, self.plan.raises
        ended, error = judged(self.setting, stop, raises, self._limit())
        found, wrong = checked(self.setting, self.outcome.found, raises, self.outcome.counted, stop is None)
        return (*ended, *found), error or wrong

    def report(self) -> KernelReport:
        """What run() came to; what ended it is raised where the plan says so, and has the report."""
        plan, source, outcome, machine = self.plan, self.kernel.source, self.outcome, self.machine
        lines = lines_of(self.kernel, self.program, outcome.counted, machine)
        findings, error = self._findings()
        total, ran = plan.grid[0] * plan.grid[1] * plan.grid[2], len(self.blocks)
        read, written = touched_bytes(outcome.touched)
        printed, cut = formatted(outcome.printed)
        report = KernelReport(
            kernel=self.kernel.label,
            grid=plan.grid,
            block=plan.block,
            target=plan.target or next(iter(source.targets), ""),
            blocks=self.blocks,
            scale=total / ran if ran else 0.0,
            steps=int(lines["executed"].sum()) if plan.count else outcome.steps,
            output=printed,
            findings=findings,
            lines=lines,
            sources=source.files,
            inexact=tuple(dict.fromkeys(source.place(number).opcode for number in sorted(outcome.inexact))),
            notes=(*self._notes(total, cut), *self.kernel.refusals(self.program), *(machine.notes if machine else ())),
            merged=machine.merged if machine else (),
            ptx=source.decoded,
            source_texts=source.sources.texts(source.files, lines, findings),
            is_checked=plan.check,
            shared_bytes=self.shape.shared_bytes,
            read_bytes=read,
            written_bytes=written,
            is_assembled=machine is not None and plan.as_assembled is not None,
            ended=outcome.stop is not None,
        )
        self._seek(report)
        if error is None:
            return report
        error.report = report
        raise error

    def _seek(self, report: KernelReport) -> None:
        """What was recorded, and remedies from it, are sought when they are read; the memory is not kept for that."""
        setting, lines, is_whole = self.setting, report.lines, self.plan.check and self.outcome.stop is None
        known = cache(partial(accesses, self.program, self.outcome.sampled if is_whole else ()))
        seek(
            report,
            findings=lambda: remedies(setting, lines, known()),
            recorded=lambda: recorded(setting, lines, known()),
        )

    def _of_the_host(self) -> Iterator[str]:
        shared, core = self.shape.shared_bytes, self.kernel.source.core
        if shared > _core.STATIC_SHARED_BYTES and core.language == engine.CUDA:
            yield (
                f"a thread block has {shared:,} bytes of shared memory: for more than {_core.STATIC_SHARED_BYTES:,} the"
                " host must call cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,"
                f" {self.plan.shared_bytes})"
            )

    def _not_counted(self) -> Iterator[str]:
        counted = 0
        for region in self.memory.space.regions if self.plan.count else ():
            nbytes = len(region.array)
            if nbytes <= engine.MOST_TOUCHED and counted + nbytes <= engine.ALL_TOUCHED:
                counted += nbytes
                continue
            yield (
                f"read_bytes and written_bytes leave out {region.name}: it has {nbytes:,} bytes, and arrays of at most"
                f" {engine.MOST_TOUCHED:,} are counted, {engine.ALL_TOUCHED:,} bytes of all; pass a part of it"
            )

    def _notes(self, total: int, cut: int) -> Iterator[str]:
        outcome, ran = self.outcome, len(self.blocks)
        yield from self._of_the_host()
        if ran < total:
            yield f"{ran:,} of {total:,} thread blocks ran: what the others would have written is missing"
        if outcome.printf_lost:
            yield f"{are(outcome.printf_lost, 'call', 'of printf')} lost: a launch keeps {PRINTED_BYTES:,} bytes"
        if cut:
            printed = are(cut, "call", "of printf")
            yield f"{printed} left out: a launch keeps {TEXT_MOST:,} characters of what is printed"
        if outcome.lost:
            yield f"{are(outcome.lost, 'finding')} lost: repair those that are listed, and run again"
        yield from self._not_judged()
        yield from self._not_counted()
        if self.plan.executor is not None:
            yield (
                "blocks ran in separate processes, each with its own copy of memory:"
                " writes of one are invisible to the others"
            )
        if self.deaths:
            times = f"{self.deaths} time{'s'[: self.deaths > 1]}"
            yield f"{times} a worker process died: its blocks ran again in new processes"

    def _not_judged(self) -> Iterator[str]:
        outcome, size = self.outcome, self.setting.clusters.size
        for number in sorted(outcome.unjudged):
            region = self.memory.space.regions[number]
            is_large = len(region.array) > engine.MOST_JUDGED
            why = f"arrays of at most {engine.MOST_JUDGED:,} are" if is_large else "the checks do not fit into memory"
            yield (
                f"{region.name} is not checked for races: it has {len(region.array):,} bytes, and {why};"
                " launch fewer blocks on a part of it"
            )
        if self.is_too_long:
            where = f" in clusters of {size} blocks; use smaller clusters, or" if size > 1 else ";"
            yield (
                f"nothing was checked: the kernel has {self.program.steps:,} steps, and kernels of fewer than"
                f" {self.most_steps:,} are{where} check its parts as kernels of their own"
            )
        if outcome.unordered:
            yield (
                f"order between thread blocks was judged for the first {engine.MOST_RELEASES:,} releases, acquires and"
                " strong stores: races that come after later ones are not found; launch fewer blocks"
            )
        if outcome.overlooked:
            yield (
                f"{are(outcome.overlooked, 'access', 'to global memory')} not compared with all earlier ones to the"
                " same bytes: more threads had come there than are kept; launch fewer blocks to check the rest"
            )
        if outcome.crowded:
            yield (
                f"a {'cluster' if size > 1 else 'thread block'} has more than {size * engine.MOST_OBJECTS} mbarrier"
                f" objects, or more than {size * engine.MOST_WAITS - 1} flags and phases of them (each has two): what"
                " waits at the others counts as ordered: races after it are not found; use fewer to check the rest"
            )


def launch(kernel: Entry, options: Any) -> KernelReport:
    """The report of a kernel that was called with these options of Kernel.__call__."""
    one = Launch(kernel, Plan.of(kernel, options))
    one.run()
    return one.report()
