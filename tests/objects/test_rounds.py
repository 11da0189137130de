"""A row is fetched in bulk each round into one buffer: who waits, and what keeps the next one back."""

from itertools import product

import numpy as np
import pytest

import warpsim as ws

ROUNDS = 4
KERNEL = """.version 8.6
.target sm_90a
.address_size 64
.visible .entry k(.param .u64 x, .param .u64 out) {{
.reg .b32 %r<9>; .reg .b64 %d<5>; .reg .pred %p<6>;
.shared .align 128 .b8 row[1024]; .shared .align 8 .b64 full;
ld.param.u64 %d0, [x]; ld.param.u64 %d1, [out]; mov.u32 %r0, %tid.x; mov.u32 %r1, full; mov.u32 %r2, row;
shl.b32 %r3, %r0, 2; add.u32 %r4, %r2, {last}; sub.u32 %r4, %r4, %r3; mov.u32 %r5, 0; mov.u32 %r6, 0;
setp.ne.u32 %p0, %r0, 0; setp.ge.u32 %p1, %r0, 32;
@%p0 bra READY; mbarrier.init.shared.b64 [%r1], 1; fence.mbarrier_init.release.cluster;
READY: bar.sync 0;
ROUND: and.b32 %r7, %r5, 1;
@%p0 bra FETCHED; mbarrier.arrive.expect_tx.shared.b64 _, [%r1], {nbytes};
cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r2], [%d0], {nbytes}, [%r1];
FETCHED: {guard}
WAIT: mbarrier.try_wait.parity.shared.b64 %p3, [%r1], %r7; @!%p3 bra WAIT;
WAITED: {before}
ld.shared.u32 %r8, [%r4]; add.u32 %r6, %r6, %r8;
{after}
add.u64 %d0, %d0, {nbytes}; add.u32 %r5, %r5, 1; setp.lt.u32 %p4, %r5, 4; @%p4 bra ROUND;
STORE: mul.wide.u32 %d2, %r0, 4; add.u64 %d3, %d1, %d2; st.global.u32 [%d3], %r6; ret; }}
"""
GUARDS = {"one": "@%p0 bra WAITED;", "warp": "@%p1 bra WAITED;", "all": ""}
ALONE = "Not all threads wait for the mbarrier object: put __syncthreads() (bar.sync) between line 16 and line 18"
AGAIN = "Put __syncthreads() (bar.sync) after line 18, before the next round of the loop comes to line 14"


PERHAPS = "The mbarrier object that line 16 waits for lets threads go on before all have come: "


@pytest.mark.parametrize("threads", [128, 160])
@pytest.mark.parametrize(("waits", "before", "after"), [*product(GUARDS, (False, True), (False, True))])
def test_the_remedy_names_the_barrier_that_is_missing(waits: str, before: bool, after: bool, threads: int) -> None:
    """A warp of four that waits in four rounds is counted like four warps in one: then both are told."""
    barriers = ["bar.sync 0;" if one else "" for one in (before, after)]
    given = {"threads": threads, "nbytes": 4 * threads, "last": 4 * threads - 4}
    text = KERNEL.format(**given, guard=GUARDS[waits], before=barriers[0], after=barriers[1])
    x, out = np.arange(threads * ROUNDS, dtype=np.uint32), np.zeros(threads, np.uint32)
    try:
        report = ws.Module(text)["k"](1, threads, [x, out], on_finding="record")
    except ws.DeadlockError as ended:  # a warp that is two rounds late waits for ever
        assert waits == "all" and not after and not before
        report = ended.report
    races = [one.fix for one in report.findings if one.rule in ("WS-RUN-017", "WS-RUN-020")]
    if (waits == "all" or before) and after:
        assert not report.findings
        np.testing.assert_array_equal(out, x.reshape(ROUNDS, threads).sum(0)[::-1])
    elif waits == "all" or before:
        assert len(races) == 1 and races[0].startswith(AGAIN)
    elif waits == "warp" and threads == 32 * ROUNDS:
        assert len(races) == 1 and races[0].startswith(PERHAPS)
        assert ", and let all threads wait there that go on" in races[0]
        assert races[0].endswith("put a barrier of all threads before the next round begins.") != after
    else:
        assert len(races) == 1 and races[0].startswith(ALONE)
        assert races[0].endswith("; in a loop, also before the next round begins.") != after


def test_of_warps_that_share_a_branch_one_thread_waits() -> None:
    given = {
        "threads": 128,
        "nbytes": 512,
        "last": 508,
        "guard": GUARDS["one"],
        "before": "",
        "after": "bar.sync 1, 128;",
    }
    text = KERNEL.format(**given).replace("ROUND: and", "setp.ge.u32 %p5, %r0, 128; @%p5 bra STORE; ROUND: and")
    x, out = np.arange(128 * ROUNDS, dtype=np.uint32), np.zeros(160, np.uint32)
    (race,) = ws.Module(text)["k"](1, 160, [x, out], on_finding="record").findings
    assert race.fix.startswith(ALONE)
