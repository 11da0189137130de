"""Tiles of shared memory and the layouts that suit them, as text and tables."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import PurePath
from typing import Any

from ...words import plural
from .. import html
from ..advice import pasted
from ..tables import right
from ..text import wrapped
from .text import cut

HEAD = ("", "line", "executed", "wavefronts", "ideal", "then")
SHOWN = 8  # statements of a tile
OPCODE = 30  # characters


def headline(contents: Mapping[str, Any]) -> str:
    """What could be saved in all."""
    total, saved = contents["wavefronts"], contents["saved"]
    count = plural(len(contents["tiles"]), "tile")
    if not contents["tiles"]:
        return "No tile: no access to shared memory was recorded."
    if not saved:
        return f"{count} in shared memory; no other layout saves wavefronts."
    return f"{count} in shared memory: {saved:,} of {total:,} wavefronts can be saved."


def _name(tile: Mapping[str, Any]) -> str:
    what = tile["array"] or "shared memory"
    rows = -(-tile["nbytes"] // tile["pitch"]) if tile["pitch"] else 0
    shape = f", {plural(rows, 'row')} of {tile['pitch']} bytes" if rows else ""
    return f"{what}, {tile['nbytes']:,} bytes from {tile['begin']:#x}{shape}"


def _answer(tile: Mapping[str, Any]) -> str:
    if not tile["saved"]:
        least = tile["wavefronts"] <= tile["ideal_wavefronts"]
        return "no conflicts" if least else "no padding or swizzle that was tried saves wavefronts"
    counts = f"{plural(tile['then'], 'wavefront')} instead of {tile['wavefronts']:,}, {tile['saved']:,} fewer"
    return f"{tile['words']}: {counts}"


def _searched(tile: Mapping[str, Any]) -> str:
    if tile["searched"] is None:
        return f"ws.search has no answer: {tile['why']}" if tile["why"] else ""
    if tile["searched"] == tile["layout"]:
        return "ws.search chooses the same layout"
    counts = f"{tile['searched_wavefronts']:,} wavefronts at the addresses of this kernel"
    return f"ws.search, which goes row by row, chooses {tile['searched']}: {counts}"


def _place(use: Mapping[str, Any]) -> str:
    if use["source"] is None:
        return cut(use["opcode"], OPCODE)
    return f"{cut(use['opcode'], OPCODE)} {PurePath(use['source']).name}:{use['source_line']}"


def _rows(tile: Mapping[str, Any]) -> list[tuple[str, ...]]:
    """The statements that cost most, those that fill first."""
    costly = sorted(tile["uses"], key=lambda use: -use["wavefronts"])[:SHOWN]
    return [
        (
            {"store": "fill", "load": "read"}[use["kind"]],
            *(f"{use[name]:,}" for name in ("line", "executed", "wavefronts", "ideal_wavefronts", "then")),
        )
        for use in tile["uses"]
        if use in costly
    ]


def _text(tile: Mapping[str, Any]) -> list[str]:
    table = right([HEAD, *_rows(tile)]).split("\n")
    costly = sorted(tile["uses"], key=lambda use: -use["wavefronts"])[:SHOWN]
    places = [_place(use) for use in tile["uses"] if use in costly]
    lines = [
        table[0],
        *(f"{row}  {cut(place, 80 - len(row) - 2)}" for row, place in zip(table[1:], places, strict=True)),
    ]
    more = len(tile["uses"]) - len(places)
    lines += [f"  and {plural(more, 'statement')} more"] if more else []
    found = [wrapped(_name(tile)), *lines, wrapped(_answer(tile), "  ")]
    searched = _searched(tile) if tile["saved"] or tile["wavefronts"] > tile["ideal_wavefronts"] else ""
    found += [wrapped(searched, "  ")] if searched else []
    return [*found, *(pasted(tile, "    ") if tile["saved"] else [])]


def text(contents: Mapping[str, Any]) -> str:
    """The answer, then every tile: who fills and reads it, how it should lie, what that saves."""
    parts = ["\n".join(_text(tile)) for tile in contents["tiles"]]
    notes = [wrapped(note) for note in contents["notes"]]
    return "\n\n".join([wrapped(headline(contents)), *parts, *notes])


def tables(contents: Mapping[str, Any]) -> list[str]:
    """The same for a page."""
    found = []
    for tile in contents["tiles"]:
        found += [
            html.heading(_name(tile)),
            html.table(HEAD, _rows(tile), "who fills and reads it"),
            html.paragraph(_answer(tile)),
            html.facts(list(tile["notations"].items())) if tile["saved"] else "",
        ]
    return found
