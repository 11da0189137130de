/* One side of a search, its stores or its loads, from candidate to candidate.
 *
 * Offsets before the swizzle are made once for each order and pitch; a candidate is then one XOR of bits and a count by the kernels
 * of simd/passes.h. */
#ifndef WARPSIM_SEARCH_SIDE_H
#define WARPSIM_SEARCH_SIDE_H

#include "simd/swizzle.h"
#include "tile_check.h"
#include "tile_cost.h"
#include "tile_count.h"

/* One side of the search, between two candidates. */
typedef struct ws_search_side {
    ws_op op;
    ws_tiling tiling;
    int64_t pitch_bytes; /* of the offsets; 0: there are none yet; -1: no storage either */
    uint32_t *offset;    /* [units][32], before the swizzle; the caller's */
    uint32_t *address;   /* [units][32] */
    int64_t *wavefronts; /* [warps][steps] */
    uint64_t *source;    /* [units][32], of cp.async */
} ws_search_side;

/* Words of 64 bits that a side of so many units needs. */
static inline size_t ws_search_side_words(const ws_op *op, int64_t units) {
    return (size_t)units * (op->kind == WS_CP_ASYNC ? 2 * (size_t)WS_LANES + 1 : (size_t)WS_LANES + 1);
}

/* Gives a side its part of the storage; what is behind it. */
static inline uint64_t *ws_search_side_begin(ws_search_side *side, uint64_t *storage) {
    const int64_t lanes = side->tiling.units * WS_LANES;
    int64_t i;
    side->pitch_bytes = 0;
    side->offset = (uint32_t *)storage;
    side->address = (uint32_t *)storage + lanes;
    storage += lanes;
    side->wavefronts = (int64_t *)storage;
    storage += side->tiling.units;
    side->source = NULL;
    if (side->op.kind != WS_CP_ASYNC) return storage;
    side->source = storage;
    for (i = 0; i < side->tiling.units; i++) {
        const int64_t unit = ws_tiling_unit(&side->tiling, i / side->tiling.steps, i % side->tiling.steps);
        ws_tile_source(&side->op, &side->tiling, unit, side->source + i * WS_LANES);
    }
    return storage + lanes;
}

/* Offsets of all units at the layout's pitch, in the order of wavefronts[warps][steps]. */
static inline void ws_search_offsets(ws_search_side *side, const ws_layout *layout) {
    uint32_t *to = side->offset;
    int64_t warp, step;
    int lane;
    if (side->pitch_bytes == ws_layout_pitch_bytes(layout)) return;
    side->pitch_bytes = ws_layout_pitch_bytes(layout);
    for (warp = 0; warp < side->tiling.warps; warp++) {
        for (step = 0; step < side->tiling.steps; step++, to += WS_LANES) {
            int64_t offset[WS_LANES];
            ws_tile_unit(layout, &side->op, &side->tiling, ws_tiling_unit(&side->tiling, warp, step), offset);
            for (lane = 0; lane < WS_LANES; lane++) to[lane] = (uint32_t)offset[lane];
        }
    }
}

/* The layout's swizzle as one of bytes. Units of half a byte lose a bit below the first byte; no whole access has it. */
static inline ws_bit_move ws_search_move(const ws_layout *layout) {
    const ws_swizzle *swizzle = &layout->swizzle;
    const uint64_t field = ((UINT64_C(1) << swizzle->bits) - 1) << (swizzle->base + (swizzle->shift > 0 ? swizzle->shift : 0));
    const ws_bit_move move = {(uint32_t)(field * (uint64_t)ws_layout_unit_bits(layout) / 8), swizzle->shift};
    return move;
}

/* Counts one side of a candidate; the sum of its wavefronts. */
static inline int64_t ws_search_count(ws_search_side *side, const ws_layout *layout, int level) {
    enum { BLOCK = 64 /* units */ };
    const uint32_t *address = side->offset;
    const size_t units = (size_t)side->tiling.units;
    const ws_op op = ws_tile_shared_op(&side->op);
    ws_copy_recent recent;
    int64_t sum = 0;
    size_t first, i;
    ws_access access;
    ws_search_offsets(side, layout);
    if (layout->swizzle.bits != 0) {
        const ws_bit_move move = ws_search_move(layout);
        ws_bit_move_all(&move, side->offset, units * WS_LANES, side->address, level);
        address = side->address;
    }
    access = ws_access_make(address, units);
    access.simd = level;
    recent.kept = recent.next = 0;
    if (ws_count_is_uniform(&op, &access)) {
        ws_count_wavefronts(&op, &access, 0, units, side->wavefronts);
    } else {
        for (first = 0; first < units; first += BLOCK) {
            const size_t some = units - first < BLOCK ? units - first : (size_t)BLOCK;
            const uint64_t *source = side->source == NULL ? NULL : side->source + first * WS_LANES;
            ws_counts counts[BLOCK];
            ws_tile_count_units(&op, address + first * WS_LANES, source, some, level, &recent, counts);
            for (i = 0; i < some; i++) side->wavefronts[first + i] = (int64_t)counts[i].wavefronts;
        }
    }
    for (i = 0; i < units; i++) sum += side->wavefronts[i];
    return sum;
}

static inline double ws_search_cycles(const ws_search_side *side, int target) {
    return ws_tile_cycles(&side->op, target, side->wavefronts, side->tiling.warps, side->tiling.steps);
}

#endif
