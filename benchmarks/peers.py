"""What a user would write today, in NumPy and in Numba: the same work, checks included."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .patterns import Bytes, Words

Counts = NDArray[np.int64]

NO_NUMBA = "numba is not installed"


def same(what: str, ours: Any, theirs: Any) -> None:
    """Every comparison begins with it."""
    if not np.array_equal(ours, theirs):
        raise AssertionError(f"{what}: the answers differ")


def _check(shared: Bytes, address: Words) -> None:
    if not ((address % 16 == 0).all() and (address <= shared.size - 16).all()):
        raise ValueError("misaligned or out of bounds")


def numpy_ldmatrix(shared: Bytes, address: Words) -> NDArray[Any]:
    _check(shared, address)
    rows = shared.view(np.uint32).reshape(-1, 4)[address >> 4].reshape(-1, 4, 8, 4)
    return np.ascontiguousarray(rows.transpose(0, 2, 3, 1)).reshape(-1, 32, 4)


def numpy_ldmatrix_trans(shared: Bytes, address: Words) -> NDArray[Any]:
    _check(shared, address)
    halves = shared.view(np.uint16).reshape(-1, 8)[address >> 4].reshape(-1, 4, 8, 8)
    turned = np.ascontiguousarray(halves.transpose(0, 3, 2, 1)).reshape(-1, 8, 4, 2, 4)
    low, high = turned[:, :, :, 0].astype(np.uint32), turned[:, :, :, 1].astype(np.uint32)
    return (low | high << 16).reshape(-1, 32, 4)


def numpy_wavefronts(address: Words, width: int) -> NDArray[Any]:
    """Wavefronts per warp of `width` bytes a lane: 128 bytes worth of lanes meet in the banks."""
    group = banks = 128 // width
    shift = width.bit_length() - 1
    pieces = np.sort((address >> shift).reshape(-1, group), axis=1)
    first = np.ones(pieces.shape, bool)
    first[:, 1:] = pieces[:, 1:] != pieces[:, :-1]
    n = len(pieces)
    keys = (np.arange(n)[:, None] * banks + (pieces & banks - 1))[first]
    counts = np.bincount(keys, minlength=n * banks).reshape(n, banks)
    found: NDArray[Any] = counts.max(axis=1).reshape(-1, 32 // group).sum(axis=1)
    return found


def numpy_unpack(rows: Bytes, bits: int) -> NDArray[Any]:
    """16 elements of `bits` bits from the front of each row of 16 bytes, one a byte."""
    stream = np.unpackbits(rows[:, : 2 * bits], axis=1, bitorder="little")
    padded = np.zeros((len(rows), 16, 8), np.uint8)
    padded[:, :, :bits] = stream.reshape(-1, 16, bits)
    return np.packbits(padded.reshape(len(rows), 128), axis=1, bitorder="little")


def loops_ldmatrix(words: Words, address: Words, out: Words) -> int:
    """The first warp with a bad address, or -1; for Numba, in the order of the output's lines."""
    limit = 4 * len(words) - 16
    for warp in range(len(address)):
        for row in range(8):
            for matrix in range(4):
                at = address[warp, 8 * matrix + row]
                if at & 15 or at > limit:
                    return warp
                for column in range(4):
                    out[warp, 4 * row + column, matrix] = words[(at >> 2) + column]
    return -1


def loops_wavefronts(address: Words, out: Counts) -> None:
    """Wavefronts of ldmatrix.x4 per warp; for Numba, with a counter for each bank."""
    counts = np.zeros(8, np.int64)
    for warp in range(len(address)):
        total = 0
        for matrix in range(4):
            counts[:] = 0
            degree = 0
            for i in range(8):
                row = address[warp, 8 * matrix + i] >> 4
                seen = False
                for j in range(i):
                    seen |= row == address[warp, 8 * matrix + j] >> 4
                if not seen:
                    counts[row % 8] += 1
                    degree = max(degree, counts[row % 8])
            total += degree
        out[warp] = total


def loops_wavefronts_packed(address: Words, out: Counts) -> None:
    """The same with the eight counters in one integer: as fast as Numba is known to get."""
    for warp in range(len(address)):
        total = 0
        for matrix in range(4):
            counts = 0
            for i in range(8):
                row = address[warp, 8 * matrix + i] >> 4
                seen = False
                for j in range(i):
                    seen |= row == address[warp, 8 * matrix + j] >> 4
                if not seen:
                    counts += 1 << (4 * (row & 7))
            degree = 0
            for bank in range(8):
                degree = max(degree, counts >> (4 * bank) & 15)
            total += degree
        out[warp] = total


def compiler() -> Callable[[Callable[..., Any]], Callable[..., Any]] | None:
    """Numba's njit, or None where Numba is not installed."""
    try:
        numba = importlib.import_module("numba")
    except ImportError:
        return None
    njit: Callable[[Callable[..., Any]], Callable[..., Any]] = numba.njit
    return njit
