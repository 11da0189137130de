"""Products of warpgroups that an H200 computed: the kernels and the inputs of every case, by rule.

`KERNELS` has each kernel: types, columns, where A is, what is contiguous, sparsity, signs. `text(kernels)` is their
PTX; `records(kernel)` has eight words of each case: where its image, accumulators, A and metadata begin in `pool()`,
its two descriptors (without the address of the tile), whether D is read. A block makes one case: it copies an image of
48 KiB to shared memory, whatever it means, and makes one product of what the descriptors say lies where.
"""

from __future__ import annotations

import zlib
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tests.truth.mma.cases import FMT, words

IMAGE = 49152
ROOM = 131072  # bytes of the pool for each type
RESULTS = 100_000  # of each kernel, at least
TYPES = ("f16", "bf16", "tf32", "fp8", "bits", "f32")
WITH_MAJORS = ("f16", "bf16")
FLOATS = (
    ("f32", "f16", "f16", 16), ("f16", "f16", "f16", 16), ("f32", "bf16", "bf16", 16), ("f32", "tf32", "tf32", 8),
    *((d, a, b, 32) for d in ("f32", "f16") for a in ("e4m3", "e5m2") for b in ("e4m3", "e5m2")),
)  # fmt: skip
INTEGERS = tuple(("s32", a, b, 32) for a in ("s8", "u8") for b in ("s8", "u8"))


@dataclass(frozen=True)
class Kernel:
    """One product, in a kernel of its own."""

    number: int
    d: str
    a: str
    b: str
    k: int
    n: int
    shares_a: bool
    lines: tuple[bool, bool]  # of A, of B: lines are contiguous
    is_sparse: bool
    satfinite: bool
    signs: tuple[int, int]

    @property
    def name(self) -> str:
        return f"w{self.number:03}"

    @property
    def opcode(self) -> str:
        sp, sat = ".sp" * self.is_sparse, ".satfinite" * self.satfinite
        end = ".and.popc" if self.a == "b1" else ""
        return f"wgmma.mma_async{sp}.sync.aligned.m64n{self.n}k{self.k}{sat}.{self.d}.{self.a}.{self.b}{end}"

    @property
    def registers(self) -> int:
        """Of D in each lane."""
        return self.n // (4 if self.d == "f16" else 2)

    @property
    def cases(self) -> int:
        return -(-RESULTS // (64 * self.n))


def _columns(is_whole: bool) -> list[int]:
    return [n for n in range(8, 257, 8) if not is_whole or n <= 32 or n % 16 == 0]


def _kernels() -> list[Kernel]:
    found: list[Kernel] = []
    signs = ((1, 1), (-1, 1), (1, -1), (-1, -1))
    for d, a, b, k in (*FLOATS, *INTEGERS, ("s32", "b1", "b1", 256)):
        columns, turn = _columns(d == "s32"), len(found)
        for is_sparse in (False, True):
            for shares_a in (True, False):
                for lines in [(x, y) for x in (False, True) for y in (False, True)]:
                    if (
                        (a not in WITH_MAJORS and any(lines))
                        or (lines[0] and not shares_a)
                        or (is_sparse and a == "b1")
                    ):
                        continue
                    for i in range(3):
                        at = len(found)
                        n = columns[(7 * turn + 11 * (at - turn) + i) % len(columns)] if i else columns[-(at % 2)]
                        found.append(
                            Kernel(
                                at, d, a, b, k * (1 + is_sparse), n, shares_a, lines, is_sparse,
                                d == "s32" and a != "b1" and at % 2 == 1, signs[at % 4] if d != "s32" else (1, 1),
                            )
                        )  # fmt: skip
    return found


def _every_shape(found: list[Kernel]) -> list[Kernel]:
    """And one for each type and number of columns that none of these has, dense and sparse."""
    signs, there = ((1, 1), (-1, 1), (1, -1), (-1, -1)), {(one.d, one.a, one.b, one.is_sparse, one.n) for one in found}
    more: list[Kernel] = []
    for d, a, b, k in (*FLOATS, *INTEGERS, ("s32", "b1", "b1", 256)):
        for is_sparse in (False, True)[: 1 if a == "b1" else 2]:
            for n in _columns(d == "s32"):
                if (d, a, b, is_sparse, n) in there:
                    continue
                at = len(found) + len(more)
                shares_a, has_majors = at % 3 != 0, a in WITH_MAJORS
                more.append(
                    Kernel(
                        at, d, a, b, k * (1 + is_sparse), n, shares_a,
                        (has_majors and shares_a and at // 2 % 2 == 1, has_majors and at // 4 % 2 == 1), is_sparse,
                        d == "s32" and a != "b1" and at % 2 == 1, signs[at // 3 % 4] if d != "s32" else (1, 1),
                    )
                )  # fmt: skip
    return found + more


KERNELS = _every_shape(_kernels())


def statement(kernel: Kernel) -> str:
    """The product; registers %f of D, %r10 to %r13 of A, %r14 of the metadata; %rd4 and %rd5 describe A and B."""
    d = ", ".join(f"%d{i}" for i in range(kernel.registers))
    a = "%rd4" if kernel.shares_a else "{%r10, %r11, %r12, %r13}"
    rest = ["%p2"]
    if kernel.is_sparse:
        rest = ["%r14", str(selector(kernel)), *rest]
    if kernel.d != "s32":
        rest += [str(sign) for sign in kernel.signs]
    if kernel.a in WITH_MAJORS:
        rest += [str(int(line)) for line in (kernel.lines if kernel.shares_a else kernel.lines[1:])]
    return f"{kernel.opcode} {{{d}}}, {a}, %rd5, {', '.join(rest)};"


def selector(kernel: Kernel) -> int:
    return kernel.number // 2 % 2 if kernel.a in ("f16", "bf16", "tf32") else 0


def entry(kernel: Kernel, image: int = IMAGE) -> str:
    count = kernel.registers
    loads = "\n".join(f"ld.global.b32 %d{i}, [%rd8+{4 * i}];" for i in range(count))
    stores = "\n".join(f"st.global.b32 [%rd8+{4 * i}], %d{i};" for i in range(count))
    return f"""
.visible .entry {kernel.name}(.param .u64 pool, .param .u64 records, .param .u64 out)
{{
.reg .b32 %d<{count}>; .reg .b32 %r<20>; .reg .b64 %rd<20>; .reg .pred %p<4>;
ld.param.u64 %rd1, [pool]; ld.param.u64 %rd2, [records]; ld.param.u64 %rd3, [out];
mov.u32 %r1, %ctaid.x; mov.u32 %r2, %tid.x;
mul.wide.u32 %rd6, %r1, 64; add.u64 %rd2, %rd2, %rd6;
ld.global.u64 %rd7, [%rd2]; add.u64 %rd7, %rd7, %rd1;
mul.wide.u32 %rd6, %r2, 16; add.u64 %rd7, %rd7, %rd6;
mov.u32 %r3, tile; shl.b32 %r4, %r2, 4; add.u32 %r4, %r4, %r3; mov.u32 %r5, 0;
COPY: ld.global.v4.b32 {{%r10, %r11, %r12, %r13}}, [%rd7]; st.shared.v4.b32 [%r4], {{%r10, %r11, %r12, %r13}};
add.u64 %rd7, %rd7, 2048; add.u32 %r4, %r4, 2048; add.u32 %r5, %r5, 2048;
setp.lt.u32 %p1, %r5, {image}; @%p1 bra COPY;
ld.global.u64 %rd4, [%rd2+8]; ld.global.u64 %rd5, [%rd2+16];
shr.u32 %r3, %r3, 4; cvt.u64.u32 %rd6, %r3; add.u64 %rd4, %rd4, %rd6; add.u64 %rd5, %rd5, %rd6;
ld.global.u64 %rd8, [%rd2+24]; add.u64 %rd8, %rd8, %rd1; mul.wide.u32 %rd6, %r2, {4 * count}; add.u64 %rd8, %rd8, %rd6;
{loads}
ld.global.u64 %rd8, [%rd2+32]; add.u64 %rd8, %rd8, %rd1; mul.wide.u32 %rd6, %r2, 16; add.u64 %rd8, %rd8, %rd6;
ld.global.v4.b32 {{%r10, %r11, %r12, %r13}}, [%rd8];
ld.global.u64 %rd8, [%rd2+40]; add.u64 %rd8, %rd8, %rd1; mul.wide.u32 %rd6, %r2, 4; add.u64 %rd8, %rd8, %rd6;
ld.global.b32 %r14, [%rd8];
ld.global.u32 %r6, [%rd2+48]; setp.ne.u32 %p2, %r6, 0;
fence.proxy.async; bar.sync 0;
wgmma.fence.sync.aligned;
{statement(kernel)}
wgmma.commit_group.sync.aligned;
wgmma.wait_group.sync.aligned 0;
mad.lo.u32 %r7, %r1, 128, %r2; mul.wide.u32 %rd6, %r7, {4 * count}; add.u64 %rd8, %rd3, %rd6;
{stores}
ret;
}}
"""


def text(kernels: list[Kernel], image: int = IMAGE) -> str:
    head = ".version 8.4\n.target sm_90a\n.address_size 64\n.extern .shared .align 1024 .b8 tile[];\n"
    return head + "".join(entry(kernel, image) for kernel in kernels)


def stream(name: str, count: int) -> NDArray[np.uint64]:
    return words(np.array([zlib.crc32(name.encode()) << 32], np.uint64), 0, count)[0]


def _floats(name: str, type_: str, count: int) -> NDArray[np.uint64]:
    """Numbers of a format: stretches of 1,024 whose exponents lie in a window, a few of them zero or anything."""
    exponent_bits, mantissa_bits = FMT[type_]
    drawn, windows = stream(name, count), np.repeat(stream(name + " windows", count // 1024), 1024)
    middle = (1 << (exponent_bits - 1)) - 1
    width = np.uint64(1) + windows % np.uint64(min(12, middle))
    exponent = np.uint64(middle) - width // np.uint64(2) + (drawn >> np.uint64(20)) % width
    found = (drawn & np.uint64((1 << mantissa_bits) - 1)) | exponent << np.uint64(mantissa_bits)
    kind = (drawn >> np.uint64(40)) % np.uint64(512)
    found = np.where(kind < 16, np.uint64(0), found)
    anything = (kind == 16) & ((windows >> np.uint64(32)) % np.uint64(4) == 0)
    found = np.where(anything, (drawn >> np.uint64(8)) & np.uint64((1 << (exponent_bits + mantissa_bits)) - 1), found)
    if type_ == "tf32":  # the low 13 bits are ignored
        found = found << np.uint64(13) | (drawn >> np.uint64(48)) & np.uint64(0x1FFF)
        mantissa_bits = 23
    return found | (drawn >> np.uint64(63)) << np.uint64(exponent_bits + mantissa_bits)


@cache
def pool() -> NDArray[np.uint8]:
    """The numbers of all cases: ROOM bytes of each of TYPES; fp8 are those of e4m3 and, every other KiB, of e5m2."""
    parts: list[NDArray[Any]] = []
    for type_ in TYPES:
        if type_ == "bits":
            parts.append(stream("bits", ROOM // 8).view(np.uint8))
        elif type_ == "fp8":
            e4m3, e5m2 = (_floats(one, one, ROOM).astype(np.uint8).reshape(-1, 1024) for one in ("e4m3", "e5m2"))
            parts.append(np.where(np.arange(ROOM // 1024)[:, None] % 2 == 0, e4m3, e5m2).ravel())
        else:
            stored = np.uint16 if type_ in WITH_MAJORS else np.uint32
            parts.append(_floats(type_, type_, ROOM // stored(0).itemsize).astype(stored).view(np.uint8))
    return np.concatenate([*parts, _metadata()])


METADATA = (0x4, 0x8, 0xC, 0x9, 0xD, 0xE)  # pairs of different indices in ascending order


def _metadata() -> NDArray[np.uint8]:
    """ROOM bytes each: indices as PTX allows them; those of tf32; any."""
    drawn = stream("metadata", ROOM * 2)
    pairs = np.array(METADATA, np.uint8)[drawn % np.uint64(6)]
    halves = np.where(drawn & np.uint64(64), 0xE, 0x4).astype(np.uint8)
    valid = [one[0::2] | one[1::2] << 4 for one in (pairs, halves)]
    return np.concatenate([*valid, stream("any metadata", ROOM // 8).view(np.uint8)])


def descriptor(start: int, leading: int, stride: int, base: int, swizzle: int) -> int:
    return start >> 4 | leading >> 4 << 16 | stride >> 4 << 32 | base << 49 | swizzle << 62


def drawn_descriptor(draw: list[int], groups: int, depth: int, is_line: bool) -> int:
    """`groups` of eight lines, `depth` chunks of k: half of them as programs have them, half anywhere in the image."""
    swizzle, kind = draw[0] % 4, draw[1] % 4
    atom = (16, 128, 64, 32)[swizzle]
    period = 8 * atom
    across = atom // 16
    if swizzle == 0:
        steps = (depth - 1, groups - 1)
    elif is_line:
        steps = ((groups - 1) // across, depth - 1)
    else:
        steps = (0, groups - 1)
    start = draw[2] % 4 * 1024 + (32 * (draw[3] % max(1, atom // 32)) if kind == 1 else 0)
    unit, base = period, 0
    if kind == 3:
        start, unit, base = draw[2] % 512 * 16, 16, draw[3] % 8
    room = IMAGE - 1024 - start - period - 16 * depth
    strides = []
    for step, number in zip(steps, draw[4:6], strict=True):
        most = min(room // (2 * max(step, 1)), 16368 * 16)
        strides.append(number % (most // unit + 1) * unit)
    return descriptor(start, strides[0], strides[1], base, swizzle)


def records(kernel: Kernel) -> NDArray[np.uint64]:
    """[case][8]: places in the pool of the image, D, A and the metadata among them."""
    drawn = stream(kernel.name, 32 * kernel.cases).reshape(-1, 32)
    own = TYPES.index({"e4m3": "fp8", "e5m2": "fp8", "s8": "bits", "u8": "bits", "b1": "bits"}.get(kernel.a, kernel.a))
    sums = TYPES.index({"f16": "f16", "f32": "f32", "s32": "bits"}[kernel.d])
    found = np.zeros((kernel.cases, 8), np.uint64)
    for row, numbers in zip(found, drawn.tolist(), strict=True):
        kind = 2 if numbers[0] % 4 == 0 else int(kernel.a == "tf32")
        row[0] = own * ROOM + numbers[1] % ((ROOM - IMAGE) // 16) * 16
        row[1] = drawn_descriptor(numbers[2:8], 8, 2, kernel.lines[0])
        row[2] = drawn_descriptor(numbers[8:14], kernel.n // 8, 4 if kernel.is_sparse else 2, kernel.lines[1])
        row[3] = sums * ROOM + numbers[14] % ((ROOM - 512 * kernel.registers) // 16) * 16
        row[4] = own * ROOM + numbers[15] % ((ROOM - 2048) // 16) * 16
        row[5] = (len(TYPES) + kind) * ROOM + numbers[16] % ((ROOM - 512) // 16) * 16
        row[6] = numbers[17] % 4 != 0
    return found
