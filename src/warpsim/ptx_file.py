"""A PTX file as statements: version, target, declarations and scopes; it knows no instruction.

PTX has no lines: a statement ends at its semicolon, but `.loc` and the like end by their grammar,
and a brace is a scope, a vector, an initialiser or a data section, by where it stands.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from typing import NamedTuple

_SILENT = re.compile(r'//[^\n]*|/\*.*?(?:\*/|\Z)|"(?:[^"\\\n]|\\.)*"', re.DOTALL)
_SPACE = re.compile(r"[\s\0\ufeff]*+(?:[A-Za-z_$%][\w$]*+\s*+:(?!:)\s*+)*+")  # and labels
_STOP = re.compile(r"[;{}]")
_BRACE = re.compile(r"[{}]")
_UNTERMINATED = re.compile(
    r"\.(?:version\s+(?P<version>\d+\.\d+)"
    r"|target\s+(?P<target>\w+)(?:\s*,\s*\w+)*"
    r"|address_size\s+\d+"
    r"|(?:file|loc)(?:\s+\d+)++(?:\s*+,[^\n;]*+)*+)(?![\w$])"
    r"|@@DWARF[^\n]*"
)
_VARIABLE = re.compile(
    r"\s*(?:\.(?:extern|visible|weak|common)\s+)*"
    r"\.(reg|shared|global|const|local|param)(?:::\w+)?(?![\w$])(.*)\Z",
    re.DOTALL,
)
_ATTRIBUTE = re.compile(r"\.attribute\s*\([^()]*\)|\.align\s+\w+")
_TYPE = re.compile(r"\.(\w+)")
_NAME = re.compile(r"\s*([%\w$]+)\s*(?:<\s*(\d{1,9})\s*>)?")
_MOST_DIGITS = 9
_MOST_FAMILIES = 99  # of one name, one inside the other: bounds the work on absurd texts


class Declared(NamedTuple):
    """What a name stands for: a register or a symbol of a state space, and its type."""

    space: str  # "reg", "shared", "global", ...; "" where the directive is not known
    type: str  # "b32", "f16x2", ...; "" where it is none of one element


UNKNOWN = Declared("", "")
VECTOR_REGISTER = Declared("reg", "")


class Names:
    """The names declared so far, inner scopes over outer ones."""

    def __init__(self) -> None:
        # per name, and per name of %r<10>: (depth, how many, declared), innermost last
        self._declared: dict[str, list[tuple[int, int | None, Declared]]] = {}
        self._scopes: list[list[str]] = [[]]
        self._registers = 0

    def open(self) -> None:
        """Begins a scope."""
        self._scopes.append([])

    def close(self) -> None:
        """Forgets the names of the innermost scope; the file's own stay."""
        if len(self._scopes) == 1:
            return
        for name in self._scopes.pop():
            _, _, declared = self._declared[name].pop()
            self._registers -= declared.space == "reg"

    def add(self, name: str, count: int | None, declared: Declared) -> None:
        """Declares a name, or `count` names that are numbered from 0."""
        depth = len(self._scopes)
        self._declared.setdefault(name, []).append((depth, count, declared))
        self._scopes[-1].append(name)
        self._registers += declared.space == "reg"

    def find(self, name: str) -> Declared | None:
        """What the name stands for in the innermost scope that has it, or None."""
        best = max(self._candidates(name), key=lambda found: found[0], default=None)
        return None if best is None else best[1]

    def _candidates(self, name: str) -> Iterator[tuple[int, Declared]]:
        for depth, count, declared in reversed(self._declared.get(name, ())):
            if count is None:
                yield depth, declared
                break
        for digits in range(1, min(len(name), _MOST_DIGITS + 1)):
            if not name[-digits].isdecimal():
                break
            families = self._declared.get(name[:-digits], [])[: -_MOST_FAMILIES - 1 : -1]
            for depth, count, declared in families:
                if count is not None and int(name[-digits:]) < count:
                    yield depth, declared
                    break

    @property
    def knows_registers(self) -> bool:
        """Is any register declared here: is a name that is not found a mistake?"""
        return self._registers > 0


class Statement(NamedTuple):
    """The place of an instruction, the semicolon included where there is one."""

    begin: int
    end: int


class PtxFile:
    """A PTX text. `code` is the text with comments and strings blanked out, of the same length.

    `names`, `version` and `target` are those up to the statement that `statements` gave last; the
    first version and the first target count.
    """

    def __init__(self, text: str) -> None:
        self.text = text
        self.code = _SILENT.sub(lambda found: re.sub(r"[^\n]", " ", found[0]), text)
        self.names = Names()
        self.version: str | None = None
        self.target: str | None = None
        self.version_at = 0
        self.target_at = 0
        self._line_starts = [0, *(found.end() for found in re.finditer("\n", text))]

    def position(self, offset: int) -> tuple[int, int]:
        """Line and column, both from 1, of a place in the text."""
        line = bisect_right(self._line_starts, offset)
        return line, offset - self._line_starts[line - 1] + 1

    def excerpt(self, offset: int, width: int) -> tuple[str, int]:
        """At most `width` characters of the line around a place, and where the place is in them."""
        start = self._line_starts[bisect_right(self._line_starts, offset) - 1]
        begin = max(start, offset - width * 2 // 5)
        end = self.text.find("\n", begin, begin + width)
        if 0 <= end < begin + width and begin > start:
            begin = max(start, end - width)
        piece = self.text[begin : end if end >= 0 else begin + width]
        return piece.rstrip("\r").replace("\t", " "), offset - begin

    def statements(self) -> Iterator[Statement]:
        """The instructions in their order."""
        code, at = self.code, 0
        while True:
            found = _SPACE.match(code, at)
            at = found.end() if found is not None else at
            if at >= len(code):
                return
            if code[at] in ";{}":
                self._turn(code[at])
                at += 1
            elif found := _UNTERMINATED.match(code, at):
                self._take(found)
                at = found.end()
            elif code[at] == ".":
                at = self._take_directive(at)
            else:
                begin, at = at, self._end_of_instruction(at)
                yield Statement(begin, at)

    def _turn(self, brace: str) -> None:
        if brace == "{":
            self.names.open()
        elif brace == "}":
            self.names.close()

    def _take(self, found: re.Match[str]) -> None:
        if found["version"] and self.version is None:
            self.version, self.version_at = found["version"], found.start("version")
        if found["target"] and self.target is None:
            self.target, self.target_at = found["target"], found.start("target")

    def _end_of_instruction(self, at: int) -> int:
        """Behind the semicolon, or at the `}` of the scope where that comes first."""
        depth = 0
        for found in _STOP.finditer(self.code, at):
            if found[0] == ";":
                return found.end()
            depth += 1 if found[0] == "{" else -1
            if depth < 0:
                return found.start()
        return len(self.code)

    def _skip_braces(self, at: int) -> int:
        """Behind the `}` that belongs to the `{` at `at`."""
        depth = 0
        for found in _BRACE.finditer(self.code, at):
            depth += 1 if found[0] == "{" else -1
            if depth == 0:
                return found.end()
        return len(self.code)

    def _take_directive(self, at: int) -> int:
        """Declares what the directive at `at` declares; gives the place behind it."""
        pieces: list[str] = []  # without initialisers
        begin = at
        while found := _STOP.search(self.code, begin):
            pieces.append(self.code[begin : found.start()])
            if found[0] == "}":
                return found.start()
            if found[0] == ";":
                self._declare("".join(pieces))
                return found.end()
            if len(pieces) > 1 or "=" in pieces[0]:
                begin = self._skip_braces(found.start())
            elif pieces[0].startswith(".section"):
                return self._skip_braces(found.start())
            else:
                self.names.open()
                self._declare_parameters(pieces[0])
                return found.end()
        return len(self.code)

    def _declare_parameters(self, header: str) -> None:
        for part in re.split(r"[,()]", header):
            found = _VARIABLE.match(part)
            if found is not None:
                self._declare_variables(found[1], found[2])

    def _declare(self, text: str) -> None:
        found = _VARIABLE.match(text)
        if found is not None:
            self._declare_variables(found[1], found[2])
            return
        # names of directives that are not known here must not look undeclared
        for name in re.findall(r"(?<![.\w$%])[%\w$]+", text):
            self.names.add(name, None, UNKNOWN)

    def _declare_variables(self, space: str, rest: str) -> None:
        """`rest` is the declaration behind its state space: " .b32 %r<4>, x"."""
        rest = re.sub(r"=[^,]*", "", _ATTRIBUTE.sub("", rest))
        types = list(_TYPE.finditer(rest))
        if not types:
            return
        is_vector = any(found[1] in ("v2", "v4", "v8") for found in types[:-1])
        declared = Declared(space, "" if is_vector else types[-1][1])
        for part in rest[types[-1].end() :].split(","):
            found = _NAME.match(part)
            if found is not None:
                self.names.add(found[1], int(found[2]) if found[2] else None, declared)
