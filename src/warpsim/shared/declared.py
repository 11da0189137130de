"""Rows of an array of shared memory as its declaration in the source has them, with more elements in each.

    __shared__ float tile[16][2 * W];        tile[16][2 * W + 4]

Extents are numbers, and names to which the text gives numbers. Where one is not, or the rows are not those that the
accesses form, nothing is said.
"""

from __future__ import annotations

import ast
import operator
import re
from collections.abc import Iterator
from itertools import islice, product
from math import prod

MOST_NUMBERS, MOST_SEARCHES = 8, 128  # that an extent may come to, as its names are defined; of the text
MOST_DECLARED = 32  # of an array, in a text
MOST_WORDS = 400  # characters of an extent, its names replaced
_OPERATIONS = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.FloorDiv: operator.floordiv,
    ast.LShift: operator.lshift,
}


def _value(node: ast.AST) -> int:
    if isinstance(node, ast.Constant) and isinstance(node.value, int):
        return node.value
    if isinstance(node, ast.BinOp) and type(node.op) in _OPERATIONS:
        left, right = _value(node.left), _value(node.right)
        if abs(left) < 1 << 32 and abs(right) < (32 if isinstance(node.op, ast.LShift) else 1 << 32):
            return int(_OPERATIONS[type(node.op)](left, right))
    raise ValueError("no constant")


def _numbers(text: str, words: str, left: Iterator[int]) -> list[int]:
    """What an expression may come to: a name can be defined in several ways. `left`: searches of the text."""
    name = re.search(r"[A-Za-z_]\w*", words)
    if name is None:
        try:
            return [_value(ast.parse(words.replace("/", "//").strip(), mode="eval").body)]
        except (ValueError, SyntaxError, ZeroDivisionError, MemoryError, RecursionError):
            return []
    found: list[int] = []
    word = name[0]
    defined = rf"#define\s+{word}[ \t]+([^\n/]+)|\b(?:int|unsigned|size_t)\s+{word}\s*=\s*([^;,\n]+)"
    if len(words) > MOST_WORDS or next(left, None) is None:
        return []
    for given in islice(re.finditer(defined, text), MOST_NUMBERS):
        inner = (given[1] or given[2]).strip()[:MOST_WORDS].replace("\\", r"\\")
        found += _numbers(text, re.sub(rf"\b{word}\b", f"({inner})", words), left)
    return found[:MOST_NUMBERS]


def _declared(text: str, name: str) -> Iterator[list[str]]:
    """The extents of each declaration of an array of two to four."""
    array = re.compile(rf"\b{re.escape(name)}\s*+((?:\[[^\[\]\n]*+\]\s*+)++)")
    for statement in text.split(";"):
        begin = statement.find("__shared__")
        for found in array.finditer(statement, begin) if begin >= 0 else ():
            extents = re.findall(r"\[([^\]]*)\]", found[1])
            if 2 <= len(extents) <= 4:
                yield extents


def padded(text: str, name: str, nbytes: int, pitch: int, pad: int) -> str | None:
    """The declaration of an array of `nbytes` bytes whose rows of `pitch` bytes are padded by `pad` bytes."""
    left = iter(range(MOST_SEARCHES))
    for extents in islice(_declared(text, name), MOST_DECLARED):
        for numbers in product(*(_numbers(text, one, left) for one in extents)):
            count = prod(numbers)
            element = nbytes // count if count > 0 else 0
            if element * count == nbytes and numbers[-1] * element == pitch and pad % max(element, 1) == 0:
                rows, columns = "".join(f"[{one}]" for one in extents[:-1]), extents[-1].strip()
                columns = columns if re.fullmatch(r"[\w\s*+-]+", columns) else f"({columns})"
                return f"{name}{rows}[{columns} + {pad // element}]"
    return None
