// Adds up partial sums of the blocks of a cluster in block 0, which they reach by st.async.
#include <cstdint>

#define AT(p) ((unsigned)__cvta_generic_to_shared(p))

__device__ __forceinline__ unsigned of_block(unsigned address, int rank) {
    unsigned there;
    asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(there) : "r"(address), "r"(rank));
    return there;
}

#define MEET()                                                                                                         \
    asm volatile("barrier.cluster.arrive.release.aligned; barrier.cluster.wait.acquire.aligned;" ::: "memory")
#define SEND(to, value, bar)                                                                                           \
    asm volatile("st.async.shared::cluster.mbarrier::complete_tx::bytes.u32 [%0], %1, [%2];" ::"r"(to), "r"(value),    \
                 "r"(bar)                                                                                              \
                 : "memory")
#define INIT(bar) asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"(AT(bar)) : "memory")
#define EXPECT(bar, bytes)                                                                                             \
    asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;" ::"r"(AT(bar)), "r"(bytes) : "memory")
#define MORE(bar, bytes)                                                                                               \
    asm volatile("mbarrier.expect_tx.relaxed.cta.shared.b64 [%0], %1;" ::"r"(AT(bar)), "r"(bytes) : "memory")
#define WAIT(bar, parity)                                                                                              \
    asm volatile(                                                                                                      \
        "{ .reg .pred p; W: mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 p, [%0], %1; @!p bra W; }" ::"r"( \
            AT(bar)),                                                                                                  \
        "r"(parity)                                                                                                    \
        : "memory")

extern "C" __global__ void add_all(const int *x, int *out, int rounds) {
    __shared__ int parts[2][4][32];
    __shared__ uint64_t ready[2];
    const int t = threadIdx.x;
    int rank;
    asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
#if BUG == 2
    const int bytes = 3 * 128;
#else
    const int bytes = 4 * 128;
#endif
    if (rank == 0 && t == 0) {
        for (int s = 0; s < 2; ++s) {
            INIT(&ready[s]);
#if BUG != -2
            EXPECT(&ready[s], bytes); //@ expect
#endif
        }
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    }
#if BUG == 1
    __syncthreads();
#else
    MEET();
#endif
#if BUG == -2
    if (rank == 0 && t < 2) {
        MORE(&ready[t], bytes / 2);
        EXPECT(&ready[t], bytes / 2);
    }
#endif
    int sum = 0;
    for (int i = 0; i < rounds; ++i) {
        const int s = i % 2;
        const int value = x[(rounds * rank + i) * 32 + t];
#if BUG == -3
        asm volatile("st.shared::cluster.u32 [%0], %1;" ::"r"(of_block(AT(&parts[s][rank][t]), 0)), "r"(value)
                     : "memory");
        MEET();
#elif BUG == 3
        SEND(of_block(AT(&parts[s][rank][t]), 0), value, of_block(AT(&ready[s]), 0)); //@ unwaited
        MEET();
#else
        SEND(of_block(AT(&parts[s][rank][t]), 0), value, of_block(AT(&ready[s]), 0)); //@ send
#endif
        if (rank == 0) {
#if BUG != 3 && BUG != -3
#if BUG == 5
            WAIT(&ready[s], 0); //@ first phase
#else
            WAIT(&ready[s], i / 2 & 1); //@ wait
#endif
#endif
            for (int k = 0; k < 4; ++k) sum += parts[s][k][31 - t]; //@ read
            __syncwarp();
#if BUG != 3 && BUG != -3
            if (t == 0 && i + 2 < rounds) EXPECT(&ready[s], bytes); //@ expect again
#endif
        }
#if BUG == 4
        __syncthreads();
#else
        MEET();
#endif
    }
    if (rank == 0) out[t] = sum;
}
