"""Bulk copies between the blocks of a cluster: multicast, copies from block to block, and what goes wrong there."""

import numpy as np
import pytest

import warpsim as ws
from tests.support.clusters.ptx import SYNC

WAIT = "W{n}: mbarrier.try_wait.parity.shared::cta.b64 %p1, [%r1], {parity};\n    @!%p1 bra W{n};"
FIRST = WAIT.format(n=0, parity=0)
BYTES = 256
#: each block makes its barrier, expects the bytes that come to it, and knows that the others have, too
BEGIN = f"""
    @%p0 mbarrier.init.shared::cta.b64 [%r1], 1;
    @%p0 fence.mbarrier_init.release.cluster;
    @%p0 mbarrier.arrive.expect_tx.shared::cta.b64 _, [%r1], {{expected}};
    {SYNC}"""
#: each thread stores the word of its own block's tile that it has the number of
END = "ld.shared.u32 %r5, [%r3]; st.global.u32 [%rd3], %r5;"


def kernel(body: str) -> ws.Kernel:
    """%r0 thread, %r1 barrier, %r2 tile, %r3 this thread's word of it, %r8 rank, %p0: thread 0, %p2: of rank 0."""
    return ws.Module(
        f""".version 8.6
.target sm_90a
.address_size 64
.visible .entry k(.param .u64 from, .param .u64 to, .param .align 64 .b8 map[128])
{{
    .shared .align 1024 .b8 s[2048];
    .shared .align 8 .b64 bar;
    .reg .b16 %h<4>; .reg .b32 %r<20>; .reg .b64 %rd<20>; .reg .pred %p<5>;
    ld.param.u64 %rd0, [from]; ld.param.u64 %rd1, [to]; mov.b64 %rd4, map; cvta.param.u64 %rd4, %rd4;
    mov.u32 %r0, %tid.x; mov.u32 %r1, bar; mov.u32 %r2, s; shl.b32 %r4, %r0, 2; add.u32 %r3, %r2, %r4;
    mov.u32 %r8, %cluster_ctarank; mov.u32 %r9, %ctaid.x; mad.lo.u32 %r10, %r9, {BYTES // 4}, %r0;
    mul.wide.u32 %rd2, %r10, 4; add.u64 %rd3, %rd1, %rd2;
    setp.eq.u32 %p0, %r0, 0; setp.eq.and.u32 %p2, %r8, 0, %p0;
    {body}
    ret;
}}
"""
    )["k"]


def launch(body: str, blocks: int, cluster: int, **options: object) -> tuple[ws.KernelReport, np.ndarray]:
    source = np.arange(64 * blocks, dtype=np.uint32) + 1
    target = np.zeros(64 * blocks, np.uint32)
    chart = ws.tensor_map(source.reshape(-1, 32), (32, 1), swizzle="128B")
    report = kernel(body)(blocks, 64, (source, target, chart), target="sm_90a", cluster=cluster, **options)
    return report, target.reshape(blocks, 64)


def rules(report: ws.KernelReport) -> list[str]:
    return sorted(finding.rule for finding in report.findings if finding.severity == "error")


COPY = "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes"


@pytest.mark.parametrize("order", [0, 3])
@pytest.mark.parametrize("mask", [0b1111, 0b1010, 0b0001])
def test_a_multicast_brings_its_bytes_to_the_ranks_of_its_mask(mask: int, order: int) -> None:
    body = f"""
    shr.u32 %r12, {mask}, %r8; and.b32 %r12, %r12, 1; setp.ne.u32 %p3, %r12, 0; mul.lo.u32 %r12, %r12, {BYTES};
    {BEGIN.format(expected="%r12")}
    @%p2 {COPY}.multicast::cluster [%r2], [%rd0], {BYTES}, [%r1], {mask};
    @!%p3 bra NONE;
    {FIRST}
    {END}
    NONE:
    {SYNC}
"""
    report, found = launch(body, 8, 4, order=order)
    expected = np.where((mask >> np.arange(8) % 4 & 1)[:, None], np.arange(64) + 1, 0)
    assert rules(report) == []
    assert found.tolist() == expected.tolist()


def test_every_rank_brings_its_part_of_a_box_to_all() -> None:
    """As matrices are loaded for a product: half of the tile each, to both, with a swizzle."""
    body = f"""
    {BEGIN.format(expected=BYTES)}
    shl.b32 %r11, %r8, 7; add.u32 %r11, %r11, %r2; mov.b16 %h1, 3;
    @%p0 cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster
        [%r11], [%rd4, {{0, %r8}}], [%r1], %h1;
    {FIRST}
    shr.u32 %r12, %r3, 3; and.b32 %r12, %r12, 112; xor.b32 %r3, %r3, %r12;
    {END}
    {SYNC}
"""
    report, found = launch(body, 4, 2)
    assert rules(report) == []
    assert found.tolist() == [list(range(1, 65))] * 4


def ring(add: str) -> str:
    """Each block writes its tile and sends it to the next one: behind the place of that one's own."""
    return f"""
    mad.lo.u32 %r11, %r9, 1000, %r0; st.shared.u32 [%r3], %r11; st.shared.u32 [%r3+1024], %r0;
    fence.proxy.async;
    {BEGIN.format(expected=BYTES)}
    add.u32 %r12, %r8, 1; and.b32 %r12, %r12, 3; add.u32 %r13, %r2, 1024;
    mapa.shared::cluster.u32 %r14, %r13, %r12; mapa.shared::cluster.u32 %r15, %r1, %r12;
    @%p0 {add} [%r14], [%r2], {BYTES}, [%r15];
    {FIRST}
    ld.shared.u32 %r5, [%r3+1024]; st.global.u32 [%rd3], %r5;
    {SYNC}
"""


@pytest.mark.parametrize("adds", [False, True], ids=["copy", "reduction"])
def test_copies_from_block_to_block(adds: bool) -> None:
    way = "shared::cluster.shared::cta.mbarrier::complete_tx::bytes"
    report, found = launch(ring(f"cp.reduce.async.bulk.{way}.add.u32" if adds else f"cp.async.bulk.{way}"), 8, 4)
    block, thread = np.arange(8)[:, None], np.arange(64)
    before = block // 4 * 4 + (block + 3) % 4
    assert rules(report) == []
    assert found.tolist() == (before * 1000 + thread + (thread if adds else 0)).tolist()


def test_a_copy_to_a_block_that_may_not_have_started_is_found() -> None:
    """Rank 0 happens to be ready when rank 1 sends: nothing says that it is."""
    early = BEGIN.format(expected="%r12").replace(SYNC, "")
    body = f"""
    setp.eq.u32 %p3, %r8, 0; selp.u32 %r12, {BYTES}, 0, %p3;
    {early}
    mov.u32 %r11, 0; mapa.shared::cluster.u32 %r14, %r2, %r11; mapa.shared::cluster.u32 %r15, %r1, %r11;
    setp.eq.and.u32 %p4, %r8, 1, %p0;
    @%p4 {COPY} [%r14], [%rd0], {BYTES}, [%r15];
    @!%p3 bra DONE;
    {FIRST}
    {END}
    DONE:
    {SYNC}
"""
    report, found = launch(body, 2, 2)
    assert "WS-RUN-041" in rules(report)
    assert found[0].tolist() == list(range(1, 65))


def test_a_rank_that_is_not_in_the_cluster_ends_the_launch() -> None:
    body = f"{BEGIN.format(expected=BYTES)} @%p2 {COPY}.multicast::cluster [%r2], [%rd0], {BYTES}, [%r1], 9;"
    report, _ = launch(body, 2, 2)
    assert rules(report) == ["WS-RUN-001"] and "of rank 3 in a cluster of 2 blocks" in str(report.findings[0])


def test_a_read_before_a_multicast_has_arrived_is_found() -> None:
    body = f"""
    {BEGIN.format(expected=BYTES)}
    @%p2 {COPY}.multicast::cluster [%r2], [%rd0], {BYTES}, [%r1], 3;
    {SYNC}
    {END}
    {FIRST}
    {SYNC}
"""
    report, _ = launch(body, 2, 2)
    assert rules(report) == ["WS-RUN-020"]
