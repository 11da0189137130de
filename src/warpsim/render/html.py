"""One self-contained HTML page around a report: no script, no request, light and dark."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

from .svg import DARK, FAINT, FRAME, INK, MONO, PAPER, SANS, SLOT, WIDTH

#: pictures follow the reader's dark scheme: rules go before attributes, which hold their colours
_DARK_PICTURES = "\n".join(
    f'svg[fill="{light}"],svg [fill="{light}"]{{fill:{dark}}}'
    f'svg [stroke="{light}"]{{stroke:{dark}}}'
    for light, dark in DARK.items()
)

STYLE = f"""
:root{{color-scheme:light dark;--paper:{PAPER};--ink:{INK};
--faint:{FAINT};--frame:{FRAME};--slot:{SLOT}}}
*{{box-sizing:border-box}}
body{{margin:0 auto;padding:24px 16px 48px;max-width:960px;background:var(--paper);color:var(--ink);
font:16px/1.5 {SANS}}}
h1{{font-size:1.3rem;line-height:1.3;overflow-wrap:anywhere}}
h2{{font-size:1.05rem;margin:2em 0 .5em}}
figure{{margin:1em 0;overflow-x:auto}}
figure svg{{min-width:{WIDTH * 4 // 5}px}}
pre,code{{font-family:{MONO};font-size:.85rem}}
pre{{overflow-x:auto;padding:12px;border-radius:8px;background:var(--slot)}}
.table{{overflow-x:auto}}
table{{border-collapse:collapse;font-variant-numeric:tabular-nums}}
caption{{text-align:left;color:var(--faint);padding-bottom:.4em}}
th,td{{padding:.25em .8em .25em 0;border-bottom:1px solid var(--frame);text-align:right;
white-space:nowrap}}
th:first-child,td:first-child{{text-align:left}}
details{{margin:1.5em 0}}
summary{{cursor:pointer;color:var(--faint)}}
.facts td{{text-align:left;white-space:normal;overflow-wrap:anywhere}}
.facts th{{font-weight:400;color:var(--faint);vertical-align:top}}
footer{{margin-top:3em;color:var(--faint);font-size:.85rem}}
@media (prefers-color-scheme:dark){{
:root{{--paper:{DARK[PAPER]};--ink:{DARK[INK]};
--faint:{DARK[FAINT]};--frame:{DARK[FRAME]};--slot:{DARK[SLOT]}}}
{_DARK_PICTURES}
}}
"""


def page(title: str, parts: Iterable[str]) -> str:
    """A whole document: the title, then the parts as they are (made by the functions below)."""
    body = "\n".join(parts)
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<link rel="icon" href="data:,">\n'
        f"<title>{escape(title)}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n"
        f"<h1>{escape(title)}</h1>\n{body}\n</body>\n</html>\n"
    )


def figure(svg: str) -> str:
    """A picture, which scrolls inside its own box where the screen is narrow."""
    return f'<figure tabindex="0">{svg}</figure>'


def heading(words: str) -> str:
    """The title of a section."""
    return f"<h2>{escape(words)}</h2>"


def paragraph(words: str) -> str:
    """One paragraph of plain words."""
    return f"<p>{escape(words)}</p>"


def preformatted(words: str) -> str:
    """Text as a terminal shows it."""
    return f'<pre tabindex="0">{escape(words)}</pre>'


def table(head: Sequence[str], rows: Sequence[Sequence[str]], caption: str) -> str:
    """One <table>, which scrolls inside its own box."""
    names = "".join(f'<th scope="col">{escape(cell)}</th>' for cell in head)
    lines = [f"<tr>{names}</tr>"]
    lines += [f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in row)}</tr>" for row in rows]
    return (
        f'<div class="table" tabindex="0"><table><caption>{escape(caption)}</caption>'
        f"{''.join(lines)}</table></div>"
    )


def facts(rows: Sequence[tuple[str, str]]) -> str:
    """What a report is about: a name and a value in each row."""
    lines = "".join(
        f'<tr><th scope="row">{escape(name)}</th><td>{escape(value)}</td></tr>'
        for name, value in rows
    )
    return f'<table class="facts">{lines}</table>'


def items(lines: Sequence[str]) -> str:
    """A list; nothing where there is none."""
    listed = "".join(f"<li>{escape(line)}</li>" for line in lines)
    return f"<ul>{listed}</ul>" if lines else ""


def details(summary: str, part: str) -> str:
    """A part that is folded away until the reader asks for it."""
    return f"<details><summary>{escape(summary)}</summary>{part}</details>"
