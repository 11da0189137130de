"""All places of the core where a single token, statement or result can be broken, and a draw from them.

A place is drawn by a hash of the seed and of the code around it: the draw is uniform, and a change of
one function leaves what is drawn from the others as it is.
"""

import hashlib
import re
from collections import Counter
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import NamedTuple

from tests.support.paths import HEADERS, ROOT
from tools import places
from tools.mutation.mutants import Mutant

COMMENT = r"/\*.*?\*/|//[^\n]*"
TEXT = r'"(?:\\.|[^"\\\n])*"' + r"|'(?:\\.|[^'\\\n])*'"
#: directives, whole; of a definition everything up to its body
DIRECTIVE = r"^[ \t]*#[ \t]*(?:define[ \t]+\w+(?:\([^)]*\))?|(?!define)(?:\\\n|[^\n])*)"
UNCODE = re.compile(f"{COMMENT}|{TEXT}|{DIRECTIVE}", re.DOTALL | re.MULTILINE)
NUMBER = r"0[xX][\da-fA-F]+|\d+\.\d*(?:[eE][-+]?\d+)?|\d+(?:[eE][-+]?\d+)?"
TOKEN = re.compile(
    rf"(?P<word>[A-Za-z_]\w*)|(?P<number>(?:{NUMBER})(?P<suffix>[uUlLfF]*))"
    r"|<<=|>>=|->|\+\+|--|<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%&|^]=|##|[^\w\s\\]"
)
#: between two values, so with a space on both sides
BINARY = {
    "+": "-", "-": "+", "*": "+ /", "/": "*", "%": "*", "<": "<= >=", "<=": "< >", ">": ">= <=", ">=": "> <",
    "==": "!=", "!=": "==", "&&": "||", "||": "&&", "&": "|", "|": "&", "^": "| &", "<<": ">>", ">>": "<<",
    "+=": "-= =", "-=": "+= =", "*=": "/= =", "/=": "*= =", "|=": "&= =", "&=": "|= =", "^=": "|= =",
    "<<=": ">>= =", ">>=": "<<= =",
}  # fmt: skip
PREFIX = {"!": "", "~": "", "++": "--", "--": "++"}
ZEROS = {"0", "false", "NULL"}
CONTROLS = {"if", "for", "while", "switch"}
KEPT = {*CONTROLS, "case", "default", "else", "do", "typedef", "const", "static"}


class Break(NamedTuple):
    """Characters of a header, and what replaces them."""

    begin: int
    end: int
    after: str


class Site(NamedTuple):
    """One place, and a break of it that was drawn."""

    path: Path
    function: str
    text: str
    found: Break

    @property
    def file(self) -> str:
        return str((ROOT / self.path).relative_to(HEADERS))

    @property
    def folder(self) -> str:
        return self.file.split("/")[0]

    def broken(self) -> tuple[Path, str]:
        """As of a mutant: the file, and its text with the break in it."""
        begin, end, after = self.found
        return self.path, self.text[:begin] + after + self.text[end:]

    def as_mutant(self) -> Mutant:
        """With as much of the code around it as makes it the only such place of its function."""
        tokens = [match.span() for match in places.TOKEN.finditer(self.text)]
        begin, end, after = self.found
        while True:
            before = " ".join(self.text[begin:end].split())
            if len(before) > 3 and places.find(self.function, before) == [places.Place(self.path, begin, end)]:
                break
            around = [max((a for a, b in tokens if b <= begin), default=0)]
            around += [min((b for a, b in tokens if a >= end), default=len(self.text))]
            begin, end = around[0], around[1]
            if end - begin > 400:
                break  # the same code in twins of one name
        whole = self.text[begin : self.found.begin] + after + self.text[self.found.end : end]
        return Mutant(f"{self.file}: drawn", self.function, before, " ".join(whole.split()), "drawn")


def code(text: str) -> str:
    """The text with spaces where no code is."""
    return UNCODE.sub(lambda found: re.sub(r"[^\n]", " ", found[0]), text)


def numbers(token: re.Match[str]) -> list[str]:
    suffix = token["suffix"]
    value = token["number"].removesuffix(suffix)
    if re.fullmatch(r"0[xX].*|\d+", value):
        n = int(value, 0) if value.strip("0") else 0
        return [f"{new}{suffix if new >= 0 else ''}" for new in dict.fromkeys((n + 1, n - 1, 0)) if new != n]
    return [f"{new}{suffix}" for new in dict.fromkeys((float(value) + 1, float(value) - 1, 0.0)) if new != float(value)]


def closing(tokens: list[re.Match[str]], opening: int) -> int:
    """The index of the bracket that closes this one."""
    depth = 0
    for i in range(opening, len(tokens)):
        depth += (tokens[i][0] in "([{") - (tokens[i][0] in ")]}")
        if depth == 0:
            return i
    return len(tokens) - 1


def statements(tokens: list[re.Match[str]]) -> Iterator[tuple[int, int]]:
    """Indices of the first and the last token of every statement that could be left out."""
    starts, i = {0}, 0
    while i < len(tokens):
        if tokens[i][0] in (";", "{", "}", "else", "do"):
            starts.add(i + 1)
        elif tokens[i][0] in CONTROLS and i + 1 < len(tokens) and tokens[i + 1][0] == "(":
            i = closing(tokens, i + 1)
            starts.add(i + 1)
        elif tokens[i][0] in ("case", "default"):
            while i < len(tokens) and tokens[i][0] != ":":
                i += 1
            starts.add(i + 1)
        i += 1
    for start in sorted(starts):
        end = start
        while end < len(tokens) and tokens[end][0] not in ("{", "}", ";"):
            end = closing(tokens, end) + 1 if tokens[end][0] in "([" else end + 1
        words = {token["word"] for token in tokens[start : start + 2]}
        declared = bool(words & KEPT) or (len(words) == 2 and not words & {None, "return"})
        if end > start and end < len(tokens) and tokens[end][0] == ";" and not declared:
            yield start, end


def breaks_of(text: str, bare: str, begin: int, end: int) -> Iterator[list[Break]]:
    """For every place of a function, table or macro all its breaks."""
    tokens = list(TOKEN.finditer(bare, begin, end))
    for i, token in enumerate(tokens):
        here, there = token.span()
        apart = text[here - 1].isspace() and text[there : there + 1].isspace()
        if token["number"]:
            yield [Break(here, there, number) for number in numbers(token)]
        elif apart and token[0] in BINARY:
            yield [Break(here, there, other) for other in BINARY[token[0]].split()]
        elif not apart and token[0] in PREFIX:
            yield [Break(here, there, PREFIX[token[0]])]
        elif token[0] in ("if", "while") and i + 1 < len(tokens) and tokens[i + 1][0] == "(":
            inside = tokens[i + 1].end(), tokens[closing(tokens, i + 1)].start()
            yield [Break(*inside, f"!({text[slice(*inside)]})")]
    for first, last in statements(tokens):
        here, there = tokens[first].start(), tokens[last].end()
        if tokens[first][0] == "return" and last > first + 1:
            value = text[tokens[first + 1].start() : tokens[last].start()]
            results = [f"1 + ({value})"] if value in ZEROS else ["0", f"1 + ({value})"]
            yield [Break(here, there, f"return {result};") for result in results]
        else:
            yield [Break(here, there, ";")]


def sites(folders: Collection[str] = ()) -> Iterator[tuple[str, Path, str, str, list[Break]]]:
    """(what it is known by, file, function, text of the file, breaks) of every place of the core, or of folders."""
    for path in sorted(HEADERS.rglob("*.h")):
        if folders and path.relative_to(HEADERS).parts[0] not in folders:
            continue
        text = path.read_text()
        bare = code(text)
        seen: Counter[str] = Counter()
        for function, begin, end in places.items_of_c(text):
            for breaks in breaks_of(text, bare, begin, end):
                line = text[text.rfind("\n", 0, breaks[0].begin) + 1 : text.find("\n", breaks[0].end)]
                known = f"{path.name} {function} {' '.join(line.split())} {breaks[0].after}"
                seen[known] += 1
                yield f"{known} {seen[known]}", path.relative_to(ROOT), function, text, breaks


def drawn(count: int, seed: str, folders: Collection[str] = ()) -> list[Site]:
    """So many places, each with one of its breaks."""

    def rank(known: str) -> int:
        return int.from_bytes(hashlib.sha256(f"{seed} {known}".encode()).digest())

    chosen = sorted((rank(known), *rest) for known, *rest in sites(folders))[:count]
    return [Site(path, function, text, breaks[n % len(breaks)]) for n, path, function, text, breaks in chosen]
