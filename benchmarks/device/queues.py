"""Times queues.cu on a GPU that runs sm_90a code: when an SM lets loads go that follow cp.async.

    python3 benchmarks/device/queues.py OUTPUT_FOLDER

Writes queues.json.gz. Needs nvcc and a GPU.
"""

from __future__ import annotations

import sys
from pathlib import Path

from measure import time_all

HEAD = {
    "what": "cp.async.cg of 16 bytes per lane and ldmatrix.x4 that warps issue at once after a barrier: the clock"
    " (program: benchmarks/device/queues.cu)",
    "fields": {
        "warps": "of the only thread block",
        "copies": "of each warp",
        "loads": "of each warp, after its copies",
        "row": "bytes of a row that is copied",
        "pad": "bytes between rows in shared memory",
        "load_pitch": "bytes from a row that is loaded to the next: 16, no conflict, to 128, eightfold",
        "at": "for each warp cycles since the first warp began: when it began, when each copy and each load had been"
        " issued, when the data of its first load were there",
    },
}

if __name__ == "__main__":
    time_all("queues", HEAD, Path(sys.argv[1]))
