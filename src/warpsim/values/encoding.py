"""The 128 bytes of a tensor map, as the driver writes them, and what it refuses."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from ..arguments import shown
from ..errors import bad_value

RANK_MOST, BOX_MOST, STEP_MOST, PIXELS_MOST = 5, 256, 8, 1024
DIM_MOST, STRIDE_MOST = 1 << 32, 1 << 40
CHUNK = 16  # bytes
INTERLEAVES = {"none": 0, "16B": 1, "32B": 2}
SWIZZLES = {"none": 0, "32B": 1, "64B": 2, "128B": 3}
FILLS = {"none": 0, "nan": 1}
PROMOTIONS = {"none": 0, "64B": 1, "128B": 2, "256B": 3}
CORNER_BITS = {3: 16, 4: 8, 5: 5}  # of a corner of im2col, by rank


class Element(NamedTuple):
    """A type of elements: its number in the map, bytes, whether floats are rounded to tf32, whether it is a float."""

    number: int
    nbytes: int
    is_tf32: bool = False
    is_float: bool = False


ELEMENTS = {
    "u8": Element(0, 1), "u16": Element(1, 2), "u32": Element(2, 4), "s32": Element(3, 4),
    "u64": Element(4, 8), "s64": Element(5, 8), "f16": Element(6, 2, False, True),
    "f32": Element(7, 4, False, True), "f32_ftz": Element(8, 4, False, True), "f64": Element(9, 8, False, True),
    "bf16": Element(10, 2, False, True), "tf32": Element(7, 4, True, True), "tf32_ftz": Element(8, 4, True, True),
}  # fmt: skip


@dataclass(frozen=True)
class Im2col:
    """What a map of im2col mode has instead of a box; corners by spatial dimension, the innermost first."""

    lower: Sequence[int]
    upper: Sequence[int]
    channels: int
    pixels: int


@dataclass(frozen=True)
class Fields:
    """All fields of a map but its address."""

    element: Element
    dims: Sequence[int]
    strides: Sequence[int]
    box: Sequence[int]
    steps: Sequence[int]
    interleave: int = 0
    swizzle: int = 0
    fill: int = 0
    promotion: int = 0
    im2col: Im2col | None = None

    @property
    def span(self) -> int:
        """Bytes of shared memory in which the swizzle moves chunks."""
        return CHUNK << self.swizzle

    @property
    def inner_bytes(self) -> int:
        """Bytes of the innermost dimension of the box."""
        return (self.im2col.channels if self.im2col is not None else self.box[0]) * self.element.nbytes

    @property
    def rows(self) -> int:
        """Rows of shared memory that a copy fills."""
        if self.im2col is not None:
            return self.im2col.pixels
        found = 1
        for at, (extent, step) in enumerate(zip(self.box, self.steps, strict=True)):
            is_row = at > 0 if not self.interleave else at != len(self.dims) - 2
            found *= -(-extent // step) if is_row else 1
        return found

    @property
    def transaction_bytes(self) -> int:
        """Bytes that a copy brings to its barrier, wherever the box lies."""
        return self.rows * (CHUNK * self.interleave or self.inner_bytes)


def _within(name: str, values: Sequence[int], count: int, low: int, high: int) -> None:
    if len(values) != count:
        raise bad_value(name, f"expected {count} number{'s' * (count != 1)}, got {len(values)}")
    for value in values:
        if not low <= value <= high:
            raise bad_value(name, f"expected {low:,} to {high:,}, got {shown(value)}")


def _check_corners(fields: Fields, im2col: Im2col) -> None:
    rank = len(fields.dims)
    half = 1 << (CORNER_BITS[rank] - 1)
    _within("pixel_box_lower_corner", im2col.lower, rank - 2, -half, half - 1)
    _within("pixel_box_upper_corner", im2col.upper, rank - 2, -half, half - 1)
    _within("channels_per_pixel", [im2col.channels], 1, 1, BOX_MOST)
    _within("pixels_per_column", [im2col.pixels], 1, 1, PIXELS_MOST)
    first = 0 if fields.interleave else 1
    for at, (low, high) in enumerate(zip(im2col.lower, im2col.upper, strict=True)):
        extent = fields.dims[first + at]
        if extent >= DIM_MOST // 2 or extent + high - low <= 0:
            raise bad_value(
                "pixel_box_upper_corner",
                f"expected corners with pixels between them along dimension {first + at} of {extent:,} elements,"
                f" got {low} and {high}",
            )


def check(fields: Fields) -> None:
    """Raises ValueError for a map that the driver refuses."""
    rank = len(fields.dims)
    if not 1 <= rank <= RANK_MOST:
        raise bad_value("dims", f"expected 1 to {RANK_MOST} dimensions, got {rank}")
    if rank < 3 and (fields.interleave or fields.im2col is not None):
        what = "an interleaved tensor" if fields.interleave else "im2col"
        raise bad_value("dims", f"expected at least 3 dimensions for {what}, got {rank}")
    grain = 2 * CHUNK if fields.interleave == 2 else CHUNK
    _within("dims", fields.dims, rank, 1, DIM_MOST)
    _within("strides", fields.strides, rank - 1, 0, STRIDE_MOST - 1)
    for stride in fields.strides:
        if stride % grain:
            raise bad_value("strides", f"expected multiples of {grain} bytes, got {stride:,}")
    _within("element_strides", fields.steps, rank, 1, STEP_MOST)
    if fields.im2col is not None:
        _check_corners(fields, fields.im2col)
    else:
        _within("box", fields.box, rank, 1, BOX_MOST)
    name = "channels_per_pixel" if fields.im2col is not None else "box"
    if fields.inner_bytes % CHUNK:
        raise bad_value(name, f"expected a multiple of {CHUNK} bytes innermost, got {fields.inner_bytes}")
    if fields.swizzle and not fields.interleave and fields.inner_bytes > fields.span:
        raise bad_value(
            name,
            f"expected at most {fields.span} bytes innermost for a swizzle of {fields.span}B, got {fields.inner_bytes}",
        )
    if fields.fill and not fields.element.is_float:
        raise bad_value("fill", "expected 'none' for integers: NaN fills floats alone")


def _corners(im2col: Im2col, rank: int) -> int:
    bits = CORNER_BITS[rank]
    word = 0
    for at, (low, high) in enumerate(zip(im2col.lower, im2col.upper, strict=True)):
        mask = (1 << bits) - 1
        word |= (low & mask) << bits * at | (high & mask) << 16 + bits * at
    return word


def encode(fields: Fields) -> bytes:
    """The map with the address 0, as the driver 580.159 writes it."""
    im2col, rank = fields.im2col, len(fields.dims)
    words = [0] * 32
    words[2] = (
        int(im2col is not None) | (rank - 1) << 4 | fields.element.number << 7 | fields.interleave << 11
        | fields.swizzle << 13 | fields.fill << 15 | int(fields.element.is_tf32) << 16 | fields.promotion << 17
    )  # fmt: skip
    for at, stride in enumerate(fields.strides):
        words[3 + at] = stride >> 4 & 0xFFFFFFFF
        words[7] |= (stride >> 36) << 4 * at
    for at, extent in enumerate(fields.dims):
        words[8 + at] = extent - 1
        words[13] |= (fields.steps[at] - 1) << 3 * at
    nbytes = fields.element.nbytes
    if im2col is not None:
        words[13] |= (im2col.channels - 1) << 24
        words[14] = _corners(im2col, rank)
        words[15] = im2col.pixels - 1
        nbytes *= im2col.channels * im2col.pixels
    else:
        words[13] |= (fields.box[0] - 1) << 24
        for at, extent in enumerate(fields.box[1:]):
            words[14] |= (extent - 1) << 8 * at
        for extent, step in zip(fields.box, fields.steps, strict=True):
            nbytes *= extent // step
    words[16] = nbytes & 0xFFFFFFFF
    words[18] = 8 * fields.span if fields.swizzle else CHUNK
    return struct.pack("<32I", *words)
