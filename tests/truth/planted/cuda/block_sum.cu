// Sums of 256 numbers each, by a tree in shared memory.
extern "C" __global__ void block_sum(const float *x, float *out) {
    __shared__ float part[128];
    const int t = threadIdx.x;
    const float *mine = x + 256 * blockIdx.x;
    part[t] = mine[t] + mine[t + 128]; //@ first
#if BUG == -1
    asm volatile("bar.sync 1, 128;" ::: "memory");
#elif BUG != 1
    __syncthreads();
#endif
    for (int step = 64; step; step /= 2) {
        if (t < step) {
            part[t] += part[t + step]; //@ add
#if BUG == 2
            __syncthreads(); //@ inside
#endif
        }
#if BUG != 2 && BUG != 3
        __syncthreads();
#endif
#if BUG == 3
        __syncwarp();
#endif
    }
#if BUG == 4
    if (t == 1) out[blockIdx.x] = part[t + 127]; //@ beyond
#endif
    if (t == 0) out[blockIdx.x] = part[0];
}
