// Divides numbers by the sum of all, which each block adds up from the sums of the blocks.
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

static __device__ __forceinline__ void everyone(unsigned int *count) {
    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence();
        atomicAdd(count, 1);
#if BUG == 3
        while (*(volatile unsigned int *)count == 0) {
        }
#else
        while (*(volatile unsigned int *)count < gridDim.x) {
        }
#endif
        __threadfence();
    }
    __syncthreads();
}

extern "C" __global__ void shares(const float *x, float *y, float *sums, unsigned int *count) {
    __shared__ float part[64];
    const int t = threadIdx.x, i = blockIdx.x * 64 + t;
    part[t] = x[i];
    __syncthreads();
    for (int step = 32; step; step /= 2) {
        if (t < step) part[t] += part[t + step];
        __syncthreads();
    }
#if BUG == 2
    if (t == 0) atomicAdd(&sums[0], part[0]); //@ atomic
#elif BUG == -2
    if (t == 0) atomicAdd(&sums[0], part[0]);
    cg::this_grid().sync();
#else
    if (t == 0) sums[blockIdx.x] = part[0]; //@ leave
#endif
#if BUG == 1
    cg::this_thread_block().sync();
#elif BUG == -1
    cg::this_grid().sync();
#elif BUG == 2 || BUG == -2
    __syncthreads();
#elif BUG == -3
    const auto grid = cg::this_grid();
    if (grid.is_valid()) {
        grid.sync();
    } else {
        everyone(count);
    }
#else
    everyone(count);
#endif
    float all = 0;
#if BUG == 2 || BUG == -2
    all = sums[0]; //@ total
#else
    for (int b = 0; b < gridDim.x; ++b) all += sums[b]; //@ gather
#endif
    y[i] = x[i] / all;
}
