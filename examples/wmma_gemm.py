"""A 64x64x64 product of halves, tile by tile with wmma.load and wmma.store.

a and b are in shared memory with rows padded by 8 halves; d goes to shared memory as f32. The
example multiplies the fragments itself, using their maps: warpsim moves data, it does not multiply.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

import warpsim as ws
from warpsim.dtypes import values

SIZE, TILE, PAD = 64, 16, 8
PITCH = SIZE + PAD


def from_fragment(op: ws.Instruction, held: NDArray[Any]) -> NDArray[Any]:
    """The matrix that the lanes hold, from values of shape (..., 32, values per lane)."""
    fragment = op.fragment
    assert fragment is not None
    rows, cols = (fragment.elements.reshape(-1, 3)[:, i] for i in (1, 2))
    matrix = np.zeros((*held.shape[:-2], rows.max() + 1, cols.max() + 1), held.dtype)
    matrix[..., rows, cols] = held.reshape(*held.shape[:-2], -1)
    return matrix


def to_fragment(op: ws.Instruction, matrix: NDArray[Any]) -> NDArray[Any]:
    """The inverse, for 32-bit elements."""
    fragment = op.fragment
    assert fragment is not None
    _, rows, cols = np.moveaxis(fragment.elements[:, :, 0], -1, 0)
    return np.ascontiguousarray(matrix[..., rows, cols]).view(np.uint32)


def main() -> None:
    generator = np.random.default_rng(3)
    a = generator.integers(-8, 9, (SIZE, SIZE)).astype(np.float16)
    b = generator.integers(-8, 9, (SIZE, SIZE)).astype(np.float16)
    a_bytes = SIZE * PITCH * 2
    shared = ws.SharedMemory(2 * a_bytes + SIZE * SIZE * 4)
    shared.view(np.float16, (SIZE, PITCH))[:, :SIZE] = a
    shared.view(np.float16, (SIZE, PITCH), a_bytes)[:, :SIZE] = b
    d = shared.view(np.float32, (SIZE, SIZE), 2 * a_bytes)

    load_a, load_b = ws.WmmaLoad("a", "row"), ws.WmmaLoad("b", "row")
    store = ws.WmmaStore("row")
    tiles = np.arange(SIZE // TILE) * TILE
    row, col = (axis.reshape(-1) for axis in np.meshgrid(tiles, tiles, indexing="ij"))
    loaded_a = load_a.execute(shared, ((row * PITCH + col) * 2)[:, None], stride=PITCH)
    loaded_b = load_b.execute(shared, (a_bytes + (row * PITCH + col) * 2)[:, None], stride=PITCH)

    count = len(tiles)
    held_a = from_fragment(load_a, values(loaded_a.registers, np.float16)).astype(np.float32)
    held_b = from_fragment(load_b, values(loaded_b.registers, np.float16)).astype(np.float32)
    held_a = held_a.reshape(count, count, TILE, TILE)  # block row, block of k
    held_b = held_b.reshape(count, count, TILE, TILE)  # block of k, block column
    products = np.einsum("mkij,knjl->mnil", held_a, held_b).reshape(-1, TILE, TILE)
    p = 2 * a_bytes + (row * SIZE + col) * 4
    stored = store.execute(shared, p[:, None], to_fragment(store, products), stride=SIZE)

    assert np.array_equal(d, a.astype(np.float32) @ b.astype(np.float32))
    print("64x64x64 halves: equal to NumPy's product")
    for name, result in (("load a", loaded_a), ("load b", loaded_b), ("store d", stored)):
        assert result.traffic is not None
        total = result.traffic.sum()
        print(
            f"{name:<8} {total.instructions} instructions, {total.requests} requests,"
            f" {total.wavefronts} wavefronts, {total.bank_conflicts} bank conflicts"
        )
    print(f"findings: {len(loaded_a.findings)} warnings for rows padded by {PAD} halves")


if __name__ == "__main__":
    main()
