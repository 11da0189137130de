// Transposes a matrix of 16-bit numbers by tiles of 16 x 16, one a warp, with ldmatrix.trans and stmatrix.
#include <cstdint>

#define AT(p) ((unsigned)__cvta_generic_to_shared(p))
#define LOAD(r, p)                                                                                                     \
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"                              \
                 : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])                                                      \
                 : "r"(AT(p))                                                                                          \
                 : "memory")
#define STORE(p, r)                                                                                                    \
    asm volatile("stmatrix.sync.aligned.m8n8.x4.shared.b16 [%0], {%1, %2, %3, %4};" ::"r"(AT(p)), "r"(r[0]),           \
                 "r"(r[1]), "r"(r[2]), "r"(r[3])                                                                       \
                 : "memory")

extern "C" __global__ void transpose(const uint4 *x, uint4 *out) {
    __shared__ alignas(16) uint16_t tile[4][16 * 24];
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const int over = warp % 2, down = warp / 2, r = lane / 2, c = lane % 2;
    uint16_t *mine = tile[warp];
#if BUG == 2 || BUG == -2
    uint16_t *to = tile[warp ^ 1];
#else
    uint16_t *to = mine;
#endif
    *(uint4 *)&mine[24 * r + 8 * c] = x[(16 * down + r) * 4 + 2 * over + c]; //@ fill
    __syncwarp();
    uint32_t part[4];
#if BUG == 3
    LOAD(part, &mine[24 * (lane % 16) + lane / 16 * 8 + over]); //@ shifted
#else
    LOAD(part, &mine[24 * (lane % 16) + lane / 16 * 8]); //@ load
#endif
#if BUG == -2
    __syncthreads();
#else
    __syncwarp();
#endif
#if BUG == 4
    STORE(&to[24 * (lane % 8) + lane / 16 * 8], part); //@ same rows
#else
    STORE(&to[24 * (lane % 8 + lane / 16 * 8) + lane / 8 % 2 * 8], part); //@ store
#endif
#if BUG == 2 || BUG == -2
    __syncthreads();
#elif BUG == -1
    asm volatile("bar.sync %0, 32;" ::"r"(1 + warp) : "memory");
#elif BUG != 1
    __syncwarp();
#endif
    out[(16 * over + r) * 4 + 2 * down + c] = *(uint4 *)&to[24 * r + 8 * c]; //@ read
}
