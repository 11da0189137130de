/* How a matrix lies in memory, bit by bit, and how warps cover it; which layouts are legal, by looking at every place. */
#ifndef REFERENCE_LAYOUT_H
#define REFERENCE_LAYOUT_H

#include "count.h"

REFERENCE_BEGIN

typedef struct ref_layout {
    int rows, cols, pad, bits; /* of an element */
    bool packed;               /* 16 elements in 16 bytes */
    bool by_col;
    int b, m, s;   /* Swizzle<B, M, S>; B = 0: none */
    bool in_bytes; /* what the swizzle counts; else elements */
} ref_layout;

static inline int ref_run(const ref_layout *l) { return l->by_col ? l->rows : l->cols; }
static inline int ref_runs(const ref_layout *l) { return l->by_col ? l->cols : l->rows; }

/* Bits from the begin of a run. */
static inline uint64_t ref_along_bits(const ref_layout *l, int elements) {
    if (!l->packed) return (uint64_t)elements * (uint64_t)l->bits;
    return (uint64_t)(elements / 16) * 128 + (uint64_t)(elements % 16 * l->bits);
}

static inline uint64_t ref_pitch_bits(const ref_layout *l) { return ref_along_bits(l, ref_run(l) + l->pad); }
static inline uint64_t ref_unit_bits(const ref_layout *l) { return l->in_bytes || l->packed ? 8 : (uint64_t)l->bits; }
static inline uint64_t ref_dense_bytes(const ref_layout *l) { return (uint64_t)ref_runs(l) * ref_pitch_bits(l) / 8; }

/* Each of the B bits from M + max(S, 0) on is XORed onto the one S lower. */
static inline uint64_t ref_swizzle(const ref_layout *l, uint64_t place) {
    uint64_t moved = place;
    for (int i = 0; i < l->b; i++) {
        const int from = l->m + (l->s > 0 ? l->s : 0) + i, to = l->m + (l->s < 0 ? -l->s : 0) + i;
        moved ^= (place >> from & 1) << to;
    }
    return moved;
}

/* The byte to which a bit of the image goes. */
static inline uint64_t ref_moved_byte(const ref_layout *l, uint64_t bit) {
    const uint64_t unit = ref_unit_bits(l);
    return (ref_swizzle(l, bit / unit) * unit + bit % unit) / 8;
}

static inline uint64_t ref_offset(const ref_layout *l, int row, int col) {
    const int line = l->by_col ? col : row, along = l->by_col ? row : col;
    return ref_moved_byte(l, (uint64_t)line * ref_pitch_bits(l) + ref_along_bits(l, along));
}

/* One past the last byte to which the image goes. */
static inline uint64_t ref_end_byte(const ref_layout *l) {
    const uint64_t unit = ref_unit_bits(l), units = ref_dense_bytes(l) * 8 / unit;
    uint64_t last = 0;
    if (l->b == 0) return ref_dense_bytes(l);
    for (uint64_t i = 0; i < units; i++) last = ref_swizzle(l, i) > last ? ref_swizzle(l, i) : last;
    return ((last + 1) * unit + 7) / 8;
}

/* A run with its padding is a whole number of bytes, or of packed pieces. */
static inline bool ref_is_spelled(const ref_layout *l) {
    return l->packed ? (ref_run(l) + l->pad) % 16 == 0 : (ref_run(l) + l->pad) * l->bits % 8 == 0;
}

static inline bool ref_runs_are_aligned(const ref_layout *l, int width) {
    for (int line = 0; line < ref_runs(l); line++) {
        if ((uint64_t)line * ref_pitch_bits(l) % (8 * (uint64_t)width) != 0) return false;
    }
    return true;
}

/* Every piece of that many bytes of the image stays whole, in order and aligned. */
static inline bool ref_pieces_stay_whole(const ref_layout *l, int width) {
    const uint64_t unit = ref_unit_bits(l), units = (uint64_t)width * 8 / unit, bytes = ref_dense_bytes(l);
    for (uint64_t byte = 0; byte < bytes && l->b > 0; byte += (uint64_t)width) {
        const uint64_t first = byte * 8 / unit, to = ref_swizzle(l, first);
        if (to % units != 0) return false;
        for (uint64_t i = 1; i < units; i++) {
            if (ref_swizzle(l, first + i) != to + i) return false;
        }
    }
    return true;
}

enum { REF_MOST_UNITS = 256 };

typedef struct ref_unit {
    uint64_t address[REF_LANES];
    uint64_t source[REF_LANES]; /* of cp.async: the tile is dense there */
} ref_unit;

/* The blocks of matrices of one instruction: the second below the first, the third to the right. */
static inline int ref_matrix_units(const ref_layout *l, const ref_form *f, ref_unit *unit) {
    const int wide = l->packed ? f->width : f->width * 8 / l->bits, high = f->rows;
    const int down = f->num >= 2 ? 2 : 1, right = f->num / down;
    const int block_rows = down * (l->by_col ? wide : high), block_cols = right * (l->by_col ? high : wide);
    const int block_run = l->by_col ? block_rows : block_cols, block_runs = l->by_col ? block_cols : block_rows;
    int n = 0;
    if (wide < 1 || l->rows % block_rows != 0 || l->cols % block_cols != 0 || (l->packed && ref_run(l) % 16 != 0))
        return 0;
    for (int outer = 0; outer < ref_runs(l); outer += block_runs) {
        for (int inner = 0; inner < ref_run(l); inner += block_run, n++) {
            for (int lane = 0; lane < REF_LANES && n < REF_MOST_UNITS; lane++) {
                const int matrix = lane % f->lanes / high, line = lane % high;
                const int below = matrix % 2, beside = matrix / 2;
                const int run = outer + (l->by_col ? beside : below) * high + line;
                const int along = inner + (l->by_col ? below : beside) * wide;
                const uint64_t bits = l->packed ? 8 : (uint64_t)l->bits; /* packed: as many bytes as elements */
                unit[n].address[lane] = ref_moved_byte(l, (uint64_t)run * ref_pitch_bits(l) + (uint64_t)along * bits);
                unit[n].source[lane] = 0;
            }
        }
    }
    return n;
}

/* 32 pieces each, along the runs; the last unit repeats its last piece. */
static inline int ref_piece_units(const ref_layout *l, const ref_form *f, ref_unit *unit) {
    const uint64_t width = (uint64_t)f->width * 8, run = ref_along_bits(l, ref_run(l));
    int pieces, per_run, n;
    if (run % width != 0 || (l->packed && ref_run(l) % 16 != 0) || (!l->packed && width < (uint64_t)l->bits)) return 0;
    per_run = (int)(run / width);
    pieces = per_run * ref_runs(l);
    for (n = 0; n * REF_LANES < pieces; n++) {
        for (int lane = 0; lane < REF_LANES && n < REF_MOST_UNITS; lane++) {
            const int asked = n * REF_LANES + lane, piece = asked < pieces ? asked : pieces - 1;
            unit[n].address[lane] = ref_moved_byte(l, (uint64_t)(piece / per_run) * ref_pitch_bits(l) +
                                                          (uint64_t)(piece % per_run) * width);
            unit[n].source[lane] = (uint64_t)piece * (uint64_t)f->width;
        }
    }
    return n;
}

static inline bool ref_has_units(const ref_form *f) { return !ref_is_wmma(f) && f->kind != REF_MOVMATRIX; }

/* Lane addresses of every unit; how many; 0 where they do not cover the tile. */
static inline int ref_units(const ref_layout *l, const ref_form *f, ref_unit *unit) {
    if (!ref_has_units(f)) return 0;
    return ref_is_matrix(f) ? ref_matrix_units(l, f, unit) : ref_piece_units(l, f, unit);
}

/* What a unit counts in shared memory. */
static inline ref_counts ref_count_unit(const ref_form *f, const ref_unit *unit) {
    ref_form shared = *f;
    ref_issue issue;
    shared.shared = true;
    shared.global = false;
    memcpy(issue.address, unit->address, sizeof issue.address);
    memcpy(issue.source, unit->source, sizeof issue.source);
    issue.active = UINT32_MAX;
    issue.exited = 0;
    issue.target = 0;
    return ref_count(&shared, NULL, &issue, 0);
}

REFERENCE_END

#endif
