"""Walsh-Hadamard transforms of blocks, exchanged through scratch in global memory."""

# mypy: disable-error-code=no-untyped-def

import triton
import triton.language as tl


@triton.jit
def walsh(x, y, scratch, SIZE: tl.constexpr, LOG: tl.constexpr, BUG: tl.constexpr):
    me = tl.program_id(0)
    at = tl.arange(0, SIZE)
    values = tl.load(x + me * SIZE + at)
    own = scratch + (2 * me + 1) * SIZE
    if BUG == 2:
        own = scratch + SIZE
    ROUNDS: tl.constexpr = LOG + 1 if BUG == 4 else LOG
    for i in range(ROUNDS):
        step = 1 << i
        if BUG == -3:
            own = scratch + (2 * me + i % 2) * SIZE
        if BUG == -1:
            others = tl.gather(values, at ^ step, 0)
        else:
            tl.store(own + at, values)  # @ store
            if BUG != 1:
                tl.debug_barrier()
            others = tl.load(own + (at ^ step))  # @ load
        values = tl.where((at & step) > 0, others - values, others + values)
        if BUG != 3 and BUG != -3 and BUG != -1:
            tl.debug_barrier()
    tl.store(y + me * SIZE + at, values)
