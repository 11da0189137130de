"""The configurations of an autotuned kernel, each launched once, ranked by how long their busiest pipes are busy."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from ..kernel.report import KernelReport
from ..render import html
from ..render.launch import tuning
from ..report import Report

COUNTERS = ("executed", "wavefronts", "ideal_wavefronts", "bank_conflicts", "sectors", "ideal_sectors")


@dataclass(frozen=True, eq=False)
class Tuned:
    """One configuration: what its launch counted, or in `reason` why it did not run.

    `values`: what the configuration gives the kernel; `name`: the same in words. `cycles`: how long the busiest pipe
    is busy if each statement is a machine instruction (Bounds.estimate), `bound_by` that pipe; `parts` has all pipes;
    `least`: what the launch takes at least (Bounds.cycles). `registers`: of a thread; None where the assembler did not
    run. `blocks_per_sm`: at once, as `limit` allows. `errors`: findings that are errors.
    """

    name: str
    values: Mapping[str, Any]
    reason: str = ""
    report: KernelReport | None = None
    grid: tuple[int, int, int] = (0, 0, 0)
    shared_bytes: int = 0
    registers: int | None = None
    blocks_per_sm: int = 0
    warps_per_sm: int = 0
    limit: str = ""
    cycles: float = 0.0
    bound_by: str = ""
    parts: Mapping[str, float] | None = None
    least: float = 0.0

    @property
    def ok(self) -> bool:
        """It ran, and no finding is an error."""
        return self.report is not None and self.report.ok

    @property
    def counters(self) -> dict[str, int]:
        """Sums over all lines, as Nsight Compute's source page has them; empty for one that did not run."""
        return {name: int(self.report.lines[name].sum()) for name in COUNTERS} if self.report is not None else {}

    @property
    def excess(self) -> int:
        """Wavefronts beyond those that are enough."""
        return self.counters["wavefronts"] - self.counters["ideal_wavefronts"] if self.report is not None else 0

    @property
    def errors(self) -> int:
        """Findings that are errors."""
        found = self.report.findings if self.report is not None else ()
        return sum(finding.severity == "error" for finding in found)

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready."""
        found = () if self.report is None else self.report.findings
        return {
            "name": self.name,
            "values": {name: value if _is_plain(value) else str(value) for name, value in self.values.items()},
            "ok": self.ok,
            "reason": self.reason,
            "grid": list(self.grid),
            **{name: self.counters.get(name, 0) for name in COUNTERS},
            "excess": self.excess,
            "shared_bytes": self.shared_bytes,
            "registers": self.registers,
            "blocks_per_sm": self.blocks_per_sm,
            "warps_per_sm": self.warps_per_sm,
            "limit": self.limit,
            "cycles": self.cycles,
            "bound_by": self.bound_by,
            "parts": dict(self.parts or {}),
            "least": self.least,
            "errors": self.errors,
            "findings": sorted({finding.rule for finding in found}),
        }

    def rank(self) -> tuple[float, ...]:
        """What orders configurations: errors, the cycles, the excess, warps that hide latencies, instructions."""
        executed = self.counters.get("executed", 0)
        return (not self.ok, self.report is None, self.cycles, self.excess, -self.warps_per_sm, executed)


def _is_plain(value: Any) -> bool:
    return value is None or isinstance(value, bool | int | float | str)


@dataclass(frozen=True, eq=False, repr=False)
class Tuning(Report):
    """The configurations of one kernel, the best first; iterates over them.

    They are ranked by `cycles`, how long the busiest pipe of `sms` SMs (`gpu`) is busy, then by excessive wavefronts,
    by the warps that an SM holds, by instructions. Those with errors come later, those that did not run last. They
    are no times: where two are near, measure both.
    """

    kernel: str
    target: str
    gpu: str
    sms: int
    configurations: tuple[Tuned, ...]
    notes: tuple[str, ...] = ()

    @property
    def best(self) -> Tuned | None:
        """The first one, if it ran."""
        first = self.configurations[0] if self.configurations else None
        return first if first is not None and first.report is not None else None

    @property
    def failed(self) -> tuple[Tuned, ...]:
        """Those that did not run; `reason` says why."""
        return tuple(one for one in self.configurations if one.report is None)

    @property
    def ok(self) -> bool:
        """The best one ran without an error."""
        return self.best is not None and self.best.ok

    def __iter__(self) -> Iterator[Tuned]:
        return iter(self.configurations)

    def __len__(self) -> int:
        return len(self.configurations)

    def __getitem__(self, number: int) -> Tuned:
        return self.configurations[number]

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready."""
        return {
            "schema": "warpsim.tuning/1",
            "kernel": self.kernel,
            "target": self.target,
            "gpu": self.gpu,
            "sms": self.sms,
            "best": None if self.best is None else self.best.name,
            "configurations": [one.to_dict() for one in self],
            "notes": list(self.notes),
        }

    def dataframe(self) -> Any:
        """A pandas.DataFrame with a row for each configuration; an ImportError where pandas is not installed."""
        try:
            pandas = import_module("pandas")
        except ImportError as error:
            raise ImportError("needs pandas: pip install pandas") from error
        rows = [one.to_dict() for one in self]
        return pandas.DataFrame([{**row["values"], **{k: v for k, v in row.items() if k != "values"}} for row in rows])

    def __str__(self) -> str:
        return tuning.text(self.to_dict())

    def __repr__(self) -> str:
        best = "none ran" if self.best is None else f"best {self.best.name}"
        return f"<Tuning of {self.kernel}: {len(self)} configurations, {best}>"

    def _title(self) -> str:
        return tuning.title(self.to_dict())

    def _parts(self) -> Sequence[str]:
        return [html.paragraph(tuning.headline(self.to_dict())), *tuning.tables(self.to_dict())]
