"""A product of two matrices in f16, by wgmma from shared memory that ordinary stores fill."""

# mypy: disable-error-code=no-untyped-def

from triton.experimental import gluon
from triton.experimental.gluon import language as gl
from triton.experimental.gluon.language.nvidia.hopper import fence_async_shared, warpgroup_mma, warpgroup_mma_wait


@gluon.jit
def product(a, b, c, k, M: gl.constexpr, N: gl.constexpr, T: gl.constexpr, BUG: gl.constexpr):
    plain: gl.constexpr = gl.BlockedLayout([1, 8], [8, 4], [4, 1], [1, 0])
    form: gl.constexpr = gl.NVMMADistributedLayout(version=[3, 0], warps_per_cta=[4, 1], instr_shape=[16, N, 16])
    stages: gl.constexpr = 2 if BUG == -2 or BUG == 1 else 1
    left = gl.allocate_shared_memory(
        gl.float16, [stages, M, T], gl.NVMMASharedLayout.get_default_for([M, T], gl.float16)
    )
    right = gl.allocate_shared_memory(
        gl.float16, [stages, T, N], gl.NVMMASharedLayout.get_default_for([T, N], gl.float16)
    )
    rows = gl.arange(0, M, layout=gl.SliceLayout(1, plain))
    ks = gl.arange(0, T, layout=gl.SliceLayout(1, plain))
    depth = gl.arange(0, T, layout=gl.SliceLayout(0, plain))
    cols = gl.arange(0, N, layout=gl.SliceLayout(0, plain))
    acc = gl.zeros((M, N), dtype=gl.float32, layout=form)
    for start in range(0, k, T):
        stage = start // T % stages
        if BUG == 3:
            tile = gl.load(a + rows[:, None] * k + start + depth[None, :])  # @ tail
        else:
            tile = gl.load(a + rows[:, None] * k + start + depth[None, :], mask=start + depth[None, :] < k, other=0.0)
        other = gl.load(b + (start + ks)[:, None] * N + cols[None, :], mask=(start + ks)[:, None] < k, other=0.0)
        left.index(stage).store(tile)  # @ left
        right.index(stage).store(other)  # @ right
        if BUG != -1:
            fence_async_shared()
        gl.barrier()
        if BUG == 1:
            stage = 1 - stage
        acc = warpgroup_mma(left.index(stage), right.index(stage), acc, is_async=True)  # @ product
        if BUG == 2 or BUG == -2:
            acc = warpgroup_mma_wait(num_outstanding=1, deps=(acc,))
        else:
            acc = warpgroup_mma_wait(num_outstanding=0, deps=(acc,))
    acc = warpgroup_mma_wait(num_outstanding=0, deps=(acc,))
    down = gl.arange(0, M, layout=gl.SliceLayout(1, form))
    over = gl.arange(0, N, layout=gl.SliceLayout(0, form))
    if BUG == 4:
        gl.store(c + down[:, None] * M + over[None, :], acc)  # @ pitch
    else:
        gl.store(c + down[:, None] * N + over[None, :], acc)
