"""Lint reports as a SARIF 2.1.0 log, which continuous-integration systems show beside the code.

Columns are those of the reports: characters (Unicode code points), counted from 1.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"


def _rule(rule: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "id": rule["id"],
        "shortDescription": {"text": rule["title"]},
        "help": {"text": rule["fix"]},
        "defaultConfiguration": {"level": rule["severity"]},
    }


def _region(finding: Mapping[str, Any]) -> dict[str, Any]:
    """The place, as far as it is in its line."""
    piece = finding["source"][finding["caret"] :][: max(1, finding["length"])]
    region = {
        "startLine": finding["line"],
        "startColumn": finding["column"],
        "endColumn": finding["column"] + len(piece),
    }
    return {**region, "snippet": {"text": piece}} if piece else region


def _context(finding: Mapping[str, Any]) -> dict[str, Any]:
    """The line, or the piece of it that the report shows."""
    begin = finding["column"] - finding["caret"]
    return {
        "startLine": finding["line"],
        "startColumn": begin,
        "endColumn": begin + len(finding["source"]),
        "snippet": {"text": finding["source"]},
    }


def _result(uri: str, finding: Mapping[str, Any], index: Mapping[str, int]) -> dict[str, Any]:
    return {
        "ruleId": finding["rule"],
        "ruleIndex": index[finding["rule"]],
        "level": finding["severity"],
        "message": {"text": finding["message"]},
        "locations": [
            {
                "physicalLocation": {
                    "artifactLocation": {"uri": uri},
                    "region": _region(finding),
                    "contextRegion": _context(finding),
                }
            }
        ],
    }


def log(
    reports: Iterable[tuple[str, Mapping[str, Any]]], rules: Sequence[Mapping[str, Any]], version: str
) -> dict[str, Any]:
    """One run: (URI, report as a dict) of every file, and the rules that they name."""
    index = {rule["id"]: i for i, rule in enumerate(rules)}
    return {
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [
            {
                "tool": {"driver": {"name": "warpsim", "version": version, "rules": [_rule(rule) for rule in rules]}},
                "columnKind": "unicodeCodePoints",
                "results": [_result(uri, finding, index) for uri, report in reports for finding in report["findings"]],
            }
        ],
    }
