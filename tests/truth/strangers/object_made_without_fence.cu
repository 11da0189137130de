// run: --target sm_90a --grid 1 --block 32 --arg x=f32[64]:arange --arg y=f32[32]
// run: --strict --target sm_90a --grid 1 --block 32 --arg x=f32[64]:arange --arg y=f32[32]
//
//
//
#include <cstdint>
__global__ void once(const float *x, float *y) {
    __shared__ alignas(16) float s[64];
    __shared__ uint64_t full;
    unsigned b = (unsigned)__cvta_generic_to_shared(&full), d = (unsigned)__cvta_generic_to_shared(s);
    if (threadIdx.x == 0) {
        asm volatile("mbarrier.init.shared.b64 [%0], 1;" :: "r"(b) : "memory");
        asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], 256;" :: "r"(b) : "memory");
        asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], 256, [%2];" :: "r"(d), "l"(x), "r"(b) : "memory");
    }
    __syncthreads();
    asm volatile("{.reg .pred p; W: mbarrier.try_wait.parity.shared.b64 p, [%0], 0; @!p bra W;}" :: "r"(b) : "memory");
    y[threadIdx.x] = s[63 - threadIdx.x];
}
