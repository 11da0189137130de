/* What each thread of a block knows of the others: happens-before.
 *
 *     time      every access and every event has one; it only grows, from block to block
 *     floor     all accesses before it are ordered before all that come now: a barrier of the whole block raises it
 *     known     of each pair of threads (reader, other): the other's accesses up to that time are ordered before the reader
 *     object    what those who release give to those who acquire: a barrier, an mbarrier object, an atomic's place
 *
 * Rows and objects are empty again when the floor rises; a row has bits of the warps that it says anything about. */
#ifndef WARPSIM_CHECK_CLOCK_H
#define WARPSIM_CHECK_CLOCK_H

#include "../base/arena.h"
#include "../base/mask.h"
#include "../isa/isa.h"

enum { WS_CLOCK_OBJECTS = 96, WS_CLOCK_WARPS = 32 };

typedef struct ws_clock_row {
    uint32_t floor; /* it is empty unless this is the floor of now */
    uint32_t warps; /* bits */
} ws_clock_row;

typedef struct ws_clock {
    uint32_t now, floor, start; /* start: when the block began */
    uint32_t threads;           /* in whole warps */
    bool is_fine;               /* since the floor rose, something else has ordered threads */
    ws_clock_row *rows;         /* of the threads, then of the objects, then one to work with */
    uint64_t *keys;             /* of the objects; 0: free */
    uint32_t *known;            /* [threads + objects][threads] */
    uint32_t next;              /* object that is given up next */
} ws_clock;

static inline bool ws_clock_make(ws_clock *clock, uint32_t warps, ws_arena *arena) {
    const size_t threads = (size_t)warps * WS_LANES, rows = threads + WS_CLOCK_OBJECTS + 1;
    clock->threads = (uint32_t)threads;
    clock->now = clock->floor = clock->start = 1;
    clock->next = 0;
    clock->is_fine = false;
    clock->rows = (ws_clock_row *)ws_arena_take(arena, rows, sizeof(ws_clock_row));
    clock->keys = (uint64_t *)ws_arena_take(arena, WS_CLOCK_OBJECTS, sizeof(uint64_t));
    clock->known = (uint32_t *)ws_arena_take(arena, rows * threads, sizeof(uint32_t));
    return arena->wanted <= arena->capacity;
}

/* All accesses so far are ordered before all that come. */
static inline void ws_clock_raise(ws_clock *clock) {
    clock->floor = ++clock->now;
    clock->is_fine = false;
}

/* Times begin anew. */
static inline void ws_clock_rewind(ws_clock *clock) {
    uint32_t i;
    clock->now = 0;
    for (i = 0; i < clock->threads + WS_CLOCK_OBJECTS; i++) clock->rows[i].floor = 0;
}

static inline void ws_clock_start(ws_clock *clock) {
    int i;
    ws_clock_raise(clock);
    clock->start = clock->floor;
    for (i = 0; i < WS_CLOCK_OBJECTS; i++) clock->keys[i] = 0;
}

static inline uint32_t *ws_clock_known(const ws_clock *clock, uint32_t row) {
    return clock->known + (size_t)row * clock->threads;
}

/* Bits of the warps that a row speaks of. */
static inline uint32_t ws_clock_warps(const ws_clock *clock, uint32_t row) {
    return clock->rows[row].floor == clock->floor ? clock->rows[row].warps : 0;
}

/* Is the access of `other` at `time` ordered before what `thread` does now? */
static inline bool ws_clock_orders(const ws_clock *clock, uint32_t thread, uint32_t other, uint32_t time) {
    if (time < clock->floor || thread == other) return true;
    if (!(ws_clock_warps(clock, thread) >> (other / WS_LANES) & 1)) return false;
    return ws_clock_known(clock, thread)[other] >= time;
}

/* Room in a row for what it will know of a warp. */
static inline uint32_t *ws_clock_open(ws_clock *clock, uint32_t row, uint32_t warp) {
    uint32_t *known = ws_clock_known(clock, row) + (size_t)warp * WS_LANES, i;
    if (clock->rows[row].floor != clock->floor) clock->rows[row].warps = 0;
    clock->rows[row].floor = clock->floor;
    for (i = 0; i < WS_LANES && !(clock->rows[row].warps >> warp & 1); i++) known[i] = 0;
    clock->rows[row].warps |= UINT32_C(1) << warp;
    return known;
}

/* Row `to` knows what row `from` knows. */
static inline void ws_clock_join(ws_clock *clock, uint32_t to, uint32_t from) {
    uint32_t warps = ws_clock_warps(clock, from), i;
    for (; warps != 0; warps &= warps - 1) {
        const uint32_t warp = (uint32_t)ws_first_lane(warps);
        const uint32_t *const source = ws_clock_known(clock, from) + (size_t)warp * WS_LANES;
        uint32_t *const known = ws_clock_open(clock, to, warp);
        for (i = 0; i < WS_LANES; i++) known[i] = known[i] > source[i] ? known[i] : source[i];
    }
}

/* Row `to` knows all that the lanes of a warp have done until `time`, and what they know. */
static inline void ws_clock_release(ws_clock *clock, uint32_t to, uint32_t warp, uint32_t lanes, uint32_t time) {
    uint32_t *known;
    uint32_t left;
    if (lanes == 0) return;
    clock->is_fine = true;
    for (left = lanes; left != 0; left &= left - 1) {
        const uint32_t thread = warp * WS_LANES + (uint32_t)ws_first_lane(left);
        if (thread != to) ws_clock_join(clock, to, thread);
    }
    known = ws_clock_open(clock, to, warp);
    for (left = lanes; left != 0; left &= left - 1) {
        const int lane = ws_first_lane(left);
        if (known[lane] < time) known[lane] = time;
    }
}

static inline void ws_clock_acquire(ws_clock *clock, uint32_t from, uint32_t warp, uint32_t lanes) {
    for (; lanes != 0; lanes &= lanes - 1) ws_clock_join(clock, warp * WS_LANES + (uint32_t)ws_first_lane(lanes), from);
}

/* Lanes of a warp that meet: each knows what any of them has done and knows. */
static inline void ws_clock_meet(ws_clock *clock, uint32_t warp, uint32_t lanes) {
    const uint32_t row = clock->threads + WS_CLOCK_OBJECTS;
    clock->rows[row].warps = 0;
    ws_clock_release(clock, row, warp, lanes, clock->now);
    ws_clock_acquire(clock, row, warp, lanes);
}

/* Row of the object of a key, which is not 0; where there is none yet, an empty one. When all are taken, the one that
 * was given longest ago serves: threads may then seem ordered that are not. */
static inline uint32_t ws_clock_object(ws_clock *clock, uint64_t key) {
    uint32_t at = (uint32_t)(key * UINT64_C(0x9E3779B97F4A7C15) >> 40) % WS_CLOCK_OBJECTS, i;
    for (i = 0; i < WS_CLOCK_OBJECTS; i++, at = (at + 1) % WS_CLOCK_OBJECTS) {
        if (clock->keys[at] == key) return clock->threads + at;
        if (clock->keys[at] != 0) continue;
        clock->keys[at] = key;
        clock->rows[clock->threads + at].warps = 0;
        return clock->threads + at;
    }
    clock->next = (clock->next + 1) % WS_CLOCK_OBJECTS;
    clock->keys[clock->next] = key;
    return clock->threads + clock->next;
}

/* The object if there is one, else 0 (a thread's row). */
static inline uint32_t ws_clock_find(const ws_clock *clock, uint64_t key) {
    uint32_t at = (uint32_t)(key * UINT64_C(0x9E3779B97F4A7C15) >> 40) % WS_CLOCK_OBJECTS, i;
    for (i = 0; i < WS_CLOCK_OBJECTS && clock->keys[at] != 0; i++, at = (at + 1) % WS_CLOCK_OBJECTS) {
        if (clock->keys[at] == key) return clock->threads + at;
    }
    return 0;
}

#endif
