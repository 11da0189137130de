"""CuTe's notation: `Sw<B,M,S> o OFFSET o SHAPE:STRIDE`, as print(layout) writes it.

Sources: cute/layout.hpp (crd2idx: modes colexicographic), cute/swizzle.hpp, cute/pointer_flagged.hpp (a layout on
smem_ptr[16b] is swizzled in bytes) of CUTLASS.
"""

from __future__ import annotations

import re
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .. import arguments
from ..arguments import shown
from ..errors import bad_value
from ..words import MOST_DIGITS
from .tables import MOST_LINES, NO_SWIZZLE, Tables, readable

EXAMPLE = "'Sw<3,3,3> o 0 o (8,64):(64,1)'"
_SWIZZLED = re.compile(
    r"\s*(?:Sw|Swizzle)\s*<\s*(\d{1,18})\s*,\s*(\d{1,18})\s*,\s*(-?\d{1,18})\s*>\s*o\s*"
    r"(?:_?(\d{1,18})|smem_ptr\[(\d{1,18})b\]\s*\(\w+\))\s*o\s*",
    re.ASCII,
)
_TOKEN = re.compile(r"\s*([(),]|_?-?\d{1,18})", re.ASCII)
MOST_DEPTH = 64  # of brackets in brackets
_TYPES = {4: "u4", 8: "b8", 16: "f16", 32: "f32", 64: "f64"}

Modes = list[tuple[int, int]]


def as_text(layout: object) -> object:
    """The notation of (shape, stride), nested tuples of numbers; anything else as it is."""
    if not isinstance(layout, tuple):
        return layout
    if len(layout) != 2:
        raise bad_value("text", f"expected (shape, stride) or a text such as {EXAMPLE}, got {shown(layout)}")
    return ":".join(_spelled(part) for part in layout)


def _spelled(part: object, depth: int = 0) -> str:
    """Nested tuples of numbers without Python's last comma."""
    if depth > MOST_DEPTH:
        raise bad_value("text", f"expected tuples at most {MOST_DEPTH} deep")
    if isinstance(part, tuple):
        return f"({','.join(_spelled(one, depth + 1) for one in part)})"
    number = arguments.whole("text", part)
    if abs(number) >= 10**MOST_DIGITS:
        raise bad_value("text", f"expected numbers of at most {MOST_DIGITS} digits, got {shown(number)}")
    return str(number)


def element_type(text: str) -> str:
    """The type that a text names by its bits, f16 where it names none."""
    found = _SWIZZLED.match(readable("text", text))
    return _TYPES.get(int(found[5]), f"b{found[5]}") if found and found[5] else "f16"


def bits_named(text: str) -> int | None:
    """The bits of smem_ptr[16b]; None where the text has none."""
    found = _SWIZZLED.match(readable("text", text))
    return int(found[5]) if found and found[5] else None


def read(text: str) -> Tables:
    """The tables of a layout of two modes, rows and columns; either may be hierarchical."""
    found = _SWIZZLED.match(readable("text", text))
    rest = text[found.end() :] if found else text
    shape, colon, stride = rest.partition(":")
    if not colon or (not found and "<" in text):
        raise bad_value("text", f"expected CuTe's SHAPE:STRIDE such as {EXAMPLE}, got {shown(text)}")
    shapes, strides = _tuple(shape, text), _tuple(stride, text)
    if not isinstance(shapes, list) or len(shapes) != 2:
        count = len(shapes) if isinstance(shapes, list) else 1
        raise bad_value(
            "text",
            f"expected two modes, rows and columns, got {count} in {shown(text)}; group them: ((8,4),64):((64,512),1)",
        )
    if not isinstance(strides, list) or len(strides) != 2:
        raise bad_value("text", f"expected a stride for each mode of the shape, got {shown(text)}")
    row, col = (_offsets(_modes(one, two, text), text) for one, two in zip(shapes, strides, strict=True))
    if not found:
        return Tables(row, col)
    begin = int(found[4] or 0)
    swizzle = int(found[1]), int(found[2]), int(found[3])
    return Tables(row + begin, col, swizzle, "byte" if found[5] else "element")


def _tuple(text: str, whole: str) -> Any:
    """Nested lists of ints of "((8,2),64)"."""
    stack: list[list[Any]] = [[]]
    place = 0
    wants_value = True
    while text[place:].strip():
        token = _TOKEN.match(text, place)
        word = token[1] if token else ""
        if (
            not token
            or (word in ("(", "") or word[-1].isdigit()) != wants_value
            or (word != "(" and len(stack) == 1 and not wants_value)
        ):
            raise bad_value("text", f"expected brackets, commas and integers, such as {EXAMPLE}; got {shown(whole)}")
        place = token.end()
        if word == "(":
            stack.append([])
            if len(stack) > MOST_DEPTH:
                raise bad_value("text", f"expected brackets at most {MOST_DEPTH} deep, got {shown(whole)}")
        elif word == ")":
            stack[-2].append(stack.pop())
        elif word != ",":
            stack[-1].append(int(word.lstrip("_")))
        wants_value = word in ("(", ",")
    if len(stack) != 1 or wants_value:
        raise bad_value("text", f"expected as many ')' as '(' and an integer after each comma, got {shown(whole)}")
    return stack[0][0]


def _modes(shape: Any, stride: Any, text: str) -> Modes:
    """(size, stride) of the leaves, the fastest first."""
    if isinstance(shape, int) and isinstance(stride, int):
        return [(shape, stride)]
    if isinstance(shape, int) or isinstance(stride, int) or len(shape) != len(stride):
        raise bad_value("text", f"expected strides nested as the shape is, got {shown(text)}")
    return [leaf for one, two in zip(shape, stride, strict=True) for leaf in _modes(one, two, text)]


def _offsets(modes: Modes, text: str) -> NDArray[np.int64]:
    """The offset of each index of a mode."""
    found = np.zeros(1, np.int64)
    for size, stride in modes:
        if not 1 <= size <= MOST_LINES or not 0 <= stride < 2**32 or len(found) * size > MOST_LINES:
            raise bad_value("text", f"expected sizes of 1 to {MOST_LINES} and strides of 0 or more, got {shown(text)}")
        found = (np.arange(size, dtype=np.int64)[:, None] * stride + found).reshape(-1)
    return found


def modes(name: str, table: NDArray[np.int64]) -> Modes:
    """(size, stride) of the modes that make the offsets of an axis, from its first on; the fastest mode first."""
    table = table - table[0]
    if len(table) == 1:
        return [(1, 0)]
    steps = np.arange(len(table)) * table[1]
    different = np.flatnonzero(table != steps)
    most = int(different[0]) if len(different) else len(table)
    for size in (size for size in range(most, 1, -1) if len(table) % size == 0):
        if np.array_equal(table, (table[::size, None] + steps[:size]).reshape(-1)):
            rest = modes(name, table[::size]) if size < len(table) else []
            return [(size, int(table[1])), *rest]
    raise bad_value(name, "expected offsets that repeat as CuTe's modes do, got others")


def _mode(found: Modes) -> tuple[str, str]:
    """Shape and stride of an axis."""
    if len(found) == 1:
        return str(found[0][0]), str(found[0][1])
    sizes, strides = zip(*found, strict=True)
    return f"({','.join(map(str, sizes))})", f"({','.join(map(str, strides))})"


def write_modes(tables: Tables, bits: int) -> str:
    """The text of tables, hierarchical where they need it."""
    (rows, down), (cols, right) = (_mode(modes("layout", table)) for table in (tables.row, tables.col))
    return _swizzled(f"({rows},{cols}):({down},{right})", bits, tables.swizzle, tables.unit, tables.begin)


def write(rows: int, cols: int, order: str, pitch: int, bits: int, swizzle: tuple[int, int, int], unit: str) -> str:
    """The text of a matrix of one block; `pitch` in elements."""
    strides = (pitch, 1) if order == "row" else (1, pitch)
    return _swizzled(f"({rows},{cols}):({strides[0]},{strides[1]})", bits, swizzle, unit)


def _swizzled(layout: str, bits: int, swizzle: tuple[int, int, int], unit: str, begin: int = 0) -> str:
    """The text of a layout with its swizzle, `begin` elements on."""
    if (swizzle == NO_SWIZZLE or not swizzle[0]) and not begin:
        return layout
    b, m, s = swizzle
    if unit == "byte" and bits != 8:
        m -= (bits // 8).bit_length() - 1 if bits >= 8 else -1
        if m < 0:  # it parts an element: in bytes only
            return f"Sw<{b},{swizzle[1]},{s}> o smem_ptr[{bits}b](unset) o {layout}"
    return f"Sw<{b},{m},{s}> o {begin} o {layout}"
