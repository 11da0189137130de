/* One piece of a product as matrices of words, and its way from and to the registers of a warp.
 *
 *     a[word][row]   b[word][column]   c, d[row][column]: 32 bits each, f16 in the low half
 *
 * A word is a register's 32 bits: 32 / bits elements of one row of A, or column of B. This file knows nothing about
 * arithmetic. */
#ifndef WARPSIM_MMA_TILE_H
#define WARPSIM_MMA_TILE_H

#include "plan.h"

enum { WS_MMA_ROWS = 16, WS_MMA_COLS = 8, WS_MMA_A_WORDS = 8, WS_MMA_B_WORDS = 16, WS_MMA_VALUES = 128 };

/* The registers of one warp: word `lane * stride` of each pointer is a lane's. The results may be registers of the
 * operands. */
typedef struct ws_mma_view {
    const uint32_t *a[WS_MMA_MAX_REGISTERS];
    const uint32_t *b[WS_MMA_MAX_REGISTERS];
    const uint32_t *c[WS_MMA_MAX_REGISTERS];
    uint32_t *d[WS_MMA_MAX_REGISTERS];
    const uint32_t *metadata;    /* mma.sp; else NULL */
    const uint32_t *scales[2];   /* of A and B with .block_scale; else NULL */
    ws_mma_scale_id scale_id[2]; /* which exist */
    size_t a_stride, b_stride, c_stride, d_stride, metadata_stride, scale_stride;
} ws_mma_view;

typedef struct ws_mma_tile {
    uint32_t a[WS_MMA_A_WORDS * WS_MMA_ROWS];
    uint32_t b[WS_MMA_B_WORDS * WS_MMA_COLS];
    uint32_t c[WS_MMA_ROWS * WS_MMA_COLS];
    uint32_t d[WS_MMA_ROWS * WS_MMA_COLS];
    uint32_t a_scales[WS_MMA_ROWS], b_scales[WS_MMA_COLS]; /* bytes: the factors of a row of A, of a column of B */
    uint8_t meets[WS_MMA_ROWS]
                 [WS_MMA_MAX_STORED];             /* mma.sp: places of what stored elements meet, as b_order; tf32: rows
                                                    * of `halves` */
    uint32_t halves[WS_MMA_VALUES * WS_MMA_COLS]; /* tf32 mma.sp: what element j of row i meets is row stored x i + j */
} ws_mma_tile;

static inline void ws_mma_load_a(const uint32_t *const *registers, size_t stride, int count, int rows,
                                 ws_mma_tile *tile) {
    int r, g, t;
    for (r = 0; r < count; r++) {
        const int below = rows == 16 ? 8 * (r & 1) : 0, word = rows == 16 ? 4 * (r >> 1) : 4 * r;
        for (g = 0; g < 8; g++) {
            for (t = 0; t < 4; t++) tile->a[16 * (word + t) + below + g] = registers[r][(size_t)(4 * g + t) * stride];
        }
    }
}

static inline void ws_mma_load_b(const uint32_t *const *registers, size_t stride, int count, ws_mma_tile *tile) {
    int r, g, t;
    for (r = 0; r < count; r++) {
        for (g = 0; g < 8; g++) {
            for (t = 0; t < 4; t++) tile->b[8 * (4 * r + t) + g] = registers[r][(size_t)(4 * g + t) * stride];
        }
    }
}

static inline void ws_mma_load_c(const uint32_t *const *registers, size_t stride, int count, bool is_f16,
                                 ws_mma_tile *tile) {
    int r, g, t;
    for (r = 0; r < count; r++) {
        const uint32_t *from = registers[r];
        for (g = 0; g < 8; g++) {
            for (t = 0; t < 4; t++) {
                const uint32_t word = from[(size_t)(4 * g + t) * stride];
                if (is_f16) {
                    tile->c[8 * (8 * r + g) + 2 * t] = word & 0xffff;
                    tile->c[8 * (8 * r + g) + 2 * t + 1] = word >> 16;
                } else {
                    tile->c[8 * (8 * (r >> 1) + g) + 2 * t + (r & 1)] = word;
                }
            }
        }
    }
}

static inline void ws_mma_store_d(const ws_mma_tile *tile, bool is_f16, int count, uint32_t *const *registers,
                                  size_t stride) {
    int r, g, t;
    for (r = 0; r < count; r++) {
        uint32_t *to = registers[r];
        for (g = 0; g < 8; g++) {
            for (t = 0; t < 4; t++) {
                const uint32_t *row = tile->d + 8 * (8 * (is_f16 ? r : r >> 1) + g) + 2 * t;
                to[(size_t)(4 * g + t) * stride] = is_f16 ? row[0] | row[1] << 16 : row[r & 1];
            }
        }
    }
}

/* tf32: the elements that those of row i meet, side by side. */
static inline void ws_mma_load_halves(const ws_mma_plan *plan, uint64_t indices, int i, ws_mma_tile *tile) {
    int j, n;
    for (j = 0; j < plan->stored; j++) {
        tile->meets[i][j] = (uint8_t)(plan->stored * i + j);
        for (n = 0; n < WS_MMA_COLS; n++) {
            const uint32_t pair[2] = {tile->b[16 * j + n], tile->b[16 * j + 8 + n]};
            tile->halves[8 * (plan->stored * i + j) + n] = ws_mma_met_halves(indices, j, pair);
        }
    }
}

static inline void ws_mma_load_metadata(const ws_mma_plan *plan, const uint32_t *metadata, size_t stride,
                                        ws_mma_tile *tile) {
    const int unit = ws_mma_index_elements(&plan->mma);
    int i, j;
    for (i = 0; i < WS_MMA_ROWS; i++) {
        uint32_t word[4];
        uint64_t indices;
        for (j = 0; j < 4; j++) word[j] = metadata[(size_t)(4 * (i & 7) + j) * stride];
        indices = ws_mma_row_indices(&plan->mma, word, i >= 8, plan->selector);
        if (plan->mma.a == WS_TYPE_TF32) {
            ws_mma_load_halves(plan, indices, i, tile);
        } else {
            for (j = 0; j < plan->stored; j++) {
                const int index = (int)(indices >> 2 * plan->index[j] & 3);
                tile->meets[i][j] = plan->places[plan->first[j] + unit * index];
            }
        }
    }
}

static inline void ws_mma_load_scales(const ws_mma_view *view, ws_mma_tile *tile) {
    int i;
    for (i = 0; i < WS_MMA_ROWS; i++) {
        tile->a_scales[i] = ws_mma_scales_of(WS_OPERAND_A, view->scales[0], view->scale_stride, view->scale_id[0], i);
    }
    for (i = 0; i < WS_MMA_COLS; i++) {
        tile->b_scales[i] = ws_mma_scales_of(WS_OPERAND_B, view->scales[1], view->scale_stride, view->scale_id[1], i);
    }
}

/* Piece `p` of the operands. */
static inline void ws_mma_load(const ws_mma_plan *plan, const ws_mma_view *view, int p, ws_mma_tile *tile) {
    const uint32_t *const *a = plan->swapped ? view->b : view->a, *const *b = plan->swapped ? view->a : view->b;
    const size_t a_stride = plan->swapped ? view->b_stride : view->a_stride;
    const size_t b_stride = plan->swapped ? view->a_stride : view->b_stride;
    ws_mma_load_a(a + (plan->a_pieces ? p * plan->a_registers : 0), a_stride, plan->a_registers, plan->rows, tile);
    ws_mma_load_b(b + (plan->b_pieces ? p * plan->b_registers : 0), b_stride, plan->b_registers, tile);
    ws_mma_load_c(view->c + p * plan->c_registers, view->c_stride, plan->c_registers, plan->mma.c == WS_TYPE_F16, tile);
    if (ws_mma_is_sparse(&plan->mma)) ws_mma_load_metadata(plan, view->metadata, view->metadata_stride, tile);
    if (plan->mma.scale_vec != 0) ws_mma_load_scales(view, tile);
}

/* The places of what the elements of row i of A meet, in the order of the steps. */
static inline const uint8_t *ws_mma_meets(const ws_mma_plan *plan, const ws_mma_tile *tile, int i) {
    return ws_mma_is_sparse(&plan->mma) ? tile->meets[i] : plan->b_order;
}

/* The words of B that those places count in; tf32 mma.sp has its own. */
static inline bool ws_mma_has_halves(const ws_mma_plan *plan) {
    return ws_mma_is_sparse(&plan->mma) && plan->mma.a == WS_TYPE_TF32;
}

#endif
