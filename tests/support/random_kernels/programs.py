"""Random valid kernels: a seed makes a PTX text and its launch.  Threads race nowhere, every address is in bounds, every mask is right."""

import random
from collections import Counter
from dataclasses import dataclass
from typing import Any

import numpy as np

from tests.support.interpreter.numbers.plain import operation
from tests.support.interpreter.text import width_of
from tests.support.random_kernels import branches, fragments, lanes
from tests.support.random_kernels.opcodes import opcodes

POOLS = {1: ("p", 5), 16: ("h", 5), 32: ("r", 8), 64: ("d", 6)}
IN_BYTES, OUT_BYTES, CELLS = 128, 256, 64
SPECIAL = {
    16: [0, 1, 0x7FFF, 0x8000, 0xFFFF, 0x3C00, 0x7C00, 0xFC00, 0x7E01, 0x03FF, 0x0400, 0x7BFF, 0x3F80, 0x7F80, 0x0080, 0x7F7F, 0x7FF7],
    32: [0, 1, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, 0x3F800000, 0x7F800000, 0xFF800000, 0x7FC00001, 0x7F800001, 0x007FFFFF, 0x00800000,
         0x7F7FFFFF, 0x3F7FFFFF, 0x4B800000, 0x4F000000, 31, 32, 33, 255],
    64: [0, 1, (1 << 63) - 1, 1 << 63, (1 << 64) - 1, 0x3FF0000000000000, 0x7FF0000000000000, 0xFFF0000000000000, 0x7FF8000000000001,
         0x7FF0000000000001, 0x000FFFFFFFFFFFFF, 0x0010000000000000, 0x7FEFFFFFFFFFFFFF, 0x36A0000000000000, 0x43E0000000000000, 63, 64],
}  # fmt: skip


@dataclass
class Program:
    seed: int
    ptx: str
    grid: tuple[int, int, int]
    block: tuple[int, int, int]
    kinds: Counter[str]
    threads: int

    def arrays(self) -> list[Any]:
        """out, in, cells, a struct, a s16, a f64: as the kernel takes them."""
        words = np.random.default_rng(self.seed)
        given = words.integers(0, 1 << 64, self.threads * IN_BYTES // 8, np.uint64)
        mode = words.integers(0, 6, given.size)
        pick64 = np.array(SPECIAL[64], np.uint64)[words.integers(0, len(SPECIAL[64]), given.size)]
        halves = [np.array(SPECIAL[32], np.uint64)[words.integers(0, len(SPECIAL[32]), given.size)] for _ in range(2)]
        near = (words.integers(100, 150, given.size).astype(np.uint64) << np.uint64(23)) | (
            given & np.uint64(0x807FFFFF007FFFFF)
        )
        near |= words.integers(1000, 1045, given.size).astype(np.uint64) << np.uint64(52)
        small = np.array([1 << 16, 256, 64, 4], np.uint64)[words.integers(0, 4, given.size)]
        given = np.select(
            [mode == 0, mode == 1, mode == 2, mode == 3],
            [pick64, halves[0] | halves[1] << np.uint64(32), near, given % small],
            given,
        )
        arrays = [
            np.zeros(self.threads * OUT_BYTES, np.uint8),
            given.view(np.uint8),
            np.zeros(CELLS * 16 * 8, np.uint8),
        ]
        return [*arrays, words.bytes(32), words.bytes(2), words.bytes(8)]


class Writer:
    """A kernel in the making.  mask is the name or word of who runs here, `uniform` whether the whole block does."""

    def __init__(self, seed: int, scale: int = 1) -> None:
        self.random = random.Random(seed)
        r = self.random
        self.seed, self.lines, self.kinds = seed, [], Counter()
        self.labels, self.fresh, self.registers = 0, 0, []
        self.mask, self.uniform, self.depth, self.calls, self.budget = "0xffffffff", True, 0, True, r.randint(20, 70)
        shape = r.choice(
            [
                (32, 1, 1),
                (64, 1, 1),
                (128, 1, 1),
                (16, 4, 1),
                (4, 4, 4),
                (48, 1, 1),
                (33, 2, 1),
                (96, 1, 1),
                (8, 8, 2),
                (31, 1, 1),
                (1, 2, 33),
            ]
        )
        self.block, self.grid = shape, r.choice([(1, 1, 1), (2, 1, 1), (3, 1, 1), (2, 2, 1), (1, 2, 2)])
        if scale > 1:
            self.grid = (self.grid[0] * scale, *self.grid[1:])
        self.count = int(np.prod(shape))
        self.whole_warps = self.count % 32 == 0
        self.functions = [f"f{k}" for k in range(r.randint(0, 3))]
        self.inside = ""

    # ---------------------------------------------------------------- words
    def put(self, kind: str, *lines: str) -> None:
        self.kinds[kind] += len(lines)
        self.lines += lines

    def label(self) -> str:
        self.labels += 1
        return f"${self.inside}L{self.labels}"

    def new(self, kind: str) -> str:
        self.fresh += 1
        name = f"%{self.inside}x{self.fresh}"
        self.registers.append(f".reg .{kind} {name};")
        return name

    def register(self, width: int) -> str:
        prefix, count = POOLS[8 if width == 8 else width] if width != 8 else POOLS[32]
        return f"%{prefix}{self.random.randrange(count)}"

    def immediate(self, kind: str) -> str:
        r, n = self.random, width_of(kind)
        word = r.choice(SPECIAL[n]) if r.random() < 0.5 else r.getrandbits(r.choice([4, 8, n]))
        if kind in ("f32", "f64") and r.random() < 0.2:
            return r.choice(["1.0", "0.5", "-2.25", "3.0e2", "1.0e-30"])
        if kind == "f32":
            return f"0f{word:08X}"
        if kind == "f64":
            return f"0d{word:016X}"
        if (kind[0] == "s" and r.random() < 0.5) or r.random() < 0.1:
            return str(-r.randrange(1, 1 << r.choice([3, 8, n - 1])))
        if kind[0] == "s":
            return r.choice([str(word >> 1), f"{word >> 1:#x}", f"0{word >> 1:o}"])
        return f"{word:#x}" if n < 64 else str(word >> 1)

    def source(self, kind: str, immediate: bool = True) -> str:
        n = width_of(kind)
        plain = kind not in ("f16", "bf16", "pred") and not kind.endswith("x2") and n in (16, 32, 64)
        if plain and immediate and self.random.random() < 0.2:
            return self.immediate(kind)
        return self.register(n)

    def guard(self) -> str:
        if self.random.random() < 0.15:
            return f"@{self.random.choice(['', '!'])}{self.register(1)} "
        return ""

    # ---------------------------------------------------------------- statements
    def plain(self) -> None:
        r = self.random
        family = r.choice(["integer", "integer", "logic", "f32", "f32", "f64", "half", "convert", "compare", "special"])
        text = r.choice(opcodes(family))
        if family == "compare" and r.random() < 0.5:
            text = r.choice([x for x in opcodes(family) if x.split(".")[0] in ("selp", "slct", "mov")])
        parts = text.split(".")
        o = operation(parts)
        operands = [self.register(width_of(o.into[0]))]
        if parts[0] == "setp":
            operands = self.results(parts)
        for k, kind in enumerate(o.of):
            if parts[0] == "lop3" and k == 3:
                operands.append(f"{r.randrange(256):#x}")
            elif kind == "pred" and parts[0] in ("setp", "set") and r.random() < 0.3:
                operands.append("!" + self.register(1))
            else:
                operands.append(
                    self.source(kind, parts[0] not in ("cvt", "bfe", "bfi") and (k > 0 or parts[0] == "mov"))
                )
                if parts[0] in ("bfe", "bfi") and kind == "u32" and r.random() < 0.5:
                    operands[-1] = str(r.randrange(r.choice([9, 33, 65, 256])))
        self.put(family, f"{self.guard()}{text} {', '.join(operands)};")

    def results(self, parts: list[str]) -> list[str]:
        p, q = self.random.sample(range(POOLS[1][1]), 2)
        both = parts[-1].endswith("x2") or (parts[-1] not in ("f16", "bf16") and self.random.random() < 0.3)
        if both and self.random.random() < 0.2:
            return [self.random.choice([f"_|%p{q}", f"%p{p}|_"])]
        return [f"%p{p}|%p{q}" if both else f"%p{p}"]

    def statement(self) -> None:
        self.budget -= 1
        if self.random.random() < 0.62 or self.budget < 0:
            self.plain()
            return
        choices = [f for f in fragments.ANYWHERE if self.inside == "" or f not in fragments.KERNEL_ONLY]
        if self.mask and self.inside == "":
            choices += fragments.WITH_MASK
        if self.uniform and self.inside == "":
            choices += fragments.UNIFORM
        if self.depth < 3:
            choices += fragments.CONTROL * 2
        self.random.choice(choices)(self)

    def several(self, most: int = 5) -> None:
        for _ in range(self.random.randint(1, most)):
            self.statement()


def function_text(w: Writer, name: str) -> str:
    """A device function of two words, straight or with branches; the last one may call itself."""
    outer, w.inside = (w.lines, w.registers, w.mask, w.uniform, w.budget, w.depth), name
    w.lines, w.registers, w.mask, w.uniform, w.budget, w.depth = [], [], "", False, 6, 1
    recursive = w.random.random() < 0.4
    for _ in range(w.random.randint(2, 6)):
        w.statement()
        if w.random.random() < 0.2:
            early = w.register(1)
            w.put("early return", f"@{early} st.param.b32 [result], {w.register(32)};", f"@{early} ret;")
        if w.random.random() < 0.2:
            w.put(
                "local",
                "mov.u64 %a0, own;",
                f"st.local.b32 [%a0+4], {w.register(32)};",
                "ld.local.v2.b32 {%r0, %r1}, [%a0];",
            )
    if recursive:
        done, more, left = w.label(), w.new("pred"), w.new("b32")
        w.put("recursion", f"and.b32 {left}, %n, 3;", f"setp.eq.u32 {more}, {left}, 0;", f"@{more} bra {done};", f"sub.u32 {left}, {left}, 1;",
              "{ .param .b32 x; .param .b32 y; .param .b64 z; .param .b32 got;", f"st.param.b32 [x], {left};", "st.param.b32 [y], %r1;",
              "st.param.b64 [z], %d0;", f"call.uni (got), {name}, (x, y, z);", "ld.param.b32 %r2, [got];", "}", "xor.b32 %r0, %r0, %r2;",
              f"{done}:")  # fmt: skip
    body, registers = w.lines, w.registers
    w.lines, w.registers, w.mask, w.uniform, w.budget, w.depth = outer
    w.inside = ""
    start = ["ld.param.b32 %n, [a];", "ld.param.b32 %r0, [b];", "ld.param.b64 %d0, [c];"]
    start += [f"mov.b32 %r{k}, {w.random.getrandbits(31)};" for k in range(1, POOLS[32][1])] + [
        f"cvt.u64.u32 %d{k}, %r{k};" for k in range(1, POOLS[64][1])
    ]
    start += [f"cvt.u16.u32 %h{k}, %r{k};" for k in range(POOLS[16][1])] + [
        f"setp.gt.u32 %p{k}, %r{k}, {w.random.getrandbits(31)};" for k in range(POOLS[1][1])
    ]
    return "\n".join([
        f".func (.param .b32 result) {name}(.param .b32 a, .param .b32 b, .param .b64 c)", "{", *declarations(), ".reg .b32 %n;", ".reg .b64 %a0;",
        ".local .align 8 .b8 own[16];", *registers, "mov.u64 %a0, own;", "st.local.v2.b32 [%a0], {77, 78};",
        *[f"    {x}" for x in start], *body, "    st.param.b32 [result], %r0;", "    ret;", "}",
    ])  # fmt: skip


def declarations() -> list[str]:
    return [f".reg .{'pred' if n == 1 else f'b{n}'} %{prefix}<{count}>;" for n, (prefix, count) in POOLS.items()]


def load_everything(w: Writer) -> None:
    w.put("frame", "ld.param.u64 %out, [po];", "ld.param.u64 %in, [pi];", "ld.param.u64 %cells, [pc];", "mov.u32 %t0, %tid.x;", "mov.u32 %t1, %tid.y;",
          "mov.u32 %t2, %tid.z;", f"mad.lo.s32 %t0, %t1, {w.block[0]}, %t0;", f"mad.lo.s32 %tid0, %t2, {w.block[0] * w.block[1]}, %t0;",
          "mov.u32 %t0, %ctaid.x;", "mov.u32 %t1, %ctaid.y;", "mov.u32 %t2, %nctaid.x;", "mad.lo.s32 %t0, %t1, %t2, %t0;", "mov.u32 %t1, %ctaid.z;",
          "mov.u32 %t3, %nctaid.y;", "mul.lo.s32 %t2, %t2, %t3;", "mad.lo.s32 %t0, %t1, %t2, %t0;", f"mad.lo.s32 %t0, %t0, {w.count}, %tid0;",
          f"mad.wide.u32 %out, %t0, {OUT_BYTES}, %out;", f"mad.wide.u32 %in, %t0, {IN_BYTES}, %in;", "shr.u32 %warp0, %tid0, 5;")  # fmt: skip
    at = 0
    for n in (64, 32, 16):
        prefix, count = POOLS[n]
        for k in range(count):
            w.put("frame", f"ld.global.b{n} %{prefix}{k}, [%in+{at}];")
            at += n // 8
    for k in range(POOLS[1][1]):
        w.put("frame", f"setp.gt.s32 %p{k}, %r{k}, %r{k + 1};")


def store_everything(w: Writer) -> list[str]:
    lines, at = [], 0
    for n in (64, 32, 16):
        prefix, count = POOLS[n]
        for k in range(count):
            lines.append(f"st.global.b{n} [%out+{at}], %{prefix}{k};")
            at += n // 8
    for k in range(POOLS[1][1]):
        lines += [f"selp.u32 %t0, 1, 0, %p{k};", f"st.global.u8 [%out+{at + k}], %t0;"]
    return lines


def generate(seed: int, scale: int = 1) -> Program:
    w = Writer(seed, scale)
    texts = [function_text(w, name) for name in w.functions]
    load_everything(w)
    while w.budget > 0:
        w.statement()
    if w.random.random() < 0.3:
        branches.early_exit(w, store_everything(w))
        w.several(4)
    w.put("frame", *store_everything(w), "ret;")
    table = ", ".join(str(w.random.getrandbits(32)) for _ in range(16))
    ptx = "\n".join([
        ".version 8.5", ".target sm_90", ".address_size 64", f".const .align 8 .b32 table[16] = {{{table}}};",
        f".global .align 8 .b32 words[16] = {{{table}}};", ".shared .align 16 .b8 room[16384];", ".shared .align 8 .b64 counters[64];", *texts,
        ".global .align 8 .u64 places[2] = {words, words+16};", lanes.PLAIN_FUNCTION,
        ".visible .entry k(.param .u64 po, .param .u64 pi, .param .u64 pc, .param .align 8 .b8 ps[32], .param .s16 ph, .param .f64 pd)", "{", *declarations(), ".reg .b32 %t<8>;", ".reg .b32 %tid0, %warp0;",
        ".reg .b64 %out, %in, %cells, %a<4>;", ".local .align 16 .b8 own[128];", *w.registers, *w.lines, "}", "",
    ])  # fmt: skip
    return Program(seed, ptx, w.grid, w.block, w.kinds, int(np.prod(w.grid)) * w.count)
