/* Are the addresses of many warps aligned and in bounds? One OR and one subtraction per address, one branch per warp.
 *
 * This file knows nothing about instructions. */
#ifndef WARPSIM_SIMD_FIT_H
#define WARPSIM_SIMD_FIT_H

#include <stddef.h>
#include <stdint.h>

#include "level.h"

typedef struct ws_bounds {
    uint32_t base;  /* the lowest address */
    uint32_t limit; /* the largest address minus base; below 2^31 */
    uint32_t align; /* a power of two minus one; base is a multiple of that power */
} ws_bounds;

/* Where an address is out of bounds, limit - offset is negative, or the offset itself is (2^31 or more). */
static inline bool ws_fit_portable(const ws_bounds *bounds, const uint32_t *address, int lanes) {
    uint32_t all = 0, beyond = 0;
    int lane;
    for (lane = 0; lane < lanes; lane++) {
        const uint32_t offset = address[lane] - bounds->base;
        all |= offset;
        beyond |= bounds->limit - offset;
    }
    return ((all & bounds->align) | ((all | beyond) >> 31)) == 0;
}

#if WS_HAS_X86
enum { WS_FIT_AGAIN = 64 /* warps after which it is tried again whether rows lie near each other */ };

WS_ON_SSE2 uint32_t ws_fit_bits_sse2(__m128i x) {
    x = _mm_or_si128(x, _mm_unpackhi_epi64(x, x));
    return (uint32_t)_mm_cvtsi128_si32(x) | (uint32_t)_mm_cvtsi128_si32(_mm_srli_epi64(x, 32));
}

/* Are the bits of all offsets together an offset that fits? Then each is: so it is of rows that lie near each other. */
WS_ON_SSE2 bool ws_fit_near_sse2(const ws_bounds *bounds, const uint32_t *address, int lanes, bool from_0) {
    const __m128i base = _mm_set1_epi32((int)bounds->base);
    __m128i all = _mm_setzero_si128();
    uint32_t bits;
    int lane;
    WS_UNROLL
    for (lane = 0; lane < lanes; lane += 4) {
        const __m128i x = _mm_loadu_si128((const __m128i *)(const void *)(address + lane));
        all = _mm_or_si128(all, from_0 ? x : _mm_sub_epi32(x, base));
    }
    bits = ws_fit_bits_sse2(all);
    return bits <= bounds->limit && (bits & bounds->align) == 0;
}

WS_ON_SSE2 bool ws_fit_sse2(const ws_bounds *bounds, const uint32_t *address, int lanes, bool from_0) {
    const __m128i base = _mm_set1_epi32((int)bounds->base), top = _mm_set1_epi32((int)(bounds->base + bounds->limit));
    const __m128i align = _mm_set1_epi32((int)bounds->align);
    __m128i all = _mm_setzero_si128(), beyond = _mm_setzero_si128();
    int lane;
    WS_UNROLL
    for (lane = 0; lane < lanes; lane += 4) {
        const __m128i x = _mm_loadu_si128((const __m128i *)(const void *)(address + lane));
        all = _mm_or_si128(all, x);
        beyond = _mm_or_si128(beyond, _mm_sub_epi32(top, x));
        if (!from_0) beyond = _mm_or_si128(beyond, _mm_sub_epi32(x, base));
    }
    if (from_0) beyond = _mm_or_si128(beyond, all);
    all = _mm_or_si128(_mm_and_si128(all, align), _mm_srli_epi32(beyond, 31));
    return _mm_movemask_epi8(_mm_cmpeq_epi32(all, _mm_setzero_si128())) == 0xffff;
}

WS_ON_AVX2 bool ws_fit_avx2(const ws_bounds *bounds, const uint32_t *address, int lanes) {
    const __m256i base = _mm256_set1_epi32((int)bounds->base), align = _mm256_set1_epi32((int)bounds->align);
    __m256i all = _mm256_setzero_si256(), most = _mm256_setzero_si256();
    int lane;
    WS_UNROLL
    for (lane = 0; lane < lanes; lane += 8) {
        const __m256i offset =
            _mm256_sub_epi32(_mm256_loadu_si256((const __m256i *)(const void *)(address + lane)), base);
        all = _mm256_or_si256(all, offset);
        most = _mm256_max_epu32(most, offset);
    }
    most = _mm256_cmpeq_epi32(_mm256_max_epu32(most, _mm256_set1_epi32((int)bounds->limit)),
                              _mm256_set1_epi32((int)bounds->limit));
    return _mm256_movemask_epi8(most) == -1 && _mm256_testz_si256(all, align);
}

/* Four warps per branch, as long as all of them fit. */
WS_ON_SSE2 size_t ws_fit_fours_sse2(const ws_bounds *bounds, const uint32_t *address, size_t warps, bool from_0) {
    bool near = true;
    size_t warp;
    for (warp = 0; warp + 4 <= warps; warp += 4, address += 128) {
        if (near || warp % WS_FIT_AGAIN == 0) near = ws_fit_near_sse2(bounds, address, 128, from_0);
        if (!near && !ws_fit_sse2(bounds, address, 128, from_0)) break;
    }
    return warp;
}

WS_ON_SSE2 size_t ws_fit_lanes_sse2(const ws_bounds *bounds, const uint32_t *address, size_t warps, int lanes) {
    const ws_bounds own = *bounds;
    size_t warp = 0;
    if (lanes == 32)
        warp = own.base == 0 ? ws_fit_fours_sse2(&own, address, warps, true)
                             : ws_fit_fours_sse2(&own, address, warps, false);
    while (warp < warps && ws_fit_sse2(&own, address + 32 * warp, lanes, false)) warp++;
    return warp;
}

/* Each returns how many warps fit, counted from the first. */
WS_ENTRY_SSE2 size_t ws_fit_all_sse2(const ws_bounds *bounds, const uint32_t *address, size_t warps, int lanes) {
    if (lanes == 32) return ws_fit_lanes_sse2(bounds, address, warps, 32);
    return lanes == 16 ? ws_fit_lanes_sse2(bounds, address, warps, 16) : ws_fit_lanes_sse2(bounds, address, warps, 8);
}

WS_ENTRY_AVX2 size_t ws_fit_all_avx2(const ws_bounds *bounds, const uint32_t *address, size_t warps, int lanes) {
    const ws_bounds own = *bounds;
    size_t warp = 0;
    if (lanes == 32)
        while (warp + 4 <= warps && ws_fit_avx2(&own, address + 32 * warp, 128)) warp += 4;
    if (lanes == 32)
        while (warp < warps && ws_fit_avx2(&own, address + 32 * warp, 32)) warp++;
    else if (lanes == 16)
        while (warp < warps && ws_fit_avx2(&own, address + 32 * warp, 16)) warp++;
    else
        while (warp < warps && ws_fit_avx2(&own, address + 32 * warp, 8)) warp++;
    return warp;
}
#endif

/* How many warps of [warps][32], counted from the first, have good addresses in their first 8, 16 or 32 lanes. */
static inline size_t ws_fit(const ws_bounds *bounds, const uint32_t *address, size_t warps, int lanes, int level) {
    size_t warp = 0;
#if WS_HAS_X86
    if (level >= WS_SIMD_AVX2) return ws_fit_all_avx2(bounds, address, warps, lanes);
    if (level == WS_SIMD_SSE2) return ws_fit_all_sse2(bounds, address, warps, lanes);
#endif
    (void)level;
    while (warp < warps && ws_fit_portable(bounds, address + 32 * warp, lanes)) warp++;
    return warp;
}

#endif
