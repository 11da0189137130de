"""More cases: interleaved maps, and copies that the hardware may refuse."""

import sys

from .cases import BYTES, Words, doubtful, draw_coords, draw_im2col, draw_tensor, draw_tile, plain, product


def interleaved(words, mode):
    while True:
        case = draw_im2col(words, "im2col_interleave") if mode else draw_tile(words, "tile")
        if mode:
            case.group = "im2col_interleave"
            case.op = 0 if words.chance(85) else 1
            if case.interleave == 1 or case.swizzle == 1:
                return case
            continue
        if case.rank < 3:
            continue
        case.group = "interleave"
        case.interleave = words.between(1, 2)
        case.swizzle = 1 if case.interleave == 2 else words.below(4)
        draw_tensor(words, case)
        size = BYTES[case.dtype]
        chunk = max(1, 16 // size)
        while True:
            case.box = [chunk * words.between(1, 4)] + [
                words.between(1, (0, 0, 0, 8, 6, 4)[case.rank]) for _ in range(case.rank - 1)
            ]
            case.estr = [1] * case.rank if words.chance(75) else [words.between(1, 3) for _ in range(case.rank)]
            if product(case.box) * 32 <= 40000:
                break
        draw_coords(words, case, case.op == 0, words.chance(70))
        if case.op:
            case.coords = [max(0, x) for x in case.coords]
        return case


def more():
    found = [draw_tile(Words(100000 + n), "tile") for n in range(300)]
    found += [draw_im2col(Words(110000 + n), "im2col") for n in range(150)]
    found = [c for c in found if c.mode == 0 or c.op == 0]
    found += plain(Words(3))[:168]
    found += [interleaved(Words(120000 + n), 0) for n in range(420)]
    found += [interleaved(Words(130000 + n), 1) for n in range(160)]
    d = doubtful(Words(4))
    groups = {}
    for c in d:
        groups.setdefault(c.group, []).append(c)
    keep = {"unaligned": 60, "negative": 16, "doubt_shared": 6, "doubt_reduce": 104, "doubt_im2col": 40}
    rows = []
    for name, n in keep.items():
        rows += [(i / min(n, len(groups[name])), c) for i, c in enumerate(groups[name][:n])]
    rows += [(i / 39, c) for i, c in enumerate([c for c in plain(Words(3)) if c.group == "doubt_plain"])]
    rows.sort(key=lambda r: r[0])
    return found + [c for _, c in rows]


def third():
    """What the second list did not come to, spread evenly."""
    groups = {}
    for case in doubtful(Words(5)):
        groups.setdefault(case.group, []).append(case)
    for case in plain(Words(6)):
        if case.group == "doubt_plain" or case.op == 2 or case.op >= 40:
            groups.setdefault(case.group, []).append(case)
    keep = {
        "unaligned": 40,
        "negative": 24,
        "doubt_shared": 4,
        "doubt_reduce": 104,
        "doubt_im2col": 40,
        "plain": 52,
        "doubt_plain": 39,
    }
    rows = [
        (at / min(keep[name], len(row)), case)
        for name, row in groups.items()
        for at, case in enumerate(row[: keep[name]])
    ]
    return [case for _, case in sorted(rows, key=lambda row: row[0])]


if __name__ == "__main__":
    with open(sys.argv[1], "wb") as to:
        to.writelines(case.pack() for case in (third() if len(sys.argv) > 2 else more()))
