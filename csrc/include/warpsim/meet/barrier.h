/* Barriers of a block: bar and barrier by number; and the barrier of its cluster.
 *
 * Barriers count threads in whole warps: a warp arrives when none of its lanes can run and some wait there. So lanes that
 * diverged arrive once, together; lanes that wait at different numbers arrive once at each. Lanes that others wait for in a
 * branch before the barrier do not arrive: compilers let a warp come together where a branch ends. Released lanes execute their
 * step again and go on (WS_GROUP_GO_ON).
 *
 * Source: "Parallel Synchronization and Communication Instructions: bar, barrier, barrier.cluster" of the PTX ISA. */
#ifndef WARPSIM_MEET_BARRIER_H
#define WARPSIM_MEET_BARRIER_H

#include "choose.h"
#include "meeting.h"

/* How a group waits: ws_group.kind. */
typedef enum ws_barrier_kind {
    WS_BARRIER_SYNC,
    WS_BARRIER_ARRIVE, /* it goes on as soon as its warp has been counted */
    WS_BARRIER_POPC,
    WS_BARRIER_AND,
    WS_BARRIER_OR
} ws_barrier_kind;

static inline uint32_t ws_barrier_result(const ws_barrier *barrier, int kind) {
    if (kind == WS_BARRIER_AND) return barrier->count == barrier->asked;
    return kind == WS_BARRIER_OR ? barrier->count != 0 : barrier->count;
}

/* Releases those that wait, if all have come. */
static inline bool ws_barrier_complete(ws_block *block, uint32_t number) {
    ws_barrier *barrier = &block->barrier[number];
    const uint32_t expected = barrier->is_whole ? WS_LANES * block->living_warps : barrier->expected;
    uint32_t i;
    int k;
    if (barrier->arrived == 0 || barrier->arrived < expected) return false;
    ws_block_tell_completed(block, number);
    for (i = 0; i < block->num_warps; i++) {
        ws_warp *warp = &block->warps[i];
        for (k = 0; k < warp->groups && (barrier->warps >> i & 1); k++) {
            ws_group *group = &warp->group[k];
            if (!ws_group_is_at(group, number)) continue;
            group->state = WS_GROUP_GO_ON;
            group->members = ws_barrier_result(barrier, group->kind);
        }
    }
    ws_barrier_clear(barrier);
    return true;
}

/* The threads that a barrier is to count; 0 stands for all of the block. */
static inline uint32_t ws_barrier_threads(const ws_block *block, uint32_t count) {
    return count != 0 ? count : WS_LANES * block->num_warps;
}

/* Names the group another count than those that wait there? */
static inline bool ws_barrier_contradicts(ws_warp *warp, const ws_group *group) {
    ws_block *block = warp->block;
    const ws_barrier *barrier = &block->barrier[group->barrier];
    const uint32_t named = ws_barrier_threads(block, group->members),
                   before = ws_barrier_threads(block, barrier->is_whole ? 0 : barrier->expected);
    if (barrier->arrived == 0 || named == before) return false;
    ws_stop_at(&warp->lanes, &block->program->steps[group->pc], WS_RUN_BARRIER, group->mask);
    block->stop.other = block->program->steps[barrier->first].statement;
    block->stop.other_warp = barrier->first_warp;
    block->stop.given = named;
    block->stop.wanted = before;
    return true;
}

/* Counts the warp where the group waits, once. */
static inline void ws_barrier_count(ws_warp *warp, ws_group *group) {
    const uint32_t number = group->barrier;
    ws_barrier *barrier = &warp->block->barrier[number];
    const uint32_t bit = UINT32_C(1) << warp->number;
    int i;
    if (ws_barrier_contradicts(warp, group)) return;
    if (barrier->arrived == 0) {
        barrier->expected = group->members;
        barrier->is_whole = group->members == 0;
        barrier->first = group->pc;
        barrier->first_warp = warp->number;
    }
    if (!(barrier->warps & bit)) barrier->arrived += WS_LANES;
    if (group->kind != WS_BARRIER_ARRIVE) barrier->warps |= bit;
    for (i = 0; i < warp->groups; i++) {
        ws_group *other = &warp->group[i];
        if (ws_group_is_at(other, number) && other->kind == WS_BARRIER_ARRIVE) other->state = WS_GROUP_GO_ON;
    }
}

/* Do lanes wait for these, in a branch that they would have left together before they came here? */
static inline bool ws_group_is_awaited(const ws_warp *warp, const ws_group *group) {
    int i;
    for (i = 0; i < warp->groups && group->kind != WS_BARRIER_ARRIVE; i++) {
        const ws_group *other = &warp->group[i];
        if (other->state == WS_GROUP_AT_MEMBERS && (other->members & group->mask) && ws_group_before(other, group))
            return true;
    }
    return false;
}

/* No lane of the warp can run: it arrives where they wait. True: now some can. */
static inline bool ws_warp_waits(ws_warp *warp) {
    ws_block *block = warp->block;
    uint32_t counted = 0, number;
    int i;
    if (ws_warp_can_run(warp)) return true;
    for (i = 0; i < warp->groups; i++) {
        ws_group *group = &warp->group[i];
        if (group->state != WS_GROUP_AT_BARRIER || group->barrier == WS_CLUSTER_BARRIER) continue;
        if (block->barrier[group->barrier].warps >> warp->number & 1 || ws_group_is_awaited(warp, group)) continue;
        if (counted == 0) ws_block_tell_counted(block, warp);
        counted |= UINT32_C(1) << group->barrier;
        ws_barrier_count(warp, group);
    }
    for (number = 0; number < WS_BARRIERS; number++) {
        if (counted >> number & 1) ws_barrier_complete(block, number);
    }
    if (!ws_warp_can_run(warp) && warp->at_cluster != 0) ws_cluster_complete(block);
    return ws_warp_can_run(warp);
}

/* All lanes of the warp have exited: fewer are expected. */
static inline void ws_barriers_warp_left(ws_warp *warp) {
    ws_block *block = warp->block;
    uint32_t number;
    block->living_warps--;
    for (number = 0; number < WS_BARRIERS; number++) ws_barrier_complete(block, number);
    ws_cluster_complete(block);
}

/* Nobody can run: true if some can now. */
static inline bool ws_barriers_settle(ws_block *block) {
    bool settled = false;
    uint32_t i;
    for (i = 0; i < block->num_warps; i++) settled = ws_warp_waits(&block->warps[i]) || settled;
    return settled;
}

/* Lanes with one number and one count begin to wait. */
static inline void ws_barrier_come(ws_warp *warp, const ws_step *step, ws_departure *departure, uint32_t mask,
                                   ws_barrier_kind kind) {
    const int first = ws_first_lane(mask);
    const uint32_t number = ws_row(&warp->lanes, step->s[WS_S_BARRIER])[first];
    const uint32_t count = step->s[WS_S_THREADS] == WS_NONE ? 0 : ws_row(&warp->lanes, step->s[WS_S_THREADS])[first];
    ws_barrier *barrier = &warp->block->barrier[number % WS_BARRIERS];
    ws_group *group;
    departure->left &= ~mask;
    if (number >= WS_BARRIERS || count % WS_LANES != 0 || (count == 0 && step->s[WS_S_THREADS] != WS_NONE)) {
        ws_stop_at(&warp->lanes, step, WS_RUN_BARRIER, mask);
        return;
    }
    if (kind >= WS_BARRIER_POPC) {
        barrier->asked += (uint32_t)ws_lane_count(mask);
        barrier->count += (uint32_t)ws_lane_count(mask & ws_predicate(&warp->lanes, step->s[WS_S_HOLDS]));
    }
    group = ws_warp_add(warp, ws_step_pc(warp->block, step), mask, &departure->frame);
    group->state = WS_GROUP_AT_BARRIER;
    group->barrier = (uint8_t)number;
    group->kind = (uint8_t)kind;
    group->members = count;
}

/* For what is told of a deadlock. */
static inline void ws_warp_comes(ws_warp *warp, uint32_t number) {
    if (warp->came[0] != number) warp->came[1] = warp->came[0];
    warp->came[0] = number;
}

/* False: the lanes wait. */
static inline bool ws_barrier_pass(ws_lanes *lanes, const ws_step *step, uint32_t mask, ws_barrier_kind kind,
                                   uint32_t *result) {
    ws_warp *warp = ws_warp_of(lanes);
    const uint32_t *numbers = ws_row(lanes, step->s[WS_S_BARRIER]);
    const uint32_t *counts = step->s[WS_S_THREADS] == WS_NONE ? numbers : ws_row(lanes, step->s[WS_S_THREADS]);
    ws_departure departure;
    if (mask == 0) return false;
    if (ws_warp_goes_on(warp, result)) return true;
    departure = ws_departure_make(warp, step, mask);
    ws_warp_comes(warp, 1 + ws_step_pc(warp->block, step));
    while (departure.left != 0 && lanes->event != WS_ASKS_STOP) {
        const uint32_t same = ws_lanes_like_first(counts, ws_lanes_like_first(numbers, departure.left));
        ws_barrier_come(warp, step, &departure, same, kind);
    }
    if (lanes->event == WS_ASKS_STOP) return false;
    lanes->event = WS_ASKS_WAIT;
    ws_warp_waits(warp);
    return false;
}

static inline void ws_do_bar_sync_once(ws_lanes *lanes, const ws_step *step, uint32_t mask) {
    uint32_t result;
    ws_barrier_pass(lanes, step, mask, WS_BARRIER_SYNC, &result);
}

static inline void ws_do_bar_arrive_once(ws_lanes *lanes, const ws_step *step, uint32_t mask) {
    uint32_t result;
    ws_barrier_pass(lanes, step, mask, WS_BARRIER_ARRIVE, &result);
}

/* d: the count in a register, or whether all or any hold in a predicate. */
static inline void ws_do_bar_red_once(ws_lanes *lanes, const ws_step *step, uint32_t mask) {
    const uint32_t how = step->how & WS_HOW_COMBINE;
    const ws_barrier_kind kind = how == WS_HOW_AND  ? WS_BARRIER_AND
                                 : how == WS_HOW_OR ? WS_BARRIER_OR
                                                    : WS_BARRIER_POPC;
    uint32_t result, *row;
    int lane;
    if (!ws_barrier_pass(lanes, step, mask, kind, &result)) return;
    if (kind != WS_BARRIER_POPC) {
        ws_predicate_set(lanes, step->d[0], 0u - result, mask);
        return;
    }
    row = ws_row(lanes, step->d[0]);
    for (lane = 0; lane < WS_LANES; lane++) {
        if (mask >> lane & 1) row[lane] = result;
    }
}

static inline void ws_do_cluster_arrive_once(ws_lanes *lanes, const ws_step *step, uint32_t mask) {
    ws_warp *warp = ws_warp_of(lanes);
    warp->at_cluster |= mask;
    if (mask == 0 || !ws_cluster_complete(warp->block)) return;
    ws_warp_group(warp)->pc = ws_step_pc(warp->block, step) + 1; /* other lanes of the warp may have been released */
    lanes->event = WS_ASKS_SPLIT;
}

/* Only lanes whose arrival has not completed wait. */
static inline void ws_do_cluster_wait_once(ws_lanes *lanes, const ws_step *step, uint32_t mask) {
    ws_warp *warp = ws_warp_of(lanes);
    const uint32_t waiting = mask & warp->at_cluster;
    ws_departure departure;
    ws_group *group;
    uint32_t members;
    if (mask == 0 || ws_warp_goes_on(warp, &members) || waiting == 0) return;
    departure = ws_departure_make(warp, step, waiting);
    group = ws_warp_add(warp, ws_step_pc(warp->block, step), waiting, &departure.frame);
    group->state = WS_GROUP_AT_BARRIER;
    group->barrier = WS_CLUSTER_BARRIER;
    lanes->event = WS_ASKS_WAIT;
    ws_warp_waits(warp);
}

/* clang-format off */
#define WS_MEANINGS_BARRIER(X) X(BAR_SYNC, bar_sync, SCALAR, BARRIER)                                                  \
    X(BAR_ARRIVE, bar_arrive, SCALAR, BARRIER_ARRIVE) X(BAR_RED, bar_red, SCALAR, BARRIER)                             \
    X(CLUSTER_ARRIVE, cluster_arrive, SCALAR, CLUSTER_ARRIVE) X(CLUSTER_WAIT, cluster_wait, SCALAR, CLUSTER_WAIT)
/* clang-format on */

#endif
