/* Rows of 16 bytes of memory <-> registers, for many warps, at any level.
 *
 *     matrix i, row r    is at offset[8 i + r] (16x16: offset[16 i + r])
 *     lane 4r + c        holds word c of row r of every matrix, one register each; a turn swaps rows and columns first
 *
 * Addresses are [warps][32]. Call ws_fit first: it tells which warps have aligned rows inside the memory. The functions
 * here rely on that, but even without it they never touch anything outside the memory.
 *
 * This file knows nothing about instructions. */
#ifndef WARPSIM_SIMD_ROWS_H
#define WARPSIM_SIMD_ROWS_H

#include <stddef.h>
#include <stdint.h>

#include "../base/bytes.h"
#include "../base/rows.h"
#include "decompress.h"
#include "fit.h"

typedef struct ws_rows {
    uint8_t *bytes;   /* the memory */
    ws_bounds bounds; /* base: address of bytes[0]; limit: the last offset at which a row may start */
    uint8_t matrices; /* 1, 2, 4 */
    uint8_t packing;  /* ws_row_packing */
    uint8_t turn;     /* ws_row_turn */
    bool in_eights;   /* loads of four matrices: a lane has 8 registers, of which these are four neighbours */
} ws_rows;

/* Lanes that supply addresses. */
static inline int ws_rows_lanes(const ws_rows *rows) {
    return rows->turn == WS_ROWS_TURN_16X16 ? 16 * rows->matrices : 8 * rows->matrices;
}

/* Distance in registers from one lane to the next. */
static inline int ws_rows_words(const ws_rows *rows) { return rows->in_eights ? 8 : ws_rows_lanes(rows) / 8; }

/* Where a row is: the address is read once, and the result is never outside the memory. */
static inline uint8_t *ws_rows_at(const ws_rows *rows, const uint32_t *address) {
    const size_t offset = *(const volatile uint32_t *)address - rows->bounds.base, limit = rows->bounds.limit;
    return rows->bytes + (offset < limit ? offset : limit);
}

#if WS_HAS_X86
enum { WS_ROWS_AT_ONCE = 4 /* warps whose addresses are bounded together */ };

/* What a kernel is compiled for: all except `packing` are constants wherever it is inlined. */
typedef struct ws_rows_kernel {
    int matrices;
    int packing;
    int turn;
    size_t words; /* registers from one lane to the next */
} ws_rows_kernel;

#define WS_LEVEL sse2
#define WS_LEVEL_IS_BASE 1
#define WS_ON WS_ON_SSE2
#define WS_ENTRY WS_ENTRY_SSE2
#include "turns_block.h"
#include "rows_block.h"

#define WS_LEVEL avx2
#define WS_LEVEL_IS_BASE 0 /* for 6-bit rows, which need a byte shuffle */
#define WS_ON WS_ON_AVX2
#define WS_ENTRY WS_ENTRY_AVX2
#include "turns_block.h"
#include "rows_block.h"

#include "rows_four_block.h"
#endif

static inline void ws_rows_unpack_one(int packing, const uint8_t *row, uint8_t out[16]) {
    int i;
    if (packing == WS_ROWS_B6) ws_decompress_b6(row, out);
    else if (packing == WS_ROWS_B4) ws_decompress_b4(row, out);
    else if (packing == WS_ROWS_S4) ws_decompress_s4(row, out);
    else
        for (i = 0; i < 16; i++) out[i] = row[i];
}

/* One register of all lanes, taken from the rows of its matrix; the next lane's is `words` further on. */
static inline void ws_rows_deal(const uint8_t *const *row, int turn, int half, int words, uint32_t *to) {
    int lane, k;
    for (lane = 0; lane < 32; lane++, to += words) {
        const int g = lane / 4, t = lane % 4;
        uint32_t word = 0;
        if (turn == WS_ROWS_NO_TURN) word = ws_load_u32(row[g] + 4 * t);
        else if (turn == WS_ROWS_TURN_8X8)
            word = ws_load_u16(row[2 * t] + 2 * g) | ws_load_u16(row[2 * t + 1] + 2 * g) << 16;
        else
            for (k = 0; k < 4; k++) word |= (uint32_t)row[4 * t + k][g + 8 * half] << (8 * k);
        *to = word;
    }
}

static inline void ws_rows_load_portable(const ws_rows *rows, const uint32_t *address, size_t warps, uint32_t *to) {
    const int lanes = ws_rows_lanes(rows), words = ws_rows_words(rows);
    const bool pairs = rows->turn == WS_ROWS_TURN_16X16;
    size_t warp;
    for (warp = 0; warp < warps; warp++, address += 32, to += 32 * words) {
        const uint8_t *row[32];
        uint8_t unpacked[32][16];
        int lane, i;
        for (lane = 0; lane < lanes; lane++) {
            row[lane] = ws_rows_at(rows, address + lane);
            if (rows->packing == WS_ROWS_PLAIN) continue;
            ws_rows_unpack_one(rows->packing, row[lane], unpacked[lane]);
            row[lane] = unpacked[lane];
        }
        for (i = 0; i < lanes / 8; i++)
            ws_rows_deal(row + (pairs ? i / 2 * 16 : 8 * i), rows->turn, pairs ? i % 2 : 0, words, to + i);
    }
}

/* A register of a store, spread over the rows. */
static inline void ws_rows_spread(const ws_rows *rows, uint32_t word, int matrix, int lane, uint8_t *row) {
    const int g = lane / 4, t = lane % 4;
    int i;
    for (i = 0; i < 4; i++) {
        const uint8_t byte = (uint8_t)(word >> (8 * i));
        if (rows->turn == WS_ROWS_NO_TURN) row[16 * (8 * matrix + g) + 4 * t + i] = byte;
        else if (rows->turn == WS_ROWS_TURN_8X8) row[16 * (8 * matrix + 2 * t + i / 2) + 2 * g + i % 2] = byte;
        else row[16 * (8 * matrix + 2 * t + i % 2) + g + 8 * (i / 2)] = byte;
    }
}

static inline void ws_rows_store_portable(const ws_rows *rows, const uint32_t *address, size_t warps,
                                          const uint32_t *from) {
    size_t warp;
    for (warp = 0; warp < warps; warp++, address += 32) {
        uint8_t row[32 * 16];
        int lane, i, r, b;
        for (lane = 0; lane < 32; lane++) {
            for (i = 0; i < rows->matrices; i++) ws_rows_spread(rows, *from++, i, lane, row);
        }
        for (i = 0; i < rows->matrices; i++) {
            for (r = 7; r >= 0; r--) {
                uint8_t *at = ws_rows_at(rows, address + 8 * i + r);
                for (b = 0; b < 16; b++) at[b] = row[16 * (8 * i + r) + b];
            }
        }
    }
}

/* `to`: [warps][32][registers]. */
static inline void ws_rows_load(const ws_rows *rows, const uint32_t *address, size_t warps, uint32_t *to, int level) {
#if WS_HAS_X86
    if (level >= WS_SIMD_AVX2 && rows->packing == WS_ROWS_B6) ws_r_load_packed_avx2(rows, address, warps, to);
    else if (level >= WS_SIMD_AVX2 && ws_rows_are_four(rows)) ws_rows_load_four(rows, address, warps, to);
    else if (level >= WS_SIMD_SSE2) ws_r_load_sse2(rows, address, warps, to);
    else
#endif
        ws_rows_load_portable(rows, address, warps, to);
    (void)level;
}

/* `from`: [warps][32][matrices]. */
static inline void ws_rows_store(const ws_rows *rows, const uint32_t *address, size_t warps, const uint32_t *from,
                                 int level) {
#if WS_HAS_X86
    if (level >= WS_SIMD_SSE2) {
        ws_r_store_sse2(rows, address, warps, from);
        return;
    }
#endif
    (void)level;
    ws_rows_store_portable(rows, address, warps, from);
}

/* n consecutive packed rows of 16 bytes to n rows of 16 elements. */
static inline void ws_rows_unpack(int packing, const uint8_t *from, size_t n, uint8_t *out, int level) {
    size_t i;
#if WS_HAS_X86
    if (level >= WS_SIMD_AVX2) {
        ws_r_unpack_avx2(packing, from, n, out);
        return;
    }
    if (level == WS_SIMD_SSE2) {
        ws_r_unpack_sse2(packing, from, n, out);
        return;
    }
#endif
    (void)level;
    if (packing == WS_ROWS_B6) {
        for (i = 0; i < n; i++) ws_decompress_b6(from + 16 * i, out + 16 * i);
        return;
    }
    for (i = 0; i < n; i++) ws_rows_unpack_one(packing, from + 16 * i, out + 16 * i);
}

#endif
