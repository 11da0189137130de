"""The costliest lines of a kernel as bars: what the best pattern takes, and what is excessive."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...characters import attribute
from .. import svg
from .text import PAIRS, costliest, place_of

SHOWN = 24  # lines
ROW, TOP = 20, 92
TEXT, BARS = 56, 560  # where the texts and the bars begin
CHARACTERS = 66
FILLS = {"needed": svg.KINDS[0], "excessive": svg.KINDS[1]}


def _bars(contents: Mapping[str, Any]) -> tuple[str, str | None]:
    """The counter of the bars and its ideal: the first that anything has."""
    for what, ideal in PAIRS:
        if any(contents["lines"][what]):
            return what, ideal
    return "executed", None


def _legend(what: str, ideal: str | None) -> list[str]:
    y, parts = 60, []
    names = FILLS if ideal else {"needed": FILLS["needed"]}
    for i, (name, fill) in enumerate(names.items()):
        x = svg.MARGIN + 190 * i
        words = f"{name} {what}" if ideal else "warp instructions"
        parts += [
            f'<rect x="{x}" y="{y - 10}" width="14" height="12" rx="2" fill="{fill}"/>',
            svg.text(x + 20, y, words, 'font-size="12"'),
        ]
    return parts


def picture(contents: Mapping[str, Any]) -> str:
    """One self-contained <svg> element; `contents` is `KernelReport.to_dict()`."""
    lines = contents["lines"]
    what, ideal = _bars(contents)
    rows = sorted(i for i in costliest(lines, SHOWN) if lines[what][i])
    most = max((lines[what][i] for i in rows), default=1)
    room = svg.WIDTH - BARS - svg.MARGIN - 80
    name = f"{contents['kernel']}: {what.replace('executed', 'warp instructions')} by line"
    body = [svg.title(name, 32), *_legend(what, ideal)]
    mono = f'font-family="{svg.MONO}" font-size="11"'
    for n, i in enumerate(rows):
        y = TOP + ROW * n
        count = lines[what][i]
        needed = min(count, lines[ideal][i]) if ideal else count
        text = lines["text"][i]
        text = text if len(text) <= CHARACTERS else text[: CHARACTERS - 3] + "..."
        body.append(svg.text(TEXT - 8, y, str(lines["line"][i]), f'{mono} text-anchor="end" fill="{svg.FAINT}"'))
        place = f"<title>{attribute(place_of(contents, i))}</title>"
        body.append(f"<g>{place}{svg.text(TEXT, y, text, mono)}</g>")
        x = float(BARS)
        for share, fill in ((needed, FILLS["needed"]), (count - needed, FILLS["excessive"])):
            width = room * share / most
            if width:
                body.append(f'<rect x="{x:.1f}" y="{y - 10}" width="{width:.1f}" height="13" fill="{fill}"/>')
            x += width
        body.append(svg.text(x + 6, y, f"{count:,}", 'font-size="11"'))
    if not rows:
        body.append(svg.text(svg.MARGIN, TOP, "no line was counted", 'font-size="12"'))
    return svg.document(name, TOP + ROW * max(1, len(rows)) + 4, body)
