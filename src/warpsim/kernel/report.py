"""What a launch reports."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from .._core import Traffic
from ..render import html
from ..render.text import wrapped
from ..report import Report
from . import counters
from .stops import KernelFinding


@dataclass(frozen=True, eq=False, repr=False)
class KernelReport(Report):
    """One launch: what ran, what it printed, what is wrong.

    `blocks` are the linear indices of the thread blocks that ran, `scale` how many the grid has for each of them;
    `steps` counts warp instructions (with count=False those of the engine, a few more). `lines` has a row for each
    statement that ran (structured: line, column, source, source_line, opcode and counters of Nsight Compute's source
    page), `sources` the names that its `source` counts. `inexact` names the instructions that ran without an exact
    rule: results may differ from the GPU's within the bounds that the documentation states. `notes` says what else to
    know; `is_checked` is False after a launch with check=False.
    """

    kernel: str
    grid: tuple[int, int, int]
    block: tuple[int, int, int]
    target: str
    blocks: tuple[int, ...]
    scale: float
    steps: int
    output: str
    findings: tuple[KernelFinding, ...]
    lines: np.ndarray
    sources: tuple[str, ...]
    inexact: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    is_checked: bool = True

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, KernelReport):
            return NotImplemented
        same = self.to_dict() == other.to_dict() and self.sources == other.sources
        return same and self.lines.dtype == other.lines.dtype and bool(np.array_equal(self.lines, other.lines))

    __hash__ = None  # type: ignore[assignment]

    @property
    def ok(self) -> bool:
        """No finding is an error."""
        return not any(finding.severity == "error" for finding in self.findings)

    @property
    def traffic(self) -> Traffic:
        """The sum over all lines."""
        return counters.traffic_of(self.lines)

    @property
    def shared(self) -> dict[str, dict[str, int]]:
        """Nsight Compute's table of shared memory: a row for each kind of access that ran."""
        return counters.shared_of(self.lines)

    @property
    def instructions(self) -> dict[str, int]:
        """How often each opcode was executed by a warp, the most frequent first."""
        opcodes, of_line = np.unique(self.lines["opcode"], return_inverse=True)
        counts = np.zeros(len(opcodes), np.int64)
        np.add.at(counts, of_line, self.lines["executed"])
        order = np.argsort(-counts, kind="stable")
        return {opcodes[i].decode(): int(counts[i]) for i in order}

    def by_source(self) -> np.ndarray:
        """Counters by source file and line, where the PTX says it (.loc): structured, like `lines`."""
        return counters.by_source(self.lines)

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready."""
        return {
            "schema": "warpsim.kernel/1",
            "kernel": self.kernel,
            "grid": list(self.grid),
            "block": list(self.block),
            "target": self.target,
            "blocks": list(self.blocks),
            "scale": self.scale,
            "steps": self.steps,
            "output": self.output,
            "findings": [finding.to_dict() for finding in self.findings],
            "inexact": list(self.inexact),
            "instructions": dict(self.instructions),
            "notes": list(self.notes),
        }

    def _launch(self) -> str:
        return f"{self.kernel}: grid {_extent(self.grid)}, block {_extent(self.block)}, {self.target}"

    def _ran(self) -> str:
        total = self.grid[0] * self.grid[1] * self.grid[2]
        ran = f"all {total:,}" if len(self.blocks) == total else f"{len(self.blocks):,} of {total:,}"
        return f"{'1 thread block' if total == 1 else f'{ran} thread blocks'} ran, {self.steps:,} warp instructions"

    def _remarks(self) -> list[str]:
        return [*(["not exact: " + ", ".join(self.inexact)] if self.inexact else []), *self.notes]

    def __str__(self) -> str:
        lines = [self._launch(), self._ran(), *self._remarks()]
        lines += [str(finding) for finding in self.findings] or ["no findings"]
        return "\n".join(_wrapped(line) for text in lines for line in text.split("\n"))

    def __repr__(self) -> str:
        count = len(self.findings)
        found = f"{count} finding{'' if count == 1 else 's'}"
        return (
            f"<KernelReport of {self.kernel}: {len(self.blocks):,} blocks, {self.steps:,} warp instructions, {found}>"
        )

    def _title(self) -> str:
        return self._launch()

    def _parts(self) -> Sequence[str]:
        rows = [(opcode, f"{count:,}") for opcode, count in self.instructions.items()]
        return [
            html.paragraph(f"{self._ran()}."),
            html.items(self._remarks()),
            *(
                html.finding(
                    one.severity, one.rule, f"line {one.line}", [html.paragraph(one.message), html.items([one.fix])]
                )
                for one in self.findings
            ),
            html.paragraph("no findings") if not self.findings else "",
            html.table(("opcode", "warp instructions"), rows, "Warp instructions by opcode") if rows else "",
            html.preformatted(self.output) if self.output else "",
        ]


def _wrapped(line: str) -> str:
    words = line.lstrip()
    return wrapped(words, line[: len(line) - len(words)])


def _extent(extent: tuple[int, int, int]) -> str:
    return "x".join(str(n) for n in extent)
