"""A search as a scatter: every counted layout by its bytes and cycles."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

from ..words import plural
from .svg import ALARM, FAINT, GUIDE, INK, MARGIN, WIDTH, document, text, title
from .tables import layout_words, number

LEFT, TOP, RIGHT, BOTTOM = 84, 164, WIDTH - 28, 572  # of the field
#: kind -> its colour, those drawn first outermost
KINDS = {"both": "#8a63b8", "swizzled": "#0072b2", "padded": "#e69f00", "plain": "#5f6b7a"}
LEAST, MOST = 3.5, 15.0  # radius of one candidate, and of the fullest place
LOG_FROM = 6  # largest by smallest: from here on the axis is logarithmic
LABELS = 4
TICKS = 7


class Place(NamedTuple):
    """All candidates with these bytes and cycles."""

    bytes: int
    cycles: float
    kinds: dict[str, int]
    best: int  # row of the table

    @property
    def total(self) -> int:
        """Of candidates."""
        return sum(self.kinds.values())


class Axis(NamedTuple):
    """Where a value lies on the sheet, and the values that are written there."""

    at: Callable[[float], float]
    ticks: Sequence[float]
    words: str


def _line(report: Mapping[str, Any], word: str, kind: str) -> str:
    found = [report[name] for name in report["sides"] if name.startswith(kind)]
    return f"{word}: {'; '.join(found) or 'nothing does'}"


def search_scatter(report: Mapping[str, Any]) -> str:
    """One <svg> element: bytes to the right, cycles up, a circle for each place.

    `report` is `SearchResult.to_dict()`.
    """
    rejected = sum(report["rejected"].values())
    name = f"{report['rows']}x{report['cols']} {report['type']}, best layouts"
    summary = (
        f"{report['counted']:,} {'layout' if report['counted'] == 1 else 'layouts'} counted,"
        f" {rejected:,} rejected;"
        f" {plural(report['warps'], 'warp')}, {report['target']}"
    )
    head = [
        title(name, 30),
        text(MARGIN, 52, summary, 'font-size="14"'),
        text(MARGIN, 71, _line(report, "fill", "store"), _faint()),
        text(MARGIN, 87, _line(report, "read", "load"), _faint()),
    ]
    if not report["counted"]:
        none = text(MARGIN, 114, "no layout is legal", f'font-size="14" fill="{ALARM}"')
        return document(f"{name}: none", 132, [*head, none])
    places = places_of(report["columns"])
    x = _axis([place.bytes for place in places], LEFT + 24, RIGHT - 24, "bytes of shared memory")
    y = _axis([place.cycles for place in places], BOTTOM - 40, TOP + 40, "cycles to fill and read")
    front = pareto_places(report, places)
    body = [
        *head,
        *_legend(places),
        *_field(x, y),
        *_circles(places, x, y),
        _steps(front, _unit(places), x, y),
        *_labels(front, places, report, x, y),
    ]
    return document(f"{name}: {summary}", BOTTOM + 52, body)


def _kind(columns: Mapping[str, Sequence[int]], row: int) -> str:
    pad, swizzled = columns["pad"][row] > 0, columns["B"][row] > 0
    if pad and swizzled:
        return "both"
    return "padded" if pad else "swizzled" if swizzled else "plain"


def places_of(columns: Mapping[str, Sequence[Any]]) -> list[Place]:
    """The places, each with how many candidates of each kind lie there; best first."""
    found: dict[tuple[int, float], Place] = {}
    for row, where in enumerate(zip(columns["bytes"], columns["cycles"], strict=True)):
        place = found.setdefault(where, Place(*where, {}, row))
        kind = _kind(columns, row)
        place.kinds[kind] = place.kinds.get(kind, 0) + 1
    return list(found.values())


def pareto_places(report: Mapping[str, Any], places: Sequence[Place]) -> list[Place]:
    """The places of the Pareto set, from the fewest bytes on."""
    rows = set(report["pareto"])
    return sorted(place for place in places if place.best in rows)


def _axis(values: Sequence[float], low: float, high: float, words: str) -> Axis:
    """A scale from `low` to `high`, logarithmic where the values differ by much."""
    least, most = min(values), max(values)
    if least > 0 and most / least >= LOG_FROM:
        first, last = math.log(least), math.log(most)
        decades = range(math.floor(math.log10(least)), math.ceil(math.log10(most)) + 1)
        ticks = [factor * 10.0**decade for decade in decades for factor in (1, 2, 5)]
        return Axis(
            lambda value: low + (math.log(value) - first) / (last - first) * (high - low),
            [tick for tick in ticks if least <= tick <= most] or [least, most],
            f"{words} (logarithmic)",
        )
    if least == most:
        return Axis(lambda value: (low + high) / 2, [least], words)
    power = 10.0 ** math.floor(math.log10((most - least) / TICKS))
    step = next(f * power for f in (1, 2, 5, 10) if (most - least) / (f * power) <= TICKS)
    first_tick = math.ceil(least / step)
    count = math.floor(most / step) - first_tick + 1
    return Axis(
        lambda value: low + (value - least) / (most - least) * (high - low),
        [(first_tick + i) * step for i in range(count)],
        words,
    )


def _faint() -> str:
    return f'font-size="12" fill="{FAINT}"'


def _legend(places: Sequence[Place]) -> Iterable[str]:
    """How many candidates there are of each kind, and how to read the rest."""
    x = float(MARGIN)
    for kind, fill in reversed(KINDS.items()):
        count = sum(place.kinds.get(kind, 0) for place in places)
        if not count:
            continue
        words = f"{kind}: {count:,}" if kind != "both" else f"padded and swizzled: {count:,}"
        yield f'<circle cx="{x + 7:g}" cy="106" r="6" fill="{fill}"/>'
        yield text(x + 20, 110, words, 'font-size="12"')
        x += 40 + 7.5 * len(words)
    words = "area: how many layouts lie there; ringed: no other is better in both"
    yield text(MARGIN, 129, words, _faint())


def _field(x: Axis, y: Axis) -> Iterable[str]:
    """Both axes with their grid."""
    grid = "".join(f"M{x.at(tick):.1f} {TOP}V{BOTTOM}" for tick in x.ticks)
    grid += "".join(f"M{LEFT} {y.at(tick):.1f}H{RIGHT}" for tick in y.ticks)
    yield f'<path d="{grid}" stroke="{GUIDE}" stroke-width="0.5"/>'
    yield f'<path d="M{LEFT} {TOP}V{BOTTOM}H{RIGHT}" stroke="{FAINT}" fill="none"/>'
    words = "".join(text(round(x.at(tick), 1), BOTTOM + 18, f"{tick:,.10g}", "") for tick in x.ticks)
    yield f'<g font-size="11" fill="{FAINT}" text-anchor="middle">{words}</g>'
    words = "".join(text(LEFT - 8, round(y.at(tick) + 4, 1), f"{tick:,.10g}", "") for tick in y.ticks)
    yield f'<g font-size="11" fill="{FAINT}" text-anchor="end">{words}</g>'
    yield text((LEFT + RIGHT) / 2, BOTTOM + 40, x.words, 'font-size="12" text-anchor="middle"')
    yield text(MARGIN, TOP - 8, y.words, 'font-size="12"')


def _unit(places: Sequence[Place]) -> float:
    """The radius of a place with one candidate."""
    return min(LEAST, MOST / math.sqrt(max(place.total for place in places)))


def _circles(places: Sequence[Place], x: Axis, y: Axis) -> Iterable[str]:
    """A disc for each place, small ones above; kinds that share it: rings, by area, too."""
    unit = _unit(places)
    discs: dict[str, list[str]] = {kind: [] for kind in KINDS}
    for place in sorted(places, key=lambda place: -place.total):
        left = place.total
        for kind in KINDS:
            if kind in place.kinds:
                at = f'cx="{x.at(place.bytes):.1f}" cy="{y.at(place.cycles):.1f}"'
                discs[kind].append(f'<circle {at} r="{max(unit * math.sqrt(left), 1.5):.1f}"/>')
                left -= place.kinds[kind]
    for kind, fill in KINDS.items():
        if discs[kind]:
            drawn = "\n".join(discs[kind])
            yield f'<g fill="{fill}" fill-opacity=".75">\n{drawn}\n</g>'


def _steps(front: Sequence[Place], unit: float, x: Axis, y: Axis) -> str:
    """The edge of what is possible: to the right and up of it everything is worse."""
    first = front[0]
    path = f"M{x.at(first.bytes):.1f} {TOP}V{y.at(first.cycles):.1f}"
    for place in front[1:]:
        path += f"H{x.at(place.bytes):.1f}V{y.at(place.cycles):.1f}"
    rings = "".join(
        f'<circle cx="{x.at(place.bytes):.1f}" cy="{y.at(place.cycles):.1f}"'
        f' r="{unit * math.sqrt(place.total) + 3:.1f}"/>'
        for place in front
    )
    return f'<g stroke="{INK}" stroke-width="1.25" fill="none"><path d="{path}H{RIGHT}"/>{rings}</g>'


def _labels(
    front: Sequence[Place], places: Sequence[Place], report: Mapping[str, Any], x: Axis, y: Axis
) -> Iterable[str]:
    """The layouts of a few places of the Pareto set, where nothing else is drawn."""
    unit = _unit(places)
    taken = [_disc(place, unit + 0.5, x, y) for place in places]
    for place, after in pairwise(front):
        at = x.at(after.bytes)
        taken.append((at - 2, y.at(place.cycles), at + 2, y.at(after.cycles)))
    step = max(1, -(-len(front) // LABELS))
    for place in sorted(front, key=lambda place: place.best)[::step]:
        row = {name: values[place.best] for name, values in report["columns"].items()}
        words = layout_words(row)
        if place.total > 1:
            words += f" and {place.total - 1:,} more"
        words += f": {place.bytes:,} bytes, {number(place.cycles)} cycles"
        width, at, base = 7.5 * len(words), x.at(place.bytes), y.at(place.cycles)
        below, above = base + 20, base - 20
        spots = [(at + 14, below), (at - 14 - width, below), (at + 14, below + 13), (at + 14, above)]
        boxes = [(left, low - 12, left + width, low + 4) for left, low in spots]
        free = [box for box in boxes if _inside(box) and not any(_meet(box, b) for b in taken)]
        if free or place.best == 0:
            box = free[0] if free else boxes[0]
            taken.append(box)
            left = min(box[0], RIGHT - width)
            yield text(round(left, 1), round(box[1] + 12, 1), words, 'font-size="12" font-weight="600"')


Box = tuple[float, float, float, float]  # left, top, right, bottom


def _disc(place: Place, unit: float, x: Axis, y: Axis) -> Box:
    """The box around a place."""
    at, base, radius = x.at(place.bytes), y.at(place.cycles), unit * math.sqrt(place.total)
    return at - radius, base - radius, at + radius, base + radius


def _inside(box: Box) -> bool:
    return box[0] >= LEFT and box[1] >= TOP and box[2] <= RIGHT and box[3] <= BOTTOM


def _meet(box: Box, other: Box) -> bool:
    return box[0] < other[2] and other[0] < box[2] and box[1] < other[3] and other[1] < box[3]
