"""Gradients of rows, added up in groups under locks, as the backward pass of a layer norm does."""

# mypy: disable-error-code=no-untyped-def

import triton
import triton.language as tl


@triton.jit
def gradients(x, locks, dw, GROUPS: tl.constexpr, WIDTH: tl.constexpr, BUG: tl.constexpr):
    row = tl.program_id(0)
    cols = tl.arange(0, WIDTH)
    group = row % GROUPS
    lock = locks + group
    count = locks + GROUPS + group
    at = dw + group * WIDTH + cols
    part = tl.load(x + row * WIDTH + cols) * 2.0
    if BUG == 7:
        lock = locks + row // GROUPS % GROUPS
    if BUG == 4:
        while tl.atomic_cas(lock, 0, 1, sem="relaxed") == 1:
            pass
    elif BUG == -4:
        while tl.atomic_cas(lock, 0, 1, sem="acquire") == 1:
            pass
    elif BUG == -5:
        while tl.atomic_xchg(lock, 1) == 1:
            pass
    elif BUG != 2 and BUG != -2:
        while tl.atomic_cas(lock, 0, 1) == 1:  # @ lock
            pass
    if BUG == -2:
        tl.atomic_add(at, part)
    elif BUG == 8 or BUG == -8:
        some = tl.load(count)  # @ count
        if some == 0:
            if BUG == 8:
                tl.store(count, 1)  # @ first
            else:
                tl.atomic_xchg(count, 1)
        else:
            part += tl.load(at)
        tl.store(at, part)
    else:
        part += tl.load(at)  # @ load
        if BUG == 1:
            tl.atomic_xchg(lock, 0)
        tl.store(at, part)  # @ store
    if BUG != -1:
        tl.debug_barrier()
    if BUG == 3:
        tl.atomic_xchg(lock, 0, sem="relaxed")
    elif BUG == -3:
        tl.atomic_xchg(lock, 0, sem="release")
    elif BUG == 5:
        tl.store(lock, 0)  # @ unlock
    elif BUG == -5:
        tl.atomic_add(lock, -1)
    elif BUG != 1 and BUG != 2 and BUG != -2 and BUG != 6:
        tl.atomic_xchg(lock, 0)
