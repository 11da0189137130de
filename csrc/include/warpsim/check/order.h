/* What orders the threads of a block: barriers, lanes that meet, fences and atomics (mbarrier objects: objects.h).
 *
 *     bar, barrier         all who come release, all who wait acquire; where all threads of the block come, the floor rises
 *     bar.warp.sync        its members; shfl, vote and the like order nothing
 *     atomics, volatile    release what came before the thread's latest fence, or all with .release
 *     their reads          acquire by a fence that follows, or at once with .acquire; scopes must reach each other */
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
        for (i = first; i < end; i++) check->consistent[i].before = check->consistent[i].time;
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

/* A thread acquires what was released to a place that it has read, as far as a scope reaches. */
static inline void ws_order_learn(ws_check *check, uint32_t thread, const ws_pending *place, uint32_t scope) {
    ws_judge *judge = &check->judge;
    const uint32_t warp = thread / WS_LANES, bit = UINT32_C(1) << thread % WS_LANES;
    uint32_t i;
    for (i = 0; i < (judge->is_scoped && scope >= WS_SCOPE_CLUSTER ? 2u : 1u); i++) {
        const uint32_t row = ws_clock_find(&judge->clock, ws_judge_key(judge, place, warp, i == 0));
        if (row != 0) ws_clock_acquire(&judge->clock, row, warp, bit);
    }
    if (scope == WS_SCOPE_GPU) ws_journal_acquire(judge->journal, &judge->reader, place->latest, true);
}

/* The lanes that read last have their values by now, and with them what was in the journal before. */
static inline void ws_order_seen(ws_check *check) {
    ws_judge *judge = &check->judge;
    ws_pendings *pendings = &judge->pendings;
    uint32_t left, i;
    for (left = pendings->fresh; left != 0; left &= left - 1) {
        const uint32_t thread = pendings->warp * WS_LANES + (uint32_t)ws_first_lane(left);
        ws_pending *rows = ws_pendings_of(pendings, thread);
        for (i = 0; i < WS_PENDING_KEPT; i++) {
            if (!rows[i].is_used) continue;
            if (rows[i].is_global && rows[i].scope == WS_SCOPE_GPU && rows[i].is_fresh) {
                rows[i].latest = ws_journal_latest(judge->journal, WS_KEY_PLACE(true, rows[i].address));
                ws_journal_acquire(judge->journal, &judge->seen, rows[i].latest, false);
            }
            rows[i].is_fresh = false;
            if (!rows[i].acquires) continue;
            ws_order_learn(check, thread, &rows[i], rows[i].scope);
            rows[i].is_used = false;
        }
    }
    pendings->fresh = 0;
}

/* A lane's fence stands behind what it has read; a sequentially consistent one, behind earlier reads of its block. */
static inline void ws_order_behind(ws_check *check, const ws_checked *checked, uint32_t thread, uint32_t reader) {
    const ws_clock *clock = &check->judge.clock;
    ws_pending *rows = ws_pendings_of(&check->judge.pendings, reader);
    uint32_t i;
    for (i = 0; i < WS_PENDING_KEPT; i++) {
        const uint32_t scope = rows[i].scope < checked->scope ? rows[i].scope : checked->scope;
        if (!rows[i].is_used || !ws_clock_orders(clock, thread, reader, rows[i].time)) continue;
        ws_order_learn(check, thread, &rows[i], scope);
        if (reader == thread) rows[i].is_used = rows[i].scope > checked->scope;
    }
}

static inline void ws_order_fence(ws_check *check, const ws_warp *warp, const ws_checked *checked, uint32_t mask) {
    const uint32_t own = warp->place / check->warps * check->warps, first = warp->place * WS_LANES;
    const uint32_t *waiting = check->judge.pendings.lanes;
    ws_warp_fence *consistent = &check->consistent[warp->place];
    uint32_t left, others, i;
    for (left = checked->releases ? mask : 0; left != 0; left &= left - 1)
        ws_fences_set(&check->fences[first + (uint32_t)ws_first_lane(left)], &check->judge.clock, checked->scope);
    if (checked->is_consistent && checked->scope == WS_SCOPE_GPU) {
        consistent->time = check->judge.clock.now;
        consistent->lanes |= mask;
    }
    for (left = checked->acquires ? mask & waiting[warp->place] : 0; left != 0; left &= left - 1) {
        const uint32_t thread = first + (uint32_t)ws_first_lane(left);
        ws_order_behind(check, checked, thread, thread);
    }
    for (i = own; checked->is_consistent && i < own + check->warps; i++) {
        for (others = waiting[i]; others != 0; others &= others - 1)
            ws_order_behind(check, checked, first + (uint32_t)ws_first_lane(mask),
                            i * WS_LANES + (uint32_t)ws_first_lane(others));
    }
}

/* One lane's strong read of a place: it acquires, at once or by a fence that follows. */
static inline void ws_order_reads(ws_check *check, const ws_checked *checked, uint32_t thread,
                                  const ws_pending *place) {
    ws_judge *judge = &check->judge;
    ws_pendings *pendings = &judge->pendings;
    const uint32_t warp = thread / WS_LANES;
    const bool is_released = ws_clock_find(&judge->clock, ws_judge_key(judge, place, warp, true)) != 0 ||
                             ws_clock_find(&judge->clock, ws_judge_key(judge, place, warp, false)) != 0;
    ws_pending *row;
    if (!is_released && !(place->is_global && (judge->journal->count != 0 || judge->launch->lock != NULL))) return;
    row = ws_pendings_row(pendings, thread, place->address, place->is_global);
    if (row->is_used && (row->address != place->address || row->is_global != place->is_global))
        ws_order_learn(check, thread, row, row->scope); /* no room */
    *row = *place;
    row->acquires = checked->acquires;
    pendings->warp = warp;
    pendings->fresh |= UINT32_C(1) << thread % WS_LANES;
}

/* What a thread releases when it writes: by itself, or by its fence of such a scope. */
static inline ws_fence ws_order_given(const ws_check *check, const ws_checked *checked, uint32_t thread,
                                      uint32_t scope) {
    const ws_fence now = {check->judge.clock.floor, check->judge.clock.now};
    return checked->releases ? now : check->fences[thread].at[scope];
}

/* One lane's strong write to a place: what it releases to threads of its cluster. */
static inline void ws_order_writes(ws_check *check, const ws_checked *checked, uint32_t thread,
                                   const ws_pending *place) {
    ws_judge *judge = &check->judge;
    ws_clock *clock = &judge->clock;
    const uint32_t warp = thread / WS_LANES, bit = UINT32_C(1) << thread % WS_LANES;
    uint32_t scope;
    for (scope = WS_SCOPE_CTA; scope <= (judge->is_scoped ? WS_SCOPE_CLUSTER : WS_SCOPE_CTA); scope++) {
        const ws_fence given = ws_order_given(check, checked, thread, scope);
        const uint64_t key = ws_judge_key(judge, place, warp, scope == WS_SCOPE_CTA);
        if (place->scope >= scope && given.time >= clock->floor)
            ws_clock_release(clock, ws_clock_object(clock, key), warp, bit, given.time);
    }
}

/* The same, to all blocks of the GPU. */
static inline void ws_order_tells(ws_check *check, const ws_checked *checked, uint32_t thread,
                                  const ws_pending *place) {
    const ws_judge *judge = &check->judge;
    const ws_fence given = ws_order_given(check, checked, thread, WS_SCOPE_GPU);
    ws_release entry = ws_fences_release(&judge->clock, &given, thread, checked->releases);
    if (place->scope != WS_SCOPE_GPU) return;
    entry.place = WS_KEY_PLACE(true, place->address);
    entry.block = judge->block;
    entry.learned = judge->reader.learned;
    if (ws_fences_fill(&judge->clock, &check->consistent[entry.first / WS_LANES], &entry))
        ws_journal_release(judge->journal, &entry);
}

/* One lane's strong access to a place: first it reads. */
static inline void ws_order_place(ws_check *check, const ws_checked *checked, uint32_t thread, uint64_t address,
                                  bool is_global) {
    const uint32_t step = (uint32_t)(checked - check->steps);
    const ws_pending place = {address, 0, check->judge.clock.now, step, checked->scope, true, is_global, false, true};
    if (checked->observes) ws_order_reads(check, checked, thread, &place);
    if (!checked->is_write) return;
    ws_order_writes(check, checked, thread, &place);
    if (is_global) ws_order_tells(check, checked, thread, &place);
}

#endif /* WS_BODIES */
#endif
