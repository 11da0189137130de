"""A layout in the words of CuTe, Triton and TMA: Layout.from_cute, .to_cute and their like."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Self

from .. import arguments
from ..errors import bad_value
from ..notation import cute, tma, triton
from ..notation.tables import MOST_LINES, NO_SWIZZLE, Tables
from .swizzle import PACKED, TYPE_BITS, Swizzle


def _plain_bits(type: str, of: str = "type") -> int:
    """The bits of a type that lies element after element."""
    name = arguments.word("type", type, TYPE_BITS)
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

    @property
    def pitch(self) -> int:
        """Bytes from row to row, or from column to column."""
        raise NotImplementedError

    @classmethod
    def _of_tables(cls, tables: Tables, type: str, name: str) -> Self:
        order, pitch = tables.pitch(name)
        rows, cols = len(tables.row), len(tables.col)
        try:
            swizzle = Swizzle(*tables.swizzle, tables.unit) if tables.swizzle[0] else None
            make: Callable[..., Self] = cls
            return make(rows, cols, type, order, pitch - (cols if order == "row" else rows), swizzle)
        except ValueError as error:
            raise bad_value(name, str(error)) from error

    @classmethod
    def from_cute(cls, text: str, type: str | None = None) -> Self:
        """The layout that CuTe prints as `text`: SHAPE:STRIDE, or Sw<B,M,S> o 0 o SHAPE:STRIDE.

        Two modes, rows and columns; either may be hierarchical. `type`: f16, or what smem_ptr[16b] in the
        text names; the swizzle is one of elements, on smem_ptr[16b] one of bytes.
        Source: crd2idx of cute/stride.hpp, cute/swizzle.hpp, cute/pointer_flagged.hpp.

        >>> import warpsim as ws
        >>> ws.Layout.from_cute("Sw<3,3,3> o 0 o (8,64):(64,1)")
        Layout(8, 64, 'f16', swizzle=Swizzle(B=3, M=3, S=3, unit='element'))
        """
        name = cute.element_type(text) if type is None else type
        bits, named = _plain_bits(name), cute.bits_named(text)
        if named is not None and named != bits:
            raise bad_value("type", f"expected {named} bits, as smem_ptr[{named}b] says, got {name}")
        return cls._of_tables(cute.read(text), name, "text")

    @classmethod
    def from_triton(cls, text: str, shape: tuple[int, int], type: str = "f16") -> Self:
        """The layout of a Triton tensor of `shape` (rows, columns) with this attribute of shared memory.

        #ttg.swizzled_shared, #ttg.nvmma_shared or #ttg.padded_shared, as Triton's IR writes them.
        Source: TritonGPUAttrDefs.td and LinearLayoutConversions.cpp of Triton.

        >>> import warpsim as ws
        >>> text = "#ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>"
        >>> print(ws.Layout.from_triton(text, (64, 64), "f16"))
        64x64 f16, Swizzle<3,3,3>
        """
        rows, cols = _size("shape", shape)
        return cls._of_tables(triton.read(text, rows, cols, _plain_bits(type)), type, "text")

    @classmethod
    def from_tma(cls, box: tuple[int, int], mode: str = "128B", type: str = "f16") -> Self:
        """The layout of a TMA box of (rows, columns) elements; `mode` "128B" or CU_TENSOR_MAP_SWIZZLE_128B.

        Modes: NONE, 32B, 64B, 128B, 128B_ATOM_32B; a row takes the bytes of the mode.
        Source: "Swizzling Modes" of the PTX ISA; cute/atom/copy_traits_sm90_tma_swizzle.hpp.

        >>> import warpsim as ws
        >>> print(ws.Layout.from_tma((64, 64), "128B"))
        64x64 f16, Swizzle<3,4,3> of bytes
        """
        rows, cols = _size("box", box)
        return cls._of_tables(tma.read(rows, cols, tma.mode_of(mode), _plain_bits(type)), type, "box")

    def to_cute(self) -> str:
        """What CuTe prints for this layout; ValueError for packed types.

        >>> import warpsim as ws
        >>> ws.Layout.from_tma((64, 64), "128B").to_cute()
        'Sw<3,3,3> o 0 o (64,64):(64,1)'
        """
        return cute.write(
            self.rows, self.cols, self.order, self._elements(), _plain_bits(self.type, "layout"), *self._swizzled()
        )

    def to_triton(self) -> str:
        """Triton's attribute of this layout; ValueError where Triton has none.

        >>> import warpsim as ws
        >>> ws.Layout(64, 64, "f16", swizzle=ws.Swizzle(3, 3, 3)).to_triton()
        '#ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>'
        """
        (b, m, s), unit = self._swizzled()
        bits = _plain_bits(self.type, "layout")
        if unit == "byte" and b:
            m -= (bits // 8).bit_length() - 1 if bits >= 8 else -1
            if m < 0:
                raise bad_value("layout", f"expected a swizzle of whole elements of {self.type}, got {self.swizzle}")
        return triton.write(self.rows, self.cols, self.order, self.pad, (b, m, s))

    def to_tma(self) -> str:
        """TMA's swizzle mode of this layout, which must be that of one box; else a ValueError.

        >>> import warpsim as ws
        >>> ws.Layout(64, 64, "f16", swizzle=ws.Swizzle(3, 3, 3)).to_tma()
        'CU_TENSOR_MAP_SWIZZLE_128B'
        """
        lines, run = (self.rows, self.cols) if self.order == "row" else (self.cols, self.rows)
        bits = _plain_bits(self.type, "layout")
        swizzle, unit = self._swizzled()
        return tma.write(lines, self.pitch * 8, run * bits, swizzle, bits, unit)

    def _swizzled(self) -> tuple[tuple[int, int, int], str]:
        """B, M, S and their unit."""
        of = self.swizzle
        return ((of.B, of.M, of.S), of.unit) if of and of.B else (NO_SWIZZLE, "element")

    def _elements(self) -> int:
        """The pitch in elements."""
        return (self.cols if self.order == "row" else self.rows) + self.pad
