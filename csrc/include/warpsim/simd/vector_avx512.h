/* Vectors of 32 numbers of 16 bits: what passes_block.h needs from AVX-512. */
#ifndef WARPSIM_SIMD_VECTOR_AVX512_H
#define WARPSIM_SIMD_VECTOR_AVX512_H

#include <stddef.h>
#include <stdint.h>

#include "level.h"

typedef __m512i ws_v_avx512;
enum { WS_V_GROUPS_AVX512 = 32 };

/* 8 lanes of two groups. */
WS_ON_AVX512 __m512i ws_v_load_pair_avx512(const uint32_t *first, const uint32_t *second) {
    const __m256i low = _mm256_loadu_si256((const __m256i *)(const void *)first);
    return _mm512_inserti64x4(_mm512_castsi256_si512(low), _mm256_loadu_si256((const __m256i *)(const void *)second),
                              1);
}

/* The keys of 8 lanes of four groups, `step` numbers apart, as vector_sse2.h has them. */
WS_ON_AVX512 __m512i ws_v_keys_avx512(const uint32_t *address, size_t step, __m512i *all) {
    const __m512i even =
        _mm512_set_epi32(0x3e003c, 0x3a0038, 0x360034, 0x320030, 0x2e002c, 0x2a0028, 0x260024, 0x220020, 0x1e001c,
                         0x1a0018, 0x160014, 0x120010, 0x0e000c, 0x0a0008, 0x060004, 0x020000);
    const __m512i ones = _mm512_set1_epi16(1), first = ws_v_load_pair_avx512(address, address + step);
    const __m512i second = ws_v_load_pair_avx512(address + 2 * step, address + 3 * step);
    *all = _mm512_ternarylogic_epi32(*all, first, second, 0xfe);
    return _mm512_permutex2var_epi16(_mm512_madd_epi16(_mm512_slli_epi32(first, 9), ones), even,
                                     _mm512_madd_epi16(_mm512_slli_epi32(second, 9), ones));
}

WS_ON_AVX512 __m512i ws_v_zero_avx512(void) { return _mm512_setzero_si512(); }

/* Does any address have one of these bits? */
WS_ON_AVX512 bool ws_v_has_avx512(__m512i all, uint32_t bits) {
    return _mm512_test_epi32_mask(all, _mm512_set1_epi32((int)bits)) != 0;
}

WS_ON_AVX512 __m512i ws_v_low16_avx512(__m512i a, __m512i b) { return _mm512_unpacklo_epi16(a, b); }
WS_ON_AVX512 __m512i ws_v_high16_avx512(__m512i a, __m512i b) { return _mm512_unpackhi_epi16(a, b); }
WS_ON_AVX512 __m512i ws_v_low32_avx512(__m512i a, __m512i b) { return _mm512_unpacklo_epi32(a, b); }
WS_ON_AVX512 __m512i ws_v_high32_avx512(__m512i a, __m512i b) { return _mm512_unpackhi_epi32(a, b); }
WS_ON_AVX512 __m512i ws_v_low64_avx512(__m512i a, __m512i b) { return _mm512_unpacklo_epi64(a, b); }
WS_ON_AVX512 __m512i ws_v_high64_avx512(__m512i a, __m512i b) { return _mm512_unpackhi_epi64(a, b); }
WS_ON_AVX512 __m512i ws_v_min_avx512(__m512i a, __m512i b) { return _mm512_min_epi16(a, b); }
WS_ON_AVX512 __m512i ws_v_max_avx512(__m512i a, __m512i b) { return _mm512_max_epi16(a, b); }

/* The length of the run that ends at `here`: one more for a new value in the same bank, 0 for a new bank. */
WS_ON_AVX512 __m512i ws_v_run_avx512(__m512i run, __m512i before, __m512i here, int bank_bits) {
    const __m512i differ = _mm512_xor_si512(before, here);
    const __mmask32 same = _mm512_testn_epi16_mask(differ, _mm512_set1_epi16((int16_t)(-(1 << (16 - bank_bits)))));
    return _mm512_maskz_add_epi16(same, run, _mm512_min_epu16(differ, _mm512_set1_epi16(1)));
}

/* One more than each number, as a byte. */
WS_ON_AVX512 void ws_v_store_avx512(uint8_t *out, __m512i x) {
    _mm256_storeu_si256((__m256i *)(void *)out, _mm512_cvtepi16_epi8(_mm512_sub_epi16(x, _mm512_set1_epi16(-1))));
}

/* The banks that 16 lanes want, one bit each; where there are fewer than 32 banks, the bits repeat. */
WS_ON_AVX512 __m512i ws_v_banks_avx512(const uint32_t *address, int lanes) {
    const unsigned shift = lanes == 8 ? 4 : lanes == 16 ? 3 : 2;
    const uint32_t one = lanes == 8 ? 0x01010101 : lanes == 16 ? 0x00010001 : 1;
    return _mm512_rolv_epi32(_mm512_set1_epi32((int)one), _mm512_srli_epi32(_mm512_loadu_si512(address), shift));
}

/* The same for a warp: groups that share a vector have their own bits. */
WS_ON_AVX512 __m512i ws_v_warp_banks_avx512(const uint32_t *address, int lanes) {
    const __m512i a = ws_v_banks_avx512(address, lanes), b = ws_v_banks_avx512(address + 16, lanes);
    return lanes == 32 ? _mm512_or_si512(a, b) : _mm512_ternarylogic_epi32(_mm512_set1_epi32(0xffff), a, b, 0xca);
}

WS_ON_AVX512 __m512i ws_v_or_pairs_avx512(__m512i a, __m512i b) {
    return _mm512_or_si512(_mm512_unpacklo_epi32(a, b), _mm512_unpackhi_epi32(a, b));
}

WS_ON_AVX512 __m512i ws_v_four_warps_avx512(const uint32_t *address, int lanes) {
    const __m512i a =
        ws_v_or_pairs_avx512(ws_v_warp_banks_avx512(address, lanes), ws_v_warp_banks_avx512(address + 32, lanes));
    const __m512i b =
        ws_v_or_pairs_avx512(ws_v_warp_banks_avx512(address + 64, lanes), ws_v_warp_banks_avx512(address + 96, lanes));
    return _mm512_or_si512(_mm512_unpacklo_epi64(a, b), _mm512_unpackhi_epi64(a, b));
}

/* Do all groups of 8 warps want every bank once? With 8 lanes, the halves of a vector are different groups. */
WS_ON_AVX512 bool ws_v_is_conflict_free_avx512(const uint32_t *address, int lanes) {
    const __m512i a = ws_v_four_warps_avx512(address, lanes), b = ws_v_four_warps_avx512(address + 128, lanes);
    const __m512i low = _mm512_or_si512(_mm512_shuffle_i32x4(a, b, 0x88), _mm512_shuffle_i32x4(a, b, 0xdd));
    if (lanes == 8) { /* bits 0..7 and 16..23 of the first half, the others of the second */
        return _mm512_cmpeq_epi32_mask(low, _mm512_set1_epi32(-1)) == 0xffff;
    }
    return _mm512_cmpeq_epi32_mask(_mm512_or_si512(low, _mm512_shuffle_i32x4(low, low, 0xb1)), _mm512_set1_epi32(-1)) ==
           0xffff;
}

#endif
