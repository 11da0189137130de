/* What a thread leaves behind: copies that may still read the shared memory of its block, for which nobody else can wait. */
#ifndef WARPSIM_CHECK_EXIT_H
#define WARPSIM_CHECK_EXIT_H

#include "bounds.h"
#include "bulk.h"

#if WS_BODIES

static inline void ws_bulk_exits(ws_check *check, const ws_warp *warp, uint32_t mask) {
    const ws_tmas *bulks = &warp->block->bulks;
    uint32_t i;
    for (i = 0; i < bulks->count; i++) {
        const ws_tma *flight = &bulks->flights[i];
        const uint32_t bit = UINT32_C(1) << flight->thread % WS_LANES;
        ws_found one;
        if (flight->kind != WS_BULK_STORE || flight->is_here || flight->from_rank != warp->block->rank ||
            flight->thread / WS_LANES != warp->number || !(mask & bit))
            continue;
        one = ws_check_about_lanes(check, WS_RUN_READING, flight->step, warp->place, bit);
        one.is_copy = true;
        ws_found_add(&check->judge.found, &one);
    }
}

/* Lanes execute exit, or return from the kernel. */
static inline void ws_check_exit(ws_check *check, const ws_warp *warp, uint32_t number, uint32_t mask) {
    const bool returns = check->steps[number].event == WS_EVENT_RETURN;
    ws_bounds_return(check, warp, number, mask);
    ws_visitors_exit(check, warp, mask);
    if (!returns || warp->group[warp->current].frame.depth == 0) ws_bulk_exits(check, warp, mask);
}

#endif /* WS_BODIES */
#endif
