"""What instructions and straight-line programs cost in time, from their counters.

Cycle-approximate: every part is a mechanism with a name (docs/explain/cost.md), every constant has
a source (ws.arch), every error is against measurement.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .. import _core, arguments
from ..errors import bad_type, bad_value
from ..memory.access import Access
from ..render import cycle_bars, cycles
from ..report import Explorable, Report
from ..targets import USUAL_TARGET
from ..words import suggesting
from .architecture import Arch, profile_of, resolve

MOST_WARPS = _core.TILE_MOST_WARPS
MOST_STEPS = 1 << 20


#: counters (n, 6) and passes (n, 6) of n issues
InTime = tuple[NDArray[np.int64], NDArray[np.float64]]


#: the source where every constant was measured, but no such access
NEVER_TIMED = "never timed; the laws are those of accesses that were"


def source_of(architecture: Arch, error: float | None, evidence: str) -> str:
    """What an error rests on; the constants where nobody measured one."""
    if error is not None:
        return evidence
    constants = architecture.sources()
    return f"constants: {constants}" if constants else NEVER_TIMED


@dataclass(frozen=True, slots=True)
class Cost(Explorable):
    """What one instruction costs on an SM, in cycles of its clock.

    `latency`: from its issue to the issue of a dependent instruction. `interval`: per instruction
    of one SM when `warps` warps, dealt evenly to its sub-partitions, repeat it without end;
    `bound`: what limits that ("data pipe", "sub-partition", "warp", "global bytes").
    `breakdown`: the interval that each of these would allow alone, and "latency", the part of the
    latency that does not depend on wavefronts. `latency_error`, `interval_error`: relative, 95 % of
    the measured cases are nearer; None: such an access was never timed on this target. `error`: the
    larger of the two, None if one is. `source`: where the errors or the constants come from. `where`:
    the addresses, in words. `traffic`: the counters of one instruction. `remedy`: a layout that costs less, if
    one was looked for.
    """

    latency: float
    interval: float
    bound: str
    breakdown: dict[str, float] = field(hash=False)
    error: float | None
    source: str
    ptx: str
    warps: int
    target: str
    latency_error: float | None = None
    interval_error: float | None = None
    where: str = ""
    traffic: dict[str, int] | None = field(default=None, hash=False)
    remedy: dict[str, Any] | None = field(default=None, hash=False)
    _access: Access | None = field(default=None, repr=False, compare=False)

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready."""
        names = (name for name in self.__slots__ if not name.startswith("_"))
        return {"schema": "warpsim.cost/1", **{name: getattr(self, name) for name in names}}

    def svg(self) -> str:
        """Bars: the interval that each part allows, and the latency."""
        return cycle_bars.cost(self.to_dict())

    def _title(self) -> str:
        return f"Cost of {self.ptx}"

    def _parts(self) -> Sequence[str]:
        contents = self.to_dict()
        return cycles.html_parts(contents, cycles.cost_facts(contents), self.svg(), str(self))

    def __str__(self) -> str:
        return cycles.cost(self.to_dict())


@dataclass(frozen=True, slots=True)
class ProgramCost(Report):
    """What a straight-line program costs: `cycles` from the first issue to the last result.

    cycles = latency + start + the largest of (data pipe + drain), sub-partition and warp, all in
    `breakdown`; `bound` names that largest one, or "latency". `wavefronts`: of the data pipe, all
    warps. `error`, `source`: see Cost.
    """

    cycles: float
    bound: str
    breakdown: dict[str, float] = field(hash=False)
    wavefronts: float
    error: float | None
    source: str
    warps: int
    target: str

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready."""
        fields = {name: getattr(self, name) for name in self.__slots__}
        return {"schema": "warpsim.program_cost/1", **fields}

    def svg(self) -> str:
        """Bars: start, the parts and latency, one after another."""
        return cycle_bars.program_cost(self.to_dict())

    def _title(self) -> str:
        return "Cost of a straight-line program"

    def _parts(self) -> Sequence[str]:
        contents = self.to_dict()
        return cycles.html_parts(contents, cycles.program_facts(contents), self.svg(), str(self))

    def __str__(self) -> str:
        return cycles.program_cost(self.to_dict())


def warp_count(warps: int) -> int:
    """The argument: 1 to 64 warps, the most that an SM can hold."""
    count = arguments.whole("warps", warps)
    if count > MOST_WARPS:
        given = arguments.shown(count)
        raise bad_value("warps", f"expected 1 to {MOST_WARPS}, the warps of an SM; got {given}")
    return arguments.positive_int("warps", count)


def of_instruction(
    op: _core.Op, asked: InTime, target: str | Arch, warps: int, access: Access | None = None, where: str = ""
) -> Cost:
    """The Cost of an instruction from the counters and passes of one warp; `where`: its addresses in words."""
    architecture, count = resolve(target), warp_count(warps)
    counters, passes = asked
    latency, interval, bound, breakdown, of_latency, of_interval = _core.cost(
        op, counters.reshape(-1), passes.reshape(-1), profile_of(architecture), count
    )
    latency_error, interval_error = of_latency[0], of_interval[0]
    error = None if latency_error is None or interval_error is None else max(latency_error, interval_error)
    source = source_of(architecture, None, "")
    if latency_error is not None or interval_error is not None:
        source = f"latency: {of_latency[1] or NEVER_TIMED}; interval: {of_interval[1] or NEVER_TIMED}"
    return Cost(
        latency, interval, bound, breakdown, error, source, op.ptx, count, architecture.target, latency_error,
        interval_error, where or ("" if access is None else access.words()),
        dict(zip(_core.COUNTERS, counters.reshape(-1).tolist(), strict=True)), None, access,
    )  # fmt: skip


#: counters and passes (n, 6) of the warps of an instruction: called with it, addresses, stride, target
_countings: list[Callable[[_core.Op, Any, Any, str], InTime]] = []


def register_counting(count: Callable[[_core.Op, Any, Any, str], InTime]) -> None:
    """Instructions say how they are counted; costs know nothing of calls."""
    _countings[:] = [count]


def access_of(report: Cost) -> Access | None:
    """What the report was asked; None for what version 0.1.0 pickled."""
    return report._access


def _step(step: object, index: int, warps: int, target: str) -> tuple[Any, InTime]:
    """The instruction of a step, its counters and its passes (warps, 6)."""
    parts = tuple(step) if isinstance(step, tuple | list) else ()
    if not 2 <= len(parts) <= 3:
        raise TypeError(f"steps[{index}]: expected (op, address) or (op, address, stride), got {arguments.shown(step)}")
    if not isinstance(parts[0], _core.Op):
        given = arguments.describe(parts[0])
        hint = "; ws.parse makes it of PTX text" if isinstance(parts[0], str) else ""
        raise TypeError(f"steps[{index}]: expected (op, address) with an Instruction as op, got {given}{hint}")
    op: Any = parts[0]
    name = f"steps[{index}]"
    if op.kind == "movmatrix":
        return op, _of_all(_countings[0](op, None, None, target), warps)
    address = arguments.integers(name, parts[1])
    shape = address.shape
    lanes = shape[-1:] in ((), (1,), (arguments.LANES,)) if op.is_wmma else shape[-1:] == (32,)
    if not lanes or len(shape) > 2 or (len(shape) == 2 and shape[0] != warps):
        raise bad_value(name, f"expected addresses (32,) or ({warps}, 32) for {op.ptx}, got shape {shape}")
    stride = parts[2] if len(parts) == 3 else None
    return op, _of_all(_countings[0](op, address, stride, target), warps)


def _of_all(asked: InTime, warps: int) -> InTime:
    counters, passes = asked
    return np.broadcast_to(counters, (warps, counters.shape[-1])), np.broadcast_to(passes, (warps, passes.shape[-1]))


@suggesting
def cost(
    steps: Sequence[tuple[_core.Op, ArrayLike] | tuple[_core.Op, ArrayLike, ArrayLike]],
    *,
    warps: int = 1,
    target: str | Arch = USUAL_TARGET,
) -> ProgramCost:
    """What `warps` warps need that run the steps in order, back to back.

    `steps`: (op, address) or (op, address, stride); address (32,) for all warps or (warps, 32).
    Nothing else is in flight on the SM; a load cannot pass a store of its warp. Source: bursts and
    tiles timed on an H200.

    >>> import warpsim as ws
    >>> x4 = ws.Ldmatrix(num=4)
    >>> rows = ws.Layout(32, 16, "f16", pad=8).addresses(x4)
    >>> ws.cost([(x4, rows), (x4, rows)], warps=4).breakdown["data pipe"]
    32.0
    """
    architecture, count = resolve(target), warp_count(warps)
    if not isinstance(steps, Sequence) or isinstance(steps, str):
        raise bad_type("steps", f"expected a list of (op, address), got {type(steps).__name__}")
    steps = arguments.several("steps", steps, MOST_STEPS)
    if not steps:
        raise bad_value("steps", "expected at least one (op, address)")
    found = [_step(step, i, count, architecture.target) for i, step in enumerate(steps)]
    counters, passes = (
        np.ascontiguousarray(np.stack(kind, axis=1)) for kind in zip(*(a for _, a in found), strict=True)
    )
    cycles, wavefronts, bound, breakdown, error, evidence = _core.program_cost(
        [op for op, _ in found], counters, passes, profile_of(architecture)
    )
    source = source_of(architecture, error, evidence)
    return ProgramCost(cycles, bound, breakdown, wavefronts, error, source, count, architecture.target)
