"""Instructions with addresses, drawn by chance: what drawn.py times."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

LANES, WINDOW = 32, 8192
GROUP = 8  # copies of a group
WARPS = (1, 2, 3, 4, 6, 8, 12, 16)


@dataclass
class Form:
    """One instruction as PTX: `text` has {d} registers, {a} address, {s} source, {t} stride."""

    ptx: str
    text: str
    registers: int = 1
    width: int = 4
    space: str = "shared"
    kind: str = "ld"
    register: str = "r"
    strides: tuple[int, ...] = ()
    timed: tuple[str, ...] = ("latency", "interval")


def plain() -> Iterator[Form]:
    for words, width, count, register in (
        ("b32", 4, 1, "r"), ("v2.b32", 8, 2, "r"), ("v4.b32", 16, 4, "r"), ("u8", 1, 1, "r"), ("u16", 2, 1, "h"),
        ("b64", 8, 1, "d"),
    ):  # fmt: skip
        values = "{d}" if count == 1 else "{{{d}}}"
        yield Form(
            f"ld.shared.{words}", f"ld.volatile.shared.{words} {values},[{{a}}];", count, width, register=register
        )
        yield Form(
            f"st.shared.{words}",
            f"st.volatile.shared.{words} [{{a}}],{values};",
            count,
            width,
            "shared",
            "st",
            register,
        )
    for words, width, count, register in (
        ("b32", 4, 1, "r"),
        ("v2.b32", 8, 2, "r"),
        ("v4.b32", 16, 4, "r"),
        ("b64", 8, 1, "d"),
    ):
        values = "{d}" if count == 1 else "{{{d}}}"
        yield Form(
            f"ld.global.{words}",
            f"ld.relaxed.cta.global.{words} {values},[{{a}}];",
            count,
            width,
            "global",
            register=register,
        )


def matrices() -> Iterator[Form]:
    for num in (1, 2, 4):
        for trans in ("", ".trans"):
            words = f"sync.aligned.m8n8.x{num}{trans}.shared.b16"
            yield Form(f"ldmatrix.{words}", f"ldmatrix.{words} {{{{{{d}}}}}},[{{a}}];", num, 16)
            yield Form(f"stmatrix.{words}", f"stmatrix.{words} [{{a}}],{{{{{{d}}}}}};", num, 16, kind="st")


def moves() -> Iterator[Form]:
    words = "movmatrix.sync.aligned.m8n8.trans.b16"
    yield Form(words, f"{words} {{d}},{{d}};", 1, 4, kind="mov")


def wmma() -> Iterator[Form]:
    for operand, layout, shape, kind, count, unit in (
        ("a", "row", "m16n16k16", "f16", 8, 8), ("a", "col", "m16n16k16", "f16", 8, 8),
        ("b", "row", "m16n16k16", "f16", 8, 8), ("c", "row", "m16n16k16", "f32", 8, 4),
        ("a", "row", "m16n16k16", "s8", 2, 16), ("b", "col", "m8n32k16", "bf16", 8, 8),
        ("a", "row", "m16n16k8", "tf32", 4, 4), ("a", "row", "m32n8k16", "f16", 8, 8),
    ):  # fmt: skip
        for space in ("shared", "global"):
            words = f"wmma.load.{operand}.sync.aligned.{layout}.{shape}.{space}.{kind}"
            register = "f" if kind == "f32" else "r"
            rows = int(shape[1:3]) if shape[1:3].isdigit() else 8
            yield Form(
                words, f"{words} {{{{{{d}}}}}},[{{a}}],{{t}};", count, 32, space, "wmma", register,
                tuple(unit * k for k in range(-(-max(rows, 32) // unit), 72 // (unit // 4))),
            )  # fmt: skip


def copies() -> Iterator[Form]:
    for cache, size in (("cg", 16), ("ca", 16), ("ca", 8), ("ca", 4)):
        text = f"cp.async.{cache}.shared.global [{{a}}],[{{s}}],{size};"
        yield Form(f"cp.async.{cache}.shared.global {size}", text, 0, size, "shared", "copy")


@dataclass
class Case:
    form: Form
    timed: str
    address: Any
    source: Any = None
    stride: int | None = None
    warps: int = 1
    apart: int = 0
    extra: dict[str, Any] = field(default_factory=dict)

    def to_dict(self) -> dict[str, Any]:
        found = {"ptx": self.form.ptx, "timed": self.timed, "address": self.address, "source": self.source}
        return {**found, "stride": self.stride, "warps": self.warps, "apart": self.apart, **self.extra}


def addresses(draw: random.Random, width: int, rows: int = LANES) -> list[int]:
    """32 addresses of this width within the window: strides, rows, swizzles, few words, chance."""
    slots = WINDOW // width
    kind = draw.randrange(6)
    lanes = range(LANES)
    if kind == 0:
        stride = draw.choice((1, 1, 2, 3, 4, 5, 8, 9, 16, 17))
        found = [lane * stride for lane in lanes]
    elif kind == 1:
        pitch, column = draw.randrange(1, 33), draw.randrange(1, 9)
        found = [lane % 8 * pitch + lane // 8 * column for lane in lanes]
    elif kind == 2:
        bits = draw.choice((1, 3, 7))
        found = [lane % 8 * 8 + ((lane // 8) ^ (lane & bits)) for lane in lanes]
    elif kind == 3:
        few = [draw.randrange(slots) for _ in range(draw.randrange(1, 9))]
        found = [draw.choice(few) for _ in lanes]
    elif kind == 4:
        near = draw.choice((32, 64, 128, 256))
        found = [draw.randrange(near) for _ in lanes]
    else:
        found = [draw.randrange(slots) for _ in lanes]
    if draw.random() < 0.2:
        draw.shuffle(found)
    return [slot % slots * width for slot in found]


def fill(draw: random.Random, width: int) -> tuple[list[list[int]], list[list[int]]]:
    """Destinations and sources of the 8 instructions of a warp that fill a tile: padded, swizzled or neither."""
    row = draw.choice((2, 4, 8, 16)) * 16 // width
    pad, bits = draw.choice(((0, 0), (0, 1), (0, 3), (0, 7), (16, 0), (16, 0), (32, 0), (48, 0)))
    pitch, from_pitch = row * width + pad, row * width * draw.choice((1, 1, 2, 4))
    to: list[list[int]] = []
    source: list[list[int]] = []
    for first in range(0, GROUP * LANES, LANES):
        places = [divmod(first + lane, row) for lane in range(LANES)]
        to.append([y * pitch + (x * width ^ (y & bits) * 16) % (row * width) for y, x in places])
        source.append([y * from_pitch + x * width for y, x in places])
    return to, source


def cases(seed: int) -> Iterator[Case]:
    draw = random.Random(seed)
    for form in (*plain(), *matrices(), *moves(), *wmma(), *copies()):
        rounds = 6 if form.kind == "wmma" else 16
        for timed in form.timed:
            for _ in range(rounds):
                stride = draw.choice(form.strides) if form.strides else None
                address = [0] * LANES if form.strides else addresses(draw, form.width)
                source = None
                if form.kind == "copy":
                    address, source = fill(draw, form.width)
                counts = (1,) if timed == "latency" else draw.sample(WARPS, 4 if form.kind != "wmma" else 3)
                for warps in sorted(counts):
                    apart = 0 if timed == "latency" else draw.choice((0, WINDOW))
                    if warps > 8 and form.space == "shared":
                        apart = 0
                    if form.kind == "copy":
                        apart = WINDOW
                    if form.kind == "wmma" and warps > 8:
                        continue
                    yield Case(form, timed, address, source, stride, warps, apart)
