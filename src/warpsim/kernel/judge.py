"""What ended a launch, as a finding or as the error that the caller asked for."""

from __future__ import annotations

from .. import _core, errors
from ..instruction.findings import RULES
from . import stops
from .memory import Setting
from .stops import KernelFinding, Stop


def _finding(setting: Setting, stop: Stop) -> KernelFinding:
    rule = stops.id_of(stop.rule)
    name, offset, size = stop.near
    return KernelFinding(
        rule,
        RULES[rule].severity,
        stop.what + stop.where,
        stop.fix,
        stop.block,
        stop.warp,
        tuple(stops.thread_of(32 * stop.warp + lane, setting.block) for lane in stops.lanes_of(stop.lanes)),
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
    finding = _finding(setting, stop)
    if raises or finding.error is errors.DeadlockError:
        if issubclass(finding.error, errors.UndefinedBehaviorError):
            raise finding.error(str(finding), (finding,))
        raise finding.error(str(finding))
    return (finding,)
