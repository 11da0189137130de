"""What the makers of pages share: tables, and parts of a page between two marks."""

from collections.abc import Iterable, Iterator
from pathlib import Path


def table(head: str, rows: Iterable[Iterable[object]]) -> Iterator[str]:
    """The lines of a table; `head` is its first line without the outer bars."""
    names = head.split(" | ")
    for cells in (names, ["---"] * len(names), *rows):
        yield f"| {' | '.join(map(str, cells))} |"


def replaced(page: Path, parts: dict[tuple[str, str], str]) -> str:
    """The page with other texts between pairs of marks, each of which it has once."""
    text = page.read_text("utf-8")
    for (begin, end), made in parts.items():
        assert text.count(begin) == 1, f"{page.name}: expected {begin!r} once"
        head, rest = text.split(begin)
        text = f"{head}{begin}{made}{end}{rest.split(end, 1)[1]}"
    return text
