"""The best layout of a tile: every candidate of padding, swizzle and order, counted exactly.

One call of C counts an array of candidates and ranks them; this module builds the array and shapes
the answer.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .. import _core, arguments, targets
from ..errors import bad_type, bad_value
from ..instruction.base import DataMovement
from ..sweep.fanout import ordered_map
from ..sweep.progress import Progress
from ..targets import USUAL_TARGET
from ..time.architecture import Arch, profile_of, resolve
from ..words import suggesting
from .layout import ORDERS, PACKED, TYPE_BITS, Layout, Swizzle, layout_core, run_unit
from .report import TileReport
from .search_result import SearchResult
from .tiles import a_layout, check_cover, tile
from .users import User, ops_of, users

MOST_PAD = _core.SEARCH_MOST_PAD
MOST_VALUES = 1 << 20  # of pads and swizzles: what has no end is refused
MOST_OWN = 1 << 10
CHUNK = 1 << 14  # candidates of one call, between two looks for Ctrl-C
MANY_CHUNKS = 16  # from here on a search is long enough for a bar
NO_LIMIT = 2**62

#: (B, M, S) of every swizzle that is tried by default, no swizzle first
SWIZZLES = [*_core.SEARCH_SWIZZLES]
#: order (1: column-major), pad, B, M, S
Columns = NDArray[np.int64]


def default_pads(rows: int, cols: int, type: str, orders: Sequence[str]) -> list[int]:
    """0 to 64 elements, as far as the type allows them in one of the orders."""
    runs, unit = [cols if order == "row" else rows for order in orders], run_unit(type)
    return [pad for pad in range(MOST_PAD + 1) if any((run + pad) % unit == 0 for run in runs)]


@dataclass(frozen=True)
class _Terms:
    """What every chunk of candidates is counted for; goes to other processes."""

    tile: Layout
    in_bytes: bool
    ops: tuple[DataMovement, ...]
    weights: tuple[float, ...]
    warps: int
    target: Arch
    max_bytes: int

    def __call__(self, columns: Columns) -> NDArray[np.void]:
        """One SEARCH_ROW for each candidate."""
        return _core.search(
            layout_core(self.tile), columns, self.in_bytes, self.ops, self.weights, self.warps,
            profile_of(self.target), self.max_bytes,
        )  # fmt: skip


def _numbers(name: str, values: Iterable[int]) -> list[int]:
    found = [arguments.whole(name, value) for value in arguments.several(name, values, MOST_VALUES)]
    for value in found:
        if not 0 <= value < 2**24:
            raise bad_value(name, f"expected 0 to 2**24 - 1, got {arguments.shown(value)}")
    return list(dict.fromkeys(found))


def _swizzles(values: Iterable[Swizzle | None] | None, type: str) -> tuple[list[tuple[int, int, int]], str]:
    """(B, M, S) of each, and the unit of all."""
    usual = "byte" if type in PACKED else "element"
    if values is None:
        return SWIZZLES, usual
    found: list[Any] = [values] if isinstance(values, Swizzle) else arguments.several("swizzles", values, MOST_VALUES)
    for value in found:
        if value is not None and not isinstance(value, Swizzle):
            given = arguments.describe(value)
            raise bad_type("swizzles", f"expected Swizzles and None, got {given}")
    units = {value.unit for value in found if value is not None and value.B}
    if len(units) > 1:
        raise bad_value("swizzles", "expected one unit, got 'byte' and 'element'")
    unit = units.pop() if units else usual
    if type in PACKED and unit != "byte":
        raise bad_value("swizzles", f"{type} takes unit 'byte' only, got {unit!r}")
    triples = [(s.B, s.M, s.S) if s is not None and s.B else (0, 0, 0) for s in found]
    return list(dict.fromkeys(triples)), unit


def _orders(values: Sequence[str] | str) -> list[str]:
    given = [values] if isinstance(values, str) else arguments.several("orders", values, 64)
    if not given:
        raise bad_value("orders", "expected 'row', 'col' or both, got an empty list")
    return list(dict.fromkeys(arguments.word("orders", order, ORDERS) for order in given))


def _space(orders: list[str], pads: list[int], triples: list[tuple[int, int, int]]) -> Columns:
    """Every combination: order, pad, B, M, S."""
    bms = np.array(triples, np.int64).reshape(-1, 3)
    count = len(orders) * len(pads) * len(bms)
    columns = np.empty((len(orders), len(pads), len(bms), 5), np.int64)
    columns[..., 0] = np.array([ORDERS.index(order) for order in orders])[:, None, None]
    columns[..., 1] = np.array(pads, np.int64)[:, None]
    columns[..., 2:] = bms
    return columns.reshape(count, 5)


def _counted(terms: _Terms, columns: Columns, executor: Executor | None, progress: Progress) -> NDArray[np.void]:
    """A row for each candidate, from chunks that are told to `progress` as they come."""
    chunks = [columns[first : first + CHUNK] for first in range(0, len(columns), CHUNK)]
    reports = progress
    if callable(progress):
        tell = progress  # of candidates, not of chunks

        def reports(done: int, total: int) -> object:
            return tell(min(done * CHUNK, len(columns)), len(columns))

    elif progress is None and len(chunks) < MANY_CHUNKS:
        reports = False
    rows = ordered_map(terms, chunks, executor=executor, progress=reports, chunk=1)
    return np.concatenate([np.empty(0, _core.SEARCH_ROW), *rows]) if len(rows) != 1 else rows[0]


@suggesting
def search(
    rows: int,
    cols: int,
    type: str,
    *,
    store: DataMovement | str | None = None,
    load: DataMovement | str | None = None,
    stores: Iterable[DataMovement | str] = (),
    loads: Iterable[DataMovement | str] = (),
    weights: Iterable[float] | None = None,
    warps: int = 4,
    target: str | Arch = USUAL_TARGET,
    pads: Iterable[int] | None = None,
    swizzles: Iterable[Swizzle | None] | None = None,
    orders: Sequence[str] = ("row",),
    layouts: Iterable[Layout] = (),
    max_bytes: int | None = None,
    executor: Executor | None = None,
    progress: Progress = None,
) -> SearchResult:
    """Every layout of a rows x cols tile of `type`, counted for its fill and its reads.

    `store`, `load`, `stores`, `loads`, `warps`, `target` are those of `tile`; without functions.
    `weights`: how much the cycles of each store, and then of each load, count in the sum; 1 by
    default. `pads`: elements added to each row,
    0 to 64 by default; `swizzles`: None and Swizzles of one unit, by default none and every
    Swizzle<B 1..5, M 0..6, S -6..6> inside 14 bits; `max_bytes`: a limit below the target's.
    `layouts`: your own of the same tile, whatever their notation; they are counted, too, and
    compared with the best (`SearchResult.given`).
    `executor`, `progress`: as sweep has them; progress counts candidates. Candidates whose
    accesses would be split or out of alignment are rejected first.

    >>> import warpsim as ws
    >>> found = ws.search(128, 64, "f16", store=ws.St(vec=4), load=ws.Ldmatrix(num=4))
    >>> found.best
    Layout(128, 64, 'f16', swizzle=Swizzle(B=3, M=3, S=3, unit='element'))
    >>> len(found), sum(found.rejected.values())
    (1287, 15808)
    >>> X, X_transposed = ws.Ldmatrix(num=4), ws.Ldmatrix(num=4, trans=True)
    >>> ws.search(64, 64, "f16", store=ws.CpAsync(), loads=[X, X_transposed]).best
    Layout(64, 64, 'f16', swizzle=Swizzle(B=3, M=3, S=3, unit='element'))
    """
    used = users(store, load, stores, loads)
    ops, weighed = tuple(user.op for user in used), _weights(weights, used)
    rows, cols = arguments.positive_int("rows", rows), arguments.positive_int("cols", cols)
    type = arguments.word("type", type, TYPE_BITS)
    plain, architecture = Layout(rows, cols, type, pad=-cols % run_unit(type)), resolve(target)
    for op in ops:
        targets.row_that_takes(op, architecture.target)
    count = arguments.positive_int("warps", warps)
    limit = NO_LIMIT if max_bytes is None else arguments.positive_int("max_bytes", max_bytes)
    names = _orders(orders)
    _check_cover(plain, names, used, count)
    triples, unit = _swizzles(swizzles, type)
    offered = default_pads(rows, cols, type, names) if pads is None else _numbers("pads", pads)
    columns = _space(names, offered, triples)
    terms = _Terms(plain, unit == "byte", ops, weighed, count, architecture, min(limit, NO_LIMIT))
    found = _counted(terms, columns, executor, progress)
    mine = tuple(_own(one, plain, used, count, architecture) for one in arguments.several("layouts", layouts, MOST_OWN))
    order, pareto = _core.search_rank(layout_core(plain), columns, found)
    reasons = np.bincount(found["rejected"], minlength=len(_core.SEARCH_REASONS)).tolist()
    ranked, best = columns[order], found[order]
    return SearchResult(
        plain.rows, plain.cols, type, ops_of("store", used), ops_of("load", used), count, architecture.target, unit,
        pareto,
        {why: n for why, n in zip(_core.SEARCH_REASONS[1:], reasons[1:], strict=True) if n},
        {"order": np.array(ORDERS)[ranked[:, 0]]}
        | {name: ranked[:, 1 + i].copy() for i, name in enumerate(("pad", "B", "M", "S"))}
        | {
            name: best[name].copy()
            for name in ("store_wavefronts", "load_wavefronts", "cycles", "bytes")
        },
        weighed,
        mine,
    )  # fmt: skip


def _own(layout: Layout, plain: Layout, used: Sequence[User], warps: int, target: Arch) -> TileReport:
    """What a layout that somebody has costs."""
    have, want = a_layout(layout, "layouts"), (plain.rows, plain.cols, plain.type)
    if (have.rows, have.cols, have.type) != want:
        raise bad_value("layouts", f"expected {plain.rows}x{plain.cols} {plain.type} as the search; got {have}")
    return tile(have, stores=ops_of("store", used), loads=ops_of("load", used), warps=warps, target=target)


def _weights(values: Iterable[float] | None, used: Sequence[User]) -> tuple[float, ...]:
    """One for each instruction."""
    for user in used:
        if user.addresses is not None:
            raise bad_value(user.name, "a search gives the addresses; pass the instruction alone")
    if values is None:
        return (1.0,) * len(used)
    found = [arguments.positive_number("weights", value) for value in arguments.several("weights", values, len(used))]
    if len(found) != len(used):
        raise bad_value("weights", f"expected {len(used)}, one for each store and then each load; got {len(found)}")
    return tuple(found)


def _check_cover(plain: Layout, orders: list[str], used: Sequence[User], warps: int) -> None:
    """A ValueError where the instructions cover the tile in none of the orders."""
    first: ValueError | None = None
    for order in orders:
        run = plain.cols if order == "row" else plain.rows
        tile = Layout(plain.rows, plain.cols, plain.type, order, -run % run_unit(plain.type))
        try:
            check_cover(tile, used, warps)
            return
        except ValueError as error:
            first = first or error
    assert first is not None
    raise first
