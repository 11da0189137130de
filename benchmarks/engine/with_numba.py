"""The process of Numba's CUDA simulator: prints [name, our ns, its ns] of each kernel as JSON."""

from __future__ import annotations

import json
import sys
import time
from typing import Any

import numpy as np
from numba import cuda, float32

import warpsim as ws

from ..peers import same
from ..timing import Effort, looped, medians

SAXPY = """.version 8.5
.target sm_80
.address_size 64
.visible .entry saxpy(.param .u64 x, .param .u64 y, .param .f32 a, .param .u32 n) {
.reg .pred %p; .reg .b32 %r<6>; .reg .f32 %f<4>; .reg .b64 %rd<6>;
mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ntid.x; mov.u32 %r3, %tid.x; mad.lo.u32 %r4, %r1, %r2, %r3;
ld.param.u32 %r5, [n]; setp.ge.u32 %p, %r4, %r5; @%p bra DONE;
ld.param.u64 %rd1, [x]; ld.param.u64 %rd2, [y]; ld.param.f32 %f1, [a];
mul.wide.u32 %rd3, %r4, 4; add.u64 %rd4, %rd1, %rd3; add.u64 %rd5, %rd2, %rd3;
ld.global.f32 %f2, [%rd4]; ld.global.f32 %f3, [%rd5]; fma.rn.f32 %f3, %f1, %f2, %f3; st.global.f32 [%rd5], %f3;
DONE: ret; }
"""
REDUCE = """.version 8.5
.target sm_80
.address_size 64
.shared .align 4 .b8 tile[1024];
.visible .entry reduce(.param .u64 x, .param .u64 y) {
.reg .pred %p; .reg .b32 %r<9>; .reg .f32 %f<4>; .reg .b64 %rd<6>;
mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ntid.x; mov.u32 %r3, %tid.x; mad.lo.u32 %r4, %r1, %r2, %r3;
ld.param.u64 %rd1, [x]; ld.param.u64 %rd2, [y]; mul.wide.u32 %rd3, %r4, 4; add.u64 %rd4, %rd1, %rd3;
ld.global.f32 %f1, [%rd4]; mov.u32 %r5, tile; shl.b32 %r6, %r3, 2; add.u32 %r6, %r5, %r6; st.shared.f32 [%r6], %f1;
mov.u32 %r7, 128;
AGAIN: bar.sync 0; setp.ge.u32 %p, %r3, %r7; @%p bra NEXT;
shl.b32 %r8, %r7, 2; add.u32 %r8, %r6, %r8; ld.shared.f32 %f1, [%r6]; ld.shared.f32 %f2, [%r8];
add.rn.f32 %f1, %f1, %f2; st.shared.f32 [%r6], %f1;
NEXT: shr.u32 %r7, %r7, 1; setp.ne.u32 %p, %r7, 0; @%p bra AGAIN;
setp.ne.u32 %p, %r3, 0; @%p bra DONE;
mul.wide.u32 %rd3, %r1, 4; add.u64 %rd5, %rd2, %rd3; ld.shared.f32 %f1, [tile]; st.global.f32 [%rd5], %f1;
DONE: ret; }
"""


@cuda.jit
def saxpy(x: Any, y: Any, a: Any, n: Any) -> None:
    i = cuda.grid(1)
    if i < n:
        y[i] = a * x[i] + y[i]


@cuda.jit
def reduce(x: Any, y: Any) -> None:
    tile = cuda.shared.array(256, float32)
    me = cuda.threadIdx.x
    tile[me] = x[cuda.grid(1)]
    half = 128
    while half > 0:
        cuda.syncthreads()
        if me < half:
            tile[me] += tile[me + half]
        half //= 2
    if me == 0:
        y[cuda.blockIdx.x] = tile[0]


def main() -> None:
    effort = Effort(1, 0, short="--short" in sys.argv)  # a launch there takes seconds
    blocks = effort.size(8, 1)
    x = np.arange(256 * blocks, dtype=np.float32) % 64
    one = {name: ws.Module(text)[name] for name, text in (("saxpy", SAXPY), ("reduce", REDUCE))}
    found = []
    for name, kernel, peer, rest, size in (
        ("saxpy", one["saxpy"], saxpy, (2.0, x.size), x.size),
        ("reduce", one["reduce"], reduce, (), blocks),
    ):
        ours, theirs = np.ones(size, np.float32), np.ones(size, np.float32)

        def run(kernel: Any = kernel, y: Any = ours, rest: Any = rest) -> None:
            kernel(blocks, 256, [x, y, *rest], check=False, count=False)

        def simulate(peer: Any = peer, y: Any = theirs, rest: Any = rest) -> None:
            peer[blocks, 256](x, y, *rest)

        run()
        simulate()
        same(name, ours, theirs)
        ns = medians({"theirs": looped(simulate)}, effort, clock=time.perf_counter_ns)
        ns |= medians({"ours": looped(run)}, Effort(short=effort.short), clock=time.perf_counter_ns)
        found.append((f"{name}, {blocks} blocks of 256", ns["ours"], ns["theirs"]))
    print(json.dumps(found))


if __name__ == "__main__":
    main()
