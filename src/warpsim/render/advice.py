"""The first sentence of a diagnosis, and what to do about it: the same words for every report."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ..words import plural
from . import html
from .text import columns, wrapped

MOST_FINDINGS = 2
Contents = Mapping[str, Any]


def times(wavefronts: int, ideal: int) -> str:
    """2.5 times: how many wavefronts there are for each that would do."""
    return f"{round(wavefronts / max(ideal, 1), 1):g} times the wavefronts"


def capital(words: str) -> str:
    """The words as the beginning of a sentence."""
    return words[:1].upper() + words[1:]


def sentence(remedy: Contents) -> str:
    """What a remedy saves, and what it takes."""
    needed = remedy["wavefronts"]
    saved = f"{needed:,} wavefront{'' if needed == 1 else 's'} instead of {remedy['instead_of']:,}"
    return f"{capital(remedy['name'])}: {saved}, {size(remedy)}"


def size(remedy: Contents) -> str:
    """The bytes of a layout against those of the one that it is for."""
    more = remedy["more_bytes"]
    than = "as now" if more == 0 else f"{abs(more):,} {'more' if more > 0 else 'fewer'}"
    return f"{remedy['bytes']:,} bytes ({than})"


def cure(remedy: Contents | None, conflicts: int) -> str:
    """The second sentence of a headline: the layout to use, and what is left with it."""
    if not remedy or not remedy["name"]:
        return ""
    if conflicts and remedy["wavefronts"] == remedy["ideal_wavefronts"]:
        return f" {capital(remedy['name'])} has none."
    return f" {capital(remedy['name'])} needs {remedy['wavefronts']:,} instead of {remedy['instead_of']:,}."


def headline(contents: Contents) -> str:
    """The answer of a bank report in one or two sentences."""
    if errors(contents):
        return undefined(contents)
    traffic = contents["traffic"]
    wavefronts, ideal, conflicts = (traffic[name] for name in ("wavefronts", "ideal_wavefronts", "bank_conflicts"))
    if not contents.get("groups", True):
        return f"{plural(traffic['sectors'], 'sector')}."
    if wavefronts <= ideal:
        few = "one is the fewest possible" if wavefronts == 1 else "the fewest possible"
        return f"No bank conflicts: {plural(wavefronts, 'wavefront')}, {few}."
    found = f"{plural(conflicts, 'bank conflict')}, {times(wavefronts, ideal)}."
    if not conflicts:
        kind = ".".join(contents["ptx"].split(".")[: 2 if contents["ptx"].startswith(("cp", "wmma")) else 1])
        found = f"{kind} takes {times(wavefronts, ideal)}, by rules of its own."
    return found + cure(contents.get("remedy"), conflicts)


def errors(contents: Contents) -> list[Contents]:
    """The findings that leave an access undefined."""
    return [finding for finding in contents.get("findings", ()) if finding["severity"] == "error"]


def undefined(contents: Contents) -> str:
    """That the access is undefined, where first, and how often more."""
    first, *more = errors(contents)
    lane = f" in lane {first['lane']}" if first["lane"] is not None and first["lane"] >= 0 else ""
    return f"Undefined behaviour{lane}{f' and {len(more)} more' if more else ''}."


def fixes(contents: Contents) -> list[str]:
    """What makes an undefined access defined, each advice once."""
    return [wrapped(f"fix: {fix}") for fix in dict.fromkeys(finding["fix"] for finding in errors(contents))]


def findings(contents: Contents, most: int = MOST_FINDINGS) -> list[str]:
    """The first findings, and how many more there are."""
    found = contents["findings"]
    lines = [wrapped(f"{one['severity']} {one['rule']}: {one['message']}", "  ") for one in found[:most]]
    return lines + [f"  ... and {len(found) - most} more"] * (len(found) > most)


def pasted(contents: Contents, indent: str = "  ") -> list[str]:
    """A layout in each notation, to paste."""
    rows = [list(pair) for pair in contents["notations"].items()]
    return [columns(rows, indent)] if rows else []


def remedy(contents: Contents | None) -> list[str]:
    """The last lines of a diagnosis: the layout to use, as text to paste."""
    return [wrapped(f"fix: {contents['words']}"), *pasted(contents)] if contents else []


def remedy_html(contents: Contents | None) -> list[str]:
    """The same for a page."""
    if not contents:
        return []
    rows: Sequence[tuple[str, str]] = list(contents["notations"].items())
    return [html.paragraph(f"Fix: {contents['words']}"), html.facts(rows)]
