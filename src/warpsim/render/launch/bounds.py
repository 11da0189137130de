"""What a launch takes at least, pipe by pipe: as text, as tables, as bars on one scale of cycles."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ...words import plural
from .. import html, svg
from ..tables import right
from ..text import wrapped
from . import roofline

ROW, BAR, TOP = 28, 16, 104
LEFT = 150  # where 0 cycles are
RIGHT = svg.WIDTH - svg.MARGIN - 150  # where the longest bar ends
BOUND, LEAST, WRITTEN = "#0072b2", "#8fa6c1", "#dfe4ec"
HEAD = ("", "warp", "block", "grid", "as written")


def title(contents: Mapping[str, Any]) -> str:
    """What is bounded, where."""
    where = f"{contents['target']}, {contents['sms']} SMs of {contents['gpu']}"
    return f"{contents['kernel']}: cycles at least, {where}"


def cycles(value: float) -> str:
    """Whole cycles; below ten, tenths."""
    return f"{value:,.1f}" if 0 < value < 10 else f"{value:,.0f}"


def share(value: float) -> str:
    """Bytes in words."""
    for unit, size in (("GiB", 2**30), ("MiB", 2**20), ("KiB", 2**10)):
        if value >= size:
            return f"{value / size:,.1f} {unit}"
    return f"{value:,.0f} bytes"


def headline(contents: Mapping[str, Any]) -> str:
    """The bound, the estimate, and how the grid fills the GPU."""
    if not contents["by"] and not contents["estimate"]:
        return "nothing is counted that takes a cycle"
    told = f"{cycles(contents['cycles'])} cycles at least, bound by {contents['by']}" if contents["by"] else "no bound"
    return f"{told}; {cycles(contents['estimate'])} as the text is written, by {contents['estimate_by']}"


def filled(contents: Mapping[str, Any]) -> str:
    """Blocks, waves and what is touched."""
    fits = contents["occupancy"]
    held = f"{plural(contents['blocks'], 'block')} of {plural(contents['warps'], 'warp')}"
    waves = f"; an SM holds {fits['blocks']} ({fits['limit']}): {plural(contents['waves'], 'wave')}" if fits else ""
    read, written = share(contents["read_bytes"]), share(contents["written_bytes"])
    return f"{held}{waves}; distinct sectors: {read} read, {written} written"


def _rows(contents: Mapping[str, Any]) -> list[tuple[str, ...]]:
    return [
        (pipe["name"], *(cycles(pipe[name]) for name in ("warp", "block", "grid", "written")))
        for pipe in contents["pipes"]
    ]


def _parts(pipe: Mapping[str, Any]) -> str:
    """What a pipe's bound is made of, where it is of several things or of a type."""
    return ", ".join(f"{name} {cycles(value)}" for name, value in pipe["parts"].items())


def line(contents: Mapping[str, Any]) -> str:
    """In a line of the report of a launch."""
    least = f"takes at least {cycles(contents['cycles'])} cycles on {contents['gpu']} ({contents['by'] or 'no bound'})"
    return f"{least}; {cycles(contents['estimate'])} as written ({contents['estimate_by']})"


def text(contents: Mapping[str, Any]) -> str:
    """The answer, the pipes, what they are made of."""
    lines = [wrapped(title(contents)), wrapped(headline(contents)), wrapped(filled(contents))]
    if contents["pipes"]:
        lines += ["", right([HEAD, *_rows(contents)])]
        made = [f"{pipe['name']}: {_parts(pipe)}" for pipe in contents["pipes"] if pipe["parts"]]
        lines += ["", *(wrapped(f"  {one}") for one in made)] if made else []
    return "\n".join([*lines, *(wrapped(note) for note in contents["notes"])])


def html_parts(contents: Mapping[str, Any]) -> list[str]:
    """The same as HTML, without the picture."""
    made = [f"{one['name']}: {_parts(one)}" for one in contents["pipes"] if one["parts"]]
    rates = html.items([f"{one['name']}: {one['source']}" for one in contents["pipes"]])
    return [
        html.paragraph(f"{headline(contents)}. {filled(contents)}."),
        html.table(HEAD, _rows(contents), "cycles: of an average warp and block, and of the grid"),
        html.items([*made, *contents["notes"]]),
        html.details("Where the rates come from", rates) if contents["pipes"] else "",
    ]


def _legend(contents: Mapping[str, Any]) -> list[str]:
    parts, x = [], float(svg.MARGIN)
    for words, fill in (
        ("at least", LEAST), (f"at least, what binds: {contents['by'] or 'nothing'}", BOUND),
        ("as the text is written (an estimate)", WRITTEN),
    ):  # fmt: skip
        parts.append(f'<rect x="{x:.0f}" y="76" width="14" height="12" rx="2" fill="{fill}" stroke="{svg.FRAME}"/>')
        parts.append(svg.text(x + 20, 86, words, 'font-size="12"'))
        x += 40 + 6.6 * len(words)
    return parts


def _bar(pipe: Mapping[str, Any], y: float, most: float, fill: str) -> list[str]:
    """The name, the estimate, the bound before it, and both in figures."""
    room = RIGHT - LEFT
    said = f"{cycles(pipe['grid'])}  ({cycles(pipe['written'])})"
    found = [svg.text(LEFT - 10, y + 12, pipe["name"], 'font-size="13" text-anchor="end"')]
    for value, colour in ((pipe["written"], WRITTEN), (pipe["grid"], fill)):
        width = room * value / most
        if width > 0:
            found.append(
                f'<rect x="{LEFT}" y="{y:.0f}" width="{width:.1f}" height="{BAR}" rx="2" fill="{colour}"'
                f' stroke="{svg.FRAME}" stroke-width="0.5"/>'
            )
    end = LEFT + room * max(pipe["grid"], pipe["written"]) / most
    return [*found, svg.text(end + 8, y + 12, said, 'font-size="12"')]


def _sheet(contents: Mapping[str, Any], body: Sequence[str], height: float) -> str:
    name = title(contents)
    head = [svg.title(name, 32), svg.text(svg.MARGIN, 56, headline(contents), 'font-size="13"')]
    return svg.document(name, round(height), [*head, *body])


def picture(contents: Mapping[str, Any]) -> str:
    """One self-contained <svg> element; `contents` is `Bounds.to_dict()`."""
    pipes = contents["pipes"]
    if not pipes:
        return _sheet(contents, [], TOP)
    most = max(max(pipe["grid"], pipe["written"]) for pipe in pipes)
    body, y = _legend(contents), float(TOP)
    roof = LEFT + (RIGHT - LEFT) * contents["cycles"] / most
    bottom = y + ROW * len(pipes)
    if contents["by"]:
        body.append(
            f'<line x1="{roof:.1f}" x2="{roof:.1f}" y1="{TOP - 6}" y2="{bottom:.0f}" stroke="{svg.INK}"'
            ' stroke-dasharray="4 3"/>'
        )
    for pipe in pipes:
        body += _bar(pipe, y, most, BOUND if pipe["name"] == contents["by"] else LEAST)
        y += ROW
    body += svg.lines(y + 16, f"{filled(contents)}.", f'font-size="12" fill="{svg.FAINT}"')
    drawn, y = roofline.chart(contents, y + 60)
    return _sheet(contents, [*body, *drawn], y)
