// Sums an array in one pass: the block that is last adds what all blocks have left.
#if BUG == -1
#include <cuda/atomic>
#endif

extern "C" __global__ void last_block(const float *x, float *partial, unsigned int *ticket, float *out, int n) {
    __shared__ float part[128];
    __shared__ bool last;
    const int t = threadIdx.x;
#if BUG == 5
    if (blockIdx.x == 0 && t == 0) *ticket = 0; //@ clear
#endif
    float sum = 0;
    for (int i = blockIdx.x * 128 + t; i < n; i += gridDim.x * 128) sum += x[i];
    part[t] = sum;
    __syncthreads();
    for (int step = 64; step; step /= 2) {
        if (t < step) part[t] += part[t + step];
        __syncthreads();
    }
#if BUG == -4
    if (t == 0) {
        partial[blockIdx.x] = part[0];
        __threadfence();
    }
    const bool mine = __syncthreads_or(t == 0 && atomicAdd(ticket, 1) == gridDim.x - 1);
#else
    if (t == 0) {
        partial[blockIdx.x] = part[0]; //@ leave
#if BUG != 1 && BUG != -1
        __threadfence();
#endif
#if BUG == -1
        cuda::atomic_ref<unsigned int, cuda::thread_scope_device> drawn(*ticket);
        last = drawn.fetch_add(1, cuda::memory_order_acq_rel) == gridDim.x - 1;
#elif BUG == 3
        const unsigned int drawn = *ticket; //@ draw_read
        *ticket = drawn + 1;                //@ draw_write
        last = drawn == gridDim.x - 1;
#elif BUG == -3
        last = atomicInc(ticket, gridDim.x - 1) == gridDim.x - 1;
#else
        last = atomicAdd(ticket, 1) == gridDim.x - 1; //@ draw
#endif
#if BUG == -2
        __threadfence();
#endif
    }
#if BUG != 4
    __syncthreads();
#endif
    const bool mine = last; //@ ask
#endif
    if (!mine) return;
#if BUG != 2 && BUG != -1 && BUG != -2
    __threadfence();
#endif
    part[t] = t < gridDim.x ? partial[t] : 0; //@ gather
    __syncthreads();
    if (t == 0) {
        float total = 0;
        for (int b = 0; b < gridDim.x; ++b) total += part[b];
        *out = total;
#if BUG == -5
        atomicExch(ticket, 0);
#else
        *ticket = 0;
#endif
    }
}
