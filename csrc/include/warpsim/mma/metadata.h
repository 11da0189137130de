/* What a word of each lane tells about the elements: which of B those of A meet, the metadata of mma.sp; the factors of
 * block scaling, which PTX calls metadata too.
 *
 * Each stored element (of 4 bits: pair; tf32: half) has an index of two bits; those of a row are one string of bits, spread
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

/* Four bits: two stored elements share an index. */
static inline bool ws_mma_is_paired(const ws_mma *mma) { return ws_mma_bits_of(mma, WS_OPERAND_A) == 4; }

/* Indices of one row. */
static inline int ws_mma_indices(const ws_mma *mma) {
    if (mma->a == WS_TYPE_TF32) return mma->k;
    return ws_mma_is_paired(mma) ? mma->k / 4 : mma->k / 2;
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
static inline int ws_mma_index_elements(const ws_mma *mma) { return ws_mma_is_paired(mma) ? 2 : 1; }

/* tf32: the element that stored element j meets, made of halves of a pair of elements of B. */
static inline uint32_t ws_mma_met_halves(uint64_t indices, int j, const uint32_t pair[2]) {
    const int low = (int)(indices >> 4 * j & 3), high = (int)(indices >> (4 * j + 2) & 3);
    return (pair[low >> 1] >> 16 * (low & 1) & 0xffff) | (pair[high >> 1] >> 16 * (high & 1) & 0xffff) << 16;
}

/* The factors of block scaling: which byte of which lane's word is that of a chunk of a row of A, or a column of B.
 *
 *     factors of a row   1 (1X)          2 (2X)        4 (4X)          a row has K / 1, 2, 4 columns for each
 *     byte               id 0 .. 3       id 0, 2; + 1  0 .. 3          id: byte-id
 *     lane, A            4 g + 2 id for row g, 4 g + 2 id + 1 for row g + 8     id: thread-id, 0 or 1
 *     lane, B            4 g + id for column g                                  id: thread-id, 0 to 3
 *
 * ue8m0: 2^(bits - 127), 255 is NaN; ue4m3: e4m3 without its sign. Sources: PTX ISA, "Block scaling for mma.sync"; CuTe's
 * traits of sm_120 place the words alike. Not measured. */
/* How many threads of four can have the factors of A, in pairs, or of B. */
static inline int ws_mma_scale_threads(int operand) { return operand == WS_OPERAND_A ? 2 : 4; }

/* Which byte, which thread; as PTX's {byte-id, thread-id}. */
typedef struct ws_mma_scale_id {
    uint32_t byte, thread;
} ws_mma_scale_id;

static inline bool ws_mma_scale_id_exists(const ws_mma *mma, int operand, ws_mma_scale_id id) {
    return id.byte < 4 && id.byte % mma->scale_vec == 0 && id.thread < (uint32_t)ws_mma_scale_threads(operand);
}

/* The factor that is byte `i` of a lane's word: its id (thread x bytes + byte) as the product, row and column of the
 * matrix of factors. */
static inline ws_mma_place ws_mma_scale_at(const ws_mma *mma, int operand, int lane, int i) {
    const int vec = mma->scale_vec, g = lane >> 2, t = lane & 3;
    const int thread = operand == WS_OPERAND_A ? t >> 1 : t, id = thread * (4 / vec) + i / vec;
    return operand == WS_OPERAND_A ? ws_mma_place_of(id, g + 8 * (t & 1), i % vec) : ws_mma_place_of(id, i % vec, g);
}

/* The factors of a line: row of A or column of B; bytes, the first chunk's lowest. `words`: of the 32 lanes. */
static inline uint32_t ws_mma_scales_of(int operand, const uint32_t *words, size_t stride, ws_mma_scale_id id,
                                        int line) {
    const uint32_t lane = operand == WS_OPERAND_A ? 4 * ((uint32_t)line & 7) + 2 * id.thread + ((uint32_t)line >> 3)
                                                  : 4 * (uint32_t)line + id.thread;
    return words[lane * stride] >> 8 * id.byte;
}

#endif
