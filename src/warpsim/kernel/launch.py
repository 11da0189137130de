"""One launch of a kernel: its memory, its blocks over threads, and what ended it."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np

from .. import _engine as engine
from .. import errors
from ..arguments import describe, shown
from ..errors import bad_type, bad_value
from .arguments import convert, extent
from .counters import lines_of
from .entry import Entry
from .judge import judged
from .memory import Space
from .printing import formatted
from .report import KernelReport

GRID_MOST = (2**31 - 1, 65535, 65535)
BLOCK_MOST = (1024, 1024, 64)
SHARED_MOST = 227 * 1024
HEAP_BYTES = 8 << 20
PRINTED_BYTES = 1 << 20
STACK_BYTES = 1024
MAX_STEPS = 10**11


@dataclass(frozen=True)
class Plan:
    """What a caller asks of a launch.

    `blocks`: which thread blocks run: None for all, n for n spread evenly, a slice, or linear indices. `target`: the
    GPU to be equal to; the module's own without it. `on_finding`: "record", or "raise" at the first error. `threads`:
    CPU threads over blocks. `order`: the seed of the order in which warps take turns; 0 is round robin. `stack_bytes`
    bounds calls that recurse, `max_steps` the warp instructions. `shared_bytes` is dynamic shared memory.
    """

    grid: Any
    block: Any
    args: Sequence[Any]
    shared_bytes: int = 0
    blocks: Any = None
    target: str | None = None
    contract: bool = True
    check: bool = True
    count: bool = True
    on_finding: str = "record"
    threads: int = 1
    order: int = 0
    stack_bytes: int | None = None
    max_steps: int | None = None
    print_output: bool = False
    simd: int = 0


def _number(name: str, value: Any, low: int, high: int) -> int:
    if isinstance(value, bool) or not isinstance(value, int | np.integer):
        raise bad_type(name, f"expected an int, got {describe(value)}")
    number = int(value)
    if not low <= number <= high:
        raise bad_value(name, f"expected {low:,} to {high:,}, got {shown(number)}")
    return number


def _chosen(blocks: Any, total: int) -> Sequence[int]:
    """The linear indices of the blocks that run."""
    if blocks is None:
        return range(total)
    if isinstance(blocks, slice):
        return range(total)[blocks]
    if isinstance(blocks, int | np.integer) and not isinstance(blocks, bool):
        count = min(_number("blocks", blocks, 1, 2**63), total)
        return [i * total // count for i in range(count)]
    if isinstance(blocks, Sequence | np.ndarray) and not isinstance(blocks, str | bytes):
        return [_number("blocks", index, 0, total - 1) for index in blocks]
    raise bad_type("blocks", f"expected None, an int, a slice or indices, got {describe(blocks)}")


def _shape(kernel: Entry, plan: Plan) -> tuple[tuple[int, int, int], tuple[int, int, int]]:
    grid, block = extent("grid", plan.grid, GRID_MOST), extent("block", plan.block, BLOCK_MOST)
    threads = block[0] * block[1] * block[2]
    if threads > 1024:
        raise bad_value("block", f"expected at most 1,024 threads, got {threads:,}")
    if kernel.required_block is not None and block != kernel.required_block:
        raise bad_value("block", f"expected {kernel.required_block} (.reqntid of the kernel), got {block}")
    if threads > kernel.max_threads:
        raise bad_value(
            "block", f"expected at most {kernel.max_threads} threads (.maxntid of the kernel), got {threads}"
        )
    return grid, block


class _Memory:
    """The regions, parameters and variable addresses of a launch."""

    def __init__(self, kernel: Entry, program: Any, args: Sequence[Any], shared: int) -> None:
        values, self.arrays = convert(kernel.params, args)
        self.space = Space()
        self.names: list[str] = []
        self.variables = self._place_variables(kernel, program, shared)
        self.names += [param.name for param in kernel.params]
        first = len(self.names) - len(kernel.params)
        addresses = self.space.place_arrays(self.arrays)
        for region in self.space.regions:
            if region.kind == engine.ARGUMENT:
                region.owner += first
        parameters = bytearray(max(program.parameter_bytes, 1))
        for number, value in enumerate(values):
            at = program.offset(kernel._first_parameter + number)
            found = addresses[number].to_bytes(8, "little") if value is None else value
            parameters[at : at + len(found)] = found
        self.parameters = bytes(parameters)
        self._place_parameters(kernel, program)
        heap = np.zeros(HEAP_BYTES if program.needs_heap else 0, np.uint8)
        self.heap = self.space.place(heap, engine.HEAP, self._name("the heap"))

    def _name(self, name: str) -> int:
        self.names.append(name)
        return len(self.names) - 1

    def _place_variables(self, kernel: Entry, program: Any, shared: int) -> list[int]:
        module = kernel._module
        addresses = []
        for number, (name, space, _, _, align, _, inner, external) in enumerate(module._variables):
            address = 0
            if space == "shared" and external:
                address = program.shared_bytes
            elif space == "shared":
                address = program.offset(number) or 0
            elif space in ("global", "const"):
                kind = engine.VARIABLE if space == "global" else engine.CONSTANT
                array = module._bytes_of(number)
                address = self.space.place(array, kind, self._name(name), space == "const").base
            addresses.append(address)
            del align, inner
        module._relocate(addresses)
        return addresses

    def _place_parameters(self, kernel: Entry, program: Any) -> None:
        region = self.space.place(
            np.frombuffer(self.parameters, np.uint8), engine.PARAMETERS, self._name("the parameters"), True
        )
        for number in range(len(kernel.params)):
            self.variables[kernel._first_parameter + number] = region.base + program.offset(
                kernel._first_parameter + number
            )

    def rows(self) -> list[tuple[Any, ...]]:
        regions = sorted(self.space.regions, key=lambda region: region.base)
        return [(r.base, r.array, r.owner, r.kind, r.read_only) for r in regions]

    def where(self, address: int) -> str:
        """How far from which array an address is."""
        regions = self.space.regions
        nearest = min(regions, key=lambda r: max(r.base - address, address - r.end + 1, 0))
        name, size = self.names[nearest.owner], len(nearest.array)
        if address < nearest.base:
            return f"{nearest.base - address:,} bytes before {name} ({size:,} bytes)"
        if address >= nearest.end:
            return f"{address - nearest.end:,} bytes after the end of {name} ({size:,} bytes)"
        return f"{address - nearest.base:,} bytes into {name} ({size:,} bytes)"


class _Indices:
    """Block indices, dealt to threads."""

    def __init__(self, indices: Sequence[int]) -> None:
        self._iterator = iter(indices)
        self._lock = threading.Lock()

    def __iter__(self) -> Iterator[int]:
        return self

    def __next__(self) -> int:
        with self._lock:
            return next(self._iterator)


def _run(core: Any, indices: Sequence[int], threads: int, max_steps: int) -> None:
    """All blocks, on this thread and on more."""
    dealt = _Indices(indices)
    if threads <= 1:
        core.run(dealt, max_steps, True)
        return
    with ThreadPoolExecutor(threads - 1, "warpsim") as pool:
        others = [pool.submit(core.run, dealt, max_steps, False) for _ in range(threads - 1)]
        try:
            core.run(dealt, max_steps, True)
            for other in others:
                other.result()
        except BaseException:
            core.cancelled = True
            raise


def _refused(kernel: Entry) -> errors.UnsupportedError:
    """What to raise for a kernel with statements that are not modelled: all of them, with their lines."""
    refused = kernel.unsupported
    lines = "\n".join(f"  line {line}: {opcode}" for line, opcode in refused[:20])
    more = f"\n  and {len(refused) - 20} more" if len(refused) > 20 else ""
    count = f"{len(refused)} statement{'s' if len(refused) > 1 else ''}"
    return errors.UnsupportedError(f"{kernel.name} has {count} that warpsim does not model:\n{lines}{more}")


def launch(kernel: Entry, plan: Plan) -> KernelReport:
    """Runs a kernel as planned."""
    grid, block = _shape(kernel, plan)
    if not isinstance(plan.on_finding, str) or plan.on_finding not in ("record", "raise"):
        raise bad_value("on_finding", f"expected 'record' or 'raise', got {shown(plan.on_finding)}")
    dynamic = _number("shared_bytes", plan.shared_bytes, 0, SHARED_MOST)
    threads = _number("threads", plan.threads, 1, 1024)
    max_steps = MAX_STEPS if plan.max_steps is None else _number("max_steps", plan.max_steps, 1, 2**63)
    stack = STACK_BYTES if plan.stack_bytes is None else _number("stack_bytes", plan.stack_bytes, 0, 1 << 20)
    order = _number("order", plan.order, 0, 2**63)
    program = kernel._program(plan.target, plan.simd, bool(plan.contract))
    if program.refused:
        raise _refused(kernel)
    shared = program.shared_bytes + dynamic
    if shared > SHARED_MOST:
        raise bad_value(
            "shared_bytes",
            f"expected at most {SHARED_MOST - program.shared_bytes:,} beside the static ones, got {dynamic:,}",
        )
    memory = _Memory(kernel, program, plan.args, shared)
    total = grid[0] * grid[1] * grid[2]
    indices = _chosen(plan.blocks, total)
    heap = (memory.heap.base, len(memory.heap.array))
    threads = min(threads, len(indices) or 1)
    core = engine.Launch(
        program, grid, block, memory.rows(), memory.parameters, memory.variables, shared, stack, order, plan.simd, heap,
        PRINTED_BYTES if program.needs_heap else 0, threads == 1, bool(plan.count),
    )  # fmt: skip
    _run(core, indices, threads, max_steps)
    records, _, lost = core.printed_records()
    output = formatted(records) + (f"[{lost} prints lost: more than {PRINTED_BYTES:,} bytes]\n" if lost else "")
    if plan.print_output:
        print(output, end="")
    findings = judged(kernel, memory.where, plan, core)
    target = plan.target or kernel._module.targets[0]
    return KernelReport(
        kernel.name,
        grid,
        block,
        target,
        tuple(indices),
        total / len(indices) if len(indices) else 0.0,
        core.steps,
        output,
        findings,
        lines_of(kernel, program, core.lines()),
        kernel._module._core.files(),
        tuple(dict.fromkeys(kernel._module._core.place(number)[2] for number in sorted(core.inexact))),
    )
