"""Texts that a user gave, made harmless: for a terminal, for a log, for HTML and SVG."""

from __future__ import annotations

from html import escape
from typing import Any


def printable(text: str, kept: str = "\n") -> str:
    """The same without what steers a terminal or turns the order of letters: each is one U+FFFD."""
    if text.isprintable():  # as most are
        return text
    return "".join(c if c.isprintable() or c in kept else "\ufffd" for c in text)


def line_of_log(text: str) -> str:
    """One printable line that no log of a build takes for a command, as ::error would be."""
    shown = printable(text).replace("\n", "\ufffd")
    begin = len(shown) - len(shown.lstrip())
    if shown.startswith(("::", "##"), begin):
        shown = f"{shown[:begin]}\ufffd{shown[begin + 1 :]}"
    return shown


def lines_of_log(text: str) -> str:
    """The same of several lines."""
    return "\n".join(map(line_of_log, text.split("\n")))


def is_terminal(stream: Any) -> bool:
    """May what was written to a stream be written over? It may be None, closed, or an object that can only write."""
    try:
        return bool(stream.isatty())
    except (AttributeError, ValueError, OSError):
        return False


def escaped(text: str) -> str:
    """The same as content of HTML and XML; what is not printable, apart from tabs, is U+FFFD.

    >>> escaped("<script>alert(1)</script>")
    '&lt;script&gt;alert(1)&lt;/script&gt;'
    """
    return escape(printable(text, kept="\n\t"), quote=False)


def attribute(text: str) -> str:
    """The same as the value of an attribute, between double quotes."""
    return escaped(text).replace('"', "&quot;")


def caret_lines_of(text: bytes, column: int, length: int) -> str:
    """The same of UTF-8: the place is counted in bytes."""
    parts = text[: max(column, 0)], text[column : column + length], text[column + length :]
    before, there, after = (part.decode("utf-8", "replace") for part in parts)
    return caret_lines(before + there + after, len(before) if column >= 0 else column, len(there))


def caret_lines(text: str | None, column: int, length: int) -> str:
    """What goes below a message: the line of `text` that it is about, with a caret at the place."""
    if text is None or column < 0:
        return ""
    begin = text.rfind("\n", 0, column) + 1
    end = text.find("\n", column)
    line = printable(text[begin : end if end >= 0 else len(text)].replace("\t", " "))
    offset = min(column - begin, len(line))
    if len(line) > 100:  # a window of a long line, around the place
        start = max(0, offset - 40)
        line, offset = line[start : start + 100], offset - start
    carets = "^" * max(1, min(length, len(line) - offset))
    return f"\n    {line}\n    {' ' * offset}{carets}"
