"""What a test suite asks of a launch: each question answered by the sentences that say what is wrong."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import PurePosixPath

import numpy as np

from ..arguments import shown
from ..errors import bad_value
from ..words import enough, is_whole, plural
from . import stops
from .report import KernelReport
from .stops import KernelFinding

(CONFLICTS,) = stops.ids("CONFLICTS")
#: rules of findings by what a user calls them; notes do not count
TOPICS = {"races": stops.ids("RACE WARP_RACE ARRAY_RACE IN_FLIGHT CLASH"), "uninitialized": stops.ids("UNWRITTEN")}
SEVERITIES = ("error", "warning", "note")  # the worst first


def rows_at(report: KernelReport, place: int | str, name: str = "lines") -> np.ndarray:
    """Which rows of report.lines a place means: a line of the PTX, or FILE:LINE of the source."""
    text = str(place)
    file, colon, line = text.rpartition(":")
    if not is_whole(line) or (colon and not file):
        raise bad_value(name, f"expected a line of the PTX or FILE:LINE of the source, got {shown(place)}")
    if not file:
        return np.flatnonzero(report.lines["line"] == int(line))
    wanted = PurePosixPath(file)
    sources = [i for i, name in enumerate(report.sources) if name == file or PurePosixPath(name).match(str(wanted))]
    return np.flatnonzero(np.isin(report.lines["source"], sources) & (report.lines["source_line"] == int(line)))


def rows_that_ran(report: KernelReport, place: int | str, name: str = "lines") -> np.ndarray:
    """The rows at a place; ValueError if no statement there ran."""
    rows = rows_at(report, place, name)
    if not len(rows):
        raise bad_value(name, f"no statement at {place} ran in {report.kernel}; report.lines has those that did")
    return rows


def place_of(report: KernelReport, row: int) -> str:
    """A row in words: "line 37: ld.shared.f32 (transpose.cu:12)"."""
    line, _, source, source_line, opcode = report.lines[row].item()[:5]
    where = f" ({PurePosixPath(report.sources[source]).name}:{source_line})" if source >= 0 else ""
    return f"line {line}: {opcode.decode()}{where}"


def _counted(report: KernelReport) -> None:
    if not len(report.lines):
        raise bad_value("report", "nothing was counted; launch with count=True")


def _checked(report: KernelReport) -> None:
    if not report.is_checked:
        raise bad_value("report", "nothing was checked; launch with check=True")


def conflicts(report: KernelReport, lines: Iterable[int | str] | None = None) -> list[str]:
    """Each statement with bank conflicts, its wavefronts against those that are enough, and what frees it."""
    _counted(report)
    chosen = np.arange(len(report.lines))
    if lines is not None:
        chosen = np.unique(np.concatenate([rows_that_ran(report, place) for place in lines] or [chosen[:0]]))
    found = []
    notes = [one for one in report.findings if one.rule == CONFLICTS]
    remedies = {line: one.fix for one in notes for line in (one.line, *one.also)}
    for row in chosen[report.lines["bank_conflicts"][chosen] > 0].tolist():
        line = report.lines[row]
        fix = remedies.get(int(line["line"]))
        found.append(
            f"{place_of(report, row)}: {plural(line['wavefronts'], 'wavefront')}, {enough(line['ideal_wavefronts'])}"
            f" ({plural(line['bank_conflicts'], 'bank conflict')})" + (f"\n  fix: {fix}" if fix else "")
        )
    return found


def _of(report: KernelReport, keep: Callable[[KernelFinding], bool], notes: bool = False) -> list[str]:
    _checked(report)
    found = report.findings if notes else report.judged
    return [str(finding) for finding in found if keep(finding)]


def of_topic(report: KernelReport, topic: str) -> list[str]:
    """Errors and warnings of one topic."""
    return _of(report, lambda one: one.rule in TOPICS[topic] and one.severity != "note")


def findings(report: KernelReport, severity: str = "warning") -> list[str]:
    """Findings of this severity and worse."""
    if not isinstance(severity, str) or severity not in SEVERITIES:
        raise bad_value("severity", f"expected one of {', '.join(SEVERITIES)}, got {shown(severity)}")
    return _of(report, lambda one: SEVERITIES.index(one.severity) <= SEVERITIES.index(severity), severity == "note")


#: what a launch can be failed on, besides errors: the words of --fail-on
FAILS: dict[str, tuple[str, Callable[[KernelReport], list[str]]]] = {
    "conflicts": ("bank conflicts", conflicts),
    "races": ("races", lambda report: of_topic(report, "races")),
    "uninitialized": ("uses of uninitialised memory", lambda report: of_topic(report, "uninitialized")),
    "warnings": ("warnings", findings),
    "notes": ("findings", lambda report: findings(report, "note")),
}
