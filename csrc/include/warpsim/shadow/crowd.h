/* Who else has read a place, or changed it by atomics, since it was written: those for whom its cell has no room. A row is of
 * lanes of one warp that came at once; a store empties a list, and in shared memory so does a barrier of all threads. */
#ifndef WARPSIM_SHADOW_CROWD_H
#define WARPSIM_SHADOW_CROWD_H

#include "../base/apart.h"
#include "races.h"

enum { WS_CROWD_LEAST = 1 << 10, WS_CROWD_MOST = 1 << 17 /* rows */ };
enum {
    WS_CROWD_LIST = 64 /* of a place in global memory */,
    WS_CROWD_UNWRITTEN = 1 << 12 /* of all that none has written */
};

/* In the head of a list: somebody found no room. */
#define WS_CROWD_LOST_READ (UINT32_C(1) << 31)
#define WS_CROWD_LOST_ATOMIC (UINT32_C(1) << 30)
#define WS_CROWD_LOST_HERE (UINT32_C(1) << 29) /* a read of the block whose access the cell keeps last */
#define WS_CROWD_LOST (WS_CROWD_LOST_READ | WS_CROWD_LOST_ATOMIC | WS_CROWD_LOST_HERE)

typedef struct ws_crowd_row {
    const uint32_t *head; /* of its list: the number of the first row + 1, beside the flags */
    ws_stamp stamp;       /* of the warp's lane 0 */
    uint32_t lanes, block;
    uint32_t next; /* number + 1 of a row; 0: the list ends */
} ws_crowd_row;

typedef struct ws_crowd {
    ws_crowd_row *rows; /* NULL: nobody needs more than the few of a cell */
    uint32_t capacity, used;
    uint32_t spare;      /* the first row that was given back */
    uint32_t list;       /* rows of a place */
    uint32_t latest;     /* when the latest of them came */
    uint64_t overlooked; /* accesses that may race with some that found no room */
} ws_crowd;

static inline ws_crowd ws_crowd_make(ws_crowd_row *rows, uint32_t capacity, uint32_t list) {
    const ws_crowd crowd = {rows, capacity, 0, 0, list, 0, 0};
    return crowd;
}

/* All lists are empty. */
static inline void ws_crowd_clear(ws_crowd *crowd) { crowd->used = crowd->spare = crowd->latest = 0; }

/* A row of a list; NULL: it ends there. Rows that were taken away since are not the list's. */
static inline ws_crowd_row *ws_crowd_at(const ws_crowd *crowd, const uint32_t *head, uint32_t number) {
    const uint32_t at = number & ~WS_CROWD_LOST;
    return at != 0 && at <= crowd->used && crowd->rows[at - 1].head == head ? &crowd->rows[at - 1] : NULL;
}

/* `link`: what names the row. */
static inline void ws_crowd_remove(ws_crowd *crowd, ws_crowd_row *row, uint32_t *link) {
    const uint32_t number = *link & ~WS_CROWD_LOST;
    *link = (*link & WS_CROWD_LOST) | row->next;
    row->head = NULL;
    row->next = crowd->spare;
    crowd->spare = number;
}

static inline uint32_t ws_crowd_take(ws_crowd *crowd) {
    const uint32_t spare = crowd->spare, number = spare != 0 ? spare : crowd->used + 1;
    if (number > crowd->capacity) return 0;
    if (spare != 0) crowd->spare = crowd->rows[number - 1].next;
    else crowd->used = number;
    crowd->rows[number - 1].head = NULL;
    return number;
}

/* Are both of one warp, and reads, or atomics? Such rows of a list lie side by side. */
static inline bool ws_crowd_is_kin(const ws_judge *judge, const ws_crowd_row *row, const ws_stamp *stamp,
                                   uint32_t block) {
    return row->block == block && ((row->stamp.who ^ stamp->who) & (judge->who_warp | WS_WHO_ATOMIC)) == 0;
}

/* The row takes the lane in, if it is of that very access. */
static inline bool ws_crowd_join(ws_crowd_row *row, const ws_stamp *stamp) {
    const uint32_t lane = stamp->who % WS_LANES;
    if (row->stamp.time != stamp->time || row->stamp.who != stamp->who - lane) return false;
    row->lanes |= UINT32_C(1) << lane;
    return true;
}

static inline void ws_crowd_insert(ws_crowd *crowd, uint32_t number, uint32_t *head, uint32_t *link,
                                   const ws_stamp *stamp, uint32_t block) {
    const uint32_t lane = stamp->who % WS_LANES;
    ws_crowd_row *row = &crowd->rows[number - 1];
    row->stamp.time = stamp->time;
    row->stamp.who = stamp->who - lane;
    row->lanes = UINT32_C(1) << lane;
    row->block = block;
    row->next = ws_crowd_at(crowd, head, *link) != NULL ? *link & ~WS_CROWD_LOST : 0; /* a name may be an old one */
    *link = (*link & WS_CROWD_LOST) | number;
    row->head = head;
    if (stamp->time > crowd->latest) crowd->latest = stamp->time;
}

/* An access for which a cell has no room. What its own thread has done there before is ordered before it. */
WS_APART void ws_crowd_add(const ws_judge *judge, ws_crowd *crowd, uint32_t *head, const ws_stamp *stamp,
                           uint32_t block) {
    const uint32_t lane = UINT32_C(1) << stamp->who % WS_LANES;
    uint32_t *link = head, *first, count = 0, number;
    ws_crowd_row *row;
    bool is_there = false;
    if (crowd->rows == NULL || stamp->time == 0) return;
    while ((row = ws_crowd_at(crowd, head, *link)) != NULL && !ws_crowd_is_kin(judge, row, stamp, block)) {
        link = &row->next;
        count++;
    }
    for (first = link; row != NULL && ws_crowd_is_kin(judge, row, stamp, block); count++) {
        if (row->stamp.time > stamp->time && (row->lanes & lane)) return;
        if (ws_crowd_join(row, stamp)) is_there = true;
        else if (row->stamp.time < stamp->time) row->lanes &= ~lane;
        if (row->lanes == 0) ws_crowd_remove(crowd, row, link);
        else link = &row->next;
        row = ws_crowd_at(crowd, head, *link);
    }
    for (; row != NULL && !is_there && count < crowd->list; count++) row = ws_crowd_at(crowd, head, row->next);
    if (is_there) return;
    number = count < crowd->list ? ws_crowd_take(crowd) : 0;
    if (number != 0) ws_crowd_insert(crowd, number, head, first, stamp, block);
    else *head |= stamp->who & WS_WHO_ATOMIC ? WS_CROWD_LOST_ATOMIC : WS_CROWD_LOST_READ;
}

/* Does a visit race with any of them? One race is told of each row. */
WS_APART bool ws_crowd_judge(ws_judge *judge, ws_crowd *crowd, const uint32_t *head, const ws_visit *visit) {
    const ws_crowd_row *row;
    bool races = false;
    for (row = ws_crowd_at(crowd, head, *head); row != NULL; row = ws_crowd_at(crowd, head, row->next)) {
        uint32_t left = (row->stamp.who | visit->stamp.who) & WS_WHO_WRITES ? row->lanes : 0;
        for (; left != 0; left &= left - 1) {
            ws_stamp stamp = row->stamp;
            stamp.who |= (uint32_t)ws_first_lane(left);
            if (!ws_judge_is_race(judge, visit, &stamp, row->block)) continue;
            ws_judge_race(judge, visit, &stamp, row->block);
            races = true;
            break;
        }
    }
    return races;
}

/* Found some of those no room that a visit could race with? */
static inline bool ws_crowd_lost(const uint32_t *head, const ws_visit *visit) {
    const bool is_atomic = (visit->stamp.who & WS_WHO_ATOMIC) != 0;
    const uint32_t kinds = (visit->is_write ? WS_CROWD_LOST_READ : 0) | (is_atomic ? 0 : WS_CROWD_LOST_ATOMIC);
    return (*head & kinds) != 0;
}

#endif
