"""Stores that are misaligned and overlap end the launch with a finding, and nothing else."""

import itertools

import numpy as np
import pytest

import warpsim as ws
from tests.support.evidence import compared

#: lanes of a warp store `width` words at steps of so many bytes, upwards or downwards, from the address in %d or %a
PTX = """.version 8.0
.target sm_80
.address_size 64
.visible .entry k(.param .u64 out)
{{
    .reg .b64 %d<3>;
    .reg .b32 %r<3>, %a;
    .shared .align 16 .b8 s[2048];
    ld.param.u64 %d0, [out];
    mov.u32 %r0, %tid.x;
    {order}
    mul.lo.u32 %r1, %r0, {step};
    {address}
    {store};
    ret;
}}
"""
SPACES = {
    "global": ("cvt.u64.u32 %d1, %r1; add.u64 %d0, %d0, %d1;", "st.global.v4.u32 [%d0], {%r0, %r0, %r0, %r0}"),
    "shared": ("mov.u32 %a, s; add.u32 %a, %a, %r1;", "st.shared.v4.u32 [%a], {%r0, %r0, %r0, %r0}"),
    "generic": ("cvt.u64.u32 %d1, %r1; add.u64 %d0, %d0, %d1;", "st.v2.u64 [%d0], {%d1, %d1}"),
    "generic shared": (
        "mov.u32 %a, s; add.u32 %a, %a, %r1; cvt.u64.u32 %d1, %a; cvta.shared.u64 %d1, %d1;",
        "st.v4.u32 [%d1], {%r0, %r0, %r0, %r0}",
    ),
}  # fmt: skip
STEPS = (1, 2, 4, 8, 12, 16, 20, 24)


@pytest.mark.parametrize("space", SPACES)
def test_overlapping_vector_stores_are_found_where_misaligned_and_only_there(space: str) -> None:
    address, store = SPACES[space]
    count = 0
    for step, downwards, check, simd in itertools.product(STEPS, (False, True), (False, True), (0, 1)):
        order = "sub.u32 %r0, 31, %r0;" if downwards else ""
        module = ws.Module(PTX.format(order=order, step=step, address=address, store=store))
        report = module["k"](1, 32, [np.zeros(4096, np.uint32)], check=check, simd=simd)
        rules = {one.rule for one in report.findings if one.severity != "note"}
        assert rules == (set() if step % 16 == 0 else {"WS-RUN-003"}), (step, downwards, check, report.findings)
        count += 1
    compared("stores of overlapping vectors", count, at_least=64)


#: each lane stores to (or copies to) an address of its block's shared memory, of two in a cluster: far beyond its end
CLUSTER = """.version 8.0
.target sm_90
.address_size 64
.visible .entry k(.param .u64 out, .param .u32 at)
{{
    .reg .b64 %d;
    .reg .b32 %a, %c;
    .shared .align 16 .b8 s[512];
    ld.param.u64 %d, [out];
    ld.param.u32 %c, [at];
    mov.u32 %a, s;
    add.u32 %a, %a, %c;
    {access};
    ret;
}}
"""
ACCESSES = {
    "store": "st.shared.u32 [%a], 5",
    "copy": "cp.async.ca.shared.global [%a], [%d], 16",
    "object": "mbarrier.init.shared.b64 [%a], 1",
    "atomic": "red.shared.add.u32 [%a], 1",
}


@pytest.mark.parametrize("access", ACCESSES)
def test_accesses_beyond_the_shared_memory_of_a_block_of_a_cluster_are_found_and_touch_nothing(access: str) -> None:
    kernel = ws.Module(CLUSTER.format(access=ACCESSES[access]))["k"]
    count = 0
    for at in (512, 528, 640, 656, 1296, 5808, 1 << 20, (1 << 24) - 16):
        outcomes = []
        for check, simd in itertools.product((False, True), (0, 1)):
            report = kernel(2, 1, [np.zeros(64, np.uint32), at], cluster=2, check=check, simd=simd)
            outcomes.append([one.rule for one in report.findings])
            count += 1
        assert outcomes == [["WS-RUN-001"]] * 4, (at, outcomes)
    compared("accesses beyond a block of a cluster", count, at_least=32)


@pytest.mark.parametrize("width", (8, 16, 32))
def test_lanes_that_meet_in_the_shared_memory_of_a_cluster_are_told_whatever_their_width(width: int) -> None:
    """No other access is as small: the cells of the check are as small as accesses of this space."""
    for meets in (False, True):
        place = "and.b32 %c, %laneid, 7;" if meets else "mov.u32 %c, %laneid;"
        body = f"{place} mad.lo.u32 %a, %c, 4, s; mov.u32 %c, %laneid; st.shared::cluster.b{width} [%a], %c"
        report = ws.Module(CLUSTER.format(access=body))["k"](1, 32, [np.zeros(64, np.uint32), 0])
        assert [one.rule for one in report.findings] == (["WS-RUN-022"] if meets else []), report.findings


def test_misaligned_lanes_of_wide_stores_are_not_judged() -> None:
    """Two lanes meet at a multiple of 16 bytes that is none of 32: the launch ends there, and says no more."""
    place = "cvt.u64.u32 %d1, %r1; add.u64 %d0, %d0, %d1; mov.u32 %r2, %laneid; cvt.u64.u32 %d1, %r2;"
    store = "st.global.v4.u64 [%d0], {%d1, %d1, %d1, %d1}"
    for at, rules in ((16, ["WS-RUN-003"]), (32, ["WS-RUN-022"])):
        address = f"{place} add.u64 %d0, %d0, {at};"
        text = PTX.format(order="shr.u32 %r0, %r0, 1;", step=32, address=address, store=store)
        kernel = ws.Module(text.replace("sm_80", "sm_100").replace("8.0", "8.8"))["k"]
        report = kernel(1, 32, [np.zeros(4096, np.uint32)])
        assert [one.rule for one in report.findings] == rules, report.findings
