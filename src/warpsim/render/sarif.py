"""Findings of lint and of launches as a SARIF 2.1.0 log, which continuous-integration systems show beside the code.

Columns are those of the reports: characters (Unicode code points), counted from 1.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
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
    return _log([_result(uri, one, index) for uri, report in reports for one in report["findings"]], rules, version)


def _place(uri: str, line: int, column: int = 1) -> dict[str, Any]:
    region = {"startLine": max(1, line), "startColumn": max(1, column)}
    return {"physicalLocation": {"artifactLocation": {"uri": uri}, "region": region}}


def _places(uri: str, uri_of: Callable[[str], str], one: Mapping[str, Any], about: str) -> list[dict[str, Any]]:
    """Where a finding or its other party is: the source line if it is known, then the line of the PTX."""
    places = [_place(uri, one["line"], one["column"])]
    if one["source"] is not None:
        places.insert(0, _place(uri_of(one["source"]), one["source_line"]))
    return [{**place, "message": {"text": f"{about}: {one['opcode']}"}} for place in places]


def _of_launch(
    uri: str, uri_of: Callable[[str], str], one: Mapping[str, Any], index: Mapping[str, int]
) -> dict[str, Any]:
    first, *others = _places(uri, uri_of, one, "PTX")
    del first["message"]
    if one.get("other"):
        others += _places(uri, uri_of, one["other"], "the other access")
    for number, place in enumerate(others):
        place["id"] = number
    return {
        "ruleId": one["rule"],
        "ruleIndex": index[one["rule"]],
        "level": one["severity"],
        "message": {"text": f"{one['message']}\nFix: {one['fix']}"},
        "locations": [first],
        **({"relatedLocations": others} if others else {}),
        "occurrenceCount": one.get("count", 1),
        "properties": {"block": one["block"], "warp": one["warp"]},
    }


def of_launch(
    uri: str, uri_of: Callable[[str], str], report: Mapping[str, Any], rules: Sequence[Mapping[str, Any]], version: str
) -> dict[str, Any]:
    """The findings of a launch at their source lines; `uri` is of the PTX, `uri_of` of the sources that it names."""
    index = {rule["id"]: i for i, rule in enumerate(rules)}
    return _log([_of_launch(uri, uri_of, one, index) for one in report["findings"]], rules, version)


def _log(results: list[dict[str, Any]], rules: Sequence[Mapping[str, Any]], version: str) -> dict[str, Any]:
    driver = {"name": "warpsim", "version": version, "rules": [_rule(rule) for rule in rules]}
    run = {"tool": {"driver": driver}, "columnKind": "unicodeCodePoints", "results": results}
    return {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}
