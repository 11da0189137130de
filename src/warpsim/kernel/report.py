"""What a launch reports."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ..pickling import Kept
from ..render.text import wrapped
from .stops import KernelFinding


@dataclass(frozen=True)
class KernelReport(Kept):
    """One launch: what ran, what it printed, what is wrong.

    `blocks` are the linear indices of the thread blocks that ran, `scale` how many the grid has for each of them;
    `steps` counts warp instructions. `inexact` names what ran without an exact rule.
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
    inexact: tuple[str, ...] = ()

    @property
    def ok(self) -> bool:
        """No finding is an error."""
        return not any(finding.severity == "error" for finding in self.findings)

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
        }

    def __str__(self) -> str:
        total = self.grid[0] * self.grid[1] * self.grid[2]
        ran = f"all {total:,}" if len(self.blocks) == total else f"{len(self.blocks):,} of {total:,}"
        lines = [
            f"{self.kernel}: grid {_extent(self.grid)}, block {_extent(self.block)}, {self.target}",
            f"{'1 thread block' if total == 1 else f'{ran} thread blocks'} ran, {self.steps:,} warp instructions",
        ]
        if self.inexact:
            lines.append("not exact: " + ", ".join(self.inexact))
        lines += [str(finding) for finding in self.findings] or ["no findings"]
        return "\n".join(_wrapped(line) for text in lines for line in text.split("\n"))


def _wrapped(line: str) -> str:
    words = line.lstrip()
    return wrapped(words, line[: len(line) - len(words)])


def _extent(extent: tuple[int, int, int]) -> str:
    return "x".join(str(n) for n in extent)
