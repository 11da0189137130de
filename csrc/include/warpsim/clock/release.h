/* What a thread releases to other blocks: what it had done itself, and what it knew of others. */
#ifndef WARPSIM_CLOCK_RELEASE_H
#define WARPSIM_CLOCK_RELEASE_H

#include <stdbool.h>
#include <stdint.h>

enum { WS_JOURNAL_WARPS = 32, WS_JOURNAL_PARTS = 2 /* of a warp, whose lanes may have fenced at different times */ };

/* What lanes of a warp had done. */
typedef struct ws_passed {
    uint32_t until, lanes; /* lanes 0: nothing */
} ws_passed;

typedef struct ws_release {
    uint64_t place;
    uint32_t block;        /* its ordinal */
    uint32_t floor;        /* of the block then: what all its threads had done before */
    uint32_t time, thread; /* thread: of the cluster */
    uint32_t own_floor;    /* likewise, of the thread's own block, */
    uint32_t first, each;  /* whose threads these are */
    uint32_t warps;        /* of its block: those of which it passes on more: */
    ws_passed passed[WS_JOURNAL_WARPS][WS_JOURNAL_PARTS];
    uint32_t learned; /* the latest that its block had acquired, from 1; 0: nothing */
    uint32_t next[2]; /* entry before it in the chain of its place, of its block; from 1 */
} ws_release;

/* Do two entries of a thread and a place say the same? */
static inline bool ws_journal_is_same(const ws_release *a, const ws_release *b) {
    uint32_t i, k;
    for (i = 0; i < WS_JOURNAL_WARPS; i++) {
        for (k = 0; (a->warps >> i & 1) && k < WS_JOURNAL_PARTS; k++) {
            const ws_passed *one = &a->passed[i][k], *other = &b->passed[i][k];
            if (one->until != other->until || one->lanes != other->lanes) return false;
        }
    }
    return a->warps == b->warps && a->time == b->time && a->floor == b->floor && a->own_floor == b->own_floor &&
           a->learned == b->learned;
}

/* Does it order what a thread of its block did at a time? */
static inline bool ws_journal_covers(const ws_release *entry, uint32_t time, uint32_t thread) {
    const uint32_t at = thread - entry->first, warp = at / 32;
    uint32_t k;
    if (time < entry->floor || (time <= entry->time && thread == entry->thread)) return true;
    if (at >= entry->each) return false;
    for (k = 0; (entry->warps >> warp & 1) && k < WS_JOURNAL_PARTS; k++) {
        const ws_passed *one = &entry->passed[warp][k];
        if ((one->lanes >> at % 32 & 1) && time <= one->until) return true;
    }
    return time < entry->own_floor;
}

/* What the lanes of a warp had done before these times, entries order. */
typedef struct ws_until {
    uint32_t all, lanes[32];
} ws_until;

static inline ws_until ws_until_none(void) {
    ws_until none;
    uint32_t i;
    none.all = 0;
    for (i = 0; i < 32; i++) none.lanes[i] = 0;
    return none;
}

static inline void ws_until_raise(uint32_t *until, uint32_t time) {
    if (*until < time) *until = time;
}

/* One more entry, of the block of the warp; ws_journal_covers, for all lanes and times. */
static inline void ws_until_add(ws_until *until, const ws_release *entry, uint32_t warp) {
    const uint32_t at = warp * 32 - entry->first;
    uint32_t k, i;
    ws_until_raise(&until->all, entry->floor);
    if (entry->thread / 32 == warp) ws_until_raise(&until->lanes[entry->thread % 32], entry->time + 1);
    if (at >= entry->each) return;
    ws_until_raise(&until->all, entry->own_floor);
    for (k = 0; (entry->warps >> at / 32 & 1) && k < WS_JOURNAL_PARTS; k++) {
        const ws_passed *one = &entry->passed[at / 32][k];
        for (i = 0; i < 32; i++) {
            if (one->lanes >> i & 1) ws_until_raise(&until->lanes[i], one->until + 1);
        }
    }
}

static inline bool ws_until_covers(const ws_until *until, uint32_t time, uint32_t thread) {
    return time < until->all || time < until->lanes[thread % 32];
}

#endif
