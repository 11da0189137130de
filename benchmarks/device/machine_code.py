"""The machine code of loops that were timed, one iteration each, as ws.mainloop(as_assembled=True) reads it.

    python3 benchmarks/device/machine_code.py FOLDER TIMINGS.json.gz OUTPUT.json.gz [--kernel NAME]

FOLDER has the cubins, 0.cubin for the first case of TIMINGS; it must have been built as they were. Needs
warpsim[sass], no GPU.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import measure

from warpsim.loop import assembled

FIELDS = {
    "rows": "five bytes of each instruction, in hexadecimal: kind, stall, mask of scoreboards waited for, scoreboard"
    " set, scoreboard freed (csrc/include/warpsim/loop/mainloop_shape.h; 255: none)",
    "registers": "of a thread, as in the timing",
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("timings", type=Path)
    parser.add_argument("output", type=Path)
    parser.add_argument("--kernel", default=assembled.KERNEL)
    args = parser.parse_args()
    timed = json.loads(gzip.decompress(args.timings.read_bytes()))
    paths = [args.folder / f"{index}.cubin" for index in range(len(timed["cases"]))]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        found = list(pool.map(lambda path: assembled.of_cubin(path, args.kernel), paths))
    for case, (_, registers) in zip(timed["cases"], found, strict=True):
        if registers != case["registers"]:
            raise ValueError(f"another build: {registers} registers, timed with {case['registers']}: {case}")
    head = {
        "what": f"machine code of the cases of {args.timings.name}, in their order (benchmarks/device/machine_code.py)",
        "source": f"the build that was timed, with the same registers in every case: {timed['source']}",
        "fields": FIELDS,
    }
    cases = [{"registers": registers, "rows": rows.tobytes().hex()} for rows, registers in found]
    measure.write(args.output, head, cases)


if __name__ == "__main__":
    main()
