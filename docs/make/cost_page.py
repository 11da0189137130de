"""Writes the generated parts of docs/explain/cost.md and its scatter plot.

python3 -m docs.make.cost_page
"""

import math

import numpy as np

import warpsim as ws
from docs.make import cost_evidence
from docs.make.markdown import replaced, table
from docs.make.timings import errors
from tests.support.paths import DOCS
from warpsim.render import svg

PAGE, PLOT = DOCS / "explain" / "cost.md", DOCS / "explain" / "cost_mainloops.svg"
WORST = 8
LOW, HIGH, SIDE, MARGIN = 70.0, 20000.0, 420.0, 60.0
TICKS = (100, 200, 500, 1000, 2000, 5000, 10000)


def families() -> str:
    """One row for each family of measurements."""
    rows = []
    for family, cases in cost_evidence.families():
        found = errors(cases)
        figures = (np.median(found), np.percentile(found, 95), found.max())
        rows.append((family, f"{len(cases):,}", *(f"{100 * value:.1f} %" for value in figures)))
    return "\n".join(table("what | cases | median error | 95th percentile | worst", rows))


def worst() -> str:
    """The main loops that the model misses most."""
    cases = sorted(cost_evidence.mainloops(), key=lambda case: -abs(case.error))[:WORST]
    rows = ((case.label, f"{case.measured:.0f}", f"{case.model:.0f}", f"{100 * case.error:+.0f} %") for case in cases)
    return "\n".join(table("loop | measured | model | error", rows))


def constants() -> str:
    """All constants of sm_90, as ws.arch has them."""
    rows = (
        (f"`{c.name}`", f"{c.value:g} {c.unit}", c.meaning, c.basis, c.source)
        for c in ws.arch("sm_90").constants.values()
    )
    return "\n".join(table("constant | value | meaning | basis | source", rows))


def place(cycles: float) -> float:
    """Where a number of cycles is on an axis, from 0 to SIDE."""
    if not LOW <= cycles <= HIGH:
        raise ValueError(f"cycles: expected {LOW:g} to {HIGH:g}, the plot's axes; got {cycles:g}")
    return SIDE * math.log(cycles / LOW) / math.log(HIGH / LOW)


def plot() -> str:
    """Model against measurement for all main loops, logarithmic, as SVG."""
    size = SIDE + 2 * MARGIN
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {size:g} {size:g}" role="img"'
        f' font-family="{svg.SANS}" font-size="12" fill="{svg.INK}">',
        "<title>Main loops: cycles per iteration, model against measurement</title>",
        f'<rect width="{size:g}" height="{size:g}" rx="8" fill="{svg.PAPER}"/>',
    ]
    for tick in TICKS:
        x, y = MARGIN + place(tick), size - MARGIN - place(tick)
        ends = f'x1="{x:.1f}" x2="{x:.1f}" y1="{MARGIN:g}" y2="{size - MARGIN:g}"'
        rows = f'y1="{y:.1f}" y2="{y:.1f}" x1="{MARGIN:g}" x2="{size - MARGIN:g}"'
        parts += [f'<line {line} stroke="{svg.SLOT}"/>' for line in (ends, rows)]
        parts.append(f'<text x="{x:.1f}" y="{size - MARGIN + 18:g}" text-anchor="middle">{tick}</text>')
        parts.append(f'<text x="{MARGIN - 6:g}" y="{y + 4:.1f}" text-anchor="end">{tick}</text>')
    for factor, dash in ((1.0, ""), (1.2, ' stroke-dasharray="4 4"'), (1 / 1.2, ' stroke-dasharray="4 4"')):
        low, high = max(LOW, LOW / factor), min(HIGH, HIGH / factor)
        ends = [(MARGIN + place(c), size - MARGIN - place(c * factor)) for c in (low, high)]
        line = " ".join(f'x{i}="{x:.1f}" y{i}="{y:.1f}"' for i, (x, y) in enumerate(ends, 1))
        parts.append(f'<line {line} stroke="{svg.GUIDE}"{dash}/>')
    for case in [*cost_evidence.mainloops(), *cost_evidence.own_mainloops("held_loops")]:
        x, y = MARGIN + place(case.measured), size - MARGIN - place(case.model)
        colour = 'fill="#bc4c00"' if case.is_drawn else 'fill="none" stroke="#0969da"'
        parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3.5" {colour}/>')
    middle = size / 2
    parts += [
        f'<text x="{middle:g}" y="{size - 14:g}" text-anchor="middle">measured, cycles per iteration</text>',
        f'<text x="16" y="{middle:g}" text-anchor="middle" transform="rotate(-90 16 {middle:g})">'
        "model, cycles per iteration</text>",
        f'<circle cx="{MARGIN + 16:g}" cy="24" r="3.5" fill="#bc4c00"/>'
        f'<text x="{MARGIN + 26:g}" y="28">timed after the model was final</text>',
        f'<circle cx="{MARGIN + 16:g}" cy="42" r="3.5" fill="none" stroke="#0969da"/>'
        f'<text x="{MARGIN + 26:g}" y="46">fitted; dashed: 20 % error</text>',
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def page() -> str:
    """The page with its generated parts made anew."""
    made = {"table": families, "worst": worst, "constants": constants}
    marks = {name: (f"<!-- {name}: generated -->\n", "<!-- end -->") for name in made}
    return replaced(PAGE, {marks[name]: f"{make()}\n" for name, make in made.items()})


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
    PLOT.write_text(plot(), encoding="utf-8")
