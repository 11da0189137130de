// Counts how often each remainder occurs: in shared memory first, then for the whole grid.
extern "C" __global__ void histogram(const int *x, int *bins, int *rows, int *flag, int n) {
    __shared__ int local[16];
    const int t = threadIdx.x;
#if BUG == 3
    if (blockIdx.x == 0 && t < 16) bins[t] = 0; //@ clear
#endif
#if BUG == -3
    if (blockIdx.x == 0) {
        if (t < 16) bins[t] = 0;
        __syncthreads();
        if (t == 0) {
            __threadfence();
            atomicExch(flag, 1);
        }
    } else {
        if (t == 0) {
            while (atomicAdd(flag, 0) == 0) {
            }
            __threadfence();
        }
    }
#endif
    if (t < 16) local[t] = 0; //@ zero
#if BUG != 5
    __syncthreads();
#endif
    for (int i = blockIdx.x * 64 + t; i < n; i += gridDim.x * 64) {
#if BUG == 2
        local[x[i] % 16]++; //@ count
#elif BUG == -2
        const unsigned int same = __match_any_sync(__activemask(), x[i] % 16);
        if (t % 32 == __ffs(same) - 1) atomicAdd(&local[x[i] % 16], __popc(same));
#else
        atomicAdd(&local[x[i] % 16], 1); //@ add
#endif
    }
#if BUG == 6
    __syncwarp();
#elif BUG == -6
    asm volatile("barrier.sync 3, 64;" ::: "memory");
#else
    __syncthreads();
#endif
    if (t < 16) {
#if BUG == 1
        bins[t] += local[t]; //@ plain
#elif BUG == -1
        asm volatile("red.relaxed.gpu.global.add.s32 [%0], %1;" ::"l"(bins + t), "r"(local[t]) : "memory");
#elif BUG == 4
        atomicAdd_block(&bins[t], local[t]); //@ block
#elif BUG == -4
        atomicAdd_block(&rows[blockIdx.x * 16 + t], local[t]);
        atomicAdd(&bins[t], rows[blockIdx.x * 16 + t]);
#else
        atomicAdd(&bins[t], local[t]); //@ merge
#endif
    }
}
