"""The texts beside counters, by lines."""

from __future__ import annotations

from collections.abc import Sequence

from ...characters import printable


def split(text: str | None) -> list[str]:
    """The lines of a text, tabs as four spaces."""
    return [line.rstrip("\r").expandtabs(4) for line in text.split("\n")] if text else []


def line_of(lines: Sequence[str], number: int) -> str:
    """A line by its number, which counts from 1, with single spaces; empty where the text has none."""
    return printable(" ".join(lines[number - 1].split())) if 0 < number <= len(lines) else ""
