"""The punch card of a bank report: a row per pass, a column per bank, lanes in the boxes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from .._core import BANKS
from ..characters import escaped
from ..words import plural
from . import advice
from .svg import ALARM, BLACK, CAVEAT, FAINT, GUIDE, INK, MARGIN, SLOT, WHITE, document, text, title
from .text import subject

LEFT = 84  # where bank 0 begins
PITCH = 25  # from one bank to the next
ROW = 22  # from one pass to the next
GAP = 2
GROUP_HEAD = 24
GROUP_GAP = 14

# Blue is free; what has to wait goes from yellow to dark red. Lightness falls from pass 1 on, so
# the order survives without colour vision. Later passes than listed take the last entry.
PASS_FILL = (
    "#0072b2", "#fed976", "#feb24c", "#fd8d3c", "#fc4e2a",
    "#d7191c", "#b10026", "#800026", "#520a1c",
)  # fmt: skip
DARK_ON = range(1, 5)

KEY = "number in a box: the lane whose word the bank serves; 5+3: lane 5 and 3 more that share the word"

# What one row shows: the lanes of each (bank, word).
Row = Mapping[tuple[int, int], Sequence[int]]


def bank_report(report: dict[str, Any]) -> str:
    """A punch card as one <svg> element: a row per pass, a column per bank, lanes in the boxes.

    `report` is `BankReport.to_dict()`.
    """
    is_undefined = bool(advice.errors(report))
    lines = [(advice.headline(report), INK), *([] if is_undefined else _summary(report["traffic"]))]
    y = 30
    body = [title(report["ptx"], y)]
    about = subject(report)
    fix = report.get("fix")
    for line, colour in [*([(about, FAINT)] if about else []), *lines, *([(fix, INK)] if fix else [])]:
        y += 21
        body.append(text(MARGIN, y, line, f'font-size="14" fill="{colour}"'))
    if is_undefined:
        y += GROUP_GAP
    elif report["groups"]:
        body += [text(MARGIN, y + 20, KEY, f'font-size="12" fill="{FAINT}"'), bank_axis(y + 46)]
        y += 54
        for group in report["groups"]:
            picture, y = bank_group(group, y)
            body.append(picture)
    else:
        y += 30
        body.append(text(MARGIN, y, "no shared-memory access", f'font-size="14" fill="{FAINT}"'))
        y += GROUP_GAP
    return document(f"{report['ptx']}: {lines[0][0]}", y + 4, body)


def _summary(traffic: Mapping[str, Any]) -> list[tuple[str, str]]:
    """The lines under the title, each with its colour."""
    lines = [
        (
            f"{plural(traffic['wavefronts'], 'wavefront')}, {traffic['ideal_wavefronts']} ideal,"
            f" {plural(traffic['bank_conflicts'], 'bank conflict')}",
            ALARM if traffic["bank_conflicts"] else INK,
        )
    ]
    for what, names in (("approximate", traffic["inexact"]), ("unknown", traffic["unknown"])):
        if names:
            lines.append((f"{what}: {', '.join(names).replace('_', ' ')}", CAVEAT))
    return lines


def bank_axis(y: int) -> str:
    """The bank numbers over the columns."""
    places = ((bank, LEFT + bank * PITCH + PITCH // 2) for bank in range(BANKS))
    numbers = "".join(f'<text x="{x}" y="{y}">{bank}</text>' for bank, x in places)
    return (
        f'<g font-size="11" fill="{FAINT}" text-anchor="middle">{numbers}'
        f'<text x="{LEFT - 8}" y="{y}" text-anchor="end">bank</text></g>'
    )


def _rows(cells: Iterable[Mapping[str, int]]) -> dict[tuple[int, int], Row]:
    """Rows by (pass, n): the nth word of a bank in one pass gets a row of its own."""
    lanes_of: dict[tuple[int, int], dict[int, list[int]]] = {}
    for cell in cells:
        words = lanes_of.setdefault((cell["pass"], cell["bank"]), {})
        words.setdefault(cell["word"], []).append(cell["lane"])
    rows: dict[tuple[int, int], dict[tuple[int, int], list[int]]] = {}
    for (pass_, bank), words in sorted(lanes_of.items()):
        for n, word in enumerate(sorted(words)):
            rows.setdefault((pass_, n), {})[bank, word] = sorted(words[word])
    return {key: rows[key] for key in sorted(rows)}


def bank_group(group: Mapping[str, Any], y: int) -> tuple[str, int]:
    """One group of lanes drawn at y, and the y below it."""
    rows = _rows(group["cells"])
    wavefronts = plural(group["wavefronts"], "wavefront")
    passes = len({pass_ for pass_, _ in rows})
    if 0 < passes < group["wavefronts"]:
        wavefronts += f", drawn as {passes} {'pass' if passes == 1 else 'passes'}"
    top = y + GROUP_HEAD
    bottom = top + ROW * len(rows)
    parts = [
        f'<text x="{MARGIN}" y="{y + 17}" font-size="13">'
        f'<tspan font-weight="600">{escaped(group["name"])}</tspan> '
        f'<tspan dx="6" fill="{FAINT}">{escaped(wavefronts)}</tspan></text>'
    ]
    parts += [_row(key, row, top + ROW * n) for n, (key, row) in enumerate(rows.items())]
    guides = "".join(f"M{LEFT + bank * PITCH} {top}V{bottom}" for bank in range(4, BANKS, 4))
    parts.append(f'<path d="{guides}" stroke="{GUIDE}"/>')
    return "\n".join(parts), bottom + GROUP_GAP


def _row(key: tuple[int, int], row: Row, y: int) -> str:
    """The boxes of one pass over a strip of empty slots."""
    pass_, n = key
    shade = min(pass_, len(PASS_FILL) - 1)
    middle = y + ROW // 2
    label = "" if n else f"pass {pass_}"
    boxes = "\n".join(_box(pass_, place, lanes, y) for place, lanes in row.items())
    texts = "".join(_lanestext(place[0], lanes, middle) for place, lanes in row.items())
    return (
        f'<text x="{LEFT - 8}" y="{middle + 4}" font-size="11" fill="{FAINT}"'
        f' text-anchor="end">{label}</text>'
        f'<path d="M{LEFT + GAP // 2} {middle}h{BANKS * PITCH - GAP}" stroke="{SLOT}"'
        f' stroke-width="{ROW - GAP}" stroke-dasharray="{PITCH - GAP} {GAP}"/>\n'
        f'<g fill="{PASS_FILL[shade]}">\n{boxes}\n</g>\n'
        f'<g fill="{BLACK if shade in DARK_ON else WHITE}" text-anchor="middle" font-weight="600"'
        f' font-size="11" pointer-events="none">{texts}</g>'
    )


def _box(pass_: int, place: tuple[int, int], lanes: Sequence[int], y: int) -> str:
    """The box of one word, with all about it as a tooltip."""
    bank, word = place
    who = f"{'lane' if len(lanes) == 1 else 'lanes'} {', '.join(map(str, lanes))}"
    return (
        f'<rect x="{LEFT + bank * PITCH + GAP // 2}" y="{y + GAP // 2}" width="{PITCH - GAP}"'
        f' height="{ROW - GAP}" rx="2"><title>{who}: bank {bank}, pass {pass_}, word {word},'
        f" byte address {4 * word} (0x{4 * word:x})</title></rect>"
    )


def _lanestext(bank: int, lanes: Sequence[int], middle: int) -> str:
    """The first lane and how many more share its word: 5+3; on two lines where that is too wide."""
    x = LEFT + bank * PITCH + PITCH // 2
    first, more = f"{lanes[0]}", f"+{len(lanes) - 1}"
    if len(lanes) == 1:
        return f'<text x="{x}" y="{middle + 4}">{first}</text>'
    if len(first + more) <= 3:
        return f'<text x="{x}" y="{middle + 3}" font-size="9">{first}{more}</text>'
    return (
        f'<text font-size="8"><tspan x="{x}" y="{middle - 1}">{first}</tspan>'
        f'<tspan x="{x}" y="{middle + 8}">{more}</tspan></text>'
    )
