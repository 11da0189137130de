"""Kernels of numba-cuda's own tests, compiled to PTX by numba-cuda; what it asks of a GPU is answered here."""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib import import_module
from types import SimpleNamespace
from typing import Any

import numpy as np

import warpsim as ws

from .case import Case

LANE = np.arange(32)


def without_gpu() -> None:
    """The modules of tests ask for the capability of the GPU when they are imported."""
    device = SimpleNamespace(compute_capability=(8, 0), id=0)
    api, devices, cuda = (import_module(f"numba.cuda{name}") for name in (".api", ".cudadrv.devices", ""))
    devices.get_context = lambda *_, **__: SimpleNamespace(device=device)
    api.get_current_device = cuda.get_current_device = lambda: device


def launched(module: str, name: str, grid: Any, block: Any, args: list[Any]) -> ws.KernelReport:
    """The report of a function of a module of tests."""
    function = getattr(import_module(f"numba.cuda.tests.cudapy.{module}"), name)
    return ws.numba(function, *args, grid=grid, block=block)


def rows() -> list[tuple[str, str, Any, Any, list[Any], int, np.ndarray]]:
    """Module, function, grid, block, arguments, which is the result, what it should be."""
    i4, random = np.int32, np.random.default_rng(22)
    x = random.integers(0, 32, 32).astype(np.uint32)
    ones, zeros = np.ones(32, i4), np.zeros(32, i4)
    sparse = zeros.copy()
    sparse[5] = 1
    counts = np.bincount(x, minlength=32)
    warp = "test_warp_ops"
    return [
        (warp, "useful_syncwarp", 1, 32, [np.zeros(32, i4)], 0, np.full(32, 42)),
        (warp, "use_shfl_sync_idx", 1, 32, [np.zeros(32, i4), i4(9)], 0, np.full(32, 9)),
        (warp, "use_shfl_sync_up", 1, 32, [np.zeros(32, i4), i4(16)], 0, np.where(LANE < 16, LANE, LANE - 16)),
        (warp, "use_shfl_sync_down", 1, 32, [np.zeros(32, i4), i4(16)], 0, np.where(LANE < 16, LANE + 16, LANE)),
        (warp, "use_shfl_sync_xor", 1, 32, [np.zeros(32, i4), i4(16)], 0, LANE ^ 16),
        (warp, "use_vote_sync_all", 1, 32, [ones, np.zeros(32, i4)], 1, np.ones(32)),
        (warp, "use_vote_sync_any", 1, 32, [sparse, np.zeros(32, i4)], 1, np.ones(32)),
        (warp, "use_vote_sync_eq", 1, 32, [zeros, np.zeros(32, i4)], 1, np.ones(32)),
        (warp, "use_vote_sync_ballot", 1, 32, [np.zeros(32, np.uint32)], 0, np.full(32, 2**32 - 1)),
        (warp, "use_match_any_sync", 1, 32, [np.arange(32).astype(i4) % 2, np.zeros(32, i4)], 1,
         np.where(LANE % 2, 0xAAAAAAAA, 0x55555555).astype(np.uint32).view(i4)),
        ("test_atomics", "atomic_add", 1, 32, [x.copy()], 0, counts),
        ("test_atomics", "atomic_add2", 1, (4, 8), [np.arange(32, dtype=np.uint32).reshape(4, 8)], 0,
         np.arange(32).reshape(4, 8) + 1),
        ("test_atomics", "atomic_add_float", 1, 32, [x.astype(np.float32)], 0, counts),
        ("test_sync", "simple_smem", 1, 100, [np.zeros(100, i4)], 0, np.arange(100)),
        ("test_sync", "coop_smem2d", 1, (10, 20), [np.zeros((10, 20), np.float32)], 0,
         (np.arange(10)[:, None] + 1) / (np.arange(20)[None] + 1).astype(np.float32)),
        ("test_intrinsics", "simple_popc", 1, 1, [np.zeros(1, i4), np.uint32(0xF00000F0)], 0, np.array([8])),
        ("test_intrinsics", "simple_brev", 1, 1, [np.zeros(1, np.uint32), np.uint32(0x000030F0)], 0,
         np.array([0x0F0C0000])),
        ("test_intrinsics", "simple_clz", 1, 1, [np.zeros(1, i4), np.uint32(0x00100000)], 0, np.array([11])),
        ("test_intrinsics", "simple_grid1d", 3, 17, [np.zeros(51, i4)], 0, np.arange(51)),
    ]  # fmt: skip


def cases() -> Iterator[Case]:
    """Each with what NumPy makes of the same numbers."""
    without_gpu()
    for module, name, grid, block, args, result, expected in rows():

        def run(row: Any = (module, name, grid, block, args), result: int = result, expected: Any = expected) -> Any:
            report = launched(*row)
            return [report], row[-1][result], expected

        yield Case(
            "numba-cuda", f"{re.sub('^test_', '', module)}.{name}", "NumPy", run, 1e-6 if name == "coop_smem2d" else 0
        )
