/* Strong reads of a place whose thread has not acquired yet what was released to it: a fence after the read does.
 *
 *     read, relaxed    notes the place, and how far the read's scope reaches
 *     fence            acquires what its own scope and the read's both reach
 *
 * A thread keeps its latest few. */
#ifndef WARPSIM_CLOCK_PENDING_H
#define WARPSIM_CLOCK_PENDING_H

#include "../base/arena.h"
#include "../base/mask.h"
#include "../isa/isa.h"

enum { WS_PENDING_KEPT = 4 };

typedef struct ws_pending {
    uint64_t address;    /* of the place, in its space */
    uint32_t latest;     /* release to it in the journal, from 1; 0: none */
    uint32_t time, step; /* of the read */
    uint8_t scope;       /* of the read: ws_scope */
    bool is_used, is_global;
    bool acquires; /* it needs no fence */
    bool is_fresh; /* what it has seen is not known yet */
} ws_pending;

typedef struct ws_pendings {
    ws_pending *rows; /* [threads][WS_PENDING_KEPT] */
    uint32_t *lanes;  /* of each warp: those that have any */
    uint32_t warp;    /* that has just read, in the cluster */
    uint32_t fresh;   /* its lanes: the next step of any warp sees what they have read */
} ws_pendings;

static inline void ws_pendings_make(ws_pendings *pendings, uint32_t threads, ws_arena *arena) {
    pendings->rows = (ws_pending *)ws_arena_take(arena, (size_t)threads * WS_PENDING_KEPT, sizeof(ws_pending));
    pendings->lanes = (uint32_t *)ws_arena_take(arena, threads / WS_LANES, sizeof(uint32_t));
    pendings->warp = pendings->fresh = 0;
}

static inline ws_pending *ws_pendings_of(const ws_pendings *pendings, uint32_t thread) {
    return &pendings->rows[(size_t)thread * WS_PENDING_KEPT];
}

/* A cluster begins. */
static inline void ws_pendings_start(ws_pendings *pendings, uint32_t threads) {
    uint32_t warp, i;
    pendings->fresh = 0;
    for (warp = 0; warp < threads / WS_LANES; warp++) {
        ws_pending *rows = ws_pendings_of(pendings, warp * WS_LANES);
        for (i = 0; pendings->lanes[warp] != 0 && i < (uint32_t)WS_LANES * WS_PENDING_KEPT; i++)
            rows[i].is_used = false;
        pendings->lanes[warp] = 0;
    }
}

/* Where the thread notes a read of a place: the row of an earlier one, a free one, or, none being free, the first, whose
 * read is forgotten. */
static inline ws_pending *ws_pendings_row(ws_pendings *pendings, uint32_t thread, uint64_t address, bool is_global) {
    ws_pending *rows = ws_pendings_of(pendings, thread), *found = NULL;
    uint32_t i;
    for (i = 0; i < WS_PENDING_KEPT; i++) {
        if (rows[i].is_used && rows[i].address == address && rows[i].is_global == is_global) return &rows[i];
        if (!rows[i].is_used && found == NULL) found = &rows[i];
    }
    pendings->lanes[thread / WS_LANES] |= UINT32_C(1) << thread % WS_LANES;
    return found != NULL ? found : &rows[0];
}

#endif
