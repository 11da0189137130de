"""Forks of a process that launches kernels on many threads: `python3 -m tools.launching.forks --count 2000`.

Threads launch with 1 to 4 threads each, and the process forks at moments that chance picks, from its main thread or
another. Every child launches kernels too, with threads; its answers must be right, and it must end. How long each child
took is measured.
"""

import argparse
import random
import statistics
import sys
import threading
import time
import warnings
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np

import warpsim as ws
from tests.support import launches
from tests.support.process import forked
from tools import records

#: quick ones, of every kind of lock: the journal's, the heap's, those of atomics, clusters
NAMES = ("atomics", "exchanges", "heap", "cluster", "copies")
X4 = ws.Ldmatrix(num=4)


def instruction(threads: int) -> int:
    """A batch on the threads that the package keeps."""
    address = np.ascontiguousarray(np.broadcast_to(np.arange(32) * 16, (3000, 32)), np.uint32)
    result = X4.execute(ws.SharedMemory(np.arange(2048, dtype=np.uint16)), address, threads=threads)
    return int(result.registers.sum(dtype=np.uint64))


def by(main: bool, work: Callable[[], object]) -> bool:
    """Does a fork of the main thread, or of another, do the work?"""
    if main:
        return forked(work)
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(forked, work).result()


@dataclass(frozen=True)
class Counted:
    """What became of the children."""

    count: int
    seconds: list[float]


def campaign(count: int, seed: int) -> Counted:
    """So many forks; a child that hangs or is wrong is an AssertionError."""
    expected = {name: launches.LAUNCHES[name]() for name in NAMES}
    batch, draw = instruction(1), random.Random(seed)
    stop, wrong = threading.Event(), []

    def work(me: int) -> None:
        mine = random.Random(me)
        while not stop.is_set():
            name = mine.choice(NAMES)
            if launches.LAUNCHES[name](threads=mine.randint(1, 4)) != expected[name] or instruction(2) != batch:
                wrong.append(name)

    def child(names: list[str], threads: int) -> bool:
        return (
            all(launches.LAUNCHES[name](threads=threads) == expected[name] for name in names)
            and instruction(threads) == batch
        )

    workers = [threading.Thread(target=work, args=(me,)) for me in range(2)]
    for worker in workers:
        worker.start()
    seconds = []
    try:
        for _ in range(count):
            time.sleep(draw.uniform(0, 0.004))
            names, threads = draw.sample(NAMES, 2), draw.randint(1, 4)
            began = time.monotonic()
            is_right = by(draw.random() < 0.5, lambda names=names, threads=threads: child(names, threads))
            assert is_right, f"a wrong answer: {names}, threads={threads}"
            seconds.append(time.monotonic() - began)
    finally:
        stop.set()
        for worker in workers:
            worker.join()
    assert not wrong, wrong
    return Counted(len(seconds), seconds)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=2000, help="forks (2,000)")
    parser.add_argument("--seed", type=int, default=1)
    wanted = parser.parse_args()
    warnings.filterwarnings("ignore", ".*use of fork", DeprecationWarning)
    found = campaign(wanted.count, wanted.seed)
    records.tell({
        "forks": found.count, "median_milliseconds": round(1000 * statistics.median(found.seconds), 1),
        "longest_milliseconds": round(1000 * max(found.seconds), 1), "seed": wanted.seed,
    })  # fmt: skip
    return 0


if __name__ == "__main__":
    sys.exit(main())
