"""The values of PTX's integer constant expressions.

"Constant Expressions" of the PTX ISA: C's operators and their precedence on unsigned 64 bits that
wrap; comparisons are unsigned; casts change nothing.
"""

import operator
import re
from collections.abc import Callable

_TOKEN = re.compile(
    r"\s*(0[xX][\da-fA-F]+U?|0[bB][01]+U?|\d+U?(?![\w.])|WARP_SZ"
    r"|\(\s*\.[su]64\s*\)|\|\||&&|[=!<>]=|<<|>>|[-+*/%<>&|^~!?:()])"
)
_MASK = 2**64 - 1
_WARP_LANES = 32
_BINARY: dict[str, tuple[int, Callable[[int, int], int]]] = {
    "||": (1, lambda a, b: int(a != 0 or b != 0)),
    "&&": (2, lambda a, b: int(a != 0 and b != 0)),
    "|": (3, operator.or_), "^": (4, operator.xor), "&": (5, operator.and_),
    "==": (6, operator.eq), "!=": (6, operator.ne),
    "<": (7, operator.lt), "<=": (7, operator.le), ">": (7, operator.gt), ">=": (7, operator.ge),
    "<<": (8, lambda a, b: a << b if b < 64 else 0),
    ">>": (8, lambda a, b: a >> b if b < 64 else 0),
    "+": (9, operator.add), "-": (9, operator.sub), "*": (10, operator.mul),
    "/": (10, operator.floordiv), "%": (10, operator.mod),
}  # fmt: skip
_UNARY: dict[str, Callable[[int], int]] = {
    "+": operator.pos, "-": operator.neg, "~": operator.invert, "!": operator.not_,
}  # fmt: skip


class _Expression:
    """The tokens of one expression, taken from the left."""

    def __init__(self, text: str) -> None:
        self.tokens: list[str] = []
        at, text = 0, text.rstrip()
        while at < len(text):
            found = _TOKEN.match(text, at)
            if found is None:
                raise ValueError(text)
            self.tokens.append(found[1])
            at = found.end()
        self.tokens.reverse()

    def take(self) -> str:
        if not self.tokens:
            raise ValueError("the end")
        return self.tokens.pop()

    def factor(self) -> int:
        token = self.take()
        if token in _UNARY:
            return _UNARY[token](self.factor()) & _MASK
        if token == "(":
            value = self.value(0)
            if self.take() != ")":
                raise ValueError("no bracket")
            return value
        if token[0] == "(":
            return self.factor()
        if token == "WARP_SZ":
            return _WARP_LANES
        digits = token.removesuffix("U")
        octal = digits.isdecimal() and digits[0] == "0"
        return int(digits, 8 if octal else 0) & _MASK

    def value(self, binds: int) -> int:
        """An expression of the operators that bind at least as tightly as `binds`."""
        left = self.factor()
        while self.tokens:
            token = self.tokens[-1]
            if token == "?" and binds == 0:
                self.take()
                yes = self.value(0)
                if self.take() != ":":
                    raise ValueError("no other")
                no = self.value(0)
                left = yes if left else no
                continue
            tightness, apply = _BINARY.get(token, (-1, operator.add))
            if tightness < max(binds, 1):
                break
            self.take()
            left = apply(left, self.value(tightness + 1)) & _MASK
        return left


def constant(text: str) -> int | None:
    """The value of an expression as a signed 64-bit integer; None if it has none.

    >>> constant("-16"), constant("(16 + 0x8) * 2"), constant("WARP_SZ - 020"), constant("r0")
    (-16, 48, 16, None)
    """
    expression = None
    try:
        expression = _Expression(text)
        value = expression.value(0)
    except (ValueError, ZeroDivisionError, RecursionError):
        return None
    return None if expression.tokens else (value + 2**63) % 2**64 - 2**63
