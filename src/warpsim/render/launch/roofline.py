"""The roofline of a launch: what the pipes and memories allow for its multiply-adds, each axis a logarithm."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import ceil, floor, log2
from typing import Any

from .. import svg

LEFT, RIGHT, TALL = 150, svg.WIDTH - svg.MARGIN - 150, 240
ROOM = 1  # powers of two on each side of what is shown
TALL_POWERS = 4  # from the highest peak down, at least
COLOURS = ("#0072b2", "#b3561e", "#2b7a4b", "#7b4fa3")
MOST_TICKS = 10


class _Axes:
    """Where multiply-adds of a byte, and of a cycle, lie on the sheet; `top`: of the chart."""

    def __init__(self, roofs: Sequence[Mapping[str, Any]], top: float) -> None:
        memories = [(log2(roof["rate"]), log2(roof["intensity"])) for roof in roofs if roof["intensity"]]
        peak = log2(max(roof["rate"] for roof in roofs if not roof["intensity"]))
        least = log2(min(roof["rate"] for roof in roofs if not roof["intensity"]))
        heights = [least, peak - TALL_POWERS, *(min(peak, rate + intensity) for rate, intensity in memories)]
        across = [power for rate, intensity in memories for power in (intensity, peak - rate)]
        self.across = floor(min(across)) - ROOM, ceil(max(across)) + ROOM
        self.up = floor(min(heights)) - 1, ceil(peak) + 1
        self.top = top

    def x(self, power: float) -> float:
        """Of a power of two multiply-adds a byte."""
        low, high = self.across
        return LEFT + (RIGHT - LEFT) * (power - low) / (high - low)

    def y(self, power: float) -> float:
        """Of a power of two multiply-adds a cycle."""
        low, high = self.up
        return self.top + TALL * (high - power) / (high - low)


def _number(power: int) -> str:
    """A power of two in figures."""
    return f"{2**power:,}" if power >= 0 else f"1/{2**-power:,}"


def _grid(axes: _Axes) -> list[str]:
    found = [
        f'<rect x="{LEFT}" y="{axes.top:.0f}" width="{RIGHT - LEFT}" height="{TALL}" fill="none" stroke="{svg.GUIDE}"/>'
    ]
    small = f'font-size="11" fill="{svg.FAINT}"'
    for power in range(axes.across[0], axes.across[1] + 1, 1 + (axes.across[1] - axes.across[0]) // MOST_TICKS):
        words = svg.text(axes.x(power), axes.top + TALL + 16, _number(power), f'{small} text-anchor="middle"')
        found.append(words)
    for power in range(axes.up[0], axes.up[1] + 1, 1 + (axes.up[1] - axes.up[0]) // MOST_TICKS):
        found.append(svg.text(LEFT - 8, axes.y(power) + 4, _number(power), f'{small} text-anchor="end"'))
    return found


def _line(axes: _Axes, ends: Sequence[tuple[float, float]], colour: str) -> str:
    (x1, y1), (x2, y2) = ((axes.x(x), axes.y(y)) for x, y in ends)
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="{colour}" stroke-width="2"/>'


def _memory(axes: _Axes, roof: Mapping[str, Any], peak: float, colour: str) -> list[str]:
    """The slope of a memory up to the highest peak, and the launch on it."""
    rate, at = log2(roof["rate"]), log2(roof["intensity"])
    first, last = max(axes.across[0], axes.up[0] - rate), min(axes.across[1], peak - rate)
    if first >= last:
        return []
    height = min(at + rate, peak)
    return [
        _line(axes, [(first, first + rate), (last, last + rate)], colour),
        f'<circle cx="{axes.x(at):.1f}" cy="{axes.y(height):.1f}" r="5" fill="{colour}"/>',
    ]


def chart(contents: Mapping[str, Any], top: float) -> tuple[list[str], float]:
    """The chart and where it ends; nothing of a launch without multiply-adds, or that touches no memory."""
    memories = [roof for roof in contents["roofs"] if roof["intensity"]]
    peaks = [roof for roof in contents["roofs"] if not roof["intensity"]]
    if not memories or not peaks:
        return [], top - 8
    axes = _Axes(contents["roofs"], top + 28)
    peak = log2(max(roof["rate"] for roof in peaks))
    head = "roofline: multiply-adds a cycle over multiply-adds a byte; a dot is what the launch has of a memory"
    body = [svg.text(svg.MARGIN, top, head, 'font-size="13"'), *_grid(axes)]
    for roof in peaks:
        height = log2(roof["rate"])
        body.append(_line(axes, [(axes.across[0], height), (axes.across[1], height)], svg.INK))
        body.append(svg.text(RIGHT + 8, axes.y(height) + 4, f"{roof['name']} {roof['rate']:,.0f}", 'font-size="12"'))
    y = axes.top + TALL + 38
    for roof, colour in zip(memories, COLOURS, strict=False):
        body += _memory(axes, roof, peak, colour)
        words = f"{roof['name']}: {roof['rate']:,.0f} bytes a cycle, {roof['intensity']:.3g} multiply-adds a byte"
        body.append(f'<circle cx="{LEFT + 5}" cy="{y - 4:.0f}" r="5" fill="{colour}"/>')
        body.append(svg.text(LEFT + 16, y, words, 'font-size="12"'))
        y += 18
    return body, y
