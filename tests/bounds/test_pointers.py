"""An address that comes from a parameter belongs to the array that it points to."""

import re

import numpy as np
import pytest

import warpsim as ws
from tests.support.evidence import compared

KERNEL = """.version 8.3
.target sm_90a
.address_size 64
.visible .entry k(.param .u64 x, .param .u64 y, .param .u64 far, .param .u32 n)
{
.reg .pred %p<4>; .reg .b32 %r<16>; .reg .b64 %d<12>;
ld.param.u64 %d0, [x]; ld.param.u64 %d1, [y]; ld.param.u64 %d6, [far]; ld.param.u32 %r1, [n]; mov.u32 %r0, %tid.x;
cvta.to.global.u64 %d2, %d0; mul.wide.u32 %d3, %r0, 4; mul.wide.s32 %d4, %r1, 4;
BODY
ret;
}
"""
BEYOND = "add.s64 %d5, %d2, %d3; add.s64 %d5, %d5, %d4; "
CASES = {
    "a read beyond": (BEYOND + "ld.global.u32 %r2, [%d5]; st.global.u32 [%d1], %r2;", "read", "x"),
    "a store beyond": (BEYOND + "st.global.u32 [%d5], %r0;", "write", "x"),
    "an atomic beyond": (BEYOND + "red.global.add.u32 [%d5], 1;", "write", "x"),
    "a generic read beyond": ("add.s64 %d5, %d0, %d3; add.s64 %d5, %d5, %d4; ld.u32 %r2, [%d5];", "read", "x"),
    "before the other": ("sub.s64 %d5, %d1, %d4; ld.global.u32 %r2, [%d5];", "read", "y"),
    "within": ("add.s64 %d5, %d2, %d3; st.global.u32 [%d5], %r0;", None, None),
    "the difference of two arrays": (
        "sub.s64 %d7, %d1, %d0; add.s64 %d5, %d0, %d7; ld.global.u32 %r2, [%d5];", None, None),
    "an offset that is a parameter": ("add.s64 %d5, %d0, %d6; ld.global.u32 %r2, [%d5];", "read", "x"),
    "a pointer from memory": ("ld.global.u64 %d5, [%d1+128]; ld.global.u32 %r2, [%d5];", None, None),
    "one of two arrays": (
        "setp.lt.u32 %p0, %r0, 16; selp.b64 %d5, %d0, %d1, %p0; ld.global.u32 %r2, [%d5];", None, None),
}  # fmt: skip


@pytest.mark.parametrize("far", [256, 1024], ids=["between the two", "in the other"])
@pytest.mark.parametrize("what", CASES)
def test_arrays_that_lie_side_by_side(what: str, far: int) -> None:
    body, does, name = CASES[what]
    x, y = np.zeros(64, np.uint32), np.zeros(64, np.uint32)
    kernel = ws.Module(KERNEL.replace("BODY", body))["k"]
    if what == "a pointer from memory":
        y[32:34] = (0x00000000, 0x7000)
    findings = [one for one in kernel(1, 32, [x, y, far, far // 4]).findings if one.severity == "error"]
    told = [one.message for one in findings if one.rule == "WS-RUN-001"]
    assert [one.rule for one in findings] == (["WS-RUN-001"] if does else [])
    where = (
        rf"access out of bounds: {does} of 4 bytes at (?:global|generic) address \w+, [\d,]+ bytes (?:after the end of|"
    )
    where += rf"before) {name} "
    assert all(re.match(where, message) for message in told)
    compared("addresses that come from parameters", 1, at_least=1)
