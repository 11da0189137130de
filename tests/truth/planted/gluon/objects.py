"""Rows reversed through shared memory; copies arrive at an mbarrier object, which is waited for by phase."""

# mypy: disable-error-code=no-untyped-def

from triton.experimental import gluon
from triton.experimental.gluon import language as gl
from triton.experimental.gluon.language.nvidia.ampere import async_copy, mbarrier


@gluon.jit
def reverse(x, y, rows, SIZE: gl.constexpr, BUG: gl.constexpr):
    wide: gl.constexpr = gl.BlockedLayout([4], [32], [4], [0])
    narrow: gl.constexpr = gl.BlockedLayout([1], [32], [4], [0])
    tile = gl.allocate_shared_memory(gl.float32, [SIZE], gl.SwizzledSharedLayout(1, 1, 1, [0]))
    bar = gl.allocate_shared_memory(gl.int64, [1], mbarrier.MBarrierLayout())
    at = gl.arange(0, SIZE, layout=wide)
    if BUG != 3:
        mbarrier.init(bar, count=128)
    phase = 0
    for row in range(rows):
        async_copy.async_load(tile, x + row * SIZE + at)  # @ copy
        async_copy.mbarrier_arrive(bar, increment_count=False)  # @ arrive
        if BUG == 1:
            mbarrier.wait(bar, phase=0)  # @ zero
        elif BUG == 2:
            mbarrier.wait(bar, phase=(row + 1) % 2)  # @ before
        elif BUG == -2:
            mbarrier.wait(bar, phase=row % 2)
        elif BUG == 4:
            async_copy.commit_group()
        elif BUG == -4:
            async_copy.commit_group()
            async_copy.wait_group(0)
        else:
            mbarrier.wait(bar, phase=phase)
            phase ^= 1
        gl.barrier()
        values = tile.load(narrow)  # @ load
        down = SIZE - 1 - gl.arange(0, SIZE, layout=narrow)
        gl.store(y + row * SIZE + down, values)
        gl.barrier()
