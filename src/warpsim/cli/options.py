"""Lane addresses from the command line: lists, expressions in `lane`, and tiles."""

from __future__ import annotations

import ast
import operator
import warnings
from argparse import ArgumentTypeError
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._core import LayoutCore
from ..arguments import LANES
from ..errors import bad_value, called
from ..instruction.base import DataMovement
from ..instruction.explanation import Spot
from ..notation import tma
from ..tile.layout import TYPE_BITS, Layout, Swizzle, layout_core
from ..tile.place import place_in

MAX_BITS = 128
LIMIT = 2**31
MOST_PADS = 4096
MOST_CHARACTERS = 10_000
SHOWN = 200  # characters of a text in a message
_BINARY: dict[type[ast.operator], Callable[[int, int], int]] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul,
    ast.FloorDiv: operator.floordiv, ast.Mod: operator.mod, ast.BitAnd: operator.and_,
    ast.BitOr: operator.or_, ast.BitXor: operator.xor,
    ast.LShift: operator.lshift, ast.RShift: operator.rshift,
}  # fmt: skip
_UNARY: dict[type[ast.unaryop], Callable[[int], int]] = {
    ast.USub: operator.neg, ast.UAdd: operator.pos, ast.Invert: operator.invert,
}  # fmt: skip


def _evaluate(node: ast.expr, lane: int) -> int:
    if isinstance(node, ast.Constant) and type(node.value) is int:
        value = node.value
    elif isinstance(node, ast.Name) and node.id == "lane":
        value = lane
    elif isinstance(node, ast.UnaryOp) and type(node.op) in _UNARY:
        value = _UNARY[type(node.op)](_evaluate(node.operand, lane))
    elif isinstance(node, ast.BinOp) and type(node.op) in _BINARY:
        left, right = _evaluate(node.left, lane), _evaluate(node.right, lane)
        if isinstance(node.op, ast.LShift | ast.RShift) and not 0 <= right < MAX_BITS:
            raise ValueError(f"--address: shift by {right}: expected 0 to {MAX_BITS - 1}")
        if isinstance(node.op, ast.FloorDiv | ast.Mod) and right == 0:
            raise ValueError("--address: division by zero")
        value = _BINARY[type(node.op)](left, right)
    else:
        hint = " (use // to divide)" if isinstance(getattr(node, "op", None), ast.Div) else ""
        raise ValueError(
            f"--address: expected integers, 'lane', + - * // % << >> & | ^ ~ and brackets;"
            f" found {ast.unparse(node)[:SHOWN]!r}{hint}"
        )
    if value.bit_length() > MAX_BITS:
        raise ValueError("--address: the expression has values that do not fit into 128 bits")
    return value


def addresses(text: str, rows: int = LANES) -> NDArray[np.int64]:
    """32 addresses of "0,16,0x20,..." or an expression in lane.

    One address is that of all lanes. `rows`: so many lanes give an address that is used; the others
    take the last one where that many are given.
    """
    if len(text) > MOST_CHARACTERS:
        raise ValueError(f"--address: expected at most {MOST_CHARACTERS} characters")
    try:
        with warnings.catch_warnings():  # Python's own, about the text
            warnings.simplefilter("ignore")
            tree = ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise ValueError(f"--address: not an expression: {text[:SHOWN]!r}") from error
    parts = tree.elts if isinstance(tree, ast.Tuple) else [tree]
    if len(parts) not in (1, rows, LANES):
        or_rows = f", {rows} (lanes 0-{rows - 1}, which give the rows)" if 1 < rows < LANES else ""
        raise ValueError(f"--address: expected {LANES} addresses{or_rows} or 1 for all lanes, got {len(parts)}")
    if len(parts) == 1:
        parts = parts * LANES
    try:
        values = [_evaluate(parts[min(i, len(parts) - 1)], i) for i in range(LANES)]
    except RecursionError as error:
        raise ValueError("--address: nested too deeply") from error
    for lane, value in enumerate(values):
        if not 0 <= value < 2**63:
            raise ValueError(f"--address: {value} in lane {lane} is not an address")
    return np.array(values, np.int64)


def whole(text: str, low: int = 1 - LIMIT, bits: int = 31) -> int:
    """The integer of "12" or "0x0c"; ArgumentTypeError for anything else, for huge ones and for those below `low`."""
    try:
        found = int(text, 0)
    except ValueError:
        found = 1 << bits
    if abs(found) >= 1 << bits or found < low:
        least = f"from {low} up and " if low > -LIMIT + 1 else ""
        raise ArgumentTypeError(f"expected an integer {least}below 2**{bits}, got {text!r}")
    return found


def _numbers(name: str, text: str, count: int, mark: str = ",") -> list[int]:
    try:
        found = [whole(part) for part in text.split(mark)]
    except ArgumentTypeError:
        found = []
    if len(found) != count:
        kind = "integer below 2**31" if count == 1 else "integers below 2**31"
        raise bad_value(name, f"expected {count} {kind}, got {text!r}")
    return found


def _size(name: str, text: str) -> tuple[int, int]:
    rows, cols = _numbers(f"{name} ROWSxCOLS", text, 2, "x")
    return rows, cols


TILE_FORM = "ROWSxCOLS:TYPE[:row|col][:pad=N][:swizzle=B,M,S[,byte]]"
OTHER_FORMS = "ROWSxCOLS:TYPE:tma=MODE, ROWSxCOLS:TYPE:#ttg.ATTRIBUTE of Triton, or [TYPE:]LAYOUT of CuTe"
OPTIONS_FORM = "pad=N[:swizzle=B,M,S]"


def _swizzle(name: str, value: str) -> Swizzle:
    in_bytes = value.endswith(",byte")
    b, m, s = _numbers(f"{name} swizzle", value.removesuffix(",byte"), 3)
    return Swizzle(b, m, s, "byte" if in_bytes else "element")


def _layout(name: str, rows: int, cols: int, type_: str, parts: list[str]) -> Layout:
    """The layout of this size whose options are the parts: row, col, pad=N, swizzle=B,M,S."""
    options: dict[str, Any] = {}
    for part in parts:
        key, _, value = part.partition("=")
        if ("order" if part in ("row", "col") else key) in options:
            raise ValueError(f"{part!r}: row or col, pad and swizzle can be given once each")
        if part in ("row", "col"):
            options["order"] = part
        elif key == "pad":
            options["pad"] = _numbers(f"{name} pad", value, 1)[0]
        elif key == "swizzle":
            options["swizzle"] = _swizzle(name, value)
        else:
            raise ValueError(f"expected row, col, pad=N or swizzle=B,M,S; got {part!r}")
    return Layout(rows, cols, type_, **options)


@contextmanager
def _of(name: str) -> Iterator[None]:
    """A ValueError inside is about this argument."""
    try:
        yield
    except ValueError as error:
        argument = getattr(error, "argument", "")
        if argument.startswith(name):
            raise
        if argument in ("layout", "text", "encoding", "box"):
            raise ValueError(called(error, name)) from error
        raise bad_value(name, str(error)) from error


def _cute(text: str) -> tuple[str | None, str] | None:
    """Type and text of a layout in CuTe's notation, "f32:(8,64):(64,1)" for one; None for anything else."""
    type_, colon, rest = text.partition(":")
    if colon and type_ in TYPE_BITS:
        return type_, rest
    return (None, text) if text.lstrip().startswith(("Sw<", "Swizzle<", "(")) else None


def _foreign(rows: int, cols: int, type_: str, text: str) -> Layout | None:
    """The layout of a matrix of this size in Triton's or TMA's words; None for other words."""
    if text.startswith(("#", "ttg.")):
        return Layout.from_triton(text, (rows, cols), type_)
    key, _, mode = text.partition("=")
    is_mode = key == "tma" or (key == "swizzle" and mode.endswith("B"))  # swizzle=128B, as TMA's users say
    return _boxes(rows, cols, type_, mode) if is_mode else None


def _boxes(rows: int, cols: int, type_: str, mode: str) -> Layout:
    """The layout that TMA boxes of this mode fill, several where the rows are wider than one."""
    span = tma.MODES[tma.mode_of(mode)][0] * 8 // TYPE_BITS.get(type_, 8)
    count = cols // span if span and cols > span and cols % span == 0 else 1
    return Layout.from_tma((rows, cols // count), type_, mode).boxes(count)


def tile(text: str, name: str = "--tile") -> Layout:
    """The layout of ROWSxCOLS:TYPE[:row|col][:pad=N][:swizzle=B,M,S[,byte]], or in CuTe's, Triton's, TMA's words."""
    if (found := _cute(text)) is not None:
        with _of(name):
            return Layout.from_cute(found[1], found[0])
    size, *parts = text.split(":")
    if not parts or size.count("x") != 1:
        raise ValueError(f"{name}: expected {TILE_FORM}, got {text!r}; or {OTHER_FORMS}")
    rows, cols = _size(name, size)
    with _of(name):
        foreign = _foreign(rows, cols, parts[0], ":".join(parts[1:]))
        return foreign or _layout(name, rows, cols, parts[0], parts[1:])


def options(text: str | None, name: str, rows: int, cols: int, type_: str) -> Layout | None:
    """The layout of a matrix of known size: "pad=8:swizzle=3,3,3", or a whole TILE."""
    if text is None:
        return None
    if text[:1].isdigit() or _cute(text) is not None:
        return tile(text, name)
    with _of(name):
        return _foreign(rows, cols, type_, text) or _layout(name, rows, cols, type_, text.split(":"))


def numbers(text: str, name: str, count: int) -> list[int]:
    """The numbers of "128x64x32"; `name` is the argument and how it is written."""
    return _numbers(name, text, count, "x")


def element(text: str) -> tuple[int, int, int]:
    """Matrix, row and column of "ROW,COL" (of matrix 0) or "MATRIX,ROW,COL"."""
    parts = f"0,{text}" if text.count(",") == 1 else text
    matrix, row, col = _numbers("--element [MATRIX,]ROW,COL", parts, 3)
    return matrix, row, col


def sizes(text: str) -> tuple[int, int, str, list[Layout]]:
    """Rows, columns and type of ROWSxCOLS:TYPE, or of a whole TILE, which is a layout as well."""
    size, _, type_ = text.partition(":")
    if ":" in type_ or _cute(text) is not None:
        own = tile(text, "SIZE")
        return own.rows, own.cols, own.type, [own]
    if not type_ or size.count("x") != 1:
        raise ValueError(f"SIZE: expected ROWSxCOLS:TYPE, got {text!r}")
    return *_size("SIZE", size), type_, []


def pads(text: str) -> list[int]:
    """The numbers of "0-64" or "0,8,16", or of a mixture."""
    found: set[int] = set()
    for part in text.split(","):
        first, dash, last = part.partition("-")
        begin = _numbers("--pads", first, 1)[0]
        end = _numbers("--pads", last, 1)[0] if dash else begin
        if not begin <= end:
            raise ValueError(f"--pads: expected A-B with A <= B, got {part!r}")
        if end - begin >= MOST_PADS:
            raise ValueError(f"--pads: expected at most {MOST_PADS} numbers, got {part!r}")
        found.update(range(begin, end + 1))
    return sorted(found)


@dataclass(frozen=True, slots=True)
class Place:
    """Where an instruction works: addresses, stride, the tile that they come from, in words."""

    address: NDArray[np.int64] | None = None
    stride: int | None = None
    layout: Layout | None = None
    words: str = ""
    at: tuple[int, int] | None = None

    @property
    def core(self) -> LayoutCore | None:
        """The tile as the core has it."""
        return None if self.layout is None else layout_core(self.layout)

    def spot(self, remedy: Mapping[str, Any] | None = None) -> Spot:
        """The place as explanations have it."""
        return Spot(self.words, self.layout, self.core, self.at, remedy)


def resolve(op: DataMovement, address: str | None, tile_text: str | None, at: str, stride: int | None = None) -> Place:
    """The place that the options mean."""
    if stride is not None and (not op.is_wmma or address is None):
        raise ValueError("--stride: goes with --address and a wmma instruction")
    if address is not None and tile_text is not None:
        raise ValueError("--address: give either --address or --tile, not both")
    if op.kind == "movmatrix" and (address is not None or tile_text is not None):
        raise ValueError("PTX: movmatrix has no addresses; leave out --address and --tile")
    if address is not None:
        found = addresses(address, op.row_lanes)
        words = f"--address {address}" + (f" --stride {stride}" if stride is not None else "")
        alone = op.is_wmma and len(set(found)) == 1
        return Place(found[:1] if alone else found, stride, None, words)
    if tile_text is None:
        return Place()
    row, col = _numbers("--at", at, 2)
    words = f"tile {tile_text} at {row},{col}"
    layout = tile(tile_text)
    if not (0 <= row < layout.rows and 0 <= col < layout.cols):
        raise ValueError(f"--at: {row},{col} is outside the tile {tile_text}")
    with _of("--tile"):
        return Place(*place_in(op, layout, row, col), layout, words, (row, col))
