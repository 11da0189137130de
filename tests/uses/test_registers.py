"""Registers and results that nobody has set: told where their values are used, and nowhere else."""

from typing import Any

import numpy as np
import pytest

import warpsim as ws
from tests.support.evidence import compared
from tests.support.findings.planted import short

HEAD = """.version 8.3
.target sm_90a
.address_size 64
"""
KERNEL = """.visible .entry k(.param .u64 out, .param .u32 n)
{
.reg .pred %p<4>; .reg .b32 %r<12>; .reg .f32 %f<4>; .reg .b64 %d<8>; .reg .b16 %h<4>;
.shared .align 16 .b8 s[512]; .local .align 8 .b8 own[16];
ld.param.u64 %d0, [out]; ld.param.u32 %r0, [n]; mov.u32 %r1, %tid.x;
mul.wide.u32 %d1, %r1, 4; add.s64 %d1, %d0, %d1; setp.lt.u32 %p0, %r1, %r0;
BODY
ret;
}
"""
#: lines before the first one of the body
BEFORE = 9


def told(body: str, functions: str = "", n: int = 16) -> list[str]:
    """The findings about what nobody has set, with lines of the body from 1 on."""
    text = HEAD + KERNEL.replace("BODY", body) + functions
    findings = ws.Module(text)["k"](1, 32, [np.zeros(64, np.uint32), n]).findings
    return [_short(one) for one in findings if one.rule in ("WS-RUN-021", "WS-RUN-027")]


def _short(finding: Any) -> str:
    severity, rule, lines = short(finding).split()
    return f"{severity} {rule} {'-'.join(str(int(line) - BEFORE) for line in lines.split('-'))}"


USED = "error WS-RUN-021"
#: what a body does -> what is told
CASES = {
    "it is stored": ("st.global.u32 [%d1], %r5;", [f"{USED} 1"]),
    "a sum of it is stored": ("add.u32 %r6, %r5, 1;\nst.global.u32 [%d1], %r6;", [f"{USED} 1-2"]),
    "nobody uses it": ("add.u32 %r6, %r5, 1;\nmul.lo.u32 %r6, %r6, 3;", []),
    "it is an address": ("cvt.u64.u32 %d2, %r5;\nadd.s64 %d2, %d0, %d2;\nld.global.u32 %r6, [%d2];", [f"{USED} 1-3"]),
    "it decides": ("setp.eq.u32 %p1, %r5, 7;\n@%p1 bra E;\nadd.u32 %r6, %r6, 0;\nE:", [f"{USED} 1-2"]),
    "the guard itself": ("@%p1 st.global.u32 [%d1], %r1;", [f"{USED} 1"]),
    "set by one guard and its opposite": ("@%p0 mov.u32 %r5, 1;\n@!%p0 mov.u32 %r5, 2;\nst.global.u32 [%d1], %r5;", []),
    "set by one guard": ("@%p0 mov.u32 %r5, 1;\nadd.u32 %r6, %r5, 1;\nst.global.u32 [%d1], %r6;", [f"{USED} 2-3"]),
    "used by the same guard": ("@%p0 mov.u32 %r5, 1;\n@%p0 st.global.u32 [%d1], %r5;", []),
    "set in both branches": (
        "@%p0 bra A;\nmov.u32 %r5, 1;\nbra E;\nA: mov.u32 %r5, 2;\nE: st.global.u32 [%d1], %r5;", []),
    "set in one branch": (
        "@%p0 bra A;\nmov.u32 %r5, 1;\nbra E;\nA: mov.u32 %r6, 2;\nE: st.global.u32 [%d1], %r5;", [f"{USED} 5"]),
    "set by the round before": (
        "mov.u32 %r4, 0;\nL: setp.eq.u32 %p1, %r4, 0;\n@%p1 bra N;\nst.global.u32 [%d1], %r5;\nN: mov.u32 %r5, 3;\n"
        "add.u32 %r4, %r4, 1;\nsetp.lt.u32 %p1, %r4, 3;\n@%p1 bra L;", []),
    "read by the first round": (
        "mov.u32 %r4, 0;\nL: add.u32 %r5, %r5, 1;\nadd.u32 %r4, %r4, 1;\nsetp.lt.u32 %p1, %r4, 3;\n@%p1 bra L;\n"
        "st.global.u32 [%d1], %r5;", [f"{USED} 2-6"]),
    "selp leaves it out": ("mov.u32 %r4, 4;\nselp.u32 %r6, %r5, %r4, %p3;\nst.global.u32 [%d1], %r6;", [f"{USED} 2-3"]),
    "selp takes the other": (
        "mov.u32 %r4, 4;\nsetp.gt.u32 %p3, %r1, 99;\nselp.u32 %r6, %r5, %r4, %p3;\nst.global.u32 [%d1], %r6;", []),
    "the bits of another register": ("brev.b32 %r5, %r1;\nst.global.u32 [%d1], %r5;", []),
    "what a vote of the block says": ("bar.red.popc.u32 %r5, 0, %p0;\nst.global.u32 [%d1], %r5;", []),
    "half of a pair": ("mov.b32 %r5, {%h0, %h1};\nand.b32 %r5, %r5, 0;\nst.global.u32 [%d1], %r1;", []),
    "a product that becomes part of an fma": (
        "mov.f32 %f0, 0f3F800000;\nmul.f32 %f1, %f0, %f0;\nadd.f32 %f2, %f1, %f0;\nst.global.f32 [%d1], %f2;", []),
    "masked away": ("and.b32 %r6, %r5, 0;\nst.global.u32 [%d1], %r6;", []),
    "its other half": (
        "mov.u32 %r4, 9;\nmov.b64 %d2, {%r4, %r5};\nmov.b64 {%r6, %r7}, %d2;\nst.global.u32 [%d1], %r6;", []),
    "this half": (
        "mov.u32 %r4, 9;\nmov.b64 %d2, {%r4, %r5};\nmov.b64 {%r6, %r7}, %d2;\nst.global.u32 [%d1], %r7;",
        [f"{USED} 2-4"]),
    "bytes that prmt leaves": ("mov.u32 %r4, 9;\nprmt.b32 %r6, %r4, %r5, 0x3210;\nst.global.u32 [%d1], %r6;", []),
    "bytes that prmt takes": (
        "mov.u32 %r4, 9;\nprmt.b32 %r6, %r4, %r5, 0x3214;\nst.global.u32 [%d1], %r6;", [f"{USED} 2-3"]),
    "through shared memory": (
        "mul.lo.u32 %r7, %r1, 4;\nmov.u32 %r8, s;\nadd.u32 %r7, %r8, %r7;\nst.shared.u32 [%r7], %r5;\n"
        "ld.shared.u32 %r6, [%r7];\nst.global.u32 [%d1], %r6;", [f"{USED} 4-6"]),
    "through local memory": (
        "st.local.u32 [own], %r5;\nld.local.u32 %r6, [own];\nst.global.u32 [%d1], %r6;", [f"{USED} 2-3"]),
    "shuffled": (
        "shfl.sync.idx.b32 %r6, %r5, 0, 31, -1;\nst.global.u32 [%d1], %r6;", [f"{USED} 1-2"]),
}  # fmt: skip


@pytest.mark.parametrize("what", CASES)
def test_a_register_that_nobody_has_set(what: str) -> None:
    body, wanted = CASES[what]
    assert told(body) == wanted
    compared("ways of registers that nobody has set", 1, at_least=1)


def test_the_finding_names_the_register() -> None:
    text = HEAD + KERNEL.replace("BODY", "add.u32 %r6, %r5, 1;\nst.global.u32 [%d1], %r6;")
    (found,) = ws.Module(text)["k"](1, 32, [np.zeros(64, np.uint32), 16]).findings
    assert found.message.startswith("use of a register that nobody has set: %r5\n")
    assert found.fix == "Set the register on every way that leads here, or do not use it."


def test_each_block_begins_anew() -> None:
    """What an earlier block has set says nothing of the next one."""
    body = "mov.u32 %r4, %ctaid.x;\nsetp.eq.u32 %p1, %r4, 0;\n@%p1 mov.u32 %r5, 1;\nst.global.u32 [%d1], %r5;"
    text = HEAD + KERNEL.replace("BODY", body)
    findings = ws.Module(text)["k"](2, 32, [np.zeros(64, np.uint32), 16]).findings
    assert [one.block for one in findings if one.rule == "WS-RUN-021"] == [(1, 0, 0)]


FUNCTION = """.func (.param .b32 got) f(.param .b32 given)
{
.reg .pred %p<2>; .reg .b32 %r<4>;
ld.param.u32 %r0, [given];
setp.gt.u32 %p0, %r0, 7;
@%p0 ret;
st.param.b32 [got], %r0;
ret;
}
"""
CALL = """{{ .param .b32 a; .param .b32 b;
st.param.b32 [a], {};
call (b), f, (a);
ld.param.b32 %r6, [b]; }}
{}
"""
#: lines of the whole text
RESULTS = {
    "a result that some threads do not give": (CALL.format("%r1", "st.global.u32 [%d1], %r6;"), [f"{USED} 14-15"]),
    "a result that nobody uses": (CALL.format("%r1", "mov.u32 %r7, %r6;"), ["note WS-RUN-027 14"]),
    "a result that all give": (CALL.format("3", "st.global.u32 [%d1], %r6;"), []),
    "an argument that nobody has set": (CALL.format("%r5", ""), [f"{USED} 22-24"]),
}


@pytest.mark.parametrize("what", RESULTS)
def test_results_and_arguments(what: str) -> None:
    body, wanted = RESULTS[what]
    text = HEAD + ".func (.param .b32 got) f(.param .b32 given);\n" + KERNEL.replace("BODY", body) + FUNCTION
    findings = ws.Module(text)["k"](1, 32, [np.zeros(64, np.uint32), 16]).findings
    assert [short(one) for one in findings if one.rule in ("WS-RUN-021", "WS-RUN-027")] == wanted
    assert all(": parameter b" in one.message or ": parameter given" in one.message for one in findings)
