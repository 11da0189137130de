/* What is remembered of a few bytes of memory: who wrote them last, and two who have read them since; and whether the
 * next access is ordered after those.
 *
 * A race is found whatever order the warps ran in: what counts is what orders accesses (clock.h), not when they were made. */
#ifndef WARPSIM_CHECK_CELL_H
#define WARPSIM_CHECK_CELL_H

#include "../run/block.h"
#include "clock.h"
#include "found.h"
#include "journal.h"

enum { WS_CELL_READS = 2 };

#define WS_TIME_IN_FLIGHT UINT32_MAX /* of a copy that has not arrived */
#define WS_TIME_MOST UINT32_C(0x80000000)

/* An access: when, and whose. */
typedef struct ws_stamp {
    uint32_t time; /* 0: never */
    uint32_t who;  /* thread | atomic << 10 | copy << 11 | volatile << 12 | step << 13 */
} ws_stamp;

enum {
    WS_WHO_THREAD = 1023,
    WS_WHO_ATOMIC = 1 << 10,
    WS_WHO_COPY = 1 << 11,
    WS_WHO_VOLATILE = 1 << 12,
    WS_WHO_STEP = 13,
    WS_WHO_STEPS = 1 << 19
};

typedef struct ws_cell {
    ws_stamp write, read[WS_CELL_READS];
} ws_cell;

/* One lane's access to the bytes of a cell. */
typedef struct ws_visit {
    ws_stamp stamp;
    uint64_t address;
    uint32_t nbytes;
    uint8_t space;
    bool is_write;
    bool changes_nothing; /* it writes what is there */
} ws_visit;

typedef enum ws_visited {
    WS_VISITED_FINE,
    WS_VISITED_UNWRITTEN, /* a read of what nobody has written */
    WS_VISITED_MET        /* another lane of this very instruction has written here */
} ws_visited;

/* Who judges: the block that runs, what its threads know, what was found. */
typedef struct ws_judge {
    ws_clock clock;
    ws_found_table found;
    ws_journal *journal;
    ws_journal_reader reader;
    uint32_t block; /* linear */
} ws_judge;

static inline uint32_t ws_stamp_thread(const ws_stamp *stamp) { return stamp->who & WS_WHO_THREAD; }

static inline void ws_judge_report(ws_judge *judge, ws_found_rule rule, const ws_visit *visit, const ws_stamp *other,
                                   bool other_is_write, uint32_t other_block) {
    const uint32_t thread = ws_stamp_thread(&visit->stamp);
    ws_found one;
    one.count = 0;
    one.rule = (uint32_t)rule;
    one.address = visit->address;
    one.nbytes = visit->nbytes;
    one.space = visit->space;
    one.block = judge->block;
    one.thread = thread;
    one.lanes = UINT32_C(1) << thread % WS_LANES;
    one.step = visit->stamp.who >> WS_WHO_STEP;
    one.is_write = visit->is_write;
    one.is_copy = (visit->stamp.who & WS_WHO_COPY) != 0;
    one.other_block = other_block;
    one.other = other == NULL ? WS_FOUND_NO_STEP : other->who >> WS_WHO_STEP;
    one.other_thread = other == NULL ? 0 : ws_stamp_thread(other);
    one.other_is_write = other_is_write;
    one.other_is_copy = other != NULL && (other->who & WS_WHO_COPY);
    ws_found_add(&judge->found, &one);
}

/* Two atomics need no order. Volatile accesses do between lanes of a warp: code of old relies on lanes in step. */
static inline bool ws_judge_need_no_order(const ws_judge *judge, const ws_visit *visit, const ws_stamp *before,
                                          uint32_t block) {
    const uint32_t both = before->who & visit->stamp.who;
    const uint32_t warp = ws_stamp_thread(before) / WS_LANES;
    if (!(both & WS_WHO_ATOMIC)) return false;
    return !(both & WS_WHO_VOLATILE) || block != judge->block || warp != ws_stamp_thread(&visit->stamp) / WS_LANES;
}

/* Is what `before` did ordered before the visit? `block`: of `before`. */
static inline bool ws_judge_orders(ws_judge *judge, const ws_visit *visit, const ws_stamp *before, uint32_t block) {
    if (before->time == 0 || ws_judge_need_no_order(judge, visit, before, block)) return true;
    if (block != judge->block)
        return ws_journal_orders(judge->journal, &judge->reader, block, before->time, ws_stamp_thread(before));
    if (before->time == visit->stamp.time) return true; /* lanes of one instruction: judged by their values */
    return ws_clock_orders(&judge->clock, ws_stamp_thread(&visit->stamp), ws_stamp_thread(before), before->time);
}

static inline void ws_judge_race(ws_judge *judge, const ws_visit *visit, const ws_stamp *other, bool other_is_write,
                                 uint32_t other_block) {
    const uint32_t warp = ws_stamp_thread(&visit->stamp) / WS_LANES, other_warp = ws_stamp_thread(other) / WS_LANES;
    ws_found_rule rule = visit->space == WS_AT_SHARED ? WS_FOUND_RACE : WS_FOUND_ARRAY_RACE;
    if (warp == other_warp && judge->block == other_block) rule = WS_FOUND_WARP_RACE;
    if (visit->is_write && other_is_write && visit->changes_nothing) rule = WS_FOUND_SAME_VALUE;
    ws_judge_report(judge, rule, visit, other, other_is_write, other_block);
}

/* Keeps a read: instead of one that is ordered before it, or of none. `blocks`: of the write and the reads, or NULL. */
static inline void ws_cell_keep(ws_judge *judge, ws_cell *cell, uint32_t *blocks, const ws_visit *visit) {
    int i;
    for (i = 0; i < WS_CELL_READS; i++) {
        const uint32_t block = blocks != NULL ? blocks[1 + i] : judge->block;
        if (cell->read[i].time >= judge->clock.start || block != judge->block) {
            const bool is_ordered = ws_judge_orders(judge, visit, &cell->read[i], block);
            if (!is_ordered || (cell->read[i].time == visit->stamp.time && block == judge->block &&
                                ws_stamp_thread(&cell->read[i]) != ws_stamp_thread(&visit->stamp)))
                continue;
        }
        cell->read[i] = visit->stamp;
        if (blocks != NULL) blocks[1 + i] = judge->block;
        return;
    }
}

/* Would an atomic write hide a plain one that not all are ordered after? Then that one stays: others may race with it. */
static inline bool ws_cell_hides(const ws_judge *judge, const ws_cell *cell, uint32_t writer, const ws_visit *visit) {
    return (visit->stamp.who & WS_WHO_ATOMIC) && !(cell->write.who & WS_WHO_ATOMIC) &&
           (writer != judge->block ? cell->write.time != 0 : cell->write.time >= judge->clock.floor);
}

/* `start`: accesses before it are not of this block; `blocks`: of the write and the reads, or NULL: all of this one. */
static inline ws_visited ws_cell_visit(ws_judge *judge, ws_cell *cell, uint32_t *blocks, uint32_t start,
                                       const ws_visit *visit) {
    const uint32_t writer = blocks != NULL ? blocks[0] : judge->block;
    const bool is_written = cell->write.time >= start;
    const bool is_same = cell->write.time == visit->stamp.time && writer == judge->block;
    ws_visited visited = WS_VISITED_FINE;
    int i;
    if (is_same && ws_stamp_thread(&cell->write) != ws_stamp_thread(&visit->stamp)) visited = WS_VISITED_MET;
    if (cell->write.time == WS_TIME_IN_FLIGHT) {
        ws_judge_report(judge, WS_FOUND_IN_FLIGHT, visit, &cell->write, true, writer);
    } else if (is_written && !ws_judge_orders(judge, visit, &cell->write, writer)) {
        ws_judge_race(judge, visit, &cell->write, true, writer);
    }
    if (!visit->is_write) {
        ws_cell_keep(judge, cell, blocks, visit);
        return is_written ? WS_VISITED_FINE : WS_VISITED_UNWRITTEN;
    }
    for (i = 0; i < WS_CELL_READS; i++) {
        const uint32_t reader = blocks != NULL ? blocks[1 + i] : judge->block;
        if (cell->read[i].time >= start && !ws_judge_orders(judge, visit, &cell->read[i], reader))
            ws_judge_race(judge, visit, &cell->read[i], false, reader);
        cell->read[i].time = 0;
    }
    if (ws_cell_hides(judge, cell, writer, visit)) {
        ws_cell_keep(judge, cell, blocks, visit);
        return visited;
    }
    cell->write = visit->stamp;
    if (blocks != NULL) blocks[0] = judge->block;
    return visited;
}

#endif
