/* Strong writes of global memory, whether a fence stands before them or not. Who reads such a flag, and then by a strong read
 * what was written before it, may read an old value, unless fences order the two:
 *
 *     st.volatile [data]      no fence      st.volatile [flag]
 *                                           ld.volatile [flag] -> 1      ld.volatile [data] -> old or new
 *
 * An entry says what a fence before the write would have released. What a read has seen is its write, and those before it
 * as far as they all are atomics, which read each other. */
#ifndef WARPSIM_CLOCK_FLAGS_H
#define WARPSIM_CLOCK_FLAGS_H

#include "../base/arena.h"
#include "../base/mask.h"
#include "../isa/isa.h"
#include "release.h"

enum { WS_FLAGS_CAPACITY = 1 << 14, WS_FLAGS_CHAINS = 1 << 12, WS_FLAGS_LOOK_BACK = 256, WS_SIGHTS_KEPT = 4 };
enum { WS_FLAGS_WALKED = 1 << 10, WS_SEEN_KEPT = 64 };

typedef struct ws_flag {
    ws_release given; /* next[0]: the entry before it in its chain, from 1 */
    uint32_t step;
    bool changes; /* an atomic that reads the write before it */
    bool is_read; /* by another thread */
} ws_flag;

/* Of a launch. */
typedef struct ws_flags {
    ws_flag entries[WS_FLAGS_CAPACITY];
    uint32_t chains[WS_FLAGS_CHAINS], count;
    bool is_full;   /* there was no room: from then on no read has seen anything, */
    bool is_missed; /* and somebody has read */
} ws_flags;

/* A thread's strong read of a place. */
typedef struct ws_sight {
    uint64_t address;
    uint32_t flag; /* entry, from 1; 0: none */
    uint32_t time, step, nbytes;
} ws_sight;

/* What all flags that a cluster has seen say at most of a warp, whoever has seen them: of accesses since then no flag says
 * anything. It holds while the cluster sees no other flags. */
typedef struct ws_seen {
    uint32_t version, block, warp; /* block, warp: of the accesses */
    uint32_t step;                 /* flags of this step are left out */
    bool is_own;                   /* what the flags' own writes are, not what came before them */
    ws_until until;
} ws_seen;

/* An entry that was looked at for a ws_seen, and how many more were to be from there on. */
typedef struct ws_walked {
    uint64_t walk;
    uint32_t at, left;
} ws_walked;

/* The latest few of each thread of a cluster. */
typedef struct ws_sights {
    ws_sight *rows;  /* [threads][WS_SIGHTS_KEPT] */
    uint32_t *lanes; /* of each warp: those that have any */
    ws_sight loads[WS_LANES];
    uint32_t warp;    /* that has just loaded, in the cluster */
    uint32_t fresh;   /* its lanes: the next step of any warp knows what they have seen */
    uint32_t version; /* grows whenever flags that were seen change */
    ws_seen seen[WS_SEEN_KEPT];
    ws_walked walked[WS_FLAGS_WALKED];
    uint64_t walk; /* the latest */
} ws_sights;

static inline void ws_flags_begin(ws_flags *flags) {
    uint32_t i;
    for (i = 0; i < WS_FLAGS_CHAINS; i++) flags->chains[i] = 0;
    flags->count = 0;
    flags->is_full = flags->is_missed = false;
}

static inline uint32_t *ws_flags_chain(ws_flags *flags, uint64_t place) {
    return &flags->chains[(uint32_t)(place * UINT64_C(0x9E3779B97F4A7C15) >> 40) % WS_FLAGS_CHAINS];
}

/* The latest write of a place, from 1; 0: none. */
static inline uint32_t ws_flags_latest(ws_flags *flags, uint64_t place) {
    uint32_t at = *ws_flags_chain(flags, place);
    while (at != 0 && flags->entries[at - 1].given.place != place) at = flags->entries[at - 1].given.next[0];
    return at;
}

static inline bool ws_flags_is_by(const ws_flag *flag, uint32_t block, uint32_t thread) {
    return flag->given.block == block && flag->given.thread == thread;
}

/* A write comes after all others. What its own thread has written there before, and nobody has read, is forgotten:
 * then the result is true. */
static inline bool ws_flags_add(ws_flags *flags, const ws_flag *flag) {
    uint32_t *chain = ws_flags_chain(flags, flag->given.place), at = ws_flags_latest(flags, flag->given.place);
    ws_flag *entry = &flags->entries[at != 0 ? at - 1 : 0];
    if (at != 0 && !entry->is_read && ws_flags_is_by(entry, flag->given.block, flag->given.thread)) {
        const uint32_t next = entry->given.next[0];
        const bool changes = entry->changes && flag->changes;
        *entry = *flag;
        entry->given.next[0] = next;
        entry->changes = changes;
        return true;
    } else if (flags->count < WS_FLAGS_CAPACITY) {
        entry = &flags->entries[flags->count++];
        *entry = *flag;
        entry->given.next[0] = *chain;
        *chain = flags->count;
    } else {
        flags->is_full = true;
    }
    return false;
}

/* What a thread sees that reads a place; 0: nothing. */
static inline uint32_t ws_flags_read(ws_flags *flags, uint64_t place, uint32_t block, uint32_t thread) {
    const uint32_t at = flags->is_full ? 0 : ws_flags_latest(flags, place);
    if (at != 0 && !ws_flags_is_by(&flags->entries[at - 1], block, thread)) flags->entries[at - 1].is_read = true;
    return at;
}

/* Of the writes that a read has seen, the first one after what a thread did at a time, or NULL. `is_own`: the write
 * itself that the thread made at this time (a fence before it would have come one earlier). */
static inline const ws_flag *ws_flags_after(const ws_flags *flags, uint32_t at, uint32_t block, uint32_t time,
                                            uint32_t thread, bool is_own) {
    const ws_flag *found = NULL, *flag = &flags->entries[at - 1];
    const uint64_t place = flag->given.place;
    uint32_t tried;
    for (tried = 0; tried < WS_FLAGS_LOOK_BACK; tried++) {
        const bool is_its = flag->given.place == place && flag->given.block == block;
        if (is_its && (is_own ? flag->given.thread == thread && time == flag->given.time + 1
                              : ws_journal_covers(&flag->given, time, thread)))
            found = flag;
        if ((flag->given.place == place && !flag->changes) || flag->given.next[0] == 0) break;
        flag = &flags->entries[flag->given.next[0] - 1];
    }
    return found;
}

static inline void ws_sights_make(ws_sights *sights, uint32_t threads, ws_arena *arena) {
    uint32_t i;
    sights->rows = (ws_sight *)ws_arena_take(arena, (size_t)threads * WS_SIGHTS_KEPT, sizeof(ws_sight));
    sights->lanes = (uint32_t *)ws_arena_take(arena, threads / WS_LANES, sizeof(uint32_t));
    sights->warp = sights->fresh = sights->version = 0;
    sights->walk = 0;
    for (i = 0; i < WS_FLAGS_WALKED; i++) sights->walked[i].walk = 0;
}

/* A cluster begins. */
static inline void ws_sights_start(ws_sights *sights, uint32_t threads) {
    uint32_t warp, i;
    sights->fresh = 0;
    sights->version++;
    for (i = 0; i < WS_SEEN_KEPT; i++) sights->seen[i].version = 0;
    for (warp = 0; warp < threads / WS_LANES; warp++) {
        ws_sight *rows = &sights->rows[(size_t)warp * WS_LANES * WS_SIGHTS_KEPT];
        for (i = 0; sights->lanes[warp] != 0 && i < (uint32_t)WS_LANES * WS_SIGHTS_KEPT; i++) rows[i].flag = 0;
        sights->lanes[warp] = 0;
    }
}

/* Raises what the flags say that are seen by a read of the first one, as ws_flags_after finds them. */
static inline void ws_sights_walk(ws_sights *sights, const ws_flags *flags, uint32_t at, ws_seen *seen) {
    const uint64_t place = flags->entries[at - 1].given.place;
    uint32_t left;
    for (left = WS_FLAGS_LOOK_BACK; left != 0 && at != 0; left--) {
        const ws_flag *flag = &flags->entries[at - 1];
        const ws_walked walked = {sights->walk, at, left};
        ws_walked *row = &sights->walked[at % WS_FLAGS_WALKED];
        at = flag->given.next[0];
        if (flag->given.place != place) continue;
        if (row->walk == walked.walk && row->at == walked.at && row->left >= left) return;
        *row = walked;
        if (flag->given.block != seen->block) {
        } else if (!seen->is_own) {
            if (flag->step != seen->step) ws_until_add(&seen->until, &flag->given, seen->warp);
        } else if (flag->given.thread / WS_LANES == seen->warp) {
            ws_until_raise(&seen->until.lanes[flag->given.thread % WS_LANES], flag->given.time + 2);
        }
        if (!flag->changes) return;
    }
}

/* In place of an earlier one of the same place, else of the oldest. */
static inline void ws_sights_add(ws_sights *sights, uint32_t thread, const ws_sight *sight) {
    ws_sight *rows = &sights->rows[(size_t)thread * WS_SIGHTS_KEPT], *row = rows;
    uint32_t i;
    for (i = 0; i < WS_SIGHTS_KEPT; i++) {
        if (rows[i].flag != 0 && rows[i].address == sight->address) {
            row = &rows[i];
            break;
        }
        if (row->flag != 0 && (rows[i].flag == 0 || rows[i].time < row->time)) row = &rows[i];
    }
    sights->lanes[thread / WS_LANES] |= UINT32_C(1) << thread % WS_LANES;
    sights->version += row->flag != sight->flag;
    *row = *sight;
}

#endif
