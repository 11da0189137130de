/* Rows of the clock for what is no thread: by keys; and who knows that a block has started. */
#ifndef WARPSIM_CLOCK_KEYS_H
#define WARPSIM_CLOCK_KEYS_H

#include "clock.h"

#define WS_KEY_BARRIER(number) (UINT64_C(1) << 60 | (uint64_t)(number))
#define WS_KEY_OBJECT(offset, is_done) (UINT64_C(2) << 60 | (uint64_t)(offset) << 1 | (uint64_t)(is_done))
#define WS_KEY_PLACE(space, address) (UINT64_C(3) << 60 | (uint64_t)(space) << 56 | (address))
#define WS_KEY_OWN(space, rank, address)                                                                               \
    (UINT64_C(4) << 60 | (uint64_t)(space) << 56 | (uint64_t)(rank) << 51 | (address))

/* Does a row know that a block has started? */
static inline bool ws_clock_has_started(const ws_clock *clock, uint32_t row, uint32_t rank) {
    const ws_clock_part *part = ws_clock_part_of(clock, row, rank);
    return ws_clock_is_filled(clock, row) && (part->warps != 0 || part->base != 0);
}

/* Does the thread know that? */
static inline bool ws_clock_knows_start(const ws_clock *clock, uint32_t thread, uint32_t rank) {
    return clock->floor != clock->start || ws_clock_has_started(clock, thread, rank) ||
           ws_clock_has_started(clock, ws_clock_block(clock, ws_clock_rank(clock, thread)), rank);
}

/* Where the key of an object is, or a free place for it; where neither is there, the place that all further keys share:
 * threads may then seem ordered that are not. */
static inline uint32_t ws_clock_place(const ws_clock *clock, uint64_t key) {
    const uint32_t own = clock->objects - 1;
    uint32_t at = (uint32_t)(key * UINT64_C(0x9E3779B97F4A7C15) >> 40) % own, i;
    for (i = 0; i < own; i++, at = (at + 1) % own) {
        if (clock->keys[at] == key || clock->keys[at] == 0) return at;
    }
    return own;
}

/* Row of the object of a key, which is not 0; where there is none yet, an empty one. */
static inline uint32_t ws_clock_object(ws_clock *clock, uint64_t key) {
    const uint32_t at = ws_clock_place(clock, key);
    if (clock->keys[at] == 0) ws_clock_forget(clock, clock->threads + at);
    if (at == clock->objects - 1) clock->is_crowded = true;
    clock->keys[at] = key;
    return clock->threads + at;
}

/* The object if there is one, else 0 (a thread's row). */
static inline uint32_t ws_clock_find(const ws_clock *clock, uint64_t key) {
    const uint32_t at = ws_clock_place(clock, key);
    return clock->keys[at] != 0 ? clock->threads + at : 0;
}

#endif
