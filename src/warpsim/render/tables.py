"""Reports that are tables, as text for an 80-column terminal and as HTML."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ..words import plural
from . import advice, html
from .text import BOLD, RED, WIDTH, columns, tinted, wrapped

SHOWN = 10  # rows of a ranking
SIDE_HEAD = ("", "instructions", "wavefronts", "ideal", "conflicts", "sectors", "cycles", "within")
MARKS = {"": "", "*": "*", "yours": "(yours)"}  # of a row, where its layout has no column beside it
RANK_HEAD = ("", "layout", "store", "load", "cycles", "bytes")


def right(rows: Sequence[Sequence[str]], words: int = 1, indent: str = "  ") -> str:
    """Aligned columns, numbers to the right; the first `words` columns are words."""
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    return columns(
        [[cell if i < words else cell.rjust(widths[i]) for i, cell in enumerate(row)] for row in rows], indent
    )


def number(value: float) -> str:
    """12 for 12.0, 12.5 for 12.5."""
    return f"{value:,.0f}" if value == int(value) else f"{value:,.1f}"


def _sides(contents: Mapping[str, Any]) -> list[list[str]]:
    rows = []
    for name in contents["sides"]:
        side = contents[name]
        counters = ("instructions", "wavefronts", "ideal_wavefronts", "bank_conflicts", "sectors", "cycles")
        within = "unknown" if side["error"] is None else f"{side['error']:.0%}"
        rows.append([name, *(number(side[counter]) for counter in counters), within])
    return rows


def _label(name: str) -> str:
    """fill; read 2"""
    return name.replace("store", "fill").replace("load", "read")


def _head(contents: Mapping[str, Any]) -> str:
    warps = plural(contents["warps"], "warp")
    return f"{contents['name']}, {warps}, {contents['target']}"


def _named(contents: Mapping[str, Any], word: str) -> list[str]:
    """Lines that name the instructions of all sides; `word`: what of each is its PTX."""
    wide = max(len(name) for name in contents["sides"]) + 1
    return [f"  {name + ':':<{wide}} {contents[name][word] if word else contents[name]}" for name in contents["sides"]]


def doing(name: str) -> str:
    """What a side does: filling; reading (load 2)."""
    verb = "filling" if name.startswith("store") else "reading"
    return f"{verb} ({name})" if " " in name else verb


def _verbs(names: Sequence[str]) -> str:
    """Fills and reads"""
    kinds = [verb for kind, verb in (("store", "fills"), ("load", "reads")) if any(n.startswith(kind) for n in names)]
    return " and ".join(kinds)


def tile_headline(contents: Mapping[str, Any]) -> str:
    """What costs too much, and the layout that costs least."""
    found = contents.get("remedy")
    if contents["findings"]:
        cure = f" {advice.capital(found['name'])} is legal and the fastest." if found else ""
        return f"NOT legal: {contents['findings'][0]['message']}.{cure}"
    counts = {
        doing(side): (contents[side]["wavefronts"], contents[side]["ideal_wavefronts"]) for side in contents["sides"]
    }
    crowded = [f"{doing_} takes {advice.times(*of)}" for doing_, of in counts.items() if of[0] > of[1]]
    if not crowded:
        return f"No bank conflicts: {sum(of[0] for of in counts.values()):,} wavefronts, the fewest possible."
    given = any(contents[name]["is_given"] for name in contents["sides"])
    cure = "" if given else " No layout is better."
    if found:
        name = advice.capital(found["name"])
        verbs = _verbs(contents["sides"])
        cure = f" {name} {verbs} it in {found['wavefronts']:,} instead of {found['instead_of']:,}."
    return f"{advice.capital(' and '.join(crowded))}.{cure}"


def tile(contents: Mapping[str, Any], colour: bool = False) -> str:
    """The answer, both sides of a tile, its bytes, what is wrong with it and what to use; `colour`: red and bold."""
    red = RED if colour else ""
    head, *sides = right([SIDE_HEAD, *_sides(contents)]).split("\n")
    lines = [tinted(wrapped(tile_headline(contents)), BOLD if colour else "")]
    lines += [wrapped(_head(contents)), *_named(contents, "ptx")]
    for finding in contents["findings"]:
        words = f"{finding['side']} {finding['rule']}: {finding['message']}"
        lines.append(tinted(wrapped(words, "  "), red))
    is_counted = all(finding["side"] not in contents["sides"] for finding in contents["findings"])
    lines += [head] if is_counted else []
    for name, row in zip(contents["sides"], sides if is_counted else (), strict=is_counted):
        side = contents[name]
        lines.append(tinted(row, red if side["wavefronts"] > side["ideal_wavefronts"] else ""))
    lines.append(
        wrapped(
            f"{contents['bytes']:,} bytes ({contents['wasted_bytes']:,} of padding), row pitch"
            f" {contents['pitch']:,} bytes; limit per block {contents['shared_bytes']:,}"
        )
    )
    for name in contents["sides"] if is_counted else ():
        if contents[name]["inexact"]:
            lines.append(f"approximate ({name}): {', '.join(contents[name]['inexact'])}")
    return "\n".join([*lines, *advice.remedy(contents.get("remedy"))])


def tile_html(contents: Mapping[str, Any], svg: str) -> list[str]:
    """Facts, picture, both sides as a table, findings, the text."""
    sizes = (
        f"{contents['bytes']:,} ({contents['wasted_bytes']:,} of padding); limit per block {contents['shared_bytes']:,}"
    )
    found = [f"{finding['side']} {finding['rule']}: {finding['message']}" for finding in contents["findings"]]
    return [
        html.facts(
            [
                ("answer", tile_headline(contents)),
                *((_label(name), contents[name]["ptx"]) for name in contents["sides"]),
                ("warps, target", f"{contents['warps']}, {contents['target']}"),
                ("bytes", sizes),
                ("pitch", f"{contents['pitch']:,} bytes"),
                ("legal", "yes" if contents["ok"] else "NO"),
            ]
        ),
        html.items(found),
        html.figure(svg),
        html.table(SIDE_HEAD, _sides(contents), "all warps and steps"),
        *advice.remedy_html(contents.get("remedy")),
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
    for row in contents["given"]:
        counts = (row["store_wavefronts"], row["load_wavefronts"], row["cycles"], row["bytes"])
        name = row["layout"].partition(", ")[2] or "plain"
        told = [*map(number, counts)] if row["ok"] else ["illegal", "", "", ""]
        rows.append(["yours", name, *told])
    return rows


def search_headline(contents: Mapping[str, Any]) -> str:
    """The best layout and what it costs."""
    (_, name, store, load, cycles, size), *own = _ranking(contents, 1)
    waves = [(store, "fill", "store"), (load, "read", "load")]
    told = [f"{n} to {verb}" for n, verb, kind in waves if any(side.startswith(kind) for side in contents["sides"])]
    needs = f"{', '.join(told).replace(' to', ' wavefronts to', 1)}, {cycles} cycles, {size} bytes"
    yours = f"; yours takes {own[0][4]} cycles" if own and contents["given"][0]["ok"] else ""
    return f"{advice.capital(name)}: {needs}{yours}. Best of {contents['counted']:,} layouts."


def search(contents: Mapping[str, Any], top: int = SHOWN, colour: bool = False) -> str:
    """The best layouts, the Pareto set, and why the others were rejected; `colour`: print the best in bold."""
    counted, rejected = contents["counted"], sum(contents["rejected"].values())
    size = f"{contents['rows']}x{contents['cols']} {contents['type']}"
    lines = [
        f"{size}, {plural(contents['warps'], 'warp')}, {contents['target']}:"
        f" {counted + rejected:,} candidates, {counted:,} counted",
        *_named(contents, ""),
        *(f"  {count:,} rejected: {why}" for why, count in contents["rejected"].items()),
    ]
    if not counted:
        return "\n".join(map(_folded, [*lines, "no layout is legal"]))
    ranking = _ranking(contents, top)
    head, *rows = right([RANK_HEAD, *ranking], words=2).split("\n")
    lines.insert(0, wrapped(search_headline(contents)))
    best = BOLD if colour else ""
    hidden = sum(i >= top for i in contents["pareto"])
    last = "store / load are wavefronts; * no other layout is better in both cycles and bytes"
    last += f" ({hidden:,} of them below)" if hidden else ""
    last += f"; {counted - top:,} more" if counted > top else ""
    return "\n".join(
        [
            *(line if "\n" in line else _folded(line) for line in [*lines, head]),
            *(tinted(_folded(row), best if cells[0] else "") for row, cells in zip(rows, ranking, strict=True)),
            _folded(last),
            *advice.pasted({"notations": contents.get("notations", {})}),
        ]
    )


def _folded(line: str) -> str:
    return wrapped(line) if len(line) > WIDTH else line


def search_html(contents: Mapping[str, Any], svg: str, top: int = SHOWN) -> list[str]:
    """Facts, picture, the best layouts as a table, the text."""
    rejected = contents["rejected"]
    return [
        html.facts(
            [
                ("best", _ranking(contents, 1)[0][1] if contents["counted"] else "none is legal"),
                *((_label(name), contents[name]) for name in contents["sides"]),
                ("warps, target", f"{contents['warps']}, {contents['target']}"),
                ("counted", f"{contents['counted']:,}"),
                *(("rejected", f"{count:,}: {why}") for why, count in rejected.items()),
            ]
        ),
        html.figure(svg),
        html.table(
            RANK_HEAD[1:],
            [[f"{layout} {MARKS[mark]}".rstrip(), *counts] for mark, layout, *counts in _ranking(contents, top)],
            "store / load are wavefronts; * no other layout is better in both cycles and bytes",
        ),
        html.details("As text", html.preformatted(search(contents, top))),
    ]
