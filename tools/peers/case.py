"""One kernel of another package: what runs it, and what its result is compared with."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

import warpsim as ws


@dataclass(frozen=True)
class Case:
    """`run` gives the reports of its launches, the result and what it should be; `bound`: how far they may be apart."""

    package: str
    kernel: str
    reference: str
    run: Callable[[], tuple[Sequence[ws.KernelReport], Any, Any]]
    bound: float = 0.0


@dataclass(frozen=True)
class Row:
    """A case that ran, or in `why` the reason that it did not."""

    case: Case
    blocks: int = 0
    instructions: int = 0
    excess: int = 0
    errors: int = 0
    compared: int = 0
    why: str = ""

    @property
    def ok(self) -> bool:
        """It ran, and its result is right."""
        return not self.why


def ran(case: Case) -> Row:
    """The row of a case."""
    try:
        reports, found, expected = case.run()
        found, expected = np.asarray(found), np.asarray(expected)
        np.testing.assert_allclose(found.astype(np.float64), expected, rtol=case.bound, atol=case.bound)
    except Exception as error:  # of a package that nobody here wrote: it becomes a row
        return Row(case, why=" ".join(f"{type(error).__name__}: {error}".split())[:200])
    lines = [report.lines for report in reports]
    return Row(
        case,
        sum(len(report.blocks) for report in reports),
        sum(report.steps for report in reports),
        sum(int((one["wavefronts"] - one["ideal_wavefronts"]).sum()) for one in lines),
        sum(finding.severity == "error" for report in reports for finding in report.findings),
        int(found.size),
    )
