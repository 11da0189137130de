"""Kernels as compilers wrote them: results as NumPy has them, conflicts as their layouts promise, no error."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import warpsim as ws
from tests.support.evidence import compared
from tests.support.paths import TRUTH

SEEDS = range(3)

#: a report, and the conflicts that the layout promises, where one can say so by hand
Launched = tuple[ws.KernelReport, int | None]


def launch(file: str, kernel: str, grid: Any, block: Any, args: list[Any], **options: Any) -> ws.KernelReport:
    return ws.Module(TRUTH / "real_ptx" / f"{file}.ptx")[kernel](grid, block, args, **options)


def words(rng: np.random.Generator, *shape: int) -> np.ndarray:
    return rng.integers(0, 2**32, shape, np.uint32)


def halves(rng: np.random.Generator, *shape: int) -> np.ndarray:
    """Small integers: their products and sums are exact in any order."""
    return rng.integers(-3, 4, shape).astype(np.float16)


def transposes(rng: np.random.Generator) -> list[Launched]:
    given, reports = words(rng, 32, 32), []
    for kernel, conflicts in (("transpose_unpadded", 31 * 32), ("transpose_padded", 0)):
        out = np.zeros_like(given)
        reports.append((launch("plain_transpose_sm75", kernel, 1, (32, 8), [given, out]), conflicts))
        assert (out == given.T).all()
    given, out, thread = words(rng, 256, 4), np.zeros((256, 4), np.uint32), np.arange(256)
    # lane * 8 pieces of 16 bytes: all lanes in one group of four banks, eight turns instead of one for each quarter
    reports.append((launch("plain_transpose_sm75", "copy_vectors", 1, 256, [given, out]), 8 * 4 * 7))
    assert (out == given[(thread * 8 + thread // 32) % 256]).all()
    return reports


def roundtrips(rng: np.random.Generator) -> list[Launched]:
    given, out = words(rng, 4, 8, 4), np.zeros((2, 4, 8, 4), np.uint32)
    report = launch("roundtrip_sm90", "roundtrip", 1, 32, [given, out])
    turned = given.view(np.uint16).transpose(0, 2, 1)
    assert (out[0].view(np.uint16) == turned).all()
    assert (out[1].view(np.uint16) == [*given.view(np.uint16)[:3], turned[3]]).all()
    return [(report, 0)]


def tile_readers(rng: np.random.Generator) -> list[Launched]:
    tile, reports = rng.integers(0, 2**16, (64, 64), np.uint16), []
    lane = np.arange(32)
    total = np.zeros(32, np.uint32)
    for step in range(4):
        for matrix in range(4):
            row, column = 16 * step + matrix % 2 * 8, 16 * step + matrix // 2 * 8
            part = tile[row : row + 8, column : column + 8]
            total += part.reshape(-1).view(np.uint32)[lane] ^ part.T.copy().reshape(-1).view(np.uint32)[lane]
    # rows of 128 bytes that lie over one another: 7 turns too many for each of 4 matrices, in 8 loads
    for kernel, conflicts in (("read_packed", 8 * 4 * 7), ("read_padded", 0), ("read_xor", 0)):
        out = np.zeros(32, np.uint32)
        reports.append((launch("tile_readers_sm80", kernel, 1, 32, [tile, out]), conflicts))
        assert (out == total).all()
    return reports


def products(rng: np.random.Generator) -> list[Launched]:
    reports = []
    for depth in (16, 48):
        a, b = halves(rng, 16, depth), halves(rng, 16, depth)
        c, turned = np.zeros((16, 16), np.float32), np.zeros((16, 16), np.float16)
        report = launch("wmma_tile_sm80", "wmma_tile", 1, 32, [a, b, c, turned, depth])
        assert (c == a.astype(np.float32) @ b.astype(np.float32).T).all()
        assert (turned == c.T.astype(np.float16)).all()
        reports.append((report, None))
    a, b, c = halves(rng, 64, 96), halves(rng, 96, 96), np.zeros((64, 96), np.float16)
    args = [a, b, c, 96, 96, 96, 96, None, None]
    report = launch("triton_matmul_sm80", "matmul", (2, 3), 128, args, shared_bytes=16384)
    assert (c == a.astype(np.float32) @ b.astype(np.float32)).all()
    return [*reports, (report, None)]


def narrow_loads(rng: np.random.Generator) -> list[Launched]:
    """What the instructions one by one move: tests/measured holds these to what the hardware did."""
    given, out, back = words(rng, 64, 4), np.zeros((11, 32), np.uint32), np.zeros((32, 4), np.uint32)
    report = launch("narrow_types_sm100a", "narrow_types", 1, 32, [given, out, back])
    shared = ws.SharedMemory(1024)
    shared.view("u4", (64, 4))[:] = given
    rows = np.arange(32) * 16
    loads = ["m16n16.x1.trans.shared.b8", "m16n16.x2.trans.shared.b8", "m8n16.x1.shared.b8x16.b4x16_p64",
             "m8n16.x2.shared.b8x16.b6x16_p32", "m16n16.x1.trans.shared.b8x16.b4x16_p64"]  # fmt: skip
    wanted = np.concatenate(
        [ws.parse(f"ldmatrix.sync.aligned.{one}").execute(shared, rows).registers.T for one in loads]
    )
    assert (out == wanted).all()
    store = "stmatrix.sync.aligned.m16n8.{}.trans.shared.b8"
    ws.parse(store.format("x4")).execute(shared, rows, wanted[2:6].T.copy())
    ws.parse(store.format("x1")).execute(shared, rows + 512, wanted[0:1].T.copy())
    assert (back == shared.view("u4", (64, 4))[:32]).all()
    return [(report, None)]


@pytest.mark.parametrize("kernels", [transposes, roundtrips, tile_readers, products, narrow_loads])
def test_kernels_of_compilers_give_their_results_without_an_error(kernels: Callable[..., Any]) -> None:
    reports = [one for seed in SEEDS for one in kernels(np.random.default_rng(seed))]
    for report, conflicts in reports:
        assert [str(one) for one in report.findings if one.severity != "note"] == []
        assert conflicts in (None, report.traffic.bank_conflicts)
    compared("launches of real PTX", len(reports), at_least=len(SEEDS))
