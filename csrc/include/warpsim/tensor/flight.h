/* Bulk copies that are under way: what each moves, who waits for it. They are made as late as PTX allows: when someone
 * waits for them.
 *
 *     by a barrier    cp.async.bulk to shared memory: the mbarrier object counts its bytes
 *     by groups       to global memory: cp.async.bulk.wait_group of the thread
 *
 * This file knows nothing about how bytes move. */
#ifndef WARPSIM_TENSOR_FLIGHT_H
#define WARPSIM_TENSOR_FLIGHT_H

#include "box.h"

/* Of a block, under way at a time: as many as each statement of each of its threads issues in WS_BULKS_EACH rounds. */
enum { WS_BULKS_EACH = 8, WS_LEAST_BULKS = 256, WS_MOST_BULKS = 16384, WS_NO_BARRIER = -1 };

typedef enum ws_tma_kind {
    WS_BULK_LOAD,  /* global to shared */
    WS_BULK_STORE, /* shared to global */
    WS_BULK_SHARE, /* shared to shared */
    WS_BULK_PREFETCH
} ws_tma_kind;

typedef struct ws_tma {
    ws_tensor_map map;
    ws_tensor_place place;
    uint64_t global;         /* address, without a map */
    uint32_t from, to;       /* where in shared memory */
    uint32_t nbytes;         /* that the barrier counts */
    uint32_t barrier;        /* where the object is in shared memory, or WS_NO_BARRIER */
    uint32_t thread, group;  /* of the block that issued it; which commit of the thread */
    uint32_t step;           /* of the program */
    uint32_t how;            /* and, or, xor */
    uint16_t mask;           /* bytes of each 16 that are stored */
    uint16_t ranks;          /* of a multicast, a bit each; 0: it is none */
    uint8_t from_rank;       /* in the cluster: of the block that issued it, */
    uint8_t to_rank;         /* of the one whose shared memory it writes, */
    uint8_t barrier_rank;    /* and of the one that has the object */
    uint8_t kind;            /* ws_tma_kind */
    uint8_t reduces, type;   /* 0, or 1 + ws_atomic_op; the type of its elements */
    bool is_tensor, is_here; /* is_here: made */
} ws_tma;

/* Those of a block, in the order of their issue: whose barriers are in its shared memory, and its own without one. */
typedef struct ws_tmas {
    ws_tma *flights;
    uint32_t *commits; /* groups that each thread has committed */
    uint32_t count, capacity;
} ws_tmas;

/* Does the flight land when its thread waits for all but its `kept` latest groups? */
static inline bool ws_tma_is_due(const ws_tmas *bulks, const ws_tma *flight, uint32_t thread, uint32_t kept) {
    return !flight->is_here && flight->barrier == (uint32_t)WS_NO_BARRIER && flight->thread == thread &&
           bulks->commits[thread] - flight->group > kept;
}

static inline bool ws_tma_is_for(const ws_tma *flight, uint32_t barrier) {
    return !flight->is_here && flight->barrier == barrier;
}

/* Forgets those that are here. */
static inline void ws_tmas_sweep(ws_tmas *bulks) {
    uint32_t i, left = 0;
    for (i = 0; i < bulks->count; i++) {
        if (bulks->flights[i].is_here) continue;
        if (left != i) bulks->flights[left] = bulks->flights[i];
        left++;
    }
    bulks->count = left;
}

#endif
