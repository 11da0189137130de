"""What is wrong with a launch, as findings or as the error that was asked for: what checks found, what ended it."""

from __future__ import annotations

from .. import _core, errors
from .. import _engine as engine
from .._engine.found import Stop, Told
from ..instruction.findings import RULES
from . import stops
from .memory import Setting
from .stops import KernelFinding, Party


def _finding(setting: Setting, told: Told) -> KernelFinding:
    found = told.found
    id_, grid, threads, place = stops.id_of(found.rule), setting.grid, setting.block, setting.kernel.source.place
    other = None
    if found.other >= 0 and found.rule not in stops.MISSED:
        other = Party(
            stops.thread_of(found.other_block, grid), found.other_thread // 32,
            stops.thread_of(found.other_thread, threads), found.other_is_write, *place(found.other),
        )  # fmt: skip
    name, offset, size = told.near
    return KernelFinding(
        id_,
        RULES[id_].severity,
        told.message,
        told.fix,
        stops.thread_of(found.block, grid),
        found.thread // 32,
        stops.threads_of(found.thread // 32, found.lanes, threads),
        *place(found.statement),
        address=found.address if found.nbytes else None,
        array=name,
        offset=offset,
        array_bytes=size,
        other=other,
        count=found.times,
        also=tuple(place(number).line for number in told.also),
    )


#: those that end a launch with on_finding="raise": bit n for WS-RUN-n
ERRORS = sum(
    1 << int(id_[-3:]) for id_, rule in RULES.items() if id_.startswith("WS-RUN-") and rule.severity == "error"
)


def checked(setting: Setting, rows: bytes, raises: bool) -> tuple[KernelFinding, ...]:
    """What the checks have found in a launch; raises the first error if asked to."""
    extents = setting.grid, setting.block, setting.clusters.each
    told = engine.told(setting.program, rows, *extents, setting.memory.names) if rows else []
    findings = tuple(_finding(setting, one) for one in told)
    worst = next((one for one in findings if one.severity == "error"), None)
    if raises and worst is not None:
        assert issubclass(worst.error, errors.UndefinedBehaviorError)
        raise worst.error(str(worst), (worst,))
    return findings


def _ended(setting: Setting, stop: Stop) -> KernelFinding:
    rule = stops.id_of(stop.rule)
    name, offset, size = stop.near
    return KernelFinding(
        rule,
        RULES[rule].severity,
        stop.what + stop.where,
        stop.fix,
        stop.block,
        stop.warp,
        stops.threads_of(stop.warp, stop.lanes, setting.block),
        *setting.kernel.source.place(stop.statement),
        address=stop.address,
        array=name,
        offset=offset,
        array_bytes=size,
        instruction_rule=_core.RULES[stop.own][0] if stop.own >= 0 else None,
    )


def judged(setting: Setting, stop: Stop | None, raises: bool, max_steps: int) -> tuple[KernelFinding, ...]:
    """What ended the launch, as findings or as the error that the caller asked for."""
    if stop is None:
        return ()
    if stop.rule == stops.STEPS:
        raise errors.StepLimitError(
            f"{setting.kernel.name}: more warp instructions than max_steps allows, {max_steps:,}, in block {stop.block}"
            f"{stop.where}\n  fix: {stop.fix}"
        )
    finding = _ended(setting, stop)
    if raises or finding.error is errors.DeadlockError:
        if issubclass(finding.error, errors.UndefinedBehaviorError):
            raise finding.error(str(finding), (finding,))
        raise finding.error(str(finding))
    return (finding,)
