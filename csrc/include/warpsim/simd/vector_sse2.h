/* Vectors of 8 numbers of 16 bits: what passes_block.h needs from SSE2. */
#ifndef WARPSIM_SIMD_VECTOR_SSE2_H
#define WARPSIM_SIMD_VECTOR_SSE2_H

#include <stddef.h>
#include <stdint.h>

#include "level.h"

typedef __m128i ws_v_sse2;
enum { WS_V_GROUPS_SSE2 = 8 };

/* The keys of 8 lanes of one group: bank in the high bits, 128-byte line in the low bits. Both halves of address << 9
 * are added; *all collects the bits of the addresses. */
WS_ON_SSE2 __m128i ws_v_keys_sse2(const uint32_t *address, size_t step, __m128i *all) {
    const __m128i ones = _mm_set1_epi16(1);
    const __m128i low = _mm_loadu_si128((const __m128i *)(const void *)address);
    const __m128i high = _mm_loadu_si128((const __m128i *)(const void *)(address + 4));
    (void)step;
    *all = _mm_or_si128(*all, _mm_or_si128(low, high));
    return _mm_packs_epi32(_mm_madd_epi16(_mm_slli_epi32(low, 9), ones), _mm_madd_epi16(_mm_slli_epi32(high, 9), ones));
}

WS_ON_SSE2 __m128i ws_v_zero_sse2(void) { return _mm_setzero_si128(); }

/* Does any address have one of these bits? */
WS_ON_SSE2 bool ws_v_has_sse2(__m128i all, uint32_t bits) {
    const __m128i found = _mm_and_si128(all, _mm_set1_epi32((int)bits));
    return _mm_movemask_epi8(_mm_cmpeq_epi32(found, _mm_setzero_si128())) != 0xffff;
}

WS_ON_SSE2 __m128i ws_v_low16_sse2(__m128i a, __m128i b) { return _mm_unpacklo_epi16(a, b); }
WS_ON_SSE2 __m128i ws_v_high16_sse2(__m128i a, __m128i b) { return _mm_unpackhi_epi16(a, b); }
WS_ON_SSE2 __m128i ws_v_low32_sse2(__m128i a, __m128i b) { return _mm_unpacklo_epi32(a, b); }
WS_ON_SSE2 __m128i ws_v_high32_sse2(__m128i a, __m128i b) { return _mm_unpackhi_epi32(a, b); }
WS_ON_SSE2 __m128i ws_v_low64_sse2(__m128i a, __m128i b) { return _mm_unpacklo_epi64(a, b); }
WS_ON_SSE2 __m128i ws_v_high64_sse2(__m128i a, __m128i b) { return _mm_unpackhi_epi64(a, b); }
WS_ON_SSE2 __m128i ws_v_min_sse2(__m128i a, __m128i b) { return _mm_min_epi16(a, b); }
WS_ON_SSE2 __m128i ws_v_max_sse2(__m128i a, __m128i b) { return _mm_max_epi16(a, b); }

/* The length of the run that ends at `here`: one more for a new value in the same bank, 0 for a new bank. */
WS_ON_SSE2 __m128i ws_v_run_sse2(__m128i run, __m128i before, __m128i here, int bank_bits) {
    const __m128i fresh = _mm_cmpgt_epi16(here, before);
    const __m128i same = _mm_cmpeq_epi16(_mm_srai_epi16(before, 16 - bank_bits), _mm_srai_epi16(here, 16 - bank_bits));
    return _mm_and_si128(same, _mm_sub_epi16(run, fresh));
}

/* One more than each number, as a byte. */
WS_ON_SSE2 void ws_v_store_sse2(uint8_t *out, __m128i x) {
    const __m128i passes = _mm_sub_epi16(x, _mm_set1_epi16(-1));
    _mm_storel_epi64((__m128i *)(void *)out, _mm_packs_epi16(passes, passes));
}

/* Here, sorting is about as fast as checking for conflict-free groups first. */
WS_ON_SSE2 bool ws_v_is_conflict_free_sse2(const uint32_t *address, int lanes) {
    (void)address;
    (void)lanes;
    return false;
}

#endif
