/* What orders clusters, most of which are one block: who has released what to others, and who has acquired it (atomics
 * and fences whose scope is the GPU).
 *
 * Blocks run one after the other, or side by side on threads of the caller, and are never taken to be ordered by that. An
 * entry says: this thread of this block has released all that came before `time` in it to the place, and what its block
 * had acquired. A block that has acquired the place since then knows all that; what its own threads know of each other is
 * not told apart.
 *
 *     entries    chains of those of one place, and of those of one block
 *     learned    chains of what each block has acquired: so that a third block knows what the second one passes on */
#ifndef WARPSIM_CLOCK_JOURNAL_H
#define WARPSIM_CLOCK_JOURNAL_H

#include "../run/output.h"
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

/* What a block has acquired. */
typedef struct ws_journal_reader {
    uint32_t known[WS_JOURNAL_CAPACITY / 32], followed[WS_JOURNAL_CAPACITY / 32]; /* bits of entries, of learned */
    uint16_t open[WS_JOURNAL_CAPACITY];                                           /* of learned: to be followed */
    uint32_t learned;                                                             /* the latest, from 1 */
    bool is_used;
} ws_journal_reader;

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
    for (i = 0; reader->is_used && i < WS_JOURNAL_CAPACITY / 32; i++) reader->known[i] = reader->followed[i] = 0;
    reader->learned = 0;
    reader->is_used = false;
}

/* Sets a bit; was it set? */
static inline bool ws_journal_mark(uint32_t *bits, uint32_t at) {
    const uint32_t bit = UINT32_C(1) << at % 32;
    const bool was = (bits[at / 32] & bit) != 0;
    bits[at / 32] |= bit;
    return was;
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
static inline uint32_t ws_journal_know(const ws_journal *journal, ws_journal_reader *reader, uint32_t at,
                                       uint32_t open) {
    const uint64_t place = journal->entries[at - 1].place;
    for (; at != 0; at = journal->entries[at - 1].next[0]) {
        const ws_release *entry = &journal->entries[at - 1];
        if (entry->place != place) continue;
        if (ws_journal_mark(reader->known, at - 1)) break;
        if (entry->learned != 0 && !ws_journal_mark(reader->followed, entry->learned - 1))
            reader->open[open++] = (uint16_t)(entry->learned - 1);
    }
    return open;
}

/* The block acquires a release and those before it to its place: what it releases from now on passes that on. */
static inline void ws_journal_acquire(ws_journal *journal, ws_journal_reader *reader, uint32_t at) {
    uint32_t open;
    if (at == 0 || (reader->known[(at - 1) / 32] >> (at - 1) % 32 & 1)) return;
    ws_lock(&journal->lock);
    reader->is_used = true;
    if (journal->num_learned == WS_JOURNAL_CAPACITY) {
        journal->is_full = true;
    } else {
        const ws_learned learned = {at, reader->learned};
        journal->learned[journal->num_learned++] = learned;
        reader->learned = journal->num_learned;
    }
    open = ws_journal_know(journal, reader, at, 0);
    while (open > 0) {
        const ws_learned learned = journal->learned[reader->open[--open]];
        if (learned.before != 0 && !ws_journal_mark(reader->followed, learned.before - 1))
            reader->open[open++] = (uint16_t)(learned.before - 1);
        open = ws_journal_know(journal, reader, learned.entry, open);
    }
    ws_unlock(&journal->lock);
}

/* Is that among the releases of a place up to this one? */
static inline bool ws_journal_gives(ws_journal *journal, uint32_t at, uint32_t block, uint32_t time, uint32_t thread) {
    const uint64_t place = at != 0 ? journal->entries[at - 1].place : 0;
    bool gives = false;
    ws_lock(&journal->lock);
    for (; at != 0 && !gives; at = journal->entries[at - 1].next[0]) {
        const ws_release *entry = &journal->entries[at - 1];
        gives = entry->place == place && entry->block == block && ws_journal_covers(entry, time, thread);
    }
    ws_unlock(&journal->lock);
    return gives;
}

/* Did a thread of another block release what it had done at `time`, and has this block acquired that? */
static inline bool ws_journal_orders(ws_journal *journal, const ws_journal_reader *reader, uint32_t block,
                                     uint32_t time, uint32_t thread) {
    bool is_known = journal->is_full;
    uint32_t at;
    if (is_known || !reader->is_used) return is_known;
    ws_lock(&journal->lock);
    for (at = journal->chains[1][ws_journal_chain(block)]; at != 0 && !is_known;) {
        const ws_release *entry = &journal->entries[at - 1];
        if (entry->block == block && (reader->known[(at - 1) / 32] >> (at - 1) % 32 & 1))
            is_known = ws_journal_covers(entry, time, thread);
        at = entry->next[1];
    }
    ws_unlock(&journal->lock);
    return is_known;
}

#endif
