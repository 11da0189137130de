/* What is remembered of a few bytes of memory: who wrote them last, and who have read them since, or changed them by atomics:
 * a few here, others in a list (crowd.h); and whether the next access is ordered after those. */
#ifndef WARPSIM_SHADOW_CELL_H
#define WARPSIM_SHADOW_CELL_H

#include "crowd.h"

enum { WS_CELL_KEPT = 3 };

typedef struct ws_cell {
    ws_stamp write, kept[WS_CELL_KEPT]; /* kept: reads and atomics since, of two warps at least where there are two */
    uint32_t others;                    /* the head of the list of all others */
} ws_cell;

/* Reads, or atomics, of one warp. */
static inline bool ws_stamp_is_like(const ws_stamp *a, const ws_stamp *b, uint32_t who_warp) {
    return ((a->who ^ b->who) & (who_warp | WS_WHO_ATOMIC)) == 0;
}

/* Keeps an access: instead of one that all is ordered after, of one of its own kind that is ordered before it, or of none;
 * where all are taken, instead of the second one of a kind, if none of its own kind is there, and that or else the access
 * itself goes into the list. (A read and an atomic are of two kinds: other atomics race with the one and not with the other.)
 * `blocks`: of the write and of those that are kept, or NULL. */
static inline void ws_cell_keep(ws_judge *judge, ws_crowd *crowd, ws_cell *cell, uint32_t *blocks, uint32_t start,
                                const ws_visit *visit) {
    int i, at = -1, full = -1;
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
    for (i = WS_CELL_KEPT - 1; i > 0 && at < 0 && full < 0 && !is_there; i--) {
        const bool same_block = blocks == NULL || blocks[1 + i] == blocks[i];
        if (same_block && ws_stamp_is_like(&cell->kept[i - 1], &cell->kept[i], judge->who_warp)) full = i;
    }
    if (at < 0 && full < 0) {
        ws_crowd_add(judge, crowd, &cell->others, &visit->stamp, judge->block);
        return;
    }
    if (at < 0) {
        at = full;
        ws_crowd_add(judge, crowd, &cell->others, &cell->kept[at], blocks != NULL ? blocks[1 + at] : judge->block);
    }
    cell->kept[at] = visit->stamp;
    if (blocks != NULL) blocks[1 + at] = judge->block;
}

/* An atomic whose result is read: its thread knows that the atomics before came before. What is ordered after it is ordered
 * after them; those of its own instruction are not among them, since which of their lanes is the last is luck. */
WS_APART void ws_cell_take(const ws_judge *judge, ws_crowd *crowd, ws_cell *cell, const uint32_t *blocks,
                           const ws_visit *visit) {
    const uint32_t flags = WS_WHO_ATOMIC | WS_WHO_WRITES | WS_WHO_VOLATILE;
    uint32_t *link = &cell->others;
    ws_crowd_row *row;
    int i;
    for (i = 0; i < WS_CELL_KEPT; i++) {
        const bool is_its =
            cell->kept[i].time == visit->stamp.time && (blocks == NULL || blocks[1 + i] == judge->block);
        if (!is_its && (cell->kept[i].who & flags) == (WS_WHO_ATOMIC | WS_WHO_WRITES)) cell->kept[i].time = 0;
    }
    while ((row = ws_crowd_at(crowd, &cell->others, *link)) != NULL) {
        const bool is_its = row->stamp.time == visit->stamp.time && row->block == judge->block;
        if (!is_its && (row->stamp.who & flags) == (WS_WHO_ATOMIC | WS_WHO_WRITES)) ws_crowd_remove(crowd, row, link);
        else link = &row->next;
    }
    cell->others &= ~WS_CROWD_LOST_ATOMIC;
}

/* A store covers an access: is it one of its own thread? */
static inline void ws_cell_hide(ws_judge *judge, const ws_cell *cell, const ws_stamp *read, const ws_visit *visit) {
    ws_covered *covered = &judge->covered;
    if (((read->who ^ visit->stamp.who) & (judge->who_warp | WS_WHO_THREAD)) != 0 || covered->count == WS_COVERED)
        return;
    covered->cell[covered->count] = cell;
    covered->read[covered->count++] = *read;
}

/* A store ends what is kept. What its own thread has read is ordered before it, and perhaps not before its other lanes. */
WS_APART void ws_cell_cover(ws_judge *judge, ws_crowd *crowd, ws_cell *cell, const uint32_t *blocks,
                            const ws_visit *visit) {
    ws_crowd_row *row;
    int i;
    if (judge->covered.time != visit->stamp.time) judge->covered.count = 0;
    judge->covered.time = visit->stamp.time;
    for (i = 0; i < WS_CELL_KEPT; i++) {
        const bool is_here = blocks == NULL || blocks[1 + i] == judge->block;
        if (cell->kept[i].time != 0 && is_here) ws_cell_hide(judge, cell, &cell->kept[i], visit);
        cell->kept[i].time = 0;
    }
    while ((row = ws_crowd_at(crowd, &cell->others, cell->others)) != NULL) {
        const ws_stamp own = {row->stamp.time, row->stamp.who | visit->stamp.who % WS_LANES};
        if (row->block == judge->block && (row->lanes >> visit->stamp.who % WS_LANES & 1))
            ws_cell_hide(judge, cell, &own, visit);
        ws_crowd_remove(crowd, row, &cell->others);
    }
    cell->others = 0;
}

/* Another lane of the store comes to the cell. */
static inline void ws_cell_uncover(ws_judge *judge, const ws_cell *cell, const ws_visit *visit) {
    const ws_covered *covered = &judge->covered;
    uint32_t i;
    for (i = 0; i < covered->count && covered->time == visit->stamp.time; i++) {
        if (covered->cell[i] == cell && ws_judge_is_race(judge, visit, &covered->read[i], judge->block))
            ws_judge_race(judge, visit, &covered->read[i], judge->block);
    }
}

/* What a visit changes in a cell. An atomic is kept as a read is; it does not hide a plain write that not all are ordered
 * after: of global memory, other blocks never are by a barrier. */
static inline void ws_cell_change(ws_judge *judge, ws_crowd *crowd, ws_cell *cell, uint32_t *blocks, uint32_t start,
                                  const ws_visit *visit) {
    const bool is_atomic = (visit->stamp.who & WS_WHO_ATOMIC) != 0;
    const bool is_open = blocks != NULL ? cell->write.time != 0 : cell->write.time >= judge->clock.floor;
    if (visit->takes) ws_cell_take(judge, crowd, cell, blocks, visit);
    if (!visit->is_write || is_atomic) ws_cell_keep(judge, crowd, cell, blocks, start, visit);
    if (!visit->is_write || (is_atomic && is_open && !(cell->write.who & WS_WHO_ATOMIC))) return;
    cell->write = visit->stamp;
    if (blocks != NULL) blocks[0] = judge->block;
    if (!is_atomic) ws_cell_cover(judge, crowd, cell, blocks, visit);
}

/* `start`: accesses before it are not of this block; `blocks`: of the write and of those that are kept, or NULL. */
static inline ws_visited ws_cell_visit(ws_judge *judge, ws_crowd *crowd, ws_cell *cell, uint32_t *blocks,
                                       uint32_t start, const ws_visit *visit) {
    const uint32_t writer = blocks != NULL ? blocks[0] : judge->block;
    const bool is_written = cell->write.time >= start;
    const bool has_met = cell->write.time == visit->stamp.time && writer == judge->block &&
                         ws_stamp_thread(judge, &cell->write) != ws_stamp_thread(judge, &visit->stamp);
    int i;
    if (cell->write.time == WS_TIME_IN_FLIGHT) {
        ws_judge_report(judge, WS_RUN_IN_FLIGHT, visit, &cell->write, true, writer);
    } else if (is_written && ws_judge_is_race(judge, visit, &cell->write, writer)) {
        ws_judge_race(judge, visit, &cell->write, writer);
    } else if (is_written && visit->reads && (cell->write.who & visit->stamp.who & WS_WHO_ATOMIC)) {
        ws_sights_load(judge, visit, &cell->write, writer);
    }
    for (i = 0; i < WS_CELL_KEPT; i++) {
        const uint32_t block = blocks != NULL ? blocks[1 + i] : judge->block;
        const ws_stamp *kept = &cell->kept[i];
        if (kept->time == cell->write.time && kept->who == cell->write.who) continue; /* an atomic, judged above */
        if (kept->time >= start && ws_judge_is_race(judge, visit, kept, block))
            ws_judge_race(judge, visit, kept, block);
    }
    if (cell->others != 0 && !ws_crowd_judge(judge, crowd, &cell->others, visit) && ws_crowd_lost(&cell->others, visit))
        crowd->overlooked++;
    if (has_met && visit->is_write) ws_cell_uncover(judge, cell, visit);
    ws_cell_change(judge, crowd, cell, blocks, start, visit);
    if (!is_written && visit->reads) return WS_VISITED_UNWRITTEN;
    return has_met ? WS_VISITED_MET : WS_VISITED_FINE;
}

#endif
