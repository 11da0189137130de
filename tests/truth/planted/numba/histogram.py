"""How often each value comes: bins of a block in shared memory, then of all."""

# mypy: disable-error-code="no-untyped-def,no-untyped-call"

from numba import cuda, int32

BINS = 64


def make(bug):
    @cuda.jit
    def histogram(x, counts):
        bins = cuda.shared.array(BINS, int32)
        t = cuda.threadIdx.x
        if t < BINS:
            bins[t] = 0  # @ zero
        if bug != 2:
            cuda.syncthreads()
        if bug == -1:
            own = cuda.local.array(BINS, int32)
            for b in range(BINS):
                own[b] = 0
            for i in range(cuda.grid(1), x.size, cuda.gridsize(1)):
                own[x[i] % BINS] += 1
            for b in range(BINS):
                if own[b] > 0:
                    cuda.atomic.add(bins, b, own[b])
        else:
            for i in range(cuda.grid(1), x.size, cuda.gridsize(1)):
                if bug == 1:
                    bins[x[i] % BINS] += 1  # @ plain
                elif bug == 4:
                    cuda.atomic.add(bins, x[i], 1)  # @ any
                else:
                    cuda.atomic.add(bins, x[i] % BINS, 1)  # @ count
        if bug != 3:
            cuda.syncthreads()
        if t < BINS:
            if bug == 5:
                counts[t] += bins[t]  # @ sum
            elif bug == -5:
                if bins[t] > 0:
                    cuda.atomic.add(counts, t, bins[t])
            else:
                cuda.atomic.add(counts, t, bins[t])  # @ flush

    return histogram
