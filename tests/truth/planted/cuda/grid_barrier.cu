// Smooths numbers in rounds, with a barrier of all blocks after each.
#if BUG == -2
#include <cuda/atomic>
#endif

struct Meeting {
    unsigned int count, round;
};

static __device__ __forceinline__ void meet(Meeting *meeting, unsigned int goal) {
#if BUG == -1
    __threadfence();
#endif
#if BUG != 1
    __syncthreads();
#endif
    if (threadIdx.x == 0) {
#if BUG == -2
        cuda::atomic_ref<unsigned int, cuda::thread_scope_device> count(meeting->count);
        count.fetch_add(1, cuda::memory_order_release);
        while (count.load(cuda::memory_order_acquire) < goal) {
        }
#elif BUG == -4
        const unsigned int round = *(volatile unsigned int *)&meeting->round;
        __threadfence();
        if (atomicAdd(&meeting->count, 1) == gridDim.x - 1) {
            meeting->count = 0;
            __threadfence();
            atomicAdd(&meeting->round, 1);
        } else {
            while (*(volatile unsigned int *)&meeting->round == round) {
            }
        }
        __threadfence();
#else
#if BUG != 2
        __threadfence();
#endif
        atomicAdd(&meeting->count, 1);  //@ arrive
#if BUG == 5
        while (meeting->count < goal) { //@ poll
        }
#elif BUG == -3
        unsigned int seen;
        do {
            asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(seen) : "l"(&meeting->count) : "memory");
        } while (seen < goal);
#else
        while (*(volatile unsigned int *)&meeting->count < goal) {
        }
#endif
#if BUG != 3 && BUG != -3
        __threadfence();
#endif
#endif
    }
    __syncthreads();
}

extern "C" __global__ void smooth(float *a, float *b, Meeting *meeting, int rounds) {
    const int n = gridDim.x * blockDim.x, i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int r = 1; r <= rounds; ++r) {
        const float *from = r % 2 ? a : b;
        float *to = r % 2 ? b : a;
        to[i] = (from[(i + n - 1) % n] + from[i] + from[(i + 1) % n]) / 3; //@ step
#if BUG == 4
        meet(meeting, gridDim.x); //@ meet
#else
        meet(meeting, gridDim.x * r);
#endif
    }
}
