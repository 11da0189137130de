"""Packs measured tensor maps: `python -m tests.truth.make.pack_tensor_maps FIRST MORE THIRD`.

Each argument is a file of records that `tma CASES OUT FIRST STEP START` wrote (tests/truth/run/tensor_maps/tma.cu, built
by `nvcc -arch=sm_90a tma.cu -lcuda`; CASES by `cases.py` and `more.py`). A case that ends its process is the last of its
record; the next run starts after it. Kept are digests: run/tensor_maps/measured.bin.xz.
"""

import lzma
import struct
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from tests.support.paths import TRUTH
from tests.support.tensors.copies import IMAGE, ROW, digest, images
from tests.truth.run.tensor_maps import more
from tests.truth.run.tensor_maps.cases import Case, cases

HEAD = struct.Struct("<IIII3Q128s")
SKIPPED = 9999  # the process ended before it wrote anything


def records(data: bytes) -> Iterator[tuple[int, int, int, tuple[int, int], bytes, list[tuple[int, bytes]]]]:
    """Case, result of the driver, error of the launch, what the barrier counted, the map, bytes that changed."""
    at = 0
    while at < len(data):
        index, encoded, launched, runs, _, ended, counted, map_ = HEAD.unpack_from(data, at)
        at += HEAD.size
        changed = []
        for _ in range(runs):
            offset, length = struct.unpack_from("<II", data, at)
            changed.append((offset, data[at + 8 : at + 8 + length]))
            at += 8 + length
        yield index, encoded, launched, (ended, counted), map_, changed


def packed(drawn: list[Case], data: bytes) -> bytes:
    rows = []
    for index, encoded, launched, (ended, counted), map_, changed in sorted(records(data)):
        if encoded == SKIPPED:
            continue
        case = drawn[index]
        result = bytes(8)
        if case.kind and not encoded and not launched:
            memory = np.concatenate(images(case))
            for offset, new in changed:
                memory[offset : offset + len(new)] = np.frombuffer(new, np.uint8)
            result = digest(memory[:IMAGE].tobytes(), memory[IMAGE:].tobytes())
        map_digest = digest(map_) if case.kind < 2 and not encoded else bytes(8)
        rows.append(ROW.pack(index, encoded, launched, counted if ended == 1 else 0, map_digest, result))
    return struct.pack("<I", len(rows)) + b"".join(rows)


if __name__ == "__main__":
    lists = (cases(), more.more(), more.third())
    found = b"".join(
        packed(*one) for one in zip(lists, (Path(name).read_bytes() for name in sys.argv[1:]), strict=True)
    )
    (TRUTH / "run" / "tensor_maps" / "measured.bin.xz").write_bytes(lzma.compress(found, preset=9))
