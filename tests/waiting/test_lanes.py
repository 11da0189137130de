"""Lanes of one warp that wait: for a lane that polls, and for each other."""

import numpy as np
import pytest

import warpsim as ws
from tests.support.evidence import compared

HEAD = """.version 8.0
.target sm_80
.address_size 64
.visible .entry k(.param .u64 flag, .param .u64 out) {
  .reg .b64 %d<9>; .reg .b32 %r<12>; .reg .pred %p<4>;
  ld.param.u64 %d0, [flag]; ld.param.u64 %d1, [out];
  mov.u32 %r0, %tid.x; mul.wide.u32 %d2, %r0, 4; add.u64 %d3, %d1, %d2;
"""
END = "DONE: bar.sync 0; mov.u32 %r9, 1; st.global.u32 [%d3], %r9; ret; }"
POLL = "L: atom.global.add.u32 %r1, [%d0], 0; setp.eq.u32 %p1, %r1, 0; @%p1 bra L;"
SLOW = "mov.u32 %r5, 0; W: add.u32 %r5, %r5, 1; setp.lt.u32 %p2, %r5, 3000; @%p2 bra W;"
SET = "atom.global.exch.b32 %r2, [%d0], 1;"
#: thread 0 polls until the last warp, or a lane of its own warp, sets the flag
RIGHT = {
    "first thread polls": f"""setp.eq.u32 %p0, %r0, 0; @%p0 bra L;
      setp.ne.u32 %p3, %r0, SETTER; @%p3 bra DONE; {SLOW} {SET} bra.uni DONE; {POLL} """,
    "first thread polls, and its loop comes last": f"""setp.eq.u32 %p0, %r0, 0; @%p0 bra L;
      setp.ne.u32 %p3, %r0, SETTER; @%p3 bra DONE; {SLOW} {SET} bra.uni DONE;
      Z: bra.uni DONE; {POLL} bra.uni Z; """,
    "first thread polls with pauses": f"""setp.eq.u32 %p0, %r0, 0; @%p0 bra L;
      setp.ne.u32 %p3, %r0, SETTER; @%p3 bra DONE; {SLOW} {SET} bra.uni DONE;
      {POLL.replace("L: ", "L: nanosleep.u32 9; ")} """,
    "first thread acquires a flag that is released": f"""setp.eq.u32 %p0, %r0, 0; @%p0 bra L;
      setp.ne.u32 %p3, %r0, SETTER; @%p3 bra DONE; {SLOW} st.release.gpu.global.u32 [%d0], 1; bra.uni DONE;
      {POLL.replace("atom.global.add.u32 %r1, [%d0], 0", "ld.acquire.gpu.global.u32 %r1, [%d0]")} """,
}
#: what the threads of a warp do with a lock: each adds 1 to the word behind it
LOCK = """L: atom.acquire.gpu.global.cas.b32 %r1, [%d0], 0, 1; setp.ne.u32 %p1, %r1, 0; @%p1 bra L;
  ld.global.u32 %r2, [%d0+4]; add.u32 %r2, %r2, 1; st.global.u32 [%d0+4], %r2;
  atom.release.gpu.global.exch.b32 %r3, [%d0], 0; """
#: each lane waits for the one before it
RELAY = """setp.eq.u32 %p0, %r0, 0; add.u64 %d4, %d0, %d2; @%p0 bra GIVE;
  L: ld.acquire.gpu.global.u32 %r1, [%d4]; setp.eq.u32 %p1, %r1, 0; @%p1 bra L;
  GIVE: st.release.gpu.global.u32 [%d4+4], 1; """
#: barriers that lanes really miss
WRONG = {
    "barrier in a branch": "setp.ge.u32 %p0, %r0, 16; @%p0 bra DONE; bar.sync 0;",
    "two barriers": "setp.ge.u32 %p0, %r0, 16; @%p0 bra B; bar.sync 0; bra.uni OUT; B: bar.sync 0; OUT:",
    "return before the barrier": "setp.eq.u32 %p0, %r0, 5; @%p0 ret;",
    "lane that polls, then returns": f"setp.ne.u32 %p0, %r0, 0; @%p0 bra S; {POLL} ret; S: {SLOW} {SET}",
    "barrier of 32 threads in a branch, the others leave": "setp.ge.u32 %p0, %r0, 16; @%p0 ret; bar.sync 1, 32;",
}


def launch(body: str, threads: int, order: int, flags: int = 2) -> tuple[list[str], np.ndarray, np.ndarray]:
    flag, out = np.zeros(max(flags, threads + 1), np.uint32), np.zeros(threads, np.uint32)
    report = ws.Module(HEAD + body + END)["k"](1, threads, [flag, out], order=order)
    return [one.rule for one in report.findings if one.severity != "note"], flag, out


@pytest.mark.parametrize("name", RIGHT)
def test_lanes_that_wait_for_a_polling_lane_are_not_accused(name: str) -> None:
    count = 0
    for threads, setter in ((32, 1), (32, 31), (64, 32), (256, 255), (33, 32)):
        for order in range(6):
            found, _, out = launch(RIGHT[name].replace("SETTER", str(setter)), threads, order)
            assert not found, (threads, setter, order, found)
            assert out.all()
            count += 1
    compared("launches whose lanes wait for a polling lane", count, at_least=30)


def test_lanes_that_wait_for_each_other_go_on() -> None:
    for order in range(6):
        found, flag, out = launch(LOCK, 64, order)
        assert not found, (order, found)
        assert flag.tolist()[:2] == [0, 64]
        found, _, out = launch(RELAY, 64, order)
        assert not found, (order, found)
        assert out.all()


@pytest.mark.parametrize("name", WRONG)
def test_barriers_that_lanes_really_miss_are_told(name: str) -> None:
    for order in range(6):
        try:
            found = launch(WRONG[name], 64, order)[0]
        except ws.DeadlockError:
            continue
        assert "WS-RUN-024" in found, (order, found)
