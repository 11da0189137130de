"""The counters of a launch as a table under Nsight Compute's own names."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterator, Sequence
from typing import Any

#: name of NVIDIA -> how it follows from the sums of a line
METRICS: dict[str, Callable[[dict[str, int]], int | str]] = {
    "inst_executed": lambda sums: sums["executed"],
    "thread_inst_executed_true": lambda sums: sums["threads"],
    "memory_l1_wavefronts_shared": lambda sums: sums["wavefronts"],
    "memory_l1_wavefronts_shared_ideal": lambda sums: sums["ideal_wavefronts"],
    "derived__memory_l1_wavefronts_shared_excessive": lambda sums: _excess(sums, "wavefronts"),
    "derived__memory_l1_conflicts_shared_nway": lambda sums: f"{sums['wavefronts'] / max(1, sums['accesses']):.6g}",
    "memory_l2_theoretical_sectors_global": lambda sums: sums["sectors"],
    "memory_l2_theoretical_sectors_global_ideal": lambda sums: sums["ideal_sectors"],
    "derived__memory_l2_theoretical_sectors_global_excessive": lambda sums: _excess(sums, "sectors"),
}
SUMMED = ("executed", "threads", "wavefronts", "ideal_wavefronts", "sectors", "ideal_sectors")


def _excess(sums: dict[str, int], name: str) -> int:
    return max(0, sums[name] - sums[f"ideal_{name}"])


def _rows(lines: Any, places: Sequence[tuple[int, str, str]]) -> Iterator[list[Any]]:
    """A row for each place (line, text, file) that rows of `lines`, arrays of counters by name, name, in order."""
    sums: dict[tuple[int, str, str], dict[str, int]] = {}
    columns = {name: lines[name].tolist() for name in SUMMED}
    columns["accesses"] = [  # of shared memory
        executed if requests else 0
        for executed, requests in zip(columns["executed"], lines["requests"].tolist(), strict=True)
    ]
    for i, place in enumerate(places):
        into = sums.setdefault(place, dict.fromkeys(columns, 0))
        for name, column in columns.items():
            into[name] += column[i]
    for (line, text, file), found in sums.items():
        yield [line, text, *(metric(found) for metric in METRICS.values()), *([file] if file else [])]


def written(lines: Any, places: Sequence[tuple[int, str, str]]) -> str:
    """The table as CSV: the names, then a row for each line."""
    text = io.StringIO()
    table = csv.writer(text, lineterminator="\n")
    table.writerow(["#", "Source", *METRICS, *(["File"] if any(file for _, _, file in places) else [])])
    table.writerows(_rows(lines, places))
    return text.getvalue()
