"""docs/reference/c_api.md, from the headers: the calls behind each public header, and the structs that they take.

A call is public if a header declares it WS_PUBLIC, or if the manual (the comments of the public headers) or the list
for Cython (`warpsim/__init__.pxd`) names it.
"""

import re
from collections.abc import Iterator
from functools import cache

from tests.support.paths import DOCS, HEADERS, ROOT

PAGE = DOCS / "reference" / "c_api.md"
DOORS = (
    "parse", "legality", "execute", "count", "layout", "cost", "tile", "search", "explain", "mainloop", "lint", "mma",
    "run", "warpsim",
)  # fmt: skip
INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+\.h)"', re.MULTILINE)
FIRST_COMMENT = re.compile(r"\A/\*(.*?)\*/", re.DOTALL)
#: a comment right above a declaration or an inline function, and its prototype
CALL = re.compile(
    r"(?:/\*((?:(?!\*/).)*)\*/\n)?^(WS_PUBLIC|WS_CONSTANT|static inline) ([^;{}()]*?\b(ws_\w+)\([^;{}]*?\))\s*[;{]",
    re.M | re.S,
)
STRUCT = re.compile(r"(?:/\*(?:(?!\*/).)*\*/\n)?^typedef (?:struct|union) (ws_\w+) \{.*?^\} \1;", re.M | re.S)
TYPE = re.compile(r"\bws_\w+")
HEAD = """# C API

The calls of the C core, by the header that has them; `<warpsim/warpsim.h>` has all of them except those of `mma.h` and `run.h`.
[How to embed it](../howto/embedding.md) shows how to find the headers, and a program for each build system. The first comment of `warpsim.h` is the manual: an example for each question.

- A call that can fail returns a `ws_status`, `WS_OK` or not, and explains itself in the `ws_error` that you pass.
- You own every buffer; nothing is allocated and nothing is kept between calls. Threads may call on different data at once.
- Everything else in the headers, though visible, may change in any release.

This page is made from the headers.
"""


@cache
def read(header: str) -> str:
    """The text of a header, by its path below warpsim/."""
    return (HEADERS / header).read_text("utf-8")


def reached(header: str) -> list[str]:
    """A header and what it includes, in the order in which a compiler sees their ends."""
    found: dict[str, None] = {}

    def visit(name: str) -> None:
        if name in found:
            return
        for needed in INCLUDE.findall(read(name)):
            visit((HEADERS / name).parent.joinpath(needed).resolve().relative_to(HEADERS.resolve()).as_posix())
        found[name] = None

    visit(header)
    return list(found)


def said(comment: str) -> str:
    """A comment as one paragraph; its indented example, if there is one, is left to the header."""
    lines = [re.sub(r"^\s*\* ?", "", line).rstrip() for line in comment.strip().splitlines()]
    kept = " ".join(line for line in lines if not line.startswith("    ")).strip()
    return re.sub(r"\s+", " ", kept)


@cache
def named() -> frozenset[str]:
    """What the manual, the public headers and the list for Cython name."""
    heads = "".join(FIRST_COMMENT.findall(read(f"{door}.h"))[0] for door in DOORS)
    return frozenset(TYPE.findall(heads + (ROOT / "src" / "warpsim" / "__init__.pxd").read_text("utf-8")))


def calls(header: str) -> dict[str, tuple[str, str]]:
    """The public calls of one header: name -> prototype, comment."""
    found: dict[str, tuple[str, str]] = {}
    for comment, kind, prototype, name in CALL.findall(read(header)):
        if kind == "WS_PUBLIC" or name in named():
            found.setdefault(name, (re.sub(r"\s+", " ", prototype), said(comment)))
    return found


@cache
def by_door() -> dict[str, dict[str, tuple[str, str]]]:
    """The calls behind each public header, without those of an earlier one."""
    seen: set[str] = set()
    found: dict[str, dict[str, tuple[str, str]]] = {}
    for door in DOORS:
        headers = [header for header in reached(f"{door}.h") if header not in seen]
        seen.update(headers)
        found[door] = {name: call for header in headers for name, call in calls(header).items()}
    return found


def structs() -> dict[str, str]:
    """The structs that the prototypes name: name -> definition."""
    wanted = {word for made in by_door().values() for prototype, _ in made.values() for word in TYPE.findall(prototype)}
    headers = dict.fromkeys(header for door in DOORS for header in reached(f"{door}.h"))
    found = {match[1]: match[0] for header in headers for match in STRUCT.finditer(read(header))}
    return {name: found[name] for name in sorted(wanted) if name in found}


def lines() -> Iterator[str]:
    """The page, line by line."""
    yield HEAD
    for door, made in by_door().items():
        first = re.split(r"(?<=[?.]) |: (?=ws_)", said(FIRST_COMMENT.findall(read(f"{door}.h"))[0]))[0]
        yield f"## {door}.h\n\n{first if first[-1] in '.?' else first + '.'}\n"
        for prototype, about in made.values():
            yield f"```c\n{prototype};\n```\n"
            if about:
                yield f"{about}\n"
    yield "## Structs\n\nThose that the calls above take or return.\n"
    for definition in structs().values():
        yield f"```c\n{definition}\n```\n"


def page() -> str:
    """The page."""
    return "\n".join(lines())
