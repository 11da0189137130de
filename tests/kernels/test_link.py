"""Modules of several PTX texts: functions and variables of one are found from another."""

import pickle
import re
import time

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import warpsim as ws
from tests.support.evidence import compared
from warpsim.compile import toolkit
from warpsim.machine.link import link

HEAD = ".version {version}\n.target sm_80\n.address_size 64\n"
MAIN = (
    HEAD.format(version="7.0")
    + """
.file 1 "main.cu"
.extern .func (.param .b32 r) scaled (.param .b32 x);   // defined elsewhere; { in a comment
.extern .global .align 4 .u32 total;
.global .align 4 .u32 factor = 1000;
.visible .entry k(.param .u64 y)
{ .reg .b32 %r<6>; .reg .b64 %d<4>; .param .b32 a; .param .b32 b;
  .loc 1 7 1
  ld.param.u64 %d1, [y]; ld.global.u32 %r1, [%d1]; st.param.b32 [a], %r1; call.uni (b), scaled, (a);
  ld.param.b32 %r2, [b]; ld.global.u32 %r3, [factor]; add.u32 %r2, %r2, %r3; st.global.u32 [%d1], %r2;
  ld.global.u32 %r4, [total]; st.global.u32 [%d1+4], %r4; ret; }
"""
)
OTHER = (
    HEAD.format(version="8.1")
    + """
.file 1 "other.cu"
.visible .global .align 4 .u32 total = 5;
.global .align 4 .u32 factor = 3;
.func (.param .b32 r) times (.param .b32 x)
{ .reg .b32 %r<4>; ld.param.b32 %r1, [x]; ld.global.u32 %r2, [factor]; mul.lo.u32 %r3, %r1, %r2; st.param.b32 [r], %r3;
  ret; }
.visible .func (.param .b32 r) scaled (.param .b32 x)
{ .reg .b32 %r<3>; .param .b32 a; .param .b32 b;
  .loc 1 9 1
  ld.param.b32 %r1, [x]; st.param.b32 [a], %r1; call.uni (b), times, (a); ld.param.b32 %r2, [b];
  st.param.b32 [r], %r2; ret; }
"""
)


@pytest.mark.parametrize("order", [[MAIN, OTHER], [OTHER, MAIN], (MAIN.encode(), OTHER)])
def test_functions_and_variables_of_another_text_are_found(order: list[str]) -> None:
    module = ws.Module(order)
    y = np.array([7, 0], np.uint32)
    report = module["k"](1, 1, [y])
    assert report.ok and y.tolist() == [7 * 3 + 1000, 5]  # each text has a factor of its own
    assert module.version == "8.1" and len(module.globals) == 3
    places = {(report.sources[row["source"]], int(row["source_line"])) for row in report.lines if row["source"] >= 0}
    assert {("main.cu", 7), ("other.cu", 9)} <= places
    again = pickle.loads(pickle.dumps(module))
    assert again["k"](1, 1, [y]).ok and y.tolist() == [(7 * 3 + 1000) * 3 + 1000, 5]


def test_one_text_is_as_it_was() -> None:
    assert ws.Module([OTHER]).version == "8.1" and ws.Module([OTHER]).globals.keys() == {"total", "factor"}


def test_what_cannot_be_linked_is_refused() -> None:
    with pytest.raises(ws.UnsupportedError, match=r"total is defined in texts 1 and 2"):
        ws.Module([OTHER, OTHER])
    with pytest.raises(ws.UnsupportedError, match=r"texts of several targets cannot be linked: sm_80, sm_90"):
        ws.Module([MAIN, OTHER.replace("sm_80", "sm_90")])
    with pytest.raises(TypeError, match="expected PTX text or a path, got int"):
        ws.Module([MAIN, 3])  # type: ignore[list-item]
    weak = OTHER.replace(".visible", ".weak")
    y = np.array([2, 0], np.uint32)
    assert ws.Module([MAIN, weak, weak.replace("= 3", "= 9")])["k"](1, 1, [y]).ok and y.tolist() == [1006, 5]


def test_what_stays_private_is_renamed_where_it_is_a_name_alone() -> None:
    """Two variables of one directive; the name in a string, in a comment, behind a dot and in another name."""
    more = OTHER.replace(
        ".global .align 4 .u32 factor = 3;",
        '.global .align 4 .u32 before[2] = {1, 2}, factor = 3; // factor\n.pragma "factor";\n.global .u64 at = factor;',
    ).replace("{ .reg .b32 %r<4>;", "{ .reg .b32 %r<4>, factor_2; mov.u32 factor_2, 0;")
    text = link([MAIN.encode(), more.encode()]).decode()
    assert text.count("factor$link1") == 3 and "= {1, 2}, factor$link1 = 3; // factor\n" in text
    assert '"factor"' in text and "factor_2" in text
    y = np.array([7, 0], np.uint32)
    assert ws.Module([MAIN, more])["k"](1, 1, [y]).ok and y[0] == 7 * 3 + 1000


def test_sections_of_the_first_text_alone_are_kept() -> None:
    """And the files before them, whose lines later texts name; places where a line was inlined need a section."""
    section = "\n.section .debug_str { $L__name: .b8 97, 0 }\n.section .debug_info { .b32 1 }\n"
    inlined = "\t.loc 1 3 1, function_name $L__name, inlined_at 1 9 1\n"
    other = OTHER.replace("  .loc 1 9 1\n", "  .loc 1 9 1\n" + inlined)
    text = link([(MAIN + section).encode(), (other + '.file 2 "third.cu"' + section).encode()]).decode()
    assert text.count(".section") == 2 and '.file 1002 "third.cu"' in text and '.file 1001 "other.cu"' in text
    assert "\t.loc 1001 3 1\n" in text and "inlined_at" not in text
    assert text.startswith(".version 8.1\n.target sm_80\n.address_size 64\n") and text.count(".version") == 1
    assert len(ws.Module(text.encode()).kernels) == 1


@settings(max_examples=25, deadline=None)
@given(st.lists(st.integers(1, 9), min_size=2, max_size=6))
def test_chains_of_texts_compute_what_python_does(factors: list[int]) -> None:
    """Each text multiplies by its own private factor and calls the next; the oracle is a product."""
    texts = []
    for number, factor in enumerate(factors):
        text = OTHER.replace("scaled", f"f{number}").replace("= 3", f"= {factor}")
        text = re.sub(r"\.visible \.global .*\n", "", text)
        if number + 1 < len(factors):
            text = text.replace("call.uni (b), times", f"call.uni (b), times, (a); ld.param.b32 %r1, [b];"
                                f" st.param.b32 [a], %r1; call.uni (b), f{number + 1}")  # fmt: skip
            text = text.replace(".func (.param .b32 r) times",
                                f".extern .func (.param .b32 r) f{number + 1} (.param .b32 x);\n"
                                ".func (.param .b32 r) times", 1)  # fmt: skip
        texts.append(text)
    main = MAIN.replace("scaled", "f0").replace(".extern .global .align 4 .u32 total;", ".global .align 4 .u32 total;")
    y = np.array([3, 0], np.uint32)
    assert ws.Module([main, *texts])["k"](1, 1, [y]).ok
    assert y[0] == (3 * int(np.prod(factors)) + 1000) % 2**32
    compared("values of linked texts", 1, at_least=1)


def test_compiled_sources_are_linked() -> None:
    if toolkit.nvrtc() is None:
        pytest.skip("NVRTC is not installed: pip install 'warpsim[cuda]'")
    sources = (
        "extern __device__ int f(int); static __device__ int g(int x) { return x + 1; }"
        ' extern "C" __global__ void k(int *y) { y[threadIdx.x] = g(f(threadIdx.x)); }',
        "__device__ __noinline__ int g(int x, int y) { return x * y; } __device__ int f(int x) { return g(x, x); }",
    )
    texts = [ws.compile(source, options="-rdc=true")._source.text for source in sources]
    y = np.zeros(32, np.int32)
    with pytest.raises(ws.UnsupportedError):
        ws.Module(texts[0])["k"](1, 32, [y])
    assert ws.Module(texts)["k"](1, 32, [y]).ok and np.array_equal(y, np.arange(32) ** 2 + 1)


def test_a_call_of_a_function_without_a_body_says_how_to_link_it() -> None:
    main = HEAD.format(version="7.0") + ".extern .func f(); .visible .entry k() {\ncall f; ret; }"
    fix = "ws.Module([text, other]) links them"
    with pytest.raises(ws.UnsupportedError) as told:
        ws.Module(main)["k"](1, 1, [])
    assert "k has 1 statement that warpsim cannot run:\n  line 5: call of f, which has no body\n" in str(told.value)
    assert fix in str(told.value)
    other = HEAD.format(version="7.0") + ".visible .func f() { ret; }"
    assert ws.Module([main, other])["k"](1, 1, []).ok
    beyond = main.replace("call f;", "tcgen05.fence::before_thread_sync;").replace("sm_80", "sm_100a")
    with pytest.raises(ws.UnsupportedError, match="1 statement that warpsim does not model") as told:
        ws.Module(beyond.replace("7.0", "8.6"))["k"](1, 1, [])
    assert fix not in str(told.value)


def test_a_byte_0_in_a_text_is_shown() -> None:
    with pytest.raises(ws.PtxSyntaxError, match=r"expected an instruction, a directive or '}', found '\\0'"):
        ws.Module(HEAD.format(version="7.0") + ".visible .entry k() { \0 ret; }")


@pytest.mark.slow
def test_many_declarations_and_lines_are_linked_soon() -> None:
    texts = [
        HEAD.format(version="8.0") + "".join(f".global .align 4 .u32 {name}{i};\n" for i in range(8000))
        + f'.file 1 "{name}.cu"\n.visible .entry {name}() {{\n' + ".loc 1 7 1\n" * 20_000 + "ret; }"
        for name in "ab"
    ]  # fmt: skip
    began = time.process_time()
    assert link([text.encode() for text in texts]).count(b".global") == 16_000
    assert time.process_time() - began < 5
