"""Rows doubled through two stages of shared memory that asynchronous copies fill."""

# mypy: disable-error-code=no-untyped-def

from triton.experimental import gluon
from triton.experimental.gluon import language as gl
from triton.experimental.gluon.language.nvidia.ampere import async_copy


@gluon.jit
def doubled(x, y, rows, SIZE: gl.constexpr, BUG: gl.constexpr):
    wide: gl.constexpr = gl.BlockedLayout([4], [32], [4], [0])
    narrow: gl.constexpr = gl.BlockedLayout([1], [32], [4], [0])
    tiles = gl.allocate_shared_memory(gl.float32, [2, SIZE], gl.SwizzledSharedLayout(1, 1, 1, [0]))
    at = gl.arange(0, SIZE, layout=wide)
    x += gl.program_id(0) * rows * SIZE
    y += gl.program_id(0) * rows * SIZE
    async_copy.async_load(tiles.index(0), x + at)  # @ first
    async_copy.commit_group()
    for row in range(rows):
        if BUG == 5:
            async_copy.async_load(tiles.index((row + 1) % 2), x + (row + 1) * SIZE + at)  # @ beyond
        elif BUG == -5:
            async_copy.async_load(
                tiles.index((row + 1) % 2), x + (row + 1) * SIZE + at, mask=at < (rows - row - 1) * SIZE
            )
        elif BUG == 4:
            if row + 1 < rows:
                async_copy.async_load(tiles.index(row % 2), x + (row + 1) * SIZE + at)  # @ same
        elif row + 1 < rows:
            async_copy.async_load(tiles.index((row + 1) % 2), x + (row + 1) * SIZE + at)  # @ copy
        if BUG != 3:
            async_copy.commit_group()
        if BUG == 2:
            async_copy.wait_group(2)  # @ two
        elif BUG == -2:
            async_copy.wait_group(0)
        elif BUG != 1:
            async_copy.wait_group(1)
        values = tiles.index(row % 2).load(narrow)  # @ load
        gl.store(y + row * SIZE + gl.arange(0, SIZE, layout=narrow), values * 2)
