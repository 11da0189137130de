// Sums of the columns of a matrix: one thread fetches one row a round for the whole block, into one buffer.
#include <cstdint>

__device__ __forceinline__ unsigned at(const void *p) { return (unsigned)__cvta_generic_to_shared(p); }

__device__ __forceinline__ void wait(uint64_t *bar, unsigned parity) {
    asm volatile("{ .reg .pred p; W: mbarrier.try_wait.parity.shared.b64 p, [%0], %1; @!p bra W; }" ::"r"(at(bar)),
                 "r"(parity)
                 : "memory");
}

#define EXPECT(bar, bytes)                                                                                             \
    asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;" ::"r"(at(bar)), "r"(bytes) : "memory")
#define FETCH(to, from, bytes, bar)                                                                                    \
    asm volatile(                                                                                                      \
        "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(at(to)),       \
        "l"(from), "r"(bytes), "r"(at(bar))                                                                            \
        : "memory")

extern "C" __global__ void column_sums(const int *x, int *out, int rows, int width) {
    __shared__ alignas(128) int row[256];
    __shared__ uint64_t full;
    const int t = threadIdx.x;
    const unsigned bytes = sizeof(int) * width;
    if (t == 0) {
        asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"(at(&full)) : "memory");
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    }
    __syncthreads();
    int sum = 0;
#pragma unroll 1
    for (int i = 0; i < rows; ++i) {
        if (t == 0) {
            EXPECT(&full, bytes);
            FETCH(row, x + width * i, bytes, &full); //@ fetch
#if BUG == 1 || BUG == 2 || BUG == 3 || BUG == -2 || BUG == -3
            wait(&full, i & 1); //@ alone
#endif
        }
#if BUG == 4 || BUG == -4
        if (t < 32) wait(&full, i & 1); //@ warp
#elif BUG == 0 || BUG == 5 || BUG == -5
        wait(&full, i & 1); //@ wait
#endif
#if BUG == 2 || BUG == -2 || BUG == -3 || BUG == -4
        __syncthreads();
#endif
        sum += row[(t * 7) & 255]; //@ read
#if BUG == 1 || BUG == 4 || BUG == 0 || BUG == -2 || BUG == -4
        __syncthreads();
#elif BUG == -3
        asm volatile("barrier.sync 3, %0;" ::"r"(blockDim.x) : "memory");
#elif BUG == -5
        if (i + 1 < rows) __syncthreads();
#endif
    }
    out[t] = sum;
}
