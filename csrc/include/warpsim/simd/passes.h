/* Bank passes of many groups of lanes, at any level.
 *
 * The groups follow one another, each with all its lanes: 8 lanes of 16 bytes, 16 of 8, or 32 of at most 4. Callers
 * whose groups have missing lanes repeat a lane that is present, which costs nothing.
 *
 * This file knows nothing about instructions. */
#ifndef WARPSIM_SIMD_PASSES_H
#define WARPSIM_SIMD_PASSES_H

#include <stddef.h>
#include <stdint.h>

#include "banks.h"
#include "level.h"

#if WS_HAS_X86
#include "vector_avx2.h"
#include "vector_avx512.h"
#include "vector_sse2.h"

#define WS_LEVEL sse2
#define WS_LEVEL_GROUPS WS_V_GROUPS_SSE2
#define WS_FREE_WARPS 1
#define WS_ON WS_ON_SSE2
#define WS_ENTRY WS_ENTRY_SSE2
#include "passes_block.h"

#define WS_LEVEL avx2
#define WS_LEVEL_GROUPS WS_V_GROUPS_AVX2
#define WS_FREE_WARPS 4
#define WS_ON WS_ON_AVX2
#define WS_ENTRY WS_ENTRY_AVX2
#include "passes_block.h"

#if defined(__GNUC__) && !defined(__clang__) /* gcc's own intrinsics start from a value that they declare undefined */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#define WS_LEVEL_PRAGMAS
#endif
#define WS_LEVEL avx512
#define WS_LEVEL_GROUPS WS_V_GROUPS_AVX512
#define WS_FREE_WARPS 8
#define WS_ON WS_ON_AVX512
#define WS_ENTRY WS_ENTRY_AVX512
#include "passes_block.h"
#ifdef WS_LEVEL_PRAGMAS
#pragma GCC diagnostic pop
#undef WS_LEVEL_PRAGMAS
#endif
#endif

/* Any address, on any machine. */
static inline void ws_passes_portable(const uint32_t *address, size_t groups, int lanes, uint8_t *passes) {
    const int unit_bytes = 128 / lanes;
    size_t group;
    for (group = 0; group < groups; group++, address += lanes) {
        uint32_t unit[32];
        uint8_t next[32], first[32], longest = 0;
        int lane, bank;
        for (bank = 0; bank < lanes; bank++) first[bank] = WS_BANK_NO_WORD;
        for (lane = 0; lane < lanes; lane++) {
            uint8_t *link, pass = 1;
            unit[lane] = address[lane] / (uint32_t)unit_bytes;
            next[lane] = WS_BANK_NO_WORD;
            for (link = &first[unit[lane] % (uint32_t)lanes]; *link != WS_BANK_NO_WORD; link = &next[*link], pass++) {
                if (unit[*link] == unit[lane]) break;
            }
            if (*link == WS_BANK_NO_WORD) *link = (uint8_t)lane;
            if (pass > longest) longest = pass;
        }
        passes[group] = longest;
    }
}

#if WS_HAS_X86
/* Fewer groups than the smallest block holds. */
static inline bool ws_passes_rest(const uint32_t *address, int groups, int lanes, uint8_t *passes) {
    uint8_t all[WS_V_GROUPS_SSE2];
    bool fits;
    int i;
    if (lanes == 8) fits = ws_v_block_sse2(address, groups - 1, 8, 4, all);
    else if (lanes == 16) fits = ws_v_block_sse2(address, groups - 1, 16, 3, all);
    else fits = ws_v_block_sse2(address, groups - 1, 32, 2, all);
    for (i = 0; i < groups; i++) passes[i] = all[i];
    return fits;
}

/* The largest blocks first; false if some address has no key. */
static inline bool ws_passes_vector(const uint32_t *address, size_t groups, int lanes, uint8_t *passes, int level) {
    size_t done = 0;
    if (level == WS_SIMD_AVX512) {
        done = groups / WS_V_GROUPS_AVX512 * WS_V_GROUPS_AVX512;
        if (!ws_v_passes_avx512(address, done / WS_V_GROUPS_AVX512, lanes, passes)) return false;
    } else if (level == WS_SIMD_AVX2) {
        done = groups / WS_V_GROUPS_AVX2 * WS_V_GROUPS_AVX2;
        if (!ws_v_passes_avx2(address, done / WS_V_GROUPS_AVX2, lanes, passes)) return false;
    }
    address += done * (size_t)lanes;
    passes += done;
    groups -= done;
    done = groups / WS_V_GROUPS_SSE2 * WS_V_GROUPS_SSE2;
    if (!ws_v_passes_sse2(address, done / WS_V_GROUPS_SSE2, lanes, passes)) return false;
    return done == groups || ws_passes_rest(address + done * (size_t)lanes, (int)(groups - done), lanes, passes + done);
}
#endif

/* Do lanes 0 and 1, or 0 and 2, of any warp want the same unit? */
static inline bool ws_first_lanes_meet(const uint32_t *address, size_t warps, int lanes) {
    const int shift = lanes == 8 ? 4 : lanes == 16 ? 3 : 2;
    size_t warp;
#if WS_HAS_X86
    __m128i meet = _mm_setzero_si128();
    for (warp = 0; warp < warps; warp++) {
        const __m128i units =
            _mm_srli_epi32(_mm_loadu_si128((const __m128i *)(const void *)(address + 32 * warp)), shift);
        meet = _mm_or_si128(meet, _mm_cmpeq_epi32(units, _mm_shuffle_epi32(units, 0)));
    }
    return (_mm_movemask_epi8(meet) & 0x0ff0) != 0;
#else
    bool meet = false;
    for (warp = 0; warp < warps; warp++, address += 32) {
        meet |= address[0] >> shift == address[1] >> shift || address[0] >> shift == address[2] >> shift;
    }
    return meet;
#endif
}

/* passes[g] of each group, at a level of ws_simd_level. */
static inline void ws_passes(const uint32_t *address, size_t groups, int lanes, uint8_t *passes, int level) {
#if WS_HAS_X86
    enum { SOME = 1024 /* addresses */ };
    const uint32_t unit_bytes = 128 / (uint32_t)lanes;
    const size_t most = SOME / (size_t)lanes;
    if (level != WS_SIMD_PORTABLE && ws_passes_vector(address, groups, lanes, passes, level)) return;
    while (level != WS_SIMD_PORTABLE && groups > 0) { /* only units matter; some may be far away */
        const size_t some = groups < most ? groups : most;
        uint32_t rounded[SOME];
        size_t i;
        for (i = 0; i < some * (size_t)lanes; i++) rounded[i] = address[i] / unit_bytes * unit_bytes;
        if (!ws_passes_vector(rounded, some, lanes, passes, level)) ws_passes_portable(address, some, lanes, passes);
        address += some * (size_t)lanes;
        passes += some;
        groups -= some;
    }
#endif
    (void)level;
    ws_passes_portable(address, groups, lanes, passes);
}

#endif
