// Blocks add their sum and their greatest number to two totals, which a lock guards.
#if BUG == -1
#include <cuda/atomic>

using Lock = cuda::atomic_ref<int, cuda::thread_scope_device>;
#endif

extern "C" __global__ void totals(const int *x, int *total, int *lock) {
    __shared__ int part[64], high[64];
    const int t = threadIdx.x;
    part[t] = high[t] = x[blockIdx.x * 64 + t];
    __syncthreads();
    for (int step = 32; step; step /= 2) {
        if (t < step) {
            part[t] += part[t + step];
            high[t] = max(high[t], high[t + step]);
        }
        __syncthreads();
    }
#if BUG == 5
    if (t < 2) {
        while (atomicCAS(lock, 0, 1) != 0) {
        }
        __threadfence();
        total[t] = t ? max(total[t], high[0]) : total[t] + part[0];
        __syncwarp(3); //@ inside
        __threadfence();
        atomicExch(lock, 0);
    }
#elif BUG == -5
    if (t < 2) {
        for (bool done = false; !done;) {
            if (atomicCAS(lock, 0, 1) == 0) {
                __threadfence();
                total[t] = t ? max(total[t], high[0]) : total[t] + part[0];
                __threadfence();
                atomicExch(lock, 0);
                done = true;
            }
        }
    }
#elif BUG == -4
    if (t == 0) {
        while (atomicCAS(lock, 0, 1) != 0) {
        }
        __threadfence();
        total[0] += part[0];
        __threadfence();
        atomicExch(lock, 0);
        while (atomicCAS(lock + 1, 0, 1) != 0) {
        }
        __threadfence();
        total[1] = max(total[1], high[0]);
        __threadfence();
        atomicExch(lock + 1, 0);
    }
#elif BUG == -1
    if (t == 0) {
        int none = 0;
        while (!Lock(*lock).compare_exchange_weak(none, 1, cuda::memory_order_acquire)) none = 0;
        total[0] += part[0];
        total[1] = max(total[1], high[0]);
        Lock(*lock).store(0, cuda::memory_order_release);
    }
#elif BUG == -2
    if (t == 0) {
        int taken;
        do {
            asm volatile("atom.acquire.gpu.global.cas.b32 %0, [%1], 0, 1;" : "=r"(taken) : "l"(lock) : "memory");
        } while (taken);
        total[0] += part[0];
        total[1] = max(total[1], high[0]);
        asm volatile("st.release.gpu.global.b32 [%0], 0;" ::"l"(lock) : "memory");
    }
#else
    if (t == 0) {
#if BUG == 4
        int *mine = lock + blockIdx.x % 2;
#else
        int *mine = lock;
#endif
        while (atomicCAS(mine, 0, 1) != 0) { //@ take
        }
#if BUG != 2
        __threadfence();
#endif
        total[0] += part[0];               //@ sum
        total[1] = max(total[1], high[0]); //@ high
#if BUG != 1
        __threadfence();
#endif
#if BUG == 3
        *mine = 0; //@ release
#elif BUG == -3
        *(volatile int *)mine = 0;
#else
        atomicExch(mine, 0);
#endif
    }
#endif
}
