/* Who judges whether two accesses race: when and by whom they were made, what orders them, and what is said of those that
 * nothing orders.
 *
 * A race is found whatever order the warps ran in: what counts is what orders accesses (clock.h), not when they were made. */
#ifndef WARPSIM_SHADOW_JUDGE_H
#define WARPSIM_SHADOW_JUDGE_H

#include "../clock/answers.h"
#include "../clock/keys.h"
#include "../clock/pending.h"
#include "../cluster/setup.h"
#include "../step/meant.h"
#include "idle.h"
#include "stamp.h"

enum { WS_ORDER_SCOPE = 3, WS_ORDER_GUESS = 4 /* a load that a compare-and-swap checks */, WS_ORDER_BULK = 8 };
enum {
    WS_ORDER_LOAD = 16,
    WS_ORDER_STORE = 32 /* strong ones: what a store leaves does not depend on what was there */
};
enum { WS_COVERED = 16 * WS_LANES /* cells that one instruction writes */ };

/* Reads that a store has covered, each by its own thread: the store's other lanes may race with them. */
typedef struct ws_covered {
    uint32_t time, count;
    const void *cell[WS_COVERED];
    ws_stamp read[WS_COVERED];
} ws_covered;

/* Who judges: the cluster that runs, what its threads know, what was found. */
typedef struct ws_judge {
    ws_clock clock;
    ws_found_table found;
    ws_idle idle;
    ws_journal *journal;
    ws_journal_reader reader; /* what the cluster has acquired */
    ws_answers answers;
    ws_pendings pendings;
    ws_sights sights;
    uint8_t *orders; /* of each step: ws_scope of what it does; WS_ORDER_... */
    bool is_scoped;  /* clusters of several blocks, and a scope of one block somewhere */
    const ws_launch *launch;
    uint32_t block;      /* ordinal of the cluster that runs; of the block, where clusters have one */
    uint32_t stride;     /* from the shared memory of one block to that of the next */
    uint32_t rank_shift; /* where a stamp has the rank; 32: nowhere */
    uint32_t who_warp;   /* bits of a stamp that tell the warp */
    uint32_t via;        /* for the next report, like via_peer: as in ws_found */
    bool via_peer, is_seen;
    ws_covered covered;
    uint32_t *stored; /* when each thread of the cluster last waited for what its bulk copies write */
} ws_judge;

static inline uint32_t ws_stamp_rank(const ws_judge *judge, const ws_stamp *stamp) {
    return (uint32_t)((uint64_t)stamp->who >> judge->rank_shift);
}

/* The thread in the cluster. */
static inline uint32_t ws_stamp_thread(const ws_judge *judge, const ws_stamp *stamp) {
    return ws_stamp_rank(judge, stamp) * judge->clock.each + (stamp->who & WS_WHO_THREAD);
}

static inline uint32_t ws_stamp_step(const ws_judge *judge, const ws_stamp *stamp) {
    const uint64_t below = (UINT64_C(1) << judge->rank_shift) - 1;
    return (uint32_t)(stamp->who & below) >> WS_WHO_STEP;
}

/* ws_stamp.who of a block's thread 0. */
static inline uint32_t ws_who_of(const ws_judge *judge, uint32_t rank, uint32_t step) {
    return (uint32_t)((uint64_t)rank << judge->rank_shift) | step << WS_WHO_STEP;
}

/* The linear number of a block, which its cluster (of that ordinal) and its rank tell. */
static inline uint64_t ws_judge_block(const ws_judge *judge, uint32_t cluster, uint32_t rank) {
    const uint64_t number = ws_picked_number(&judge->launch->picked, cluster);
    return judge->clock.ranks == 1 ? number : ws_cluster_block(judge->launch, number, rank);
}

/* The address of a place in the shared memory of the cluster. */
static inline uint64_t ws_judge_address(const ws_judge *judge, uint64_t offset) {
    if (judge->clock.ranks == 1) return offset;
    return offset / judge->stride << WS_RANK_SHIFT | offset % judge->stride;
}

/* A finding about an access, as far as no other is concerned. */
static inline ws_found ws_judge_found(const ws_judge *judge, ws_kernel_rule rule, const ws_visit *visit) {
    const uint32_t thread = visit->stamp.who & WS_WHO_THREAD;
    ws_found one;
    one.count = 0;
    one.rule = (uint32_t)rule;
    one.address = visit->space == WS_AT_SHARED ? ws_judge_address(judge, visit->address) : visit->address;
    one.nbytes = visit->nbytes;
    one.space = visit->space;
    one.block = ws_judge_block(judge, judge->block, ws_stamp_rank(judge, &visit->stamp));
    one.thread = thread;
    one.lanes = UINT32_C(1) << thread % WS_LANES;
    one.step = ws_stamp_step(judge, &visit->stamp);
    one.is_write = visit->is_write;
    one.is_copy = (visit->stamp.who & WS_WHO_COPY) != 0;
    one.other_block = one.block;
    one.other = one.via = WS_FOUND_NO_STEP;
    one.other_thread = 0;
    one.other_is_write = one.other_is_copy = one.via_peer = one.is_seen = one.is_turned = false;
    one.object = ws_found_object_none();
    return one;
}

/* Is one side a read of this cluster, whose value nobody has used so far? */
static inline bool ws_judge_holds(ws_judge *judge, const ws_found *one, const ws_stamp *visit, const ws_stamp *other,
                                  uint32_t other_block) {
    const uint32_t flags = WS_WHO_WRITES | WS_WHO_COPY;
    const ws_stamp *read = visit->who & flags ? other : visit;
    uint32_t thread;
    if (read == NULL || (read->who & flags) || (read == other && other_block != judge->block)) return false;
    thread = ws_stamp_thread(judge, read);
    return ws_idle_holds(&judge->idle, one, ws_stamp_step(judge, read), thread / WS_LANES,
                         UINT32_C(1) << thread % WS_LANES, read->time);
}

static inline void ws_judge_report(ws_judge *judge, ws_kernel_rule rule, const ws_visit *visit, const ws_stamp *other,
                                   bool other_is_write, uint32_t other_block) {
    ws_found one = ws_judge_found(judge, rule, visit);
    one.other_is_write = other_is_write;
    if (other != NULL) {
        one.other_block = ws_judge_block(judge, other_block, ws_stamp_rank(judge, other));
        one.other = ws_stamp_step(judge, other);
        one.other_thread = other->who & WS_WHO_THREAD;
        one.other_is_copy = (other->who & WS_WHO_COPY) != 0;
    }
    one.via = judge->via;
    one.via_peer = judge->via_peer;
    one.is_seen = judge->is_seen;
    judge->via = WS_FOUND_NO_STEP;
    judge->via_peer = judge->is_seen = false;
    if (!ws_judge_holds(judge, &one, &visit->stamp, other, other_block)) ws_found_add(&judge->found, &one);
}

/* Did a bulk copy write it to global memory? Who is ordered after its thread's wait for all of it may read it. */
static inline bool ws_judge_is_stored(const ws_visit *visit, const ws_stamp *before) {
    return visit->space == WS_AT_GLOBAL && (before->who & WS_WHO_COPY) && (before->who & WS_WHO_WRITES);
}

/* Is what `before` did ordered before the visit? `block`: of `before`. */
static inline bool ws_judge_orders(ws_judge *judge, const ws_visit *visit, const ws_stamp *before, uint32_t block) {
    uint32_t time = before->time;
    if (block != judge->block) {
        const ws_question asked = {ws_stamp_thread(judge, &visit->stamp), block, time, ws_stamp_thread(judge, before)};
        return ws_answers_orders(judge->journal, &judge->reader, &judge->clock, &judge->answers, &asked);
    }
    if (before->time == WS_TIME_IN_FLIGHT) return false;
    if (before->time == visit->stamp.time) return true; /* lanes of one instruction: judged by their values */
    if (ws_judge_is_stored(visit, before)) time = judge->stored[ws_stamp_thread(judge, before)];
    return time >= before->time &&
           ws_clock_orders(&judge->clock, ws_stamp_thread(judge, &visit->stamp), ws_stamp_thread(judge, before), time);
}

/* The row of what is released to a place, for threads of one block, or of its cluster. Where no scope is narrower than the
 * cluster, one row is enough. */
static inline uint64_t ws_judge_key(const ws_judge *judge, const ws_pending *place, uint32_t warp, bool is_own) {
    if (!judge->is_scoped || !is_own) return WS_KEY_PLACE(place->is_global, place->address);
    return WS_KEY_OWN(place->is_global, ws_clock_rank(&judge->clock, warp * WS_LANES), place->address);
}

/* Would a fence behind this strong read have ordered what `before` did? `warp`: of the reader. */
static inline bool ws_judge_would(ws_judge *judge, const ws_pending *read, uint32_t warp, const ws_stamp *before,
                                  uint32_t block) {
    const uint32_t other = ws_stamp_thread(judge, before);
    uint32_t i;
    if (!read->is_used) return false;
    if (block != judge->block)
        return read->scope == WS_SCOPE_GPU &&
               ws_answers_gives(judge->journal, &judge->answers, read->latest, block, before->time, other);
    for (i = 0; i < 2; i++) {
        const uint32_t row = ws_clock_find(&judge->clock, ws_judge_key(judge, read, warp, i == 0));
        if (row != 0 && (i == 0 || read->scope != WS_SCOPE_CTA) &&
            ws_clock_has(&judge->clock, row, other, before->time))
            return true;
    }
    return false;
}

/* The same for an access that follows a strong read by `reader`, whose step becomes `via`. `thread` is the visit's. */
static inline bool ws_judge_read_by(ws_judge *judge, uint32_t reader, uint32_t thread, const ws_stamp *before,
                                    uint32_t block) {
    const ws_pending *rows = ws_pendings_of(&judge->pendings, reader);
    uint32_t i;
    for (i = 0; i < WS_PENDING_KEPT; i++) {
        if (!ws_judge_would(judge, &rows[i], reader / WS_LANES, before, block)) continue;
        if (reader / WS_LANES != thread / WS_LANES && !ws_clock_orders(&judge->clock, thread, reader, rows[i].time))
            continue; /* a fence there would not come before this access */
        judge->via = rows[i].step;
        judge->via_peer = reader != thread && reader / WS_LANES == thread / WS_LANES;
        return true;
    }
    return false;
}

/* Likewise, behind any strong read of the block. */
static inline bool ws_judge_misses_fence(ws_judge *judge, const ws_visit *visit, const ws_stamp *before,
                                         uint32_t block) {
    const uint32_t each = judge->clock.each / WS_LANES, first = ws_stamp_rank(judge, &visit->stamp) * each;
    const uint32_t thread = ws_stamp_thread(judge, &visit->stamp);
    uint32_t warp, left;
    if (before->time == WS_TIME_IN_FLIGHT) return false;
    if (ws_judge_read_by(judge, thread, thread, before, block)) return true;
    for (warp = first; warp < first + each; warp++) {
        for (left = judge->pendings.lanes[warp]; left != 0; left &= left - 1) {
            if (ws_judge_read_by(judge, warp * WS_LANES + (uint32_t)ws_first_lane(left), thread, before, block))
                return true;
        }
    }
    return false;
}

#endif
