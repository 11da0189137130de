/* Both sides of a tile: what fills it, what reads it, and the search for a better layout. */
#ifndef WARPSIM_WEB_SIDES_H
#define WARPSIM_WEB_SIDES_H

#include "answer.h"

enum { MOST_UNITS = 1 << 16, MOST_CANDIDATES = 1 << 15, SEARCH_WORDS = 1 << 21 };

/* The step of a side that costs most, the first of them: what its lanes do. */
static inline void sides_costliest(ws_text *out, const ws_layout *layout, const ws_op *op, const ws_tiling *tiling,
                                   const int64_t *wavefronts) {
    const ws_op shared = ws_tile_shared_op(op);
    uint32_t address[WS_LANES];
    uint64_t source[WS_LANES];
    int64_t offset[WS_LANES], warp, step, worst_warp = 0, worst_step = 0;
    ws_access access = ws_access_make(address, 1);
    int lane;
    for (step = 0; step < tiling->steps; step++) {
        for (warp = 0; warp < tiling->warps; warp++) {
            if (wavefronts[warp * tiling->steps + step] <= wavefronts[worst_warp * tiling->steps + worst_step])
                continue;
            worst_warp = warp;
            worst_step = step;
        }
    }
    ws_tile_unit(layout, op, tiling, ws_tiling_unit(tiling, worst_warp, worst_step), offset);
    for (lane = 0; lane < WS_LANES; lane++)
        address[lane] = (uint32_t)ws_layout_swizzled(layout, (uint64_t)offset[lane] * 8);
    if (op->kind == WS_CP_ASYNC) {
        ws_tile_source(op, tiling, ws_tiling_unit(tiling, worst_warp, worst_step), source);
        access.source = source;
    }
    json_key(out, "costliest");
    json_open(out, "{");
    JSON_FIELD(out, "warp", json_int(out, worst_warp));
    JSON_FIELD(out, "step", json_int(out, worst_step));
    answer_op(out, &shared);
    answer_fragment(out, &shared);
    (void)answer_access(out, &shared, &access, 0);
    json_close(out, "}");
}

/* "expected st, stmatrix or cp.async on shared memory" */
static inline void sides_expected(ws_text *text, int side) {
    ws_text_add(text, "expected ");
    ws_text_add_tile_kinds(text, side);
    ws_text_add(text, " on shared memory");
}

/* One side, or its error, as a field; `shown`: with its costliest step. */
static inline bool sides_side(ws_text *out, bool is_load, const ws_layout *layout, const ws_op *op,
                              const ws_profile *profile, int64_t warps, bool shown) {
    static ws_counts counts[MOST_UNITS];
    static int64_t wavefronts[MOST_UNITS];
    ws_counts sum = {0, 0, 0, 0, 0, 0};
    ws_tiling tiling;
    ws_error error;
    int64_t i;
    json_key(out, is_load ? "load" : "store");
    json_open(out, "{");
    if (!ws_tile_side_takes(is_load ? WS_TILE_LOAD : WS_TILE_STORE, op)) {
        char bytes[120];
        ws_text text = ws_text_make(bytes, sizeof bytes);
        sides_expected(&text, is_load ? WS_TILE_LOAD : WS_TILE_STORE);
        JSON_FIELD(out, "error", json_string(out, bytes));
        json_close(out, "}");
        return false;
    }
    if (ws_tile_cover(layout, op, warps, &tiling, &error) != WS_OK || tiling.units > MOST_UNITS) {
        JSON_FIELD(out, "error", json_string(out, error.message));
        json_close(out, "}");
        return false;
    }
    ws_tile_count(layout, op, &tiling, WS_SIMD_AUTO, counts);
    for (i = 0; i < tiling.units; i++) {
        ws_counts_add(&sum, &counts[i]);
        wavefronts[i] = (int64_t)counts[i].wavefronts;
    }
    JSON_FIELD(out, "traffic", answer_counts(out, &sum));
    JSON_FIELD(out, "cycles", json_double(out, ws_tile_cycles(op, profile, wavefronts, tiling.warps, tiling.steps)));
    if (shown) sides_costliest(out, layout, op, &tiling, wavefronts);
    json_close(out, "}");
    return true;
}

static inline void sides_findings(ws_text *out, const ws_layout *layout, const ws_op *store, const ws_op *load,
                                  const ws_profile *profile) {
    ws_tile_finding found[WS_TILE_MAX_FINDINGS];
    const int count = ws_tile_find(layout, store, load, profile, found);
    int i;
    json_key(out, "findings");
    json_open(out, "[");
    for (i = 0; i < count; i++) {
        char bytes[1024];
        ws_text text = ws_text_make(bytes, sizeof bytes);
        ws_tile_finding_write(layout, found[i].side == 0 ? store : load, profile, &found[i], &text);
        json_open(out, "{");
        JSON_FIELD(out, "rule", json_string(out, ws_rule_at(found[i].rule)->id));
        JSON_FIELD(out, "side", json_string(out, ws_tile_side_word(found[i].side)));
        JSON_FIELD(out, "message", json_string(out, bytes));
        json_close(out, "}");
    }
    json_close(out, "]");
}

/* --- the search ------------------------------------------------------------------------------- */

static ws_layout candidates[MOST_CANDIDATES];
static ws_search_row search_rows[MOST_CANDIDATES];
static int64_t search_order[2 * MOST_CANDIDATES], search_front[MOST_CANDIDATES];
static uint64_t search_storage[SEARCH_WORDS];

static inline void sides_row(ws_text *out, int64_t i) {
    const ws_layout *layout = &candidates[i];
    json_open(out, "[");
    json_int(out, layout->pad);
    json_int(out, layout->swizzle.bits);
    json_int(out, layout->swizzle.base);
    json_int(out, layout->swizzle.shift);
    json_int(out, search_rows[i].store_wavefronts);
    json_int(out, search_rows[i].load_wavefronts);
    json_int(out, search_rows[i].bytes);
    json_double(out, search_rows[i].cycles);
    json_close(out, "]");
}

#endif
