"""What ends a launch at instructions that belong to a whole warp: some lanes alone, constants as target."""

from typing import Any

import numpy as np
import pytest

import warpsim as ws
from tests.support.evidence import compared

HEAD = ".version 8.6\n.target sm_90a\n.address_size 64\n.const .align 32 .b8 table[1024] = {1};\n"
PRODUCT = "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%f0, %f1, %f2, %f3},"
PRODUCT += " {%r1, %r1, %r1, %r1}, {%r1, %r1}, {%f0, %f1, %f2, %f3};"
MOVE = "movmatrix.sync.aligned.m8n8.trans.b16 %r1, %r1;"
STORE = "wmma.store.d.sync.aligned.row.m16n16k16.f32 [%d1], {%f0, %f1, %f2, %f3, %f4, %f5, %f6, %f7};"


def launched(body: str, out: np.ndarray, table: bytes = bytes(1024), threads: int = 32) -> Any:
    """A warp; %d1: `out`, %d2: the thread's word of it."""
    text = f"""{HEAD}.visible .entry k(.param .u64 out, .param .align 32 .b8 given[1024])
{{
.reg .b32 %r<3>; .reg .f32 %f<8>; .reg .b64 %d<3>; .reg .pred %p<2>;
ld.param.u64 %d1, [out]; mov.u32 %r0, %tid.x; mov.u32 %r1, %r0; mad.wide.u32 %d2, %r0, 4, %d1;
{"".join(f"mov.f32 %f{i}, 0f3F800000;" for i in range(8))}
{body}
ret;
}}
"""
    return ws.Module(text)["k"](1, threads, [out, table])


@pytest.mark.parametrize("instruction", [PRODUCT, MOVE], ids=["mma", "movmatrix"])
@pytest.mark.parametrize("absent", [0, 16, 31])
def test_lanes_alone_cannot_execute_what_belongs_to_the_warp(instruction: str, absent: int) -> None:
    whole = f"{instruction} st.global.u32 [%d2], %r1;"
    out = np.full(256, 77, np.uint32)
    report = launched(f"setp.ne.u32 %p1, %r0, {absent}; @%p1 {whole}", out)
    assert [(one.rule, one.line) for one in report.findings] == [("WS-RUN-014", 10)]
    assert not report.ok and (out == 77).all()
    assert launched(whole, out).ok and (out[:32] != 77).all()


def test_a_finding_names_no_thread_that_the_block_does_not_have() -> None:
    (found,) = launched(MOVE, np.zeros(256, np.uint32), threads=20).findings
    assert (found.rule, found.lanes) == ("WS-RUN-014", ()) and "warp 0, lane 20" in found.message


CONSTANT, PARAMETER = "mov.u64 %d1, table; cvta.const.u64 %d1, %d1;", "mov.u64 %d1, given; cvta.param.u64 %d1, %d1;"


@pytest.mark.parametrize(
    ("target", "name", "offset"), [(CONSTANT, "table", 0), (PARAMETER, "the parameters", 32)], ids=["const", "param"]
)
def test_a_matrix_is_not_stored_to_what_is_read_only(target: str, name: str, offset: int) -> None:
    out = np.zeros(256, np.uint32)
    for store in (STORE, f"setp.lt.u32 %p1, %r0, 16; @%p1 {STORE}"):  # the memory is looked at first
        report = launched(f"{target} {store}", out)
        (found,) = report.findings
        assert (found.rule, found.line, found.array, found.offset) == ("WS-RUN-002", 10, name, offset)
        assert not report.ok and "write to read-only memory" in found.message
    assert not out.any()
    assert launched(STORE, out).ok and (out.view(np.float32) == 1).all()
    compared("matrices stored to what is read-only", 2, at_least=2)
