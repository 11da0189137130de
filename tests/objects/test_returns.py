"""Where a call returns to lies where no access of a kernel reaches it."""

from typing import Any

import numpy as np
import pytest

import warpsim as ws
from tests.support.evidence import compared

#: a function writes a word somewhere in local memory around its frame; then it and the kernel go on
TEXT = """.version 8.0
.target sm_80
.address_size 64
.func f(.param .b32 at, .param .b32 value)
{
    .reg .b32 %r<4>;
    .local .align 16 .b8 s[32];
    ld.param.u32 %r1, [at];
    ld.param.u32 %r2, [value];
    mov.u32 %r3, s;
    add.u32 %r1, %r1, %r3;
    st.local.u32 [%r1], %r2;
    ret;
}
.visible .entry k(.param .u64 out, .param .u32 at, .param .u32 value)
{
    .reg .b32 %r<4>; .reg .b64 %rd<3>;
    .local .align 16 .b8 t[16];
    ld.param.u64 %rd1, [out];
    ld.param.u32 %r1, [at];
    ld.param.u32 %r2, [value];
    { .param .b32 a; .param .b32 b; st.param.b32 [a], %r1; st.param.b32 [b], %r2; call f, (a, b); }
    mov.u32 %r3, %tid.x;
    mul.wide.u32 %rd2, %r3, 4;
    add.s64 %rd1, %rd1, %rd2;
    st.global.u32 [%rd1], 7;
    ret;
}
"""


@pytest.mark.parametrize("options", [{}, {"check": False}, {"threads": 2, "check": False}], ids=str)
def test_a_store_beside_a_frame_does_not_change_where_its_call_returns_to(options: dict[str, Any]) -> None:
    kernel = ws.Module(TEXT)["k"]
    for at in range(-32, 64, 4):
        for value in (0, 1, 0x7FFF_FFFF, 0xFFFF_FFF0):
            out = np.zeros(32, np.uint32)
            kernel(1, 32, [out, at & 0xFFFF_FFFF, value], max_steps=1000, **options)
            assert out.tolist() == [7] * 32
    compared("stores beside a frame, after which the call returned", 24 * 4, at_least=96)
