"""Blocks that wait for another one in loops that do more than poll: barriers, stores, atomics, work of other warps."""

import functools

import numpy as np
import pytest

import warpsim as ws
from tests.support.evidence import compared

#: how block 0 waits, and the most warps that can wait so
WAITS = {
    "while (!__syncthreads_or(*flag)) ;": 8,
    "for (;;) { bool d = *flag != 0; __syncthreads(); if (__syncthreads_or(d)) break; }": 8,
    "__shared__ bool done; for (;;) { if (threadIdx.x == 0) { done = *flag != 0; __threadfence(); } __syncthreads();"
    " if (done) break; __syncthreads(); }": 8,
    "__shared__ int done; for (;;) { if (threadIdx.x == 0) { done = *flag; __threadfence(); }"
    ' asm volatile("bar.sync 1;" ::: "memory"); if (done) break; asm volatile("bar.sync 2;" ::: "memory"); }': 8,
    "if (threadIdx.x == 0) while (!*flag) out[1]++;": 8,
    "if (threadIdx.x == 0) while (atomicCAS((int*)flag, 1, 1) != 1) atomicAdd(out + 1, 1);": 8,
    "while (!__syncthreads_or(*flag)) if (threadIdx.x == 0) out[1]++;": 8,
}
SOURCE = """__global__ void k(volatile int* flag, int* out) {
  if (blockIdx.x == 0) { WAITS __threadfence(); if (threadIdx.x == 0) out[2] = *out; }
  else if (threadIdx.x == 0 && blockIdx.x == 1) { *out = 7; __threadfence(); SETS } }
"""
SETS = "*flag = 1;"
#: blocks take items of a list, push others, and end when nothing is left to do
LIST = """__global__ void k(int* q, unsigned* head, unsigned* tail, unsigned* pending, int* out) {
  __shared__ int item; __shared__ bool done;
  for (;;) {
    if (threadIdx.x == 0) { item = -1; done = false;
      unsigned h = *(volatile unsigned*)head;
      if (h < *(volatile unsigned*)tail && atomicCAS(head, h, h + 1) == h) {
        int v; while ((v = *(volatile int*)&q[h]) < 0) ; __threadfence(); item = v; }
      else if (*(volatile unsigned*)pending == 0) done = true; }
    __syncthreads();
    if (done) break;
    int it = item;
    if (it >= 0) {
      out[it * 64 + threadIdx.x] = it;
      __syncthreads();
      if (threadIdx.x == 0) {
        if (it * 2 + 2 < 31) { atomicAdd(pending, 2); unsigned t = atomicAdd(tail, 2);
          ((volatile int*)q)[t] = it * 2 + 1; ((volatile int*)q)[t + 1] = it * 2 + 2; }
        atomicSub(pending, 1); } }
    __syncthreads();
  } }
"""
#: warp 0 waits for another block, and ends the work of warp 1, which ends nothing
BESIDE = """volatile __shared__ int done; if (threadIdx.x == 0) done = 0; __syncthreads();
  if (threadIdx.x == 0) { while (!*flag) ; done = 1; } else if (threadIdx.x == 32) {
  int n = 0; while (!done) n = n * 5 + 1; out[1] = n; }"""


@functools.cache
def compiled(source: str) -> ws.Module:
    return ws.compile(source, name="k", target="sm_90")


def waits(how: str, sets: str) -> ws.Module:
    return compiled(SOURCE.replace("WAITS", how).replace("SETS", sets))


def silent(report: ws.KernelReport) -> bool:
    return not [one for one in report.findings if one.severity != "note"]


@pytest.mark.parametrize("check", [True, False])
@pytest.mark.parametrize("how", WAITS)
def test_a_block_that_waits_lets_the_other_start_whatever_else_it_does(how: str, check: bool) -> None:
    kernel = waits(how, SETS)["k"]
    for threads in (1, 2):
        for order in range(6):
            for block in (32, 32 * WAITS[how]):
                out = np.zeros(3, np.int32)
                report = kernel(
                    9, block, (np.zeros(1, np.int32), out), threads=threads, order=order, check=check, max_steps=10**6
                )
                assert silent(report) and out[2] == 7, (threads, order, block, str(report))
    compared("launches whose blocks wait in loops that do more", 24, at_least=24)


@pytest.mark.parametrize("order", [0, 1, 5])
def test_blocks_of_a_list_of_work_wait_for_each_other(order: int) -> None:
    for blocks in (1, 2, 3, 8):
        for check in (True, False):
            q, out = np.array([0] + [-1] * 63, np.int32), ws.uninitialized(31 * 64, np.int32)
            head, tail, pending = np.zeros(1, np.uint32), np.ones(1, np.uint32), np.ones(1, np.uint32)
            report = compiled(LIST)["k"](
                blocks, 64, (q, head, tail, pending, out), order=order, check=check, max_steps=10**6
            )
            assert silent(report), str(report)
            assert (out.reshape(31, 64) == np.arange(31)[:, None]).all() and (head, tail, pending) == (31, 31, 0)
    compared("lists of work", 8, at_least=8)


def test_a_block_with_a_warp_that_works_until_another_one_ends_it_lets_others_start() -> None:
    for order in (0, 3):
        out = np.zeros(3, np.int32)
        waits(BESIDE, SETS)["k"](
            2, 64, (np.zeros(1, np.int32), out), order=order, check=False, count=False, max_steps=10**8
        )
        assert out[2] == 7


@pytest.mark.parametrize("check", [True, False])
@pytest.mark.parametrize("how", list(WAITS)[:4])
def test_barriers_in_a_loop_that_waits_for_ever_are_a_deadlock(how: str, check: bool) -> None:
    for threads in (1, 2):
        for order in (0, 1):
            with pytest.raises(ws.DeadlockError, match=r"0 polls? .*0 bytes into flag \(4 bytes\)|0-31 poll .* flag"):
                waits(how, "")["k"](
                    2, 64, (np.zeros(1, np.int32), np.zeros(3, np.int32)), threads=threads, order=order, check=check,
                    max_steps=3 * 10**7,
                )  # fmt: skip
    compared("loops with barriers that wait for ever", 4, at_least=4)


@pytest.mark.parametrize("how", list(WAITS)[4:])
def test_the_limit_of_steps_names_what_a_loop_that_stores_waits_for(how: str) -> None:
    with pytest.raises(ws.StepLimitError, match=r"polls? an address 0 bytes into flag \(4 bytes\)") as told:
        waits(how, "")["k"](2, 64, (np.zeros(1, np.int32), np.zeros(3, np.int32)), max_steps=2 * 10**5)
    assert "write what these warps poll" in str(told.value) and "not started" not in str(told.value)


def test_the_limit_of_steps_says_who_has_not_started() -> None:
    with pytest.raises(ws.StepLimitError, match=r"polls? an address .*\n  4 clusters or blocks have not started\n"):
        waits(next(iter(WAITS)), SETS)["k"](5, 64, (np.zeros(1, np.int32), np.zeros(3, np.int32)), max_steps=500)
