"""Tensor rates against NVIDIA's own tables, blocks of an SM against NVIDIA's own header."""

import pytest

import warpsim as ws
from tests.support.evidence import TRUTH, compared, rows
from warpsim.time.tensor_rates import TYPES, rate_of

#: SMs, boost clock in GHz, then dense TFLOPS or TOPS by type and accumulator, of whitepapers and data sheets
PUBLISHED = {
    "rtx2080ti": (68, 1.545, {"f16 f16": 107.6, "f16 f32": 53.8, "s8 s32": 215.2}),
    "Quadro RTX 6000": (72, 1.77, {"f16 f16": 130.5, "f16 f32": 130.5, "s8 s32": 261.0}),
    "t4": (40, 1.59, {"f16 f32": 65.1, "s8 s32": 130.3}),
    "a100": (108, 1.41, {"f16 f16": 312, "f16 f32": 312, "bf16 f32": 312, "tf32 f32": 156, "s8 s32": 624}),
    "rtx3090": (82, 1.695, {"f16 f16": 142, "f16 f32": 71, "bf16 f32": 71, "tf32 f32": 35.6, "s8 s32": 284}),
    "a40": (84, 1.74, {"f16 f16": 149.7, "bf16 f32": 149.7, "tf32 f32": 74.8, "s8 s32": 299.3}),
    "orin": (16, 1.3, {"s8 s32": 85}),
    "rtx4090": (128, 2.52, {"f16 f16": 330.3, "f16 f32": 165.2, "bf16 f32": 165.2, "tf32 f32": 82.6,
                            "e4m3 f16": 660.6, "e4m3 f32": 330.3, "s8 s32": 660.6}),
    "l40s": (142, 2.52, {"f16 f32": 366, "bf16 f32": 366, "tf32 f32": 183, "e4m3 f32": 733, "s8 s32": 733}),
    "l40": (142, 2.49, {"f16 f32": 181, "bf16 f32": 181, "tf32 f32": 90.5, "e4m3 f32": 362, "s8 s32": 362}),
    "h100": (132, 1.83, {"f16 f16": 989.4, "f16 f32": 989.4, "tf32 f32": 494.7, "e4m3 f32": 1978.9, "s8 s32": 1978.9}),
    "b200": (148, 1.85, {"f16 f32": 2250, "tf32 f32": 1125, "e4m3 f32": 4500, "s8 s32": 4500}),
    "rtx5090": (170, 2.407, {"f16 f16": 419, "f16 f32": 209.5, "bf16 f32": 209.5, "tf32 f32": 104.8,
                             "e4m3 f16": 838, "e4m3 f32": 419, "s8 s32": 838}),
    "RTX PRO 6000": (188, 2.617, {"f16 f32": 503.8, "e4m3 f32": 1007.6}),
}  # fmt: skip


def test_rates_are_those_that_nvidia_publishes() -> None:
    count = 0
    for name, (sms, clock, rates) in PUBLISHED.items():
        for words, teraflops in rates.items():
            rate = rate_of(ws.arch(name), *words.split())
            assert 2e-3 * sms * clock * rate.dense_fma == pytest.approx(teraflops, rel=0.015), f"{name}: {words}"
            count += 1
    compared("published tensor rates", count, at_least=50)


@pytest.mark.parametrize(
    "name", ["a100", "rtx3090", "a40", "orin", "rtx4090", "l40s", "l40", "rtx5090", "RTX PRO 6000", "gb10"]
)
def test_mma_sync_reaches_the_peak_where_it_is_the_only_way(name: str) -> None:
    for type_, kind in TYPES.items():
        for sums in kind.sums if name != "a100" or kind.first <= 80 else ():
            if int(ws.arch(name).target[3:]) >= kind.first:
                rate = rate_of(ws.arch(name), type_, sums)
                assert not rate.assumed
                assert 4 * 16 * 8 * (256 / kind.bits) / rate.interval == pytest.approx(rate.dense_fma), type_


def test_types_that_a_target_lacks_are_refused() -> None:
    for name, type_ in (("a100", "e4m3"), ("rtx3090", "e5m2"), ("t4", "bf16")):
        with pytest.raises(ws.UnsupportedError, match=f"mma.sync of {type_} needs"):
            rate_of(ws.arch(name), type_, "f32")


def test_users_rate_of_a_gpu_is_kept() -> None:
    own = ws.Arch("rtx4090", {"mma_interval": 20})
    assert own.constants["mma_interval"].value == 20 and own.constants["dense_fma"].value == 256
    assert rate_of(own, "f16", "f32").interval == 20 and rate_of(own, "f16", "f16").interval == 10
    assert ws.arch("rtx4090").constants["mma_interval"].basis == "specified"
    assert "GeForce RTX 4090" in ws.arch("rtx4090").constants["dense_fma"].source


def test_blocks_of_an_sm_are_those_of_nvidias_header() -> None:
    table = rows("timing/occupancy")
    for row in table:
        number, threads, registers, shared_bytes, blocks, shared, *others = map(int, row.values())
        found = ws.occupancy(threads, registers, shared_bytes, target=f"sm_{number}")
        limits = list(found.limits.values())
        assert found.blocks == blocks, row
        assert limits[1:] == others and (limits[0] == shared or shared >= 2**31 - 1), row
        assert found.limits[found.limit] == found.blocks == min(limits)
    assert TRUTH.is_dir()
    compared("blocks of an SM", len(table), at_least=1100)


def test_blocks_are_said_in_words() -> None:
    assert str(ws.occupancy(1024, 65)).startswith("0 blocks an SM, limited by registers")
    assert "<td>16</td>" in ws.occupancy(128, 168, 98304).html()
    with pytest.raises(ValueError, match="target: the limits of sm_88 are not published"):
        ws.occupancy(128, target="sm_88")
