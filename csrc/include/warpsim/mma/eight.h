/* Eight numbers side by side, at each level of vector instructions: the results of one row.
 *
 * Plain C where there are no instructions; two vectors of four with SSE2; one of eight with AVX2 and above. This file
 * knows nothing about products. */
#ifndef WARPSIM_MMA_EIGHT_H
#define WARPSIM_MMA_EIGHT_H

#include "../simd/level.h"
#include <stdint.h>

typedef struct ws_floats_portable {
    float at[8];
} ws_floats_portable;

typedef struct ws_ints_portable {
    int32_t at[8];
} ws_ints_portable;

/* The sum of the products of two pairs of signed 16-bit integers. */
static inline int32_t ws_pair_product(uint32_t x, uint32_t y) {
    const int32_t low = (int32_t)((x & 0xffff) ^ 0x8000) - 0x8000, high = (int32_t)(x >> 16 ^ 0x8000) - 0x8000;
    return low * ((int32_t)((y & 0xffff) ^ 0x8000) - 0x8000) + high * ((int32_t)(y >> 16 ^ 0x8000) - 0x8000);
}

static inline void ws_ints_store_portable(int32_t *to, ws_ints_portable x) {
    int i;
    for (i = 0; i < 8; i++) to[i] = x.at[i];
}

#define WS_EIGHT_FUNCTION(type, name, parameters, expression)                                                          \
    static inline type name(parameters) {                                                                              \
        type result = {{0}};                                                                                           \
        int i;                                                                                                         \
        for (i = 0; i < 8; i++) result.at[i] = expression;                                                             \
        return result;                                                                                                 \
    }
#define WS_EIGHT_TWO(type) type x, type y
WS_EIGHT_FUNCTION(ws_floats_portable, ws_floats_at_portable, const float *from, from[i])
WS_EIGHT_FUNCTION(ws_floats_portable, ws_floats_of_portable, float x, x)
WS_EIGHT_FUNCTION(ws_floats_portable, ws_floats_product_portable, WS_EIGHT_TWO(ws_floats_portable), x.at[i] * y.at[i])
WS_EIGHT_FUNCTION(ws_ints_portable, ws_ints_at_portable, const int32_t *from, from[i])
WS_EIGHT_FUNCTION(ws_ints_portable, ws_ints_of_portable, int32_t x, x)
WS_EIGHT_FUNCTION(ws_ints_portable, ws_ints_sum_portable, WS_EIGHT_TWO(ws_ints_portable), x.at[i] + y.at[i])
WS_EIGHT_FUNCTION(ws_ints_portable, ws_ints_max_portable, WS_EIGHT_TWO(ws_ints_portable),
                  x.at[i] > y.at[i] ? x.at[i] : y.at[i])
WS_EIGHT_FUNCTION(ws_ints_portable, ws_ints_pairs_portable, WS_EIGHT_TWO(ws_ints_portable),
                  ws_pair_product((uint32_t)x.at[i], (uint32_t)y.at[i]))
WS_EIGHT_FUNCTION(ws_ints_portable, ws_ints_cut_portable, ws_floats_portable x, (int32_t)x.at[i]) /* toward zero */
#undef WS_EIGHT_FUNCTION
#undef WS_EIGHT_TWO

#if WS_HAS_X86
typedef struct ws_floats_sse2 {
    __m128 low, high;
} ws_floats_sse2;

typedef struct ws_ints_sse2 {
    __m128i low, high;
} ws_ints_sse2;

/* clang-format off */
#define WS_EIGHT_SSE2(type, name, parameters, low_expression, high_expression)                                         \
    WS_ON_SSE2 type name(parameters) {                                                                                 \
        type result;                                                                                                   \
        result.low = low_expression;                                                                                   \
        result.high = high_expression;                                                                                 \
        return result;                                                                                                 \
    }
#define WS_EIGHT_TWO(type) type x, type y
WS_EIGHT_SSE2(ws_floats_sse2, ws_floats_at_sse2, const float *from, _mm_loadu_ps(from),
              _mm_loadu_ps(from + 4))
WS_EIGHT_SSE2(ws_floats_sse2, ws_floats_of_sse2, float x, _mm_set1_ps(x),
              _mm_set1_ps(x))
WS_EIGHT_SSE2(ws_floats_sse2, ws_floats_product_sse2, WS_EIGHT_TWO(ws_floats_sse2), _mm_mul_ps(x.low, y.low),
              _mm_mul_ps(x.high, y.high))
WS_EIGHT_SSE2(ws_ints_sse2, ws_ints_at_sse2, const int32_t *from, _mm_loadu_si128((const __m128i *)(const void *)from),
              _mm_loadu_si128((const __m128i *)(const void *)(from + 4)))
WS_EIGHT_SSE2(ws_ints_sse2, ws_ints_of_sse2, int32_t x, _mm_set1_epi32(x),
              _mm_set1_epi32(x))
WS_EIGHT_SSE2(ws_ints_sse2, ws_ints_sum_sse2, WS_EIGHT_TWO(ws_ints_sse2), _mm_add_epi32(x.low, y.low),
              _mm_add_epi32(x.high, y.high))
WS_EIGHT_SSE2(ws_ints_sse2, ws_ints_pairs_sse2, WS_EIGHT_TWO(ws_ints_sse2), _mm_madd_epi16(x.low, y.low),
              _mm_madd_epi16(x.high, y.high))
WS_EIGHT_SSE2(ws_ints_sse2, ws_ints_cut_sse2, ws_floats_sse2 x, _mm_cvttps_epi32(x.low),
              _mm_cvttps_epi32(x.high))
#undef WS_EIGHT_SSE2
#undef WS_EIGHT_TWO

WS_ON_SSE2 __m128i ws_max4_sse2(__m128i x, __m128i y) {
    const __m128i greater = _mm_cmpgt_epi32(x, y);
    return _mm_or_si128(_mm_and_si128(greater, x), _mm_andnot_si128(greater, y));
}

WS_ON_SSE2 ws_ints_sse2 ws_ints_max_sse2(ws_ints_sse2 x, ws_ints_sse2 y) {
    ws_ints_sse2 result;
    result.low = ws_max4_sse2(x.low, y.low);
    result.high = ws_max4_sse2(x.high, y.high);
    return result;
}

WS_ON_SSE2 void ws_ints_store_sse2(int32_t *to, ws_ints_sse2 x) {
    _mm_storeu_si128((__m128i *)(void *)to, x.low);
    _mm_storeu_si128((__m128i *)(void *)(to + 4), x.high);
}

typedef __m256 ws_floats_avx2;
typedef __m256i ws_ints_avx2;
WS_ON_AVX2 __m256 ws_floats_at_avx2(const float *from) { return _mm256_loadu_ps(from); }
WS_ON_AVX2 __m256 ws_floats_of_avx2(float x) { return _mm256_set1_ps(x); }
WS_ON_AVX2 __m256 ws_floats_product_avx2(__m256 x, __m256 y) { return _mm256_mul_ps(x, y); }
WS_ON_AVX2 __m256i ws_ints_at_avx2(const int32_t *from) { return _mm256_loadu_si256((const __m256i *)(const void *)from); }
WS_ON_AVX2 __m256i ws_ints_of_avx2(int32_t x) { return _mm256_set1_epi32(x); }
WS_ON_AVX2 __m256i ws_ints_sum_avx2(__m256i x, __m256i y) { return _mm256_add_epi32(x, y); }
WS_ON_AVX2 __m256i ws_ints_max_avx2(__m256i x, __m256i y) { return _mm256_max_epi32(x, y); }
WS_ON_AVX2 __m256i ws_ints_pairs_avx2(__m256i x, __m256i y) { return _mm256_madd_epi16(x, y); }
WS_ON_AVX2 __m256i ws_ints_cut_avx2(__m256 x) { return _mm256_cvttps_epi32(x); }
WS_ON_AVX2 void ws_ints_store_avx2(int32_t *to, __m256i x) { _mm256_storeu_si256((__m256i *)(void *)to, x); }
/* clang-format on */
#endif

#endif
