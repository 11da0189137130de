"""What the pipes of an SM do in a cycle, beside the tensor pipe.

Source: NVIDIA, CUDA C++ Programming Guide, "Throughput of Native Arithmetic Instructions" (results per clock and SM);
whitepapers for L1, the port to L2, and f16 where it is as fast as f32 (GA102, AD102, GB202). Nsight Compute's counters
of the H200 never had more wavefronts of the data pipe than cycles (tests/bounds).
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from .architecture import Arch

WARP = 32
SECTOR_BYTES = 32
LINE_BYTES = 128  # of L1, and of a wavefront: the data path serves one a cycle
L1_SECTORS = 16  # a cycle: four tag banks, a line of four sectors each
L2_BYTES = 64  # a cycle, each way, between an SM and L2

#: number of a target -> results per cycle and SM: f32, f16 (a pair is two), f64, special functions, 32-bit integers
_RESULTS: dict[int, tuple[int, int, int, int, int]] = {
    60: (64, 128, 32, 16, 64), 61: (128, 128, 4, 32, 128), 70: (64, 128, 32, 16, 64), 75: (64, 128, 2, 16, 64),
    80: (64, 256, 32, 16, 64), 86: (128, 128, 2, 16, 64), 87: (128, 256, 2, 16, 64), 89: (128, 128, 2, 16, 64),
    90: (128, 256, 64, 16, 64), 100: (128, 256, 64, 16, 64), 101: (128, 256, 64, 16, 64), 103: (128, 256, 64, 16, 64),
    110: (128, 256, 64, 16, 64), 120: (128, 128, 2, 16, 128), 121: (128, 128, 2, 16, 128),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Throughput:
    """Warp instructions an SM issues per cycle; f16 counts instructions on pairs. `assumed`: why this is a guess."""

    f32: float
    f16: float
    f64: float
    special: float
    integer: float
    assumed: str = ""


def throughput_of(architecture: Arch) -> Throughput:
    """Of the pipes of a target's SM."""
    number = int(re.sub(r"\D", "", architecture.target))
    f32, f16, f64, special, integer = _RESULTS.get(number, _RESULTS[90])
    assumed = "" if number in _RESULTS else f"the rates of {architecture.target} are not published: those of sm_90"
    return Throughput(f32 / WARP, f16 / 2 / WARP, f64 / WARP, special / WARP, integer / WARP, assumed)
