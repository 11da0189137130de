"""The configurations of an autotuned kernel as a table, the best first."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping
from typing import Any

from .. import html
from ..tables import right
from ..text import WIDTH, wrapped


def title(contents: Mapping[str, Any]) -> str:
    """What was tuned, for what."""
    count = len(contents["configurations"])
    what = "1 configuration" if count == 1 else f"{count} configurations"
    return f"{contents['kernel']}: {what}, {contents['target']}"


def headline(contents: Mapping[str, Any]) -> str:
    """The best one, and by how much."""
    ran = [one for one in contents["configurations"] if not one["reason"]]
    if not ran:
        return "No configuration ran."
    best, worst = ran[0], max(ran, key=lambda one: one["cycles"])
    on = (
        f"{best['bound_by']} is busy for {best['cycles']:,.0f} cycles on the {contents['sms']} SMs of {contents['gpu']}"
    )
    told = f"Best: {best['name']}: {on}"
    if worst["cycles"] > best["cycles"]:
        told += f"; {worst['cycles']:,.0f} for {worst['name']}"
    return f"{told}." if not best["errors"] else f"{told}. It has {best['errors']} errors."


def _rows(contents: Mapping[str, Any]) -> tuple[list[tuple[str, ...]], list[tuple[str, ...]]]:
    """Counters, and what the configurations are, in the same order."""
    counters: list[tuple[str, ...]] = []
    names: list[tuple[str, ...]] = []
    for number, one in enumerate(contents["configurations"], 1):
        if one["reason"]:
            continue
        cells = [one["executed"], one["wavefronts"], one["excess"], one["sectors"], one["shared_bytes"]]
        counted = [f"{cell:,}" for cell in (*cells, one["blocks_per_sm"])]
        counters.append((str(number), one["bound_by"], f"{one['cycles']:,.0f}", *counted))
        registers = "unknown" if one["registers"] is None else str(one["registers"])
        names.append((str(number), one["limit"], registers, str(one["errors"]), one["name"]))
    return counters, names


HEADS = (
    ("", "bound by", "cycles", "instr.", "waves", "excess", "sectors", "shared", "blocks"),
    ("", "limited by", "registers", "errors", "configuration"),
)


def _failed(contents: Mapping[str, Any]) -> list[str]:
    return [f"{one['name']}: {one['reason']}" for one in contents["configurations"] if one["reason"]]


def text(contents: Mapping[str, Any]) -> str:
    """The answer, the counters, the configurations, why some did not run."""
    counters, names = _rows(contents)
    lines = [wrapped(title(contents)), wrapped(headline(contents))]
    if counters:
        lines += [*right([HEADS[0], *counters], words=2).split("\n"), ""]
        known = right([head[:-1] for head in (HEADS[1], *names)], words=2).split("\n")
        lines += [_beside(line, row[-1]) for line, row in zip(known, (HEADS[1], *names), strict=True)]
    failed = _failed(contents)
    lines += ["did not run:", *(wrapped(one, "  ") for one in failed)] if failed else []
    return "\n".join([*lines, *(wrapped(note) for note in contents["notes"])])


def _beside(line: str, name: str) -> str:
    """A name after columns, in lines of its own below where it is long."""
    room = WIDTH - len(line) - 2
    parts = textwrap.wrap(name, max(room, 20), break_long_words=False, break_on_hyphens=False)
    return f"\n{' ' * (len(line) + 2)}".join([f"{line}  {parts[0] if parts else ''}", *parts[1:]])


def tables(contents: Mapping[str, Any]) -> list[str]:
    """Both tables and the reasons as HTML."""
    counters, names = _rows(contents)
    return [
        html.table(HEADS[0], counters, "a row for each configuration, the best first"),
        html.table(HEADS[1], names, "what they are"),
        html.items(_failed(contents)),
        html.items(contents["notes"]),
    ]
