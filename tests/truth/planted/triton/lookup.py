"""Means of rows of a table, by lists of indices."""

# mypy: disable-error-code=no-untyped-def

import triton
import triton.language as tl


@triton.jit(debug=True)
def means(table, index, lengths, out, rows, n, SIZE: tl.constexpr, MOST: tl.constexpr, BUG: tl.constexpr):
    at = tl.program_id(0) * SIZE + tl.arange(0, SIZE)
    inside = at < n
    total = tl.zeros((SIZE,), dtype=tl.int32)
    for i in range(MOST):
        row = tl.load(index + at * MOST + i, mask=inside, other=0)
        if BUG == 1:
            total += tl.load(table + row, mask=inside, other=0)  # @ any
        elif BUG == -1:
            value = tl.load(table + tl.where(row < rows, row, 0), mask=inside, other=0)
            total += tl.where(row < rows, value, 0)
        elif BUG == 3:
            tl.device_assert(row < rows, "no such row")  # @ assert
            total += tl.load(table + row, mask=inside & (row < rows), other=0)
        elif BUG == -3:
            tl.device_assert(row < 100, "no such row", mask=inside)
            total += tl.load(table + row, mask=inside & (row < rows), other=0)
        elif BUG == 4:
            total += tl.load(table + row - 1, mask=inside & (row < rows), other=0)  # @ before
        else:
            total += tl.load(table + row, mask=inside & (row < rows), other=0)
    length = tl.load(lengths + at, mask=inside, other=1)
    if BUG == 2:
        mean = total // length  # @ divide
    elif BUG == -2:
        mean = tl.where(length > 0, total // tl.where(length > 0, length, 7), total)
    else:
        mean = total // tl.maximum(length, 1)
    if BUG == 5:
        tl.store(out + at, mean)  # @ store
    else:
        tl.store(out + at, mean, mask=inside)
