"""The texts beside counters, by lines."""

from __future__ import annotations

from collections.abc import Sequence

from ...characters import printable

#: of a line, in characters; a text may have all its statements on one line, and each of them shows it
LINE_MOST = 4096


def split(text: str | None) -> list[str]:
    """The lines of a text, tabs as four spaces."""
    return [line.rstrip("\r").expandtabs(4) for line in text.split("\n")] if text else []


def split_all(texts: Sequence[str | None]) -> list[list[str]]:
    """The lines of each text: the same list for the same text, which a file with several names is."""
    known = {text: split(text) for text in set(texts)}
    return [known[text] for text in texts]


def line_of(lines: Sequence[str], number: int) -> str:
    """A line by its number, which counts from 1, with single spaces; empty where the text has none."""
    if not 0 < number <= len(lines):
        return ""
    line = lines[number - 1].lstrip()
    cut = line[:LINE_MOST] + "..." if len(line) > LINE_MOST else line
    return printable(" ".join(cut.split()))


def lines_of(lines: Sequence[str], numbers: Sequence[int]) -> list[str]:
    """The lines of statements by their numbers: a line with several statements is read once."""
    known = {number: line_of(lines, number) for number in set(numbers)}
    return [known[number] for number in numbers]


def source_lines_of(source_texts: Sequence[str | None], places: Sequence[tuple[int, int]]) -> list[str]:
    """The lines of source files by (file, line); empty where the file is not known."""
    by_file = split_all(source_texts)
    known = {(file, line): line_of(by_file[file], line) for file, line in set(places) if 0 <= file < len(by_file)}
    return [known.get(place, "") for place in places]
