/* What is remembered of a few bytes of memory: who wrote them last, and a few who have read them since, or changed them by
 * atomics; and whether the next access is ordered after those.
 *
 * A race is found whatever order the warps ran in: what counts is what orders accesses (clock.h), not when they were made. */
#ifndef WARPSIM_CHECK_CELL_H
#define WARPSIM_CHECK_CELL_H

#include "../clock/journal.h"
#include "../clock/keys.h"
#include "../cluster/setup.h"
#include "found.h"

enum { WS_CELL_KEPT = 3 };

#define WS_TIME_IN_FLIGHT UINT32_MAX /* of a copy that has not arrived */
#define WS_TIME_MOST UINT32_C(0x80000000)

/* An access: when, and whose. */
typedef struct ws_stamp {
    uint32_t time; /* 0: never */
    uint32_t who;  /* thread, flags, step << WS_WHO_STEP */
} ws_stamp;

enum {
    WS_WHO_THREAD = 1023,
    WS_WHO_WARP = 992,
    WS_WHO_ATOMIC = 1 << 10,
    WS_WHO_COPY = 1 << 11,
    WS_WHO_VOLATILE = 1 << 12,
    WS_WHO_WRITES = 1 << 13,
    WS_WHO_STEP = 14 /* and above the step, in the topmost bits, the rank in the cluster */
};

typedef struct ws_cell {
    ws_stamp write, kept[WS_CELL_KEPT]; /* kept: reads and atomics since, of two warps at least where there are two */
} ws_cell;

/* One lane's access to the bytes of a cell. */
typedef struct ws_visit {
    ws_stamp stamp;
    uint64_t address;
    uint32_t nbytes;
    uint8_t space;
    bool is_write, reads;
    bool changes_nothing; /* it writes what is there */
} ws_visit;

typedef enum ws_visited {
    WS_VISITED_FINE,
    WS_VISITED_UNWRITTEN, /* a read of what nobody has written */
    WS_VISITED_MET        /* another lane of this very instruction has written here */
} ws_visited;

/* Who judges: the cluster that runs, what its threads know, what was found. */
typedef struct ws_judge {
    ws_clock clock;
    ws_found_table found;
    ws_journal *journal;
    ws_journal_reader reader;
    const ws_launch *launch;
    uint32_t block;      /* ordinal of the cluster that runs; of the block, where clusters have one */
    uint32_t stride;     /* from the shared memory of one block to that of the next */
    uint32_t rank_shift; /* where a stamp has the rank; 32: nowhere */
    uint32_t who_warp;   /* bits of a stamp that tell the warp */
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

static inline void ws_judge_report(ws_judge *judge, ws_found_rule rule, const ws_visit *visit, const ws_stamp *other,
                                   bool other_is_write, uint32_t other_block) {
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
    one.other_block = other == NULL ? one.block : ws_judge_block(judge, other_block, ws_stamp_rank(judge, other));
    one.other = other == NULL ? WS_FOUND_NO_STEP : ws_stamp_step(judge, other);
    one.other_thread = other == NULL ? 0 : other->who & WS_WHO_THREAD;
    one.other_is_write = other_is_write;
    one.other_is_copy = other != NULL && (other->who & WS_WHO_COPY);
    ws_found_add(&judge->found, &one);
}

/* Is what `before` did ordered before the visit? `block`: of `before`. */
static inline bool ws_judge_orders(ws_judge *judge, const ws_visit *visit, const ws_stamp *before, uint32_t block) {
    if (block != judge->block)
        return ws_journal_orders(judge->journal, &judge->reader, block, before->time, ws_stamp_thread(judge, before));
    if (before->time == WS_TIME_IN_FLIGHT) return false;
    if (before->time == visit->stamp.time) return true; /* lanes of one instruction: judged by their values */
    return ws_clock_orders(&judge->clock, ws_stamp_thread(judge, &visit->stamp), ws_stamp_thread(judge, before),
                           before->time);
}

/* Two reads need no order, nor do two atomics. Volatile accesses to shared memory do, and those of a warp to any: code of
 * old relies on lanes in step, and on reductions that no barrier ends. */
static inline bool ws_judge_is_race(ws_judge *judge, const ws_visit *visit, const ws_stamp *before, uint32_t block) {
    const uint32_t both = before->who & visit->stamp.who, warp = ws_stamp_thread(judge, before) / WS_LANES;
    if (!((before->who | visit->stamp.who) & WS_WHO_WRITES)) return false;
    if ((both & WS_WHO_ATOMIC) &&
        (!(both & WS_WHO_VOLATILE) || block != judge->block ||
         (visit->space != WS_AT_SHARED && warp != ws_stamp_thread(judge, &visit->stamp) / WS_LANES)))
        return false;
    return !ws_judge_orders(judge, visit, before, block);
}

static inline void ws_judge_race(ws_judge *judge, const ws_visit *visit, const ws_stamp *other, uint32_t block) {
    const uint32_t warp = ws_stamp_thread(judge, &visit->stamp) / WS_LANES,
                   other_warp = ws_stamp_thread(judge, other) / WS_LANES;
    const bool writes = (other->who & WS_WHO_WRITES) != 0;
    ws_found_rule rule = visit->space == WS_AT_SHARED ? WS_FOUND_RACE : WS_FOUND_ARRAY_RACE;
    if (warp == other_warp && judge->block == block) rule = WS_FOUND_WARP_RACE;
    else if (visit->stamp.who & other->who & WS_WHO_VOLATILE) rule = WS_FOUND_VOLATILE;
    if (visit->is_write && writes && visit->changes_nothing) rule = WS_FOUND_SAME_VALUE;
    if (other->time == WS_TIME_IN_FLIGHT) rule = WS_FOUND_READING;
    ws_judge_report(judge, rule, visit, other, writes, block);
}

/* Reads, or atomics, of one warp. */
static inline bool ws_stamp_is_like(const ws_stamp *a, const ws_stamp *b, uint32_t who_warp) {
    return ((a->who ^ b->who) & (who_warp | WS_WHO_ATOMIC)) == 0;
}

/* Keeps an access: instead of one that all is ordered after, of one of its own kind that is ordered before it, or of none;
 * where all are taken, instead of the second one of a kind, if none of its own kind is there. (A read and an atomic are of
 * two kinds: other atomics race with the one and not with the other.) `blocks`: of the write and of those that are kept, or
 * NULL. */
static inline void ws_cell_keep(ws_judge *judge, ws_cell *cell, uint32_t *blocks, uint32_t start,
                                const ws_visit *visit) {
    int i, at = -1;
    bool is_there = false;
    for (i = 0; i < WS_CELL_KEPT && at < 0; i++) {
        const uint32_t block = blocks != NULL ? blocks[1 + i] : judge->block;
        const ws_stamp *old = &cell->kept[i];
        const bool is_other = old->time == visit->stamp.time && block == judge->block &&
                              ws_stamp_thread(judge, old) != ws_stamp_thread(judge, &visit->stamp);
        const bool is_past = block == judge->block && old->time < judge->clock.floor;
        const bool is_kin = ((old->who ^ visit->stamp.who) & WS_WHO_ATOMIC) == 0;
        if (old->time < start || is_past || (is_kin && !is_other && ws_judge_orders(judge, visit, old, block))) at = i;
        is_there = is_there || (block == judge->block && ws_stamp_is_like(old, &visit->stamp, judge->who_warp));
    }
    for (i = WS_CELL_KEPT - 1; i > 0 && at < 0 && !is_there; i--) {
        const bool same_block = blocks == NULL || blocks[1 + i] == blocks[i];
        if (same_block && ws_stamp_is_like(&cell->kept[i - 1], &cell->kept[i], judge->who_warp)) at = i;
    }
    if (at < 0) return;
    cell->kept[at] = visit->stamp;
    if (blocks != NULL) blocks[1 + at] = judge->block;
}

/* What a visit changes in a cell. An atomic is kept as a read is; it does not hide a plain write that not all are ordered
 * after. */
static inline void ws_cell_change(ws_judge *judge, ws_cell *cell, uint32_t *blocks, uint32_t start,
                                  const ws_visit *visit) {
    const bool is_atomic = (visit->stamp.who & WS_WHO_ATOMIC) != 0,
               is_mine = blocks == NULL || blocks[0] == judge->block;
    const bool is_open = is_mine ? cell->write.time >= judge->clock.floor : cell->write.time != 0;
    int i;
    if (!visit->is_write || is_atomic) ws_cell_keep(judge, cell, blocks, start, visit);
    if (!visit->is_write || (is_atomic && is_open && !(cell->write.who & WS_WHO_ATOMIC))) return;
    cell->write = visit->stamp;
    if (blocks != NULL) blocks[0] = judge->block;
    for (i = 0; i < WS_CELL_KEPT && !is_atomic; i++) cell->kept[i].time = 0;
}

/* `start`: accesses before it are not of this block; `blocks`: of the write and of those that are kept, or NULL. */
static inline ws_visited ws_cell_visit(ws_judge *judge, ws_cell *cell, uint32_t *blocks, uint32_t start,
                                       const ws_visit *visit) {
    const uint32_t writer = blocks != NULL ? blocks[0] : judge->block;
    const bool is_written = cell->write.time >= start;
    const bool has_met = cell->write.time == visit->stamp.time && writer == judge->block &&
                         ws_stamp_thread(judge, &cell->write) != ws_stamp_thread(judge, &visit->stamp);
    int i;
    if (cell->write.time == WS_TIME_IN_FLIGHT) {
        ws_judge_report(judge, WS_FOUND_IN_FLIGHT, visit, &cell->write, true, writer);
    } else if (is_written && ws_judge_is_race(judge, visit, &cell->write, writer)) {
        ws_judge_race(judge, visit, &cell->write, writer);
    }
    for (i = 0; i < WS_CELL_KEPT; i++) {
        const uint32_t block = blocks != NULL ? blocks[1 + i] : judge->block;
        const ws_stamp *kept = &cell->kept[i];
        if (kept->time == cell->write.time && kept->who == cell->write.who) continue; /* an atomic, judged above */
        if (kept->time >= start && ws_judge_is_race(judge, visit, kept, block))
            ws_judge_race(judge, visit, kept, block);
    }
    ws_cell_change(judge, cell, blocks, start, visit);
    if (!is_written && visit->reads) return WS_VISITED_UNWRITTEN;
    return has_met ? WS_VISITED_MET : WS_VISITED_FINE;
}

#endif
