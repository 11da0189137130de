"""The padding of structs, which copies take along: no error unless it is used; a field that is missing stays one."""

import numpy as np
import pytest

import warpsim as ws
from tests.support.evidence import compared
from tests.support.findings.planted import short

#: each thread has 16 bytes of `s` and of `own`, and copies those of its neighbour
KERNEL = """.version 8.3
.target sm_90a
.address_size 64
.visible .entry k(.param .u64 out)
{
.reg .pred %p<4>; .reg .b16 %h<8>; .reg .b32 %r<16>; .reg .f64 %e<4>; .reg .b64 %d<8>;
.shared .align 16 .b8 s[512]; .local .align 16 .b8 own[64];
ld.param.u64 %d0, [out]; mov.u32 %r0, %tid.x; shl.b32 %r1, %r0, 4; cvt.u64.u32 %d1, %r1; add.u64 %d0, %d0, %d1;
mov.u32 %r2, s; add.u32 %r1, %r2, %r1; xor.b32 %r3, %r1, 16; setp.lt.u32 %p0, %r0, 16; mov.f64 %e0, 0d3FF0000000000000;
BODY
ret;
}
"""
FIELDS = "st.shared.v2.u32 [%r1], {%r0, %r0}; st.shared.u32 [%r1+8], %r0;\nbar.warp.sync -1;\n"
FOUR = "ld.shared.v4.u32 {%r4, %r5, %r6, %r7}, [%r3];\n"
PAIR = "st.shared.f64 [%r1], %e0; st.shared.u32 [%r1+8], %r0;\nbar.warp.sync -1;\n"
COPY = "ld.shared.f64 %e1, [%r3]; ld.shared.u32 %r4, [%r3+8]; ld.shared.v4.u8 {%h0, %h1, %h2, %h3}, [%r3+12];\n"
AWAY = "st.global.f64 [%d0], %e1; st.global.u32 [%d0+8], %r4; st.global.v4.u8 [%d0+12], {%h0, %h1, %h2, %h3};"
SHORT = (
    "ld.shared.f64 %e1, [%r3]; ld.shared.u16 %h0, [%r3+8]; ld.shared.v2.u8 {%h1, %h2}, [%r3+10];\n"
    "ld.shared.u32 %r4, [%r3+12];\nst.global.v2.u8 [%d0+10], {%h1, %h2}; st.global.u32 [%d0+12], %r4;"
)
BYTE = "st.shared.u8 [%r1], %r0; st.shared.u32 [%r1+4], %r0;\nbar.warp.sync -1;\n"
USED, NOTE = "error WS-RUN-021", "note WS-RUN-027"
#: what a body does -> what is told
CASES = {
    "three words of four, all four copied": (FIELDS + FOUR + "st.global.v4.u32 [%d0], {%r4, %r5, %r6, %r7};", [NOTE]),
    "none of the four is written": (FOUR + "st.global.v4.u32 [%d0], {%r4, %r5, %r6, %r7};", [USED]),
    "only the fourth is copied": (FIELDS + FOUR + "st.global.u32 [%d0+12], %r7;", [USED]),
    "the fourth is computed with": (
        FIELDS + FOUR + "add.u32 %r7, %r7, 1;\nst.global.v4.u32 [%d0], {%r4, %r5, %r6, %r7};", [USED]),
    "the fourth decides": (FIELDS + FOUR + "setp.eq.u32 %p1, %r7, 1;\n@%p1 st.global.u32 [%d0], %r4;", [USED]),
    "some lanes have written the fourth": (
        "@%p0 st.shared.u32 [%r1+12], %r0;\n" + FIELDS + FOUR + "st.global.v4.u32 [%d0], {%r4, %r5, %r6, %r7};",
        [NOTE]),
    "all but one have written the fourth": (
        "setp.ne.u32 %p0, %r0, 31;\n@%p0 st.shared.u32 [%r1+12], %r0;\n" + FIELDS + FOUR
        + "st.global.v4.u32 [%d0], {%r4, %r5, %r6, %r7};", [USED]),
    "some lanes have written nothing": (
        "setp.ne.u32 %p0, %r0, 31;\n" + FIELDS.replace("st.", "@%p0 st.") + FOUR
        + "st.global.v4.u32 [%d0], {%r4, %r5, %r6, %r7};", [USED]),
    "the fourth goes on through shared memory": (
        FIELDS + FOUR + "bar.warp.sync -1;\nst.shared.v4.u32 [%r1], {%r4, %r5, %r6, %r7};\nbar.warp.sync -1;\n" + FOUR
        + "st.global.v4.u32 [%d0], {%r4, %r5, %r6, %r7};", [NOTE]),
    "a field read beside padding": (FIELDS + FOUR + "st.global.v2.u32 [%d0], {%r4, %r5};", [NOTE]),
    "a byte beside padding": (
        BYTE + "ld.shared.u32 %r4, [%r3];\nst.global.u8 [%d0], %r4;", []),
    "a byte of padding": (
        BYTE + "ld.shared.u32 %r4, [%r3];\nshr.u32 %r4, %r4, 8; st.global.u8 [%d0], %r4;", [USED]),
    "a byte that prmt puts elsewhere": (
        BYTE + "ld.shared.u32 %r4, [%r3];\nprmt.b32 %r4, %r4, 0, 0x4140; st.global.u32 [%d0], %r4;", [USED]),
    "a byte that prmt leaves out": (
        BYTE + "ld.shared.u32 %r4, [%r3];\nprmt.b32 %r4, %r4, 0, 0x4440; st.global.u32 [%d0], %r4;", []),
    "a shift that parts bytes": (
        BYTE + "ld.shared.u32 %r4, [%r3];\nshl.b32 %r4, %r4, 1; st.global.u32 [%d0], %r4;", [USED]),
    "a shift by bytes": (BYTE + "ld.shared.u32 %r4, [%r3];\nshl.b32 %r4, %r4, 8; st.global.u32 [%d0], %r4;", [NOTE]),
    "padding in its word": (BYTE + "ld.shared.u32 %r4, [%r3];\nst.global.u32 [%d0], %r4;", [NOTE]),
    "from local memory": (
        "st.local.v2.u32 [own], {%r0, %r0}; st.local.u32 [own+8], %r0;\nld.local.v4.u32 {%r4, %r5, %r6, %r7}, [own];\n"
        "st.global.v4.u32 [%d0], {%r4, %r5, %r6, %r7};", [NOTE]),
    "from local memory that nobody has written": (
        "ld.local.v4.u32 {%r4, %r5, %r6, %r7}, [own];\nst.global.v4.u32 [%d0], {%r4, %r5, %r6, %r7};", [USED]),
    "padding that is copied as bytes": (PAIR + COPY + AWAY, []),
    "the field before it is missing": (PAIR.replace("st.shared.u32 [%r1+8], %r0;", "") + COPY + AWAY, [USED]),
    "bytes beside no field": (
        PAIR + "ld.shared.v4.u8 {%h0, %h1, %h2, %h3}, [%r3+12];\nst.global.v4.u8 [%d0], {%h0, %h1, %h2, %h3};", [USED]),
    "a word of padding behind bytes of it": (
        "st.shared.f64 [%r1], %e0; st.shared.u16 [%r1+8], %h7;\nbar.warp.sync -1;\n".replace("%h7", "1") + SHORT, []),
    "a field of a word": (
        PAIR.replace("+8", "+12") + "ld.shared.f64 %e1, [%r3]; ld.shared.u32 %r4, [%r3+8];\nst.global.u32 [%d0], %r4;",
        [USED]),
    "bytes that the compiler says nobody uses": (
        BYTE + '.pragma "used_bytes_mask 1";\nld.shared.u32 %r4, [%r3];\nst.global.u32 [%d0], %r4;', []),
    "in hexadecimal": (
        BYTE + '.pragma "used_bytes_mask 0x1";\nld.shared.u32 %r4, [%r3];\nst.global.u32 [%d0], %r4;', []),
    "the byte that it uses": (
        BYTE.replace("st.shared.u8 [%r1], %r0;", "")
        + '.pragma "used_bytes_mask 1";\nld.shared.u32 %r4, [%r3];\nst.global.u32 [%d0], %r4;', [USED]),
    "a text of it that is no number": (
        BYTE.replace("st.shared.u8 [%r1], %r0;", "")
        + '.pragma "used_bytes_mask 1z";\nld.shared.u32 %r4, [%r3];\nst.global.u32 [%d0], %r4;', [USED]),
    "a byte of padding that is packed beside others": (
        PAIR + "mov.u16 %h7, 0; ld.shared.u8 %h0, [%r3+12];\n"
        "st.shared.v4.u8 [%r1], {%h0, %h7, %h7, %h7};\nbar.warp.sync -1;\nld.shared.u32 %r5, [%r3];\n"
        "st.global.u32 [%d0], %r5;", [NOTE]),
    "two bytes that it uses, one missing": (
        BYTE + '.pragma "used_bytes_mask 3";\nld.shared.u32 %r4, [%r3];\nst.global.u32 [%d0], %r4;', [USED]),
}  # fmt: skip


@pytest.mark.parametrize("what", CASES)
def test_padding_is_copied(what: str) -> None:
    body, wanted = CASES[what]
    findings = ws.Module(KERNEL.replace("BODY", body))["k"](1, 32, [np.zeros(512, np.uint8)]).findings
    found = [one for one in findings if one.rule in ("WS-RUN-021", "WS-RUN-027")]
    assert sorted({" ".join(short(one).split()[:2]) for one in found}) == wanted
    assert all(": shared address" in one.message or ": local address" in one.message for one in found)
    compared("copies of structs", 1, at_least=1)


def test_a_note_says_where_they_are_stored() -> None:
    """It says so of bytes that go to global memory, and of no others that nobody uses them."""
    body = BYTE + "ld.shared.u32 %r4, [%r3];\n"
    stored, unused = (
        [one for one in ws.Module(KERNEL.replace("BODY", body + more))["k"](1, 32, [np.zeros(512, np.uint8)]).findings]
        for more in ("st.global.u32 [%d0], %r4;", "st.global.u8 [%d0], %r4;")
    )
    (one,) = (one for one in stored if one.rule == "WS-RUN-027")
    assert one.message.startswith("uninitialised bytes are stored to global memory beside others: shared address 0x10")
    assert "\n  read at line 12: ld.shared.u32\n  stored at line 13: st.global.u32" in one.message
    assert (one.line, one.other.line) == (12, 13)
    assert one.fix == "Nothing to do if they are the padding of a struct. If not, write them before they are read."
    assert not [one for one in unused if one.rule == "WS-RUN-027"]
    compared("copies of structs", 2, at_least=2)


COPY_OF_FLOATS = """union Un { float f; struct { unsigned short lo, hi; } h; };
__global__ void k(float* f) {
  __shared__ Un u[64];
  u[threadIdx.x].h.lo = threadIdx.x; HIGH
  __syncthreads();
  f[threadIdx.x] = u[63 - threadIdx.x].f;
}"""


def test_half_of_a_float_is_stored() -> None:
    for high, wanted in (("", [6]), ("u[threadIdx.x].h.hi = 0;", [])):
        kernel = ws.compile(COPY_OF_FLOATS.replace("HIGH", high))["k"]
        found = [one for one in kernel(1, 64, [ws.uninitialized(64, np.float32)]).findings if one.rule == "WS-RUN-027"]
        assert [one.source_line for one in found] == wanted
        assert all("\n  stored at line" in one.message for one in found)
    compared("copies of structs", 2, at_least=2)
