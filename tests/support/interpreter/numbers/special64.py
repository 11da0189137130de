"""rcp and rsqrt of f64, approximate: the high word through the special function unit."""

from collections.abc import Callable

import numpy as np

from tests.support.interpreter.numbers import arithmetic as ar
from tests.support.interpreter.numbers import floats as fl
from tests.support.interpreter.numbers.operations import Array, I, U
from tests.support.interpreter.numbers.special import SIGN, choose, polynomial, squared

INF64, NAN64 = 0x7FF00000, 0x7FFFFFFF


def high_word(x: Array) -> tuple[Array, Array, Array]:
    h = (x >> U(32)).astype(I)
    return h & SIGN, h >> 20 & 0x7FF, h & 0xFFFFF


def rcp(x: Array) -> Array:
    s, e, m = high_word(x)
    low = m << 3 & 0xFFFF
    f = polynomial("rcp", m << 3 >> 16, low, 13, 0, square=squared(low << 1)) >> 18
    exponent = 2045 - e + (f >> 21)
    r = s | np.where(exponent <= 0, 0, exponent << 20 | (f & 0xFFFFF))
    return choose([((e == 0x7FF) & (m != 0), NAN64), (e == 0x7FF, s), (e == 0, s | INF64)], r) << U(32)


def rsqrt(x: Array) -> Array:
    s, e, m = high_word(x)
    odd = (e - 1023) & 1
    f = polynomial("rsqrt", m << 3 >> 17 | odd << 6, m << 3 & 0x1FFFF, 14, 2) >> 19
    exponent = 1022 - ((e - 1023) >> 1)
    r = np.where((m == 0) & (odd == 0), exponent + 1 << 20, exponent << 20 | (f & 0xFFFFF))
    return choose([((e == 0x7FF) & (m != 0), NAN64), (e == 0, s | INF64), (s != 0, NAN64), (e == 0x7FF, 0)], r) << U(32)


def constant(x: float) -> Array:
    return np.array(x).view(U)


def refined(x: Array) -> Array:
    """One correction step of third order."""
    y = rsqrt(x)
    top = fl.sign_bit("f64")
    e = ar.fma(x, ar.mul(y, y, "f64") ^ top, np.full_like(x, constant(1.0)), "f64")
    k = ar.fma(e, np.full_like(x, constant(0.375)), np.full_like(x, constant(0.5)), "f64")
    return ar.fma(k, ar.mul(y, e, "f64"), y, "f64")


def rsqrt_plain(x: Array) -> Array:
    normal = (x >= U(1 << 52)) & (x < U(INF64 << 32))
    up = ar.mul(
        refined(ar.mul(x, np.full_like(x, constant(2.0**54)), "f64")), np.full_like(x, constant(2.0**27)), "f64"
    )
    return ar.bits_where(
        [
            (normal, refined(x)),
            (fl.is_zero(x, "f64"), x | U(0x7FF << 52)),
            (fl.is_nan(x, "f64"), x | ar.QUIET),
            (x >> U(63) != 0, U(fl.CANONICAL["f64"])),
            (fl.is_infinite(x, "f64"), U(0)),
        ],
        up,
    )


TABLE64: dict[tuple[str, bool], Callable[[Array], Array]] = {
    ("rcp", True): rcp,
    ("rsqrt", True): rsqrt,
    ("rsqrt", False): rsqrt_plain,
}
