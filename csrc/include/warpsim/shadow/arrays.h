/* Cells of global memory, for all blocks of a launch. Where an array was never written to before the launch, reads of what
 * the launch has not written either are told. */
#ifndef WARPSIM_SHADOW_ARRAYS_H
#define WARPSIM_SHADOW_ARRAYS_H

#include "../run/output.h"
#include "shadow.h"

typedef struct ws_array_cell {
    ws_cell cell;
    uint32_t block[1 + WS_CELL_KEPT]; /* ordinals: of the write and of those that are kept */
} ws_array_cell;

/* One for each region of the launch. */
typedef struct ws_array_shadow {
    ws_array_cell *cells; /* NULL: it is not judged */
    bool is_unwritten;    /* nobody had written it */
    bool is_coarse;       /* cells are of 16 bytes as long as no access is smaller */
    bool is_used;
} ws_array_shadow;

typedef struct ws_arrays {
    ws_array_shadow *shadows;
    uint32_t shift;  /* log2 of the smallest access, 2 at most */
    uint8_t *lock;   /* NULL: one thread alone */
    ws_crowd *crowd; /* NULL: a cell keeps a few accesses, and others are not judged */
} ws_arrays;

/* The bytes that cells of so many bytes of an array take. */
static inline uint64_t ws_array_shadow_bytes(uint64_t nbytes, uint32_t shift) {
    return ((nbytes >> shift) + 1) * sizeof(ws_array_cell);
}

enum { WS_ARRAY_COARSE = 4, WS_DISCARDED = 128 /* bytes */ };

/* In place of the block of a write: the bytes were discarded. */
#define WS_ARRAY_GONE UINT32_MAX

/* Cells for an array: room for the finest, zeros. */
static inline void ws_array_shadow_make(ws_array_shadow *shadow, const ws_region *region, ws_array_cell *cells) {
    shadow->cells = cells;
    shadow->is_coarse = region->base % (1 << WS_ARRAY_COARSE) == 0;
    shadow->is_used = false;
}

/* From here on cells are of the smallest access. */
static inline void ws_array_refine(ws_array_shadow *shadow, const ws_arrays *arrays, uint64_t nbytes) {
    const uint64_t count = (nbytes >> arrays->shift) + 1;
    const uint32_t each = UINT32_C(1) << (WS_ARRAY_COARSE - arrays->shift);
    uint64_t i = shadow->is_used ? count : 0;
    while (i-- > 0) {
        shadow->cells[i] = shadow->cells[i / each];
        if (shadow->cells[i].cell.others != 0) shadow->cells[i].cell.others = WS_CROWD_LOST;
    }
    shadow->is_coarse = false;
}

/* Nothing is left to do: a read of what the launch has not written, and two blocks have read it, or three threads since a
 * barrier of their block. */
static inline bool ws_array_is_quiet(const ws_judge *judge, const ws_crowd *crowd, ws_array_cell *one,
                                     const ws_pass *pass, int lane) {
    const ws_stamp *kept = one->cell.kept, stamp = ws_pass_stamp(judge, pass, lane);
    const bool is_full = kept[2].time != 0, is_here = one->block[3] == judge->block;
    const bool is_spread = kept[1].time != 0 && one->block[1] != one->block[2];
    int i;
    if (pass->is_write || one->cell.write.time != 0 || crowd->used < WS_CROWD_UNWRITTEN) return false;
    if (!is_spread && (!is_full || (is_here && kept[2].time < judge->clock.floor))) return false;
    for (i = 0; i < WS_CELL_KEPT; i++) {
        if (one->block[1 + i] == judge->block && ((kept[i].who ^ stamp.who) & (judge->who_warp | WS_WHO_THREAD)) == 0)
            return true;
    }
    one->cell.others |= is_spread || !is_here ? WS_CROWD_LOST_READ : WS_CROWD_LOST_HERE;
    return true;
}

/* Has a barrier of the block ordered the reads that found no room? */
static inline void ws_array_settle(const ws_judge *judge, ws_array_cell *one) {
    const bool is_past = one->block[3] == judge->block && one->cell.kept[2].time < judge->clock.floor;
    if (one->cell.others & WS_CROWD_LOST_HERE) {
        one->cell.others &= ~WS_CROWD_LOST_HERE;
        if (!is_past) one->cell.others |= WS_CROWD_LOST_READ;
    }
}

/* The first uninitialised read. */
static inline bool ws_array_is_first(ws_judge *judge, ws_array_cell *one, const ws_pass *pass, int lane) {
    if (pass->is_write || one->cell.write.time != 0 || one->cell.kept[0].time != 0) return false;
    one->cell.kept[0] = ws_pass_stamp(judge, pass, lane);
    one->block[1] = judge->block;
    return true;
}

static inline void ws_array_visit(ws_judge *judge, ws_crowd *crowd, ws_pass *pass, ws_array_cell *one, uint32_t at,
                                  uint32_t nbytes, int lane) {
    const ws_stamp before = one->cell.write;
    ws_visited visited;
    ws_visit visit;
    visit.stamp = ws_pass_stamp(judge, pass, lane);
    visit.address = pass->base + at;
    visit.nbytes = nbytes;
    visit.space = WS_AT_GLOBAL;
    visit.is_write = pass->is_write;
    visit.reads = pass->reads;
    visit.takes = pass->takes;
    visit.changes_nothing =
        before.time != 0 && pass->is_write &&
        ws_value_is_there(&pass->values, lane, at - pass->offset[lane], visit.nbytes, pass->memory + at);
    if (pass->is_noncoherent && before.time != 0 && ws_judge_orders(judge, &visit, &before, one->block[0]))
        ws_judge_report(judge, WS_RUN_STALE, &visit, &before, true, one->block[0]);
    if (visit.is_write) ws_array_settle(judge, one);
    visited = ws_cell_visit(judge, crowd, &one->cell, one->block, 1, &visit);
    if (visited == WS_VISITED_UNWRITTEN) ws_pass_hole(pass, lane, at - pass->offset[lane], nbytes);
    if (visited == WS_VISITED_MET && pass->is_write) ws_pass_met(judge, pass, &visit, &before, at);
}

/* Bytes become another piece of the heap: what was done to them is past. */
static inline void ws_array_forget(const ws_array_shadow *shadow, const ws_arrays *arrays, uint64_t at,
                                   uint64_t nbytes) {
    const uint32_t shift = shadow->is_coarse ? (uint32_t)WS_ARRAY_COARSE : arrays->shift;
    const ws_array_cell none = {{{0, 0}, {{0, 0}}, 0}, {0}};
    uint64_t i;
    for (i = at >> shift; i < (at + nbytes) >> shift; i++) shadow->cells[i] = none;
}

/* A lane's access to what malloc has not given, or free has taken back. */
static inline void ws_heap_report(ws_judge *judge, const ws_pass *pass, int lane, uint64_t address,
                                  const ws_heap_piece *piece) {
    const ws_output *output = judge->launch->output;
    const uint64_t inside = piece != NULL ? address - output->heap_base - piece->at : 0;
    const bool is_inside = piece != NULL && inside + pass->nbytes <= piece->asked;
    ws_visit visit;
    ws_found one;
    visit.stamp = ws_pass_stamp(judge, pass, lane);
    visit.address = address;
    visit.nbytes = pass->nbytes;
    visit.space = WS_AT_GLOBAL;
    visit.is_write = pass->is_write;
    one = ws_judge_found(judge, is_inside ? WS_RUN_FREED : WS_RUN_BOUNDS, &visit);
    if (piece != NULL) {
        one.object.inside = (int64_t)inside;
        one.object.nbytes = piece->asked;
        one.other = piece->owner.step;
        one.other_block = piece->owner.block;
        one.other_thread = piece->owner.thread;
    }
    ws_found_add(&judge->found, &one);
}

/* The heap: lanes whose bytes lie in one piece that is in use. malloc orders what its caller does after all that was done
 * to these bytes when they were another piece's. */
static inline uint32_t ws_heap_pass(ws_judge *judge, const ws_arrays *arrays, const ws_region *region,
                                    const ws_array_shadow *shadow, const ws_pass *pass) {
    ws_output *output = judge->launch->output;
    uint32_t inside = 0, left;
    if (arrays->lock != NULL) ws_lock(arrays->lock);
    ws_lock(&output->lock);
    for (left = pass->mask; left != 0; left &= left - 1) {
        const int lane = ws_first_lane(left);
        const uint64_t at = pass->offset[lane];
        ws_heap_piece *piece = ws_heap_find(output, region->base + at);
        if (piece == NULL || !piece->is_used || at - piece->at + pass->nbytes > piece->asked) {
            ws_heap_report(judge, pass, lane, region->base + at, piece);
            continue;
        }
        if (piece->is_again && shadow->is_used) ws_array_forget(shadow, arrays, piece->at, piece->nbytes);
        piece->is_again = false;
        inside |= UINT32_C(1) << lane;
    }
    ws_unlock(&output->lock);
    if (arrays->lock != NULL) ws_unlock(arrays->lock);
    return inside;
}

/* The lanes of the mask lie in one region: their offsets in it. */
static inline void ws_array_pass(ws_judge *judge, const ws_arrays *arrays, const ws_region *region,
                                 ws_array_shadow *shadow, ws_pass *pass) {
    const bool is_told = shadow->is_unwritten || region->kind == WS_REGION_HEAP;
    ws_crowd none = ws_crowd_make(NULL, 0, 0), *crowd = arrays->crowd != NULL ? arrays->crowd : &none;
    uint32_t left, shift, size;
    pass->memory = region->bytes;
    pass->base = region->base;
    if (arrays->lock != NULL) ws_lock(arrays->lock);
    if (shadow->is_coarse && (pass->nbytes | pass->alignment) % (1 << WS_ARRAY_COARSE) != 0)
        ws_array_refine(shadow, arrays, region->nbytes);
    shadow->is_used = true;
    shift = shadow->is_coarse ? (uint32_t)WS_ARRAY_COARSE : arrays->shift;
    size = UINT32_C(1) << shift;
    for (left = pass->mask; left != 0; left &= left - 1) {
        const int lane = ws_first_lane(left);
        const uint32_t from = pass->offset[lane];
        uint32_t at;
        for (at = from; at < from + pass->nbytes; at += size) {
            ws_array_cell *one = &shadow->cells[at >> shift];
            pass->is_told = is_told || (one->cell.write.time == 0 && one->block[0] == WS_ARRAY_GONE);
            if (ws_array_is_quiet(judge, crowd, one, pass, lane) || ws_array_is_first(judge, one, pass, lane))
                ws_pass_hole(pass, lane, at - from, size);
            else ws_array_visit(judge, crowd, pass, one, at, size, lane);
        }
    }
    if (arrays->lock != NULL) ws_unlock(arrays->lock);
}

/* The accesses of a warp to global memory, region by region; those of lanes that lie outside or
 * misaligned end the launch, not here. */
static inline uint32_t ws_arrays_pass(ws_judge *judge, const ws_arrays *arrays, const ws_space_map *map,
                                      const uint64_t address[WS_LANES], ws_pass *pass) {
    uint32_t offset[WS_LANES], left = pass->mask;
    pass->offset = offset;
    while (left != 0) {
        const ws_region *region = ws_space_find(map, address[ws_first_lane(left)], pass->nbytes);
        ws_array_shadow *shadow;
        uint32_t inside = 0, others;
        if (region == NULL) {
            left &= left - 1;
            continue;
        }
        for (others = left; others != 0; others &= others - 1) {
            const int lane = ws_first_lane(others);
            const uint64_t at = address[lane] - region->base;
            if (at > region->nbytes - pass->nbytes || at >= UINT32_MAX - pass->nbytes) continue;
            if ((address[lane] & (pass->alignment - 1)) != 0) continue;
            offset[lane] = (uint32_t)at;
            inside |= UINT32_C(1) << lane;
        }
        pass->mask = inside;
        shadow = &arrays->shadows[region - map->regions];
        if (region->kind == WS_REGION_HEAP) pass->mask = ws_heap_pass(judge, arrays, region, shadow, pass);
        if (shadow->cells != NULL) ws_array_pass(judge, arrays, region, shadow, pass);
        left &= ~(inside | (left & (0u - left)));
    }
    pass->offset = NULL;
    return pass->unwritten;
}

/* 128 bytes of an array hold nobody knows what, until somebody writes them. */
static inline void ws_arrays_discard(const ws_arrays *arrays, const ws_space_map *map, uint64_t address) {
    const ws_region *region = ws_space_find(map, address, WS_DISCARDED);
    ws_array_shadow *shadow = region != NULL ? &arrays->shadows[region - map->regions] : NULL;
    const ws_array_cell gone = {{{0, 0}, {{0, 0}}, 0}, {WS_ARRAY_GONE}};
    uint32_t shift;
    uint64_t i;
    if (shadow == NULL || shadow->cells == NULL || address % WS_DISCARDED != 0) return;
    if (arrays->lock != NULL) ws_lock(arrays->lock);
    shift = shadow->is_coarse ? (uint32_t)WS_ARRAY_COARSE : arrays->shift;
    for (i = (address - region->base) >> shift; i < (address - region->base + WS_DISCARDED) >> shift; i++)
        shadow->cells[i] = gone;
    if (arrays->lock != NULL) ws_unlock(arrays->lock);
}

#endif
