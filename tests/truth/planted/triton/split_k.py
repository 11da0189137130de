"""A product of two matrices in f16, its inner dimension split over programs that add up in f32."""

# mypy: disable-error-code=no-untyped-def

import triton
import triton.language as tl


@triton.jit
def matmul(a, b, c, m, n, k, TILE: tl.constexpr, STEP: tl.constexpr, PARTS: tl.constexpr, BUG: tl.constexpr):
    rows = tl.program_id(0) * TILE + tl.arange(0, TILE)
    cols = tl.program_id(1) * TILE + tl.arange(0, TILE)
    acc = tl.zeros((TILE, TILE), dtype=tl.float32)
    for start in range(tl.program_id(2) * STEP, k, PARTS * STEP):
        ks = start + tl.arange(0, STEP)
        inside = (rows[:, None] < m) & (ks[None, :] < k)
        if BUG == 1:
            left = tl.load(a + rows[:, None] * k + ks[None, :], mask=rows[:, None] < m, other=0.0)  # @ tail
        elif BUG == -1:
            left = tl.load(a + (rows % m)[:, None] * k + ks[None, :], mask=ks[None, :] < k, other=0.0)
        elif BUG == 2:
            left = tl.load(a + rows[:, None] + ks[None, :] * k, mask=inside, other=0.0)  # @ strides
        else:
            left = tl.load(a + rows[:, None] * k + ks[None, :], mask=inside, other=0.0)
        if BUG == 3:
            right = tl.load(b + ks[:, None] * n + cols[None, :])  # @ bare
        elif BUG == -2:
            right = tl.trans(tl.load(b + ks[None, :] * n + cols[:, None], (ks[None, :] < k) & (cols[:, None] < n), 0.0))
        else:
            right = tl.load(b + ks[:, None] * n + cols[None, :], (ks[:, None] < k) & (cols[None, :] < n), 0.0)
        acc = tl.dot(left, right, acc)
    at = c + rows[:, None] * n + cols[None, :]
    mask = (rows[:, None] < m) & (cols[None, :] < n)
    if BUG == 4:
        before = tl.load(at, mask=mask)  # @ read
        tl.store(at, before + acc, mask=mask)  # @ write
    elif BUG == 5:
        tl.store(at, acc, mask=mask)  # @ each
    elif BUG == 6:
        tl.atomic_add(at, acc, mask=(rows[:, None] <= m) & (cols[None, :] < n))  # @ last
    elif BUG == -4:
        tl.atomic_add(at, acc, mask=mask, sem="relaxed")
    else:
        tl.atomic_add(at, acc, mask=mask)
