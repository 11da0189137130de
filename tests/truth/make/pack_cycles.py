"""Packs cycles as an H200 measured them: `python -m tests.truth.make.pack_cycles RUN`.

RUN is the folder of the measurement: kernels/truth/, mma/data/. Kept are, of each launch of a whole kernel, the cycles of
its slowest block in the fastest of 12 repetitions, Nsight Compute's cycles of the launch and its counters of each
pipe; of each form of product, the cycles of a sub-partition in the fastest run. run/cycles.json.
"""

import gzip
import json
import sys
from pathlib import Path
from typing import Any

from tests.support.paths import TRUTH

WAVEFRONTS = "l1tex__data_pipe_lsu_wavefronts.sum"
SECTORS = ("l1tex__t_sectors_pipe_lsu_mem_global", "smsp__sass_l1tex_t_sectors_pipe_lsu_mem_global_op_ldgsts")
#: pipe -> how the opcodes of the machine code begin that use it
PIPES = {
    "FMA": ("FFMA", "FMUL", "FADD"), "FP64": ("DFMA", "DMUL", "DADD"), "FMA f16": ("HFMA2", "HMUL2", "HADD2"),
    "XU": ("MUFU",), "tensor": ("HMMA", "IMMA", "DMMA", "BMMA"),
}  # fmt: skip
FIELDS = ("block", "active", "elapsed", "wavefronts", "sectors", "instructions", "pipes")


def _read(path: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(gzip.decompress(path.read_bytes()))
    return found


def _opcode(text: str) -> str:
    words = text.split()
    return (words[1] if words[0].startswith("@") else words[0]).split(".")[0]


def _pipes(rows: list[list[Any]], code: list[list[Any]]) -> dict[str, float]:
    """Warp instructions of each pipe, 32 threads each."""
    opcode_at = {at: _opcode(text) for at, _, text in code}
    found = dict.fromkeys(PIPES, 0.0)
    for at, *counts in rows:
        for pipe, opcodes in PIPES.items():
            if opcode_at[at] in opcodes and len(counts) > 2:
                found[pipe] += counts[2] / 32
    return {pipe: count for pipe, count in found.items() if count}


def kernels(folder: Path) -> dict[str, list[Any]]:
    """A row of FIELDS for each launch."""
    cycles, counters = (_read(folder / f"truth/{name}.json.gz")["launches"] for name in ("cycles", "counters"))
    code = _read(folder / "truth/sass.json.gz")["kernels"]
    launches = json.loads((folder / "specs.json").read_text())["launches"]
    found = {}
    for launch in launches:
        name = launch["id"]
        if "sm__cycles_active.max" not in cycles.get(name, {}):
            continue
        one, totals = cycles[name], counters[name]["totals"]
        found[name] = [
            min(max(row) for row in one["block_cycles"]), one["sm__cycles_active.max"], one["gpc__cycles_elapsed.max"],
            totals.get(WAVEFRONTS, 0), sum(count for key, count in totals.items() if key.startswith(SECTORS)),
            one["smsp__inst_executed.sum"],
            _pipes(counters[name]["instructions"], code[f"{Path(launch['ptx']).stem}/{launch['kernel']}"]),
        ]  # fmt: skip
    return found


def products(folder: Path) -> dict[str, float]:
    """Cycles of a sub-partition for each form."""
    least: dict[str, float] = {}
    for row in _read(folder / "data/timing.json.gz")["rows"]:
        for key, times in row.items():
            count, _, what = key.partition("_")
            if times and what.startswith("warp"):
                each = int(count) if "group" in what else max(1, int(count) // 4)
                cycles = times[1] / row["instructions"] / each
                least[row["name"]] = round(min(least.get(row["name"], cycles), cycles), 3)
    return least


if __name__ == "__main__":
    run = Path(sys.argv[1])
    source = _read(run / "kernels/truth/cycles.json.gz")["source"]
    content = {
        "source": source, "fields": FIELDS, "launches": kernels(run / "kernels"), "products": products(run / "mma"),
    }  # fmt: skip
    text = json.dumps(content, separators=(",", ":")).replace('],"', '],\n"')
    (TRUTH / "run" / "cycles.json").write_text(text + "\n")
