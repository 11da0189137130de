/* What the journal answers, remembered by who asks: each lane of an access asks about a lane of the same other warp, and the
 * chains are long. An answer grows as far as somebody has had to look. */
#ifndef WARPSIM_CLOCK_ANSWERS_H
#define WARPSIM_CLOCK_ANSWERS_H

#include "journal.h"

enum { WS_GIVEN_KEPT = 128, WS_HEARD_KEPT = 64 };

/* What a block's releases to a place, up to one of them, give of a warp: entries never change, so neither does this. */
typedef struct ws_given {
    uint32_t from, block, warp; /* from: that release, from 1; 0: none */
    uint32_t next;              /* the first entry that has not been looked at, from 1 */
    ws_until until;
} ws_given;

/* What a warp of this block knows that a warp of another one has released, while nothing more is acquired, and all threads
 * have not met. */
typedef struct ws_heard {
    uint32_t visitor, block, warp; /* visitor: the warp that knows */
    uint32_t version, floor;
    uint32_t next, first; /* entries, from 1: not looked at yet; that a thread of the visitor's block knows, or 0 */
    ws_until sure, some;  /* each lane of it knows; a thread of its block does, which may be ordered before it */
} ws_heard;

/* Of who judges a cluster. */
typedef struct ws_answers {
    ws_given given[WS_GIVEN_KEPT];
    ws_heard heard[WS_HEARD_KEPT];
} ws_answers;

/* A cluster begins. */
static inline void ws_answers_start(ws_answers *answers) {
    uint32_t i;
    for (i = 0; i < WS_GIVEN_KEPT; i++) answers->given[i].from = 0;
    for (i = 0; i < WS_HEARD_KEPT; i++) answers->heard[i].version = 0;
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

/* The answer to start from: one is kept, or none so far. */
static inline ws_heard *ws_answers_heard(const ws_journal *journal, const ws_journal_reader *reader,
                                         const ws_clock *clock, ws_answers *answers, const ws_question *asked) {
    const uint32_t visitor = asked->visitor / WS_LANES, warp = asked->thread / WS_LANES;
    ws_heard *row = &answers->heard[(visitor + warp * 2 + asked->block) % WS_HEARD_KEPT];
    const bool is_it = row->visitor == visitor && row->warp == warp && row->block == asked->block;
    if (is_it && row->version == reader->version && row->floor == clock->floor) return row;
    row->visitor = visitor;
    row->block = asked->block;
    row->warp = warp;
    row->version = reader->version;
    row->floor = clock->floor;
    row->next = journal->chains[1][ws_journal_chain(asked->block)];
    row->first = 0;
    row->sure = row->some = ws_until_none();
    return row;
}

/* The next entry of the chain. */
static inline void ws_answers_go(const ws_journal *journal, const ws_journal_reader *reader, ws_heard *row) {
    const uint32_t at = row->next - 1, by = reader->known[at];
    const ws_release *entry = &journal->entries[at];
    row->next = entry->next[1];
    if (by == 0 || entry->block != row->block) return;
    if (row->first == 0) row->first = at + 1;
    if (by == WS_JOURNAL_SEVERAL || (by - 1) / WS_LANES == row->visitor || reader->when[at] < row->floor)
        ws_until_add(&row->sure, entry, row->warp);
    else ws_until_add(&row->some, entry, row->warp);
}

static inline bool ws_answers_orders(ws_journal *journal, const ws_journal_reader *reader, const ws_clock *clock,
                                     ws_answers *answers, const ws_question *asked) {
    const uint32_t time = asked->time, thread = asked->thread;
    bool is_known = journal->is_full;
    ws_heard *row;
    if (is_known || reader->used == 0) return is_known;
    ws_lock(&journal->lock);
    row = ws_answers_heard(journal, reader, clock, answers, asked);
    while (row->next != 0 && !ws_until_covers(&row->sure, time, thread) && !ws_until_covers(&row->some, time, thread))
        ws_answers_go(journal, reader, row);
    is_known =
        ws_until_covers(&row->sure, time, thread) ||
        (ws_until_covers(&row->some, time, thread) && ws_journal_orders(journal, reader, clock, row->first, asked));
    ws_unlock(&journal->lock);
    return is_known;
}

#endif
