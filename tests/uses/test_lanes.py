"""Words of which each lane has written bits of its own: what is unwritten is followed lane by lane."""

import numpy as np
import pytest

import warpsim as ws
from tests.support.evidence import compared

#: of %r9 each lane has written the half that %r4 (0, 1) names, whose bits begin at %r5; of the pair %d5 the word
KERNEL = """.version 8.6
.target sm_90a
.address_size 64
.visible .entry k(.param .u64 out)
{
.reg .pred %p<6>; .reg .b16 %h<4>; .reg .b32 %r<64>; .reg .b64 %d<8>;
.shared .align 8 .b8 s[512];
ld.param.u64 %d0, [out]; mov.u32 %r1, %tid.x; mul.wide.u32 %d1, %r1, 4; add.u64 %d0, %d0, %d1;
mov.u32 %r2, s; mad.lo.u32 %r3, %r1, 8, %r2; and.b32 %r4, %r1, 1; shl.b32 %r5, %r4, 4; sub.u32 %r6, 16, %r5;
setp.ne.u32 %p0, %r4, 0; shl.b32 %r11, %r4, 2; add.u32 %r11, %r11, %r3; cvt.u16.u32 %h0, %r1; shl.b32 %r12, %r5, 1;
st.shared.u32 [%r11], %r1; ld.shared.u64 %d5, [%r3];
add.u32 %r3, %r3, 256; shl.b32 %r11, %r4, 1; add.u32 %r11, %r11, %r3; sub.u32 %r13, 32, %r12;
st.shared.u16 [%r11], %h0; ld.shared.u32 %r9, [%r3];
BODY
ret;
}
"""
STORE = "\nst.global.u32 [%d0], %r10;"
HALF = "\nst.global.u16 [%d0], %r10;"
#: a body that uses what the lane has written, and the same of the other half
TWINS = {
    "shr": ("shr.u32 %r10, %r9, %r5;" + HALF, "shr.u32 %r10, %r9, %r6;" + HALF),
    "shr and a mask": ("shr.u32 %r10, %r9, %r5; and.b32 %r10, %r10, 0xffff;" + STORE,
                       "shr.u32 %r10, %r9, %r6; and.b32 %r10, %r10, 0xffff;" + STORE),
    "shr of 64 bits": ("shr.u64 %d6, %d5, %r12; cvt.u32.u64 %r10, %d6;" + STORE,
                       "shr.u64 %d6, %d5, %r13; cvt.u32.u64 %r10, %d6;" + STORE),
    "shl, then shr": ("shl.b32 %r10, %r9, %r6; shr.u32 %r10, %r10, 16;" + STORE,
                      "shl.b32 %r10, %r9, %r5; shr.u32 %r10, %r10, 16;" + STORE),
    "shifted out": ("shl.b32 %r10, %r9, 32;" + STORE, "shl.b32 %r10, %r9, 1;" + STORE),
    "a mask": ("selp.b32 %r8, 0xffff0000, 0xffff, %p0; and.b32 %r10, %r9, %r8;" + STORE,
               "selp.b32 %r8, 0xffff, 0xffff0000, %p0; and.b32 %r10, %r9, %r8;" + STORE),
    "prmt": ("selp.b32 %r8, 0x4432, 0x4410, %p0; prmt.b32 %r10, %r9, 0, %r8;" + STORE,
             "selp.b32 %r8, 0x4410, 0x4432, %p0; prmt.b32 %r10, %r9, 0, %r8;" + STORE),
    "bfe": ("bfe.u32 %r10, %r9, %r5, 16;" + STORE, "bfe.u32 %r10, %r9, %r6, 16;" + STORE),
    "bfi": ("bfi.b32 %r10, 7, %r9, %r6, 16;" + STORE, "bfi.b32 %r10, 7, %r9, %r5, 16; add.u32 %r10, %r10, 1;" + STORE),
    "shf.r": ("shf.r.wrap.b32 %r10, %r9, %r9, %r5;" + HALF, "shf.r.wrap.b32 %r10, %r9, %r9, %r6;" + HALF),
    "shf.l": ("shf.l.clamp.b32 %r10, %r9, 0, %r6; shr.u32 %r8, %r9, %r5; shf.l.clamp.b32 %r10, 0, %r8, 16;\n"
              "shr.u32 %r10, %r10, 16;" + STORE,
              "shf.l.clamp.b32 %r10, 0, %r9, %r5; shr.u32 %r10, %r10, 16;" + STORE),
    "lanes that lack the same half": (
        "st.shared.u16 [%r3+6], %h0; ld.shared.u32 %r8, [%r3+4]; shr.u32 %r7, %r5, 1; add.u32 %r7, %r7, 16;\n"
        "shr.u32 %r10, %r8, %r7;\nst.global.u8 [%d0], %r10;",
        "st.shared.u16 [%r3+6], %h0; ld.shared.u32 %r8, [%r3+4]; shr.u32 %r7, %r5, 1; add.u32 %r7, %r7, 8;\n"
        "shr.u32 %r10, %r8, %r7;\nst.global.u8 [%d0], %r10;"),
    "the half that is selected": ("mov.b32 {%h1, %h2}, %r9; selp.b16 %h3, %h2, %h1, %p0;\nst.global.u16 [%d0], %h3;",
                                  "mov.b32 {%h1, %h2}, %r9; selp.b16 %h3, %h1, %h2, %p0;\nst.global.u16 [%d0], %h3;"),
    "a branch": ("shr.u32 %r10, %r9, %r5; and.b32 %r10, %r10, 0xffff; setp.gt.u32 %p1, %r10, 3;\n@%p1 bra E;\nE:",
                 "shr.u32 %r10, %r9, %r6; and.b32 %r10, %r10, 0xffff; setp.gt.u32 %p1, %r10, 3;\n@%p1 bra E;\nE:"),
    "through shared memory": (
        "st.shared.u32 [%r3+4], %r9; ld.shared.u32 %r10, [%r3+4]; shr.u32 %r10, %r10, %r5;" + HALF,
        "st.shared.u32 [%r3+4], %r9; ld.shared.u32 %r10, [%r3+4]; shr.u32 %r10, %r10, %r6;" + HALF),
    "of a lane of the same half": (
        "shfl.sync.bfly.b32 %r10, %r9, 2, 31, -1; shr.u32 %r10, %r10, %r5;" + HALF,
        "shfl.sync.bfly.b32 %r10, %r9, 1, 31, -1; shr.u32 %r10, %r10, %r5;" + HALF),
    "of one that has waited": (
        "@%p0 bra A;\nshfl.sync.bfly.b32 %r10, %r9, 1, 31, -1;\nbra B;\nA:\n"
        "shfl.sync.bfly.b32 %r10, %r9, 1, 31, -1;\nB:\nshr.u32 %r10, %r10, %r6;" + HALF,
        "@%p0 bra A;\nshfl.sync.bfly.b32 %r10, %r9, 1, 31, -1;\nbra B;\nA:\n"
        "shfl.sync.bfly.b32 %r10, %r9, 1, 31, -1;\nB:\nshr.u32 %r10, %r10, %r5;" + HALF),
    "lanes that differ, one after the other": (
        "@%p0 mov.u32 %r10, %r9;\n@!%p0 mov.u32 %r10, %r9; shr.u32 %r10, %r10, %r5;" + HALF,
        "@%p0 mov.u32 %r10, %r9;\n@!%p0 mov.u32 %r10, %r9; shr.u32 %r10, %r10, %r6;" + HALF),
}  # fmt: skip


def used(body: str) -> list[str]:
    report = ws.Module(KERNEL.replace("BODY", body))["k"](1, 32, [np.zeros(64, np.uint32)])
    return [one.rule for one in report.findings if one.severity != "note"]


@pytest.mark.parametrize("what", TWINS)
def test_each_lane_uses_what_it_has_written(what: str) -> None:
    right, wrong = TWINS[what]
    assert used(right) == []
    assert used(wrong) == ["WS-RUN-021"]
    compared("words of which lanes have written bits of their own", 2, at_least=2)


@pytest.mark.parametrize("count", [1, 31, 32, 33, 46])
def test_more_such_words_than_there_is_room_for(count: int) -> None:
    """The last ones are known; of those before them, what all lanes lack: nothing, and nothing is said of them."""
    words = range(14, 14 + count)
    copies = "".join(f"mov.u32 %r{i}, %r{i - 1 if i > 14 else 9};\n" for i in words)
    uses = "".join(f"shr.u32 %r10, %r{i}, %r5;{HALF}\n" for i in words)
    assert used(copies + uses) == []
    assert used(copies + uses.replace(", %r5;", ", %r6;")) == ["WS-RUN-021"]
    assert used(copies + f"\nst.global.u32 [%d0], %r{words[0]};") == ([] if count > 32 else ["WS-RUN-021"])
    compared("words of which lanes have written bits of their own", 3, at_least=3)


SOURCE = """extern "C" __global__ void k(unsigned* y) {
  __shared__ unsigned short s[64]; int t = threadIdx.x;
  s[t * 2 + (t & 1)] = t;
  unsigned w = ((unsigned*)s)[t];
  USE
}"""
USES = {
    "y[t] = (w >> (16 * H)) & 0xffff;",
    "y[t] = w & (H ? 0xffff0000u : 0xffffu);",
    "if (((w >> (16 * H)) & 0xffff) < 100) y[t] = 1;",
    "y[t] = __byte_perm(w, 0, H ? 0x4432 : 0x4410);",
    "y[t] = (unsigned short)__funnelshift_r(w, w, 16 * H);",
    "y[t] = ((unsigned short*)&w)[H];",
}


@pytest.mark.parametrize("use", sorted(USES))
def test_in_cuda(use: str) -> None:
    for half, wanted in (("(t & 1)", []), ("(~t & 1)", ["WS-RUN-021"])):
        kernel = ws.compile(SOURCE.replace("USE", use.replace("H", half)))["k"]
        report = kernel(1, 32, [ws.uninitialized(32, np.uint32)])
        assert [one.rule for one in report.findings if one.severity != "note"] == wanted
    compared("words of which lanes have written bits of their own", 2, at_least=2)
