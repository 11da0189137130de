/* mma, mma.sp and wmma.mma of a warp: the products of the room mma, on rows. */
#ifndef WARPSIM_RUN_PRODUCT_H
#define WARPSIM_RUN_PRODUCT_H

#include "../mma/multiply.h"
#include "block.h"

/* list: rows of a, b, c, d, one after the other; source 0: metadata; source 4: the plan. */
static inline void ws_do_product_once(ws_lanes *lanes, const ws_step *step, uint32_t mask) {
    const ws_mma_plan *plan = &ws_block_of(lanes)->program->plans[step->s[4]];
    const uint32_t *list = lanes->list + step->list;
    const int a = ws_mma_registers(&plan->mma, WS_OPERAND_A), b = ws_mma_registers(&plan->mma, WS_OPERAND_B);
    const int c = ws_mma_registers(&plan->mma, WS_OPERAND_C), d = ws_mma_registers(&plan->mma, WS_OPERAND_D);
    ws_mma_view view;
    int i;
    if (mask == 0) return;
    if (mask != WS_ALL_LANES) {
        ws_stop_at(lanes, step, WS_STOP_DIVERGED, mask);
        return;
    }
    if (!ws_mma_plan_is_measured(plan)) ws_ran_inexact(lanes, step);
    view.a_stride = view.b_stride = view.c_stride = view.d_stride = view.metadata_stride = 1;
    for (i = 0; i < WS_MMA_MAX_REGISTERS; i++) {
        view.a[i] = ws_row(lanes, list[i < a ? i : 0]);
        view.b[i] = ws_row(lanes, list[a + (i < b ? i : 0)]);
        view.c[i] = ws_row(lanes, list[a + b + (i < c ? i : 0)]);
        view.d[i] = ws_row(lanes, list[a + b + c + (i < d ? i : 0)]);
    }
    view.metadata = step->s[0] != WS_NONE ? ws_row(lanes, step->s[0]) : NULL;
    ws_mma_run(plan, &view);
}

/* clang-format off */
#define WS_MEANINGS_PRODUCT(X) X(PRODUCT, product, SCALAR)
/* clang-format on */

#endif
