"""A timing beside what the model says of it, and the files of timings."""

import gzip
import json
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tests.support.paths import ROOT

DEVICE = ROOT / "benchmarks" / "device"


@dataclass(frozen=True)
class Case:
    """One comparison; `family` is a row of the documentation's table."""

    family: str
    label: str
    measured: float
    model: float
    law: tuple[str, ...] = ()
    """Kind, space or cache, quantity and warps: the row of evidence_table.h that it is evidence for."""

    @property
    def is_drawn(self) -> bool:
        """Timed after the laws were fixed, and nothing was fitted to it."""
        return self.family.startswith("drawn") or self.family.endswith(", held out")

    @property
    def error(self) -> float:
        """Relative; positive where the model is slower."""
        return self.model / self.measured - 1


def errors(found: list[Case]) -> NDArray[np.float64]:
    """Absolute relative errors."""
    return np.array([abs(case.error) for case in found])


@cache
def device(name: str) -> dict[str, Any]:
    """A file of benchmarks/device."""
    contents: dict[str, Any] = json.loads(gzip.decompress((DEVICE / f"{name}.json.gz").read_bytes()))
    return contents
