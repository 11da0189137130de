/* Vectors of 16 numbers of 16 bits: what passes_block.h needs from AVX2. */
#ifndef WARPSIM_SIMD_VECTOR_AVX2_H
#define WARPSIM_SIMD_VECTOR_AVX2_H

#include <stddef.h>
#include <stdint.h>

#include "level.h"

typedef __m256i ws_v_avx2;
enum { WS_V_GROUPS_AVX2 = 16 };

WS_ON_AVX2 __m256i ws_v_load_avx2(const uint32_t *address) {
    return _mm256_loadu_si256((const __m256i *)(const void *)address);
}

/* The keys of 8 lanes of two groups, `step` numbers apart, as vector_sse2.h has them. */
WS_ON_AVX2 __m256i ws_v_keys_avx2(const uint32_t *address, size_t step, __m256i *all) {
    const __m256i ones = _mm256_set1_epi16(1), first = ws_v_load_avx2(address), second = ws_v_load_avx2(address + step);
    *all = _mm256_or_si256(*all, _mm256_or_si256(first, second));
    return _mm256_permute4x64_epi64(_mm256_packs_epi32(_mm256_madd_epi16(_mm256_slli_epi32(first, 9), ones),
                                                       _mm256_madd_epi16(_mm256_slli_epi32(second, 9), ones)),
                                    0xd8);
}

WS_ON_AVX2 __m256i ws_v_zero_avx2(void) { return _mm256_setzero_si256(); }

/* Does any address have one of these bits? */
WS_ON_AVX2 bool ws_v_has_avx2(__m256i all, uint32_t bits) {
    return !_mm256_testz_si256(all, _mm256_set1_epi32((int)bits));
}

WS_ON_AVX2 __m256i ws_v_low16_avx2(__m256i a, __m256i b) { return _mm256_unpacklo_epi16(a, b); }
WS_ON_AVX2 __m256i ws_v_high16_avx2(__m256i a, __m256i b) { return _mm256_unpackhi_epi16(a, b); }
WS_ON_AVX2 __m256i ws_v_low32_avx2(__m256i a, __m256i b) { return _mm256_unpacklo_epi32(a, b); }
WS_ON_AVX2 __m256i ws_v_high32_avx2(__m256i a, __m256i b) { return _mm256_unpackhi_epi32(a, b); }
WS_ON_AVX2 __m256i ws_v_low64_avx2(__m256i a, __m256i b) { return _mm256_unpacklo_epi64(a, b); }
WS_ON_AVX2 __m256i ws_v_high64_avx2(__m256i a, __m256i b) { return _mm256_unpackhi_epi64(a, b); }
WS_ON_AVX2 __m256i ws_v_min_avx2(__m256i a, __m256i b) { return _mm256_min_epi16(a, b); }
WS_ON_AVX2 __m256i ws_v_max_avx2(__m256i a, __m256i b) { return _mm256_max_epi16(a, b); }

/* The length of the run that ends at `here`: one more for a new value in the same bank, 0 for a new bank. */
WS_ON_AVX2 __m256i ws_v_run_avx2(__m256i run, __m256i before, __m256i here, int bank_bits) {
    const __m256i fresh = _mm256_cmpgt_epi16(here, before);
    const __m256i same =
        _mm256_cmpeq_epi16(_mm256_srai_epi16(before, 16 - bank_bits), _mm256_srai_epi16(here, 16 - bank_bits));
    return _mm256_and_si256(same, _mm256_sub_epi16(run, fresh));
}

/* One more than each number, as a byte. */
WS_ON_AVX2 void ws_v_store_avx2(uint8_t *out, __m256i x) {
    const __m256i passes = _mm256_sub_epi16(x, _mm256_set1_epi16(-1));
    const __m256i bytes = _mm256_permute4x64_epi64(_mm256_packs_epi16(passes, passes), 0xd8);
    _mm_storeu_si128((__m128i *)(void *)out, _mm256_castsi256_si128(bytes));
}

/* The banks that 8 lanes want, one bit each; where there are fewer than 32 banks, the bits repeat. */
WS_ON_AVX2 __m256i ws_v_banks_avx2(const uint32_t *address, int lanes) {
    const int shift = lanes == 8 ? 4 : lanes == 16 ? 3 : 2;
    const uint32_t one = lanes == 8 ? 0x01010101 : lanes == 16 ? 0x00010001 : 1;
    const __m256i bank =
        _mm256_and_si256(_mm256_srli_epi32(ws_v_load_avx2(address), shift), _mm256_set1_epi32(lanes - 1));
    return _mm256_sllv_epi32(_mm256_set1_epi32((int)one), bank);
}

/* The same for a warp: each group has its own bits. */
WS_ON_AVX2 __m256i ws_v_warp_banks_avx2(const uint32_t *address, int lanes) {
    const __m256i a = ws_v_banks_avx2(address, lanes), b = ws_v_banks_avx2(address + 8, lanes);
    const __m256i c = ws_v_banks_avx2(address + 16, lanes), d = ws_v_banks_avx2(address + 24, lanes);
    if (lanes == 32) return _mm256_or_si256(_mm256_or_si256(a, b), _mm256_or_si256(c, d));
    if (lanes == 16) return _mm256_blend_epi16(_mm256_or_si256(a, b), _mm256_or_si256(c, d), 0xaa);
    return _mm256_blendv_epi8(_mm256_blend_epi16(a, c, 0xaa), _mm256_blend_epi16(b, d, 0xaa), _mm256_set1_epi16(-256));
}

WS_ON_AVX2 __m256i ws_v_or_pairs_avx2(__m256i a, __m256i b) {
    return _mm256_or_si256(_mm256_unpacklo_epi32(a, b), _mm256_unpackhi_epi32(a, b));
}

/* Do all groups of 4 warps want every bank once? */
WS_ON_AVX2 bool ws_v_is_conflict_free_avx2(const uint32_t *address, int lanes) {
    const __m256i a =
        ws_v_or_pairs_avx2(ws_v_warp_banks_avx2(address, lanes), ws_v_warp_banks_avx2(address + 32, lanes));
    const __m256i b =
        ws_v_or_pairs_avx2(ws_v_warp_banks_avx2(address + 64, lanes), ws_v_warp_banks_avx2(address + 96, lanes));
    const __m256i all = _mm256_or_si256(_mm256_unpacklo_epi64(a, b), _mm256_unpackhi_epi64(a, b));
    return _mm256_testc_si256(_mm256_or_si256(all, _mm256_permute4x64_epi64(all, 0x4e)), _mm256_set1_epi32(-1)) != 0;
}

#endif
