"""Uninitialised values that go through calls and local memory: told where they were read first."""

import numpy as np
import pytest

import warpsim as ws
from tests.support.evidence import compared

#: line 2 reads what line 6 does not write
SOURCE = """struct Pair { int a, b; };
__device__ __noinline__ int get(int* s, int t) { return s[t]; }
__device__ __noinline__ int same(int x) { return x + 1; }
__device__ __noinline__ Pair both(int* s, int t) { Pair p; p.a = t; p.b = s[t]; return p; }
extern "C" __global__ void k(int* o, int n) {
  __shared__ int s[128]; int t = threadIdx.x;
  if (t < n) s[t] = 1;
  __syncthreads();
  USE
}"""
#: what is used: where it is told to be read
USES = {
    "o[t] = get(s, t);": 2,
    "o[t] = same(get(s, t));": 2,
    "o[t] = same(s[t]);": 9,
    "o[t] = both(s, t).b;": 4,
    "if (get(s, t)) o[t] = 1;": 2,
    "int a[4]; for (int i = 0; i < 4; i++) a[i] = s[(t + i) & 127]; o[t] = a[n & 3];": 9,
}


@pytest.mark.parametrize("use", USES)
def test_a_value_is_told_where_it_was_read(use: str) -> None:
    kernel = ws.compile(SOURCE.replace("USE", use))["k"]
    (one,) = (one for one in kernel(1, 128, [np.zeros(128, np.int32), 100]).findings if one.severity == "error")
    assert one.rule == "WS-RUN-021" and one.source_line == USES[use]
    assert " bytes into s (512 bytes)" in one.message and "parameter" not in one.message
    right = kernel(1, 128, [np.zeros(128, np.int32), 128])
    assert [one for one in right.findings if one.rule in ("WS-RUN-021", "WS-RUN-027")] == []
    compared("uninitialised values through calls", 2, at_least=2)


def test_what_a_call_has_passed_says_nothing_of_the_next() -> None:
    """The second call's argument and result lie where the first one's did, and nobody has set them."""
    body = """.version 8.3
.target sm_90a
.address_size 64
.func (.param .b32 got) f(.param .b32 given)
{
.reg .b32 %r<2>;
ld.param.b32 %r0, [given]; st.param.b32 [got], %r0; ret;
}
.func (.param .b32 got) g(.param .b32 given) { ret; }
.visible .entry k(.param .u64 out)
{
.reg .b32 %r<8>; .reg .b64 %d<2>;
.shared .align 4 .b8 s[4];
ld.param.u64 %d0, [out];
ld.shared.u32 %r1, [s];
{ .param .b32 a; .param .b32 b;
st.param.b32 [a], %r1; call (b), f, (a);
ld.param.b32 %r2, [b]; }
{ .param .b32 a; .param .b32 b;
STORE (a);
ld.param.b32 %r3, [b]; }
st.global.u32 [%d0], %r3;
ret;
}
"""
    calls = {
        "call (b), f,": ["param"],
        "call (b), g,": ["param"],
        "st.param.b32 [a], %r1; call (b), f,": ["shared"],
        "st.param.b32 [a], 1; call (b), f,": [],
    }
    for call, wanted in calls.items():
        found = ws.Module(body.replace("STORE", call))["k"](1, 1, [np.zeros(4, np.uint32)]).findings
        errors = [one for one in found if one.severity == "error"]
        assert ["shared" if "shared address" in one.message else "param" for one in errors] == wanted
    compared("uninitialised values through calls", len(calls), at_least=4)
