"""A launch through an executor: blocks in pieces, each on memory of its own."""

from __future__ import annotations

import os
import threading
import time
from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import BrokenExecutor, Executor
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import pairwise
from typing import Any

import numpy as np

from .. import _engine as engine
from .._engine.found import Stop
from ..memory.written import Written, written_of
from ..picked import Picked
from ..sweep.renew import MOST_DEATHS, surviving_map
from ..threads.recall import Recalled, place, recall
from .counters import together as sum_of
from .entry import Entry, Key, Source
from .watch import Watch, deadline

PIECES_A_WORKER, WORKERS = 4, 8


@dataclass(frozen=True)
class Outcome:
    """What a launch, or a piece of it, came to."""

    blocks: int = 0
    steps: int = 0
    stop: Stop | None = None
    printed: bytes = b""
    printf_lost: int = 0
    counted: bytes | None = None
    written: dict[int, Written] = field(default_factory=dict)  # by number of the region; of a piece
    inexact: frozenset[int] = frozenset()  # statements without an exact rule that ran
    found: bytes = b""  # rows of Launch.found
    lost: int = 0  # findings without room
    unjudged: frozenset[int] = frozenset()  # regions that are too large for the checks
    unordered: bool = False  # blocks released more to others than is kept
    overlooked: int = 0  # accesses that were not compared with all that came before
    crowded: bool = False  # threads waited for each other at more places than are kept
    sampled: tuple[bytes | None, ...] = ()  # addresses in shared memory, of each piece
    touched: tuple[bytes | None, ...] = ()  # sectors of global memory, of each piece: what Launch.touched() gives

    @classmethod
    def of(cls, core: engine.Launch, written: dict[int, Written] | None = None) -> Outcome:
        """What the engine says of blocks that have run."""
        printed, printf_lost = core.printed_records(0)
        return cls(
            core.done, core.steps, core.stop, printed, printf_lost, core.lines(), written or {},
            frozenset(core.inexact), core.found + core.leaks, core.lost, frozenset(core.unjudged), core.unordered,
            core.overlooked, bool(core.crowded), (core.sampled,), (core.touched(),),
        )  # fmt: skip


def together(outcomes: Sequence[Outcome]) -> Outcome:
    """What pieces came to, as that of one launch."""
    return Outcome(
        blocks=sum(one.blocks for one in outcomes),
        steps=sum(one.steps for one in outcomes),
        stop=next((one.stop for one in outcomes if one.stop is not None), None),
        printed=b"".join(one.printed for one in outcomes),
        printf_lost=sum(one.printf_lost for one in outcomes),
        counted=sum_of([one.counted for one in outcomes]),
        inexact=frozenset().union(*(one.inexact for one in outcomes)),
        found=b"".join(one.found for one in outcomes),
        lost=sum(one.lost for one in outcomes),
        unjudged=frozenset().union(*(one.unjudged for one in outcomes)),
        unordered=any(one.unordered for one in outcomes),
        overlooked=sum(one.overlooked for one in outcomes),
        crowded=any(one.crowded for one in outcomes),
        sampled=tuple(piece for one in outcomes for piece in one.sampled),
        touched=tuple(piece for one in outcomes for piece in one.touched),
    )


def _find(ptx: bytes, kernel: str) -> Entry:
    source = Source(ptx)
    return Entry(source, next(entry for entry in source.core.entries() if entry[0] == kernel))


_entry = lru_cache(maxsize=4)(_find)  # a worker gets many pieces of one launch


class _Here:
    """The pieces that this process runs."""

    def __init__(self) -> None:
        self.begin()

    def begin(self) -> None:
        """As if nothing ran: in a child, a thread that is not there may have held the lock."""
        self.running: dict[str, set[Any]] = {}  # of each launch
        self.stopped: deque[str] = deque(maxlen=64)  # launches whose pieces may still begin
        self.lock = threading.Lock()


_here = _Here()
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_here.begin)


@contextmanager
def _stoppable(launch: str, core: Any) -> Iterator[None]:
    """So that stop() of this process ends it at once."""
    with _here.lock:
        _here.running.setdefault(launch, set()).add(core)
        core.cancelled = launch in _here.stopped
    try:
        yield
    finally:
        with _here.lock:
            _here.running[launch].discard(core)
            if not _here.running[launch]:
                del _here.running[launch]


def stop(launch: str) -> None:
    """Ends what pieces of a launch still run in this process."""
    with _here.lock:
        _here.stopped.append(launch)
        for core in _here.running.get(launch, ()):
            core.cancelled = True


class _Asks:
    """What a piece calls several times a second: it ends where its launch is recalled."""

    def __init__(self, work: Work, core: Any) -> None:
        self._is_recalled, self._core = Recalled(work.launch, work.sender), core
        self._deadline = deadline(work.timeout)

    def __call__(self) -> None:
        self._core.is_late = time.monotonic() > self._deadline
        if self._is_recalled():
            self._core.cancelled = True


@dataclass(frozen=True)
class Work:
    """All that a worker needs to run clusters of a launch: called with their numbers, gives an Outcome."""

    ptx: bytes
    kernel: str
    key: Key
    regions: list[tuple[Any, ...]]  # base, bytes (a number: so many zeros), owner, kind, read-only, unwritten
    shape: engine.Shape
    max_steps: int
    timeout: float | None  # seconds, of each piece
    launch: str = field(default_factory=place)
    sender: int = field(default_factory=os.getpid)  # the process that wants it

    def __call__(self, clusters: Picked) -> Outcome:
        arrays = [
            np.zeros(r[1], np.uint8) if isinstance(r[1], int) else np.frombuffer(r[1], np.uint8) for r in self.regions
        ]
        arrays = [array if row[4] else array.copy() for array, row in zip(arrays, self.regions, strict=True)]
        noted = [
            None if row[4] or row[3] == engine.HEAP else np.zeros(len(a), np.uint8)
            for a, row in zip(arrays, self.regions, strict=True)
        ]
        rows = [(r[0], a, *r[2:5], mark, r[5]) for r, a, mark in zip(self.regions, arrays, noted, strict=True)]
        program = _entry(self.ptx, self.kernel).program(self.key)
        core = engine.Launch(program, self.shape, rows, clusters.door, True)
        with _stoppable(self.launch, core):
            core.run(self.max_steps, True, _Asks(self, core))
        written = {
            number: found
            for number, (array, marks) in enumerate(zip(arrays, noted, strict=True))
            if marks is not None and len((found := written_of(array, marks, self.regions[number][1]))[0])
        }
        return Outcome.of(core, written)


def _workers(executor: Executor) -> int:
    """How many work at once: of a pool, of a Dask cluster; else a guess."""
    ncores = getattr(getattr(executor, "_client", None), "ncores", None)  # of Dask's ClientExecutor
    if callable(ncores):
        return sum(ncores().values()) or WORKERS
    return int(getattr(executor, "_max_workers", None) or WORKERS)


def split(clusters: Picked, executor: Executor) -> list[Picked]:
    """The clusters in pieces, some for each worker."""
    count = min(len(clusters), PIECES_A_WORKER * _workers(executor))
    ends = [len(clusters) * i // count for i in range(count + 1)] if count else []
    return [clusters[begin:end] for begin, end in pairwise(ends)]


def run(work: Work, clusters: Picked, executor: Executor, watch: Watch) -> tuple[list[Outcome], int]:
    """The outcomes of all pieces, in order, and how many workers died; the watch hears of each piece as it comes in."""
    come: dict[int, tuple[int, int]] = {}

    def keep(begin: int, outcomes: list[Outcome]) -> None:
        for number, outcome in enumerate(outcomes, begin):
            if number not in come:
                watch.printed(outcome.printed)
            come[number] = outcome.blocks, outcome.steps
        watch.done(sum(blocks for blocks, _ in come.values()), sum(steps for _, steps in come.values()))

    try:
        return surviving_map(work, split(clusters, executor), executor, keep)
    except BaseException as error:
        stop(work.launch)
        recall(work.launch)
        if not isinstance(error, BrokenExecutor):
            raise
        raise type(error)(
            "executor: workers died (killed, out of memory or crashed) while they ran blocks of the launch; the arrays"
            f" are as they were. Launch again with a new executor of fewer workers, or with threads= and no executor;"
            f" a ProcessPoolExecutor survives {MOST_DEATHS} deaths"
        ) from error
