"""Packs whole kernels as an H200 ran them: `python -m tests.truth.make.pack_kernels KERNELS` writes run/kernels.json.xz.

KERNELS is the folder of the measurement: ptx/, specs.json, truth/. Kept are the PTX texts, the launches of every group
except Hopper's own, the SHA-256 of each buffer after the launch (all bytes where the order of atomics decides), and
Nsight Compute's counters of each PTX line whose access became SASS accesses of the same kind and width.
"""

import gzip
import json
import lzma
import sys
from pathlib import Path
from typing import Any

from tests.support.paths import TRUTH

NAMES = ("counters", "lines")
OWN_BYTES = "order"  # the flag of launches whose hashes differ from run to run
#: columns of the counters: executed, threads (predicate true), wavefronts, ideal, sectors, ideal
COLUMNS = (1, 3, 4, 5, 7, 8)
PHANTOM = {4: 0, 5: 1, 7: 3, 8: 4}  # column -> place in the row of copies without any active lane


def counters(launch: dict[str, Any], measured: dict[str, Any], lines: dict[str, Any]) -> list[list[Any]]:
    """[line, class, executed (None where SASS has a guard that PTX has not), threads, wavefronts, ideal, ...] of each."""
    rows = {row[0]: row + [0] * (10 - len(row)) for row in measured["instructions"]}
    found = []
    for line, made in lines[f"{Path(launch['ptx']).stem}/{launch['kernel']}"].items():
        if made["class"] not in ("one_to_one", "copies") or int(line) in measured.get("unstable_lines", []):
            continue
        absent = measured.get("phantom", {}).get(line, [0] * 5)
        sums = [sum(rows.get(at, [0] * 10)[column] for at, _ in made["sass"]) for column in range(10)]
        values: list[Any] = [sums[c] - (absent[PHANTOM[c]] if c in PHANTOM else 0) for c in COLUMNS]
        if made.get("predicated") or not made.get("count_as_block", True):
            values[0] = None
        found.append([int(line), made["class"], *values])
    return found


def packed(folder: Path) -> dict[str, object]:
    """The file's contents."""
    launches = json.loads((folder / "specs.json").read_text())["launches"]
    outputs = json.loads(gzip.decompress((folder / "truth/outputs.json.gz").read_bytes()))
    measured, lines = (json.loads(gzip.decompress((folder / f"truth/{name}.json.gz").read_bytes())) for name in NAMES)
    kept, texts = [], {}
    for launch in launches:
        if launch["group"] == "hopper":
            continue
        found = outputs["launches"].get(launch["id"], {"buffers": [], "flags": []})
        flags = found["flags"]
        buffers = {
            row["buffer"]: row["content"] if OWN_BYTES in flags and "content" in row else row["sha256"]
            for row in found["buffers"]
        }
        counted = measured["launches"].get(launch["id"])
        rows = counters(launch, counted, lines["kernels"]) if counted and "instructions" in counted else []
        kept.append({**launch, "flags": flags, "buffers": buffers, "lines": rows})
        texts[launch["ptx"]] = (folder / launch["ptx"]).read_text()
    return {"source": outputs["source"], "launches": kept, "ptx": texts}


if __name__ == "__main__":
    text = json.dumps(packed(Path(sys.argv[1])))
    (TRUTH / "run" / "kernels.json.xz").write_bytes(lzma.compress(text.encode(), preset=9))
