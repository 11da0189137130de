// run: -D N=8 --target sm_90a --grid 1 --block 32 --arg x=f32[1024]:arange --arg y=f32[128]
// run: -D N=7 --target sm_90a --grid 1 --block 32 --arg x=f32[896]:arange --arg y=f32[128]
//
//
#include <cstdint>
__device__ uint32_t at(const void *p) { return (uint32_t)__cvta_generic_to_shared(p); }
__device__ void copy(void *d, const void *s, uint64_t *b) {
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], 16, [%2];" :: "r"(at(d)), "l"(s), "r"(at(b)) : "memory");
    asm volatile("mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%0], 16;" :: "r"(at(b)) : "memory");
}
__device__ void meet(uint64_t *b) {
    asm volatile("{.reg .b64 t; .reg .pred p; mbarrier.arrive.shared.b64 t, [%0]; W: mbarrier.try_wait.parity.shared.b64 p, [%0], 0; @!p bra W;}" :: "r"(at(b)) : "memory");
}
__global__ void two_tiles(const float4 *x, float4 *y) {
    __shared__ float4 s[2][32 * N];
    __shared__ uint64_t full[2];
    int t = threadIdx.x;
    if (t < 2) asm volatile("mbarrier.init.shared.b64 [%0], 32;" :: "r"(at(&full[t])) : "memory");
    __syncthreads();
    for (int i = 0; i < N; i++) copy(&s[0][i * 32 + t], &x[i * 32 + t], &full[0]);
    for (int i = 0; i < N; i++) copy(&s[1][i * 32 + t], &x[i * 32 + t], &full[1]);
    meet(&full[0]);
    float4 a = s[0][32 * N - 1 - t];
    meet(&full[1]);
    for (int i = 0; i < N; i++) a.x += s[1][32 * N - 1 - i * 32 - t].x;
    y[t] = a;
}
