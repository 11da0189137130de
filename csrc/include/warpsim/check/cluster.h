/* The barrier of a cluster: what its blocks know of each other.
 *
 *     arrive, wait     who arrives releases what came before, who waits acquires that of all; with .relaxed only what came
 *                      before the latest fence. Where nothing is accessed between the two the floor rises */
#ifndef WARPSIM_CHECK_CLUSTER_H
#define WARPSIM_CHECK_CLUSTER_H

#include "order.h"

#if WS_BODIES

/* Where the block's shared memory begins in that of the cluster. */
static inline uint32_t ws_check_own(const ws_check *check, const ws_block *block) {
    return block->rank * check->judge.stride;
}

/* Offsets in the shared memory of the cluster: of lanes that access the block's own, and of those that access another's,
 * which become some of the lanes. Who reaches beyond a block's bytes is none of them: the next block's begin there. */
static inline uint32_t ws_check_cluster(const ws_check *check, ws_block *block, const ws_step *step,
                                        const ws_reach *reach, uint32_t mask, uint32_t own, uint32_t offset[WS_LANES]) {
    const uint64_t window = step->space == WS_AT_GENERIC ? WS_SHARED_WINDOW : 0;
    uint32_t left, shared = own;
    if (check->judge.clock.ranks == 1) return own;
    for (left = own; left != 0; left &= left - 1) {
        const int lane = ws_first_lane(left);
        if (offset[lane] >= check->judge.stride) shared &= ~(UINT32_C(1) << lane);
        offset[lane] += ws_check_own(check, block);
    }
    if (step->space != WS_AT_GENERIC && step->space != WS_AT_CLUSTER) return shared;
    for (left = mask & ~own; left != 0; left &= left - 1) {
        const int lane = ws_first_lane(left);
        uint32_t at;
        const ws_block *owner = ws_shared_place(block, reach->address[lane] - window, &at);
        if (owner == NULL || at >= check->judge.stride) continue;
        offset[lane] = owner->rank * check->judge.stride + at;
        shared |= UINT32_C(1) << lane;
    }
    return shared;
}

/* What the barrier of the cluster gives to those who wait, by the parity of its phase. */
static inline uint32_t ws_meeting_object(ws_clock *clock, uint32_t parity) {
    return ws_clock_object(clock, WS_KEY_BARRIER(UINT64_C(1) << 16 | parity));
}

/* Accesses of lanes: are they between their arrival and their wait? */
static inline void ws_meeting_access(ws_meeting *meeting, uint32_t place, uint32_t mask) {
    meeting->is_used = meeting->is_used || (meeting->arrived[place] & mask) != 0;
    meeting->was_used = meeting->was_used || (meeting->open[place] & mask) != 0;
}

static inline void ws_meeting_release(ws_check *check, uint32_t object, uint32_t place, uint32_t mask,
                                      bool is_relaxed) {
    ws_clock *clock = &check->judge.clock;
    if (!is_relaxed) {
        ws_clock_release(clock, object, place, mask, clock->now);
        return;
    }
    ws_clock_tell(clock, object, place);
    for (; mask != 0; mask &= mask - 1) {
        const int lane = ws_first_lane(mask);
        const ws_fences *fences = &check->fences[place * WS_LANES + (uint32_t)lane];
        const uint32_t fenced = fences->at[clock->ranks > 1 ? WS_SCOPE_CLUSTER : WS_SCOPE_CTA].time;
        const uint32_t time = fenced > fences->init ? fenced : fences->init;
        if (time >= clock->floor) ws_clock_release(clock, object, place, UINT32_C(1) << lane, time);
    }
}

/* fence.mbarrier_init, which is about mbarrier objects that the thread has made, and nothing else. */
static inline void ws_meeting_made(ws_check *check, const ws_warp *warp, uint32_t mask) {
    for (; mask != 0; mask &= mask - 1) {
        ws_fences *fences = &check->fences[warp->place * WS_LANES + (uint32_t)ws_first_lane(mask)];
        fences->init = fences->made;
    }
}

static inline void ws_meeting_arrive(ws_check *check, const ws_warp *warp, uint32_t number, uint32_t mask) {
    ws_meeting *meeting = &check->meeting;
    const ws_checked *checked = &check->steps[number];
    const uint32_t place = warp->place, twice = mask & (meeting->arrived[place] | meeting->open[place]);
    if (checked->is_aligned && mask != warp->living) ws_check_lanes(check, WS_RUN_DIVERGED, number, place, mask);
    if (twice != 0) ws_check_lanes(check, WS_RUN_OUT_OF_TURN, number, place, twice);
    check->judge.clock.now++;
    ws_meeting_release(check, ws_meeting_object(&check->judge.clock, meeting->parity), place, mask, !checked->releases);
    meeting->is_relaxed = meeting->is_relaxed || !checked->releases;
    meeting->arrived[place] |= mask;
}

/* All have arrived. */
static inline void ws_meeting_completes(ws_check *check) {
    ws_meeting *meeting = &check->meeting;
    ws_clock *clock = &check->judge.clock;
    const uint32_t warps = clock->threads / WS_LANES;
    uint32_t i;
    for (i = 0; i < warps; i++) {
        meeting->open[i] = meeting->arrived[i];
        meeting->arrived[i] = 0;
    }
    meeting->was_relaxed = meeting->is_relaxed;
    meeting->was_used = meeting->is_used;
    meeting->is_relaxed = meeting->is_used = false;
    meeting->parity ^= 1;
    ws_clock_forget(clock, ws_meeting_object(clock, meeting->parity));
    meeting->ended = ++clock->now;
}

/* Has every thread waited? Then all that came before the end of the phase is ordered before all that come. */
static inline void ws_meeting_settle(ws_check *check, ws_block *block) {
    ws_meeting *meeting = &check->meeting;
    const uint32_t count = ws_block_peers(block);
    uint32_t rank, i;
    if (meeting->was_relaxed || meeting->was_used) return;
    for (rank = 0; rank < count; rank++) {
        const ws_block *peer = ws_block_peer(block, rank);
        for (i = 0; i < peer->num_warps; i++) {
            if (meeting->open[peer->warps[i].place] & peer->warps[i].living) return;
        }
    }
    if (check->judge.clock.floor < meeting->ended) ws_clock_raise_to(&check->judge.clock, meeting->ended);
}

static inline void ws_meeting_wait(ws_check *check, const ws_warp *warp, uint32_t number, uint32_t mask, bool goes_on) {
    ws_meeting *meeting = &check->meeting;
    ws_clock *clock = &check->judge.clock;
    const uint32_t place = warp->place, open = mask & meeting->open[place];
    const uint32_t lost = mask & ~(meeting->open[place] | meeting->arrived[place]);
    if (!goes_on && check->steps[number].is_aligned && mask != warp->living)
        ws_check_lanes(check, WS_RUN_DIVERGED, number, place, mask);
    if (!goes_on && lost != 0) ws_check_lanes(check, WS_RUN_OUT_OF_TURN, number, place, lost);
    if (open == 0) return;
    ws_clock_acquire(clock, ws_meeting_object(clock, meeting->parity ^ 1), place, open);
    meeting->open[place] &= ~open;
    ws_meeting_settle(check, warp->block);
}

/* The lanes of a warp that wait at a barrier of the block where a group does: at its instruction. */
static inline uint32_t ws_order_beside(const ws_warp *warp, const ws_group *group) {
    uint32_t lanes = 0;
    int i;
    for (i = 0; i < warp->groups; i++) {
        const ws_group *other = &warp->group[i];
        if (other->state == WS_GROUP_AT_BARRIER && other->pc == group->pc) lanes |= other->mask;
    }
    return lanes;
}

/* A warp arrives where its lanes wait: have all come to one instruction? Only now is it known: some may have come before
 * others that still polled, and that is the scheduler's doing. */
static inline void ws_order_counts(ws_check *check, const ws_warp *warp) {
    const uint32_t stood = check->stood[warp->place];
    int i;
    for (i = 0; i < warp->groups; i++) {
        const ws_group *group = &warp->group[i];
        uint32_t lanes;
        const ws_checked *checked = &check->steps[group->pc];
        const bool is_whole = warp->block->program->steps[group->pc].s[WS_S_THREADS] == WS_NONE;
        if (group->state != WS_GROUP_AT_BARRIER || group->barrier == WS_CLUSTER_BARRIER) continue;
        if (warp->block->barrier[group->barrier].warps >> warp->number & 1) continue;
        lanes = ws_order_beside(warp, group);
        if (!(group->mask >> ws_first_lane(lanes) & 1)) continue; /* told of the group of the first lane */
        if ((checked->is_aligned && lanes != stood) || (is_whole && warp->living != ws_order_born(check, warp)))
            ws_check_lanes(check, WS_RUN_DIVERGED, group->pc, warp->place, lanes);
    }
    check->stood[warp->place] = 0;
}

#endif /* WS_BODIES */
#endif
