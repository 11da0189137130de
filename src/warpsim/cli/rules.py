"""All rules in one table: of undefined behaviour, of tiles and of lint."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from typing import Any

from ..instruction.findings import RULES
from ..render import rules as render
from ..report import Report

FIELDS = ("id", "about", "severity", "title", "ptx", "hardware", "fix")


def rules_of_all() -> list[dict[str, Any]]:
    """Every rule, JSON-ready."""
    return [{name: getattr(rule, name) for name in FIELDS} for rule in RULES.values()]


class RuleTable(Report):
    """Rules, each with its severity, its title, what to do, what PTX asks and hardware does.

    `.rules`: dicts with id, about, severity, title, fix, ptx, hardware; the last two are None of
    rules that are not about undefined behaviour.
    """

    def __init__(self, rules: Sequence[dict[str, Any]], brief: bool) -> None:
        self.rules = tuple(rules)
        self._brief = brief

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready."""
        return {"schema": "warpsim.rules/1", "rules": [dict(rule) for rule in self.rules]}

    def _title(self) -> str:
        return "Rules of warpsim"

    def _parts(self) -> Sequence[str]:
        return render.parts(self.to_dict())

    def __str__(self) -> str:
        return render.overview(self.to_dict()) if self._brief else render.details(self.to_dict())

    def __repr__(self) -> str:
        return f"<RuleTable of {len(self.rules)} rules>"


def rules(ids: Iterable[str] = ()) -> RuleTable:
    """The rules of these identifiers, or all: "WS-LDM-003", or "LDM" for all that begin with it.

    str() is an overview of all rules, and everything about those that were asked for. An
    identifier that no rule has is a ValueError.

    >>> from warpsim.rules import rules
    >>> [rule["title"] for rule in rules(["WS-LDM-001", "WS-TILE-002"]).rules]
    ['misaligned row address', 'a pitch that misaligns rows']
    """
    table = {rule["id"]: rule for rule in rules_of_all()}
    found: dict[str, dict[str, Any]] = {}
    asked = list(ids)
    for word in asked:
        id_ = "WS-" + word.upper().removeprefix("WS-")
        of_word = [name for name in table if name == id_ or name.startswith(f"{id_}-")]
        if not of_word:
            close = get_close_matches(id_, table, 1)
            hint = f"; did you mean {close[0]}?" if close else ""
            raise ValueError(f"ID: unknown rule {word!r}{hint}")
        found |= {name: table[name] for name in of_word}
    return RuleTable(list((found if asked else table).values()), brief=not asked)
