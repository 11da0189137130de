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

#endif
