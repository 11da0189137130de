/* What a kernel prints, and its heap: memory of the caller, shared by all blocks of a launch.
 *
 * A record of vprintf: its bytes, the block and the thread, the format with its zero, then for each conversion eight bytes
 * of value, or for %s the length and the bytes of the string. Who formats it is the caller. */
#ifndef WARPSIM_RUN_OUTPUT_H
#define WARPSIM_RUN_OUTPUT_H

#include "../base/bytes.h"
#include <stdbool.h>
#include <stddef.h>

enum { WS_HEAP_ALIGN = 16, WS_HEAP_SIZES = 64 /* that are looked for by themselves; larger pieces together */ };

/* Who asked for a piece of the heap: a step, a linear block, a thread of it. */
typedef struct ws_heap_owner {
    uint64_t block;
    uint32_t step, thread;
} ws_heap_owner;

/* A piece of the heap that malloc has given. */
typedef struct ws_heap_piece {
    uint64_t at, nbytes; /* nbytes: with what lies between it and the next one, 16 bytes at least */
    uint64_t asked;      /* bytes that may be accessed */
    ws_heap_owner owner;
    bool is_used;
    bool is_again; /* its bytes were another piece's before, and nobody has accessed them since */
} ws_heap_piece;

typedef struct ws_output {
    uint8_t *bytes;
    size_t capacity, used;
    uint64_t records, lost; /* lost: no room */
    uint64_t heap_base, heap_bytes, heap_used;
    ws_heap_piece *pieces;
    uint32_t piece_capacity, piece_count;
    uint8_t lock; /* of all of this */
    /* Of so many times 16 bytes: pieces before it are smaller, or in use. Not to pass all of them each time. */
    uint32_t first_free[WS_HEAP_SIZES];
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

/* The piece that an address lies in, or behind whose end and before the next one; NULL: malloc has given nothing yet. They
 * stand in the order of their addresses, and stay where they are. */
static inline ws_heap_piece *ws_heap_find(const ws_output *output, uint64_t address) {
    uint32_t low = 0, high = output->piece_count;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (output->heap_base + output->pieces[middle].at <= address) low = middle + 1;
        else high = middle;
    }
    return low == 0 ? NULL : &output->pieces[low - 1];
}

/* The address of new bytes, or 0. */
static inline uint64_t ws_heap_take(ws_output *output, uint64_t nbytes, const ws_heap_owner *owner) {
    const uint64_t align = WS_HEAP_ALIGN;
    const uint64_t wanted = nbytes > output->heap_bytes ? nbytes : ((nbytes + align - 1) / align + 1) * align;
    const uint64_t size = wanted / align < WS_HEAP_SIZES ? wanted / align : WS_HEAP_SIZES - 1;
    ws_heap_piece *piece = output->pieces + output->first_free[size], *const end = output->pieces + output->piece_count;
    if (nbytes == 0) return 0;
    while (piece < end && (piece->is_used || piece->nbytes < size * align)) piece++;
    output->first_free[size] = (uint32_t)(piece - output->pieces);
    while (piece < end && (piece->is_used || piece->nbytes < wanted)) piece++;
    if (piece == end && output->piece_count == output->piece_capacity) return 0;
    if (piece == end && wanted > output->heap_bytes - output->heap_used) return 0;
    piece->is_again = piece != end;
    if (piece == end) {
        piece->at = output->heap_used;
        piece->nbytes = wanted;
        output->piece_count++;
        output->heap_used += wanted;
    }
    piece->is_used = true;
    piece->asked = nbytes;
    piece->owner = *owner;
    return output->heap_base + piece->at;
}

/* False: nothing begins there. */
static inline bool ws_heap_give(ws_output *output, uint64_t address) {
    ws_heap_piece *piece = ws_heap_find(output, address);
    uint64_t size;
    if (address == 0) return true;
    if (piece == NULL || !piece->is_used || output->heap_base + piece->at != address) return false;
    piece->is_used = false;
    for (size = 0; size < WS_HEAP_SIZES && size * WS_HEAP_ALIGN <= piece->nbytes; size++) {
        if ((uint32_t)(piece - output->pieces) < output->first_free[size])
            output->first_free[size] = (uint32_t)(piece - output->pieces);
    }
    return true;
}

#endif
