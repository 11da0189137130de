"""Cases of tensor maps and bulk copies: `python cases.py FILE` writes them as the program tma.cu reads them."""

from __future__ import annotations

import struct
import sys
from dataclasses import dataclass, field

MASK = (1 << 64) - 1
BYTES = (1, 2, 4, 4, 8, 8, 2, 4, 8, 2, 4, 4, 4)  # of an element, by CUtensorMapDataType
FLOATS = (6, 7, 8, 9, 10, 11, 12)
SPAN = (16, 32, 64, 128)  # of swizzles
LAYOUT = struct.Struct("<12I5Q4Q5I5I3i3iII5i3IQQII")
REDUCE = {2: "add", 3: "min", 4: "max", 5: "inc", 6: "dec", 7: "and", 8: "or", 9: "xor"}
ROOM = 60_000  # bytes of the tensor at most
BOX = 4096  # bytes of a box at most


class Words:
    """SplitMix64: word i of a seed."""

    def __init__(self, seed: int) -> None:
        self.state = seed

    def word(self) -> int:
        self.state = (self.state + 0x9E3779B97F4A7C15) & MASK
        z = self.state
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9 & MASK
        z = (z ^ (z >> 27)) * 0x94D049BB133111EB & MASK
        return z ^ (z >> 31)

    def below(self, n: int) -> int:
        return self.word() % n

    def between(self, low: int, high: int) -> int:
        return low + self.below(high - low + 1)

    def pick(self, items):  # type: ignore[no-untyped-def]
        return items[self.below(len(items))]

    def chance(self, percent: int) -> bool:
        return self.below(100) < percent


@dataclass
class Case:
    """One map, and one copy by it."""

    kind: int = 0  # 0 encoded alone, 1 copied by a tensor map, 2 a copy without a map
    mode: int = 0  # 0 tile, 1 im2col, 2 and 3 the wide modes
    op: int = 0  # 0 load, 1 store, 2 to 9 reductions
    dtype: int = 0
    rank: int = 1
    interleave: int = 0
    swizzle: int = 0
    l2: int = 0
    fill: int = 0
    base: int = 0
    smem: int = 0
    content: int = 0
    dims: list[int] = field(default_factory=list)
    strides: list[int] = field(default_factory=list)
    box: list[int] = field(default_factory=list)
    estr: list[int] = field(default_factory=list)
    lower: list[int] = field(default_factory=list)
    upper: list[int] = field(default_factory=list)
    channels: int = 0
    pixels: int = 0
    coords: list[int] = field(default_factory=list)
    offsets: list[int] = field(default_factory=list)
    seed: int = 0
    address: int = 0x7000_0000_0000
    group: str = ""

    def pack(self) -> bytes:
        def full(items: list[int], count: int) -> list[int]:
            return [*items, *[0] * count][:count]

        return LAYOUT.pack(
            self.kind, self.mode, self.op, self.dtype, self.rank, self.interleave, self.swizzle, self.l2, self.fill,
            self.base, self.smem, self.content, *full(self.dims, 5), *full(self.strides, 4), *full(self.box, 5),
            *full(self.estr, 5), *full(self.lower, 3), *full(self.upper, 3), self.channels, self.pixels,
            *full(self.coords, 5), *full(self.offsets, 3), self.seed, self.address, 0, 0,
        )  # fmt: skip


def ceil_to(value: int, multiple: int) -> int:
    return -(-value // multiple) * multiple


def product(items: list[int]) -> int:
    found = 1
    for item in items:
        found *= item
    return found


def draw_tensor(words: Words, case: Case) -> None:
    """Type, dimensions and strides of a tensor that fits into the buffer."""
    size = BYTES[case.dtype]
    grain = 32 if case.interleave == 2 else 16
    while True:
        inner = words.pick([16, 32, 64, 96, 128, 256, 512]) // size if case.rank > 1 else words.between(1, 2000)
        if words.chance(40):
            inner = words.between(1, max(1, 600 // size))
        case.dims = [max(1, inner)] + [words.between(1, (0, 64, 20, 9, 6)[case.rank - 1]) for _ in range(case.rank - 1)]
        case.strides = []
        step = ceil_to(case.dims[0] * size, grain)
        for at in range(1, case.rank):
            if words.chance(30):
                step += grain * words.between(1, 4)
            case.strides.append(step)
            step *= case.dims[at]
        if case.rank > 1 and words.chance(6):  # rows that overlap, or lie in another order
            case.strides = [grain * words.between(1, 40) for _ in case.strides]
        reach = case.dims[0] * size + sum((d - 1) * s for d, s in zip(case.dims[1:], case.strides, strict=True))
        case.base = grain * words.below(16)
        if case.base + reach <= ROOM:
            return


def draw_box(words: Words, case: Case) -> None:
    size = BYTES[case.dtype]
    most = SPAN[case.swizzle] if case.swizzle else 1024
    while True:
        chunk = max(1, 16 // size)
        widths = [w for w in range(chunk, 257, chunk) if w * size <= most and (w * size) % 16 == 0]
        width = words.pick(widths[:8] if words.chance(60) else widths)
        if case.interleave:
            width = words.pick([w for w in range(1, 9)])
        case.box = [width] + [words.between(1, (0, 64, 16, 8, 6)[case.rank - 1]) for _ in range(case.rank - 1)]
        case.estr = [1] * case.rank
        if words.chance(30):
            case.estr = [words.between(1, 4 if words.chance(80) else 8) for _ in range(case.rank)]
        counts = [-(-b // e) for b, e in zip(case.box, case.estr, strict=True)]
        counts[0] = case.box[0]
        row = width * size if not case.interleave else 32
        if case.swizzle:
            row = max(row, SPAN[case.swizzle])
        if row * product(counts[1:]) <= BOX:
            return


def draw_coords(words: Words, case: Case, low: bool, aligned: bool) -> None:
    size = BYTES[case.dtype]
    case.coords = []
    for at in range(case.rank):
        extent, box = case.dims[at], case.box[at] if case.box else 4
        inside = words.chance(60)
        least = 0 if inside or not low else -box - 1
        at_most = max(0, extent - box) if inside else extent + 1
        case.coords.append(words.between(least, max(least, at_most)))
    if aligned:
        case.coords[0] -= case.coords[0] % max(1, 16 // size)


def draw_tile(words: Words, group: str) -> Case:
    case = Case(kind=1, group=group)
    case.op = 0 if words.chance(60) else 1
    case.dtype = words.below(13)
    if group == "reduce":
        case.op, case.dtype = draw_reduction(words)
    case.rank = words.pick([1, 2, 2, 3, 3, 4, 4, 5, 5])
    case.swizzle = words.pick([0, 0, 1, 2, 3, 3])
    if group == "interleave":
        case.rank = words.between(3, 5)
        case.interleave = words.between(1, 2)
        case.swizzle = 1 if case.interleave == 2 else words.below(4)
    case.l2 = words.below(4)
    case.fill = int(case.dtype in FLOATS and words.chance(30))
    case.content = int(words.chance(50) if group != "reduce" else words.chance(85))
    draw_tensor(words, case)
    draw_box(words, case)
    aligned = group != "unaligned"
    draw_coords(words, case, case.op == 0 or group == "negative", aligned)
    if group == "negative":
        case.op = words.between(1, 2)
        case.coords[words.below(case.rank)] = -words.between(1, 4)
    if group == "unaligned":
        case.op = words.pick([0, 0, 1])
        case.coords = [abs(c) for c in case.coords] if case.op else case.coords
    case.smem = 128 * words.below(32) if words.chance(40) else 1024 * words.below(4)
    case.seed = words.word()
    return case


def draw_reduction(words: Words) -> tuple[int, int]:
    rows = {
        2: (2, 3, 4, 6, 7, 8, 9, 10), 3: (2, 3, 4, 5, 6, 9), 4: (2, 3, 4, 5, 6, 9), 5: (2,), 6: (2,),
        7: (2, 3, 4, 5), 8: (2, 3, 4, 5), 9: (2, 3, 4, 5),
    }  # fmt: skip
    op = words.between(2, 9)
    return op, words.pick(rows[op])


def draw_im2col(words: Words, group: str) -> Case:
    case = Case(kind=1, mode=1, group=group)
    case.op = 0 if words.chance(75) else 1
    case.dtype = words.below(13)
    case.rank = words.between(3, 5)
    case.swizzle = words.pick([0, 0, 1, 2, 3])
    if group == "im2col_interleave":
        case.interleave = words.between(1, 2)
        case.swizzle = 1 if case.interleave == 2 else words.below(4)
    case.fill = int(case.dtype in FLOATS and words.chance(30))
    case.content = int(words.chance(50))
    if group == "im2col_reduce":
        case.op, case.dtype = draw_reduction(words)
        case.content = 1
        case.fill = 0
    size = BYTES[case.dtype]
    spatial = case.rank - 2
    limit = (0, 1 << 15, 1 << 7, 1 << 4)[spatial]
    while True:
        draw_tensor(words, case)
        case.estr = [1] * case.rank
        if words.chance(30):
            case.estr = [words.between(1, 3) for _ in range(case.rank)]
        case.lower = [words.between(-3, 2) for _ in range(spatial)]
        case.upper = [words.between(-3, 2) for _ in range(spatial)]
        case.lower = [max(-limit, min(limit - 1, x)) for x in case.lower]
        most = SPAN[case.swizzle] if case.swizzle else 512
        chunk = max(1, 16 // size)
        widths = [w for w in range(chunk, 257, chunk) if w * size <= most and (w * size) % 16 == 0]
        case.channels = words.pick(widths[:8])
        case.pixels = words.between(1, 64)
        window = [d + u - low for d, low, u in zip(case.dims[1:-1], case.lower, case.upper, strict=True)]
        row = max(case.channels * size, SPAN[case.swizzle] if case.swizzle else 0)
        if min(window) >= 1 and row * case.pixels <= 2 * BOX:
            break
    case.coords = [case.channels * words.below(3) if words.chance(50) else chunk * words.below(4)]
    for at in range(spatial):
        low = case.lower[at]
        case.coords.append(
            words.between(low, low + window[at] - 1) if case.op == 0 else words.between(0, case.dims[at + 1] - 1)
        )
    case.coords.append(words.below(case.dims[-1]))
    most = (0, 1 << 16, 1 << 8, 1 << 5)[spatial]
    case.offsets = [min(most - 1, words.below(4)) for _ in range(spatial)]
    case.smem = 128 * words.below(16) if words.chance(30) else 1024 * words.below(4)
    case.seed = words.word()
    return case


def one_field_at_a_time() -> list[Case]:
    """Encodings of one map with one field changed."""
    found = []

    def add(**changes: object) -> None:
        base = dict(
            kind=0, mode=0, dtype=6, rank=5, interleave=0, swizzle=0, l2=0, fill=0, dims=[64, 32, 16, 8, 4],
            strides=[128, 4096, 65536, 524288], box=[8, 1, 1, 1, 1], estr=[1] * 5, group="field",
        )  # fmt: skip
        found.append(Case(**{**base, **changes}))  # type: ignore[arg-type]

    add()
    for name, values in {
        "dtype": range(17), "rank": range(7), "l2": range(5), "fill": range(3), "swizzle": range(8), "interleave": range(4),
        "address": [0, 1, 8, 16, 32, 48, 1 << 32, 1 << 40, 1 << 47, 1 << 48, 1 << 56, (1 << 57) + 16, 1 << 63, MASK - 15, 0x7123456789ABCDE0],
    }.items():  # fmt: skip
        for value in values:
            add(**{name: value})
            if name == "fill":
                add(fill=value, dtype=0)
    for at in range(5):
        for value in [0, 1, 2, 3, 7, 255, 256, 65536, (1 << 31), (1 << 32) - 1, 1 << 32, (1 << 32) + 1]:
            dims = [64, 32, 16, 8, 4]
            dims[at] = value
            add(dims=dims)
        for value in [0, 1, 2, 8, 9, 16, 24, 31, 32, 64, 128, 255, 256, 257, 512]:
            box = [8, 1, 1, 1, 1]
            box[at] = value
            add(box=box)
        for value in range(10):
            estr = [1] * 5
            estr[at] = value
            add(estr=estr)
            box = [8] * 5
            add(estr=estr, box=box)
    for at in range(4):
        for value in [
            0,
            8,
            15,
            16,
            24,
            32,
            48,
            64,
            112,
            128,
            4096,
            1 << 20,
            1 << 32,
            1 << 36,
            (1 << 40) - 16,
            1 << 40,
            1 << 41,
        ]:
            strides = [128, 4096, 65536, 524288]
            strides[at] = value
            add(strides=strides)
    for rank in range(1, 6):
        for interleave in range(3):
            for swizzle in range(7):
                for width in [1, 2, 4, 8, 12, 16, 24, 32, 40, 48, 64, 72, 128, 136, 256]:
                    add(rank=rank, interleave=interleave, swizzle=swizzle, box=[width, 2, 2, 2, 2])
    im2col = dict(mode=1, lower=[-1, -2, -3], upper=[1, 2, 3], channels=16, pixels=32)
    add(**im2col)
    for rank in range(7):
        add(**{**im2col, "rank": rank})
    for interleave in range(4):
        for swizzle in range(8):
            for channels in [1, 8, 16, 32, 64, 128, 256]:
                add(**{**im2col, "interleave": interleave, "swizzle": swizzle, "channels": channels})
    for channels in [0, 1, 4, 8, 12, 255, 256, 257, 512]:
        add(**{**im2col, "channels": channels})
    for pixels in [0, 1, 2, 255, 256, 257, 511, 512, 1023, 1024, 1025, 4096]:
        add(**{**im2col, "pixels": pixels})
    for rank in (3, 4, 5):
        for at in range(rank - 2):
            for value in [
                -32769,
                -32768,
                -1000,
                -129,
                -128,
                -127,
                -17,
                -16,
                -15,
                -8,
                -1,
                0,
                1,
                7,
                8,
                15,
                16,
                127,
                128,
                32767,
                32768,
            ]:
                for name in ("lower", "upper"):
                    corner = [0, 0, 0]
                    corner[at] = value
                    add(**{**im2col, "rank": rank, "lower": [0, 0, 0], "upper": [0, 0, 0], name: corner})
    for at in range(5):
        for value in [0, 1, 2, 7, 8, 9]:
            estr = [1] * 5
            estr[at] = value
            add(**im2col, estr=estr)
    for dtype in range(16):
        add(**im2col, dtype=dtype)
        add(dtype=dtype, dims=[128, 32, 16, 8, 4], box=[128, 1, 1, 1, 1])
        add(dtype=dtype, dims=[128, 32, 16, 8, 4], box=[64, 1, 1, 1, 1])
        for swizzle in range(7):
            add(dtype=dtype, dims=[128, 32, 16, 8, 4], box=[128, 1, 1, 1, 1], swizzle=swizzle)
    for mode in (2, 3):
        for rank in (3, 4, 5):
            add(**{**im2col, "mode": mode, "rank": rank})
    return found


def random_encodings(words: Words, count: int) -> list[Case]:
    """Maps of every kind, a field or two of most of them spoilt."""
    found = []
    for _ in range(count):
        case = (
            draw_im2col(words, "im2col") if words.chance(30) else draw_tile(words, words.pick(["tile", "interleave"]))
        )
        case.kind, case.group = 0, "encode"
        case.address = 16 * words.below(1 << 40)
        if words.chance(50):
            case.dims = [words.between(1, 1 << words.between(1, 32)) for _ in case.dims]
            case.strides = [16 * words.between(1, 1 << words.between(1, 36)) for _ in case.strides]
        for _ in range(words.below(3)):
            name = words.pick(
                [
                    "dims",
                    "strides",
                    "box",
                    "estr",
                    "swizzle",
                    "interleave",
                    "fill",
                    "address",
                    "channels",
                    "pixels",
                    "lower",
                    "upper",
                    "dtype",
                ]
            )
            value = words.pick([0, 1, 2, 3, 4, 8, 9, 16, 32, 48, 100, 256, 257])
            if name in ("dims", "strides", "box", "estr", "lower", "upper"):
                items = getattr(case, name)
                if items:
                    items[words.below(len(items))] = value
            elif name in ("swizzle", "interleave", "fill", "dtype"):
                setattr(case, name, value % {"swizzle": 7, "interleave": 3, "fill": 2, "dtype": 13}[name])
            else:
                setattr(case, name, value)
        found.append(case)
    return found


def plain(words: Words) -> list[Case]:
    """Copies and reductions without a map: op as in tma.cu."""
    found = []
    floats = {13: 6, 14: 9, 15: 7, 16: 8, 21: 6, 22: 9, 27: 6, 28: 9}
    for op in [0, 1, 2, *range(10, 37), *range(40, 52)]:
        for number in range(4):
            found.append(
                Case(
                    kind=2, op=op, base=16 * words.below(1000), smem=16 * words.below(500), pixels=16 * words.between(1, 60),
                    channels=16 * words.between(1000, 2000), dtype=floats.get(op, 2), content=int(number > 0),
                    seed=words.word(), group="plain",
                )
            )  # fmt: skip
    for op in (0, 1, 2):
        for name in ("base", "smem", "pixels", "channels"):
            for value in (1, 4, 8):
                case = Case(
                    kind=2, op=op, base=512, smem=512, pixels=64, channels=16384, seed=words.word(), group="doubt_plain"
                )
                setattr(case, name, getattr(case, name) + value)
                found.append(case)
        found.append(
            Case(kind=2, op=op, base=512, smem=512, pixels=0, channels=16384, seed=words.word(), group="doubt_plain")
        )
    return found


def doubtful(words: Words) -> list[Case]:
    found = []
    for group, count in (("unaligned", 120), ("negative", 60)):
        found += [draw_tile(words, group) for _ in range(count)]
    for _ in range(24):  # shared addresses that are multiples of 16 only
        case = draw_tile(words, "tile")
        case.smem = 16 * words.between(1, 7) + 1024
        case.group = "doubt_shared"
        found.append(case)
    for op in range(2, 10):
        for dtype in range(13):
            case = draw_tile(words, "tile")
            while case.interleave or case.rank < 2:
                case = draw_tile(words, "tile")
            case.op, case.group, case.swizzle = op, "doubt_reduce", 0
            case.dtype = dtype
            case.fill = 0
            case.content = 1
            draw_tensor(words, case)
            draw_box(words, case)
            draw_coords(words, case, False, True)
            found.append(case)
    for _ in range(40):
        case = draw_im2col(words, "im2col")
        case.group = "doubt_im2col"
        what = words.below(4)
        spatial = case.rank - 2
        if what == 0:
            case.coords[words.between(1, spatial)] += words.pick([-20, 20, 100])
        elif what == 1:
            case.coords[-1] += words.pick([-1, 1, 2])
        elif what == 2:
            case.coords[0] += words.pick([1, 2, 3])
        else:
            case.offsets = [words.between(4, 40) for _ in range(spatial)]
        found.append(case)
    return found


def cases() -> list[Case]:
    """All of them, in the order in which they ran."""
    found = one_field_at_a_time()
    found += random_encodings(Words(1), 2500)
    words = Words(2)
    found += [draw_tile(words, "tile") for _ in range(3000)]
    found += [draw_tile(Words(3 + n), "reduce") for n in range(500)]
    found += [draw_im2col(Words(10000 + n), "im2col") for n in range(1000)]
    found += [draw_im2col(Words(20000 + n), "im2col_reduce") for n in range(100)]
    found += plain(Words(3))
    found += [draw_tile(Words(30000 + n), "interleave") for n in range(400)]
    found += [draw_im2col(Words(40000 + n), "im2col_interleave") for n in range(100)]
    found += doubtful(Words(4))
    return found


if __name__ == "__main__":
    with open(sys.argv[1], "wb") as to:
        to.writelines(case.pack() for case in cases())
