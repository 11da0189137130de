"""What a launch takes at least, pipe by pipe: of a warp, of a block, of the grid."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from .. import _core
from ..errors import bad_value
from ..render import html
from ..render.launch import bounds as render
from ..report import Report
from ..targets import USUAL_TARGET
from ..time.architecture import Arch, resolve
from ..time.gpu import Gpu, gpu_of
from ..time.occupancy import Occupancy, occupancy
from ..time.throughput import L2_BYTES, LINE_BYTES, WARP, throughput_of
from .work import OF_SUB_PARTITIONS, Counted, Work, work_of

GUESSED_REGISTERS = 32  # of a thread, where nobody says


@dataclass(frozen=True, slots=True)
class Pipe:
    """One pipe: the cycles that it is busy at least, with an average warp, an average block and the whole grid.

    `written`: cycles for the grid if each statement of the text became one machine instruction and the busiest SM had
    the next whole number of blocks: an estimate, and no bound. `parts`: of `grid`, by type or memory. `source`: where
    its rate comes from.
    """

    name: str
    warp: float
    block: float
    grid: float
    written: float
    parts: Mapping[str, float]
    source: str

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready."""
        return {name: getattr(self, name) for name in self.__slots__ if name != "parts"} | {"parts": dict(self.parts)}


@dataclass(frozen=True, slots=True)
class Roof:
    """One limit of a roofline: `rate` a cycle of the SMs that have blocks, in multiply-adds, or bytes of a memory.

    `intensity`: multiply-adds of the launch for each byte of that memory; None of a pipe that multiplies.
    """

    name: str
    rate: float
    intensity: float | None

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready."""
        return {name: getattr(self, name) for name in self.__slots__}


@dataclass(frozen=True, eq=False, repr=False)
class Bounds(Report):
    """The cycles that a launch takes at least; iterates over its pipes, the busiest first.

    `cycles` of the grid, because of `by`; a launch takes longer, and far longer where few warps wait for memory and
    for each other. `estimate`: the busiest pipe if the machine code is as the text, because of `estimate_by`.
    `occupancy`: what an SM holds at once, None where the target's limits are not published; `waves`: how often the GPU
    is filled with blocks. `read_bytes` and
    `written_bytes` are the distinct sectors of global memory that the blocks touched, 32 bytes each. `multiply_adds`
    that must be done, and the `roofs` over them: pipes, and memories if DRAM holds all that is touched.
    """

    kernel: str
    target: str
    gpu: str
    sms: int
    blocks: int
    ran: int
    warps: int
    occupancy: Occupancy | None
    pipes: tuple[Pipe, ...]
    read_bytes: int = 0
    written_bytes: int = 0
    notes: tuple[str, ...] = ()
    multiply_adds: float = 0.0
    roofs: tuple[Roof, ...] = ()

    @property
    def cycles(self) -> float:
        """Of the grid, at least."""
        return max((pipe.grid for pipe in self.pipes), default=0.0)

    @property
    def by(self) -> str:
        """The pipe that takes them; empty where nothing was counted."""
        return self.pipes[0].name if self.cycles else ""

    @property
    def estimate(self) -> float:
        """Cycles of the busiest pipe if the machine code is as the text."""
        return max((pipe.written for pipe in self.pipes), default=0.0)

    @property
    def estimate_by(self) -> str:
        """That pipe."""
        return max(self.pipes, key=lambda pipe: pipe.written).name if self.estimate else ""

    @property
    def waves(self) -> int:
        """How often all SMs are filled with blocks; 0 where not one fits, or nobody knows."""
        at_once = self.occupancy.blocks * self.sms if self.occupancy is not None else 0
        return -(-self.blocks // at_once) if at_once else 0

    def __iter__(self) -> Iterator[Pipe]:
        return iter(self.pipes)

    def __len__(self) -> int:
        return len(self.pipes)

    def __getitem__(self, name: str) -> Pipe:
        """The pipe of a name."""
        for pipe in self.pipes:
            if pipe.name == name:
                return pipe
        raise KeyError(name)

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready."""
        fields = ("kernel", "target", "gpu", "sms", "blocks", "ran", "warps", "waves", "cycles", "by", "estimate",
                  "estimate_by", "read_bytes", "written_bytes")  # fmt: skip
        return {
            "schema": "warpsim.bounds/1",
            **{name: getattr(self, name) for name in fields},
            "occupancy": None if self.occupancy is None else self.occupancy.to_dict(),
            "pipes": [pipe.to_dict() for pipe in self],
            "multiply_adds": self.multiply_adds,
            "roofs": [roof.to_dict() for roof in self.roofs],
            "notes": list(self.notes),
        }

    def svg(self) -> str:
        """Each pipe as a bar on one scale of cycles; of what multiplies, the roofline below."""
        return render.picture(self.to_dict())

    def __str__(self) -> str:
        return render.text(self.to_dict())

    def __repr__(self) -> str:
        return f"<Bounds of {self.kernel}: {self.cycles:,.0f} cycles at least, bound by {self.by or 'nothing'}>"

    def _title(self) -> str:
        return render.title(self.to_dict())

    def _parts(self) -> Sequence[str]:
        return [html.figure(self.svg()), *render.html_parts(self.to_dict())]


def _source(name: str, architecture: Arch, sms: str) -> str:
    """Where the rate of a pipe comes from."""
    if name == "tensor":
        constant = architecture.constants["dense_fma"]
        measured = "; mma.sync: measured on an H200" if architecture.target.startswith("sm_90") else ""
        return f"{constant.basis}: {constant.source}{measured}"
    if name == "issue":
        return "one instruction of each sub-partition a cycle"
    if name == "LSU data":
        return "a wavefront of 128 bytes a cycle: measured on an H200, assumed for other targets"
    if name == "L1 sectors":
        return "four tag banks, a line of 128 bytes a cycle each: measured on an H200, assumed for other targets"
    if name == "L2":
        return "64 bytes a cycle and SM, each way: NVIDIA's whitepapers"
    if name == "DRAM":
        return f"data sheet of {sms}"
    return throughput_of(architecture).assumed or "CUDA C++ Programming Guide, arithmetic throughput"


def _pipe(name: str, work: Work, about: Bounds, architecture: Arch) -> Pipe:
    """The cycles of a pipe for a warp, a block and the grid, from the work of all blocks that ran."""
    share, sms = work.least / about.ran, min(about.sms, about.blocks)
    used = architecture.sub_partitions if name in OF_SUB_PARTITIONS else 1
    block = share * used / min(used, about.warps)
    if name in ("L2", "DRAM"):
        grid = work.least if name == "DRAM" else work.least / sms
        block = 0.0 if name == "DRAM" else share
        written = work.written / about.ran * -(-about.blocks // about.sms) if name == "L2" else work.written
    else:
        grid = max(block, share * about.blocks / sms)
        written = work.written / about.ran * max(-(-about.blocks // about.sms), used / min(used, about.warps))
    parts = {part: grid * cycles / work.least for part, cycles in work.parts.items()}
    warp = share / about.warps * used if name != "DRAM" else 0.0
    return Pipe(name, warp, block, grid, written, parts, _source(name, architecture, about.gpu))


@dataclass(frozen=True)
class Launched:
    """What bounds need to know about a launch."""

    kernel: str
    target: str
    grid: tuple[int, int, int]
    block: tuple[int, int, int]
    ran: int
    shared_bytes: int
    counted: Counted


def _roofs(work: Mapping[str, Work], about: Bounds, gpu: Gpu) -> Iterator[Roof]:
    """Of the pipes that multiply, of the memories that are used."""
    sms = min(about.sms, about.blocks)
    total = sum(one.multiply_adds for one in work.values())
    for name, one in work.items():
        if one.multiply_adds and one.least:
            yield Roof(name, sms * one.multiply_adds / one.least, None)
    touched = about.read_bytes + about.written_bytes
    for name, rate, used in (
        ("LSU data", sms * LINE_BYTES, work["LSU data"].least * LINE_BYTES),
        ("L2", sms * L2_BYTES, work["L2"].least * L2_BYTES),
        ("DRAM", gpu.dram_bytes_per_cycle, touched),
    ):
        if used and total:
            yield Roof(name, rate, total / used)


def _notes(launched: Launched, blocks: int, registers: int | None, assumed: str) -> Iterator[str]:
    if launched.ran < blocks:
        yield (
            f"{launched.ran:,} of {blocks:,} blocks ran: the remaining blocks are assumed to cost the same"
            " and to touch no new sectors"
        )
    if registers is None:
        yield f"register count unknown: occupancy assumes {GUESSED_REGISTERS}"
    if assumed:
        yield assumed
    if not launched.counted.is_assembled:
        yield "accesses that the assembler may join count a part: as_assembled=True counts those of the machine code"


def bounds_of(launched: Launched, target: str | Arch | None, registers: int | None) -> Bounds:
    """Of a launch on a target, or on a GPU by its name; a ValueError where nothing was counted."""
    if launched.ran and not launched.counted.lines["executed"].sum():
        raise bad_value("report", "nothing was counted: launch with count=True")
    if not launched.ran:
        raise bad_value("report", "no thread block ran to its end")
    architecture = resolve(target if target is not None else launched.target or USUAL_TARGET)
    gpu = gpu_of(architecture)
    threads = launched.block[0] * launched.block[1] * launched.block[2]
    blocks = launched.grid[0] * launched.grid[1] * launched.grid[2]
    try:
        known = GUESSED_REGISTERS if registers is None else registers
        fits = occupancy(threads, known, launched.shared_bytes, target=architecture.target)
    except ValueError:
        if registers is not None and not 1 <= registers <= _core.THREAD_REGISTERS:
            raise
        fits = None  # the limits of the target are not published
    counted = launched.counted
    notes = tuple(_notes(launched, blocks, registers, gpu.assumed or throughput_of(architecture).assumed))
    about = Bounds(
        launched.kernel, architecture.target, gpu.name, gpu.sms, blocks, launched.ran, -(-threads // WARP), fits, (),
        counted.read_bytes, counted.written_bytes, notes,
    )  # fmt: skip
    work = work_of(counted, architecture, gpu)
    pipes = [_pipe(name, one, about, architecture) for name, one in work.items()]
    order = sorted((one for one in pipes if one.grid or one.written), key=lambda one: (-one.grid, -one.written))
    total = sum(one.multiply_adds for one in work.values())
    return replace(about, pipes=tuple(order), multiply_adds=total, roofs=tuple(_roofs(work, about, gpu)))
