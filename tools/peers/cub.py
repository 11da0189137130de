"""CUB's collectives of blocks and warps, instantiated by a few lines around each."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

import warpsim as ws

from .case import Case

THREADS, ITEMS, BLOCKS = 128, 4, 3
TILE = THREADS * ITEMS
HEADERS = [
    *(f"block/block_{name}" for name in ("adjacent_difference", "discontinuity", "exchange", "histogram", "merge_sort",
                                         "radix_sort", "reduce", "scan")),
    *(f"warp/warp_{name}" for name in ("merge_sort", "reduce", "scan")),
]  # fmt: skip
INCLUDES = "\n".join(f"#include <cub/{name}.cuh>" for name in HEADERS)
HEAD = f"""
{INCLUDES}
constexpr int THREADS = {THREADS}, ITEMS = {ITEMS}, TILE = THREADS * ITEMS;
struct Less {{ __device__ bool operator()(int a, int b) const {{ return a < b; }} }};
extern "C" __global__ void k(const int *x, int *y) {{
    int v[ITEMS], first = blockIdx.x * TILE + threadIdx.x * ITEMS;
    for (int i = 0; i < ITEMS; i++) v[i] = x[first + i];
"""
OUT = "for (int i = 0; i < ITEMS; i++) y[first + i] = v[i];"


def body(name: str, calls: str) -> str:
    return f"using C = {name}; __shared__ typename C::TempStorage s; {calls}"


def warps(rows: np.ndarray) -> np.ndarray:
    return rows.reshape(-1, 32 * ITEMS)


def cases() -> Iterator[Case]:
    """Each with what NumPy makes of the same numbers."""
    x = np.random.default_rng(22).integers(-999, 1000, (BLOCKS, TILE)).astype(np.int32)
    small = x & 15
    sums = np.broadcast_to(x.sum(1, keepdims=True), x.shape)
    of_warps = np.broadcast_to(warps(x).sum(1, keepdims=True), warps(x).shape)
    striped = x.reshape(BLOCKS, ITEMS, THREADS).transpose(0, 2, 1)
    heads = np.diff(small, axis=1, prepend=-1) != 0
    found: list[tuple[str, str, np.ndarray, np.ndarray]] = [
        *((f"BlockReduce {way}", body(f"cub::BlockReduce<int, THREADS, cub::{way}>", """
            __shared__ int all; int sum = C(s).Sum(v); if (threadIdx.x == 0) all = sum; __syncthreads();
            for (int i = 0; i < ITEMS; i++) v[i] = all;"""), x, sums)
          for way in ("BLOCK_REDUCE_WARP_REDUCTIONS", "BLOCK_REDUCE_RAKING", "BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY")),
        *((f"BlockScan {way}", body(f"cub::BlockScan<int, THREADS, cub::{way}>", "C(s).InclusiveSum(v, v);"),
           x, x.cumsum(1)) for way in ("BLOCK_SCAN_RAKING", "BLOCK_SCAN_RAKING_MEMOIZE", "BLOCK_SCAN_WARP_SCANS")),
        ("BlockScan exclusive maximum", body("cub::BlockScan<int, THREADS>",
            "C(s).ExclusiveScan(v, v, -5000, cuda::maximum<int>{});"), x,
         np.concatenate([np.full((BLOCKS, 1), -5000), np.maximum.accumulate(x, 1)[:, :-1]], 1)),
        ("BlockRadixSort", body("cub::BlockRadixSort<int, THREADS, ITEMS>", "C(s).Sort(v);"), x, np.sort(x, 1)),
        ("BlockRadixSort descending", body("cub::BlockRadixSort<int, THREADS, ITEMS>", "C(s).SortDescending(v);"),
         x, -np.sort(-x, 1)),
        ("BlockMergeSort", body("cub::BlockMergeSort<int, THREADS, ITEMS>", "C(s).Sort(v, Less{});"), x, np.sort(x, 1)),
        ("BlockExchange", body("cub::BlockExchange<int, THREADS, ITEMS>", "C(s).StripedToBlocked(v, v);"),
         np.ascontiguousarray(striped.reshape(BLOCKS, TILE)), x),
        ("BlockDiscontinuity", body("cub::BlockDiscontinuity<int, THREADS>", """
            int flags[ITEMS]; C(s).FlagHeads(flags, v, cuda::std::not_equal_to<int>{});
            for (int i = 0; i < ITEMS; i++) v[i] = flags[i];"""), small, heads.astype(np.int32)),
        ("BlockAdjacentDifference", body("cub::BlockAdjacentDifference<int, THREADS>",
            "C(s).SubtractLeft(v, v, cuda::std::minus<int>{});"), x,
         np.concatenate([x[:, :1], np.diff(x, axis=1)], 1)),
        *((f"BlockHistogram {way}", body(f"cub::BlockHistogram<int, THREADS, ITEMS, 16, cub::{way}>", """
            __shared__ int bins[TILE]; for (int i = threadIdx.x; i < TILE; i += THREADS) bins[i] = 0;
            __syncthreads(); C(s).Histogram(v, bins); __syncthreads();
            for (int i = 0; i < ITEMS; i++) v[i] = bins[threadIdx.x * ITEMS + i];"""), small,
           np.stack([np.bincount(row, minlength=TILE) for row in small]))
          for way in ("BLOCK_HISTO_SORT", "BLOCK_HISTO_ATOMIC")),
        ("WarpReduce", """using C = cub::WarpReduce<int>; __shared__ typename C::TempStorage s[THREADS / 32];
            int sum = v[0] + v[1] + v[2] + v[3]; sum = C(s[threadIdx.x / 32]).Sum(sum);
            sum = __shfl_sync(~0u, sum, 0); for (int i = 0; i < ITEMS; i++) v[i] = sum;""",
         x, of_warps.reshape(x.shape)),
        ("WarpScan", """using C = cub::WarpScan<int>; __shared__ typename C::TempStorage s[THREADS / 32];
            int sum = v[0] + v[1] + v[2] + v[3], before; C(s[threadIdx.x / 32]).ExclusiveSum(sum, before);
            for (int i = 0; i < ITEMS; i++) v[i] = before += v[i];""", x, warps(x).cumsum(1).reshape(x.shape)),
        ("WarpMergeSort", """using C = cub::WarpMergeSort<int, ITEMS, 32>;
            __shared__ typename C::TempStorage s[THREADS / 32]; C(s[threadIdx.x / 32]).Sort(v, Less{});""",
         x, np.sort(warps(x), 1).reshape(x.shape)),
    ]  # fmt: skip
    for name, calls, given, expected in found:

        def run(calls: str = calls, given: np.ndarray = given, expected: np.ndarray = expected) -> Any:
            kernel = ws.compile(f"{HEAD}{calls}\n{OUT}\n}}", options="--std=c++17", target="sm_80")["k"]
            y = ws.uninitialized(given.shape, np.int32)
            return [kernel(BLOCKS, THREADS, [given, y])], y, expected

        yield Case("nvidia-cuda-cccl", f"cub::{name}", "NumPy", run)
