/* A thread block: its warps, its shared memory, its barriers; and the launch that it belongs to. */
#ifndef WARPSIM_RUN_BLOCK_H
#define WARPSIM_RUN_BLOCK_H

#include "../base/mask.h"
#include "../tensor/flight.h"
#include "kernel.h"
#include "picked.h"
#include "warp.h"

/* What all blocks of a launch share; nothing here changes while they run, but what `regions` and `heap` point to. */
typedef struct ws_launch {
    const ws_kernel *program;
    ws_space_map memory;
    const uint64_t *variables; /* address of each variable of the module; shared ones: in shared memory */
    const uint8_t *parameters;
    uint32_t grid[3], threads[3]; /* threads: of a block */
    uint32_t cluster[3];          /* blocks of a cluster */
    bool has_clusters;            /* the launch says so, or the kernel */
    ws_picked picked;             /* the clusters that run */
    uint32_t shared_bytes;        /* static and dynamic */
    uint32_t stack_bytes;         /* for calls that recurse, each thread */
    uint64_t order;               /* seed of the warps' turns; 0: round robin */
    struct ws_output *output;     /* of vprintf, and the heap */
    uint64_t workspace;           /* the address of zeros that %envreg1 and %envreg2 tell; 0: none */
    bool is_strict;               /* judges what PTX asks for and libraries do without, too */
    uint8_t *lock;                /* held while an atomic of global memory runs; NULL: one thread alone */
    int simd;
} ws_launch;

typedef struct ws_barrier {
    uint32_t arrived;  /* threads, in whole warps */
    uint32_t expected; /* threads, unless is_whole */
    uint32_t count;    /* of the reduction: threads whose predicate held */
    uint32_t asked;    /* threads of the reduction */
    uint32_t warps;    /* that wait there and have been counted: a bit each */
    uint32_t first;    /* the step that the first of them came to, and its warp */
    uint32_t first_warp;
    bool is_whole; /* of all threads of the block */
} ws_barrier;

static inline void ws_barrier_clear(ws_barrier *barrier) {
    barrier->arrived = barrier->expected = barrier->count = barrier->asked = barrier->warps = 0;
    barrier->first = barrier->first_warp = 0;
    barrier->is_whole = false;
}

/* What a call must find again. */
typedef struct ws_return {
    uint32_t pc;                       /* to go on at */
    uint32_t rows, predicates, locals; /* of the caller's frame */
} ws_return;

/* A cp.async or the like whose bytes have not arrived yet. */
typedef struct ws_flight {
    uint32_t to;    /* shared address */
    uint32_t group; /* which commit of the lane */
    uint64_t from;  /* global address */
    uint32_t step;
    uint8_t bytes[16];
    uint8_t lane, nbytes; /* 0 bytes: it has arrived */
    uint8_t taken;        /* bytes that it reads */
} ws_flight;

struct ws_block;

/* Blocks that run together. */
typedef struct ws_cluster {
    const ws_launch *launch;
    struct ws_block *blocks; /* by rank */
    uint32_t count, turn;    /* turn: block that runs next */
    uint8_t *shared;         /* of all blocks, one after the other, */
    uint32_t stride;         /* bytes from one to the next */
    uint32_t idle, spins;    /* turns since something was done: those in which nobody could run, and all */
    uint32_t patience;       /* turns after which it is looked at */
    uint32_t looks;          /* at its state since then, */
    uint64_t state;          /* which was this: a digest */
    bool has_others;         /* others may change what it waits for: its caller decides what waits for ever */
    bool is_watched;         /* somebody looks at it: turns are short */
    bool drew;               /* it has paused after a round of a loop that takes from a counter: others may take, too */
    bool pauses;             /* it has paused before a step that others are to go on before */
    uint32_t suspects;       /* turns in a row whose warps polled; at `doubt`, it is to be looked at */
    uint32_t doubt;
    uint64_t turns; /* after so many it pauses, for its caller to look around; 0: after none */
    ws_warp *held;  /* whose turn is held; NULL: nobody's */
    uint32_t held_left, held_done, held_polls; /* steps of its turn that are left, and done; polls before it */
    uint64_t steps_left;                       /* of those asked for, when it has paused; else 0 */
} ws_cluster;

/* Who sees each step before it executes, and barriers when they let their threads go on (or NULL). */
typedef struct ws_observer {
    void (*sees)(struct ws_observer *observer, ws_lanes *lanes, const ws_step *step, uint32_t mask);
    void (*completes)(struct ws_observer *observer, struct ws_block *block, uint32_t barrier);
    void (*counts)(struct ws_observer *observer,
                   ws_warp *warp); /* its lanes wait at barriers, and arrive now; or NULL */
    struct ws_observer *next;
} ws_observer;

typedef struct ws_block {
    const ws_launch *launch;
    const ws_kernel *program;
    ws_warp *warps;
    uint8_t *shared, *reserved; /* its shared memory, and what the system has of it */
    ws_cluster *cluster;        /* NULL: it is alone */
    uint32_t rank;              /* in the cluster */
    uint32_t shared_at;         /* the address of its shared memory: rank << WS_RANK_SHIFT */
    uint32_t *block_rows;
    uint32_t num_warps, living_warps;
    uint32_t index[3];
    uint32_t turn; /* warp that runs next */
    uint64_t steps_left;
    uint64_t steps; /* executed */
    uint64_t random;
    bool has_constants;
    uint8_t *inexact;      /* of each step: it ran, and has no exact rule; if the kernel has such steps */
    ws_observer *observer; /* NULL: nobody */
    ws_barrier barrier[WS_BARRIERS];
    ws_tmas bulks;
    /* Makes the bulk copies that an mbarrier object waits for, or all; true: there were some. NULL: there are none. */
    bool (*land)(struct ws_block *block, uint32_t barrier);
    ws_stop stop;
} ws_block;

enum { WS_RANK_SHIFT = 24, WS_MOST_RANKS = 16 };

/* The block of a rank in the cluster, or NULL. */
static inline ws_block *ws_block_peer(ws_block *block, uint32_t rank) {
    if (rank == block->rank) return block;
    return block->cluster != NULL && rank < block->cluster->count ? &block->cluster->blocks[rank] : NULL;
}

static inline uint32_t ws_block_peers(const ws_block *block) {
    return block->cluster != NULL ? block->cluster->count : 1;
}

/* The block whose shared memory an address of .shared::cluster means, and where in it; NULL: none. All that reaches the
 * shared memory of a cluster comes here: accesses of lanes, copies and their mbarrier objects. */
static inline ws_block *ws_shared_place(ws_block *block, uint64_t address, uint32_t *offset) {
    *offset = (uint32_t)address & ((UINT32_C(1) << WS_RANK_SHIFT) - 1);
    return address >> WS_RANK_SHIFT < WS_MOST_RANKS ? ws_block_peer(block, (uint32_t)(address >> WS_RANK_SHIFT)) : NULL;
}

static inline ws_block *ws_block_of(ws_lanes *lanes) { return ws_warp_of(lanes)->block; }

/* The launch ends here, because of these lanes. */
static inline void ws_stop_at(ws_lanes *lanes, const ws_step *step, ws_kernel_rule kind, uint32_t mask) {
    ws_block *block = ws_block_of(lanes);
    lanes->event = WS_ASKS_STOP;
    if (block->stop.kind != WS_RUN_NONE) return;
    block->stop.kind = (uint8_t)kind;
    block->stop.space = 0;
    block->stop.is_write = false;
    block->stop.statement = step->statement;
    block->stop.warp = ws_warp_of(lanes)->number;
    block->stop.lanes = mask;
    block->stop.address = block->stop.nbytes = 0;
    block->stop.rule = -1;
    block->stop.other = block->stop.other_warp = WS_NONE;
    block->stop.refusal = 0;
    block->stop.given = block->stop.wanted = 0;
}

/* A step ran that has no exact rule. */
static inline void ws_ran_inexact(ws_lanes *lanes, const ws_step *step) {
    ws_block *block = ws_block_of(lanes);
    block->inexact[step - block->program->steps] = 1;
}

static inline void ws_block_observe(ws_block *block, ws_observer *observer) {
    observer->next = block->observer;
    block->observer = observer;
}

/* The threads at a barrier go on. */
static inline void ws_block_tell_completed(ws_block *block, uint32_t barrier) {
    ws_observer *one;
    for (one = block->observer; one != NULL; one = one->next) {
        if (one->completes != NULL) one->completes(one, block, barrier);
    }
}

/* No lane of the warp can run: it is about to arrive where they wait. */
static inline void ws_block_tell_counted(ws_block *block, ws_warp *warp) {
    ws_observer *one;
    for (one = block->observer; one != NULL; one = one->next) {
        if (one->counts != NULL) one->counts(one, warp);
    }
}

static inline uint32_t ws_step_pc(const ws_block *block, const ws_step *step) {
    return (uint32_t)(step - block->program->steps);
}

enum { WS_TURN_BYTES = 1 << 16, WS_STEP_BYTES = 1 << 13, WS_MOST_MOVED = 1 << 30 };

static inline void ws_moved_add(uint32_t *moved, uint64_t nbytes) {
    *moved = nbytes < WS_MOST_MOVED - *moved ? *moved + (uint32_t)nbytes : (uint32_t)WS_MOST_MOVED;
}

/* A step that moves so many bytes at once: many of them end the turn, which steps alone would make too long. */
static inline void ws_warp_moves(ws_lanes *lanes, const ws_step *step, uint64_t nbytes) {
    ws_warp *warp = ws_warp_of(lanes);
    ws_moved_add(&warp->moved, nbytes);
    if (warp->moved < WS_TURN_BYTES) return;
    ws_warp_group(warp)->pc = ws_step_pc(warp->block, step) + 1;
    lanes->event = WS_ASKS_SPLIT;
}

/* Likewise where few bytes are what all steps of the kind move: those take no longer than other steps. */
static inline void ws_warp_moves_many(ws_lanes *lanes, const ws_step *step, uint64_t nbytes) {
    if (nbytes >= WS_STEP_BYTES) ws_warp_moves(lanes, step, nbytes);
}

/* What an observer does of a step, as if so many bytes were moved: many of those hold the turn. */
static inline void ws_warp_spends(ws_warp *warp, uint64_t nbytes) { ws_moved_add(&warp->spent, nbytes); }

#endif
