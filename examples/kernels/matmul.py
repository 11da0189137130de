"""An autotuned matrix product in Triton: `warpsim run` launches each configuration and ranks them, without a GPU."""

# mypy: disable-error-code=no-untyped-def

import triton
import triton.language as tl

SIZES = [(16, 16, 32, 1), (32, 64, 32, 4), (64, 64, 64, 4), (128, 128, 64, 8), (256, 256, 128, 8)]
CONFIGURATIONS = [
    triton.Config({"rows": rows, "columns": columns, "step": step}, num_warps=warps, num_stages=3)
    for rows, columns, step, warps in SIZES
]


@triton.autotune(CONFIGURATIONS, key=["m", "n", "k"])
@triton.jit
def matmul(a, b, c, m, n, k, rows: tl.constexpr, columns: tl.constexpr, step: tl.constexpr):
    i = tl.program_id(0) * rows + tl.arange(0, rows)
    j = tl.program_id(1) * columns + tl.arange(0, columns)
    inner = tl.arange(0, step)
    total = tl.zeros((rows, columns), tl.float32)
    for begin in range(0, k, step):
        at = begin + inner
        x = tl.load(a + i[:, None] * k + at[None, :], mask=(i[:, None] < m) & (at[None, :] < k), other=0)
        y = tl.load(b + at[:, None] * n + j[None, :], mask=(at[:, None] < k) & (j[None, :] < n), other=0)
        total = tl.dot(x, y, total)
    tl.store(c + i[:, None] * n + j[None, :], total, mask=(i[:, None] < m) & (j[None, :] < n))
