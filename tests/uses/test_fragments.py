"""Registers of ldmatrix that reach a product in another's place: told where the tile shows it, and nowhere else."""

import numpy as np
import pytest

import warpsim as ws
from tests.support.evidence import compared

#: A of 16 x 16 elements from rows of `pitch` bytes: lane -> row and half of k; `chunk` may change the places of halves
KERNEL = """.version 8.3
.target sm_90a
.address_size 64
.visible .entry k(.param .u64 out)
{{
.reg .b32 %r<24>; .reg .f32 %f<8>; .reg .b64 %d<4>;
.shared .align 128 .b8 s[8192];
ld.param.u64 %d0, [out]; mov.u32 %r0, %tid.x; mov.u32 %r8, s;
shl.b32 %r1, %r0, 8; add.u32 %r1, %r8, %r1; mov.u32 %r3, 0x3c003c00; mov.u32 %r4, 0;
FILL: st.shared.v4.u32 [%r1], {{%r3, %r3, %r3, %r3}}; add.u32 %r1, %r1, 16; add.u32 %r4, %r4, 1;
.reg .pred %p; setp.lt.u32 %p, %r4, 16; @%p bra FILL;
bar.sync 0;
and.b32 %r1, %r0, 15; shr.u32 %r2, %r0, 4;
{chunk}
shl.b32 %r2, %r2, 4; mad.lo.u32 %r1, %r1, {pitch}, %r2; add.u32 %r1, %r8, %r1;
ldmatrix.sync.aligned.m8n8.x4{trans}.shared.b16 {{%r10, %r11, %r12, %r13}}, [%r1];
mov.f32 %f0, 0f00000000;
{between}
mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {{%f1, %f2, %f3, %f4}}, {{{a}}}, {{%r3, %r3}}, {{%f0, %f0, %f0, %f0}};
st.global.v4.f32 [%d0], {{%f1, %f2, %f3, %f4}};
ret;
}}
"""
RIGHT, SWAPPED, HALVES = "%r10, %r11, %r12, %r13", "%r10, %r12, %r11, %r13", "%r12, %r13, %r10, %r11"
SWIZZLE = "and.b32 %r5, %r1, 7; xor.b32 %r2, %r2, %r5;"
PLAIN = {"pitch": 128, "a": RIGHT, "chunk": "", "trans": "", "between": ""}
#: what differs -> is it told?
CASES = {
    "as the product takes them": ({}, False),
    "the middle ones change places": ({"a": SWAPPED}, True),
    "the halves of k do": ({"a": HALVES}, False),
    "both": ({"a": "%r12, %r10, %r13, %r11"}, True),
    "rows of 32 bytes": ({"pitch": 32, "a": SWAPPED}, True),
    "padded rows": ({"pitch": 144, "a": SWAPPED}, True),
    "rows of 16 bytes, where nothing is known": ({"pitch": 16, "a": SWAPPED}, False),
    "swizzled rows": ({"chunk": SWIZZLE, "a": SWAPPED}, True),
    "swizzled rows, right": ({"chunk": SWIZZLE}, False),
    "transposed": ({"trans": ".trans", "a": SWAPPED}, False),
    "another value in between": ({"a": SWAPPED, "between": "mov.b32 %r12, %r3;"}, False),
}  # fmt: skip


@pytest.mark.parametrize("what", CASES)
def test_matrices_of_a_in_another_order(what: str) -> None:
    differs, is_told = CASES[what]
    report = ws.Module(KERNEL.format(**{**PLAIN, **differs}))["k"](1, 32, [np.zeros(4, np.float32)])
    found = [one for one in report.findings if one.rule == "WS-RUN-052"]
    assert len(found) == is_told
    if is_told:
        assert found[0].opcode.startswith("ldmatrix") and found[0].other.opcode.startswith("mma")
        assert "\n  multiplied at line " in found[0].message
    compared("orders of matrices", 1, at_least=1)
