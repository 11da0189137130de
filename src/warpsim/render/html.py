"""One self-contained HTML page around a report: no script, no request, light and dark."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ..characters import attribute, escaped
from .svg import ALARM, CAVEAT, DARK, FAINT, FRAME, INK, MONO, PAPER, SANS, SLOT

_ROLES = {
    "paper": PAPER, "ink": INK, "faint": FAINT, "frame": FRAME, "slot": SLOT, "alarm": ALARM,
    "caveat": CAVEAT,
}  # fmt: skip

#: a page runs nothing and requests nothing, whatever text it shows
POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'"

#: pictures follow the reader's dark scheme: rules go before attributes, which hold their colours
_DARK_PICTURES = "\n".join(
    f'svg[fill="{light}"],svg [fill="{light}"]{{fill:{dark}}}svg [stroke="{light}"]{{stroke:{dark}}}'
    for light, dark in DARK.items()
)

# Pictures keep their size: what is wider than the screen scrolls in its own box, never the page.
STYLE = f"""
:root{{color-scheme:light dark;{";".join(f"--{name}:{role}" for name, role in _ROLES.items())}}}
*{{box-sizing:border-box}}
body{{margin:0 auto;padding:32px 16px 40px;max-width:932px;background:var(--paper);
color:var(--ink);font:16px/1.5 {SANS};overflow-wrap:anywhere;-webkit-text-size-adjust:100%}}
h1{{font-size:1.35rem;line-height:1.3;margin:0 0 1em;padding-bottom:.6em;
border-bottom:2px solid var(--ink)}}
h2{{font-size:1.1rem;line-height:1.3;margin:2.2em 0 .6em}}
p,ul{{margin:.6em 0;max-width:44em}}
ul{{padding-left:1.2em}}
li{{margin:.3em 0}}
figure,.table{{margin:1.2em 0;overflow-x:auto}}
figure svg{{display:block;max-width:none!important}}
pre,code{{font-family:{MONO};font-size:.85rem}}
pre{{margin:.6em 0;overflow-x:auto;padding:12px;border-radius:6px;background:var(--slot);
line-height:1.4;overflow-wrap:normal}}
table{{border-collapse:collapse;font-size:.95rem;font-variant-numeric:tabular-nums}}
caption{{text-align:left;color:var(--faint);padding-bottom:.4em}}
th,td{{padding:.3em 1.4em .3em 0;border-bottom:1px solid var(--frame);text-align:right;
vertical-align:top}}
.table th,.table td{{white-space:nowrap}}
th{{font-weight:600}}
th:first-child,td:first-child{{text-align:left}}
th:last-child,td:last-child{{padding-right:0}}
.table td:has(code),.table:has(code) th:last-child{{text-align:left}}
.facts{{margin:1.2em 0;min-width:min(100%,26em)}}
.facts th{{font-weight:400;color:var(--faint);overflow-wrap:normal}}
.facts td{{text-align:left}}
.finding{{margin:1.2em 0;padding:.1em 0 .1em 14px;border-left:4px solid var(--faint)}}
.finding b{{color:var(--faint)}}
.finding p,.finding ul{{margin:.4em 0}}
.error{{border-color:var(--alarm)}}
.error b,.caret{{color:var(--alarm)}}
.warning{{border-color:var(--caveat)}}
.warning b{{color:var(--caveat)}}
details{{margin:1.6em 0}}
summary{{cursor:pointer;color:var(--faint)}}
footer{{margin-top:3em;padding-top:.8em;border-top:1px solid var(--frame);color:var(--faint);
font-size:.85rem}}
@media (max-width:480px){{
h1{{font-size:1.15rem}}
table{{font-size:.85rem}}
}}
@media (prefers-color-scheme:dark){{
:root{{{";".join(f"--{name}:{DARK[role]}" for name, role in _ROLES.items())}}}
{_DARK_PICTURES}
}}
@media print{{
figure svg{{max-width:100%!important}}
}}
"""


def page(title: str, parts: Iterable[str], version: str, style: str = "") -> str:
    """A whole document: the title, then the parts as they are (made by the functions below).

    `style`: rules of this page alone.
    """
    body = "\n".join(part for part in parts if part)
    heading = escaped(title).replace(".", ".<wbr>")
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<link rel="icon" href="data:,">\n'
        f"<title>{escaped(title)}</title>\n<style>{STYLE}{style}</style>\n</head>\n<body>\n"
        f"<h1>{heading}</h1>\n<main>\n{body}\n</main>\n"
        f"<footer>warpsim {escaped(version)}</footer>\n</body>\n</html>\n"
    )


def with_command(found: str, command: str) -> str:
    """The page, with the command that made it at its end."""
    head, end, tail = found.rpartition("</footer>")
    return f"{head} &middot; <code>{escaped(command)}</code>{end}{tail}"


def figure(svg: str) -> str:
    """A picture, which scrolls inside its own box where the screen is narrow."""
    return f'<figure tabindex="0">{svg}</figure>'


def heading(words: str) -> str:
    """The title of a section."""
    return f"<h2>{escaped(words)}</h2>"


def paragraph(words: str) -> str:
    """One paragraph of plain words."""
    return f"<p>{escaped(words)}</p>"


def preformatted(words: str) -> str:
    """Text as a terminal shows it."""
    return f'<pre tabindex="0">{escaped(words)}</pre>'


def table(head: Sequence[str], rows: Sequence[Sequence[str]], caption: str) -> str:
    """One <table> of words, which scrolls inside its own box."""
    return table_of(head, [[escaped(cell) for cell in row] for row in rows], caption)


def table_of(head: Sequence[str], rows: Sequence[Sequence[str]], caption: str) -> str:
    """The same of cells that are HTML."""
    names = "".join(f'<th scope="col">{escaped(cell)}</th>' for cell in head)
    lines = [f"<tr>{names}</tr>"]
    lines += [f"<tr>{''.join(f'<td>{cell}</td>' for cell in row)}</tr>" for row in rows]
    return (
        f'<div class="table" tabindex="0" role="region" aria-label="{attribute(caption)}">'
        f"<table><caption>{escaped(caption)}</caption>"
        f"{''.join(lines)}</table></div>"
    )


def facts(rows: Sequence[tuple[str, str]]) -> str:
    """What a report is about: a name and a value in each row."""
    lines = "".join(f'<tr><th scope="row">{escaped(name)}</th><td>{escaped(value)}</td></tr>' for name, value in rows)
    return f'<table class="facts">{lines}</table>'


def details(summary: str, part: str) -> str:
    """A part that is folded away until the reader asks for it."""
    return f"<details><summary>{escaped(summary)}</summary>{part}</details>"


def items(lines: Sequence[str]) -> str:
    """A list; nothing if it is empty."""
    listed = "".join(f"<li>{escaped(line)}</li>" for line in lines)
    return f"<ul>{listed}</ul>" if lines else ""


def finding(severity: str, rule: str, place: str, parts: Sequence[str]) -> str:
    """One finding: its severity, rule and place, and the parts about it."""
    kind = severity if severity in ("error", "warning") else "note"
    where = f" {escaped(place)}" if place else ""
    return (
        f'<div class="finding {kind}"><p><b>{escaped(severity)}</b> <code>{escaped(rule)}</code>'
        f"{where}</p>{''.join(parts)}</div>"
    )


def source(line: str, caret: int, length: int) -> str:
    """A line of source, and carets under a piece of it; tabs are as wide as above."""
    before = "".join("\t" if sign == "\t" else " " for sign in line[:caret])
    carets = "^" * max(1, min(length, len(line) - caret))
    return f'<pre tabindex="0">{escaped(line)}\n<span class="caret">{before}{carets}</span></pre>'
