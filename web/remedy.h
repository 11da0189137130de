/* What to use instead of a tile with conflicts: the nearest layout that the instruction reads without any. */
#ifndef WARPSIM_WEB_REMEDY_H
#define WARPSIM_WEB_REMEDY_H

#include "answer.h"

enum { REMEDY_SWIZZLES = 15, REMEDY_PADS = 8, REMEDY_COUNT = REMEDY_SWIZZLES + REMEDY_PADS };

/* The access of one warp at these addresses; `narrow` is room for 32 of them. */
static inline ws_access remedy_access(const ws_op *op, const uint64_t *address, uint32_t *narrow,
                                      const uint32_t *stride, int target) {
    const bool wide = op->space == WS_SPACE_GENERIC || op->space == WS_SPACE_GLOBAL;
    ws_access access = ws_access_make_64(address, 1);
    int lane;
    for (lane = 0; lane < WS_LANES; lane++) narrow[lane] = (uint32_t)address[lane];
    if (!wide || op->kind == WS_CP_ASYNC) access = ws_access_make(narrow, 1);
    if (op->kind == WS_MOVMATRIX) access.address = NULL;
    if (ws_op_is_wmma(op)) access.stride = stride;
    access.target = target;
    return access;
}

/* Candidate n of the same matrix: swizzles of 16-byte pieces, then paddings by such pieces. */
static inline ws_layout remedy_candidate(const ws_layout *layout, int n) {
    static const int8_t shifts[] = {3, 2, 4, 1, 5};
    const int bits = layout->packed ? 8 : layout->element_bits;
    ws_layout made = *layout;
    int base = 0;
    while (bits << base < 128) base++;
    made.pad = n < REMEDY_SWIZZLES ? 0 : (int64_t)(n - REMEDY_SWIZZLES + 1) << base;
    made.swizzle = ws_swizzle_make(n < REMEDY_SWIZZLES ? 3 - n % 3 : 0, base, n < REMEDY_SWIZZLES ? shifts[n / 3] : 0);
    made.swizzle.unit_is_byte = layout->packed;
    return made;
}

/* Counts op in a layout; false where it, or what fills the tile, cannot use that layout. */
static inline bool remedy_count(const tile_state *tile, const ws_layout *layout, const ws_op *op, const ws_op *fill,
                                int target, ws_counts *counts) {
    tile_state tried = *tile;
    uint64_t address[WS_LANES];
    uint32_t narrow[WS_LANES], stride = 0;
    ws_access access;
    tried.layout = *layout;
    tile_check(&tried);
    if (ws_op_is_wmma(op)) stride = tile_stride(&tried, op);
    else if (!ws_tile_pitch_fits(layout, op) || !ws_tile_swizzle_fits(layout, op)) return false;
    if (fill != NULL && !(ws_tile_pitch_fits(layout, fill) && ws_tile_swizzle_fits(layout, fill))) return false;
    if (!tile_addresses(&tried, op, address)) return false;
    access = remedy_access(op, address, narrow, &stride, target);
    return ws_count(op, &access, counts, NULL) == WS_OK;
}

/* The first layout with the fewest wavefronts, if they are fewer than `wavefronts`; `fill` may be NULL. */
static inline void remedy_write(ws_text *out, const tile_state *tile, const ws_op *op, const ws_op *fill, int target,
                                const ws_counts *now) {
    ws_layout best = tile->layout;
    ws_counts least = *now;
    int n;
    for (n = 0; n < REMEDY_COUNT && least.wavefronts > least.ideal_wavefronts; n++) {
        const ws_layout layout = remedy_candidate(&tile->layout, n);
        ws_counts counts = {0, 0, 0, 0, 0, 0};
        if (!remedy_count(tile, &layout, op, fill, target, &counts) || counts.wavefronts >= least.wavefronts) continue;
        least = counts;
        best = layout;
    }
    if (least.wavefronts == now->wavefronts) return;
    json_key(out, "remedy");
    json_open(out, "{");
    JSON_FIELD(out, "pad", json_int(out, best.pad));
    JSON_FIELD(out, "B", json_int(out, best.swizzle.bits));
    JSON_FIELD(out, "M", json_int(out, best.swizzle.base));
    JSON_FIELD(out, "S", json_int(out, best.swizzle.shift));
    JSON_FIELD(out, "unit", json_string(out, best.swizzle.unit_is_byte ? "byte" : "element"));
    JSON_FIELD(out, "traffic", answer_counts(out, &least));
    json_close(out, "}");
}

#endif
