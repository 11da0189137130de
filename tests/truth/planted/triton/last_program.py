"""Sums of columns: each program adds some rows, the last to end adds what all have."""

# mypy: disable-error-code=no-untyped-def

import triton
import triton.language as tl


@triton.jit
def column_sums(x, part, count, out, rows, PROGRAMS: tl.constexpr, WIDTH: tl.constexpr, BUG: tl.constexpr):
    me = tl.program_id(0)
    cols = tl.arange(0, WIDTH)
    own = tl.zeros((WIDTH,), dtype=tl.float32)
    for row in range(me, rows, PROGRAMS):
        own += tl.load(x + row * WIDTH + cols)
    tl.store(part + me * WIDTH + cols, own)  # @ part
    if BUG != -3:
        tl.debug_barrier()
    if BUG == 1:
        before = tl.atomic_add(count, 1, sem="relaxed")  # @ relaxed
    elif BUG == 2:
        before = tl.load(count)  # @ read
        tl.store(count, before + 1)  # @ write
    elif BUG == -2:
        before = 0
        seen = tl.atomic_cas(count, 0, 1)
        while seen != before:
            before = seen
            seen = tl.atomic_cas(count, before, before + 1)
    elif BUG == -1:
        before = tl.atomic_add(count, 1, sem="release")
        if before == PROGRAMS - 1:
            before = tl.atomic_add(count, 0, sem="acquire") - 1
    else:
        before = tl.atomic_add(count, 1)
    if BUG == 4:
        chosen = before == 0
    elif BUG == 3:
        chosen = me == 0
    else:
        chosen = before == PROGRAMS - 1
    if chosen:
        total = tl.zeros((WIDTH,), dtype=tl.float32)
        for i in range(PROGRAMS):
            total += tl.load(part + i * WIDTH + cols)  # @ sum
        tl.store(out + cols, total)
