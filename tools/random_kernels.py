"""Runs random kernels on the engine and on the interpreter of the tests.

    python3 -m tools.random_kernels --statements 1e9

A statement counts once for each thread that executes it with its guard true.
"""

import argparse
import itertools
import os
from collections import Counter
from concurrent.futures import ProcessPoolExecutor

from tests.support.random_kernels.agreement import compare, shortest
from tools.records import tell

BATCH = 8


def batch(first: int, scale: int) -> tuple[int, Counter[str], list[str]]:
    """Kernels, threads' statements by opcode, and what differed, of BATCH seeds."""
    executed: Counter[str] = Counter()
    wrong = []
    for seed in range(first, first + BATCH):
        difference, outcome = compare(seed, scale)
        executed += outcome.executed
        if difference:
            wrong.append(f"{difference}\n{shortest(seed, scale=scale)}")
    return BATCH, executed, wrong


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--statements", type=float, default=1e9)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--scale", type=int, default=128, help="times as many blocks as in the quick tests")
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    options = parser.parse_args()
    kernels, executed, wrong = 0, Counter[str](), []
    with ProcessPoolExecutor(options.processes) as pool:
        seeds = itertools.count(options.seed, BATCH)
        while executed.total() < options.statements:
            some = [next(seeds) for _ in range(4 * options.processes)]
            for count, done, unlike in pool.map(batch, some, [options.scale] * len(some)):
                kernels, executed = kernels + count, executed + done
                wrong += unlike
                for text in unlike:
                    print(text, flush=True)
    if wrong:
        return 1
    tell({"kernels": kernels, "opcodes": len(executed), "statements": executed.total()})
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
