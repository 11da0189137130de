/* Vectors of 8 numbers of 16 bits: what passes_block.h needs of SSE2. */
#ifndef WARPSIM_SIMD_VECTOR_SSE2_H
#define WARPSIM_SIMD_VECTOR_SSE2_H

#include <stddef.h>
#include <stdint.h>

#include "level.h"

typedef __m128i ws_v_sse2;
enum { WS_V_GROUPS_SSE2 = 8 };

/* address >> shift of 8 lanes of one group, less 2^15; *most collects the largest. */
WS_ON_SSE2 __m128i ws_v_units_sse2(const uint32_t *address, size_t step, int shift, __m128i *most) {
    const __m128i middle = _mm_set1_epi32(0x8000); /* the pack is a signed one */
    const __m128i low = _mm_srli_epi32(_mm_loadu_si128((const __m128i *)(const void *)address), shift);
    const __m128i high = _mm_srli_epi32(_mm_loadu_si128((const __m128i *)(const void *)(address + 4)), shift);
    const __m128i units = _mm_packs_epi32(_mm_sub_epi32(low, middle), _mm_sub_epi32(high, middle));
    (void)step;
    *most = _mm_max_epi16(*most, units);
    return units;
}

WS_ON_SSE2 __m128i ws_v_zero_sse2(void) { return _mm_setzero_si128(); }

/* Is a unit 0xffff, or more, which the pack has made 0xffff? */
WS_ON_SSE2 bool ws_v_is_over_sse2(__m128i most) {
    return _mm_movemask_epi8(_mm_cmpeq_epi16(most, _mm_set1_epi16(INT16_MAX))) != 0;
}

/* The low `bits` bits to the top. */
WS_ON_SSE2 __m128i ws_v_rotate_sse2(__m128i x, int bits) {
    return _mm_or_si128(_mm_slli_epi16(x, 16 - bits), _mm_srli_epi16(x, bits));
}

WS_ON_SSE2 __m128i ws_v_low16_sse2(__m128i a, __m128i b) { return _mm_unpacklo_epi16(a, b); }
WS_ON_SSE2 __m128i ws_v_high16_sse2(__m128i a, __m128i b) { return _mm_unpackhi_epi16(a, b); }
WS_ON_SSE2 __m128i ws_v_low32_sse2(__m128i a, __m128i b) { return _mm_unpacklo_epi32(a, b); }
WS_ON_SSE2 __m128i ws_v_high32_sse2(__m128i a, __m128i b) { return _mm_unpackhi_epi32(a, b); }
WS_ON_SSE2 __m128i ws_v_low64_sse2(__m128i a, __m128i b) { return _mm_unpacklo_epi64(a, b); }
WS_ON_SSE2 __m128i ws_v_high64_sse2(__m128i a, __m128i b) { return _mm_unpackhi_epi64(a, b); }
WS_ON_SSE2 __m128i ws_v_min_sse2(__m128i a, __m128i b) { return _mm_min_epi16(a, b); }
WS_ON_SSE2 __m128i ws_v_max_sse2(__m128i a, __m128i b) { return _mm_max_epi16(a, b); }

/* The length of the run that ends at `here`: one more for a new number of the same bank, 0 for a new bank. */
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

/* Sorting is about as fast here as looking for groups without conflicts first. */
WS_ON_SSE2 bool ws_v_is_conflict_free_sse2(const uint32_t *address, int lanes) {
    (void)address;
    (void)lanes;
    return false;
}

#endif
