/* All that one thread of the caller keeps while it checks blocks. */
#ifndef WARPSIM_USE_STATE_H
#define WARPSIM_USE_STATE_H

#include "../clock/fences.h"
#include "../clock/pause.h"
#include "../shadow/arrays.h"
#include "bits.h"
#include "uses.h"
#include "../watch/repeat.h"
#include "../shadow/kinds.h"
#include "../object/locals.h"

#if WS_BODIES

enum { WS_CHECK_OBJECTS = 64, WS_CHECK_AWAITED = 4096 /* for each block */ };
enum { WS_CHECK_BARRIERS = WS_CLUSTER_BARRIER + 1, WS_CHECK_MOST = 16 /* bytes of a cell */ };

/* An mbarrier object, and the parity of its phase when it was last seen. */
typedef struct ws_check_object {
    ws_stamp made; /* time 0: not between init and inval */
    uint32_t offset, parity;
} ws_check_object;

/* The latest test or wait of a thread, and of which object. */
typedef struct ws_tested {
    ws_stamp stamp; /* time 0: none */
    uint32_t offset;
} ws_tested;

/* Bytes that st.async has under way, or cp.async for an object: they arrive when the phase of the object ends. */
typedef struct ws_awaited {
    uint32_t object, offset; /* in the shared memory of the cluster; object WS_NO_INDEX: none */
    uint32_t nbytes, thread;
    uint32_t parity; /* of the phase that counts them */
    uint32_t group;  /* of a copy: the groups that its thread had committed before it */
    bool is_copy;    /* cp.async, for whose group its thread may wait, too */
} ws_awaited;

/* Lanes of a warp that have come to a barrier in one phase: when the last of them came, and at which step. */
typedef struct ws_arrival {
    uint32_t lanes, time, step;
} ws_arrival;

typedef struct ws_came {
    ws_arrival now, past; /* past: in the phase before */
    uint32_t waits;       /* lanes that wait */
} ws_came;

/* The barrier of the cluster. */
typedef struct ws_meeting {
    uint32_t parity;   /* of the phase that runs */
    uint32_t ended;    /* when the latest phase ended; 0: it is past */
    uint32_t *arrived; /* lanes of each warp that have arrived and not waited since */
    uint32_t *open;    /* lanes of each warp whose phase has ended, and that have not waited for it */
    bool is_used;      /* some lane of this phase has accessed memory since it arrived */
    bool is_relaxed;   /* some lane arrived without releasing what it had done */
    bool was_relaxed;  /* the same of the phase that has ended */
    bool was_used;
} ws_meeting;

/* A thread's latest access to the shared memory of another block, and its number among those of the cluster. */
typedef struct ws_visitor {
    uint32_t time, step, offset, number;
} ws_visitor;

enum { WS_SEEN_PLACES = 16 /* that a block reads strongly; of one that reads more, all may be seen */ };

/* What a load read last: nothing is left to do while no write, copy or event that orders threads comes between. */
typedef struct ws_again {
    ws_repeat access;
    uint32_t warp, version; /* 0: none */
} ws_again;

enum { WS_PRODUCTS_KEPT = 64 /* of a warpgroup that are remembered */ };

/* A product of a warpgroup. */
typedef struct ws_product_row {
    uint32_t number;                 /* from 1, in each block */
    uint32_t step, cols, registers;  /* of a lane's results */
    uint32_t waited[WS_WGMMA_WARPS]; /* when each warp's wait covered it; 0: not yet */
} ws_product_row;

typedef struct ws_warpgroup {
    uint32_t issued[WS_WGMMA_WARPS]; /* products that each warp has come to */
    uint32_t waited[WS_WGMMA_WARPS]; /* that its waits cover */
    uint32_t fenced[WS_WGMMA_WARPS]; /* event of its latest wgmma.fence; 0: none */
    uint32_t commits[WS_WGMMA_WARPS], committed[WS_WGMMA_WARPS][WS_PRODUCTS_KEPT];
    ws_product_row rows[WS_PRODUCTS_KEPT];
} ws_warpgroup;

/* Products under way: products.h and tiles.h. */
typedef struct ws_products {
    ws_warpgroup *groups;          /* NULL: the kernel has no such products */
    struct ws_product_mark *marks; /* [warps][slots] */
    uint32_t *slot_of;             /* of each register of the module: from 1; 0: no product has it */
    uint8_t *touches;              /* of each step: it has such a register, and is no product */
    uint32_t *readers;             /* [groups][chunks of a block]: the latest product that reads them; 0: none */
    uint32_t *filled; /* [chunks of the cluster]: who filled it by a tensor copy: ws_tiles_filling; 0: nobody */
    uint32_t *passed; /* when each thread last executed fence.proxy.async; 0: never in this cluster */
    uint32_t slots, chunks, num_chunks, events, num_groups, num_warps; /* num_chunks: of the cluster */
    uint32_t each;                                                     /* warpgroups of a block */
} ws_products;

typedef struct ws_check {
    ws_observer observer; /* first: the block sees it as ws_observer */
    ws_judge judge;
    ws_shadow shared;
    ws_arrays arrays;
    const ws_checked *steps;
    ws_again *again;
    uint32_t version; /* grows with all that is not a plain load */
    uint64_t spent;   /* of WS_TURN_BYTES, on the step that is judged */
    ws_uses uses;
    ws_uses ahead;     /* of what loads give that may go unused */
    ws_pass_bits bits; /* of the access that is judged */
    ws_locals locals;
    ws_fences *fences;                     /* of each thread */
    ws_warp_fence *consistent[WS_REACHES]; /* of each warp */
    ws_fenced *fenced[WS_REACHES];         /* of each thread */
    ws_fence *proxies;                     /* of each thread: between ordinary accesses and bulk copies */
    ws_tested *tested;                     /* of each thread */
    const ws_space_map *memory;            /* of the launch */
    ws_came *came;                         /* [barriers][warps of the cluster] */
    ws_meeting meeting;
    ws_visitor *visitors; /* [others, strong writes][blocks][threads of the cluster]; NULL: one block */
    ws_visitor *seen;     /* [blocks][WS_SEEN_PLACES]: of strong reads, how many visits were before them */
    uint32_t *num_seen, num_visits;
    uint8_t *has_left; /* blocks */
    uint32_t *stood;   /* living lanes of each warp when the first of them came to a barrier where it waits */
    uint32_t *joined;  /* lanes of each warp that have met and go on one after the other */
    ws_check_object *objects;
    uint32_t num_objects, most_objects;
    ws_awaited *awaited; /* a ring */
    uint32_t most_awaited, first_awaited, num_awaited;
    ws_products products;
    ws_pause pause;
    uint32_t threads, warps; /* of a block */
    bool copies;             /* the kernel has cp.async */
    bool awaits;             /* st.async, red.async, cp.async for objects */
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
    visit.is_write = visit.takes = visit.changes_nothing = false;
    return visit;
}

/* A finding about lanes, without an address. `warp`: of the cluster. */
static inline ws_found ws_check_about_lanes(const ws_check *check, ws_kernel_rule rule, uint32_t number, uint32_t warp,
                                            uint32_t lanes) {
    const uint32_t rank = warp / check->warps;
    ws_found one;
    one.count = 0;
    one.address = 0;
    one.block = one.other_block = ws_judge_block(&check->judge, check->judge.block, rank);
    one.rule = (uint32_t)rule;
    one.step = number;
    one.other = one.via = WS_FOUND_NO_STEP;
    one.thread = (warp - rank * check->warps) * WS_LANES + (uint32_t)ws_first_lane(lanes);
    one.other_thread = 0;
    one.lanes = lanes;
    one.nbytes = 0;
    one.space = 0;
    one.is_write = one.other_is_write = one.is_copy = one.other_is_copy = one.via_peer = one.is_seen = one.is_turned =
        false;
    one.object = ws_found_object_none();
    return one;
}

static inline void ws_check_lanes(ws_check *check, ws_kernel_rule rule, uint32_t number, uint32_t warp,
                                  uint32_t lanes) {
    const ws_found one = ws_check_about_lanes(check, rule, number, warp, lanes);
    ws_found_add(&check->judge.found, &one);
}

/* What the check knows of each warp of a cluster. */
static inline void ws_check_make_warps(ws_check *check, uint32_t warps, uint32_t ranks, ws_arena *arena) {
    const size_t all = (size_t)warps * ranks;
    uint32_t *words = (uint32_t *)ws_arena_take(arena, all * 5, sizeof(uint32_t));
    uint32_t i;
    check->came = (ws_came *)ws_arena_take(arena, all * WS_CHECK_BARRIERS, sizeof(ws_came));
    if (words != NULL) {
        check->meeting.arrived = words;
        check->meeting.open = words + all;
        check->joined = words + 2 * all;
        check->uses.marked = words + 3 * all;
        check->stood = words + 4 * all;
    }
    check->warps = warps;
    check->uses.held = (ws_marked *)ws_arena_take(arena, all, sizeof(ws_marked));
    check->fences = (ws_fences *)ws_arena_take(arena, all * WS_LANES, sizeof(ws_fences));
    check->proxies = (ws_fence *)ws_arena_take(arena, all * WS_LANES, sizeof(ws_fence));
    check->tested = (ws_tested *)ws_arena_take(arena, all * WS_LANES, sizeof(ws_tested));
    for (i = 0; i < WS_REACHES; i++) {
        check->fenced[i] = (ws_fenced *)ws_arena_take(arena, all * WS_LANES, sizeof(ws_fenced));
        check->consistent[i] = (ws_warp_fence *)ws_arena_take(arena, all, sizeof(ws_warp_fence));
    }
    check->most_objects = (uint32_t)WS_CHECK_OBJECTS * ranks;
    check->objects = (ws_check_object *)ws_arena_take(arena, check->most_objects, sizeof(ws_check_object));
    check->most_awaited = check->awaits ? (uint32_t)WS_CHECK_AWAITED * ranks : 0;
    check->awaited = (ws_awaited *)ws_arena_take(arena, check->most_awaited, sizeof(ws_awaited));
    check->visitors = NULL;
    check->has_left = (uint8_t *)ws_arena_take(arena, ranks, 1);
    check->seen = (ws_visitor *)ws_arena_take(arena, (size_t)ranks * WS_SEEN_PLACES, sizeof(ws_visitor));
    check->num_seen = (uint32_t *)ws_arena_take(arena, ranks, sizeof(uint32_t));
    if (ranks > 1) check->visitors = (ws_visitor *)ws_arena_take(arena, 2 * all * WS_LANES * ranks, sizeof(ws_visitor));
}

/* Bytes of the smallest access of a step to shared or global memory, or more; those that are told as they run: 4. */
static inline uint32_t ws_check_least(const ws_kernel *program, const ws_step *step, const ws_checked *checked) {
    const ws_op *op;
    if (checked->kind == WS_CHECKED_NONE || checked->kind == WS_CHECKED_DIVIDE) return WS_CHECK_MOST;
    if (checked->kind == WS_CHECKED_ACCESS) return checked->nbytes;
    if (checked->kind == WS_CHECKED_COPY) return checked->is_whole ? WS_CHECK_MOST : 4;
    if (checked->kind == WS_CHECKED_OBJECT || checked->kind == WS_CHECKED_ASYNC) return 4;
    if (checked->kind != WS_CHECKED_MATRIX) return WS_CHECK_MOST;
    op = &program->ops[step->s[WS_S_INSTRUCTION]];
    return ws_op_is_wmma(op) ? 4 : (uint32_t)ws_op_access_bytes(op);
}

/* log2 of the smallest access that the kernel makes to a space: 2 at most, 4 in shared memory, which begins at 0. */
static inline uint32_t ws_check_shift(const ws_launch *launch, int space) {
    const ws_kernel *program = launch->program;
    uint32_t least = space == WS_AT_SHARED ? WS_CHECK_MOST : 4, shift = 0, i;
    for (i = 0; i < program->num_steps; i++) {
        const ws_checked one = ws_checked_of(&program->steps[i], &program->meant[i]);
        const int at = program->steps[i].space, of = at == WS_AT_CLUSTER ? (int)WS_AT_SHARED : at;
        if (one.kind == WS_CHECKED_ACCESS && of != space && of != WS_AT_GENERIC) continue;
        least |= ws_check_least(program, &program->steps[i], &one);
    }
    while (!(least >> shift & 1)) shift++;
    return shift;
}

#endif /* WS_BODIES */
#endif
