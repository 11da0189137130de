"""Lines as a table, as Markdown for docs/explain/speed.md, and as JSON."""

from __future__ import annotations

import datetime
import platform
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

import warpsim as ws

from . import levels, machine
from .rows import LEVELS, ROWS, Line, Row

SCHEMA = "warpsim.benchmarks/1"
HEADINGS = ("what", "level", "unit", "figure", "against", "ratio", "gate", "verdict")


def in_order(lines: Iterable[Line]) -> list[Line]:
    """As the rows stand in their table; cases as they were measured, levels from plain to best."""
    rows = list(ROWS)
    return sorted(
        lines,
        key=lambda line: (rows.index(line.row.key), LEVELS.index(line.level) if line.level in LEVELS else len(LEVELS)),
    )


def number(value: float | None) -> str:
    """Three figures, and no exponent."""
    if value is None:
        return ""
    if value >= 100:
        return f"{value:,.0f}"
    return f"{value:.1f}" if value >= 10 else f"{value:.2f}"


def _bound(row: Row, gate: float) -> str:
    return f"{'>=' if row.at_least else '<='} {gate:g}"


def _cells(line: Line) -> tuple[str, ...]:
    row = line.row
    note = f" ({line.note})" if line.note else ""
    return (
        f"  {line.case}", line.level, row.unit,
        number(line.value), number(line.over), number(line.ratio),
        "" if line.gate is None else _bound(row, line.gate), f"{line.verdict}{note}",
    )  # fmt: skip


def table(lines: Sequence[Line]) -> str:
    """Every line, under the name of its row."""
    cells = [HEADINGS, *map(_cells, lines)]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]

    def laid_out(row: tuple[str, ...]) -> str:
        return "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()

    found = [laid_out(HEADINGS)]
    before = ""
    for line, row in zip(lines, cells[1:], strict=True):
        if line.row.key != before:
            found += ["", f"{line.row.what}, against {line.row.over}"]
            before = line.row.key
        found.append(laid_out(row))
    return "\n".join(found)


def summary(lines: Sequence[Line]) -> str:
    gated = [line for line in lines if line.gate is not None and line.ratio is not None]
    missed = [line for line in gated if line.missed_by > 0]
    failed = [line for line in gated if line.failed]
    return (
        f"{len(gated)} gated figures: {len(gated) - len(missed)} met, {len(missed)} missed, "
        f"{len(failed)} of them by more than 10 %"
    )


def _worst(lines: Sequence[Line]) -> Mapping[str, Line]:
    """The line of each level that has the worst ratio."""
    found: dict[str, Line] = {}
    for line in lines:
        if line.ratio is None or line.value is None:
            continue
        known = found.get(line.level)
        if known is None or known.ratio is None or _is_worse(line, line.ratio, known.ratio):
            found[line.level] = line
    return found


def _is_worse(line: Line, ratio: float, known: float) -> bool:
    return ratio < known if line.row.at_least else ratio > known


def _gates(row: Row) -> str:
    """Levels with one bound share it: ">= 25 sse2"."""
    if len(row.gates) == len(row.levels) == 1:
        return "".join(_bound(row, bound) for bound in row.gates.values())
    by_bound: dict[float, list[str]] = {}
    for level, bound in row.gates.items():
        by_bound.setdefault(bound, []).append(level)
    return ", ".join(f"{_bound(row, bound)} {_named(named)}" for bound, named in by_bound.items())


def _named(named: list[str]) -> str:
    return "SIMD" if tuple(named) == LEVELS[1:] else " ".join(named)


def markdown(lines: Sequence[Line]) -> str:
    """One line for each row with a gate: the worst ratio of each level."""
    found = [
        f"{machine.cpu_name()}, {datetime.date.today().isoformat()}; the worst ratio of each row:",
        "",
        "| what | against | measured | gate |",
        "| --- | --- | --- | --- |",
    ]
    for key, row in ROWS.items():
        of_row = [line for line in lines if line.row.key == key]
        if not row.gates or not of_row:
            continue
        gated = [line for line in of_row if line.gate is not None]
        worst = _worst(gated) if len(row.levels) == 1 else _worst(of_row)
        ratios = ", ".join(f"{level} {number(line.ratio)}".strip() for level, line in worst.items())
        measured = ratios or of_row[0].verdict
        found.append(f"| {row.what} | {row.over} | {measured} | {_gates(row)} |")
    return "\n".join(found)


def document(lines: Sequence[Line]) -> dict[str, Any]:
    """Everything, JSON-ready."""
    return {
        "schema": SCHEMA,
        "date": datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds"),
        "cpu": machine.cpu_name(),
        "cpus": machine.cpus(),
        "caches": machine.caches(),
        "levels": list(levels.available()),
        "versions": {"warpsim": ws.__version__, "python": platform.python_version(), "numpy": np.__version__},
        "lines": [line.to_dict() for line in lines],
    }
