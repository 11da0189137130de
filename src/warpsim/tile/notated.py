"""A layout in the words of CuTe, Triton and TMA: Layout.from_cute, .to_cute and their like."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from .. import arguments
from ..errors import bad_value
from ..notation import cute, tma, triton
from ..notation.tables import MOST_LINES, NO_SWIZZLE, Tables
from .swizzle import PACKED, TYPE_BITS, Swizzle


def _plain_bits(type: str, of: str = "dtype") -> int:
    """The bits of a type that lies element after element."""
    name = arguments.word(of, type, TYPE_BITS)
    if name in PACKED:
        raise bad_value(of, f"{name} lies in pieces of 16 bytes, which this notation lacks; expected f16, b8 ...")
    return TYPE_BITS[name]


def _size(name: str, value: tuple[int, int]) -> tuple[int, int]:
    """Rows and columns."""
    found = [arguments.positive_int(name, one) for one in arguments.several(name, value, 2)]
    if len(found) != 2:
        raise bad_value(name, f"expected (rows, columns), got {arguments.shown(value)}")
    if max(found) > MOST_LINES:
        raise bad_value(name, f"expected at most {MOST_LINES} rows and columns, got {arguments.shown(value)}")
    return found[0], found[1]


class Notated:
    """The part of Layout that reads and writes other notations."""

    __slots__ = ()

    if TYPE_CHECKING:
        rows: int
        cols: int
        type: str
        order: str
        pad: int
        swizzle: Swizzle | None
        _tables: Tables | None

    @property
    def pitch(self) -> int:
        """Bytes from row to row, or from column to column."""
        raise NotImplementedError

    def _place(self, tables: Tables) -> None:
        """Takes the places of rows and columns from tables."""
        raise NotImplementedError

    @classmethod
    def _of_tables(cls, tables: Tables, type: str, name: str) -> Self:
        make: Callable[..., Self] = cls
        rows, cols = len(tables.row), len(tables.col)
        found = tables.pitch()
        try:
            swizzle = Swizzle(*tables.swizzle, tables.unit) if tables.swizzle[0] else None
            if found is not None:
                order, pitch = found
                return make(rows, cols, type, order, pitch - (cols if order == "row" else rows), swizzle)
            made = make(rows, cols, type, tables.order, 0, swizzle)
        except ValueError as error:
            raise bad_value(name, str(error)) from error
        for table in (tables.row, tables.col):
            cute.modes(name, table)  # which its repr needs
        made._place(tables)
        return made

    @classmethod
    def from_cute(cls, text: Any, dtype: str | None = None) -> Self:
        """The layout that CuTe prints as `text`: SHAPE:STRIDE, or Sw<B,M,S> o 0 o SHAPE:STRIDE.

        Also (shape, stride) as nested tuples. Two modes, rows and columns; either may be hierarchical.
        `dtype`: f16, or what smem_ptr[16b] in the text names; the swizzle is one of elements, on
        smem_ptr[16b] one of bytes.
        Source: crd2idx of cute/stride.hpp, cute/swizzle.hpp, cute/pointer_flagged.hpp.

        >>> import warpsim as ws
        >>> ws.Layout.from_cute("Sw<3,3,3> o 0 o (8,64):(64,1)")
        Layout(8, 64, 'f16', swizzle=Swizzle(B=3, M=3, S=3, unit='element'))
        >>> ws.Layout.from_cute((((8, 2), 8), ((64, 1024), 1)), "f32").offset(9, 0)
        4352
        """
        text = cute.as_text(text)
        name = cute.element_type(text) if dtype is None else dtype
        bits, named = _plain_bits(name), cute.bits_named(text)
        if named is not None and named != bits:
            raise bad_value("dtype", f"expected {named} bits, as smem_ptr[{named}b] says, got {name}")
        return cls._of_tables(cute.read(text), name, "text")

    @classmethod
    def from_triton(cls, encoding: str, shape: tuple[int, int], dtype: str = "f16") -> Self:
        """The layout of a Triton tensor of `shape` (rows, columns) with this attribute of shared memory.

        #ttg.swizzled_shared, #ttg.nvmma_shared or #ttg.padded_shared, as Triton's IR writes them.
        Source: TritonGPUAttrDefs.td and LinearLayoutConversions.cpp of Triton.

        >>> import warpsim as ws
        >>> encoding = "#ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>"
        >>> print(ws.Layout.from_triton(encoding, (64, 64), "f16"))
        64x64 f16, Swizzle<3,3,3>
        """
        rows, cols = _size("shape", shape)
        return cls._of_tables(triton.read(encoding, rows, cols, _plain_bits(dtype)), dtype, "encoding")

    @classmethod
    def from_tma(cls, box: tuple[int, int], dtype: str = "f16", swizzle: str = "128B") -> Self:
        """The layout of a TMA box of (rows, columns) elements; `swizzle` "128B" or CU_TENSOR_MAP_SWIZZLE_128B.

        Modes: NONE, 32B, 64B, 128B, 128B_ATOM_32B; a row takes the bytes of the mode: a wider tile has
        several boxes, see .boxes.
        Source: "Swizzling Modes" of the PTX ISA; cute/atom/copy_traits_sm90_tma_swizzle.hpp.

        >>> import warpsim as ws
        >>> print(ws.Layout.from_tma((64, 64), "f16", "128B"))
        64x64 f16, Swizzle<3,4,3> of bytes
        """
        rows, cols = _size("box", box)
        return cls._of_tables(tma.read(rows, cols, tma.mode_of(swizzle), _plain_bits(dtype)), dtype, "box")

    def boxes(self, n: int) -> Self:
        """A tile of `n` such layouts side by side, each after the bytes of the one before.

        Side by side along the contiguous axis: boxes of rows make a wider tile. It begins at an
        address from which the swizzle repeats, as boxes of TMA do. ValueError for packed types.

        >>> import warpsim as ws
        >>> print(ws.Layout.from_tma((64, 64), "f16", "128B").boxes(2))
        64x128 f16, Sw<3,3,3> o 0 o (64,(64,2)):(64,(1,4096))
        """
        count = arguments.positive_int("n", n)
        bits = _plain_bits(self.type, "layout")
        if max(self.rows, self.cols) * count > MOST_LINES:
            raise bad_value("n", f"expected at most {MOST_LINES} rows and columns in all, got {arguments.shown(n)}")
        lines = self.rows if self.order == "row" else self.cols
        if self._tables is not None:
            many = self._tables.repeated(self.order, count)
        elif lines * self._elements() * bits % 8:
            raise bad_value("layout", f"expected boxes of whole bytes, got {lines * self._elements() * bits} bits")
        else:
            down, right = (self._elements(), 1) if self.order == "row" else (1, self._elements())
            one = Tables(np.arange(self.rows) * down, np.arange(self.cols) * right, *self._swizzled())
            many = one.repeated(self.order, count, lines * self._elements())
        return self._of_tables(many, self.type, "layout")

    def to_cute(self) -> str:
        """What CuTe prints for this layout; ValueError for packed types.

        >>> import warpsim as ws
        >>> ws.Layout.from_tma((64, 64), "f16", "128B").to_cute()
        'Sw<3,3,3> o 0 o (64,64):(64,1)'
        """
        if self._tables is not None:
            return cute.write_modes(self._tables, _plain_bits(self.type, "layout"))
        return cute.write(
            self.rows, self.cols, self.order, self._elements(), _plain_bits(self.type, "layout"), *self._swizzled()
        )

    def to_triton(self) -> str:
        """Triton's attribute of this layout; ValueError where Triton has none.

        >>> import warpsim as ws
        >>> ws.Layout(64, 64, "f16", swizzle=ws.Swizzle(3, 3, 3)).to_triton()
        '#ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>'
        """
        self._check_one_block("Triton")
        (b, m, s), unit = self._swizzled()
        bits = _plain_bits(self.type, "layout")
        if unit == "byte" and b:
            m -= (bits // 8).bit_length() - 1 if bits >= 8 else -1
            if m < 0:
                raise bad_value("layout", f"expected a swizzle of whole elements of {self.type}, got {self.swizzle}")
        return triton.write(self.rows, self.cols, self.order, self.pad, (b, m, s))

    def to_tma(self) -> str:
        """TMA's swizzle mode of this layout, which must be that of one box or of .boxes; else a ValueError.

        >>> import warpsim as ws
        >>> ws.Layout(64, 64, "f16", swizzle=ws.Swizzle(3, 3, 3)).to_tma()
        'CU_TENSOR_MAP_SWIZZLE_128B'
        """
        lines, run = (self.rows, self.cols) if self.order == "row" else (self.cols, self.rows)
        bits = _plain_bits(self.type, "layout")
        swizzle, unit = self._swizzled()
        if self._tables is not None:
            run = self._box_run(lines)
        return tma.write(lines, self.pitch * 8, run * bits, swizzle, bits, unit)

    def _box_run(self, lines: int) -> int:
        """Elements of a run of one of the boxes side by side that make this layout."""
        assert self._tables is not None
        axes = (self._tables.row, self._tables.col)
        line, run = (cute.modes("layout", axis) for axis in (axes if self.order == "row" else axes[::-1]))
        if len(line) == 1 and len(run) == 2 and run[0] == (line[0][1], 1) and run[1][1] == lines * run[0][0]:
            return run[0][0]
        raise bad_value("layout", f"expected TMA boxes side by side, got {self.to_cute()}")

    def _check_one_block(self, of: str) -> None:
        if self._tables is not None:
            raise bad_value("layout", f"expected contiguous rows one pitch apart, as {of} writes them; got {self}")

    def _swizzled(self) -> tuple[tuple[int, int, int], str]:
        """B, M, S and their unit."""
        of = self.swizzle
        return ((of.B, of.M, of.S), of.unit) if of and of.B else (NO_SWIZZLE, "element")

    def _elements(self) -> int:
        """The pitch in elements."""
        return (self.cols if self.order == "row" else self.rows) + self.pad
