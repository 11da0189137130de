"""Cycles as bars: what each part of an SM is busy for, against the cycles of the whole."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from ..words import plural
from .cycles import evidence, heading_of_loop, loop_cycles, program_cycles
from .svg import CAVEAT, FAINT, GUIDE, INK, MARGIN, SLOT, WIDTH, document, lines, text, title
from .tables import number

LEFT = 138  # where 0 cycles are
RIGHT = WIDTH - MARGIN - 116  # where the longest bar ends; the values follow
ROW, BAR = 28, 18
TICK = 40  # above the bars: the ticks, and the words of the mark
BUSY, BOUND, WAIT = "#8fa6c1", "#0072b2", "#c3a36b"


class Bar(NamedTuple):
    """One part: pieces (first cycle, cycles) and what is said of it."""

    label: str
    pieces: Sequence[tuple[float, float]]
    words: str
    fill: str = BUSY


def mainloop(report: Mapping[str, Any]) -> str:
    """Busy cycles of each part of the SM in one iteration.

    `report` is `LoopReport.to_dict()`.
    """
    cycles = report["cycles"]
    mark = cycles, f"{number(round(cycles))} an iteration"
    chart, y = _chart(66, mainloop_bars(report), mark, report["error"])
    sure = f"assumed: {report['assumed']}. {evidence(report)}" if report["assumed"] else evidence(report)
    return _sheet(heading_of_loop(report), loop_cycles(report, is_picture=True), sure, y, [chart])


def mainloop_bars(report: Mapping[str, Any]) -> list[Bar]:
    """Its parts, the longest first; what nothing is busy for comes last."""
    cycles = report["cycles"]
    bars = [
        Bar(
            name + (" (rest)" if name == "latency" else ""),
            [(0, value)],
            f"{number(round(value))}  {value / cycles:.0%}",
            _fill(name, report["bound"]),
        )
        for name, value in report["breakdown"].items()
    ]
    return sorted(bars, key=lambda bar: (bar.label.startswith("latency"), -bar.pieces[0][1]))


def mainloops(reports: Mapping[str, Mapping[str, Any]]) -> str:
    """Several main loops in one picture: their cycles, and how long their tensor pipes are busy.

    `reports`: a name of at most 14 characters for each `LoopReport.to_dict()`.
    """
    bars = []
    for name, report in reports.items():
        cycles, tensor = report["cycles"], report["breakdown"]["tensor pipe"]
        bars.append(Bar(name, [(0, cycles)], number(round(cycles)), BOUND))
        busy = f"{number(round(tensor))}  {tensor / cycles:.0%}"
        bars.append(Bar("tensor pipe", [(0, tensor)], busy))
    name, best = min(reports.items(), key=lambda item: item[1]["cycles"])
    chart, y = _chart(66, bars, (best["cycles"], f"{number(round(best['cycles']))} {name}"), None)
    kinds = dict.fromkeys(heading_of_loop(report) for report in reports.values())
    errors = dict.fromkeys(evidence(report) for report in reports.values())
    return _sheet("; ".join(kinds), "cycles of an iteration", "; ".join(errors), y, [chart])


def cost(report: Mapping[str, Any]) -> str:
    """The interval that each part allows, and the latency.

    `report` is `Cost.to_dict()`.
    """
    parts = report["breakdown"]
    bars = [
        Bar(name, [(0, value)], f"{value:.4g}", _fill(name, report["bound"]))
        for name, value in parts.items()
        if name != "latency"
    ]
    interval, latency, fixed = report["interval"], report["latency"], parts["latency"]
    words = (
        f"interval: cycles per instruction and SM, {plural(report['warps'], 'warp')} repeating it;"
        f" bound by the {report['bound']}"
    )
    body = [text(MARGIN, 82, words, 'font-size="13"')]
    chart, y = _chart(86, bars, (interval, f"{interval:.4g}"), report["interval_error"])
    words = "latency: cycles from its issue to the issue of a dependent instruction"
    body += [chart, text(MARGIN, y + 16, words, 'font-size="13"')]
    waits = [
        Bar("fixed", [(0, fixed)], f"{fixed:.4g}", WAIT),
        Bar("wavefronts", [(fixed, latency - fixed)], f"{latency - fixed:.4g}"),
    ]
    chart, y = _chart(y + 24, waits, (latency, f"{latency:.4g}"), None)
    summary = f"latency {latency:g}, interval {interval:.4g} cycles, {report['target']}"
    return _sheet(report["ptx"], summary, evidence(report), y, [*body, chart])


def program_cost(report: Mapping[str, Any]) -> str:
    """The start, what has to be waited for longest, and the latency, one after another.

    `report` is `ProgramCost.to_dict()`.
    """
    parts, cycles = report["breakdown"], report["cycles"]
    start, latency = parts["start"], parts["latency"]
    pipe = f"{parts['data pipe']:.4g}"
    if parts["drain"]:
        pipe += f" + {parts['drain']:.4g} drain"
    after = start + parts["data pipe"]
    bound = report["bound"]
    bars = [
        Bar("start", [(0, start)], f"{start:.4g}", WAIT),
        Bar("data pipe", [(start, parts["data pipe"]), (after, parts["drain"])], pipe, _fill("data pipe", bound)),
        *(
            Bar(name, [(start, parts[name])], f"{parts[name]:.4g}", _fill(name, bound))
            for name in ("sub-partition", "warp")
        ),
        Bar("latency", [(cycles - latency, latency)], f"{latency:.4g}", _fill("latency", bound, WAIT)),
    ]
    chart, y = _chart(66, bars, (cycles, f"{number(cycles)} cycles"), report["error"])
    name = f"Straight-line program, {plural(report['warps'], 'warp')}, {report['target']}"
    return _sheet(name, program_cycles(report), evidence(report), y, [chart])


def _fill(name: str, bound: str, other: str = BUSY) -> str:
    """The colour of a part: the bound is marked."""
    return BOUND if name == bound else other


def _sheet(name: str, summary: str, source: str, y: float, body: Iterable[str]) -> str:
    """Title, summary, charts, and at the bottom how sure it is."""
    unsure = lines(y + 14, source, f'font-size="12" fill="{CAVEAT}"')
    head = [title(name, 30), text(MARGIN, 54, summary, 'font-size="14"')]
    return document(f"{name}: {summary}", round(y + 10 + 17 * len(unsure)), [*head, *body, *unsure])


def _step(span: float, most: int = 8) -> float:
    """The least of 1, 2, 5, 10 ... that gives at most that many ticks."""
    power = 10.0 ** (len(f"{span / most:.0f}") - 1) if span >= most else 0.001
    while True:
        for factor in (1, 2, 5):
            if span / (factor * power) <= most:
                return factor * power
        power *= 10


def _chart(y: float, bars: Sequence[Bar], mark: tuple[float, str], error: float | None) -> tuple[str, float]:
    """Bars over a scale at y, a line at the cycles of the whole, and the y below them."""
    at, words = mark
    ends = [first + length for bar in bars for first, length in bar.pieces]
    span = max(at * (1 + (error or 0)), *ends) or 1
    scale = (RIGHT - LEFT) / span
    top = y + TICK
    bottom = top + ROW * len(bars)
    step = _step(span)
    ticks = [i * step for i in range(int(span / step + 1e-9) + 1)]
    grid = "".join(f"M{LEFT + tick * scale:.1f} {top - 4:g}V{bottom:g}" for tick in ticks)
    x = LEFT + at * scale
    places = ((LEFT + tick * scale, f"{tick:,g}") for tick in ticks)
    labels = "".join(
        text(round(place, 1), top - 8, tick, "") for place, tick in places if abs(place - x) > 4 * len(tick) + 2
    )
    anchor = "middle" if x < RIGHT else "end"
    parts = [
        f'<path d="{grid}" stroke="{GUIDE}" stroke-width="0.5"/>',
        f'<g font-size="11" fill="{FAINT}" text-anchor="middle">{labels}</g>',
        *(_bar(bar, top + ROW * i, scale) for i, bar in enumerate(bars)),
        f'<path d="M{x:.1f} {top - 22:g}V{bottom:g}" stroke="{INK}" stroke-width="1.5"'
        ' stroke-dasharray="5 3" fill="none"/>',
        text(
            round(x, 1), top - 26, words,
            f'font-size="12" font-weight="600" text-anchor="{anchor}"',
        ),
    ]  # fmt: skip
    if error:
        low, high = x - at * error * scale, x + at * error * scale
        parts.append(
            f'<path d="M{low:.1f} {bottom + 3:g}v8m0 -4H{high:.1f}m0 -4v8" fill="none"'
            f' stroke="{CAVEAT}" stroke-width="1.5"/>'
        )
        bottom += 12
    return "\n".join(parts), bottom + 14


def _bar(bar: Bar, y: float, scale: float) -> str:
    """One bar in its slot, its name before it and its value after it."""
    top, base = y + (ROW - BAR) / 2, y + ROW / 2 + 4
    rects = "".join(
        f'<rect x="{LEFT + first * scale:.1f}" y="{top:g}" width="{length * scale:.1f}"'
        f' height="{BAR}" fill="{bar.fill}" fill-opacity="{0.55 if i else 1}"/>'
        for i, (first, length) in enumerate(bar.pieces)
        if length
    )
    weight = ' font-weight="600"' if bar.fill == BOUND else ""
    return "\n".join(
        [
            f'<rect x="{LEFT}" y="{top:g}" width="{RIGHT - LEFT}" height="{BAR}" fill="{SLOT}"/>',
            rects,
            text(LEFT - 8, base, bar.label, f'font-size="13" text-anchor="end"{weight}'),
            text(RIGHT + 8, base, bar.words, f'font-size="12"{weight}'),
        ]
    )
