/* What each thread of a cluster knows of the others: happens-before. Most clusters have one block.
 *
 *     time      every access and every event has one; it only grows, from cluster to cluster
 *     floor     all accesses before it are ordered before all that come now: a barrier of all threads raises it
 *     floors    of each block: its own accesses before it are ordered before what its threads do now
 *     known     of each pair of threads (reader, other): the other's accesses up to that time are ordered before the reader
 *     object    what those who release give to those who acquire: a barrier, an mbarrier object, an atomic's place
 *
 * Rows and objects are empty again when the floor rises; a row has bits of the warps that it says anything about. With
 * several blocks there is a row for each, of what all its threads know, and each row has a time for each block: all that
 * the block's threads did before it is known. */
#ifndef WARPSIM_CLOCK_CLOCK_H
#define WARPSIM_CLOCK_CLOCK_H

#include "../base/arena.h"
#include "../base/mask.h"
#include "../isa/isa.h"

enum { WS_CLOCK_OBJECTS = 96 /* for each block; the last one of a cluster is that of all that have no other */ };

/* What a row knows of a block. */
typedef struct ws_clock_part {
    uint32_t warps; /* bits of those that it speaks of */
    uint32_t base;  /* all before it is known */
} ws_clock_part;

typedef struct ws_clock {
    uint32_t now, floor, start; /* start: when the cluster began */
    uint32_t threads, each;     /* of the cluster, of a block: in whole warps */
    uint32_t ranks, objects;    /* blocks; room for objects */
    uint32_t epoch, last_epoch; /* of now; the latest one that any row has had */
    uint32_t released;          /* when a row was last given what a thread had done */
    bool is_crowded;            /* there were more objects than there is room for */
    bool is_fine;               /* since the floor rose, something else has ordered threads */
    uint32_t *floors, *epochs;  /* of each block */
    uint32_t *filled;           /* of each row: it is empty unless this is the epoch of now */
    ws_clock_part *parts; /* [rows][ranks]: of the threads, then of the objects, the blocks, and one to work with */
    uint64_t *keys;       /* of the objects; 0: free */
    uint32_t *known;      /* [rows][threads] */
} ws_clock;

static inline bool ws_clock_make(ws_clock *clock, uint32_t warps, uint32_t ranks, ws_arena *arena) {
    const uint32_t each = warps * WS_LANES, objects = (uint32_t)WS_CLOCK_OBJECTS * ranks;
    const size_t threads = (size_t)each * ranks, rows = threads + objects + ranks + 1;
    clock->threads = (uint32_t)threads;
    clock->each = each;
    clock->ranks = ranks;
    clock->objects = objects;
    clock->now = clock->floor = clock->start = clock->epoch = clock->last_epoch = 1;
    clock->released = 0;
    clock->is_fine = clock->is_crowded = false;
    clock->floors = (uint32_t *)ws_arena_take(arena, ranks, sizeof(uint32_t));
    clock->epochs = (uint32_t *)ws_arena_take(arena, ranks, sizeof(uint32_t));
    clock->filled = (uint32_t *)ws_arena_take(arena, rows, sizeof(uint32_t));
    clock->parts = (ws_clock_part *)ws_arena_take(arena, rows * ranks, sizeof(ws_clock_part));
    clock->keys = (uint64_t *)ws_arena_take(arena, objects, sizeof(uint64_t));
    clock->known = (uint32_t *)ws_arena_take(arena, rows * threads, sizeof(uint32_t));
    return arena->wanted <= arena->capacity;
}

/* All accesses so far are ordered before all that come. */
static inline void ws_clock_raise(ws_clock *clock) {
    uint32_t rank;
    clock->floor = ++clock->now;
    clock->epoch = ++clock->last_epoch;
    for (rank = 0; rank < clock->ranks && clock->ranks > 1; rank++) {
        clock->floors[rank] = clock->floor;
        clock->epochs[rank] = clock->epoch;
    }
    clock->is_fine = false;
}

/* All accesses before a time are. What rows know of later ones they still know. */
static inline void ws_clock_raise_to(ws_clock *clock, uint32_t time) {
    uint32_t rank;
    clock->floor = time;
    if (clock->released >= time) return;
    clock->epoch = ++clock->last_epoch;
    for (rank = 0; rank < clock->ranks; rank++) clock->epochs[rank] = clock->epoch;
    clock->is_fine = false;
}

/* Times begin anew. */
static inline void ws_clock_rewind(ws_clock *clock) { clock->now = 0; }

static inline void ws_clock_start(ws_clock *clock) {
    uint32_t i;
    ws_clock_raise(clock);
    clock->start = clock->floor;
    for (i = 0; i < clock->objects; i++) clock->keys[i] = 0;
}

static inline uint32_t ws_clock_rank(const ws_clock *clock, uint32_t thread) {
    return clock->ranks == 1 ? 0 : thread / clock->each;
}

/* The row of what all threads of a block know. */
static inline uint32_t ws_clock_block(const ws_clock *clock, uint32_t rank) {
    return clock->threads + clock->objects + rank;
}

static inline uint32_t *ws_clock_known(const ws_clock *clock, uint32_t row) {
    return clock->known + (size_t)row * clock->threads;
}

static inline ws_clock_part *ws_clock_part_of(const ws_clock *clock, uint32_t row, uint32_t rank) {
    return &clock->parts[(size_t)row * clock->ranks + rank];
}

/* The epoch in which a row is not empty. */
static inline uint32_t ws_clock_epoch(const ws_clock *clock, uint32_t row) {
    return clock->ranks == 1 || row >= clock->threads ? clock->epoch : clock->epochs[row / clock->each];
}

static inline bool ws_clock_is_filled(const ws_clock *clock, uint32_t row) {
    return clock->filled[row] == ws_clock_epoch(clock, row);
}

/* Makes a row empty, unless objects share it: some still need what it knows. */
static inline void ws_clock_forget(ws_clock *clock, uint32_t row) {
    if (row != clock->threads + clock->objects - 1) clock->filled[row] = 0;
}

/* Does a row know what a thread did at a time? */
static inline bool ws_clock_has(const ws_clock *clock, uint32_t row, uint32_t other, uint32_t time) {
    const uint32_t rank = ws_clock_rank(clock, other);
    const ws_clock_part *part = ws_clock_part_of(clock, row, rank);
    if (!ws_clock_is_filled(clock, row)) return false;
    if (time < part->base) return true;
    if (!(part->warps >> ((other - rank * clock->each) / WS_LANES) & 1)) return false;
    return ws_clock_known(clock, row)[other] >= time;
}

/* Is the access of `other` at `time` ordered before what `thread` does now? */
static inline bool ws_clock_orders(const ws_clock *clock, uint32_t thread, uint32_t other, uint32_t time) {
    if (time < clock->floor || thread == other) return true;
    if (clock->ranks > 1) {
        const uint32_t rank = ws_clock_rank(clock, thread);
        if (rank == ws_clock_rank(clock, other) && time < clock->floors[rank]) return true;
        if (ws_clock_has(clock, ws_clock_block(clock, rank), other, time)) return true;
    }
    return ws_clock_has(clock, thread, other, time);
}

/* A row that may be written to. */
static inline void ws_clock_fill(ws_clock *clock, uint32_t row) {
    const uint32_t epoch = ws_clock_epoch(clock, row);
    uint32_t rank;
    if (clock->filled[row] == epoch) return;
    clock->filled[row] = epoch;
    for (rank = 0; rank < clock->ranks; rank++) {
        ws_clock_part *part = ws_clock_part_of(clock, row, rank);
        part->warps = part->base = 0;
    }
}

/* Room in a row for what it will know of a warp of the cluster. */
static inline uint32_t *ws_clock_open(ws_clock *clock, uint32_t row, uint32_t warp) {
    const uint32_t rank = ws_clock_rank(clock, warp * WS_LANES), bit = UINT32_C(1)
                                                                       << (warp - rank * (clock->each / WS_LANES));
    uint32_t *known = ws_clock_known(clock, row) + (size_t)warp * WS_LANES, i;
    ws_clock_part *part = ws_clock_part_of(clock, row, rank);
    ws_clock_fill(clock, row);
    for (i = 0; i < WS_LANES && !(part->warps & bit); i++) known[i] = 0;
    part->warps |= bit;
    return known;
}

/* Row `to` knows what row `from` knows. */
static inline void ws_clock_join(ws_clock *clock, uint32_t to, uint32_t from) {
    uint32_t rank, warps, i;
    if (!ws_clock_is_filled(clock, from)) return;
    for (rank = 0; rank < clock->ranks; rank++) {
        const ws_clock_part part = *ws_clock_part_of(clock, from, rank);
        if (part.base != 0) {
            ws_clock_fill(clock, to);
            if (ws_clock_part_of(clock, to, rank)->base < part.base)
                ws_clock_part_of(clock, to, rank)->base = part.base;
        }
        for (warps = part.warps; warps != 0; warps &= warps - 1) {
            const uint32_t warp = rank * (clock->each / WS_LANES) + (uint32_t)ws_first_lane(warps);
            const uint32_t *const source = ws_clock_known(clock, from) + (size_t)warp * WS_LANES;
            uint32_t *const known = ws_clock_open(clock, to, warp);
            for (i = 0; i < WS_LANES; i++) known[i] = known[i] > source[i] ? known[i] : source[i];
        }
    }
}

/* Row `to` knows what all threads of a block do. */
static inline void ws_clock_join_block(ws_clock *clock, uint32_t to, uint32_t rank, uint32_t time) {
    ws_clock_part *part = ws_clock_part_of(clock, to, rank);
    if (clock->ranks == 1 || to == ws_clock_block(clock, rank)) return;
    ws_clock_join(clock, to, ws_clock_block(clock, rank));
    ws_clock_fill(clock, to);
    if (time >= clock->floors[rank] && part->base < clock->floors[rank]) part->base = clock->floors[rank];
}

/* Row `to` knows all that the lanes of a warp have done until `time`, and what they know. */
static inline void ws_clock_release(ws_clock *clock, uint32_t to, uint32_t warp, uint32_t lanes, uint32_t time) {
    uint32_t *known;
    uint32_t left;
    if (lanes == 0) return;
    clock->is_fine = true;
    clock->released = clock->now;
    for (left = lanes; left != 0; left &= left - 1) {
        const uint32_t thread = warp * WS_LANES + (uint32_t)ws_first_lane(left);
        if (thread != to) ws_clock_join(clock, to, thread);
    }
    ws_clock_join_block(clock, to, ws_clock_rank(clock, warp * WS_LANES), time);
    known = ws_clock_open(clock, to, warp);
    for (left = lanes; left != 0; left &= left - 1) {
        const int lane = ws_first_lane(left);
        if (known[lane] < time) known[lane] = time;
    }
}

/* Row `to` knows that a warp is there, and nothing of what it has done. */
static inline void ws_clock_tell(ws_clock *clock, uint32_t to, uint32_t warp) {
    clock->is_fine = true;
    ws_clock_open(clock, to, warp);
}

static inline void ws_clock_acquire(ws_clock *clock, uint32_t from, uint32_t warp, uint32_t lanes) {
    for (; lanes != 0; lanes &= lanes - 1) ws_clock_join(clock, warp * WS_LANES + (uint32_t)ws_first_lane(lanes), from);
}

/* All threads of a block meet: what any of them has done and knows, all know. */
static inline void ws_clock_raise_block(ws_clock *clock, uint32_t rank) {
    const uint32_t row = ws_clock_block(clock, rank), first = rank * clock->each;
    uint32_t i;
    if (clock->ranks == 1) {
        ws_clock_raise(clock);
        return;
    }
    for (i = 0; i < clock->each; i++) ws_clock_join(clock, row, first + i);
    clock->floors[rank] = ++clock->now;
    clock->epochs[rank] = ++clock->last_epoch;
    clock->is_fine = true;
}

/* Lanes of a warp that meet: each knows what any of them has done and knows. */
static inline void ws_clock_meet(ws_clock *clock, uint32_t warp, uint32_t lanes) {
    const uint32_t row = ws_clock_block(clock, clock->ranks);
    ws_clock_forget(clock, row);
    ws_clock_release(clock, row, warp, lanes, clock->now);
    ws_clock_acquire(clock, row, warp, lanes);
}

#endif
