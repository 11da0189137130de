"""Integer arithmetic and logic: PTX sections 9.7.1, 9.7.2, 9.7.8."""

from collections.abc import Callable
from typing import Any

import numpy as np

from tests.support.interpreter.numbers.operations import (
    Array,
    Builder,
    I,
    Operation,
    U,
    back,
    clamp,
    halves,
    numeric,
    ones,
    signed,
)
from tests.support.interpreter.text import width_of

BOOLEAN: dict[str, Callable[[Array, Array], Array]] = {
    "and": lambda a, b: a & b,
    "or": lambda a, b: a | b,
    "xor": lambda a, b: a ^ b,
}


def division(a: Array, b: Array, kind: str, remainder: bool) -> Array:
    n = width_of(kind)
    zero = (b & ones(n)) == 0
    x, y = numeric(a, kind), np.where(zero, 1, numeric(b, kind))
    q = abs(x) // abs(y)
    q = np.where((x < 0) != (y < 0), -q, q)
    return np.where(zero, ones(n), back(x - y * q if remainder else q, n))


def whole_product(a: Array, b: Array, kind: str, part: str) -> Array:
    """Bits of lo or hi, or the wide product."""
    n = width_of(kind)
    if n < 64:
        p = (signed(a, n) if kind[0] == "s" else (a & ones(n)).astype(I)) * (
            signed(b, n) if kind[0] == "s" else (b & ones(n)).astype(I)
        )
        p = p.view(U)
        return p >> U(n) if part == "hi" else p
    if part == "lo":
        return a * b
    return back(numeric(a, kind) * numeric(b, kind) >> n, n)


def pair_type(kind: str, make: Callable[[str], Callable[..., Array]]) -> Callable[..., Array]:
    return halves(make(kind[:3])) if kind.endswith("x2") else make(kind)


def arithmetic(parts: list[str]) -> Operation:
    op, kind = parts[0], parts[-1]
    n = width_of(kind)

    def sat(f: Callable[..., Array]) -> Callable[..., Array]:
        return lambda *xs: back(clamp(f(*[numeric(x, kind) for x in xs]), kind), n)

    def number(k: str, x: Array) -> Array:
        return signed(x, width_of(k)) if k[0] == "s" else x & ones(width_of(k))

    def extreme(pick: Callable[..., Array]) -> Callable[..., Array]:
        floor = (lambda x: np.maximum(x, 0)) if "relu" in parts else (lambda x: x)
        return pair_type(
            kind, lambda k: lambda a, b: floor(pick(number(k, a), number(k, b))).astype(I if k[0] == "s" else U).view(U)
        )

    makers: dict[str, Callable[..., Array]] = {
        "add": sat(lambda a, b: a + b) if "sat" in parts else pair_type(kind, lambda k: lambda a, b: a + b),
        "sub": sat(lambda a, b: a - b) if "sat" in parts else lambda a, b: a - b,
        "neg": lambda a: U(0) - a,
        "abs": lambda a: abs(signed(a, n)).view(U),
        "min": extreme(np.minimum),
        "max": extreme(np.maximum),
        "sad": lambda a, b, c: c + np.where(number(kind, a) > number(kind, b), a - b, b - a),
        "div": lambda a, b: division(a, b, kind, False),
        "rem": lambda a, b: division(a, b, kind, True),
    }
    count = {"neg": 1, "abs": 1, "sad": 3}.get(op, 2)
    f = makers[op]
    if op == "sad" and n < 64:
        makers["sad"] = f = lambda a, b, c: c + abs(number(kind, a).astype(I) - number(kind, b).astype(I)).view(U)
    return Operation([kind], [kind] * count, f)


def multiply(parts: list[str]) -> Operation:
    op, part, kind = parts[0], parts[1], parts[-1]
    n = width_of(kind)
    wide = {16: "32", 32: "64"}.get(n, "64")
    into = kind[0] + wide if part == "wide" else kind
    if op.endswith("24"):
        v24: Callable[[Array], Array] = (
            (lambda x: signed(x, 24)) if kind[0] == "s" else (lambda x: (x & ones(24)).astype(I))
        )
        shift = 16 if part == "hi" else 0

        def f(a: Array, b: Array) -> Array:
            return ((v24(a) * v24(b)) >> shift).view(U) & ones(32)

    else:

        def f(a: Array, b: Array) -> Array:
            return whole_product(a, b, kind, part) & ones(width_of(into))

    if op.startswith("mul"):
        return Operation([into], [kind, kind], f)
    if "sat" in parts:
        return Operation(
            [kind], [kind] * 3, lambda a, b, c: back(clamp(numeric(f(a, b), kind) + numeric(c, kind), kind), n)
        )
    return Operation([into], [kind, kind, into], lambda a, b, c: f(a, b) + c)


def carrying(parts: list[str]) -> Operation:
    """Of add, addc, sub, subc, mad, madc with the flag as last source and last result (type pred)."""
    op, kind = parts[0], parts[-1]
    n = width_of(kind)

    def f(*xs: Array) -> tuple[Array, Array]:
        flag = xs[-1].astype(object)
        v = [back(x, n).astype(object) for x in xs[:-1]]
        if op[:3] == "mad":
            v = [
                back(numeric(xs[0], kind) * numeric(xs[1], kind) >> (n if "hi" in parts else 0), n).astype(object),
                v[2],
            ]
        if op[:3] == "sub":
            v[1] = v[1] ^ ((1 << n) - 1)
        first = flag if op.endswith("c") else int(op == "sub")
        whole = v[0] + v[1] + first
        return back(whole, n), (whole >> n).astype(bool)

    return Operation([kind, "carry"], [kind] * (3 if op[:3] == "mad" else 2) + ["carry"], f)


def dot(parts: list[str]) -> Operation:
    op, ka, kb = parts[0], parts[-2], parts[-1]

    def f(a: Array, b: Array, c: Array) -> Array:
        total = c.view(I) if c.dtype == U else c
        for i in range(4 if op == "dp4a" else 2):
            wide, first = (8, 0) if op == "dp4a" else (16, 16 if parts[1] == "hi" else 0)
            x, y = a >> U(wide * i) & ones(wide), b >> U(8 * i + first) & ones(8)
            total = total + (signed(x, wide) if ka[0] == "s" else x.astype(I)) * (
                signed(y, 8) if kb[0] == "s" else y.astype(I)
            )
        return total.view(U)

    return Operation(["u32"], ["u32"] * 3, f)


def logic(parts: list[str]) -> Operation:
    op, kind = parts[0], parts[-1]
    if op == "not":
        return Operation([kind], [kind], lambda a: ~a)
    if op == "cnot":
        return Operation([kind], [kind], lambda a: (a == 0).astype(U))
    return Operation([kind], [kind, kind], BOOLEAN[op])


def lop3(parts: list[str]) -> Operation:
    def f(a: Array, b: Array, c: Array, table: Array, *q: Array) -> Any:
        r = np.zeros_like(a)
        for k in range(8):
            r |= np.where(
                table >> U(k) & U(1) != 0, (a if k & 4 else ~a) & (b if k & 2 else ~b) & (c if k & 1 else ~c), U(0)
            )
        r &= ones(32)
        return (r, BOOLEAN[parts[1]](r != 0, q[0])) if q else r

    more = parts[1] in BOOLEAN
    return Operation(["b32", "pred"] if more else ["b32"], ["b32"] * 4 + ["pred"] * more, f)


def shift(parts: list[str]) -> Operation:
    op, kind = parts[0], parts[-1]
    n = width_of(kind)

    def left(a: Array, b: Array) -> Array:
        return np.where(b >= U(n), U(0), a << np.minimum(b, U(63)))

    def right(a: Array, b: Array) -> Array:
        if kind[0] == "s":
            return (signed(a, n) >> np.minimum(b, U(63)).astype(I)).view(U)
        return np.where(b >= U(n), U(0), a >> np.minimum(b, U(63)))

    return Operation([kind], [kind, "u32"], left if op == "shl" else right)


def funnel(parts: list[str]) -> Operation:
    def f(a: Array, b: Array, c: Array) -> Array:
        n = c & U(31) if parts[2] == "wrap" else np.minimum(c, U(32))
        v = a | b << U(32)
        return np.where(n == 0, b, v >> (U(32) - n)) if parts[1] == "l" else v >> n

    return Operation(["b32"], ["b32"] * 3, f)


def table() -> dict[str, Builder]:
    found: dict[str, Builder] = dict.fromkeys(
        ["add", "sub", "neg", "abs", "min", "max", "sad", "div", "rem"], arithmetic
    )
    found |= dict.fromkeys(["mul", "mad", "mul24", "mad24"], multiply)
    found |= dict.fromkeys(["and", "or", "xor", "not", "cnot"], logic)
    return found | {"lop3": lop3, "shl": shift, "shr": shift, "shf": funnel, "dp4a": dot, "dp2a": dot}
