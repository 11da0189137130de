// Gathers rows of 16 bytes by index: each thread of the block fetches several of them in bulk, for two tiles.
#include <cstdint>

#define AT(p) ((unsigned)__cvta_generic_to_shared(p))
#define FETCH(to, from, bar)                                                                                           \
    asm volatile(                                                                                                      \
        "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], 16, [%2];" ::"r"(AT(to)),       \
        "l"(from), "r"(AT(bar))                                                                                        \
        : "memory")
#define EXPECT(bar, bytes)                                                                                             \
    asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;" ::"r"(AT(bar)), "r"(bytes) : "memory")
#define WAIT(bar)                                                                                                      \
    asm volatile("{ .reg .pred p; W: mbarrier.try_wait.parity.shared.b64 p, [%0], 0; @!p bra W; }" ::"r"(AT(bar))      \
                 : "memory")

extern "C" __global__ void gather(float4 *table, const int *index, float4 *out) {
#if BUG == 3 || BUG == -3
    constexpr int each = 5;
#else
    constexpr int each = 2;
#endif
    __shared__ alignas(16) float4 tile[2][128 * each];
    __shared__ uint64_t full[2];
    const int t = threadIdx.x;
    if (t < 2) asm volatile("mbarrier.init.shared.b64 [%0], 128;" ::"r"(AT(&full[t])) : "memory");
    __syncthreads();
    for (int s = 0; s < 2; ++s) {
        EXPECT(&full[s], 16 * each);
        for (int k = 0; k < each; ++k) {
            const int i = 128 * k + t;
            FETCH(&tile[s][i], &table[index[(2 * i + s) % 512]], &full[s]); //@ fetch
        }
    }
#if BUG == 1
    table[index[511 - t]] = make_float4(-1, -1, -1, -1); //@ used up
#endif
    WAIT(&full[0]);
    float4 sum = {};
    for (int k = 0; k < 2; ++k) {
        const float4 v = tile[0][255 - 128 * k - t]; //@ even
        sum.x += v.x, sum.y += v.y, sum.z += v.z, sum.w += v.w;
    }
#if BUG != 2 && BUG != 3
    WAIT(&full[1]);
#endif
    for (int k = 0; k < 2; ++k) {
        const float4 v = tile[1][255 - 128 * k - t]; //@ odd
        sum.x += v.x, sum.y += v.y, sum.z += v.z, sum.w += v.w;
    }
#if BUG == 2 || BUG == 3
    WAIT(&full[1]);
#endif
#if BUG == -1
    __syncthreads();
    table[index[511 - t]] = make_float4(-1, -1, -1, -1);
#endif
    out[t] = sum;
}
