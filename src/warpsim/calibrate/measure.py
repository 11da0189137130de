"""Times the probes on a GPU, in rounds, and watches that nothing else disturbs them.

What comes back is plain values, ready for JSON: the times, and what the GPU was like meanwhile.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterable, Sequence
from statistics import fmean, median
from time import monotonic, sleep
from typing import Any

from .driver import MULTIPROCESSORS, SHARED_OPTIN, NoGpuError, RefusedError, Watch
from .driver import Gpu as Driver
from .probes import BUFFER_BYTES, LONG, Launch, Probe, every
from .texts import ENTRY, spin

VERSION = 1  # of what comes back
ROUNDS, REPEATS = 5, 7  # the first launch of each round only warms up
BUSY_PERCENT = 25
SPIN = 20_000  # of 1024 cycles: some ten milliseconds
MOST_DRIFT = 0.05  # of the clock between rounds
MOST_SPREAD = 0.02  # of a chain in shared memory, which nothing but another program disturbs
STEADY = f"ld.b32 x{LONG}"
OTHERS = "close what uses the GPU, or wait, and calibrate again"


class Bench:
    """A GPU with the memory that all probes share."""

    def __init__(self, gpu: Driver, watch: Watch) -> None:
        self.gpu, self.watch = gpu, watch
        self.table, self.clocks = gpu.memory(1 << 17), gpu.memory(1 << 16)
        whole = gpu.memory(2 * BUFFER_BYTES)
        self.buffer = -(-whole // BUFFER_BYTES) * BUFFER_BYTES
        self.most_shared, self.sms = gpu.attribute(SHARED_OPTIN), gpu.attribute(MULTIPROCESSORS)

    def once(self, function: Any, launch: Launch, shared: int, block: int = 0) -> int:
        """Cycles from the first warp's start to the last one's end; of a launch on every SM, that of one block."""
        values: list[Any] = [ctypes.c_uint64(place) for place in (self.table, self.buffer, self.clocks)]
        values += [ctypes.c_uint32(value) for value in (launch.passes, 0, launch.running, block)]
        self.gpu.launch(function, launch.warps, shared, values, self.sms if launch.every_sm else 1)
        found = self.gpu.get(self.clocks, 2 * launch.warps)
        runs = [warp for warp in range(launch.warps) if launch.running >> warp & 1]
        return max(found[2 * warp + 1] for warp in runs) - min(found[2 * warp] for warp in runs)

    def spans(self, function: Any, launch: Launch, shared: int) -> list[int]:
        """Least, median and most of some launches after the first; of one on every SM, the mean of all."""
        if launch.rows:
            self.gpu.put(self.table, [value for row in launch.rows for value in row])
        if launch.every_sm:
            self.once(function, launch, shared)
            there = [self.once(function, launch, shared, block) for block in range(self.sms)]
            return [min(there), round(fmean(there)), max(there)]
        found = sorted([self.once(function, launch, shared) for _ in range(REPEATS)][1:])
        return [found[0], found[(len(found) - 1) // 2], found[-1]]

    def clock(self, function: Any) -> float:
        """MHz of the SM: cycles against the GPU's own nanoseconds."""
        cycles = self.once(function, Launch("spin", passes=SPIN), 1024)
        begin, end = self.gpu.get(self.clocks, 4)[2:]
        return 1e3 * cycles / max(end - begin, 1)


def check_idle(watch: Watch) -> None:
    """NoGpuError where other programs use the GPU; to be asked before this one does."""
    found = []
    for _ in range(4):
        found.append(watch.busy() or 0)
        if found[-1] <= BUSY_PERCENT:
            return
        sleep(0.25)
    raise NoGpuError(f"the GPU is busy: kernels of other programs ran in {min(found)} % of the last moments; {OTHERS}")


def check_speed(watch: Watch) -> None:
    """NoGpuError where the GPU slows itself down."""
    if slowed := watch.throttling():
        raise NoGpuError(f"the GPU slows itself down: {slowed}; let it cool, and calibrate again")


def steadiness(rounds: Iterable[Sequence[int]]) -> float:
    """How far the medians of rounds are apart, relative to their median."""
    found = [row[1] for row in rounds]
    return (max(found) - min(found)) / median(found)


class Session:
    """Loads probes, times them in rounds, and says what could not be loaded."""

    def __init__(self, bench: Bench, tell: Callable[[str], None]) -> None:
        self.bench, self.tell = bench, tell
        self.refused: dict[str, str] = {}
        self.made: dict[str, dict[str, int]] = {}

    def load(self, probes: Sequence[Probe]) -> list[tuple[Probe, Any]]:
        """The probes that this GPU takes."""
        found, sm = [], self.bench.gpu.sm
        for probe in probes:
            if sm < probe.least:
                self.refused[probe.name] = f"needs sm_{probe.least}"
            elif probe.only and sm not in probe.only:
                self.refused[probe.name] = f"the tensor cores of sm_{sm} do not have it"
            elif probe.shared > self.bench.most_shared:
                self.refused[probe.name] = f"needs {probe.shared:,} bytes of shared memory"
            else:
                try:
                    function = self.bench.gpu.load(probe.text(sm), ENTRY, probe.shared)
                except RefusedError as error:
                    self.refused[probe.name] = f"the driver says {error}"
                    continue
                self.made[probe.name] = {"registers": function.registers, "local_bytes": function.local_bytes}
                found.append((probe, function))
        return found

    def times(self, probes: Sequence[Probe]) -> dict[str, Any]:
        """All there is to know: times of each launch of each probe in every round, clocks, what was refused."""
        bench, begin = self.bench, monotonic()
        check_speed(bench.watch)
        clock = bench.gpu.load(spin(bench.gpu.sm), ENTRY, 1024)
        loaded = self.load(probes)
        self.tell(f"{len(loaded)} programs assembled by the driver in {monotonic() - begin:.1f} s")
        for _ in range(10):
            bench.clock(clock)  # to the clock of a GPU at work
        spans: dict[str, dict[str, list[list[int]]]] = {probe.name: {} for probe, _ in loaded}
        clocks = [bench.clock(clock)]
        for number in range(1, ROUNDS + 1):
            for probe, function in loaded:
                for launch in probe.launches:
                    spans[probe.name].setdefault(launch.label, []).append(bench.spans(function, launch, probe.shared))
            clocks.append(bench.clock(clock))
            check_speed(bench.watch)
            self.tell(f"round {number} of {ROUNDS}: {clocks[-1]:.0f} MHz")
        self._steady(spans, clocks)
        return {
            "version": VERSION, "device": self._device(), "clocks_mhz": [round(one, 1) for one in clocks],
            "nvml_mhz": bench.watch.clock(), "spans": spans, "refused": self.refused, "made": self.made,
            "seconds": round(monotonic() - begin, 1),
        }  # fmt: skip

    def _device(self) -> dict[str, Any]:
        gpu = self.bench.gpu
        return {
            "name": gpu.name, "sm": gpu.sm, "cuda": gpu.cuda_version,
            "multiprocessors": self.bench.sms, "shared_bytes": self.bench.most_shared,
        }  # fmt: skip

    def _steady(self, spans: dict[str, dict[str, list[list[int]]]], clocks: Sequence[float]) -> None:
        low, high = min(clocks), max(clocks)
        if low < (1 - MOST_DRIFT) * high:
            raise NoGpuError(
                f"the GPU's clock went from {high:.0f} to {low:.0f} MHz while it was measured; let it cool, or {OTHERS}"
            )
        if any(row[1] <= 0 for rounds in spans.get(STEADY, {}).values() for row in rounds):
            raise NoGpuError("the GPU's cycle counter stands still; its times mean nothing")
        worst = max((steadiness(rounds) for rounds in spans.get(STEADY, {}).values()), default=0.0)
        if worst > MOST_SPREAD:
            raise NoGpuError(
                f"the GPU is busy: the same loads took {100 * worst:.0f} % longer in another round; {OTHERS}"
            )


def bench(cuda: Any, nvml: Any, device: int = 0) -> Bench:
    """The GPU of this number; NoGpuError if it cannot be measured now."""
    gpu = Driver(cuda, device)
    watch = Watch(nvml, gpu.bus)
    check_idle(watch)
    return Bench(gpu, watch)


def constants_of(found: Bench, tell: Callable[[str], None]) -> dict[str, Any]:
    """Times of all probes of the constants."""
    return Session(found, tell).times(every())
