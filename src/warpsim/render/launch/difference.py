"""Two launches, before and after: as text and as the parts of an HTML page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ...characters import escaped
from .. import html
from ..tables import right
from ..text import WIDTH, wrapped
from .text import cut

SHOWN = 10  # lines of the text
NAMES = {
    "executed": "warp instructions", "divergent": "of them divergent", "wavefronts": "shared wavefronts",
    "ideal_wavefronts": "ideal", "bank_conflicts": "bank conflicts", "sectors": "global sectors",
    "ideal_sectors": "ideal",
}  # fmt: skip
HEAD = ("", "before", "after", "change")
#: what a change of a line is told by: the first counter that differs
COUNTED = ("wavefronts", "sectors", "executed")


def change(before: int, after: int) -> str:
    """-75 %, +1,024; a change from nothing has no share."""
    if before == after:
        return "="
    if not before:
        return f"+{after:,}"
    percent = 100 * (after - before) / before
    return f"{percent:+,.0f} %" if abs(percent) >= 1 else f"{after - before:+,}"


def title(contents: Mapping[str, Any]) -> str:
    """Which launches."""
    names = list(dict.fromkeys(contents[side]["kernel"] for side in ("before", "after")))
    return " and ".join(names) + ": before and after"


def _totals(contents: Mapping[str, Any]) -> list[list[str]]:
    rows = []
    for name, words in NAMES.items():
        before, after = contents["totals"][name]
        if before or after:
            rows.append([words, f"{before:,}", f"{after:,}", change(before, after)])
    return rows


def _line(one: Mapping[str, Any]) -> tuple[list[str], str]:
    """The place of a changed line, its count before and after, what was counted; its text."""
    was, now = (one[side] or dict.fromkeys(COUNTED, 0) for side in ("before", "after"))
    what = next((name for name in COUNTED if was[name] != now[name]), "executed")
    numbers = list(dict.fromkeys(str(number) for number in one["line"] if number is not None))
    row = [f"{one['file']}:{', now '.join(numbers)}", f"{was[what]:,}", f"{now[what]:,}", change(was[what], now[what])]
    return [*row, NAMES[what]], one["text"][1] or one["text"][0] or ""


def _findings(contents: Mapping[str, Any]) -> list[str]:
    return [
        f"{word}: {one['severity']} {one['rule']}: {one['message']}"
        for word, key in (("gone", "gone"), ("new", "new"))
        for one in contents[key]
    ]


def text(contents: Mapping[str, Any]) -> str:
    """Totals, lines that changed, findings that came and went, in 80 columns."""
    found = [title(contents), "", right([HEAD, *_totals(contents)])]
    lines = [_line(one) for one in contents["lines"]]
    if lines:
        head, *rows = right([["lines that changed", *HEAD[1:], ""], *(row for row, _ in lines[:SHOWN])]).split("\n")
        found += ["", head]
        for row, (_, words) in zip(rows, lines, strict=False):
            found.append(cut(row, WIDTH))
            found += [cut(f"      {words}", WIDTH)] if words else []
        found += [f"  and {len(lines) - SHOWN:,} more"] if len(lines) > SHOWN else []
    else:
        found += ["", "no line changed"]
    found += ["", *map(wrapped, _findings(contents) or ["findings: no change"])]
    return "\n".join(found)


def parts(contents: Mapping[str, Any]) -> Sequence[str]:
    """The same for a page, with all lines."""
    lines = [_line(one) for one in contents["lines"]]
    found = [html.table(HEAD, _totals(contents), "totals")]
    if lines:
        head = ("line", *HEAD[1:], "counter", "source")
        rows = [[*map(escaped, row), f"<code>{escaped(words)}</code>"] for row, words in lines]
        found.append(html.table_of(head, rows, "lines that changed"))
    else:
        found.append(html.paragraph("no line changed"))
    return [*found, html.items(_findings(contents)) or html.paragraph("findings: no change")]
