"""Sums of the rows of a matrix."""

# mypy: disable-error-code=no-untyped-def

import triton
import triton.language as tl


@triton.jit
def row_sums(x, y, columns, WIDTH: tl.constexpr, BUG: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, WIDTH)
    if BUG == 1:
        values = tl.load(x + row * columns + at)  # @ load
    else:
        values = tl.load(x + row * columns + at, mask=at < columns, other=0.0)
    if BUG == 2:
        tl.store(y, tl.sum(values, axis=0))  # @ store
    else:
        tl.store(y + row, tl.sum(values, axis=0))
