// run: --grid 1 --block 256 --arg x=f32[1024]:random(1) --arg y=f32[128] --arg tiles=8
// run: -D REMEDY --grid 1 --block 256 --arg x=f32[1024]:random(1) --arg y=f32[128] --arg tiles=8
// run: -D RIGHT --grid 1 --block 256 --arg x=f32[1024]:random(1) --arg y=f32[128] --arg tiles=8
//
//
#include <cstdint>
__device__ uint32_t at(void *p) { return (uint32_t)__cvta_generic_to_shared(p); }
__device__ void make(uint64_t *b, int n) { asm volatile("mbarrier.init.shared.b64 [%0], %1;" :: "r"(at(b)), "r"(n) : "memory"); }
__device__ void arrive(uint64_t *b) { asm volatile("{.reg .b64 t; mbarrier.arrive.shared.b64 t, [%0];}" :: "r"(at(b)) : "memory"); }
__device__ void wait(uint64_t *b, int parity) {
    asm volatile("{.reg .pred p; W: mbarrier.try_wait.parity.shared.b64 p, [%0], %1; @!p bra W;}" :: "r"(at(b)), "r"(parity) : "memory");
}
__global__ void stages(const float *x, float *y, int tiles) {
    __shared__ float tile[2][128];
    __shared__ uint64_t full[2], empty[2];
    if (threadIdx.x == 0) for (int s = 0; s < 2; s++) { make(&full[s], 128); make(&empty[s], 4); }
    __syncthreads();
    int t = threadIdx.x % 128;
    if (threadIdx.x < 128) {
        for (int i = 0; i < tiles; i++) {
            if (i >= 2) wait(&empty[i % 2], (i / 2 - 1) & 1);
            tile[i % 2][t] = x[i * 128 + t];
            arrive(&full[i % 2]);
        }
    } else {
        float sum = 0;
        for (int i = 0; i < tiles; i++) {
            wait(&full[i % 2], (i / 2) & 1);
            sum += tile[i % 2][127 - t];
#ifdef REMEDY
            __syncthreads();
#endif
#ifdef RIGHT
            __syncwarp();
#endif
            if (t % 32 == 0) arrive(&empty[i % 2]);
        }
        y[t] = sum;
    }
}
