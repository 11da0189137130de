"""What ends a launch: the rule, the place and the fix of a matrix instruction, of local memory, of lanes that wait."""

import numpy as np
import pytest

import warpsim as ws

HEAD = """.version 8.0
.target sm_90
.address_size 64
.visible .entry k(.param .u64 p) {
.reg .b32 %r<8>; .reg .b64 %d<4>; .reg .pred %q;
.shared .align 16 .b8 s[512];
ld.param.u64 %d0, [p];
"""
WMMA = "wmma.load.a.sync.aligned.row.m16n16k16.global.f16"
LOAD = "ldmatrix.sync.aligned.m8n8.x1"
#: body -> the rule, what the message says, what the fix says
STOPS = {
    f"mov.u32 %r0, 100000; {LOAD}.shared.b16 {{%r1}}, [%r0];": (
        "WS-RUN-001", "row outside shared memory (WS-LDM-002) at shared address 0x186a0", "Check the tile's offset",
    ),
    f"{LOAD}.b16 {{%r1}}, [%d0];": (
        "WS-RUN-001", "generic address outside shared memory (WS-LDM-003)", "Pass a shared address and write .shared",
    ),
    f"mov.u64 %d1, 64; {LOAD}.b16 {{%r1}}, [%d1];": (
        "WS-RUN-001", "(WS-LDM-003) at generic address 0x40, a null pointer", "Pass a shared address and write .shared",
    ),
    "mov.u64 %d1, 64; ld.u32 %r1, [%d1];": ("WS-RUN-001", "0x40, a null pointer", "The pointer is null: pass an array"),
    f"mov.u32 %r0, s; add.u32 %r0, %r0, 4; {LOAD}.shared.b16 {{%r1}}, [%r0];": (
        "WS-RUN-003", "misaligned row address (WS-LDM-001) at shared address 0x4, 4 bytes into s", "Make base, pitch",
    ),
    f"mov.u32 %r0, 7; {WMMA} {{%r0,%r1,%r2,%r3,%r4,%r5,%r6,%r7}}, [%d0], %r0;": (
        "WS-RUN-015", "stride below the default (WS-WML-003)", "Pass the pitch of the matrix in elements",
    ),
    "mov.u64 %d1, 0; ld.local.u32 %r1, [%d1];": (
        "WS-RUN-001", "local address 0x0, no function that runs has a variable there", "Check the index",
    ),
}  # fmt: skip


@pytest.mark.parametrize("body", STOPS)
def test_what_ends_a_launch_is_told(body: str) -> None:
    rule, message, fix = STOPS[body]
    report = ws.Module(f"{HEAD}{body}\nret; }}")["k"](1, 32, [np.zeros(1024, np.uint32)], on_finding="record")
    told = [one for one in report.findings if one.severity == "error"]
    assert [one.rule for one in told] == [rule] and message in told[0].message and told[0].fix.startswith(fix)


def test_a_deadlock_names_the_lanes_that_others_wait_for() -> None:
    body = "mov.u32 %r0, %laneid; setp.lt.u32 %q, %r0, 16; @%q bra L; bar.warp.sync -1; ret; L: bar.sync 1, 64; ret; }"
    with pytest.raises(ws.DeadlockError, match=r"lanes 16-31, line 8: bar\.warp\.sync, waits for lanes 0-15"):
        ws.Module(HEAD + body)["k"](1, 32, [np.zeros(1, np.uint32)])


def test_a_barrier_that_no_warp_has_come_to_as_a_whole_says_how_many_it_is_for() -> None:
    body = "mov.u32 %r0, %laneid; setp.lt.u32 %q, %r0, 16; @!%q bra L; bar.warp.sync -1; ret; L: bar.sync 0; ret; }"
    with pytest.raises(ws.DeadlockError, match="waits at barrier 0: 0 of 64 threads have arrived"):
        ws.Module(HEAD + body)["k"](1, 64, [np.zeros(1, np.uint32)])


@pytest.mark.parametrize(("blocks", "said"), [(1, "1 block;"), (2, "2 blocks;"), (8, "8 blocks;")])
@pytest.mark.parametrize(
    ("maps", "space"),
    [
        ("mapa.shared::cluster.u32 %r1, %r0, %r2; ld.shared::cluster.u32 %r3, [%r1];", "shared::cluster"),
        ("cvt.u64.u32 %d1, %r0; cvta.shared.u64 %d1, %d1; mapa.u64 %d2, %d1, %r2; ld.u32 %r3, [%d2];", "generic"),
    ],
)
def test_a_rank_beyond_the_cluster_is_named(maps: str, space: str, blocks: int, said: str) -> None:
    meet = "barrier.cluster.arrive; barrier.cluster.wait;"
    body = f"mov.u32 %r0, s; st.shared.u32 [s], %r0; {meet} mov.u32 %r2, RANK; {maps} {meet} ret; }}"
    for rank in (blocks - 1, blocks):
        kernel = ws.Module(HEAD + body.replace("RANK", str(rank)))["k"]
        report = kernel(blocks, 1, [np.zeros(1, np.uint32)], cluster=blocks, on_finding="record")
        told = [one for one in report.findings if one.severity == "error"]
        assert [one.rule for one in told] == ["WS-RUN-001"] * (rank == blocks)
    assert f"read of 4 bytes at {space} address" in told[0].message
    assert f"of rank {blocks} in a cluster of {said}" in told[0].message
    assert told[0].fix == "Take a rank below the number of blocks of the cluster (%cluster_nctarank)."
