"""Which main loop is fastest? Sweeps tiles, stages and layouts, and shows what bounds each."""

from __future__ import annotations

import numpy as np

import warpsim as ws

LAYOUTS = {"plain": (0, None), "pad 8": (8, None), "swizzle": (0, ws.Swizzle(3, 3, 3))}


def loop(tile: tuple[int, int, int], stages: int, layout: str) -> ws.LoopReport:
    """One iteration of a block of eight warps, B as N x K."""
    pad, swizzle = LAYOUTS[layout]
    m, n, k = tile
    a, b = (ws.Layout(rows, k, "f16", pad=pad, swizzle=swizzle) for rows in (m, n))
    return ws.mainloop(tile, (2, 4), a=a, b=b, stages=stages)


def main() -> None:
    grid = {"tile": [(64, 64, 64), (128, 64, 64), (128, 128, 64)], "stages": [2, 3], "layout": list(LAYOUTS)}
    found = ws.sweep(loop, grid, progress=False)
    best_first = np.argsort(-found["tensor_fraction"], kind="stable")
    print("tile            stages  layout    fill   read  peak   bound")
    for row in best_first:
        tile = "x".join(map(str, found["tile"][row]))
        print(
            f"{tile:<15} {found['stages'][row]:>6}  {found['layout'][row]:<8}"
            f" {found['store_wavefronts'][row]:>5} {found['load_wavefronts'][row]:>6}"
            f"  {found['tensor_fraction'][row]:>4.0%}   {found['bound'][row]}"
        )
    fastest = best_first[0]
    assert found["layout"][fastest] == "swizzle"
    print(loop(**{name: found[name][fastest] for name in grid}))


if __name__ == "__main__":
    main()
