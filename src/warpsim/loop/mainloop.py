"""One iteration of the main loop of a tensor-core kernel: fill, read, multiply."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from .. import _core, arguments
from ..errors import UnsupportedError, bad_type, bad_value
from ..render import advice, cycle_bars, cycles, plot
from ..report import Report
from ..targets import USUAL_TARGET
from ..tile.layout import Layout, layout_core
from ..tile.remedy import Remedy, advised, near
from ..time.architecture import Arch, resolve
from ..time.cost import source_of
from ..time.occupancy import Occupancy
from ..time.tensor_rates import TYPES, rate_of, sum_of
from ..words import suggesting
from .assembled import Assembled, Loop, assembled
from .assumed import assumed_of
from .possible import check_possible, layout_of, occupancy_of, whole

LONGEST_NAME = 14
MEASURED = (("f16", "f32"), ("f16", "f16"), ("bf16", "f32"), ("tf32", "f32"), ("s8", "s32"), ("e4m3", "f32"))
MOST_ELEMENTS, MOST_WARPS, MOST_STAGES = _core.MAINLOOP_LIMITS


@dataclass(frozen=True, slots=True)
class LoopReport(Report):
    """What one iteration costs one SM that runs one block, in the steady state.

    `cycles` of the SM's clock; `bound`: "data pipe", "tensor pipe", "global bytes", "issue", or
    "latency" where none of these is busy for half of the time; `breakdown`: busy cycles of each,
    and "latency", the rest. `wavefronts`: of the fill ("store") and of ldmatrix ("load"). `mma`:
    mma.sync of the block; `global_bytes` and `shared_bytes` (of all stages, of at most
    `shared_bytes_per_block`); `tensor_fraction` of the dense peak of this type and GPU. `registers`: of a
    thread, estimated; the fewer are left, the fewer loads are issued ahead. `error`,
    `source`: see Cost. `assumed`: what the cycles rest on that nobody published for this GPU; empty
    where there is nothing. `assembled`: what made the instructions ("NVRTC 13.0"); empty where they are
    estimated. `occupancy`: how many such blocks an SM holds, None where that is not known.
    `rate`: the dense peak of an SM ("dense_fma" per cycle) and the "source" of that number.
    """

    cycles: float
    bound: str
    breakdown: dict[str, float] = field(hash=False)
    wavefronts: dict[str, int] = field(hash=False)
    mma: int
    global_bytes: int
    tensor_fraction: float
    shared_bytes: int
    shared_bytes_per_block: int
    registers: int
    error: float | None
    source: str
    tile: tuple[int, int, int]
    warps: tuple[int, int]
    stages: int
    trans_b: bool
    type: str
    a: Layout
    b: Layout
    target: str
    accumulate: str = "f32"
    product: str = ""
    assumed: str = ""
    assembled: str = ""
    occupancy: Occupancy | None = None
    rate: dict[str, Any] | None = field(default=None, hash=False)
    _arch: Arch | None = field(default=None, repr=False, compare=False)

    @property
    def fits(self) -> bool:
        """Do all stages fit into the shared memory of one block? mainloop refuses those that do not."""
        return self.shared_bytes <= self.shared_bytes_per_block

    @property
    def ideal_wavefronts(self) -> dict[str, int]:
        """What any layout needs at least: "store" and "load"."""
        (m, n, k), (along_m, along_n), bits = self.tile, self.warps, TYPES[self.type].bits
        filled = (m + n) * k if self.stages else 0
        return {"store": filled * bits // 1024, "load": (m * along_n + n * along_m) * k * bits // 1024}

    @property
    def remedy(self) -> Remedy | None:
        """The layouts of A and B near these with the fewest wavefronts, and what they save.

        None where the layouts are as good as any near them, or cost no cycles.

        >>> import warpsim as ws
        >>> found = ws.mainloop((64, 64, 64), (2, 2)).remedy
        >>> {side: str(layout) for side, layout in found.layout.items()}
        {'a': '64x64 f16, Swizzle<3,3,3>', 'b': '64x64 f16, Swizzle<3,3,3>'}
        """
        return remedy_of(self)

    @staticmethod
    def compare(reports: Mapping[str, LoopReport]) -> str:
        """One picture (an <svg> element) of several loops: name, of at most 14 letters -> report.

        >>> import warpsim as ws
        >>> loops = {
        ...     f"pad {pad}": ws.mainloop((64, 64, 64), (2, 2), a=ws.Layout(64, 64, "f16", pad=pad))
        ...     for pad in (0, 8)
        ... }
        >>> ws.LoopReport.compare(loops).startswith("<svg")
        True
        """
        if not isinstance(reports, Mapping):
            given = arguments.describe(reports)
            raise bad_type("reports", f"expected a dict of name -> LoopReport, got {given}")
        found: dict[str, dict[str, Any]] = {}
        for name, report in reports.items():
            shown = arguments.shown(name)
            if not isinstance(report, LoopReport):
                given = arguments.describe(report)
                raise TypeError(f"reports[{shown}]: expected a LoopReport, got {given}")
            if not isinstance(name, str) or str.__len__(name) > LONGEST_NAME:
                raise bad_value("reports", f"expected names of at most {LONGEST_NAME} letters, got {shown}")
            found[str.__str__(name)] = report.to_dict()
        if not found:
            raise bad_value("reports", "expected at least one")
        return cycle_bars.mainloops(found)

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready; the wavefronts of both sides have keys of their own, for a sweep."""
        return {
            "schema": "warpsim.mainloop/1",
            **{name: getattr(self, name) for name in self.__slots__ if not name.startswith("_")},
            "tile": list(self.tile),
            "warps": list(self.warps),
            "a": repr(self.a),
            "b": repr(self.b),
            "layouts": {"a": str(self.a), "b": str(self.b)},
            "occupancy": None if self.occupancy is None else self.occupancy.to_dict(),
            "fits": self.fits,
            "store_wavefronts": self.wavefronts["store"],
            "load_wavefronts": self.wavefronts["load"],
            "ideal_wavefronts": self.ideal_wavefronts,
        }

    def svg(self) -> str:
        """Bars: busy cycles of each part against the cycles of an iteration."""
        return cycle_bars.mainloop(self.to_dict())

    def plot(self, ax: Any = None) -> Any:
        """The same bars on matplotlib's Axes `ax` (None: a new figure's); returns the Axes.

        An ImportError without matplotlib, the extra [plot].
        """
        return plot.mainloop(self.to_dict(), ax)

    def _title(self) -> str:
        return f"Main loop: {cycles.heading_of_loop(self.to_dict())}"

    def _parts(self) -> Sequence[str]:
        contents = with_remedy(self)
        return cycles.html_parts(contents, cycles.loop_facts(contents), self.svg(), str(self))

    def __str__(self) -> str:
        return cycles.mainloop(with_remedy(self))


def with_remedy(report: LoopReport) -> dict[str, Any]:
    """The values of the report, and of its remedy."""
    found = report.remedy
    return {**report.to_dict(), "remedy": None if found is None else found.to_dict()}


def remedy_of(report: LoopReport) -> Remedy | None:
    """See LoopReport.remedy. All layouts are compared as estimated."""
    if report.assembled:
        report = reported(loop_of(report))
    ideal, best = sum(report.ideal_wavefronts.values()), report
    sides: dict[str, dict[str, Any]] = {}
    for side in ("a", "b"):
        before, old = best, getattr(report, side)
        for layout in near(old):
            if sum(best.wavefronts.values()) <= ideal:
                break
            with suppress(ValueError, UnsupportedError):  # of a stage that no longer fits
                other = reported(loop_of(before).with_layout(side, layout))
                if sum(other.wavefronts.values()) < sum(best.wavefronts.values()) and other.cycles < report.cycles:
                    best = other
        if best is not before:
            after, now = (sum(one.wavefronts.values()) for one in (best, before))
            found = advised(getattr(best, side), after, ideal, old, now).to_dict()
            sides[side] = found | {"words": f"{found['name']}: {now - after:,} wavefronts fewer, {advice.size(found)}"}
    if not sides:
        return None
    saves = {
        "wavefronts": sum(report.wavefronts.values()) - sum(best.wavefronts.values()),
        "bytes": report.shared_bytes - best.shared_bytes,
        "cycles": report.cycles - best.cycles,
    }
    layouts = {side: getattr(best, side) for side in sides}
    return Remedy(layouts, saves, {"sides": sides, "cycles": best.cycles})


@suggesting
def mainloop(
    tile: tuple[int, int, int],
    warps: tuple[int, int],
    *,
    type: str = "f16",
    a: Layout | None = None,
    b: Layout | None = None,
    trans_b: bool = False,
    stages: int = 3,
    target: str | Arch = USUAL_TARGET,
    accumulate: str | None = None,
    as_assembled: bool = False,
) -> LoopReport:
    """What an iteration costs: one block on one SM multiplies slabs of A (M x K) and B.

    `tile` (M, N, K) in elements, `warps` (along M, along N). B is N x K, or K x N where `trans_b`
    (read with .trans). 16-byte cp.async.cg fill the slab `stages` - 1 ahead (stages=0: nothing is
    filled; 1: fill, wait, compute), ldmatrix.x4 reads, mma.sync multiplies 32 bytes along K (of f16 and
    bf16 wmma.load and wmma.mma likewise: they are assembled to the same). `type`: f16, bf16, tf32, s8,
    u8, e4m3 or e5m2; trans_b takes 16 bits only. `accumulate`: "f32" (the default), "f16" for f16 and
    fp8, "s32" for integers. `target` can be a GPU: its tensor rate counts. `a`, `b` None: row-major, no
    padding, no swizzle. M must be a multiple of 16 * warps[0], N of 16 * warps[1], K of 32 bytes.
    `as_assembled`: the order of the instructions, spills and registers are those of the machine code that
    NVIDIA's compiler and assembler make of this loop (extras `cuda` and `sass`, a second or two), not estimated, and
    the error is smaller. What cannot run is an UnsupportedError that says why. Wavefronts are exact, cycles
    simulated issue by issue. Source: main loops timed on an H200 and an H100.

    >>> import warpsim as ws
    >>> swizzled = ws.Layout(128, 32, "f16", swizzle=ws.Swizzle(2, 3, 3))
    >>> report = ws.mainloop((128, 128, 32), (2, 2), a=swizzled, b=swizzled)
    >>> report.wavefronts, report.mma, report.shared_bytes
    ({'store': 128, 'load': 256}, 256, 49152)
    >>> padded = ws.Layout(128, 32, "f16", pad=8)
    >>> ws.mainloop((128, 128, 32), (2, 2), a=padded, b=padded).wavefronts
    {'store': 480, 'load': 256}
    """
    m, n, k = whole("tile", tile, 3, MOST_ELEMENTS)
    grid_m, grid_n = whole("warps", warps, 2, MOST_WARPS)
    sums = sum_of(type, accumulate)
    type = str.__str__(type)
    stages, trans_b = arguments.whole("stages", stages), arguments.flag("trans_b", trans_b)
    if not 0 <= stages <= MOST_STAGES:
        raise bad_value("stages", f"expected 0 to {MOST_STAGES}, got {arguments.shown(stages)}")
    architecture = resolve(target)
    rate_of(architecture, type, sums)  # refuses what the target cannot multiply
    if trans_b and TYPES[type].bits != 16:
        raise bad_value("trans_b", f"ldmatrix transposes elements of 16 bits, and {type} has {TYPES[type].bits}")
    sides = layout_of("a", a, m, k, type), layout_of("b", b, *((k, n) if trans_b else (n, k)), type)
    loop = Loop((m, n, k), (grid_m, grid_n), type, sums, *sides, trans_b, stages, architecture)
    report = reported(loop)
    return reported(loop, assembled(loop)) if arguments.flag("as_assembled", as_assembled) else report


def loop_of(report: LoopReport) -> Loop:
    """The loop that a report is about."""
    architecture = report._arch or resolve(report.product or report.target)
    return Loop(
        report.tile, report.warps, report.type, report.accumulate, report.a, report.b, report.trans_b, report.stages,
        architecture,
    )  # fmt: skip


def reported(loop: Loop, code: Assembled | None = None) -> LoopReport:
    """The report of a loop, with the machine code of an iteration if it is known."""
    architecture, stages = loop.architecture, loop.stages
    rate = rate_of(architecture, loop.type, loop.sums)
    narrow = loop.sums == "f16"
    found = _core.mainloop_cost(
        loop.tile, loop.warps, stages, loop.trans_b, layout_core(loop.a), layout_core(loop.b),
        rate.profile, narrow, rate.unpacked, None if code is None else code.rows, 0 if code is None else code.registers,
    )  # fmt: skip
    most = architecture.shared_bytes_per_block
    check_possible(loop.tile, loop.warps, stages, loop.a.nbytes + loop.b.nbytes, 1 + narrow, most)
    timed = found.pop("error")
    error = timed if (loop.type, loop.sums) in MEASURED else None
    source = source_of(architecture, error, found.pop("source"))
    wavefronts = {"store": found.pop("store_wavefronts"), "load": found.pop("load_wavefronts")}
    return LoopReport(
        **found, wavefronts=wavefronts, error=error, source=source, shared_bytes_per_block=most, tile=loop.tile,
        warps=loop.warps, stages=stages, trans_b=loop.trans_b, type=loop.type, a=loop.a, b=loop.b,
        target=architecture.target, accumulate=loop.sums, product=architecture.product,
        assumed=assumed_of(rate, found, architecture, loop.sums), assembled="" if code is None else code.by,
        occupancy=occupancy_of(found, loop.warps, architecture.target),
        rate={"dense_fma": rate.dense_fma, "source": architecture.constants["dense_fma"].source},
        _arch=architecture,
    )  # fmt: skip
