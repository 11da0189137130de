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
.reg .pred %p<2>; .reg .b32 %r<40>; .reg .f32 %f<40>; .reg .b64 %rd<40>; .reg .f64 %fd<40>;
ld.param.u64 %rd1, [out]; ld.param.u32 %r0, [times]; mov.u32 %r1, %tid.x;
cvta.to.global.u64 %rd2, %rd1; shl.b32 %r2, %r1, 2; mov.u32 %r3, tile; add.u32 %r4, %r3, %r2;
AGAIN:
"""
TAIL = """sub.u32 %r0, %r0, 1; setp.ne.u32 %p1, %r0, 0; @%p1 bra AGAIN;
st.global.u32 [%rd2], %r0; ret; }
"""
#: in the order of peer_rows
BODIES: Mapping[str, str] = {
    "add.s32": "add.s32 %r{d}, %r{a}, %r{b};",
    "mul.lo.s32": "mul.lo.s32 %r{d}, %r{a}, %r{b};",
    "and.b32": "and.b32 %r{d}, %r{a}, %r{b};",
    "shl.b32": "shl.b32 %r{d}, %r{a}, 3;",
    "add.f32": "add.f32 %f{d}, %f{a}, %f{b};",
    "fma.rn.f32": "fma.rn.f32 %f{d}, %f{a}, %f{b}, %f{a};",
    "add.s64": "add.s64 %rd{d}, %rd{a}, %rd{b};",
    "and.b64": "and.b64 %rd{d}, %rd{a}, %rd{b};",
    "add.f64": "add.f64 %fd{d}, %fd{a}, %fd{b};",
    "fma.rn.f64": "fma.rn.f64 %fd{d}, %fd{a}, %fd{b}, %fd{a};",
}
MIX = """ld.shared.u32 %r10, [%r4]; ld.shared.f32 %f5, [%r4+128];
fma.rn.f32 %f1, %f2, %f5, %f1; fma.rn.f32 %f6, %f2, %f5, %f6; add.f32 %f7, %f1, %f6; add.u32 %r11, %r10, %r2;
and.b32 %r12, %r11, %r3; shl.b32 %r13, %r12, 2; xor.b32 %r14, %r13, %r2; mul.lo.u32 %r15, %r14, %r2;
"""


def repeated(body: str, before: str = "") -> ws.Kernel:
    """A kernel that runs a body in a loop, and a text once before."""
    lines = (body.format(d=10 + i % 8, a=20 + i % 4, b=24 + i % 4) for i in range(REPEATED))
    return ws.Module(HEAD.replace("AGAIN:", f"{before}\nAGAIN:") + "\n".join(lines) + TAIL)["bench"]


def _case(kernel: ws.Kernel, times: int, level: str) -> tuple[Case, int]:
    number = _core.simd_levels().index(level) + 1
    run = partial(kernel, 1, 32, [np.zeros(32, np.uint32), times], simd=number, check=False, count=False)
    return looped(run), run().steps


def arithmetic(native: Native, effort: Effort) -> Iterator[Line]:
    """Each instruction, then the mix; a launch costs little beside its steps."""
    times = effort.size(10_000, 2)
    count = times * REPEATED
    for level in (one for one in levels.available() if one != "portable"):
        cases: dict[str, Case] = {f"C: {name}": native.rows(count, number) for number, name in enumerate(BODIES)}
        steps: dict[str, int] = dict.fromkeys(cases, count)
        for name, body in (*BODIES.items(), ("the mix", MIX)):
            cases[name], steps[name] = _case(repeated(body), times, level)
        ns = {name: found / steps[name] for name, found in medians(cases, effort).items()}
        for name in BODIES:
            yield levels.line("arithmetic", name, level, ns[name], ns[f"C: {name}"])
        yield levels.line("mix", "the mix", level, ns["the mix"], ns["C: fma.rn.f32"])
