/* What orders the threads of a block: barriers, and lanes that meet (fences and atomics: strong.h; mbarrier objects:
 * objects.h).
 *
 *     bar, barrier         all who come release, all who wait acquire; where all threads of the block come, the floor rises
 *     bar.warp.sync        its members; shfl, vote and the like order nothing */
#ifndef WARPSIM_CHECK_ORDER_H
#define WARPSIM_CHECK_ORDER_H

#include "../use/state.h"

#if WS_BODIES

/* What a barrier of the block gives to those who wait. */
static inline uint32_t ws_order_object(ws_clock *clock, const ws_block *block, uint32_t barrier) {
    return ws_clock_object(clock, WS_KEY_BARRIER((uint64_t)block->rank << 8 | barrier));
}

/* Lanes come to a barrier of the block. */
static inline void ws_order_comes(ws_check *check, const ws_warp *warp, uint32_t barrier, uint32_t lanes, bool waits) {
    ws_came *came = &check->came[barrier];
    ws_clock *clock = &check->judge.clock;
    came->all[warp->place] |= lanes;
    if (waits) came->waits[warp->place] |= lanes;
    else ws_clock_release(clock, ws_order_object(clock, warp->block, barrier), warp->place, lanes, clock->now);
}

/* The lanes of a warp that the block began with. */
static inline uint32_t ws_order_born(const ws_check *check, const ws_warp *warp) {
    const uint32_t count = check->threads - warp->number * WS_LANES;
    return count < WS_LANES ? (UINT32_C(1) << count) - 1 : WS_ALL_LANES;
}

/* Have all threads of the block come? Those that have exited count where the barrier is for all. */
static inline bool ws_order_all_came(const ws_check *check, const ws_block *block, uint32_t barrier) {
    const ws_came *came = &check->came[barrier];
    uint32_t i;
    for (i = 0; i < block->num_warps; i++) {
        const ws_warp *warp = &block->warps[i];
        const uint32_t expected = block->barrier[barrier].is_whole ? warp->living : ws_order_born(check, warp);
        if (expected & ~(came->all[warp->place] & came->waits[warp->place])) return false;
    }
    return true;
}

/* The barrier lets its threads go on. */
static inline void ws_order_completes(ws_check *check, const ws_block *block, uint32_t barrier) {
    ws_clock *clock = &check->judge.clock;
    ws_came *came = &check->came[barrier];
    const uint32_t first = block->warps[0].place, end = first + block->num_warps;
    uint32_t i;
    if (ws_order_all_came(check, block, barrier)) {
        ws_clock_raise_block(clock, block->rank);
    } else {
        const uint32_t object = ws_order_object(clock, block, barrier);
        for (i = first; i < end; i++) ws_clock_release(clock, object, i, came->waits[i], clock->now);
        for (i = first; i < end; i++) ws_clock_acquire(clock, object, i, came->waits[i]);
        ws_clock_forget(clock, object); /* the next phase begins */
    }
    for (i = first; i < end; i++) came->all[i] = came->waits[i] = 0;
}

/* bar and barrier, when lanes come. */
static inline void ws_order_barrier(ws_check *check, ws_lanes *lanes, const ws_step *step, uint32_t number,
                                    uint32_t mask) {
    const ws_warp *warp = ws_warp_of(lanes);
    const ws_checked *checked = &check->steps[number];
    const uint32_t *barriers = ws_row(lanes, step->s[WS_S_BARRIER]);
    uint32_t left, same;
    if (check->stood[warp->place] == 0) check->stood[warp->place] = warp->living;
    for (left = mask; left != 0; left &= ~same) {
        const uint32_t barrier = barriers[ws_first_lane(left)];
        same = ws_lanes_like_first(barriers, left);
        if (barrier < WS_BARRIERS) ws_order_comes(check, warp, barrier, same, checked->kind == WS_CHECKED_BARRIER);
    }
}

/* Lanes come to a step with member masks: must they wait for others? */
static inline bool ws_order_waits(const ws_check *check, ws_lanes *lanes, const ws_step *step, uint32_t number,
                                  uint32_t mask) {
    const ws_warp *warp = ws_warp_of(lanes);
    if (check->steps[number].kind != WS_CHECKED_MEMBERS || mask == 0) return false;
    if (warp->group[warp->current].state == WS_GROUP_GO_ON) return false;
    return !ws_members_are_here(warp, ws_row(lanes, step->s[check->steps[number].members]), mask);
}

/* Lanes execute a step with member masks: all at once, or one group after the other after they have waited for each
 * other; then all that matters is seen when the first of them goes on. */
static inline void ws_order_members(ws_check *check, ws_lanes *lanes, const ws_step *step, uint32_t number,
                                    uint32_t mask) {
    const ws_warp *warp = ws_warp_of(lanes);
    const uint32_t *members = ws_row(lanes, step->s[check->steps[number].members]);
    const bool goes_on = warp->group[warp->current].state == WS_GROUP_GO_ON;
    uint32_t *joined = &check->joined[warp->place], left, same;
    for (left = mask; left != 0; left &= ~same) {
        const uint32_t named = members[ws_first_lane(left)];
        same = ws_lanes_like_first(members, left);
        if (!goes_on && (named & warp->living & ~mask) != 0) continue; /* they wait */
        if (goes_on && (same & ~*joined) == 0) {
            *joined &= ~same;
            continue;
        }
        if (named & ws_order_born(check, warp) & ~warp->living)
            ws_check_lanes(check, WS_RUN_ABSENT, number, warp->place, same);
        if (check->steps[number].meets) ws_clock_meet(&check->judge.clock, warp->place, named);
        if (goes_on) *joined |= named & warp->living & ~same;
    }
}

#endif /* WS_BODIES */
#endif
