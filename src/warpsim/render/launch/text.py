"""What a kernel did to memory, as text for an 80-column terminal."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import PurePath
from typing import Any

from ...characters import printable
from ...words import plural
from ..tables import right
from ..text import WIDTH, wrapped
from . import bounds

SHOWN = 10  # lines
PAIRS_SHOWN = 6
SEVERITIES = ("error", "warning", "note")
SHARED_HEAD = ("shared memory", "instructions", "requests", "wavefronts", "ideal", "bank conflicts")
SHARED = ("instructions", "requests", "wavefronts", "ideal_wavefronts", "bank_conflicts")
#: counters of a line and their heads; a pair is left out where its first one is 0 everywhere
PAIRS = (("wavefronts", "ideal_wavefronts"), ("sectors", "ideal_sectors"))
LEAST_TEXT = 16  # characters beside the counters


def share(part: int, whole: int) -> str:
    """A share of a whole in per cent."""
    percent = 100 * part / whole
    return f"{percent:.0f} %" if percent >= 1 or not part else "less than 1 %"


def _fine(total: int) -> str:
    return "not" if total == 1 else "none of them"


def totals(totals: Mapping[str, int]) -> list[str]:
    """What shared and global memory cost, and how much of that the best pattern would save."""
    lines = []
    for space, what, ideal in (("shared", *PAIRS[0]), ("global", *PAIRS[1])):
        total, excessive = totals[what], totals[what] - totals[ideal]
        if excessive > 0:
            lines.append(
                f"uncoalesced {space} accesses: {plural(excessive, f'excessive {what[:-1]}')}"
                f" ({share(excessive, total)} of the total {plural(total, what[:-1])})"
            )
        elif total:
            lines.append(f"{space} accesses: {plural(total, what[:-1])}, {_fine(total)} excessive")
    if totals["divergent"]:
        told = share(totals["divergent"], totals["executed"])
        lines.append(f"divergent: {totals['divergent']:,} warp instructions ({told}) ran with part of their warp")
    return lines


def shared_rows(shared: Mapping[str, Mapping[str, int]]) -> list[list[str]]:
    """The table of shared memory, kind by kind."""
    return [[kind, *(f"{row[name]:,}" for name in SHARED)] for kind, row in shared.items()]


def costliest(lines: Mapping[str, Sequence[Any]], most: int = SHOWN) -> list[int]:
    """Which lines cost most: by wavefronts, then sectors, then warp instructions.

    Only those that access memory, if any does.
    """
    keys = list(zip(lines["wavefronts"], lines["sectors"], lines["executed"], strict=True))
    accesses = [i for i, (wavefronts, sectors, _) in enumerate(keys) if wavefronts or sectors]
    return sorted(accesses or range(len(keys)), key=lambda i: tuple(-count for count in keys[i]))[:most]


def place_of(contents: Mapping[str, Any], i: int) -> str:
    """The source file and line of a row: "gemm.cu:12"; empty without."""
    source = contents["lines"]["source"][i]
    if source < 0:
        return ""
    return f"{PurePath(contents['sources'][source]).name}:{contents['lines']['source_line'][i]}"


def cut(text: str, width: int) -> str:
    """The text in at most so many characters."""
    text = printable(text, kept="")
    return text if len(text) <= width else text[: width - 3].rstrip() + "..."


def cost_columns(lines: Mapping[str, Sequence[Any]], rows: Sequence[int]) -> list[str]:
    """The counters that say something about these rows."""
    return ["executed", *(name for pair in PAIRS if any(lines[pair[0]][i] for i in rows) for name in pair)]


def _lines(contents: Mapping[str, Any], source: Sequence[str]) -> list[str]:
    """The costliest lines, each with its texts."""
    lines = contents["lines"]
    rows = costliest(lines)
    names = cost_columns(lines, rows)
    head = ["line", *(name.partition("_")[0] for name in names)]
    table = [head, *([str(lines["line"][i]), *(f"{lines[name][i]:,}" for name in names)] for i in rows)]
    first, *counted = right(table, words=0).split("\n")
    width = max(map(len, (first, *counted)))
    found = [f"{first.ljust(width)}  PTX"]
    beside, last = WIDTH - width - 2, ""
    for line, i in zip(counted, rows, strict=True):
        text = lines["text"][i]
        if beside >= LEAST_TEXT:
            found.append(f"{line.ljust(width)}  {cut(text, beside)}")
        else:
            found += [line, f"    {cut(text, WIDTH - 4)}"]
        place = place_of(contents, i)
        if place not in ("", last):
            found.append(cut(f"    {place}  {source[i]}", WIDTH).rstrip())
        last = place
    return found


def costs(contents: Mapping[str, Any], source: Sequence[str]) -> list[str]:
    """Totals, shared memory by kind, and the lines that cost most; `source`: the text of each line's source line."""
    if not contents["lines"]["line"]:
        return []
    found = [wrapped(line) for line in totals(contents["totals"])]
    found += [wrapped(bounds.line(contents["bounds"]))] if contents["bounds"] else []
    if contents["shared"]:
        found += ["", right([SHARED_HEAD, *shared_rows(contents["shared"])])]
    return [*found, "", "lines that cost most:", *_lines(contents, source), ""]


def alike(found: Sequence[Mapping[str, Any]]) -> list[list[int]]:
    """Which findings are told together: races that one barrier orders, and what a compiler has unrolled.

    Their numbers, those of the most severe first.
    """
    fixes = Counter(one["fix"] for one in found if one["other"] is not None)
    same: dict[Any, list[int]] = {}
    for number, one in enumerate(found):
        sides = [side for side in (one, one["other"]) if side is not None]
        is_known = all(side["source"] is not None and side["source_line"] > 0 for side in sides)
        place = tuple((side["source"], side["source_line"]) for side in sides) if is_known else number
        by_fix = one["other"] is not None and fixes[one["fix"]] > 1
        same.setdefault(one["fix"] if by_fix else (one["rule"], one["array"], place), []).append(number)
    return [sorted(group, key=lambda number: SEVERITIES.index(found[number]["severity"])) for group in same.values()]


def others_of(group: Sequence[Mapping[str, Any]]) -> str:
    """Where the other findings of a group are; empty if at the lines of the first."""
    first, *others = group
    if not others:
        return ""
    if first["other"] is None:
        return f"{len(others):,} more at the same source line"
    lines = sorted({_pair(one) for one in others} - {_pair(first)})
    places = [f"lines {a} and {b}" if a != b else f"line {a}" for a, b in lines[:PAIRS_SHOWN]]
    more = f" and {len(lines) - PAIRS_SHOWN:,} more" if len(lines) > PAIRS_SHOWN else ""
    return f"the same at {', '.join(places)}{more}" if lines else ""


def findings(found: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Each group of findings: its first one, and the lines of the others."""
    for numbers in alike(found):
        group = [found[number] for number in numbers]
        first, also = group[0], others_of(group)
        lines = [f"{first['severity']} {first['rule']}: {first['message']}", *([f"  {also}"] if also else [])]
        yield "\n".join([*lines, f"  fix: {first['fix']}"])


def _pair(one: Mapping[str, Any]) -> tuple[int, int]:
    """The lines of both sides of a race."""
    return min(one["line"], one["other"]["line"]), max(one["line"], one["other"]["line"])
