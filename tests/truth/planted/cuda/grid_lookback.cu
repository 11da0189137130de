// Sums of all numbers up to each one, by blocks that look back at the blocks before them.
#if BUG == -2
#include <cuda/atomic>

using Flag = cuda::atomic_ref<int, cuda::thread_scope_device>;
#endif

extern "C" __global__ void scan(const int *x, int *y, int *tickets, int *state, int *aggregate, int *prefix,
                                unsigned long long *packed) {
    __shared__ int part[64], tile, before;
    const int t = threadIdx.x;
#if BUG == -3
    if (t == 0) tile = blockIdx.x;
#else
    if (t == 0) tile = atomicAdd(tickets, 1); //@ draw
#endif
#if BUG != 4
    __syncthreads();
#endif
    const int mine = tile; //@ mine
    part[t] = x[mine * 64 + t];
    __syncthreads();
    for (int step = 1; step < 64; step *= 2) {
        const int value = t >= step ? part[t - step] : 0;
        __syncthreads();
        part[t] += value;
        __syncthreads();
    }
    if (t == 0) {
        const int all = part[63];
        int sum = 0;
#if BUG == -1
        volatile unsigned long long *cells = packed;
        cells[mine] = 1ull << 32 | (unsigned int)all;
        for (int p = mine - 1; p >= 0; --p) {
            unsigned long long cell;
            do {
                cell = cells[p];
            } while (cell >> 32 == 0);
            sum += (int)cell;
            if (cell >> 32 == 2) break;
        }
        cells[mine] = 2ull << 32 | (unsigned int)(sum + all);
#elif BUG == -2
        aggregate[mine] = all;
        Flag(state[mine]).store(1, cuda::memory_order_release);
        for (int p = mine - 1; p >= 0; --p) {
            int seen;
            while ((seen = Flag(state[p]).load(cuda::memory_order_acquire)) == 0) {
            }
            sum += seen == 2 ? prefix[p] : aggregate[p];
            if (seen == 2) break;
        }
        prefix[mine] = sum + all;
        Flag(state[mine]).store(2, cuda::memory_order_release);
#else
        volatile int *states = state;
        aggregate[mine] = all;
        __threadfence();
        states[mine] = 1;
        for (int p = mine - 1; p >= 0; --p) {
            int seen;
            while ((seen = states[p]) == 0) {
            }
#if BUG != 2
            __threadfence();
#endif
            if (seen == 2) {
                sum += prefix[p]; //@ look
                break;
            }
            sum += aggregate[p];
        }
#if BUG == 3
        states[mine] = 2;
        __threadfence();
        prefix[mine] = sum + all; //@ late
#else
        prefix[mine] = sum + all; //@ tell
#if BUG == 5
        __threadfence_block();
#elif BUG != 1
        __threadfence();
#endif
        states[mine] = 2;
#endif
#endif
        before = sum;
    }
    __syncthreads();
    y[mine * 64 + t] = part[t] + before;
}
