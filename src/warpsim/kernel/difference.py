"""Two launches of a kernel, before and after a change: totals, lines, findings."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from pathlib import PurePath
from typing import Any

from ..render.launch import difference
from ..report import Report
from .counters import COUNTERS

Key = tuple[str, str, int]  # file, text, number


def _sums(side: Mapping[str, Any]) -> dict[Key, dict[str, int]]:
    """Counters by source line, or by line of the PTX where it names no source; in the order of the text."""
    lines = side["lines"]
    found: dict[Key, dict[str, int]] = {}
    for i, file in enumerate(lines["source"]):
        if file >= 0:
            key = (PurePath(side["sources"][file]).name, side["source_text"][i], lines["source_line"][i])
        else:
            key = ("PTX", lines["text"][i], lines["line"][i])
        into = found.setdefault(key, dict.fromkeys(COUNTERS, 0))
        for name in COUNTERS:
            into[name] += lines[name][i]
    return dict(sorted(found.items(), key=lambda item: (item[0][0], item[0][2])))


def _name(key: Key) -> str | int:
    """What a line is recognised by: its text, else its number."""
    return key[1] or key[2]


def _matched(before: Sequence[Key], after: Sequence[Key]) -> Iterator[tuple[Key | None, Key | None]]:
    """The lines of one file side by side; as many edited lines as there were meet the old ones in order."""
    matcher = SequenceMatcher(None, [_name(key) for key in before], [_name(key) for key in after])
    for _, a, b, c, d in matcher.get_opcodes():
        if b - a == d - c:
            yield from zip(before[a:b], after[c:d], strict=True)
        else:
            yield from ((key, None) for key in before[a:b])
            yield from ((None, key) for key in after[c:d])


def _changes(before: Mapping[str, Any], after: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Lines whose counters differ."""
    one, other = _sums(before), _sums(after)
    for file in sorted({key[0] for key in (*one, *other)}):
        sides = [[key for key in side if key[0] == file] for side in (one, other)]
        for a, b in _matched(*sides):
            was, now = one[a] if a else None, other[b] if b else None
            if was != now:
                yield {
                    "file": file,
                    "line": [a[2] if a else None, b[2] if b else None],
                    "text": [a[1] if a else None, b[1] if b else None],
                    "before": was,
                    "after": now,
                }


def _cost(change: Mapping[str, Any]) -> tuple[int, ...]:
    was, now = (change[side] or dict.fromkeys(COUNTERS, 0) for side in ("before", "after"))
    return tuple(abs(now[name] - was[name]) for name in ("wavefronts", "sectors", "executed"))


def _findings(side: Mapping[str, Any], other: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Findings of one side whose rule and statement the other does not name."""
    known = {(one["rule"], one["opcode"]) for one in other["findings"]}
    return [one for one in side["findings"] if (one["rule"], one["opcode"]) not in known]


@dataclass(frozen=True, repr=False)
class KernelDiff(Report):
    """What changed between two launches; `KernelReport.diff` makes it.

    `before` and `after` are the launches as plain values. Lines are those of the source, or of the PTX where no source
    is named; only lines whose counters differ are told, the largest change first.
    """

    before: dict[str, Any]
    after: dict[str, Any]

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready."""
        about = ("kernel", "grid", "block", "target", "steps")
        return {
            "schema": "warpsim.kernel_diff/1",
            **{name: {key: side[key] for key in about} for name, side in self._sides()},
            "totals": {name: [side["totals"][name] for _, side in self._sides()] for name in COUNTERS},
            "shared": {name: side["shared"] for name, side in self._sides()},
            "lines": sorted(_changes(self.before, self.after), key=_cost, reverse=True),
            "gone": _findings(self.before, self.after),
            "new": _findings(self.after, self.before),
        }

    def _sides(self) -> tuple[tuple[str, dict[str, Any]], ...]:
        return ("before", self.before), ("after", self.after)

    def __str__(self) -> str:
        return difference.text(self.to_dict())

    def __repr__(self) -> str:
        return f"<KernelDiff of {self.before['kernel']} and {self.after['kernel']}>"

    def _title(self) -> str:
        return difference.title(self.to_dict())

    def _parts(self) -> Sequence[str]:
        return difference.parts(self.to_dict())
