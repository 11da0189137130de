/* All that one thread of the caller keeps while it checks blocks. */
#ifndef WARPSIM_CHECK_STATE_H
#define WARPSIM_CHECK_STATE_H

#include "arrays.h"
#include "../watch/repeat.h"
#include "kinds.h"
#include "locals.h"

#if WS_BODIES

enum { WS_CHECK_OBJECTS = 64, WS_CHECK_BARRIERS = WS_CLUSTER_BARRIER + 1, WS_CHECK_MOST = 16 /* bytes of a cell */ };

/* When a thread last executed a fence. */
typedef struct ws_fence {
    uint32_t floor, time; /* time 0: never in this block */
} ws_fence;

/* An mbarrier object, and the parity of its phase when it was last seen. */
typedef struct ws_check_object {
    ws_stamp made; /* time 0: not between init and inval */
    uint32_t offset, parity;
} ws_check_object;

/* Lanes of a register that hold what nobody has written, and the step that read it. */
typedef struct ws_mark {
    uint32_t lanes, origin;
} ws_mark;

typedef struct ws_uses {
    const ws_module *module;
    ws_mark *marks; /* [warps][registers of the module] */
    uint32_t registers;
    uint32_t marked[WS_CLOCK_WARPS]; /* registers with marks */
    bool is_dirty;                   /* some register has had marks in this block */
} ws_uses;

/* Lanes of each warp. */
typedef struct ws_came {
    uint32_t all[WS_CLOCK_WARPS];   /* that have come to a barrier */
    uint32_t waits[WS_CLOCK_WARPS]; /* and wait */
} ws_came;

/* What a load read last: nothing is left to do while no write, copy or event that orders threads comes between. */
typedef struct ws_again {
    ws_repeat access;
    uint32_t warp, version; /* 0: none */
} ws_again;

typedef struct ws_check {
    ws_observer observer; /* first: the block sees it as ws_observer */
    ws_judge judge;
    ws_shadow shared;
    ws_arrays arrays;
    const ws_checked *steps;
    ws_again *again;
    uint32_t version; /* grows with all that is not a plain load */
    ws_uses uses;
    ws_locals locals;
    ws_fence *fences; /* of each thread */
    ws_came came[WS_CHECK_BARRIERS];
    uint32_t joined[WS_CLOCK_WARPS]; /* lanes that have met and go on one after the other */
    ws_check_object objects[WS_CHECK_OBJECTS];
    uint32_t num_objects;
    uint32_t threads; /* of the block */
    bool copies;      /* the kernel has cp.async */
} ws_check;

/* Has the warp read the very same, and nothing has happened since? */
static inline bool ws_check_is_again(const ws_check *check, const ws_again *again, uint32_t warp,
                                     const uint32_t offset[WS_LANES], uint32_t mask) {
    return again->version == check->version && again->warp == warp && again->access.offset[0] == offset[0] &&
           ws_repeat_is_like(&again->access, offset, mask, 1);
}

/* An address among those of the lanes, for messages. */
static inline ws_visit ws_check_where(uint8_t space, uint64_t address, uint32_t nbytes) {
    ws_visit visit;
    visit.stamp.time = visit.stamp.who = 0;
    visit.address = address;
    visit.nbytes = nbytes;
    visit.space = space;
    visit.is_write = visit.changes_nothing = false;
    return visit;
}

/* A finding about lanes, without an address. */
static inline ws_found ws_check_about_lanes(const ws_check *check, ws_found_rule rule, uint32_t number, uint32_t warp,
                                            uint32_t lanes) {
    ws_found one;
    one.count = 0;
    one.address = 0;
    one.block = one.other_block = check->judge.block;
    one.rule = (uint32_t)rule;
    one.step = number;
    one.other = WS_FOUND_NO_STEP;
    one.thread = warp * WS_LANES + (uint32_t)ws_first_lane(lanes);
    one.other_thread = 0;
    one.lanes = lanes;
    one.nbytes = 0;
    one.space = 0;
    one.is_write = one.other_is_write = one.is_copy = one.other_is_copy = false;
    return one;
}

static inline void ws_check_lanes(ws_check *check, ws_found_rule rule, uint32_t number, uint32_t warp, uint32_t lanes) {
    const ws_found one = ws_check_about_lanes(check, rule, number, warp, lanes);
    ws_found_add(&check->judge.found, &one);
}

#endif /* WS_BODIES */
#endif
