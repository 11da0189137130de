"""Several PTX texts as one, as a linker makes one program of several objects.

Declarations (.extern) find their definitions in the same text then. What one text keeps to itself (no .visible, .weak,
.common or .extern) gets another name where a second one has that name, too; of weak and common definitions the first
stays. Numbers of source files are made unique. Debugging sections of all but the first text are left out.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from .. import _engine as engine
from ..errors import UnsupportedError

DEFINING = ("visible", "weak", "common")
FAR = 1000  # between the numbers of source files of two texts


@dataclass(frozen=True)
class _Part:
    """A piece of a text at its outermost level: what it declares, if anything."""

    text: bytes
    names: tuple[bytes, ...] = ()
    linkage: str = ""
    is_body: bool = False
    is_variable: bool = False
    is_section: bool = False


class _Text:
    """One of the texts: its tokens, its header, what it declares."""

    def __init__(self, text: bytes) -> None:
        self.text = text
        self.module = engine.Module(text)
        self.tokens = engine.tokens(text)
        self.words = [text[begin:end] for begin, end in self.tokens]
        self.declared = engine.declarations(self.module)  # by their places
        self._places = [one[0] for one in self.declared]
        target = self.words.index(b".target")
        self.body = target + 2  # the first token after .version, .target and .address_size
        while self.words[self.body : self.body + 1] == [b","]:
            self.body += 2
        if self.words[self.body : self.body + 1] == [b".address_size"]:
            self.body += 2
        self.before = text[: self.tokens[0][0]]  # comments
        self.header = text[self.tokens[target][0] : self.tokens[self.body - 1][1]]

    @property
    def own(self) -> set[bytes]:
        """The names that it keeps to itself."""
        return {name for _, name, linkage, *_ in self.declared if not linkage}

    def parts(self, names: Mapping[bytes, bytes], far: int) -> Iterator[_Part]:
        """Its pieces, some names and the numbers of source files replaced."""
        begin, first = self.tokens[self.body - 1][1], self.body
        for end in self._ends():
            until = self.tokens[end - 1][1] if end < len(self.tokens) else len(self.text)
            declared = self.declared[bisect_left(self._places, begin) : bisect_left(self._places, until)]
            linkage, is_variable, is_body = declared[0][2:] if declared else ("", False, False)
            text = b"".join(self._written(range(first, end), (begin, until), names, far))
            found = tuple(names.get(one[1], one[1]) for one in declared)
            yield _Part(text, found, linkage, is_body, is_variable, self.words[first] == b".section")
            begin, first = until, end

    def _ends(self) -> Iterator[int]:
        """The token after each directive that has a semicolon or a body, after each section, and after the rest."""
        depth, first = 0, self.body
        for number, word in enumerate(self.words[self.body :], self.body):
            depth += (word == b"{") - (word == b"}")
            is_end = word == b";" or (word == b"}" and self.words[number + 1 : number + 2] != [b";"])
            end = number if word == b".section" else number + 1
            if depth == 0 and end > first and (is_end or word == b".section"):
                yield end
                first = end
        if first < len(self.words):
            yield len(self.words)

    def _written(
        self, numbers: range, whole: tuple[int, int], names: Mapping[bytes, bytes], far: int
    ) -> Iterator[bytes]:
        """A piece of the text; where a line was inlined is left out, as its section is."""
        at, until = whole
        for number in numbers:
            begin, end = self.tokens[number]
            word, before = self.words[number], self.words[number - 3 : number]
            if begin < at:
                continue
            written = names.get(word, word)
            if far and before[-1] in (b".file", b".loc"):
                written = b"%d" % (int(word) + far)
            yield self.text[at:begin]
            yield written
            at = end
            if far and before[0] == b".loc":
                line_end = self.text.find(b"\n", end, until)
                at = line_end if line_end >= 0 else until
        yield self.text[at:until]


def _header(texts: Sequence[_Text]) -> bytes:
    """That of the first text, with the newest version of all."""
    targets = sorted({one.module.targets[0] for one in texts})
    if len(targets) > 1:
        raise UnsupportedError(f"texts of several targets cannot be linked: {', '.join(targets)}")
    newest = max(one.module.version for one in texts)
    return b"%b.version %d.%d\n%b" % (texts[0].before, newest // 10, newest % 10, texts[0].header)


def _of(texts: Sequence[_Text]) -> list[list[_Part]]:
    """The parts of each text, private names and numbers made unique."""
    seen: set[bytes] = set()
    found = []
    for number, text in enumerate(texts):
        renamed = {name: b"%b$link%d" % (name, number) for name in text.own & seen}
        seen |= {name for _, name, *_ in text.declared}
        parts = text.parts(renamed, FAR * number)
        found.append([part for part in parts if not (number and part.is_section)])
    return found


def _definitions(parts: Sequence[Sequence[_Part]]) -> dict[bytes, _Part]:
    """What the texts define for each other, by name."""
    found: dict[bytes, tuple[int, _Part]] = {}
    for number, of_text in enumerate(parts, 1):
        for part in of_text:
            if part.linkage not in DEFINING or not (part.is_variable or part.is_body):
                continue
            for name in part.names:
                first, other = found.setdefault(name, (number, part))
                if first != number and "visible" in (part.linkage, other.linkage):
                    raise UnsupportedError(f"{name.decode()} is defined in texts {first} and {number}")
    return {name: part for name, (_, part) in found.items()}


def link(sources: Sequence[bytes]) -> bytes:
    """One text of several; UnsupportedError for two definitions of a name, or several targets."""
    texts = [_Text(source) for source in sources]
    parts = _of(texts)
    defined = _definitions(parts)
    kept: list[bytes] = [_header(texts)]
    done: set[bytes] = set()
    for part in (part for of_text in parts for part in of_text):
        known = defined.get(part.names[0]) if part.names else None
        if part.is_variable and part.linkage:  # a definition stands where the name is first declared
            if not done.issuperset(part.names):
                kept.append((known or part).text)
            done.update(part.names)
        elif not (part.is_body and part.linkage in DEFINING and known is not part):
            kept.append(part.text)
    return b"".join(kept)
