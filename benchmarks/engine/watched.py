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
#: words and registers that the mix reads: sums of what nobody has set would be followed to the end of the loop
FILLED = """st.shared.u32 [%r4], %r1; st.shared.u32 [%r4+128], %r1; bar.sync 0;
mov.b32 %f2, %r1; mov.b32 %f1, %r1; mov.b32 %f6, %r1;"""


def _gemm(depth: int) -> partial[ws.KernelReport]:
    """A product of f16 matrices on tensor cores: C of 256 x 256, A and B that deep."""
    kernel = ws.Module(EXAMPLES / "kernels" / "gemm.ptx")["mma_f16_plain"]
    a, b = np.ones((2, 256, depth), np.float16)
    return partial(kernel, (4, 4), 128, (a, b, np.zeros((256, 256), np.float32), 256, a[0].nbytes))


def _mix(times: int) -> partial[ws.KernelReport]:
    return partial(repeated(MIX, FILLED), 1, 32, [np.zeros(32, np.uint32), times])


def watched(effort: Effort) -> Iterator[Line]:
    """Each launch bare, counted, checked and both, side by side."""
    for name, launch in (("gemm", _gemm(effort.size(1024, 64))), ("mix", _mix(effort.size(2000, 2)))):
        cases = {way: looped(partial(launch, count=count, check=check)) for way, (count, check) in WAYS.items()}
        ns = medians(cases, effort)
        for way in list(WAYS)[1:]:
            line = levels.line(f"watched_{name}", way, levels.best(), ns[way], ns["bare"])
            yield line if way == "both" else levels.without_gate(line)
