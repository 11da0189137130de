"""How much of each pipe a launch needs: what must remain of its statements, and what they are as the text has them.

issue            warp instructions; a sub-partition issues one a cycle
tensor           cycles of products, by type
FMA, FP64, XU    warp instructions, by the rates of the target
ALU              integers, comparisons, conversions: as written alone; of none it is certain that it remains
LSU data         wavefronts of shared memory, and lines of L1 that global memory fills; an SM serves one a cycle
L1 sectors       of global memory; an SM serves four a cycle
L2               distinct sectors, each way: 64 bytes a cycle for an SM
DRAM             distinct sectors that L2 cannot hold
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np

from .. import _engine as engine
from .._engine.statement import Row
from ..time.architecture import Arch
from ..time.gpu import Gpu
from ..time.tensor_rates import multiplied
from ..time.throughput import L1_SECTORS, L2_BYTES, LINE_BYTES, SECTOR_BYTES, WARP, throughput_of
from .statements import Use, use_of
from .values import remaining

#: pipes that each sub-partition has one of; the others are the SM's, L2's and DRAM's
OF_SUB_PARTITIONS = ("issue", "tensor", "FMA", "FMA f16", "FP64", "XU", "ALU")


@dataclass
class Work:
    """Of one pipe, in cycles of an SM whose sub-partitions share it evenly; of a whole launch."""

    least: float = 0.0
    written: float = 0.0
    parts: dict[str, float] = field(default_factory=dict)  # of the least: by type, by memory
    multiply_adds: float = 0.0  # of the least

    def add(self, least: float, written: float, part: str = "") -> None:
        """Some more."""
        self.least += least
        self.written += written
        if part and least:
            self.parts[part] = self.parts.get(part, 0.0) + least


def _read(ptx: str) -> engine.Module:
    return engine.Module(ptx.encode())


#: texts that were read for a report, kept for its next view
_module = lru_cache(maxsize=2)(_read)


@dataclass(frozen=True)
class Counted:
    """What is asked about: the lines of a launch, its text, what it touched."""

    lines: np.ndarray
    ptx: str
    warps: int  # of a block
    read_bytes: int
    written_bytes: int
    is_assembled: bool
    ran: int = 1  # blocks

    def statements(self) -> tuple[list[Row], list[Use], list[float]]:
        """What the opcode of each line says, its use, and the share of its executions that must be there."""
        module = _module(self.ptx)
        places = zip(self.lines["line"].tolist(), self.lines["column"].tolist(), strict=True)
        statements = [engine.statement(module, engine.statement_at(module, *place) or 0) for place in places]
        rows = [engine.row(opcode.decode()) for opcode in self.lines["opcode"].tolist()]
        uses = [use_of(row, is_assembled=self.is_assembled, is_alone=self.warps == 1) for row in rows]
        executed = (self.lines["threads"] / WARP).tolist()
        return rows, uses, remaining(statements, uses, executed, self.warps * self.ran)


def _rates(architecture: Arch) -> Mapping[str, float]:
    """Warp instructions of an SM in a cycle."""
    found = throughput_of(architecture)
    return {"FMA": found.f32, "FMA f16": found.f16, "FP64": found.f64, "XU": found.special, "ALU": found.integer}


def multiplies_of(pipe: str) -> int:
    """Multiply-adds of a warp instruction."""
    return {"FMA": WARP, "FP64": WARP, "FMA f16": 2 * WARP}.get(pipe, 0)


def _add_memory(work: dict[str, Work], use: Use, said: Row, row: np.void, full: float) -> None:
    """What an access to memory asks of the SM's data path; cp.async one wavefront, since its data arrives beside it."""
    least, sectors, is_copy = use.share * full, float(row["sectors"]), said.event == "copy"
    asked = float(row["executed"]) if is_copy else float(row["ideal_sectors"]) * SECTOR_BYTES / LINE_BYTES
    shared = 0.0 if is_copy else float(row["wavefronts"])
    work["LSU data"].add(least * shared, float(row["wavefronts"]), "shared memory")
    work["LSU data"].add(least * asked, asked, "global memory")
    work["L1 sectors"].add(least * sectors / L1_SECTORS, sectors / L1_SECTORS)
    work["L2"].written += sectors * SECTOR_BYTES / L2_BYTES


def work_of(counted: Counted, architecture: Arch, gpu: Gpu) -> dict[str, Work]:
    """Of each pipe, over all blocks that ran; L2 and DRAM in cycles of one SM, and of the whole GPU."""
    names = (*OF_SUB_PARTITIONS, "LSU data", "L1 sectors", "L2", "DRAM")
    work = {name: Work() for name in names}
    issued, rates = architecture.sub_partitions, _rates(architecture)
    for row, said, use, there in zip(counted.lines, *counted.statements(), strict=True):
        executed, warps = float(row["executed"]), float(row["threads"]) / WARP * there
        least = use.least * warps
        work["issue"].add(least / issued, executed * use.written / issued)
        if said.product is not None:
            product = multiplied(architecture, said.product)
            cycles = product.cycles / issued
            work["tensor"].add(cycles * warps, cycles * executed, product.type)
            work["tensor"].multiply_adds += product.fma * warps
        elif use.pipe:
            work[use.pipe].add(least / rates[use.pipe], executed * use.written / rates[use.pipe])
            work[use.pipe].multiply_adds += least * multiplies_of(use.pipe)
        if executed and (use.share or row["sectors"] or row["wavefronts"]):
            _add_memory(work, use, said, row, warps / executed)
    work["L2"].least = max(counted.read_bytes, counted.written_bytes) / L2_BYTES
    touched = counted.read_bytes + counted.written_bytes
    work["DRAM"].add(max(0, touched - gpu.l2_bytes) / gpu.dram_bytes_per_cycle, touched / gpu.dram_bytes_per_cycle)
    return work
