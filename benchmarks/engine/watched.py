"""What counting and checking cost a launch."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import numpy as np

import warpsim as ws
from tests.support.paths import EXAMPLES

from .. import levels
from ..rows import Line
from ..timing import Effort, looped, medians
from .arithmetic import MIX, repeated

WAYS = {"bare": (False, False), "counted": (True, False), "checked": (False, True), "both": (True, True)}


def _gemm(size: int) -> partial[ws.KernelReport]:
    """A product of square f16 matrices on tensor cores, tiles filled by cp.async."""
    kernel = ws.Module(EXAMPLES / "kernels" / "gemm.ptx")["gemm_f16"]
    a, b = np.ones((2, size, size), np.float16)
    return partial(kernel, (size // 64) ** 2, 128, (a, b, np.zeros((size, size), np.float32), size, a.nbytes))


def _mix(times: int) -> partial[ws.KernelReport]:
    return partial(repeated(MIX), 1, 32, [np.zeros(32, np.uint32), times])


def watched(effort: Effort) -> Iterator[Line]:
    """Each launch bare, counted, checked and both, side by side."""
    for name, launch in (("gemm", _gemm(effort.size(256, 64))), ("mix", _mix(effort.size(2000, 2)))):
        cases = {way: looped(partial(launch, count=count, check=check)) for way, (count, check) in WAYS.items()}
        ns = medians(cases, effort)
        for way in list(WAYS)[1:]:
            yield levels.line(f"{name}_{way}", name, levels.best(), ns[way], ns["bare"])
