"""Matrices of wgmma in shared memory and in registers, written from the PTX specification; whole numbers alone.

"Asynchronous Warpgroup Level Matrix Shared Memory Layout" and the figures of the fragments; sparse metadata as in
mma.sp.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]

BITS = {"f16": 16, "bf16": 16, "tf32": 32, "e4m3": 8, "e5m2": 8, "s8": 8, "u8": 8, "b1": 1, "f32": 32, "s32": 32}


def encoded(values: Ints, type_: str) -> NDArray[np.uint32]:
    """The bits of small whole numbers."""
    if type_ in ("s8", "u8", "s32", "b1"):
        return (values & ((1 << BITS[type_]) - 1)).astype(np.uint32)
    if type_ == "f16":
        return values.astype(np.float16).view(np.uint16).astype(np.uint32)
    single = values.astype(np.float32).view(np.uint32)
    if type_ in ("f32", "tf32"):
        return single
    if type_ == "bf16":
        return single >> 16
    half = values.astype(np.float16).view(np.uint16).astype(np.uint32)
    if type_ == "e5m2":
        return half >> 8
    sign, rest = half >> 15 << 7, half & 0x7FFF  # e4m3: exponents 8 less, three bits of the mantissa
    return np.where(rest == 0, 0, (rest >> 7) - (8 << 3)) | sign


def byte_of(mn: Ints, k: Ints, type_: str, major: str, swizzle: int, leading: int, stride: int) -> Ints:
    """Where an element lies, before the swizzle, from the start on: its byte. `swizzle`: bytes, 0 for none."""
    row = max(swizzle, 16)
    if major == "k":
        at = k * BITS[type_] // 8
        return mn // 8 * stride + mn % 8 * row + at // row * leading + at % row
    across = row // 2  # elements of a row of the atom
    if swizzle == 0:
        return mn // 8 * stride + k // 8 * leading + k % 8 * 16 + mn % 8 * 2
    return mn // across * leading + k // 8 * stride + k % 8 * row + mn % across * 2


def swizzled(address: Ints, swizzle: int) -> Ints:
    """Rows of 128 bytes: the chunk of 16 bytes is exchanged by the number of the row, in 3, 2 or 1 bits."""
    bits = {0: 0, 32: 1, 64: 3, 128: 7}[swizzle]
    return address ^ ((address >> 7 & bits) << 4)


def store(
    image: NDArray[np.uint8], matrix: Ints, type_: str, major: str, swizzle: int, start: int, offsets: tuple[int, int]
) -> None:
    """Puts a matrix [mn][k] into an image of shared memory."""
    bits = encoded(matrix, type_)
    mn, k = np.meshgrid(np.arange(matrix.shape[0]), np.arange(matrix.shape[1]), indexing="ij")
    at = swizzled(start + byte_of(mn, k, type_, major, swizzle, *offsets), swizzle)
    if type_ == "b1":
        np.bitwise_or.at(image, at.ravel(), (bits << (k % 8)).astype(np.uint8).ravel())
        return
    for byte in range(BITS[type_] // 8):
        image[at + byte] = bits >> (8 * byte) & 0xFF


def results(words: NDArray[np.uint32], n: int, type_: str) -> Ints:
    """D [64][n] from the registers of 128 threads: 16 rows a warp, a row and the 8th after it each group of four."""
    found = np.zeros((64, n), np.int64)
    for thread in range(128):
        warp, lane = divmod(thread, 32)
        for number in range(n // 2):
            row = 16 * warp + lane // 4 + 8 * (number // 2 % 2)
            column = 8 * (number // 4) + 2 * (lane % 4) + number % 2
            if type_ == "f16":
                half = np.uint16(words[thread, number // 2] >> 16 * (number % 2) & 0xFFFF)
                found[row, column] = int(half.view(np.float16))
            else:
                word = words[thread, number]
                found[row, column] = int(word.view(np.float32)) if type_ == "f32" else int(word.view(np.int32))
    return found


def registers_of_a(matrix: Ints, type_: str) -> NDArray[np.uint32]:
    """A [64][k] in four registers of each thread: two rows, and the second half of k."""
    each = 32 // BITS[type_]
    bits = encoded(matrix, type_).astype(np.uint64)
    words = np.zeros((128, 4), np.uint32)
    for thread in range(128):
        warp, lane = divmod(thread, 32)
        for register in range(4):
            row = 16 * warp + lane // 4 + 8 * (register % 2)
            first = each * (lane % 4) + 4 * each * (register // 2)
            words[thread, register] = sum(int(bits[row, first + i]) << (BITS[type_] * i) for i in range(each))
    return words


def metadata(chosen: Ints, type_: str, selector: int) -> NDArray[np.uint32]:
    """The word of each thread; `chosen` [64][stored]: which of its four (tf32: of two) each stored element is."""
    words = np.zeros(128, np.uint32)
    for row in range(64):
        warp, inside = divmod(row, 16)
        quad = 32 * warp + 4 * (inside % 8)
        fields = []
        for one in chosen[row]:
            fields += [2 * int(one), 2 * int(one) + 1] if type_ == "tf32" else [int(one)]
        string = sum(field << (2 * i) for i, field in enumerate(fields))
        if BITS[type_] >= 16:  # two threads of the four, 16 bits of each for the row
            for half in range(2):
                words[quad + 2 * selector + half] |= (string >> (16 * half) & 0xFFFF) << (16 * (inside // 8))
        else:
            words[quad + inside // 8] = string & 0xFFFFFFFF
            words[quad + 2 + inside // 8] = string >> 32
    return words


def expanded(stored: Ints, chosen: Ints, type_: str) -> Ints:
    """The whole of a compressed A."""
    each = 2 if type_ == "tf32" else 4
    kept = each // 2
    whole = np.zeros((64, 2 * stored.shape[1]), np.int64)
    rows, places = np.meshgrid(np.arange(64), np.arange(stored.shape[1]), indexing="ij")
    whole[rows, places // kept * each + chosen] = stored
    return whole
