/* Races with reads whose values nobody has used: a prefetch beyond the last round, say. They are found when somebody uses the
 * value, if anybody does.
 *
 * Only loads whose values may go unused are looked at (ahead.h): others are races at once. */
#ifndef WARPSIM_SHADOW_IDLE_H
#define WARPSIM_SHADOW_IDLE_H

#include "../base/arena.h"
#include "../base/mask.h"
#include "found.h"

enum { WS_IDLE_HELD = 64, WS_IDLE_SUNK = 32 };

/* Of such a load: a whole warp's; one that is followed by its sinks, not by registers. */
typedef enum ws_idle_load { WS_IDLE_WHOLE = 1, WS_IDLE_IS_SUNK = 2, WS_IDLE_BITS = 2 } ws_idle_load;

/* What a warp has loaded last by such a load. */
typedef struct ws_idle_row {
    uint32_t time; /* 0: nothing */
    uint32_t used; /* lanes that have used it */
} ws_idle_row;

/* A race that waits for a use. */
typedef struct ws_idle_held {
    ws_found found;
    uint32_t row, lanes;
} ws_idle_held;

/* The loads whose values a step uses, as bits: its operands, and its guard. */
typedef struct ws_idle_sinks {
    uint32_t values, guards;
} ws_idle_sinks;

typedef struct ws_idle {
    uint32_t
        *loads; /* of each step: its number among such loads, from 1, above the bits of ws_idle_load; 0: it is none */
    ws_idle_row *rows; /* [loads][warps] */
    ws_idle_held *held;
    ws_found_table *found;
    uint32_t num_loads, num_warps, num_held;
    ws_idle_sinks *sinks;                  /* of each step */
    uint32_t sunk[WS_IDLE_SUNK], num_sunk; /* steps of loads that are followed by their sinks */
} ws_idle;

/* A step loads what may go unused. */
static inline void ws_idle_add(ws_idle *idle, uint32_t step, bool is_whole, bool is_sunk) {
    idle->loads[step] = ++idle->num_loads << WS_IDLE_BITS | (is_whole ? (uint32_t)WS_IDLE_WHOLE : 0) |
                        (is_sunk ? (uint32_t)WS_IDLE_IS_SUNK : 0);
    if (is_sunk) idle->sunk[idle->num_sunk++] = step;
}

/* The row of a load in a warp. */
static inline uint32_t ws_idle_at(const ws_idle *idle, uint32_t step, uint32_t warp) {
    return ((idle->loads[step] >> WS_IDLE_BITS) - 1) * idle->num_warps + warp;
}

/* The lanes that have what these have: what a warp loads together it uses together. */
static inline uint32_t ws_idle_lanes(const ws_idle *idle, uint32_t step, uint32_t lanes) {
    return idle->loads[step] & WS_IDLE_WHOLE ? UINT32_MAX : lanes;
}

/* A cluster begins. */
static inline void ws_idle_start(ws_idle *idle) {
    uint32_t i;
    for (i = 0; i < idle->num_loads * idle->num_warps; i++) idle->rows[i].time = idle->rows[i].used = 0;
    idle->num_held = 0;
}

/* Lanes no longer have what they loaded, and have not used it. */
static inline void ws_idle_forgets(ws_idle *idle, uint32_t step, uint32_t warp, uint32_t lanes) {
    const uint32_t row = ws_idle_at(idle, step, warp);
    uint32_t i, kept = 0;
    for (i = 0; i < idle->num_held; i++) {
        if (idle->held[i].row == row) idle->held[i].lanes &= ~lanes;
        if (idle->held[i].lanes != 0) idle->held[kept++] = idle->held[i];
    }
    idle->num_held = kept;
}

/* Lanes load anew. */
static inline void ws_idle_loads(ws_idle *idle, uint32_t step, uint32_t warp, uint32_t lanes, uint32_t now) {
    ws_idle_row *row = &idle->rows[ws_idle_at(idle, step, warp)];
    row->time = now;
    row->used &= ~ws_idle_lanes(idle, step, lanes);
}

/* Lanes use what they loaded: the races that waited for that are found. */
static inline void ws_idle_uses(ws_idle *idle, uint32_t step, uint32_t warp, uint32_t lanes) {
    const uint32_t row = ws_idle_at(idle, step, warp);
    uint32_t i, kept = 0;
    lanes = ws_idle_lanes(idle, step, lanes);
    idle->rows[row].used |= lanes;
    for (i = 0; i < idle->num_held; i++) {
        if (idle->held[i].row == row && (idle->held[i].lanes & lanes)) ws_found_add(idle->found, &idle->held[i].found);
        else idle->held[kept++] = idle->held[i];
    }
    idle->num_held = kept;
}

/* The launch ends before its time: what would have used the values nobody knows. */
static inline void ws_idle_end(ws_idle *idle) {
    uint32_t i;
    for (i = 0; i < idle->num_held; i++) ws_found_add(idle->found, &idle->held[i].found);
    idle->num_held = 0;
}

/* Lanes come to a step, those of the mask with a guard that holds. */
static inline void ws_idle_sinks_in(ws_idle *idle, uint32_t step, uint32_t warp, uint32_t active, uint32_t mask) {
    const ws_idle_sinks sinks = idle->sinks[step];
    uint32_t left;
    for (left = sinks.guards | sinks.values; left != 0; left &= left - 1) {
        const uint32_t i = (uint32_t)ws_first_lane(left);
        const uint32_t lanes = (sinks.guards >> i & 1 ? active : 0) | (sinks.values >> i & 1 ? mask : 0);
        if (lanes != 0) ws_idle_uses(idle, idle->sunk[i], warp, lanes);
    }
}

/* Does a race with a read of that time wait until lanes use what they read? One that has no room is lost. */
static inline bool ws_idle_holds(ws_idle *idle, const ws_found *one, uint32_t step, uint32_t warp, uint32_t lanes,
                                 uint32_t time) {
    ws_found note = *one;
    uint32_t row, i;
    if (idle->num_loads == 0 || idle->loads[step] == 0) return false;
    row = ws_idle_at(idle, step, warp);
    lanes = ws_idle_lanes(idle, step, lanes);
    if (idle->rows[row].time != time || (idle->rows[row].used & lanes)) return false;
    for (i = 0; i < idle->num_held; i++) {
        ws_idle_held *held = &idle->held[i];
        if (held->row != row || !ws_found_is_same(&held->found, one)) continue;
        held->lanes |= lanes;
        return true;
    }
    if (idle->num_held == WS_IDLE_HELD) {
        idle->found->lost++;
        return true;
    }
    idle->held[i].found = *one;
    idle->held[i].row = row;
    idle->held[i].lanes = lanes;
    idle->num_held++;
    note.rule = WS_RUN_UNUSED_RACE;
    ws_found_add(idle->found, &note);
    return true;
}

#endif
