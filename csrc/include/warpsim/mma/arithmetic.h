/* How the tensor cores of each generation add: THE table of their steps.
 *
 * A step adds `products` products and C: all are cut toward zero `fraction` bits below the largest exponent, which counts
 * as at least the floor, and summed exactly; f32 results are rounded toward zero, f16 to nearest even. An instruction
 * with more products makes several steps, rounded in between.
 *
 * Sources: [M] measured for warpsim on H200: 458 forms, 952320 products, all equal. [X] Xie, Wang, Yang, Yang, MMA-Sim,
 * arXiv 2511.10909. [K] Khattak, Mikaitis, Accurate Models of NVIDIA Tensor Cores, arXiv 2512.07004. Which instructions a
 * form is made of on a target is what ptxas 13.0 emits.
 *
 * This file knows nothing about how a step is computed. */
#ifndef WARPSIM_MMA_ARITHMETIC_H
#define WARPSIM_MMA_ARITHMETIC_H

#include "form.h"

typedef enum ws_mma_family { WS_MMA_HALF = 0, WS_MMA_TF32, WS_MMA_FP8 } ws_mma_family;

enum { WS_MMA_NO_FLOOR = -20000, WS_MMA_F32_BITS = 23 };

typedef struct ws_mma_arithmetic {
    uint8_t first_sm, last_sm;
    uint8_t family;    /* ws_mma_family */
    bool is_widened;   /* fp8: as f16, in two steps (k mod 4 = 0, 1; then 2, 3) from zero; C is added last */
    uint8_t products;  /* of a step */
    uint8_t fraction;  /* bits below the largest exponent */
    int16_t floor_f32; /* the largest exponent counts as at least this */
    int16_t floor_f16;
    uint8_t kept;     /* mantissa bits of f32 results */
    bool is_measured; /* by warpsim; else published by others */
    const char *source;
} ws_mma_arithmetic;

/* clang-format off */
static const ws_mma_arithmetic ws_mma_arithmetics[] = {
    /*sm   to   family       widened products
                                      fraction floors   kept measured source */
    {70,  74,  WS_MMA_HALF, false, 4,  23, WS_MMA_NO_FLOOR, -19, 23, false, "[X], [K]"},
    {75,  79,  WS_MMA_HALF, false, 8,  24, -132, -20, 23, false, "[X]; floors as of sm_80"},
    {80,  89,  WS_MMA_HALF, false, 8,  24, -132, -20, 23, false, "[X], [K]"},
    {80,  89,  WS_MMA_TF32, false, 4,  24, -132, -20, 23, false, "[X], [K]"},
    {89,  89,  WS_MMA_FP8,  false, 16, 13, -132, -20, 13, false, "[X], [K]"},
    {90,  99,  WS_MMA_HALF, false, 16, 25, -133, -21, 23, true,  "[M]"},
    {90,  99,  WS_MMA_TF32, false, 8,  25, -133, -21, 23, true,  "[M]"},
    {90,  99,  WS_MMA_FP8,  true,  16, 25, -133, -21, 23, true,  "[M]"},
    {100, 255, WS_MMA_HALF, false, 16, 25, -133, -21, 23, false, "[X], [K]"},
    {100, 255, WS_MMA_TF32, false, 8,  25, -133, -21, 23, false, "[X], [K]"},
    {100, 119, WS_MMA_FP8,  true,  16, 25, -133, -21, 23, false, "the instructions of sm_90 [M]"},
    {120, 255, WS_MMA_FP8,  false, 32, 25, -133, -21, 23, false, "[X], [K]"},
};
/* clang-format on */

/* Products of these types are exact whatever the target. */
static inline bool ws_mma_is_exact(int type) {
    return type == WS_TYPE_F64 || type == WS_TYPE_B1 || type == WS_TYPE_S8 || type == WS_TYPE_U8 ||
           type == WS_TYPE_S4 || type == WS_TYPE_U4;
}

static inline int ws_mma_family_of(int type) {
    if (type == WS_TYPE_F16 || type == WS_TYPE_BF16) return WS_MMA_HALF;
    return type == WS_TYPE_TF32 ? WS_MMA_TF32 : WS_MMA_FP8;
}

/* The row of factors of this type on sm_`sm`; NULL: integers and f64, which need none, or a target without them. */
static inline const ws_mma_arithmetic *ws_mma_arithmetic_of(int type, int sm) {
    const int rows = (int)(sizeof ws_mma_arithmetics / sizeof ws_mma_arithmetics[0]);
    int i;
    if (ws_mma_is_exact(type)) return NULL;
    for (i = 0; i < rows; i++) {
        const ws_mma_arithmetic *row = &ws_mma_arithmetics[i];
        if (row->family == ws_mma_family_of(type) && sm >= row->first_sm && sm <= row->last_sm) return row;
    }
    return NULL;
}

/* Forms with factors; the exponents of mxf8f6f4 are those of products and factors together, a term of mxf4 and mxf4nvf4
 * is the exact sum of 16 products times both factors, its exponent that of the factors. */
static inline const ws_mma_arithmetic *ws_mma_arithmetic_of_form(const ws_mma *mma, int sm) {
    static const ws_mma_arithmetic rows[] = {
        {120, 255, WS_MMA_FP8, false, 32, 25, WS_MMA_NO_FLOOR, WS_MMA_NO_FLOOR, 23, false, "[X]"},
        {120, 255, WS_MMA_FP8, false, 64, 35, WS_MMA_NO_FLOOR, WS_MMA_NO_FLOOR, 23, false, "[X]"},
    };
    if (mma->scale_vec == 0) return ws_mma_arithmetic_of(mma->a, sm);
    return sm >= 120 ? &rows[mma->narrow >= WS_MMA_MXF4] : NULL;
}

/* f16 m8n8k4 is made of ordinary f32 instructions from sm_80 on. */
static inline bool ws_mma_is_fused(const ws_mma *mma, int sm) { return ws_mma_products(mma) > 1 && sm >= 80; }

#endif
