"""Blocks that take rows by tickets until none are left, and count how many values are large."""

# mypy: disable-error-code="no-untyped-def,no-untyped-call"

import numpy as np
from numba import cuda, int32

WIDTH = 64
TABLE = np.array([3, 1, 4, 1], np.int32)


def make(bug):
    @cuda.jit
    def tickets(x, y, ticket, large, rows):
        slot = cuda.shared.array(2, int32)
        found = cuda.shared.array(1, int32)
        t = cuda.threadIdx.x
        if t == 0:
            found[0] = 0
        cuda.syncthreads()
        turn = 0
        row = cuda.blockIdx.x
        while True:
            if bug != -1:
                here = turn % 2 if bug == -3 else 0
                if t == 0:
                    if bug == 1:
                        slot[here] = ticket[0]  # @ look
                        ticket[0] = slot[here] + 1  # @ next
                    else:
                        slot[here] = cuda.atomic.add(ticket, 0, 1)  # @ put
                if bug != 2:
                    cuda.syncthreads()
                row = slot[here]  # @ take
                if bug not in (3, -3):
                    cuda.syncthreads()
            if row > rows if bug == 5 else row >= rows:
                break
            value = x[row * WIDTH + t]  # @ load
            if bug == 6:
                y[row * WIDTH + t] = value * TABLE[value % 5]  # @ table
            else:
                y[row * WIDTH + t] = value * TABLE[value % 4]
            if bug == -4:
                many = cuda.syncthreads_count(int32(value > 50))
                if t == 0:
                    found[0] += many
            elif value > 50:
                if bug == 4:
                    found[0] += 1  # @ plain
                else:
                    cuda.atomic.add(found, 0, 1)
            turn += 1
            row += cuda.gridDim.x
        cuda.syncthreads()
        if t == 0:
            cuda.atomic.add(large, 0, found[0])

    return tickets
