"""Arithmetic of f16, bf16, f32 and f64 by the rules of the H200: roundings, .ftz, .sat, .relu, NaN."""

from collections.abc import Callable
from typing import Any

import numpy as np

from tests.support.interpreter.numbers import floats as fl
from tests.support.interpreter.numbers.floats import (
    CANONICAL,
    ONE,
    Value,
    flush,
    is_infinite,
    is_nan,
    is_zero,
    negative,
    sign_bit,
)
from tests.support.interpreter.numbers.operations import Array, Operation, U, halves

ROUNDINGS = ("rn", "rz", "rm", "rp")
QUIET = U(1 << 51)


def rounding_of(parts: list[str]) -> str:
    return next((p for p in parts if p in ROUNDINGS), "rn")


def bits_where(pairs: list[tuple[Array, Array]], otherwise: Array) -> Array:
    """The value of the first condition that holds."""
    out = otherwise
    for condition, x in reversed(pairs):
        out = np.where(condition, x, out)
    return out


def nan_result(fmt: str, *by_rank: Array) -> Array:
    """The NaN of an operation whose operands are given with the one that survives first."""
    out = np.full(np.shape(by_rank[0]) if by_rank else (), CANONICAL[fmt], U)
    if fmt == "f64":
        for x in reversed(by_rank):
            out = np.where(is_nan(x, fmt), x | QUIET, out)
    return out


def any_nan(fmt: str, *xs: Array) -> Array:
    return np.logical_or.reduce([is_nan(x, fmt) for x in xs])


def value(x: Array, fmt: str, wide: bool) -> Value:
    v = fl.value(x, fmt)
    return v.as_objects() if wide else v


def add(a: Array, b: Array, fmt: str, rounding: str = "rn", ftz: bool = False) -> Array:
    if ftz:
        a, b = flush(a, fmt), flush(b, fmt)
    sum_ = fl.rounded(fl.total(value(a, fmt, False), value(b, fmt, False), rounding), fmt, rounding, ftz)
    clash = is_infinite(a, fmt) & is_infinite(b, fmt) & (a != b)
    return bits_where(
        [
            (any_nan(fmt, a, b), nan_result(fmt, b, a)),
            (clash, U(CANONICAL[fmt])),
            (is_infinite(a, fmt), a),
            (is_infinite(b, fmt), b),
        ],
        sum_,
    )


def sub(a: Array, b: Array, fmt: str, rounding: str = "rn", ftz: bool = False) -> Array:
    return add(a, np.where(is_nan(b, fmt), b, b ^ sign_bit(fmt)), fmt, rounding, ftz)


def mul(a: Array, b: Array, fmt: str, rounding: str = "rn", ftz: bool = False) -> Array:
    if ftz:
        a, b = flush(a, fmt), flush(b, fmt)
    wide = fmt == "f64"
    s = (a ^ b) & sign_bit(fmt)
    p = fl.rounded(fl.product(value(a, fmt, wide), value(b, fmt, wide)), fmt, rounding, ftz)
    some_inf = is_infinite(a, fmt) | is_infinite(b, fmt)
    bad = some_inf & (is_zero(a, fmt) | is_zero(b, fmt))
    return bits_where(
        [(any_nan(fmt, a, b), nan_result(fmt, b, a)), (bad, U(CANONICAL[fmt])), (some_inf, s | fl.infinity(fmt))], p
    )


def fma(a: Array, b: Array, c: Array, fmt: str, rounding: str = "rn", ftz: bool = False) -> Array:
    if ftz:
        a, b, c = flush(a, fmt), flush(b, fmt), flush(c, fmt)
    wide = fmt == "f64"
    s = (a ^ b) & sign_bit(fmt)
    p = fl.product(value(a, fmt, wide), value(b, fmt, wide))
    r = fl.rounded(fl.total(p, value(c, fmt, wide), rounding), fmt, rounding, ftz)
    some_inf = is_infinite(a, fmt) | is_infinite(b, fmt)
    bad = some_inf & (is_zero(a, fmt) | is_zero(b, fmt) | (is_infinite(c, fmt) & ((c & sign_bit(fmt)) != s)))
    return bits_where(
        [
            (any_nan(fmt, a, b, c), nan_result(fmt, b, c, a)),
            (bad, U(CANONICAL[fmt])),
            (some_inf, s | fl.infinity(fmt)),
            (is_infinite(c, fmt), c),
        ],
        r,
    )


def div(a: Array, b: Array, fmt: str, rounding: str = "rn", ftz: bool = False) -> Array:
    if ftz:
        a, b = flush(a, fmt), flush(b, fmt)
    wide = fmt == "f64"
    s = (a ^ b) & sign_bit(fmt)
    q = fl.rounded(fl.quotient(value(a, fmt, wide), value(b, fmt, wide)), fmt, rounding, ftz)
    bad = (is_infinite(a, fmt) & is_infinite(b, fmt)) | (is_zero(a, fmt) & is_zero(b, fmt))
    return bits_where(
        [
            (any_nan(fmt, a, b), nan_result(fmt, a, b)),
            (bad, U(CANONICAL[fmt])),
            (is_infinite(a, fmt) | is_zero(b, fmt), s | fl.infinity(fmt)),
            (is_infinite(b, fmt) | is_zero(a, fmt), s),
        ],
        q,
    )


def sqrt(a: Array, fmt: str, rounding: str = "rn", ftz: bool = False) -> Array:
    if ftz:
        a = flush(a, fmt)
    r = fl.rounded(fl.square_root(value(a, fmt, fmt == "f64")), fmt, rounding, ftz)
    return bits_where(
        [
            (is_nan(a, fmt), nan_result(fmt, a)),
            (is_zero(a, fmt), a),
            (negative(a, fmt), U(CANONICAL[fmt])),
            (is_infinite(a, fmt), a),
        ],
        r,
    )


def rank(x: Array, fmt: str) -> Array:
    """Orders like the values, -0 below +0."""
    m = fl.magnitude(x, fmt).astype(np.int64)
    return np.where(negative(x, fmt), -m - 1, m)


def extreme(a: Array, b: Array, fmt: str, parts: list[str]) -> Array:
    if "ftz" in parts:
        a, b = flush(a, fmt), flush(b, fmt)
    top, xorsign = sign_bit(fmt), "xorsign" in parts
    s = (a ^ b) & top if xorsign else U(0)
    if xorsign:
        bare_a, bare_b = a & ~top, b & ~top
    else:
        bare_a, bare_b = a, b
    first = rank(bare_a, fmt) >= rank(bare_b, fmt)
    r = np.where(first if parts[0] == "max" else ~first, bare_a, bare_b) | s
    one_a, one_b = is_nan(a, fmt), is_nan(b, fmt)
    nan = (one_a | one_b) if "NaN" in parts else (one_a & one_b)
    return bits_where([(nan, nan_result(fmt, b, a)), (one_a, bare_b | s), (one_b, bare_a | s)], r)


def saturated(x: Array, fmt: str) -> Array:
    return np.where(is_nan(x, fmt) | negative(x, fmt), U(0), np.minimum(x, U(ONE[fmt])))


def rectified(x: Array, fmt: str) -> Array:
    return bits_where([(is_nan(x, fmt), U(CANONICAL[fmt])), (negative(x, fmt), U(0))], x)


def magnitude_or_negated(a: Array, fmt: str, parts: list[str]) -> Array:
    top = sign_bit(fmt)
    if "ftz" in parts and fmt != "f64":
        a = flush(a, fmt)
    return np.where(is_nan(a, fmt), nan_result(fmt, a), a & ~top if parts[0] == "abs" else a ^ top)


COUNT = {"fma": 3, "mad": 3, "rcp": 1, "sqrt": 1, "abs": 1, "neg": 1}


def scalar(parts: list[str], fmt: str) -> Callable[..., Array]:
    op, how = parts[0], (fmt, rounding_of(parts), "ftz" in parts and fmt != "f64")
    plain: dict[str, Callable[..., Array]] = {
        "add": lambda a, b: add(a, b, *how),
        "sub": lambda a, b: sub(a, b, *how),
        "mul": lambda a, b: mul(a, b, *how),
        "fma": lambda a, b, c: fma(a, b, c, *how),
        "mad": lambda a, b, c: fma(a, b, c, *how),
        "div": lambda a, b: div(a, b, *how),
        "rcp": lambda a: div(np.full_like(a, ONE[fmt]), a, *how),
        "sqrt": lambda a: sqrt(a, *how),
        "min": lambda a, b: extreme(a, b, fmt, parts),
        "max": lambda a, b: extreme(a, b, fmt, parts),
        "abs": lambda a: magnitude_or_negated(a, fmt, parts),
        "neg": lambda a: magnitude_or_negated(a, fmt, parts),
        "copysign": lambda a, b: (a & sign_bit(fmt)) | fl.magnitude(b, fmt),
    }
    f = plain[op]
    if "sat" in parts:
        return lambda *xs: saturated(f(*xs), fmt)
    if "relu" in parts:
        g, f = f, lambda *xs: rectified(g(*xs), fmt)
    if "oob" in parts:
        h = f
        return lambda a, b, c: np.where(
            ((a & U(0x7FFF)) == U(0x7FF7)) | ((b & U(0x7FFF)) == U(0x7FF7)), U(0), h(a, b, c)
        )
    return f


def float_operation(parts: list[str]) -> Operation:
    kind = parts[-1]
    f = halves(scalar(parts, kind[:-2])) if kind.endswith("x2") else scalar(parts, kind)
    return Operation([kind], [kind] * COUNT.get(parts[0], 2), f)


def testp(parts: list[str]) -> Operation:
    kind = parts[-1]
    tests: dict[str, Any] = {
        "finite": lambda a: fl.magnitude(a, kind) < fl.infinity(kind),
        "infinite": lambda a: is_infinite(a, kind),
        "number": lambda a: ~is_nan(a, kind),
        "notanumber": lambda a: is_nan(a, kind),
        "normal": lambda a: (fl.magnitude(a, kind) < fl.infinity(kind)) & ~fl.is_denormal(a, kind),
        "subnormal": lambda a: fl.is_denormal(a, kind),
    }
    return Operation(["pred"], [kind], tests[parts[1]])
