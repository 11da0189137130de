"""Tiles that a tensor copy fills and a product reads: by one swizzle, or by two."""

import itertools

import numpy as np

import warpsim as ws
from tests.support.evidence import compared
from tests.truth.wgmma.cases import descriptor

ROWS = 72  # 64 of A, then 8 of B
SWIZZLES = {"none": (0, 16), "32B": (3, 32), "64B": (2, 64), "128B": (1, 128)}  # in a descriptor; bytes of a row
KERNEL = """.version 8.4
.target sm_90a
.address_size 64
.extern .shared .align 1024 .b8 tile[];
.visible .entry k(.param .u64 out, .param .align 64 .b8 map[128], .param .u64 a, .param .u64 b)
{
.reg .b32 %d<8>; .reg .b32 %r<9>; .reg .b64 %rd<9>; .reg .pred %p<3>;
ld.param.u64 %rd1, [out]; ld.param.u64 %rd4, [a]; ld.param.u64 %rd5, [b]; mov.b64 %rd7, map;
cvta.param.u64 %rd6, %rd7;
mov.u32 %r2, %tid.x; mul.wide.u32 %rd2, %r2, 16; add.u64 %rd1, %rd1, %rd2; setp.ne.u32 %p1, %r2, 0;
@%p1 bra FILLED;
mbarrier.init.shared.b64 [tile+16384], 1; fence.proxy.async.shared::cta;
mbarrier.arrive.expect_tx.shared.b64 _, [tile+16384], BYTES;
cp.async.bulk.tensor.2d.shared::cta.global.mbarrier::complete_tx::bytes [tile], [%rd6, {0, 0}], [tile+16384];
FILLED: bar.sync 0;
AGAIN: mbarrier.try_wait.parity.shared.b64 %p2, [tile+16384], 0; @!%p2 bra AGAIN;
AGAIN_FILL
mov.b32 %d0, 0; mov.b32 %d1, 0; mov.b32 %d2, 0; mov.b32 %d3, 0;
wgmma.fence.sync.aligned;
wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%d0, %d1, %d2, %d3}, %rd4, %rd5, 1, 1, 1, 0, 0;
wgmma.commit_group.sync.aligned;
wgmma.wait_group.sync.aligned 0;
st.global.v4.b32 [%rd1], {%d0, %d1, %d2, %d3};
ret;
}
"""
#: every thread writes the tile once more, by ordinary stores
STORES = "mad.lo.u32 %r3, %r2, 36, 0; mov.u32 %r4, tile; add.u32 %r3, %r3, %r4; mov.u32 %r5, 0;\n" + "".join(
    f"st.shared.b32 [%r3+{4 * i}], %r5;" for i in range(9)
)


def rules(swizzle: str, named: str, more: str = "") -> list[tuple[str, list[str]]]:
    """What is found where the map has one swizzle and the descriptors another: the rule and the opcodes of both."""
    width, (bits, row) = SWIZZLES[swizzle][1], SWIZZLES[named]
    array = np.ones((ROWS, width // 2), np.float16)
    map_ = ws.tensor_map(array, (width // 2, ROWS), swizzle=swizzle)
    a, b = descriptor(0, 0, 8 * row, 0, bits), descriptor(64 * row, 0, 8 * row, 0, bits)
    text = KERNEL.replace("BYTES", str(ROWS * width)).replace("AGAIN_FILL", more)
    out = np.zeros((128, 4), np.float32)
    report = ws.Module(text)["k"](1, 128, (out, map_, a, b), shared_bytes=16392)
    lines = text.splitlines()
    return [
        (one.rule, [lines[at - 1].split(".")[0] for at in (one.line, one.other.line if one.other else 1)])
        for one in report.findings
    ]


FOUND = [("WS-RUN-045", ["cp", "wgmma"])]


def test_a_descriptor_of_another_swizzle_than_the_map_is_found() -> None:
    wrong, right = 0, 0
    for swizzle, named in itertools.product(SWIZZLES, repeat=2):
        if swizzle == "none" or named == "none":
            continue
        if SWIZZLES[named][1] > SWIZZLES[swizzle][1]:
            continue  # it would read beyond what was filled
        found = rules(swizzle, named)
        assert found == ([] if swizzle == named else FOUND), (swizzle, named, found)
        wrong, right = wrong + (swizzle != named), right + (swizzle == named)
    compared("products by another swizzle than their tile was filled with", wrong, at_least=3)
    compared("products by the swizzle of their tile", right, at_least=3)


def test_without_a_swizzle_only_the_descriptor_without_one_fits() -> None:
    assert rules("128B", "none") == FOUND
    assert rules("none", "none") == []


def test_a_tile_that_was_written_again_is_not_judged_by_its_old_swizzle() -> None:
    more = f"bar.sync 0; {STORES} fence.proxy.async.shared::cta; bar.sync 0;"
    assert rules("64B", "32B", more) == []
    assert rules("64B", "32B", "bar.sync 0;") == FOUND
