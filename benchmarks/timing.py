"""Medians of interleaved timings.

The cases of one comparison take turns, so that whatever else the machine does meets all of them.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeVar

#: does its work `loops` times
Case = Callable[[int], object]
Clock = Callable[[], int]
Key = TypeVar("Key")

MOST_LOOPS = 1 << 20


@dataclass(frozen=True)
class Effort:
    """How hard to measure. `short`: see that everything runs, at tiny sizes."""

    repeats: int = 21
    least_ns: int = 1_000_000  #: loops are added until one timing takes as long
    short: bool = False

    def size(self, full: int, short: int) -> int:
        return short if self.short else full


def looped(call: Callable[[], object]) -> Case:
    def run(loops: int) -> None:
        for _ in range(loops):
            call()

    return run


def _once(case: Case, loops: int, clock: Clock) -> int:
    began = clock()
    case(loops)
    return clock() - began


def _loops(case: Case, clock: Clock, effort: Effort) -> int:
    """How many loops take `least_ns`; also the warm-up."""
    loops = 1
    while effort.least_ns and loops < MOST_LOOPS:
        took = _once(case, loops, clock)
        if took >= effort.least_ns:
            break
        loops *= min(16, max(2, effort.least_ns // max(took, 1) + 1))
    return loops


def medians(cases: Mapping[Key, Case], effort: Effort, clock: Clock = time.thread_time_ns) -> dict[Key, float]:
    """ns of one loop of each case."""
    loops = {key: _loops(case, clock, effort) for key, case in cases.items()}
    times: dict[Key, list[float]] = {key: [] for key in cases}
    for _ in range(effort.repeats):
        for key, case in cases.items():
            times[key].append(_once(case, loops[key], clock) / loops[key])
    return {key: statistics.median(found) for key, found in times.items()}
