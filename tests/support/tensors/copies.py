"""Measured copies by tensor maps and in bulk, run again: tests/truth/run/tensor_maps."""

import hashlib
import lzma
import struct
from functools import cache
from typing import Any, NamedTuple

import numpy as np

import warpsim as ws
from tests.support.paths import TRUTH
from tests.truth.run.tensor_maps import more
from tests.truth.run.tensor_maps.cases import REDUCE, Case, cases
from warpsim.values.encoding import ELEMENTS, Fields, Im2col
from warpsim.values.tensor_map import TensorMap

IMAGE = 1 << 16  # bytes of global memory, and of shared memory
NAMES = ("u8", "u16", "u32", "s32", "u64", "s64", "f16", "f32", "f64", "bf16", "f32_ftz", "tf32", "tf32_ftz")
#: reductions without a map, by the numbers of tma.cu: in global memory from 10 on, in shared memory from 40 on
GLOBAL = """add.u32 add.s32 add.u64 add.noftz.f16 add.noftz.bf16 add.f32 add.f64 min.u32 min.s32 min.u64 min.s64 min.f16
min.bf16 max.u32 max.s32 max.u64 max.s64 max.f16 max.bf16 inc.u32 dec.u32 and.b32 and.b64 or.b32 or.b64 xor.b32
xor.b64"""
SHARED = "add.u32 add.s32 add.u64 min.u32 min.s32 max.u32 max.s32 inc.u32 dec.u32 and.b32 or.b32 xor.b32"
ROW = struct.Struct("<IHHI8s8s")


class Measured(NamedTuple):
    """What the driver and the H200 made of a case."""

    encoded: int  # CUresult of the map
    launched: int  # CUDA error of the launch
    transaction_bytes: int  # 0: not measured
    map_digest: bytes
    digest: bytes  # of global and shared memory after the copy


@cache
def measured() -> list[tuple[Case, Measured]]:
    data = lzma.decompress((TRUTH / "run" / "tensor_maps" / "measured.bin.xz").read_bytes())
    found, at = [], 0
    for drawn in (cases(), more.more(), more.third()):
        (count,) = struct.unpack_from("<I", data, at)
        at += 4
        for _ in range(count):
            index, *row = ROW.unpack_from(data, at)
            at += ROW.size
            found.append((drawn[index], Measured(*row)))
    assert at == len(data)
    return found


def _words(seed: int, case: Case) -> np.ndarray:
    """The SplitMix stream of a seed; floats of moderate size if the case says so."""
    tame = {6: (0x8FFF, 0x3000, 2), 9: (0x80FF, 0x3F00, 2), 8: (0x800FFFFFFFFFFFFF, 0x3FF0000000000000, 8)}
    tame |= dict.fromkeys((7, 10, 11, 12), (0x80FFFFFF, 0x3F000000, 4))
    index = np.arange(1, IMAGE // 8 + 1, dtype=np.uint64)
    with np.errstate(over="ignore"):
        z = np.uint64(seed & (1 << 64) - 1) + index * np.uint64(0x9E3779B97F4A7C15)
        z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        z ^= z >> np.uint64(31)
    if case.content and case.dtype in tame:
        keep, add, nbytes = tame[case.dtype]
        word = np.dtype(f"u{nbytes}").type
        part = z.view(word)
        part &= word(keep)
        part |= word(add)
    return z.view(np.uint8).copy()


def images(case: Case) -> tuple[np.ndarray, np.ndarray]:
    """Global and shared memory before the copy."""
    return _words(case.seed, case), _words(~case.seed, case)


def fields(case: Case) -> Fields:
    rank = case.rank
    im2col = None
    if case.mode:
        im2col = Im2col(case.lower[: rank - 2], case.upper[: rank - 2], case.channels, case.pixels)
    return Fields(
        ELEMENTS[NAMES[case.dtype]], case.dims[:rank], case.strides[: rank - 1], case.box[:rank], case.estr[:rank],
        case.interleave, case.swizzle, case.fill, case.l2, im2col,
    )  # fmt: skip


def statement(case: Case) -> str:
    """The copy: registers as the text of kernel() names them."""
    counts = "mbarrier::complete_tx::bytes"
    if case.kind == 2:
        if case.op == 0:
            return f"cp.async.bulk.shared::cluster.global.{counts} [%r12], [%rd10], %r8, [%r13]"
        if case.op == 1:
            return "cp.async.bulk.global.shared::cta.bulk_group [%rd10], [%r12], %r8"
        if case.op == 2:
            return f"cp.async.bulk.shared::cluster.shared::cta.{counts} [%r16], [%r12], %r8, [%r13]"
        if case.op >= 40:
            head = f"cp.reduce.async.bulk.shared::cluster.shared::cta.{counts}.{SHARED.split()[case.op - 40]}"
            return f"{head} [%r16], [%r12], %r8, [%r13]"
        return f"cp.reduce.async.bulk.global.shared::cta.bulk_group.{GLOBAL.split()[case.op - 10]} [%rd10], [%r12], %r8"
    place = "{" + ",".join(f"%r{at + 1}" for at in range(case.rank)) + "}"
    if case.op == 0:
        mode = "im2col" if case.mode else "tile"
        offsets = ", {" + ",".join(f"%h{at + 1}" for at in range(case.rank - 2)) + "}" if case.mode else ""
        head = f"cp.async.bulk.tensor.{case.rank}d.shared::cluster.global.{mode}.{counts}"
        return f"{head} [%r12], [%rd3, {place}], [%r13]{offsets}"
    mode = "im2col_no_offs" if case.mode else "tile"
    if case.op == 1:
        return f"cp.async.bulk.tensor.{case.rank}d.global.shared::cta.{mode}.bulk_group [%rd3, {place}], [%r12]"
    head = f"cp.reduce.async.bulk.tensor.{case.rank}d.global.shared::cta.{REDUCE[case.op]}.{mode}.bulk_group"
    return f"{head} [%rd3, {place}], [%r12]"


@cache
def kernel(text: str) -> Any:
    """Fills shared memory, makes the copy, waits for it and writes shared memory back."""
    return ws.Module(
        f""".version 8.6
.target sm_90a
.address_size 64
.extern .shared .align 1024 .b8 s[];
.visible .entry copy(.param .align 64 .b8 map[128], .param .u64 image, .param .u64 data, .param .align 8 .b8 p[64])
{{
    .shared .align 8 .b64 bar;
    .reg .b32 %r<40>; .reg .b64 %rd<20>; .reg .pred %p<4>; .reg .b16 %h<4>;
    ld.param.u64 %rd1, [image]; ld.param.u64 %rd2, [data];
    ld.param.u32 %r1, [p]; ld.param.u32 %r2, [p+4]; ld.param.u32 %r3, [p+8]; ld.param.u32 %r4, [p+12];
    ld.param.u32 %r5, [p+16]; ld.param.u16 %h1, [p+20]; ld.param.u16 %h2, [p+24]; ld.param.u16 %h3, [p+28];
    ld.param.u32 %r6, [p+32]; ld.param.u32 %r7, [p+36]; ld.param.u32 %r8, [p+40]; ld.param.u64 %rd9, [p+48];
    mov.u32 %r10, %tid.x; mov.u32 %r11, s; add.u32 %r12, %r11, %r6; mov.u32 %r13, bar; mov.u64 %rd3, map;
    add.u64 %rd10, %rd2, %rd9;
    ld.param.u32 %r17, [p+44]; add.u32 %r16, %r11, %r17;
    shl.b32 %r14, %r10, 4;
FILL:
    cvt.u64.u32 %rd4, %r14; add.u64 %rd5, %rd1, %rd4; add.u32 %r15, %r11, %r14;
    ld.global.v4.u32 {{%r20,%r21,%r22,%r23}}, [%rd5]; st.shared.v4.u32 [%r15], {{%r20,%r21,%r22,%r23}};
    add.u32 %r14, %r14, 4096; setp.lt.u32 %p1, %r14, {IMAGE};
    @%p1 bra FILL;
    fence.proxy.async;
    bar.sync 0;
    setp.ne.u32 %p2, %r10, 0;
    @%p2 bra END;
    mbarrier.init.shared::cta.b64 [%r13], 1;
    mbarrier.arrive.expect_tx.shared::cta.b64 _, [%r13], %r7;
    {text};
    cp.async.bulk.commit_group;
    cp.async.bulk.wait_group 0;
    setp.eq.u32 %p3, %r7, 0;
    @%p3 bra END;
WAIT:
    mbarrier.try_wait.parity.shared::cta.b64 %p3, [%r13], 0;
    @!%p3 bra WAIT;
END:
    bar.sync 0;
    shl.b32 %r14, %r10, 4;
BACK:
    cvt.u64.u32 %rd4, %r14; add.u64 %rd5, %rd1, %rd4; add.u32 %r15, %r11, %r14;
    ld.shared.v4.u32 {{%r20,%r21,%r22,%r23}}, [%r15]; st.global.v4.u32 [%rd5], {{%r20,%r21,%r22,%r23}};
    add.u32 %r14, %r14, 4096; setp.lt.u32 %p1, %r14, {IMAGE};
    @%p1 bra BACK;
    ret;
}}
"""
    )["copy"]


def run(case: Case) -> tuple[Any, np.ndarray, np.ndarray]:
    """The report; global and shared memory after the copy."""
    data, image = images(case)
    count, argument = 0, bytes(128)
    if case.kind == 1:
        shape = fields(case)
        count = shape.transaction_bytes if case.op == 0 else 0
        argument = TensorMap(shape, data[case.base :], NAMES[case.dtype])
    elif case.op in (0, 2) or case.op >= 40:
        count = case.pixels
    place, offsets = [*case.coords, 0, 0, 0, 0, 0][:5], [*case.offsets, 0, 0, 0][:3]
    numbers = struct.pack("<5i3I4IQ8x", *place, *offsets, case.smem, count, case.pixels, case.channels, case.base)
    report = kernel(statement(case))(
        1, 256, (argument, image, data, numbers), shared_bytes=IMAGE, check=False, count=False, target="sm_90a"
    )
    return report, data, image


def digest(*parts: bytes) -> bytes:
    """As the measured rows have it."""
    return hashlib.sha256(b"".join(parts)).digest()[:8]
