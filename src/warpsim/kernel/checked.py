"""What the checks have found, as findings: each pair of lines once, with a count, one example and what to do."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .. import _engine as engine
from .. import errors
from ..instruction.findings import RULES
from . import stops
from .memory import Setting
from .stops import Found, KernelFinding, Party


def _finding(
    setting: Setting, found: Found, message: str, fix: str, near: tuple[str | None, int | None, int | None],
    also: list[int],
) -> KernelFinding:  # fmt: skip
    id_, grid, threads, place = stops.id_of(found.rule), setting.grid, setting.block, setting.kernel.source.place
    other = None
    if found.other >= 0 and found.rule not in stops.MISSED:
        other = Party(
            stops.thread_of(found.other_block, grid), found.other_thread // 32,
            stops.thread_of(found.other_thread, threads), found.other_is_write, *place(found.other),
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
        *place(found.statement),
        address=found.address if found.nbytes else None,
        array=name,
        offset=offset,
        array_bytes=size,
        other=other,
        count=found.times,
        also=tuple(place(number).line for number in also),
    )


#: those that end a launch with on_finding="raise": bit n for WS-RUN-n
ERRORS = sum(
    1 << int(id_[-3:]) for id_, rule in RULES.items() if id_.startswith("WS-RUN-") and rule.severity == "error"
)


def _told(setting: Setting, rows: Sequence[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
    extents = setting.grid, setting.block, setting.clusters.each
    return engine.told(setting.program, list(rows), *extents, setting.memory.names) if rows else []


def checked(setting: Setting, rows: Sequence[tuple[Any, ...]], raises: bool) -> tuple[KernelFinding, ...]:
    """What the checks have found in a launch; raises the first error if asked to."""
    findings = tuple(_finding(setting, Found(*row), *words) for row, *words in _told(setting, rows))
    worst = next((one for one in findings if one.severity == "error"), None)
    if raises and worst is not None:
        assert issubclass(worst.error, errors.UndefinedBehaviorError)
        raise worst.error(str(worst), (worst,))
    return findings
