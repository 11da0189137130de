"""More flags, and more asynchronous stores under way, than the check tells apart: what is right stays silent."""

import numpy as np
import pytest

import warpsim as ws
from tests.support.clusters.ptx import SYNC, kernel
from tests.support.evidence import compared

#: thread 0 fills words and raises the flag of each; thread 32 takes them: BEGIN and RAISE are of a flag, TAKE of all
TEXT = """.version 8.0
.target sm_80
.address_size 64
.visible .entry k(.param .u32 n)
{
.reg .b32 %r<9>; .reg .pred %p<4>; .shared .align 4 .b8 data[2048]; .shared .align 8 .b8 flags[4096];
ld.param.u32 %r1, [n]; mov.u32 %r0, %tid.x; setp.eq.u32 %p0, %r0, 0; setp.eq.u32 %p1, %r0, 32;
mov.u32 %r2, data; mov.u32 %r3, flags; mov.u32 %r4, 0;
@!%p0 bra MEET;
CLEAR: BEGIN add.u32 %r3, %r3, 8; add.u32 %r4, %r4, 1;
setp.lt.u32 %p3, %r4, %r1; @%p3 bra CLEAR;
mov.u32 %r3, flags; mov.u32 %r4, 0;
MEET: bar.sync 0;
@%p1 bra READ;
@!%p0 ret;
GIVE: st.shared.u32 [%r2], 5; RAISE
add.u32 %r2, %r2, 4; add.u32 %r3, %r3, 8; add.u32 %r4, %r4, 1;
setp.lt.u32 %p3, %r4, %r1; @%p3 bra GIVE;
ret;
READ: TAKE
ld.shared.u32 %r7, [%r2]; setp.eq.u32 %p2, %r7, 9; @%p2 trap;
add.u32 %r2, %r2, 4; add.u32 %r3, %r3, 8; add.u32 %r4, %r4, 1;
setp.lt.u32 %p3, %r4, %r1; @%p3 bra READ;
ret;
}
"""
CLEARED, MADE = "st.shared.u32 [%r3], 0;", "mbarrier.init.shared.b64 [%r3], 1;"
ACQUIRE = "WAIT: ld.acquire.cta.shared.u32 %r6, [%r3]; setp.eq.u32 %p3, %r6, 0; @%p3 bra WAIT;"
ACQUIRE_LAST = f"mad.lo.u32 %r3, %r1, 8, flags; sub.u32 %r3, %r3, 8; {ACQUIRE}"
PHASE = "WAIT: mbarrier.try_wait.parity.shared.b64 %p3, [%r3], 0; @!%p3 bra WAIT;"


def flags(begin: str, raised: str, take: str) -> str:
    return TEXT.replace("BEGIN", begin).replace("RAISE", raised).replace("TAKE", take)


RELEASE, PLAIN = "st.release.cta.shared.u32 [%r3], 1;", "st.relaxed.cta.shared.u32 [%r3], 1;"


@pytest.mark.parametrize("count", [1, 96, 97, 500])
@pytest.mark.parametrize(("raises", "rules"), [(RELEASE, []), (PLAIN, ["WS-RUN-017"])], ids=["release", "relaxed"])
def test_the_last_of_many_flags_orders_all_that_came_before(count: int, raises: str, rules: list[str]) -> None:
    text = flags(CLEARED, raises, ACQUIRE_LAST)
    for order in range(4):
        findings = ws.Module(text)["k"](1, 64, [count], order=order).findings
        assert [one.rule for one in findings] == rules, (order, findings)
        assert sum(one.count for one in findings) == (count if rules else 0)
    compared("orders of warps with many flags", 4, at_least=4)


@pytest.mark.parametrize("count", [64, 65, 96, 97, 400])
@pytest.mark.parametrize(
    "text",
    [flags(CLEARED, RELEASE, ACQUIRE), flags(MADE, "mbarrier.arrive.shared.b64 _, [%r3];", PHASE)],
    ids=["flags", "mbarrier objects"],
)
def test_each_of_many_orders_what_came_before_it(count: int, text: str) -> None:
    for order in range(3):
        assert ws.Module(text)["k"](1, 64, [count], order=order).findings == ()
    compared("orders of warps with many flags", 3, at_least=3)


#: an object that is made when thread 0 has released to 200 flags
LATER = """.version 8.0
.target sm_80
.address_size 64
.visible .entry k()
{
.reg .b32 %r<9>; .reg .pred %p<4>; .shared .align 4 .b8 flags[800]; .shared .b64 gate; .shared .b32 data;
mov.u32 %r0, %tid.x; setp.eq.u32 %p0, %r0, 0; setp.eq.u32 %p1, %r0, 32; mov.u32 %r3, flags; mov.u32 %r4, 0;
@!%p0 bra MEET;
GIVE: st.release.cta.shared.u32 [%r3], 1; add.u32 %r3, %r3, 4; add.u32 %r4, %r4, 1;
setp.lt.u32 %p3, %r4, 200; @%p3 bra GIVE;
MEET: bar.sync 0;
@%p0 mbarrier.init.shared.b64 [gate], 1;
bar.sync 0;
@%p0 st.shared.u32 [data], 5; @%p0 mbarrier.arrive.shared.b64 _, [gate];
@!%p1 ret;
WAIT: mbarrier.try_wait.parity.shared.b64 %p3, [gate], 0; @!%p3 bra WAIT;
ld.shared.u32 %r7, [data]; ret;
}
"""


def test_an_object_orders_however_many_flags_there_were_before() -> None:
    for order in range(3):
        assert ws.Module(LATER)["k"](1, 64, (), order=order).findings == ()


def test_what_no_object_orders_is_found() -> None:
    text = flags(MADE, "mbarrier.arrive.relaxed.cta.shared.b64 _, [%r3];", PHASE)
    found = ws.Module(text.replace("8.0", "8.7").replace("sm_80", "sm_90"))["k"](1, 64, [40]).findings
    assert [one.rule for one in found] == ["WS-RUN-017"]


#: each thread sends words to its block's memory, and reads those that the thread of the next warp has sent
STORES = """
    .reg .b32 %n; .shared .align 16 .b8 many[32768];
    setp.eq.u32 %p2, %r1, 0; @%p2 mbarrier.init.shared.b64 [%r7], 1;
    @%p2 mbarrier.arrive.expect_tx.shared.b64 _, [%r7], BYTES;
    bar.sync 0;
    mov.u32 %r13, many; mad.lo.u32 %r9, %r1, 4, %r13;
    mapa.shared::cluster.u32 %r11, %r9, %r2; mapa.shared::cluster.u32 %r12, %r7, %r2;
    mov.u32 %n, 0;
S:  add.u32 %n, %n, 1;
    st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.b32 [%r11], %n, [%r12];
    add.u32 %r11, %r11, 4096; setp.lt.u32 %p4, %n, ROUNDS; @%p4 bra S;
    WAIT
    xor.b32 %r9, %r1, 32; mad.lo.u32 %r9, %r9, 4, %r13; mov.u32 %n, 0; mov.u32 %r10, 0;
L:  ld.shared.u32 %r14, [%r9]; // READ
    add.u32 %r10, %r10, %r14; add.u32 %r9, %r9, 4096;
    add.u32 %n, %n, 1; setp.lt.u32 %p4, %n, ROUNDS; @%p4 bra L;
    st.global.u32 [%rd2], %r10;
"""
WAIT = "W: mbarrier.try_wait.parity.acquire.cluster.shared.b64 %p3, [%r7], 0; @!%p3 bra W;"


@pytest.mark.parametrize("rounds", [4, 5, 8])
def test_who_waits_for_thousands_of_asynchronous_stores_reads_all_of_them(rounds: int) -> None:
    text = kernel(STORES.replace("ROUNDS", str(rounds)).replace("BYTES", str(4096 * rounds)))
    for order in range(4):
        out = np.zeros(1024, np.uint32)
        report = ws.Module(text.replace("WAIT", WAIT))["kernel"](1, 1024, [out], order=order)
        assert report.findings == ()
        assert (out == sum(range(1, rounds + 1))).all()
        report = ws.Module(text.replace("WAIT", ""))["kernel"](1, 1024, [out], order=order)
        assert "WS-RUN-020" in {one.rule for one in report.findings}
    compared("orders of warps with many asynchronous stores", 4, at_least=4)


#: thread 0 of block 0 reads what block 1 sends long before others of its block come to the barrier of the cluster
LATE = f"""
    .reg .pred %q; .reg .b32 %n;
    setp.eq.u32 %p2, %r1, 0; setp.eq.u32 %p5, %r2, 0; @%p2 mbarrier.init.shared.b64 [%r7], 1;
    @%p2 mbarrier.arrive.expect_tx.shared.b64 _, [%r7], 4;
    {SYNC}
    mov.u32 %n, 0; @!%p2 bra S; @%p5 bra W;
    mapa.shared::cluster.u32 %r11, %r8, 0; mapa.shared::cluster.u32 %r12, %r7, 0;
    st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.b32 [%r11], %r1, [%r12]; bra S;
    {WAIT}
L:  nanosleep.u32 20; add.u32 %n, %n, 1; setp.lt.u32 %q, %n, 100; @%q bra L;
    ld.shared.u32 %r14, [%r8]; st.global.u32 [%rd2], %r14;
S:  nanosleep.u32 20; add.u32 %n, %n, 1; setp.lt.u32 %q, %n, 200; @%q bra S;
    bar.warp.sync -1;
    {SYNC}
"""


def test_bytes_that_have_arrived_stay_known_when_the_last_warp_comes_late() -> None:
    for order in range(12):
        report = ws.Module(kernel(LATE))["kernel"](2, 256, [np.zeros(512, np.uint32)], cluster=2, order=order)
        assert [one.rule for one in report.findings if one.severity == "error"] == []
    compared("orders of warps with many asynchronous stores", 12, at_least=12)
