"""One instruction as text for an 80-column terminal: the verdict, what to do about it, and what it rests on."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from . import advice
from .text import BOLD, lane_map, meetings, named, punch_card, subject, tinted, wrapped

MOST_MET = 8  # lines of a short map
MOST_FINDINGS = 4
FIRST_LANES = 3  # lines of the map of an operand: its head, lanes 0 and 1
MORE = "all of it: --all, or .text(all=True)"


def _first(contents: Mapping[str, Any], colour: bool) -> list[str]:
    """The answer, and what makes an undefined access defined."""
    return [tinted(wrapped(advice.headline(contents)), BOLD if colour else ""), *advice.fixes(contents)]


def bank_report(contents: Mapping[str, Any], colour: bool = False) -> str:
    """The answer, a punch card, and the layout to use instead; of an undefined access what is undefined."""
    about = subject(contents)
    lines = [*_first(contents, colour), contents["ptx"], *([wrapped(about, "  ")] if about else [])]
    if advice.errors(contents):
        return "\n".join([*lines, *advice.findings(contents)])
    return "\n".join([*lines, punch_card(contents, colour), *advice.remedy(contents.get("remedy"))])


def _legality(contents: Mapping[str, Any]) -> list[str]:
    legality = contents["legality"]
    lines = [wrapped(f"legal: PTX {legality['min_ptx_version']} or later, on {legality['targets']}")]
    if legality["target"] is not None:
        where = f"{legality['target']} with PTX {legality['ptx_version']}"
        lines.append(f"{where}: {'legal' if legality['ok'] else 'NOT legal'}")
        lines += [wrapped(reason, "  ") for reason in legality["reasons"]]
    return lines


def _addresses(contents: Mapping[str, Any]) -> list[str]:
    rows = contents["addresses"]
    if not rows:
        return []
    if rows[0]["lane"] is None:
        return ["", f"p ({contents['where']}): {rows[0]['address']:#x}"]
    lines = ["", f"addresses ({contents['where']}), {contents['access_bytes']} bytes each:"]
    for first in range(0, len(rows), 8):
        part = rows[first : first + 8]
        name = f"lanes {part[0]['lane']}-{part[-1]['lane']}"
        if part[0]["matrix"] is not None:
            name += f"  matrix {part[0]['matrix']}, rows {part[0]['row']}-{part[-1]['row']}"
        lines += [f"  {name}", wrapped(" ".join(f"{row['address']:#x}" for row in part), "    ")]
    return lines


def product(contents: Mapping[str, Any], all: bool = False) -> str:
    """Legality and registers of one product, and where the elements of each operand are; `all`: in every lane."""
    lines = [contents["ptx"], wrapped(contents["summary"]), *_legality(contents)]
    lines += [wrapped(note) for note in contents["notes"]]
    for one in contents["fragments"].values():
        about, *rows = lane_map(one).splitlines()
        name = f"{named(one)}:".replace(f" of {contents['ptx']}", "")
        lines += ["", name, about, *rows] if all else [f"{name} {about}", *rows[:FIRST_LANES]]
    return "\n".join(lines if all else [*lines, MORE])


def explain(contents: Mapping[str, Any], colour: bool = False, all: bool = False) -> str:
    """The verdict, what to do and a short map of one instruction; `all`: every address, register and bank."""
    banks, about = contents["banks"], [wrapped(contents["where"], "  ")] * bool(contents["where"])
    illegal = [reason for reason in contents["legality"]["reasons"] if contents["legality"]["ok"] is False]
    lines = [wrapped(f"NOT legal on {contents['legality']['target']}: {reason}") for reason in illegal[:1]]
    if banks is not None:
        traffic = {name: banks[name] for name in ("traffic", "groups")}
        lines += _first({**contents, **traffic}, colour)
    lines += [contents["ptx"], *about, wrapped(contents["summary"]), *_legality(contents)]
    lines += [wrapped(note) for note in contents["notes"]]
    if contents["findings"]:
        lines += advice.findings(contents, MOST_FINDINGS if all else advice.MOST_FINDINGS)
    lines += _everything(contents, colour) if all else [*_short(contents), MORE]
    return "\n".join([*lines, *advice.remedy(contents.get("remedy"))])


def _short(contents: Mapping[str, Any]) -> list[str]:
    """Who meets in a bank, if anybody does; else what the first lanes hold."""
    banks, fragment = contents["banks"], contents["fragment"]
    if advice.errors(contents):
        return []
    lines: list[str] = []
    if banks is not None and banks["traffic"]["bank_conflicts"]:
        lines = "\n".join(meetings(banks)).splitlines()
    elif fragment is not None:
        lines = lane_map(fragment).splitlines()
    return lines[:MOST_MET] + [f"  ... {len(lines) - MOST_MET} more lines"] * (len(lines) > MOST_MET)


def _everything(contents: Mapping[str, Any], colour: bool) -> list[str]:
    """Addresses, registers, and banks of what is defined."""
    lines = _addresses(contents)
    if contents["fragment"] is not None:
        lines += ["", "fragment:", *lane_map(contents["fragment"]).splitlines()]
    if contents["banks"] is not None and not advice.errors(contents):
        lines += ["", "banks:", punch_card(contents["banks"], colour)]
    return lines
