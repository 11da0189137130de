/* Threads that access the shared memory of other blocks of their cluster.
 *
 *     come     they must know that the block has started: by the barrier of the cluster, say
 *     exit     the last thread of a block must know of all accesses that others have made to its shared memory
 *
 * Atomics, strong stores and arrivals that release nothing are known, too, to a block that has seen what they changed. */
#ifndef WARPSIM_CHECK_VISITORS_H
#define WARPSIM_CHECK_VISITORS_H

#include "../base/apart.h"
#include "order.h"

#if WS_BODIES

/* A finding about a thread's access to the shared memory of another block. */
WS_ONCE void ws_visitor_report(ws_check *check, ws_kernel_rule rule, uint32_t thread, const ws_visitor *visitor,
                               uint32_t owner) {
    const ws_judge *judge = &check->judge;
    ws_found one =
        ws_check_about_lanes(check, rule, visitor->step, thread / WS_LANES, UINT32_C(1) << thread % WS_LANES);
    one.address = ws_judge_address(judge, visitor->offset);
    one.nbytes = check->steps[visitor->step].nbytes;
    one.space = WS_AT_CLUSTER;
    one.other_block = ws_judge_block(judge, judge->block, owner);
    ws_found_add(&check->judge.found, &one);
}

/* A block reads a place of its own, strongly. */
static inline void ws_visitors_see(ws_check *check, uint32_t owner, uint32_t offset) {
    ws_visitor *seen = &check->seen[owner * WS_SEEN_PLACES];
    uint32_t i = 0;
    if (check->num_seen[owner] > WS_SEEN_PLACES) return; /* there is no room for them: all may be seen */
    while (i < check->num_seen[owner] && seen[i].offset != offset) i++;
    if (i == check->num_seen[owner]) check->num_seen[owner]++;
    if (i == WS_SEEN_PLACES) return;
    seen[i].offset = offset;
    seen[i].number = check->num_visits;
}

static inline bool ws_visitor_is_seen(const ws_check *check, uint32_t owner, const ws_visitor *visitor) {
    const ws_visitor *seen = &check->seen[owner * WS_SEEN_PLACES];
    uint32_t i = 0;
    if (check->num_seen[owner] > WS_SEEN_PLACES) return true;
    while (i < check->num_seen[owner] && seen[i].offset != visitor->offset) i++;
    return i < check->num_seen[owner] && seen[i].number >= visitor->number;
}

/* Lanes access shared memory, at offsets in that of the cluster: of other blocks? */
WS_APART void ws_visitors_come(ws_check *check, const ws_pass *pass) {
    const uint32_t own = pass->place / check->warps, count = check->judge.clock.ranks * check->judge.clock.threads;
    const bool is_strong = check->steps[pass->step].is_atomic, shows = is_strong && pass->is_write;
    uint32_t left;
    for (left = pass->mask; left != 0; left &= left - 1) {
        const int lane = ws_first_lane(left);
        const uint32_t owner = pass->offset[lane] / check->judge.stride;
        const uint32_t thread = pass->place * WS_LANES + (uint32_t)lane;
        ws_visitor *visitor = &check->visitors[(shows ? count : 0) + owner * check->judge.clock.threads + thread];
        if (owner == own && is_strong && !(pass->is_write && !pass->reads))
            ws_visitors_see(check, own, pass->offset[lane]);
        if (owner == own) continue;
        visitor->number = ++check->num_visits;
        visitor->time = check->judge.clock.now;
        visitor->step = pass->step;
        visitor->offset = pass->offset[lane];
        if (check->has_left[owner]) ws_visitor_report(check, WS_RUN_LEFT_BEHIND, thread, visitor, owner);
        else if (!ws_clock_knows_start(&check->judge.clock, thread, owner))
            ws_visitor_report(check, WS_RUN_UNSTARTED, thread, visitor, owner);
    }
}

/* Does any thread of the block know of it? */
static inline bool ws_visitor_is_known(const ws_clock *clock, uint32_t rank, uint32_t thread, uint32_t time) {
    uint32_t i;
    for (i = 0; i < clock->each; i++) {
        if (ws_clock_orders(clock, rank * clock->each + i, thread, time)) return true;
    }
    return false;
}

/* Lanes exit: the last ones of their block leave its shared memory behind. */
WS_ONCE void ws_visitors_exit(ws_check *check, const ws_warp *warp, uint32_t mask) {
    const ws_clock *clock = &check->judge.clock;
    const uint32_t count = clock->ranks * clock->threads;
    const ws_block *block = warp->block;
    uint32_t i, k;
    if (check->visitors == NULL || warp->group[warp->current].frame.depth != 0) return;
    for (i = 0; i < block->num_warps; i++) {
        if (block->warps[i].living & ~(i == warp->number ? mask : 0)) return;
    }
    check->has_left[block->rank] = 1;
    for (i = 0; i < clock->threads; i++) {
        for (k = 0; k < 2; k++) { /* ordinary accesses, and strong writes */
            const ws_visitor *visitor = &check->visitors[k * count + block->rank * clock->threads + i];
            if (visitor->time < clock->start || ws_visitor_is_known(clock, block->rank, i, visitor->time)) continue;
            if (k == 0 || !ws_visitor_is_seen(check, block->rank, visitor))
                ws_visitor_report(check, WS_RUN_LEFT_BEHIND, i, visitor, block->rank);
        }
    }
}

#endif /* WS_BODIES */
#endif
