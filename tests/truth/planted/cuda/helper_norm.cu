// Rows less their mean, divided by their deviation; a helper adds a number of each thread, and is called twice.
static __device__ __forceinline__ float warp_sum(float value) {
#if BUG == 3
    for (int step = 16; step; step /= 2) value += __shfl_xor_sync(0xffff, value, step); //@ shuffle
#elif BUG == -3
    for (int step = 16; step; step /= 2) value += __shfl_down_sync(__ballot_sync(0xffffffff, true), value, step);
    value = __shfl_sync(0xffffffff, value, 0);
#else
    for (int step = 16; step; step /= 2) value += __shfl_xor_sync(0xffffffff, value, step);
#endif
    return value;
}

static __device__ __forceinline__ float block_sum(float value, float *part) {
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    value = warp_sum(value); //@ first_pass
#if BUG != 1 && BUG != -1
    __syncthreads();
#endif
#if BUG == -4
    if (threadIdx.x < 8) part[threadIdx.x] = 0;
    __syncthreads();
#endif
    if (lane == 0) part[warp] = value; //@ put
#if BUG == 2
    __syncwarp();
#elif BUG == -2
    asm volatile("bar.arrive 2, 256;\n\tbar.sync 2, 256;" ::: "memory");
#else
    __syncthreads();                                          //@ barrier
#endif
#if BUG == 4 || BUG == -4
    return warp_sum(lane < 8 ? part[lane] : 0); //@ many
#else
    return warp_sum(lane < 4 ? part[lane] : 0); //@ gather
#endif
}

extern "C" __global__ void normalise(const float *x, float *y) {
    __shared__ float part[8];
#if BUG == -1
    __shared__ float more[8];
#else
    float *more = part;
#endif
    const int i = blockIdx.x * 128 + threadIdx.x;
    const float mean = block_sum(x[i], part) / 128; //@ mean
    const float off = x[i] - mean;
#if BUG == 5
    float deviation = 1;
    if (off > 0) deviation = block_sum(off * off, more) / 128; //@ some
#elif BUG == -5
    float deviation = 1;
    if (mean != 0) deviation = block_sum(off * off, more) / 128;
#else
    const float deviation = block_sum(off * off, more) / 128; //@ deviation
#endif
    y[i] = off * rsqrtf(deviation);
}
