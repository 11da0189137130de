"""How cost and memory grow with the batch, and what a second thread gains."""

from __future__ import annotations

import ctypes
import json
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

import warpsim as ws
from warpsim import _core

from . import levels, machine, patterns
from .peers import numpy_ldmatrix, numpy_wavefronts, same
from .rows import Line
from .timing import Case, Effort, looped, medians

OP = ws.Ldmatrix(num=4)
EXECUTE, TRAFFIC = "execute", "traffic"

GROWTH = (1, 4, 16, 64, 256, 1024, 4096, 16384, 65536, 262_144, 1_000_000)
FLAT_FROM = 64  # warps; with fewer the cost of the call itself shows
THREAD_WARPS = (4096, 65536)
RESULT_WARPS = (4096, 16384, 65536)
MEMORY_WARPS = 200_000
#: bytes that one warp's arrays have
ADDRESS_BYTES, REGISTER_BYTES, COUNTER_BYTES = 128, 512, 8 * len(_core.COUNTERS)

ROOT = Path(__file__).parent.parent


class Work:
    """A batch of random rows, of which the first n warps are executed or counted."""

    def __init__(self, warps: int) -> None:
        self.image = patterns.image(patterns.SHARED_SIZES[0])
        self.shared = ws.SharedMemory(self.image)
        self.address = patterns.random_pieces(warps, 16, self.image.nbytes)
        self.out = patterns.aligned((warps, 32, 4), np.uint32)

    def call(self, what: str, warps: int, threads: int = 1, traffic: bool = False) -> Callable[[], Any]:
        address, out = self.address[:warps], self.out[:warps]
        if what == TRAFFIC:
            return lambda: OP.traffic(address, threads=threads)
        return lambda: OP.execute(self.shared, address, traffic=traffic, threads=threads, out=out)

    def check(self, what: str, call: Callable[[], Any], warps: int) -> None:
        """The head and the tail of the answer against NumPy; more would cost more than it shows."""
        self.out[:warps].fill(0)
        result = call()
        for part in (slice(0, min(warps, 256)), slice(max(0, warps - 256), warps)):
            address, name = self.address[part], f"{what} of {warps} warps"
            if what == TRAFFIC:
                same(name, result.wavefronts[part], numpy_wavefronts(address, 16))
            else:
                same(name, result.registers[part], numpy_ldmatrix(self.image, address))


def growth(effort: Effort) -> Iterator[Line]:
    """ns per warp over the size of the batch, each over the cheapest size."""
    sizes = GROWTH[: effort.size(len(GROWTH), 5)]
    work = Work(sizes[-1])
    for what, key in ((EXECUTE, "growth_execute"), (TRAFFIC, "growth_traffic")):
        cases: dict[int, Case] = {}
        for warps in sizes:
            call = work.call(what, warps)
            work.check(what, call, warps)
            cases[warps] = looped(call)
        ns = {warps: found / warps for warps, found in medians(cases, effort).items()}
        cheapest = min(found for warps, found in ns.items() if warps >= FLAT_FROM)
        touched = ADDRESS_BYTES + (REGISTER_BYTES if what == EXECUTE else COUNTER_BYTES)
        for warps, found in ns.items():
            case, note = (f"{warps:,} warp{'s' if warps > 1 else ''}", machine.beyond(touched * warps))
            line = levels.line(key, case, levels.best(), found, cheapest, note)
            yield line if warps >= FLAT_FROM else levels.without_gate(line)


def threads(effort: Effort) -> Iterator[Line]:
    """Two threads against one, by the wall clock."""
    keys = {EXECUTE: "threads_execute", TRAFFIC: "threads_traffic"}
    if machine.cpus() < 2:
        for key in keys.values():
            yield levels.not_run(key, "this process has one CPU")
        return
    for full in THREAD_WARPS:
        warps = effort.size(full, 256)
        work = Work(warps)
        for what, key in keys.items():
            cases: dict[int, Case] = {}
            for count in (1, 2):
                call = work.call(what, warps, threads=count, traffic=True)
                work.check(what, call, warps)
                cases[count] = looped(call)
            ns = medians(cases, effort, time.perf_counter_ns)
            case = f"{warps:,} warps"
            yield levels.line(key, case, levels.best(), ns[2] / warps, ns[1] / warps)


def _fresh_ns(call: Callable[[], Any]) -> int:
    """The time of a call whose result gets pages that the process did not have."""
    _core.free_kept()
    if sys.platform == "linux" and (trim := getattr(ctypes.CDLL(None), "malloc_trim", None)) is not None:
        trim(0)  # glibc keeps memory, too
    began = time.thread_time_ns()
    call()
    return time.thread_time_ns() - began


def results(effort: Effort) -> Iterator[Line]:
    """Batches without `out=`, in memory that the call before has left and in fresh memory, against those with it."""
    for full in RESULT_WARPS:
        warps = effort.size(full, 1024)
        work = Work(warps)
        call = work.call(EXECUTE, warps)
        work.check(EXECUTE, call, warps)
        without = partial(OP.execute, work.shared, work.address, traffic=False)
        fresh = statistics.median(_fresh_ns(without) for _ in range(effort.repeats))
        ns = medians({"out=": looped(call), "none": looped(without)}, effort)
        case = f"{warps:,} warps, {warps * REGISTER_BYTES / 2**20:.3g} MB"
        for key, found in (("results", ns["none"]), ("results_first", fresh)):
            yield levels.line(key, case, levels.best(), found / warps, ns["out="] / warps)


def memory(effort: Effort) -> Iterator[Line]:
    """Peak resident growth of one call, in a process of its own, over its inputs and outputs."""
    warps = effort.size(MEMORY_WARPS, 20_000)
    for what, key in ((EXECUTE, "memory_execute"), (TRAFFIC, "memory_traffic")):
        command = [sys.executable, "-m", "benchmarks.memory_probe", what, str(warps)]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
        found = json.loads(done.stdout)
        if not found:
            yield levels.not_run(key, "the system does not tell the peak of a process")
            continue
        yield levels.line(key, f"{warps:,} warps", levels.best(), found["grown"] / warps, found["arrays"] / warps)
