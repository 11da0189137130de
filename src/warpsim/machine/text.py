"""The statements of a PTX text that access memory: where they point, as far as the text says."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import defaultdict
from dataclasses import dataclass
from typing import Any

from ..threads.once import cached_property

COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.S)
GUARD = re.compile(r"@!?[\w$%]+\s*")
LABEL = re.compile(r"(?<![\w$%])[\w$%]++\s*+:")
FUNCTION = re.compile(r"\.(?:entry|func)\b")
ADDRESS = re.compile(r"\[\s*([\w$%]+)\s*(?:\+?\s*(-?\w+)\s*)?\]")
TYPE = re.compile(r"(?:[busf]|bf)(\d+)(x2)?$")
VECTOR = {"v2": 2, "v4": 4, "v8": 8}
SPACES = ("shared", "global", "local", "param", "const")
#: what an access is, by how its opcode begins
FAMILIES = {
    "ldmatrix": "load matrix", "stmatrix": "store matrix", "cp.async": "copy", "ld": "load", "ldu": "load",
    "st": "store", "atom": "atomic", "red": "atomic",
}  # fmt: skip
PLAIN = re.compile(r"cp\.async\.c[ag]\.|(?:ldmatrix|stmatrix|ldu?|st|atom|red)\.(?!bulk|async)")
#: ends a straight stretch of the text: control leaves or threads meet
ENDS = re.compile(
    r"(?:bra|brx|call|ret|exit|trap|bar|barrier|membar|fence|mbarrier|cp\.async|wmma|wgmma|tcgen05|griddepcontrol)\b"
)
ALIGNMENT_MOST = 256


@dataclass(frozen=True)
class Access:
    """A statement that accesses memory. `root`, `offset`: its address, as far back as sums with constants go."""

    number: int
    line: int
    opcode: str
    family: str
    space: str
    nbytes: int
    element_bytes: int
    root: str
    offset: int
    guard: str
    stretch: int

    @property
    def is_volatile(self) -> bool:
        """Is it one that the assembler leaves alone?"""
        return any(word in self.opcode for word in (".volatile", ".acquire", ".release", ".relaxed", ".mmio"))


def _number(text: str) -> int | None:
    try:
        return int(text, 8) if re.fullmatch(r"-?0[0-7]+", text) else int(text.rstrip("U"), 0)
    except ValueError:
        return None


def _element(word: str) -> int:
    """Bytes of a type."""
    found = TYPE.match(word)
    return int(found[1]) // 8 * (2 if found[2] else 1) if found else 0


class Text:
    """A PTX text by statement: operands, what defines each register, and accesses."""

    def __init__(self, text: bytes, places: tuple[tuple[int, int, str], ...]) -> None:
        self.bytes = text
        self.places = places
        self._text = text.decode("latin-1")
        self._begins: list[int] = []  # where statements begin, and where their opcodes do
        self._opcodes: list[int] = []
        self.operands: list[str] = []
        self.guards: list[str] = []
        self._function: list[int] = []
        self._definitions: dict[tuple[int, str], list[int]] = defaultdict(list)
        self._alignments: dict[tuple[str, str], int] = {}
        self.accesses: list[Access] = []
        self._read()

    @cached_property
    def symbols(self) -> dict[str, int]:
        """The alignment of each variable of shared memory: the assembler aligns its own to 16 bytes at least."""
        found = re.finditer(r"(\.extern\s+)?\.shared\s+(?:\.align\s+(\d+)\s+)?\.\w+\s+([\w$]+)", self._text)
        return {one[3]: max(int(one[2] or 1), 1 if one[1] else 16) for one in found}

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Text) and self.bytes == other.bytes

    def __hash__(self) -> int:
        return hash(self.bytes)

    def own_lines(self) -> tuple[bytes, list[int]]:
        """The text with each opcode on a line of its own, and these lines."""
        parts: list[str] = []
        lines: list[int] = []
        end, line = 0, 1
        for begin, opcode in zip(self._begins, self._opcodes, strict=True):
            between = self._text[end:begin]
            if lines and "\n" not in between:
                between += "\n"
            parts += [between, self._text[begin:opcode]]
            line += between.count("\n") + parts[-1].count("\n")
            lines.append(line)
            end = opcode
        return "".join([*parts, self._text[end:]]).encode("latin-1"), lines

    def _read(self) -> None:
        end = function = stretch = 0
        rows = []
        line_begins = [0, *(found.end() for found in re.finditer("\n", self._text))]
        for number, (line, column, opcode) in enumerate(self.places):
            begin = line_begins[line - 1] + column - 1
            guarded = GUARD.match(self._text, begin)
            at = guarded.end() if guarded else begin
            self._begins.append(begin)
            self._opcodes.append(at)
            gap = COMMENT.sub(" ", self._text[end:begin])
            end = self._text.find(";", at) + 1 or len(self._text)
            operands = COMMENT.sub(" ", self._text[at + len(opcode) : end - 1]).strip()
            function += FUNCTION.search(gap) is not None
            guard = guarded[0].strip() if guarded else ""
            stretch += LABEL.search(gap) is not None or ENDS.match(opcode) is not None
            self.operands.append(operands)
            self.guards.append(guard)
            self._function.append(function)
            if not opcode.startswith(("st", "red", "bra", "bar")):
                first = operands.split(",")[0] if not operands.startswith("{") else operands.split("}")[0]
                for register in re.findall(r"%?[\w$]+", first):
                    self._definitions[function, register].append(number)
            if PLAIN.match(opcode):
                rows.append((number, guard, stretch))
        self.accesses = [access for row in rows if (access := self._access(*row)) is not None]

    def _access(self, number: int, guard: str, stretch: int) -> Access | None:
        line, _, opcode = self.places[number]
        words = opcode.split(".")
        family = FAMILIES["cp.async" if words[0] == "cp" else words[0]]
        space = next((s for s in SPACES if any(word.split("::")[0] == s for word in words)), "generic")
        space = "shared" if family == "copy" else space
        found = ADDRESS.search(self.operands[number])
        if found is None or space in ("param", "const"):
            return None
        root, offset = self._root(number, found[1], _number(found[2] or "0") or 0)
        element = _element(words[-1])
        nbytes = element * next((count for word, count in VECTOR.items() if word in words), 1)
        return Access(number, line, opcode, family, space, nbytes, element, root, offset, guard, stretch)

    def _root(self, number: int, register: str, offset: int) -> tuple[str, int]:
        """Where a register points at a statement, from the one that it is computed from by adding constants.

        The text of a root is the function, the register, and how often the text has defined it by then.
        """
        function = self._function[number]
        for _ in range(64):
            defined = self._definitions.get((function, register), [])
            if len(defined) != 1:
                break
            opcode, operands = self.places[defined[0]][2], self.operands[defined[0]].split(",")
            words = [operand.strip() for operand in operands[1:]]
            if opcode.startswith("mov.") and len(words) == 1 and re.match(r"[%\w$]+$", words[0]):
                if _number(words[0]) is not None:
                    break
                number, register = defined[0], words[0]
                continue
            added = _number(words[1]) if len(words) == 2 else None
            if added is None or not re.match(r"(add|sub)\.[us](32|64)$", opcode):
                break
            number, register, offset = defined[0], words[0], offset + (added if opcode.startswith("add") else -added)
        times = bisect_left(self._definitions.get((function, register), []), number)
        return f"{function}:{register}:{times}", offset

    def alignment(self, root: str) -> int:
        """A power of two that the address at a root is a multiple of, as far as the text shows it."""
        function, register, _ = root.split(":")
        known = self._alignments.get((function, register))
        if known is None:
            known = self._alignments[function, register] = self._aligned(int(function), register, {})
        return known

    def _aligned(self, function: int, register: str, seen: dict[str, int]) -> int:
        value = _number(register)
        if value is not None:
            return min(value & -value, ALIGNMENT_MOST) if value else ALIGNMENT_MOST
        if register in self.symbols:
            return min(self.symbols[register], ALIGNMENT_MOST)
        if register in seen or len(seen) > 200:
            return seen.get(register, 1)  # a loop: as aligned as what it begins with and what it adds
        seen[register] = ALIGNMENT_MOST
        defined = self._definitions.get((function, register), [])
        found = min((self._made(function, number, seen) for number in defined), default=1)
        seen[register] = found
        return found

    def _made(self, function: int, number: int, seen: dict[str, int]) -> int:
        word = self.places[number][2].split(".")[0]
        operands = [one.strip() for one in self.operands[number].split(",")[1:]]
        if not operands or not all(re.match(r"-?[%\w$]+$", one) for one in operands):
            return 1
        if word == "shl" and (by := _number(operands[1])) is not None:
            return min(self._aligned(function, operands[0], seen) << min(by, 8), ALIGNMENT_MOST)
        of = [self._aligned(function, one, seen) for one in operands]
        if word in ("mov", "cvta", "cvt"):
            return of[0]
        if word in ("add", "sub", "or", "xor", "selp", "min", "max"):
            return min(of[:2])
        if word == "and":
            return max(of)
        if word in ("mul", "mad"):
            product = min(of[0] * of[1], ALIGNMENT_MOST) if ".hi" not in self.places[number][2] else 1
            return min([product, *of[2:]])
        return 1


def read(module: Any, text: bytes) -> Text:
    """The text of a module that the engine has read."""
    return Text(text, tuple(module.place(number) for number in range(module.statement_count)))
