"""Softmax of the rows of a matrix."""

# mypy: disable-error-code=no-untyped-def

import triton
import triton.language as tl


@triton.jit
def softmax(x, y, columns, WIDTH: tl.constexpr, BUG: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, WIDTH)
    inside = at < columns
    if BUG == 3:
        base = row * WIDTH
    else:
        base = row * columns
    if BUG == 2:
        inside = at <= columns
    elif BUG == -2:
        inside = at <= columns - 1
    elif BUG == -1:
        at = tl.minimum(at, columns - 1)
    values = tl.load(x + base + at, mask=inside, other=-float("inf"))  # @ load
    top = tl.max(values, axis=0)
    if BUG == -1:
        top = tl.max(tl.load(x + base + at), axis=0)
        values = tl.load(x + base + at)
    powers = tl.exp(values - top)
    total = tl.sum(tl.where(inside, powers, 0.0), axis=0)
    if BUG == 1:
        tl.store(y + base + at, powers / total)  # @ store
    elif BUG == -1:
        tl.store(y + base + at, powers / total)
    elif BUG == 4:
        tl.store(y + base + at, powers / total, mask=tl.arange(0, WIDTH) < WIDTH)  # @ width
    else:
        tl.store(y + base + at, powers / total, mask=inside)  # @ kept
