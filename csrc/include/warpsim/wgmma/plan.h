/* A product of a warpgroup that is ready to be computed: one plan of 16 x 8 results serves all of them.
 *
 * f16, bf16, tf32, integers and bits are those of mma on the same generation; products of 8-bit floating point are not:
 * one step of 32, with 13 bits below the largest exponent, whose f32 results keep 13 bits. Measured on H200: 58 forms,
 * 129,024 products, all equal.
 *
 * This file knows nothing about shared memory. */
#ifndef WARPSIM_WGMMA_PLAN_H
#define WARPSIM_WGMMA_PLAN_H

#include "../mma/plan.h"
#include "form.h"

enum { WS_WGMMA_SM = 90 };

static inline const ws_mma_arithmetic *ws_wgmma_arithmetic_of(int type) {
    static const ws_mma_arithmetic fp8 = {90, 99, WS_MMA_FP8, false, 32, 13, -133, -21, 13, true, "[M]"};
    if (!ws_mma_is_exact(type) && ws_mma_family_of(type) == WS_MMA_FP8) return &fp8;
    return ws_mma_arithmetic_of(type, WS_WGMMA_SM);
}

static inline ws_status ws_wgmma_plan_make(const ws_wgmma *wgmma, int selector, int simd, ws_mma_plan *plan,
                                           ws_error *error) {
    const ws_mma tile = ws_wgmma_tile(wgmma);
    const int selectors = wgmma->is_sparse ? ws_mma_selectors(&tile) : 1;
    if (selector < 0 || selector >= selectors) {
        return ws_error_wrong(error, "selector", "expected 0 or 1 with 16 indices a row, else 0");
    }
    plan->mma = tile;
    plan->arithmetic = ws_wgmma_arithmetic_of(tile.a);
    plan->path = (uint8_t)ws_mma_path_of(&tile);
    plan->level = (uint8_t)ws_simd_level(simd);
    plan->selector = (uint8_t)selector;
    plan->is_f16 = tile.d == WS_TYPE_F16;
    plan->is_fused = plan->is_widened = false;
    plan->floor = 0;
    plan->is_quick = true;
    plan->step = 0;
    plan->a = ws_mma_format_of(tile.a, false);
    plan->b = ws_mma_format_of(tile.b, false);
    ws_mma_plan_pieces(plan, &tile);
    if (plan->path <= WS_MMA_INTEGERS) ws_mma_plan_steps(plan);
    return WS_OK;
}

#endif
