"""What a launch may cost: limits of counters by line and in total, as TOML, and which of them a report exceeds."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

from ..arguments import shown
from ..errors import bad_value, why
from ..files import MIB, path_shown, put_text, text, toml
from ..words import is_whole
from .counters import COUNTERS
from .demands import rows_at, rows_that_ran
from .report import KernelReport

TOTAL = "total"
MOST_BYTES = 16 * MIB
SAVED = ("executed", "wavefronts", "sectors")
HEAD = "# What this launch may cost: warpsim run fails when a line or the total takes more.\n"

Limits = dict[str, dict[str, int]]


def _shape(report: KernelReport) -> dict[str, Any]:
    """What must be equal for counts to be comparable."""
    grid, block = list(report.grid), list(report.block)
    return {"kernel": report.kernel, "grid": grid, "block": block, "blocks": len(report.blocks)}


def _place(report: KernelReport, row: Any) -> str:
    """FILE:LINE where the PTX has sources, else its line; the shortest name that means one file only."""
    source, line = int(row["source"]), int(row["source_line"])
    if source < 0:
        return str(int(row["line"]))
    path = PurePosixPath(report.sources[source])
    alike = [name for name in report.sources if PurePosixPath(name).name == path.name]
    return f"{path.name if len(alike) == 1 else path}:{line}"


def _count(report: KernelReport, place: str, counter: str) -> int:
    rows = report.lines if place == TOTAL else report.lines[rows_at(report, place)]
    return int(rows[counter].sum())


def _limit(name: str, value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise bad_value(name, f"expected a number that is not negative, got {shown(value)}")
    return value


@dataclass(frozen=True)
class Budget:
    """Limits: place -> counter -> the most. A place is "total", a line of the PTX, or FILE:LINE of the source.

    `shape`: the launch that they are about, as a file has it; empty for any.
    """

    limits: Limits
    shape: Mapping[str, Any]

    @classmethod
    def of(cls, report: KernelReport) -> Budget:
        """What a launch costs now."""
        if not len(report.lines):
            raise bad_value("report", "nothing was counted; launch with count=True")
        limits: Limits = {TOTAL: {}}
        for place in (TOTAL, *dict.fromkeys(_place(report, row) for row in report.lines)):
            counts = {counter: _count(report, place, counter) for counter in SAVED}
            limits[place] = {counter: count for counter, count in counts.items() if count or place == TOTAL}
        return cls(limits, _shape(report))

    @classmethod
    def from_words(cls, words: Iterable[str], name: str = "max_wavefronts") -> Budget:
        """Of wavefronts: "37=64", "gemm.cu:12=64", "total=4096" or "4096"."""
        limits: Limits = {}
        for word in words:
            place, _, most = word.rpartition("=")
            if not is_whole(most):
                raise bad_value(name, f"expected LINE=N, FILE:LINE=N or N, got {shown(word)}")
            limits[place.strip() or TOTAL] = {"wavefronts": int(most)}
        return cls(limits, {})

    @classmethod
    def from_toml(cls, text: str, name: str = "budget") -> Budget:
        """A file's; an error names the key."""
        try:
            contents = toml(text)
        except (ValueError, RecursionError) as error:
            raise bad_value(name, f"not TOML: {error}") from error
        lines = contents.pop("lines", {})
        tables = {TOTAL: contents.pop(TOTAL, {}), **(lines if isinstance(lines, dict) else {"": lines})}
        limits: Limits = {}
        for place, table in tables.items():
            key = place if place == TOTAL else f"lines.{json.dumps(place)}" if place else "lines"
            if not isinstance(table, dict):
                raise bad_value(f"{name}: {key}", f"expected a table of counters, got {type(table).__name__}")
            for counter, most in table.items():
                if counter not in COUNTERS:
                    raise bad_value(f"{name}: {key}.{counter}", f"expected one of {', '.join(COUNTERS)}")
                limits.setdefault(place, {})[counter] = _limit(f"{name}: {key}.{counter}", most)
        wrong = set(contents) - {"kernel", "grid", "block", "blocks"}
        if wrong:
            raise bad_value(f"{name}: {min(wrong)}", "expected kernel, grid, block, blocks, total or lines")
        return cls(limits, contents)

    def to_toml(self) -> str:
        """The file."""
        text = HEAD + "".join(f"{key} = {json.dumps(value)}\n" for key, value in self.shape.items())
        for place, limits in self.limits.items():
            title = TOTAL if place == TOTAL else f"lines.{json.dumps(place)}"
            text += f"\n[{title}]\n" + "".join(f"{counter} = {most}\n" for counter, most in limits.items())
        return text

    def exceeded(self, report: KernelReport, name: str = "budget") -> list[str]:
        """Each limit that a launch exceeds: where, how much now, how much it may be."""
        if not len(report.lines):
            raise bad_value("report", "nothing was counted; launch with count=True")
        now = _shape(report)
        for key, value in self.shape.items():
            if value != now[key]:
                raise bad_value(
                    f"{name}: {key}", f"it is about {shown(value)}, the launch has {shown(now[key])}; save a new budget"
                )
        found = []
        for place, limits in self.limits.items():
            if place != TOTAL and not self.shape:
                rows_that_ran(report, place, name)  # a place that nothing is at would never fail
            where = "in total" if place == TOTAL else f"line {place}" if is_whole(place) else place
            for counter, most in limits.items():
                count = _count(report, place, counter)
                if count > most:
                    more = f", {count / most:.3g} times as many" if most else ""
                    found.append(f"{where}: {count:,} {_words(counter)}, the budget is {most:,}{more}")
        return found


def _words(counter: str) -> str:
    return {"executed": "warp instructions"}.get(counter, counter.replace("_", " "))


def contents(path: str | Path) -> str:
    """The text of a budget's file."""
    try:
        return text(path, MOST_BYTES)
    except (OSError, ValueError) as error:
        raise bad_value("budget", f"cannot read {path_shown(path)}: {why(error)}") from error


def read(path: str | Path) -> Budget:
    """A budget from a file."""
    return Budget.from_toml(contents(path), f"budget: {path}")


def write(path: str | Path, report: KernelReport) -> None:
    """What a launch costs now becomes its budget."""
    try:
        put_text(path, Budget.of(report).to_toml())
    except (OSError, ValueError) as error:
        raise bad_value("save_budget", f"cannot write {path_shown(path)}: {why(error)}") from error
