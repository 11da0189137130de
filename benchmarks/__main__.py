"""ns per warp of warpsim and of NumPy, and their ratio.

    python -m benchmarks [--warps N] [--repeats N]

Cases are interleaved and timed by the thread's CPU time; figures are medians. The NumPy code is
what a user would write today: it does the same job, bounds and alignment checks included.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

import warpsim as ws

Words = NDArray[np.uint32]


def numpy_ldmatrix(shared: NDArray[np.uint8], address: Words) -> NDArray[Any]:
    assert (address % 16 == 0).all() and (address <= shared.size - 16).all()
    rows = shared.view(np.uint32).reshape(-1, 4)[address >> 4].reshape(-1, 4, 8, 4)
    return np.ascontiguousarray(rows.transpose(0, 2, 3, 1)).reshape(-1, 32, 4)


def numpy_ldmatrix_trans(shared: NDArray[np.uint8], address: Words) -> NDArray[Any]:
    assert (address % 16 == 0).all() and (address <= shared.size - 16).all()
    halves = shared.view(np.uint16).reshape(-1, 8)[address >> 4].reshape(-1, 4, 8, 8)
    turned = np.ascontiguousarray(halves.transpose(0, 3, 2, 1)).reshape(-1, 8, 4, 2, 4)
    low, high = turned[:, :, :, 0].astype(np.uint32), turned[:, :, :, 1].astype(np.uint32)
    return (low | high << 16).reshape(-1, 32, 4)


def numpy_wavefronts(address: Words, shift: int, group: int) -> NDArray[Any]:
    """Wavefronts per warp; `group` lanes meet, banks are 2**shift bytes wide."""
    banks = 128 >> shift
    words = np.sort((address >> shift).reshape(-1, group), axis=1)
    first = np.ones(words.shape, bool)
    first[:, 1:] = words[:, 1:] != words[:, :-1]
    n = len(words)
    keys = (np.arange(n)[:, None] * banks + words % banks)[first]
    counts = np.bincount(keys, minlength=n * banks).reshape(n, banks)
    return counts.max(axis=1).reshape(-1, 32 // group).sum(axis=1)


def median_ns(cases: list[Callable[[], object]], repeats: int) -> list[float]:
    times: list[list[int]] = [[] for _ in cases]
    for _ in range(repeats):
        for case, found in zip(cases, times, strict=True):
            began = time.thread_time_ns()
            case()
            found.append(time.thread_time_ns() - began)
    return [statistics.median(found) for found in times]


def table(warps: int, repeats: int) -> list[tuple[str, float, float]]:
    """(what, warpsim's ns per warp, NumPy's), both having given the same answer."""
    generator = np.random.default_rng(1)
    image = generator.integers(0, 256, 48 * 1024, np.uint8)
    shared = ws.SharedMemory(image)
    rows = (generator.integers(0, image.size // 16, (warps, 32)) * 16).astype(np.uint32)
    words = (generator.integers(0, image.size // 4, (warps, 32)) * 4).astype(np.uint32)
    out = np.zeros((warps, 32, 4), np.uint32)
    straight, turned = ws.Ldmatrix(num=4), ws.Ldmatrix(num=4, trans=True)

    def load(op: ws.Instruction) -> Callable[[], Any]:
        return lambda: op.execute(shared, rows, traffic=False, out=out).registers

    pairs: list[tuple[str, Callable[[], Any], Callable[[], Any]]] = [
        ("ldmatrix.x4", load(straight), lambda: numpy_ldmatrix(image, rows)),
        ("ldmatrix.x4.trans", load(turned), lambda: numpy_ldmatrix_trans(image, rows)),
        ("wavefronts of ldmatrix.x4", lambda: straight.traffic(rows).wavefronts,
         lambda: numpy_wavefronts(rows, 4, 8)),
        ("wavefronts of ld.b32", lambda: ws.Ld().traffic(words).wavefronts,
         lambda: numpy_wavefronts(words, 2, 32)),
    ]  # fmt: skip
    found = []
    for what, ours, theirs in pairs:
        assert np.array_equal(ours(), theirs()), what
        mine, other = median_ns([ours, theirs], repeats)
        found.append((what, mine / warps, other / warps))
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--warps", type=int, default=4096)
    parser.add_argument("--repeats", type=int, default=15)
    args = parser.parse_args()
    print(f"{'ns per warp':<28}{'warpsim':>10}{'NumPy':>10}{'ratio':>8}")
    for what, mine, other in table(args.warps, args.repeats):
        print(f"{what:<28}{mine:>10.1f}{other:>10.1f}{other / mine:>8.1f}")


if __name__ == "__main__":
    main()
