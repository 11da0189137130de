// A product of 64 x 96 by 96 x 8 halves, one warpgroup, wgmma on tiles that ordinary stores fill.
#include <cstdint>

#define AT(p) ((unsigned)__cvta_generic_to_shared(p))
#define FENCE() asm volatile("wgmma.fence.sync.aligned;" ::: "memory")
#define COMMIT() asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory")
#define WAIT(n) asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(n) : "memory")
#define MULTIPLY(d, a, b)                                                                                              \
    asm volatile("wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%0, %1, %2, %3}, %4, %5, 1, 1, 1, 0, 0;"          \
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])                                                      \
                 : "l"(a), "l"(b)                                                                                      \
                 : "memory")

__device__ uint64_t descriptor(const void *tile) {
    return (uint64_t)(AT(tile) >> 4) | (uint64_t)(128 >> 4) << 16 | (uint64_t)(256 >> 4) << 32;
}

extern "C" __global__ void multiply(const uint4 *x, const uint4 *y, float *out, int steps) {
#if BUG == 4 || BUG == -4
    constexpr int stages = 1;
#else
    constexpr int stages = 2;
#endif
    __shared__ alignas(128) uint4 left[stages][128], right[stages][16];
    const int t = threadIdx.x, r = t / 2, c = t % 2;
    float d[4] = {};
    for (int i = 0; i < steps; ++i) {
        const int s = i % stages;
        left[s][r / 8 * 16 + c * 8 + r % 8] = x[r * 2 * steps + 2 * i + c]; //@ fill left
        if (t < 16) right[s][c * 8 + r] = y[r * 2 * steps + 2 * i + c];     //@ fill right
#if BUG == -1
        asm volatile("fence.proxy.async;" ::: "memory");
#elif BUG != 1
        asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
#endif
        __syncthreads();
#if BUG != 2
        FENCE();
#endif
        MULTIPLY(d, descriptor(left[s]), descriptor(right[s])); //@ product
#if BUG != 5
        COMMIT();
#endif
#if BUG == 3
        if (i + 1 < steps) WAIT(0);
#elif BUG == -3
        WAIT(1);
        __syncthreads();
#elif BUG == -5
        WAIT(1);
#elif BUG == -4
        WAIT(0);
        __syncthreads();
#elif BUG != 4
        WAIT(0);
#endif
#if BUG == 4
        if (i + 1 == steps) WAIT(0);
#endif
    }
#if BUG == -3 || BUG == -5
    WAIT(0);
#endif
    float *to = out + (t / 32 * 16 + t % 32 / 4) * 8 + t % 4 * 2;
    to[0] = d[0], to[1] = d[1];   //@ results
    to[64] = d[2], to[65] = d[3]; //@ more
#if BUG == 3
    WAIT(0);
#endif
}
