"""Bits and bytes: prmt, bfe, bfi, bfind, fns, clz, popc, brev, szext, bmsk."""

from typing import Any

import numpy as np

from tests.support.interpreter.numbers.operations import Array, Builder, I, Operation, U, ones, signed
from tests.support.interpreter.text import width_of


def byte(v: Array, k: Array) -> Array:
    return v >> (k.astype(U) * U(8)) & U(0xFF)


def prmt(parts: list[str]) -> Operation:
    mode = parts[2] if len(parts) > 2 else ""

    def f(a: Array, b: Array, c: Array) -> Array:
        v, out, k = a | b << U(32), np.zeros_like(a), (c & U(3)).astype(I)
        for i in range(4):
            if not mode:
                nibble = c >> U(4 * i) & U(15)
                x = byte(v, nibble & U(7))
                x = np.where(nibble & U(8) != 0, np.where(x & U(128) != 0, U(255), U(0)), x)
            else:
                chosen = {
                    "f4e": k + i,
                    "b4e": (k - i) & 7,
                    "rc8": k,
                    "ecl": np.maximum(k, i),
                    "ecr": np.minimum(k, i),
                    "rc16": (k & 1) * 2 + (i & 1),
                }[mode]
                x = byte(v, chosen)
            out = out | x << U(8 * i)
        return out

    return Operation(["b32"], ["b32"] * 3, f)


def place(x: Array, n: int) -> Array:
    """A position or length: its low byte for 32 bits, all bits for 64."""
    return np.minimum(x & U(255) if n == 32 else x, U(300)).astype(I)


def shifted(x: Array, by: Array) -> Array:
    """x << by for by of 0 and more, 64 bits."""
    return np.where(by > 63, U(0), x << np.clip(by, 0, 63).astype(U))


def bfe(parts: list[str]) -> Operation:
    kind = parts[-1]
    n = width_of(kind)

    def f(a: Array, b: Array, c: Array) -> Array:
        at, length = place(b, n), place(c, n)
        field = np.where(at > 63, U(0), a >> np.clip(at, 0, 63).astype(U))
        kept = shifted(U(1) + np.zeros_like(a), np.minimum(length, n - at)) - U(1)
        kept = np.where(
            np.minimum(length, n - at) <= 0, U(0), np.where(np.minimum(length, n - at) > 63, ones(64), kept)
        )
        out = field & kept
        if kind[0] == "s":
            top = np.clip(at + length - 1, 0, n - 1)
            out = np.where((length > 0) & (a >> top.astype(U) & U(1) != 0), out | ~kept, out)
        return out

    return Operation([kind], [kind, "u32", "u32"], f)


def bfi(parts: list[str]) -> Operation:
    kind = parts[-1]
    n = width_of(kind)

    def f(a: Array, b: Array, c: Array, d: Array) -> Array:
        at, length = place(c, n), place(d, n)
        mask = np.where(length > 63, ones(64), shifted(U(1) + np.zeros_like(a), length) - U(1))
        mask = np.where(length == 0, U(0), mask)
        return (b & ~shifted(mask, at)) | shifted(a & mask, at)

    return Operation([kind], [kind, kind, "u32", "u32"], f)


def per_lane(into: list[str], of: list[str], one: Any) -> Operation:
    f = np.frompyfunc(one, len(of), 1)
    return Operation(into, of, lambda *xs: f(*[x.astype(object) for x in xs]).astype(U))


def bfind(parts: list[str]) -> Operation:
    kind, n = parts[-1], width_of(parts[-1])

    def one(a: int) -> int:
        if kind[0] == "s" and a >> (n - 1):
            a ^= (1 << n) - 1
        if not a:
            return 0xFFFFFFFF
        return n - a.bit_length() if "shiftamt" in parts else a.bit_length() - 1

    return per_lane(["u32"], [kind], one)


def fns(parts: list[str]) -> Operation:
    def one(mask: int, base: int, offset: int) -> int:
        away = offset - (1 << 32) if offset >> 31 else offset
        if base > 31:
            return 0xFFFFFFFF
        if away == 0:
            return base if mask >> base & 1 else 0xFFFFFFFF
        where = [i for i in (range(base, 32) if away > 0 else range(base, -1, -1)) if mask >> i & 1]
        return where[abs(away) - 1] if abs(away) <= len(where) else 0xFFFFFFFF

    return per_lane(["b32"], ["b32"] * 3, one)


def counted(parts: list[str]) -> Operation:
    op, kind, n = parts[0], parts[-1], width_of(parts[-1])
    one = {"clz": lambda a: n - a.bit_length(), "popc": int.bit_count, "brev": lambda a: int(f"{a:0{n}b}"[::-1], 2)}[op]
    return per_lane([kind if op == "brev" else "u32"], [kind], one)


def szext(parts: list[str]) -> Operation:
    def f(a: Array, b: Array) -> Array:
        n = b & U(31) if parts[1] == "wrap" else np.minimum(b, U(32))
        low = a & ((U(1) << n) - U(1))
        if parts[2] == "s32":
            up = U(64) - np.maximum(n, U(1))
            low = np.where(n == 0, U(0), ((low << up).view(I) >> up.astype(I)).view(U))
        return low

    return Operation(["b32"], ["b32", "u32"], f)


def bmsk(parts: list[str]) -> Operation:
    def f(a: Array, b: Array) -> Array:
        if parts[1] == "wrap":
            a, b = a & U(31), b & U(31)
        else:
            a, b = np.minimum(a, U(32)), np.minimum(b, U(32))
        return ((U(1) << b) - U(1)) << a

    return Operation(["b32"], ["u32", "u32"], f)


def table() -> dict[str, Builder]:
    found: dict[str, Builder] = dict.fromkeys(["clz", "popc", "brev"], counted)
    return found | {"prmt": prmt, "bfe": bfe, "bfi": bfi, "bfind": bfind, "fns": fns, "szext": szext, "bmsk": bmsk}


__all__ = ["signed", "table"]
