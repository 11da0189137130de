"""How a matrix lies in shared memory, and with which lane addresses an instruction reads it.

Layout words are CuTe's: Swizzle<B, M, S>, row- and column-major, pitch.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .. import _core, arguments
from ..errors import bad_type, bad_value
from ..instruction.base import DataMovement
from ..notation.tables import Tables
from ..pickling import Spelled
from ..render.layout_map import layout_map
from ..words import suggesting
from .notated import Notated
from .swizzle import PACKED, TYPE_BITS, Swizzle, run_unit

__all__ = ["ORDERS", "PACKED", "TYPE_BITS", "Layout", "Swizzle", "run_unit"]

ORDERS = _core.LAYOUTS[1:]

MOST_SHOWN = 16  # lines of a picture, and pieces of a line
MOST_AXES = 30  # NumPy broadcasts 32
MOST_SIZE = 2**24 - 1  # elements: rows, columns, padding


class Layout(Notated, Spelled):
    """A rows x cols matrix of `type` in shared memory.

    `order` "row" or "col" (which axis is contiguous), `pad` elements added to each row (column for
    "col"), an optional Swizzle. Calling it gives byte offsets; `.nbytes` and `.pitch` are bytes.
    What is not one block, such as several TMA boxes, comes from .boxes, .from_cute or .from_triton.

    >>> import warpsim as ws
    >>> tile = ws.Layout(16, 16, "f16", pad=8)
    >>> tile(1, 0), tile.pitch, tile.nbytes
    (48, 48, 768)
    >>> print(tile)
    16x16 f16, pad 8
    """

    __slots__ = ("_core", "_tables", "cols", "order", "pad", "rows", "swizzle", "type")

    @suggesting
    def __init__(
        self, rows: int, cols: int, type: str, order: str = "row", pad: int = 0, swizzle: Swizzle | None = None
    ) -> None:
        self.rows = arguments.positive_int("rows", rows, MOST_SIZE)
        self.cols = arguments.positive_int("cols", cols, MOST_SIZE)
        self.type = type = arguments.word("type", type, TYPE_BITS)
        self.order = order = arguments.word("order", order, ORDERS)
        self.pad = arguments.whole("pad", pad)
        if not 0 <= self.pad <= MOST_SIZE:
            raise bad_value("pad", f"expected 0 to {MOST_SIZE}, got {arguments.shown(self.pad)}")
        if swizzle is not None and not isinstance(swizzle, Swizzle):
            raise bad_type("swizzle", f"expected a Swizzle, got {arguments.describe(swizzle)}")
        self.swizzle = swizzle
        run = (self.cols if order == "row" else self.rows) + self.pad
        if run % run_unit(type):
            raise bad_value(
                "pad",
                f"a {'row' if order == 'row' else 'column'} with its padding must be a"
                f" multiple of {run_unit(type)} elements of {type}, got {run}",
            )
        if type in PACKED and swizzle is not None and swizzle.unit != "byte":
            raise bad_value("swizzle", f"{type} takes unit 'byte' only, got {swizzle.unit!r}")
        self._tables: Tables | None = None
        b, m, s = (swizzle.B, swizzle.M, swizzle.S) if swizzle else (0, 0, 0)
        in_bytes = swizzle is not None and swizzle.unit == "byte"
        self._core = _core.LayoutCore(
            self.rows, self.cols, self.pad, TYPE_BITS[type], type in PACKED, order == "col",
            b, m, s, in_bytes,
        )  # fmt: skip

    def __reduce__(self) -> tuple[Any, tuple[Any, ...]]:
        if self._tables is not None:
            return type(self).from_cute, (self.to_cute(), self.type)
        return type(self), (
            self.rows, self.cols, self.type, self.order, self.pad, self.swizzle,
        )  # fmt: skip

    def _place(self, tables: Tables) -> None:
        self._core.place(tables.row, tables.col)
        self._tables = tables

    @property
    def pitch(self) -> int:
        """Bytes from the first row (order "col": column) to the second."""
        if self._tables is not None:
            line = self._tables.row if self.order == "row" else self._tables.col
            return int(line[min(1, len(line) - 1)] - line[0]) * TYPE_BITS[self.type] // 8
        return int(self._core.pitch)

    @property
    def is_one_block(self) -> bool:
        """Are its rows (order "col": columns) contiguous and one pitch apart, before the swizzle?"""
        return self._tables is None

    @property
    def nbytes(self) -> int:
        """Bytes from the first to the last that the matrix takes, padding included.

        That is rows (order "col": columns) times pitch, and more where the swizzle moves the end of
        a matrix that is not a whole number of its blocks.
        """
        return int(self._core.nbytes)

    def _places(self, row: ArrayLike, col: ArrayLike) -> tuple[NDArray[Any], NDArray[Any]]:
        """Rows and columns of one shape, contiguous, all inside the matrix."""
        given = arguments.integers("row", row), arguments.integers("col", col)
        if max(values.ndim for values in given) > MOST_AXES:
            raise ValueError(f"row, col: expected at most {MOST_AXES} axes")
        try:
            pair = np.broadcast_arrays(*given)
        except ValueError as error:
            raise ValueError(f"row, col: expected shapes that broadcast: {error}") from error
        for name, values, limit in zip(("row", "col"), pair, (self.rows, self.cols), strict=True):
            least, most = arguments.bounds(name, values) if values.size else (0, 0)
            if least < 0 or most >= limit:
                raise bad_value(
                    name, f"expected 0 to {limit - 1}, got {arguments.shown(least)} to {arguments.shown(most)}"
                )
        rows, cols = (np.array(values, np.int64, order="C") for values in pair)
        return rows, cols

    def offset(self, row: ArrayLike, col: ArrayLike) -> Any:
        """Byte offset of element (row, col), as calling the layout gives it; arrays too.

        Of a sub-byte element, the byte in which it begins. Places outside are a ValueError.

        >>> import warpsim as ws
        >>> ws.Layout.from_tma((64, 64), "f16", "128B").boxes(2).offset(1, 64)
        8336
        """
        return self(row, col)

    def __call__(self, row: ArrayLike, col: ArrayLike) -> Any:
        """Byte offset of element (row, col); ints give an int, arrays an int64 array.

        Of a sub-byte element, the byte in which it begins. Places outside are a ValueError.
        """
        rows, cols = self._places(row, col)
        out = _core.new_array(np.empty, rows.shape, np.int64)
        self._core.offsets(rows.reshape(-1), cols.reshape(-1), out.reshape(-1))
        return int(out) if out.ndim == 0 else out

    def addresses(
        self, op: DataMovement, row: ArrayLike = 0, col: ArrayLike = 0, arrange: str = "col"
    ) -> NDArray[np.int64]:
        """Lane addresses (..., 32), bytes from the layout's first, with which `op` works there.

        `row` and `col` are ints or arrays (...): where matrix 0 (plain accesses: lane 0) begins.
        Matrix instructions: arrange="col" puts the next matrix below, then to the right; "row"
        first to the right. Plain accesses and cp.async: lane l takes the l-th piece along the
        contiguous axis, rows after rows. A place that does not fit is a ValueError.
        """
        if not isinstance(op, DataMovement) or op.kind == "movmatrix":
            raise bad_type("op", f"expected an instruction with addresses, got {arguments.shown(op)}")
        if op.is_wmma:
            raise bad_type("op", "wmma takes p and a stride: layout(row, col), and its pitch")
        arrange = arguments.word("arrange", arrange, ("col", "row"))
        rows, cols = self._places(row, col)
        out = _core.new_array(np.empty, (*rows.shape, arguments.LANES), np.int64)
        flat = out.reshape(-1, arguments.LANES)
        by_row = arrange == "row"
        outside = self._core.addresses(op, rows.reshape(-1), cols.reshape(-1), by_row, flat)
        if outside is not None:
            place, *where = outside
            raise ValueError(
                f"row, col: {op.ptx} at ({rows.flat[place]}, {cols.flat[place]}) needs element"
                f" {tuple(where)}, outside the {self.rows}x{self.cols} matrix of {self.type}"
            )
        return out

    def svg(self) -> str:
        """The first rows (order "col": columns) in boxes of 16 bytes, each with its first bank."""
        by_row, bits = self.order == "row", 8 if self.type in PACKED else TYPE_BITS[self.type]
        lines, run = (self.rows, self.cols) if by_row else (self.cols, self.rows)
        along = np.arange(0, run, max(1, 128 // bits))[:MOST_SHOWN]
        across = np.arange(min(lines, MOST_SHOWN))[:, None]
        offsets = self(across, along) if by_row else self(along, across)
        return layout_map(
            {
                "name": str(self),
                "axis": "row" if by_row else "column",
                "lines": (offsets // 4 % _core.BANKS).tolist(),
                "of_lines": lines,
                "bytes": self.nbytes,
                "pitch": self.pitch,
            }
        )

    def _repr_html_(self) -> str:
        return self.svg()

    def __str__(self) -> str:
        parts = [f"{self.rows}x{self.cols} {self.type}"]
        if self._tables is not None:
            return f"{parts[0]}, {self.to_cute()}"
        parts += ["col"] if self.order == "col" else []
        parts += [f"pad {self.pad}"] if self.pad else []
        parts += [str(self.swizzle)] if self.swizzle else []
        return ", ".join(parts)

    def __repr__(self) -> str:
        if self._tables is not None:
            return f"Layout.from_cute({self.to_cute()!r}, {self.type!r})"
        extra = f", order={self.order!r}" if self.order != "row" else ""
        extra += f", pad={self.pad}" if self.pad else ""
        extra += f", swizzle={self.swizzle!r}" if self.swizzle else ""
        return f"Layout({self.rows}, {self.cols}, {self.type!r}{extra})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Layout) and repr(self) == repr(other)

    def __hash__(self) -> int:
        return hash(repr(self))


def layout_core(layout: Layout) -> _core.LayoutCore:
    """The layout as the core has it."""
    return layout._core
