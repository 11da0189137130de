/* What orders clusters, most of which are one block: who has released what to others, and who has acquired it (atomics
 * and fences whose scope is the GPU).
 *
 * Blocks run one after the other, or side by side on threads of the caller, and are never taken to be ordered by that. An
 * entry says: this thread of this block has released all that came before `time` in it to the place, and what its block
 * had acquired. A thread that has acquired the place since then knows all that, and so do its warp and whoever is ordered
 * after it; once a second thread of the block has acquired it, all of the block do.
 *
 *     entries    chains of those of one place, and of those of one block
 *     learned    chains of what each block has acquired: so that a third block knows what the second one passes on */
#ifndef WARPSIM_CLOCK_JOURNAL_H
#define WARPSIM_CLOCK_JOURNAL_H

#include "../run/output.h"
#include "clock.h"
#include "flags.h"

enum { WS_JOURNAL_CAPACITY = WS_FLAGS_CAPACITY, WS_JOURNAL_CHAINS = 1 << 12, WS_JOURNAL_LOOK_BACK = 64 };

typedef struct ws_learned {
    uint32_t entry, before; /* before: what the same block had acquired earlier; both from 1 */
} ws_learned;

/* One for a launch. */
typedef struct ws_journal {
    ws_release entries[WS_JOURNAL_CAPACITY];
    ws_learned learned[WS_JOURNAL_CAPACITY];
    uint32_t chains[2][WS_JOURNAL_CHAINS]; /* of places, of blocks: the latest entry, from 1 */
    uint32_t count, num_learned;
    bool is_full; /* there was no room: from then on blocks count as ordered */
    uint8_t lock;
    ws_flags flags;
} ws_journal;

#define WS_JOURNAL_SEVERAL UINT16_MAX

/* What a block has acquired: by which thread, from 1 (0: none), or by several, each entry and each of learned. */
typedef struct ws_journal_reader {
    uint16_t known[WS_JOURNAL_CAPACITY], followed[WS_JOURNAL_CAPACITY];
    uint32_t when[WS_JOURNAL_CAPACITY]; /* that thread came to know the entry */
    uint16_t open[WS_JOURNAL_CAPACITY]; /* of learned: to be followed */
    uint32_t learned;                   /* the latest, from 1 */
    uint32_t used;                      /* of known, and of followed: those behind are 0 */
    uint32_t version;                   /* grows whenever either changes */
} ws_journal_reader;

/* A thread that acquires. */
typedef struct ws_acquirer {
    uint32_t thread, time;
} ws_acquirer;

/* Nothing is released yet. Entries that no chain leads to are never read: they may hold anything. */
static inline void ws_journal_begin(ws_journal *journal) {
    uint32_t i;
    for (i = 0; i < WS_JOURNAL_CHAINS; i++) journal->chains[0][i] = journal->chains[1][i] = 0;
    journal->count = journal->num_learned = 0;
    journal->is_full = false;
    journal->lock = 0;
    ws_flags_begin(&journal->flags);
}

static inline uint32_t ws_journal_chain(uint64_t key) {
    return (uint32_t)(key * UINT64_C(0x9E3779B97F4A7C15) >> 40) % WS_JOURNAL_CHAINS;
}

static inline void ws_journal_start(ws_journal_reader *reader) {
    uint32_t i;
    for (i = 0; i < reader->used; i++) reader->known[i] = reader->followed[i] = 0;
    reader->learned = reader->used = 0;
    reader->version++;
}

/* Is nothing new in it that a thread acquires this? */
static inline bool ws_journal_has_it(const uint16_t *known, uint32_t thread) {
    return *known == WS_JOURNAL_SEVERAL || *known == thread + 1;
}

/* A thread acquires it. */
static inline bool ws_journal_mark(ws_journal_reader *reader, uint16_t *known, uint32_t at, uint32_t thread) {
    if (ws_journal_has_it(&known[at], thread)) return false;
    known[at] = known[at] == 0 ? (uint16_t)(thread + 1) : WS_JOURNAL_SEVERAL;
    if (reader->used <= at) reader->used = at + 1;
    reader->version++;
    return true;
}

/* Does the block's chain have the same already? (A place that is polled by atomics is released again and again.) */
static inline bool ws_journal_has(const ws_journal *journal, const ws_release *one) {
    uint32_t at = journal->chains[1][ws_journal_chain(one->block)], tried;
    for (tried = 0; at != 0 && tried < WS_JOURNAL_LOOK_BACK; tried++) {
        const ws_release *entry = &journal->entries[at - 1];
        if (entry->place == one->place && entry->block == one->block && entry->thread == one->thread)
            return ws_journal_is_same(entry, one);
        at = entry->next[1];
    }
    return false;
}

static inline void ws_journal_release(ws_journal *journal, const ws_release *one) {
    ws_lock(&journal->lock);
    if (ws_journal_has(journal, one)) {
    } else if (journal->count == WS_JOURNAL_CAPACITY) {
        journal->is_full = true;
    } else {
        ws_release *entry = &journal->entries[journal->count++];
        uint32_t *const chains[2] = {&journal->chains[0][ws_journal_chain(one->place)],
                                     &journal->chains[1][ws_journal_chain(one->block)]};
        *entry = *one;
        entry->next[0] = *chains[0];
        entry->next[1] = *chains[1];
        *chains[0] = *chains[1] = journal->count;
    }
    ws_unlock(&journal->lock);
}

/* The latest release to a place, from 1; 0: none. */
static inline uint32_t ws_journal_latest(ws_journal *journal, uint64_t place) {
    uint32_t at;
    ws_lock(&journal->lock);
    for (at = journal->chains[0][ws_journal_chain(place)]; at != 0 && journal->entries[at - 1].place != place;)
        at = journal->entries[at - 1].next[0];
    ws_unlock(&journal->lock);
    return at;
}

/* A release and those before it to its place are known; what their blocks had acquired is to be followed. */
static inline uint32_t ws_journal_know(const ws_journal *journal, ws_journal_reader *reader, uint32_t at, uint32_t open,
                                       const ws_acquirer *by) {
    const uint64_t place = journal->entries[at - 1].place;
    for (; at != 0; at = journal->entries[at - 1].next[0]) {
        const ws_release *entry = &journal->entries[at - 1];
        if (entry->place != place) continue;
        if (!ws_journal_mark(reader, reader->known, at - 1, by->thread)) break;
        reader->when[at - 1] = by->time;
        if (entry->learned != 0 && ws_journal_mark(reader, reader->followed, entry->learned - 1, by->thread))
            reader->open[open++] = (uint16_t)(entry->learned - 1);
    }
    return open;
}

/* A thread acquires a release and those before it to its place: what its block releases from now on passes that on. */
static inline void ws_journal_acquire(ws_journal *journal, ws_journal_reader *reader, uint32_t at,
                                      const ws_acquirer *by) {
    uint32_t open;
    if (at == 0 || ws_journal_has_it(&reader->known[at - 1], by->thread)) return;
    ws_lock(&journal->lock);
    if (reader->known[at - 1] != 0) {
        /* its block has passed it on since another thread acquired it */
    } else if (journal->num_learned == WS_JOURNAL_CAPACITY) {
        journal->is_full = true;
    } else {
        const ws_learned learned = {at, reader->learned};
        journal->learned[journal->num_learned++] = learned;
        reader->learned = journal->num_learned;
    }
    open = ws_journal_know(journal, reader, at, 0, by);
    while (open > 0) {
        const ws_learned learned = journal->learned[reader->open[--open]];
        if (learned.before != 0 && ws_journal_mark(reader, reader->followed, learned.before - 1, by->thread))
            reader->open[open++] = (uint16_t)(learned.before - 1);
        open = ws_journal_know(journal, reader, learned.entry, open, by);
    }
    ws_unlock(&journal->lock);
}

/* Does a thread of the block know an entry? */
static inline bool ws_journal_knows(const ws_journal_reader *reader, const ws_clock *clock, uint32_t thread,
                                    uint32_t at) {
    const uint32_t by = reader->known[at];
    return by == WS_JOURNAL_SEVERAL || (by != 0 && ((by - 1) / WS_LANES == thread / WS_LANES ||
                                                    ws_clock_orders(clock, thread, by - 1, reader->when[at])));
}

/* Did `thread` of another block release what it had done at `time`, and does `visitor` of this block know that? */
typedef struct ws_question {
    uint32_t visitor, block, time, thread;
} ws_question;

/* By an entry of the block's chain from `at` on; the journal is locked. */
static inline bool ws_journal_orders(const ws_journal *journal, const ws_journal_reader *reader, const ws_clock *clock,
                                     uint32_t at, const ws_question *asked) {
    for (; at != 0; at = journal->entries[at - 1].next[1]) {
        const ws_release *entry = &journal->entries[at - 1];
        if (entry->block == asked->block && ws_journal_covers(entry, asked->time, asked->thread) &&
            ws_journal_knows(reader, clock, asked->visitor, at - 1))
            return true;
    }
    return false;
}

#endif
