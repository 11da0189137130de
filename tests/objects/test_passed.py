"""Pointers that functions choose, compute and are handed: correct programs are silent, and right."""

import numpy as np
import pytest

import warpsim as ws
from tests.support.evidence import compared

#: what a function makes of two values and the thread's number; NVRTC chooses between the addresses of parameters
CHOICES = {
    "(t & 1) ? a : b": lambda a, b, t: a if t & 1 else b,
    "t ? a : b": lambda a, b, t: a if t else b,
    "t > 5 ? a : b": lambda a, b, t: a if t > 5 else b,
    "t % 3 == 0 ? a : b": lambda a, b, t: b if t % 3 else a,
    "((t & 1) ? a : b) + 1": lambda a, b, t: (a if t & 1 else b) + 1,
    "t > a ? a : b": lambda a, b, t: a if t > a else b,
    "max(a, b)": lambda a, b, t: max(a, b),
}


@pytest.mark.parametrize("target", ["sm_80", "sm_90", "sm_100", "sm_120"])
def test_a_function_chooses_between_its_parameters(target: str) -> None:
    source = "".join(
        f"__device__ __noinline__ int f{i}(int a, int b, int t) {{ return {choice}; }}\n"
        f'extern "C" __global__ void k{i}(int *o, int a, int b) {{ o[threadIdx.x] = f{i}(a, b, threadIdx.x); }}\n'
        for i, choice in enumerate(CHOICES)
    )
    module = ws.compile(source, target=target)
    for i, made in enumerate(CHOICES.values()):
        out = np.zeros(32, np.int32)
        report = module[f"k{i}"](1, 32, (out, 7, 9))
        assert report.findings == () and out.tolist() == [made(7, 9, t) for t in range(32)], list(CHOICES)[i]
    compared(f"choices between parameters on {target}", len(CHOICES), at_least=7)


BY_REGISTER = """.version 8.4
.target sm_90
.address_size 64
.func (.param .b32 r) f(.param .b32 a, .param .b32 b, .param .b32 t)
{
.reg .b32 %r<4>; .reg .b64 %d<4>; .reg .pred %p<2>;
ld.param.u32 %r1, [t]; setp.ne.u32 %p1, %r1, 0;
mov.b64 %d1, a; mov.b64 %d2, b; selp.b64 %d3, %d1, %d2, %p1;
ld.param.u32 %r2, [%d3+AT]; st.param.b32 [r], %r2;
ret;
}
.visible .entry k(.param .u64 o, .param .u32 t)
{
.reg .b32 %r<4>; .reg .b64 %d<4>;
ld.param.u64 %d1, [o]; ld.param.u32 %r1, [t];
{ .param .b32 a; .param .b32 b; .param .b32 c; .param .b32 q; st.param.b32 [a], 7; st.param.b32 [b], 9;
st.param.b32 [c], %r1; call (q), f, (a, b, c); ld.param.b32 %r2, [q]; }
st.global.u32 [%d1], %r2;
ret;
}
"""


@pytest.mark.parametrize("t", [0, 1])
def test_a_parameter_by_register_is_the_functions_own(t: int) -> None:
    out = np.zeros(1, np.int32)
    assert ws.Module(BY_REGISTER.replace("AT", "0"))["k"](1, 1, (out, t)).findings == ()
    assert out[0] == (7 if t else 9)
    (found,) = {one.rule for one in ws.Module(BY_REGISTER.replace("AT", "64"))["k"](1, 1, (out, t)).findings}
    assert found == "WS-RUN-001"


DISTANCES = """
__device__ __noinline__ const int *lower_bound(const int *p, int n, int x) {
    while (n > 0) { int h = n / 2; if (p[h] < x) { p += h + 1; n -= h + 1; } else n = h; }
    return p;
}
__device__ __noinline__ int in_local(const int *vals, int n, int x) {
    int keys[8];
    for (int i = 0; i < 8; i++) keys[i] = i * n;
    return vals[lower_bound(keys, n, x) - keys];
}
extern "C" __global__ void local(int *out, const int *, const int *, int n) {
    int v[9];
    for (int i = 0; i < n + 1; i++) v[i] = 100 + i;
    out[threadIdx.x] = in_local(v, n, (int)threadIdx.x);
}
__device__ __noinline__ int in_shared(const int *vals, int n, int x) {
    __shared__ int keys[8];
    if (threadIdx.x < 8) keys[threadIdx.x] = threadIdx.x * n;
    __syncthreads();
    return vals[lower_bound(keys, n, x) - keys];
}
extern "C" __global__ void shared(int *out, const int *, const int *, int n) {
    __shared__ int v[9];
    if (threadIdx.x < 9) v[threadIdx.x] = 100 + threadIdx.x;
    __syncthreads();
    out[threadIdx.x] = in_shared(v, n, (int)threadIdx.x);
}
struct Table { const int *vals; };
extern "C" __global__ void global(int *out, const int *keys, Table t, int n) {
    out[threadIdx.x] = t.vals[lower_bound(keys, n, (int)threadIdx.x) - keys];
}
"""


@pytest.mark.parametrize("name", ["local", "shared", "global"])
@pytest.mark.parametrize("options", [(), ("-G",)], ids=["", "G"])
def test_a_distance_of_pointers_names_no_array(name: str, options: tuple[str, ...]) -> None:
    """As after std::lower_bound: what is found in one array is taken from another."""
    out, keys = np.zeros(32, np.int32), (np.arange(8) * 8).astype(np.int32)
    vals = (100 + np.arange(9)).astype(np.int32)
    table = ws.Struct([("vals", "pointer")], vals=vals) if name == "global" else vals
    report = ws.compile(DISTANCES, options=options)[name](1, 32, (out, keys, table, 8))
    assert [one for one in report.findings if one.severity == "error"] == []
    assert np.array_equal(out, 100 + np.searchsorted(keys, np.arange(32)))


FIELDS = """
struct Flags { unsigned char a : 3, b : 4; };
struct Item { unsigned used : 1, kind : 7, size : 20; };
extern "C" __global__ void flags(int *out, int n) {
    Flags f[8];
    for (int i = 0; i < n; i++) f[i].a = i;
    for (int i = 0; i < n; i++) f[i].b = i + threadIdx.x;
    int s = 0;
    for (int i = 0; i < n; i++) s = s * 3 + f[n - 1 - i].a + f[i].b;
    out[threadIdx.x] = s;
}
extern "C" __global__ void items(int *out, int n) {
    Item f[8];
    for (int i = 0; i < n; i++) f[i].used = 1;
    for (int i = 0; i < n; i++) f[i].kind = i + threadIdx.x;
    for (int i = 0; i < n; i++) f[i].size = i * threadIdx.x;
    int s = 0;
    for (int i = 0; i < n; i++) s = s * 3 + f[n - 1 - i].size + f[i].kind;
    out[threadIdx.x] = s;
}
extern "C" __global__ void bits(int *out, int n) {
    unsigned w[2];
    for (int i = 0; i < 6 * n; i++) w[i / 32] |= 1u << i % 32;
    int s = 0;
    for (int i = 0; i < 6 * n; i++) s += (w[i / 32] >> i % 32 & 1) ? i : 0;
    out[threadIdx.x] = s;
}
extern "C" __global__ void unset(int *out, int n) {
    Flags f[8];
    for (int i = 0; i + 1 < n; i++) f[i].a = i;
    int s = 0;
    for (int i = 0; i < n; i++) s = s * 3 + f[i].a;
    out[threadIdx.x] = s;
}
"""


@pytest.mark.parametrize("name", ["flags", "items", "bits", "unset"])
@pytest.mark.parametrize("options", [(), ("-G",)], ids=["", "G"])
def test_bit_fields_in_local_memory_are_written_one_by_one(name: str, options: tuple[str, ...]) -> None:
    out = np.zeros(32, np.int32)
    report = ws.compile(FIELDS, options=options)[name](1, 32, (out, 8))
    errors = {one.rule for one in report.findings if one.severity == "error"}
    assert errors == ({"WS-RUN-021"} if name == "unset" else set())
