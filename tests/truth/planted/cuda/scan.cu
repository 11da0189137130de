// Inclusive scan of 256 numbers a block: by shuffles in each warp, then over the sums of the warps.
extern "C" __global__ void scan(const int *x, int *y) {
    __shared__ int sums[8];
    const int t = threadIdx.x, lane = t % 32, warp = t / 32;
    int value = x[256 * blockIdx.x + t];
    for (int step = 1; step < 32; step *= 2) {
#if BUG == 3
        if (lane >= step) value += __shfl_up_sync(0xffffffff, value, step); //@ some lanes
#elif BUG == -3
        if (lane >= step) value += __shfl_up_sync(0xffffffff, value, step);
        else __shfl_up_sync(0xffffffff, value, step);
#elif BUG == 5
        const int below = __shfl_up_sync(0xffffffff << step, value, step); //@ mask
        if (lane >= step) value += below;
#else
        const int below = __shfl_up_sync(0xffffffff, value, step);
        if (lane >= step) value += below;
#endif
    }
    if (lane == 31) sums[warp] = value; //@ put
#if BUG == -1
    if (__syncthreads_or(value == -1)) return;
#elif BUG == 1
    __syncwarp();
#else
    __syncthreads();
#endif
    if (warp == 0) {
        int sum = lane < 8 ? sums[lane] : 0; //@ take
        for (int step = 1; step < 8; step *= 2) {
            const int below = __shfl_up_sync(0xffffffff, sum, step);
            if (lane >= step) sum += below;
        }
        if (lane < 8) sums[lane] = sum; //@ back
#if BUG == 2
        __syncwarp();
#elif BUG == -2
        __syncthreads();
    } else {
        __syncthreads();
#endif
    }
#if BUG != 2 && BUG != -2
    __syncthreads();
#endif
#if BUG == 4
    value += sums[warp - 1]; //@ before
#elif BUG == -4
    const int *before = sums - 1;
    if (warp > 0) value += before[warp];
#else
    if (warp > 0) value += sums[warp - 1]; //@ add
#endif
    y[256 * blockIdx.x + t] = value;
}
