/* Products with block scaling: D = (A x scale of A) x (B x scale of B) + C.
 *
 *     mxf8f6f4          a step of all products, whose exponents the factors raise
 *     mxf4, mxf4nvf4    terms: the exact sum of 16 products, times the significands of both factors; the exponent of a term
 *                       is that of its factors, whatever the sum is
 *
 * Terms and C are cut toward zero below the largest exponent, summed exactly and rounded toward zero (exact.h). Source: Xie,
 * Wang, Yang, Yang, MMA-Sim, arXiv 2511.10909; not measured. A NaN among the factors, or a NaN in C, is a NaN. */
#ifndef WARPSIM_MMA_SCALED_H
#define WARPSIM_MMA_SCALED_H

#include "exact.h"

enum { WS_MMA_TERM = 16 /* stored elements of a term */ };

/* A factor: significand x 2^exponent; the bits below the point of the significand are `point`. */
typedef struct ws_mma_factor {
    uint32_t significand;
    int exponent;
    bool nan;
} ws_mma_factor;

static inline ws_mma_factor ws_mma_factor_of(int type, uint32_t bits) {
    ws_mma_factor factor;
    if (type == WS_TYPE_UE8M0) {
        factor.significand = 1;
        factor.exponent = (int)(bits & 0xff) - 127;
        factor.nan = (bits & 0xff) == 0xff;
    } else {
        const ws_exact value = ws_exact_of(WS_FORMAT_E4M3, bits & 0x7f);
        factor.significand = (uint32_t)value.significand;
        factor.exponent = value.exponent;
        factor.nan = (bits & 0x7f) == 0x7f;
    }
    return factor;
}

static inline int ws_mma_factor_point(int type) { return type == WS_TYPE_UE8M0 ? 0 : 3; }

/* The elements of one result, in order. */
static inline void ws_mma_scaled_elements(const ws_mma_plan *plan, const ws_mma_tile *tile, int row, int col,
                                          uint32_t *a, uint32_t *b) {
    const uint8_t *meets = ws_mma_meets(plan, tile, row);
    int k;
    for (k = 0; k < plan->stored; k++) {
        a[k] = ws_mma_element(&plan->a, tile->a + row, WS_MMA_ROWS, plan->a_words, plan->a_order[k]);
        b[k] = ws_mma_element(&plan->b, tile->b + col, WS_MMA_COLS, plan->b_words, meets[k]);
    }
}

/* The sum of 16 products of e2m1, in quarters. */
static inline int64_t ws_mma_quarters(const uint32_t *a, const uint32_t *b) {
    static const int8_t halves[16] = {0, 1, 2, 3, 4, 6, 8, 12, 0, -1, -2, -3, -4, -6, -8, -12};
    int64_t sum = 0;
    int k;
    for (k = 0; k < WS_MMA_TERM; k++) sum += halves[a[k] & 15] * halves[b[k] & 15];
    return sum;
}

/* One result of mxf4 and mxf4nvf4. */
static inline uint32_t ws_mma_terms(const ws_mma_plan *plan, const ws_mma_step *step, const uint32_t *a,
                                    const uint32_t *b, uint32_t a_scales, uint32_t b_scales, uint32_t c) {
    const int chunk = plan->stored / plan->mma.scale_vec, points = 2 * ws_mma_factor_point(plan->mma.scale);
    const ws_exact z = ws_exact_of(WS_FORMAT_F32, c);
    ws_mma_sum sum = {0, WS_MMA_NO_EXPONENT, false, false, false};
    int64_t term[(int)WS_MMA_MAX_STORED / WS_MMA_TERM];
    int exponent[(int)WS_MMA_MAX_STORED / WS_MMA_TERM], i;
    const int terms = plan->stored / WS_MMA_TERM;
    for (i = 0; i < terms; i++) {
        const int shift = 8 * (i * WS_MMA_TERM / chunk);
        const ws_mma_factor x = ws_mma_factor_of(plan->mma.scale, a_scales >> shift);
        const ws_mma_factor y = ws_mma_factor_of(plan->mma.scale, b_scales >> shift);
        sum.nan = sum.nan || x.nan || y.nan;
        term[i] = ws_mma_quarters(a + i * WS_MMA_TERM, b + i * WS_MMA_TERM) * x.significand * y.significand;
        exponent[i] = x.exponent + y.exponent;
        if (x.significand * y.significand != 0 && exponent[i] + points > sum.exponent)
            sum.exponent = exponent[i] + points;
    }
    if (sum.nan || ws_is_nan(WS_FORMAT_F32, c)) return WS_NAN_F32;
    if (ws_is_infinite(WS_FORMAT_F32, c)) return c;
    if (z.significand != 0 && z.exponent + 23 > sum.exponent) sum.exponent = z.exponent + 23;
    for (i = 0; i < terms; i++) {
        const uint64_t size = (uint64_t)(term[i] < 0 ? -term[i] : term[i]);
        sum.total += ws_mma_cut(size, exponent[i] - 2, sum.exponent - step->fraction, term[i] < 0);
    }
    sum.total += ws_mma_cut(z.significand, z.exponent, sum.exponent - step->fraction, z.negative);
    return ws_mma_round(step, &sum);
}

/* D of a tile. */
static inline void ws_mma_scaled_tile(const ws_mma_plan *plan, const ws_mma_step *step, ws_mma_tile *tile) {
    uint32_t a[WS_MMA_MAX_STORED], b[WS_MMA_MAX_STORED];
    int i;
    for (i = 0; i < WS_MMA_ROWS * WS_MMA_COLS; i++) {
        const int row = i / WS_MMA_COLS, col = i % WS_MMA_COLS;
        ws_mma_scaled_elements(plan, tile, row, col, a, b);
        if (plan->mma.narrow >= WS_MMA_MXF4) {
            tile->d[i] = ws_mma_terms(plan, step, a, b, tile->a_scales[row], tile->b_scales[col], tile->c[i]);
        } else {
            const ws_mma_factor x = ws_mma_factor_of(plan->mma.scale, tile->a_scales[row]);
            const ws_mma_factor y = ws_mma_factor_of(plan->mma.scale, tile->b_scales[col]);
            ws_mma_step scaled = *step;
            scaled.scale = x.exponent + y.exponent;
            tile->d[i] = x.nan || y.nan ? WS_NAN_F32 : ws_mma_exact_step(&scaled, a, b, plan->step, tile->c[i]);
        }
    }
}

#endif
