// A product of 32 x 64 by 64 x 8 halves, by ldmatrix and mma.sync from padded tiles in shared memory.
#include <cstdint>

#define AT(p) ((unsigned)__cvta_generic_to_shared(p))
#define LOAD4(r, p)                                                                                                    \
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"                                    \
                 : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])                                                      \
                 : "r"(AT(p))                                                                                          \
                 : "memory")
#define LOAD2(r, p)                                                                                                    \
    asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0, %1}, [%2];"                                            \
                 : "=r"(r[0]), "=r"(r[1])                                                                              \
                 : "r"(AT(p))                                                                                          \
                 : "memory")
#define MULTIPLY(c, a, b)                                                                                              \
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "    \
                 "{%0, %1, %2, %3};"                                                                                   \
                 : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])                                                      \
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]))

#if BUG == 3
constexpr int pitch = 68;
#else
constexpr int pitch = 72;
#endif

extern "C" __global__ void multiply(const uint2 *x, const uint2 *y, float *out) {
    __shared__ alignas(16) uint16_t left[32 * pitch], right[16 * pitch];
    const int t = threadIdx.x, lane = t % 32, warp = t / 32;
    for (int i = t; i < 512; i += 64) *(uint2 *)&left[i / 16 * pitch + i % 16 * 4] = x[i];  //@ fill left
    for (int i = t; i < 128; i += 64) *(uint2 *)&right[i / 16 * pitch + i % 16 * 4] = y[i]; //@ fill right
#if BUG == 2
    __syncwarp();
#else
    __syncthreads();
#endif
    float sum[4] = {};
    for (int k = 0; k < 64; k += 16) {
        uint32_t a[4], b[4];
#if BUG == 1
        const int row = lane % 8 + lane / 16 * 8, column = k + lane / 8 % 2 * 8;
#elif BUG == -1
        const int row = lane % 16, column = k + (lane / 16 ^ 1) * 8;
#else
        const int row = lane % 16, column = k + lane / 16 * 8;
#endif
#if BUG == 4
        LOAD4(a, &left[(16 * warp + row) * 64 + column]); //@ packed
#else
        LOAD4(a, &left[(16 * warp + row) * pitch + column]); //@ load left
#endif
#if BUG == -1
        LOAD2(b, &right[lane % 8 * pitch + k + (lane / 8 % 2 ^ 1) * 8]);
#elif BUG == -4
        LOAD4(b, &right[(lane % 8 + lane / 16 * 8) * pitch + k + lane / 8 % 2 * 8]);
#elif BUG == 5
        LOAD4(b, &right[lane % 16 * pitch + k + lane / 16 * 8]); //@ load as left
#else
        LOAD2(b, &right[lane % 8 * pitch + k + lane / 8 % 2 * 8]); //@ load right
#endif
        MULTIPLY(sum, a, b); //@ multiply
    }
    float *to = out + (16 * warp + lane / 4) * 8 + lane % 4 * 2;
    to[0] = sum[0], to[1] = sum[1], to[64] = sum[2], to[65] = sum[3];
}
