"""Binary floating point in whole numbers: values (-1)^s * m * 2^e, one rounding.  Arrays of bits, one word a lane.

Significands are int64 below 2^60, or Python integers (object arrays) where a product of two f64 is wanted.
"""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

Array = Any
FORMATS = {
    "f16": (5, 10),
    "bf16": (8, 7),
    "f32": (8, 23),
    "f64": (11, 52),
    "tf32": (8, 10),
    "e4m3": (4, 3),
    "e5m2": (5, 2),
}
CANONICAL = {"f16": 0x7FFF, "bf16": 0x7FFF, "f32": 0x7FFFFFFF, "f64": 0xFFF8000000000000}
ONE = {"f16": 0x3C00, "bf16": 0x3F80, "f32": 0x3F800000, "f64": 0x3FF0000000000000}
U = np.uint64
bit_count = np.frompyfunc(int.bit_length, 1, 1)
root = np.frompyfunc(math.isqrt, 1, 1)
objects = np.frompyfunc(int, 1, 1)


def bits_of(fmt: str) -> int:
    return sum(FORMATS[fmt]) + 1


def sign_bit(fmt: str) -> Array:
    return U(1 << sum(FORMATS[fmt]))


def infinity(fmt: str) -> Array:
    eb, mb = FORMATS[fmt]
    return U(((1 << eb) - 1) << mb)


def magnitude(x: Array, fmt: str) -> Array:
    return x & U((1 << sum(FORMATS[fmt])) - 1)


def is_nan(x: Array, fmt: str) -> Array:
    return magnitude(x, fmt) > infinity(fmt)


def is_infinite(x: Array, fmt: str) -> Array:
    return magnitude(x, fmt) == infinity(fmt)


def is_zero(x: Array, fmt: str) -> Array:
    return magnitude(x, fmt) == 0


def is_denormal(x: Array, fmt: str) -> Array:
    m = magnitude(x, fmt)
    return (m > 0) & (m < U(1 << FORMATS[fmt][1]))


def flush(x: Array, fmt: str) -> Array:
    return np.where(is_denormal(x, fmt), x & sign_bit(fmt), x)


def negative(x: Array, fmt: str) -> Array:
    return (x & sign_bit(fmt)) != 0


@dataclass
class Value:
    s: Array
    m: Array
    e: Array

    def as_objects(self) -> "Value":
        return Value(self.s, objects(self.m), objects(self.e))


def value(x: Array, fmt: str) -> Value:
    """Of finite x; anything for the others."""
    eb, mb = FORMATS[fmt]
    x = np.asarray(x, U)
    field = (x >> U(mb)).astype(np.int64) & ((1 << eb) - 1)
    m = (x & U((1 << mb) - 1)).astype(np.int64)
    bias = (1 << (eb - 1)) - 1
    return Value(negative(x, fmt), np.where(field == 0, m, m | 1 << mb), np.maximum(field, 1) - bias - mb)


def bit_length(m: Array) -> Array:
    if m.dtype == object:
        return bit_count(m)
    n = np.frexp(m.astype(np.float64))[1].astype(np.int64)
    return np.where(m == 0, 0, n - (m < (1 << np.maximum(n - 1, 0))))


def cut(v: Value, lsb: Array, rounding: str) -> Array:
    """v in units of 2^lsb, rounded."""
    shift = lsb - v.e
    right = np.maximum(shift, 0) if v.m.dtype == object else np.clip(shift, 0, 61)
    q = (v.m << np.maximum(-shift, 0)) >> right
    rest, half = v.m & ((1 << right) - 1), (1 << right) >> 1
    some = rest != 0
    if rounding == "rn":
        up = (rest > half) | ((rest == half) & some & (q & 1 != 0))
    elif rounding == "rna":
        up = some & (rest >= half)
    else:
        up = some & {"rz": np.zeros_like(v.s), "rp": ~v.s, "rm": v.s}[rounding]
    return q + up


def rounded(v: Value, fmt: str, rounding: str = "rn", ftz: bool = False) -> Array:
    """The bits of v in fmt; a zero keeps the sign of v.

    ftz: zero if below the smallest normal number, rounded as if exponents had no end.
    """
    eb, mb = FORMATS[fmt]
    bias = (1 << (eb - 1)) - 1
    top = bit_length(v.m) - 1 + v.e
    lsb = np.maximum(top - mb, 1 - bias - mb)
    lsb = np.where(v.m == 0, v.e, lsb)
    q = cut(v, lsb, rounding)
    carry = q >> (mb + 1)
    q, lsb = q >> carry, lsb + carry
    field = np.where(q >> mb == 0, 0, lsb + mb + bias)
    bits = np.minimum(np.maximum(field, 0), (1 << eb) - 1).astype(U) << U(mb) | (q & ((1 << mb) - 1)).astype(U)
    away = {"rn": np.ones_like(v.s), "rna": np.ones_like(v.s), "rz": np.zeros_like(v.s), "rp": ~v.s, "rm": v.s}[
        rounding
    ]
    bits = np.where(field >= (1 << eb) - 1, np.where(away, infinity(fmt), infinity(fmt) - U(1)), bits)
    if ftz:
        reaches = (top == -bias) & (cut(v, np.where(v.m == 0, v.e, top - mb), rounding) >> (mb + 1) != 0)
        bits = np.where((top < 1 - bias) & ~reaches.astype(bool), U(0), bits)
    bits = np.where(v.m == 0, U(0), bits)
    return bits | np.where(v.s, sign_bit(fmt), U(0))


def aligned(v: Value, width: int) -> Value:
    up = width - bit_length(v.m)
    return Value(v.s, v.m << up, np.where(v.m == 0, -(1 << 20), v.e - up))


def total(a: Value, b: Value, rounding: str) -> Value:
    """a + b: what falls below the last bit only marks it."""
    width = 130 if a.m.dtype == object else 58
    a, b = aligned(a, width), aligned(b, width)
    swap = (b.e > a.e) | ((b.e == a.e) & (b.m > a.m))
    swap = swap.astype(bool)
    big = Value(np.where(swap, b.s, a.s), np.where(swap, b.m, a.m), np.where(swap, b.e, a.e))
    small = Value(np.where(swap, a.s, b.s), np.where(swap, a.m, b.m), np.where(swap, a.e, b.e))
    gap = np.minimum(big.e - small.e, width + 2)
    low = (small.m >> gap) | ((small.m & ((1 << gap) - 1)) != 0)
    m = np.where(big.s == small.s, big.m + low, big.m - low)
    same = np.where(a.s == b.s, a.s, rounding == "rm")
    return Value(np.where(m == 0, same, big.s).astype(bool), m, big.e)


def product(a: Value, b: Value) -> Value:
    return Value(a.s ^ b.s, a.m * b.m, a.e + b.e)


def quotient(a: Value, b: Value) -> Value:
    wide = a.m.dtype == object
    a, b = (aligned(x, 53) for x in (a, b)) if wide else (aligned(x, 24) for x in (a, b))
    up = 70 if wide else 34
    divisor = np.where(b.m == 0, 1, b.m)
    q, rest = (a.m << up) // divisor, (a.m << up) % divisor
    return Value(a.s ^ b.s, q << 1 | (rest != 0), a.e - b.e - up - 1)


def square_root(a: Value) -> Value:
    wide = a.m.dtype == object
    a = aligned(a, 53 if wide else 24)
    up = (120 if wide else 32) + (a.e & 1)
    m = a.m << up
    if wide:
        r = root(m)
    else:
        r = np.sqrt(m.astype(np.float64)).astype(np.int64)
        r = r - (r * r > m)
        r = r + ((r + 1) * (r + 1) <= m)
    return Value(a.s, r << 1 | (r * r != m), (a.e - up) // 2 - 1)
