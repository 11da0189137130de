"""The HTML of reports, piece by piece; `html.page` puts the page around them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from . import html, text
from .fragment_map import fragment as fragment_map
from .punch_card import bank_report as punch_card
from .text import plural

MOST_FINDINGS = 100  # of one page; the text has as many as it has
AS_TEXT = "as text"


def bank_report(contents: Mapping[str, Any]) -> list[str]:
    """The counters, the punch card, and the same as text."""
    return [
        *_banks(contents),
        html.details(AS_TEXT, text.bank_report(contents)),
    ]


def _banks(contents: Mapping[str, Any]) -> list[str]:
    traffic = contents["traffic"]
    rows = [
        ("wavefronts", f"{traffic['wavefronts']:,}"),
        ("ideal wavefronts", f"{traffic['ideal_wavefronts']:,}"),
        ("bank conflicts", f"{traffic['bank_conflicts']:,}"),
    ]
    rows += [("sectors", f"{traffic['sectors']:,}")] if traffic["sectors"] else []
    for word, names in (("approximate", traffic["inexact"]), ("no rule for", traffic["unknown"])):
        rows += [(word, ", ".join(names).replace("_", " "))] if names else []
    return [html.facts(rows), html.figure(punch_card(dict(contents)))]


def fragment(contents: Mapping[str, Any]) -> list[str]:
    """The picture, and the same as text."""
    return [
        html.figure(fragment_map(contents)),
        html.details(AS_TEXT, text.fragment(contents)),
    ]


def explanation(contents: Mapping[str, Any]) -> list[str]:
    """Legality, findings, notes, addresses, the fragment map and the banks of one instruction."""
    parts = [html.paragraph(contents["summary"]), *_legality(contents["legality"])]
    parts += _undefined(contents["findings"])
    if contents["notes"]:
        notes = [note.removeprefix("note: ") for note in contents["notes"]]
        parts += [html.heading("Good to know"), html.items(notes)]
    parts += _addresses(contents)
    if contents["fragment"] is not None:
        parts += [html.heading("Registers"), html.figure(fragment_map(contents["fragment"]))]
    if contents["banks"] is not None:
        parts += [html.heading("Banks"), *_banks(contents["banks"])]
    return [*parts, html.details(AS_TEXT, text.explain(contents))]


def _legality(legality: Mapping[str, Any]) -> list[str]:
    rows = [
        ("legal from", f"PTX {legality['min_ptx_version']}"),
        ("targets", legality["targets"]),
    ]
    if legality["target"] is not None:
        where = f"{legality['target']}, PTX {legality['ptx_version']}"
        rows.append((where, "legal" if legality["ok"] else "NOT legal"))
    return [html.facts(rows), html.items(legality["reasons"])]


def _undefined(findings: list[Mapping[str, Any]]) -> list[str]:
    """The findings; a fix that several share stands once, under the last of them."""
    if not findings:
        return []
    parts = [html.heading("Undefined behaviour")]
    shown = findings[:MOST_FINDINGS]
    last = {finding["fix"]: n for n, finding in enumerate(shown)}
    for n, finding in enumerate(shown):
        place = f"lane {finding['lane']}" if finding["lane"] is not None else ""
        own = {**finding, "fix": finding["fix"] if last[finding["fix"]] == n else ""}
        parts.append(html.finding(own, place))
    return parts + _more(len(findings) - len(shown))


def _more(count: int) -> list[str]:
    return [html.paragraph(f"... and {count:,} more")] if count > 0 else []


def _addresses(contents: Mapping[str, Any]) -> list[str]:
    rows = contents["addresses"]
    if not rows:
        return []
    parts = [html.heading("Addresses")]
    if rows[0]["lane"] is None:
        return [*parts, html.paragraph(f"p ({contents['where']}): {rows[0]['address']:#x}")]
    lines = []
    for first in range(0, len(rows), 8):
        part = rows[first : first + 8]
        name = f"lanes {part[0]['lane']}-{part[-1]['lane']}"
        if part[0]["matrix"] is not None:
            name += f": matrix {part[0]['matrix']}, rows {part[0]['row']}-{part[-1]['row']}"
        lines.append([name, *(f"{row['address']:#x}" for row in part)])
    caption = f"{contents['where']}, {contents['access_bytes']} bytes each"
    return [*parts, html.table(("", *(f"+{n}" for n in range(8))), lines, caption.lstrip(", "))]


def lint(contents: Mapping[str, Any]) -> list[str]:
    """What was judged by, the findings, and a summary by instruction."""
    findings, instructions = contents["findings"], contents["instructions"]
    severities = Counter(finding["severity"] for finding in findings)
    found = ", ".join(plural(count, word) for word, count in severities.items())
    parts = [
        html.facts(
            [
                ("target", contents["target"] or "none given"),
                ("PTX version", contents["ptx_version"] or "none given"),
                ("instructions", f"{len(instructions):,}"),
                ("findings", found or "none"),
            ]
        )
    ]
    if findings:
        parts.append(html.heading("Findings"))
        shown = findings[:MOST_FINDINGS]
        parts += [html.finding(one, f"line {one['line']}, column {one['column']}") for one in shown]
        parts += _more(len(findings) - len(shown))
    else:
        parts.append(html.paragraph(_all_clear(len(instructions))))
    if contents["counts"]:
        rows = [(token, f"{count:,}") for token, count in sorted(contents["counts"].items())]
        parts += [
            html.heading("Instructions"),
            html.table(("as written", "count"), rows, "opcode with its qualifiers"),
        ]
    return parts


def _all_clear(count: int) -> str:
    if not count:
        return "There is no matrix memory instruction, ld, st or cp.async in this text."
    return (
        f"All clear: nothing to complain about in {plural(count, 'instruction')} (ldmatrix,"
        " stmatrix, movmatrix, wmma.load, wmma.store, ld, st and cp.async)."
    )
