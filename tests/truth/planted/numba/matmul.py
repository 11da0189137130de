"""A product of two matrices by tiles, two rows a thread."""

# mypy: disable-error-code="no-untyped-def,no-untyped-call"

from numba import cuda, float32

SIDE = 16


def make(bug):
    stages = 2 if bug == -2 else 1

    @cuda.jit
    def matmul(a, b, c, n, rows):
        left = cuda.shared.array((stages, SIDE, SIDE), float32)
        right = cuda.shared.array((stages, SIDE, SIDE), float32)
        acc = cuda.local.array(2, float32)
        tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
        col, top = cuda.blockIdx.x * SIDE + tx, cuda.blockIdx.y * SIDE
        for r in range(rows):
            acc[r] = 0
        for start in range(0, n, SIDE):
            stage = start // SIDE % stages
            for r in range(rows):
                down = ty + 8 * r
                if bug == 3:
                    left[stage, down, tx] = a[(top + down) * n + start + tx]  # @ bare
                elif bug == -3:
                    value = a[min(top + down, n - 1) * n + min(start + tx, n - 1)]
                    left[stage, down, tx] = value if start + tx < n else float32(0)
                else:
                    inside = top + down < n and start + tx < n
                    left[stage, down, tx] = a[(top + down) * n + start + tx] if inside else float32(0)  # @ left
                inside = start + down < n and col < n
                right[stage, down, tx] = b[(start + down) * n + col] if inside else float32(0)  # @ right
            if bug == -1:
                cuda.syncthreads_and(1)
            elif bug != 1:
                cuda.syncthreads()
            for k in range(SIDE):
                for r in range(rows):
                    acc[r] += left[stage, ty + 8 * r, k] * right[stage, k, tx]  # @ product
            if bug not in (2, -2):
                cuda.syncthreads()
        if bug == 4:
            acc[rows] = acc[0]  # @ beyond
            acc[0] = acc[rows]
        for r in range(rows):
            row = top + ty + 8 * r
            if bug == 5:
                if row < n:
                    c[row * n + col] = acc[r]  # @ wide
            elif row < n and col < n:
                c[row * n + col] = acc[r]

    return matmul
