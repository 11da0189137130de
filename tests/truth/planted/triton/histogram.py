"""How often each value below a limit comes."""

# mypy: disable-error-code=no-untyped-def

import triton
import triton.language as tl


@triton.jit
def histogram(x, counts, n, SIZE: tl.constexpr, BINS: tl.constexpr, BUG: tl.constexpr):
    at = tl.program_id(0) * SIZE + tl.arange(0, SIZE)
    if BUG == 4:
        if tl.program_id(0) == 0:
            tl.store(counts + tl.arange(0, BINS), 0)  # @ zero
    if BUG == 3:
        values = tl.load(x + at)  # @ load
    elif BUG == -3:
        values = tl.load(x + at, mask=at < n)
    else:
        values = tl.load(x + at, mask=at < n, other=BINS)
    mask = (at < n) & (values < BINS)
    if BUG == 1:
        before = tl.load(counts + values, mask=mask)  # @ read
        tl.store(counts + values, before + 1, mask=mask)  # @ write
    elif BUG == 2:
        tl.atomic_add(counts + values, 1, mask=at < n)  # @ any
    elif BUG == -1:
        own = tl.histogram(tl.where(mask, values, 0), BINS, mask=mask)
        tl.atomic_add(counts + tl.arange(0, BINS), own)
    elif BUG == -2:
        tl.atomic_add(counts + tl.minimum(values, BINS - 1), (values < BINS).to(tl.int32), mask=at < n)
    else:
        tl.atomic_add(counts + values, 1, mask=mask, sem="relaxed")  # @ add
