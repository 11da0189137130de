/* One swizzle of many offsets: offset ^ (offset & source) moved down, or up, by the distance of the fields.
 *
 * This file knows nothing about layouts. */
#ifndef WARPSIM_SIMD_SWIZZLE_H
#define WARPSIM_SIMD_SWIZZLE_H

#include <stddef.h>
#include <stdint.h>

#include "level.h"

typedef struct ws_bit_move {
    uint32_t source; /* the bits that are XORed onto others; all stay within 32 bits */
    int down;        /* how far they move down; negative: up */
} ws_bit_move;

static inline void ws_bit_move_portable(const ws_bit_move *move, const uint32_t *offset, size_t n, uint32_t *address) {
    const uint32_t source = move->source;
    const int down = move->down;
    size_t i;
    if (down >= 0) {
        for (i = 0; i < n; i++) address[i] = offset[i] ^ (offset[i] & source) >> down;
    } else {
        for (i = 0; i < n; i++) address[i] = offset[i] ^ (offset[i] & source) << -down;
    }
}

#if WS_HAS_X86
WS_ENTRY_SSE2 void ws_bit_move_sse2(const ws_bit_move *move, const uint32_t *offset, size_t n, uint32_t *address) {
    const __m128i source = _mm_set1_epi32((int)move->source);
    const __m128i down = _mm_cvtsi32_si128(move->down < 0 ? 32 : move->down),
                  up = _mm_cvtsi32_si128(move->down < 0 ? -move->down : 32);
    size_t i;
    for (i = 0; i < n; i += 4) {
        const __m128i x = _mm_loadu_si128((const __m128i *)(const void *)(offset + i)), from = _mm_and_si128(x, source);
        const __m128i to =
            _mm_or_si128(_mm_srl_epi32(from, down), _mm_sll_epi32(from, up)); /* a shift by 32 leaves nothing */
        _mm_storeu_si128((__m128i *)(void *)(address + i), _mm_xor_si128(x, to));
    }
}

WS_ENTRY_AVX2 void ws_bit_move_avx2(const ws_bit_move *move, const uint32_t *offset, size_t n, uint32_t *address) {
    const __m256i source = _mm256_set1_epi32((int)move->source);
    const __m128i down = _mm_cvtsi32_si128(move->down < 0 ? 32 : move->down),
                  up = _mm_cvtsi32_si128(move->down < 0 ? -move->down : 32);
    size_t i;
    for (i = 0; i < n; i += 8) {
        const __m256i x = _mm256_loadu_si256((const __m256i *)(const void *)(offset + i)),
                      from = _mm256_and_si256(x, source);
        const __m256i to = _mm256_or_si256(_mm256_srl_epi32(from, down), _mm256_sll_epi32(from, up));
        _mm256_storeu_si256((__m256i *)(void *)(address + i), _mm256_xor_si256(x, to));
    }
}

/* No bit of the source leaves the 32 bits, so a rotation works as well. Masked, since gcc's unmasked intrinsic warns in
 * C++. */
WS_ENTRY_AVX512 void ws_bit_move_avx512(const ws_bit_move *move, const uint32_t *offset, size_t n, uint32_t *address) {
    const __m512i source = _mm512_set1_epi32((int)move->source), down = _mm512_set1_epi32(move->down & 31);
    size_t i;
    for (i = 0; i < n; i += 16) {
        const __m512i x = _mm512_loadu_si512(offset + i), from = _mm512_and_si512(x, source);
        _mm512_storeu_si512(address + i, _mm512_xor_si512(x, _mm512_maskz_rorv_epi32(0xffff, from, down)));
    }
}
#endif

/* n: a multiple of 16. */
static inline void ws_bit_move_all(const ws_bit_move *move, const uint32_t *offset, size_t n, uint32_t *address,
                                   int level) {
#if WS_HAS_X86
    if (level == WS_SIMD_AVX512) ws_bit_move_avx512(move, offset, n, address);
    else if (level == WS_SIMD_AVX2) ws_bit_move_avx2(move, offset, n, address);
    else if (level == WS_SIMD_SSE2) ws_bit_move_sse2(move, offset, n, address);
    else ws_bit_move_portable(move, offset, n, address);
#else
    (void)level;
    ws_bit_move_portable(move, offset, n, address);
#endif
}

#endif
