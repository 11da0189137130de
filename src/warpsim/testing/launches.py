"""Assertions about launches of kernels."""

from __future__ import annotations

from collections.abc import Iterable

from ..arguments import describe, each_of
from ..errors import bad_type
from ..kernel import demands
from ..kernel.report import KernelReport


def _report(value: object) -> KernelReport:
    if not isinstance(value, KernelReport):
        raise bad_type("report", f"expected a KernelReport, got {describe(value)}")
    return value


def refuse(report: KernelReport, what: str, sentences: list[str]) -> None:
    """AssertionError with all sentences, if there are any."""
    if sentences:
        raise AssertionError("\n".join([f"{report.kernel} has {what}", *sentences]).replace("\n", "\n  "))


def launch_conflict_free(report: KernelReport, lines: Iterable[int | str] | int | str | None = None) -> None:
    """What assert_conflict_free does with a report."""
    places = [lines] if isinstance(lines, int | str) else None if lines is None else each_of("lines", lines)
    refuse(report, demands.FAILS["conflicts"][0], demands.conflicts(report, places))


def assert_no_races(report: KernelReport) -> None:
    """None if the checks of a launch found no race (in shared or global memory, with a copy in flight, between lanes).

    Several threads that write one value to one place are not counted. A report of a launch with check=False is
    ValueError. The message has both accesses of each race and what to put where.
    """
    refuse(_report(report), demands.FAILS["races"][0], demands.FAILS["races"][1](report))


def assert_initialized(report: KernelReport) -> None:
    """None if the launch used no byte that nobody had written; a read whose value is not used is not counted."""
    refuse(_report(report), demands.FAILS["uninitialized"][0], demands.FAILS["uninitialized"][1](report))


def assert_no_findings(report: KernelReport, *, severity: str = "warning") -> None:
    """None if the launch has no finding of this severity or worse: "error", "warning" or "note"."""
    refuse(_report(report), "findings", demands.findings(report, severity))
