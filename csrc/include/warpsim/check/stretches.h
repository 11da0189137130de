/* The stretches of memory that a bulk copy reads and writes, as the shadows see them.
 *
 *     shared bytes that a copy writes    in flight from its issue to the wait for its barrier that ends
 *     shared bytes that a copy reads     in flight from its issue to the wait for its group, or for its barrier
 *     stores that it reads               must have passed a proxy fence */
#ifndef WARPSIM_CHECK_STRETCHES_H
#define WARPSIM_CHECK_STRETCHES_H

#include "cluster.h"
#include "proxy.h"
#include "tiles.h"
#include "visitors.h"

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

/* And fills: products may still read what was there. */
static inline void ws_bulk_sees_fill(const ws_bulk_seen *seen, uint32_t offset, uint32_t nbytes) {
    const ws_stamp stamp = ws_pass_stamp(&seen->check->judge, seen->pass, seen->lane);
    if (seen->check->products.groups == NULL) return;
    ws_tiles_written(seen->check, &stamp, offset, nbytes);
    ws_tiles_filled(seen->check, seen->flight, offset, nbytes);
}

/* The copy at shared bytes. */
static inline ws_visit ws_bulk_visit(const ws_bulk_seen *seen, uint32_t at, uint32_t nbytes) {
    ws_visit visit = ws_check_where(WS_AT_SHARED, at, nbytes);
    visit.stamp = ws_pass_stamp(&seen->check->judge, seen->pass, seen->lane);
    visit.is_write = seen->pass->is_write;
    return visit;
}

/* A stretch of memory that it is about to write: what has been there. */
static inline void ws_bulk_sees_used(const ws_bulk_seen *seen, uint32_t offset, uint32_t nbytes) {
    const ws_shadow *shadow = &seen->check->shared;
    const uint32_t size = UINT32_C(1) << shadow->shift;
    uint32_t at;
    for (at = offset; at < offset + nbytes; at += size) {
        const ws_visit visit = ws_bulk_visit(seen, at, size);
        ws_proxy_reuses(seen->check, &visit, &shadow->cells[at >> shadow->shift]);
    }
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
        const ws_visit visit = ws_bulk_visit(seen, at, size);
        ws_bulk_sees_write(seen, at, size); /* the pass says that it reads */
        if (!is_old && !(write.who & WS_WHO_COPY) &&
            !ws_proxy_is_fenced(seen->check, &write, ws_bulk_thread(seen->check, seen->flight)))
            ws_judge_report(&seen->check->judge, WS_RUN_PROXY, &visit, &write, true, seen->check->judge.block);
        if (cell->kept[2].time != WS_TIME_IN_FLIGHT)
            ws_crowd_add(&seen->check->judge, &seen->check->shared.crowd, &cell->others, &cell->kept[2],
                         seen->check->judge.block);
        cell->kept[2] = cell->kept[1];
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
    if (seen.check->judge.launch->is_strict) ws_bulk_each(&seen, flight->to, ws_bulk_sees_used);
    ws_bulk_each(&seen, flight->to, ws_bulk_sees_write);
    ws_bulk_each(&seen, flight->to, ws_bulk_sees_fill);
}

#endif /* WS_BODIES */
#endif
