// Block 0 leaves numbers for the other blocks, which wait for a flag.
#include <cuda/atomic>

extern "C" __global__ void pass_on(const int *x, int *message, int *flag, int *out) {
    const int t = threadIdx.x;
#if BUG == 1
    cuda::atomic_ref<int, cuda::thread_scope_block> sign(*flag);
#elif BUG == -1
    cuda::atomic_ref<int, cuda::thread_scope_system> sign(*flag);
#else
    cuda::atomic_ref<int, cuda::thread_scope_device> sign(*flag);
#endif
    if (blockIdx.x == 0) {
        message[t] = 2 * x[t]; //@ write
#if BUG == -4
        sign.fetch_add(1, cuda::memory_order_release);
#else
#if BUG != 4
        __syncthreads();
#endif
        if (t == 0) {
#if BUG == 2
            sign.store(1, cuda::memory_order_relaxed);
#elif BUG == -2
            cuda::atomic_thread_fence(cuda::memory_order_release, cuda::thread_scope_device);
            sign.store(1, cuda::memory_order_relaxed);
#elif BUG == 6
            cuda::atomic_thread_fence(cuda::memory_order_release, cuda::thread_scope_block);
            sign.store(1, cuda::memory_order_relaxed);
#elif BUG == 5
            __threadfence();
            *flag = 1; //@ set
#elif BUG == -5
            __threadfence();
            *(volatile int *)flag = 1;
#else
            sign.store(1, cuda::memory_order_release);
#endif
        }
#endif
        return;
    }
    if (t == 0) {
#if BUG == 3
        while (sign.load(cuda::memory_order_relaxed) == 0) {
        }
#elif BUG == -3
        while (sign.load(cuda::memory_order_relaxed) == 0) {
        }
        cuda::atomic_thread_fence(cuda::memory_order_acquire, cuda::thread_scope_device);
#elif BUG == -4
        while (sign.load(cuda::memory_order_acquire) < 64) {
        }
#elif BUG == 5 || BUG == -5
        while (*(volatile int *)flag == 0) { //@ poll
        }
        __threadfence();
#else
        while (sign.load(cuda::memory_order_acquire) == 0) {
        }
#endif
    }
    __syncthreads();
    out[(blockIdx.x - 1) * 64 + t] = message[63 - t]; //@ read
}
