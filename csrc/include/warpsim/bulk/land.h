/* A bulk copy is made: bytes move between global and shared memory, or are combined with those that are there.
 *
 * Whether it can be made was found out when it was issued. */
#ifndef WARPSIM_BULK_LAND_H
#define WARPSIM_BULK_LAND_H

#include "../number/convert.h"
#include "../run/atomic.h"
#include "../meet/mbarrier.h"
#include "../tensor/flight.h"

/* How the elements of a reduction combine. */
static inline ws_atomic ws_tma_atomic(const ws_tma *flight, bool is_global) {
    ws_atomic atomic;
    atomic.op = (ws_atomic_op)(flight->reduces - 1);
    atomic.type = flight->type;
    atomic.how = flight->how;
    atomic.nbytes = (uint32_t)ws_type_bits(flight->type) / 8;
    atomic.is_global = is_global;
    return atomic;
}

enum { WS_WHOLE_CHUNKS = (1 << WS_TENSOR_CHUNK) - 1 /* .cp_mask leaves out none of their bytes */ };

/* `nbytes` bytes to memory, by the reduction if there is one. */
static inline void ws_tma_put(const ws_tma *flight, uint8_t *to, const uint8_t *from, uint32_t nbytes, bool is_global) {
    uint32_t i;
    if (flight->reduces != 0) {
        const ws_atomic atomic = ws_tma_atomic(flight, is_global);
        for (i = 0; i + atomic.nbytes <= nbytes; i += atomic.nbytes) {
            const uint64_t x = ws_atomic_read(to + i, atomic.nbytes), y = ws_atomic_read(from + i, atomic.nbytes);
            ws_atomic_write(to + i, atomic.nbytes, ws_atomic_new(&atomic, x, y, 0));
        }
        return;
    }
    if (flight->mask == WS_WHOLE_CHUNKS) __builtin_memmove(to, from, nbytes);
    for (i = 0; i < nbytes && flight->mask != WS_WHOLE_CHUNKS; i++) {
        if (flight->mask >> i % WS_TENSOR_CHUNK & 1) to[i] = from[i];
    }
}

/* The bytes of a global address, and how many follow there; NULL: none. */
static inline uint8_t *ws_tma_global(const ws_launch *launch, uint64_t address, uint64_t *room, uint8_t **marks) {
    const ws_region *region = ws_space_find(&launch->memory, address, 1);
    if (region == NULL) return NULL;
    *room = region->nbytes - (address - region->base);
    *marks = region->marks != NULL ? region->marks + (address - region->base) : NULL;
    return region->bytes + (address - region->base);
}

/* Stores a stretch; what lies beyond the end of its array is left out. */
static inline void ws_tma_store(const ws_launch *launch, const ws_tma *flight, uint64_t address, const uint8_t *from,
                                uint32_t nbytes) {
    uint64_t room = 0;
    uint8_t *marks = NULL, *to = ws_tma_global(launch, address, &room, &marks);
    uint32_t i;
    if (to == NULL) return;
    if (nbytes > room) nbytes = (uint32_t)room;
    ws_lock(launch->lock);
    ws_tma_put(flight, to, from, nbytes, true);
    if (marks != NULL) {
        const ws_atomic atomic = ws_tma_atomic(flight, true);
        const uint8_t mark = flight->reduces != 0 ? ws_atomic_mark(&atomic) : (uint8_t)WS_MARK_PLAIN;
        for (i = 0; i < nbytes; i++) {
            const bool is_same = marks[i] == WS_MARK_NONE || marks[i] == mark;
            if (flight->mask >> i % WS_TENSOR_CHUNK & 1) marks[i] = is_same ? mark : (uint8_t)WS_MARK_PLAIN;
        }
    }
    ws_unlock(launch->lock);
}

/* A float of 32 bits as tf32: rounded to nearest even; every NaN becomes one. */
static inline uint32_t ws_tensor_tf32(uint32_t bits) {
    const uint32_t kept = bits & UINT32_C(0xffffe000), low = bits & 0x1fff;
    if ((bits & UINT32_C(0x7fffffff)) > UINT32_C(0x7f800000)) return UINT32_C(0x7fffe000);
    return low > 0x1000 || (low == 0x1000 && (bits & 0x2000)) ? kept + 0x2000 : kept;
}

/* Byte `at` of what fills the places outside of a tensor. */
static inline uint8_t ws_tensor_fill(const ws_tensor_map *map, uint32_t at) {
    return (uint8_t)(!map->fills_nan ? 0 : at % 2 != 0 ? 0x7f : 0xf7);
}

/* Shared memory that a copy writes, and that it reads. */
static inline uint8_t *ws_tma_to(ws_block *block, const ws_tma *flight) {
    return ws_block_peer(block, flight->to_rank)->shared;
}

static inline const uint8_t *ws_tma_from(ws_block *block, const ws_tma *flight) {
    return ws_block_peer(block, flight->from_rank)->shared;
}

/* One row from global memory into shared memory, chunk by chunk. */
static inline void ws_tma_load_row(ws_block *block, const ws_tma *flight, const ws_tensor_walk *walk) {
    const ws_tensor_map *map = &flight->map;
    const ws_tensor_row row = ws_tensor_row_at(walk);
    const uint32_t first = row.first * map->nbytes, last = row.last * map->nbytes, all = ws_tensor_row_bytes(map);
    uint64_t room;
    uint8_t *marks;
    const uint8_t *from = last > first ? ws_tma_global(block->launch, row.global, &room, &marks) : NULL;
    uint32_t at, i;
    for (at = 0; at < all; at += WS_TENSOR_CHUNK) {
        uint8_t *to = ws_tma_to(block, flight) + ws_tensor_swizzled(map, flight->to + walk->row * walk->pitch + at);
        for (i = 0; i < WS_TENSOR_CHUNK; i++)
            to[i] = from != NULL && at + i >= first && at + i < last ? from[at + i - first] : ws_tensor_fill(map, i);
        for (i = 0; i < WS_TENSOR_CHUNK && map->is_tf32; i += 4) {
            if (at + i >= first && at + i < last) ws_store_u32(to + i, ws_tensor_tf32(ws_load_u32(to + i)));
        }
    }
}

/* One row from shared memory into global memory. */
static inline void ws_tma_store_row(ws_block *block, const ws_tma *flight, const ws_tensor_walk *walk) {
    const ws_tensor_map *map = &flight->map;
    const ws_tensor_row row = ws_tensor_row_at(walk);
    const uint32_t first = row.first * map->nbytes, last = row.last * map->nbytes;
    uint32_t at;
    for (at = first; at < last;) {
        const uint32_t begin = at % WS_TENSOR_CHUNK, end = WS_TENSOR_CHUNK - begin;
        const uint32_t nbytes = last - at < end ? last - at : end;
        const uint32_t from = flight->from + walk->row * walk->pitch + at - begin;
        ws_tma_store(block->launch, flight, row.global + at - first,
                     ws_tma_from(block, flight) + ws_tensor_swizzled(map, from) + begin, nbytes);
        at += nbytes;
    }
}

static inline void ws_tma_move_tensor(ws_block *block, const ws_tma *flight) {
    ws_tensor_walk walk = ws_tensor_walk_make(&flight->map, &flight->place, flight->kind == WS_BULK_LOAD);
    for (; walk.row < walk.rows; ws_tensor_walk_on(&walk)) {
        if (flight->kind == WS_BULK_LOAD) ws_tma_load_row(block, flight, &walk);
        else ws_tma_store_row(block, flight, &walk);
    }
}

static inline void ws_tma_move(ws_block *block, const ws_tma *flight) {
    uint64_t room;
    uint8_t *marks;
    if (flight->is_tensor) {
        ws_tma_move_tensor(block, flight);
    } else if (flight->kind == WS_BULK_STORE) {
        ws_tma_store(block->launch, flight, flight->global, ws_tma_from(block, flight) + flight->from, flight->nbytes);
    } else if (flight->kind == WS_BULK_SHARE) {
        ws_tma_put(flight, ws_tma_to(block, flight) + flight->to, ws_tma_from(block, flight) + flight->from,
                   flight->nbytes, false);
    } else {
        const uint8_t *from = ws_tma_global(block->launch, flight->global, &room, &marks);
        if (from != NULL) ws_tma_put(flight, ws_tma_to(block, flight) + flight->to, from, flight->nbytes, false);
    }
}

/* The block that keeps the copy while it is under way. */
static inline ws_block *ws_tma_owner(ws_block *block, const ws_tma *flight) {
    return flight->barrier != (uint32_t)WS_NO_BARRIER ? ws_block_peer(block, flight->barrier_rank) : block;
}

/* The bytes move, and the barrier, one of the block's, counts them. */
static inline void ws_tma_land(ws_block *block, ws_tma *flight) {
    uint8_t *object = block->shared + flight->barrier;
    flight->is_here = true;
    ws_tma_move(block, flight);
    if (flight->barrier == (uint32_t)WS_NO_BARRIER || !ws_mbarrier_is_made(ws_load_u64(object))) return;
    ws_store_u64(object, ws_mbarrier_after(ws_load_u64(object), WS_MBARRIER_RECEIVES, flight->nbytes));
}

/* All that a barrier waits for; WS_NO_BARRIER: all there is. True: there was some. */
static inline bool ws_tmas_land(ws_block *block, uint32_t barrier) {
    ws_tmas *bulks = &block->bulks;
    const uint32_t count = bulks->count;
    uint32_t i;
    for (i = 0; i < count; i++) {
        ws_tma *flight = &bulks->flights[i];
        if (barrier == (uint32_t)WS_NO_BARRIER ? !flight->is_here : ws_tma_is_for(flight, barrier))
            ws_tma_land(block, flight);
    }
    ws_tmas_sweep(bulks);
    return bulks->count != count;
}

/* Lanes of a warp wait for all but their `kept` latest groups. */
static inline void ws_tmas_wait(ws_warp *warp, uint32_t mask, uint32_t kept) {
    ws_tmas *bulks = &warp->block->bulks;
    uint32_t i;
    for (i = 0; i < bulks->count; i++) {
        ws_tma *flight = &bulks->flights[i];
        const uint32_t thread = flight->thread;
        if (thread / WS_LANES == warp->number && (mask >> thread % WS_LANES & 1) &&
            ws_tma_is_due(bulks, flight, thread, kept))
            ws_tma_land(warp->block, flight);
    }
    ws_tmas_sweep(bulks);
}

#endif
