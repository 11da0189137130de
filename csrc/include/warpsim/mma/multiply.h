/* Products of warps: D = A x B + C, bit for bit as the hardware computes them.
 *
 *     registers of a warp -> matrices of words (tile.h) -> steps (step_block.h, or exact.h) -> registers
 *
 * ws_mma_run computes one product on any registers; ws_mma_multiply many, on arrays. */
#ifndef WARPSIM_MMA_MULTIPLY_H
#define WARPSIM_MMA_MULTIPLY_H

#include "chain.h"
#include "levels.h"
#include "scaled.h"

static inline ws_mma_step ws_mma_step_of(const ws_mma_plan *plan) {
    ws_mma_step step = {0, 0, 0, 0, 0, 0, false};
    if (plan->arithmetic == NULL) return step;
    step.a_format = plan->is_widened ? (int)WS_FORMAT_F16 : plan->a.format;
    step.b_format = plan->is_widened ? (int)WS_FORMAT_F16 : plan->b.format;
    step.floor = plan->floor;
    step.fraction = plan->arithmetic->fraction;
    step.kept = plan->arithmetic->kept;
    step.is_f16 = plan->is_f16;
    return step;
}

/* One result, exactly. */
static inline uint32_t ws_mma_exact_result(const ws_mma_plan *plan, const ws_mma_step *step, const ws_mma_tile *tile,
                                           int row, int col) {
    const bool halves = ws_mma_has_halves(plan);
    const uint32_t *of_b = (halves ? tile->halves : tile->b) + col;
    const int b_words = halves ? 16 * plan->stored : plan->b_words;
    const uint8_t *meets = ws_mma_meets(plan, tile, row);
    const uint32_t held = tile->c[8 * row + col];
    const uint32_t c = plan->mma.c == WS_TYPE_F16 && !plan->is_f16 ? ws_mma_f32_of_f16(held) : held;
    uint32_t a[WS_MMA_MAX_STORED], b[WS_MMA_MAX_STORED], sum = plan->is_widened ? 0 : c;
    int k;
    for (k = 0; k < plan->stored; k++) {
        a[k] = ws_mma_element(&plan->a, tile->a + row, WS_MMA_ROWS, plan->a_words, plan->a_order[k]);
        b[k] = ws_mma_element(&plan->b, of_b, WS_MMA_COLS, b_words, meets[k]);
        if (plan->is_widened) {
            a[k] = ws_mma_widen(plan->a.format, a[k]);
            b[k] = ws_mma_widen(plan->b.format, b[k]);
        }
    }
    for (k = 0; k < plan->stored; k += plan->step) sum = ws_mma_exact_step(step, a + k, b + k, plan->step, sum);
    if (plan->is_widened) {
        return ws_mma_ordinary_sum(plan->is_f16 ? WS_FORMAT_F16 : WS_FORMAT_F32, c, sum);
    }
    return plan->mma.d == WS_TYPE_F16 && !plan->is_f16 ? ws_mma_f16_of_f32(sum) : sum;
}

static inline void ws_mma_exact_tile(const ws_mma_plan *plan, const ws_mma_step *step, ws_mma_tile *tile) {
    int i;
    for (i = 0; i < plan->rows * WS_MMA_COLS; i++) tile->d[i] = ws_mma_exact_result(plan, step, tile, i / 8, i % 8);
}

#if WS_HAS_X86
#define WS_MMA_AT_LEVEL(level, function, ...)                                                                          \
    ((level) == WS_SIMD_AVX512 ? function##_avx512(__VA_ARGS__)                                                        \
     : (level) == WS_SIMD_AVX2 ? function##_avx2(__VA_ARGS__)                                                          \
     : (level) == WS_SIMD_SSE2 ? function##_sse2(__VA_ARGS__)                                                          \
                               : function##_portable(__VA_ARGS__))
#else
#define WS_MMA_AT_LEVEL(level, function, ...) function##_portable(__VA_ARGS__)
#endif

/* D of one piece. */
static inline void ws_mma_compute(const ws_mma_plan *plan, const ws_mma_step *step, ws_mma_tile *tile) {
    ws_mma_numbers numbers;
    switch (plan->path) {
        case WS_MMA_BIT_COUNTS: WS_MMA_AT_LEVEL(plan->level, ws_mma_bit_counts, plan, tile); return;
        case WS_MMA_INTEGERS: WS_MMA_AT_LEVEL(plan->level, ws_mma_integers, plan, tile, &numbers); return;
        case WS_MMA_SCALED: ws_mma_scaled_tile(plan, step, tile); return;
        default: break;
    }
    if (plan->is_quick && WS_MMA_AT_LEVEL(plan->level, ws_mma_steps, plan, step, tile, &numbers)) return;
    ws_mma_exact_tile(plan, step, tile);
}

/* The product of one warp. */
static inline void ws_mma_run(const ws_mma_plan *plan, const ws_mma_view *view) {
    const ws_mma_step step = ws_mma_step_of(plan);
    const bool is_f16 = plan->mma.d == WS_TYPE_F16;
    ws_mma_tile first, second;
    if (plan->path == WS_MMA_CHAIN) {
        ws_mma_chain(plan, view);
        return;
    }
    if (plan->path == WS_MMA_QUADS) {
        ws_mma_quad_products(plan, &step, view);
        return;
    }
    ws_mma_load(plan, view, 0, &first);
    if (plan->pieces > 1) {
        ws_mma_load(plan, view, 1, &second);
        ws_mma_compute(plan, &step, &second);
        ws_mma_store_d(&second, is_f16, plan->d_registers, view->d + plan->d_registers, view->d_stride);
    }
    ws_mma_compute(plan, &step, &first);
    ws_mma_store_d(&first, is_f16, plan->d_registers, view->d, view->d_stride);
}

/* Operands of many products: a, b, c, d [n][32][registers], metadata [n][32] (NULL if not sparse), the factors of A and
 * B [n][32] (NULL without .block_scale). */
typedef struct ws_mma_batch {
    const uint32_t *a, *b, *c, *metadata;
    uint32_t *d;
    int selector;
    const uint32_t *scales[2];
    ws_mma_scale_id scale_id[2];
} ws_mma_batch;

static inline void ws_mma_batch_view(const ws_mma *mma, const ws_mma_batch *batch, size_t i, ws_mma_view *view) {
    int r;
    view->a_stride = (size_t)ws_mma_registers(mma, WS_OPERAND_A);
    view->b_stride = (size_t)ws_mma_registers(mma, WS_OPERAND_B);
    view->c_stride = (size_t)ws_mma_registers(mma, WS_OPERAND_C);
    view->d_stride = (size_t)ws_mma_registers(mma, WS_OPERAND_D);
    view->metadata_stride = 1;
    for (r = 0; r < WS_MMA_MAX_REGISTERS; r++) {
        view->a[r] = batch->a + i * WS_LANES * view->a_stride + ((size_t)r < view->a_stride ? r : 0);
        view->b[r] = batch->b + i * WS_LANES * view->b_stride + ((size_t)r < view->b_stride ? r : 0);
        view->c[r] = batch->c + i * WS_LANES * view->c_stride + ((size_t)r < view->c_stride ? r : 0);
        view->d[r] = batch->d + i * WS_LANES * view->d_stride + ((size_t)r < view->d_stride ? r : 0);
    }
    view->metadata = batch->metadata != NULL ? batch->metadata + i * WS_LANES : NULL;
    view->scale_stride = 1;
    for (r = 0; r < 2; r++) {
        view->scales[r] = batch->scales[r] != NULL ? batch->scales[r] + i * WS_LANES : NULL;
        view->scale_id[r] = batch->scale_id[r];
    }
}

/* Products `first` to `last` - 1 of the batch. d may be c. */
static inline void ws_mma_multiply_range(const ws_mma_plan *plan, const ws_mma_batch *batch, size_t first,
                                         size_t last) {
    ws_mma_view view;
    for (; first < last; first++) {
        ws_mma_batch_view(&plan->mma, batch, first, &view);
        ws_mma_run(plan, &view);
    }
}

/* n products on sm_`sm` (90 of sm_90a); simd: a level of base/cpu.h. */
static inline ws_status ws_mma_multiply(const ws_mma *mma, int sm, const ws_mma_batch *batch, size_t n, int simd,
                                        ws_error *error) {
    ws_mma_plan plan;
    WS_RETURN_IF_ERROR(ws_mma_plan_make(mma, sm, batch->selector, simd, &plan, error));
    if (ws_mma_is_sparse(mma) && batch->metadata == NULL) {
        return ws_error_wrong(error, "metadata", "expected a word of each lane: the product is sparse");
    }
    if (mma->scale_vec != 0 && (batch->scales[0] == NULL || batch->scales[1] == NULL ||
                                !ws_mma_scale_id_exists(mma, WS_OPERAND_A, batch->scale_id[0]) ||
                                !ws_mma_scale_id_exists(mma, WS_OPERAND_B, batch->scale_id[1]))) {
        return ws_error_wrong(error, "scales",
                              "expected a word of each lane, and ids that exist: the product has scales");
    }
    ws_mma_multiply_range(&plan, batch, 0, n);
    return WS_OK;
}

#endif
