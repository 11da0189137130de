/* Cells of the shared memory of a cluster's blocks, each of the bytes that the kernel's smallest access to it has.
 *
 * Most accesses come after a barrier of the whole block: then one look at the times of all lanes' cells is enough. */
#ifndef WARPSIM_SHADOW_SHADOW_H
#define WARPSIM_SHADOW_SHADOW_H

#include "carried.h"
#include "cell.h"

typedef struct ws_shadow {
    ws_cell *cells;
    uint32_t count, shift; /* of a cell's bytes */
    ws_carried *carried;   /* of each cell */
    ws_crowd crowd;
    bool carries;     /* some store has, in this cluster */
    bool has_atomics; /* the kernel has some */
} ws_shadow;

/* `is_fine`: barriers of all threads may not be all that orders them. */
static inline bool ws_shadow_make(ws_shadow *shadow, uint32_t nbytes, uint32_t shift, bool is_fine, ws_arena *arena) {
    const uint64_t wanted = (uint64_t)WS_CROWD_LEAST + 4 * (uint64_t)(nbytes >> shift);
    const uint32_t capacity = !is_fine ? 0 : wanted < WS_CROWD_MOST ? (uint32_t)wanted : (uint32_t)WS_CROWD_MOST;
    shadow->shift = shift;
    shadow->count = (nbytes >> shift) + 1;
    shadow->crowd = ws_crowd_make(is_fine ? (ws_crowd_row *)ws_arena_take(arena, capacity, sizeof(ws_crowd_row)) : NULL,
                                  capacity, UINT32_MAX);
    shadow->cells = (ws_cell *)ws_arena_take(arena, shadow->count, sizeof(ws_cell));
    shadow->carried = (ws_carried *)ws_arena_take(arena, shadow->count, sizeof(ws_carried));
    return arena->wanted <= arena->capacity;
}

/* A cluster begins: no store has put uninitialised values anywhere. */
static inline void ws_shadow_start(ws_shadow *shadow) {
    uint32_t i;
    for (i = 0; i < shadow->count && shadow->carries; i++) shadow->carried[i].bits = 0;
    shadow->carries = false;
}

/* As if nobody had ever accessed it. */
static inline void ws_shadow_clear(ws_shadow *shadow) {
    uint32_t i;
    for (i = 0; i < shadow->count; i++) {
        ws_cell *cell = &shadow->cells[i];
        cell->write.time = cell->kept[0].time = cell->kept[1].time = cell->kept[2].time = cell->others = 0;
    }
    ws_crowd_clear(&shadow->crowd);
}

/* A copy has arrived. */
static inline void ws_shadow_land(const ws_judge *judge, ws_shadow *shadow, uint32_t to, uint32_t nbytes) {
    uint32_t i;
    for (i = to >> shadow->shift; i < (to + nbytes) >> shadow->shift; i++) {
        if (shadow->cells[i].write.time == WS_TIME_IN_FLIGHT) shadow->cells[i].write.time = judge->clock.now;
    }
}

/* The store's other lane at offset `at`: do their values differ? */
static inline void ws_pass_met(ws_judge *judge, ws_pass *pass, const ws_visit *visit, const ws_stamp *met,
                               uint32_t at) {
    const int lanes[2] = {(int)(visit->stamp.who % WS_LANES), (int)(met->who % WS_LANES)};
    const uint32_t ats[2] = {at - pass->offset[lanes[0]], at - pass->offset[lanes[1]]};
    if (visit->nbytes > pass->nbytes || ats[1] > pass->nbytes - visit->nbytes) return; /* it begins later: wrapped */
    if (ws_values_differ(&pass->values, lanes, ats, visit->nbytes))
        ws_judge_report(judge, WS_RUN_CLASH, visit, met, true, judge->block);
    else if (pass->is_partial && ws_values_are_known(&pass->values)) /* told.h asks what the value is */
        ws_judge_report(judge, WS_RUN_SAME_VALUE, visit, met, false, judge->block);
}

/* `nbytes` bytes of a lane from offset `at`, which are those of a cell. */
static inline void ws_shadow_visit(ws_judge *judge, ws_shadow *shadow, ws_pass *pass, uint32_t at, uint32_t nbytes,
                                   int lane) {
    ws_cell *cell = &shadow->cells[at >> shadow->shift];
    const ws_stamp before = cell->write;
    ws_visited visited;
    ws_visit visit;
    visit.stamp = ws_pass_stamp(judge, pass, lane);
    visit.address = at;
    visit.nbytes = nbytes;
    visit.space = pass->space;
    visit.is_write = pass->is_write;
    visit.reads = pass->reads;
    visit.takes = pass->takes;
    visit.changes_nothing = before.time >= judge->clock.floor && pass->is_write &&
                            ws_value_is_there(&pass->values, lane, at - pass->offset[lane], nbytes, pass->memory + at);
    visited = ws_cell_visit(judge, &shadow->crowd, cell, NULL, judge->clock.start, &visit);
    if (visited == WS_VISITED_UNWRITTEN) ws_pass_hole(pass, lane, at - pass->offset[lane], nbytes);
    if (visited == WS_VISITED_MET && pass->is_write) ws_pass_met(judge, pass, &visit, &before, at);
    if (pass->is_write && (pass->who & WS_WHO_COPY)) cell->write.time = WS_TIME_IN_FLIGHT;
}

static inline void ws_shadow_lane(ws_judge *judge, ws_shadow *shadow, ws_pass *pass, int lane) {
    const uint32_t size = UINT32_C(1) << shadow->shift, from = pass->offset[lane];
    uint32_t at;
    for (at = from; at < from + pass->nbytes; at += size) ws_shadow_visit(judge, shadow, pass, at, size, lane);
}

/* Uninitialised values that a lane stores, or reads where a store has put them. */
static inline void ws_shadow_carry(ws_shadow *shadow, ws_pass *pass, int lane) {
    const uint32_t size = UINT32_C(1) << shadow->shift, from = pass->offset[lane];
    const uint32_t first = pass->origin == UINT32_MAX ? pass->step : pass->origin; /* a register that nobody has set */
    uint32_t at;
    for (at = 0; at < pass->nbytes; at += size) {
        ws_carried *cell = &shadow->carried[(from + at) >> shadow->shift];
        const uint64_t given = pass->is_write ? ws_carried_given(pass, lane, at, size) : 0;
        if (pass->reads && cell->bits != 0) ws_carried_gives(pass, cell, lane, at, size);
        if (!pass->is_write) continue;
        cell->bits = given;
        cell->origin = first;
        cell->padding = pass->padding;
    }
}

/* The least and the greatest of the times of the lanes' cells. */
typedef struct ws_times {
    uint32_t first_write, last_write, last_kept, first_full;
    bool is_spread; /* what is kept is of two warps, or of this one */
} ws_times;

static inline ws_times ws_shadow_times(const ws_shadow *shadow, const ws_pass *pass, uint32_t who_warp) {
    const uint32_t own = pass->who | pass->warp * WS_LANES;
    ws_times times = {UINT32_MAX, 0, 0, UINT32_MAX, true};
    const uint32_t count = pass->nbytes >> shadow->shift;
    uint32_t left, i;
    for (left = pass->mask; left != 0; left &= left - 1) {
        const ws_cell *cell = &shadow->cells[pass->offset[ws_first_lane(left)] >> shadow->shift];
        for (i = 0; i < count; i++, cell++) {
            const uint32_t write = cell->write.time, kept = cell->kept[0].time, last = cell->kept[2].time;
            times.first_write = write < times.first_write ? write : times.first_write;
            times.last_write = write > times.last_write ? write : times.last_write;
            times.last_kept = kept > times.last_kept ? kept : times.last_kept;
            times.is_spread = times.is_spread && (((cell->kept[0].who ^ cell->kept[2].who) & who_warp) != 0 ||
                                                  ((cell->kept[0].who ^ own) & who_warp) == 0);
            times.first_full = last < times.first_full ? last : times.first_full;
        }
    }
    return times;
}

/* Nobody has read the cells since the floor rose. */
static inline void ws_shadow_first_reads(const ws_judge *judge, ws_shadow *shadow, const ws_pass *pass) {
    const uint32_t count = pass->nbytes >> shadow->shift;
    uint32_t left, i;
    for (left = pass->mask; left != 0; left &= left - 1) {
        const int lane = ws_first_lane(left);
        const ws_stamp stamp = ws_pass_stamp(judge, pass, lane);
        ws_cell *cell = &shadow->cells[pass->offset[lane] >> shadow->shift];
        for (i = 0; i < count; i++, cell++) {
            const bool has_first = cell->kept[0].time == stamp.time;
            if (has_first && cell->kept[1].time == stamp.time)
                ws_crowd_add(judge, &shadow->crowd, &cell->others, &cell->kept[1], judge->block);
            cell->kept[has_first] = stamp;
        }
    }
}

/* Where a read is kept, or -1: what ws_cell_keep does where only barriers of the whole block order threads. */
static inline int ws_shadow_slot(const ws_judge *judge, const ws_stamp kept[WS_CELL_KEPT], const ws_stamp *stamp) {
    const uint32_t who_warp = judge->who_warp, same = who_warp | WS_WHO_THREAD | WS_WHO_ATOMIC;
    bool is_there = false;
    int i;
    for (i = 0; i < WS_CELL_KEPT; i++) {
        if (kept[i].time < judge->clock.floor || ((kept[i].who ^ stamp->who) & same) == 0) return i;
        is_there = is_there || ws_stamp_is_like(&kept[i], stamp, who_warp);
    }
    for (i = WS_CELL_KEPT - 1; i > 0 && !is_there; i--) {
        if (ws_stamp_is_like(&kept[i - 1], &kept[i], who_warp)) return i;
    }
    return -1;
}

/* Others have read the cells since the floor rose. */
static inline void ws_shadow_more_reads(const ws_judge *judge, ws_shadow *shadow, const ws_pass *pass) {
    const uint32_t count = pass->nbytes >> shadow->shift;
    uint32_t left, i;
    for (left = pass->mask; left != 0; left &= left - 1) {
        const int lane = ws_first_lane(left);
        const ws_stamp stamp = ws_pass_stamp(judge, pass, lane);
        ws_cell *cell = &shadow->cells[pass->offset[lane] >> shadow->shift];
        for (i = 0; i < count; i++, cell++) {
            const int slot = ws_shadow_slot(judge, cell->kept, &stamp);
            const ws_stamp *more = slot < 0 ? &stamp : &cell->kept[slot];
            if (shadow->crowd.rows != NULL && more->time >= judge->clock.floor)
                ws_crowd_add(judge, &shadow->crowd, &cell->others, more, judge->block);
            if (slot >= 0) cell->kept[slot] = stamp;
        }
    }
}

/* Nobody has accessed the cells since the floor rose; false: two lanes met. */
static inline bool ws_shadow_first_writes(const ws_judge *judge, ws_shadow *shadow, const ws_pass *pass) {
    const uint32_t count = pass->nbytes >> shadow->shift, now = judge->clock.now;
    uint32_t left, i, met = 0;
    for (left = pass->mask; left != 0; left &= left - 1) {
        const int lane = ws_first_lane(left);
        const ws_stamp stamp = ws_pass_stamp(judge, pass, lane);
        ws_cell *cell = &shadow->cells[pass->offset[lane] >> shadow->shift];
        for (i = 0; i < count; i++, cell++) {
            met |= cell->write.time == now;
            cell->write = stamp;
        }
    }
    return met == 0;
}

/* An access: all its lanes lie inside and are aligned. */
static inline void ws_shadow_pass(ws_judge *judge, ws_shadow *shadow, ws_pass *pass) {
    const ws_clock *clock = &judge->clock;
    uint32_t left;
    if (shadow->crowd.latest < clock->floor) ws_crowd_clear(&shadow->crowd);
    if (!(pass->who & WS_WHO_COPY)) {
        const ws_times times = ws_shadow_times(shadow, pass, judge->who_warp);
        const bool is_ordered = times.last_write < clock->floor;
        if (!pass->is_write && is_ordered && times.first_write >= clock->start) {
            if (times.last_kept < clock->floor) {
                ws_shadow_first_reads(judge, shadow, pass);
                return;
            }
            if (!clock->is_fine && !shadow->has_atomics) {
                if (shadow->crowd.rows != NULL || !times.is_spread || times.first_full < clock->floor)
                    ws_shadow_more_reads(judge, shadow, pass);
                return;
            }
        }
        if (!pass->reads && is_ordered && times.last_kept < clock->floor) {
            if (ws_shadow_first_writes(judge, shadow, pass) || (pass->values.step == NULL && pass->values.rows == NULL))
                return;
        }
    }
    for (left = pass->mask; left != 0; left &= left - 1) ws_shadow_lane(judge, shadow, pass, ws_first_lane(left));
}

/* What it carries to or from there. */
static inline void ws_shadow_carries(ws_shadow *shadow, ws_pass *pass) {
    uint32_t left;
    shadow->carries = shadow->carries || (pass->is_write && pass->carried != 0);
    for (left = shadow->carries ? pass->mask : 0; left != 0; left &= left - 1)
        ws_shadow_carry(shadow, pass, ws_first_lane(left));
}

#endif
