"""Products of warps, exact as the hardware rounds, against products by FMA."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from . import levels, patterns
from .native import Native
from .patterns import Words
from .peers import same
from .rows import Line
from .timing import Case, Effort, medians

PRODUCTS = 512
HALF = "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32"
BYTE = "mma.sync.aligned.m16n8k16.row.col.s32.s8.s8.s32"


def _operands(random: np.random.Generator, n: int, kinds: tuple[tuple[int, type], ...]) -> tuple[Words, Words, Words]:
    """Whole numbers so small that every sum of products is exact; kinds: values of a lane, type."""
    a, b, c = (random.integers(-8, 9, (n, 32, values)).astype(type_).view(np.uint32) for values, type_ in kinds)
    return a, b, c


def products(native: Native, effort: Effort) -> Iterator[Line]:
    n = effort.size(PRODUCTS, 8)
    random = np.random.default_rng(19)
    half = _operands(random, n, ((8, np.float16), (4, np.float16), (4, np.float32)))
    byte = _operands(random, n, ((8, np.int8), (4, np.int8), (4, np.int32)))
    out: Words = patterns.aligned((n, 32, 4), np.uint32)
    cases: dict[tuple[str, str], Case] = {}
    for level in levels.available():
        cases["fma", level] = native.fma(half, out, level)
        cases["mma_f16", level] = native.multiply(HALF, half, out, level)
        cases["mma_s8", level] = native.multiply(BYTE, byte, out, level)
        cases["fma", level](1)
        expected = out.copy()
        cases["mma_f16", level](1)
        same(f"products {level}", out.reshape(-1), expected.reshape(-1))
    ns = {name: found / n for name, found in medians(cases, effort).items()}
    for level in levels.available():
        for key in ("mma_f16", "mma_s8"):
            yield levels.line(key, f"{n} products", level, ns[key, level], ns["fma", level])
