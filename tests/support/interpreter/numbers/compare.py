"""setp, set, selp, slct and mov of one register."""

from collections.abc import Callable
from typing import Any

import numpy as np

from tests.support.interpreter.numbers import floats as fl
from tests.support.interpreter.numbers.arithmetic import rank
from tests.support.interpreter.numbers.integers import BOOLEAN
from tests.support.interpreter.numbers.operations import Array, Builder, Operation, U, ones, signed
from tests.support.interpreter.text import width_of

ORDER: dict[str, Callable[[Array, Array], Array]] = {
    "eq": np.equal,
    "ne": np.not_equal,
    "lt": np.less,
    "le": np.less_equal,
    "gt": np.greater,
    "ge": np.greater_equal,
}
UNSIGNED = {"lo": "lt", "ls": "le", "hi": "gt", "hs": "ge"}


def comparison(word: str, kind: str, ftz: bool) -> Callable[[Array, Array], Array]:
    if "f" not in kind:
        n = width_of(kind)
        order = ORDER[UNSIGNED.get(word, word)]
        if kind[0] == "s":
            return lambda a, b: order(signed(a, n), signed(b, n))
        return lambda a, b: order(a & ones(n), b & ones(n))

    def f(a: Array, b: Array) -> Array:
        if ftz:
            a, b = fl.flush(a, kind), fl.flush(b, kind)
        nan = fl.is_nan(a, kind) | fl.is_nan(b, kind)
        if word in ("num", "nan"):
            return nan if word == "nan" else ~nan
        x, y = (np.where(fl.is_zero(v, kind), 0, rank(v, kind)) for v in (a, b))
        return np.where(nan, len(word) == 3, ORDER[word[:2]](x, y))

    return f


def tests(parts: list[str]) -> tuple[str, Callable[..., Array], Callable[..., Array]]:
    """The type of the sources; tests of the low and the high half (or of the whole, and its opposite), joined."""
    kind, join = parts[-1], next((BOOLEAN[p] for p in parts[2:] if p in BOOLEAN), None)
    pairs = kind.endswith("x2")
    f = comparison(parts[1], kind[:-2] if pairs else kind, "ftz" in parts)

    def joined(r: Array, q: tuple[Array, ...]) -> Array:
        return join(r, q[0]) if join and q else r

    def low(a: Array, b: Array, *q: Array) -> Array:
        return joined(f(a & ones(16), b & ones(16)) if pairs else f(a, b), q)

    def high(a: Array, b: Array, *q: Array) -> Array:
        return joined(f(a >> U(16), b >> U(16)) if pairs else ~f(a, b), q)

    return kind, low, high


def setp(parts: list[str]) -> Operation:
    kind, low, high = tests(parts)
    more = any(p in BOOLEAN for p in parts[2:])
    return Operation(["pred", "pred"], [kind, kind] + ["pred"] * more, lambda *xs: (low(*xs), high(*xs)))


def set_(parts: list[str]) -> Operation:
    kind, low, high = tests(parts)
    into = parts[-2]
    more = any(p in BOOLEAN for p in parts[2:])
    true = fl.ONE.get(into.removesuffix("x2"), (1 << width_of(into)) - 1)
    if kind.endswith("x2"):
        true = true if into.endswith("x2") else 0xFFFF
        f: Any = lambda *xs: np.where(low(*xs), U(true), U(0)) | np.where(high(*xs), U(true << 16), U(0))  # noqa: E731
    else:
        f = lambda *xs: np.where(low(*xs), U(true), U(0))  # noqa: E731
    return Operation([into], [kind, kind] + ["pred"] * more, f)


def selp(parts: list[str]) -> Operation:
    return Operation([parts[-1]], [parts[-1]] * 2 + ["pred"], lambda a, b, p: np.where(p, a, b))


def slct(parts: list[str]) -> Operation:
    kind, by = parts[-2], parts[-1]
    at_least = comparison("ge", by, "ftz" in parts)
    return Operation([kind], [kind, kind, by], lambda a, b, c: np.where(at_least(c, np.zeros_like(c)), a, b))


def table() -> dict[str, Builder]:
    return {
        "setp": setp,
        "set": set_,
        "selp": selp,
        "slct": slct,
        "mov": lambda p: Operation([p[-1]], [p[-1]], lambda a: a),
    }
