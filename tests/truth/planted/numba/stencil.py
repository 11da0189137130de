"""A step of heat on a torus, by tiles with a border; and how far each cell moved."""

# mypy: disable-error-code="no-untyped-def,no-untyped-call"

from numba import cuda, float32

SIDE = 16


def make(bug):
    high, wide = SIDE + (0 if bug == 2 else 2), SIDE + (3 if bug == -2 else 2)

    @cuda.jit
    def stencil(x, y, moved, n):
        tile = cuda.shared.array((high, wide), float32)
        i, j = cuda.grid(2)
        tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
        if bug == 3 and (i >= n or j >= n):
            return
        tile[ty + 1, tx + 1] = x[j % n * n + i % n]  # @ fill
        if ty == 0:
            if bug == -5:
                tile[0, tx + 1] = x[(min(j, n) - 1) * n + i % n]
            else:
                tile[0, tx + 1] = x[(j - 1) % n * n + i % n]
        if ty == SIDE - 1:
            if bug == 5:
                tile[SIDE + 1, tx + 1] = x[(j + 1) * n + i % n]  # @ below
            else:
                tile[SIDE + 1, tx + 1] = x[(j + 1) % n * n + i % n]  # @ edge
        if tx == 0:
            tile[ty + 1, 0] = x[j % n * n + (i - 1) % n]
        if tx == SIDE - 1 and bug != 4:
            tile[ty + 1, SIDE + 1] = x[j % n * n + (i + 1) % n]
        if bug == -1:
            cuda.syncthreads_count(i)
        elif bug != 1:
            cuda.syncthreads()  # @ barrier
        if bug == -3 and (i >= n or j >= n):
            return
        if i < n and j < n:
            r, c = ty + 1, tx + 1
            mean = (tile[r - 1, c] + tile[r + 1, c] + tile[r, c - 1] + tile[r, c + 1]) / float32(4)  # @ mean
            if bug == 6:
                x[j * n + i] = mean  # @ place
            y[j * n + i] = mean  # @ store
        if bug == 7:
            cuda.syncthreads()
            if i < n and j < n:
                moved[j * n + i] = y[j * n + (i + 1) % n] - y[j * n + i]  # @ next
        elif i < n and j < n:
            moved[j * n + i] = y[j * n + i] - tile[ty + 1, tx + 1]

    return stencil
