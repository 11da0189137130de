"""An access is bounded by the object that it means: one element inside is silent, one outside is found."""

import numpy as np
import pytest

import warpsim as ws
from tests.support.evidence import compared
from tests.support.findings.declared import (
    HEAD,
    Declared,
    declared,
    in_callers_variable,
    in_parameter,
    in_piece,
    in_variable,
)

MISSED = ("WS-RUN-001", "WS-RUN-048")


def found(text: str, at: int, *others: bytes) -> list[ws.KernelFinding]:
    findings = ws.Module(text)["k"](1, 1, [at % 2**64, *others]).findings
    return [one for one in findings if one.rule in MISSED]


def edges(one: Declared) -> tuple[list[int], list[int]]:
    """Offsets that are inside, and outside, of an object."""
    return [0, one.nbytes - one.width], [one.nbytes, -one.width]


@pytest.mark.parametrize("space", ["local", "shared"])
def test_a_variable_ends_where_its_declaration_says(space: str) -> None:
    """Aligned to the access, the first element outside follows at once; the neighbours are there."""
    cases = list(declared(50))
    for one in cases:
        text = in_variable(one, space)
        inside, outside = edges(one)
        assert [found(text, at) for at in inside] == [[], []], one
        for at in outside:
            (finding,) = found(text, at)
            assert finding.rule == "WS-RUN-001"
            far, side = (at - one.nbytes, "after the end of") if at >= 0 else (-at, "before")
            where = f"{far:,} byte{'s' if far != 1 else ''} {side} x"
            assert where in finding.message or finding.array != "x", finding.message
    compared(f"declarations in {space} memory, both sides of both ends", len(cases), at_least=50)


def test_a_variable_ends_so_for_a_function_that_has_its_address() -> None:
    """What is passed to the function, and from it on, lies behind the variable: it is no object that pointers reach."""
    cases = list(declared(50))
    for one in cases:
        text = in_callers_variable(one)
        inside, (behind, before) = edges(one)
        assert [found(text, at) for at in inside] == [[], []], one
        for at in (before, *range(behind, behind + 80, one.width)):
            assert [finding.rule for finding in found(text, at)] == ["WS-RUN-001"], (one, at)
    compared("declarations of callers, both sides of both ends", len(cases), at_least=50)


TAKEN = f"""{HEAD}.func f(.param .align 8 .b8 x[16])
{{
.reg .b32 %r<8>; .reg .b64 %rd<6>;
mov.b64 %rd1, x; ld.local.u32 %r4, [%rd1+OFFSET];
ret;
}}
.visible .entry k()
{{
{{ .param .align 8 .b8 p[16]; st.param.b64 [p], 1; st.param.b64 [p+8], 2; call f, (p); }}
ret;
}}
"""


@pytest.mark.parametrize(("offset", "is_found"), [(0, False), (12, False), (16, True), (-4, True)])
def test_a_parameter_of_a_function_whose_address_is_taken_is_an_object(offset: int, is_found: bool) -> None:
    findings = ws.Module(TAKEN.replace("OFFSET", str(offset)))["k"](1, 1, []).findings
    assert [one.rule for one in findings] == ["WS-RUN-001"] * is_found


CALLED = """__device__ __noinline__ void fill(int *p, int n) { for (int i = 0; i < n; ++i) p[i] = i; }
extern "C" __global__ void k(int *o, int n) { int a[SIZE]; fill(a, n); o[threadIdx.x] = a[threadIdx.x % SIZE]; }"""


@pytest.mark.parametrize("size", [2, 8, 32])
def test_an_index_one_too_large_in_a_function_that_is_called_is_found(size: int) -> None:
    kernel = ws.compile(CALLED.replace("SIZE", str(size)))["k"]
    for more in range(4):
        report = kernel(1, 32, (np.zeros(32, np.int32), size + more))
        assert {one.rule for one in report.findings if one.severity == "error"} == ({"WS-RUN-001"} if more else set())


def test_a_parameter_ends_where_its_declaration_says() -> None:
    cases = list(declared(50))
    for one in cases:
        text = in_parameter(one)
        others = [bytes(size) for size in (one.before, one.nbytes, one.after) if size]
        inside, outside = edges(one)
        assert [found(text, at, *others) for at in inside] == [[], []], one
        for at in outside:
            assert [finding.rule for finding in found(text, at, *others)] == ["WS-RUN-001"], (one, at)
    compared("declarations of parameters, both sides of both ends", len(cases), at_least=50)


CHOSEN = f"""{HEAD}.visible .entry k(.param .u32 which, .param .align 16 .b8 a[16], .param .align 16 .b8 b[24])
{{
.reg .b32 %r<6>; .reg .b64 %d<3>; .reg .pred %p<2>;
ld.param.u32 %r1, [which]; setp.eq.u32 %p1, %r1, 0;
mov.u64 %d1, a; mov.u64 %d2, b; TO
selp.b64 %d1, %d1, %d2, %p1;
LOAD
ret;
}}
"""


@pytest.mark.parametrize(
    ("load", "which", "message"),
    [
        ("v2.u32 {%r2, %r3}, [%d1+8]", 0, ""),
        ("u32 %r2, [%d1+-4]", 1, ""),
        ("v2.u32 {%r2, %r3}, [%d1+16]", 1, ""),
        ("v4.u32 {%r2, %r3, %r4, %r5}, [%d1+16]", 0, ""),
        ("v4.u32 {%r2, %r3, %r4, %r5}, [%d1]", 1, ""),
        ("v4.u32 {%r2, %r3, %r4, %r5}, [%d1+-32]", 1, "0 bytes into which (4 bytes), 12 of them beyond its end"),
        ("v2.u32 {%r2, %r3}, [%d1+-32]", 1, "0 bytes into which (4 bytes), 4 of them beyond its end"),
    ],
)
@pytest.mark.parametrize("to", ["", "cvta.param.u64 %d1, %d1; cvta.param.u64 %d2, %d2;"], ids=["param", "generic"])
def test_where_the_text_names_no_parameter_it_is_the_one_that_the_access_begins_in(
    load: str, which: int, message: str, to: str
) -> None:
    text = CHOSEN.replace("TO", to).replace("LOAD", f"ld{'' if to else '.param'}.{load};")
    findings = ws.Module(text)["k"](1, 1, [which, bytes(16), bytes(24)]).findings
    assert [one.rule for one in findings] == (["WS-RUN-001"] if message else [])
    assert message in "".join(one.message for one in findings)


def test_a_piece_of_the_heap_ends_where_malloc_was_asked_for() -> None:
    cases = list(declared(50))
    for one in cases:
        text = in_piece(one)
        inside, outside = edges(one)
        assert [found(text, at) for at in inside] == [[], []], one
        for at in outside:
            assert [finding.rule for finding in found(text, at)] == ["WS-RUN-001"], (one, at)
    compared("pieces of the heap, both sides of both ends", len(cases), at_least=50)


CUDA = """extern "C" __global__ void k(const int *x, int *o) {
    volatile int a[SIZE];
    for (int i = 0; i < SIZE + MORE; ++i) a[(x[i] & 0) + i] = i;
    o[threadIdx.x] = a[(threadIdx.x & 1) + SIZE - 2 + MORE];
}"""


@pytest.mark.parametrize("size", [2, 8, 32])
@pytest.mark.parametrize("more", [0, 1])
def test_an_index_one_too_large_in_an_array_of_cuda_is_found(size: int, more: int) -> None:
    kernel = ws.compile(CUDA.replace("SIZE", str(size)).replace("MORE", str(more)))["k"]
    report = kernel(1, 32, (np.zeros(64, np.int32), np.zeros(32, np.int32)))
    wrong = [one for one in report.findings if one.rule == "WS-RUN-001"]
    assert len(wrong) == 2 * more
    assert all((one.offset, one.array_bytes) == (4 * size, 4 * size) for one in wrong)


ENDED = """.version 8.0
.target sm_80
.address_size 64
.func (.param .b32 r) f()
{
.reg .b32 %r<3>; .local .align 4 .b8 s[8];
mov.u32 %r1, s; st.local.u32 [%r1], 1; st.param.b32 [r], %r1;
ret;
}
.visible .entry k()
{
.reg .b32 %r<3>; .local .align 4 .b8 t[8];
{ .param .b32 r; call (r), f; ld.param.b32 %r1, [r]; }
ld.local.u32 %r2, [%r1];
ret;
}
"""


def test_a_variable_ends_with_the_call_of_its_function() -> None:
    (one,) = [finding for finding in ws.Module(ENDED)["k"](1, 1, []).findings if finding.rule == "WS-RUN-001"]
    assert "no function that runs has a variable there" in one.message


FAR = """.version 8.0
.target sm_80
.address_size 64
.func f(.param .b64 p)
{
.local .align 4 .b8 own[16]; .reg .b64 %d<2>;
ld.param.b64 %d0, [p]; mov.u64 %d1, own;
st.local.u32 [%d1], 3; st.local.u32 [%d0+OFFSET], 7;
ret;
}
.visible .entry k()
{
.local .align 4 .b8 t[32]; .reg .b64 %d<1>;
mov.u64 %d0, t; st.local.u32 [%d0], 1;
{ .param .b64 q; st.param.b64 [q], %d0; call f, (q); }
ret;
}
"""


@pytest.mark.parametrize(("offset", "is_found"), [(0, False), (28, False), (200, True)])
def test_what_lies_beyond_all_frames_is_told_by_the_nearest_variable(offset: int, is_found: bool) -> None:
    """Of the function that runs, or of one that called it."""
    found = ws.Module(FAR.replace("OFFSET", str(offset)))["k"](1, 1, []).findings
    assert [one.rule for one in found] == ["WS-RUN-001"] * is_found
    assert not is_found or "after the end of own (16 bytes)" in found[0].message


HEAP = (
    'extern "C" __global__ void k(int *o) { int t = threadIdx.x; volatile int *p = (volatile int *)malloc(16); BODY }'
)


@pytest.mark.parametrize(
    ("body", "rules"),
    [
        ("p[0] = t; o[t] = p[0]; free((void *)p);", []),
        ("p[0] = t; free((void *)p); o[t] = p[0];", ["WS-RUN-048"]),
        ("p[0] = t; free((void *)p); p[1] = 3;", ["WS-RUN-048"]),
        ("p[3] = t; free((void *)p);", []),
        ("p[4] = t; free((void *)p);", ["WS-RUN-001"]),
        ("p[1000] = t; free((void *)p);", ["WS-RUN-001"]),
        ("if (p[1]) o[t] = 3; free((void *)p);", ["WS-RUN-021"]),
    ],
)
@pytest.mark.parametrize("threads", [1, 3])
def test_the_heap_is_judged_piece_by_piece(body: str, rules: list[str], threads: int) -> None:
    """What was freed and given again is another's: no race with what was done to it before."""
    kernel = ws.compile(HEAP.replace("BODY", body))["k"]
    report = kernel(4 if rules == [] else 1, 64, [np.zeros(64, np.int32)], threads=threads)
    assert sorted({one.rule for one in report.findings if one.severity == "error"} - {"WS-RUN-019"}) == rules
    assert rules or not [one for one in report.findings if "the heap" in one.message]


ORIGINS = """.version 8.0
.target sm_80
.address_size 64
.visible .entry k(.param .u32 zero)
{
.reg .b32 %r<9>; .reg .pred %p<2>; .shared .align 16 .b8 s[64]; .shared .align 16 .b8 t[64];
ld.param.u32 %r0, [zero];
setp.eq.u32 %p0, %r0, 0;
mov.u32 %r1, s; mov.u32 %r2, t;
BODY
ret;
}
"""


@pytest.mark.parametrize(
    ("body", "count"),
    [
        ("add.u32 %r3, %r1, %r0; st.shared.u32 [%r3+60], 1;", 0),
        ("add.u32 %r3, %r1, %r0; st.shared.u32 [%r3+64], 1;", 1),
        ("add.u32 %r3, %r1, 128; add.u32 %r3, %r3, %r0; st.shared.u32 [%r3+-68], 1;", 0),
        ("sub.u32 %r3, %r2, 4; add.u32 %r4, %r3, %r0; st.shared.u32 [%r4+4], 1;", 0),
        ("sub.u32 %r3, %r2, 4; add.u32 %r4, %r3, %r0; st.shared.u32 [%r4], 1;", 1),
        ("selp.b32 %r3, %r2, %r1, %p0; st.shared.u32 [%r3], 1;", 0),
        ("mov.u32 %r3, %r1; @%p0 mov.u32 %r3, %r2; st.shared.u32 [%r3], 1;", 0),
        ("sub.u32 %r3, %r2, %r1; add.u32 %r4, %r1, %r3; st.shared.u32 [%r4], 1;", 0),
        ("xor.b32 %r3, %r2, %r1; xor.b32 %r4, %r1, %r3; st.shared.u32 [%r4], 1;", 0),
        ("sub.u32 %r3, %r0, %r1; add.u32 %r4, %r3, %r2; add.u32 %r4, %r4, %r1; st.shared.u32 [%r4], 1;", 0),
        ("mad.lo.u32 %r3, %r0, 4, %r1; st.shared.u32 [%r3+64], 1;", 1),
        ("mad.lo.u32 %r3, %r1, 1, %r0; st.shared.u32 [%r3+64], 1;", 0),
    ],
)
def test_an_address_is_bounded_only_by_what_the_text_names(body: str, count: int) -> None:
    text = ORIGINS.replace("BODY", "st.shared.u32 [t], 0; st.shared.u32 [s], 0;\n" + body)
    findings = ws.Module(text)["k"](1, 1, [0]).findings
    assert [one.rule for one in findings if one.severity == "error"] == ["WS-RUN-001"] * count


AGAIN = """.version 8.0
.target sm_80
.address_size 64
.extern .func (.param .b64 at) malloc (.param .b64 n); .extern .func free (.param .b64 at);
.visible .entry k() {
  .reg .b64 %d; .reg .b32 %r;
  mov.u32 %r, %tid.x;
  { .param .b64 n; .param .b64 at; st.param.b64 [n], 16; call (at), malloc, (n); ld.param.b64 %d, [at]; }
  st.u32 [%d], %r;
  { .param .b64 at; st.param.b64 [at], %d; call free, (at); }
  ret;
}
"""


def test_a_piece_that_malloc_gives_again_is_another_one() -> None:
    """The second warp gets what the first one gave back, and the order of the two is that of malloc and free."""
    for threads in (32, 64, 256):
        for order in range(4):
            assert not [
                one for one in ws.Module(AGAIN)["k"](1, threads, [], order=order).findings if one.severity != "note"
            ]
