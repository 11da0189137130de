"""Numbers doubled in place."""

# mypy: disable-error-code=no-untyped-def

import triton
import triton.language as tl


@triton.jit
def scale(x, n, PROGRAMS: tl.constexpr, BUG: tl.constexpr):
    SIZE: tl.constexpr = 8 if BUG == -1 else 256
    STEP: tl.constexpr = SIZE - 8 if BUG == 1 else SIZE
    for start in range(tl.program_id(0) * STEP, n, PROGRAMS * STEP):
        at = start + tl.arange(0, SIZE)
        if BUG == 2:
            tl.store(x + at, tl.load(x + at, mask=at <= n) * 2.0, mask=at <= n)  # @ equal
        elif BUG == 3:
            wrapped = x + at % n
            tl.store(wrapped, tl.load(wrapped) * 2.0)  # @ wrapped
        elif BUG == -3:
            tl.store(x + at, tl.load(x + tl.minimum(at, n - 1)) * 2.0, mask=at < n)
        else:
            values = tl.load(x + at, mask=at < n)  # @ load
            tl.store(x + at, values * 2.0, mask=at < n)  # @ store
