"""Products of 8, 6 and 4 bits with .kind, with factors and without, number by number.

From the PTX ISA ("Matrix Fragments for mma.m16n8k32, k64, k128", "Block scaling for mma.sync") and from MMA-Sim (arXiv
2511.10909), which says how sm_120 adds: the terms, cut toward zero below the largest exponent, and C.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cache

Matrix = dict[tuple[int, int], int]
Number = Fraction | float | None  # finite, infinite, NaN
#: bits of exponent and mantissa, where the number begins in a byte
FORMATS = {"e4m3": (4, 3, 0), "e5m2": (5, 2, 0), "e3m2": (3, 2, 0), "e2m3": (2, 3, 0), "e2m1": (2, 1, 2)}
RESULTS = {"f32": (8, 23), "f16": (5, 10)}
LEAST = {"f32": -133, "f16": -21}  # the largest exponent counts as at least that, without factors


@dataclass(frozen=True)
class Form:
    """What a product's text says; `packed`: elements of 4 bits; `vec`: factors of a row."""

    k: int
    a: str
    b: str
    d: str
    is_sparse: bool
    packed: bool
    vec: int
    scale: str


@cache
def power(exponent: int) -> Fraction:
    return Fraction(2) ** exponent


def number(bits: int, exponent_bits: int, mantissa_bits: int, has_specials: bool) -> tuple[Number, int]:
    """The value, and the exponent of its format."""
    bias = 2 ** (exponent_bits - 1) - 1
    sign = -1 if bits >> (exponent_bits + mantissa_bits) & 1 else 1
    e, m = bits >> mantissa_bits & (2**exponent_bits - 1), bits & (2**mantissa_bits - 1)
    if has_specials and e == 2**exponent_bits - 1:
        return (None if m else sign * float("inf")), 0
    exponent = max(e, 1) - bias
    return sign * (Fraction(m, 2**mantissa_bits) + (e > 0)) * power(exponent), exponent


@cache
def element(bits: int, type_: str, packed: bool) -> tuple[Number, int]:
    """An element of A or B from its field."""
    exponent_bits, mantissa_bits, shift = FORMATS[type_]
    if type_ == "e4m3" and bits & 0x7F == 0x7F:
        return None, 0
    return number(bits >> (0 if packed else shift), exponent_bits, mantissa_bits, type_ == "e5m2")


@cache
def factor(bits: int, scale: str) -> tuple[Fraction | None, int]:
    """A factor and its exponent."""
    if scale == "ue8m0":
        return (None if bits == 255 else power(bits - 127)), bits - 127
    if bits & 0x7F == 0x7F:
        return None, 0
    value, exponent = number(bits & 0x7F, 4, 3, False)
    assert isinstance(value, Fraction)
    return value, exponent


def rounded(value: Fraction, d: str) -> int:
    """The bits of a sum: toward zero in f32, to nearest even in f16."""
    exponent_bits, mantissa_bits = RESULTS[d]
    bias = 2 ** (exponent_bits - 1) - 1
    sign, size = int(value < 0) << (exponent_bits + mantissa_bits), abs(value)
    if size == 0:
        return 0
    exponent = max(size.numerator.bit_length() - size.denominator.bit_length(), -5000)
    exponent += 0 if size >= power(exponent) else -1
    exponent += 1 if size >= power(exponent + 1) else 0
    grid = power(max(exponent, 1 - bias) - mantissa_bits)
    steps = round(size / grid) if d == "f16" else size // grid
    size = steps * grid
    if size == 0:
        return 0
    if size >= power(bias + 1):
        return sign | (2**exponent_bits - 1) << mantissa_bits
    if size < power(1 - bias):
        return sign | int(size / power(1 - bias - mantissa_bits))
    exponent = exponent + 1 if size >= power(exponent + 1) else exponent
    return sign | (exponent + bias) << mantissa_bits | int((size / power(exponent) - 1) * 2**mantissa_bits)


def summed(terms: list[tuple[Fraction, int]], fraction: int, least: int | None, d: str) -> int:
    """Terms with their exponents, the last of them C; zeros of C and of factors have none: -10000."""
    top = max([e for _, e in terms] + ([least] if least is not None else []))
    unit = power(top - fraction)
    total = Fraction(0)
    for value, _ in terms:
        whole = abs(value) // unit * unit
        total += -whole if value < 0 else whole
    return rounded(total, d)


def invalid(d: str) -> int:
    return 0x7FFFFFFF if d == "f32" else 0x7FFF


def special(pairs: list[tuple[Number, Number]], c: Number) -> float | Fraction | None:
    """None: NaN; an infinity; or a zero: all is finite."""
    infinite: set[float] = set()
    for a, b in pairs:
        if a is None or b is None:
            return None
        if isinstance(a, float) or isinstance(b, float):
            if a == 0 or b == 0:
                return None
            infinite.add(float("inf") if (a > 0) == (b > 0) else float("-inf"))
    if c is None:
        return None
    if isinstance(c, float):
        infinite.add(c)
    return None if len(infinite) == 2 else infinite.pop() if infinite else Fraction(0)


def result(form: Form, a: list[int], b: list[int], c: int, factors: tuple[list[int], list[int]]) -> int:
    """One result from the stored elements of a row of A, what they meet, C and the factors of both."""
    exponent_bits, mantissa_bits = RESULTS[form.d]
    sum_, sum_exponent = number(c, exponent_bits, mantissa_bits, True)
    xs = [element(bits, form.a, form.packed) for bits in a]
    ys = [element(bits, form.b, form.packed) for bits in b]
    found = special([(x[0], y[0]) for x, y in zip(xs, ys, strict=True)], sum_)
    scales = [(factor(p, form.scale), factor(q, form.scale)) for p, q in zip(*factors, strict=True)]
    if found is None or any(p[0] is None or q[0] is None for p, q in scales):
        return invalid(form.d)
    if isinstance(found, float):
        infinity = (2**exponent_bits - 1) << mantissa_bits
        return infinity | int(found < 0) << (exponent_bits + mantissa_bits)
    assert isinstance(sum_, Fraction)
    last = (sum_, sum_exponent if sum_ else -10000)
    terms: list[tuple[Fraction, int]] = []
    if form.packed:
        chunk = len(a) // form.vec
        for at in range(0, len(a), 16):
            (p, p_exponent), (q, q_exponent) = scales[at // chunk]
            exact = sum((xs[i][0] * ys[i][0] for i in range(at, at + 16)), Fraction(0))  # type: ignore[operator]
            terms.append((exact * p * q, p_exponent + q_exponent if p and q else -10000))  # type: ignore[operator]
        return summed([*terms, last], 35, None, form.d)
    (p, p_exponent), (q, q_exponent) = scales[0] if scales else ((Fraction(1), 0), (Fraction(1), 0))
    both = p * q  # type: ignore[operator]
    for (x, x_exponent), (y, y_exponent) in zip(xs, ys, strict=True):
        product = x * y * both  # type: ignore[operator]
        terms.append((product, x_exponent + y_exponent + p_exponent + q_exponent if product else -10000))
    return summed([*terms, last], 25, None if scales else LEAST[form.d], form.d)


def fields(words: list[list[int]], lane: int, bits: int) -> list[int]:
    """The values of a lane's registers, low bits first."""
    return [word >> at & (2**bits - 1) for word in words[lane] for at in range(0, 32, bits)]


def matrices(form: Form, a: list[list[int]], b: list[list[int]], c: list[list[int]]) -> tuple[Matrix, ...]:
    """A (its stored elements), B and C as element of (row, column)."""
    bits = 4 if form.packed else 8
    w = 32 // bits
    found: tuple[Matrix, ...] = ({}, {}, {})
    for lane in range(32):
        g, t = lane // 4, lane % 4
        for i, value in enumerate(fields(a, lane, bits)):
            found[0][g + 8 * (i // w % 2), w * t + i % w + 4 * w * (i // w // 2)] = value
        for i, value in enumerate(fields(b, lane, bits)):
            found[1][w * t + i % w + 4 * w * (i // w), g] = value
        for i, value in enumerate(fields(c, lane, 32 if form.d == "f32" else 16)):
            found[2][g + 8 * (i // 2), 2 * t + i % 2] = value
    return found


def met(form: Form, metadata: list[int], row: int) -> list[int]:
    """The rows of B that the stored elements of a row of A meet; 32 indices of two bits, of pairs if packed."""
    if not form.is_sparse:
        return list(range(form.k))
    lane = 4 * (row % 8) + row // 8
    indices = [word >> at & 3 for word in (metadata[lane], metadata[lane + 2]) for at in range(0, 32, 2)]
    if form.packed:
        return [8 * (j // 4) + 2 * indices[j // 2] + j % 2 for j in range(64)]
    return [4 * (j // 2) + indices[j] for j in range(32)]


def multiply(
    form: Form, a: list[list[int]], b: list[list[int]], c: list[list[int]], metadata: list[int],
    scales: tuple[list[int], list[int]], ids: tuple[tuple[int, int], tuple[int, int]],
) -> dict[tuple[int, int], int]:  # fmt: skip
    """D by row and column."""
    of_a, of_b, of_c = matrices(form, a, b, c)
    found: dict[tuple[int, int], int] = {}
    (a_byte, a_thread), (b_byte, b_thread) = ids
    for row in range(16):
        rows = met(form, metadata, row)
        for col in range(8):
            word_a = scales[0][4 * (row % 8) + 2 * a_thread + row // 8] if form.vec else 0
            word_b = scales[1][4 * col + b_thread] if form.vec else 0
            factors = (
                [word_a >> 8 * (a_byte + i) & 255 for i in range(form.vec)],
                [word_b >> 8 * (b_byte + i) & 255 for i in range(form.vec)],
            )
            line = [of_a[row, j] for j in range(len(rows))]
            found[row, col] = result(form, line, [of_b[j, col] for j in rows], of_c[row, col], factors)
    return found
