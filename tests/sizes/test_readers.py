"""A place that more threads read, or change by atomics, than its cell has room for: none is forgotten."""

import numpy as np
import pytest

import warpsim as ws
from tests.support.evidence import compared

HEAD = """.version 8.0
.target sm_90
.address_size 64
.visible .entry k(.param .u64 out) {
.shared .align 4 .b8 s[256];
.reg .b32 %r<9>; .reg .pred %p<4>; .reg .b64 %d<4>;
mov.u32 %r0, %tid.x; shr.u32 %r1, %r0, 5;
ld.param.u64 %d0, [out]; mad.wide.u32 %d1, %r0, 4, %d0;
setp.eq.u32 %p0, %r0, 0; @%p0 st.shared.u32 [s], %r0;
bar.sync 0;
"""

#: all read s[0], or add to it; all but one meet, and the first of those that met writes it
WARPS = """USE
setp.eq.u32 %p1, %r1, LATE; @%p1 bra END;
bar.sync 1, COUNT;
setp.eq.u32 %p2, %r0, FIRST; @%p2 st.shared.u32 [s], 5;
END: ret; }
"""
LANES = """USE
setp.eq.u32 %p1, %r0, LATE; @%p1 bra END;
bar.warp.sync COUNT;
setp.eq.u32 %p2, %r0, FIRST; @%p2 st.shared.u32 [s], 5;
END: ret; }
"""
USES = {
    "read": "ld.shared.u32 %r2, [s]; st.global.u32 [%d1], %r2;",
    "atomic": "red.shared.add.u32 [s], 1;",
    "both": "ld.shared.u32 %r2, [s]; st.global.u32 [%d1], %r2; bar.warp.sync -1; red.shared.add.u32 [s], 1;",
}


def alarms(report: ws.KernelReport) -> list[str]:
    return [one.rule for one in report.findings if one.severity != "note"]


def rules(text: str, threads: int) -> list[str]:
    report = ws.Module(text)["k"](1, threads, [np.zeros(threads, "u4")])
    assert not [note for note in report.notes if "compared" in note]
    return alarms(report)


@pytest.mark.parametrize("use", ["read", "atomic"])
@pytest.mark.parametrize("warps", [2, 3, 4, 5, 8, 32])
def test_the_one_warp_of_many_that_does_not_wait_is_found(use: str, warps: int) -> None:
    for late in range(warps):
        text = HEAD + WARPS.replace("USE", USES[use]).replace("LATE", str(late))
        text = text.replace("COUNT", str(32 * (warps - 1))).replace("FIRST", str(32 * (late == 0)))
        assert rules(text, 32 * warps) == ["WS-RUN-017"], late
    text = HEAD + WARPS.replace("USE", USES[use]).replace("LATE", "99").replace("COUNT", str(32 * warps))
    assert rules(text.replace("FIRST", "0"), 32 * warps) == []
    compared("readers of one place, one of which races", warps, at_least=warps)


@pytest.mark.parametrize("use", USES)
def test_the_one_lane_of_a_warp_that_does_not_wait_is_found(use: str) -> None:
    for late in range(32):
        text = HEAD + LANES.replace("USE", USES[use]).replace("LATE", str(late))
        text = text.replace("COUNT", str(0xFFFFFFFF ^ 1 << late)).replace("FIRST", str(int(late == 0)))
        found = rules(text, 32)
        assert found, late
        assert set(found) == {"WS-RUN-018"}, late
    text = HEAD + LANES.replace("USE", USES[use]).replace("LATE", "99").replace("COUNT", "-1")
    assert rules(text.replace("FIRST", "0"), 32) == []
    compared("readers of one place, one of which races", 32, at_least=32)


#: each block reads x[0] and sets a flag of its own; block 0 waits for all of them, without acquiring that of `late`
BLOCKS = """.version 8.0
.target sm_90
.address_size 64
.visible .entry k(.param .u64 x, .param .u64 flags, .param .u64 out, .param .u32 n, .param .u32 late) {
.reg .b32 %r<9>; .reg .pred %p<4>; .reg .b64 %d<9>;
mov.u32 %r0, %ctaid.x; ld.param.u32 %r1, [n]; ld.param.u32 %r2, [late];
ld.param.u64 %d0, [x]; ld.param.u64 %d1, [flags]; ld.param.u64 %d2, [out];
mad.wide.u32 %d3, %r0, 4, %d1; mad.wide.u32 %d4, %r0, 4, %d2; mad.wide.u32 %d5, %r1, 4, %d1;
setp.eq.u32 %p0, %r0, 0;
BEGIN
READ: ld.global.u32 %r3, [%d0]; st.global.u32 [%d4], %r3;
@!%p0 st.release.gpu.global.u32 [%d3], 1;
@!%p0 bra END;
mov.u32 %r4, 1;
NEXT: mad.wide.u32 %d6, %r4, 4, %d1; setp.eq.u32 %p1, %r4, %r2;
WAIT: @%p1 ld.relaxed.gpu.global.u32 %r5, [%d6]; @!%p1 ld.acquire.gpu.global.u32 %r5, [%d6];
setp.eq.u32 %p2, %r5, 0; @%p2 bra WAIT;
add.u32 %r4, %r4, 1; setp.lt.u32 %p2, %r4, %r1; @%p2 bra NEXT;
st.global.u32 [%d0], 9;
END: ret; }
"""
BEGINS = {
    "unwritten": "",
    "written": """@%p0 st.global.u32 [%d0], 7; @%p0 st.release.gpu.global.u32 [%d5], 1;
LOOK: ld.acquire.gpu.global.u32 %r3, [%d5]; setp.eq.u32 %p1, %r3, 0; @%p1 bra LOOK;""",
}


def of_blocks(begin: str, blocks: int, late: int) -> ws.KernelReport:
    kernel = ws.Module(BLOCKS.replace("BEGIN", BEGINS[begin]))["k"]
    arrays = [np.zeros(1, "u4"), np.zeros(blocks + 1, "u4"), np.zeros(blocks, "u4")]
    return kernel(blocks, 1, [*arrays, blocks, late])


@pytest.mark.parametrize("begin", BEGINS)
@pytest.mark.parametrize("blocks", [3, 4, 5, 40])
def test_the_one_block_of_many_that_is_not_waited_for_is_found(begin: str, blocks: int) -> None:
    for late in range(1, blocks):
        found = alarms(of_blocks(begin, blocks, late))
        assert found in (["WS-RUN-019"], ["WS-RUN-046"]), late
    whole = of_blocks(begin, blocks, 0)
    assert alarms(whole) == []
    assert not whole.notes
    compared("readers of one place, one of which races", blocks - 1, at_least=2)


@pytest.mark.parametrize("begin", BEGINS)
def test_a_note_says_where_more_blocks_come_than_are_kept(begin: str) -> None:
    """64 and the few of the cell: a report that finds nothing there does not say that nothing is wrong."""
    assert not of_blocks(begin, 64, 0).notes
    (note,) = of_blocks(begin, 80, 0).notes
    assert note.startswith("1 access to global memory is not compared with all earlier ones to the same bytes")
