"""Main loops: counted against brute force, the same from any thread, bad arguments named."""

from __future__ import annotations

import math
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import warpsim as ws
from tests.reference import cost as oracle
from tests.support.bad_arguments import assert_named
from tests.support.evidence import compared

LANES = range(32)
REL = 1e-9


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


@pytest.mark.parametrize("trans_b", [False, True])
@pytest.mark.parametrize("swizzle", [None, ws.Swizzle(2, 3, 3), ws.Swizzle(3, 3, 3)])
@pytest.mark.parametrize(("n", "k", "pad"), [(64, 16, 0), (32, 32, 0), (64, 64, 8), (32, 64, 24)])
def test_b_is_read_as_it_lies(
    n: int, k: int, pad: int, swizzle: ws.Swizzle | None, trans_b: bool
) -> None:
    pad = pad if swizzle is None else 0
    b = ws.Layout(*((k, n) if trans_b else (n, k)), "f16", pad=pad, swizzle=swizzle)
    loop = {
        "tile": (32, n, k), "warps": (2, 2), "type": "f16", "a": ws.Layout(32, k, "f16"),
        "b": b, "trans_b": trans_b, "stages": 2,
    }  # fmt: skip
    assert ws.mainloop(**loop).wavefronts == wavefronts_of(loop)


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
        copies = sum(
            -(-rows * k // 8 // (32 * loop["warps"][0] * loop["warps"][1])) for rows in (m, n)
        )
        lines = 4 * copies * loop["warps"][0] * loop["warps"][1] * bool(stages)
        assert busy["global bytes"] == pytest.approx(c["copy_path"] * lines)
        assert found.bound in (*BUSY, "latency")
        assert found.fits == (found.shared_bytes <= found.shared_bytes_per_block)
        seen += 1

    check()
    compared("main loops counted", seen, at_least=30)


def test_cycles_are_never_below_the_work_of_the_busiest_pipe() -> None:
    swizzled = ws.Layout(64, 32, "f16", swizzle=ws.Swizzle(2, 3, 3))
    padded = ws.Layout(64, 32, "f16", pad=8)
    loop = ws.mainloop((64, 64, 32), (4, 2), a=swizzled, b=padded, stages=0, target="sm_86")
    assert loop.cycles == loop.breakdown["tensor pipe"] == 256
    assert (loop.bound, loop.tensor_fraction) == ("tensor pipe", 1.0)
    assert "latency" not in loop.breakdown


def test_loops_are_the_same_from_any_thread() -> None:
    cases = [((64 * i, 64, 32), (2, 2), stages) for i in (1, 2, 3) for stages in (0, 2, 4)]

    def run(case: tuple[Any, Any, int]) -> ws.LoopReport:
        return ws.mainloop(case[0], case[1], stages=case[2])

    alone = [run(case) for case in cases]
    with ThreadPoolExecutor(4) as threads:
        assert list(threads.map(run, cases * 8)) == alone * 8
    compared("main loops in threads", len(cases) * 8, at_least=50)


def test_loops_more_mma_never_cost_less() -> None:
    for warps in ((1, 1), (2, 2), (4, 2)):
        cycles = [
            ws.mainloop((16 * warps[0] * i, 16 * warps[1] * i, 32), warps).cycles
            for i in range(1, 6)
        ]
        assert cycles == sorted(cycles)


F16 = ws.Layout(64, 32, "f16")
LOOP: tuple[Any, Any] = ((64, 64, 32), (2, 2))


@pytest.mark.parametrize(
    ("call", "error", "words"),
    [
        (lambda: ws.mainloop(64, (2, 2)), TypeError, ["tile", "3 ints", "64"]),
        (lambda: ws.mainloop((64, 64), (2, 2)), TypeError, ["tile", "3 ints", "(64, 64)"]),
        (lambda: ws.mainloop((64, 64, 32.0), (2, 2)), TypeError, ["tile[2]", "int", "float"]),
        (lambda: ws.mainloop((64, 0, 32), (2, 2)), ValueError, ["tile[1]", "1 or more", "0"]),
        (lambda: ws.mainloop((64, 2**80, 32), (2, 2)), ValueError, ["tile", "4096", str(2**80)]),
        (lambda: ws.mainloop((64, 64, 24), (2, 2)), ValueError, ["tile", "16", "24"]),
        (lambda: ws.mainloop((64, 48, 32), (2, 2)), ValueError, ["tile", "16 * warps[1]", "48"]),
        (lambda: ws.mainloop((64, 64, 32), 4), TypeError, ["warps", "2 ints", "4"]),
        (lambda: ws.mainloop((528, 16, 32), (33, 1)), ValueError, ["warps", "1 to 32", "33"]),
        (lambda: ws.mainloop((64, 64, 32), (2, 2**70)), ValueError, ["warps", "32", str(2**70)]),
        (lambda: ws.mainloop(*LOOP, stages=16), ValueError, ["stages", "0 to 15", "16"]),
        (lambda: ws.mainloop(*LOOP, stages=-1), ValueError, ["stages", "0 to 15", "-1"]),
        (lambda: ws.mainloop(*LOOP, stages=2**70), ValueError, ["stages", "15", str(2**70)]),
        (lambda: ws.mainloop(*LOOP, stages=2.0), TypeError, ["stages", "int", "2.0"]),
        (lambda: ws.mainloop(*LOOP, type="f32"), ValueError, ["type", "f16", "'f32'"]),
        (lambda: ws.mainloop(*LOOP, type=[]), TypeError, ["type", "f16", "list"]),
        (lambda: ws.mainloop(*LOOP, a="x"), TypeError, ["a:", "Layout", "'x'"]),
        (lambda: ws.mainloop(*LOOP, a=ws.Layout(32, 64, "f16")), ValueError, ["a:", "64 x 32"]),
        (lambda: ws.mainloop(*LOOP, b=F16, trans_b=True), ValueError, ["b:", "32 x 64"]),
        (lambda: ws.mainloop(*LOOP, a=ws.Layout(64, 32, "f32")), ValueError, ["a:", "16 bits"]),
        (lambda: ws.mainloop(*LOOP, a=ws.Layout(64, 32, "f16", "col")), ValueError, ["a:", "row"]),
        (lambda: ws.mainloop(*LOOP, a=ws.Layout(64, 32, "f16", pad=4)), ValueError, ["a, b", "16"]),
        (lambda: ws.mainloop(*LOOP, target="sm_75"), ws.UnsupportedError, ["target", "sm_80"]),
        (lambda: ws.mainloop(*LOOP, target="sm_9"), ValueError, ["target", "'sm_9'"]),
    ],
)  # fmt: skip
def test_bad_arguments_are_named(call: Any, error: Any, words: list[str]) -> None:
    assert_named(call, error, words)
