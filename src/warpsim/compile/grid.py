"""A grid written as expressions of a kernel's arguments: "cdiv(m, rows), cdiv(n, columns)"."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Mapping
from typing import Any

MOST_CHARACTERS = 500


def _cdiv(a: int, b: int) -> int:
    return -(-a // b)


FUNCTIONS: Mapping[str, Callable[..., int]] = {"cdiv": _cdiv, "min": min, "max": max}
OPERATORS: Mapping[type[ast.operator], Callable[[int, int], int]] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
}  # fmt: skip


class _Evaluated:
    def __init__(self, values: Mapping[str, Any]) -> None:
        self._values = values

    def of(self, node: ast.expr) -> int:
        if isinstance(node, ast.Constant) and type(node.value) is int:
            return node.value
        if isinstance(node, ast.Name):
            value = self._values.get(node.id)
            if isinstance(value, bool) or not hasattr(value, "__index__"):
                known = ", ".join(name for name, one in self._values.items() if hasattr(one, "__index__"))
                raise ValueError(f"{node.id!r} is not a whole number among the arguments; these are: {known or 'none'}")
            return operator.index(value)  # type: ignore[arg-type]
        if isinstance(node, ast.BinOp) and type(node.op) in OPERATORS:
            return OPERATORS[type(node.op)](self.of(node.left), self.of(node.right))
        name = node.func.id if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) else ""
        if isinstance(node, ast.Call) and name in FUNCTIONS and node.args and not node.keywords:
            return FUNCTIONS[name](*map(self.of, node.args))
        raise ValueError(f"expected numbers, names of arguments, + - * // %, and cdiv(a, b), got {ast.unparse(node)!r}")


def grid_of(text: str) -> Callable[[Mapping[str, Any]], tuple[int, ...]]:
    """What computes the grid from the arguments; a ValueError for any other text.

    >>> grid_of("cdiv(n, width), 2")({"n": 1000, "width": 128})
    (8, 2)
    """
    try:
        tree = ast.parse(text.strip() if len(text) <= MOST_CHARACTERS else "", mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise ValueError(f"expected up to three numbers or expressions such as cdiv(n, width), got {text!r}") from None
    parts = tree.elts if isinstance(tree, ast.Tuple) else [tree]

    def grid(values: Mapping[str, Any]) -> tuple[int, ...]:
        try:
            return tuple(_Evaluated(values).of(part) for part in parts)
        except (ZeroDivisionError, TypeError) as error:
            raise ValueError(f"{text}: {error}") from None

    return grid
