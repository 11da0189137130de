/* Bulk copies as agents of their own: what they read and write belongs to nobody until someone waits for them. The bytes
 * are the issuing thread's from then on; who has waited knows of them. */
#ifndef WARPSIM_CHECK_BULK_H
#define WARPSIM_CHECK_BULK_H

#include "../base/apart.h"
#include "stretches.h"

#if WS_BODIES

/* The copy has been made: what it wrote, and what it read. */
static inline void ws_bulk_sees_landing(const ws_bulk_seen *seen, uint32_t offset, uint32_t nbytes) {
    ws_judge *judge = &seen->check->judge;
    const ws_shadow *shadow = &seen->check->shared;
    uint32_t i;
    int k;
    ws_shadow_land(judge, &seen->check->shared, offset, nbytes);
    for (i = offset >> shadow->shift; i < (offset + nbytes) >> shadow->shift; i++) {
        for (k = 0; k < WS_CELL_KEPT; k++) {
            ws_stamp *kept = &shadow->cells[i].kept[k];
            if (kept->time == WS_TIME_IN_FLIGHT &&
                ws_stamp_thread(judge, kept) == ws_bulk_thread(seen->check, seen->flight))
                kept->time = judge->clock.now;
        }
    }
}

static inline void ws_bulk_lands(ws_check *check, const ws_tma *flight) {
    const ws_bulk_seen seen = {check, flight, NULL, 0, 0};
    const ws_bulk_seen from = ws_bulk_at(seen, flight->from_rank), to = ws_bulk_at(seen, flight->to_rank);
    if (flight->kind != WS_BULK_STORE) ws_bulk_each(&to, flight->to, ws_bulk_sees_landing);
    if (flight->kind != WS_BULK_LOAD) ws_bulk_each(&from, flight->from, ws_bulk_sees_landing);
}

/* It has, and its barrier has counted it; `row`: of the barrier's object. */
static inline void ws_bulk_arrives(ws_check *check, const ws_tma *flight, uint32_t row) {
    const uint32_t thread = ws_bulk_thread(check, flight);
    ws_clock *clock = &check->judge.clock;
    ws_bulk_lands(check, flight);
    if (flight->barrier != (uint32_t)WS_NO_BARRIER)
        ws_clock_release(clock, row, thread / WS_LANES, UINT32_C(1) << thread % WS_LANES, clock->now);
}

/* It will complete on an object of a block, unless groups count it. */
static inline void ws_bulk_completes(const ws_bulk_seen *seen, const ws_block *owner) {
    const uint32_t barrier = seen->flight->barrier;
    if (barrier != (uint32_t)WS_NO_BARRIER) {
        const ws_visit visit = ws_bulk_visit(seen, (uint32_t)ws_check_own(seen->check, owner) + barrier, 8);
        ws_proxy_completes(seen->check, &visit);
    }
}

/* A copy that is one too many for its block arrives at once, for whoever waits from now on. */
static inline void ws_bulk_starts(ws_check *check, ws_block *block, const ws_tma *flight, uint32_t *started) {
    const ws_block *owner = ws_tma_owner(block, flight);
    const uint64_t object = ws_check_own(check, owner) + (uint64_t)flight->barrier;
    if (owner->bulks.count + started[owner->rank]++ < owner->bulks.capacity) return;
    check->judge.clock.now++;
    ws_bulk_arrives(check, flight, ws_clock_object(&check->judge.clock, WS_KEY_OBJECT(object, 1)));
}

/* The lanes of a step issue copies; `started`: how many of them each block keeps. */
static inline void ws_bulk_issues(ws_check *check, ws_lanes *lanes, const ws_step *step, ws_pass *pass, uint32_t mask) {
    uint32_t started[WS_MOST_RANKS] = {0};
    for (; mask != 0; mask &= mask - 1) {
        ws_tma flight;
        ws_bulk_seen seen = {check, &flight, pass, ws_first_lane(mask), 0};
        uint32_t ranks;
        if (!ws_tma_make(lanes, step, seen.lane, &flight)) return; /* the launch ends */
        if (flight.kind == WS_BULK_PREFETCH) continue;
        if (flight.kind != WS_BULK_LOAD) {
            const ws_bulk_seen from = ws_bulk_at(seen, flight.from_rank);
            ws_bulk_pass(pass, &flight, WS_AT_SHARED, false, true);
            ws_bulk_each(&from, flight.from, ws_bulk_sees_read);
        }
        ranks = flight.ranks;
        do {
            ws_tma_turn_to(&flight, ranks);
            if (flight.kind != WS_BULK_STORE) ws_bulk_writes(seen);
            if (check->judge.launch->is_strict) ws_bulk_completes(&seen, ws_tma_owner(ws_block_of(lanes), &flight));
            ws_bulk_starts(check, ws_block_of(lanes), &flight, started);
            ranks &= ranks - 1;
        } while (ranks != 0);
        if (flight.kind == WS_BULK_SHARE) continue;
        ws_bulk_pass(pass, &flight, WS_AT_GLOBAL, flight.kind == WS_BULK_STORE, flight.kind == WS_BULK_STORE);
        ws_bulk_sees_global(&seen);
    }
}

/* Lanes wait for the groups of their copies, all but the latest `kept`. For what they write it counts as one for all. */
static inline void ws_bulk_waits(ws_check *check, const ws_warp *warp, uint32_t number, uint32_t mask, uint32_t kept) {
    const ws_tmas *bulks = &warp->block->bulks;
    const bool of_sources = warp->block->program->meant[number].said.of_sources;
    uint32_t i;
    check->judge.clock.now++;
    for (i = 0; i < WS_LANES && !of_sources; i++) {
        if (mask >> i & 1) check->judge.stored[warp->place * WS_LANES + i] = check->judge.clock.now;
    }
    for (i = 0; i < bulks->count; i++) {
        const ws_tma *flight = &bulks->flights[i];
        if (flight->thread / WS_LANES == warp->number && (mask >> flight->thread % WS_LANES & 1) &&
            ws_tma_is_due(bulks, flight, flight->thread, kept))
            ws_bulk_lands(check, flight);
    }
}

/* A thread waits for the phase of a parity: the copies that its block's object still waits for arrive. The object's word
 * then; `row`: of the object's phase that runs. */
static inline uint64_t ws_bulk_word(ws_check *check, const ws_warp *warp, uint32_t object, uint32_t parity,
                                    uint32_t row) {
    const ws_tmas *bulks = &warp->block->bulks;
    const uint32_t at = object - ws_check_own(check, warp->block);
    uint64_t word = ws_load_u64(warp->block->shared + at);
    uint32_t i;
    for (i = 0; i < bulks->count && ws_mbarrier_of(word).parity == parity; i++) {
        const ws_tma *flight = &bulks->flights[i];
        if (!ws_tma_is_for(flight, at)) continue;
        ws_bulk_arrives(check, flight, row);
        word = ws_mbarrier_after(word, WS_MBARRIER_RECEIVES, flight->nbytes);
    }
    return word;
}

/* Lanes exit: copies of theirs may still read the shared memory of their block, for which nobody else can wait. */
WS_ONCE void ws_bulk_exits(ws_check *check, const ws_warp *warp, uint32_t mask) {
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

#endif /* WS_BODIES */
#endif
