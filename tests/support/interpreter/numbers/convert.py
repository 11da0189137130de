"""cvt: between integers, floats, tf32 and fp8, as the H200 converts."""

from collections.abc import Callable
from typing import Any

import numpy as np

from tests.support.interpreter.numbers import floats as fl
from tests.support.interpreter.numbers.arithmetic import ROUNDINGS, bits_where, nan_result, rectified, saturated
from tests.support.interpreter.numbers.floats import (
    CANONICAL,
    FORMATS,
    Value,
    flush,
    is_infinite,
    is_nan,
    negative,
    sign_bit,
)
from tests.support.interpreter.numbers.operations import Array, I, Operation, U, back, clamp, numeric, ones, signed
from tests.support.interpreter.text import width_of

FLOATS = ("f16", "bf16", "f32", "f64")
INTEGRAL = {"rni": "rn", "rzi": "rz", "rmi": "rm", "rpi": "rp"}


def to_integer(x: Array, fmt: str, kind: str, rounding: str, ftz: bool) -> Array:
    n = width_of(kind)
    if ftz:
        x = flush(x, fmt)
    v = fl.value(x, fmt).as_objects()
    whole = fl.cut(Value(v.s, v.m << np.maximum(v.e, 0), np.minimum(v.e, 0)), np.zeros_like(v.m), rounding)
    whole = np.where(is_infinite(x, fmt), 1 << 80, whole)
    whole = clamp(np.where(v.s, -whole, whole), kind)
    special = 1 << (n - 1) if fmt == "f64" or n == 64 else 0
    return np.where(is_nan(x, fmt), U(special), back(whole, n))


def from_integer(x: Array, kind: str, fmt: str, rounding: str) -> Array:
    v = numeric(x, kind)
    s = (v < 0).astype(bool)
    m = np.where(s, -v, v)
    return fl.rounded(Value(s, m, np.zeros_like(m)), fmt, rounding)


def converted_nan(x: Array, of: str, into: str) -> Array:
    if "f64" not in (of, into):
        return np.full_like(x, CANONICAL[into])
    ms, md = FORMATS[of][1], FORMATS[into][1]
    m = x & ones(ms)
    m = m << U(md - ms) if md >= ms else m >> U(ms - md)
    s = np.where(negative(x, of), sign_bit(into), U(0))
    return s | fl.infinity(into) | m | U(1 << (md - 1))


def narrow(x: Array, of: str, into: str, parts: list[str]) -> Array:
    rounding = next((p for p in parts if p in ROUNDINGS), "rn")
    ftz, sat = "ftz" in parts, "sat" in parts
    if not ftz and not sat and ((of == into and of in ("f32", "f64")) or (of, into) == ("bf16", "f32")):
        return x if of == into else x << U(16)
    if ftz and of == "f32" and into != "f16":
        x = flush(x, of)
    if ftz and (of, into) == ("f32", "f64"):
        x = np.where(is_nan(x, of), U(CANONICAL["f32"]), x)
    if ftz and (of, into) == ("bf16", "f32"):
        x = flush(x, of)
    s = np.where(negative(x, of), sign_bit(into), U(0))
    r = fl.rounded(fl.value(x, of), into, rounding, ftz and into == "f32")
    r = np.where(is_infinite(x, of), s | fl.infinity(into), r)
    if "satfinite" in parts:
        r = np.where(is_infinite(r, into), r - U(1), r)
    r = np.where(is_nan(x, of), converted_nan(x, of, into), r)
    r = saturated(r, into) if sat else r
    return rectified(r, into) if "relu" in parts else r


def integral(x: Array, fmt: str, parts: list[str]) -> Array:
    """A float rounded to a whole number of the same format."""
    rounding = next(INTEGRAL[p] for p in parts if p in INTEGRAL)
    if "ftz" in parts:
        x = flush(x, fmt)
    v = fl.value(x, fmt)
    whole = fl.cut(v, np.maximum(v.e, 0), rounding)
    r = fl.rounded(Value(v.s, whole, np.maximum(v.e, 0)), fmt)
    r = bits_where([(is_nan(x, fmt), nan_result(fmt, x)), (is_infinite(x, fmt), x)], r)
    return saturated(r, fmt) if "sat" in parts else r


def to_tf32(x: Array, parts: list[str]) -> Array:
    s, m = x & sign_bit("f32"), fl.magnitude(x, "f32")
    finite = m < fl.infinity("f32")
    if "rna" in parts:
        m = np.where(finite, m + U(0x1000), m) & ~U(0x1FFF)
        if "satfinite" in parts:
            m = np.where(m >= fl.infinity("f32"), m - U(0x2000), m)
        return s | m
    r = m + U(0xFFF) + (m >> U(13) & U(1)) if "rn" in parts else m
    r = s | (np.where(finite, r, m) & ~U(0x1FFF))
    if "relu" in parts:
        r = np.where(s != 0, U(0), r)
    return np.where(is_nan(x, "f32"), U(0x7FFFE000), r)


def to_fp8(x: Array, of: str, into: str, relu: bool) -> Array:
    """Saturating; e4m3 has numbers where others have infinity, so it is rounded with one more exponent bit first."""
    eb, mb = FORMATS[into]
    bias = (1 << (eb - 1)) - 1
    v = fl.value(x, of)
    top = fl.bit_length(v.m) - 1 + v.e
    lsb = np.where(v.m == 0, v.e, np.maximum(top - mb, 1 - bias - mb))
    q = fl.cut(v, lsb, "rn")
    carry = q >> (mb + 1)
    q, lsb = q >> carry, lsb + carry
    field = np.where(q >> mb == 0, 0, lsb + mb + bias)
    largest = 0x7E if into == "e4m3" else 0x7B
    r = np.minimum(np.clip(field, 0, 99) << mb | (q & ((1 << mb) - 1)), largest)
    r = np.where(is_infinite(x, of), largest, r).astype(U)
    r = np.where(negative(x, of), U(0) if relu else r | U(128), r)
    return np.where(is_nan(x, of), U(0x7F), r)


def from_fp8(x: Array, of: str, relu: bool) -> Array:
    m = x & U(127)
    r = fl.rounded(fl.value(x, of), "f16")
    s = np.where(x & U(128) != 0, U(0x8000), U(0))
    if of == "e5m2":
        r = np.where(m == U(0x7C), s | U(0x7C00), r)
    if relu:
        r = np.where(s != 0, U(0), r)
    return np.where(m > U(0x7C if of == "e5m2" else 0x7E), U(0x7FFF), r)


def fp8_pairs(parts: list[str], into: str, of: str) -> Operation:
    relu = "relu" in parts
    if into[:2] in ("e4", "e5"):
        fmt = into[:4]
        if of == "f32":
            return Operation(
                ["b16"], ["b32", "b32"], lambda a, b: to_fp8(b, of, fmt, relu) | to_fp8(a, of, fmt, relu) << U(8)
            )
        return Operation(
            ["b16"],
            ["b32"],
            lambda a: to_fp8(a & ones(16), "f16", fmt, relu) | to_fp8(a >> U(16), "f16", fmt, relu) << U(8),
        )
    return Operation(
        ["b32"], ["b16"], lambda a: from_fp8(a & U(255), of[:4], relu) | from_fp8(a >> U(8), of[:4], relu) << U(16)
    )


def pack(parts: list[str]) -> Operation:
    kind = parts[3]
    n = width_of(kind)

    def f(a: Array, b: Array, *c: Array) -> Array:
        x, y = (back(clamp(signed(v, 32), kind), n) for v in (a, b))
        return y | x << U(n) | (c[0] << U(2 * n) if c else U(0))

    return Operation(["b32"], ["b32"] * (2 if n == 16 else 3), f)


def cvt(parts: list[str]) -> Operation:
    if parts[1] == "pack":
        return pack(parts)
    into, of = parts[-2], parts[-1]
    f: Callable[..., Any]
    if "e4m3x2" in (into, of) or "e5m2x2" in (into, of):
        return fp8_pairs(parts, into, of)
    if into.endswith("x2"):
        fmt = into[:-2]
        return Operation(
            ["b32"], ["b32", "b32"], lambda a, b: narrow(b, "f32", fmt, parts) | narrow(a, "f32", fmt, parts) << U(16)
        )
    if into == "tf32":
        return Operation(["b32"], ["b32"], lambda a: to_tf32(a, parts))
    whole = next((INTEGRAL[p] for p in parts if p in INTEGRAL), None)
    if into in FLOATS and of in FLOATS:
        f = (lambda a: integral(a, into, parts)) if whole else (lambda a: narrow(a, of, into, parts))
    elif into in FLOATS:
        rounding = next((p for p in parts if p in ROUNDINGS), "rn")
        f = lambda a: from_integer(a, of, into, rounding)  # noqa: E731
        if "sat" in parts:
            f = lambda a: saturated(from_integer(a, of, into, rounding), into)  # noqa: E731
    elif of in FLOATS:
        f = lambda a: to_integer(a, of, into, whole or "rz", "ftz" in parts)  # noqa: E731
    elif "sat" in parts:
        f = lambda a: back(clamp(numeric(a, of), into), width_of(into))  # noqa: E731
    else:
        n = width_of(of)
        f = (lambda a: signed(a, n).view(U)) if of[0] == "s" else (lambda a: a & ones(n))
    return Operation([into], [of], f)


__all__ = ["I", "cvt"]
