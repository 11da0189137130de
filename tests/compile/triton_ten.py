"""Ten Triton functions of the usual kinds with arguments, for this package and for Triton's own interpreter.

`python3 -m tests.compile.triton_ten FILE.npz` with TRITON_INTERPRET=1 writes what the interpreter computes.
"""

# mypy: disable-error-code=no-untyped-def

import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
import triton
import triton.language as tl


@triton.jit
def softmax(x, y, columns, width: tl.constexpr):
    at = tl.arange(0, width)
    begin = tl.program_id(0) * columns
    row = tl.load(x + begin + at, mask=at < columns, other=-float("inf"))
    powers = tl.exp(row - tl.max(row, axis=0))
    tl.store(y + begin + at, powers / tl.sum(powers, axis=0), mask=at < columns)


@triton.jit
def layer_norm(x, y, weight, bias, columns, width: tl.constexpr):
    at = tl.arange(0, width)
    inside = at < columns
    begin = tl.program_id(0) * columns
    row = tl.load(x + begin + at, mask=inside, other=0.0)
    off = tl.where(inside, row - tl.sum(row, axis=0) / columns, 0.0)
    scale = 1 / tl.sqrt(tl.sum(off * off, axis=0) / columns + 1e-5)
    out = off * scale * tl.load(weight + at, mask=inside) + tl.load(bias + at, mask=inside)
    tl.store(y + begin + at, out, mask=inside)


@triton.jit
def dropout(x, y, n, p, seed, width: tl.constexpr):
    at = tl.program_id(0) * width + tl.arange(0, width)
    keep = tl.rand(seed, at) > p
    tl.store(y + at, tl.where(keep, tl.load(x + at, mask=at < n) * 2.0, 0.0), mask=at < n)


@triton.jit
def _linear(a0, b0, a1, b1):
    return a0 * a1, b0 * a1 + b1


@triton.jit
def scan(a, b, y, n, width: tl.constexpr):
    at = tl.program_id(0) * n + tl.arange(0, width)
    inside = tl.arange(0, width) < n
    _, found = tl.associative_scan(
        (tl.load(a + at, mask=inside, other=1), tl.load(b + at, mask=inside, other=0)), 0, _linear
    )
    tl.store(y + at, found, mask=inside)


@triton.jit
def matmul(a, b, c, m, n, k, rows: tl.constexpr, columns: tl.constexpr, step: tl.constexpr):
    i = tl.program_id(0) * rows + tl.arange(0, rows)
    j = tl.program_id(1) * columns + tl.arange(0, columns)
    total = tl.zeros((rows, columns), dtype=c.dtype.element_ty)
    for begin in range(0, k, step):
        at = begin + tl.arange(0, step)
        x = tl.load(a + i[:, None] * k + at[None, :], mask=(i[:, None] < m) & (at[None, :] < k), other=0.0)
        y = tl.load(b + at[:, None] * n + j[None, :], mask=(at[:, None] < k) & (j[None, :] < n), other=0.0)
        total = tl.dot(x, y, total, out_dtype=c.dtype.element_ty)
    tl.store(c + i[:, None] * n + j[None, :], total, mask=(i[:, None] < m) & (j[None, :] < n))


@triton.jit
def grouped(a, b, c, sizes, groups, n, k, programs, rows: tl.constexpr, columns: tl.constexpr, step: tl.constexpr):
    """Products of several lengths, one below the other: each program takes tiles of all of them in turn."""
    tile = tl.program_id(0)
    done, first = 0, 0
    for group in range(groups):
        m = tl.load(sizes + group)
        across = tl.cdiv(n, columns)
        count = tl.cdiv(m, rows) * across
        while (tile >= done) & (tile < done + count):
            i = (tile - done) // across * rows + tl.arange(0, rows)
            j = (tile - done) % across * columns + tl.arange(0, columns)
            total = tl.zeros((rows, columns), tl.float32)
            for begin in range(0, k, step):
                at = begin + tl.arange(0, step)
                x = tl.load(a + (first + i)[:, None] * k + at[None, :], mask=i[:, None] < m, other=0)
                y = tl.load(b + group * k * n + at[:, None] * n + j[None, :])
                total = tl.dot(x, y, total)
            tl.store(c + (first + i)[:, None] * n + j[None, :], total, mask=i[:, None] < m)
            tile += programs
        done += count
        first += m


@triton.jit
def attention(q, k, v, out, lengths, scale, length, rows: tl.constexpr, columns: tl.constexpr, width: tl.constexpr):
    i = tl.program_id(0) * rows + tl.arange(0, rows)
    d, j = tl.arange(0, width), tl.arange(0, columns)
    query = tl.load(q + i[:, None] * width + d[None, :])
    top = tl.full((rows,), -float("inf"), tl.float32)
    weight = tl.zeros((rows,), tl.float32)
    total = tl.zeros((rows, width), tl.float32)
    for begin in range(0, length, columns):
        key = tl.load(k + (begin + j)[None, :] * width + d[:, None])
        value = tl.load(v + (begin + j)[:, None] * width + d[None, :])
        score = tl.dot(query, key) * scale
        score = tl.where(i[:, None] >= (begin + j)[None, :], score, -float("inf"))
        highest = tl.maximum(top, tl.max(score, 1))
        power = tl.exp(score - highest[:, None])
        shrink = tl.exp(top - highest)
        weight = weight * shrink + tl.sum(power, 1)
        total = tl.dot(power.to(value.dtype), value, total * shrink[:, None])
        top = highest
    tl.store(out + i[:, None] * width + d[None, :], (total / weight[:, None]).to(out.dtype.element_ty))
    tl.store(lengths + i, top + tl.log(weight))


@triton.jit
def attention_back(
    q, k, v, grad, lengths, delta, dq, dk, dv, scale, length, rows: tl.constexpr, columns: tl.constexpr,
    width: tl.constexpr,
):  # fmt: skip
    """Gradients of keys and values of one block of columns; those of queries by atomic additions."""
    j = tl.program_id(0) * columns + tl.arange(0, columns)
    d, r = tl.arange(0, width), tl.arange(0, rows)
    key = tl.load(k + j[:, None] * width + d[None, :])
    value = tl.load(v + j[:, None] * width + d[None, :])
    key_grad = tl.zeros((columns, width), tl.float32)
    value_grad = tl.zeros((columns, width), tl.float32)
    for begin in range(0, length, rows):
        i = begin + r
        query = tl.load(q + i[:, None] * width + d[None, :])
        out_grad = tl.load(grad + i[:, None] * width + d[None, :])
        score = tl.dot(query, tl.trans(key)) * scale
        power = tl.exp(score - tl.load(lengths + i)[:, None])
        power = tl.where(i[:, None] >= j[None, :], power, 0.0)
        value_grad = tl.dot(tl.trans(power.to(query.dtype)), out_grad, value_grad)
        change = tl.dot(out_grad, tl.trans(value)) - tl.load(delta + i)[:, None]
        score_grad = (power * change * scale).to(query.dtype)
        key_grad = tl.dot(tl.trans(score_grad), query, key_grad)
        tl.atomic_add(dq + i[:, None] * width + d[None, :], tl.dot(score_grad, key))
    tl.store(dk + j[:, None] * width + d[None, :], key_grad)
    tl.store(dv + j[:, None] * width + d[None, :], value_grad)


@dataclass(frozen=True)
class Case:
    """A function with arguments; `bound`: how far results may be apart (0: bit by bit)."""

    function: Any
    arguments: list[Any]
    outputs: list[int]
    options: dict[str, Any]
    bound: float = 0.0
    target: str = "sm_80"


def whole(shape: tuple[int, ...], dtype: torch.dtype, seed: int, most: int = 3) -> torch.Tensor:
    """Small whole numbers, of which products and sums are exact in any order."""
    made = torch.randint(-most, most + 1, shape, generator=torch.Generator().manual_seed(seed))
    return made.to(torch.float32).to(dtype)


def normal(shape: tuple[int, ...], dtype: torch.dtype, seed: int) -> torch.Tensor:
    return torch.randn(shape, generator=torch.Generator().manual_seed(seed)).to(dtype)


def product(a: torch.dtype, out: torch.dtype, target: str = "sm_80") -> Case:
    arguments = [whole((100, 96), a, 1), whole((96, 80), a, 2), torch.zeros((100, 80), dtype=out), 100, 80, 96]
    options = {"grid": (4, 3), "rows": 32, "columns": 32, "step": 32}
    return Case(matmul, arguments, [2], options, target=target)


def _attention() -> tuple[list[Any], dict[str, int]]:
    q, k, v = (normal((128, 32), torch.float16, seed) for seed in (3, 4, 5))
    return [q, k, v, torch.zeros_like(q), torch.zeros(128), 32**-0.5, 128], {"rows": 32, "columns": 32, "width": 32}


def _attention_back() -> Case:
    (q, k, v, *_), sizes = _attention()
    score = (q.float() @ k.float().T * 32**-0.5).masked_fill(torch.ones(128, 128).tril() == 0, -float("inf"))
    out, grad = torch.softmax(score, 1) @ v.float(), normal((128, 32), torch.float16, 6)
    lengths, delta = torch.logsumexp(score, 1), (out * grad.float()).sum(1)
    made = [torch.zeros((128, 32)) for _ in range(3)]
    arguments = [q, k, v, grad, lengths, delta, *made, 32**-0.5, 128]
    return Case(attention_back, arguments, [6, 7, 8], {"grid": (4,), **sizes}, 2e-2)


def cases() -> dict[str, Callable[[], Case]]:
    x = normal((64, 1000), torch.float32, 7)
    sizes = torch.tensor([40, 7, 96], dtype=torch.int32)
    arguments, block = _attention()
    group = [whole((143, 64), torch.float16, 8), whole((3 * 64, 64), torch.float16, 9), torch.zeros((143, 64)), sizes,
             3, 64, 64, 4]  # fmt: skip
    a, b = (whole((16, 500), torch.int32, seed, 1) for seed in (10, 11))
    return {
        "softmax": lambda: Case(softmax, [x, torch.zeros_like(x), 1000], [1], {"grid": (64,), "width": 1024}, 1e-6),
        "layer norm": lambda: Case(
            layer_norm, [x, torch.zeros_like(x), x[0].clone(), x[1].clone(), 1000], [1],
            {"grid": (64,), "width": 1024}, 2e-5),
        "dropout": lambda: Case(
            dropout, [x, torch.zeros_like(x), x.numel(), 0.4, 1234], [1], {"grid": (63,), "width": 1024}),
        "scan": lambda: Case(
            scan, [a, b, torch.zeros_like(a), 500], [2], {"grid": (16,), "width": 512}),
        "matmul": lambda: product(torch.float16, torch.float32),
        "int8 matmul": lambda: product(torch.int8, torch.int32),
        "fp8 matmul": lambda: product(torch.float8_e4m3fn, torch.float32, "sm_89"),
        "grouped matmul": lambda: Case(
            grouped, group, [2], {"grid": (4,), "rows": 32, "columns": 32, "step": 32}),
        "attention": lambda: Case(attention, arguments, [3, 4], {"grid": (4,), **block}, 4e-3),
        "attention, backward": _attention_back,
    }  # fmt: skip


def results(case: Case) -> list[np.ndarray]:
    return [case.arguments[number].float().numpy().copy() for number in case.outputs]


def main() -> None:
    """What the interpreter computes, and how long each takes."""
    found: dict[str, np.ndarray] = {}
    for name, make in cases().items():
        case = make()
        constants = {key: value for key, value in case.options.items() if key != "grid"}
        begin = time.perf_counter()
        case.function[case.options["grid"]](*case.arguments, **constants)
        found[f"{name}|seconds"] = np.array(time.perf_counter() - begin)
        for number, result in enumerate(results(case)):
            found[f"{name}|{number}"] = result
    np.savez(sys.argv[1], **found)  # type: ignore[arg-type]


if __name__ == "__main__":
    main()
