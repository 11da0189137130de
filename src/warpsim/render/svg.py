"""What all pictures share: the sheet, the palette, texts."""

from __future__ import annotations

from collections.abc import Iterable
from textwrap import wrap

from ..characters import attribute, escaped

WIDTH = 900
MARGIN = 16

SANS = "system-ui, 'Segoe UI', 'Helvetica Neue', Arial, 'Liberation Sans', sans-serif"
MONO = "ui-monospace, 'Cascadia Mono', Menlo, Consolas, 'DejaVu Sans Mono', monospace"

# Roles. BLACK and WHITE are text on a coloured box: where the sheet turns dark, boxes stay as they
# are and so does their text; PAPER and INK do not.
PAPER, FRAME, SLOT, GUIDE = "#ffffff", "#c8ccd4", "#eef0f4", "#b9bfca"
INK, FAINT, ALARM, CAVEAT = "#1b1f27", "#5a6270", "#b3261e", "#7d5200"
BLACK, WHITE = "#14171d", "#fefefe"

#: eight light fills, as distinct as eight can be without colour vision; BLACK is clear on each
KINDS = (
    "#9cc3ea", "#f5b38c", "#f1e08f", "#f7b9c8", "#a8e3ee", "#8fd3b8", "#cdd873", "#cbb8e6",
)  # fmt: skip

#: role -> its colour in a page that follows the reader's dark scheme; pictures carry the light ones
DARK = {
    PAPER: "#1a1d24", FRAME: "#3a404c", SLOT: "#272b34", GUIDE: "#454c5a",
    INK: "#e8eaef", FAINT: "#a4abb8", ALARM: "#ff8a80", CAVEAT: "#f0c36d",
}  # fmt: skip


def document(label: str, height: int, body: Iterable[str], width: int = WIDTH) -> str:
    """The <svg> around the body, with a sheet of its own to be legible on any background.

    Presentation attributes only, neither ids nor style sheets: several pictures can be in one
    HTML page without meeting.
    """
    # block-size, not height: the same to browsers, but CairoSVG takes height:auto for no height.
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}"'
            f' viewBox="0 0 {width} {height}" style="max-width:100%;block-size:auto" role="img"'
            f' aria-label="{attribute(label)}" font-family="{SANS}" fill="{INK}">',
            f'<rect x="0.5" y="0.5" width="{width - 1}" height="{height - 1}" rx="8" fill="{PAPER}" stroke="{FRAME}"/>',
            *body,
            "</svg>\n",
        ]
    )


def text(x: float, y: float, words: str, attributes: str) -> str:
    """One line of text, escaped."""
    return f'<text x="{x:g}" y="{y:g}" {attributes}>{escaped(words)}</text>'


def title(ptx: str, y: int, width: int = WIDTH) -> str:
    """The instruction, smaller where it would not fit."""
    size = max(8, min(17, (width - 2 * MARGIN) * 5 // (3 * max(1, len(ptx)))))
    return text(MARGIN, y, ptx, f'font-family="{MONO}" font-size="{size}" font-weight="600"')


def lines(y: float, words: str, attributes: str, width: int = WIDTH, step: int = 17) -> list[str]:
    """A sentence from baseline y on, in as many lines as a sheet of that width needs."""
    parts = wrap(words, (width - 2 * MARGIN) // 7, break_long_words=True)
    return [text(MARGIN, y + step * i, part, attributes) for i, part in enumerate(parts)]


def with_command(found: str, command: str) -> str:
    """The picture, with the command that made it as its description."""
    head, end, tail = found.partition(">")
    return f"{head}{end}<desc>{escaped(command)}</desc>{tail}"
