"""Counts of mbarrier objects: a GPU ends the launch for those that the check names, and for no others."""

import re

import numpy as np
import pytest

import warpsim as ws
from tests.support.evidence import compared
from tests.support.paths import ROOT

HEAD = ".version 8.6\n.target sm_90a\n.address_size 64\n"
PTX = (
    HEAD
    + """.visible .entry k(.param .u32 count, .param .u32 arrivals, .param .u32 times, .param .u32 expected)
{
    .reg .b32 %r<5>;
    .reg .b64 %state;
    .reg .pred %p;
    .shared .align 8 .b64 object;
    ld.param.u32 %r0, [count];
    ld.param.u32 %r1, [arrivals];
    ld.param.u32 %r2, [times];
    ld.param.u32 %r3, [expected];
    mbarrier.init.shared.b64 [object], %r0;
    setp.eq.u32 %p, %r3, 0;
    @%p bra NEXT;
    mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [object], %r3;
NEXT:
    setp.eq.u32 %p, %r2, 0;
    @%p bra DONE;
    mbarrier.arrive.shared.b64 %state, [object], %r1;
    sub.u32 %r2, %r2, 1;
    bra NEXT;
DONE:
    ret;
}
"""
)
MEASURED = re.compile(r"init (\d+), arrive (\d+) x (\d+), expect (\d+): (\w+)")
RULE = "WS-RUN-049"
MOST = 2**20 - 1


def opcodes(*arguments: int) -> list[str]:
    found = ws.Module(PTX)["k"](1, 1, arguments).findings
    assert all(one.rule == RULE for one in found)
    return [one.opcode for one in found]


def test_a_launch_ends_where_that_of_a_gpu_does() -> None:
    """An init with a count out of its range is told there; a GPU ends the launch when somebody arrives."""
    rows = MEASURED.findall((ROOT / "benchmarks" / "device" / "counts.txt").read_text())
    for row in rows:
        count, *others = map(int, row[:-1])
        found = opcodes(count, *others)
        if not 1 <= count <= MOST:
            assert found == ["mbarrier.init.shared.b64"], row
        else:
            assert bool(found) == (row[-1] == "cudaErrorLaunchFailure"), row
    compared("launches with counts of mbarrier objects, on a GPU", len(rows), at_least=19)


@pytest.mark.parametrize(
    ("inside", "outside", "opcode"),
    [
        ((1, 1, 1, 0), (0, 0, 0, 0), "mbarrier.init.shared.b64"),
        ((MOST, 1, 1, 0), (MOST + 1, 0, 0, 0), "mbarrier.init.shared.b64"),
        ((5, 5, 1, 0), (5, 6, 1, 0), "mbarrier.arrive.shared.b64"),
        ((4, 2, 2, 0), (4, 3, 2, 0), "mbarrier.arrive.shared.b64"),
        ((1, 1, 0, MOST), (1, 1, 0, MOST + 1), "mbarrier.expect_tx.relaxed.cta.shared::cta.b64"),
        ((1, 1, 1, 16), (1, 1, 2, 16), "mbarrier.arrive.shared.b64"),
    ],
)
def test_both_sides_of_each_bound(inside: tuple[int, ...], outside: tuple[int, ...], opcode: str) -> None:
    assert opcodes(*inside) == []
    assert opcodes(*outside) == [opcode]


BYTES = (
    HEAD
    + """.visible .entry k(.param .u32 expected, .param .u32 come)
{{
    .reg .b32 %r<2>;
    .reg .b64 %state;
    .shared .align 8 .b64 object;
    ld.param.u32 %r0, [expected];
    ld.param.u32 %r1, [come];
    mbarrier.init.shared.b64 [object], 3;
    {body}
    ret;
}}
"""
)
EXPECT = "mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [object], %r0;"
COMPLETE = "mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [object], %r1;"
ARRIVE = "mbarrier.arrive.expect_tx.shared.b64 %state, [object], %r0;"


@pytest.mark.parametrize(
    ("body", "expected", "come", "is_inside"),
    [
        (COMPLETE, 0, MOST, True),  # the bytes may come first
        (COMPLETE, 0, MOST + 1, False),
        (COMPLETE + EXPECT, MOST, MOST, True),
        (COMPLETE + EXPECT + COMPLETE, 1, MOST, False),
        (COMPLETE + EXPECT + EXPECT, MOST, MOST, True),
        (COMPLETE + EXPECT + EXPECT + EXPECT, MOST, MOST, False),
        (EXPECT + EXPECT, MOST // 2, 0, True),
        (EXPECT + EXPECT, MOST // 2 + 1, 0, False),
        (ARRIVE, MOST, 0, True),
        (ARRIVE, MOST + 1, 0, False),
        (EXPECT + COMPLETE + ARRIVE + ARRIVE + ARRIVE, 8, 8, True),
        (EXPECT + COMPLETE + ARRIVE + ARRIVE + ARRIVE + ARRIVE, 8, 8, False),
    ],
)
def test_bytes_are_counted_up_to_their_bound(body: str, expected: int, come: int, is_inside: bool) -> None:
    found = ws.Module(BYTES.format(body=body))["k"](1, 1, (expected, come)).findings
    assert [one.rule for one in found] == ([] if is_inside else [RULE])


#: a block expects 16 bytes, which a copy brings at any time; then a block, perhaps the other one, arrives `times` more
CLUSTER = (
    HEAD
    + """.visible .entry k(.param .u64 x) .reqnctapercluster 2
{{
    .reg .b32 %r<4>; .reg .b64 %d<2>; .reg .pred %p;
    .shared .align 16 .b8 pad[{pad}]; .shared .align 16 .b8 tile[16]; .shared .align 8 .b64 object;
    ld.param.u64 %d0, [x];
    cvta.to.global.u64 %d0, %d0;
    mov.u32 %r0, %cluster_ctarank;
    mov.u32 %r1, object;
    mov.u32 %r2, tile;
    setp.ne.u32 %p, %r0, 0;
    @%p bra MEET;
    mbarrier.init.shared.b64 [%r1], 1;
    fence.mbarrier_init.release.cluster;
    mbarrier.arrive.expect_tx.shared.b64 %d1, [%r1], 16;
    cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r2], [%d0], 16, [%r1];
MEET:
    barrier.cluster.arrive;
    barrier.cluster.wait;
    setp.ne.u32 %p, %r0, {rank};
    @%p bra DONE;
    mapa.shared::cluster.u32 %r3, %r1, 0;
    {arrivals}
DONE:
    barrier.cluster.arrive;
    barrier.cluster.wait;
    ret;
}}
"""
)


@pytest.mark.parametrize("rank", [0, 1])
@pytest.mark.parametrize("pad", [16, 64])
def test_bytes_under_way_may_have_come_before_an_arrival_of_any_block(rank: int, pad: int) -> None:
    """The first phase may have ended: an arrival has room then, and ends its own phase: the next has room, too."""
    arrival = "mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%r3];"
    for times in (1, 2, 3):
        text = CLUSTER.format(rank=rank, pad=pad, arrivals=arrival * times)
        found = ws.Module(text)["k"](2, 1, [np.zeros(4, np.uint32)]).findings
        assert [one.rule for one in found if one.rule == RULE] == []
    text = CLUSTER.format(rank=rank, pad=pad, arrivals=arrival.replace("[%r3]", "[%r3], 2"))
    found = ws.Module(text)["k"](2, 1, [np.zeros(4, np.uint32)]).findings
    assert [one.rule for one in found] == [RULE]


@pytest.mark.parametrize(
    ("registers", "is_legal"), [(24, True), (256, True), (40, True), (16, False), (264, False), (28, False), (0, False)]
)
def test_setmaxnreg_takes_what_the_assembler_takes(registers: int, is_legal: bool) -> None:
    text = f"{HEAD}.visible .entry k() {{ setmaxnreg.inc.sync.aligned.u32 {registers}; ret; }}"
    if is_legal:
        assert ws.Module(text)["k"](1, 128, ()).findings == ()
        return
    with pytest.raises(ws.WarpsimError, match="expected 24 to 256 registers, a multiple of 8, here"):
        ws.Module(text)["k"](1, 128, ())


@pytest.mark.parametrize("cache", ["ca", "cg"])
@pytest.mark.parametrize("size", ["0", "1", "4", "7", "8", "12", "16", "0x10", "17", "32", "4294967300", "-16", "%r0"])
def test_cp_async_takes_what_the_assembler_takes(cache: str, size: str) -> None:
    """A constant of 4, 8 or 16 bytes, 16 alone past the L1: others were copied as 16 bytes without a word."""
    text = f"""{HEAD}.visible .entry k(.param .u64 a) {{
    .shared .align 16 .b8 s[16]; .reg .b64 %d; .reg .b32 %r<5>;
    ld.param.u64 %d, [a]; mov.u32 %r0, 16; mov.u32 %r1, s; st.shared.v4.u32 [%r1], {{1, 1, 1, 1}};
    cp.async.{cache}.shared.global [%r1], [%d], {size}; cp.async.wait_all;
    ld.shared.v4.u32 {{%r1, %r2, %r3, %r4}}, [s]; st.global.v4.u32 [%d+16], {{%r1, %r2, %r3, %r4}}; ret; }}"""
    array = np.array([9] * 4 + [0] * 4, np.uint32)
    taken = {"4": 1, "8": 2, "16": 4, "0x10": 4} if cache == "ca" else {"16": 4, "0x10": 4}
    if size in taken:
        assert ws.Module(text)["k"](1, 1, (array,)).ok
        assert array[4:].tolist() == [9] * taken[size] + [1] * (4 - taken[size])
        return
    with pytest.raises(ws.WarpsimError, match="expected 4, 8 or 16 bytes here, with"):
        ws.Module(text)["k"](1, 1, (array,))


#: threads read, write and read again; {load} and {order} are drawn
STALE = (
    HEAD
    + """.visible .entry k(.param .u64 a)
{{
    .reg .b32 %r<5>;
    .reg .b64 %d<4>;
    ld.param.u64 %d0, [a];
    cvta.to.global.u64 %d0, %d0;
    mov.u32 %r0, %tid.x;
    xor.b32 %r1, %r0, {other};
    mul.wide.u32 %d1, %r0, 4;
    mul.wide.u32 %d2, %r1, 4;
    add.u64 %d1, %d0, %d1;
    add.u64 %d2, %d0, %d2;
    {first} %r2, [%d1];
    bar.sync 0;
    st.global.u32 [%d2+{far}], %r0;
    bar.sync 0;
    {second} %r3, [%d1];
    add.u32 %r3, %r3, %r2;
    bar.sync 0;
    st.global.u32 [%d1+1024], %r3;
    ret;
}}
"""
)


@pytest.mark.parametrize("other", [0, 1, 32])
@pytest.mark.parametrize(
    ("first", "second", "far", "is_stale"),
    [
        ("ld.global.nc.u32", "ld.global.nc.u32", 0, True),
        ("ld.global.u32", "ld.global.nc.L1::no_allocate.u32", 0, True),
        ("ld.global.nc.u32", "ld.global.u32", 0, False),
        ("ld.global.nc.u32", "ld.global.nc.u32", 512, False),
        ("ld.global.u32", "ld.global.u32", 0, False),
    ],
)
def test_a_non_coherent_load_of_what_the_kernel_wrote(
    first: str, second: str, far: int, is_stale: bool, other: int
) -> None:
    text = STALE.format(first=first, second=second, far=far, other=other)
    found = ws.Module(text)["k"](1, 64, [np.zeros(512, np.uint32)]).findings
    assert [one.rule for one in found] == (["WS-RUN-050"] if is_stale else [])
    if is_stale:
        assert found[0].opcode == second and found[0].other is not None
        assert (found[0].other.opcode, found[0].other.is_write) == ("st.global.u32", True)
        assert found[0].count == 64


def test_without_order_it_is_a_race_and_no_more() -> None:
    text = STALE.format(first="ld.global.nc.u32", second="ld.global.nc.u32", far=0, other=32)
    found = ws.Module(text.replace("bar.sync 0;", ""))["k"](1, 64, [np.zeros(512, np.uint32)]).findings
    assert found and {one.rule for one in found} == {"WS-RUN-019"}


#: one warp fills a tile, the other one reads it: two objects say that it is full, and that it is empty
STAGE = (
    HEAD
    + """.visible .entry k(.param .u64 out, .param .u32 fulls, .param .u32 empties)
{{
    .reg .b32 %r<12>; .reg .b64 %d<4>; .reg .pred %p<4>;
    .shared .align 4 .b8 tile[128]; .shared .align 8 .b64 full; .shared .align 8 .b64 empty;
    ld.param.u64 %d0, [out]; ld.param.u32 %r8, [fulls]; ld.param.u32 %r9, [empties];
    mov.u32 %r0, %tid.x; and.b32 %r1, %r0, 31; shl.b32 %r1, %r1, 2; mov.u32 %r2, tile; add.u32 %r3, %r2, %r1;
    xor.b32 %r4, %r1, 124; add.u32 %r4, %r4, %r2; mov.u32 %r5, 0;
    setp.ne.u32 %p0, %r0, 0;
    @%p0 bra MEET;
    mbarrier.init.shared.b64 [full], %r8;
    mbarrier.init.shared.b64 [empty], %r9;
MEET:
    bar.sync 0;
    setp.ge.u32 %p1, %r0, 32;
NEXT:
    and.b32 %r6, %r5, 1; xor.b32 %r7, %r6, 1;
    @%p1 bra READ;
W:  mbarrier.try_wait.parity.shared.b64 %p2, [empty], %r7;
    @!%p2 bra W;
    st.shared.u32 [%r3], %r5;
    mbarrier.arrive.shared.b64 _, [full]{fulls};
    bra ROUND;
READ:
    mbarrier.try_wait.parity.shared.b64 %p2, [full], %r6;
    @!%p2 bra READ;
    ld.shared.u32 %r10, [%r4];
    mul.wide.u32 %d1, %r1, 1; add.u64 %d2, %d0, %d1; st.global.u32 [%d2], %r10;
    mbarrier.arrive.shared.b64 _, [empty]{empties};
ROUND:
    add.u32 %r5, %r5, 1; setp.lt.u32 %p3, %r5, 6; @%p3 bra NEXT;
    ret;
}}
"""
)


@pytest.mark.parametrize("order", [0, 1, 7])
@pytest.mark.parametrize(
    ("each", "fulls", "empties", "is_right"),
    [
        (1, 32, 32, True),
        (1, 32, 31, False),  # lane 31 may still read
        (1, 31, 32, False),  # and store
        (1, 32, 30, False),
        (2, 64, 64, True),
        (2, 64, 62, False),
    ],
)
def test_a_phase_that_ends_before_all_have_come_is_found(
    each: int, fulls: int, empties: int, is_right: bool, order: int
) -> None:
    """Later lanes of the same instruction arrive in the next phase."""
    count = f", {each}" if each > 1 else ""
    kernel = ws.Module(STAGE.format(fulls=count, empties=count))["k"]
    found = kernel(1, 64, [np.zeros(32, np.uint32), fulls, empties], order=order).findings
    rules = {one.rule for one in found if one.severity == "error"}
    assert bool(rules) == (not is_right), found
    assert rules <= {"WS-RUN-017", "WS-RUN-006", "WS-RUN-021"}
    compared("counts of arrivals in a phase", 1, at_least=1)
