"""Blocks that signal each other, and a wait that is missing: who waits looks before the next signal comes."""

from __future__ import annotations

import functools
import tempfile
from pathlib import Path

import numpy as np
import pytest

import warpsim as ws
from tests.support.evidence import compared
from tests.support.findings.headers import read_once
from tests.support.findings.marks import first_fast
from tests.support.findings.signals import (
    ADD,
    AGAIN,
    GRID,
    LAST,
    LEADERS,
    LOCK,
    NEIGHBOURS,
    QUEUE,
    SCAN,
    SLOTS,
    SOURCES,
    STARTED,
)
from warpsim import _engine as engine

HEADERS = tempfile.TemporaryDirectory()


@functools.cache
def compiled(source: str) -> ws.Module:
    return ws.compile(source, options=read_once(Path(HEADERS.name)))


def fresh(source: str) -> ws.Module:
    """A module whose variables are as at its beginning."""
    module = compiled(source)
    for variable in module.globals.values():
        variable[:] = 0
    return module


def program(source: str) -> engine.Program:
    return fresh(source)["k"]._entry.program()


def launched(source: str, second: str, rounds: int, blocks: int = 0, **told: int) -> tuple[str, ...]:
    """The findings of a launch."""
    waits = "2" if second else "1"
    text = source.replace("SECOND", second).replace("ROUNDS", str(rounds)).replace("WAITS", waits)
    blocks = blocks or (4 if source.endswith(NEIGHBOURS) else 3 if source == STARTED else 2)
    arrays = [np.zeros(blocks * 32, np.int32), np.zeros(blocks * 32, np.int32)]
    report = fresh(text)["k"](blocks, 32, arrays, cooperative=True, **told)
    return tuple(str(one) for one in report.findings)


@pytest.mark.parametrize("what", first_fast(*SOURCES))
@pytest.mark.parametrize("order", first_fast(0, 1, 2))
def test_a_second_wait_that_is_missing_is_found(what: str, order: int) -> None:
    source, second = SOURCES[what]
    assert launched(source, second, 3, order=order) == ()
    (found,) = {launched(source, "", 3, order=order, threads=threads) for threads in (1, 3)}
    assert found and all("WS-RUN-019" in one for one in found), found
    compared("waits that are missing, and twins that have them", 2, at_least=2)


@pytest.mark.slow
@pytest.mark.parametrize("what", SOURCES)
def test_many_signals_are_judged_alike(what: str) -> None:
    source, second = SOURCES[what]
    assert launched(source, second, 30) == ()
    assert launched(source, "", 30) != ()
    compared("waits that are missing, and twins that have them", 2, at_least=2)


def test_of_many_blocks_each_looks() -> None:
    assert launched(ADD, AGAIN, 3, blocks=60) == ()
    assert launched(ADD, "", 3, blocks=60) != ()
    compared("waits that are missing, and twins that have them", 2, at_least=2)


#: name -> a kernel each of whose blocks does the same, however far others are
ALONE = {
    "atomics that give nothing": 'asm volatile("red.global.add.u32 [%0], 1;" :: "l"(x));',
    "atomics of a block's own": "__shared__ int s; s = 0; __syncthreads(); y[threadIdx.x] = atomicAdd(&s, 1);",
    "volatile, but a block's own": "__shared__ volatile int s[32]; s[threadIdx.x] = 1; __syncwarp(); x[0] = s[1];",
    "plain loads": "x[blockIdx.x] = y[blockIdx.x];",
}
SEES = {
    "an atomic that gives what is there": "y[atomicAdd(&x[0], 1)] = 1;",
    "a volatile load": "y[0] = *(volatile int *)x;",
    "malloc": "y[0] = malloc(8) != nullptr;",
}


def test_kernels_whose_blocks_see_how_far_others_are_are_known() -> None:
    """What does not has all the threads that it is given."""
    sees = {
        what: source.replace("SECOND", "").replace("ROUNDS", "3").replace("WAITS", "1")
        for what, (source, _) in SOURCES.items()
    }
    sees |= {"a lock": LOCK.replace("TAKE", "atomicCAS(&lock, 0, 1)"), "the last block": LAST}
    head = 'extern "C" __global__ void k(int *x, int *y) {'
    sees |= {what: f"{head} {body} }}" for what, body in SEES.items()}
    alone = {what: f"{head} {body} }}" for what, body in ALONE.items()}
    for what, source in sees.items():
        assert engine.needs_order(program(source)), what
    for what, source in alone.items():
        assert not engine.needs_order(program(source)), what
    compared("kernels whose blocks see how far others are, and others", len(sees) + len(alone), at_least=12)


def test_who_comes_last_does_not_depend_on_threads() -> None:
    found = set()
    for threads in (1, 2, 3, 4) * 5:
        arrays = [np.arange(16, dtype=np.int32), np.zeros(16, np.int32)]
        report = fresh(LAST)["k"](16, 32, arrays, order=3, threads=threads)
        found.add(tuple(str(one) for one in report.findings))
    (told,) = found
    assert told and all("WS-RUN-046" in one for one in told), told
    compared("launches on several threads whose last block is told alike", 20, at_least=20)


@pytest.mark.parametrize("take", ["atomicCAS(&lock, 0, 1)", "atomicExch(&lock, 1)"])
def test_locks_that_are_taken_again_and_again_are_silent(take: str) -> None:
    x, y = np.zeros(1, np.int32), np.zeros(8, np.int32)
    report = fresh(LOCK.replace("TAKE", take))["k"](8, 32, [x, y])
    assert report.findings == () and x[0] == 160
    compared("locks that are right", 1, at_least=1)


@pytest.mark.parametrize("order", [0, 1, 2])
def test_a_scan_that_looks_back_is_silent(order: int) -> None:
    x, y = np.arange(64, dtype=np.int32), np.zeros(64 * 32, np.int32)
    report = fresh(SCAN)["k"](64, 32, [x, y], order=order)
    assert report.findings == ()
    np.testing.assert_array_equal(y.reshape(64, 32)[:, 0], np.cumsum(x) - x)
    compared("scans that look back", 1, at_least=1)


@pytest.mark.parametrize("order", [0, 1, 2])
@pytest.mark.parametrize("signal", ["state[b] = 1;", "atomicExch((int *)&state[b], 1);"])
def test_a_scan_that_publishes_its_part_without_a_fence_is_found(signal: str, order: int) -> None:
    wrong = SCAN.replace("__threadfence();\n        state[b] = 1;", signal)
    assert wrong != SCAN
    x, y = np.arange(64, dtype=np.int32), np.zeros(64 * 32, np.int32)
    report = fresh(wrong)["k"](64, 32, [x, y], order=order)
    assert any("WS-RUN-019" in str(one) for one in report.findings), report
    compared("scans that publish without a fence", 1, at_least=1)


@pytest.mark.parametrize("writer", [0, 1])
@pytest.mark.parametrize("slots", [1, 2, 4, 30])
def test_rings_that_are_too_lax_by_a_slot_or_a_barrier_are_found(writer: int, slots: int) -> None:
    def found(room: int, meet: str) -> set[str]:
        source = SLOTS.replace("WRITER", str(writer)).replace("ROOM", str(room)).replace("MEET", meet)
        arrays = [np.zeros(slots * 64, np.int32), np.zeros(64, np.int32)]
        report = fresh(source.replace("SLOTS", str(slots)))["k"](2, 64, arrays)
        return {one.rule for one in report.findings}

    assert found(slots, "__syncthreads();") == set()
    assert found(slots + 1, "__syncthreads();") == {"WS-RUN-019"}
    assert found(slots, "") == {"WS-RUN-019"}
    compared("waits that are missing, and twins that have them", 3, at_least=3)


@pytest.mark.parametrize("order", first_fast(0, 1, 2, 3))
@pytest.mark.parametrize("leader", first_fast(0, 1))
def test_one_block_of_each_cluster_meets_the_others(leader: int, order: int) -> None:
    """What a block of the cluster has done goes through the cluster's barrier and its leader to the others."""
    source = LEADERS.replace("LEADER", str(leader))
    for after, wanted in (("cg::this_cluster().sync();", set()), ("", {"WS-RUN-019"})):
        arrays = [np.zeros(6, np.int32), np.zeros(6, np.int32)]
        report = fresh(source.replace("AFTER", after))["k"](6, 1, arrays, order=order)
        assert {one.rule for one in report.findings if one.severity == "error"} == wanted
    compared("waits that are missing, and twins that have them", 2, at_least=2)


#: the compiler puts the first round of the one before its loop
POLLS = (
    """int seen;
        for (;;) {
            asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(seen) : "l"(&sequence[s]) : "memory");
            if (seen == wanted) break;
            __nanosleep(20);
        }""",
    "while (Number(sequence[s]).load(cuda::memory_order_acquire) != wanted) __nanosleep(20);",
)


@pytest.mark.parametrize("poll", first_fast(*POLLS))
@pytest.mark.parametrize("order", first_fast(0, 1, 2))
def test_a_queue_of_many_writers_and_readers(order: int, poll: str) -> None:
    """A slot's number is polled until it is right: that it may be old for a while is how it works."""
    for word, wanted in (("release", set()), ("relaxed", {"WS-RUN-019"})):
        x, y = np.zeros(2, np.int32), np.zeros(12, np.int32)
        report = fresh(QUEUE.replace("ORDER", word).replace("POLL", poll))["k"](6, 32, [x, y], order=order)
        assert {one.rule for one in report.findings if one.severity == "error"} == wanted
        np.testing.assert_array_equal(y, np.arange(12))
    compared("queues", 2, at_least=2)


#: what ends the block that others wait for -> the rule
ENDS = {
    "y[threadIdx.x] = x[threadIdx.x + 4096];": "WS-RUN-001",
    "y[threadIdx.x] = *(int *)((char *)x + 1);": "WS-RUN-003",
    "__trap();": "WS-RUN-009",
    "y[threadIdx.x] = __shfl_sync(1, threadIdx.x, 0);": "WS-RUN-004",
}


@pytest.mark.parametrize("body", first_fast(*ENDS))
@pytest.mark.parametrize("block", first_fast(0, 1, 3))
def test_who_waits_for_a_block_that_has_ended_does_not_hide_why(body: str, block: int) -> None:
    source = GRID + (
        'extern "C" __global__ void k(int *x, int *y) {'
        f" if (blockIdx.x == {block}) {{ {body} }} all_meet(0); x[threadIdx.x] = 1; }}"
    )
    for threads in (1, 4):
        arrays = [np.zeros(64, np.int32), np.zeros(64, np.int32)]
        with pytest.raises(ws.WarpsimError, match=ENDS[body]):
            fresh(source)["k"](4, 32, arrays, cooperative=True, threads=threads, on_finding="raise")
    compared("ends of blocks that others wait for", 2, at_least=2)
