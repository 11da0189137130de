"""The map of a tile: its pieces in the colours of their banks, and who has to wait at them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from ..characters import escaped
from ..words import plural
from .punch_card import DARK_ON, PASS_FILL
from .svg import ALARM, BLACK, CAVEAT, FAINT, GUIDE, INK, MARGIN, MONO, SLOT, WHITE, WIDTH, document, text, title
from .text import ranges

#: banks 0-3, 4-7 ... 28-31. No warm colour: those are for what has to wait.
BANK_FILL = (
    "#a6cee3", "#b2df8a", "#cab2d6", "#8fd3c8", "#7ba7dc", "#d9e6a5", "#e6b8d8", "#bcc4cf",
)  # fmt: skip
BANKS_A_COLOUR = 4
PLATE = "#f4f5f8"  # under the pieces, light on a dark sheet, too
LEFT = 44  # of a panel: the numbers of its lines
WIDEST, ROOMY = 40, 24  # a piece that is roomy says its banks, too
HALF = (WIDTH - 3 * MARGIN) // 2
TALL, LOW = 30, 18
MOST_TALL = 16  # lines
HEAD = 88  # of a panel, above its pieces
STRIP = 4  # of a piece that has to wait: so much of the colour of its banks is left
ILLEGAL = f'font-size="17" font-weight="600" fill="{ALARM}" text-anchor="end"'
DIGIT, DIGIT_BOLD = 6.4, 7.4  # wide at most, at 10 and at 11 pixels


def tile_map(picture: Mapping[str, Any]) -> str:
    """Both sides of a tile as one <svg> element: the pieces around the costliest step of each.

    `picture` is `TileReport.picture()`.
    """
    panels = picture["panels"]
    name = picture["name"]
    summary = (
        f"{plural(picture['warps'], 'warp')}, {picture['target']}; {picture['bytes']:,} bytes,"
        f" {picture['wasted_bytes']:,} of padding; row pitch {picture['pitch']:,} bytes"
    )
    padded = any(panel["padding"] < panel["pieces"] for panel in panels)
    deepest = max((piece["pass"] or 0 for panel in panels for piece in panel["touched"]), default=0)
    body = [
        title(name, 30),
        text(MARGIN, 54, summary, 'font-size="14"'),
        *([] if picture["ok"] else [text(WIDTH - MARGIN, 30, "NOT legal", ILLEGAL)]),
        *_legend(76, padded, deepest),
    ]
    top = 128
    beside = all(panel["pieces"] * ROOMY <= HALF - LEFT for panel in panels)
    bottom = top
    for i, panel in enumerate(panels):
        x = MARGIN + (HALF + MARGIN) * i if beside else MARGIN
        y = top if beside else bottom
        drawn, end = _panel(panel, x, y, HALF if beside else WIDTH - 2 * MARGIN)
        body.append(drawn)
        bottom = max(bottom, end)
    costs = ", ".join(f"{panel['side']} {plural(panel['costliest']['wavefronts'], 'wavefront')}" for panel in panels)
    return document(f"{name}: {costs} at worst", bottom, body)


def _legend(y: int, padded: bool, deepest: int) -> Iterable[str]:
    """The colours of the banks, of padding and of the passes, as far as they occur."""
    yield text(MARGIN, y + 11, "banks", f'font-size="12" fill="{FAINT}"')
    x = MARGIN + 48
    for i, fill in enumerate(BANK_FILL):
        words = f"{i * BANKS_A_COLOUR}-{(i + 1) * BANKS_A_COLOUR - 1}"
        yield _rect(x, y, 42, 16, fill)
        yield text(x + 21, y + 12, words, f'font-size="11" fill="{BLACK}" text-anchor="middle"')
        x += 44
    yield f"{_padding([(x + 20, y, 20, 16)])}{text(x + 46, y + 12, 'padding', _faint(12))}"
    y += 22
    yield text(MARGIN, y + 12, "lanes", f'font-size="12" fill="{FAINT}"')
    x = MARGIN + 48
    yield _rect(x, y, 42, 16, SLOT) + _frame(x, y, 42, 16, INK)
    yield text(x + 21, y + 12, "L5", 'font-size="11" font-weight="600" text-anchor="middle"')
    yield text(x + 48, y + 12, "lane 5, framed: served first (pass 0)", _faint(12))
    x += 300
    for pass_ in range(1, min(deepest, len(PASS_FILL) - 1) + 1):
        last = pass_ == len(PASS_FILL) - 1
        words = f"{pass_}+" if last and deepest > pass_ else f"{pass_}"
        yield _rect(x, y, 26, 16, PASS_FILL[pass_])
        colour = f'fill="{_on(pass_)}" font-weight="600"'
        yield text(x + 13, y + 12, words, f'font-size="11" {colour} text-anchor="middle"')
        x += 28
    if deepest:
        yield text(x + 6, y + 12, "has to wait: the pass in which it is served", _faint(12))


def _faint(size: int) -> str:
    return f'font-size="{size}" fill="{FAINT}"'


def _on(pass_: int) -> str:
    """The colour of a text on the box of a pass."""
    return BLACK if min(pass_, len(PASS_FILL) - 1) in DARK_ON else WHITE


def _rect(x: float, y: float, width: float, height: float, fill: str) -> str:
    return f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" fill="{fill}"/>'


def _frame(x: float, y: float, width: float, height: float, stroke: str, thick: float = 2) -> str:
    return (
        f'<rect x="{x + thick / 2:g}" y="{y + thick / 2:g}" width="{width - thick:g}"'
        f' height="{height - thick:g}" fill="none" stroke="{stroke}" stroke-width="{thick:g}"/>'
    )


def _padding(places: Iterable[tuple[float, float, float, float]]) -> str:
    """Boxes (x, y, width, height) that hold no element, crossed out."""
    boxes, strokes = [], []
    for x, y, width, height in places:
        boxes.append(f"M{x:g} {y:g}h{width:g}v{height:g}h{-width:g}z")
        strokes.append(f"M{x:g} {y + height:g}l{width:g} {-height:g}")
    if not boxes:
        return ""
    return f'<path d="{"".join(boxes)}" fill="{SLOT}"/><path d="{"".join(strokes)}" stroke="{GUIDE}" fill="none"/>'


def _panel(panel: Mapping[str, Any], x: int, y: int, width: int) -> tuple[str, int]:
    """One side drawn at (x, y), and the y below it."""
    pieces, lines = panel["pieces"], panel["lines"]
    wide = min(WIDEST, (width - LEFT) * 4 // pieces / 4)
    high = TALL if wide >= ROOMY and len(lines) <= MOST_TALL else LOW
    grid = _Grid(panel, x + LEFT, y + HEAD, wide, high)
    parts = [*_heading(panel, x, y, width), *grid.pieces(), *grid.touched()]
    numbers = "".join(
        f'<text x="{x + LEFT - 6}" y="{y + HEAD + high * (i + 0.5) + 4:g}">{line["line"]}</text>'
        for i, line in enumerate(lines)
    )
    parts.append(f'<g font-size="11" fill="{FAINT}" text-anchor="end">{numbers}</g>')
    return "\n".join(part for part in parts if part), y + HEAD + high * len(lines) + 20


def _heading(panel: Mapping[str, Any], x: int, y: int, width: int) -> Iterable[str]:
    """What this side is, which step is shown, what it costs, where it lies."""
    ptx, worst = panel["ptx"], panel["costliest"]
    what = "filling" if panel["side"].startswith("store") else "reading"
    yield text(x, y + 14, what, 'font-size="14" font-weight="600"')
    size = max(10, min(13, (width - 68) * 5 // (3 * max(1, len(ptx)))))
    yield text(x + 68, y + 14, ptx, f'font-family="{MONO}" font-size="{size}"')
    costs = f"{plural(worst['wavefronts'], 'wavefront')}, {worst['ideal_wavefronts']} ideal"
    if panel["inexact"]:
        costs += " (approximate)"
    elif not panel["passes"]:
        costs += ": by rules of its own, so no pass is drawn"
    colour = ALARM if worst["wavefronts"] > worst["ideal_wavefronts"] else INK
    yield text(x, y + 33, costs, f'font-size="14" fill="{colour}"')
    step = (
        f"warp {worst['warp']}, step {worst['step']}; {worst['steps']:,} of"
        f" {panel['instructions']:,} steps {'costs' if worst['steps'] == 1 else 'cost'} as much"
    )
    yield text(x, y + 51, step, _faint(12))
    first, last = panel["lines"][0]["line"], panel["lines"][-1]["line"]
    where = (
        f"{panel['axis']}s {first}-{last} of {panel['of_lines']:,}, bytes"
        f" {panel['first_byte']:,}-{panel['end_byte'] - 1:,} of each; a box is"
        f" {panel['piece_bytes']} bytes"
    )
    if panel["hidden"]:
        where += f"; {panel['hidden']} more touched outside"
    yield text(x, y + 69, where, f'font-size="12" fill="{CAVEAT if panel["hidden"] else FAINT}"')
    yield text(x + LEFT - 6, y + HEAD - 4, panel["axis"], _faint(11) + ' text-anchor="end"')


class _Grid:
    """The pieces of one panel, and where they lie on the sheet."""

    def __init__(self, panel: Mapping[str, Any], x: float, y: float, wide: float, high: int) -> None:
        self.panel, self.wide, self.high = panel, wide, high
        self.roomy = wide >= ROOMY
        self._x, self._y = x, y
        self._first = panel["lines"][0]["line"]
        self._at = {(piece["line"], piece["piece"]) for piece in panel["touched"]}

    def _box(self, line: int, piece: int) -> tuple[float, float, float, float]:
        """x, y, width and height of a piece."""
        gap = 1
        return (
            round(self._x + piece * self.wide, 2),
            self._y + (line - self._first) * self.high,
            self.wide - gap,
            self.high - gap,
        )

    def _plate(self) -> str:
        width = min(self.panel["padding"], self.panel["pieces"]) * self.wide
        return _rect(self._x - 1, self._y - 1, width + 1, self.high * len(self.panel["lines"]) + 1, PLATE)

    def pieces(self) -> Iterable[str]:
        """The colours of all pieces, the padding, the banks of those that nobody touches."""
        runs: dict[str, list[str]] = {}
        banks, padding = [], []
        for row in self.panel["lines"]:
            for i, (first, last) in enumerate(row["banks"]):
                x, y, width, height = self._box(row["line"], i)
                if i >= self.panel["padding"]:
                    padding.append((x, y, width, height))
                    continue
                fill = BANK_FILL[first // BANKS_A_COLOUR]
                runs.setdefault(fill, []).append(f"M{x:g} {y + height / 2:g}h{width:g}")
                if (row["line"], i) not in self._at and self.roomy:
                    words = self._banks(first, last)
                    banks.append(f'<text x="{x + width / 2:g}" y="{y + height / 2 + 4:g}">{words}</text>')
        yield self._plate()
        for fill, moves in sorted(runs.items()):
            yield f'<path d="{"".join(moves)}" stroke="{fill}" stroke-width="{self.high - 1}"/>'
        yield _padding(padding)
        if banks:
            yield (f'<g font-size="10" fill="{BLACK}" text-anchor="middle">{"".join(banks)}</g>')

    def _banks(self, first: int, last: int) -> str:
        """28-31 where that fits, else 28."""
        words = f"{first}" if first == last else f"{first}-{last}"
        return words if len(words) * DIGIT < self.wide - 1 else f"{first}"

    def touched(self) -> Iterable[str]:
        """The pieces of the step: framed in pass 0, filled where they have to wait."""
        labels: dict[str, list[str]] = {BLACK: [], WHITE: []}
        for piece in self.panel["touched"]:
            x, y, width, height = self._box(piece["line"], piece["piece"])
            pass_, row = piece["pass"] or 0, self.panel["lines"][piece["line"] - self._first]
            strip = STRIP if pass_ and self.roomy else 0
            mark = f'fill="{PASS_FILL[min(pass_, len(PASS_FILL) - 1)]}"'
            if not pass_:
                mark = 'fill-opacity="0"'
                known = piece["pass"] is not None
                yield _frame(x, y, width, height, BLACK if known else GUIDE, 2 if self.roomy and known else 1)
            yield (
                f'<rect x="{x + strip:g}" y="{y:g}" width="{width - strip:g}" height="{height:g}"'
                f" {mark}><title>{escaped(self._tooltip(piece, row))}</title></rect>"
            )
            banks = self._banks(*row["banks"][piece["piece"]]) if self.high == TALL else ""
            labels[_on(pass_) if pass_ else BLACK].append(
                self._label(x + (width + strip) / 2, y, piece["lanes"], banks)
            )
        style = 'font-size="11" font-weight="600"' if self.roomy else 'font-size="10"'
        for ink, found in labels.items():
            if found:
                yield f'<g fill="{ink}" {style} text-anchor="middle" pointer-events="none">'
                yield "\n".join([*found, "</g>"])

    def _label(self, x: float, y: float, lanes: Sequence[int], banks: str) -> str:
        """The lanes of a piece, under its banks where those are said."""
        low = y + self.high - 6 if banks else y + self.high / 2 + 3.5
        above = f'<text x="{x:g}" y="{y + 12:g}" font-size="10" font-weight="400">{banks}</text>'
        return f'{above if banks else ""}<text x="{x:g}" y="{low:g}">{self._lanes(lanes)}</text>'

    def _lanes(self, lanes: Sequence[int]) -> str:
        """The shortest that says who: L5, L0-3, 0-3, 0+."""
        words = ranges(lanes).replace(", ", ",")
        forms = (f"L{words}", words, f"{lanes[0]}+") if self.roomy else (words,)
        most = (self.wide - 6) / DIGIT_BOLD if self.roomy else 2
        return next((form for form in forms if len(form) <= most), f"{lanes[0]}")

    def _tooltip(self, piece: Mapping[str, Any], row: Mapping[str, Any]) -> str:
        lanes = ranges(piece["lanes"])
        first, last = row["banks"][piece["piece"]]
        words = f"{'lane' if len(piece['lanes']) == 1 else 'lanes'} {lanes}"
        if piece["pass"] is not None:
            words += f", pass {piece['pass']} of {piece['group']}"
        byte = self.panel["first_byte"] + piece["piece"] * self.panel["piece_bytes"]
        return (
            f"{words}: {self.panel['axis']} {piece['line']}, byte {byte:,} of it, offset"
            f" {row['offsets'][piece['piece']]:,}, banks {first}-{last}"
        )
