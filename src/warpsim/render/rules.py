"""Rules as text for an 80-column terminal, and as HTML."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping
from itertools import groupby
from typing import Any

from . import html
from .text import WIDTH

SENTENCES = (("ptx", "PTX"), ("hardware", "hardware"), ("fix", "fix"))
WHERE = {
    "undefined behaviour": "found by explain and op.execute",
    "tiles": "found by tile",
    "lint": "found by lint",
    "kernels": "found by run",
}


def _groups(contents: Mapping[str, Any]) -> Iterator[tuple[str, list[Mapping[str, Any]]]]:
    for about, rules in groupby(contents["rules"], key=lambda rule: str(rule["about"])):
        yield about, list(rules)


def _named(name: str, words: str, indent: str) -> list[str]:
    """The words after a name, with a hanging indent."""
    first = f"{indent}{name}"
    return textwrap.wrap(words, WIDTH, initial_indent=first, subsequent_indent=" " * len(first))


def overview(contents: Mapping[str, Any]) -> str:
    """One rule a line: identifier, severity, title."""
    wide = max(len(rule["id"]) for rule in contents["rules"])
    lines = []
    for about, rules in _groups(contents):
        lines += ["", f"{about} ({WHERE[about]})"]
        for rule in rules:
            lines += _named(f"{rule['id']:<{wide}}  {rule['severity']:<7}  ", rule["title"], "  ")
    return "\n".join([*lines[1:], "", "warpsim rules ID tells all about one"])


def details(contents: Mapping[str, Any]) -> str:
    """All about each rule: what PTX asks, what hardware does, what to do."""
    lines = []
    for rule in contents["rules"]:
        lines += ["", f"{rule['id']} ({rule['severity']}, {rule['about']})"]
        lines += _named("", f"{rule['title'][0].upper()}{rule['title'][1:]}.", "  ")
        for key, name in SENTENCES:
            if rule[key] is not None:
                lines += _named(f"{name + ':':<10}", _sentence(rule[key]), "  ")
    return "\n".join(lines[1:])


def _sentence(words: str) -> str:
    return words if words.endswith(".") else f"{words}."


def parts(contents: Mapping[str, Any]) -> list[str]:
    """The rules as HTML, piece by piece."""
    found = []
    for about, rules in _groups(contents):
        found.append(html.heading(f"{about[0].upper()}{about[1:]}: {WHERE[about]}"))
        for rule in rules:
            words = [f"{name}: {_sentence(rule[key])}" for key, name in SENTENCES if rule[key]]
            found.append(html.finding(rule["severity"], rule["id"], rule["title"], [html.items(words)]))
    return found
