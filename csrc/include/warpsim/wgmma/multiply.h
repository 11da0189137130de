/* D = A x B + D of a warpgroup, bit for bit as the hardware computes it.
 *
 * Eight columns of B at a time are decoded once and meet the rows of the four warps, which are decoded once for all
 * columns: a step of 16 x 8 results is that of mma. */
#ifndef WARPSIM_WGMMA_MULTIPLY_H
#define WARPSIM_WGMMA_MULTIPLY_H

#include "../mma/multiply.h"
#include "operand.h"
#include "plan.h"

/* Registers of one warp: word `lane` of each pointer is a lane's. */
typedef struct ws_wgmma_warp {
    uint32_t *d[WS_WGMMA_MOST_REGISTERS];
    const uint32_t *a[WS_WGMMA_A_REGISTERS]; /* if A is in registers */
    const uint32_t *metadata;                /* .sp; else NULL */
} ws_wgmma_warp;

typedef struct ws_wgmma_product {
    const ws_mma_plan *plan;
    uint32_t cols;
    bool reads_d;           /* else D counts as zeros */
    bool negates;           /* A x B changes its sign */
    bool shares_a;          /* A is in shared memory */
    bool line_a, line_b;    /* lines are contiguous there */
    uint64_t descriptor[2]; /* of A, of B */
    ws_wgmma_warp warp[WS_WGMMA_WARPS];
} ws_wgmma_product;

/* A and B in shared memory. */
static inline ws_wgmma_operand ws_wgmma_operand_of(const ws_wgmma_product *product, bool is_b) {
    ws_wgmma_operand operand;
    operand.matrix = ws_wgmma_matrix_of(product->descriptor[is_b], is_b ? product->line_b : product->line_a);
    operand.groups = is_b ? product->cols / WS_WGMMA_LINES : (int)WS_WGMMA_ROWS / (int)WS_WGMMA_LINES;
    operand.chunks = (uint32_t)(is_b ? product->plan->b_words : product->plan->a_words) / 4;
    return operand;
}

/* What is decoded: the rows of A of the four warps, eight columns of B. */
typedef struct ws_wgmma_numbers {
    float a[WS_WGMMA_WARPS][32 * WS_MMA_ROWS];
    int32_t a_exponent[WS_WGMMA_WARPS][32 * WS_MMA_ROWS];
    float b[WS_MMA_VALUES * WS_MMA_COLS];
    int32_t b_exponent[WS_MMA_VALUES * WS_MMA_COLS];
} ws_wgmma_numbers;

static inline void ws_wgmma_decode(const ws_mma_plan *plan, const ws_mma_format *format, const uint32_t *words,
                                   int count, float *value, int32_t *exponent) {
    const bool single = ws_mma_is_sparse(&plan->mma);
    if (plan->path == WS_MMA_STEPS) {
        WS_MMA_AT_LEVEL(plan->level, ws_mma_decode, format, words, count, value, exponent);
    } else if (plan->path == WS_MMA_INTEGERS) {
        WS_MMA_AT_LEVEL(plan->level, ws_mma_decode_pairs, format, words, count, single, exponent);
    }
}

/* The rows of A of warp `w`, and what they meet. */
static inline void ws_wgmma_load_a(const ws_wgmma_product *product, const uint8_t *shared, uint32_t w,
                                   ws_mma_tile *tile, ws_wgmma_numbers *numbers) {
    const ws_mma_plan *plan = product->plan;
    const ws_wgmma_operand a = ws_wgmma_operand_of(product, false);
    if (product->shares_a) {
        ws_wgmma_gather(&a, shared, 2 * w, WS_MMA_ROWS, tile->a);
        ws_wgmma_gather(&a, shared, 2 * w + 1, WS_MMA_ROWS, tile->a + WS_WGMMA_LINES);
    } else {
        ws_mma_load_a(product->warp[w].a, 1, WS_WGMMA_A_REGISTERS, WS_MMA_ROWS, tile);
    }
    if (product->negates) ws_wgmma_negate(plan->mma.a, tile->a, (uint32_t)plan->a_words * WS_MMA_ROWS);
    ws_wgmma_decode(plan, &plan->a, tile->a, plan->a_words * WS_MMA_ROWS, numbers->a[w], numbers->a_exponent[w]);
    if (ws_mma_is_sparse(&plan->mma) && !ws_mma_has_halves(plan))
        ws_mma_load_metadata(plan, product->warp[w].metadata, 1, tile);
}

static inline void ws_wgmma_copy_b(const ws_mma_plan *plan, const uint32_t *b, ws_mma_tile *tile) {
    int i;
    for (i = 0; i < plan->b_words * WS_MMA_COLS; i++) tile->b[i] = b[i];
}

/* D of 16 x 8 results. */
static inline void ws_wgmma_compute(const ws_mma_plan *plan, const ws_mma_step *step, const ws_mma_factors *factors,
                                    const uint32_t *b, ws_mma_tile *tile) {
    if (plan->path == WS_MMA_INTEGERS) {
        WS_MMA_AT_LEVEL(plan->level, ws_mma_whole_tile, plan, factors, tile);
        return;
    }
    if (plan->path == WS_MMA_STEPS && plan->is_quick &&
        WS_MMA_AT_LEVEL(plan->level, ws_mma_step_tile, plan, step, factors, tile)) {
        return;
    }
    ws_wgmma_copy_b(plan, b, tile);
    if (plan->path == WS_MMA_BIT_COUNTS) WS_MMA_AT_LEVEL(plan->level, ws_mma_bit_counts, plan, tile);
    else ws_mma_exact_tile(plan, step, tile);
}

static inline void ws_wgmma_load_c(const ws_wgmma_product *product, uint32_t w, uint32_t g, ws_mma_tile *tile) {
    const ws_mma_plan *plan = product->plan;
    int i;
    if (product->reads_d) {
        const uint32_t *c[4];
        for (i = 0; i < plan->c_registers; i++) c[i] = product->warp[w].d[g * plan->c_registers + (uint32_t)i];
        ws_mma_load_c(c, 1, plan->c_registers, plan->mma.c == WS_TYPE_F16, tile);
    } else {
        for (i = 0; i < WS_MMA_ROWS * WS_MMA_COLS; i++) tile->c[i] = 0;
    }
}

/* tf32: what elements meet is made of halves, for each row anew. */
static inline void ws_wgmma_load_halves(const ws_wgmma_product *product, uint32_t w, const uint32_t *b,
                                        ws_mma_tile *tile, ws_wgmma_numbers *numbers) {
    const ws_mma_plan *plan = product->plan;
    ws_wgmma_copy_b(plan, b, tile);
    ws_mma_load_metadata(plan, product->warp[w].metadata, 1, tile);
    ws_wgmma_decode(plan, &plan->b, tile->halves, 16 * plan->stored * WS_MMA_COLS, numbers->b, numbers->b_exponent);
}

/* The product of a warpgroup; all that it reads lies inside of `shared`. */
static inline void ws_wgmma_run(const ws_wgmma_product *product, const uint8_t *shared) {
    const ws_mma_plan *plan = product->plan;
    const ws_mma_step step = ws_mma_step_of(plan);
    const ws_wgmma_operand operand = ws_wgmma_operand_of(product, true);
    const bool halves = ws_mma_has_halves(plan);
    uint32_t b[WS_MMA_B_WORDS * WS_MMA_COLS], g, w;
    ws_wgmma_numbers numbers;
    ws_mma_tile tiles[WS_WGMMA_WARPS];
    for (w = 0; w < WS_WGMMA_WARPS; w++) ws_wgmma_load_a(product, shared, w, &tiles[w], &numbers);
    for (g = 0; g < operand.groups; g++) {
        ws_wgmma_gather(&operand, shared, g, WS_MMA_COLS, b);
        if (!halves) ws_wgmma_decode(plan, &plan->b, b, plan->b_words * WS_MMA_COLS, numbers.b, numbers.b_exponent);
        for (w = 0; w < WS_WGMMA_WARPS; w++) {
            ws_mma_tile *const tile = &tiles[w];
            const ws_mma_factors factors = {numbers.a[w], numbers.b, numbers.a_exponent[w], numbers.b_exponent};
            ws_wgmma_load_c(product, w, g, tile);
            if (halves) ws_wgmma_load_halves(product, w, b, tile, &numbers);
            ws_wgmma_compute(plan, &step, &factors, b, tile);
            ws_mma_store_d(tile, plan->is_f16, plan->d_registers, product->warp[w].d + g * plan->d_registers, 1);
        }
    }
}

#endif
