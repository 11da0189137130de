/* Products on rows: mma, mma.sp and wmma.mma of a warp (the room mma), wgmma.mma_async of four (the room wgmma).
 *
 * The warps of a warpgroup wait for each other at its products; the last one to come computes all, at once: results are
 * there before PTX says so. Who looks at them too early is told by the check. */
#ifndef WARPSIM_RUN_PRODUCT_H
#define WARPSIM_RUN_PRODUCT_H

#include "../wgmma/multiply.h"
#include "control.h"

/* Modifiers of a warpgroup's product: ws_step.how. */
enum { WS_WGMMA_SHARES_A = 1, WS_WGMMA_LINE_A = 2, WS_WGMMA_LINE_B = 4, WS_WGMMA_NEGATES = 8 };

/* The factors of block scaling: list: for A and for B the row of the words, of the byte-id and of the thread-id. False: the
 * ids of lanes differ, or there is no factor where they say. */
static inline bool ws_product_scales(const ws_lanes *lanes, const ws_mma *mma, const uint32_t *list,
                                     ws_mma_view *view) {
    int i, lane;
    for (i = 0; i < 2; i++, list += 3) {
        const uint32_t *byte = ws_row(lanes, list[1]), *thread = ws_row(lanes, list[2]);
        view->scales[i] = ws_row(lanes, list[0]);
        view->scale_id[i].byte = byte[0] & 0xffff;
        view->scale_id[i].thread = thread[0] & 0xffff;
        if (!ws_mma_scale_id_exists(mma, i == 0 ? WS_OPERAND_A : WS_OPERAND_B, view->scale_id[i])) return false;
        for (lane = 1; lane < WS_LANES; lane++) {
            if ((byte[lane] ^ byte[0]) & 0xffff || (thread[lane] ^ thread[0]) & 0xffff) return false;
        }
    }
    view->scale_stride = 1;
    return true;
}

/* list: rows of a, b, c, d, one after the other, and the factors'. */
static inline void ws_do_product_once(ws_lanes *lanes, const ws_step *step, uint32_t mask) {
    const ws_mma_plan *plan = &ws_block_of(lanes)->program->plans[step->s[WS_S_PLAN]];
    const uint32_t *list = lanes->list + step->list;
    const int a = ws_mma_registers(&plan->mma, WS_OPERAND_A), b = ws_mma_registers(&plan->mma, WS_OPERAND_B);
    const int c = ws_mma_registers(&plan->mma, WS_OPERAND_C), d = ws_mma_registers(&plan->mma, WS_OPERAND_D);
    ws_mma_view view;
    int i;
    if (mask == 0) return;
    if (mask != WS_ALL_LANES) {
        ws_stop_at(lanes, step, WS_RUN_PART_OF_WARP, mask);
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
    view.metadata = step->s[WS_S_METADATA] != WS_NONE ? ws_row(lanes, step->s[WS_S_METADATA]) : NULL;
    if (plan->mma.scale_vec != 0 && !ws_product_scales(lanes, &plan->mma, list + a + b + c + d, &view)) {
        ws_stop_at(lanes, step, WS_RUN_SCALE, mask);
        return;
    }
    ws_mma_run(plan, &view);
}

static inline uint64_t ws_wgmma_word(const ws_lanes *lanes, uint32_t reference) {
    const uint32_t *const row = ws_row(lanes, reference);
    return row[0] | (uint64_t)row[WS_LANES] << 32;
}

/* What a warp gives to a product, in the frame in which it waits for it or executes it. */
static inline ws_lanes ws_wgmma_view(const ws_warp *warp, const ws_frame *frame) {
    ws_lanes view = warp->lanes;
    view.rows[WS_FRAME_ROWS] = warp->rows + (size_t)frame->rows * WS_LANES;
    view.predicates = warp->predicates + frame->predicates;
    return view;
}

/* The group of a warp that waits for a product, or NULL. */
static inline ws_group *ws_wgmma_waiting(ws_warp *warp) {
    return warp->groups == 1 && warp->group[0].state == WS_GROUP_AT_PRODUCT ? &warp->group[0] : NULL;
}

/* list: rows of d, then of a unless it is in shared memory; sources: descriptors of a and b, predicate, metadata, plan. */
static inline void ws_wgmma_product_of(const ws_kernel *program, const ws_step *step, const ws_lanes *lanes,
                                       ws_wgmma_product *product) {
    product->plan = &program->plans[step->s[WS_S_PLAN]];
    product->cols = (uint32_t)step->immediate;
    product->reads_d = (ws_predicate(lanes, step->s[WS_S_ADDS]) & 1) != 0;
    product->negates = (step->how & WS_WGMMA_NEGATES) != 0;
    product->shares_a = (step->how & WS_WGMMA_SHARES_A) != 0;
    product->line_a = (step->how & WS_WGMMA_LINE_A) != 0;
    product->line_b = (step->how & WS_WGMMA_LINE_B) != 0;
    product->descriptor[0] = product->shares_a ? ws_wgmma_word(lanes, step->s[WS_S_DESCRIPTOR_A]) : 0;
    product->descriptor[1] = ws_wgmma_word(lanes, step->s[WS_S_DESCRIPTOR_B]);
}

static inline void ws_wgmma_warp_of(const ws_step *step, const ws_lanes *lanes, bool shares_a, ws_wgmma_warp *warp) {
    const uint32_t *list = lanes->list + step->list;
    const uint32_t count = step->count;
    uint32_t i;
    for (i = 0; i < count; i++) warp->d[i] = ws_row(lanes, list[i]);
    for (i = 0; i < WS_WGMMA_A_REGISTERS && !shares_a; i++) warp->a[i] = ws_row(lanes, list[count + i]);
    warp->metadata = step->s[WS_S_WGMMA_METADATA] != WS_NONE ? ws_row(lanes, step->s[WS_S_WGMMA_METADATA]) : NULL;
}

/* Does the operand lie in shared memory? If not, the launch ends. */
static inline bool ws_wgmma_fits(ws_lanes *lanes, const ws_step *step, const ws_wgmma_product *product, bool is_b) {
    const ws_wgmma_operand operand = ws_wgmma_operand_of(product, is_b);
    ws_block *block = ws_block_of(lanes);
    uint32_t address;
    if (ws_wgmma_is_inside(&operand, block->launch->shared_bytes, &address)) return true;
    ws_stop_at(lanes, step, WS_RUN_BOUNDS, WS_ALL_LANES);
    block->stop.space = WS_AT_SHARED;
    block->stop.address = address;
    block->stop.nbytes = WS_WGMMA_CHUNK;
    return false;
}

/* The four warps are here: the others wait, this one executes. */
static inline void ws_wgmma_execute(ws_lanes *lanes, const ws_step *step) {
    ws_block *block = ws_block_of(lanes);
    const uint32_t own = ws_warp_of(lanes)->number, first = own / WS_WGMMA_WARPS * WS_WGMMA_WARPS;
    ws_wgmma_product product, other;
    uint32_t w;
    ws_wgmma_product_of(block->program, step, lanes, &product);
    for (w = 0; w < WS_WGMMA_WARPS; w++) {
        ws_warp *warp = &block->warps[first + w];
        const ws_group *group = first + w == own ? ws_warp_group(warp) : ws_wgmma_waiting(warp);
        const ws_lanes view = first + w == own ? *lanes : ws_wgmma_view(warp, &group->frame);
        ws_wgmma_product_of(block->program, step, &view, &other);
        if ((first + w != own && group->pc != ws_step_pc(block, step)) || other.reads_d != product.reads_d ||
            other.descriptor[0] != product.descriptor[0] || other.descriptor[1] != product.descriptor[1]) {
            ws_stop_at(lanes, step, WS_RUN_WARPGROUP, WS_ALL_LANES);
            return;
        }
        ws_wgmma_warp_of(step, &view, product.shares_a, &product.warp[w]);
    }
    if (product.shares_a && !ws_wgmma_fits(lanes, step, &product, false)) return;
    if (!ws_wgmma_fits(lanes, step, &product, true)) return;
    ws_wgmma_run(&product, block->shared);
    for (w = 0; w < WS_WGMMA_WARPS; w++) {
        ws_group *group = ws_wgmma_waiting(&block->warps[first + w]);
        if (group != NULL) group->state = WS_GROUP_GO_ON;
    }
}

/* Are all four warps of the warpgroup there, whole? */
static inline bool ws_wgmma_is_whole(const ws_block *block, uint32_t first) {
    uint32_t w;
    if (first + WS_WGMMA_WARPS > block->num_warps) return false;
    for (w = 0; w < WS_WGMMA_WARPS; w++) {
        if (block->warps[first + w].living != WS_ALL_LANES) return false;
    }
    return true;
}

static inline void ws_do_wgmma_once(ws_lanes *lanes, const ws_step *step, uint32_t mask) {
    ws_warp *warp = ws_warp_of(lanes);
    ws_block *block = warp->block;
    const uint32_t first = warp->number / WS_WGMMA_WARPS * WS_WGMMA_WARPS;
    uint32_t members, w, here = 0;
    if (mask == 0 || ws_warp_goes_on(warp, &members)) return;
    if (mask != WS_ALL_LANES || !ws_wgmma_is_whole(block, first)) {
        ws_stop_at(lanes, step, mask != WS_ALL_LANES ? WS_RUN_PART_OF_WARP : WS_RUN_WARPGROUP, mask);
        return;
    }
    for (w = 0; w < WS_WGMMA_WARPS; w++) here += ws_wgmma_waiting(&block->warps[first + w]) != NULL;
    if (here == WS_WGMMA_WARPS - 1) {
        ws_wgmma_execute(lanes, step);
        return;
    }
    ws_warp_group(warp)->pc = ws_step_pc(block, step);
    ws_warp_group(warp)->state = WS_GROUP_AT_PRODUCT;
    lanes->event = WS_ASKS_WAIT;
}

/* wgmma.fence, commit_group, wait_group: results have come long ago. */
static inline void ws_wgmma_order(ws_lanes *lanes, const ws_step *step, uint32_t mask) {
    if (mask != 0 && mask != WS_ALL_LANES) ws_stop_at(lanes, step, WS_RUN_PART_OF_WARP, mask);
}

#define WS_WGMMA_ORDER(name)                                                                                           \
    static inline void ws_do_wgmma_##name##_once(ws_lanes *lanes, const ws_step *step, uint32_t mask) {                \
        ws_wgmma_order(lanes, step, mask);                                                                             \
    }
WS_WGMMA_ORDER(fence)
WS_WGMMA_ORDER(commit)
WS_WGMMA_ORDER(wait)
#undef WS_WGMMA_ORDER

/* clang-format off */
#define WS_MEANINGS_PRODUCT(X) X(PRODUCT, product, SCALAR, NONE) X(WGMMA, wgmma, SCALAR, PRODUCT)                      \
    X(WGMMA_FENCE, wgmma_fence, SCALAR, PRODUCT_FENCE) X(WGMMA_COMMIT, wgmma_commit, SCALAR, PRODUCT_COMMIT)           \
    X(WGMMA_WAIT, wgmma_wait, SCALAR, PRODUCT_WAIT)
/* clang-format on */

#endif
