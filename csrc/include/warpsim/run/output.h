/* What a kernel prints, and its heap: memory of the caller, shared by all blocks of a launch.
 *
 * A record of vprintf: its bytes, the block and the thread, the format with its zero, then for each conversion eight bytes
 * of value, or for %s the length and the bytes of the string. Who formats it is the caller. */
#ifndef WARPSIM_RUN_OUTPUT_H
#define WARPSIM_RUN_OUTPUT_H

#include "../base/bytes.h"
#include <stdbool.h>
#include <stddef.h>

enum { WS_HEAP_ALIGN = 16 };

/* Who asked for a piece of the heap: a step, a linear block, a thread of it. */
typedef struct ws_heap_owner {
    uint64_t block;
    uint32_t step, thread;
} ws_heap_owner;

/* A piece of the heap that malloc has given. */
typedef struct ws_heap_piece {
    uint64_t at, nbytes; /* nbytes: with its padding */
    ws_heap_owner owner;
    bool is_used;
} ws_heap_piece;

typedef struct ws_output {
    uint8_t *bytes;
    size_t capacity, used;
    uint64_t records, lost; /* lost: no room */
    uint64_t heap_base, heap_bytes, heap_used;
    ws_heap_piece *pieces;
    uint32_t piece_capacity, piece_count;
    uint8_t lock; /* of all of this */
} ws_output;

static inline void ws_lock(uint8_t *lock) {
#if defined(__GNUC__) || defined(__clang__)
    while (lock != NULL && __atomic_test_and_set(lock, __ATOMIC_ACQUIRE)) {
    }
#else
    (void)lock;
#endif
}

static inline void ws_unlock(uint8_t *lock) {
#if defined(__GNUC__) || defined(__clang__)
    if (lock != NULL) __atomic_clear(lock, __ATOMIC_RELEASE);
#else
    (void)lock;
#endif
}

/* The address of new bytes, or 0. */
static inline uint64_t ws_heap_take(ws_output *output, uint64_t nbytes, const ws_heap_owner *owner) {
    const uint64_t wanted =
        nbytes > output->heap_bytes ? nbytes : (nbytes + WS_HEAP_ALIGN) / WS_HEAP_ALIGN * WS_HEAP_ALIGN;
    uint32_t i;
    if (nbytes == 0) return 0;
    for (i = 0; i < output->piece_count; i++) {
        ws_heap_piece *piece = &output->pieces[i];
        if (piece->is_used || piece->nbytes < wanted) continue;
        piece->is_used = true;
        piece->owner = *owner;
        return output->heap_base + piece->at;
    }
    if (i == output->piece_capacity || wanted > output->heap_bytes - output->heap_used) return 0;
    output->pieces[i].at = output->heap_used;
    output->pieces[i].nbytes = wanted;
    output->pieces[i].is_used = true;
    output->pieces[i].owner = *owner;
    output->piece_count++;
    output->heap_used += wanted;
    return output->heap_base + output->pieces[i].at;
}

/* False: nothing begins there. */
static inline bool ws_heap_give(ws_output *output, uint64_t address) {
    uint32_t i;
    for (i = 0; i < output->piece_count; i++) {
        ws_heap_piece *piece = &output->pieces[i];
        if (!piece->is_used || output->heap_base + piece->at != address) continue;
        piece->is_used = false;
        return true;
    }
    return address == 0;
}

#endif
