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

/* What lanes of a warp have come to a barrier. `place`: of the warp in the cluster. */
static inline ws_came *ws_order_came(const ws_check *check, uint32_t barrier, uint32_t place) {
    return &check->came[(size_t)barrier * (check->judge.clock.threads / WS_LANES) + place];
}

/* Lanes come to a barrier with a count: do they know that those of the phase before have come? Else they may count for that
 * one, and let others go in place of them. */
static inline void ws_order_phase(ws_check *check, const ws_warp *warp, uint32_t barrier, uint32_t number,
                                  uint32_t lanes) {
    const ws_block *block = warp->block;
    const uint32_t thread = warp->place * WS_LANES + (uint32_t)ws_first_lane(lanes);
    uint32_t place = block->warps[0].place;
    const uint32_t end = place + block->num_warps;
    check->judge.clock.now++; /* what was released before does not tell that they come */
    for (; place < end; place++) {
        const ws_arrival *past = &ws_order_came(check, barrier, place)->past;
        ws_found one;
        if (past->lanes == 0 || ws_clock_orders(&check->judge.clock, thread,
                                                place * WS_LANES + (uint32_t)ws_first_lane(past->lanes), past->time))
            continue;
        one = ws_check_about_lanes(check, WS_RUN_PHASE, number, warp->place, lanes);
        one.other = past->step;
        one.other_thread = (place - block->warps[0].place) * WS_LANES + (uint32_t)ws_first_lane(past->lanes);
        ws_found_add(&check->judge.found, &one);
        return;
    }
}

/* Lanes come to a barrier of the block. */
static inline void ws_order_comes(ws_check *check, const ws_warp *warp, uint32_t barrier, uint32_t number,
                                  uint32_t lanes, bool waits) {
    ws_came *came = ws_order_came(check, barrier, warp->place);
    ws_clock *clock = &check->judge.clock;
    came->now.lanes |= lanes;
    came->now.time = clock->now;
    came->now.step = number;
    if (waits) came->waits |= lanes;
    else ws_clock_release(clock, ws_order_object(clock, warp->block, barrier), warp->place, lanes, clock->now);
}

/* The lanes of a warp that the block began with. */
static inline uint32_t ws_order_born(const ws_check *check, const ws_warp *warp) {
    const uint32_t count = check->threads - warp->number * WS_LANES;
    return count < WS_LANES ? (UINT32_C(1) << count) - 1 : WS_ALL_LANES;
}

/* Have all threads of the block come? Those that have exited count where the barrier is for all. */
static inline bool ws_order_all_came(const ws_check *check, const ws_block *block, uint32_t barrier) {
    uint32_t i;
    for (i = 0; i < block->num_warps; i++) {
        const ws_warp *warp = &block->warps[i];
        const ws_came *came = ws_order_came(check, barrier, warp->place);
        const uint32_t expected = block->barrier[barrier].is_whole ? warp->living : ws_order_born(check, warp);
        if (expected & ~(came->now.lanes & came->waits)) return false;
    }
    return true;
}

/* The barrier lets its threads go on. */
static inline void ws_order_completes(ws_check *check, const ws_block *block, uint32_t barrier) {
    ws_clock *clock = &check->judge.clock;
    const ws_arrival none = {0, 0, 0};
    const uint32_t first = block->warps[0].place, end = first + block->num_warps;
    uint32_t i;
    if (ws_order_all_came(check, block, barrier)) {
        ws_clock_raise_block(clock, block->rank);
    } else {
        const uint32_t object = ws_order_object(clock, block, barrier);
        for (i = first; i < end; i++)
            ws_clock_release(clock, object, i, ws_order_came(check, barrier, i)->waits, clock->now);
        for (i = first; i < end; i++) ws_clock_acquire(clock, object, i, ws_order_came(check, barrier, i)->waits);
        ws_clock_forget(clock, object); /* the next phase begins */
    }
    for (i = first; i < end; i++) {
        ws_came *came = ws_order_came(check, barrier, i);
        came->past = came->now;
        came->now = none;
        came->waits = 0;
    }
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
        if (barrier >= WS_BARRIERS) continue;
        if (step->s[WS_S_THREADS] != WS_NONE) ws_order_phase(check, warp, barrier, number, same);
        ws_order_comes(check, warp, barrier, number, same, checked->kind == WS_CHECKED_BARRIER);
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
