"""Why padding a tile by 16 bytes is not free: the write side with cp.async.

Padded rows let ldmatrix read without conflicts, but cp.async.cg pays for it: its wavefronts do not
follow the bank rule of shared memory. An XOR swizzle is free on both sides.
"""

from __future__ import annotations

import numpy as np

import warpsim as ws

ROWS, COLS = 64, 64  # halves: rows of 128 bytes


def wavefronts(tile: ws.Layout) -> tuple[float, float]:
    """Wavefronts per instruction: cp.async.cg filling the tile, ldmatrix.x4 reading it."""
    fill, read = ws.CpAsync(size=16, cache="cg"), ws.Ldmatrix(num=4)
    first_rows = np.arange(0, ROWS, 4)  # 32 pieces of 16 bytes are 4 rows
    to = tile.addresses(fill, row=first_rows)
    row, piece = first_rows[:, None] + np.arange(32) // 8, np.arange(32) % 8
    source = (row * COLS + piece * 8) * 2
    filled = fill.traffic(to, source=source)
    rows, cols = np.meshgrid(np.arange(0, ROWS, 16), np.arange(0, COLS, 16))
    loaded = read.traffic(tile.addresses(read, rows.reshape(-1), cols.reshape(-1)))
    return float(filled.wavefronts.mean()), float(loaded.wavefronts.mean())


def main() -> None:
    print("64x64 halves     cp.async.cg   ldmatrix.x4   (wavefronts per instruction; ideal 4 and 4)")
    for name, tile in (
        ("plain", ws.Layout(ROWS, COLS, "f16")),
        ("padded by 8", ws.Layout(ROWS, COLS, "f16", pad=8)),
        ("Swizzle<3,3,3>", ws.Layout(ROWS, COLS, "f16", swizzle=ws.Swizzle(3, 3, 3))),
    ):
        fill, read = wavefronts(tile)
        print(f"{name:<16} {fill:>11.1f} {read:>13.1f}")


if __name__ == "__main__":
    main()
