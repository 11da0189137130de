/* One side of a search, its stores or its loads, from candidate to candidate.
 *
 * Offsets before the swizzle are computed once for each order and pitch; a candidate is then one XOR and a count by the
 * kernels of simd/passes.h. A swizzle moves different words to different words, so wavefronts depend only on the banks,
 * bits 2 to 6 of an address: swizzles of one pitch that give these bits the same sources are counted once.
 *
 *     Swizzle<3,4,4> of bytes   bank bits    6 5 4 3 2       Swizzle<4,4,4>: the same, and 7 from 11, not a bank bit
 *                               sources     10 9 8 - - */
#ifndef WARPSIM_TILE_SEARCH_SIDE_H
#define WARPSIM_TILE_SEARCH_SIDE_H

#include "../simd/swizzle.h"
#include "check.h"
#include "cost.h"
#include "count.h"

/* The cost of swizzles with these sources of the bank bits. */
typedef struct ws_search_known {
    uint32_t banks;
    int64_t wavefronts;
    double cycles;
} ws_search_known;

enum { WS_SEARCH_KNOWN = 64 };

/* One side of the search, kept from candidate to candidate. */
typedef struct ws_search_side {
    ws_op op;
    ws_tiling tiling;
    int64_t pitch_bytes;                    /* of the offsets; 0: not computed yet */
    uint32_t *offset;                       /* [units][32], before the swizzle; the caller's */
    uint32_t *address;                      /* [units][32] */
    int64_t *wavefronts;                    /* [warps][steps] */
    uint64_t *source;                       /* [units][32], of cp.async */
    ws_search_known known[WS_SEARCH_KNOWN]; /* at this pitch */
    int known_count;
} ws_search_side;

/* Words of 64 bits that a side with this many units needs. */
static inline size_t ws_search_side_words(const ws_op *op, int64_t units) {
    return (size_t)units * (op->kind == WS_CP_ASYNC ? 2 * (size_t)WS_LANES + 1 : (size_t)WS_LANES + 1);
}

/* Gives a side its part of the storage; returns the rest. */
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
    side->known_count = 0;
    for (warp = 0; warp < side->tiling.warps; warp++) {
        for (step = 0; step < side->tiling.steps; step++, to += WS_LANES) {
            int64_t offset[WS_LANES];
            ws_tile_unit(layout, &side->op, &side->tiling, ws_tiling_unit(&side->tiling, warp, step), offset);
            for (lane = 0; lane < WS_LANES; lane++) to[lane] = (uint32_t)offset[lane];
        }
    }
}

/* The layout's swizzle in bytes. Half-byte units lose a bit below the first byte, which no whole access has. */
static inline ws_bit_move ws_search_move(const ws_layout *layout) {
    const ws_swizzle *swizzle = &layout->swizzle;
    const uint64_t field = ((UINT64_C(1) << swizzle->bits) - 1)
                           << (swizzle->base + (swizzle->shift > 0 ? swizzle->shift : 0));
    const ws_bit_move move = {(uint32_t)(field * (uint64_t)ws_layout_unit_bits(layout) / 8), swizzle->shift};
    return move;
}

/* Sources of bank bits 2 to 6, five bits each; 0: none that is ever set. False if the banks do not decide: for accesses
 * that share words, and for copies with .cg, which depends on lines of 128 bytes, if bits below a line change its
 * number. */
static inline bool ws_search_banks(const ws_layout *layout, const ws_op *op, uint32_t *banks) {
    const ws_bit_move move = ws_search_move(layout);
    const int64_t last = ws_layout_plain_bytes(layout) - 1;
    int bit;
    *banks = 0;
    for (bit = 2; bit <= 6; bit++) {
        const int from = bit + move.down;
        if (from < 2 || from > 31 || !(move.source >> from & 1) || last >> from == 0) continue;
        *banks |= (uint32_t)from << 5 * (bit - 2);
    }
    if (op->cache == WS_CACHE_CG && move.down < 0 && (move.source & 127) != 0) return false;
    return ws_op_access_bytes(op) >= 4;
}

/* Wavefronts of all units for these lane addresses. */
static inline void ws_search_count_units(ws_search_side *side, const uint32_t *address, int level) {
    enum { BLOCK = 64 /* units */ };
    const size_t units = (size_t)side->tiling.units;
    const ws_plan plan = ws_tile_plan(&side->op, level);
    const ws_access access = ws_access_make(address, units);
    ws_copy_recent recent;
    size_t first, i;
    if (ws_count_is_uniform(&plan, &access)) {
        ws_count_wavefronts(&plan, &access, 0, units, side->wavefronts);
        return;
    }
    recent.kept = recent.next = 0;
    for (first = 0; first < units; first += BLOCK) {
        const size_t some = units - first < BLOCK ? units - first : (size_t)BLOCK;
        const uint64_t *source = side->source == NULL ? NULL : side->source + first * WS_LANES;
        ws_counts counts[BLOCK];
        ws_tile_count_units(&plan, address + first * WS_LANES, source, some, &recent, counts);
        for (i = 0; i < some; i++) side->wavefronts[first + i] = (int64_t)counts[i].wavefronts;
    }
}

/* Counts one side of a candidate. */
static inline ws_search_known ws_search_count(ws_search_side *side, const ws_layout *layout, const ws_profile *profile,
                                              int level) {
    const uint32_t *address = side->offset;
    ws_search_known found = {0, 0, 0.0};
    const bool keep = ws_search_banks(layout, &side->op, &found.banks);
    int64_t i;
    ws_search_offsets(side, layout);
    for (i = 0; keep && i < side->known_count && i < WS_SEARCH_KNOWN; i++) {
        if (side->known[i].banks == found.banks) return side->known[i];
    }
    if (layout->swizzle.bits != 0) {
        const ws_bit_move move = ws_search_move(layout);
        ws_bit_move_all(&move, side->offset, (size_t)side->tiling.units * WS_LANES, side->address, level);
        address = side->address;
    }
    ws_search_count_units(side, address, level);
    for (i = 0; i < side->tiling.units; i++) found.wavefronts += side->wavefronts[i];
    found.cycles = ws_tile_cycles(&side->op, profile, side->wavefronts, side->tiling.warps, side->tiling.steps);
    if (keep) side->known[side->known_count++ % WS_SEARCH_KNOWN] = found;
    return found;
}

#endif
