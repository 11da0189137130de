"""Times loads.cu on a GPU that runs sm_90a code: how an SM shares its data pipe among the loads of several warps.

    python3 benchmarks/device/loads.py OUTPUT_FOLDER

Writes loads.json.gz. Needs nvcc and a GPU.
"""

from __future__ import annotations

import sys
from pathlib import Path

from measure import time_all

HEAD = {
    "what": "streams of ldmatrix.x4: cycles from the first warp's first load to the last warp's last data"
    " (program: benchmarks/device/loads.cu)",
    "fields": {
        "running": "the warps that run, of the only thread block; warp w is of sub-partition w mod 4",
        "pitch": "bytes from a row to the next, of every other warp that runs: 16, no conflict, to 128, eightfold",
        "window": "loads of a warp that are under way at once, at most",
        "cycles": "with 40 and with 120 passes of 16 loads",
    },
}

if __name__ == "__main__":
    time_all("loads", HEAD, Path(sys.argv[1]))
