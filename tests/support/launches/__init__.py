"""Kernels of every part of the engine, as questions with plain answers: for threads, forks, valgrind, failing memory.

None has a race, so that an answer is the same for any number of threads and in any order. kernels.ptx is what
NVRTC makes of kernels.cu.
"""

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

import warpsim as ws

TEXT = Path(__file__).with_name("kernels.ptx").read_text()
WGMMA = """.version 8.6
.target sm_90a
.address_size 64
.visible .entry k(.param .u64 o) { .reg .b32 %r<9>; .reg .b64 %d<9>; .reg .pred %p; .shared .align 1024 .b8 tile[4096];
    .reg .f32 %f<4>;
    ld.param.u64 %d0, [o]; mov.u32 %r0, %tid.x; shl.b32 %r1, %r0, 5; mov.u32 %r2, tile; add.u32 %r1, %r1, %r2;
    mov.b32 %r3, 0x3c003c00; mov.b64 %d4, 68720001024; mov.b64 %d5, 68720001152;
    st.shared.v4.b32 [%r1], {%r3, %r3, %r3, %r3}; st.shared.v4.b32 [%r1+16], {%r3, %r3, %r3, %r3};
    mov.f32 %f0, 0f00000000; mov.f32 %f1, %f0; mov.f32 %f2, %f0; mov.f32 %f3, %f0;
    fence.proxy.async.shared::cta; bar.sync 0; wgmma.fence.sync.aligned;
    wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f0, %f1, %f2, %f3}, %d4, %d5, 1, 1, 1, 0, 0;
    wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 0;
    mul.wide.u32 %d1, %r0, 16; add.u64 %d1, %d1, %d0; st.global.v4.f32 [%d1], {%f0, %f1, %f2, %f3}; ret; }
"""
WRONG = """.version 8.0
.target sm_80
.address_size 64
.visible .entry k(.param .u64 o) { .reg .b32 %r<4>; .reg .b64 %d<4>; .shared .b32 s[64];
    ld.param.u64 %d0, [o]; mov.u32 %r0, %tid.x; shl.b32 %r1, %r0, 2; mov.u32 %r2, s; add.u32 %r2, %r2, %r1;
    st.shared.u32 [%r2], %r0; xor.b32 %r1, %r1, 128; mov.u32 %r3, s; add.u32 %r3, %r3, %r1;
    ld.shared.u32 %r3, [%r3]; mul.wide.u32 %d1, %r0, 4; add.u64 %d1, %d1, %d0; st.global.u32 [%d1], %r3; ret; }
"""

Question = Callable[..., Any]
Arrays = Callable[[], tuple[Any, ...]]


@cache
def module(text: str = TEXT) -> ws.Module:
    return ws.Module(text)


def zeros(n: int, dtype: Any = np.int32) -> Any:
    return np.zeros(n, dtype)


def numbers(n: int, dtype: Any = np.int32) -> Any:
    return np.arange(n, dtype=dtype)


def answer(kernel: ws.Kernel, grid: int, block: int, arrays: Arrays, **options: Any) -> Any:
    """What a launch leaves in memory, prints and finds."""
    given = arrays()
    report = kernel(grid, block, given, **options)
    bytes_of = tuple(one.tobytes() for one in given if isinstance(one, np.ndarray))
    found = tuple(sorted((one.rule, one.line) for one in report.findings))
    return bytes_of, len(report.blocks), sorted(report.output.splitlines()), found


#: kernel of kernels.cu -> blocks, threads, its arguments, more
KERNELS: dict[str, tuple[int, int, Arrays, dict[str, Any]]] = {
    "atomics": (
        6, 64,
        lambda: (
            zeros(4, np.uint32), zeros(1, np.uint64), zeros(1, np.float32), zeros(2, np.float16), zeros(1, np.uint16),
            zeros(4, np.uint32),
        ),
        {},
    ),
    "exchanges": (4, 64, lambda: (numbers(256), zeros(256), zeros(8, np.uint32)), {"shared_bytes": 256}),
    "heap": (3, 32, lambda: (zeros(96),), {}),
    "cluster": (4, 64, lambda: (zeros(256),), {}),
    "products": (2, 32, lambda: (numbers(256, np.float16), numbers(256, np.float16), zeros(512, np.float32)), {}),
    "copies": (3, 64, lambda: (numbers(768), zeros(768)), {}),
    "spins": (5, 64, lambda: (50, zeros(320)), {}),
}  # fmt: skip


def of_kernel(name: str, **more: Any) -> Any:
    grid, block, arrays, options = KERNELS[name]
    return answer(module()[name], grid, block, arrays, **(options | more))


def of_text(text: str, block: int, arrays: Arrays, **more: Any) -> Any:
    return answer(module(text)["k"], 2 if block == 64 else 1, block, arrays, **more)


#: name -> a launch; each takes threads= and other options, and has one answer
LAUNCHES: dict[str, Question] = {
    **{name: (lambda name=name, **more: of_kernel(name, **more)) for name in KERNELS},
    "wgmma": lambda **more: of_text(WGMMA, 128, lambda: (zeros(512, np.float32),), **more),
    "a race": lambda **more: of_text(WRONG, 64, lambda: (zeros(64),), blocks=[0], **more),
}
