/* When threads last executed fences, and what a thread that writes to a place passes on of what other threads of its block
 * have done.
 *
 *     fence, write              the writer's own fence covers what it knew of then, and not what it came to know since
 *     fence.sc, barrier, write  a sequentially consistent fence (__threadfence) counts for whoever comes to know of it:
 *                               all threads fence, and after a barrier one of them counts */
#ifndef WARPSIM_CLOCK_FENCES_H
#define WARPSIM_CLOCK_FENCES_H

#include "clock.h"
#include "journal.h"

enum { WS_FENCE_SCOPES = 3 /* of ws_scope */, WS_FENCES_KEPT = 4 };
enum { WS_REACH_BLOCK = 0 /* fences of any scope */, WS_REACH_GPU = 1, WS_REACHES };

/* A thread's latest fence. */
typedef struct ws_fence {
    uint32_t floor, time; /* time 0: never in this cluster */
} ws_fence;

typedef struct ws_fences {
    ws_fence at[WS_FENCE_SCOPES]; /* that releases to threads of such a scope */
    uint32_t made, init;          /* when it last made an mbarrier object; the same before its fence.mbarrier_init */
    uint32_t consistent[WS_REACHES][WS_FENCES_KEPT]; /* its fences.sc that reach so far, the latest first; 0: none */
} ws_fences;

/* The lanes of a warp that have executed fence.sc, and those that executed the latest of them. */
typedef struct ws_warp_fence {
    uint32_t time, lanes, latest;
} ws_warp_fence;

/* What a thread knew of the warps of its block at its latest fence. */
typedef struct ws_fenced {
    uint32_t warps;
    ws_passed passed[WS_JOURNAL_WARPS][WS_JOURNAL_PARTS];
} ws_fenced;

/* A fence that releases, by a thread. */
static inline void ws_fences_set(ws_fences *fences, const ws_fence *now, uint32_t scope) {
    uint32_t i;
    for (i = 0; i <= scope; i++) fences->at[i] = *now;
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

/* Lanes of a warp had done something until a time. Of more than two times, what the lanes of the later ones had done counts
 * until the latest: rather too much than too little. */
static inline void ws_fences_pass(uint32_t *warps, ws_passed passed[][WS_JOURNAL_PARTS], uint32_t warp, uint32_t lanes,
                                  uint32_t until) {
    const uint32_t bit = UINT32_C(1) << warp;
    ws_passed *parts = passed[warp], *part;
    uint32_t i;
    if (lanes == 0 || until == 0) return;
    for (i = 0; i < WS_JOURNAL_PARTS && !(*warps & bit); i++) parts[i].until = parts[i].lanes = 0;
    *warps |= bit;
    for (i = 0; i + 1 < WS_JOURNAL_PARTS && parts[i].lanes != 0 && parts[i].until != until;) i++;
    part = &parts[i];
    if (part->lanes != 0 && part->until != until && parts[0].until > part->until) part = &parts[0];
    part->lanes |= lanes;
    if (part->until < until) part->until = until;
}

/* What a thread knows now of the warps of its block: named barriers and the like. */
static inline void ws_fences_known(const ws_clock *clock, uint32_t thread, uint32_t *passes,
                                   ws_passed passed[][WS_JOURNAL_PARTS]) {
    const uint32_t rank = ws_clock_rank(clock, thread), *known = ws_clock_known(clock, thread) + rank * clock->each;
    uint32_t warps, lane;
    if (!clock->is_fine || !ws_clock_is_filled(clock, thread)) return;
    for (warps = ws_clock_part_of(clock, thread, rank)->warps; warps != 0; warps &= warps - 1) {
        const uint32_t warp = (uint32_t)ws_first_lane(warps);
        for (lane = 0; lane < WS_LANES; lane++)
            ws_fences_pass(passes, passed, warp, UINT32_C(1) << lane, known[warp * WS_LANES + lane]);
    }
}

/* A fence.sc by a thread. One before it that nobody can know of without knowing this one makes room for it. */
static inline void ws_fences_consistent(uint32_t at[WS_FENCES_KEPT], const ws_clock *clock) {
    uint32_t i;
    const bool is_alone = at[0] != 0 && clock->floor <= at[0] && clock->released < at[0];
    for (i = WS_FENCES_KEPT - 1; i > 0 && !is_alone; i--) at[i] = at[i - 1];
    at[0] = clock->now;
}

/* The latest fence.sc of another thread that the thread knows of; 0: none. */
static inline uint32_t ws_fences_seen(const ws_clock *clock, uint32_t thread, uint32_t other,
                                      const uint32_t at[WS_FENCES_KEPT]) {
    uint32_t i;
    for (i = 0; i < WS_FENCES_KEPT && at[i] != 0; i++) {
        if (ws_clock_orders(clock, thread, other, at[i])) return at[i];
    }
    return 0;
}

/* All that the thread of an entry passes on. `fenced`: what it knew at its fence, or NULL: it releases by itself. `warps` and
 * `fences`: of its block. Is there anything to pass on? */
static inline bool ws_fences_fill(const ws_clock *clock, const ws_fenced *fenced, const ws_warp_fence *warps,
                                  const ws_fences *fences, int reach, ws_release *entry) {
    uint32_t warp, left, k;
    if (fenced == NULL) ws_fences_known(clock, entry->thread, &entry->warps, entry->passed);
    for (warp = 0; warp < clock->each / WS_LANES; warp++) {
        const ws_warp_fence *one = &warps[warp];
        const uint32_t first = entry->first + warp * WS_LANES;
        for (k = 0; fenced != NULL && entry->time != 0 && (fenced->warps >> warp & 1) && k < WS_JOURNAL_PARTS; k++) {
            const ws_passed *part = &fenced->passed[warp][k];
            ws_fences_pass(&entry->warps, entry->passed, warp, part->lanes, part->until);
        }
        if (one->lanes == one->latest && one->time < clock->floor) {
            ws_fences_pass(&entry->warps, entry->passed, warp, one->lanes, one->time);
            continue;
        }
        for (left = one->lanes; left != 0; left &= left - 1) {
            const uint32_t lane = (uint32_t)ws_first_lane(left);
            ws_fences_pass(
                &entry->warps, entry->passed, warp, UINT32_C(1) << lane,
                ws_fences_seen(clock, entry->thread, first + lane, fences[warp * WS_LANES + lane].consistent[reach]));
        }
    }
    return entry->time != 0 || entry->warps != 0;
}

/* Does an entry pass on anything that was done since a time? */
static inline bool ws_fences_is_new(const ws_release *entry, uint32_t floor) {
    uint32_t warps, k;
    for (warps = entry->warps; warps != 0; warps &= warps - 1) {
        for (k = 0; k < WS_JOURNAL_PARTS; k++) {
            if (entry->passed[ws_first_lane(warps)][k].until >= floor) return true;
        }
    }
    return false;
}

/* A row knows what an entry passes on. */
static inline void ws_fences_give(ws_clock *clock, uint32_t row, const ws_release *entry) {
    uint32_t warps, left, k, *own;
    for (warps = entry->warps; warps != 0; warps &= warps - 1) {
        const uint32_t warp = (uint32_t)ws_first_lane(warps);
        uint32_t *known = ws_clock_open(clock, row, entry->first / WS_LANES + warp);
        for (k = 0; k < WS_JOURNAL_PARTS; k++) {
            const ws_passed *part = &entry->passed[warp][k];
            for (left = part->lanes; left != 0; left &= left - 1) {
                uint32_t *one = &known[ws_first_lane(left)];
                if (*one < part->until) *one = part->until;
            }
        }
    }
    own = &ws_clock_open(clock, row, entry->thread / WS_LANES)[entry->thread % WS_LANES];
    if (*own < entry->time) *own = entry->time;
    clock->is_fine = true;
    clock->released = clock->now;
}

#endif
