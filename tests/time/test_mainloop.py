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
    type_, sums = draw(
        st.sampled_from((("f16", "f32"), ("f16", "f16"), ("bf16", "f32"), ("s8", "s32"), ("tf32", "f32")))
    )
    bits = BITS.get(type_, 16)
    k, trans_b = 256 // bits * draw(st.integers(1, 4)), bits == 16 and draw(st.booleans())

    def layout(rows: int, cols: int) -> ws.Layout:
        swizzles = (None, None, *(ws.Swizzle(b, 4, 3, "byte") for b in (1, 2, 3)))
        swizzle = draw(st.sampled_from(swizzles))
        pad = draw(st.sampled_from((0, 1, 2, 3))) * 128 // bits if swizzle is None else 0
        return ws.Layout(rows, cols, type_, pad=pad, swizzle=swizzle)

    return {
        "tile": (m, n, k),
        "warps": warps,
        "type": type_,
        "accumulate": sums,
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
    piece = 128 // BITS.get(loop["type"], 16)
    loads = list(oracle.loop_loads((m, n, k), (wm, wn), place_a, place_b, loop["trans_b"], piece))
    found = {"load": int(x4.traffic(np.array(loads)).wavefronts.sum()), "store": 0}
    if loop["stages"]:
        for rows, cols, place in ((m, k, place_a), (rows_b, cols_b, place_b)):
            for address, source, active in oracle.loop_copies(rows, cols, wm * wn, place, piece):
                counted = cg.traffic(address, source=source, active=active)
                found["store"] += counted.wavefronts.item()
    return found


@pytest.mark.parametrize("trans_b", [False, True])
@pytest.mark.parametrize(("pad", "swizzle"), [(0, None), (8, None), (0, ws.Swizzle(3, 4, 3, "byte"))])
def test_each_order_of_b_counts_what_brute_force_counts(trans_b: bool, pad: int, swizzle: ws.Swizzle | None) -> None:
    def layout(rows: int, cols: int) -> ws.Layout:
        return ws.Layout(rows, cols, "f16", pad=pad, swizzle=swizzle)

    m, n, k = 64, 128, 32
    loop: dict[str, Any] = {"tile": (m, n, k), "warps": (2, 2), "type": "f16", "stages": 2, "trans_b": trans_b}
    loop |= {"a": layout(m, k), "b": layout(k, n) if trans_b else layout(n, k)}
    assert ws.mainloop(**loop).wavefronts == wavefronts_of(loop)


BITS = {"s8": 8, "tf32": 32}
BUSY = ("data pipe", "tensor pipe", "global bytes", "issue")


@pytest.mark.slow
def test_loops_count_what_brute_force_counts() -> None:
    seen = refused = 0

    @given(loops())
    @settings(deadline=None, max_examples=40)
    def check(loop: dict[str, Any]) -> None:
        nonlocal seen, refused
        shared = max(1, loop["stages"]) * (loop["a"].nbytes + loop["b"].nbytes)
        if shared > ws.arch(loop["target"]).shared_bytes_per_block:
            with pytest.raises(ws.UnsupportedError, match="bytes of shared memory, a block has"):
                ws.mainloop(**loop)
            refused += 1
            return
        found = ws.mainloop(**loop)
        m, n, k = loop["tile"]
        stages = loop["stages"]
        c = {name: made.value for name, made in ws.arch(loop["target"]).constants.items()}
        assert found.wavefronts == wavefronts_of(loop), loop
        bits = BITS.get(loop["type"], 16)
        fma = 16 * 8 * 256 // bits
        assert found.mma == m * n * k // fma
        assert found.global_bytes == ((m + n) * k * bits // 8 if stages else 0)
        assert found.shared_bytes == shared
        faster = 2 if loop["target"] == "sm_121" and loop["accumulate"] != "f32" else 1
        peak = found.mma * fma / (c["dense_fma"] * 16 / bits * faster)
        assert found.tensor_fraction == pytest.approx(peak / found.cycles)
        assert 0 < found.tensor_fraction <= 1
        busy = {name: found.breakdown.get(name, 0) for name in BUSY}
        assert all(math.isfinite(x) and x >= 0 for x in found.breakdown.values())
        assert found.cycles >= max(busy.values()), loop
        fullest = -(-loop["warps"][0] * loop["warps"][1] // 4)
        own = found.mma // (loop["warps"][0] * loop["warps"][1])
        narrow = 6.1 / 6.5 if loop["target"] == "sm_90" and loop["accumulate"] == "f16" else 1  # timed on an H200
        assert busy["tensor pipe"] == pytest.approx(c["mma_interval"] * narrow / faster * own * fullest)
        copies = sum(-(-rows * k * bits // 128 // (32 * loop["warps"][0] * loop["warps"][1])) for rows in (m, n))
        lines = 4 * copies * loop["warps"][0] * loop["warps"][1] * bool(stages)
        assert busy["global bytes"] == pytest.approx(c["copy_path"] * lines)
        assert found.bound in (*BUSY, "latency")
        assert found.fits and found.occupancy is not None and found.occupancy.blocks >= 1
        seen += 1

    check()
    compared("main loops counted, or refused since they do not fit", seen + refused, at_least=30)


@pytest.mark.parametrize(
    ("tile", "warps", "stages", "why"),
    [
        (
            (256, 256, 64),
            (2, 2),
            4,
            r"4 stages need 262,144 bytes .* has 232,448: use at most 3 stages; the accumulators",
        ),
        (
            (256, 256, 64),
            (2, 2),
            2,
            "the accumulators alone need 512 registers of a thread, which can have 255: use more",
        ),
        (
            (512, 256, 32),
            (8, 4),
            1,
            "the accumulators alone need 128 registers of a thread, which can have 64: use more",
        ),
        (
            (4096, 256, 32),
            (8, 4),
            0,
            "4096 x 256 x 32 on 8 x 4 warps cannot run: 1 stage needs 278,528 bytes .* make the tile",
        ),
    ],
)
def test_what_cannot_run_is_refused_with_every_reason(
    tile: tuple[int, int, int], warps: tuple[int, int], stages: int, why: str
) -> None:
    with pytest.raises(ws.UnsupportedError, match=why):
        ws.mainloop(tile, warps, stages=stages)


def test_first_line_says_what_is_assumed() -> None:
    def first(target: str, **options: Any) -> str:
        return str(ws.mainloop((64, 64, 64), (2, 2), target=target, **options)).partition(", bound by")[0]

    assert "ASSUMED" not in first("h100") + first("a100") + first("rtx5090") + first("l40s") + first("gb10")
    assert "ASSUMED: a professional GPU" in first("sm_120") and "target rtx5090" in " ".join(first("sm_120").split())
    assert "ASSUMED: the tensor rate of sm_110" in " ".join(first("thor").split())
    assert "ASSUMED: the rate of e5m2 on sm_90" in " ".join(first("h100", type="e5m2").split())
    assert ws.mainloop((64, 64, 64), (2, 2), type="s8").error is None


def test_geforce_takes_twice_as_long_for_sums_in_f32() -> None:
    shape: Any = ((128, 128, 64), (2, 2))
    busy = {
        (name, sums): ws.mainloop(*shape, target=name, stages=2, accumulate=sums).breakdown["tensor pipe"]
        for name in ("rtx5090", "RTX PRO 6000", "rtx4090", "l40s")
        for sums in ("f32", "f16")
    }
    assert busy["rtx5090", "f32"] == busy["rtx4090", "f32"] == 4096
    assert {busy[name, "f16"] for name in ("rtx5090", "rtx4090", "l40s")} == {2048} == {busy["RTX PRO 6000", "f32"]}
