/* Which elements of B the stored elements of A meet: the metadata of mma.sp.
 *
 * Each stored element (s4, u4: pair; tf32: half) has an index of two bits; those of a row are one string of bits, spread
 * over the words of a quad's lanes:
 *
 *     indices of a row      row g                        row g + 8
 *     8                     lane F, low half             lane F, high half            F: the selector
 *     16, floating point    low halves of lanes 2F, 2F+1 high halves of them
 *     16, integers          lane 2F                      lane 2F + 1
 *     32                    lanes 0, 2                   lanes 1, 3
 *
 * Measured on H200. Any index works as written, those that PTX leaves undefined too. This file knows nothing about
 * registers and arithmetic. */
#ifndef WARPSIM_MMA_METADATA_H
#define WARPSIM_MMA_METADATA_H

#include "fragment.h"

static inline bool ws_mma_is_int4(int type) { return type == WS_TYPE_S4 || type == WS_TYPE_U4; }

/* Indices of one row. */
static inline int ws_mma_indices(const ws_mma *mma) {
    if (mma->a == WS_TYPE_TF32) return mma->k;
    return ws_mma_is_int4(mma->a) ? mma->k / 4 : mma->k / 2;
}

/* How many selectors there are; 0 if the product is not sparse. */
static inline int ws_mma_selectors(const ws_mma *mma) { return ws_mma_is_sparse(mma) ? 32 / ws_mma_indices(mma) : 0; }

/* The index that is field `i` (two bits each, low first) of a lane's word: its selector as the product, the row of A
 * and which index of that row it is. The reverse of ws_mma_row_indices. */
static inline ws_mma_place ws_mma_index_at(const ws_mma *mma, int lane, int i) {
    const int indices = ws_mma_indices(mma), g = lane >> 2, t = lane & 3;
    if (indices == 8) return ws_mma_place_of(t, g + 8 * (i >> 3), i & 7);
    if (indices == 32) return ws_mma_place_of(0, g + 8 * (t & 1), i + 16 * (t >> 1));
    if (ws_type_bits(mma->a) >= 16) return ws_mma_place_of(t >> 1, g + 8 * (i >> 3), (i & 7) + 8 * (t & 1));
    return ws_mma_place_of(t >> 1, g + 8 * (t & 1), i);
}

/* The string of a row: index j in the bits 2 j, 2 j + 1. `word`: of the four lanes of the row's quad. */
static inline uint64_t ws_mma_row_indices(const ws_mma *mma, const uint32_t word[4], bool upper, int selector) {
    const int indices = ws_mma_indices(mma), half = upper ? 16 : 0;
    if (indices == 8) return word[selector & 3] >> half & 0xffff;
    if (indices == 32) return word[upper] | (uint64_t)word[2 + upper] << 32;
    selector = selector & 1;
    if (ws_type_bits(mma->a) >= 16) {
        return (word[2 * selector] >> half & 0xffff) | (word[2 * selector + 1] >> half & 0xffff) << 16;
    }
    return word[2 * selector + upper];
}

/* Stored elements that share an index: element j has index j / these, and with index x it meets row
 * these x (4 (j / these / 2) + x) + j % these of B. tf32 is different: see below. */
static inline int ws_mma_index_elements(const ws_mma *mma) { return ws_mma_is_int4(mma->a) ? 2 : 1; }

/* tf32: the element that stored element j meets, made of halves of a pair of elements of B. */
static inline uint32_t ws_mma_met_halves(uint64_t indices, int j, const uint32_t pair[2]) {
    const int low = (int)(indices >> 4 * j & 3), high = (int)(indices >> (4 * j + 2) & 3);
    return (pair[low >> 1] >> 16 * (low & 1) & 0xffff) | (pair[high >> 1] >> 16 * (high & 1) & 0xffff) << 16;
}

#endif
