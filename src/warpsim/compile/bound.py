"""What a launch takes at least: the cycles of the part of an SM that is busy longest.

An SM issues an instruction for each of its sub-partitions a cycle, serves one wavefront of shared memory, takes 64
bytes of global memory (two sectors) from L2, and multiplies at its peak. Blocks are dealt to the SMs evenly, so that
the busiest has the next whole number of them. What waits for what is not known here: a launch takes longer than this,
and far longer where few warps hide its latencies.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from ..errors import WarpsimError
from ..instruction.kinds import parse
from ..instruction.products import Product
from ..kernel.report import KernelReport
from ..time.architecture import Arch
from ..time.tensor_rates import TYPES

#: SMs of the largest GPU of a target that is sold: NVIDIA's data sheets
SMS = {
    70: (80, "V100"), 75: (40, "T4"), 80: (108, "A100"), 86: (84, "A40"), 87: (16, "Jetson AGX Orin"),
    89: (142, "L40S"), 90: (132, "H100"), 100: (148, "B200"), 103: (148, "B300"), 120: (188, "RTX PRO 6000"),
    121: (48, "GB10"),
}  # fmt: skip
SECTORS_A_CYCLE = 2  # 64 bytes from L2


@dataclass(frozen=True, slots=True)
class Bound:
    """Cycles of the busiest SM, and which part of it takes them; `parts`: those of each part."""

    cycles: float
    by: str
    parts: Mapping[str, float]


def sms_of(target: str) -> tuple[int, str]:
    """SMs of a GPU of the target, and its name; those of an H100 where the target has none here."""
    return SMS.get(int(re.sub(r"\D", "", target)), SMS[90])


def _multiplied(report: KernelReport) -> float:
    """Multiply-adds of products of a launch, those of slower types as several of f16."""
    total = 0.0
    for opcode, executed in report.instructions.items():
        if not opcode.startswith(("mma.", "wmma.mma.")):
            continue
        try:
            product = parse(opcode)
        except (WarpsimError, ValueError):
            continue
        if isinstance(product, Product):
            m, n, k = map(int, re.findall(r"\d+", str(product.shape)))
            rate = TYPES[product.a].rate if product.a in TYPES else 1.0
            total += executed * m * n * k / rate
    return total


def bound(report: KernelReport, architecture: Arch, sms: int) -> Bound:
    """Of a launch, of which a part may have run."""
    constants = architecture.constants
    totals = {name: float(report.lines[name].sum()) for name in ("executed", "wavefronts", "sectors")}
    taken = {
        "issue": (totals["executed"] or report.steps) / constants["sub_partitions"].value,
        "shared memory": totals["wavefronts"],
        "global memory": totals["sectors"] / SECTORS_A_CYCLE,
        "products": _multiplied(report) / constants["dense_fma"].value,
    }
    ran = len(report.blocks)
    x, y, z = report.grid
    share = -(-x * y * z // sms) / ran if ran else 0.0  # blocks of the busiest SM, of those that ran
    parts = {name: cycles * share for name, cycles in taken.items()}
    by = max(parts, key=lambda name: parts[name])
    return Bound(parts[by], by, parts)
