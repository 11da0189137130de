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

typedef struct ws_search_terms {
    ws_op store; /* fills the tile: st, stmatrix, cp.async */
    ws_op load;  /* reads it: ld, ldmatrix */
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
    terms.store = *store;
    terms.load = *load;
    terms.warps = warps;
    terms.max_bytes = INT64_MAX;
    terms.profile = profile;
    terms.simd = WS_SIMD_AUTO;
    return terms;
}

typedef struct ws_search_row {
    int64_t rejected; /* ws_search_reason; then the rest is 0 */
    int64_t store_wavefronts;
    int64_t load_wavefronts;
    int64_t bytes;
    double cycles; /* both sides, one after the other */
} ws_search_row;

/* Words of 64 bits of storage that ws_search needs for these candidates. */
WS_PUBLIC size_t ws_search_words(const ws_layout *candidate, size_t n, const ws_search_terms *terms);

/* One row for each of the n candidates; `storage`: ws_search_words words of 64 bits, as malloc gives them. */
WS_PUBLIC ws_status ws_search(const ws_layout *candidate, size_t n, const ws_search_terms *terms, void *storage,
                              ws_search_row *row, ws_error *error);

#if WS_BODIES
#include "search_side.h"

static inline bool ws_search_same_tile(const ws_layout *a, const ws_layout *b) {
    return a->rows == b->rows && a->cols == b->cols && a->element_bits == b->element_bits && a->packed == b->packed &&
           a->col_major == b->col_major;
}

WS_PUBLIC size_t ws_search_words(const ws_layout *candidate, size_t n, const ws_search_terms *terms) {
    const ws_op *ops[] = {&terms->store, &terms->load};
    size_t i, most = 0;
    int side;
    for (i = 0; i < n; i++) {
        size_t words = 0;
        ws_layout plain = candidate[i];
        if (i > 0 && ws_search_same_tile(&candidate[i], &candidate[i - 1])) continue;
        plain.pad = 0;
        plain.swizzle.bits = 0;
        if (ws_layout_nbytes(&plain) > ws_profile_shared_bytes(terms->profile)) continue;
        for (side = 0; side < 2; side++) {
            ws_tiling tiling;
            if (ws_tile_cover(&plain, ops[side], terms->warps, &tiling, NULL) == WS_OK) {
                words += ws_search_side_words(ops[side], tiling.units);
            }
        }
        if (words > most) most = words;
    }
    return most;
}

static inline ws_search_reason ws_search_reject(const ws_layout *layout, bool covered, const ws_search_side side[2],
                                                const ws_search_terms *terms, int64_t *bytes) {
    const int64_t run = layout->col_major ? layout->rows : layout->cols,
                  shared = ws_profile_shared_bytes(terms->profile);
    if ((run + layout->pad) % ws_layout_run_unit(layout) != 0) return WS_SEARCH_PAD;
    if (!covered) return WS_SEARCH_COVER;
    if (!ws_tile_pitch_fits(layout, &side[0].op) || !ws_tile_pitch_fits(layout, &side[1].op)) return WS_SEARCH_PITCH;
    if (!ws_tile_swizzle_fits(layout, &side[0].op) || !ws_tile_swizzle_fits(layout, &side[1].op))
        return WS_SEARCH_SWIZZLE;
    *bytes = ws_layout_nbytes(layout);
    if (*bytes > terms->max_bytes) return WS_SEARCH_BYTES;
    return *bytes > shared ? WS_SEARCH_SHARED : WS_SEARCH_COUNTED;
}

/* A search in progress, for callers that count a few candidates at a time. */
typedef struct ws_search_run {
    const ws_search_terms *terms;
    uint64_t *storage;
    ws_search_side side[2];
    bool covered; /* the tile of the candidate before */
} ws_search_run;

/* Begins a search; `storage`: ws_search_words words of 64 bits for all candidates, as malloc gives them. */
static inline ws_status ws_search_begin(ws_search_run *run, const ws_search_terms *terms, void *storage,
                                        ws_error *error) {
    ws_error_clear(error);
    if (!ws_tile_takes(&terms->store) || !ws_tile_takes(&terms->load)) {
        return ws_error_set(error, WS_INVALID_ARGUMENT, "ws_search: store and load must have lane addresses");
    }
    run->terms = terms;
    run->storage = (uint64_t *)storage;
    run->side[0].op = terms->store;
    run->side[1].op = terms->load;
    run->covered = false;
    return WS_OK;
}

/* Fills row[i] for first <= i < last; first is where the previous call ended, or 0. */
static inline void ws_search_range(ws_search_run *run, const ws_layout *candidate, size_t first, size_t last,
                                   ws_search_row *row) {
    const ws_search_terms *terms = run->terms;
    const int level = ws_simd_level(terms->simd);
    ws_search_side *side = run->side;
    size_t i;
    for (i = first; i < last; i++) {
        const ws_layout *layout = &candidate[i];
        const ws_search_row nothing = {0, 0, 0, 0, 0.0};
        ws_search_known stores, loads;
        int64_t bytes = 0;
        row[i] = nothing;
        if (i == 0 || !ws_search_same_tile(layout, &candidate[i - 1])) {
            run->covered = ws_tile_cover(layout, &side[0].op, terms->warps, &side[0].tiling, NULL) == WS_OK &&
                           ws_tile_cover(layout, &side[1].op, terms->warps, &side[1].tiling, NULL) == WS_OK;
            side[0].pitch_bytes = side[1].pitch_bytes = -1; /* they have no storage yet */
        }
        row[i].rejected = ws_search_reject(layout, run->covered, side, terms, &bytes);
        if (row[i].rejected != WS_SEARCH_COUNTED) continue;
        if (side[0].pitch_bytes < 0) ws_search_side_begin(&side[1], ws_search_side_begin(&side[0], run->storage));
        stores = ws_search_count(&side[0], layout, terms->profile, level);
        loads = ws_search_count(&side[1], layout, terms->profile, level);
        row[i].store_wavefronts = stores.wavefronts;
        row[i].load_wavefronts = loads.wavefronts;
        row[i].cycles = stores.cycles + loads.cycles;
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
