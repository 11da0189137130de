"""python -m benchmarks.memory_probe execute|traffic WARPS: bytes of growth and of arrays, as JSON.

A process of its own: the peak of a process never falls, so only the first large call shows in it.
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import warpsim as ws
from warpsim import _core

STATUS = Path("/proc/self/status")
OP = ws.Ldmatrix(num=4)
SHARED_BYTES = 48 * 1024


def resident(field: str) -> int:
    """Bytes: "VmRSS" is what is resident now, "VmHWM" the most that ever was."""
    found = re.search(rf"^{field}:\s*(\d+) kB", STATUS.read_text(), re.MULTILINE)
    assert found is not None, field
    return int(found[1]) * 1024


def called(what: str, address: NDArray[Any]) -> list[NDArray[Any]]:
    """The arrays of one call's answer, all of them fetched."""
    if what == "execute":
        result = OP.execute(ws.SharedMemory(SHARED_BYTES), address)
        traffic, arrays = result.traffic, [result.registers, result.ok]
    else:
        traffic, arrays = OP.traffic(address), []
    found = [array for array in arrays if array is not None]
    return found + [getattr(traffic, name) for name in _core.COUNTERS]


def main() -> None:
    what, warps = sys.argv[1], int(sys.argv[2])
    if not STATUS.exists():
        print(json.dumps({}))
        return
    lane = np.arange(32, dtype=np.uint32) * 80
    called(what, lane[None])  # what is made once only is not the batch's
    before = resident("VmRSS")
    address = np.empty((warps, 32), np.uint32)
    address[...] = lane
    arrays = called(what, address)
    grown = resident("VmHWM") - before
    print(json.dumps({"grown": grown, "arrays": sum(one.nbytes for one in (address, *arrays))}))


if __name__ == "__main__":
    main()
