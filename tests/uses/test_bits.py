"""Values of which some bits are uninitialised: what known operands decide, halves of pairs, bit fields."""

import numpy as np
import pytest

import warpsim as ws
from tests.support.evidence import compared
from tests.support.findings.planted import short

#: %r9, %d5 and %p3 are uninitialised; of %r8 the upper half is
KERNEL = """.version 8.6
.target sm_100a
.address_size 64
.visible .entry k(.param .u64 out, .param .u32 zero)
{
.reg .pred %p<6>; .reg .b16 %h<4>; .reg .b32 %r<12>; .reg .f32 %f<4>; .reg .b64 %d<8>;
.shared .align 8 .b8 s[512];
ld.param.u64 %d0, [out]; ld.param.u32 %r0, [zero]; mov.u32 %r1, %tid.x; mul.wide.u32 %d1, %r1, 4; add.u64 %d0, %d0, %d1;
mov.u32 %r2, s; mad.lo.u32 %r3, %r1, 8, %r2; setp.ne.u32 %p0, %r0, 0; cvt.u64.u32 %d2, %r0;
not.b32 %r4, %r0; not.pred %p1, %p0; cvt.u16.u32 %h0, %r1; st.shared.u16 [%r3+4], %h0;
ld.shared.u32 %r9, [%r3]; ld.shared.u32 %r8, [%r3+4]; setp.eq.u32 %p3, %r9, 1; cvt.u64.u32 %d5, %r9;
BODY
ret;
}
"""
STORE = "\nst.global.u32 [%d0], %r5;"
HALF = "\nst.global.u16 [%d0], %r5;"
CHOICE = "\nselp.u32 %r5, 1, 2, %p4;" + STORE
#: a body and its wrong twin
TWINS = {
    "and 0": ("and.b32 %r5, %r9, %r0;" + STORE, "and.b32 %r5, %r9, %r4;" + STORE),
    "and 0 of 64 bits": ("and.b64 %d6, %d5, %d2; cvt.u32.u64 %r5, %d6;" + STORE,
                         "or.b64 %d6, %d5, %d2; cvt.u32.u64 %r5, %d6;" + STORE),
    "or all ones": ("or.b32 %r5, %r9, %r4;" + STORE, "or.b32 %r5, %r9, %r0;" + STORE),
    "false and": ("and.pred %p4, %p0, %p3;" + CHOICE, "and.pred %p4, %p1, %p3;" + CHOICE),
    "true or": ("or.pred %p4, %p3, %p1;" + CHOICE, "or.pred %p4, %p3, %p0;" + CHOICE),
    "not false and": ("not.pred %p4, %p3; and.pred %p4, %p4, %p0;" + CHOICE, "not.pred %p4, %p3;" + CHOICE),
    "false and, in a branch": ("and.pred %p4, %p0, %p3;\n@%p4 bra E;\nE:", "and.pred %p4, %p1, %p3;\n@%p4 bra E;\nE:"),
    "xor with itself": ("xor.b32 %r5, %r9, %r9;" + STORE, "xor.b32 %r5, %r9, %r4;" + STORE),
    "lop3 that takes another": ("lop3.b32 %r5, %r9, %r1, %r1, 0xcc;" + STORE,
                                "lop3.b32 %r5, %r9, %r1, %r1, 0xc0;" + STORE),
    "times 0": ("mul.lo.u32 %r5, %r9, %r0;" + STORE, "mul.lo.u32 %r5, %r9, %r4;" + STORE),
    "times a constant 0": ("mul.lo.u32 %r5, %r9, 0;" + STORE, "mul.lo.u32 %r5, %r9, 2;" + STORE),
    "times 0, and more": ("mad.lo.u32 %r5, %r0, %r9, %r1;" + STORE, "mad.lo.u32 %r5, %r0, %r1, %r9;" + STORE),
    "0 times": ("mul.wide.u32 %d6, %r0, %r9; cvt.u32.u64 %r5, %d6;" + STORE,
                "mul.wide.u32 %d6, %r1, %r9; cvt.u32.u64 %r5, %d6;" + STORE),
    "the one that is selected": ("selp.u32 %r5, %r9, %r1, %p0;" + STORE, "selp.u32 %r5, %r9, %r1, %p1;" + STORE),
    "low bits of a sum": ("add.u32 %r5, %r8, 5;" + HALF, "add.u32 %r5, %r8, 5;" + STORE),
    "a product of halves": ("mul.f16x2 %r5, %r8, %r8;" + HALF, "mul.f16x2 %r5, %r8, %r8;" + STORE),
    "a half that is taken out": ("add.rn.f16x2 %r6, %r8, %r1; mov.b32 {%h1, %h2}, %r6;\nst.global.u16 [%d0], %h1;",
                                 "add.rn.f16x2 %r6, %r8, %r1; mov.b32 {%h1, %h2}, %r6;\nst.global.u16 [%d0], %h2;"),
    "a fused one of bf16": ("fma.rn.bf16x2 %r6, %r8, %r1, %r1; prmt.b32 %r5, %r6, 0, 0x4410;" + STORE,
                            "fma.rn.bf16x2 %r6, %r8, %r1, %r1; prmt.b32 %r5, %r6, 0, 0x4432;" + STORE),
    "a pair of floats": ("mov.b64 %d6, {%r1, %r9}; add.rn.f32x2 %d6, %d6, %d6; mov.b64 {%r5, %r6}, %d6;" + STORE,
                         "mov.b64 %d6, {%r1, %r9}; add.rn.f32x2 %d6, %d6, %d6; mov.b64 {%r6, %r5}, %d6;" + STORE),
    "comparisons of halves": ("setp.lt.f16x2 %p4|%p5, %r8, %r1;" + CHOICE, "setp.lt.f16x2 %p5|%p4, %r8, %r1;" + CHOICE),
    "a mask of halves": ("set.lt.f16x2.f16x2 %r5, %r8, %r1;" + HALF, "set.lt.f16x2.f16x2 %r5, %r8, %r1;" + STORE),
    "two floats as halves": ("mov.b32 %f0, %r9; cvt.rn.f16x2.f32 %r5, %f0, 0f00000000;" + HALF,
                             "mov.b32 %f0, %r9; cvt.rn.f16x2.f32 %r5, 0f00000000, %f0;" + HALF),
    "bytes of vadd4": ("vadd4.u32.u32.u32 %r5, %r8, %r1, %r0;" + HALF, "vadd4.u32.u32.u32 %r5, %r8, %r1, %r0;" + STORE),
    "the sum of all of them": ("vadd2.u32.u32.u32 %r5, %r8, %r1, %r0;" + HALF,
                               "vadd2.u32.u32.u32.add %r5, %r8, %r1, %r0;" + HALF),
    "a bit field that is set, and read": (
        "and.b32 %r5, %r9, -16; and.b32 %r6, %r1, 15; or.b32 %r5, %r5, %r6; and.b32 %r5, %r5, 15;" + STORE,
        "and.b32 %r5, %r9, -16; and.b32 %r6, %r1, 15; or.b32 %r5, %r5, %r6; and.b32 %r5, %r5, 31;" + STORE),
    "inserted, and taken out": (
        "bfi.b32 %r5, %r1, %r9, 3, 7; bfe.u32 %r5, %r5, 3, 7;" + STORE,
        "bfi.b32 %r5, %r1, %r9, 3, 7; bfe.u32 %r5, %r5, 3, 8;" + STORE),
    "with its sign": (
        "bfi.b32 %r5, %r1, %r9, 3, 7; bfe.s32 %r5, %r5, 3, 7;" + STORE,
        "bfi.b32 %r5, %r1, %r9, 3, 7; bfe.s32 %r5, %r5, 4, 7;" + STORE),
    "shifted out": (
        "bfi.b32 %r5, %r1, %r9, 3, 7; shl.b32 %r5, %r5, 22; shr.u32 %r5, %r5, 25;" + STORE,
        "bfi.b32 %r5, %r1, %r9, 3, 7; shl.b32 %r5, %r5, 21; shr.u32 %r5, %r5, 25;" + STORE),
    "by as much as a register says": (
        "mov.u32 %r7, 3; bfi.b32 %r5, %r1, %r9, %r7, 7; shr.u32 %r5, %r5, %r7; and.b32 %r5, %r5, 127;" + STORE,
        "mov.u32 %r7, 3; bfi.b32 %r5, %r1, %r9, %r7, 7; shr.u32 %r5, %r5, %r7; and.b32 %r5, %r5, 255;" + STORE),
    "put back, and read again": (
        "bfi.b32 %r5, %r1, %r9, 3, 7; st.shared.u32 [%r3], %r5; ld.shared.u32 %r5, [%r3];\n"
        "bfe.u32 %r5, %r5, 3, 7;" + STORE,
        "bfi.b32 %r5, %r1, %r9, 3, 7; st.shared.u32 [%r3], %r5; ld.shared.u32 %r5, [%r3];\n"
        "bfe.u32 %r5, %r5, 2, 7;" + STORE),
    "put back, as part of a vector": (
        "bfi.b32 %r5, %r1, %r9, 3, 7; st.shared.v2.u32 [%r3], {%r5, %r1}; ld.shared.v2.u32 {%r6, %r5}, [%r3];" + STORE,
        "bfi.b32 %r5, %r1, %r9, 3, 7; st.shared.v2.u32 [%r3], {%r5, %r1}; ld.shared.v2.u32 {%r5, %r6}, [%r3];\n"
        "and.b32 %r5, %r5, 7;" + STORE),
    "bytes behind one that nobody wrote": (
        "st.shared.u8 [%r3+257], %r1; st.shared.u16 [%r3+258], %r1; ld.shared.u32 %r5, [%r3+256];\n"
        "shr.u32 %r5, %r5, 8; add.u32 %r5, %r5, 1;" + STORE,
        "st.shared.u8 [%r3+257], %r1; st.shared.u16 [%r3+258], %r1; ld.shared.u32 %r5, [%r3+256];\n"
        "shr.u32 %r5, %r5, 7; add.u32 %r5, %r5, 1;" + STORE),
}  # fmt: skip


def used(body: str) -> set[str]:
    findings = ws.Module(KERNEL.replace("BODY", body))["k"](1, 32, [np.zeros(64, np.uint32), 0]).findings
    return {" ".join(short(one).split()[:2]) for one in findings if one.severity == "error"}


@pytest.mark.parametrize("what", TWINS)
def test_which_bits_matter(what: str) -> None:
    right, wrong = TWINS[what]
    assert used(right) == set()
    assert used(wrong) == {"error WS-RUN-021"}
    compared("values of which some bits are uninitialised", 2, at_least=2)


def test_a_bit_field_is_set_without_a_word() -> None:
    """The other bits of its word are read, and put back."""
    field = "bfi.b32 %r5, %r1, %r6, 3, 7; st.shared.u32 [%r3+256], %r5;"
    silent = ws.Module(KERNEL.replace("BODY", "ld.shared.u32 %r6, [%r3+256];\n" + field))["k"]
    told = ws.Module(KERNEL.replace("BODY", "ld.shared.u32 %r6, [%r3+256];"))["k"]
    lines = [
        {one.line for one in kernel(1, 32, [np.zeros(64, np.uint32), 0]).findings if one.rule == "WS-RUN-027"}
        for kernel in (silent, told)
    ]
    assert lines[0] == {11} and lines[1] == {11, 12}
    compared("bit fields that are set", 2, at_least=2)


ELEMENTS = """and.b32 %r6, %r1, 1; setp.eq.u32 %p4, %r6, 0;
@%p4 st.shared.u32 [%r3+256], %r1;
@!%p4 st.shared.u32 [%r3+260], %r1;
ld.shared.v2.u32 {%r5, %r6}, [%r3+256];"""


@pytest.mark.parametrize(("lacks", "store"), [(1, STORE), (0, STORE.replace("%r5", "%r6"))])
def test_each_lane_lacks_an_element_of_its_own(lacks: int, store: str) -> None:
    report = ws.Module(KERNEL.replace("BODY", ELEMENTS + store))["k"](1, 32, [np.zeros(64, np.uint32), 0])
    (one,) = (one for one in report.findings if one.rule == "WS-RUN-021")
    assert one.lanes == tuple((lane, 0, 0) for lane in range(lacks, 32, 2))
