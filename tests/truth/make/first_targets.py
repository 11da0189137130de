"""Ask an assembler again what first_targets.csv.xz asks: since when and for which targets a statement may be written.

Usage: python -m tests.truth.make.first_targets [--ptxas PROGRAM] [--output FILE]

instruction   a statement in the kernel of tests/support/statements.py; a new question is a new row
target        the first of TARGETS that takes it at NEWEST
ptx_version   the first of VERSIONS at which that target takes it
"""

import argparse
import csv
import io
import lzma
import re
import subprocess

from tests.support.paths import TRUTH
from tests.support.statements import kernel

#: target -> the first version that knows it; plain ones first, since what only a family has is of that family
TARGETS = {
    "sm_75": "6.3", "sm_80": "7.0", "sm_86": "7.1", "sm_89": "7.8", "sm_90": "7.8", "sm_90a": "8.0", "sm_100": "8.6",
    "sm_120": "8.7", "sm_100a": "8.6", "sm_120a": "8.7",
}  # fmt: skip
NEWEST = "9.0"
VERSIONS = [*(f"6.{n}" for n in (3, 4, 5)), *(f"7.{n}" for n in range(9)), *(f"8.{n}" for n in range(9)), NEWEST]
ERROR = re.compile(r"^ptxas [^,]*, line (\d+); error", re.MULTILINE)
FATAL = re.compile(r"^ptxas .*fatal +: (?!Ptx assembly aborted).*$", re.MULTILINE)
FILE = TRUTH / "ptxas" / "first_targets.csv.xz"


def refused(ptxas, target, version, statements):
    """Those that a target does not take at a version; all are in one kernel, one on a line."""
    before, after = kernel("@", target).replace(".version 9.1", f".version {version}").split("@")
    text = before + "\n".join(statements) + after
    done = subprocess.run(
        [ptxas, f"-arch={target}", "-O0", "-o", "/dev/null", "/dev/stdin"],
        input=text, capture_output=True, text=True, timeout=300, check=False,
    )  # fmt: skip
    if fatal := FATAL.search(done.stderr):
        raise SystemExit(fatal[0])
    lines = [int(line) - before.count("\n") - 1 for line in ERROR.findall(done.stderr)]
    return {statements[line] for line in lines if 0 <= line < len(statements)}


def asked(ptxas, statements):
    """(statement, target, version) of each that a target takes."""
    found, left = {}, list(statements)
    for target, least in TARGETS.items():
        lacking = refused(ptxas, target, NEWEST, left)
        taken, left = [one for one in left if one not in lacking], [one for one in left if one in lacking]
        for version in VERSIONS[VERSIONS.index(least) :]:
            lacking = refused(ptxas, target, version, taken) if taken else set()
            found |= {one: (target, version) for one in taken if one not in lacking}
            taken = [one for one in taken if one in lacking]
    return [(one, *found[one]) for one in statements if one in found]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ptxas", default="ptxas")
    parser.add_argument("--output", default=str(FILE))
    args = parser.parse_args()
    with lzma.open(FILE, "rt", newline="") as file:
        statements = [row["instruction"] for row in csv.DictReader(file)]
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(("instruction", "target", "ptx_version"))
    writer.writerows(asked(args.ptxas, statements))
    with lzma.open(args.output, "wt", newline="") as file:
        file.write(text.getvalue())


if __name__ == "__main__":
    main()
