"""Finds a piece of code by the function that it is in: files, line breaks and spaces may change."""

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

from tests.support.paths import HEADERS, PACKAGE, ROOT

#: what begins in the first column of a header, up to its closing brace, semicolon or last "\"
C_ITEM = re.compile(
    r"^(?:#define (?:.*\\\n)*.*"
    r"|WS_(?:DO|TEST)\w*\(\w+, .*\)$"
    r"|(?!#|/|\}|extern |(?:inline )?namespace |WS_DOOR_)"
    r"\S(?:[^{};]|\{[^{}]*\} *[^;\n])*?(?:;$|\{.*\};?$|\{\n(?:.*\n)*?\}.*$))",
    re.MULTILINE,
)
#: its name: of a macro; of a function, also one that has a twin for each vector level; of a table
C_NAMES = (
    re.compile(r"#define (\w+)"),
    re.compile(r"^WS_(?:DO|TEST)\w*\((\w+), "),  # a function of rows
    re.compile(r"WS_[A-Z]\((\w+)\)\("),
    re.compile(r"(?!WS_)\b(\w+)\("),
    re.compile(r"\bclass (\w+)"),
    re.compile(r"(\w+)(?:\[[^]]*\])+ ="),
    re.compile(r"\b(WS_\w+)"),  # the first enumerator
)
PYTHON_ITEM = re.compile(r"^( *)(?:async def|def|class|cdef|cpdef)\b[^\n(:=]*?(\w+)\s*[(:]", re.MULTILINE)
TOKEN = re.compile(r"\w+|[^\w\s]")


class Place(NamedTuple):
    """Where a piece of code is: its file, from the root of the checkout, and its characters."""

    path: Path
    begin: int
    end: int


def items_of_c(text: str) -> Iterator[tuple[str, int, int]]:
    """The name of every function, table, enumeration and macro, and its characters."""
    for found in C_ITEM.finditer(text):
        head = found[0].partition("{\n")[0]
        names = [match[1] for name in C_NAMES if (match := name.search(head))]
        names += [match[1] for match in [C_NAMES[-1].search(found[0])] if match]
        if names:
            yield names[0], found.start(), found.end()


def items_of_python(text: str) -> Iterator[tuple[str, int, int]]:
    """The name of every function and class; "" is all of the module."""
    yield "", 0, len(text)
    for found in PYTHON_ITEM.finditer(text):
        indent = len(found[1])
        body = re.compile(rf"^ {{0,{indent}}}[^\s)#]", re.MULTILINE)
        after = body.search(text, text.find("\n", found.end()))
        yield found[2], found.start(), after.start() if after else len(text)


def items_of_rows(text: str) -> Iterator[tuple[str, int, int]]:
    """A list of rows that headers include: all of it, by the name of its file."""
    yield "", 0, len(text)


@cache
def items() -> dict[str, list[Place]]:
    """Name -> where functions, tables and classes of this name are."""
    found: dict[str, list[Place]] = {}
    files = [(path, items_of_c) for path in [*HEADERS.rglob("*.h"), *HEADERS.rglob("*.hpp"), *PACKAGE.rglob("*.h")]]
    files += [(path, items_of_rows) for path in HEADERS.rglob("*.inc")]
    suffixes = (".py", ".pyx", ".pxi")
    files += [(path, items_of_python) for path in PACKAGE.rglob("*") if path.suffix in suffixes]
    for path, items_of in files:
        for name, begin, end in items_of(path.read_text()):
            place = Place(path.relative_to(ROOT), begin, end)
            found.setdefault(name or (path.name if path.suffix == ".inc" else f"{path.stem}.py"), []).append(place)
    return found


def pattern(code: str) -> re.Pattern[str]:
    """What matches this code, however it is laid out."""
    parts = [""]
    for token in TOKEN.findall(code):
        apart = parts[-1][-1:].isalnum() and token[0].isalnum()
        parts += [r"\s+" if apart else r"\s*", re.escape(token)]
    return re.compile((r"\b" if code[0].isalnum() else "") + "".join(parts[2:]))


def find(name: str, code: str) -> list[Place]:
    """Where the code is in what has this name."""
    wanted, found = pattern(code), set()
    for place in items().get(name, []):
        text = (ROOT / place.path).read_text()
        for match in wanted.finditer(text, place.begin, place.end):
            found.add(Place(place.path, match.start(), match.end()))
    return sorted(found)
