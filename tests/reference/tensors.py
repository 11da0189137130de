"""Copies by tensor maps, element by element, from the words of the CUDA driver's manual and of the PTX ISA.

Rules that neither states and an H200 follows: a swizzled row takes its whole span, a store takes whole chunks of 16
bytes at the inner end, NaN is 0x7ff7 in each half word, an interleaved box has one slice of channels.
"""

from collections.abc import Iterator
from itertools import product

from tests.truth.run.tensor_maps.cases import BYTES, Case

CHUNK = 16


def positions(case: Case) -> Iterator[list[int]]:
    """Coordinates of each row of shared memory; those of dimension 0 only where rows are slices of channels."""
    first = 0 if case.interleave else 1
    channels = case.rank - 2 if case.interleave else -1
    if case.mode == 0:
        ranges = [
            [0] if at == channels else list(range(0, case.box[at], case.estr[at])) for at in range(first, case.rank)
        ]
        for steps in product(*reversed(ranges)):
            yield [case.coords[first + at] + step for at, step in enumerate(reversed(steps))]
        return
    spatial = range(first, first + case.rank - 2)
    pixel = list(case.coords[: case.rank])
    for _ in range(case.pixels):
        moved = list(pixel)
        for at in spatial:
            moved[at] += case.offsets[at - first] if case.op == 0 else 0
        yield moved[first:]
        for at in spatial:
            pixel[at] += case.estr[at]
            if pixel[at] < case.dims[at] + case.upper[at - first]:
                break
            pixel[at] = case.lower[at - first]
        else:
            pixel[-1] += case.estr[case.rank - 1]


def elements(case: Case) -> Iterator[tuple[int, int | None]]:
    """(byte of shared memory, byte of global memory or None: outside) of each element that a copy moves."""
    size = BYTES[case.dtype]
    slice_bytes = CHUNK * case.interleave
    count = slice_bytes // size if case.interleave else (case.channels if case.mode else case.box[0])
    pitch = CHUNK << case.swizzle if case.swizzle and not case.interleave else count * size
    first = 0 if case.interleave else 1
    strides = [slice_bytes, *case.strides][first : case.rank] if case.interleave else case.strides
    inner = count if case.interleave else case.dims[0]
    if case.op != 0:
        inner = -(-inner * size // CHUNK) * CHUNK // size
    for row, position in enumerate(positions(case)):
        inside = all(0 <= at < extent for at, extent in zip(position, case.dims[first:], strict=False))
        begin = case.base + sum(at * stride for at, stride in zip(position, strides, strict=False))
        for number in range(count):
            at = number if case.interleave else case.coords[0] + number
            shared = case.smem + row * pitch + number * size
            shared ^= (shared >> 7 & (1 << case.swizzle) - 1) << 4
            yield shared, begin + at * size if inside and 0 <= at < inner else None


def tf32(value: int) -> int:
    """A float of 32 bits, rounded to the nearest of 10 bits of mantissa, ties to even."""
    if value & 0x7FFFFFFF > 0x7F800000:
        return 0x7FFFE000
    down, rest = value & ~0x1FFF, value & 0x1FFF
    return down + 0x2000 if rest + (down >> 13 & 1) > 0x1000 else down


def copied(case: Case, data: bytes, image: bytes) -> tuple[bytes, bytes]:
    """Global and shared memory after a load or a store."""
    size = BYTES[case.dtype]
    there, here = bytearray(data), bytearray(image)
    for shared, place in elements(case):
        if case.op == 0 and place is None:
            here[shared : shared + size] = (b"\xf7\x7f" * 4 if case.fill else bytes(8))[:size]
            if size == 1 and case.fill:
                raise AssertionError("bytes are not filled by NaN")
        elif case.op == 0:
            assert place is not None
            found = data[place : place + size]
            if case.dtype in (11, 12):
                found = tf32(int.from_bytes(found, "little")).to_bytes(4, "little")
            here[shared : shared + size] = found
        elif place is not None:
            there[place : place + size] = image[shared : shared + size]
    return bytes(there), bytes(here)
