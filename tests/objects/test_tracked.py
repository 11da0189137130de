"""Copies that are waited for in part, objects that end too early, and what a whole warp must execute."""

from typing import Any

import numpy as np
import pytest

import warpsim as ws
from tests.support.evidence import compared

KERNEL = """.version 8.3
.target sm_90a
.address_size 64
.visible .entry k(.param .u64 x, .param .u64 y)
{
.reg .pred %p<4>; .reg .b32 %r<12>; .reg .b64 %d<8>;
.shared .align 128 .b8 s[1024]; .shared .align 8 .b8 o[8];
ld.param.u64 %d0, [x]; ld.param.u64 %d1, [y]; mov.u32 %r0, %tid.x; setp.eq.u32 %p0, %r0, 0;
mul.wide.u32 %d2, %r0, 4; add.s64 %d3, %d0, %d2; add.s64 %d4, %d1, %d2;
mov.u32 %r1, s; mul.lo.u32 %r2, %r0, 4; add.u32 %r2, %r1, %r2;
BODY
ret;
}
"""
OBJECT = "@%p0 mbarrier.init.shared.b64 [o], 64; bar.sync 0;\n"
STORE = "st.shared.u32 [%r2], %r0; fence.proxy.async; bar.sync 0;\n"
STORE += "@%p0 cp.async.bulk.global.shared::cta.bulk_group [%d1], [%r1], 256; @%p0 cp.async.bulk.commit_group;\n"
BACK = "ld.global.u32 %r3, [%d4]; st.global.u32 [%d3], %r3;"
COPY = "cp.async.ca.shared.global [%r2], [%d3], 4;\n"
ARRIVE = "cp.async.mbarrier.arrive.noinc.shared.b64 [o];\n"
ARRIVALS = "mbarrier.arrive.shared.b64 _, [o];\n"
WAIT = "W: mbarrier.try_wait.parity.shared.b64 %p1, [o], 0; @!%p1 bra W;\n"
READ = "ld.shared.u32 %r3, [%r2]; st.global.u32 [%d4], %r3;"
CASES = {
    "a bulk store, waited for": (STORE + "@%p0 cp.async.bulk.wait_group 0; bar.sync 0;\n" + BACK, set()),
    "its source alone is waited for": (
        STORE + "@%p0 cp.async.bulk.wait_group.read 0; bar.sync 0;\n" + BACK, {"WS-RUN-020"}),
    "first the source, then all": (
        STORE + "@%p0 cp.async.bulk.wait_group.read 0; @%p0 cp.async.bulk.wait_group 0; bar.sync 0;\n" + BACK, set()),
    "the source is stored again": (
        STORE + "@%p0 cp.async.bulk.wait_group.read 0; bar.sync 0; st.shared.u32 [%r2], 1;", set()),
    "nobody waits before the end": (STORE, {"WS-RUN-040"}),
    "the source of a copy is stored": (COPY + "st.global.u32 [%d3], 1; cp.async.wait_all;", {"WS-RUN-040"}),
    "the words beside the source are stored": (
        "@%p0 " + COPY + "@!%p0 st.global.u32 [%d3], 1; cp.async.wait_all;", set()),
    "it is stored after the wait": (COPY + "cp.async.wait_all; st.global.u32 [%d3], 1;", set()),
    "copies for an object": (OBJECT + COPY + ARRIVE + WAIT + READ, set()),
    "nobody waits for the object": (OBJECT + COPY + ARRIVE + READ, {"WS-RUN-020"}),
    "each waits for its group": (OBJECT + COPY + ARRIVE + "cp.async.wait_all;\n" + READ, set()),
    "inval after a barrier": (
        OBJECT + ARRIVALS + WAIT + "bar.sync 0; @%p0 mbarrier.inval.shared.b64 [o];", set()),
    "inval while others may wait": (
        OBJECT + ARRIVALS + WAIT + "@%p0 mbarrier.inval.shared.b64 [o];", {"WS-RUN-016", "WS-RUN-017"}),
    "all of a warp change their registers": ("setmaxnreg.dec.sync.aligned.u32 40;", set()),
    "one lane does": ("@%p0 setmaxnreg.dec.sync.aligned.u32 40;", {"WS-RUN-014"}),
}  # fmt: skip


def errors(body: str, **options: Any) -> set[str]:
    arrays = [np.arange(64, dtype=np.uint32), np.zeros(64, np.uint32)]
    try:
        findings = ws.Module(KERNEL.replace("BODY", body))["k"](1, 64, arrays, **options).findings
    except ws.WarpsimError as error:
        findings = error.report.findings
    return {one.rule for one in findings if one.severity == "error"}


@pytest.mark.parametrize("what", CASES)
def test_what_was_waited_for_and_what_was_not(what: str) -> None:
    body, wanted = CASES[what]
    assert errors(body) == wanted
    compared("waits of copies and objects", 1, at_least=1)
