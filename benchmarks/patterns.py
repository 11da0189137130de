"""Addresses and images that the benchmarks work on."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

import warpsim as ws

Bytes = NDArray[np.uint8]
Words = NDArray[np.uint32]

LANES = 32
KB = 1024
#: bytes of shared memory: the default limit of a block, and all that a block of sm_90 may have
SHARED_SIZES = (48 * KB, 228 * KB)
CACHE_LINE = 64
BANK_BYTES = 128  # of all 32 banks together


def generator() -> np.random.Generator:
    return np.random.default_rng(1)


def aligned(shape: tuple[int, ...], dtype: type[np.generic]) -> NDArray[Any]:
    """Zeros that begin at a cache line; every page is touched."""
    nbytes = int(np.prod(shape)) * np.dtype(dtype).itemsize
    raw = np.empty(nbytes + CACHE_LINE, np.uint8)
    raw.fill(0)
    begin = -raw.ctypes.data % CACHE_LINE
    return raw[begin : begin + nbytes].view(dtype).reshape(shape)


def _put(values: NDArray[Any]) -> Words:
    found = aligned(values.shape, np.uint32)
    found[...] = values
    return found


def image(nbytes: int) -> Bytes:
    found: Bytes = aligned((nbytes,), np.uint8)
    found[:] = generator().integers(0, 256, nbytes, np.uint8)
    return found


def random_pieces(warps: int, piece: int, nbytes: int) -> Words:
    """Any piece of `piece` bytes for any lane."""
    return _put(generator().integers(0, nbytes // piece, (warps, LANES)) * piece)


def tile_walk(warps: int, nbytes: int) -> Words:
    """ldmatrix.x4 along a swizzled f16 tile of 64 columns, 16 x 16 blocks, again and again."""
    op = ws.Ldmatrix(num=4)
    rows = nbytes // 128
    tile = ws.Layout(rows, 64, "f16", swizzle=ws.Swizzle(3, 3, 3))
    blocks = [tile.addresses(op, row, col) for row in range(0, rows, 16) for col in range(0, 64, 16)]
    return _put(np.resize(np.array(blocks), (warps, LANES)))


RANDOM_ROWS = "random"
ROW_PATTERNS: Mapping[str, Callable[[int, int], Words]] = {
    "tile": tile_walk,
    RANDOM_ROWS: lambda warps, nbytes: random_pieces(warps, 16, nbytes),
}


def _above_a_base(offsets: NDArray[Any], warps: int) -> Words:
    """The same offsets in every warp, from a random line of the banks on."""
    room = SHARED_SIZES[0] - BANK_BYTES * LANES
    base = generator().integers(0, room // BANK_BYTES, (warps, 1)) * BANK_BYTES
    return _put(base + offsets)


def conflict_free(warps: int, width: int) -> Words:
    return _above_a_base(np.arange(LANES) * width, warps)


def two_way(warps: int, width: int) -> Words:
    """Two lanes of each group meet in a bank; every fourth lane reads what its neighbour reads."""
    half = BANK_BYTES // width // 2
    lane = np.arange(LANES)
    lane = np.where(lane % 4 == 3, lane - 1, lane)
    return _above_a_base(lane % half * width + lane // half * BANK_BYTES, warps)


def worst_stride(warps: int, width: int) -> Words:
    """All lanes in one bank."""
    return _above_a_base(np.arange(LANES) * BANK_BYTES, warps)


CONFLICT_FREE = "conflict-free"
COUNT_PATTERNS: Mapping[str, Callable[[int, int], Words]] = {
    CONFLICT_FREE: conflict_free,
    "random": lambda warps, width: random_pieces(warps, width, SHARED_SIZES[0]),
    "2-way, duplicates": two_way,
    "worst stride": worst_stride,
}
