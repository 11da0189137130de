"""Ask PTX assemblers which products (mma, mma.sp, wmma.mma) are legal where: mma/verdicts.json.gz.

Usage: python -m tests.truth.make.ask_mma --older 12.9 --ptxas 13.0 --newer 13.5 (programs) [--output FILE]

Asked are the forms of FORMS, every change of one of their fields, and the texts of `by_hand`. All texts are
statements of one kernel, assembled for each target and PTX version without those that were refused until none is.
A text that crashes the assembler, or that it refuses without naming a line, is found by halving. Texts that are
refused by PTX 6.3, PTX 6.5 and the newest version at every target are not asked at the other versions.
"""

import argparse
import gzip
import itertools
import json
import re
from concurrent.futures import ThreadPoolExecutor
from itertools import repeat
from pathlib import Path

from tests.support.paths import TRUTH

from .ask_ptxas import assemble

BITS = dict(f16=16, bf16=16, tf32=32, f32=32, f64=64, s8=8, u8=8, s4=4, u4=4, b1=1, s32=32)
FP8 = ["e4m3", "e5m2"]
FP6 = ["e3m2", "e2m3", "e2m1"]
BITS |= dict.fromkeys(FP8 + FP6, 8)
FACTORS, SUMS, LAYOUTS = list(BITS), ["f16", "f32", "f64", "s32"], ["row", "col"]
FACTORS = [name for name in FACTORS if name not in ("f32", "s32")]
MODIFIERS = ["", ".satfinite", ".rn", ".rz", ".rm", ".rp", ".xor.popc", ".and.popc", ".kind::f8f6f4"]
SPARSE = ["mma.sp", "mma.sp::ordered_metadata"]
SHAPES = {
    "mma": "m8n8k4 m8n8k16 m8n8k32 m8n8k128 m16n8k4 m16n8k8 m16n8k16 m16n8k32 m16n8k64 m16n8k128 m16n8k256".split()
}
SHAPES |= dict.fromkeys(SPARSE, SHAPES["mma"][1:])
SHAPES["wmma.mma"] = "m16n16k16 m8n32k16 m32n8k16 m16n16k8 m8n8k4 m8n8k32 m8n8k128".split()
ROUNDINGS, SATURATIONS, POPC = MODIFIERS[:1] + MODIFIERS[2:6], MODIFIERS[:2], MODIFIERS[6:8]
S8, S4 = ["s8", "u8"], ["s4", "u4"]
K16 = SHAPES["wmma.mma"][:3]

#: kinds, shapes, layouts of a and b, types of d and c, types of a, of b (None: as a), modifiers
FORMS = [
    (["mma"], ["m8n8k4"], LAYOUTS, [("f16", "f16"), ("f32", "f16"), ("f32", "f32")], ["f16"], None, [""]),
    (["mma"], ["m16n8k8", "m16n8k16"], None, [("f16", "f16"), ("f32", "f32")], ["f16"], None, [""]),
    (["mma"], ["m16n8k8", "m16n8k16"], None, [("f32", "f32")], ["bf16"], None, [""]),
    (["mma"], ["m16n8k4", "m16n8k8"], None, [("f32", "f32")], ["tf32"], None, [""]),
    (["mma"], ["m8n8k4", "m16n8k4", "m16n8k8", "m16n8k16"], None, [("f64", "f64")], ["f64"], None, ROUNDINGS),
    (["mma"], ["m16n8k16", "m16n8k32"], None, [("f16", "f16"), ("f32", "f32")], FP8, FP8, [""]),
    (["mma"], ["m8n8k16", "m16n8k16", "m16n8k32"], None, [("s32", "s32")], S8, S8, SATURATIONS),
    (["mma"], ["m8n8k32", "m16n8k32", "m16n8k64"], None, [("s32", "s32")], S4, S4, SATURATIONS),
    (["mma"], ["m8n8k128", "m16n8k128", "m16n8k256"], None, [("s32", "s32")], ["b1"], None, POPC),
    (SPARSE, ["m16n8k16", "m16n8k32"], None, [("f16", "f16"), ("f32", "f32")], ["f16"], None, [""]),
    (SPARSE, ["m16n8k16", "m16n8k32"], None, [("f32", "f32")], ["bf16"], None, [""]),
    (SPARSE, ["m16n8k8", "m16n8k16"], None, [("f32", "f32")], ["tf32"], None, [""]),
    (SPARSE, ["m16n8k64"], None, [("f16", "f16"), ("f32", "f32")], FP8, FP8, [""]),
    (SPARSE, ["m16n8k32", "m16n8k64"], None, [("s32", "s32")], S8, S8, SATURATIONS),
    (SPARSE, ["m16n8k64", "m16n8k128"], None, [("s32", "s32")], S4, S4, SATURATIONS),
    (["wmma.mma"], K16, LAYOUTS, list(itertools.product(SUMS[:2], SUMS[:2])), ["f16"], None, SATURATIONS),
    (["wmma.mma"], K16, LAYOUTS, [("f32", "f32")], ["bf16"], None, [""]),
    (["wmma.mma"], ["m16n16k8"], LAYOUTS, [("f32", "f32")], ["tf32"], None, [""]),
    (["wmma.mma"], ["m8n8k4"], LAYOUTS, [("f64", "f64")], ["f64"], None, ROUNDINGS),
    (["wmma.mma"], K16, LAYOUTS, [("s32", "s32")], S8, None, SATURATIONS),
    (["wmma.mma"], ["m8n8k32"], None, [("s32", "s32")], S4, None, SATURATIONS),
    (["wmma.mma"], ["m8n8k128"], None, [("s32", "s32")], ["b1"], None, POPC),
]
VERSIONS = [*(60 + i for i in range(6)), *(70 + i for i in range(9)), *(80 + i for i in range(9)), *range(90, 96)]


def braces(letter, first, count):
    return "{" + ",".join(f"{letter}{first + i}" for i in range(count)) + "}"


def operand(kind, shape, which, name, first):
    """The registers of one operand."""
    m, n, k = map(int, re.findall(r"\d+", shape))
    if kind == "wmma.mma" and name == "f16" and which in "ab":
        return braces("r", first, 8)
    if kind == "mma" and shape == "m8n8k4" and name in ("f16", "f32"):
        return braces("r", first, 2 if which in "ab" else 8 if name == "f32" else 4)
    elements = {"a": m * k // (1 + (kind in SPARSE)), "b": k * n}.get(which, m * n)
    if name == "f64":
        return braces("d", first, max(1, elements // 32))
    return braces("r", first, max(1, elements * BITS[name] // 1024))


def text(kind, shape, la, lb, d, a, b, c, modifier):
    """The statement, words in the order of the PTX manual."""
    types = f".{d}.{c}" if kind == "wmma.mma" and a == b == "f16" else f".{d}.{a}.{b}.{c}"
    layouts = f".{la}.{lb}.{shape}" if kind == "wmma.mma" else f".{shape}.{la}.{lb}"
    late = "popc" in modifier if kind != "wmma.mma" else modifier == ".satfinite"
    if kind == "wmma.mma" and "popc" in modifier:
        words = f"{kind}{modifier}.sync.aligned{layouts}{types}"
    else:
        words = (
            f"{kind}.sync.aligned{layouts}{types}{modifier}"
            if late
            else f"{kind}.sync.aligned{layouts}{modifier}{types}"
        )
    parts = [
        operand(kind, shape, which, name, 8 * i)
        for i, (which, name) in enumerate(zip("dabc", (d, a, b, c), strict=True))
    ]
    return f"{words} {', '.join([*parts, *['r39', '0x0'] * (kind in SPARSE)])};"


def forms():
    for kinds, shapes, layouts, sums, factors, others, modifiers in FORMS:
        for kind, shape, (d, c), a, modifier in itertools.product(kinds, shapes, sums, factors, modifiers):
            for b in others or [a]:
                for la, lb in itertools.product(layouts, layouts) if layouts else [("row", "col")]:
                    yield kind, shape, la, lb, d, a, b, c, modifier


def candidates():
    """FORMS and every change of one field, of both factors, or of both sums.

    But not wmma with 4-bit factors of other shapes: ptxas up to 13.0 takes some by accident and then fails itself.
    """
    asked = dict.fromkeys(forms())
    for form in list(asked):
        fields = [SHAPES[form[0]], LAYOUTS, LAYOUTS, SUMS, FACTORS, FACTORS, SUMS, MODIFIERS]
        for i, words in enumerate(fields, 1):
            asked |= dict.fromkeys((*form[:i], word, *form[i + 1 :]) for word in words)
        asked |= dict.fromkeys((*form[:5], word, word, *form[7:]) for word in FACTORS)
        asked |= dict.fromkeys((*form[:4], word, *form[5:7], word, form[8]) for word in SUMS)
    small = [
        form
        for form in asked
        if form[0] == "wmma.mma" and form[5] == form[6] and form[5] in S4 and form[1] != "m8n8k32"
    ]
    return [text(*form) for form in asked if form not in small]


def narrow():
    """Forms with .kind, of which the scaled ones take more operands."""
    dense, sparse = "mma.sync.aligned.m16n8k", "mma.sp::ordered_metadata.sync.aligned.m16n8k"
    registers = (
        "{r0,r1,r2,r3}, {r4,r5,r6,r7}, {r8,r9}, {r10,r11,r12,r13}",
        "{r0,r1,r2,r3}, {r4,r5,r6,r7}, {r8,r9,r14,r15}, {r10,r11,r12,r13}, r16, 0",
    )
    for a, b in itertools.product(FP8 + FP6, repeat=2):
        for d in ("f16", "f32"):
            types = f"row.col.kind::f8f6f4.{d}.{a}.{b}.{d}"
            small = [
                one.replace("{r0,r1,r2,r3}", "{r0,r1}").replace("{r10,r11,r12,r13}", "{r10,r11}") if d == "f16" else one
                for one in registers
            ]
            yield f"{dense}32.{types} {small[0]};"
            yield f"{sparse}64.{types} {small[1]};"
        scaled = "row.col.kind::mxf8f6f4.block_scale.scale_vec::1X"
        yield f"{dense}32.{scaled}.f32.{a}.{b}.f32.ue8m0 {registers[0]}, r20, {{0, 0}}, r21, {{0, 0}};"
        yield f"{sparse}64.{scaled}.f32.{a}.{b}.f32.ue8m0 {registers[1]}, r20, {{0, 0}}, r21, {{0, 0}};"
    for kind, size, scale in itertools.product(("mxf4", "mxf4nvf4"), ("2X", "4X"), ("ue8m0", "ue4m3")):
        scaled = f"row.col.kind::{kind}.block_scale.scale_vec::{size}.f32.e2m1.e2m1.f32.{scale}"
        yield f"{dense}64.{scaled} {registers[0]}, r20, {{0, 0}}, r21, {{0, 0}};"
        yield f"{sparse}128.{scaled} {registers[1]}, r20, {{0, 0}}, r21, {{0, 0}};"


def by_hand():
    """Orders of words, words that are missing or too many, numbers of registers, selectors."""
    dense, whole = "m16n8k16.row.col.f32.f16.f16.f32", "{r0,r1,r2,r3}, {r4,r5,r6,r7}, {r8,r9}, {r10,r11,r12,r13};"
    for words in itertools.permutations(("sync", "aligned", "m16n8k16", "row.col", "f32.f16.f16.f32")):
        yield f"mma.{'.'.join(words)} {whole}"
    for words in itertools.permutations(("sync.aligned", "row.col", "m16n16k16", "f32.f32")):
        yield f"wmma.mma.{'.'.join(words)} " + ", ".join(braces("r", 8 * i, 8) for i in range(4)) + ";"
    for words in itertools.permutations(("sp", "sync", "aligned", dense)):
        yield f"mma.{'.'.join(words)} {{r0,r1,r2,r3}}, {{r4,r5}}, {{r8,r9}}, {{r10,r11,r12,r13}}, r30, 0;"
    for words in itertools.permutations(("xor", "popc", "sync.aligned", "row.col.m8n8k128", "s32.b1.b1.s32")):
        yield f"wmma.mma.{'.'.join(words)} {{r0,r1}}, {{r2}}, {{r3}}, {{r4,r5}};"
        yield f"mma.{'.'.join(words)} {{r0,r1}}, {{r2}}, {{r3}}, {{r4,r5}};"
    for words in itertools.permutations(("satfinite", "sync.aligned", "row.col", "m16n8k32", "s32.s8.u8.s32")):
        yield f"mma.{'.'.join(words)} {whole}"
    for words in itertools.permutations(("rz", "sync.aligned", "row.col", "m8n8k4", "f64.f64.f64.f64")):
        yield f"mma.{'.'.join(words)} {{d0,d1}}, {{d2}}, {{d3}}, {{d4,d5}};"
        yield f"wmma.mma.{'.'.join(words)} {{d0,d1}}, {{d2}}, {{d3}}, {{d4,d5}};"
    words = f"sync.aligned.{dense}".split(".")
    for i in range(len(words)):
        yield f"mma.{'.'.join(words[:i] + words[i + 1 :])} {whole}"
        yield f"mma.{'.'.join(words[: i + 1] + words[i:])} {whole}"
    for form in forms():
        one = text(*form)
        if form[0] in SPARSE:
            yield from (one.replace("0x0", selector) for selector in ("1", "2", "3", "4"))
        if form[0] != "wmma.mma" or form[2:4] == ("row", "col"):
            for vector in re.findall(r"\{.*?\}", one):
                yield one.replace(vector, vector[:-1] + f",{vector[1]}38}}", 1)


def judge(ptxas, head, texts, arch):
    """(accepted, numbers of texts with errors, number of the text where reading stops or None)."""
    source = "\n".join([*head, *texts, "ret;", "}", ""])
    accepted, said = assemble(ptxas, source, "-arch", arch, "--compile-only")
    placed = [
        (line if "Unknown symbol" not in message else "", kind) for line, kind, message in said
    ]  # a line of its own
    said = [(int(line or 0) - 1 - len(head), kind) for line, kind in placed if kind != "warning"]
    stops = [i for i, kind in said if kind == "fatal" and 0 <= i < len(texts)]
    return accepted, {i for i, _ in said if 0 <= i < len(texts)}, min(stops, default=None)


def ask(texts, target, version, ptxas, arch):
    """The texts that are accepted."""
    head = [f".version {version // 10}.{version % 10}", f".target {target}", ".address_size 64"]
    head += [".visible .entry kernel() {", ".reg .b32 r<40>; .reg .f64 d<40>;"]
    read, rest = [], list(texts)
    while rest:  # texts that stop the assembler's reader are left out one by one
        accepted, errors, stop = judge(ptxas, head, rest, arch)
        end = len(rest) if stop is None else stop + 1
        read += [one for i, one in enumerate(rest[:end]) if i not in errors]
        rest = rest[end:]
    while read:
        accepted, errors, _ = judge(ptxas, head, read, arch)
        if accepted:
            return read
        if not errors:
            half = len(read) // 2
            return (
                [one for part in (read[:half], read[half:]) for one in ask(part, target, version, ptxas, arch)]
                if half
                else []
            )
        read = [one for i, one in enumerate(read) if i not in errors]
    return []


def points(programs, targets):
    """(target, version, program, architecture): 12.9 judges what is gone in 13.0, 13.5 what is later than 9.0."""
    for target, first, last in targets:
        for version in (v for v in VERSIONS if first <= v <= last):
            old = int(re.search(r"\d+", target)[0]) < 75
            name = "13.5" if version > 90 else "12.9" if (old and version < 90) or "101" in target else "13.0"
            yield target, version, programs[name], "sm_75" if old and version >= 90 else target


def ranges(versions):
    """The versions in words: "7.0-8.8"; every version between them is one of them."""
    versions = sorted(versions)
    known = VERSIONS[VERSIONS.index(versions[0]) : VERSIONS.index(versions[-1]) + 1]
    assert versions == known, versions
    return f"{versions[0] / 10}-{versions[-1] / 10}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    for name, version in (("--older", "12.9"), ("--ptxas", "13.0"), ("--newer", "13.5")):
        parser.add_argument(name, required=True, help=f"version {version}")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--output", type=Path, default=TRUTH / "mma" / "verdicts.json.gz")
    args = parser.parse_args()
    programs = {"12.9": args.older, "13.0": args.ptxas, "13.5": args.newer}
    with gzip.open(TRUTH / "mma" / "verdicts.json.gz", "rt") as file:
        data = json.load(file)
    texts = list(dict.fromkeys([*candidates(), *narrow(), *by_hand()]))
    asked = list(points(programs, data["targets"]))
    newest = {(target, last) for target, _, last in data["targets"]}
    accepted = {one: {} for one in texts}
    whole = [point for point in asked if point[1] in (63, 65) or (point[0], point[1]) in newest]
    for points_of_round in (whole, [point for point in asked if point not in whole]):
        texts_of_round = [one for one in texts if accepted[one] or points_of_round is whole]
        with ThreadPoolExecutor(args.jobs) as pool:
            answers = pool.map(ask, repeat(texts_of_round), *zip(*points_of_round, strict=True))
            for (target, version, _, _), found in zip(points_of_round, answers, strict=True):
                print(target, version, len(found), flush=True)
                for one in found:
                    accepted[one].setdefault(target, []).append(version)
    patterns = {one: json.dumps({t: ranges(v) for t, v in where.items()}) for one, where in accepted.items()}
    distinct = list(dict.fromkeys(patterns.values()))
    data["patterns"] = [json.loads(pattern) for pattern in distinct]
    data["texts"] = {one: distinct.index(pattern) for one, pattern in patterns.items()}
    args.output.write_bytes(gzip.compress(json.dumps(data, indent=0).encode(), 9, mtime=0))
    print(f"{len(texts):,} texts, {len(asked):,} files, {len(distinct):,} patterns")


if __name__ == "__main__":
    main()
