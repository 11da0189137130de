/* Which layout of a tile is best? Every candidate in an array is counted exactly or rejected with a reason.
 *
 * The candidates are layouts of one tile that differ in padding, swizzle and order. Offsets before the swizzle are
 * computed once for each order and pitch; a candidate is then one XOR and a count by the kernels of simd/passes.h.
 *
 *     candidates -> reject -> offset ^ moved bits -> wavefronts of both sides -> cycles
 *     -> (search_rank.h) best first, Pareto set
 *
 * Nothing is sampled and nothing is assumed to be linear: paddings and sizes that are not powers of two are counted
 * like any other. */
#ifndef WARPSIM_TILE_SEARCH_H
#define WARPSIM_TILE_SEARCH_H

#include "../base/cpu.h"
#include "../time/profile.h"
#include "layout.h"

/* Why a candidate is not counted; tested in this order. */
typedef enum ws_search_reason {
    WS_SEARCH_COUNTED = 0,
    WS_SEARCH_PAD,
    WS_SEARCH_COVER,
    WS_SEARCH_PITCH,
    WS_SEARCH_SWIZZLE,
    WS_SEARCH_BYTES,
    WS_SEARCH_SHARED,
    WS_SEARCH_REASON_COUNT
} ws_search_reason;

static inline const char *ws_search_reason_word(int reason) {
    static const char *const words[WS_SEARCH_REASON_COUNT] = {
        "counted",
        "the padded row is not a whole number of bytes or packed pieces",
        "the instructions do not cover the tile evenly",
        "the pitch misaligns rows",
        "the swizzle splits or misaligns accesses",
        "more than max_bytes",
        "more shared memory than a block of the target can have",
    };
    return reason >= 0 && reason < WS_SEARCH_REASON_COUNT ? words[reason] : "?";
}

enum { WS_SEARCH_MOST_OPS = 16 };

typedef struct ws_search_terms {
    ws_op op[WS_SEARCH_MOST_OPS];      /* fills the tile: st, stmatrix, cp.async; or reads it: ld, ldmatrix */
    double weight[WS_SEARCH_MOST_OPS]; /* of its cycles in the sum */
    int count;
    int64_t warps;
    int64_t max_bytes;         /* of a candidate */
    const ws_profile *profile; /* of the target */
    int simd;                  /* WS_SIMD_AUTO, or the level to work at: the results are the same */
} ws_search_terms;

/* `store` and `load` as issued by `warps` warps; any size that fits into a block of the target. The profile must
 * outlive the terms. */
static inline ws_search_terms ws_search_terms_make(const ws_op *store, const ws_op *load, int64_t warps,
                                                   const ws_profile *profile) {
    ws_search_terms terms;
    terms.op[0] = *store;
    terms.op[1] = *load;
    terms.weight[0] = terms.weight[1] = 1.0;
    terms.count = 2;
    terms.warps = warps;
    terms.max_bytes = INT64_MAX;
    terms.profile = profile;
    terms.simd = WS_SIMD_AUTO;
    return terms;
}

typedef struct ws_search_row {
    int64_t rejected;         /* ws_search_reason; then the rest is 0 */
    int64_t store_wavefronts; /* of all stores */
    int64_t load_wavefronts;  /* of all loads */
    int64_t bytes;
    double cycles; /* of all instructions, one after the other, each times its weight */
} ws_search_row;

/* Words of 64 bits of storage that ws_search needs for these candidates. */
WS_PUBLIC size_t ws_search_words(const ws_layout *candidate, size_t n, const ws_search_terms *terms);

/* One row for each of the n candidates; `storage`: ws_search_words words of 64 bits, as malloc gives them. */
WS_PUBLIC ws_status ws_search(const ws_layout *candidate, size_t n, const ws_search_terms *terms, void *storage,
                              ws_search_row *row, ws_error *error);

#if WS_BODIES
#include "search_side.h"
#include "side.h"

static inline bool ws_search_same_tile(const ws_layout *a, const ws_layout *b) {
    return a->rows == b->rows && a->cols == b->cols && a->element_bits == b->element_bits && a->packed == b->packed &&
           a->col_major == b->col_major && a->row_at == b->row_at && a->col_at == b->col_at;
}

WS_PUBLIC size_t ws_search_words(const ws_layout *candidate, size_t n, const ws_search_terms *terms) {
    size_t i, most = 0;
    int side;
    for (i = 0; i < n; i++) {
        size_t words = 0;
        ws_layout plain = candidate[i];
        if (i > 0 && ws_search_same_tile(&candidate[i], &candidate[i - 1])) continue;
        plain.pad = 0;
        plain.swizzle.bits = 0;
        if (ws_layout_nbytes(&plain) > ws_profile_shared_bytes(terms->profile)) continue;
        for (side = 0; side < terms->count; side++) {
            ws_tiling tiling;
            if (ws_tile_cover(&plain, &terms->op[side], terms->warps, &tiling, NULL) == WS_OK) {
                words += ws_search_side_words(&terms->op[side], tiling.units);
            }
        }
        if (words > most) most = words;
    }
    return most;
}

static inline ws_search_reason ws_search_reject(const ws_layout *layout, bool covered, const ws_search_terms *terms,
                                                int64_t *bytes) {
    const int64_t run = layout->col_major ? layout->rows : layout->cols,
                  shared = ws_profile_shared_bytes(terms->profile);
    int i;
    if ((run + layout->pad) % ws_layout_run_unit(layout) != 0) return WS_SEARCH_PAD;
    if (!covered) return WS_SEARCH_COVER;
    for (i = 0; i < terms->count; i++) {
        if (!ws_tile_pitch_fits(layout, &terms->op[i])) return WS_SEARCH_PITCH;
    }
    for (i = 0; i < terms->count; i++) {
        if (!ws_tile_swizzle_fits(layout, &terms->op[i])) return WS_SEARCH_SWIZZLE;
    }
    *bytes = ws_layout_nbytes(layout);
    if (*bytes > terms->max_bytes) return WS_SEARCH_BYTES;
    return *bytes > shared ? WS_SEARCH_SHARED : WS_SEARCH_COUNTED;
}

/* A search in progress, for callers that count a few candidates at a time. */
typedef struct ws_search_run {
    const ws_search_terms *terms;
    uint64_t *storage;
    ws_search_side side[WS_SEARCH_MOST_OPS];
    bool covered; /* the tile of the candidate before */
    bool begun;   /* its sides have storage */
} ws_search_run;

/* Begins a search; `storage`: ws_search_words words of 64 bits for all candidates, as malloc gives them. */
static inline ws_status ws_search_begin(ws_search_run *run, const ws_search_terms *terms, void *storage,
                                        ws_error *error) {
    int i;
    ws_error_clear(error);
    if (terms->count < 1 || terms->count > WS_SEARCH_MOST_OPS) {
        return ws_error_set(error, WS_INVALID_ARGUMENT, "ws_search: expected 1 to 16 instructions");
    }
    for (i = 0; i < terms->count; i++) {
        if (!ws_tile_takes(&terms->op[i])) {
            return ws_error_set(error, WS_INVALID_ARGUMENT, "ws_search: store and load must have lane addresses");
        }
        run->side[i].op = terms->op[i];
    }
    run->terms = terms;
    run->storage = (uint64_t *)storage;
    run->covered = run->begun = false;
    return WS_OK;
}

/* Do all instructions cover the tile? Its sides have no storage yet. */
static inline void ws_search_cover(ws_search_run *run, const ws_layout *layout) {
    int i;
    run->covered = true;
    run->begun = false;
    for (i = 0; i < run->terms->count; i++) {
        ws_search_side *side = &run->side[i];
        run->covered &= ws_tile_cover(layout, &side->op, run->terms->warps, &side->tiling, NULL) == WS_OK;
    }
}

/* Counts a candidate that is not rejected. */
static inline void ws_search_fill(ws_search_run *run, const ws_layout *layout, int level, ws_search_row *row) {
    const ws_search_terms *terms = run->terms;
    uint64_t *storage = run->storage;
    int i;
    for (i = 0; i < terms->count && !run->begun; i++) storage = ws_search_side_begin(&run->side[i], storage);
    run->begun = true;
    for (i = 0; i < terms->count; i++) {
        const ws_search_known found = ws_search_count(&run->side[i], layout, terms->profile, level);
        if (ws_tile_side_takes(WS_TILE_STORE, &terms->op[i])) row->store_wavefronts += found.wavefronts;
        else row->load_wavefronts += found.wavefronts;
        row->cycles += terms->weight[i] * found.cycles;
    }
}

/* Fills row[i] for first <= i < last; first is where the previous call ended, or 0. */
static inline void ws_search_range(ws_search_run *run, const ws_layout *candidate, size_t first, size_t last,
                                   ws_search_row *row) {
    const int level = ws_simd_level(run->terms->simd);
    size_t i;
    for (i = first; i < last; i++) {
        const ws_layout *layout = &candidate[i];
        const ws_search_row nothing = {0, 0, 0, 0, 0.0};
        int64_t bytes = 0;
        row[i] = nothing;
        if (i == 0 || !ws_search_same_tile(layout, &candidate[i - 1])) ws_search_cover(run, layout);
        row[i].rejected = ws_search_reject(layout, run->covered, run->terms, &bytes);
        if (row[i].rejected != WS_SEARCH_COUNTED) continue;
        ws_search_fill(run, layout, level, &row[i]);
        row[i].bytes = bytes;
    }
}

WS_PUBLIC ws_status ws_search(const ws_layout *candidate, size_t n, const ws_search_terms *terms, void *storage,
                              ws_search_row *row, ws_error *error) {
    ws_search_run run;
    WS_RETURN_IF_ERROR(ws_search_begin(&run, terms, storage, error));
    ws_search_range(&run, candidate, 0, n, row);
    return WS_OK;
}

#endif /* WS_BODIES */
#endif
