"""Times copies.cu on a GPU that runs sm_90a code: how fast an SM takes cp.async whose rows are padded or swizzled.

    python3 benchmarks/device/copies.py OUTPUT_FOLDER

Writes copies.json.gz. Needs nvcc and a GPU.
"""

from __future__ import annotations

import sys
from pathlib import Path

from measure import time_all

HEAD = {
    "what": "cp.async.cg of 16 bytes per lane behind a barrier: cycles until a load behind them has returned"
    " (program: benchmarks/device/copies.cu)",
    "fields": {
        "warps": "of the only thread block",
        "row": "bytes of a row, which are consecutive in global and in shared memory",
        "pad": "bytes between rows in shared memory",
        "offset": "bytes from a multiple of 1024 to the first row",
        "swizzled": "by Swizzle<3, 4, 3> on bytes",
        "cycles": "from the first copy of any warp to the last load, with 4 and with 12 copies of each warp",
    },
}

if __name__ == "__main__":
    time_all("copies", HEAD, Path(sys.argv[1]))
