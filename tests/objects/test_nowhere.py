"""Jumps and calls to nowhere, and arguments that do not fit into the stack."""

from typing import Any

import numpy as np
import pytest

import warpsim as ws
from tests.support.evidence import compared

HEAD = """.version 8.0
.target sm_80
.address_size 64
"""


def launched(text: str, *args: Any, **options: Any) -> ws.KernelReport:
    return ws.Module(HEAD + text)["k"](1, options.pop("block", 32), args, **options)


def rules(report: ws.KernelReport) -> list[str]:
    return [one.rule for one in report.findings if one.severity == "error"]


TABLE = """.visible .entry k(.param .u64 out, .param .u32 at) {
  .reg .b64 %d<3>; .reg .b32 %r<4>; .reg .pred %p;
  ld.param.u64 %d0, [out]; ld.param.u32 %r0, [at]; mov.u32 %r1, %tid.x; mad.wide.u32 %d1, %r1, 4, %d0;
  setp.eq.u32 %p, %r1, 5; selp.b32 %r2, %r0, 1, %p;
  T: .branchtargets A, B, C;
  brx.idx %r2, T;
A: mov.u32 %r3, 10; bra E;
B: mov.u32 %r3, 20; bra E;
C: mov.u32 %r3, 30;
E: st.global.u32 [%d1], %r3; ret;
}
"""


@pytest.mark.parametrize("check", [True, False])
@pytest.mark.parametrize("at", [0, 2, 3, 2**32 - 1])
def test_an_index_outside_of_its_table_ends_the_launch_at_its_lane(at: int, check: bool) -> None:
    out = np.zeros(32, np.uint32)
    report = launched(TABLE, out, at, check=check)
    if at < 3:
        assert report.ok and out.tolist() == [10 + 10 * at if lane == 5 else 20 for lane in range(32)]
        return
    (finding,) = report.findings
    assert (finding.rule, finding.lanes, finding.opcode) == ("WS-RUN-012", ((5, 0, 0),), "brx.idx")
    assert finding.error is ws.UndefinedBehaviorError and not out.any()


INDIRECT = """.func (.reg .b32 o) f (.reg .b32 i) { add.u32 o, i, 1; ret; }
.func (.reg .b32 o) g (.reg .b32 i) { add.u32 o, i, 100; ret; }
.visible .entry k(.param .u64 out, .param .u64 where) {
  .reg .b64 %d<6>; .reg .b32 %r<4>; .reg .pred %p<2>;
  ld.param.u64 %d0, [out]; ld.param.u64 %d2, [where]; mov.u32 %r1, %tid.x; mad.wide.u32 %d1, %r1, 4, %d0;
  mov.u64 %d3, f; mov.u64 %d4, g; setp.eq.u64 %p0, %d2, 1; selp.b64 %d2, %d4, %d2, %p0;
  setp.eq.u32 %p1, %r1, 7; selp.b64 %d3, %d2, %d3, %p1;
  P: .callprototype (.reg .b32 _) _ (.reg .b32 _);
  call (%r2), %d3, (%r1), P;
  st.global.u32 [%d1], %r2; ret;
}
"""


@pytest.mark.parametrize("check", [True, False])
@pytest.mark.parametrize("where", [1, 0, 2, 0x700000000000])
def test_a_call_of_what_is_no_function_ends_the_launch_at_its_lane(where: int, check: bool) -> None:
    out = np.zeros(32, np.uint32)
    report = launched(INDIRECT, out, where, check=check)
    if where == 1:
        assert report.ok and out.tolist() == [107 if lane == 7 else lane + 1 for lane in range(32)]
        return
    (finding,) = report.findings
    assert (finding.rule, finding.lanes, finding.opcode) == ("WS-RUN-012", ((7, 0, 0),), "call")
    assert not out.any()


#: f calls itself until its frame, or that of what it calls at the end, is too large
DEEP = """.func f(.param .align 8 .b8 p[256]) { .local .align 8 .b8 s[64]; .reg .b64 %d<3>;
  { .param .align 8 .b8 q[256]; ld.param.u64 %d0, [p]; add.u64 %d0, %d0, 1; st.param.u64 [q], %d0; call f, (q); }
  ret; }
.visible .entry k() { .reg .b64 %d;
  { .param .align 8 .b8 q[256]; mov.u64 %d, 0; st.param.u64 [q], %d; call f, (q); } ret; }
"""


def test_arguments_that_do_not_fit_into_the_stack_end_the_launch() -> None:
    for stack_bytes in range(1024, 1024 + 512, 32):
        report = launched(DEEP, stack_bytes=stack_bytes)
        assert rules(report) == ["WS-RUN-008"], stack_bytes
        with pytest.raises(ws.OutOfBoundsError, match="stack overflow"):
            launched(DEEP, stack_bytes=stack_bytes, check=False, on_finding="raise")
    compared("stacks that arguments of a call outgrow", 16, at_least=16)


#: (declarations, address, access, what is said of it): addresses of one space wrap at 32 bits
BELOW = [
    (".shared .align 8 .b8 v[40];", ".reg .b32 a; mov.u32 a, v;", "st.shared.u8 [a+-1]", "1 byte before v (40 bytes)"),
    (".shared .align 8 .b8 v[40];", ".reg .b64 a; mov.u64 a, v;", "st.shared.u8 [a+-8]", "8 bytes before v (40 bytes)"),
    (
        ".shared .align 8 .b8 v[40];", ".reg .b64 a; mov.u64 a, v; cvta.shared.u64 a, a;", "st.u8 [a+-1]",
        "1 byte before v (40 bytes)",
    ),
    (
        ".shared .align 8 .b8 v[40];", ".reg .b32 a; mov.u32 a, v;", "st.shared.u8 [a+-1048576]",
        "1,048,576 bytes before v (40 bytes)",
    ),
    (".shared .align 8 .b8 v[40];", ".reg .b32 a; mov.u32 a, v;", "st.shared.u8 [a+-1048577]", "far from every array"),
    (".shared .align 8 .b8 v[40];", ".reg .b32 a; mov.u32 a, 2147483647;", "st.shared.u8 [a]", "far from every array"),
    ("", ".reg .b64 a; mov.u64 a, -1;", "st.u8 [a]", "far from every array"),
    (
        ".local .align 8 .b8 v[40];", ".reg .b64 a; mov.u64 a, v;", "st.local.u8 [a+-1]",
        "1 byte before the local memory of the thread",
    ),
    (
        ".local .align 8 .b8 v[40];", ".reg .b64 a; mov.u64 a, v; cvta.local.u64 a, a;", "st.u8 [a+-2]",
        "2 bytes before the local memory of the thread",
    ),
    (".local .align 8 .b8 v[40];", ".reg .b32 a; mov.u32 a, v;", "st.local.u8 [a+4096]", "of the thread itself"),
]  # fmt: skip


@pytest.mark.parametrize(("declared", "address", "access", "said"), BELOW)
def test_an_address_below_a_variable_is_told_as_such(declared: str, address: str, access: str, said: str) -> None:
    report = launched(f".visible .entry k() {{ {declared} {address} {access}, 0; ret; }}", block=1)
    (found,) = (one for one in report.findings if one.rule == "WS-RUN-001")
    assert said in found.message, found.message


def test_an_address_of_no_block_of_the_cluster_is_nobodys() -> None:
    """Its rank, 255, is not one of the cluster's: it was told as another block's."""
    text = HEAD.replace("sm_80", "sm_90") + ".visible .entry k() .reqnctapercluster 2 { .shared .align 8 .b8 v[40];"
    module = ws.Module(text + " .reg .b32 a; mov.u32 a, v; mov.u32 a, -1; st.shared.u8 [a], 0; ret; }")
    (found,) = (one for one in module["k"](2, 1, ()).findings if one.block == (0, 0, 0))
    assert "0xffffffff, 1 byte before v (40 bytes); block (0, 0, 0)" in found.message
