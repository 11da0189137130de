"""D = A B + C of one warp: fragments and sums in whole numbers (sm_90)."""

from dataclasses import dataclass

import numpy as np

from tests.support.interpreter.numbers import arithmetic as ar
from tests.support.interpreter.numbers import floats as fl
from tests.support.interpreter.numbers.floats import Value
from tests.support.interpreter.numbers.operations import Array, I, U, ones, signed

WIDTH = {
    "f16": 16,
    "bf16": 16,
    "tf32": 32,
    "f32": 32,
    "s8": 8,
    "u8": 8,
    "s4": 4,
    "u4": 4,
    "b1": 1,
    "s32": 32,
    "f64": 64,
    "e4m3": 8,
    "e5m2": 8,
}
FLOOR = {"f32": -133, "f16": -21}
KEPT = 25


@dataclass
class Form:
    m: int
    n: int
    k: int
    d: str
    a: str
    b: str
    accumulator: str
    parts: list[str]

    @classmethod
    def of(cls, parts: list[str]) -> "Form":
        shape = next(p for p in parts if p[0] == "m" and "n" in p and "k" in p)
        m, rest = shape[1:].split("n")
        n, k = rest.split("k")
        types = [p for p in parts if p in WIDTH]
        d, a, b, c = types[-4:]
        if (int(m), int(n), int(k), a) == (8, 8, 4, "f16") or a[0] == "e":
            raise NotImplementedError(shape)
        return cls(int(m), int(n), int(k), d, a, b, c, parts)

    def place(self, which: str, lane: Array, i: int) -> tuple[Array, Array]:
        """Row and column of value i."""
        g, t = lane >> 2, lane & 3
        if which == "c":
            return g + 8 * (i >> 1), 2 * t + (i & 1)
        w = max(32 // WIDTH[self.a], 1)
        h, q = i // w, i % w
        if which == "b":
            return w * t + q + 4 * w * h, g
        if self.m == 8:
            return g, w * t + q + 4 * w * h
        return g + 8 * (h & 1), w * t + q + 4 * w * (h >> 1)

    def matrix(self, which: str, registers: Array, kind: str, shape: tuple[int, int]) -> Array:
        out, lane = np.zeros(shape, U), np.arange(32)
        wide = WIDTH[kind]
        w = max(32 // wide, 1)
        for i in range(registers.shape[1] * w):
            x = registers[:, i // w] >> U(wide * (i % w)) & ones(wide)
            if which == "c" and kind == "f16":
                row, column = (lane >> 2) + 8 * (i >> 1), 2 * (lane & 3) + (i & 1)
            else:
                row, column = self.place(which, lane, i)
            out[row, column] = x
        return out

    def multiply(self, a: Array, b: Array, c: Array) -> Array:
        x = self.matrix("a", a, self.a, (self.m, self.k))
        y = self.matrix("b", b, self.b, (self.k, self.n))
        z = self.matrix("c", c, self.accumulator, (self.m, self.n))
        d = self.results(x, y, z)
        w = 2 if self.d == "f16" else 1
        registers = self.m * self.n // 32 // w
        out, lane = np.zeros((32, registers), U), np.arange(32)
        for i in range(registers * w):
            out[:, i // w] |= d[self.place("c", lane, i)] << U(16 * (i % w))
        return out

    def results(self, x: Array, y: Array, z: Array) -> Array:
        if self.a == "f64":
            for k in range(self.k):
                shape = z.shape
                p, q = np.broadcast_to(x[:, k : k + 1], shape), np.broadcast_to(y[k : k + 1], shape)
                z = ar.fma(p.ravel(), q.ravel(), z.ravel(), "f64", ar.rounding_of(self.parts[3:])).reshape(shape)
            return z
        if self.accumulator == "s32":
            return self.whole(x, y, z)
        return step(x, y, z, self.a, self.accumulator)

    def whole(self, x: Array, y: Array, z: Array) -> Array:
        if self.a == "b1":
            join = np.bitwise_and if "and" in self.parts else np.bitwise_xor
            total = join(x[:, :, None], y[None]).astype(I).sum(1)
        else:
            p, q = (signed(v, WIDTH[k]) if k[0] == "s" else v.astype(I) for v, k in ((x, self.a), (y, self.b)))
            total = p @ q
        total = total + signed(z, 32)
        if "satfinite" in self.parts:
            total = np.clip(total, -(1 << 31), (1 << 31) - 1)
        return total.view(U) & ones(32)


def step(x: Array, y: Array, z: Array, kind: str, into: str) -> Array:
    """Products and C cut to a common unit, summed exactly, rounded once."""
    fmt = "f32" if kind == "tf32" else kind
    if kind == "tf32":
        x, y = x & ~U(0x1FFF), y & ~U(0x1FFF)
    a, b, c = fl.value(x, fmt), fl.value(y, fmt), fl.value(z, into)
    mb = fl.FORMATS[fmt][1]
    s = a.s[:, :, None] ^ b.s[None]
    m = a.m[:, :, None] * b.m[None]
    e = (a.e[:, :, None] + mb) + (b.e[None] + mb)
    ec = c.e + fl.FORMATS[into][1]
    top = np.maximum(np.where(m != 0, e, -(10**6)).max(1), np.where(c.m != 0, ec, -(10**6)))
    unit = np.maximum(top, FLOOR[into]) - KEPT

    def cut(v: Array, lsb: Array) -> Array:
        up = lsb - unit_of(v)
        return np.where(up >= 0, v << np.clip(up, 0, 40), v >> np.clip(-up, 0, 62))

    def unit_of(v: Array) -> Array:
        return unit[:, None] if v.ndim == 3 else unit

    parts = cut(m, e - 2 * mb)
    whole = np.where(s, -parts, parts).sum(1)
    own = cut(c.m, c.e)
    whole = whole + np.where(c.s, -own, own)
    r = fl.rounded(Value(whole < 0, abs(whole), unit), into, "rn" if into == "f16" else "rz")
    # the limit of the format becomes infinity, also toward zero
    v = np.where(whole == 0, 0, fl.bit_length(abs(whole)) - 1 + unit)
    r = np.where(
        v >= (128 if into == "f32" else 16), fl.infinity(into) | np.where(whole < 0, fl.sign_bit(into), U(0)), r
    )
    r = np.where(fl.is_zero(r, into), U(0), r)
    return specials(x, y, z, fmt, into, r)


def specials(x: Array, y: Array, z: Array, fmt: str, into: str, r: Array) -> Array:
    p, q = x[:, :, None], y[None]
    nan = (fl.is_nan(p, fmt) | fl.is_nan(q, fmt)).any(1) | fl.is_nan(z, into)
    one, two = fl.is_infinite(p, fmt), fl.is_infinite(q, fmt)
    nan |= ((one & fl.is_zero(q, fmt)) | (two & fl.is_zero(p, fmt))).any(1)
    minus = fl.negative(p, fmt) ^ fl.negative(q, fmt)
    below = ((one | two) & minus).any(1) | (fl.is_infinite(z, into) & fl.negative(z, into))
    above = ((one | two) & ~minus).any(1) | (fl.is_infinite(z, into) & ~fl.negative(z, into))
    r = ar.bits_where([(below, fl.infinity(into) | fl.sign_bit(into)), (above, fl.infinity(into))], r)
    return np.where(nan | (below & above), U(fl.CANONICAL[into]), r)
