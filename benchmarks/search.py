"""Layouts a second, of a 128x64 tile of halves: 64 accesses, 256 bank phases a layout."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

import warpsim as ws
from warpsim import _core

from . import levels, peers
from .peers import same
from .rows import SEARCH_NS, SPACE_NS, Line
from .timing import Case, Effort, looped, medians

ROWS, COLS, TYPE = 128, 64, "f16"
STORE, LOAD, WARPS = ws.St(vec=4), ws.Ldmatrix(num=4), 4
SPACE = 17_095
LEGAL = 1_287

Columns = NDArray[np.int64]  # order, pad, B, M, S


def legal() -> Columns:
    """The candidates of the usual space that keep rows whole and aligned."""
    found = ws.search(ROWS, COLS, TYPE, store=STORE, load=LOAD, warps=WARPS).columns()
    columns = np.zeros((len(found["pad"]), 5), np.int64)
    for i, name in enumerate(("pad", "B", "M", "S")):
        columns[:, 1 + i] = found[name]
    return columns[np.lexsort(columns.T[::-1])]


def no_two_alike(columns: Columns) -> Columns:
    """One of all that give the banks, bits 4 to 6 of an address, the same sources."""
    kept: dict[tuple[Any, ...], Columns] = {}
    for row in columns:
        _, pad, b, m, s = row.tolist()
        targets = range(m - min(s, 0), m - min(s, 0) + b)
        kept.setdefault((pad, *(bit + s if bit in targets else None for bit in (3, 4, 5))), row)
    return np.array(list(kept.values()))


def ours(columns: Columns) -> Callable[[], Any]:
    tile = ws.Layout(ROWS, COLS, TYPE)
    profile = ws.arch("sm_90")._core
    return lambda: _core.search(
        tile._core, columns, False, (STORE, LOAD), (1.0, 1.0), WARPS, profile, 2**62
    )  # fmt: skip


def numpy_search(columns: Columns) -> Callable[[], Any]:
    """One candidate at a time, the places of all lanes made once."""
    plain = np.concatenate([ws.tile_steps(op, ws.Layout(ROWS, COLS, TYPE)).reshape(-1, 32) for op in (STORE, LOAD)])
    row, piece = plain // (2 * COLS), plain % (2 * COLS)

    def run() -> list[int]:
        found = []
        for _, pad, b, m, s in columns.tolist():
            place = row * (COLS + pad) + piece // 2
            field = ((1 << b) - 1) << m
            moved = (place & field << s) >> s if s > 0 else (place & field) << -s
            found.append(int(peers.numpy_wavefronts((place ^ moved) * 2, 16).sum()))
        return found

    return run


def layouts(effort: Effort) -> Iterator[Line]:
    """ns a layout, against NumPy and against the rates that are wanted."""
    every = legal()
    for name, columns in (("all that are legal", every), ("no two alike", no_two_alike(every))):
        part = columns[: effort.size(len(columns), 20)]
        call, peer = ours(part), numpy_search(part)
        expected = peer()
        for level in levels.available():
            levels.force(level)
            rows = call()
            same(f"search, {level}", rows["store_wavefronts"] + rows["load_wavefronts"], expected)
        cases: dict[str, Case] = {"numpy": looped(peer)}
        for level in levels.available():
            cases[level] = levels.at(level, looped(call))
        ns = {key: found / len(part) for key, found in medians(cases, effort).items()}
        case = f"{len(part):,}: {name}"
        for level in levels.available():
            note = f"{1e3 / ns[level]:.2f} M/s"
            yield levels.line("search_numpy", case, level, ns[level], ns["numpy"], note)
            line = levels.line("search_rate", case, level, ns[level], SEARCH_NS.get(level, 1e3), note)
            yield line if columns is every else levels.without_gate(line)


def space(effort: Effort) -> Iterator[Line]:
    """The whole space through Python: candidates made, rejected, counted and ranked."""
    names = ("st.shared.v4", "cp.async.cg")
    for name, store in zip(names, (STORE, ws.CpAsync()), strict=True):

        def whole(store: ws.DataMovement = store) -> ws.SearchResult:
            return ws.search(ROWS, COLS, TYPE, store=store, load=LOAD, warps=WARPS)

        found = whole()
        same("search", (len(found), len(found) + sum(found.rejected.values())), (LEGAL, SPACE))
        took = medians({name: looped(whole)}, effort)[name]
        line = levels.line("search_space", f"{SPACE:,}, filled by {name}", levels.best(), took, SPACE_NS)
        yield line if store is STORE else levels.without_gate(line)


def search(effort: Effort) -> Iterator[Line]:
    yield from layouts(effort)
    yield from space(effort)
