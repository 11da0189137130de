"""The part of a tile that one step touches, piece by piece: what the picture of a tile shows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import gcd
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .. import _core
from ..instruction.base import DataMovement
from .layout import PACKED, TYPE_BITS, Layout, layout_core

BANKS, BANK_BYTES = _core.BANKS, 4
FEWEST_LINES, MOST_LINES = 8, 32
PIECE_BYTES = 16
MOST_PIECES, MOST_SMALL_PIECES = 64, 32


def picture(report: Mapping[str, Any], layout: Layout, ops: Mapping[str, DataMovement]) -> dict[str, Any]:
    """One panel for each of `ops`, by the name of its side; `report` is TileReport.to_dict().

    A panel is a window of the tile: `lines` (rows; columns where they are contiguous) with the
    byte offset and the banks of each piece, those from `padding` to the end are padding;
    `touched`: the pieces that the step touches, with lanes and pass (None: the model gives none).
    """
    names = ("name", "ok", "warps", "target", "pitch", "bytes", "wasted_bytes")
    return {
        "schema": "warpsim.tile_picture/1",
        **{name: report[name] for name in names},
        "panels": [{"side": side, **_panel(report[side], report["warps"], layout, op)} for side, op in ops.items()],
    }


def _panel(side: Mapping[str, Any], warps: int, layout: Layout, op: DataMovement) -> dict[str, Any]:
    bits = 8 if layout.type in PACKED else TYPE_BITS[layout.type]
    lines = layout.rows if layout.order == "row" else layout.cols
    plain = _plain(layout)
    run = plain.pitch - layout.pad * bits // 8
    size = _piece_bytes(layout, op, bits)
    starts = [*range(0, run, size), *range(run, plain.pitch, size)]
    worst = side["costliest"]
    where = worst["warp"], worst["step"]
    touched = _touched(op, layout, warps, where, size)
    first, last = _lines(sorted({piece["line"] for piece in touched}), lines)
    begin, end = _pieces([piece["piece"] for piece in touched], len(starts), size)
    shown = [piece for piece in touched if first <= piece["line"] <= last and begin <= piece["piece"] < end]
    ends = np.array([*starts[1:], plain.pitch])[begin:end]
    window = np.array(starts)[begin:end]
    offsets = _offsets(layout, bits, np.arange(first, last + 1), window)
    final = (offsets + (ends - window) - 1) // BANK_BYTES % BANKS
    return {
        "ptx": side["ptx"],
        "costliest": worst,
        "instructions": side["instructions"],
        "inexact": side["inexact"],
        "passes": all(piece["pass"] is not None for piece in touched),
        "axis": "row" if layout.order == "row" else "column",
        "of_lines": lines,
        "piece_bytes": size,
        "first_byte": int(window[0]),
        "end_byte": int(ends[-1]),
        "padding": int((window < run).sum()),
        "pieces": end - begin,
        "lines": [
            {"line": first + i, "offsets": offset, "banks": [list(pair) for pair in banks]}
            for i, (offset, banks) in enumerate(
                zip(offsets.tolist(), np.stack([offsets // BANK_BYTES % BANKS, final], axis=-1).tolist(), strict=True)
            )
        ],
        "hidden": len(touched) - len(shown),
        "touched": [{**piece, "piece": piece["piece"] - begin} for piece in shown],
    }


def _plain(layout: Layout) -> Layout:
    """The same matrix in one block without a swizzle, whose places are rows and bytes of a row."""
    return Layout(layout.rows, layout.cols, layout.type, layout.order, layout.pad)


def _piece_bytes(layout: Layout, op: DataMovement, bits: int) -> int:
    """16 bytes, or what the access or the swizzle keeps together, but no part of an element."""
    size = min(PIECE_BYTES, max(BANK_BYTES, op.access_bytes))
    if layout.swizzle is not None and layout.swizzle.B:
        whole = 1 << layout.swizzle.M
        size = min(size, whole if layout.swizzle.unit == "byte" else whole * bits // 8) or 1
        size = gcd(size, _plain(layout).pitch)  # where rows begin in the midst of what it keeps together
    return max(size, bits // 8, 1)


def _offsets(layout: Layout, bits: int, lines: NDArray[np.int64], positions: NDArray[np.int64]) -> NDArray[np.int64]:
    """Byte offsets (lines, positions) of bytes of a run, its padding included."""
    by_row = layout.order == "row"
    type_ = "b8" if layout.type in PACKED else layout.type
    longer = (0, layout.pad) if by_row else (layout.pad, 0)
    dense = layout
    if layout.is_one_block:
        dense = Layout(layout.rows + longer[0], layout.cols + longer[1], type_, layout.order, 0, layout.swizzle)
    line, element = lines[:, None], (positions * 8 // bits)[None, :]
    found: NDArray[np.int64] = dense(line, element) if by_row else dense(element, line)
    return found


def _touched(op: DataMovement, layout: Layout, warps: int, where: tuple[int, int], size: int) -> list[dict[str, Any]]:
    """The pieces of a step in order: line, piece, lanes, the latest pass and its group."""
    plain = _plain(layout)
    places = _core.tile_steps(op, layout_core(plain), warps)[where]
    address = _core.tile_steps(op, layout_core(layout), warps)[where]
    passes = _passes(op, address)
    found: dict[tuple[int, int], dict[str, Any]] = {}
    for lane in range(op.row_lanes):
        line, position = divmod(int(places[lane]), plain.pitch)
        for piece in range(position // size, (position + op.access_bytes - 1) // size + 1):
            group, pass_ = passes.get(lane, ("", {}))
            begin = int(address[lane]) + max(0, piece * size - position)
            words = range(begin // BANK_BYTES, (begin + size - 1) // BANK_BYTES + 1)
            known = [pass_[word] for word in words if word in pass_] or list(pass_.values())
            entry = found.setdefault(
                (line, piece), {"line": line, "piece": piece, "lanes": [], "pass": None, "group": group}
            )
            entry["lanes"].append(lane)
            if known:
                entry["pass"] = max(entry["pass"] or 0, *known)
    return [found[place] for place in sorted(found)]


def _passes(op: DataMovement, address: NDArray[np.int64]) -> dict[int, tuple[str, dict[int, int]]]:
    """By lane: the name of its group, and its words with their passes; none of cp.async.cg."""
    if op.kind == "cp.async" and op.cache == "cg":
        return {}
    found: dict[int, tuple[str, dict[int, int]]] = {}
    for group in op.explain(address):
        for cell in group["cells"]:
            _, words = found.setdefault(cell["lane"], (group["name"], {}))
            words[cell["word"]] = cell["pass"]
    return found


def _lines(touched: Sequence[int], count: int) -> tuple[int, int]:
    """The first and the last line of the window."""
    first = touched[0]
    last = min(max(touched[-1], first + FEWEST_LINES - 1), first + MOST_LINES - 1, count - 1)
    return max(0, min(first, last - FEWEST_LINES + 1)), last


def _pieces(touched: Sequence[int], count: int, size: int) -> tuple[int, int]:
    """The first piece of the window, and the one after its last."""
    most = MOST_PIECES if size == PIECE_BYTES else MOST_SMALL_PIECES
    if count <= most or max(touched) < most:
        return 0, min(count, most)
    first = min(touched) if max(touched) - min(touched) < most else touched[0]
    first = min(first, count - most)
    return first, first + most
