"""The HTML of reports, piece by piece; `html.page` puts the page around them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from ..words import plural
from . import advice, html, text
from . import explanation as about
from .fragment_map import fragment as fragment_map
from .punch_card import bank_report as punch_card

MOST_FINDINGS = 200  # of a page of lint
MOST_OF_A_RULE = 8


def bank_report(contents: Mapping[str, Any]) -> list[str]:
    """The answer, what it is of, the counters, the punch card, what to do, and the same as text."""
    banks = [] if advice.errors(contents) else _banks(contents)
    parts = [*_answer(contents), html.paragraph(text.subject(contents)), *banks]
    parts += [] if banks else _undefined(contents["findings"])
    return [*parts, *advice.remedy_html(contents.get("remedy")), _as_text(about.bank_report(contents))]


def _answer(contents: Mapping[str, Any]) -> list[str]:
    """The first sentence, and what makes an undefined access defined."""
    return [html.paragraph(advice.headline(contents)), *map(html.paragraph, advice.fixes(contents))]


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


def _as_text(words: str) -> str:
    return html.details("As text", html.preformatted(words))


def fragment(contents: Mapping[str, Any]) -> list[str]:
    """The picture, and the same as text."""
    return [html.figure(fragment_map(contents)), _as_text(text.fragment(contents))]


def explanation(contents: Mapping[str, Any]) -> list[str]:
    """The answer, legality, findings, notes, addresses, the fragment map and the banks of one instruction."""
    banks = contents["banks"]
    parts = [] if banks is None else _answer({**contents, "traffic": banks["traffic"], "groups": banks["groups"]})
    parts += [html.paragraph(contents["summary"]), *_legality(contents["legality"])]
    parts += _undefined(contents["findings"])
    if contents["notes"]:
        notes = [note.removeprefix("note: ") for note in contents["notes"]]
        parts += [html.heading("Good to know"), html.items(notes)]
    parts += _addresses(contents)
    if contents["fragment"] is not None:
        parts += [html.heading("Registers"), html.figure(fragment_map(contents["fragment"]))]
    if banks is not None and not advice.errors(contents):
        parts += [html.heading("Banks"), *_banks(banks)]
    return [*parts, *advice.remedy_html(contents.get("remedy")), _as_text(about.explain(contents, all=True))]


def product(contents: Mapping[str, Any]) -> list[str]:
    """Legality, registers and the fragment map of each operand of a product."""
    parts = [html.paragraph(contents["summary"]), *_legality(contents["legality"]), html.items(contents["notes"])]
    for one in contents["fragments"].values():
        parts += [html.heading(one["operand"]), html.figure(fragment_map(one))]
    return [*parts, _as_text(about.product(contents, all=True))]


def _legality(legality: Mapping[str, Any]) -> list[str]:
    rows = [("legal from", f"PTX {legality['min_ptx_version']}"), ("targets", legality["targets"])]
    if legality["target"] is not None:
        verdict = "legal" if legality["ok"] else "NOT legal"
        where = f"on {legality['target']} with PTX {legality['ptx_version']}"
        rows.append(("verdict", f"{verdict} {where}"))
    return [html.facts(rows), html.items(legality["reasons"])]


def _undefined(findings: list[Mapping[str, Any]]) -> list[str]:
    """The findings, rule by rule."""
    if not findings:
        return []
    by_rule: dict[str, list[Mapping[str, Any]]] = {}
    for finding in findings:
        by_rule.setdefault(finding["rule"], []).append(finding)
    parts = [html.heading("Undefined behaviour")]
    for rule, found in by_rule.items():
        lines = _shown([finding["message"] for finding in found], MOST_OF_A_RULE)
        about = [html.items(lines), html.paragraph(f"Fix: {found[0]['fix']}")]
        parts.append(html.finding(found[0]["severity"], rule, "", about))
    return parts


def _shown(lines: list[str], most: int) -> list[str]:
    """The first lines, and how many more there are."""
    return lines[:most] + [f"... and {len(lines) - most:,} more"] * (len(lines) > most)


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
        for one in shown:
            about = [html.paragraph(one["message"]), html.source(one["source"], one["caret"], one["length"])]
            place = f"line {one['line']}, column {one['column']}"
            parts.append(html.finding(one["severity"], one["rule"], place, about))
        if len(findings) > len(shown):
            parts.append(html.paragraph(f"... and {len(findings) - len(shown):,} more"))
    else:
        parts.append(html.paragraph(_all_clear(len(instructions))))
    if contents["counts"]:
        rows = [(token, f"{count:,}") for token, count in sorted(contents["counts"].items())]
        parts += [html.heading("Instructions"), html.table(("as written", "count"), rows, "opcode with its qualifiers")]
    return parts


def _all_clear(count: int) -> str:
    if not count:
        return "This text has no matrix memory instruction, ld, st or cp.async."
    return (
        f"All clear: nothing to complain about in {plural(count, 'instruction')} (ldmatrix,"
        " stmatrix, movmatrix, wmma.load, wmma.store, ld, st and cp.async)."
    )
