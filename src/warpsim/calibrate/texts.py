"""PTX of the programs that are timed: one thread block, a clock before and after what is measured.

A text is a frame around a setup and a body; of a grid, one thread block runs, and the others end at once. Memory and
registers hold what the assembler cannot know, so that it keeps every access; the sink, which is never reached, uses
every result.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

LANES = 32
ENTRY = "timed"
#: target -> the first PTX version that has it; texts use no newer one than their instructions need
VERSIONS = {75: 65, 80: 70, 86: 71, 87: 74, 89: 78, 90: 78, 100: 86, 101: 86, 103: 88, 110: 90, 120: 87, 121: 88}

FRAME = """\
.version {version}
.target sm_{sm}
.address_size 64
.extern .shared .align 1024 .b8 smem[];
.visible .entry timed(.param .u64 table, .param .u64 buffer, .param .u64 clocks, .param .u32 passes,
                      .param .u32 zero, .param .u32 running, .param .u32 block){bounds}
{{
.reg .pred %p<8>; .reg .b16 %h<80>; .reg .b32 %r<300>; .reg .f32 %f<{floats}>; .reg .b32 %a<80>;
.reg .b64 %g<80>; .reg .b32 %u<{helpers}>; .reg .b64 %q<40>;
ld.param.u64 %q0, [table]; ld.param.u64 %q2, [buffer]; ld.param.u64 %q3, [clocks];
cvta.to.global.u64 %q0, %q0; cvta.to.global.u64 %q2, %q2; cvta.to.global.u64 %q3, %q3;
ld.param.u32 %u2, [passes]; ld.param.u32 %u3, [zero]; ld.param.u32 %u0, [running];
ld.param.u32 %u1, [block]; mov.u32 %u9, %ctaid.x; setp.ne.u32 %p1, %u1, %u9; @%p1 ret;
mov.u32 %u4, %tid.x; and.b32 %u5, %u4, 31; shr.u32 %u6, %u4, 5; mov.u32 %u7, smem;
setp.eq.u32 %p5, %u3, 77; setp.eq.u32 %p3, %u5, 0;
mul.wide.u32 %q9, %u5, 4; add.u64 %q9, %q0, %q9;
mov.u32 %u12, %ntid.x; mov.u32 %u14, %u4;
CLEAR: setp.ge.u32 %p1, %u14, {words}; @%p1 bra CLEARED;
shl.b32 %u15, %u14, 2; add.u32 %u15, %u15, %u7; st.shared.u32 [%u15], %u3; add.u32 %u14, %u14, %u12; bra CLEAR;
CLEARED: bar.sync 0;
{setup}
bar.sync 0;
shr.u32 %u16, %u0, %u6; and.b32 %u16, %u16, 1; setp.eq.u32 %p4, %u16, 0; @%p4 bra END;
mov.u64 %q20, %clock64;
{body}
mov.u64 %q21, %clock64;
mul.wide.u32 %q22, %u6, 16; add.u64 %q22, %q3, %q22;
@%p3 st.global.u64 [%q22], %q20; @%p3 st.global.u64 [%q22+8], %q21;
{keep}
END: ret;
SINK:
{sink}
ret;
}}
"""


@dataclass(frozen=True)
class Room:
    """Registers of a thread; `threads` of the only block of an SM: the assembler may then use all registers."""

    floats: int = 80
    helpers: int = 40
    threads: int = 0


USUAL = Room()


def text(
    sm: int, body: str, *, setup: str = "", sink: str = "", keep: str = "", shared: int = 0, version: int = 0,
    room: Room = USUAL,
) -> str:  # fmt: skip
    """A whole PTX text for a target; `version`: the PTX version that the instructions need, 70 for 7.0."""
    needed = max(version, VERSIONS.get(sm, 65))
    return FRAME.format(
        version=f"{needed // 10}.{needed % 10}", sm=sm, words=max(shared // 4, 1), setup=setup, body=body, sink=sink,
        keep=keep, floats=room.floats, helpers=room.helpers,
        bounds=f" .maxntid {room.threads}, 1, 1 .minnctapersm 1" if room.threads else "",
    )  # fmt: skip


def sunk(registers: Iterable[str]) -> str:
    """Stores of registers (32 bits each) that no one executes."""
    return "\n".join(f"st.global.b32 [%q3+{4096 + 4 * i}], {name};" for i, name in enumerate(registers))


def vector(first: int, count: int, kind: str = "r") -> str:
    """`count` registers as an operand: {%r8,%r9}."""
    return f"{{{','.join(f'%{kind}{first + i}' for i in range(count))}}}"


def listed(first: int, count: int) -> str:
    """The same; one alone without braces."""
    return vector(first, count) if count > 1 else f"%r{first}"


#: row of the table -> an address of each lane in %a0
LOOKED_UP = "ld.global.u32 %a0, [%q9]; add.u32 %a0, %a0, %u7;"
#: and at that place (second row of the table), the address itself: what is loaded is the next address
CHASED = f"{LOOKED_UP} ld.global.u32 %u8, [%q9+128]; add.u32 %u8, %u8, %u7; st.shared.u32 [%u8], %a0;"


def chain(sm: int, step: str, steps: int, *, setup: str = CHASED, shared: int = 16384, version: int = 0) -> str:
    """Dependent steps of one warp, straight on: the difference of two lengths has no frame in it."""
    body = "\n".join(step for _ in range(steps))
    keep = "@%p3 st.global.u32 [%q3+2048], %a0; @%p3 st.global.u64 [%q3+2056], %g0; @%p3 st.global.u32 [%q3+2064], %r0;"
    start = "mov.u32 %a0, %u7; mov.u64 %g0, %q2; mov.u32 %r0, %u3;"
    sink = sunk(("%r0", "%r1", "%r2", "%r3"))
    return text(sm, body, setup=f"{start}\n{setup}", keep=keep, sink=sink, shared=shared, version=version)


def looped(sm: int, parts: Iterable[str], *, sink: str, every: int = 0, **rest: object) -> str:
    """The parts again and again, `passes` times; after each `every` of them (0: all) the sink may need the results."""
    lines = list(parts)
    every = every or len(lines)
    body = []
    for i, part in enumerate(lines, 1):
        body.append(part)
        if i % every == 0:
            body.append("@%p5 bra SINK;")
    body.append("sub.u32 %u2, %u2, 1; setp.ne.u32 %p2, %u2, 0; @%p2 bra BODY;")
    return text(sm, 'BODY: .pragma "nounroll";\n' + "\n".join(body), sink=sink, **rest)  # type: ignore[arg-type]


def spin(sm: int) -> str:
    """Waits for `passes` times 1024 cycles; the third and fourth word are the GPU's own nanoseconds."""
    body = (
        "mov.u64 %q12, %globaltimer;\ncvt.u64.u32 %q13, %u2; shl.b64 %q13, %q13, 10;\n"
        "WAIT: mov.u64 %q14, %clock64; sub.u64 %q14, %q14, %q20; setp.lt.u64 %p1, %q14, %q13; @%p1 bra WAIT;\n"
        "mov.u64 %q15, %globaltimer;"
    )
    return text(sm, body, keep="@%p3 st.global.u64 [%q3+16], %q12; @%p3 st.global.u64 [%q3+24], %q15;")
