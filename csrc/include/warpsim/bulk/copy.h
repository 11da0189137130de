/* cp.async.bulk, cp.async.bulk.tensor and cp.reduce.async.bulk: issued by a thread, made when someone waits for them.
 *
 *     list of the step    references: address and offset of shared memory, of global memory or the tensor map, of the
 *                         barrier or the other shared address; size; byte mask; coordinates; offsets of im2col
 *
 * A multicast is one copy for each rank of its mask: to the same places in each block, counted by the object there. A copy
 * waits in the block that has its object. Source: "Data Movement and Conversion Instructions: Bulk copy, Tensor copy" of
 * the PTX ISA. */
#ifndef WARPSIM_BULK_COPY_H
#define WARPSIM_BULK_COPY_H

#include "../base/apart.h"
#include "spot.h"

/* All rows of a box that lie in the tensor lie in memory, too: those of the store without what fills up its last chunk. */
static inline bool ws_tma_fits_rows(ws_lanes *lanes, const ws_step *step, int lane, const ws_tma *flight) {
    ws_tensor_walk walk = ws_tensor_walk_make(&flight->map, &flight->place, true);
    for (; walk.row < walk.rows; ws_tensor_walk_on(&walk)) {
        const ws_tensor_row row = ws_tensor_row_at(&walk);
        const uint32_t nbytes = (row.last - row.first) * flight->map.nbytes;
        if (nbytes != 0 && !ws_tma_fits_global(lanes, step, lane, row.global, nbytes)) return false;
    }
    return true;
}

/* The tensor map and the place; false: the hardware refuses them. */
static inline bool ws_tma_tensor(ws_lanes *lanes, const ws_step *step, int lane, ws_tma *flight) {
    const uint64_t address = ws_tma_value(lanes, step, WS_BULK_AT_GLOBAL, lane, true) +
                             ws_tma_value(lanes, step, WS_BULK_AT_GLOBAL + 1, lane, true);
    const ws_region *region = ws_space_find(&ws_block_of(lanes)->launch->memory, address, WS_TENSOR_MAP_BYTES);
    const uint32_t rank = (uint32_t)(step->immediate >> WS_BULK_RANK & 7);
    const bool is_load = flight->kind != WS_BULK_STORE, is_im2col = (step->immediate & WS_BULK_IM2COL) != 0;
    ws_tensor_map *map = &flight->map;
    ws_tensor_refusal refusal;
    uint32_t i;
    if (region == NULL) return ws_tma_fault(lanes, step, WS_RUN_BOUNDS, lane, address, WS_TENSOR_MAP_BYTES);
    if (address % 64 != 0) return ws_tma_fault(lanes, step, WS_RUN_ALIGNMENT, lane, address, 64);
    for (i = 0; i < WS_TENSOR_RANK; i++)
        flight->place.at[i] = (int32_t)ws_tma_value(lanes, step, WS_BULK_AT_PLACE + i, lane, false);
    for (i = 0; i < WS_TENSOR_SPATIAL; i++)
        flight->place.offset[i] = (uint32_t)ws_tma_value(lanes, step, WS_BULK_AT_OFFSETS + i, lane, false) & 0xffff;
    if (!ws_tensor_map_read(region->bytes + (address - region->base), map) || !ws_tensor_is_encodable(map))
        return ws_tma_refuse(lanes, step, lane, address, WS_REFUSED_MAP, 0, 0);
    if (map->rank != rank) return ws_tma_refuse(lanes, step, lane, address, WS_REFUSED_RANK, map->rank, rank);
    if (map->is_im2col != is_im2col)
        return ws_tma_refuse(lanes, step, lane, address, WS_REFUSED_MODE, map->is_im2col, is_im2col);
    if (flight->reduces != 0 && !ws_tensor_reduces(map, flight->reduces - 1))
        return ws_tma_refuse(lanes, step, lane, address, WS_REFUSED_TYPE, map->type, 0);
    refusal = ws_tensor_place_refusal(map, &flight->place, is_load, &i);
    if (refusal != WS_REFUSED_NOT) {
        const int64_t at = flight->place.at[i];
        return ws_tma_refuse(lanes, step, lane, address, refusal, refusal == WS_REFUSED_BEGIN ? at * map->nbytes : at,
                             i);
    }
    flight->type = (uint8_t)ws_tensor_type_of(map->type);
    flight->nbytes = ws_tensor_bytes(map);
    return true;
}

/* Size and global address of a copy without a map. */
static inline bool ws_tma_plain(ws_lanes *lanes, const ws_step *step, int lane, ws_tma *flight) {
    const uint32_t mask = (uint32_t)ws_tma_value(lanes, step, WS_BULK_AT_MASK, lane, false);
    flight->nbytes = (uint32_t)ws_tma_value(lanes, step, WS_BULK_AT_SIZE, lane, false);
    flight->type = step->type;
    if (lanes->list[step->list + WS_BULK_AT_MASK] != WS_NONE) flight->mask = (uint16_t)mask;
    if (flight->nbytes % WS_TENSOR_CHUNK != 0)
        return ws_tma_refuse(lanes, step, lane, flight->nbytes, WS_REFUSED_SIZE, flight->nbytes, WS_TENSOR_CHUNK);
    if (flight->kind == WS_BULK_SHARE) return true;
    flight->global = ws_tma_value(lanes, step, WS_BULK_AT_GLOBAL, lane, true) +
                     ws_tma_value(lanes, step, WS_BULK_AT_GLOBAL + 1, lane, true);
    if (flight->global % WS_TENSOR_CHUNK != 0)
        return ws_tma_fault(lanes, step, WS_RUN_ALIGNMENT, lane, flight->global, WS_TENSOR_CHUNK);
    return flight->kind == WS_BULK_PREFETCH || flight->nbytes == 0 ||
           ws_tma_fits_global(lanes, step, lane, flight->global, flight->nbytes);
}

/* Has each block that the copy goes to an object that counts? */
static inline bool ws_tma_has_objects(ws_lanes *lanes, const ws_step *step, int lane, const ws_tma *flight) {
    uint32_t left = flight->ranks != 0 ? flight->ranks : UINT32_C(1) << flight->barrier_rank;
    for (; left != 0; left &= left - 1) {
        const uint32_t rank = (uint32_t)ws_first_lane(left);
        const ws_block *owner = ws_block_peer(ws_block_of(lanes), rank);
        if (owner == NULL)
            return ws_tma_fault(lanes, step, WS_RUN_BOUNDS, lane, rank * WS_SHARED_WINDOW_BYTES + flight->barrier, 8);
        if (ws_mbarrier_is_made(ws_load_u64(owner->shared + flight->barrier))) continue;
        ws_stop_at(lanes, step, WS_RUN_NO_OBJECT, UINT32_C(1) << lane);
        return false;
    }
    return true;
}

/* The shared addresses, and the object that counts. */
static inline bool ws_tma_places(ws_lanes *lanes, const ws_step *step, int lane, ws_tma *flight) {
    const uint32_t align = flight->is_tensor ? (uint32_t)WS_BULK_SHARED_ALIGN : (uint32_t)WS_TENSOR_CHUNK;
    const uint32_t nbytes = flight->is_tensor ? ws_tensor_shared_bytes(&flight->map) : flight->nbytes;
    ws_tma_spot spot = {0, 0};
    flight->barrier = (uint32_t)WS_NO_BARRIER;
    if (flight->kind == WS_BULK_PREFETCH) return true;
    if (!ws_tma_find(lanes, step, WS_BULK_AT_SHARED, lane, nbytes, align, &spot)) return false;
    flight->from = spot.at;
    if (flight->kind == WS_BULK_SHARE && !ws_tma_find(lanes, step, WS_BULK_AT_OTHER, lane, nbytes, align, &spot))
        return false;
    flight->to = spot.at;
    flight->to_rank = spot.rank;
    if (lanes->list[step->list + WS_BULK_AT_BARRIER] == WS_NONE) return true;
    if (!ws_tma_find(lanes, step, WS_BULK_AT_BARRIER, lane, 8, 8, &spot)) return false;
    flight->barrier = spot.at;
    flight->barrier_rank = spot.rank;
    return ws_tma_has_objects(lanes, step, lane, flight);
}

/* What one lane's copy is; false: the launch has ended. */
WS_ONCE bool ws_tma_make(ws_lanes *lanes, const ws_step *step, int lane, ws_tma *flight) {
    const ws_warp *warp = ws_warp_of(lanes);
    flight->kind = (uint8_t)(step->immediate & WS_BULK_KIND);
    flight->reduces = (uint8_t)(step->immediate >> WS_BULK_REDUCES & 15);
    flight->is_tensor = (step->immediate & WS_BULK_TENSOR) != 0;
    flight->is_here = false;
    flight->how = step->how;
    flight->mask = WS_WHOLE_CHUNKS;
    flight->step = ws_step_pc(warp->block, step);
    flight->ranks = (uint16_t)ws_tma_value(lanes, step, WS_BULK_AT_RANKS, lane, false);
    flight->from_rank = flight->to_rank = flight->barrier_rank = (uint8_t)warp->block->rank;
    flight->thread = warp->number * WS_LANES + (uint32_t)lane;
    flight->group = warp->block->bulks.commits[flight->thread];
    flight->global = 0;
    if (flight->is_tensor ? !ws_tma_tensor(lanes, step, lane, flight) : !ws_tma_plain(lanes, step, lane, flight))
        return false;
    if (!ws_tma_places(lanes, step, lane, flight)) return false; /* so that the rows to walk are few */
    return !flight->is_tensor || flight->kind == WS_BULK_PREFETCH || ws_tma_fits_rows(lanes, step, lane, flight);
}

/* The copy of a multicast that goes to the first of some ranks; that of no multicast as it is. */
static inline void ws_tma_turn_to(ws_tma *flight, uint32_t ranks) {
    if (ranks != 0) flight->to_rank = flight->barrier_rank = (uint8_t)ws_first_lane(ranks);
}

/* From here on the copy is under way; one too many arrives at once. */
static inline void ws_tma_start(ws_block *block, const ws_tma *flight) {
    ws_block *owner = ws_tma_owner(block, flight);
    ws_tmas *bulks = &owner->bulks;
    ws_tma copy = *flight;
    if (bulks->count == bulks->capacity) {
        ws_tma_land(owner, &copy);
        return;
    }
    bulks->flights[bulks->count++] = copy;
    owner->land = ws_tmas_land;
}

static inline void ws_do_bulk_once(ws_lanes *lanes, const ws_step *step, uint32_t mask) {
    ws_block *block = ws_block_of(lanes);
    uint64_t nbytes = 0;
    for (; mask != 0; mask &= mask - 1) {
        ws_tma flight;
        uint32_t ranks;
        if (!ws_tma_make(lanes, step, ws_first_lane(mask), &flight)) return;
        if (flight.kind == WS_BULK_PREFETCH) continue;
        ranks = flight.ranks;
        do {
            ws_tma_turn_to(&flight, ranks);
            ws_tma_start(block, &flight);
            nbytes += flight.nbytes;
            ranks &= ranks - 1;
        } while (ranks != 0);
    }
    ws_warp_moves(lanes, step, nbytes);
}

static inline void ws_do_bulk_commit_once(ws_lanes *lanes, const ws_step *step, uint32_t mask) {
    const ws_warp *warp = ws_warp_of(lanes);
    uint32_t *commits = warp->block->bulks.commits + (size_t)warp->number * WS_LANES;
    int lane;
    (void)step;
    for (lane = 0; lane < WS_LANES; lane++) commits[lane] += mask >> lane & 1;
}

/* immediate: groups that may still be under way. With .read what is written need not be there yet: here it is. */
static inline void ws_do_bulk_wait_once(ws_lanes *lanes, const ws_step *step, uint32_t mask) {
    const uint64_t kept = (uint64_t)step->immediate;
    ws_tmas_wait(ws_warp_of(lanes), mask, kept < UINT32_MAX ? (uint32_t)kept : UINT32_MAX);
}

/* clang-format off */
#define WS_MEANINGS_BULK(X) X(BULK, bulk, SCALAR, BULK) X(BULK_COMMIT, bulk_commit, SCALAR, BULK_COMMIT)               \
    X(BULK_WAIT, bulk_wait, SCALAR, BULK_WAIT)
/* clang-format on */

#endif
