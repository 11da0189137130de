/* When threads last executed fences, and what a thread that writes to a place passes on of what other threads of its block
 * have done.
 *
 *     fence, write              the writer's own fence covers what it knew of then
 *     fence.sc, barrier, write  a sequentially consistent fence (__threadfence) counts for whoever comes to know of it:
 *                               all threads fence, and after a barrier one of them counts */
#ifndef WARPSIM_CLOCK_FENCES_H
#define WARPSIM_CLOCK_FENCES_H

#include "clock.h"
#include "journal.h"

enum { WS_FENCE_SCOPES = 3 /* of ws_scope */ };

/* A thread's latest fence. */
typedef struct ws_fence {
    uint32_t floor, time; /* time 0: never in this cluster */
} ws_fence;

typedef struct ws_fences {
    ws_fence at[WS_FENCE_SCOPES]; /* that releases to threads of such a scope */
    uint32_t made, init;          /* when it last made an mbarrier object; the same before its fence.mbarrier_init */
} ws_fences;

/* The latest fence.sc of a warp whose scope is the GPU; lanes: all that have executed any. */
typedef struct ws_warp_fence {
    uint32_t time, lanes, before; /* before: the same when the latest barrier of the block ended */
} ws_warp_fence;

/* A fence that releases, by a thread. */
static inline void ws_fences_set(ws_fences *fences, const ws_clock *clock, uint32_t scope) {
    uint32_t i;
    for (i = 0; i <= scope; i++) {
        fences->at[i].floor = clock->floor;
        fences->at[i].time = clock->now;
    }
}

/* What a thread releases by its fence, or by itself; to where, others say. */
static inline ws_release ws_fences_release(const ws_clock *clock, const ws_fence *given, uint32_t thread,
                                           bool by_itself) {
    ws_release entry;
    entry.floor = given->floor;
    entry.time = given->time;
    entry.thread = thread;
    entry.each = clock->each;
    entry.first = thread / clock->each * clock->each;
    entry.own_floor = clock->ranks == 1 ? entry.floor : clock->floors[thread / clock->each];
    if (!by_itself && given->time < entry.own_floor) entry.own_floor = entry.floor;
    entry.warps = entry.next[0] = entry.next[1] = 0;
    return entry;
}

/* A thread passes on of a warp what its lanes had done until a time. */
static inline void ws_fences_pass(ws_release *entry, uint32_t warp, uint32_t lanes, uint32_t until) {
    const uint32_t bit = UINT32_C(1) << warp;
    if (lanes == 0 || until == 0) return;
    if (!(entry->warps & bit)) entry->until[warp] = entry->lanes[warp] = 0;
    entry->warps |= bit;
    entry->lanes[warp] |= lanes;
    if (entry->until[warp] < until) entry->until[warp] = until;
}

/* What the thread of an entry knows of a warp of its block: named barriers and the like, before its own fence. */
static inline void ws_fences_known(const ws_clock *clock, ws_release *entry, uint32_t warp) {
    const uint32_t first = entry->first + warp * WS_LANES, rank = ws_clock_rank(clock, entry->thread);
    const uint32_t *known = ws_clock_known(clock, entry->thread) + first;
    uint32_t lane, lanes = 0, until = 0;
    if (!ws_clock_is_filled(clock, entry->thread)) return;
    if (!(ws_clock_part_of(clock, entry->thread, rank)->warps >> warp & 1)) return;
    for (lane = 0; lane < WS_LANES; lane++) {
        lanes |= (uint32_t)(known[lane] != 0) << lane;
        if (known[lane] > until) until = known[lane];
    }
    ws_fences_pass(entry, warp, lanes, until < entry->time ? until : entry->time);
}

/* All that of all warps of the block; `fences`: of those. Is there anything to pass on? */
static inline bool ws_fences_fill(const ws_clock *clock, const ws_warp_fence *fences, ws_release *entry) {
    uint32_t warp;
    for (warp = 0; warp < clock->each / WS_LANES; warp++) {
        const ws_warp_fence *one = &fences[warp];
        if (clock->is_fine && entry->time != 0) ws_fences_known(clock, entry, warp);
        if (one->lanes == 0) continue;
        if (ws_clock_orders(clock, entry->thread, entry->first + warp * WS_LANES + (uint32_t)ws_first_lane(one->lanes),
                            one->time))
            ws_fences_pass(entry, warp, one->lanes, one->time);
        else ws_fences_pass(entry, warp, one->lanes, one->before);
    }
    return entry->time != 0 || entry->warps != 0;
}

#endif
