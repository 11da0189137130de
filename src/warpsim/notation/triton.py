"""Triton's attributes of shared memory: #ttg.swizzled_shared, #ttg.nvmma_shared and #ttg.padded_shared.

Sources: TritonGPUAttrDefs.td and LinearLayoutConversions.cpp of Triton (swizzledSharedToLinearLayout,
nvmmaSharedToLinearLayout).
"""

from __future__ import annotations

import re
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..arguments import shown
from ..errors import bad_value
from ..words import is_whole, meant
from .tables import NO_SWIZZLE, Tables, power, readable

KINDS = ("swizzled_shared", "nvmma_shared", "padded_shared")
KEYS = {
    "swizzled_shared": {"vec", "perPhase", "maxPhase", "order"},
    "nvmma_shared": {"swizzlingByteWidth", "transposed", "elementBitWidth", "rank", "fp4Padded"},
    "padded_shared": {"order", "shape", "offset", "block"},
}
EXAMPLE = "'#ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>'"
_WHOLE = re.compile(r"\s*#?(?:ttg\.|triton_gpu\.)?(\w+)\s*<(.*)>\s*", re.DOTALL)
_PAIR = re.compile(r"\s*(\w+)\s*=\s*(\[[^=]*\]|\w+)\s*(?:,|$)")
_INTERVALS = re.compile(r"\s*\[([\s\d:+,]*)\]\s*", re.ASCII)
_INTERVAL = re.compile(r"\s*(\d{1,18})\s*:\s*\+?\s*(\d{1,18})\s*", re.ASCII)
MOST_BOX = 256


def read(text: str, rows: int, cols: int, bits: int) -> Tables:
    """The tables of an attribute for a tensor of rows x cols elements."""
    found = _WHOLE.fullmatch(readable("encoding", text))
    if not found or found[1] not in KINDS:
        hint = meant(found[1], KINDS) if found else ""
        raise bad_value("encoding", f"expected {', '.join(KINDS)} such as {EXAMPLE}; got {shown(text)}{hint}")
    for size in (rows, cols):
        power("shape", size, "each size of a Triton tensor")
    kind, body = found[1], found[2]
    intervals = _INTERVALS.match(body) if kind == "padded_shared" else None
    pairs = _pairs(body[intervals.end() :] if intervals else body, kind, text)
    if kind == "swizzled_shared":
        return _swizzled(pairs, rows, cols, text)
    if kind == "nvmma_shared":
        return _nvmma(pairs, rows, cols, bits, text)
    if not intervals:
        raise bad_value("encoding", f"expected [INTERVAL:+PADDING, ...] first, got {shown(text)}")
    return _padded(intervals[1], pairs, rows, cols, text)


def _pairs(body: str, kind: str, text: str) -> dict[str, Any]:
    """The names and values between the braces."""
    inner = body.strip().removeprefix("{").removesuffix("}")
    found: dict[str, Any] = {}
    place = 0
    while inner[place:].strip():
        pair = _PAIR.match(inner, place)
        if not pair:
            raise bad_value("encoding", f"expected NAME = VALUE, ... in braces; got {shown(text)}")
        name, value = pair[1], pair[2]
        if name not in KEYS[kind]:
            raise bad_value("encoding", f"{kind} has no {name!r} here{meant(name, KEYS[kind])}")
        if name in found:
            raise bad_value("encoding", f"{name!r} is given twice in {shown(text)}")
        found[name] = _value(value, text)
        place = pair.end()
    return found


def _value(value: str, text: str) -> Any:
    if value in ("true", "false"):
        return value == "true"
    if is_whole(value):
        return int(value)
    if re.fullmatch(r"\[[\[\]\s,\d]*\]", value):
        import json  # noqa: PLC0415

        try:
            return json.loads(value)
        except (ValueError, RecursionError):
            pass
    raise bad_value("encoding", f"expected an integer, true, false or a list, got {shown(value)} in {shown(text)}")


def _needed(pairs: dict[str, Any], name: str, text: str) -> int:
    value = pairs.get(name)
    if type(value) is not int:
        raise bad_value("encoding", f"expected {name} = an integer in {shown(text)}")
    return value


def _is_row(pairs: dict[str, Any], text: str) -> bool:
    order = pairs.get("order", [1, 0])
    if order not in ([1, 0], [0, 1]):
        raise bad_value(
            "encoding", f"expected order = [1, 0] (rows contiguous) or [0, 1], got {shown(order)} in {shown(text)}"
        )
    return bool(order == [1, 0])


def _placed(is_row: bool, line: Any, run: Any, swizzle: tuple[int, int, int]) -> Tables:
    first, second = np.asarray(line, np.int64), np.asarray(run, np.int64)
    return Tables(first, second, swizzle) if is_row else Tables(second, first, swizzle)


def _swizzle_of(vec: int, per_phase: int, max_phase: int, lines: int, run: int, pitch: int) -> tuple[int, int, int]:
    """Swizzle of element offsets: line / perPhase % maxPhase, XORed onto the pieces of `vec` elements in a run."""
    low, skip = power("encoding", vec, "vec"), power("encoding", per_phase, "perPhase")
    bits = min(
        power("encoding", max_phase, "maxPhase"),
        max(0, run.bit_length() - 1 - low),
        max(0, lines.bit_length() - 1 - skip),
    )
    return (bits, low, pitch.bit_length() - 1 + skip - low) if bits else NO_SWIZZLE


def _swizzled(pairs: dict[str, Any], rows: int, cols: int, text: str) -> Tables:
    is_row = _is_row(pairs, text)
    lines, run = (rows, cols) if is_row else (cols, rows)
    vec, per, most = (_needed(pairs, name, text) for name in ("vec", "perPhase", "maxPhase"))
    swizzle = _swizzle_of(vec, per, most, lines, run, run)
    return _placed(is_row, np.arange(lines) * run, np.arange(run), swizzle)


def _nvmma(pairs: dict[str, Any], rows: int, cols: int, bits: int, text: str) -> Tables:
    width, named = _needed(pairs, "swizzlingByteWidth", text), _needed(pairs, "elementBitWidth", text)
    if width not in (0, 32, 64, 128):
        raise bad_value("encoding", f"expected swizzlingByteWidth = 0, 32, 64 or 128, got {width}")
    if named != bits:
        raise bad_value("encoding", f"expected elementBitWidth = {bits}, that of the type, got {named}")
    if pairs.get("fp4Padded"):
        raise bad_value("encoding", "fp4Padded has gaps of 8 bytes in each 16: use a packed type, b4x16_p64")
    is_row = not pairs.get("transposed", False)
    lines, run = (rows, cols) if is_row else (cols, rows)
    box = min(run, width * 8 // bits if width else MOST_BOX)
    if lines < 8 or box * bits < 8 * max(width, 16):
        least = max(width, 16) * 8 // bits
        raise bad_value("shape", f"expected 8 or more lines of {least} or more elements, got {rows}x{cols}")
    swizzle = _swizzle_of(128 // bits, 128 // width, width // 16, 8, box, box) if width else NO_SWIZZLE
    at = np.arange(run)
    return _placed(is_row, np.arange(lines) * box, at // box * (lines * box) + at % box, swizzle)


def _bit_places(count: int, places: list[int]) -> NDArray[np.int64]:
    """Indices whose bit i stands for an offset of places[i]."""
    index = np.arange(count, dtype=np.int64)
    found = np.zeros(count, np.int64)
    for i, place in enumerate(places):
        found += (index >> i & 1) * place
    return found


def _interval(pair: str, text: str) -> tuple[int, int]:
    found = _INTERVAL.fullmatch(pair)
    if not found:
        raise bad_value("encoding", f"expected INTERVAL:+PADDING, got {shown(pair)} in {shown(text)}")
    return int(found[1]), int(found[2])


def _padded(intervals: str, pairs: dict[str, Any], rows: int, cols: int, text: str) -> Tables:
    if pairs.get("block"):
        raise bad_value("encoding", f"expected one block, got several in {shown(text)}")
    shape = pairs.get("shape", [rows, cols])
    if shape != [rows, cols]:
        raise bad_value("shape", f"expected that of the text, {shown(shape)}, got {rows}x{cols}")
    is_row = _is_row(pairs, text)
    tables = _placed(is_row, np.arange(rows if is_row else cols) * (cols if is_row else rows),
                     np.arange(cols if is_row else rows), NO_SWIZZLE)  # fmt: skip
    if "offset" in pairs:
        tables = _of_bases(pairs["offset"], rows, cols, text)
    row, col = tables.row.copy(), tables.col.copy()
    for pair in intervals.rstrip().removesuffix(",").split(","):
        interval, padding = _interval(pair, text)
        shift = power("encoding", interval, "an interval")
        power("encoding", padding, "a padding")
        row += (tables.row >> shift) * padding
        col += (tables.col >> shift) * padding  # bits of rows and columns are apart: no carry
    return Tables(row, col)


def _of_bases(bases: Any, rows: int, cols: int, text: str) -> Tables:
    """Tables of "offset" bases, each of which steps along one axis."""
    sizes = rows, cols
    places: tuple[dict[int, int], dict[int, int]] = ({}, {})
    for i, basis in enumerate(bases):
        axes = [axis for axis in (0, 1) if isinstance(basis, list) and len(basis) == 2 and basis[axis]]
        if len(axes) != 1 or basis[axes[0]] in places[axes[0]]:
            raise bad_value(
                "encoding", f"expected offset bases that step along one axis each, got {shown(basis)} in {shown(text)}"
            )
        places[axes[0]][basis[axes[0]]] = 1 << i
    for axis, size in enumerate(sizes):
        if sorted(places[axis]) != [1 << i for i in range(size.bit_length() - 1)]:
            raise bad_value("encoding", f"expected offset bases for {rows}x{cols} elements, got {shown(text)}")
    row, col = (
        _bit_places(size, [places[axis][1 << i] for i in range(size.bit_length() - 1)])
        for axis, size in enumerate(sizes)
    )
    return Tables(row, col)


def write(rows: int, cols: int, order: str, pad: int, swizzle: tuple[int, int, int]) -> str:
    """The attribute of a matrix of one block; `swizzle` in elements."""
    run = cols if order == "row" else rows
    for size in (rows, cols):
        power("layout", size, "each size of a Triton tensor")
    along = "[1, 0]" if order == "row" else "[0, 1]"
    b, m, s = swizzle
    if pad and not b:
        power("layout", pad, "a padding of Triton")
        return f"#ttg.padded_shared<[{run}:+{pad}] {{order = {along}, shape = [{rows}, {cols}]}}>"
    skip = m + s - (run.bit_length() - 1)
    if pad or (b and (s < 0 or skip < 0 or m + b > run.bit_length() - 1)):
        raise bad_value(
            "layout",
            f"expected padding alone, or a swizzle of pieces within {run} elements by their line; got"
            f" Swizzle<{b},{m},{s}> of elements" + (f" and pad {pad}" if pad else "") + "; try .to_cute()",
        )
    vec, per_phase, max_phase = (1 << m, 1 << skip, 1 << b) if b else (1, 1, 1)
    return f"#ttg.swizzled_shared<{{vec = {vec}, perPhase = {per_phase}, maxPhase = {max_phase}, order = {along}}}>"
