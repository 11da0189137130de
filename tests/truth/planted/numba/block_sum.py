"""The sum of all numbers: blocks by a tree in shared memory, then together by an atomic."""

# mypy: disable-error-code="no-untyped-def,no-untyped-call"

from numba import cuda, float32

SIZE = 128


def make(bug):
    @cuda.jit
    def block_sum(x, out):
        part = cuda.shared.array(SIZE, float32)
        t = cuda.threadIdx.x
        i = cuda.grid(1)
        if bug == 3:
            part[t] = x[i]  # @ tail
        elif bug == -3:
            own = float32(0)
            for j in range(i, x.size, cuda.gridsize(1)):
                own += x[j]
            part[t] = own
        else:
            part[t] = x[i] if i < x.size else float32(0)  # @ fill
        if bug == -1:
            cuda.syncthreads_or(0)
        elif bug != 1:
            cuda.syncthreads()
        step = SIZE // 2
        while step > (32 if bug == -2 else 0):
            if t < step:
                part[t] += part[t + step]  # @ add
                if bug == 2:
                    cuda.syncthreads()  # @ inside
            if bug != 2:
                cuda.syncthreads()
            step //= 2
        if bug == -2 and t < 32:
            value = part[t] + part[t + 32]
            for step in (16, 8, 4, 2, 1):
                value += cuda.shfl_down_sync(0xFFFFFFFF, value, step)
            part[t] = value
        if bug == 5:
            cuda.atomic.add(out, cuda.blockIdx.x, part[0])  # @ wrong
        elif t == 0:
            if bug == 4:
                out[0] += part[0]  # @ plain
            else:
                cuda.atomic.add(out, 0, part[0])

    return block_sum
