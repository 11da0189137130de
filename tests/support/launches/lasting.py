"""Launches, and what belongs to them, that take long: each for Ctrl-C to end (tools/interrupts.py)."""

from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context
from typing import Any

import numpy as np

import warpsim as ws
from tests.support import launches
from tests.support.paths import TESTS

Call = Callable[[], object]
HEAD = ".version 8.6\n.target sm_90a\n.address_size 64\n"
SPIN = HEAD + ".visible .entry k() { L: bra L; }\n"
EMPTY = HEAD + ".visible .entry k() { ret; }\n"
RECURSION = (
    HEAD + ".func f() { .local .b8 s[64]; .reg .b32 %r; mov.u32 %r, 1; st.local.u32 [s], %r; call f; ret; }\n"
    ".visible .entry k() { call f; ret; }\n"
)
#: of one warp; `body` is repeated for ever
LOOP = (
    HEAD
    + """.visible .entry k(.param .u64 o, .param .u64 x) {{
.reg .b32 %r<40>; .reg .b64 %d<9>; .reg .f32 %f<9>; .reg .pred %p<3>;
.shared .align 1024 .b8 tile[{tile}]; .shared .align 8 .b64 bar;
ld.param.u64 %d0, [o]; ld.param.u64 %d1, [x]; mov.u32 %r0, %tid.x; mov.u32 %r1, tile; mov.u32 %r2, bar;
{begin}
L: {body}
bra L; }}
"""
)
MMA = """mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32
{%f0, %f1, %f2, %f3}, {%r4, %r5, %r6, %r7}, {%r8, %r9}, {%f0, %f1, %f2, %f3};"""
WGMMA = """wgmma.fence.sync.aligned;
wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f0, %f1, %f2, %f3}, %d4, %d5, 1, 1, 1, 0, 0;
wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 0;"""
BULK = """@%p0 mbarrier.arrive.expect_tx.shared.b64 _, [%r2], 4096;
@%p0 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r1], [%d1], 4096, [%r2];
W: mbarrier.try_wait.parity.shared.b64 %p1, [%r2], %r3; @!%p1 bra W; xor.b32 %r3, %r3, 1; bar.sync 0;"""
RELEASE = "st.release.gpu.global.u32 [%d2], %r0; ld.acquire.gpu.global.u32 %r3, [%d2];"
NEVER = "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r1], [%d1], 40960, [%r2];"
BEGIN_BULK = """setp.eq.u32 %p0, %r0, 0; mov.u32 %r3, 0; @%p0 mbarrier.init.shared.b64 [%r2], 1;
fence.proxy.async.shared::cta; bar.sync 0;"""
CONFLICT = "shl.b32 %r3, %r0, 7; add.u32 %r3, %r3, %r1; ld.shared.u32 %r4, [%r3];"


def kernel(text: str, **options: Any) -> ws.Kernel:
    return ws.Module(text)["k"]


def repeated(body: str, block: int = 32, begin: str = "", tile: int = 8192) -> Call:
    one = kernel(LOOP.format(body=body, begin=begin, tile=tile))
    out, x = launches.zeros(4096), launches.numbers(tile // 4)
    return lambda: one(1, block, (out, x))


def without_arguments(text: str, grid: Any, block: int, **options: Any) -> Call:
    one = kernel(text)
    return lambda: one(grid, block, (), **options)


def spins(**options: Any) -> Call:
    one, out = launches.module()["spins"], launches.zeros(64 * 64)
    return lambda: one(64, 64, (2**31 - 1, out), **options)


def pooled(kind: Any) -> Call:
    one, out = launches.module()["spins"], launches.zeros(64 * 64)
    pool = kind(2)
    return lambda: one(64, 64, (2**31 - 1, out), executor=pool)


def processes(workers: int) -> Any:
    return ProcessPoolExecutor(workers, get_context("spawn"))


def waiting(threads: int) -> Call:
    one, out = launches.module()["waits"], launches.zeros(32)
    return lambda: one(4, 8, (np.full(1, -(2**20), np.int32), out), threads=threads)


def looped(name: str, **more: Any) -> Call:
    return lambda: launches.LAUNCHES[name](**more)


def lines(count: int, line: str = "ld.shared.u32 %r4, [%r3];") -> str:
    """A kernel of so many statements: bank conflicts in each."""
    return LOOP.format(body=f"ret;\nM: {line}", begin=CONFLICT + f"\n{line}" * count, tile=8192)


def parsed(count: int) -> Call:
    text = lines(count)
    return lambda: ws.Module(text)


def decoded(count: int) -> Call:
    text, out = lines(count), launches.zeros(4096)
    return lambda: kernel(text)(1, 32, (out, out))


def raced(count: int) -> Call:
    """Races of so many pairs of lines: they are found, and then told with their remedies."""
    race = "\nst.shared.u32 [tile], %r0;\nld.shared.u32 %r4, [tile];"
    one, out = kernel(LOOP.format(body="ret;", begin=race * count, tile=8192)), launches.zeros(4096)
    return lambda: one(1, 64, (out, out))


def reported(count: int, ask: Callable[[Any], object]) -> Call:
    out = launches.zeros(4096)
    report = kernel(lines(count))(1, 32, (out, out))
    return lambda: ask(report)


def compiled() -> Call:
    body = "\n".join(
        f"template <int n> __device__ float f{i}(float x) {{"
        " for (int k = 0; k < n; k++) x = __sinf(x) * k + __expf(x); return x; }"
        for i in range(60)
    )
    calls = " + ".join(f"f{i}<{n}>(x)" for i in range(60) for n in (11, 12, 13))
    counter = [0]

    def call() -> object:
        counter[0] += 1  # another text each time: nothing is kept
        return ws.compile(f'{body}\nextern "C" __global__ void k(float *o, float x) {{ o[{counter[0]}] = {calls}; }}')

    return call


def captured() -> Call:
    folder = TESTS / "truth" / "run" / "captures"
    capture = ws.Capture(folder / "triton_tma.capture", ptx=(folder / "matmul_tma.ptx").read_text())
    return capture.launches[0].run


def allocating() -> Call:
    return looped("heap")


def printing() -> Call:
    one, out = launches.module()["heap"], launches.zeros(32 * 4000)
    return lambda: one(4000, 32, (out,), check=False)


def scattered(**options: Any) -> Call:
    """Each lane stores to a page of its own: most are touched for the first time."""
    step = "mad.lo.u32 %r0, %r0, 1664525, 1013904223; and.b32 %r3, %r0, 0x7fffffc; cvt.u64.u32 %d2, %r3;"
    one = kernel(LOOP.format(body=f"{step} add.u64 %d2, %d0, %d2; st.global.u32 [%d2], %r0;", begin="", tile=16))
    out, x = launches.zeros(1 << 25), launches.zeros(4)
    return lambda: one(2000, 1024, (out, x), **options)


def beyond(variables: int) -> Call:
    """A read beyond a variable, again and again: what a message says of it looks for the nearest one."""
    declared = "".join(f".local .align 4 .b8 v{i}[4];\n" for i in range(variables))
    one = kernel(LOOP.format(body="ld.local.u32 %r4, [%d2+4];", begin=f"{declared}mov.u64 %d2, v0;", tile=16))
    out, x = launches.zeros(4), launches.zeros(4)
    return lambda: one(1, 32, (out, x))


def framed(nbytes: int) -> Call:
    """Calls of a function with a large frame."""
    text = f".func f() {{ .local .align 4 .b8 s[{nbytes}]; .reg .b64 %d; mov.u64 %d, s; st.local.u32 [%d], 1; ret; }}\n"
    return without_arguments(f"{HEAD}{text}.visible .entry k() {{ L: call f; bra L; }}\n", 1, 32, stack_bytes=1 << 19)


CALLS: dict[str, Callable[[], Call]] = {
    "a branch to itself": lambda: without_arguments(SPIN, 1, 32),
    "a branch to itself, 1,024 threads, threads=2": lambda: without_arguments(SPIN, 4, 1024, threads=2),
    "a loop": spins,
    "a loop, check=False": lambda: spins(check=False, count=False),
    "a loop, threads=2": lambda: spins(threads=2),
    "a loop, threads=4": lambda: spins(threads=4),
    "a loop, executor of threads": lambda: pooled(ThreadPoolExecutor),
    "a loop, executor of processes": lambda: pooled(processes),
    "blocks that wait": lambda: waiting(1),
    "blocks that wait, threads=4": lambda: waiting(4),
    "recursion, 32 threads": lambda: without_arguments(RECURSION, 1, 32, stack_bytes=1 << 20),
    "recursion, 1,024 threads": lambda: without_arguments(RECURSION, 1, 1024, stack_bytes=1 << 20),
    "recursion, check=False": lambda: without_arguments(RECURSION, 1, 32, stack_bytes=1 << 20, check=False),
    "2^31 - 1 empty blocks": lambda: without_arguments(EMPTY, 2**31 - 1, 1),
    "2^31 - 1 empty blocks, check=False": lambda: without_arguments(EMPTY, 2**31 - 1, 1, check=False, count=False),
    "mma": lambda: repeated(MMA),
    "wgmma": lambda: repeated(WGMMA, 128, "mov.b64 %d4, 68720001024; mov.b64 %d5, 68720001152;"),
    "bulk copies": lambda: repeated(BULK, 32, BEGIN_BULK),
    "bulk copies of 40 KB": lambda: repeated(BULK.replace("4096", "40960"), 32, BEGIN_BULK, tile=40960),
    "bulk copies that nobody waits for": lambda: repeated(NEVER, 1024, tile=40960),
    "stores to many pages": scattered,
    "stores to many pages, threads=2": lambda: scattered(threads=2),
    "reads beyond a variable, of 20,000": lambda: beyond(20_000),
    "calls with frames of 400 KB": lambda: framed(400_000),
    "releases of 1,024 threads": lambda: repeated(RELEASE, 1024, "mul.wide.u32 %d2, %r0, 4; add.u64 %d2, %d2, %d0;"),
    "bank conflicts": lambda: repeated(CONFLICT),
    "atomics of 1,024 threads": lambda: repeated("atom.global.add.u32 %r4, [%d0], 1;", 1024),
    "printf and malloc": printing,
    "clusters": lambda: looped("cluster"),
    "findings": lambda: looped("a race"),
    "findings of 500 pairs of lines": lambda: raced(500),
    "findings of 19,500 pairs of lines": lambda: raced(19_500),
    "reading 200,000 statements": lambda: parsed(200_000),
    "decoding 50,000 statements": lambda: decoded(50_000),
    "remedies of 1,000 conflicts": lambda: decoded(1000),
    "a report as text": lambda: reported(5_000, str),
    "a report as HTML": lambda: reported(5_000, lambda report: report.html()),
    "a report as values": lambda: reported(5_000, lambda report: report.to_dict()),
    "a capture": captured,
}
#: that need NVRTC
COMPILED: dict[str, Callable[[], Call]] = {"compilation by NVRTC": compiled}
