"""Reports that are tables, as text for an 80-column terminal and as HTML."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from . import html
from .text import columns, wrapped

SHOWN = 10  # rows of a ranking
SIDE_HEAD = ("", "instructions", "wavefronts", "ideal", "conflicts", "sectors", "cycles")
RANK_HEAD = ("", "layout", "store", "load", "cycles", "bytes")


def right(rows: Sequence[Sequence[str]], words: int = 1, indent: str = "  ") -> str:
    """Aligned columns, numbers to the right; the first `words` columns are words."""
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    return columns(
        [
            [cell if i < words else cell.rjust(widths[i]) for i, cell in enumerate(row)]
            for row in rows
        ],
        indent,
    )


def number(value: float) -> str:
    """12 for 12.0, 12.5 for 12.5."""
    return f"{value:,.0f}" if value == int(value) else f"{value:,.1f}"


def _sides(contents: Mapping[str, Any]) -> list[list[str]]:
    rows = []
    for name in ("store", "load"):
        side = contents[name]
        counters = (
            "instructions",
            "wavefronts",
            "ideal_wavefronts",
            "bank_conflicts",
            "sectors",
            "cycles",
        )
        rows.append([name, *(number(side[counter]) for counter in counters)])
    return rows


def _head(contents: Mapping[str, Any]) -> str:
    return f"{contents['layout']}, {contents['warps']} warps, {contents['target']}"


def tile(contents: Mapping[str, Any]) -> str:
    """Both sides of a tile, its bytes, and what is wrong with it."""
    lines = [
        wrapped(_head(contents)),
        *(f"  {name + ':':<6} {contents[name]['ptx']}" for name in ("store", "load")),
        right([SIDE_HEAD, *_sides(contents)]),
        wrapped(
            f"{contents['bytes']:,} bytes, {contents['wasted_bytes']:,} of them wasted; pitch"
            f" {contents['pitch']:,}; a block can have {contents['shared_bytes']:,}"
        ),
    ]
    for name in ("store", "load"):
        if contents[name]["inexact"]:
            lines.append(f"approximate ({name}): {', '.join(contents[name]['inexact'])}")
    if not contents["ok"]:
        lines.append("NOT legal:")
    for finding in contents["findings"]:
        lines.append(wrapped(f"{finding['side']} {finding['rule']}: {finding['message']}", "  "))
    return "\n".join(lines)


def tile_html(contents: Mapping[str, Any], svg: str) -> list[str]:
    """Facts, picture, both sides as a table, findings, the text."""
    sizes = (
        f"{contents['bytes']:,}, {contents['wasted_bytes']:,} of them wasted; a block can have"
        f" {contents['shared_bytes']:,}"
    )
    found = [
        f"{finding['side']} {finding['rule']}: {finding['message']}"
        for finding in contents["findings"]
    ]
    return [
        html.facts(
            [
                ("fill", contents["store"]["ptx"]),
                ("read", contents["load"]["ptx"]),
                ("warps, target", f"{contents['warps']}, {contents['target']}"),
                ("bytes", sizes),
                ("pitch", f"{contents['pitch']:,} bytes"),
                ("legal", "yes" if contents["ok"] else "NO"),
            ]
        ),
        html.items(found),
        html.figure(svg),
        html.table(SIDE_HEAD, _sides(contents), "both sides, all warps and steps"),
        html.details("As text", html.preformatted(tile(contents))),
    ]


def layout_words(row: Mapping[str, Any]) -> str:
    """A row of a search in a few words: col, pad 8, Swizzle<3,3,3>."""
    parts = [row["order"]] if row["order"] != "row" else []
    parts += [f"pad {row['pad']}"] if row["pad"] else []
    parts += [f"Swizzle<{row['B']},{row['M']},{row['S']}>"] if row["B"] else []
    return ", ".join(parts) or "plain"


def _ranking(contents: Mapping[str, Any], top: int) -> list[list[str]]:
    names = tuple(contents["columns"])
    front = set(contents["pareto"])
    rows = []
    for i in range(min(top, contents["counted"])):
        row = {name: contents["columns"][name][i] for name in names}
        counts = (row["store_wavefronts"], row["load_wavefronts"], row["cycles"], row["bytes"])
        rows.append(["*" if i in front else "", layout_words(row), *map(number, counts)])
    return rows


def search(contents: Mapping[str, Any], top: int = SHOWN) -> str:
    """The best layouts, the Pareto set, and why the others were rejected."""
    counted, rejected = contents["counted"], sum(contents["rejected"].values())
    lines = [
        wrapped(
            f"{contents['rows']}x{contents['cols']} {contents['type']}, {contents['warps']} warps,"
            f" {contents['target']}: {counted + rejected:,} candidates, {counted:,} counted"
        ),
        *(f"  {name + ':':<6} {contents[name]}" for name in ("store", "load")),
    ]
    lines += [
        wrapped(f"  {count:,} rejected: {why}") for why, count in contents["rejected"].items()
    ]
    if not counted:
        return "\n".join([*lines, "no layout is legal"])
    lines.append(right([RANK_HEAD, *_ranking(contents, top)], words=2))
    hidden = [i for i in contents["pareto"] if i >= top]
    more = f"; {counted - top:,} more" if counted > top else ""
    lines.append(
        "wavefronts of store and load; * nothing has fewer cycles and bytes"
        + (f" ({len(hidden):,} of them below)" if hidden else "")
        + more
    )
    return "\n".join(
        wrapped(line) if len(line) > 80 else line for line in "\n".join(lines).split("\n")
    )


def search_html(contents: Mapping[str, Any], svg: str, top: int = SHOWN) -> list[str]:
    """Facts, picture, the best layouts as a table, the text."""
    rejected = contents["rejected"]
    return [
        html.facts(
            [
                ("best", contents["best"] or "no layout is legal"),
                ("fill", contents["store"]),
                ("read", contents["load"]),
                ("warps, target", f"{contents['warps']}, {contents['target']}"),
                ("counted", f"{contents['counted']:,}"),
                *((f"rejected: {why}", f"{count:,}") for why, count in rejected.items()),
            ]
        ),
        html.figure(svg),
        html.table(
            RANK_HEAD,
            _ranking(contents, top),
            "the best layouts, wavefronts of store and load; * nothing has fewer cycles and bytes",
        ),
        html.details("As text", html.preformatted(search(contents, top))),
    ]
