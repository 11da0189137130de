/* Bounded views of byte images: together with ws_rows_at and bulk.h, the only code that touches the user's bytes.
 *
 * An image is a run of bytes that represents shared or global memory from address `base`. A memory is everything one
 * instruction can reach: a shared image, a global image, or both with the window through which generic addresses see
 * shared memory ("Generic Addressing" of the PTX ISA).
 *
 *     generic   |---- global image ----|        |-- shared window, 2^24 bytes --|
 *
 * Reading outside an image gives zeros, writing there has no effect: callers check first and report. */
#ifndef WARPSIM_DATA_MEMORY_H
#define WARPSIM_DATA_MEMORY_H

#include "../isa/op.h"

#define WS_SHARED_WINDOW UINT64_C(0x7fff00000000)
#define WS_SHARED_WINDOW_BYTES UINT64_C(0x1000000)

typedef struct ws_image {
    uint8_t *bytes; /* NULL if the memory does not exist */
    uint64_t nbytes;
    uint64_t base; /* address of bytes[0] in its space */
} ws_image;

typedef struct ws_memory {
    ws_image shared;
    ws_image global;
    uint64_t shared_window; /* generic address of shared address 0 */
} ws_memory;

/* An address and the memory it belongs to. */
typedef struct ws_place {
    ws_where where;
    uint64_t address; /* in the address space of `where` */
} ws_place;

/* Shared memory alone: `nbytes` bytes starting at shared address `base`. */
static inline ws_memory ws_memory_make(void *bytes, size_t nbytes, uint64_t base) {
    ws_memory memory = {{NULL, 0, 0}, {NULL, 0, 0}, WS_SHARED_WINDOW};
    memory.shared.bytes = (uint8_t *)bytes;
    memory.shared.nbytes = nbytes;
    memory.shared.base = base;
    return memory;
}

/* The same plus a global image, for cp.async, .global and generic addresses. */
static inline ws_memory ws_memory_with_global(ws_memory memory, void *bytes, size_t nbytes, uint64_t base) {
    memory.global.bytes = (uint8_t *)bytes;
    memory.global.nbytes = nbytes;
    memory.global.base = base;
    return memory;
}

static inline const ws_image *ws_memory_image(const ws_memory *memory, ws_where where) {
    return where == WS_IN_GLOBAL ? &memory->global : &memory->shared;
}

static inline bool ws_image_holds(const ws_image *image, uint64_t address, uint64_t count) {
    return image->bytes != NULL && count <= image->nbytes && address >= image->base &&
           address - image->base <= image->nbytes - count;
}

static inline bool ws_memory_holds(const ws_memory *memory, ws_place place, uint64_t count) {
    return place.where != WS_NOWHERE && ws_image_holds(ws_memory_image(memory, place.where), place.address, count);
}

/* Where an address of the state space points. */
static inline ws_place ws_memory_place(const ws_memory *memory, int space, uint64_t address) {
    ws_place place = {WS_IN_SHARED, address};
    if (space == WS_SPACE_GLOBAL) {
        place.where = WS_IN_GLOBAL;
    } else if (space == WS_SPACE_GENERIC) {
        if (address >= memory->shared_window && address - memory->shared_window < WS_SHARED_WINDOW_BYTES) {
            place.address = address - memory->shared_window;
        } else {
            place.where = ws_image_holds(&memory->global, address, 1) ? WS_IN_GLOBAL : WS_NOWHERE;
        }
    }
    return place;
}

static inline void ws_memory_read(const ws_memory *memory, ws_place place, int count, uint8_t *out) {
    const ws_image *image = ws_memory_image(memory, place.where);
    int i;
    if (ws_memory_holds(memory, place, (uint64_t)count)) {
        const uint8_t *from = image->bytes + (place.address - image->base);
        for (i = 0; i < count; i++) out[i] = from[i];
        return;
    }
    for (i = 0; i < count; i++) {
        const ws_place byte = {place.where, place.address + (uint64_t)i};
        const bool wraps = byte.address < place.address;
        out[i] = !wraps && ws_memory_holds(memory, byte, 1) ? image->bytes[byte.address - image->base] : 0;
    }
}

static inline void ws_memory_write(const ws_memory *memory, ws_place place, int count, const uint8_t *bytes) {
    const ws_image *image = ws_memory_image(memory, place.where);
    int i;
    for (i = 0; i < count; i++) {
        const ws_place byte = {place.where, place.address + (uint64_t)i};
        if (byte.address < place.address) return;
        if (ws_memory_holds(memory, byte, 1)) image->bytes[byte.address - image->base] = bytes[i];
    }
}

#endif
