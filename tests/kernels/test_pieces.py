"""Launches through executors, counted instructions, what a launch says while it runs and of what is wrong."""

import pickle
import tracemalloc
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest

import warpsim as ws
from tests.support.evidence import compared
from warpsim.kernel.watch import Follower, Watch

KERNELS = """.version 7.8
.target sm_80
.address_size 64
.file 1 "dir/k.cu"
.extern .func (.param .b32 r) vprintf (.param .b64 f, .param .b64 v);
.global .align 1 .b8 text[4] = {104, 105, 10, 0};
.visible .entry atomics(.param .u64 out, .param .u64 sums, .param .u32 races)
{ .reg .u32 %r<9>; .reg .u64 %d<9>; .reg .pred %p;
  ld.param.u64 %d0, [out]; ld.param.u64 %d1, [sums]; ld.param.u32 %r5, [races];
  mov.u32 %r0, %ctaid.x; mov.u32 %r1, %tid.x; mov.u32 %r2, %ntid.x; mad.lo.u32 %r3, %r0, %r2, %r1;
  mul.wide.u32 %d2, %r3, 4; add.u64 %d3, %d0, %d2; st.global.u32 [%d3], %r3; cvt.u64.u32 %d4, %r3;
  red.global.add.u32 [%d1], %r3; red.global.max.s32 [%d1+4], %r3; red.global.xor.b32 [%d1+8], %r3;
  red.global.and.b32 [%d1+12], %r3; red.global.min.u32 [%d1+16], %r3; red.global.or.b32 [%d1+20], %r3;
  red.global.add.u64 [%d1+24], %d4; st.global.u32 [%d1+32], %r5;
  setp.ne.u32 %p, %r5, 0; @%p st.global.u32 [%d1+36], %r0; @%p atom.global.exch.b32 %r4, [%d1+40], %r0; ret; }
.visible .entry prints(.param .u32 n)
{ .reg .b64 %d<3>; .param .b64 f; .param .b64 v; .param .b32 r;
  mov.u64 %d0, text; cvta.global.u64 %d0, %d0; st.param.b64 [f], %d0; st.param.b64 [v], 0;
  call.uni (r), vprintf, (f, v); ret; }
.visible .entry waits(.param .u32 n)
{ .reg .pred %p; .reg .u32 %r; mov.u32 %r, %tid.x; setp.lt.u32 %p, %r, 32; bar.sync 0;
  @%p bra A; bar.sync 1, 96; ret; A: bar.sync 2, 96; ret; }
.visible .entry shared(.param .u32 n)
{ .reg .u32 %r<3>; .shared .align 4 .b8 tile[128]; .loc 1 7 3
  mov.u32 %r0, %laneid; shl.b32 %r0, %r0, 3; mov.u32 %r1, tile; add.u32 %r0, %r0, %r1; st.shared.u32 [%r0], 1; ret; }
.visible .entry clustered(.param .u32 n) .reqnctapercluster 2 { ret; }
.visible .entry alone(.param .u32 n) .explicitcluster .reqnctapercluster 1, 1, 1
{ .reg .u32 %r; bar.sync 0; barrier.cluster.arrive; barrier.cluster.wait; mov.u32 %r, %cluster_ctarank; ret; }
"""
MODULE = ws.Module(KERNELS)
BLOCKS, THREADS = 37, 64


def launched(
    executor: Executor | None, races: int = 0, **options: Any
) -> tuple[np.ndarray, np.ndarray, ws.KernelReport]:
    out, sums = ws.uninitialized(BLOCKS * THREADS, np.uint32), np.full(12, 0x55, np.uint32)
    report = MODULE["atomics"](BLOCKS, THREADS, (out, sums, races), executor=executor, **options)
    return out, sums, report


@pytest.mark.parametrize("pool", [ThreadPoolExecutor, ProcessPoolExecutor])
def test_pieces_give_together_what_one_process_gives(pool: type[Any]) -> None:
    heard: list[tuple[int, int]] = []
    with pool(2) as executor:
        out, sums, report = launched(executor, progress=lambda *told: heard.append(told))
    expected = launched(None)
    assert np.array_equal(out, expected[0]) and np.array_equal(sums, expected[1])
    assert report.instructions == expected[2].instructions and report.steps == expected[2].steps
    assert heard[-1] == (BLOCKS, BLOCKS) and sorted(heard) == heard
    compared("words that pieces wrote", out.size + sums.size, at_least=2_000)


def test_little_more_is_taken_than_the_arrays_of_pieces() -> None:
    out, sums = np.zeros(2**24, np.uint32), np.zeros(12, np.uint32)
    tracemalloc.start()
    with ThreadPoolExecutor(1) as executor:
        MODULE["atomics"](BLOCKS, THREADS, (out, sums, 0), executor=executor)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert (out[: BLOCKS * THREADS] == np.arange(BLOCKS * THREADS)).all() and not out[BLOCKS * THREADS :].any()
    # as it is sent; a piece's copy, and its marks; before, merged, and its marks
    assert most < 6.5 * out.nbytes, f"{most / out.nbytes:.1f} times the array"


def test_pieces_that_contradict_each_other_name_the_byte_and_write_nothing() -> None:
    out, sums = np.zeros(BLOCKS * THREADS, np.uint32), np.zeros(12, np.uint32)
    with ThreadPoolExecutor(2) as pool, pytest.raises(ws.ConflictingWritesError, match="byte 36 of sums"):
        MODULE["atomics"](BLOCKS, THREADS, (out, sums, 1), executor=pool)
    assert not out.any() and not sums.any()


def test_prints_come_while_the_kernel_runs(capsys: pytest.CaptureFixture[str]) -> None:
    assert MODULE["prints"](2, 3, [0]).output == "hi\n" * 6 and capsys.readouterr().out == ""
    with ThreadPoolExecutor(2) as pool:
        for executor in (None, pool):
            report = MODULE["prints"](2, 3, [0], print_output=True, executor=executor)
            assert report.output == capsys.readouterr().out == "hi\n" * 6


def test_instructions_are_counted_once_where_warps_wait() -> None:
    with pytest.raises(ws.DeadlockError) as caught:
        MODULE["waits"](1, 64, [0])
    assert "waits at barrier 2: 32 of 96 threads" in str(caught.value)
    assert "missing at barrier 1: warp 0" in str(caught.value)
    report = MODULE["alone"](1, 64, [0])
    assert report.instructions == {
        "bar.sync": 2, "barrier.cluster.arrive": 2, "barrier.cluster.wait": 2, "mov.u32": 2, "ret": 2,
    }  # fmt: skip
    assert report.steps == 10 and MODULE["alone"](1, 64, [0], count=False).instructions == {}


def test_a_finding_says_who_where_and_how_far() -> None:
    report = MODULE["shared"](1, (16, 2), [0])
    (found,) = report.findings
    assert found.rule == "WS-RUN-001" and found.error is ws.OutOfBoundsError and not report.ok
    assert found.lanes == tuple((x, 1, 0) for x in range(16))
    assert (found.array, found.offset, found.array_bytes, found.address) == ("tile", 128, 128, 128)
    assert (found.source, found.source_line, found.opcode) == ("dir/k.cu", 7, "st.shared.u32")
    assert ws.RULES[found.rule].fix == found.fix
    assert pickle.loads(pickle.dumps(report)) == report
    assert "0 bytes after the end of tile (128 bytes)" in " ".join(str(report).split())
    assert "after the end of tile (128 bytes)" in report.html()
    with pytest.raises(ws.OutOfBoundsError):
        MODULE["shared"](1, (16, 2), [0], on_finding="raise")


def test_a_grid_must_be_whole_clusters() -> None:
    assert MODULE["clustered"](2, 32, [0], target="sm_90").blocks == (0, 1)
    with pytest.raises(ValueError, match=r"expected multiples of the cluster \(2, 1, 1\)"):
        MODULE["clustered"](3, 32, [0], target="sm_90")


def test_uninitialized_arrays_show_what_is_read_too_early() -> None:
    array = ws.uninitialized((3, 4), np.float32)
    assert isinstance(array, np.ndarray) and array.shape == (3, 4) and np.isnan(array).all()


RACING = """.version 8.0
.target sm_90
.address_size 64
.visible .entry k(.param .u64 o) { .reg .u32 %r<3>; .reg .pred %p; .reg .u64 %d;
ld.param.u64 %d, [o]; mov.u32 %r1, %ctaid.x; mov.u32 %r2, 0;
L: add.u32 %r2, %r2, 1; setp.lt.u32 %p, %r2, 2000; @%p bra L;
st.global.u32 [%d], %r1; ret; }
"""


def test_blocks_that_run_again_have_the_time_that_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    heard: list[int] = []
    deadlines: list[float] = []

    def follower(core: Any, watch: Watch, deadline: float) -> Follower:
        deadlines.append(deadline)
        return Follower(core, watch, deadline)

    monkeypatch.setattr("warpsim.kernel.launch.Follower", follower)
    kernel, out = ws.Module(RACING)["k"], np.zeros(1, np.uint32)
    report = kernel(300, 32, (out,), threads=2, timeout=600, progress=lambda done, _: heard.append(done))
    assert [finding.rule for finding in report.findings] == ["WS-RUN-019"]
    assert len(deadlines) == 2 and len(set(deadlines)) == 1
    assert heard == sorted(set(heard)) and heard[-1] == 300
