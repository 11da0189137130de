"""Blocks that wait for each other: they take turns, end with any number of threads, and say what they wait for."""

from typing import Any

import numpy as np
import pytest

import warpsim as ws
from tests.support.evidence import compared

HEAD = """.version 8.0
.target sm_80
.address_size 64
"""
#: a grid barrier by a counter: every block arrives, thread 0 polls until all have come
GRID_BARRIER = """.visible .entry k(.param .u64 count, .param .u64 data, .param .u64 out) {
  .reg .b64 %d<9>; .reg .b32 %r<12>; .reg .pred %p<3>;
  ld.param.u64 %d0, [count]; ld.param.u64 %d1, [data]; ld.param.u64 %d2, [out];
  mov.u32 %r0, %tid.x; mov.u32 %r1, %ctaid.x; mov.u32 %r2, %nctaid.x; mov.u32 %r3, %ntid.x;
  mad.lo.u32 %r4, %r1, %r3, %r0; mul.wide.u32 %d3, %r4, 4; add.u64 %d4, %d1, %d3; add.u64 %d5, %d2, %d3;
  add.u32 %r5, %r1, 1; st.global.u32 [%d4], %r5;
  bar.sync 0;
  setp.ne.u32 %p0, %r0, 0; @%p0 bra DONE;
  membar.gl; atom.global.add.u32 %r6, [%d0], STEP;
L: atom.global.add.u32 %r7, [%d0], 0; setp.lt.u32 %p1, %r7, %r2; @%p1 bra L;
  membar.gl;
DONE: bar.sync 0;
  add.u32 %r8, %r1, 1; rem.u32 %r8, %r8, %r2;
  mad.lo.u32 %r9, %r8, %r3, %r0; mul.wide.u32 %d6, %r9, 4; add.u64 %d7, %d1, %d6;
  ld.global.u32 %r10, [%d7]; st.global.u32 [%d5], %r10;
  ret;
}
"""
#: blocks hand a flag from each to the next: block b waits for b (from the last to the first: for the next one)
CHAIN = """.visible .entry k(.param .u64 flags, .param .u64 out) {
  .reg .b64 %d<9>; .reg .b32 %r<12>; .reg .pred %p<3>;
  ld.param.u64 %d0, [flags]; ld.param.u64 %d1, [out];
  mov.u32 %r0, %tid.x; mov.u32 %r1, %ctaid.x; mov.u32 %r2, %nctaid.x;
  mul.wide.u32 %d2, %r1, 4; add.u64 %d3, %d0, %d2; add.u64 %d4, %d1, %d2;
  setp.ne.u32 %p0, %r0, 0; @%p0 bra DONE;
  add.u32 %r3, %r1, 1; mov.u32 %r5, 0; setp.eq.u32 %p1, %r3, %r2; @%p1 bra SET;
L: WAIT ld.acquire.gpu.global.u32 %r4, [%d3+4]; setp.eq.u32 %p2, %r4, 0; @%p2 bra L;
  ld.global.u32 %r5, [%d4+4];
SET: add.u32 %r6, %r5, 1; st.global.u32 [%d4], %r6; st.release.gpu.global.u32 [%d3], 1;
DONE: ret;
}
"""
#: a lock that all blocks take, one after the other
LOCK = """.visible .entry k(.param .u64 lock, .param .u64 sum) {
  .reg .b64 %d<4>; .reg .b32 %r<8>; .reg .pred %p<3>;
  ld.param.u64 %d0, [lock]; ld.param.u64 %d1, [sum];
  mov.u32 %r0, %tid.x; setp.ne.u32 %p0, %r0, 0; @%p0 bra DONE;
L: atom.acquire.gpu.global.cas.b32 %r1, [%d0], 0, 1; setp.ne.u32 %p1, %r1, 0; @%p1 bra L;
  ld.global.u32 %r2, [%d1]; add.u32 %r2, %r2, 1; st.global.u32 [%d1], %r2;
  UNLOCK
DONE: bar.sync 0; ret;
}
"""
UNLOCK = "atom.release.gpu.global.exch.b32 %r3, [%d0], 0;"
#: tickets: each block takes one and waits for its turn
TICKET = """.visible .entry k(.param .u64 tickets, .param .u64 sum) {
  .reg .b64 %d<4>; .reg .b32 %r<8>; .reg .pred %p<3>;
  ld.param.u64 %d0, [tickets]; ld.param.u64 %d1, [sum];
  mov.u32 %r0, %tid.x; setp.ne.u32 %p0, %r0, 0; @%p0 bra DONE;
  atom.global.add.u32 %r1, [%d0], FIRST;
L: ld.acquire.gpu.global.u32 %r2, [%d0+4]; setp.ne.u32 %p1, %r1, %r2; @%p1 bra L;
  ld.global.u32 %r3, [%d1]; add.u32 %r3, %r3, 1; st.global.u32 [%d1], %r3;
  add.u32 %r4, %r2, 1; st.release.gpu.global.u32 [%d0+4], %r4;
DONE: ret;
}
"""
ORDERS, THREADS = range(4), (1, 2, 3)


def words(count: int) -> np.ndarray:
    return np.zeros(count, np.uint32)


def silent(report: ws.KernelReport) -> bool:
    return not [one for one in report.findings if one.severity != "note"]


def run_barrier(grid: int, threads: int, order: int, **options: Any) -> None:
    data, out = words(grid * 64), words(grid * 64)
    kernel = ws.Module(HEAD + GRID_BARRIER.replace("STEP", "1"))["k"]
    report = kernel(grid, 64, [words(1), data, out], threads=threads, order=order, **options)
    assert silent(report), str(report)
    assert (out.reshape(grid, 64) == ((np.arange(grid) + 1) % grid + 1)[:, None]).all()
    compared("kernels whose blocks wait for each other", 1, at_least=1)


def run_chain(grid: int, threads: int, order: int, wait: str) -> None:
    out = words(grid + 1)
    report = ws.Module(HEAD + CHAIN.replace("WAIT", wait))["k"](
        grid, 32, [words(grid + 1), out], threads=threads, order=order
    )
    assert silent(report), str(report)
    assert out[:grid].tolist() == list(range(grid, 0, -1))
    compared("kernels whose blocks wait for each other", 1, at_least=1)


def run_counted(text: str, first: list[int], grid: int, threads: int, order: int) -> None:
    total = words(1)
    report = ws.Module(HEAD + text)["k"](grid, 64, [np.array(first, np.uint32), total], threads=threads, order=order)
    assert silent(report), str(report)
    assert total[0] == grid
    compared("kernels whose blocks wait for each other", 1, at_least=1)


@pytest.mark.parametrize("threads", THREADS)
@pytest.mark.parametrize("order", ORDERS)
def test_blocks_that_wait_for_each_other_end_in_any_order_with_any_number_of_threads(order: int, threads: int) -> None:
    run_barrier(3, threads, order)
    run_barrier(7, threads, order)
    run_chain(5, threads, order, "")
    run_chain(5, threads, order, "nanosleep.u32 20;")
    run_counted(LOCK.replace("UNLOCK", UNLOCK), [0], 6, threads, order)
    run_counted(TICKET.replace("FIRST", "1"), [0, 0], 6, threads, order)


WRONG = {
    "barrier of the grid that one block too many is expected at": (
        GRID_BARRIER.replace("STEP", "1").replace("%nctaid.x;", "%nctaid.x; add.u32 %r2, %r2, 1;"),
        lambda: [words(1), words(400), words(400)],
    ),
    "barrier that nobody counts at": (GRID_BARRIER.replace("STEP", "0"), lambda: [words(1), words(400), words(400)]),
    "lock that nobody gives back": (LOCK.replace("UNLOCK", ""), lambda: [words(1), words(1)]),
    "tickets that begin too late": (TICKET.replace("FIRST", "1"), lambda: [np.array([1, 0], np.uint32), words(1)]),
    "flag that nobody sets": (
        CHAIN.replace("WAIT", "").replace("st.release.gpu.global.u32 [%d3], 1;", ""),
        lambda: [words(8), words(8)],
    ),
    "flag that nobody sets, with pauses": (
        CHAIN.replace("WAIT", "nanosleep.u32 20;").replace("st.release.gpu.global.u32 [%d3], 1;", ""),
        lambda: [words(8), words(8)],
    ),
}


@pytest.mark.parametrize("threads", (1, 3))
@pytest.mark.parametrize("name", WRONG)
def test_blocks_that_wait_for_ever_end_and_say_what_they_poll(name: str, threads: int) -> None:
    text, args = WRONG[name]
    with pytest.raises(ws.DeadlockError) as told:
        ws.Module(HEAD + text)["k"](3, 64, args(), threads=threads)
    message = str(told.value)
    polls = text.split("L: ")[1].replace("nanosleep.u32 20; ", "").split()[0]
    polled = [line for line in message.splitlines() if " polls " in line]
    assert polled and all(polls in line and " bytes into " in line for line in polled), message
    assert "write what these warps poll" in message, message
    assert "exited" not in message, message


@pytest.mark.slow  # 264 blocks of 1,024 threads, until nothing has changed for long
def test_grid_barrier_of_more_blocks_than_a_gpu_holds_says_so() -> None:
    with pytest.raises(ws.DeadlockError, match=r"6 clusters or blocks have not started: 264 run at once"):
        ws.Module(HEAD + GRID_BARRIER.replace("STEP", "1"))["k"](
            270, 1024, [words(1), words(270 << 10), words(270 << 10)], check=False, count=False
        )


def test_limit_of_steps_says_who_polls_and_who_is_missing() -> None:
    with pytest.raises(ws.StepLimitError) as told:
        ws.Module(HEAD + LOCK.replace("UNLOCK", UNLOCK))["k"](2, 64, [np.ones(1, np.uint32), words(1)], max_steps=2000)
    message = str(told.value)
    assert "block (0, 0, 0), warp 0, lane 0 polls an address 0 bytes into lock (4 bytes)" in message, message
    assert "missing at barrier 0: lane 0 of warp 0" in message, message
    assert "exited" not in message
    assert "write what these warps poll" in message


#: a loop: what it polls, or None
LOOPS: dict[str, str | None] = {
    "L: ld.volatile.global.u32 %r1, [%d0]; st.global.u32 [%d0+8], 0; setp.eq.u32 %p, %r1, 0; @%p bra L;": "ld.volatile",
    "L: atom.global.cas.b32 %r1, [%d0], 1, 0; setp.eq.u32 %p, %r1, 0; @%p bra L;": "atom.global.cas",
    "L: add.u32 %r2, %r2, 1; st.global.u32 [%d0], %r2; bra L;": None,
    "L: add.u32 %r2, %r2, 1; st.global.u32 [%d0+4], %r2; ld.volatile.global.u32 %r1, [%d0]; bra L;": None,
    "L: ld.global.u32 %r1, [%d0]; add.u32 %r2, %r2, %r1; bra L;": None,
    "ld.volatile.global.u32 %r1, [%d0]; st.global.u32 [%d0], %r1; L: bra L;": None,
    "st.global.u32 [%d0], 1;" * 3000: None,
}


@pytest.mark.parametrize("threads", (1, 1024))
def test_limit_of_steps_names_a_poll_only_in_a_loop_that_changes_nothing(threads: int) -> None:
    for loop, polled in LOOPS.items():
        head = (
            ".visible .entry k(.param .u64 p) { .reg .b64 %d0; .reg .b32 %r<3>; .reg .pred %p; ld.param.u64 %d0, [p];"
        )
        text = f"{head} {loop} ret; }}"
        with pytest.raises(ws.StepLimitError) as told:
            ws.Module(HEAD + text)["k"](1, threads, [words(4)], max_steps=1000)
        message = str(told.value)
        named = f"{'lane 0 polls' if threads == 1 else 'lanes 0-31 poll'} an address 0 bytes into p (16 bytes), line"
        assert (named in message) == (polled is not None) == ("these warps poll" in message), message
        assert polled is None or polled in message.split(named)[1]


#: block 0 counts by its own atomics, and block 1 keeps how far that came
COUNTS = """.visible .entry k(.param .u64 count) {
  .reg .b64 %d<2>; .reg .b32 %r<3>; .reg .pred %p;
  ld.param.u64 %d0, [count]; mov.u32 %r1, %ctaid.x;
  setp.eq.u32 %p, %r1, 0; @%p bra L;
  ld.relaxed.gpu.global.u32 %r2, [%d0]; st.global.u32 [%d0+4], %r2; ret;
L: atom.global.add.u32 %r2, [%d0], 1; setp.lt.u32 %p, %r2, 100000; @%p bra L; ret;
}
"""


def test_a_block_whose_atomics_change_something_ends_before_the_next_one_starts() -> None:
    for order in ORDERS:
        count = words(2)
        report = ws.Module(HEAD + COUNTS)["k"](2, 1, [count], order=order)
        assert silent(report), str(report)
        assert count.tolist() == [100001, 100001]


POLLS = """.visible .entry k() {
  .reg .b32 %r<2>; .reg .pred %p; .shared .align 4 .b8 flags[64];
  mov.u32 %r0, flags; st.shared.u32 [%r0+8], 0; bar.sync 0;
L: ld.volatile.shared.u32 %r1, [%r0+8]; setp.eq.u32 %p, %r1, 0; @%p bra L;
  ret;
}
"""


def test_what_is_polled_in_shared_memory_has_its_name() -> None:
    with pytest.raises(ws.DeadlockError, match=r"lanes 0-31 poll an address 8 bytes into flags \(64 bytes\)"):
        ws.Module(HEAD + POLLS)["k"](1, 32, [])


#: block 1 keeps what it finds; in block 0, warp 1 looks now and then while it computes, then ends the polls of warp 0
LOOKS = """.visible .entry k(.param .u64 flag) {
  .reg .b64 %d<2>; .reg .b32 %r<6>; .reg .pred %p<2>;
  ld.param.u64 %d0, [flag]; mov.u32 %r0, %tid.x; mov.u32 %r1, %ctaid.x;
  setp.eq.u32 %p0, %r1, 0; @%p0 bra WORK;
  ld.relaxed.gpu.global.u32 %r2, [%d0]; setp.eq.u32 %p0, %r0, 0; @%p0 st.global.u32 [%d0+4], %r2; ret;
WORK:
  setp.ge.u32 %p0, %r0, 32; mov.u32 %r1, 0; @%p0 bra A;
L: ld.relaxed.gpu.global.u32 %r2, [%d0]; setp.eq.u32 %p1, %r2, 0; @%p1 bra L;
  ret;
A: ld.relaxed.gpu.global.u32 %r2, [%d0]; mov.u32 %r3, 0;
B: add.u32 %r3, %r3, 1; setp.lt.u32 %p1, %r3, 10000; @%p1 bra B;
  add.u32 %r1, %r1, 1; setp.lt.u32 %p1, %r1, 12; @%p1 bra A;
  st.relaxed.gpu.global.u32 [%d0], 1;
  ret;
}
"""


def test_a_block_with_a_warp_that_computes_ends_before_the_next_one_starts() -> None:
    for order in ORDERS:
        flag = words(2)
        ws.Module(HEAD + LOOKS)["k"](2, 64, [flag], order=order, check=False, count=False)
        assert flag.tolist() == [1, 1]


def test_the_first_statement_may_be_the_poll() -> None:
    text = """.visible .entry k() { .shared .u32 flag; .reg .b32 %r; .reg .pred %p;
L: ld.volatile.shared.u32 %r, [flag]; setp.eq.u32 %p, %r, 0; @%p bra L; ret; }
"""
    with pytest.raises(ws.DeadlockError, match=r"lanes 0-31 poll an address 0 bytes into flag \(4 bytes\)"):
        ws.Module(HEAD + text)["k"](1, 32, (), max_steps=10**6)


#: warp 0 polls in a function that was called so often by itself; the other one sets the flag late, or another one
CALLED = """.func f(.reg .b32 depth, .reg .b32 at) {
  .reg .pred %p; .reg .b32 %r<2>;
  setp.eq.u32 %p, depth, 0; @%p bra L; sub.u32 %r0, depth, 1; call f, (%r0, at); ret;
L: ld.volatile.shared.u32 %r1, [at]; setp.eq.u32 %p, %r1, 0; @%p bra L;
  ret;
}
.visible .entry k(.param .u32 depth, .param .u32 set) {
  .reg .b32 %r<6>; .reg .pred %p; .shared .align 4 .b8 flags[64];
  ld.param.u32 %r0, [depth]; ld.param.u32 %r1, [set]; mov.u32 %r2, flags; mov.u32 %r3, %tid.x; mov.u32 %r5, 0;
  st.volatile.shared.u32 [%r2+8], 0; bar.sync 0; setp.ge.u32 %p, %r3, 32; @%p bra SET;
  add.u32 %r4, %r2, 8; call f, (%r0, %r4); ret;
SET: add.u32 %r5, %r5, 1; setp.lt.u32 %p, %r5, 10000; @%p bra SET;
  add.u32 %r2, %r2, %r1; st.volatile.shared.u32 [%r2], 1; ret;
}
"""


@pytest.mark.parametrize(("depth", "order"), [(0, 0), (1, 3), (5, 0)])
def test_a_poll_in_a_function_is_a_deadlock_only_if_nobody_ends_it(depth: int, order: int) -> None:
    kernel = ws.Module(HEAD + CALLED)["k"]
    assert kernel(1, 64, [depth, 8], order=order).ok
    with pytest.raises(ws.DeadlockError, match=r"lanes 0-31 poll an address 8 bytes into flags \(64 bytes\)"):
        kernel(1, 64, [depth, 12], order=order)


#: blocks take items of a queue: two items lie at one word
QUEUE = """.visible .entry k(.param .u64 count, .param .u64 sums, .param .u64 who, .param .u32 words) {
  .reg .b64 %d<9>; .reg .b32 %r<12>; .reg .pred %p<3>;
  ld.param.u64 %d0, [count]; ld.param.u64 %d1, [sums]; ld.param.u64 %d2, [who]; ld.param.u32 %r9, [words];
  mov.u32 %r1, %ctaid.x; mov.u32 %r0, %tid.x; setp.ne.u32 %p0, %r0, 0; @%p0 bra DONE;
L: atom.global.add.u32 %r2, [%d0], 1;
  setp.ge.u32 %p1, %r2, 64; @%p1 bra DONE;
  mul.wide.u32 %d3, %r2, 4; add.u64 %d4, %d2, %d3; add.u32 %r3, %r1, 1; st.global.u32 [%d4], %r3;
  PLACE mul.wide.u32 %d5, %r4, 4; add.u64 %d6, %d1, %d5;
  UPDATE
  bra L;
DONE: ret;
}
"""
NEXT, AFAR, OWN = "shr.u32 %r4, %r2, 1;", "rem.u32 %r4, %r2, %r9;", "mov.u32 %r4, %r2;"
PLAIN = "ld.global.u32 %r5, [%d6]; add.u32 %r5, %r5, 1; st.global.u32 [%d6], %r5;"


def taken(place: str, update: str, *, order: int = 0, grid: int = 4, apart: int = 0) -> ws.KernelReport:
    text = HEAD + QUEUE.replace("PLACE", place).replace("UPDATE", update)
    who = np.zeros(64, np.uint32)
    arrays = [np.zeros(1, np.uint32), np.zeros(64, np.uint32), who]
    report = ws.Module(text)["k"](grid, 32, [*arrays, np.uint32(apart or grid)], order=order)
    assert set(who) == set(range(1, grid + 1))
    return report


@pytest.mark.parametrize("order", [0, 1, 5])
def test_blocks_that_take_items_of_a_queue_take_turns(order: int) -> None:
    """Also where every n-th item lies at one word, and there are n blocks."""
    for grid in (2, 3, 4, 8):
        assert {one.rule for one in taken(NEXT, PLAIN, order=order, grid=grid).findings} == {"WS-RUN-019"}
        assert {one.rule for one in taken(AFAR, PLAIN, order=order, grid=grid).findings} == {"WS-RUN-019"}
    compared("queues whose items lie at one word", 8, at_least=8)


@pytest.mark.parametrize("order", [0, 1, 5])
def test_blocks_that_take_items_of_a_queue_may_have_them(order: int) -> None:
    assert taken(OWN, PLAIN, order=order).findings == ()
    assert taken(NEXT, "red.global.add.u32 [%d6], 1;", order=order).findings == ()
    compared("queues whose items are apart", 2, at_least=2)
