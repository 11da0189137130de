"""What wgmma/measure.cu needs, and what it found: `python -m tests.truth.make.measure_wgmma FOLDER [found]`.

Without `found`: FOLDER gets kernels.ptx (assemble it for sm_90a), pool.bin and plan.bin, the arguments of the program.
With it: FOLDER/out.bin, which the program wrote, becomes wgmma/digests.npy.
"""

import struct
import sys
from pathlib import Path

import numpy as np

from tests.support.paths import TRUTH
from tests.truth.wgmma import cases


def plan() -> bytes:
    """Name, cases, registers and whether the words are wanted of each kernel, then its records."""
    parts = []
    for kernel in cases.KERNELS:
        head = kernel.name.encode().ljust(16, b"\0") + struct.pack("<3I", kernel.cases, kernel.registers, 0)
        parts.append(head + cases.records(kernel).tobytes())
    return b"".join(parts)


def main(folder: Path, is_found: bool) -> None:
    if is_found:
        digests = np.fromfile(folder / "out.bin", np.uint64)
        assert len(digests) == sum(kernel.cases for kernel in cases.KERNELS)
        np.save(TRUTH / "wgmma" / "digests.npy", (digests & 0xFFFF_FFFF).astype(np.uint32))
        return
    (folder / "kernels.ptx").write_text(cases.text(cases.KERNELS))
    cases.pool().tofile(folder / "pool.bin")
    (folder / "plan.bin").write_bytes(plan())


if __name__ == "__main__":
    main(Path(sys.argv[1]), "found" in sys.argv[2:])
