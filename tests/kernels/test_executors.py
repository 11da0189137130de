"""Blocks through pools and a cluster: workers that are killed, Ctrl-C, progress."""

import os
import signal
import time
from concurrent.futures import BrokenExecutor, Executor, ProcessPoolExecutor, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import Any

import numpy as np
import pytest

import warpsim as ws
from tests.support.evidence import compared
from tests.sweep import workers
from warpsim.sweep.renew import MOST_DEATHS, like

#: each thread makes `rounds` steps of a generator from its number, and adds up with the others of its block
KERNEL = """.version 7.8
.target sm_80
.address_size 64
.visible .entry walk(.param .u64 out, .param .u64 sums, .param .u32 rounds, .param .u32 more)
{ .reg .u32 %r<9>; .reg .u64 %d<5>; .reg .pred %p; .shared .align 4 .b8 last[4];
  ld.param.u64 %d0, [out]; ld.param.u64 %d1, [sums]; ld.param.u32 %r4, [rounds]; ld.param.u32 %r7, [more];
  mov.u32 %r0, %ctaid.x; mov.u32 %r1, %tid.x; mov.u32 %r2, %ntid.x; mad.lo.u32 %r3, %r0, %r2, %r1;
  mad.lo.u32 %r4, %r0, %r7, %r4; mov.u32 %r5, %r3;
LOOP: mad.lo.u32 %r5, %r5, 1664525, 1013904223; sub.u32 %r4, %r4, 1; setp.ne.u32 %p, %r4, 0; @%p bra LOOP;
  mul.wide.u32 %d2, %r3, 4; add.u64 %d3, %d0, %d2; st.global.u32 [%d3], %r5; red.global.add.u32 [%d1], %r5;
  red.global.max.u32 [%d1+4], %r5; st.shared.u32 [last], %r1; ret; }
"""
BLOCKS, THREADS = 4096, 64
WALK = ws.Module(KERNEL)["walk"]


def launched(
    executor: Executor | None, rounds: int, blocks: int = BLOCKS, **options: Any
) -> tuple[np.ndarray, ws.KernelReport]:
    out, sums = ws.uninitialized(blocks * THREADS, np.uint32), np.zeros(2, np.uint32)
    report = WALK(blocks, THREADS, (out, sums, rounds, 0), executor=executor, **options)
    return np.concatenate([out, sums]), report


class Killer:
    """Progress that kills a process after so many blocks, once."""

    def __init__(self, pids: list[int], after: int) -> None:
        self.pids, self.after = pids, after
        self.killed = 0
        self.heard: list[tuple[int, int]] = []

    def __call__(self, done: int, total: int) -> None:
        self.heard.append((done, total))
        if not self.killed and done >= self.after:
            self.killed = self.pids[0]
            os.kill(self.killed, signal.SIGKILL)


def assert_as_serial(found: tuple[np.ndarray, ws.KernelReport], rounds: int, what: str) -> None:
    array, report = found
    expected, serial = launched(None, rounds)
    assert np.array_equal(array, expected)
    assert np.array_equal(report.lines, serial.lines) and report.steps == serial.steps
    assert [one.rule for one in report.findings] == [one.rule for one in serial.findings] != []
    compared(f"words after {what}", array.size, at_least=200_000)


@pytest.mark.slow
@pytest.mark.parametrize("after", [1, 2000])
def test_launch_survives_a_killed_process_of_a_pool(after: int) -> None:
    with workers.processes() as pool:
        pool.submit(int).result()
        killer = Killer(list(pool._processes), after)
        found = launched(pool, 300, progress=killer)
    assert killer.killed and killer.heard[-1] == (BLOCKS, BLOCKS) and sorted(killer.heard) == killer.heard
    assert any("1 time a worker process died" in note for note in found[1].notes)
    assert_as_serial(found, 300, "a process of a pool was killed")


@pytest.mark.slow
def test_launch_on_a_cluster_survives_a_killed_worker() -> None:
    with workers.cluster() as client:
        pids = list(client.run(os.getpid).values())
        killer = Killer(pids, 500)
        found = launched(client.get_executor(), 2000, progress=killer)
        assert killer.killed and killer.heard[-1] == (BLOCKS, BLOCKS)
        assert killer.killed not in client.run(os.getpid).values()
    assert_as_serial(found, 2000, "a worker of the cluster was killed")


def dies() -> None:
    os._exit(3)


def test_workers_that_always_die_are_an_error_that_says_what_to_do() -> None:
    out, sums = np.zeros(8 * THREADS, np.uint32), np.zeros(2, np.uint32)
    with (
        ProcessPoolExecutor(1, initializer=dies) as pool,
        pytest.raises(BrokenProcessPool, match=r"the arrays are as they were\. Launch again with"),
    ):
        WALK(8, THREADS, (out, sums, 3, 0), executor=pool)
    assert not out.any() and not sums.any()


class Broken(ThreadPoolExecutor):
    def submit(self, *_: Any, **__: Any) -> Any:
        raise BrokenExecutor("gone")


def test_another_executor_that_breaks_is_an_error() -> None:
    with Broken(1) as pool, pytest.raises(BrokenExecutor, match=f"a ProcessPoolExecutor survives {MOST_DEATHS} deaths"):
        launched(pool, 3, 8)


def test_new_pool_is_like_the_old_one() -> None:
    with workers.processes(3) as pool:
        new = like(pool)
    assert new is not None
    with new:
        assert new._max_workers == 3 and new._mp_context.get_start_method() == "forkserver"
    with ThreadPoolExecutor(1) as threads:
        assert like(threads) is None


def interrupted(done: int, total: int) -> None:
    raise KeyboardInterrupt


@pytest.mark.parametrize("kind", ["threads", "processes"])
def test_interrupt_ends_the_pieces_leaves_the_arrays_and_the_pool_works_on(kind: str) -> None:
    """The later blocks would take minutes, and a process of the pool hears nothing of Ctrl-C in this one."""
    out, sums = np.zeros(8 * THREADS, np.uint32), np.zeros(2, np.uint32)
    with workers.executor_of(kind) as pool:
        assert pool is not None
        for _ in range(2):
            begin = time.monotonic()
            with pytest.raises(KeyboardInterrupt):
                WALK(8, THREADS, (out, sums, 2, 100_000_000), executor=pool, progress=interrupted)
            assert not out.any() and not sums.any()
            found, _ = launched(pool, 3, 8)
            assert time.monotonic() - begin < 60
            assert np.array_equal(found, launched(None, 3, 8)[0])
