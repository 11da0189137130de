"""What a caller asks of a launch, checked against the kernel and against what a GPU takes."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from .. import _core, targets
from ..arguments import describe, flag, positive_number, shown
from ..errors import UnsupportedError, bad_type, bad_value
from ..words import plural
from .arguments import extent
from .cluster import Extent
from .entry import Entry, Key
from .watch import Progress

STACK_BYTES = 1024
MAX_STEPS = 2 * 10**9  # some ten minutes
FLAGS = ("contract", "check", "strict", "count", "cooperative", "print_output")


def _number(name: str, value: Any, low: int, high: int) -> int:
    if isinstance(value, bool) or not isinstance(value, int | np.integer):
        raise bad_type(name, f"expected an int, got {describe(value)}")
    number = int(value)
    if not low <= number <= high:
        raise bad_value(name, f"expected {low:,} to {high:,}, got {shown(number)}")
    return number


def _block(kernel: Entry, asked: Any) -> Extent:
    block = extent("block", asked, _core.BLOCK_MOST)
    threads = block[0] * block[1] * block[2]
    if threads > _core.BLOCK_THREADS:
        raise bad_value("block", f"expected at most {_core.BLOCK_THREADS:,} threads, got {threads:,}")
    if kernel.required_block is not None and block != kernel.required_block:
        raise bad_value("block", f"expected {kernel.required_block} (.reqntid of the kernel), got {block}")
    if threads > kernel.max_threads:
        raise bad_value(
            "block", f"expected at most {plural(kernel.max_threads, 'thread')} (.maxntid of the kernel), got {threads}"
        )
    return block


def _executor(asked: Any) -> Any:
    if asked is not None and (isinstance(asked, type) or not callable(getattr(asked, "submit", None))):
        raise bad_type("executor", f"expected None or an executor with submit(), got {shown(asked)}")
    return asked


@dataclass(frozen=True)
class Plan:
    """The options of Kernel.__call__, as plain values."""

    grid: Extent
    block: Extent
    args: Sequence[Any]
    shared_bytes: int  # dynamic
    cluster: Any
    cooperative: bool
    blocks: Any
    target: str | None
    contract: bool
    check: bool
    strict: bool
    count: bool
    as_assembled: Any
    on_finding: str
    threads: int
    executor: Executor | None
    order: int
    stack_bytes: int
    max_steps: int
    timeout: float | None
    print_output: bool
    progress: Progress
    simd: int

    @classmethod
    def of(cls, kernel: Entry, options: Mapping[str, Any]) -> Plan:
        """What was asked of a kernel, if it makes sense; the memory and the target have their own say later."""
        asked = cls(**options)
        grid, block = extent("grid", asked.grid, _core.GRID_MOST), _block(kernel, asked.block)
        if not isinstance(asked.on_finding, str) or asked.on_finding not in ("record", "raise"):
            raise bad_value("on_finding", f"expected 'record' or 'raise', got {shown(asked.on_finding)}")
        flags: dict[str, Any] = {name: flag(name, options[name]) for name in FLAGS}
        if flags["strict"] and not flags["check"]:
            raise bad_value("strict", "expected False with check=False, got True: a strict launch is checked")
        if isinstance(asked.as_assembled, np.bool_):
            flags["as_assembled"] = bool(asked.as_assembled)
        steps, stack = asked.max_steps, asked.stack_bytes
        return replace(
            asked,
            grid=grid,
            block=block,
            simd=_number("simd", asked.simd, 0, len(_core.simd_levels())),
            executor=_executor(asked.executor),
            shared_bytes=_number("shared_bytes", asked.shared_bytes, 0, targets.MOST.block_shared_bytes),
            threads=_number("threads", asked.threads, 1, 1024),
            max_steps=MAX_STEPS if steps is None else _number("max_steps", steps, 1, 2**63),
            timeout=None if asked.timeout is None else positive_number("timeout", asked.timeout),
            stack_bytes=STACK_BYTES if stack is None else _number("stack_bytes", stack, 0, 1 << 20),
            order=_number("order", asked.order, 0, 2**63),
            **flags,
        )

    @property
    def raises(self) -> bool:
        """The first error ends the launch."""
        return self.on_finding == "raise"

    def key(self, kernel: Entry) -> Key:
        """What the kernel is decoded for."""
        return kernel.key(self.target, self.simd, self.contract)

    def refuse_registers(self, registers: int) -> None:
        """ValueError if a block of so many threads has no room for the registers that the assembler gave each."""
        threads = math.prod(self.block)
        taken, most = targets.block_registers(threads, registers), _core.BLOCK_REGISTERS
        if taken > most:
            raise bad_value(
                "block",
                f"expected threads whose registers fit into a thread block's {most:,}; got {threads:,} of {registers}"
                f" each, which take {taken:,}: launch fewer, or compile for {threads:,} (__launch_bounds__, .maxntid)",
            )

    def refuse_sizes(self, kernel: Entry, parameters: int) -> None:
        """UnsupportedError for more constants, or parameters of so many bytes, than the assembler takes."""
        constants = kernel.source.const_bytes
        if constants > _core.CONST_BYTES:
            raise UnsupportedError(
                f"{kernel.name}: the .const variables of its module take {constants:,} bytes; a module has at most"
                f" {_core.CONST_BYTES:,} for them: declare the larger ones as .global"
            )
        version = kernel.source.core.version
        most = targets.parameter_bytes(self.key(kernel).target, version)
        if parameters > most:
            later = most < _core.PARAMETER_BYTES
            raise UnsupportedError(
                f"{kernel.name}: its parameters take {parameters:,} bytes; a kernel has at most {most:,} for them"
                f"{' (with PTX 8.1 and sm_70 or later more)' if later else ''}: pass a pointer to what is large"
            )

    def block_shared_bytes(self, kernel: Entry, static: int) -> int:
        """Static and dynamic shared memory of a block, if a GPU of the target has so much."""
        row, dynamic = self.key(kernel).target, self.shared_bytes
        most = targets.limits_of(row).block_shared_bytes
        whose = "a thread block" if row == targets.NO_TARGET else f"a thread block of {_core.TARGETS[row]}"
        if static > _core.STATIC_SHARED_BYTES:
            raise UnsupportedError(
                f"{kernel.name}: its variables of shared memory take {static:,} bytes; a thread block has at most"
                f" {_core.STATIC_SHARED_BYTES:,} for them: take more as dynamic memory (.extern .shared, shared_bytes)"
            )
        if static + dynamic > most:
            beside = f" beside {static:,} static ones" if static else ""
            raise bad_value(
                "shared_bytes", f"expected at most {most - static:,}{beside}, got {dynamic:,}: {whose} has {most:,}"
            )
        return static + dynamic
