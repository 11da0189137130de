"""Running sums of the rows of a matrix, in place."""

# mypy: disable-error-code=no-untyped-def

import triton
import triton.language as tl


@triton.jit
def running(x, rows, WIDTH: tl.constexpr, BUG: tl.constexpr):
    cols = tl.program_id(0) * WIDTH + tl.arange(0, WIDTH)
    pitch = tl.num_programs(0) * WIDTH
    if BUG == 1:
        for row in tl.range(1, rows, num_stages=3):
            above = tl.load(x + (row - 1) * pitch + cols)  # @ above
            own = tl.load(x + row * pitch + cols)  # @ own
            tl.store(x + row * pitch + cols, above + own)  # @ store
    elif BUG == -1:
        for row in tl.range(1, rows, num_stages=1):
            above = tl.load(x + (row - 1) * pitch + cols)
            tl.store(x + row * pitch + cols, above + tl.load(x + row * pitch + cols))
    elif BUG == 2:
        total = tl.zeros((WIDTH,), dtype=tl.float32)
        for row in tl.range(0, rows + 1, num_stages=3):
            total += tl.load(x + row * pitch + cols)  # @ one_more
            tl.store(x + row * pitch + cols, total, mask=cols < pitch * (rows - row))
    elif BUG == 3:
        if tl.program_id(0) == 0:
            cols += 1
        total = tl.zeros((WIDTH,), dtype=tl.float32)
        for row in tl.range(0, rows, num_stages=3):
            total += tl.load(x + row * pitch + cols)  # @ shifted
            tl.store(x + row * pitch + cols, total)  # @ into
    else:
        total = tl.zeros((WIDTH,), dtype=tl.float32)
        for row in tl.range(0, rows, num_stages=3):
            total += tl.load(x + row * pitch + cols)
            tl.store(x + row * pitch + cols, total)
