"""Ask PTX assemblers again what ptxas_plain.csv.xz or corpus/verdicts.csv.xz asks.

Usage: python -m tests.truth.make.ask_ptxas plain|corpus [--ptxas PROGRAM] [--older PROGRAM] [--newer PROGRAM] [--output FILE]

The questions are rows of these files; a new question is a new row with empty verdicts. Rows of an
assembler that is not given keep their verdicts. Columns of both files:

family        why the row is there. plain: types, regs, mixed, order, missing, foreign, space, special, other,
              operands, points. corpus: own (the file as it is), moved (at another version and target), planted
              (one statement of ld, st, cp.async or a matrix instruction is changed), other (another one is)
ptx_version, target   of the file that is assembled
ptxas         12.9, 13.0 or 13.5; 12.9 judges targets older than sm_75 and sm_101, 13.5 judges PTX 9.1 and later
accepted      1 if the exit status is 0
defined       0 if the verdict is an accident of the assembler and says nothing about PTX (see truth/README.md): judged
              by a person. Rows whose verdict changes are printed: judge them again

plain: `instruction` is assembled alone, as the only one of a kernel; `message` has the errors, joined by " | ",
with <T> for names of targets, or the warnings if it is accepted.
corpus: `file` of corpus/files.tar.xz, without its other kernels if one is named; `text` replaces `line`, counted from 1,
unless that is 0; `kind` says how it was changed; `lines` are those with an error, "!" if reading stops there.
"""

import argparse
import csv
import io
import lzma
import re
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from tests.support import corpus
from tests.support.paths import TRUTH

# In `plain` the letters of a register are its declared type.
REGISTERS = {
    "r": "b32", "ur": "u32", "sr": "s32", "f": "f32", "hx": "f16x2", "a": "b64", "ua": "u64", "sa": "s64", "d": "f64",
    "h": "b16", "uh": "u16", "sh": "s16", "fh": "f16", "q": "b8", "uq": "u8", "sq": "s8", "p": "pred", "w": "b128",
}  # fmt: skip
SYMBOLS = {"shared": "smem", "global": "gmem", "const": "cmem"}
SAID = re.compile(r"^ptxas\b(?:.*?, line (\d+))?.*?\b(error|fatal|warning)\s*:\s*(.*?)\s*$", re.MULTILINE)


def kernel(row):
    """The file around one instruction."""
    text = row["instruction"]
    lines = [f".version {row['ptx_version']}", f".target {row['target']}", ".address_size 64"]
    lines += [f".{space} .align 16 .b8 {name}[256];" for space, name in SYMBOLS.items() if name in text]
    lines.append(".visible .entry kernel(.param .b64 pmem) {")
    lines += [".local .align 16 .b8 lmem[256];"] if "lmem" in text else []
    letters = set(re.findall(r"(?<![\w.:%$])([a-z]+)\d+\b", text)) & set(REGISTERS)
    lines += [f".reg .{REGISTERS[name]} {name}<20>;" for name in sorted(letters)]
    return "\n".join([*lines, text, "ret;", "}", ""])


def assemble(ptxas, text, *options):
    """(accepted, [(line, kind, message)])."""
    command = [ptxas, *options, "-o", "/dev/null", "/dev/stdin"]
    done = subprocess.run(command, input=text, capture_output=True, text=True, timeout=300, check=False)
    said = [one for one in SAID.findall(done.stderr + done.stdout) if "aborted due to errors" not in one[2]]
    if done.returncode < 0:
        said.append(("", "error", "the assembler crashes"))
    return int(done.returncode == 0), said


def plain(ptxas, row):
    """The verdict about one instruction; code is generated for sm_75 if the target is older."""
    arch = row["target"] if int(re.search(r"\d+", row["target"])[0]) >= 75 else "sm_75"
    accepted, said = assemble(ptxas, kernel(row), "-arch", arch)
    kinds = ("warning",) if accepted else ("error", "fatal")
    words = [re.sub(r"\bsm_\d+[af]?\b", "<T>", message) for _, kind, message in said if kind in kinds]
    words = [f"warning: {one}" for one in words] if accepted else words
    return {"accepted": accepted, "message": " | ".join(dict.fromkeys(words))}


def whole(ptxas, row):
    """The verdict about a file of the corpus."""
    accepted, said = assemble(ptxas, corpus.changed(row), "-arch", row["target"], "--compile-only")
    lines = [line + "!" * (kind == "fatal") for line, kind, _ in said if line and kind != "warning"]
    return {"accepted": accepted, "lines": " ".join(dict.fromkeys(lines))}


FILES = {"plain": ("ptxas/ptxas_plain.csv.xz", plain), "corpus": ("corpus/verdicts.csv.xz", whole)}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("which", choices=FILES)
    parser.add_argument("--ptxas", help="version 13.0")
    parser.add_argument("--older", help="version 12.9")
    parser.add_argument("--newer", help="version 13.5")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--every", type=int, default=1, help="ask one row of every N only")
    parser.add_argument("--output", type=Path, help="default: the file itself")
    args = parser.parse_args()
    name, ask = FILES[args.which]
    programs = {"12.9": args.older, "13.0": args.ptxas, "13.5": args.newer}
    with lzma.open(TRUTH / name, "rt", newline="") as file:
        rows = list(csv.DictReader(file))

    def again(row):
        return {**row, **{k: str(v) for k, v in ask(programs[row["ptxas"]], row).items()}}

    asked = [i for i, row in enumerate(rows) if programs[row["ptxas"]]][:: args.every]
    with ThreadPoolExecutor(args.jobs) as pool:
        for i, row in zip(asked, pool.map(again, [rows[i] for i in asked]), strict=True):
            if row["accepted"] != rows[i]["accepted"]:
                print("changed:", row)
            rows[i] = row
    text = io.StringIO()
    writer = csv.DictWriter(text, rows[0], lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    data = text.getvalue().encode()
    packed = lzma.compress(data, preset=9)
    (args.output or TRUTH / name).write_bytes(packed)
    print(f"{len(asked):,} of {len(rows):,} rows asked, {len(packed):,} bytes")


if __name__ == "__main__":
    main()
