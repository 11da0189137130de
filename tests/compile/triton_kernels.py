"""Triton functions of the usual kinds."""

# mypy: disable-error-code=no-untyped-def

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
def matmul(a, b, c, m, n, k, stage: tl.constexpr, rows: tl.constexpr, columns: tl.constexpr, step: tl.constexpr):
    i = tl.program_id(0) * rows + tl.arange(0, rows)
    j = tl.program_id(1) * columns + tl.arange(0, columns)
    inner = tl.arange(0, step)
    left = a + i[:, None] * k + inner[None, :]
    right = b + inner[:, None] * n + j[None, :]
    total = tl.zeros((rows, columns), dtype=c.dtype.element_ty)
    for begin in tl.range(0, k, step, num_stages=stage):
        x = tl.load(left, mask=(i[:, None] < m) & (begin + inner[None, :] < k), other=0)
        y = tl.load(right, mask=(begin + inner[:, None] < k) & (j[None, :] < n), other=0)
        total = tl.dot(x, y, total, out_dtype=c.dtype.element_ty)
        left += step
        right += step * n
    tl.store(c + i[:, None] * n + j[None, :], total, mask=(i[:, None] < m) & (j[None, :] < n))


@triton.jit
def layer_norm(x, y, weight, bias, columns, epsilon, width: tl.constexpr):
    at = tl.arange(0, width)
    inside = at < columns
    begin = tl.program_id(0) * columns
    row = tl.load(x + begin + at, mask=inside, other=0.0).to(tl.float32)
    mean = tl.sum(row, axis=0) / columns
    off = tl.where(inside, row - mean, 0.0)
    scale = tl.rsqrt(tl.sum(off * off, axis=0) / columns + epsilon)
    out = off * scale * tl.load(weight + at, mask=inside) + tl.load(bias + at, mask=inside)
    tl.store(y + begin + at, out, mask=inside)


@triton.jit
def dropout(x, kept, y, n, p, width: tl.constexpr):
    at = tl.program_id(0) * width + tl.arange(0, width)
    keep = tl.load(kept + at, mask=at < n, other=0) != 0
    tl.store(y + at, tl.where(keep, tl.load(x + at, mask=at < n) / (1 - p), 0.0), mask=at < n)


@triton.jit
def running(x, y, n, width: tl.constexpr):
    at = tl.program_id(0) * width + tl.arange(0, width)
    tl.store(y + at, tl.cumsum(tl.load(x + at, mask=at < n, other=0), axis=0), mask=at < n)


@triton.jit
def attention(q, k, v, out, scale, length, rows: tl.constexpr, columns: tl.constexpr, width: tl.constexpr):
    i = tl.program_id(0) * rows + tl.arange(0, rows)
    d = tl.arange(0, width)
    j = tl.arange(0, columns)
    query = tl.load(q + i[:, None] * width + d[None, :])
    top = tl.full((rows,), -float("inf"), tl.float32)
    weight = tl.zeros((rows,), tl.float32)
    total = tl.zeros((rows, width), tl.float32)
    for begin in range(0, length, columns):
        key = tl.load(k + (begin + j)[None, :] * width + d[:, None])
        value = tl.load(v + (begin + j)[:, None] * width + d[None, :])
        score = tl.dot(query, key) * scale
        highest = tl.maximum(top, tl.max(score, 1))
        power = tl.exp(score - highest[:, None])
        shrink = tl.exp(top - highest)
        weight = weight * shrink + tl.sum(power, 1)
        total = tl.dot(power.to(value.dtype), value, total * shrink[:, None])
        top = highest
    tl.store(out + i[:, None] * width + d[None, :], (total / weight[:, None]).to(out.dtype.element_ty))


@triton.jit
def histogram(x, counts, n, width: tl.constexpr):
    at = tl.program_id(0) * width + tl.arange(0, width)
    tl.atomic_add(counts + tl.load(x + at, mask=at < n, other=0), 1, mask=at < n)


@triton.jit
def sort(x, y, width: tl.constexpr):
    at = tl.arange(0, width)
    tl.store(y + at, tl.sort(tl.load(x + at)))


@triton.jit
def refused(x, width: tl.constexpr):
    tl.store(x + tl.arange(0, width), missing)  # noqa: F821


@triton.autotune([triton.Config({"width": 128}, num_warps=4), triton.Config({"width": 512}, num_warps=4)], key=["n"])
@triton.jit
def tuned(x, n, width: tl.constexpr):
    at = tl.program_id(0) * width + tl.arange(0, width)
    tl.store(x + at, at, mask=at < n)


def without_half(configs, named, **given):
    return [config for config in configs if config.kwargs["rows"] != 48 or named is None]


BLOCKS = [
    triton.Config({"rows": 32, "columns": 32, "step": 32}, num_warps=4, num_stages=2),
    triton.Config({"rows": 64, "columns": 64, "step": 32}, num_warps=4, num_stages=3),
    triton.Config({"rows": 16, "columns": 16, "step": 16}, num_warps=1, num_stages=1),
    triton.Config({"rows": 256, "columns": 256, "step": 128}, num_warps=8, num_stages=4),  # too much shared memory
    triton.Config({"rows": 24, "columns": 32, "step": 32}, num_warps=4),  # no power of two
    triton.Config({"rows": 48, "columns": 32, "step": 32}, num_warps=4),  # pruned
]


@triton.autotune(BLOCKS, key=["m", "n", "k"], prune_configs_by={"early_config_prune": without_half})
@triton.heuristics({"is_even": lambda args: args["k"] % args["step"] == 0})
@triton.jit
def tuned_matmul(
    a, b, c, m, n, k, rows: tl.constexpr, columns: tl.constexpr, step: tl.constexpr, is_even: tl.constexpr
):
    i = tl.program_id(0) * rows + tl.arange(0, rows)
    j = tl.program_id(1) * columns + tl.arange(0, columns)
    total = tl.zeros((rows, columns), tl.float32)
    for begin in range(0, k, step):
        inner = begin + tl.arange(0, step)
        if is_even:
            x = tl.load(a + i[:, None] * k + inner[None, :], mask=i[:, None] < m, other=0)
        else:
            x = tl.load(a + i[:, None] * k + inner[None, :], mask=(i[:, None] < m) & (inner[None, :] < k), other=0)
        y = tl.load(b + inner[:, None] * n + j[None, :], mask=(inner[:, None] < k) & (j[None, :] < n), other=0)
        total = tl.dot(x, y, total)
    tl.store(c + i[:, None] * n + j[None, :], total, mask=(i[:, None] < m) & (j[None, :] < n))


def zeroed(values):
    values["counts"][...] = 0


@triton.autotune(
    [triton.Config({"width": 64}, num_warps=1, pre_hook=zeroed), triton.Config({"width": 256}, num_warps=2)],
    key=["n"],
    reset_to_zero=["counts"],
)
@triton.jit
def tuned_histogram(x, counts, n, width: tl.constexpr):
    at = tl.program_id(0) * width + tl.arange(0, width)
    tl.atomic_add(counts + tl.load(x + at, mask=at < n, other=0), 1, mask=at < n)


@triton.jit
def by_descriptors(a, b, c, k, rows: tl.constexpr, columns: tl.constexpr, step: tl.constexpr):
    m, n = tl.program_id(0) * rows, tl.program_id(1) * columns
    total = tl.zeros((rows, columns), tl.float32)
    for begin in range(0, k, step):
        total = tl.dot(a.load([m, begin]), b.load([n, begin]).T, total)
    c.store([m, n], total.to(tl.float16))


@triton.jit
def of_tuples(arrays, scales, n, width: tl.constexpr):
    at = tl.program_id(0) * width + tl.arange(0, width)
    total = tl.zeros((width,), tl.float32)
    for i in tl.static_range(2):
        total += tl.load(arrays[i] + at, mask=at < n) * scales[i]
    tl.store(arrays[2] + at, total, mask=at < n)


@triton.jit
def scaled(
    a, scale_a, b, scale_b, c, m: tl.constexpr, n: tl.constexpr, k: tl.constexpr,
    kind_a: tl.constexpr, kind_b: tl.constexpr, packed: tl.constexpr,
):  # fmt: skip
    i, j, inner = tl.arange(0, m), tl.arange(0, n), tl.arange(0, k // packed)
    group = tl.arange(0, k // 32)
    x = tl.load(a + i[:, None] * (k // packed) + inner[None, :])
    y = tl.load(b + inner[:, None] * n + j[None, :])
    of_x = tl.load(scale_a + i[:, None] * (k // 32) + group[None, :])
    of_y = tl.load(scale_b + j[:, None] * (k // 32) + group[None, :])
    tl.store(c + i[:, None] * n + j[None, :], tl.dot_scaled(x, of_x, kind_a, y, of_y, kind_b))


@triton.jit
def dot(x, y, out, n, width: tl.constexpr):
    at = tl.arange(0, width)
    a, b = tl.load(x + at, mask=at < n, other=0.0), tl.load(y + at, mask=at < n, other=0.0)
    tl.store(out, tl.sum(a * b, 0))


@triton.jit
def turned(x, out, n: tl.constexpr):
    rows = tl.reshape(tl.load(x + tl.arange(0, n)), (n // 16, 16))
    tl.store(out + tl.arange(0, 16)[:, None] * (n // 16) + tl.arange(0, n // 16)[None, :], tl.trans(rows))


@triton.jit
def clash(x, out, n, width: tl.constexpr):
    at = tl.arange(0, width)
    tl.store(out + at // 2, tl.load(x + at, mask=at < n, other=0.0))
