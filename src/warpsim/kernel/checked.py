"""What the checks have found, as findings: each pair of lines once, with a count, one example and what to do."""

from __future__ import annotations

from typing import Any

from .. import _engine as engine
from .. import errors
from ..instruction.findings import RULES
from . import stops
from .entry import Entry
from .entry import place as _place
from .memory import Memory
from .stops import Found, KernelFinding, Party, Thread


def _finding(
    kernel: Entry, shape: tuple[Thread, Thread], found: Found, message: str, fix: str,
    near: tuple[str | None, int | None, int | None], also: list[int],
) -> KernelFinding:  # fmt: skip
    id_ = stops.id_of(found.rule)
    grid, threads = shape
    other = None
    if found.other >= 0 and found.rule not in stops.MISSED:
        other = Party(
            stops.thread_of(found.other_block, grid), found.other_thread // 32,
            stops.thread_of(found.other_thread, threads), found.other_is_write, *_place(kernel, found.other),
        )  # fmt: skip
    name, offset, size = near
    return KernelFinding(
        id_,
        RULES[id_].severity,
        message,
        fix,
        stops.thread_of(found.block, grid),
        found.thread // 32,
        tuple(stops.thread_of(found.thread // 32 * 32 + lane, threads) for lane in stops.lanes_of(found.lanes)),
        *_place(kernel, found.statement),
        address=found.address if found.nbytes else None,
        array=name,
        offset=offset,
        array_bytes=size,
        other=other,
        count=found.times,
        also=tuple(kernel._module._core.place(number)[0] for number in also),
    )


#: those that end a launch with on_finding="raise": bit n for WS-RUN-n
ERRORS = sum(
    1 << int(id_[-3:]) for id_, rule in RULES.items() if id_.startswith("WS-RUN-") and rule.severity == "error"
)


def checked(
    kernel: Entry, program: Any, memory: Memory, shape: tuple[Thread, Thread], rows: list[Any], raises: bool
) -> tuple[KernelFinding, ...]:
    """What the checks have found in a launch of that grid and block; raises the first error if asked to."""
    cluster = memory.clusters.extent if memory.clusters is not None and memory.clusters.extent else (1, 1, 1)
    told = engine.told(program, rows, *shape, cluster, memory.names) if rows else []
    findings = tuple(_finding(kernel, shape, Found(*row), *words) for row, *words in told)
    worst = next((one for one in findings if one.severity == "error"), None)
    if raises and worst is not None:
        assert issubclass(worst.error, errors.UndefinedBehaviorError)
        raise worst.error(str(worst), (worst,))
    return findings
