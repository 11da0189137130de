// Largest elements of the columns of a matrix: one thread fetches rows in bulk, two at a time, for the whole block.
#include <cstdint>

__device__ __forceinline__ unsigned at(const void *p) { return (unsigned)__cvta_generic_to_shared(p); }

__device__ __forceinline__ void wait(uint64_t *bar, unsigned parity) {
    asm volatile("{ .reg .pred p; W: mbarrier.try_wait.parity.shared.b64 p, [%0], %1; @!p bra W; }" ::"r"(at(bar)),
                 "r"(parity)
                 : "memory");
}

#define EXPECT(bar, bytes)                                                                                             \
    asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;" ::"r"(at(bar)), "r"(bytes) : "memory")
#define MORE(bar, bytes)                                                                                               \
    asm volatile("mbarrier.expect_tx.relaxed.cta.shared.b64 [%0], %1;" ::"r"(at(bar)), "r"(bytes) : "memory")
#define FETCH(to, from, bytes, bar)                                                                                    \
    asm volatile(                                                                                                      \
        "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(at(to)),       \
        "l"(from), "r"(bytes), "r"(at(bar))                                                                            \
        : "memory")

extern "C" __global__ void column_maxima(const int *x, int *out, int rows, int width) {
    __shared__ alignas(128) int row[2][256];
    __shared__ uint64_t full[2];
    const int t = threadIdx.x;
    const unsigned bytes = sizeof(int) * width;
    if (t == 0) {
        for (int s = 0; s < 2; ++s) asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"(at(&full[s])) : "memory");
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    }
    __syncthreads();
    if (t == 0) {
        EXPECT(&full[0], bytes);
        FETCH(row[0], x, bytes, &full[0]); //@ first
    }
    int most = -1;
    for (int i = 0; i < rows; ++i) {
        const int s = i & 1, next = s ^ 1;
        if (t == 0 && i + 1 < rows) {
            const int *from = x + width * (i + 1);
#if BUG == 1
            EXPECT(&full[next], bytes / 2); //@ half
#elif BUG == 2
            EXPECT(&full[next], bytes + 16);                //@ more
#elif BUG == -1
            MORE(&full[next], bytes / 2);
            FETCH(row[next], from, bytes / 2, &full[next]);
            FETCH(row[next] + width / 2, from + width / 2, bytes / 2, &full[next]);
            EXPECT(&full[next], bytes / 2);
#elif BUG == -2
            FETCH(row[next], from, bytes, &full[next]);
            EXPECT(&full[next], bytes);
#else
            EXPECT(&full[next], bytes);
#endif
#if BUG == 4
            FETCH(row[next], from, bytes - 8, &full[next]); //@ ragged
#elif BUG == 5
            FETCH(row[next], from + 1, bytes, &full[next]); //@ odd
#elif BUG != -1 && BUG != -2
            FETCH(row[next], from, bytes, &full[next]); //@ fetch
#endif
        }
#if BUG == 3
        if (t == 0) wait(&full[s], (i >> 1) & 1);
#elif BUG == -3
        if (t == 0) wait(&full[s], (i >> 1) & 1);
        __syncthreads();
#elif BUG == 7
        wait(&full[s], ((i >> 1) & 1) ^ 1);             //@ other phase
#else
        wait(&full[s], (i >> 1) & 1); //@ wait
#endif
        most = max(most, row[s][width - 1 - t]); //@ read
#if BUG == -6
        asm volatile("barrier.sync 2, %0;" ::"r"(blockDim.x) : "memory");
#elif BUG != 6
        __syncthreads();
#endif
    }
    out[t] = most;
}
