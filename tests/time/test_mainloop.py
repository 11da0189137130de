"""Main loops: counted against brute force, the same from any thread, bad arguments named."""

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import warpsim as ws
from tests.reference import cost as oracle
from tests.support.evidence import compared


@st.composite
def loops(draw: Any) -> dict[str, Any]:
    warps = draw(st.sampled_from(((1, 1), (1, 2), (2, 1), (2, 2), (3, 1), (4, 2), (2, 4), (8, 4))))
    m, n = (16 * count * draw(st.integers(1, 2)) for count in warps)
    k, trans_b = 16 * draw(st.integers(1, 4)), draw(st.booleans())
    type_ = draw(st.sampled_from(("f16", "bf16")))

    def layout(rows: int, cols: int) -> ws.Layout:
        swizzles = (None, None, ws.Swizzle(2, 3, 3), ws.Swizzle(3, 3, 3), ws.Swizzle(1, 3, 3))
        swizzle = draw(st.sampled_from(swizzles))
        pad = draw(st.sampled_from((0, 8, 16, 24))) if swizzle is None else 0
        return ws.Layout(rows, cols, type_, pad=pad, swizzle=swizzle)

    return {
        "tile": (m, n, k),
        "warps": warps,
        "type": type_,
        "a": layout(m, k),
        "b": layout(k, n) if trans_b else layout(n, k),
        "trans_b": trans_b,
        "stages": draw(st.sampled_from((0, 0, 1, 2, 3, 5, 15))),
        "target": draw(st.sampled_from(("sm_90", "sm_80", "sm_86", "sm_103a", "sm_121"))),
    }


def wavefronts_of(loop: dict[str, Any]) -> dict[str, int]:
    """Brute force: every instruction of the iteration counted alone."""
    (m, n, k), (wm, wn), a, b = loop["tile"], loop["warps"], loop["a"], loop["b"]
    rows_b, cols_b = (k, n) if loop["trans_b"] else (n, k)

    def place_a(row: int, col: int) -> int:
        return int(a(row, col))

    def place_b(row: int, col: int) -> int:
        return int(a.nbytes + b(row, col))

    x4, cg = ws.Ldmatrix(num=4), ws.CpAsync()
    loads = list(oracle.loop_loads((m, n, k), (wm, wn), place_a, place_b, loop["trans_b"]))
    found = {"load": int(x4.traffic(np.array(loads)).wavefronts.sum()), "store": 0}
    if loop["stages"]:
        for rows, cols, place in ((m, k, place_a), (rows_b, cols_b, place_b)):
            for address, source, active in oracle.loop_copies(rows, cols, wm * wn, place):
                counted = cg.traffic(address, source=source, active=active)
                found["store"] += counted.wavefronts.item()
    return found


BUSY = ("data pipe", "tensor pipe", "global bytes", "issue")


def test_loops_count_what_brute_force_counts() -> None:
    seen = 0

    @given(loops())
    @settings(deadline=None, max_examples=40)
    def check(loop: dict[str, Any]) -> None:
        nonlocal seen
        found = ws.mainloop(**loop)
        m, n, k = loop["tile"]
        stages = loop["stages"]
        c = {name: made.value for name, made in ws.arch(loop["target"]).constants.items()}
        assert found.wavefronts == wavefronts_of(loop), loop
        assert found.mma == m * n * k // 2048
        assert found.global_bytes == (2 * (m + n) * k if stages else 0)
        assert found.shared_bytes == max(1, stages) * (loop["a"].nbytes + loop["b"].nbytes)
        peak = found.mma * 2048 / c["dense_fma"]
        assert found.tensor_fraction == pytest.approx(peak / found.cycles)
        assert 0 < found.tensor_fraction <= 1
        busy = {name: found.breakdown.get(name, 0) for name in BUSY}
        assert all(math.isfinite(x) and x >= 0 for x in found.breakdown.values())
        assert found.cycles >= max(busy.values()), loop
        fullest = -(-loop["warps"][0] * loop["warps"][1] // 4)
        own = found.mma // (loop["warps"][0] * loop["warps"][1])
        assert busy["tensor pipe"] == pytest.approx(c["mma_interval"] * own * fullest)
        copies = sum(-(-rows * k // 8 // (32 * loop["warps"][0] * loop["warps"][1])) for rows in (m, n))
        lines = 4 * copies * loop["warps"][0] * loop["warps"][1] * bool(stages)
        assert busy["global bytes"] == pytest.approx(c["copy_path"] * lines)
        assert found.bound in (*BUSY, "latency")
        assert found.fits == (found.shared_bytes <= found.shared_bytes_per_block)
        seen += 1

    check()
    compared("main loops counted", seen, at_least=30)
