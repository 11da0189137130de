"""Threads that come to a named barrier before those of its earlier phase need have come, and such as wait for them."""

import numpy as np
import pytest

import warpsim as ws
from tests.support.evidence import compared

#: %r1: the thread in its group of 64, %r2: whether it is of the second group
HEAD = """.version 8.0
.target sm_90
.address_size 64
.visible .entry k(.param .u64 out) {
.shared .align 4 .b8 s[1024];
.reg .b32 %r<20>; .reg .pred %p<4>; .reg .b64 %d<4>;
mov.u32 %r0, %tid.x; and.b32 %r1, %r0, 63; shr.u32 %r2, %r0, 6; setp.ne.u32 %p0, %r2, 0;
ld.param.u64 %d0, [out]; mad.wide.u32 %d1, %r0, 4, %d0;
mov.u32 %r3, s; shl.b32 %r4, %r1, 2; add.u32 %r5, %r3, %r4; xor.b32 %r6, %r4, 252; add.u32 %r6, %r3, %r6;
mov.u32 %r7, 0;
"""
TAIL = "END: ret; }\n"
#: a group of warps stores, meets and reads
GROUPS = """shl.b32 %r8, %r2, 8; add.u32 %r5, %r5, %r8; add.u32 %r6, %r6, %r8; st.shared.u32 [%r5], %r0;
@%p0 bra SECOND;
bar.sync 1, 64;
bra READ;
SECOND: bar.sync NUMBER, 64;
READ: ld.shared.u32 %r9, [%r6]; st.global.u32 [%d1], %r9;
"""
#: two buffers: the first group fills them, the second reads them; barriers 1 and 2: full, 3 and 4: empty
BUFFERS = """ROUND: and.b32 %r8, %r7, 1; shl.b32 %r9, %r8, 8; add.u32 %r10, %r8, 1; add.u32 %r11, %r8, 3;
@%p0 bra READER;
setp.lt.u32 %p1, %r7, 2; @%p1 bra FILL;
bar.sync %r11, 128;
FILL: add.u32 %r12, %r5, %r9; st.shared.u32 [%r12], %r7;
WHICH
bar.arrive %r10, 128;
bra NEXT;
READER: bar.sync %r10, 128;
add.u32 %r12, %r6, %r9; ld.shared.u32 %r13, [%r12]; st.global.u32 [%d1], %r13;
setp.ge.u32 %p1, %r7, 4; @%p1 bra NEXT;
bar.arrive %r11, 128;
NEXT: add.u32 %r7, %r7, 1; setp.lt.u32 %p1, %r7, 6; @%p1 bra ROUND;
"""
#: groups take turns: each waits for its own barrier and then arrives at the other's
TURNS = """mov.u32 %r8, 1; add.u32 %r9, %r2, 1; sub.u32 %r10, 2, %r2;
@%p0 bar.arrive 1, 128;
ROUND: bar.sync %r9, 128;
st.shared.u32 [%r5], %r7; ld.shared.u32 %r11, [%r5]; st.global.u32 [%d1], %r11;
bar.arrive %r10, 128;
add.u32 %r7, %r7, 1; setp.lt.u32 %p1, %r7, 4; @%p1 bra ROUND;
"""
RIGHT = {
    "a number for each group": GROUPS.replace("NUMBER", "2"),
    "two buffers": BUFFERS.replace("WHICH", ""),
    "turns": TURNS,
    "one group after the other": "@%p0 bra WAIT; bar.sync 1, 64; WAIT: bar.sync 0; @!%p0 bra END; bar.sync 1, 64;",
    "the same group again": "@%p0 bra END; bar.sync 1, 64; bar.sync 1, 64; bar.sync 1, 64;",
    "a count of all": "bar.sync 1, 128; bar.sync 1, 128;",
}
WRONG = {
    "one number for two groups": GROUPS.replace("NUMBER", "1"),
    "full of the other buffer": BUFFERS.replace("WHICH", "sub.u32 %r10, 3, %r10;"),
    "an arrival without a wait":
        "@%p0 bra W; bar.arrive 1, 128; bar.arrive 1, 128; ret; W: bar.sync 1, 128; bar.sync 1, 128;",
}  # fmt: skip


def found(body: str, order: int) -> set[str]:
    report = ws.Module(HEAD + body + TAIL)["k"](1, 128, [np.zeros(128, "u4")], order=order)
    return {one.rule for one in report.findings if one.severity != "note"}


@pytest.mark.parametrize("name", RIGHT)
def test_threads_that_know_of_the_phase_before_are_silent(name: str) -> None:
    for order in range(8):
        assert found(RIGHT[name], order) == set(), order
    compared("orders of named barriers, correct", 8, at_least=8)


@pytest.mark.parametrize("name", WRONG)
def test_threads_that_may_come_before_it_are_found_in_each_order(name: str) -> None:
    """What follows from it, a race or a deadlock, comes in some orders alone."""
    for order in range(8):
        try:
            rules = found(WRONG[name], order)
        except ws.DeadlockError as error:
            rules = {one.rule for one in error.report.findings}
        assert "WS-RUN-055" in rules, order
    compared("orders of named barriers, wrong", 8, at_least=8)
