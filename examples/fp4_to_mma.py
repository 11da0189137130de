"""4-bit floats from packed shared memory to the registers of an mma of kind f8f6f4.

ldmatrix with .b8x16.b4x16_p64 unpacks 16 codes of 4 bits from each row of 16 bytes (8 of data, 8 of
padding). A code arrives in the low nibble of its byte; the mma wants it two bits higher.
"""

from __future__ import annotations

import ml_dtypes
import numpy as np

import warpsim as ws
from warpsim.dtypes import values


def main() -> None:
    # an 8x16 matrix of e2m1 values: 0, 0.5, 1, 1.5, 2, 3, 4, 6 and their negatives
    matrix = np.arange(8 * 16, dtype=np.uint8).reshape(8, 16) % 16
    shared = ws.SharedMemory(8 * 16)
    rows = shared.view(np.uint8, (8, 16))
    rows[:, :8] = matrix[:, 0::2] | matrix[:, 1::2] << 4  # even element in the low nibble
    rows[:, 8:] = 0xEE  # padding: can hold anything, ldmatrix does not read it

    op = ws.parse("ldmatrix.sync.aligned.m8n16.x1.shared.b8x16.b4x16_p64")
    op.check("sm_120a", "8.7")
    result = op.execute(shared, np.arange(32) % 8 * 16)
    assert result.registers is not None and result.traffic is not None

    floats = values(result.registers, ml_dtypes.float4_e2m1fn).astype(np.float32)
    print("lane 0 holds row 0, columns 0-3:", floats[0])
    print("lane 5 holds row 1, columns 4-7:", floats[5])
    expected = matrix.view(ml_dtypes.float4_e2m1fn).astype(np.float32)
    assert np.array_equal(floats.reshape(8, 16), expected)

    for_mma = ws.fp4_to_mma(result.registers)
    print(f"register of lane 1: {result.registers[1, 0]:#010x}, for the mma: {for_mma[1, 0]:#010x}")
    print(f"wavefronts: {result.traffic.wavefronts} (approximate: {result.traffic.inexact[0]})")


if __name__ == "__main__":
    main()
