"""ldmatrix and stmatrix on a matrix of halves: x1, x2, x4, .trans, and the stmatrix round trip.

The matrix holds one-digit numbers, so you can check every printed line by eye. Each lane stores
its registers where a kernel would: one 8x8 matrix after another, with lane l holding row l / 4,
columns 2 (l % 4) and 2 (l % 4) + 1.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

import warpsim as ws
from warpsim.dtypes import values

MATRIX = np.array(
    [
        [1, 3, 1, 4, 5, 4, 8, 9, 6, 5, 7, 7, 2, 3, 1, 6],
        [6, 5, 8, 4, 3, 9, 9, 2, 8, 4, 2, 8, 7, 9, 3, 7],
        [2, 1, 9, 4, 4, 7, 3, 7, 9, 1, 5, 8, 3, 3, 4, 8],
        [5, 1, 3, 8, 9, 9, 7, 5, 1, 6, 1, 8, 5, 4, 3, 4],
        [2, 9, 8, 6, 4, 1, 1, 2, 1, 3, 9, 2, 3, 4, 7, 8],
        [4, 9, 4, 1, 7, 8, 5, 7, 2, 5, 3, 4, 6, 4, 7, 8],
        [3, 5, 2, 5, 4, 9, 6, 2, 3, 5, 3, 3, 8, 1, 1, 9],
        [7, 4, 9, 2, 9, 2, 9, 1, 7, 9, 4, 1, 3, 2, 8, 4],
        [4, 7, 8, 5, 7, 4, 7, 7, 6, 9, 9, 3, 7, 1, 2, 3],
        [2, 9, 4, 2, 1, 3, 2, 5, 1, 4, 6, 3, 5, 2, 4, 6],
        [7, 9, 2, 4, 3, 8, 1, 7, 5, 7, 9, 1, 5, 1, 3, 7],
        [7, 6, 6, 8, 9, 5, 1, 7, 8, 4, 9, 3, 4, 2, 7, 1],
        [1, 8, 4, 2, 4, 2, 8, 6, 6, 7, 6, 2, 5, 8, 8, 3],
        [5, 2, 8, 2, 6, 8, 8, 5, 1, 5, 5, 4, 4, 2, 4, 5],
        [7, 5, 4, 1, 6, 2, 7, 2, 6, 3, 3, 8, 9, 8, 1, 4],
        [9, 6, 3, 6, 3, 8, 8, 3, 1, 3, 4, 5, 3, 7, 9, 9],
    ],
    np.float16,
)
LANE = np.arange(32)


def show(title: str, matrix: NDArray[Any]) -> None:
    print(f"{title}:")
    for row in matrix.astype(int):
        print("".join(f"{value:2d} " for value in row).rstrip())


def put_back(registers: NDArray[Any], rows: int, cols: int) -> NDArray[Any]:
    """The matrix that the lanes write when each stores its halves row by row."""
    halves = values(registers, "float16")  # (32, 2 * registers)
    copy = np.zeros((rows, cols), np.float16)
    for register in range(registers.shape[1]):
        row = LANE // 4 + register % 2 * 8
        col = LANE % 4 * 2 + register // 2 * 8
        copy[row, col] = halves[:, 2 * register]
        copy[row, col + 1] = halves[:, 2 * register + 1]
    return copy


def load(num: int, trans: bool, rows: int, cols: int) -> NDArray[Any]:
    """The first rows x cols numbers as a row-major matrix in shared memory, loaded by one warp."""
    shared = ws.SharedMemory(rows * cols * 2)
    shared.view("float16", rows * cols)[:] = MATRIX.reshape(-1)[: rows * cols]
    op = ws.Ldmatrix(num=num, trans=trans)
    tile = ws.Layout(rows, cols, "f16")
    result = op.execute(shared, tile.addresses(op))
    assert result.registers is not None
    return result.registers


def main() -> None:
    for num, rows, cols in ((1, 8, 8), (2, 16, 8), (4, 16, 16)):
        registers = load(num, False, rows, cols)
        print(f"ldmatrix x{num}")
        for lane, held in enumerate(values(registers, "float16").astype(int)):
            print(f"thread={lane}, val={' '.join(map(str, held))}")
        show("copy", put_back(registers, rows, cols))

    print("ldmatrix x4 trans")
    show("copy", put_back(load(4, True, 16, 16), 16, 16))

    print("stmatrix x4 round trip")
    op = ws.Stmatrix(num=4)
    shared = ws.SharedMemory(512)
    addresses = ws.Layout(16, 16, "f16").addresses(op)
    op.execute(shared, addresses, load(4, False, 16, 16))
    show("copy", shared.view("float16", (16, 16)))


if __name__ == "__main__":
    main()
