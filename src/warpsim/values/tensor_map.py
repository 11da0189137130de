"""`ws.tensor_map`: a CUtensorMap argument of a kernel, made of an array."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import accumulate
from operator import mul
from typing import Any

import numpy as np

from ..arguments import describe, shown
from ..errors import bad_type, bad_value
from ..kernel.arguments import Packed, array_of
from . import encoding
from .encoding import ELEMENTS, Fields, Im2col

NAMES = {
    "uint8": "u8", "int8": "u8", "bool": "u8", "uint16": "u16", "int16": "u16", "uint32": "u32", "int32": "s32",
    "uint64": "u64", "int64": "s64", "float16": "f16", "float32": "f32", "float64": "f64", "bfloat16": "bf16",
}  # fmt: skip


class TensorMap(Packed):
    """What tensor_map() makes: pass it where a kernel takes a CUtensorMap, by value or by its address."""

    def __init__(self, fields: Fields, array: Any, dtype: str) -> None:
        self._fields, self._array = fields, array
        self._bytes = encoding.encode(fields)
        self.dtype = dtype

    @property
    def nbytes(self) -> int:
        """128."""
        return len(self._bytes)

    @property
    def rank(self) -> int:
        """Dimensions of the tensor."""
        return len(self._fields.dims)

    @property
    def transaction_bytes(self) -> int:
        """Bytes that a copy by this map brings to its mbarrier object: what expect_tx is to be told."""
        return self._fields.transaction_bytes

    @property
    def shared_bytes(self) -> int:
        """Bytes of shared memory that a copy by this map covers: with a swizzle each row takes its whole span."""
        fields = self._fields
        is_padded = fields.swizzle and not fields.interleave
        return fields.rows * (fields.span if is_padded else encoding.CHUNK * fields.interleave or fields.inner_bytes)

    def packed(self) -> tuple[bytes, dict[int, tuple[str, Any]]]:
        """The 128 bytes, with zeros for the address; and the array."""
        return self._bytes, {0: ("", self._array)}

    def __repr__(self) -> str:
        fields = self._fields
        box = f"box {tuple(fields.box)}" if fields.im2col is None else f"im2col of {fields.im2col.pixels} pixels"
        return f"TensorMap({self.dtype}, dims {tuple(fields.dims)}, {box})"


def _word(name: str, value: Any, words: Mapping[str, int]) -> int:
    if not isinstance(value, str) or value not in words:
        raise bad_value(name, f"expected one of {', '.join(map(repr, words))}, got {shown(value)}")
    return words[value]


def _numbers(name: str, value: Any) -> list[int]:
    if isinstance(value, int | np.integer) and not isinstance(value, bool):
        value = [value]
    if isinstance(value, str | bytes) or not isinstance(value, Sequence | np.ndarray):
        raise bad_type(name, f"expected an int or a sequence of ints, got {describe(value)}")
    for item in value:
        if isinstance(item, bool | np.bool_) or not isinstance(item, int | np.integer):
            raise bad_type(name, f"expected ints, got {describe(item)}")
    return [int(item) for item in value]


def _im2col(box: Any, corners: Mapping[str, Any]) -> Im2col | None:
    given = [name for name, value in corners.items() if value is not None]
    if not given:
        return None
    if box is not None:
        raise bad_value(given[0], "expected None with a box: a map is of tile or of im2col mode")
    missing = [name for name in corners if name not in given]
    if missing:
        raise bad_value(missing[0], f"expected a value beside {given[0]}, for im2col")
    lower, upper, channels, pixels = (_numbers(name, value) for name, value in corners.items())
    for name, row in (("channels_per_pixel", channels), ("pixels_per_column", pixels)):
        if len(row) != 1:
            raise bad_type(name, f"expected an int, got {shown(corners[name])}")
    return Im2col(lower, upper, channels[0], pixels[0])


def tensor_map(
    array: Any,
    box: int | Sequence[int] | None = None,
    *,
    dims: int | Sequence[int] | None = None,
    strides: int | Sequence[int] | None = None,
    element_strides: int | Sequence[int] | None = None,
    interleave: str = "none",
    swizzle: str = "none",
    fill: str = "none",
    dtype: str | None = None,
    l2_promotion: str = "none",
    pixel_box_lower_corner: int | Sequence[int] | None = None,
    pixel_box_upper_corner: int | Sequence[int] | None = None,
    channels_per_pixel: int | None = None,
    pixels_per_column: int | None = None,
) -> TensorMap:
    """A tensor map of an array, as cuTensorMapEncodeTiled makes it: for kernels that take a CUtensorMap.

    All sequences begin with the innermost dimension. `box`: elements along each. `dims` and `strides`:
    those of the array unless given; strides in bytes, without the innermost. `interleave`: "none", "16B"
    or "32B". `swizzle`: "none", "32B", "64B" or "128B". `fill`: what lies outside of the tensor, "none"
    for zeros or "nan". `dtype`: "u8" to "f64", "bf16", "tf32", "f32_ftz" or "tf32_ftz"; the array's
    unless given. With the four names of cuTensorMapEncodeIm2col instead of a box the map is of im2col
    mode. ValueError for what the driver refuses.

    >>> import numpy as np, warpsim as ws
    >>> tile = ws.tensor_map(np.zeros((128, 256), np.float16), (64, 32), swizzle="128B")
    >>> tile
    TensorMap(f16, dims (256, 128), box (64, 32))
    >>> tile.transaction_bytes
    4096
    """
    found = array_of("array", array)
    if found is None:
        raise bad_type("array", f"expected an array, got {describe(array)}")
    name = NAMES.get(found.dtype.name, found.dtype.name) if dtype is None else dtype
    if not isinstance(name, str) or name not in ELEMENTS:
        raise bad_value("dtype", f"expected one of {', '.join(ELEMENTS)}, got {shown(name)}")
    element = ELEMENTS[name]
    if dims is None and found.itemsize != element.nbytes:
        raise bad_value(
            "dims", f"expected them with dtype {name}, got None: the array's elements have {found.itemsize} bytes"
        )
    extents = list(found.shape[::-1] or (1,)) if dims is None else _numbers("dims", dims)
    interleaved = _word("interleave", interleave, encoding.INTERLEAVES)
    if strides is None:
        step = 16 * interleaved or element.nbytes
        steps = [step * count for count in accumulate(extents[:-1], mul)]
    else:
        steps = _numbers("strides", strides)
    corners = {
        "pixel_box_lower_corner": pixel_box_lower_corner, "pixel_box_upper_corner": pixel_box_upper_corner,
        "channels_per_pixel": channels_per_pixel, "pixels_per_column": pixels_per_column,
    }  # fmt: skip
    im2col = _im2col(box, corners)
    if box is None and im2col is None:
        raise bad_type("box", "expected the elements of the box along each dimension, got None")
    fields = Fields(
        element,
        extents,
        steps,
        [] if box is None else _numbers("box", box),
        [1] * len(extents) if element_strides is None else _numbers("element_strides", element_strides),
        interleaved,
        _word("swizzle", swizzle, encoding.SWIZZLES),
        _word("fill", fill, encoding.FILLS),
        _word("l2_promotion", l2_promotion, encoding.PROMOTIONS),
        im2col,
    )
    encoding.check(fields)
    return TensorMap(fields, array, name)
