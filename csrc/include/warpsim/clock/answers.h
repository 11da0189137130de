/* What the journal answers, remembered by who asks: each lane of an access asks about a lane of the same other warp, and the
 * chains are long. An answer grows as far as somebody has had to look. */
#ifndef WARPSIM_CLOCK_ANSWERS_H
#define WARPSIM_CLOCK_ANSWERS_H

#include "journal.h"

enum { WS_GIVEN_KEPT = 128 };

/* What a block's releases to a place, up to one of them, give of a warp: entries never change, so neither does this. */
typedef struct ws_given {
    uint32_t from, block, warp; /* from: that release, from 1; 0: none */
    uint32_t next;              /* the first entry that has not been looked at, from 1 */
    ws_until until;
} ws_given;

/* Of who judges a cluster. */
typedef struct ws_answers {
    ws_given given[WS_GIVEN_KEPT];
} ws_answers;

/* A cluster begins. */
static inline void ws_answers_start(ws_answers *answers) {
    uint32_t i;
    for (i = 0; i < WS_GIVEN_KEPT; i++) answers->given[i].from = 0;
}

/* Is that among the releases of a place up to this one? Each lane that races asks this of each strong read. */
static inline bool ws_answers_gives(ws_journal *journal, ws_answers *answers, uint32_t at, uint32_t block,
                                    uint32_t time, uint32_t thread) {
    const uint32_t warp = thread / WS_LANES;
    ws_given *row = &answers->given[(at + warp) % WS_GIVEN_KEPT];
    if (at == 0) return false;
    if (row->from != at || row->block != block || row->warp != warp) {
        row->from = row->next = at;
        row->block = block;
        row->warp = warp;
        row->until = ws_until_none();
    }
    if (ws_until_covers(&row->until, time, thread)) return true;
    if (row->next == 0) return false;
    ws_lock(&journal->lock);
    while (row->next != 0 && !ws_until_covers(&row->until, time, thread)) {
        const ws_release *entry = &journal->entries[row->next - 1];
        if (entry->place == journal->entries[at - 1].place && entry->block == block)
            ws_until_add(&row->until, entry, warp);
        row->next = entry->next[0];
    }
    ws_unlock(&journal->lock);
    return ws_until_covers(&row->until, time, thread);
}

#endif
