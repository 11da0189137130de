"""Instructions of a running kernel against C loops over rows of registers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial

import numpy as np

import warpsim as ws
from warpsim import _core

from .. import levels
from ..native import Native
from ..rows import Line
from ..timing import Case, Effort, looped, medians

REPEATED = 96  #: times that a body stands in its loop
HEAD = """.version 8.5
.target sm_80
.address_size 64
.shared .align 16 .b8 tile[8192];
.visible .entry bench(.param .u64 out, .param .u32 times) {
.reg .pred %p<2>; .reg .b32 %r<40>; .reg .f32 %f<40>; .reg .b64 %rd<3>;
ld.param.u64 %rd1, [out]; ld.param.u32 %r0, [times]; mov.u32 %r1, %tid.x;
cvta.to.global.u64 %rd2, %rd1; shl.b32 %r2, %r1, 2; mov.u32 %r3, tile; add.u32 %r4, %r3, %r2;
AGAIN:
"""
TAIL = """sub.u32 %r0, %r0, 1; setp.ne.u32 %p1, %r0, 0; @%p1 bra AGAIN;
st.global.u32 [%rd2], %r0; ret; }
"""
#: in the order of peer_rows
BODIES: Mapping[str, str] = {
    "add.u32": "add.u32 %r{d}, %r{a}, %r{b};",
    "and.b32": "and.b32 %r{d}, %r{a}, %r{b};",
    "fma.rn.f32": "fma.rn.f32 %f{d}, %f{a}, %f{b}, %f{a};",
}
MIX = """ld.shared.u32 %r10, [%r4]; ld.shared.f32 %f5, [%r4+128];
fma.rn.f32 %f1, %f2, %f5, %f1; fma.rn.f32 %f6, %f2, %f5, %f6; add.f32 %f7, %f1, %f6; add.u32 %r11, %r10, %r2;
and.b32 %r12, %r11, %r3; shl.b32 %r13, %r12, 2; xor.b32 %r14, %r13, %r2; mul.lo.u32 %r15, %r14, %r2;
"""


def _kernel(body: str) -> ws.Kernel:
    lines = (body.format(d=10 + i % 8, a=20 + i % 4, b=24 + i % 4) for i in range(REPEATED))
    return ws.Module(HEAD + "\n".join(lines) + TAIL)["bench"]


def _case(kernel: ws.Kernel, times: int, level: str) -> tuple[Case, int]:
    number = _core.simd_levels().index(level) + 1
    run = partial(kernel, 1, 32, [np.zeros(32, np.uint32), times], simd=number)
    return looped(run), run().steps


def arithmetic(native: Native, effort: Effort) -> Iterator[Line]:
    """Each instruction, then the mix; a launch costs little beside its steps."""
    times = effort.size(1000, 2)
    count = times * REPEATED
    loops = {name: native.rows(count, number) for number, name in enumerate(BODIES)}
    # apart from kernels: plain code is slow where wide registers are left in use
    plain = {name: ns / count for name, ns in medians(loops, effort).items()}
    for level in (one for one in levels.available() if one != "portable"):
        kernels = {name: _kernel(body) for name, body in (*BODIES.items(), ("mix", MIX))}
        cases: dict[str, Case] = {}
        steps: dict[str, int] = {}
        for name, kernel in kernels.items():
            cases[name], steps[name] = _case(kernel, times, level)
        ns = medians(cases, effort)
        for name in BODIES:
            yield levels.line("arithmetic", name, level, ns[name] / steps[name], plain[name])
        yield levels.line("mix", "the mix", level, ns["mix"] / steps["mix"], plain["fma.rn.f32"])
