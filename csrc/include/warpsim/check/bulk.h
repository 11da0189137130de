/* Bulk copies as agents of their own: what they read and write belongs to nobody until someone waits for them.
 *
 *     shared bytes that a copy writes    in flight from its issue to the wait for its barrier that ends
 *     shared bytes that a copy reads     in flight from its issue to the wait for its group, or for its barrier
 *     stores that it reads               must have passed a proxy fence of their thread, or of the one that issues it
 *
 * The bytes are the issuing thread's from then on; who has waited knows of them. */
#ifndef WARPSIM_CHECK_BULK_H
#define WARPSIM_CHECK_BULK_H

#include "cluster.h"
#include "tiles.h"

#if WS_BODIES

/* One copy as the check sees it. */
typedef struct ws_bulk_seen {
    ws_check *check;
    const ws_tma *flight;
    ws_pass *pass;
    int lane;
    uint32_t base; /* where the shared memory of the block begins in that of the cluster */
} ws_bulk_seen;

/* The thread that issued it, in the cluster. */
static inline uint32_t ws_bulk_thread(const ws_check *check, const ws_tma *flight) {
    return flight->from_rank * check->judge.clock.each + flight->thread;
}

/* Offsets count from the shared memory of a rank on. */
static inline ws_bulk_seen ws_bulk_at(ws_bulk_seen seen, uint32_t rank) {
    seen.base = rank * seen.check->judge.stride;
    return seen;
}

/* A stretch of shared memory that the copy writes. */
static inline void ws_bulk_sees_write(const ws_bulk_seen *seen, uint32_t offset, uint32_t nbytes) {
    uint32_t offsets[WS_LANES];
    ws_pass *pass = seen->pass;
    offsets[seen->lane] = offset;
    pass->offset = offsets;
    pass->nbytes = nbytes;
    ws_shadow_lane(&seen->check->judge, &seen->check->shared, pass, seen->lane);
}

/* And fills. */
static inline void ws_bulk_sees_fill(const ws_bulk_seen *seen, uint32_t offset, uint32_t nbytes) {
    ws_tiles_filled(seen->check, seen->flight, offset, nbytes);
}

static inline void ws_bulk_report_fence(const ws_bulk_seen *seen, const ws_stamp *write, uint32_t at, uint32_t nbytes) {
    ws_visit visit = ws_check_where(WS_AT_SHARED, at, nbytes);
    visit.stamp = ws_pass_stamp(&seen->check->judge, seen->pass, seen->lane);
    ws_judge_report(&seen->check->judge, WS_RUN_PROXY, &visit, write, true, seen->check->judge.block);
}

/* A stretch that it reads: it stays in flight. */
static inline void ws_bulk_sees_read(const ws_bulk_seen *seen, uint32_t offset, uint32_t nbytes) {
    const ws_shadow *shadow = &seen->check->shared;
    const uint32_t size = UINT32_C(1) << shadow->shift;
    uint32_t at;
    for (at = offset; at < offset + nbytes; at += size) {
        ws_cell *cell = &shadow->cells[at >> shadow->shift];
        const ws_stamp write = cell->write;
        const bool is_old = write.time < seen->check->judge.clock.start || write.time == WS_TIME_IN_FLIGHT;
        ws_bulk_sees_write(seen, at, size); /* the pass says that it reads */
        if (!is_old && !(write.who & WS_WHO_COPY) &&
            !ws_proxy_is_fenced(seen->check, &write, ws_bulk_thread(seen->check, seen->flight)))
            ws_bulk_report_fence(seen, &write, at, size);
        cell->kept[1] = cell->kept[0];
        cell->kept[0] = ws_pass_stamp(&seen->check->judge, seen->pass, seen->lane);
        cell->kept[0].time = WS_TIME_IN_FLIGHT;
    }
}

/* The shared bytes of a copy, stretch by stretch: with a swizzle chunk by chunk. */
static inline void ws_bulk_each(const ws_bulk_seen *seen, uint32_t begin,
                                void (*sees)(const ws_bulk_seen *seen, uint32_t offset, uint32_t nbytes)) {
    const ws_tma *flight = seen->flight;
    ws_tensor_walk walk;
    uint32_t at;
    if (!flight->is_tensor) {
        if (flight->nbytes != 0) sees(seen, seen->base + begin, flight->nbytes);
        return;
    }
    walk = ws_tensor_walk_make(&flight->map, &flight->place, flight->kind == WS_BULK_LOAD);
    for (; walk.row < walk.rows; ws_tensor_walk_on(&walk)) {
        for (at = 0; at < ws_tensor_row_bytes(&flight->map); at += WS_TENSOR_CHUNK)
            sees(seen, seen->base + ws_tensor_swizzled(&flight->map, begin + walk.row * walk.pitch + at),
                 WS_TENSOR_CHUNK);
    }
}

/* Global bytes that it reads or writes: whole cells of 4 bytes. */
static inline void ws_bulk_sees_array(const ws_bulk_seen *seen, uint64_t address, uint32_t nbytes) {
    const uint64_t begin = (address + 3) / 4 * 4, end = (address + nbytes) / 4 * 4;
    uint64_t addresses[WS_LANES];
    if (end <= begin) return;
    addresses[seen->lane] = begin;
    seen->pass->space = WS_AT_GLOBAL;
    seen->pass->mask = UINT32_C(1) << seen->lane;
    seen->pass->nbytes = (uint32_t)(end - begin);
    seen->pass->alignment = (begin | end) % 16 == 0 ? 16 : 4;
    (void)ws_arrays_pass(&seen->check->judge, &seen->check->arrays, seen->check->memory, addresses, seen->pass);
}

static inline void ws_bulk_sees_global(const ws_bulk_seen *seen) {
    const ws_tma *flight = seen->flight;
    ws_tensor_walk walk;
    if (!flight->is_tensor) {
        ws_bulk_sees_array(seen, flight->global, flight->nbytes);
        return;
    }
    walk = ws_tensor_walk_make(&flight->map, &flight->place, true);
    for (; walk.row < walk.rows; ws_tensor_walk_on(&walk)) {
        const ws_tensor_row row = ws_tensor_row_at(&walk);
        ws_bulk_sees_array(seen, row.global, (row.last - row.first) * flight->map.nbytes);
    }
}

static inline void ws_bulk_pass(ws_pass *pass, const ws_tma *flight, uint8_t space, bool is_write, bool is_copy) {
    const uint32_t kept = pass->who & ~(uint32_t)(WS_WHO_COPY | WS_WHO_WRITES | WS_WHO_ATOMIC);
    pass->space = space;
    pass->is_write = is_write;
    pass->reads = !is_write;
    pass->is_told = false;
    pass->unwritten = 0;
    pass->who = kept | (is_write ? (uint32_t)WS_WHO_WRITES : 0) | (is_copy ? (uint32_t)WS_WHO_COPY : 0) |
                (is_write && flight->reduces != 0 && space == WS_AT_GLOBAL ? (uint32_t)WS_WHO_ATOMIC : 0);
}

/* The copy writes to the shared memory of one block. */
static inline void ws_bulk_writes(ws_bulk_seen seen) {
    const ws_tma *flight = seen.flight;
    uint32_t offsets[WS_LANES];
    seen = ws_bulk_at(seen, flight->to_rank);
    ws_bulk_pass(seen.pass, flight, WS_AT_SHARED, true, true);
    offsets[seen.lane] = seen.base + flight->to;
    seen.pass->offset = offsets;
    seen.pass->mask = UINT32_C(1) << seen.lane;
    if (seen.check->visitors != NULL) ws_visitors_come(seen.check, seen.pass);
    ws_bulk_each(&seen, flight->to, ws_bulk_sees_write);
    ws_bulk_each(&seen, flight->to, ws_bulk_sees_fill);
}

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

#endif /* WS_BODIES */
#endif
