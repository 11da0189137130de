"""Ask the PTX assembler about the files of corpus.tar.xz: as they are, moved, and with one error.

Usage: python tests/truth/make/corpus_verdicts.py [--older PTXAS] [--newer PTXAS] [--jobs N] [--output FILE]

Writes corpus_verdicts.csv.xz beside this file. ptxas 13.0 judges, but --older (12.9) where the
target is older than sm_75 or sm_101, and --newer (13.5) from PTX 9.1 on. Columns:

family        own: the file as it is; moved: at another version and target; planted: one statement
              of ld, st, cp.async or a matrix instruction is changed; other: another one is
file, kernel  member of the archive; of a file with several kernels all but this one are cut out
              (`one_kernel`), where it is not empty
ptx_version, target   put in the place of the file's own
line, text    the line that is changed, from 1, and what then stands there; 0: none
kind          how it was changed
ptxas, accepted       version of the assembler; 1 if its exit status is 0
lines         the lines that it complains of, and "!" behind the one at which it stops reading
defined       0 where it accepts by an accident only (`accident`)
"""

import argparse
import csv
import io
import lzma
import random
import re
import subprocess
from collections import defaultdict
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from tests.support import corpus
from tests.support.paths import TRUTH

HEADER = ("family", "file", "kernel", "ptx_version", "target", "line", "text", "kind", "ptxas",
          "accepted", "lines", "defined")  # fmt: skip
VERSIONS = [f"{a}.{b}" for a, n in ((6, 6), (7, 9), (8, 9), (9, 1)) for b in range(n)]
TARGETS = """
sm_60 sm_61 sm_62 sm_70 sm_72 sm_75 sm_80 sm_86 sm_87 sm_88 sm_89 sm_90 sm_90a sm_100 sm_100a
sm_100f sm_101 sm_101a sm_103 sm_103a sm_103f sm_110 sm_110a sm_110f sm_120 sm_120a sm_120f sm_121
sm_121a sm_121f
""".split()
STATEMENT = re.compile(
    r"^(?P<head>\s*(?:@!?%?\w+\s+)?)(?P<opcode>(?:ld|st|ldmatrix|stmatrix|movmatrix|wmma\.load|"
    r"wmma\.store|cp\.async)\.(?!bulk|mbarrier|wait|commit|async)[\w.:]*)(?P<operands>\s[^;]*;)(?P<rest>.*)$"
)
OTHER = re.compile(r"^\s*(?:mov|add|mul|cvta?|setp|shl|and|bar|mma|wmma\.mma|cvt)\.[^;]*;\s*$")
UNMODELLED = re.compile(
    r"\.(param|const|local|volatile|nc|c[agsv]|lu|w[bt]|relaxed|acquire|release|L[12]::\w+)\b"
)
REGISTER = re.compile(r"(?<![\w$%])%?[a-z_$][\w$]*\d|\b0[fd][0-9A-F]+", re.IGNORECASE)
WORDS = """
sync aligned row col m8n8 m16n16 m8n16 m16n8 m16n16k16 m32n8k16 m8n32k16 m8n8k32 m8n8k128 m16n16k8 m8n8k4 x1 x2 x4
trans shared shared::cta shared::cluster global local const param v2 v4 v8 b8 b16 b32 b64 b128 u8 u16 u32 u64 s8
s16 s32 s64 f16 f16x2 bf16 tf32 f32 f64 s4 u4 b1 b8x16 b6x16_p32 b4x16_p64 ca cg cs cv lu wb wt nc volatile weak
relaxed gpu cta L1::no_allocate L2::128B L2::cache_hint async foo to noinc
""".split()


def own(text):
    return re.search(r"^\.version (\S+)", text, re.M)[1], re.search(r"^\.target (\w+)", text, re.M)[
        1
    ]


def misspelt(word, seed):
    at = seed.randrange(len(word))
    return seed.choice([word[:at] + word[at + 1:], word[:at] + word[at] + word[at:],
                        word[:at] + seed.choice("abxz0189_$%:.-") + word[at + 1:],
                        word[:at] + word[at:].swapcase()])  # fmt: skip


def change(opcode, operands, names, seed):
    """(kind, opcode, operands) with one error in it, perhaps none after all."""
    first, *words = re.split(r"\.(?=[\w])", opcode)
    kind = seed.choice(
        ["drop", "double", "exchange", "exchange", "add", "shuffle", "misspell", "count", "count", "braces",
         "register", "register", "register", "undeclared", "immediate", "address", "address", "offset",
         "mark", "mark", "operand", "operand", "stride"]
    )  # fmt: skip
    fixed = first in ("wmma", "cp")  # cp.async, wmma.load: no other instruction is wanted
    at = seed.randrange(int(fixed), len(words))
    registers = list(REGISTER.finditer(operands))
    one = seed.choice(registers) if registers else None
    if kind == "drop":
        del words[at]
    elif kind == "double":
        words.insert(seed.randrange(int(fixed), len(words) + 1), words[at])
    elif kind == "exchange":
        like = [w for w in WORDS if w[0] == words[at][0] and w != words[at]] or WORDS
        words[at] = seed.choice(like if seed.random() < 0.7 else WORDS)
    elif kind == "add":
        words.insert(at, seed.choice(WORDS))
    elif kind == "shuffle":
        rest = words[int(fixed) :]
        words = words[: int(fixed)] + seed.sample(rest, len(rest))
    elif kind == "misspell":
        words[at] = misspelt(words[at], seed)
    elif kind == "mark":
        places = [i for i, c in enumerate(operands) if c in "{}[],;+"]
        i = seed.choice(places)  # never two semicolons: the second is a statement of its own
        operands = (
            operands[:i]
            + seed.choice(
                ["", "", operands[i] * (2 - (operands[i] == ";")), seed.choice("{}[],+-.(")]
            )
            + operands[i + 1 :]
        )
    elif kind == "braces" and "{" in operands:
        operands = seed.choice(
            [
                operands.replace("{", "").replace("}", ""),
                operands.replace("{", "{{"),
                operands.replace("}", ",}"),
                operands.replace("{", "(").replace("}", ")"),
            ]
        )
    elif kind == "count" and one:
        new = seed.choice([f"{one[0]}, {one[0]}", "", "_", f"{one[0]}, _"])
        operands = operands[: one.start()] + new + operands[one.end() :]
        if not new:
            operands = (
                re.sub(r",\s*,", ",", operands)
                .replace("{,", "{")
                .replace(", }", "}")
                .replace(",}", "}")
            )
    elif kind in ("register", "undeclared", "immediate") and one:
        new = {
            "register": seed.choice(names),
            "undeclared": one[0] + seed.choice(["99", "x", "_", "$"]),
            "immediate": seed.choice(
                ["0", "7", "-1", "0x10", "0f3F800000", "0d3FF0000000000000", "1.5", "WARP_SZ"]
            ),
        }
        operands = operands[: one.start()] + new[kind] + operands[one.end() :]
    elif kind in ("address", "offset") and "[" in operands:
        address = seed.choice(list(re.finditer(r"\[[^\]]*\]", operands)))
        inner = address[0][1:-1]
        base = inner.split("+")[0]
        new = {
            "address": [
                inner,
                f"[{seed.choice(names)}]",
                f"[[{inner}]]",
                "[]",
                f"[{base}+{seed.choice(names)}]",
                "[16]",
                f"{{{inner}}}",
                f"({inner})",
            ],
            "offset": [
                f"[{base}-16]",
                f"[{base}+3]",
                f"[{base}*2]",
                f"[{base}+0x80000000]",
                f"[{base}+-8]",
                f"[{base}+1.0]",
                f"[{base}+16+]",
                f"[{base}+(1<<4)]",
                f"[{base}+16U]",
                f"[{base}++16]",
                f"[{base}+16 16]",
            ],
        }
        operands = operands[: address.start()] + seed.choice(new[kind]) + operands[address.end() :]
    elif kind == "operand":
        parts = re.findall(r"\{[^}]*\}|\[[^\]]*\]|[^,;{}\[\]\s]+", operands)
        i = seed.randrange(len(parts))
        how = seed.randrange(4)
        if how == 0:
            del parts[i]
        elif how == 1:
            parts.insert(i, parts[i])
        elif how == 2:
            parts.append(seed.choice([*names, "16", "-4"]))
        else:
            parts.reverse()
        operands = f" {', '.join(parts)};"
    elif kind == "stride" and "wmma" in opcode:
        new = seed.choice([seed.choice(names), "16", "1.0", "-%r1", "[%r1]", "16*2", "%r1+8"])
        operands = re.sub(r"(?:, [^,\[{}\]]*)?;", f", {new};", operands)
    return kind, ".".join([first, *words]), operands


def planted(files, seed, count):
    """Statements of all forms alike, each of a random file."""
    forms = defaultdict(list)
    for name, text in files.items():
        names = [kernel for _, _, kernel in corpus.kernels(text)] or [""]
        parts = [(kernel, corpus.one_kernel(name, kernel)) for kernel in names]
        for kernel, part in parts:
            for number, line in enumerate(part.split("\n"), 1):
                if STATEMENT.match(line):
                    opcode = STATEMENT.match(line)["opcode"]
                    forms[opcode].append((name, kernel, part, number))
    keys = sorted(form for form in forms if not UNMODELLED.search(form)) * 8 + sorted(forms)
    for _ in range(count):
        name, kernel, part, number = seed.choice(forms[seed.choice(keys)])
        lines = part.split("\n")
        names = sorted(set(re.findall(r"%[a-z]+\d+|\b[a-z]+mem\b|\bdynamic\b|\broom\b", part)))
        if seed.random() < 0.04:
            number = seed.choice(
                [i for i, line in enumerate(lines, 1) if OTHER.match(line)] or [number]
            )
        match = STATEMENT.match(lines[number - 1])
        version, target = own(part)
        if match is None:
            new = (
                lines[number - 1]
                .replace(".", seed.choice([".foo.", "..", "."]), 1)
                .replace(",", seed.choice(["", ",", ";"]), 1)
            )
            yield "other", name, kernel, version, target, number, new, "other"
            continue
        kind, opcode, operands = change(match["opcode"], match["operands"], names or ["%r1"], seed)
        if re.match(r"st\.(async|bulk)\b", opcode):  # another instruction now
            continue
        yield (
            "planted",
            name,
            kernel,
            version,
            target,
            number,
            f"{match['head']}{opcode}{operands}{match['rest']}",
            kind,
        )


def wanted(files, seed):
    for name, text in files.items():
        yield "own", name, "", *own(text), 0, "", ""
    for name in files:
        for _ in range(8):
            version, target = seed.choice(VERSIONS), seed.choice(TARGETS)
            if seed.random() < 0.6:  # a version at which the target exists
                version = seed.choice(VERSIONS[VERSIONS.index("8.0") :])
            if not name.startswith("by_hand"):  # its lines are not statements
                yield "moved", name, "", version, target, 0, "", ""
    small = {
        name: text for name, text in files.items() if len(text) < 200_000 and "triton" not in name
    }
    yield from planted(small, seed, 7000)
    yield from planted(
        {name: text for name, text in files.items() if "triton" in name and len(text) < 60_000},
        seed,
        700,
    )


def assemble(ptxas, text, target):
    """Whether ptxas accepts the text, the lines it complains of, and its messages."""
    done = subprocess.run(
        [ptxas, "-arch", target, "--compile-only", "-o", "/dev/null", "/dev/stdin"],
        input=text, capture_output=True, text=True, timeout=300, check=False,
    )  # fmt: skip
    lines, messages = {}, []
    for line in done.stderr.splitlines():
        found = re.match(r"ptxas .*?, line (\d+); (error|fatal)\s*:\s*(.*)", line)
        if found:
            stops = "!" if found[2] == "fatal" else ""
            lines[f"{found[1]}{stops}"] = None
            messages.append(found[3])
    if done.returncode < 0:
        messages.append("the assembler crashes")
    elif done.returncode and not messages:
        messages.append(done.stderr)
    return int(done.returncode == 0), list(lines), messages


def accident(row, accepted, messages):
    """Whether the verdict says nothing about PTX: a crash, a 32-bit generic or global address, which
    parses but is not assembled, sm_88 before PTX 9.0, and statements that are accepted although

    * .sync stands twice, .row or .col on ldmatrix and its like, .vN on wmma, .b8x16, .b6x16_p32 and
      .b4x16_p64 where they mean nothing; wmma without a type (12.9)
    * a float stands in a vector of integers (st)
    * an address is a register of 8 or 16 bits, or its offset no signed 32-bit integer
    * a register is a predicate, or others of a vector hide its type; a wmma stride is a constant,
      whose value nothing checks
    """
    said = " ".join(messages)
    if "crashes" in said or "32-bit address" in said:
        return True
    family, _, _, version, target, _, text, _ = row
    if not accepted or family not in ("planted", "other"):
        return bool(accepted) and target == "sm_88" and float(version) < 9
    match = STATEMENT.match(text)
    opcode, operands = (match["opcode"], match["operands"]) if match else ("", "")
    words = opcode.split(".")
    matrix, wmma = re.match("(ld|st|mov)matrix", opcode), opcode.startswith("wmma")
    types = re.findall(r"\.([busf]f?\d+)\b", opcode)
    vector = re.search(r"\{[^}]*\}", operands)
    register = vector[0] if vector else operands
    return bool(
        words.count("sync") > 1
        or (matrix and {"row", "col", "x8", "x16", "x32", "x64", "x128"} & set(words))
        or (wmma and {"v2", "v4", "v8", "b8x16"} & set(words))
        or (re.search(r"\.b(2|8x16|6x16_p32|4x16_p64)\b", opcode) and not opcode.startswith("ldm"))
        or (opcode.startswith("st.") and vector and re.search(r"\b0[fd]|\d\.\d", vector[0]))
        or (wmma and not types and "b1" not in words)
        or "bit address" in said
        or re.search(r"\[%rs\d", operands)
        or re.search(r"\+\s*0x80000000\]", operands)
        or re.search(r"%p\d", register)
        or (wmma and re.search(r"[\]}]\s*,\s*(-?\d\w*|-?\d\w*\*\d+|WARP_SZ)\s*;", operands))
        or (wmma and vector and len(set(re.findall(r"%([a-z]+)\d", vector[0]))) > 1)
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--ptxas", default="ptxas")
    parser.add_argument("--older", required=True)
    parser.add_argument("--newer", required=True)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--messages", type=Path)
    parser.add_argument("--output", type=Path, default=TRUTH / "corpus" / "verdicts.csv.xz")
    args = parser.parse_args()
    files = corpus.files()
    said = {}

    def judge(row):
        version, target = row[3:5]
        number = int(re.match(r"sm_(\d+)", target)[1])
        newer = [int(x) for x in version.split(".")] > [9, 0]
        release = "13.5" if newer else "12.9" if number < 75 or number == 101 else "13.0"
        program = {"13.5": args.newer, "13.0": args.ptxas, "12.9": args.older}[release]
        accepted, lines, messages = assemble(
            program, corpus.changed(dict(zip(HEADER, map(str, row), strict=False))), target
        )
        said[row] = messages
        return [
            *row,
            release,
            accepted,
            " ".join(lines),
            int(not accident(row, accepted, messages)),
        ]

    with ThreadPoolExecutor(args.jobs) as pool:
        rows = list(pool.map(judge, dict.fromkeys(wanted(files, random.Random(7)))))
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(HEADER)
    writer.writerows(rows)
    data = lzma.compress(text.getvalue().encode(), preset=9)
    args.output.write_bytes(data)
    if args.messages:
        args.messages.write_text(
            "\n".join(f"{row[1:7]}\t{' | '.join(m[:5])}" for row, m in said.items())
        )
    print(f"{len(rows)} rows, {sum(row[9] for row in rows)} accepted, {len(data)} bytes")


if __name__ == "__main__":
    main()
