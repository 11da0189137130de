"""Packs whole kernels as an H200 ran them: `python -m tests.truth.make.pack_kernels KERNELS`.

KERNELS is the folder of the measurement: ptx/, specs.json, truth/. Kept are the PTX texts, the launches, the SHA-256 of each buffer after the launch (all bytes where the order of atomics decides), and
Nsight Compute's counters of each PTX line whose access became SASS accesses of the same kind and width:
run/kernels.json.xz. The machine code of all accesses, the counters of the other ones and the sums of whole launches:
run/assembled.json.xz.
"""

import gzip
import json
import lzma
import sys
from pathlib import Path
from typing import Any

from tests.support.paths import TRUTH
from warpsim.machine.assembled import OPCODES, TOGETHER

NAMES = ("counters", "lines", "sass")
ALIKE = ("one_to_one", "copies")
OTHERWISE = ("widened", "absent", "split", "emulated", "lowered")
HOPPERS_OWN = ("mbarrier", "bulk", "wgmma")
OWN_BYTES = "order"  # the flag of launches whose hashes differ from run to run
#: columns of the counters: executed, threads (predicate true), wavefronts, ideal, sectors, ideal
COLUMNS = (1, 3, 4, 5, 7, 8)
PHANTOM = {4: 0, 5: 1, 7: 3, 8: 4}  # column -> place in the row of copies without any active lane


def counters(
    launch: dict[str, Any], measured: dict[str, Any], lines: dict[str, Any], classes: tuple[str, ...]
) -> list[list[Any]]:
    """[line, class, executed (None where SASS has a guard that PTX has not), threads, wavefronts, ideal, ...] of each."""
    rows = {row[0]: row + [0] * (10 - len(row)) for row in measured["instructions"]}
    found = []
    for line, made in lines[f"{Path(launch['ptx']).stem}/{launch['kernel']}"].items():
        if made["class"] not in classes or int(line) in measured.get("unstable_lines", []):
            continue
        if made["kind"] in HOPPERS_OWN:
            continue
        absent = measured.get("phantom", {}).get(line, [0] * 5)
        sums = [sum(rows.get(at, [0] * 10)[column] for at, _ in made["sass"]) for column in range(10)]
        values: list[Any] = [sums[c] - (absent[PHANTOM[c]] if c in PHANTOM else 0) for c in COLUMNS]
        if made.get("predicated") or not made.get("count_as_block", True):
            values[0] = None
        found.append([int(line), made["class"], *values])
    return found


def total(measured: dict[str, Any]) -> list[int]:
    """Wavefronts, ideal, sectors and ideal of the launch."""
    absent = measured.get("phantom", {}).values()
    return [
        sum(row[c] for row in measured["instructions"] if len(row) > c) - sum(a[PHANTOM[c]] for a in absent)
        for c in PHANTOM
    ]


def machine_code(rows: list[list[Any]]) -> list[list[Any]]:
    """[offset, line, guard, opcode, operands of a copy] of what accesses memory, and of what elects a thread."""
    found = []
    for at, line, text in rows:
        words = text.split()
        guard = words.pop(0) if words[0].startswith("@") else ""
        word = words[0].split(".")[0]
        if line and word in (*TOGETHER, *(word for words in OPCODES.values() for word in words)):
            found.append([at, line, guard, words[0], " ".join(words[1:]) if word == "LDGSTS" else ""])
    return found


def packed(folder: Path) -> tuple[dict[str, object], dict[str, object]]:
    """The contents of both files."""
    launches = json.loads((folder / "specs.json").read_text())["launches"]
    outputs = json.loads(gzip.decompress((folder / "truth/outputs.json.gz").read_bytes()))
    measured, lines, sass = (json.loads(gzip.decompress((folder / f"truth/{n}.json.gz").read_bytes())) for n in NAMES)
    kept, texts, others, code, totals = [], {}, {}, {}, {}
    for launch in launches:
        found = outputs["launches"].get(launch["id"], {"buffers": [], "flags": []})
        flags = found["flags"]
        buffers = {
            row["buffer"]: row["content"] if OWN_BYTES in flags and "content" in row else row["sha256"]
            for row in found["buffers"]
        }
        counted = measured["launches"].get(launch["id"])
        is_counted = counted and "instructions" in counted
        rows = counters(launch, counted, lines["kernels"], ALIKE) if is_counted else []
        if is_counted:
            name = f"{Path(launch['ptx']).stem}/{launch['kernel']}"
            code[name] = machine_code(sass["kernels"][name])
            totals[launch["id"]] = total(counted)
            if found := counters(launch, counted, lines["kernels"], OTHERWISE):
                others[launch["id"]] = found
        kept.append({**launch, "flags": flags, "buffers": buffers, "lines": rows})
        texts[launch["ptx"]] = (folder / launch["ptx"]).read_text()
    source = outputs["source"]
    return {"source": source, "launches": kept, "ptx": texts}, {
        "source": source,
        "sass": code,
        "lines": others,
        "totals": totals,
    }


if __name__ == "__main__":
    for name, content in zip(("kernels", "assembled"), packed(Path(sys.argv[1])), strict=True):
        (TRUTH / "run" / f"{name}.json.xz").write_bytes(lzma.compress(json.dumps(content).encode(), preset=9))
