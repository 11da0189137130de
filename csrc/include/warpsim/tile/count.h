/* The shared-memory traffic of one side of a tile, its stores or its loads: counters of every step.
 *
 * cp.async copies the same tile from global memory, where it is dense and starts at a 128-byte boundary, unit after
 * unit. A copy whose destinations are those of another, all shifted by whole lines of 128 bytes, costs the same: such
 * copies are counted once.
 *
 * This file knows nothing about whether the accesses are legal. */
#ifndef WARPSIM_TILE_COUNT_H
#define WARPSIM_TILE_COUNT_H

#include "../count/traffic.h"
#include "tile.h"

/* Those of every step, counts[warps][steps]. */
WS_PUBLIC void ws_tile_count(const ws_layout *layout, const ws_op *op, const ws_tiling *tiling, int simd,
                             ws_counts *counts);

/* Counters of the steps begin <= i < end, where i = warp * steps + step, into counts[i]; the tile's bytes have 32-bit
 * addresses. */
WS_PUBLIC void ws_tile_count_range(const ws_layout *layout, const ws_op *op, const ws_tiling *tiling, int simd,
                                   int64_t begin, int64_t end, ws_counts *counts);

/* Bit set of ws_counter: the counters that are approximations here. */
WS_PUBLIC uint32_t ws_tile_inexact(const ws_op *op, const ws_tiling *tiling);

#if WS_BODIES
#include "../count/count.h"

/* Destinations of counted copies, moved to the first line. The sources of units differ only by whole lines; the partial
 * unit, which repeats its last piece, is recognised by its destinations. */
enum { WS_COPY_RECENT = 16, WS_COPY_LINE = 128 };

typedef struct ws_copy_recent {
    uint32_t to[WS_COPY_RECENT][WS_LANES];
    ws_counts counts[WS_COPY_RECENT];
    int kept;
    int next; /* the one that is replaced by another */
} ws_copy_recent;

static inline void ws_copy_count(const ws_plan *plan, const ws_access *access, size_t warp, ws_copy_recent *recent,
                                 ws_counts *counts) {
    const uint32_t *address = (const uint32_t *)access->address + warp * WS_LANES;
    const uint32_t line = address[0] / WS_COPY_LINE * WS_COPY_LINE;
    uint32_t *to = recent->to[recent->next];
    int i, lane;
    for (lane = 0; lane < WS_LANES; lane++) to[lane] = address[lane] - line;
    for (i = 0; i < recent->kept; i++) {
        uint32_t differ = 0;
        if (i == recent->next || to[WS_LANES - 1] != recent->to[i][WS_LANES - 1]) continue; /* most differ here */
        for (lane = 0; lane < WS_LANES; lane++) differ |= to[lane] ^ recent->to[i][lane];
        if (differ == 0) break;
    }
    if (i == recent->kept) {
        i = recent->next;
        recent->counts[i] = ws_count_warp(plan, access, warp);
        if (recent->kept < WS_COPY_RECENT) recent->kept++;
        recent->next = (i + 1) % WS_COPY_RECENT;
    }
    *counts = recent->counts[i];
}

/* The op in .shared: the addresses of a tile are offsets there. */
static inline ws_op ws_tile_shared_op(const ws_op *op) {
    ws_op shared = *op;
    if (op->kind == WS_LD || op->kind == WS_ST) shared.space = WS_SPACE_SHARED;
    return shared;
}

/* Counts of `units` accesses, address[units][32]; source[units][32] for cp.async, else NULL. */
static inline void ws_tile_count_units(const ws_plan *plan, const uint32_t *address, const uint64_t *source,
                                       size_t units, ws_copy_recent *recent, ws_counts *counts) {
    ws_access access = ws_access_make(address, units);
    size_t i;
    access.source = source;
    if (source == NULL) {
        ws_count_range(plan, &access, 0, units, counts, NULL);
        return;
    }
    for (i = 0; i < units; i++) ws_copy_count(plan, &access, i, recent, &counts[i]);
}

/* The op of one side, prepared for its accesses to shared memory. */
static inline ws_plan ws_tile_plan(const ws_op *op, int simd) {
    const ws_op shared = ws_tile_shared_op(op);
    ws_access access = ws_access_make(NULL, 0);
    access.simd = simd;
    return ws_plan_make(&shared, &access);
}

WS_PUBLIC uint32_t ws_tile_inexact(const ws_op *op, const ws_tiling *tiling) {
    const ws_access none = ws_access_make(NULL, 0);
    const bool repeats =
        op->cache == WS_CACHE_CA && tiling->pieces % WS_LANES != 0; /* sources that are not contiguous */
    return ws_count_inexact(op, &none) |
           (repeats ? WS_BIT(WS_COUNTER_WAVEFRONTS) | WS_BIT(WS_COUNTER_BANK_CONFLICTS) : 0);
}

WS_PUBLIC void ws_tile_count_range(const ws_layout *layout, const ws_op *op, const ws_tiling *tiling, int simd,
                                   int64_t begin, int64_t end, ws_counts *counts) {
    enum { BLOCK = 32 /* units */ };
    const ws_plan plan = ws_tile_plan(op, simd);
    const bool copies = op->kind == WS_CP_ASYNC;
    ws_copy_recent recent;
    int64_t first, i;
    recent.kept = recent.next = 0;
    for (first = begin; first < end; first += BLOCK) {
        const int64_t units = end - first < BLOCK ? end - first : (int64_t)BLOCK;
        uint32_t address[(size_t)BLOCK * WS_LANES];
        uint64_t source[(size_t)BLOCK * WS_LANES];
        for (i = 0; i < units; i++) {
            const int64_t unit = ws_tiling_unit(tiling, (first + i) / tiling->steps, (first + i) % tiling->steps);
            int64_t offset[WS_LANES];
            int lane;
            ws_tile_unit(layout, op, tiling, unit, offset);
            for (lane = 0; lane < WS_LANES; lane++) {
                address[i * WS_LANES + lane] = (uint32_t)ws_layout_swizzled(layout, (uint64_t)offset[lane] * 8);
            }
            if (copies) ws_tile_source(op, tiling, unit, source + i * WS_LANES);
        }
        ws_tile_count_units(&plan, address, copies ? source : NULL, (size_t)units, &recent, counts + first);
    }
}

WS_PUBLIC void ws_tile_count(const ws_layout *layout, const ws_op *op, const ws_tiling *tiling, int simd,
                             ws_counts *counts) {
    ws_tile_count_range(layout, op, tiling, simd, 0, tiling->units, counts);
}

#endif /* WS_BODIES */
#endif
