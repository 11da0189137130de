"""Races with reads whose values nobody uses are notes; whoever uses one makes it an error, whenever that is."""

import numpy as np
import pytest

import warpsim as ws
from tests.support.evidence import compared
from tests.support.findings.planted import short

#: all threads hold one element each, and two threads hold the same
KERNEL = """.version 8.3
.target sm_90a
.address_size 64
.visible .entry k(.param .u64 x, .param .u64 y)
{
.reg .pred %p<4>; .reg .b32 %r<16>; .reg .b64 %d<8>;
ld.param.u64 %d0, [x]; ld.param.u64 %d1, [y]; mov.u32 %r0, %tid.x; and.b32 %r1, %r0, 31; setp.lt.u32 %p0, %r0, 32;
mul.wide.u32 %d2, %r1, 4; add.s64 %d3, %d0, %d2; add.s64 %d4, %d1, %d2; mul.wide.u32 %d5, %r0, 4; add.s64 %d5, %d1, %d5;
LOAD: ld.global.u32 %r2, [%d3];
BODY
ret;
}
"""
STORE = "@%p0 st.global.u32 [%d3], %r3;"
NOTE, ERROR = "note WS-RUN-051", "error WS-RUN-019"
CASES = {
    "one of two stores": ("mul.lo.u32 %r3, %r2, 2;\n" + STORE, NOTE),
    "a branch in place of the guard": ("mul.lo.u32 %r3, %r2, 2;\n@!%p0 bra E;\nst.global.u32 [%d3], %r3;\nE:", NOTE),
    "through many registers": (
        "mul.lo.u32 %r3, %r2, 2;\nadd.u32 %r4, %r3, 1;\nxor.b32 %r5, %r4, %r3;\nmov.u32 %r3, %r5;\n" + STORE, NOTE),
    "the others store elsewhere": ("mul.lo.u32 %r3, %r2, 2;\n" + STORE + "\n@!%p0 st.global.u32 [%d5], %r3;", ERROR),
    "all branch on it": ("mul.lo.u32 %r3, %r2, 2;\nsetp.eq.u32 %p1, %r3, 9;\n@%p1 bra E;\nE: " + STORE, ERROR),
    "the others branch on it": (
        "mul.lo.u32 %r3, %r2, 2;\nsetp.eq.u32 %p1, %r3, 9;\n@%p0 bra S;\n@%p1 bra E;\nbra E;\nS: "
        "setp.lt.u32 %p2, %r0, 16;\n@%p2 st.global.u32 [%d3], %r3;\nE:", ERROR),
    "the others leave": ("mul.lo.u32 %r3, %r2, 2;\n@!%p0 ret;\nst.global.u32 [%d3], %r3;", NOTE),
    "the others choose something else": (
        "setp.lt.u32 %p1, %r0, 64;\nselp.b32 %r3, %r2, %r0, %p0;\n@%p1 st.global.u32 [%d5], %r3;\n" + STORE, NOTE),
    "the others choose it": (
        "setp.lt.u32 %p1, %r0, 64;\nselp.b32 %r3, %r0, %r2, %p0;\n@%p1 st.global.u32 [%d5], %r3;\n" + STORE, ERROR),
    "its guard depends on it": (
        "mul.lo.u32 %r3, %r2, 2;\nsetp.lt.u32 %p1, %r3, 1000;\nand.pred %p2, %p0, %p1;\n@%p2 st.global.u32 [%d3], %r3;",
        ERROR),
    "it is an address": (
        "and.b32 %r3, %r2, 4;\ncvt.u64.u32 %d6, %r3;\nadd.s64 %d6, %d1, %d6;\nld.global.u32 %r4, [%d6];\n" + STORE,
        ERROR),
    "lanes exchange it": ("shfl.sync.bfly.b32 %r3, %r2, 1, 31, -1;\n" + STORE, ERROR),
    "a guard of the others depends on it, and keeps them out": (
        "mul.lo.u32 %r3, %r2, 2;\nsetp.gt.u32 %p1, %r3, 1000;\n" + STORE
        + "\n@%p0 bra E;\n@%p1 st.global.u32 [%d5], 5;\nE:", ERROR),
    "one of two stores what it moved": (
        "mov.u32 %r4, %r2;\nadd.u32 %r3, %r0, 7;\n" + STORE + "\n@%p0 st.global.u32 [%d5], %r4;", NOTE),
    "in the next round": (
        "mov.u32 %r6, 0;\nmov.u32 %r7, 0;\nL: add.u32 %r7, %r7, %r2;\nmul.lo.u32 %r3, %r2, 2;\n" + STORE
        + "\nadd.u32 %r6, %r6, 1;\nsetp.lt.u32 %p1, %r6, 2;\n@%p1 bra L;\n@!%p0 st.global.u32 [%d5], %r7;", ERROR),
}  # fmt: skip


@pytest.mark.parametrize("what", CASES)
@pytest.mark.parametrize("order", [0, 1, 2])
def test_who_uses_what_was_read(what: str, order: int) -> None:
    body, wanted = CASES[what]
    kernel = ws.Module(KERNEL.replace("LOAD: ", "").replace("BODY", body))["k"]
    arrays = [np.arange(64, dtype=np.uint32), np.zeros(64, np.uint32)]
    findings = kernel(1, 64, arrays, order=order).findings
    found = {" ".join(short(one).split()[:2]) for one in findings if one.rule in ("WS-RUN-019", "WS-RUN-051")}
    assert found == {wanted}
    compared("races with values that are used, or are not", 1, at_least=1)


def test_a_launch_that_ends_early_leaves_nothing_unsaid() -> None:
    """What would have used the value never ran."""
    body = "mul.lo.u32 %r3, %r2, 2;\n" + STORE + "\nbar.sync 0;\ntrap;\n@!%p0 st.global.u32 [%d5], %r3;"
    kernel = ws.Module(KERNEL.replace("LOAD: ", "").replace("BODY", body))["k"]
    report = kernel(1, 64, [np.arange(64, dtype=np.uint32), np.zeros(64, np.uint32)])
    assert {one.rule for one in report.findings if one.severity == "error"} == {"WS-RUN-009", "WS-RUN-019"}


@pytest.mark.parametrize("order", [0, 1, 2])
@pytest.mark.parametrize(("use", "wanted"), [("@!%p0 st.global.u32 [%d5], %r2;", "error WS-RUN-017"), ("", NOTE)])
def test_what_a_load_reads_again_is_followed_to_its_use(use: str, wanted: str, order: int) -> None:
    """Of a loop's loads of the same word the last alone is used, if any."""
    body = f""".shared .b32 word; mov.u32 %r6, word; setp.eq.u32 %p2, %r0, 0; mov.u32 %r7, 0;
    @%p2 st.shared.u32 [%r6], 5; bar.sync 0;
    L: ld.shared.u32 %r2, [%r6]; add.u32 %r7, %r7, 1; setp.lt.u32 %p1, %r7, 3; @%p1 bra L;
    {use}
    @%p2 st.shared.u32 [%r6], 6;"""
    kernel = ws.Module(KERNEL.replace("LOAD: ", "").replace("BODY", body))["k"]
    findings = kernel(1, 64, [np.arange(64, dtype=np.uint32), np.zeros(64, np.uint32)], order=order).findings
    found = {" ".join(short(one).split()[:2]) for one in findings if one.rule in ("WS-RUN-017", "WS-RUN-051")}
    assert wanted in found and found <= {wanted, NOTE}, [short(one) for one in findings]
    compared("races with values that are used, or are not", 1, at_least=1)


#: warp 1 writes the word while warp 0 loads it; after a barrier warp 0 loads it again
AGAIN = """.shared .b32 word; setp.eq.u32 %p2, %r0, 0; mov.u32 %r7, 0; mov.u32 %r4, 7;
@%p2 st.shared.u32 [word], 5; bar.sync 0;
L: @%p0 ld.shared.u32 %r2, [word];
FIRST
setp.eq.u32 %p1, %r7, 0; setp.eq.and.u32 %p1, %r0, 32, %p1; @%p1 st.shared.u32 [word], 6;
bar.sync 0; add.u32 %r7, %r7, 1; setp.lt.u32 %p1, %r7, 2; @%p1 bra L;
@%p0 st.global.u32 [%d5], %r2;
@%p0 st.global.u32 [%d3], %r4;"""
COPY = "setp.eq.u32 %p3, %r7, 0; selp.b32 %r4, %r2, %r4, %p3;"


@pytest.mark.parametrize("order", [0, 1, 2])
@pytest.mark.parametrize(("first", "wanted"), [("", NOTE), (COPY, "error WS-RUN-017")], ids=["forgotten", "copied"])
def test_what_is_loaded_again_is_no_use_of_what_was_loaded_before(first: str, wanted: str, order: int) -> None:
    kernel = ws.Module(KERNEL.replace("LOAD: ", "").replace("BODY", AGAIN.replace("FIRST", first)))["k"]
    findings = kernel(1, 64, [np.arange(64, dtype=np.uint32), np.zeros(64, np.uint32)], order=order).findings
    found = {" ".join(short(one).split()[:2]) for one in findings if one.rule in ("WS-RUN-017", "WS-RUN-051")}
    assert wanted in found and found <= {wanted, NOTE}, [short(one) for one in findings]
    compared("races with values that are used, or are not", 1, at_least=1)


#: a seqlock of relaxed data: a reader reads again what the writer was at, and nobody uses what it had
SEQLOCK = """.version 8.3
.target sm_90
.address_size 64
.visible .entry k(.param .u64 s, .param .u64 out)
{
.reg .pred %p<4>; .reg .b32 %r<9>; .reg .b64 %d<4>;
ld.param.u64 %d0, [s]; ld.param.u64 %d1, [out]; mov.u32 %r0, %ctaid.x; mov.u32 %r1, 0;
setp.eq.u32 %p0, %r0, 0; @%p0 bra WRITE;
READ: ld.acquire.gpu.b32 %r2, [%d0]; ld.relaxed.gpu.b32 %r3, [%d0+4]; ld.relaxed.gpu.b32 %r4, [%d0+8];
fence.acq_rel.gpu; ld.relaxed.gpu.b32 %r5, [%d0];
setp.ne.s32 %p1, %r2, %r5; and.b32 %r6, %r2, 1; setp.eq.b32 %p2, %r6, 1; or.pred %p1, %p1, %p2; @%p1 bra READ;
st.global.v2.u32 [%d1], {%r3, %r4}; ret;
WRITE: add.u32 %r1, %r1, 1; ld.relaxed.gpu.b32 %r2, [%d0]; add.u32 %r3, %r2, 1; add.u32 %r4, %r2, 2;
st.relaxed.gpu.b32 [%d0], %r3; fence.acq_rel.gpu;
st.relaxed.gpu.b32 [%d0+4], %r1; st.relaxed.gpu.b32 [%d0+8], %r1; st.release.gpu.b32 [%d0], %r4;
setp.lt.u32 %p1, %r1, 6; @%p1 bra WRITE; ret;
}
"""


@pytest.mark.parametrize("order", range(6))
def test_a_reader_of_a_seqlock_uses_what_is_valid(order: int) -> None:
    out = np.zeros(2, np.uint32)
    report = ws.Module(SEQLOCK)["k"](2, 1, [np.zeros(3, np.uint32), out], order=order)
    assert not [one for one in report.findings if one.severity != "note"]
    assert out[0] == out[1]
