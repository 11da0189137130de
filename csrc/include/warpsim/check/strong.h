/* What strong accesses and fences order.
 *
 *     atomics, volatile    release what came before the thread's latest fence, or all with .release
 *     their reads          acquire by a fence that follows, or at once with .acquire; scopes must reach each other */
#ifndef WARPSIM_CHECK_STRONG_H
#define WARPSIM_CHECK_STRONG_H

#include "order.h"

#if WS_BODIES

/* A thread acquires what was released to a place that it has read, as far as a scope reaches. */
static inline void ws_order_learn(ws_check *check, uint32_t thread, const ws_pending *place, uint32_t scope) {
    ws_judge *judge = &check->judge;
    const uint32_t warp = thread / WS_LANES, bit = UINT32_C(1) << thread % WS_LANES;
    uint32_t i;
    for (i = 0; i < (judge->is_scoped && scope >= WS_SCOPE_CLUSTER ? 2u : 1u); i++) {
        const uint32_t row = ws_clock_find(&judge->clock, ws_judge_key(judge, place, warp, i == 0));
        if (row != 0) ws_clock_acquire(&judge->clock, row, warp, bit);
    }
    if (scope == WS_SCOPE_GPU) {
        const ws_acquirer by = {thread, judge->clock.now};
        ws_journal_acquire(judge->journal, &judge->reader, place->latest, &by);
    }
}

/* What a thread's read of a place has seen: what others have written to it by now. */
static inline void ws_order_sees(ws_check *check, uint32_t thread, ws_sight *sight, bool is_load) {
    ws_journal *journal = check->judge.journal;
    ws_lock(&journal->lock);
    sight->flag = ws_flags_read(&journal->flags, WS_KEY_PLACE(true, sight->address), check->judge.block, thread);
    journal->flags.is_missed |= journal->flags.is_full && is_load;
    ws_unlock(&journal->lock);
    if (sight->flag != 0) ws_sights_add(&check->judge.sights, thread, sight);
}

/* The lanes that read last have their values by now, and with them what was in the journal before. */
static inline void ws_order_seen(ws_check *check) {
    ws_judge *judge = &check->judge;
    ws_pendings *pendings = &judge->pendings;
    ws_sights *sights = &judge->sights;
    uint32_t left, i;
    for (left = sights->fresh; left != 0; left &= left - 1) {
        const uint32_t lane = (uint32_t)ws_first_lane(left);
        ws_order_sees(check, sights->warp * WS_LANES + lane, &sights->loads[lane], true);
    }
    sights->fresh = 0;
    for (left = pendings->fresh; left != 0; left &= left - 1) {
        const uint32_t thread = pendings->warp * WS_LANES + (uint32_t)ws_first_lane(left);
        ws_pending *rows = ws_pendings_of(pendings, thread);
        for (i = 0; i < WS_PENDING_KEPT; i++) {
            if (!rows[i].is_used) continue;
            if (rows[i].is_global && rows[i].scope == WS_SCOPE_GPU && rows[i].is_fresh)
                rows[i].latest = ws_journal_latest(judge->journal, WS_KEY_PLACE(true, rows[i].address));
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

/* What a thread passes on that releases now. Where it has waited at the barrier of its cluster it knows all that came
 * before, even while others are still to go on from there. */
static inline ws_fence ws_order_now(const ws_check *check, uint32_t thread) {
    const ws_clock *clock = &check->judge.clock;
    const ws_meeting *meeting = &check->meeting;
    const bool is_open = (meeting->open[thread / WS_LANES] >> thread % WS_LANES & 1) != 0;
    const bool has_met = !is_open && !meeting->was_relaxed && !meeting->was_used && meeting->ended > clock->floor;
    const ws_fence now = {has_met ? meeting->ended : clock->floor, clock->now};
    return now;
}

/* A lane's fence that releases. */
static inline void ws_order_releases(ws_check *check, const ws_checked *checked, uint32_t thread) {
    const ws_clock *clock = &check->judge.clock;
    const ws_fence now = ws_order_now(check, thread);
    int reach;
    ws_fences_set(&check->fences[thread], &now, checked->scope);
    for (reach = 0; reach <= (checked->scope == WS_SCOPE_GPU ? WS_REACH_GPU : WS_REACH_BLOCK); reach++) {
        ws_fenced *fenced = &check->fenced[reach][thread];
        fenced->warps = 0;
        ws_fences_known(clock, thread, &fenced->warps, fenced->passed);
        if (checked->is_consistent) ws_fences_consistent(check->fences[thread].consistent[reach], clock);
    }
}

static inline void ws_order_fence(ws_check *check, const ws_warp *warp, const ws_checked *checked, uint32_t mask) {
    const uint32_t own = warp->place / check->warps * check->warps, first = warp->place * WS_LANES;
    const uint32_t *waiting = check->judge.pendings.lanes;
    uint32_t left, others, i;
    int reach;
    for (left = checked->releases ? mask : 0; left != 0; left &= left - 1)
        ws_order_releases(check, checked, first + (uint32_t)ws_first_lane(left));
    for (reach = 0; checked->is_consistent && reach <= (checked->scope == WS_SCOPE_GPU); reach++) {
        ws_warp_fence *consistent = &check->consistent[reach][warp->place];
        consistent->time = check->judge.clock.now;
        consistent->lanes |= mask;
        consistent->latest = mask;
    }
    for (i = own; checked->is_consistent && i < own + check->warps;
         i++) { /* what one lane learns of blocks, all have */
        for (others = waiting[i]; others != 0; others &= others - 1) {
            const uint32_t reader = (uint32_t)ws_first_lane(others);
            left = i == warp->place ? mask & ~(UINT32_C(1) << reader) : mask & (0 - mask);
            for (; left != 0; left &= left - 1)
                ws_order_behind(check, checked, first + (uint32_t)ws_first_lane(left), i * WS_LANES + reader);
        }
    }
    for (left = checked->acquires ? mask & waiting[warp->place] : 0; left != 0; left &= left - 1) {
        const uint32_t thread = first + (uint32_t)ws_first_lane(left);
        ws_order_behind(check, checked, thread, thread);
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
    return checked->releases ? ws_order_now(check, thread) : check->fences[thread].at[scope];
}

/* The same by a fence that came before, to threads of its block: what it had known of them then. */
static inline void ws_order_passes(ws_check *check, uint32_t thread, const ws_fence *given, uint64_t key) {
    ws_clock *clock = &check->judge.clock;
    ws_release entry = ws_fences_release(clock, given, thread, false);
    if (!ws_fences_fill(clock, &check->fenced[WS_REACH_BLOCK][thread], check->consistent[WS_REACH_BLOCK], check->fences,
                        WS_REACH_BLOCK, &entry))
        return;
    if (given->time >= clock->floor || ws_fences_is_new(&entry, clock->floor))
        ws_fences_give(clock, ws_clock_object(clock, key), &entry);
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
        if (!checked->releases && clock->ranks == 1) ws_order_passes(check, thread, &given, key);
        else if (place->scope >= scope && given.time >= clock->floor)
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
    if (ws_fences_fill(&judge->clock, checked->releases ? NULL : &check->fenced[WS_REACH_GPU][thread],
                       &check->consistent[WS_REACH_GPU][entry.first / WS_LANES], &check->fences[entry.first],
                       WS_REACH_GPU, &entry))
        ws_journal_release(judge->journal, &entry);
}

/* A strong write of global memory is remembered, with what a fence before it would release. */
static inline void ws_order_flags(ws_check *check, const ws_checked *checked, uint32_t thread,
                                  const ws_pending *place) {
    ws_judge *judge = &check->judge;
    ws_fence before = ws_order_now(check, thread);
    ws_flag flag;
    if (place->scope != WS_SCOPE_GPU) return;
    before.time--;
    flag.given = ws_fences_release(&judge->clock, &before, thread, true);
    flag.given.place = WS_KEY_PLACE(true, place->address);
    flag.given.block = judge->block;
    flag.given.learned = 0;
    flag.step = place->step;
    flag.changes = checked->event != WS_EVENT_STORE && checked->event != WS_EVENT_EXCHANGE;
    flag.is_read = false;
    ws_fences_known(&judge->clock, thread, &flag.given.warps, flag.given.passed);
    ws_lock(&judge->journal->lock);
    judge->sights.version += ws_flags_add(&judge->journal->flags, &flag); /* only its own thread may have seen that */
    ws_unlock(&judge->journal->lock);
}

/* A thread reads a place that others may have written to. An atomic sees what came before itself, a load what has come by
 * the time that it has its value. */
static inline void ws_order_sights(ws_check *check, const ws_checked *checked, uint32_t thread,
                                   const ws_pending *place) {
    ws_sights *sights = &check->judge.sights;
    ws_sight sight = {place->address, 0, place->time, place->step, checked->nbytes};
    if (place->scope != WS_SCOPE_GPU) return;
    if (checked->event != WS_EVENT_LOAD) {
        ws_order_sees(check, thread, &sight, false);
        return;
    }
    sights->warp = thread / WS_LANES;
    sights->fresh |= UINT32_C(1) << thread % WS_LANES;
    sights->loads[thread % WS_LANES] = sight;
}

/* One lane's strong access to a place: first it reads. */
static inline void ws_order_place(ws_check *check, const ws_checked *checked, uint32_t thread, uint64_t address,
                                  bool is_global) {
    const uint32_t step = (uint32_t)(checked - check->steps);
    const ws_pending place = {address, 0, check->judge.clock.now, step, checked->scope, true, is_global, false, true};
    if (checked->observes) ws_order_reads(check, checked, thread, &place);
    if (is_global && (checked->takes || !checked->is_write)) ws_order_sights(check, checked, thread, &place);
    if (!checked->is_write) return;
    ws_order_writes(check, checked, thread, &place);
    if (is_global) ws_order_tells(check, checked, thread, &place);
    if (is_global) ws_order_flags(check, checked, thread, &place);
}

#endif /* WS_BODIES */
#endif
