"""What is wrong with a launch, as findings or as the error that was asked for: what checks found, what ended it."""

from __future__ import annotations

from functools import partial

from .. import _core, errors
from .. import _engine as engine
from .._engine.found import Stop, Told
from ..instruction.findings import RULES
from ..threads.patience import interruptible
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
        also=tuple(told.also),
    )


#: findings, and the error to raise after the report is made
Judgement = tuple[tuple[KernelFinding, ...], errors.WarpsimError | None]

#: those that end a launch with on_finding="raise": bit n for WS-RUN-n
ERRORS = sum(
    1 << int(id_[-3:]) for id_, rule in RULES.items() if id_.startswith("WS-RUN-") and rule.severity == "error"
)


def checked(setting: Setting, rows: bytes, raises: bool, counted: bytes | None, is_whole: bool) -> Judgement:
    """What the checks have found in a launch, and the first error if it is asked for.

    `counted`: of each step, if they were; `is_whole`: no block was ended early.
    """
    extents = setting.grid, setting.block, setting.clusters.each
    tell = partial(engine.told, setting.program, rows, *extents, setting.names, counted, is_whole)
    told = interruptible(tell) if rows else []  # it searches the text for remedies
    findings = tuple(_finding(setting, one) for one in told)
    worst = next((one for one in findings if one.severity == "error"), None)
    if not raises or worst is None:
        return findings, None
    assert issubclass(worst.error, errors.UndefinedBehaviorError)
    return findings, worst.error(str(worst), (worst,))


def _ended(setting: Setting, stop: Stop) -> KernelFinding:
    rule, place = stops.id_of(stop.rule), setting.kernel.source.place
    name, offset, size = stop.near
    other = None
    if stop.other >= 0:
        thread = stops.thread_of(32 * stop.other_warp, setting.block)
        other = Party(stop.block, stop.other_warp, thread, False, *place(stop.other))
    return KernelFinding(
        rule,
        RULES[rule].severity,
        stop.what + stop.where,
        stop.fix,
        stop.block,
        stop.warp,
        stops.threads_of(stop.warp, stop.lanes, setting.block),
        *place(stop.statement),
        other=other,
        address=stop.address,
        array=name,
        offset=offset,
        array_bytes=size,
        instruction_rule=_core.RULES[stop.own][0] if stop.own >= 0 else None,
    )


def judged(setting: Setting, stop: Stop | None, raises: bool, limit: str) -> Judgement:
    """What ended the launch, and the error that it is or that the caller asked for."""
    if stop is None:
        return (), None
    if "timeout" in limit:
        stop = stop._replace(fix=stop.fix.replace("max_steps", "timeout"))
    if stop.rule == stops.STEPS:
        stop = stop._replace(what=limit + "".join(stop.what.partition(";")[1:]))
    finding = _ended(setting, stop)
    if stop.rule == stops.STEPS:
        return (finding,), errors.StepLimitError(
            f"{setting.kernel.name}: {limit}, in block {stop.block}{stop.where}\n  fix: {stop.fix}"
        )
    if not raises and finding.error is not errors.DeadlockError:
        return (finding,), None
    if issubclass(finding.error, errors.UndefinedBehaviorError):
        return (finding,), finding.error(str(finding), (finding,))
    return (finding,), finding.error(str(finding))
