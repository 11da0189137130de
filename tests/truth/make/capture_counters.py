"""Nsight Compute's counters of a captured launch, by line of its PTX: capture_counters.py FILE.capture FILE.csv > counters.json.

The CSV is that of `ncu --import FILE.ncu-rep --page source --csv --print-source sass`. The assembler of the driver's
release makes the same machine code of the PTX in the capture, instruction by instruction, and tells the lines.
"""

import csv
import json
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path

import warpsim as ws
from warpsim.machine import sass

COLUMNS = (
    "Predicated-On Thread Instructions Executed", "L1 Wavefronts Shared", "L1 Wavefronts Shared Ideal",
    "L2 Theoretical Sectors Global", "L2 Theoretical Sectors Global Ideal",
)  # fmt: skip
ACCESSES = ("LDS", "STS", "LDG", "STG", "LDSM", "STSM", "ATOM", "RED")


def rows(path: Path) -> Iterator[dict[str, str]]:
    """The machine code of the first kernel with its counters."""
    head: list[str] = []
    for row in csv.reader(path.open()):
        if row and row[0] == "Kernel Name" and head:
            return
        if row and row[0] == "Address":
            head = row
        elif head and row and row[0].startswith("0x"):
            yield dict(zip(head, row, strict=True))


def main(capture: str, table: str) -> None:
    """Prints [line, threads, wavefronts, ideal, sectors, ideal] for each line with an access."""
    launch = ws.Capture(capture).launches[0]
    assert launch.kernel is not None
    text = launch._capture._read(launch._said["ptx"]).tobytes()
    code, measured = sass.assemble(text, "sm_90", True).kernels[launch.name], list(rows(Path(table)))
    assert len(code) == len(measured), "the assembler made other machine code"
    found: dict[int, Counter[str]] = defaultdict(Counter)
    for one, row in zip(code, measured, strict=True):
        assert one.opcode in row["Source"]
        if one.opcode.startswith(ACCESSES):
            found[one.line].update({name: int(row[name]) for name in COLUMNS})
    print(json.dumps([[line, *(count[name] for name in COLUMNS)] for line, count in sorted(found.items())]))


if __name__ == "__main__":
    main(*sys.argv[1:])
