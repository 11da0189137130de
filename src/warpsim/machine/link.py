"""Several PTX texts as one, as a linker makes one program of several objects.

Declarations (.extern) find their definitions in the same text then. What one text keeps to itself (no .visible, .weak,
.common or .extern) gets another name where a second one has that name, too; of weak and common definitions the first
stays. Numbers of source files are made unique. Debugging sections of all but the first text are left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from ..errors import UnsupportedError

#: strings and comments, which nothing is looked for in; braces and ends of statements
_TOKEN = re.compile(r'"(?:\\.|[^"\\])*"|//[^\n]*|/\*.*?\*/|[{};]', re.DOTALL)
_LINKAGE = re.compile(r"\.(visible|extern|weak|common)\b")
_FUNCTION = re.compile(r"\.(?:entry|func)\b(?:\s*\([^)]*\))?\s*([\w$%]+)")
_VARIABLE = re.compile(r"\.(?:global|const|shared|local)\b[^{=]*?([A-Za-z_$%][\w$]*)\s*(?:\[[^]]*\]\s*)*(?:=|;|,|$)")
_HEADER = re.compile(r"\.(version|target|address_size)\b[^\n]*")
_FILE = re.compile(r"^([ \t]*)\.file([ \t]+)(\d+)", re.MULTILINE)
_LOC = re.compile(r"^([ \t]*)\.loc([ \t]+)(\d+)([ \t]+\d+[ \t]+\d+)[^\n]*", re.MULTILINE)
_SECTION = re.compile(r"\.section\b")
SECTION, DEFINING = ".section", ("visible", "weak", "common")
_BLANK = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)


@dataclass(frozen=True)
class _Part:
    """A piece of a text at its outermost level: what it declares, if anything."""

    text: str
    name: str = ""
    linkage: str = ""
    is_body: bool = False
    is_variable: bool = False


def _pieces(text: str) -> Iterator[str]:
    """Directives up to their semicolon or the end of their body; lines without either stay with what follows."""
    depth = begin = 0
    for token in _TOKEN.finditer(text):
        if token[0] == "{":
            depth += 1
        elif token[0] == "}":
            depth -= 1
        is_variable = token[0] == "}" and text[token.end() :].lstrip()[:1] == ";"
        if depth == 0 and (token[0] == ";" or (token[0] == "}" and not is_variable)):
            yield text[begin : token.end()]
            begin = token.end()
    yield text[begin:]


def _part(piece: str) -> _Part:
    bare = _HEADER.sub("", _BLANK.sub(" ", piece))
    head, brace, _ = bare.partition("{")
    if _SECTION.search(head):
        return _Part(piece, SECTION)
    named = _FUNCTION.search(head)
    variable = _VARIABLE.search(head) if named is None else None
    linkage = _LINKAGE.search(head)
    found = named or variable
    is_body = bool(brace) and named is not None
    return _Part(piece, found[1] if found else "", linkage[1] if linkage else "", is_body, variable is not None)


def _renamed(text: str, names: dict[str, str]) -> str:
    if not names:
        return text
    words = "|".join(re.escape(name) for name in sorted(names, key=len, reverse=True))
    pattern = re.compile(rf'"(?:\\.|[^"\\])*"|(?<![\w$%.])({words})(?![\w$])')
    return pattern.sub(lambda found: names[found[1]] if found[1] else found[0], text)


def _version(text: str) -> tuple[int, ...]:
    found = re.search(r"\.version\s+(\d+)\.(\d+)", text)
    return tuple(map(int, found.groups())) if found else (0, 0)


def _header(texts: Sequence[str]) -> str:
    """That of the first text, with the newest version of all."""
    targets = {
        found[1].strip() for text in texts if (found := re.search(r"^\s*\.target\b([^\n]*)", text, re.MULTILINE))
    }
    if len({target.partition(",")[0].split("/")[0].strip() for target in targets}) > 1:
        raise UnsupportedError(f"texts of several targets cannot be linked: {', '.join(sorted(targets))}")
    lines = {found[1]: found[0].strip() for found in _HEADER.finditer(texts[0])}
    newest = max(map(_version, texts))
    return "\n".join(
        [f".version {newest[0]}.{newest[1]}", *(lines[n] for n in ("target", "address_size") if n in lines)]
    )


def _of(texts: Sequence[str]) -> list[list[_Part]]:
    """The parts of each text, private names and numbers made unique."""
    parts = [[_part(piece) for piece in _pieces(text)] for text in texts]
    seen: set[str] = set()
    found = []
    for number, of_text in enumerate(parts):
        names = {part.name for part in of_text if part.name not in ("", SECTION)}
        own = names - {part.name for part in of_text if part.linkage}
        renamed = {name: f"{name}$link{number}" for name in sorted(own & seen)}
        seen |= names
        made = []
        for part in of_text:
            if number and part.name == SECTION:
                continue
            text = _HEADER.sub("", part.text)
            text = _numbered(_renamed(text, renamed), number) if number else text
            made.append(replace(part, text=text, name=renamed.get(part.name, part.name)))
        found.append(made)
    return found


def _definitions(parts: Sequence[Sequence[_Part]]) -> dict[str, _Part]:
    """What the texts define for each other, by name."""
    found: dict[str, tuple[int, _Part]] = {}
    for number, of_text in enumerate(parts, 1):
        for part in of_text:
            if part.linkage not in DEFINING or not (part.is_variable or part.is_body):
                continue
            first, other = found.setdefault(part.name, (number, part))
            if first != number and "visible" in (part.linkage, other.linkage):
                raise UnsupportedError(f"{part.name} is defined in texts {first} and {number}")
    return {name: part for name, (_, part) in found.items()}


def link(sources: Sequence[bytes]) -> bytes:
    """One text of several; UnsupportedError for two definitions of a name, or several targets."""
    texts = [source.decode("utf-8", "surrogateescape") for source in sources]
    parts = _of(texts)
    defined = _definitions(parts)
    kept, done = [_header(texts), "\n"], set()
    for part in (part for of_text in parts for part in of_text):
        known = defined.get(part.name)
        if part.is_variable and part.linkage:  # a definition stands where the name is first declared
            if part.name not in done:
                kept.append((known or part).text)
            done.add(part.name)
        elif not (part.is_body and part.linkage in DEFINING and known is not part):
            kept.append(part.text)
    return "".join(kept).encode("utf-8", "surrogateescape")


def _numbered(piece: str, number: int) -> str:
    """Files and lines under numbers of their own; where a line was inlined is left out, as its section is."""
    far = 1000 * number
    piece = _FILE.sub(lambda one: f"{one[1]}.file{one[2]}{int(one[3]) + far}", piece)
    return _LOC.sub(lambda one: f"{one[1]}.loc{one[2]}{int(one[3]) + far}{one[4]}", piece)
