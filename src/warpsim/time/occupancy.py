"""How many blocks an SM holds at once, and what limits them.

Source: "Technical Specifications per Compute Capability" of the CUDA programming guide, and NVIDIA's cuda_occupancy.h.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from .. import _core, arguments, targets
from ..errors import bad_value
from ..render import cycles, html
from ..report import Report
from ..targets import USUAL_TARGET

REGISTERS, MOST_BYTES = _core.BLOCK_REGISTERS, 2**24


@dataclass(frozen=True, slots=True)
class Occupancy(Report):
    """Blocks of one kernel on one SM.

    `blocks`: at once; 0 where not even one fits. `limit`: the first of `limits` that allows no more;
    `limits`: the blocks that "shared memory", "registers", "threads" and "blocks" would each allow.
    `warps`: on the SM, of at most `most_warps`.
    """

    blocks: int
    limit: str
    limits: dict[str, int] = field(hash=False)
    warps: int
    most_warps: int
    threads: int
    registers: int
    shared_bytes: int
    target: str

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready."""
        return {"schema": "warpsim.occupancy/1", **{name: getattr(self, name) for name in self.__slots__}}

    def _title(self) -> str:
        return f"Blocks of {self.threads} threads on an SM of {self.target}"

    def _parts(self) -> Sequence[str]:
        rows = [(name, str(blocks)) for name, blocks in self.limits.items()]
        return [html.paragraph(str(self)), html.table(("limit", "blocks"), rows, "what each limit allows")]

    def __str__(self) -> str:
        return cycles.occupancy(self.to_dict())


def occupancy(threads: int, registers: int = 32, shared_bytes: int = 0, *, target: str = USUAL_TARGET) -> Occupancy:
    """How many blocks of `threads` threads an SM of the target holds at once.

    `registers`: of a thread, as ptxas -v prints them. `shared_bytes`: of a block, static and dynamic.

    >>> import warpsim as ws
    >>> print(ws.occupancy(128, 168, 98304, target="h100"))
    2 blocks an SM, limited by shared memory (3 by registers, 16 by threads, 32 by blocks); 8 of 64 warps
    """
    threads, registers = arguments.whole("threads", threads), arguments.whole("registers", registers)
    shared_bytes = arguments.whole("shared_bytes", shared_bytes)
    for name, value, low, high in (
        ("threads", threads, 1, _core.BLOCK_THREADS), ("registers", registers, 1, _core.THREAD_REGISTERS),
        ("shared_bytes", shared_bytes, 0, MOST_BYTES),
    ):  # fmt: skip
        if not low <= value <= high:
            raise bad_value(name, f"expected {low} to {high}, got {arguments.shown(value)}")
    row = targets.named_row(target)
    name, limits_of_sm = _core.TARGETS[row], targets.limits_of(row)
    number = targets.capability_of(name)
    if _core.LIMITS[row] is None or not limits_of_sm.sm_blocks:
        raise bad_value("target", f"the limits of {name} are not published; expected another target")
    bytes_of_sm, _, most_blocks, most_warps, _ = limits_of_sm
    reserved, unit = (1024, 128) if number >= 80 else (0, 256)
    warps = -(-threads // 32)
    of_warp = targets.warp_registers(registers)
    fits = targets.block_registers(threads, registers) <= REGISTERS
    taken = -(-(shared_bytes + reserved) // unit) * unit
    limits = {
        "shared memory": bytes_of_sm // taken if taken else most_blocks,
        "registers": REGISTERS // targets.SUB_PARTITIONS // of_warp * targets.SUB_PARTITIONS // warps if fits else 0,
        "threads": most_warps // warps,
        "blocks": most_blocks,
    }
    limit = min(limits, key=lambda name: limits[name])
    blocks = limits[limit]
    return Occupancy(blocks, limit, limits, blocks * warps, most_warps, threads, registers, shared_bytes, name)
