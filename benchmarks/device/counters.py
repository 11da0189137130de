"""Counts counters.cu with Nsight Compute: do counters depend on what else is in flight?

    python3 benchmarks/device/counters.py OUTPUT_FOLDER

Writes counters.json.gz. Needs nvcc, ncu and a GPU that runs sm_90a code.
"""

from __future__ import annotations

import csv
import io
import sys
import tempfile
from itertools import product
from pathlib import Path
from typing import Any

from measure import build, device, run, write

#: as in counters.cu: name, and per repeat of a warp the wavefronts of the loads and of the stores;
#: a pattern "x and y" gives x to the even warps and y to the odd ones
PATTERNS = (
    ("ld.shared.b32", 1, 0),
    ("ld.shared.v4.b32", 4, 0),
    ("ldmatrix.x4", 4, 0),
    ("st.shared.v4.b32", 0, 4),
    ("stmatrix.x4", 0, 4),
    ("ld.shared.b32, two words a bank", 2, 0),
    ("ld.shared.v4.b32 and st.shared.v4.b32", 4, 4),
    ("ldmatrix.x4 and ld.global.v4.b32", 4, 0),
    ("ldmatrix.x4 and cp.async.cg", 4, 0),
    ("ldmatrix.x4, then bar.sync", 4, 0),
)
METRICS = {
    "wavefronts_ld": "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum",
    "wavefronts_st": "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum",
    "wavefronts": "l1tex__data_pipe_lsu_wavefronts_mem_shared.sum",
    "conflicts_ld": "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum",
    "conflicts_st": "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum",
    "conflicts": "l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum",
    "source_wavefronts_ld": "smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ld.sum",
    "source_wavefronts_st": "smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_st.sum",
    "source_conflicts_ldsm": "smsp__sass_l1tex_data_bank_conflicts_pipe_lsu_mem_shared_op_ldsm.sum",
    "source_conflicts_stsm": "smsp__sass_l1tex_data_bank_conflicts_pipe_lsu_mem_shared_op_stsm.sum",
    "source_wavefronts": "memory_l1_wavefronts_shared",
    "source_wavefronts_ideal": "memory_l1_wavefronts_shared_ideal",
}
HEAD = {
    "what": "shared-memory counters of conflict-free patterns against what else is in flight",
    "fields": {
        "pattern": "what every warp repeats; 'x and y': even warps x, odd warps y",
        "expected_ld, expected_st": "wavefronts that the pattern has alone, all warps and repeats",
        **METRICS,
    },
}
ARGUMENTS = ("index", "blocks", "warps", "repeats", "shared_bytes")
SMS, REPEATS = 132, 64
BLOCKS, WARPS = (1, *(SMS * n for n in (1, 2, 4, 8, 16, 32))), (4, 16)
#: of a block: many fit on an SM, or one
SHARED_BYTES = (2048, 200 * 1024)


def cases() -> list[dict[str, Any]]:
    found = []
    for (index, (name, ld, st)), shared_bytes, blocks, warps in product(
        enumerate(PATTERNS), SHARED_BYTES, BLOCKS, WARPS
    ):
        each = blocks * REPEATS * (warps // 2 if " and " in name else warps)
        found.append(
            {
                "index": index, "pattern": name, "blocks": blocks, "warps": warps,
                "repeats": REPEATS, "shared_bytes": shared_bytes, "expected_ld": ld * each,
                "expected_st": st * each,
            }
        )  # fmt: skip
    return found


def counted(program: Path, launches: list[dict[str, Any]], metrics: list[str]) -> list[list[int]]:
    command = [
        "ncu", "--csv", "--page", "raw", "--clock-control", "none", "--cache-control", "none",
        "--print-units", "base", "--metrics", ",".join(metrics), str(program),
        *(",".join(str(case[key]) for key in ARGUMENTS) for case in launches),
    ]  # fmt: skip
    lines = [line for line in run(command).splitlines() if line.startswith('"')]
    rows = [row for row in csv.DictReader(io.StringIO("\n".join(lines))) if row["ID"]]
    assert len(rows) == len(launches), (len(rows), len(launches))
    missing = [name for name in metrics if name not in rows[0]]
    assert not missing, f"{missing} are not among {sorted(rows[0])}"
    return [[int(float(row[name].replace(",", ""))) for name in metrics] for row in rows]


def main() -> None:
    output = Path(sys.argv[1])
    with tempfile.TemporaryDirectory() as folder:
        program = build("counters.cu", {}, Path(folder) / "counters")
        launches = cases()
        numbers = counted(program, launches, list(METRICS.values()))
    found = [
        {**{k: v for k, v in case.items() if k != "index"}, **dict(zip(METRICS, row, strict=True))}
        for case, row in zip(launches, numbers, strict=True)
    ]
    source = device() + "; " + run(["ncu", "--version"]).strip().splitlines()[-1]
    write(output / "counters.json.gz", {**HEAD, "source": source}, found)


if __name__ == "__main__":
    main()
