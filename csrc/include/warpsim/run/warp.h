/* A warp as groups of lanes, each with a place in the program: divergence and reconvergence.
 *
 *     groups   pc 7: lanes 0-15   pc 12: lanes 16-31        the deepest call first, there the lowest pc; equal ones merge
 *
 * Compilers lay code out so that running the lowest pc first lets lanes meet at the immediate post-dominator. A group that
 * jumps backward many times while others wait lets them run for a while: lanes of one warp that wait for each other make
 * progress, as from sm_70.
 *
 * This file knows nothing about what steps do. */
#ifndef WARPSIM_RUN_WARP_H
#define WARPSIM_RUN_WARP_H

#include "../lanes/step.h"
#include "space.h"

enum {
    WS_RETURN_BYTES = 16 /* between the frames of a caller and its callee */,
    WS_BARRIERS = 16,
    WS_PATIENCE = 64 /* backward jumps of a group while others wait */
};

/* What a step asks of the warp. */
enum {
    WS_ASKS_NONE = 0,
    WS_ASKS_JUMP,  /* the group goes on at `next` */
    WS_ASKS_SPLIT, /* the groups changed: choose one */
    WS_ASKS_WAIT,  /* so they did, and the step has not been executed: its lanes wait */
    WS_ASKS_PAUSE, /* an observer asks, before the step: other clusters go on first */
    WS_ASKS_STOP   /* the launch ends: block->stop says why */
};

typedef enum ws_group_state {
    WS_GROUP_RUNS = 0,
    WS_GROUP_AT_BARRIER, /* of the block: `barrier` */
    WS_GROUP_AT_MEMBERS, /* of the warp: `members` */
    WS_GROUP_AT_PRODUCT, /* of a warpgroup: the other warps */
    WS_GROUP_GO_ON       /* released: its step executes when it runs again, without waiting */
} ws_group_state;

/* Where a call's registers and bytes begin. */
typedef struct ws_frame {
    uint32_t rows, predicates, locals; /* offsets: rows, predicates, bytes */
    uint32_t depth;
} ws_frame;

typedef struct ws_group {
    uint32_t pc, mask;
    ws_frame frame;
    uint8_t state;        /* ws_group_state */
    uint8_t barrier;      /* 0 .. 15 */
    uint8_t kind;         /* of the wait at the barrier: ws_barrier_kind */
    uint32_t members;     /* of the wait, then who has met; at a barrier its count, then the result of its reduction */
    uint32_t backward;    /* jumps since it was chosen */
    uint64_t instruction; /* of the wait for members: which one it is, with its qualifiers */
} ws_group;

struct ws_block;

enum { WS_WARP_DRAWS = 32 };

typedef struct ws_warp {
    ws_lanes lanes; /* first: steps see it as ws_lanes */
    struct ws_block *block;
    ws_group group[WS_LANES]; /* [0, groups): disjoint, no empty mask */
    int groups, current;
    uint32_t number;      /* in the block */
    uint32_t place;       /* in the cluster */
    uint32_t living;      /* lanes that have not exited */
    uint32_t next, polls; /* pc after WS_ASKS_JUMP; jumps back after polls since it started */
    bool has_polled;      /* since the latest jump back: read memory that others may change */
    bool has_drawn;       /* since its latest such turn: added to a word of global memory, and got what was there */
    bool has_worked;      /* since the latest jump back: accessed memory by no atomic */
    bool drew;            /* its turn ended with a round of a loop that did both: it takes work from a queue */
    bool pauses, is_held; /* before a step: its turn ended, for others to go on; it goes on when somebody has looked */
    uint32_t draws;       /* that may still end a turn */
    bool yields, ran;     /* its turn ends: it waits for other warps; it has run since somebody began to look */
    uint64_t origin;      /* steps of the block before the one that runs, less its pc */
    uint32_t *rows, *predicates;
    uint32_t *own_rows;        /* constants of the warp */
    uint8_t *local;            /* [32][local_bytes] */
    uint32_t local_bytes;      /* of a thread */
    struct ws_return *returns; /* [most_depth][32]: of each lane, by the depth of its call; no access reaches them */
    uint32_t most_rows, most_predicates, most_depth;
    uint32_t waits_for, waits_at; /* the mbarrier object that it found waiting last, WS_NONE: none; the statement */
    uint32_t busy, moved;         /* steps since it last had to wait; bytes that copies of its turn move */
    uint32_t at_cluster;          /* lanes that have arrived at the barrier of the cluster */
    uint32_t came[2];             /* 1 + the steps of the latest two barriers of the block that it came to; 0: none */
    uint32_t given[2][WS_LANES], holds; /* what lanes that wait for their members bring: a value, a predicate */
    uint32_t commits[WS_LANES];         /* groups of cp.async that each lane has committed */
    struct ws_flight *flights;          /* a ring */
    uint32_t flight_capacity, first_flight, flight_count;
    uint32_t spent; /* on what observers did since its turn was last held, as bytes that are moved */
} ws_warp;

static inline ws_warp *ws_warp_of(ws_lanes *lanes) { return (ws_warp *)(void *)lanes; }

static inline ws_group *ws_warp_group(ws_warp *warp) { return &warp->group[warp->current]; }

static inline bool ws_group_can_run(const ws_group *group) {
    return group->state == WS_GROUP_RUNS || group->state == WS_GROUP_GO_ON;
}

static inline bool ws_frame_equal(const ws_frame *a, const ws_frame *b) {
    return a->rows == b->rows && a->predicates == b->predicates && a->locals == b->locals && a->depth == b->depth;
}

static inline void ws_warp_remove(ws_warp *warp, int at) { warp->group[at] = warp->group[--warp->groups]; }

/* Adds lanes at a place; at most 32 groups, since masks are disjoint. */
static inline ws_group *ws_warp_add(ws_warp *warp, uint32_t pc, uint32_t mask, const ws_frame *frame) {
    ws_group *group = &warp->group[warp->groups++];
    group->pc = pc;
    group->mask = mask;
    group->frame = *frame;
    group->state = WS_GROUP_RUNS;
    group->barrier = group->kind = 0;
    group->members = group->backward = 0;
    group->instruction = 0;
    return group;
}

/* Runnable groups at one place become one. */
static inline void ws_warp_merge(ws_warp *warp) {
    int i, k;
    for (i = 0; i < warp->groups; i++) {
        ws_group *a = &warp->group[i];
        if (!ws_group_can_run(a)) continue;
        for (k = warp->groups - 1; k > i; k--) {
            const ws_group *b = &warp->group[k];
            if (b->state != a->state || b->pc != a->pc || b->members != a->members) continue;
            if (!ws_frame_equal(&a->frame, &b->frame)) continue;
            if (b->backward > a->backward) a->backward = b->backward;
            a->mask |= b->mask;
            ws_warp_remove(warp, k);
        }
    }
}

/* Has the current group been released at its step? It runs on. `value`: its members, or the result for it. */
static inline bool ws_warp_goes_on(ws_warp *warp, uint32_t *value) {
    ws_group *group = ws_warp_group(warp);
    if (group->state != WS_GROUP_GO_ON) return false;
    *value = group->members;
    group->state = WS_GROUP_RUNS;
    group->members = 0;
    group->instruction = 0;
    return true;
}

static inline bool ws_group_awaits(const ws_group *group, uint32_t members) {
    return group->state == WS_GROUP_AT_MEMBERS && group->members == members;
}

/* The lanes that wait with a mask, if all of its lanes are among them or have exited, and all at one instruction; else 0. */
static inline uint32_t ws_warp_met(const ws_warp *warp, const ws_group *group) {
    uint32_t met = 0;
    int k;
    for (k = 0; k < warp->groups; k++) {
        const ws_group *other = &warp->group[k];
        if (!ws_group_awaits(other, group->members)) continue;
        if (other->instruction != group->instruction) return 0;
        met |= other->mask;
    }
    return (group->members & warp->living & ~met) == 0 ? met : 0;
}

/* Lanes whose members have all come to the same instruction, wherever it stands, go on. */
static inline void ws_warp_release(ws_warp *warp) {
    int i, k;
    for (i = 0; i < warp->groups; i++) {
        const uint32_t members = warp->group[i].members;
        const uint32_t met = warp->group[i].state == WS_GROUP_AT_MEMBERS ? ws_warp_met(warp, &warp->group[i]) : 0;
        for (k = 0; k < warp->groups && met != 0; k++) {
            ws_group *other = &warp->group[k];
            if (!ws_group_awaits(other, members)) continue;
            other->state = WS_GROUP_GO_ON;
            other->members = met;
        }
    }
}

static inline bool ws_warp_can_run(const ws_warp *warp) {
    int i;
    for (i = 0; i < warp->groups; i++) {
        if (ws_group_can_run(&warp->group[i])) return true;
    }
    return false;
}

/* Makes the rows of the current group those that steps see. */
static inline void ws_warp_enter(ws_warp *warp) {
    const ws_group *group = &warp->group[warp->current];
    warp->lanes.rows[WS_FRAME_ROWS] = warp->rows + (size_t)group->frame.rows * WS_LANES;
    warp->lanes.predicates = warp->predicates + group->frame.predicates;
    warp->lanes.active = group->mask;
}

/* A jump back. Who takes work from a queue lets others take, too. */
static inline void ws_warp_ends_round(ws_warp *warp) {
    if (warp->has_drawn && warp->has_worked) {
        warp->drew = warp->draws > 0;
        warp->draws -= warp->drew;
        warp->has_drawn = false;
    }
    warp->has_worked = false;
}

/* The lanes of the mask go to `target`, the others of the group stay behind at `next`. Only jumps back of lanes that have
 * looked at memory that others may change count as spinning. */
static inline void ws_warp_branch(ws_warp *warp, uint32_t target, uint32_t next, uint32_t mask) {
    ws_group *group = ws_warp_group(warp);
    if (mask == 0) return;
    if (target < next && warp->has_polled) group->backward++;
    warp->polls += target < next && warp->has_polled;
    if (target < next) warp->has_polled = false;
    if (target < next) ws_warp_ends_round(warp);
    if (mask == group->mask && warp->groups == 1 && !warp->drew) {
        warp->next = target;
        warp->lanes.event = WS_ASKS_JUMP;
        return;
    }
    warp->lanes.event = WS_ASKS_SPLIT;
    if (mask == group->mask) {
        group->pc = target;
    } else {
        group->mask &= ~mask;
        group->pc = next;
        ws_warp_add(warp, target, mask, &group->frame)->backward = group->backward;
    }
}

/* The current group goes on at `next` when other warps have had a turn. */
static inline void ws_warp_yield(ws_warp *warp, uint32_t next) {
    ws_warp_group(warp)->pc = next;
    warp->has_polled = warp->yields = true;
    warp->lanes.event = WS_ASKS_SPLIT;
}

/* Lanes that are done. */
static inline void ws_warp_exit(ws_warp *warp, uint32_t next, uint32_t mask) {
    ws_group *group = ws_warp_group(warp);
    warp->living &= ~mask;
    group->mask &= ~mask;
    group->pc = next;
    if (group->mask == 0) ws_warp_remove(warp, warp->current);
    ws_warp_release(warp);
    warp->lanes.event = WS_ASKS_SPLIT;
}

#endif
