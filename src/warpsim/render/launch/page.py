"""The HTML of a launch, as far as a notebook shows it: totals, shared memory by kind, costliest lines, findings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from ...characters import escaped
from .. import html
from . import bounds
from .heat import picture
from .text import SHARED_HEAD, alike, cost_columns, costliest, others_of, place_of, shared_rows, totals


def _finding(number: int, one: Mapping[str, Any]) -> str:
    place = f'<a href="#p{one["line"]}">line {one["line"]}</a>'
    message = "<br>".join(escaped(line.strip()) for line in one["message"].split("\n"))
    about = [f"<p>{place}: <code>{escaped(one['opcode'])}</code></p>", f"<p>{message}</p>"]
    found = html.finding(one["severity"], one["rule"], "", [*about, html.items([one["fix"]])])
    return found.replace("<div ", f'<div id="finding-{number}" ', 1)


def _together(findings: Sequence[Mapping[str, Any]], numbers: Sequence[int]) -> str:
    """A group of findings: the first one, and the others folded up."""
    first, *others = (_finding(number, findings[number]) for number in numbers)
    where = others_of([findings[number] for number in numbers]) or "the same lines, found in another way"
    return first + (html.details(where, "".join(others)) if others else "")


def _costliest(contents: Mapping[str, Any], source: Sequence[str]) -> str:
    lines = contents["lines"]
    chosen, rows = costliest(lines), []
    names = cost_columns(lines, chosen)
    for i in chosen:
        number = lines["line"][i]
        cells = [f'<a href="#p{number}">{number}</a>', *(f"{lines[name][i]:,}" for name in names)]
        place = " ".join([place_of(contents, i), source[i]]).strip()
        rows.append([*cells, f"<code>{escaped(lines['text'][i])}</code>", f"<code>{escaped(place)}</code>"])
    head = ["line", *(name.replace("_", " ") for name in names), "PTX", "source"]
    return html.table_of(head, rows, "by wavefronts, then sectors, then warp instructions")


def parts(contents: Mapping[str, Any], ran: str, remarks: Sequence[str], source: Sequence[str]) -> list[str]:
    """What ran, what it cost and what is wrong."""
    found = [html.paragraph(ran), html.items([*totals(contents["totals"]), *remarks])]
    if contents["shared"]:
        found.append(
            html.table(SHARED_HEAD, shared_rows(contents["shared"]), "shared memory, as Nsight Compute counts it")
        )
    if contents["findings"]:
        found += [html.heading("Findings"), *map(partial(_together, contents["findings"]), alike(contents["findings"]))]
    else:
        found.append(html.paragraph("no findings"))
    if contents["lines"]["line"]:
        found += [html.heading("Lines that cost most"), html.figure(picture(contents)), _costliest(contents, source)]
    if contents["bounds"]:
        found += [
            html.heading("Cycles at least"),
            html.figure(bounds.picture({**contents["bounds"], "kernel": contents["kernel"]})),
        ]
        found += bounds.html_parts(contents["bounds"])
    opcodes = [(opcode, f"{count:,}") for opcode, count in contents["instructions"].items()]
    if opcodes:
        table = html.table(("opcode", "warp instructions"), opcodes, "warp instructions by opcode")
        found.append(html.details("Warp instructions by opcode", table))
    if contents["output"]:
        found += [html.heading("What the kernel printed"), html.preformatted(contents["output"])]
    return found
