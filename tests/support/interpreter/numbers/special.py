"""The approximate functions: the special function unit in whole numbers, and what surrounds it in PTX."""

import json
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from tests.support.interpreter.numbers import arithmetic as ar
from tests.support.interpreter.numbers import floats as fl
from tests.support.interpreter.numbers.convert import narrow
from tests.support.interpreter.numbers.operations import Array, I, Operation, U, halves
from tests.support.paths import TRUTH

NAN, INF, SIGN = 0x7FFFFFFF, 0x7F800000, 1 << 31
#: index bits of each binade of tanh from 2^-8
TANH_INDEX = (0, 0, 0, 1, 1, 2, 2, 2, 3, 4, 3)
INVERSE_TURN = 0x22F983 | 0x800000


@cache
def tables() -> dict[str, Any]:
    return json.loads((TRUTH / "run" / "mufu_tables.json").read_text())


def coefficients(name: str, index: Array) -> tuple[Array, Array, Array]:
    rows = np.array(tables()[name]["table"], I)[index]
    return rows[..., 0], rows[..., 1], rows[..., 2]


def squared(x: Array) -> Array:
    """A multiplier whose partial products are cut."""
    return sum((((x >> i) & 1) * (x >> (18 - i)) for i in range(17)), np.zeros_like(x)) >> 1


def polynomial(
    name: str, index: Array, x: Array, a: int, k: int, odd: Array | int = 0, square: Array | None = None
) -> Array:
    c0, c1, c2 = coefficients(name, index)
    return (
        (c0 << a)
        + tables()[name].get("bias", 0)
        + (c1 * x << odd)
        + (c2 * (squared(x) if square is None else square) << k)
    )


def fields(b: Array) -> tuple[Array, Array, Array]:
    b = np.asarray(b).astype(I)
    return b & SIGN, b >> 23 & 255, b & 0x7FFFFF


def choose(pairs: list[tuple[Array, Any]], otherwise: Array) -> Array:
    return np.asarray(ar.bits_where(pairs, otherwise)).astype(U)


def rcp(b: Array) -> Array:
    s, e, m = fields(b)
    x = m & 0xFFFF
    f = polynomial("rcp", m >> 16, x, 13, 0, square=squared(x << 1)) >> 15
    exponent = 253 - e + (f >> 24)
    r = s | np.where(exponent <= 0, 0, exponent << 23 | (f & 0x7FFFFF))
    return choose([((e == 255) & (m != 0), NAN), (e == 255, s), (e == 0, s | INF)], r)


def root_index(e: Array, m: Array) -> tuple[Array, Array]:
    odd = (e - 127) & 1
    return odd, m >> 17 | odd << 6


def rsqrt(b: Array) -> Array:
    s, e, m = fields(b)
    odd, index = root_index(e, m)
    f = polynomial("rsqrt", index, m & 0x1FFFF, 14, 2) >> 16
    exponent = 126 - ((e - 127) >> 1)
    r = np.where((m == 0) & (odd == 0), exponent + 1 << 23, exponent << 23 | (f & 0x7FFFFF))
    return choose([(e == 0, s | INF), ((e == 255) & (m != 0), NAN), (s != 0, NAN), (e == 255, 0)], r)


def sqrt(b: Array) -> Array:
    s, e, m = fields(b)
    odd, index = root_index(e, m)
    f = polynomial("sqrt", index, m & 0x1FFFF, 15, 1, odd) >> 17
    r = (((e - 127) >> 1) + 127) << 23 | (f & 0x7FFFFF)
    return choose([(e == 0, s), ((e == 255) & (m != 0), NAN), (s != 0, NAN), (e == 255, INF)], r)


def leading(v: Array, scale: int) -> Array:
    """The 24 leading bits of v * 2^scale as f32 without sign; 0 for 0."""
    n = fl.bit_length(np.asarray(v))
    f = np.where(n >= 24, v >> np.maximum(n - 24, 0), v << np.clip(24 - n, 0, 24))
    return np.where(v > 0, (126 + n + scale) << 23 | (f & 0x7FFFFF), 0)


def lg2(b: Array) -> Array:
    s, e, m = fields(b)
    q = np.where((m == 0) & (e == 127), 0, polynomial("lg2", m >> 17, m & 0x1FFFF, 12, 1) >> 2) + ((e - 127) << 36)
    r = np.where(q < 0, SIGN, 0) | leading(np.where(q < 0, ~q, q), -36)
    return choose([(e == 0, SIGN | INF), ((e == 255) & (m != 0), NAN), (s != 0, NAN), (e == 255, INF)], r)


def ex2(b: Array) -> Array:
    s, e, m = fields(b)
    m1 = np.where(e == 0, 0, m | 0x800000)
    fixed = np.where(e >= 127, m1 << np.clip(e - 127, 0, 8), m1 >> np.clip(127 - e, 0, 40))
    whole, part = fixed >> 23, fixed & 0x7FFFFF
    below = (s != 0) & (part != 0)
    whole = np.where(s != 0, -whole - below, whole)
    part = np.where(below, part ^ 0x7FFFFF, part)
    f = polynomial("ex2", part >> 17, part & 0x1FFFF, 13, 0) >> 15
    exponent = whole + 127 + (f >> 24)
    far = np.where(s != 0, 0, INF)
    r = np.where(exponent <= 0, 0, exponent << 23 | (f & 0x7FFFFF))
    return choose([((e == 255) & (m != 0), NAN), (e >= 134, far), (exponent >= 255, INF)], r)


def wave(b: Array, cosine: bool) -> Array:
    s, e, m = fields(b)
    p = (m | 0x800000) * INVERSE_TURN
    carry = p >> 47 & 1
    m24 = p >> (23 + carry)
    up = e + carry - 128
    fixed = np.where(up >= 0, m24 << np.clip(up, 0, 38), m24 >> np.clip(-up, 0, 40))
    fixed = np.where((e == 0) | (up > 25), 0, fixed) & 0x1FFFFFF
    quadrant, part = (fixed >> 23) + cosine, fixed & 0x7FFFFF
    part = np.where(quadrant & 1, part ^ 0x7FFFFF, part)
    r = leading(polynomial("sin", part >> 17, part & 0x1FFFF, 11, 0), -37)
    sign = (0 if cosine else s) ^ np.where(quadrant & 2, SIGN, 0)
    return choose([(e == 255, NAN)], r | sign)


def tanh(b: Array) -> Array:
    s, e, m = fields(b)
    r = np.where(e < 119, b.astype(I), s | 0x3F800000)
    rows = {(row[0], row[1]): row[2:] for row in tables()["tanh"]["table"]}
    for (binade, index), (e0, c0, c1, f1, c2, f2) in rows.items():
        bits = TANH_INDEX[binade + 8]
        here = (e - 127 == binade) & (m >> (23 - bits) == index)
        x = m >> (6 - bits) & 0x1FFFF
        v = (c0 << 15) + (c1 << (15 - f1)) * x + (c2 << (15 - f2)) * squared(x)
        r = np.where(here, s | leading(v, e0 - 38), r)
    return choose([((e == 255) & (m != 0), NAN)], r)


def constant(x: float) -> Any:
    return U(int(np.float32(x).view(np.uint32)))


def times(a: Array, x: float) -> Array:
    return ar.mul(a, np.full_like(a, constant(x)), "f32")


def tiny(b: Array) -> Array:
    return (b & U(0x7FFFFFFF)) < constant(2.0**-126)


def huge(b: Array) -> Array:
    m = b & U(0x7FFFFFFF)
    return (m > constant(2.0**126)) & (m <= U(INF))


def scaled(f: Callable[[Array], Array], after: Callable[[Array], Array]) -> Callable[[Array], Array]:
    def g(b: Array) -> Array:
        r = f(np.where(tiny(b), times(b, 2.0**24), b))
        return np.where(tiny(b), after(r), r)

    return g


def rcp_plain(b: Array) -> Array:
    k = np.where(huge(b), constant(0.25), np.where(tiny(b), constant(2.0**24), constant(1)))
    return ar.mul(k, rcp(ar.mul(b, k, "f32")), "f32")


def ex2_plain(b: Array) -> Array:
    low = (b > constant(-126)) & (b <= U(SIGN | INF))
    r = ex2(np.where(low, times(b, 0.5), b))
    return np.where(low, ar.mul(r, r, "f32"), r)


def divide(a: Array, b: Array, up: Array | bool, down: Array | bool, ftz: bool = False) -> Array:
    k = np.where(up, constant(2.0**24), np.where(down, constant(0.25), constant(1)))
    change = np.asarray(up) | np.asarray(down)
    x, y = (np.where(change, ar.mul(v, k, "f32", "rn", ftz), v) for v in (a, b))
    return ar.mul(x, rcp(y), "f32", "rn", ftz)


PLAIN: dict[str, Callable[..., Array]] = {
    "rcp": rcp_plain,
    "ex2": ex2_plain,
    "sin": lambda b: wave(b, False),
    "cos": lambda b: wave(b, True),
    "tanh": tanh,
    "sqrt": scaled(sqrt, lambda r: times(r, 2.0**-12)),
    "rsqrt": scaled(rsqrt, lambda r: times(r, 2.0**12)),
    "lg2": scaled(lg2, lambda r: ar.add(r, np.full_like(r, constant(-24)), "f32")),
}
FLUSHED = PLAIN | {"rcp": rcp, "ex2": ex2, "sqrt": sqrt, "rsqrt": rsqrt, "lg2": lg2}
DIVISIONS: dict[tuple[str, bool], Callable[[Array, Array], Array]] = {
    ("approx", False): lambda a, b: divide(a, b, tiny(b), False),
    ("approx", True): lambda a, b: ar.mul(a, rcp(b), "f32", "rn", True),
    ("full", False): lambda a, b: divide(a, b, tiny(b), huge(b)),
    ("full", True): lambda a, b: divide(a, b, False, huge(b), True),
}


def cut_to_half(b: Array, fmt: str) -> Array:
    r = narrow(b, "f32", fmt, ["cvt", "rz"])
    return (
        np.where((b & U(0x7FFFFFFF)) == U(INF), (b >> U(16) & U(0x8000)) | U(0x7C00 if fmt == "f16" else 0x7F80), r)
        if fmt == "bf16"
        else np.where(
            (b & U(0x7FFFFFFF)) < U(0x47800000),
            r,
            np.where(fl.is_nan(b, "f32"), U(0x7FFF), (b >> U(16) & U(0x8000)) | U(0x7C00)),
        )
    )


def approximate(parts: list[str]) -> Operation:
    op, kind, ftz = parts[0], parts[-1], "ftz" in parts
    if kind == "f64":
        from tests.support.interpreter.numbers.special64 import TABLE64

        return Operation(["f64"], ["f64"], TABLE64[op, ftz])
    if op == "div":
        return Operation(["f32"], ["f32", "f32"], DIVISIONS["full" if "full" in parts else "approx", ftz])
    if kind == "f32":
        return Operation(["f32"], ["f32"], (FLUSHED if ftz else PLAIN)[op])
    fmt = kind.removesuffix("x2")
    f = {"ex2": ex2, "tanh": tanh}[op]
    half = lambda a: cut_to_half(f(narrow(a, fmt, "f32", ["cvt"])), fmt)  # noqa: E731
    return Operation([kind], [kind], halves(half) if kind.endswith("x2") else half)
