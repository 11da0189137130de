"""What is measured: streams of short sequences, and main loops with parts left out."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from itertools import product
from random import Random
from typing import Any

#: rows16, rows8, rows4 of streams.cu, and so the degree of the conflicts: 1, 2, 4, 8 for rows of 16
#: bytes (ldmatrix, .v4), 1, 2, 4, 16 for 8 bytes, 1, 2, 8, 32 for 4 bytes
CONFLICTS = {
    "none": (16, 8, 4),
    "2": (32, 16, 8),
    "4": (64, 32, 32),
    "most": (128, 128, 128),
    "of 16": (128, 8, 4),
    "of 4": (16, 8, 128),
}

STREAMS_HEAD = {
    "what": "cycles per pass of a short sequence of instructions, all warps of one thread block on"
    " one SM (program: benchmarks/device/streams.cu)",
    "fields": {
        "name": "of the sequence",
        "sequence": "words of streams.cu: LM ldmatrix, LD ld.shared, SM stmatrix, ST st.shared, MV"
        " movmatrix, MMA mma.sync.m16n8k16 of f16 with f32 accumulators (MMAL(i, j): its A is what"
        " slot j loaded), LG ld.global.cg.v4, SR st.shared.v4 of what LG loaded, W wmma.load; the"
        " number is .num or the vector, (i) the slot",
        "burst": "true: a barrier before each pass; cycles from the first warp's start to when the"
        " last warp has used every result; false: passes back to back",
        "warps": "of the thread block",
        "rows16": "bytes between neighbouring rows of 16 bytes: lane l at l % 8 * rows16 + l / 8 *"
        " 8192; wmma: the stride, in bytes of 2-byte elements",
        "rows8": "lane l at l * rows8, for accesses of 8 bytes",
        "rows4": "lane l at l * rows4, for accesses of 4 bytes",
        "cycles": "SM clock cycles per pass; median, minimum and maximum of six launches",
    },
}
LOOPS_HEAD = {
    "what": "main loops with parts left out: cycles per iteration, one thread block on one SM"
    " (program: benchmarks/device/loop.cu)",
    "fields": {
        "tile": "M, N, K",
        "warps": "warp grid along M, N",
        "stages": "0: nothing is filled; n: buffers",
        "trans_b": "false: B is N x K; true: B is K x N, read with .trans",
        "pad": "elements added to each row of A and B",
        "swizzle_a": "[B, M, S] on elements; null: none",
        "swizzle_b": "the same of B",
        "parts": "what is there: ldm (ldmatrix), mma, fill (cp.async), bar (wait and barrier)",
        "cycles": "SM clock cycles per iteration; median, minimum and maximum of six launches",
        "registers": "of a thread",
        "spill_bytes": "local memory of a thread",
    },
}


K_SIZES = (16, 32, 32, 32, 64, 64, 128)
GRIDS = ((1, 1), (1, 2), (2, 1), (2, 2), (2, 2), (1, 4), (4, 1), (2, 4), (4, 2), (4, 4))


@dataclass(frozen=True)
class Stream:
    name: str
    sequence: str
    burst: bool = False
    warps: tuple[int, ...] = (1, 4, 8, 16)
    conflicts: tuple[str | tuple[int, int, int], ...] = ("none",)

    def macros(self) -> dict[str, Any]:
        return {"NAME": f'"{self.name}"', "SEQ": self.sequence, "BURST": int(self.burst)}

    def arguments(self) -> list[str]:
        rows = [CONFLICTS[name] if isinstance(name, str) else name for name in self.conflicts]
        return [",".join(map(str, (w, *row))) for w, row in product(self.warps, rows)]

    def to_dict(self) -> dict[str, Any]:
        return {"sequence": self.sequence, "burst": self.burst}


def repeat(word: str, count: int, first: int = 0) -> str:
    return " ".join(f"{word}({first + i})" for i in range(count))


def streams() -> Iterator[Stream]:
    every = ("none", "2", "4", "most")
    for slots in (1, 2, 4, 8, 16):
        yield Stream(f"mma_{slots}", repeat("MMA", slots), warps=(1, 2, 4, 8, 16))
    for links in (1, 2, 4, 8):
        yield Stream(f"mma_chain_{links}", " ".join(["MMA(0)"] * links), warps=(1, 4, 8))
    mixes = {
        "ldm4x4_stm4x2": repeat("LM4", 4) + " " + repeat("SM4", 2, 4),
        "ldm4x2_st4x2": repeat("LM4", 2) + " " + repeat("ST4", 2, 4),
        "ldm4x2_st1x4": repeat("LM4", 2) + " " + repeat("ST1", 4, 4),
        "ld1x4_st1x2": repeat("LD1", 4) + " " + repeat("ST1", 2, 4),
        "ld2x2_st2x2": repeat("LD2", 2) + " " + repeat("ST2", 2, 4),
        "ld4x2_stm2x2": repeat("LD4", 2) + " " + repeat("SM2", 2, 4),
        "ldm1x8": repeat("LM1", 8),
        "ldm2x4_movm4": repeat("LM2", 4) + " " + repeat("MV", 4, 4),
        "ldm4x4_mma8": repeat("LM4", 4) + " " + repeat("MMA", 8),
        "ldm4x4_mmal8": repeat("LM4", 4) + " " + " ".join(f"MMAL({i},{i // 2})" for i in range(8)),
        "ldm4x2_mmal16": repeat("LM4", 2) + " " + " ".join(f"MMAL({i},{i // 8})" for i in range(16)),
    }
    for name, sequence in mixes.items():
        yield Stream(name, sequence, conflicts=every)
    yield Stream("fill_st4x4", repeat("LG4", 4) + " " + repeat("SR4", 4), conflicts=every)
    yield Stream("fill_st4x8_bar", repeat("LG4", 8) + " BAR " + repeat("SR4", 8) + " BAR", conflicts=every)
    yield Stream(
        "fill_st4x4_ldm4x4", repeat("LG4", 4) + " " + repeat("LM4", 4, 4) + " " + repeat("SR4", 4), conflicts=every
    )
    for word in ("WA", "WB"):
        yield Stream(f"wmma_{word.lower()}x4", repeat(word, 4), conflicts=("2", "4", "most"))
    yield Stream("wmma_ab_mma", "WA(0) WB(1) MMAL(0,0) MMAL(1,0) MMAL(2,1) MMAL(3,1)", conflicts=("2", "4", "most"))
    for count in (1, 2, 4, 8):
        yield Stream(f"burst_ldm4x{count}", repeat("LM4", count), True, (1, 2, 4, 8, 16), every)
    for count in (2, 4, 8):
        yield Stream(f"burst_ldm2x{count}", repeat("LM2", count), True, (1, 4, 8, 16), every)
    yield Stream("burst_ld1x8", repeat("LD1", 8), True, (1, 4, 8, 16), every)
    yield Stream("burst_stm4x4_ldm4", repeat("SM4", 4) + " LM4(0)", True, (1, 4, 8, 16), every)
    one_of_each = ("of 16", "of 4")
    yield Stream("burst_ld1_ldm4x3", "LD1(0) " + repeat("LM4", 3, 1), True, (4, 8, 16), one_of_each)
    yield Stream("burst_ldm4x3_ld1", repeat("LM4", 3) + " LD1(3)", True, (4, 8, 16), one_of_each)
    yield Stream("burst_nothing", "", True, (1, 2, 4, 8, 16))


def random_programs(count: int, seed: int) -> Iterator[Stream]:
    """Short programs of ldmatrix, rows any multiple of 16 bytes apart; one warp first, for the frame."""
    draw = Random(seed)
    for index in range(count):
        words = [draw.choice(("LM4", "LM4T", "LM2", "LM1")) for _ in range(draw.choice((1, 2, 3)))]
        slots = range(draw.randrange(1, 17))
        sequence = " ".join(f"{words[slot % len(words)]}({slot})" for slot in slots)
        rows = tuple((16 * draw.randrange(1, 65), 8, 4) for _ in range(3))
        warps = (1, *sorted(draw.sample((2, 3, 4, 6, 8, 12, 16), 3)))
        yield Stream(f"program_{index}", sequence, True, warps, rows)


@dataclass(frozen=True)
class Loop:
    tile: tuple[int, int, int]
    warps: tuple[int, int]
    stages: int
    trans_b: bool = False
    pad: int = 0
    swizzle_a: tuple[int, int, int] | None = None
    swizzle_b: tuple[int, int, int] | None = None
    parts: tuple[str, ...] = ("ldm", "mma", "fill", "bar")

    def macros(self) -> dict[str, Any]:
        (m, n, k), (wm, wn) = self.tile, self.warps
        a, b = self.swizzle_a or (0, 3, 0), self.swizzle_b or (0, 3, 0)
        there = {part.upper(): int(part in self.parts) for part in ("ldm", "mma", "fill", "bar")}
        return {
            "M": m, "N": n, "K": k, "WM": wm, "WN": wn, "STAGES": self.stages,
            "TRANSB": int(self.trans_b), "PAD": self.pad, "SBA": a[0], "SSA": a[2], "SBB": b[0],
            "SSB": b[2], **there,
        }  # fmt: skip

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)


#: tile, warp grid, trans_b
SHAPES = (
    ((128, 128, 32), (2, 2), False),
    ((128, 128, 32), (2, 4), True),
    ((128, 128, 32), (4, 4), False),
    ((64, 64, 32), (1, 1), False),
    ((64, 64, 64), (2, 2), False),
    ((64, 128, 32), (1, 2), False),
    ((128, 64, 64), (4, 2), True),
    ((128, 32, 32), (4, 2), False),
    ((32, 64, 32), (2, 2), False),
    ((96, 96, 32), (2, 2), True),
    ((256, 64, 16), (4, 2), False),
    ((64, 256, 64), (2, 4), False),
)
PARTS = (
    ("ldm", "mma", "fill", "bar"),
    ("mma", "fill", "bar"),
    ("ldm", "fill", "bar"),
    ("fill", "bar"),
    ("ldm", "mma", "bar"),
    ("mma", "bar"),
    ("bar",),
    ("ldm", "mma"),
    ("mma",),
)


def swizzles(tile: tuple[int, int, int], trans_b: bool) -> tuple[tuple[int, int, int], tuple[int, int, int]]:
    """The usual swizzle of rows of 32, 64 and 128 bytes and more, for A and B."""

    def usual(cols: int) -> tuple[int, int, int]:
        bits = min(3, (cols // 16).bit_length())
        return bits, 3, max(3, cols.bit_length() - 4)

    return usual(tile[2]), usual(tile[1] if trans_b else tile[2])


def loops() -> Iterator[Loop]:
    for tile, warps, trans_b in SHAPES:
        a, b = swizzles(tile, trans_b)
        for parts in PARTS:
            yield Loop(tile, warps, 3, trans_b, 0, a, b, parts)
        for stages in (0, 1, 2, 4):
            yield Loop(tile, warps, stages, trans_b, 0, a, b)
        yield Loop(tile, warps, 1, trans_b, 0, a, b, ("fill", "bar"))
        yield Loop(tile, warps, 2, trans_b, 0, a, b, ("fill", "bar"))
        yield Loop(tile, warps, 3, trans_b, 8)
        yield Loop(tile, warps, 3, trans_b, 8, parts=("fill", "bar"))
        yield Loop(tile, warps, 3, trans_b, 8, parts=("ldm", "fill", "bar"))
        yield Loop(tile, warps, 2, trans_b, 8)
        yield Loop(tile, warps, 3, trans_b)
        yield Loop(tile, warps, 3, trans_b, parts=("ldm", "bar"))
        yield Loop(tile, warps, 0, trans_b, 0, a, b, ("ldm",))
        yield Loop(tile, warps, 3, trans_b, 0, a, b, ("ldm", "bar"))
        yield Loop(tile, warps, 2, trans_b, 0, a, b, ("ldm", "fill", "bar"))
        yield Loop(tile, warps, 2, trans_b, 0, a, b, ("ldm", "mma", "bar"))


def random_loops(count: int, seed: int) -> Iterator[Loop]:
    """Whole loops of any shape that fits into an H200's registers and shared memory."""
    draw = Random(seed)
    found = 0
    while found < count:
        tile = (draw.randrange(32, 257, 32), draw.randrange(32, 257, 32), draw.choice(K_SIZES))
        warps = draw.choice(GRIDS)
        (m, n, k), (wm, wn) = tile, warps
        stages, trans_b, pad = draw.choice((0, 1, 2, 2, 3, 3, 3, 4)), draw.random() < 0.4, 0
        kind = draw.choice(("plain", "pad", "pad", "swizzle", "swizzle", "swizzle"))
        a, b = swizzles(tile, trans_b) if kind == "swizzle" else (None, None)
        if kind == "pad":
            pad = draw.choice((8, 8, 16))
        sums = m // 16 // wm * (n // 8 // wn) * 4 if m % (16 * wm) == n % (16 * wn) == 0 else 0
        shared = 2 * max(stages, 1) * (m * (k + pad) + (k * (n + pad) if trans_b else n * (k + pad)))
        if 8 <= sums <= 128 and shared <= 232448:
            found += 1
            yield Loop(tile, warps, stages, trans_b, pad, a, b)
