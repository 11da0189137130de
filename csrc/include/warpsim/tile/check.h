/* Do the accesses of a tile stay whole and aligned? Exactly: a swizzle that moves nothing of this image breaks nothing.
 *
 *     pitch       if the second run does not start aligned for the access, no swizzle helps
 *     swizzle     an access is n units (a power of two) from a multiple of n: the low bits of a position tell the unit.
 *                 It stays whole if no source bit is among those, and aligned if no destination bit is whose source is
 *                 ever set
 *
 *                     place   | . . s s s . d d d . . | n n n |
 *
 * The tile starts at a multiple of 128 bytes. This file knows nothing about what the accesses cost. */
#ifndef WARPSIM_TILE_CHECK_H
#define WARPSIM_TILE_CHECK_H

#include "tile.h"

/* Do tables keep the elements of each access together and aligned? */
static inline bool ws_tile_tables_fit(const ws_layout *layout, const ws_op *op) {
    const int64_t piece = ws_layout_piece_elements(layout, op), run = ws_layout_run(layout);
    const int64_t *outer_at = ws_layout_outer_at(layout), *inner_at = ws_layout_inner_at(layout);
    int64_t i;
    for (i = 0; i < ws_layout_runs(layout); i++) {
        if ((outer_at[i] + inner_at[0]) % piece != 0) return false;
    }
    for (i = 0; i < run; i++) {
        const int64_t begin = i - i % piece;
        if (inner_at[i] - inner_at[begin] != i - begin || (outer_at[0] + inner_at[begin]) % piece != 0) return false;
    }
    return true;
}

/* Are all runs aligned for the op, before the swizzle? */
static inline bool ws_tile_pitch_fits(const ws_layout *layout, const ws_op *op) {
    if (layout->row_at != NULL) return ws_tile_tables_fit(layout, op);
    return ws_layout_runs(layout) == 1 || ws_layout_pitch_bytes(layout) % ws_op_access_bytes(op) == 0;
}

/* Legal pitches below and above one that does not fit; the lower one is large enough, since whole accesses cover a
 * run. */
static inline int64_t ws_tile_pitch_below(const ws_layout *layout, const ws_op *op) {
    return ws_layout_pitch_bytes(layout) / ws_op_access_bytes(op) * ws_op_access_bytes(op);
}

/* The padding, in elements, that gives this pitch. */
static inline int64_t ws_tile_pad_of(const ws_layout *layout, int64_t pitch_bytes) {
    const int64_t run = layout->col_major ? layout->rows : layout->cols;
    return (layout->packed ? pitch_bytes : pitch_bytes * 8 / layout->element_bits) - run;
}

/* Swizzle units in an access; at least 1. */
static inline uint64_t ws_tile_access_units(const ws_layout *layout, const ws_op *op) {
    return (uint64_t)ws_op_access_bytes(op) * 8 / (uint64_t)ws_layout_unit_bits(layout);
}

/* Bits, in units, that are set in the start of some access-sized piece of the image. */
static inline uint64_t ws_tile_place_bits(const ws_layout *layout, const ws_op *op) {
    const uint64_t bytes = (uint64_t)ws_layout_plain_bytes(layout), units = ws_tile_access_units(layout, op);
    uint64_t bits = (bytes - 1) * 8 / (uint64_t)ws_layout_unit_bits(layout) / units * units;
    int shift;
    for (shift = 1; shift < 64; shift *= 2) bits |= bits >> shift;
    return bits & ~(units - 1);
}

/* Does the swizzle keep every access-sized piece of the image, padding included, whole and aligned? */
static inline bool ws_tile_swizzle_fits(const ws_layout *layout, const ws_op *op) {
    const ws_swizzle *swizzle = &layout->swizzle;
    const uint64_t units = ws_tile_access_units(layout, op), field = ((UINT64_C(1) << swizzle->bits) - 1)
                                                                     << swizzle->base;
    const uint64_t source = swizzle->shift > 0 ? field << swizzle->shift : field;
    const uint64_t harm =
        swizzle->shift > 0 ? (field & (units - 1)) << swizzle->shift : 0; /* sources that move by less than a piece */
    if (source & (units - 1)) return false;
    return harm == 0 || (harm & ws_tile_place_bits(layout, op)) == 0;
}

/* The lowest M such that no swizzle with this M or a higher one can break an access of the op. */
static inline int ws_tile_safe_base(const ws_layout *layout, const ws_op *op) {
    const uint64_t units = ws_tile_access_units(layout, op);
    int base = 0;
    while (units >> base > 1) base++;
    return base;
}

#endif
