"""What a GPU has beside the SM: how many SMs, their clock, L2 and DRAM.

Source: NVIDIA's data sheets and architecture whitepapers; clocks are boost clocks.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from .architecture import Arch


@dataclass(frozen=True, slots=True)
class Gpu:
    """A product: `l2_bytes` of all its L2, `dram_gb` in 10^9 bytes a second. `assumed`: why it is another's numbers."""

    name: str
    sms: int
    mhz: int
    l2_bytes: int
    dram_gb: float
    assumed: str = ""

    @property
    def dram_bytes_per_cycle(self) -> float:
        """Of the whole GPU, at its boost clock."""
        return self.dram_gb * 1000 / self.mhz


#: number of a target -> product, SMs, MHz, MiB of L2, GB/s of DRAM; the first of a target stands for it
_TABLE: dict[int, tuple[tuple[str, int, int, float, float], ...]] = {
    60: (("Tesla P100", 56, 1480, 4, 732),),
    61: (("Tesla P40", 30, 1531, 3, 346),),
    70: (("V100", 80, 1530, 6, 900),),
    75: (("T4", 40, 1590, 4, 320), ("GeForce RTX 2080 Ti", 68, 1545, 5.5, 616)),
    80: (("A100", 108, 1410, 40, 2039), ("A30", 56, 1440, 24, 933)),
    86: (("A40", 84, 1740, 6, 696), ("A10", 72, 1695, 6, 600), ("GeForce RTX 3090", 82, 1695, 6, 936)),
    87: (("Jetson AGX Orin", 16, 1300, 4, 204.8),),
    89: (("L40S", 142, 2520, 96, 864), ("L4", 58, 2040, 48, 300), ("GeForce RTX 4090", 128, 2520, 72, 1008)),
    90: (("H100", 132, 1980, 50, 3350), ("H200", 132, 1980, 50, 4800)),
    100: (("B200", 148, 1965, 126, 8000),),
    103: (("B300", 148, 1920, 126, 8000),),
    110: (("Jetson Thor", 20, 1575, 32, 273),),
    120: (("RTX PRO 6000", 188, 2617, 128, 1792), ("GeForce RTX 5090", 170, 2407, 96, 1792)),
    121: (("GB10", 48, 2418, 24, 273),),
}


def gpu_of(architecture: Arch) -> Gpu:
    """The product that the target names, or the one that stands for it."""
    number = int(re.sub(r"\D", "", architecture.target))
    rows = _TABLE.get(number, _TABLE[90])
    found = next((row for row in rows if row[0] == architecture.product), rows[0])
    assumed = ""
    if number not in _TABLE:
        assumed = f"no GPU of {architecture.target} is known here: those of {found[0]}"
    elif architecture.product and found[0] != architecture.product:
        assumed = f"{architecture.product} is not known here: SMs, clock, L2 and DRAM are those of {found[0]}"
    return Gpu(found[0], found[1], found[2], int(found[3] * 2**20), found[4], assumed)
