"""Constants as operands, as ptxas takes them: floating-point ones, and whole numbers that are too wide."""

import numpy as np
import pytest

import warpsim as ws
from tests.support.evidence import compared

HEAD = """.version 8.6
.target sm_90a
.address_size 64
.visible .entry k(.param .u64 p) {
.reg .b32 %r<9>; .reg .b64 %d<9>; .reg .b16 %h<4>; .reg .f32 %f<4>; .reg .f64 %e<4>; .reg .pred %p<3>;
.shared .b32 s[4];
"""
#: what ptxas 13.0 says "Arguments mismatch" of
REFUSED = """
bar.sync 1e9;| bar.sync 0, 1e9;| bar.sync 0f00000000;| barrier.sync 1e9;| mov.u32 %r1, 1e9;| mov.u32 %r1, 0f3F800000;
mov.s32 %r1, 2.5;| mov.b32 %r1, 1.5;| mov.b32 %r1, 0d3FF0000000000000;| mov.b64 %d1, 0f3F800000;| mov.u64 %d1, 1.5;
mov.b16 %h1, 1.5;| mov.b16 %h1, 0f3F800000;| mov.u16 %h1, 1e3;| mov.b32 %r1, {1.0, 2.0};| add.u32 %r1, %r2, 1.0;
add.s64 %d1, %d1, 1.0;| setp.eq.u32 %p1, %r1, 1.0;| setp.eq.b32 %p1, %r1, 1.0;| shl.b32 %r1, %r2, 1.0;
and.b32 %r1, %r2, 1.0;| selp.u32 %r1, 1.0, 2, %p1;| st.shared.u32 [s], 1.0;| st.shared.b32 [s], 1.0;
st.shared.u32 [s], 0f3F800000;| atom.shared.add.u32 %r1, [s], 1.0;| shfl.sync.idx.b32 %r1, %r2, 0, 31, 1.0;
prmt.b32 %r1, %r2, %r3, 1.0;| bfe.u32 %r1, %r2, 1.0, 2;| mul.wide.u32 %d1, %r1, 1.0;
"""
#: what it takes; of whole numbers the low bits
TAKEN = """
bar.sync 4294967296;| bar.sync 15;| bar.sync 0, 4294967328;| bar.arrive 4294967297, 64;| mov.b32 %r1, 0f3F800000;
mov.b64 %d1, 1.5;| mov.b64 %d1, 0d3FF0000000000000;| mov.u32 %r1, 4294967296;| add.u32 %r1, %r2, 8589934591;
shl.b32 %r1, %r2, 4294967297;| and.b32 %r1, %r2, 0f3F800000;| xor.b64 %d1, %d1, 0d3FF0000000000000;
selp.b32 %r1, 0f3F800000, 0f3F800000, %p1;| st.shared.b32 [s], 0f3F800000;| mov.u16 %h1, 65536;
atom.shared.exch.b32 %r1, [s], 0f3F800000;| mov.f32 %f1, 1.0;| mov.f64 %e1, 1.0;| mov.f32 %f1, 0d3FF0000000000000;
"""


def lines(text: str) -> list[str]:
    return [line.strip() for line in text.strip().replace("\n", "|").split("|")]


def decoded(body: str) -> ws.Kernel:
    return ws.Module(f"{HEAD}{body}\nret;\n}}")["k"]


@pytest.mark.parametrize("body", lines(REFUSED))
def test_a_floating_point_constant_is_no_whole_number(body: str) -> None:
    with pytest.raises(ws.PtxSyntaxError, match=r"line 7, .*expected a whole number here; where the type is \.b32"):
        decoded(body)(1, 32, [np.zeros(4, np.uint32)])


def test_constants_that_ptxas_takes_are_taken() -> None:
    for body in lines(TAKEN):
        assert decoded(body)(1, 32, [np.zeros(4, np.uint32)], check=False).ok, body
    compared("constants that are taken", len(lines(TAKEN)), at_least=19)


def test_the_bits_of_0f_are_the_low_ones_of_a_double() -> None:
    """As ptxas 12.9, 13.0 and 13.4 have it; those of 0d, and numbers with a dot, are converted."""
    text = HEAD.replace(
        ".visible", ".global .align 16 .f64 x[2] = {0f40490FDB, 1.5};\n.global .f32 y = 0d400921FB54442D18;\n.visible"
    )
    text += """ld.param.u64 %d1, [p]; mov.f64 %e1, 0f40490FDB; mov.f32 %f1, 0d400921FB54442D18; mov.f64 %e2, 1.5;
ld.global.v2.f64 {%e3, %e0}, [x]; ld.global.f32 %f2, [y]; st.global.f64 [%d1], %e1; st.global.f32 [%d1+8], %f1;
st.global.f64 [%d1+16], %e2; st.global.f64 [%d1+24], %e3; st.global.f64 [%d1+32], %e0; st.global.f32 [%d1+40], %f2; ret;
}"""
    out = np.zeros(6, np.uint64)
    assert ws.Module(text)["k"](1, 1, [out]).ok
    double = int(np.float64(1.5).view(np.uint64))
    assert out.tolist() == [0x40490FDB, 0x40490FDB, double, 0x40490FDB, double, 0x40490FDB]


def test_a_barrier_beyond_the_last_is_a_finding() -> None:
    for number, is_one in ((15, True), (16, False), (-1, False), (2**32, True), (2**32 + 16, False)):
        rules = [] if is_one else ["WS-RUN-013"]
        report = decoded(f"bar.sync {number};")(1, 32, [np.zeros(4, np.uint32)], on_finding="record")
        assert [finding.rule for finding in report.findings] == rules, number
