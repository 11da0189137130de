"""The rows that are measured through Python: what a user of the package gets."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np

import warpsim as ws

from . import levels, patterns, peers
from .patterns import Bytes, Words
from .peers import same
from .rows import ACCEL_SIM_NS, Line
from .timing import Case, Effort, looped, medians

STRAIGHT = ws.Ldmatrix(num=4)
TURNED = ws.Ldmatrix(num=4, trans=True)
PLAIN = ws.Ld()

BATCH_WARPS = 4096
#: rows that need Numba
NUMBA_DATA, NUMBA_COUNT = ("numba_data",), ("numba_count", "numba_count_packed")


def one_call(effort: Effort) -> Iterator[Line]:
    """One warp, data and traffic, with and without fetching the arrays."""
    image = patterns.image(patterns.SHARED_SIZES[0])
    shared = ws.SharedMemory(image)
    address = patterns.random_pieces(1, 16, image.nbytes)[0]
    op = STRAIGHT

    def ours(loops: int) -> None:
        for _ in range(loops):
            op.execute(shared, address)

    def fetched(loops: int) -> None:
        for _ in range(loops):
            result: Any = op.execute(shared, address)
            _ = result.registers, result.traffic.wavefronts

    def theirs(loops: int) -> None:
        for _ in range(loops):
            peers.numpy_ldmatrix(image, one)
            peers.numpy_wavefronts(one, 16)

    result, one = op.execute(shared, address), address[None]
    same("one call", result.registers, peers.numpy_ldmatrix(image, one)[0])
    assert result.traffic is not None
    same("one call", result.traffic.wavefronts, peers.numpy_wavefronts(one, 16)[0])
    ns = medians({"one_call": ours, "one_call_fetched": fetched, "numpy": theirs}, effort)
    for key in ("one_call", "one_call_fetched"):
        yield levels.line(key, "ldmatrix.x4", levels.best(), ns[key], ns["numpy"])


class Job(NamedTuple):
    """One batch job as a call of ours and as calls of the peers, all giving the same array."""

    ours: Callable[[], Any]
    over: dict[str, Callable[[], Any]]  # row -> peer


class Batch:
    """The arrays that all jobs of one batch share."""

    def __init__(self, warps: int) -> None:
        self.image: Bytes = patterns.image(patterns.SHARED_SIZES[0])
        self.shared = ws.SharedMemory(self.image)
        self.rows: Words = patterns.random_pieces(warps, 16, self.image.nbytes)
        self.words: Words = patterns.random_pieces(warps, 4, self.image.nbytes)
        self.out = np.zeros((warps, 32, 4), np.uint32)

    def load(self, op: ws.DataMovement) -> Callable[[], Any]:
        return lambda: op.execute(self.shared, self.rows, traffic=False, out=self.out).registers

    def numba(self) -> dict[str, Callable[[], Any]]:
        """Row -> the compiled loops; nothing where Numba is not installed."""
        njit = peers.compiler()
        if njit is None:
            return {}
        load = njit(peers.loops_ldmatrix)
        words = self.image.view(np.uint32)
        out = np.zeros_like(self.out)

        def data() -> Any:
            if load(words, self.rows, out) >= 0:
                raise ValueError("misaligned or out of bounds")
            return out

        def counting(loops: Callable[..., Any]) -> Callable[[], Any]:
            count, counts = njit(loops), np.zeros(len(self.rows), np.int64)

            def wavefronts() -> Any:
                count(self.rows, counts)
                return counts

            return wavefronts

        return {
            "numba_data": data,
            "numba_count": counting(peers.loops_wavefronts),
            "numba_count_packed": counting(peers.loops_wavefronts_packed),
        }

    def jobs(self, numba: dict[str, Callable[[], Any]]) -> Iterator[Job]:
        image, rows, words = self.image, self.rows, self.words
        yield Job(
            self.load(STRAIGHT),
            {"numpy_data": lambda: peers.numpy_ldmatrix(image, rows)}
            | {key: call for key, call in numba.items() if key in NUMBA_DATA},
        )
        yield Job(self.load(TURNED), {"numpy_trans": lambda: peers.numpy_ldmatrix_trans(image, rows)})
        yield Job(
            lambda: STRAIGHT.traffic(rows).wavefronts,
            {"numpy_count": lambda: peers.numpy_wavefronts(rows, 16)}
            | {key: call for key, call in numba.items() if key in NUMBA_COUNT},
        )
        yield Job(
            lambda: PLAIN.traffic(words).wavefronts, {"numpy_count_b32": lambda: peers.numpy_wavefronts(words, 4)}
        )


def _check(batch: Batch, job: Job) -> None:
    for level in levels.available():
        levels.force(level)
        batch.out.fill(0)
        ours = job.ours()
        for key, peer in job.over.items():
            same(f"{key}, {level}", ours, peer())


def against_users(effort: Effort) -> Iterator[Line]:
    """Batches against NumPy and Numba."""
    batch = Batch(effort.size(BATCH_WARPS, 70))
    warps = len(batch.rows)
    numba = batch.numba()
    for job in batch.jobs(numba):
        _check(batch, job)
        cases: dict[str, Case] = {key: looped(peer) for key, peer in job.over.items()}
        for level in levels.available():
            cases[level] = levels.at(level, looped(job.ours))
        ns = {key: found / warps for key, found in medians(cases, effort).items()}
        for key in job.over:
            for level in levels.available():
                yield levels.line(key, f"{warps:,} warps", level, ns[level], ns[key])
    if not numba:
        for key in NUMBA_DATA + NUMBA_COUNT:
            yield levels.not_run(key, peers.NO_NUMBA)


def against_accel_sim(effort: Effort) -> Iterator[Line]:
    """Data and traffic of a batch; the other side is quoted, not run."""
    batch = Batch(effort.size(BATCH_WARPS, 70))

    def ours() -> Any:
        return STRAIGHT.execute(batch.shared, batch.rows, out=batch.out)

    result, warps = ours(), len(batch.rows)
    same("data", result.registers, peers.numpy_ldmatrix(batch.image, batch.rows))
    same("traffic", result.traffic.wavefronts, peers.numpy_wavefronts(batch.rows, 16))
    cases = {level: levels.at(level, looped(ours)) for level in levels.available()}
    for level, found in medians(cases, effort).items():
        yield levels.line("accel_sim", f"{warps:,} warps", level, found / warps, ACCEL_SIM_NS)
