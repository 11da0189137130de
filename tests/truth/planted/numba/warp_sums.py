"""Sums of blocks by shuffles within warps; rows have 24 columns."""

# mypy: disable-error-code="no-untyped-def,no-untyped-call"

from numba import cuda, float32

ALL = 0xFFFFFFFF


def make(bug):
    @cuda.jit
    def warp_sums(x, rows, out, columns):
        part = cuda.shared.array(4, float32)
        pairs = cuda.shared.array(128, float32)
        t = cuda.threadIdx.x
        lane, warp = t % 32, t // 32
        at = (cuda.blockIdx.x * 4 + warp) * columns + lane
        value = float32(0)
        if bug == 1:
            if lane < columns:
                value = x[at]
                for step in (16, 8, 4, 2, 1):
                    value += cuda.shfl_down_sync(ALL, value, step)  # @ branch
        elif bug == -1:
            mask = cuda.ballot_sync(ALL, lane < columns)
            if lane < columns:
                value = x[at]
                for step in (16, 8, 4, 2, 1):
                    other = cuda.shfl_down_sync(mask, value, step)
                    if lane + step < columns:
                        value += other
        elif bug == 4:
            if lane < columns:
                value = x[at]
            for step in (16, 8, 4, 2, 1):
                value += cuda.shfl_down_sync(0xFFFFFF, value, step)  # @ mask
        else:
            if lane < columns:
                value = x[at]
            if bug != -2:
                pairs[t] = value  # @ put
                if bug != 2:
                    cuda.syncwarp()
                value += pairs[t ^ 16]  # @ take
            else:
                value += cuda.shfl_xor_sync(ALL, value, 16)
            for step in (8, 4, 2, 1):
                value += cuda.shfl_down_sync(ALL, value, step)
        if lane == 0:
            rows[cuda.blockIdx.x * 4 + warp] = value
            part[warp] = value  # @ part
        if bug == -3:
            cuda.syncthreads_count(lane)
        elif bug != 3:
            cuda.syncthreads()
        if t == 0:
            total = float32(0)
            for w in range(5 if bug == 5 else 4):
                total += part[w]  # @ sum
            out[cuda.blockIdx.x] = total

    return warp_sums
