/* What orders clusters, most of which are one block: who has released what to others, and who has acquired it (atomics
 * after fences).
 *
 * Blocks run one after the other, or side by side on threads of the caller, and are never taken to be ordered by that. An
 * entry says: this thread of this block has released all that came before `time` in it to the place. A block that has
 * read the place since then knows that, and what its own threads know of each other is not told apart. */
#ifndef WARPSIM_CLOCK_JOURNAL_H
#define WARPSIM_CLOCK_JOURNAL_H

#include "../run/output.h"

enum { WS_JOURNAL_CAPACITY = 1 << 14, WS_JOURNAL_PLACES = 32 };

typedef struct ws_release {
    uint64_t place;
    uint32_t block;        /* its ordinal */
    uint32_t floor;        /* of the block then: what all its threads had done before */
    uint32_t time, thread; /* thread: of the cluster */
    uint32_t own_floor;    /* likewise, of the thread's own block, */
    uint32_t first, each;  /* whose threads these are */
} ws_release;

/* One for a launch. */
typedef struct ws_journal {
    ws_release entries[WS_JOURNAL_CAPACITY];
    uint32_t count; /* once it is full, blocks count as ordered */
    uint8_t lock;
} ws_journal;

/* What a block has acquired: of each place, the entries up to a number. */
typedef struct ws_journal_reader {
    uint64_t place[WS_JOURNAL_PLACES];
    uint32_t until[WS_JOURNAL_PLACES];
    uint32_t count;
    bool knows_all; /* more places than it can tell apart */
} ws_journal_reader;

static inline void ws_journal_release(ws_journal *journal, const ws_release *entry) {
    ws_lock(&journal->lock);
    if (journal->count < WS_JOURNAL_CAPACITY) journal->entries[journal->count++] = *entry;
    ws_unlock(&journal->lock);
}

static inline void ws_journal_acquire(ws_journal *journal, ws_journal_reader *reader, uint64_t place) {
    uint32_t i;
    if (journal->count == 0) return;
    for (i = 0; i < reader->count && reader->place[i] != place; i++) {
    }
    if (i == WS_JOURNAL_PLACES) {
        reader->knows_all = true;
        return;
    }
    reader->place[i] = place;
    reader->until[i] = journal->count;
    if (i == reader->count) reader->count++;
}

/* Did a thread of another block release what it had done at `time`, and has this block acquired that? */
static inline bool ws_journal_orders(const ws_journal *journal, const ws_journal_reader *reader, uint32_t block,
                                     uint32_t time, uint32_t thread) {
    uint32_t i, k;
    if (reader->knows_all || journal->count == WS_JOURNAL_CAPACITY) return true;
    for (k = 0; k < reader->count; k++) {
        for (i = 0; i < reader->until[k]; i++) {
            const ws_release *entry = &journal->entries[i];
            if (entry->place != reader->place[k] || entry->block != block) continue;
            if (time < entry->floor || (time <= entry->time && thread == entry->thread)) return true;
            if (time < entry->own_floor && thread - entry->first < entry->each) return true;
        }
    }
    return false;
}

#endif
