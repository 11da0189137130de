/* What the C rows are held against. A translation unit of its own, so that the loops of native.c
 * cannot be merged with it or hoisted out of it. */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* n warps of 512 bytes out of an image of `nbytes`, in pieces as long as the image allows. */
void peer_memcpy(const uint8_t *image, size_t nbytes, size_t n, uint8_t *out) {
    size_t left = n * 512;
    while (left > 0) {
        const size_t piece = left < nbytes ? left : nbytes;
        memcpy(out, image, piece);
        out += piece;
        left -= piece;
    }
}

/* The gather that any ldmatrix.x4 contains: 32 rows of 16 bytes, in the order given, unchecked. */
void peer_gather(const uint8_t *image, const uint32_t *address, size_t n, uint8_t *out) {
    size_t warp;
    int lane;
    for (warp = 0; warp < n; warp++) {
        for (lane = 0; lane < 32; lane++) memcpy(out + 16 * lane, image + address[lane], 16);
        address += 32;
        out += 512;
    }
}

/* The least that counting can do: look at every address. */
uint32_t peer_sum(const uint32_t *address, size_t n) {
    uint32_t sum = 0;
    size_t i;
    for (i = 0; i < 32 * n; i++) sum += address[i];
    return sum;
}

/* m16n8k16 of f16 to f32 by FMA, without the hardware's rounding: arrays of [n][32][registers]. */
typedef float eight __attribute__((vector_size(32)));

static inline float as_float(uint32_t bits) {
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

#define PEER_FMA(name, level)                                                                                          \
    level static void name(const uint32_t *a, const uint32_t *b, const float *c, float *d) {                           \
        uint32_t words[2][128];                                                                                        \
        float x[16][16], y[16][8];                                                                                     \
        eight sum[16];                                                                                                 \
        int lane, r, i, k;                                                                                             \
        for (lane = 0; lane < 32; lane++) {                                                                            \
            const int g = lane >> 2, t = lane & 3;                                                                     \
            for (r = 0; r < 4; r++) words[0][16 * (t + 4 * (r >> 1)) + g + 8 * (r & 1)] = a[4 * lane + r];             \
            for (r = 0; r < 2; r++) words[1][8 * (t + 4 * r) + g] = b[2 * lane + r];                                   \
            for (r = 0; r < 4; r++) sum[g + 8 * (r >> 1)][2 * t + (r & 1)] = c[4 * lane + r];                          \
        }                                                                                                              \
        for (k = 0; k < 2; k++) {                                                                                      \
            float *to = x[8 * k], *then = y[8 * k];                                                                    \
            for (i = 0; i < 128; i++) {                                                                                \
                const uint32_t half = words[0][i] >> 16 * k;                                                           \
                to[i] =                                                                                                \
                    as_float((half & 0x7fff) << 13 | (half & 0x8000) << 16) * 5192296858534827628530496329220096.0f;   \
            }                                                                                                          \
            for (i = 0; i < 64; i++) {                                                                                 \
                const uint32_t half = words[1][i] >> 16 * k;                                                           \
                then[i] =                                                                                              \
                    as_float((half & 0x7fff) << 13 | (half & 0x8000) << 16) * 5192296858534827628530496329220096.0f;   \
            }                                                                                                          \
        }                                                                                                              \
        for (i = 0; i < 16; i += 4) {                                                                                  \
            eight one = sum[i], two = sum[i + 1], three = sum[i + 2], four = sum[i + 3];                               \
            for (k = 0; k < 16; k++) {                                                                                 \
                eight column;                                                                                          \
                memcpy(&column, y[k], sizeof column);                                                                  \
                one += x[k][i] * column;                                                                               \
                two += x[k][i + 1] * column;                                                                           \
                three += x[k][i + 2] * column;                                                                         \
                four += x[k][i + 3] * column;                                                                          \
            }                                                                                                          \
            sum[i] = one;                                                                                              \
            sum[i + 1] = two;                                                                                          \
            sum[i + 2] = three;                                                                                        \
            sum[i + 3] = four;                                                                                         \
        }                                                                                                              \
        for (lane = 0; lane < 32; lane++) {                                                                            \
            for (r = 0; r < 4; r++) d[4 * lane + r] = sum[(lane >> 2) + 8 * (r >> 1)][2 * (lane & 3) + (r & 1)];       \
        }                                                                                                              \
    }

PEER_FMA(fma_portable, )
#if defined(__x86_64__)
PEER_FMA(fma_avx2, __attribute__((target("avx2,fma"))))
PEER_FMA(fma_avx512, __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,avx2,fma"))))
#endif

/* `wide`: 0, 1 (AVX2) or 2 (AVX-512). */
void peer_fma(const uint32_t *a, const uint32_t *b, const uint32_t *c, size_t n, uint32_t *d, int wide) {
    void (*product)(const uint32_t *, const uint32_t *, const float *, float *) = fma_portable;
#if defined(__x86_64__)
    if (wide > 0) product = wide > 1 ? fma_avx512 : fma_avx2;
#endif
    for (; n > 0; n--, a += 128, b += 64, c += 128, d += 128)
        product(a, b, (const float *)(const void *)c, (float *)(void *)d);
}

/* n operations on rows of 32 registers, as an interpreter of warps keeps them; with -O3 alone, so without a fused fma. */
#define PEER_ROWS(name, type, expression)                                                                              \
    static void name(type *rows, size_t n) {                                                                           \
        size_t i;                                                                                                      \
        int lane;                                                                                                      \
        for (i = 0; i < n; i++) {                                                                                      \
            type *restrict d = rows + 32 * (i % 8);                                                                    \
            const type *x = rows + 32 * (8 + i % 4), *y = rows + 32 * (12 + i % 4);                                    \
            for (lane = 0; lane < 32; lane++) {                                                                        \
                const type a = x[lane], b = y[lane];                                                                   \
                d[lane] = expression;                                                                                  \
            }                                                                                                          \
            __asm__ volatile("" ::: "memory");                                                                         \
        }                                                                                                              \
    }
PEER_ROWS(add_u32, uint32_t, a + b)
PEER_ROWS(mul_u32, uint32_t, a *b)
PEER_ROWS(and_b32, uint32_t, a &b)
PEER_ROWS(shl_b32, uint32_t, (b & 0) | a << 3)
PEER_ROWS(add_f32, float, a + b)
PEER_ROWS(fma_f32, float, a *b + a)
PEER_ROWS(add_u64, uint64_t, a + b)
PEER_ROWS(and_b64, uint64_t, a &b)
PEER_ROWS(add_f64, double, a + b)
PEER_ROWS(fma_f64, double, a *b + a)

void peer_rows(void *rows, size_t n, int what) {
    switch (what) {
        case 0: add_u32(rows, n); break;
        case 1: mul_u32(rows, n); break;
        case 2: and_b32(rows, n); break;
        case 3: shl_b32(rows, n); break;
        case 4: add_f32(rows, n); break;
        case 5: fma_f32(rows, n); break;
        case 6: add_u64(rows, n); break;
        case 7: and_b64(rows, n); break;
        case 8: add_f64(rows, n); break;
        default: fma_f64(rows, n); break;
    }
}
