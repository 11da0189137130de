/* Both sides of a tile: what fills it, what reads it, and the search for a better layout. */
#ifndef WARPSIM_WEB_SIDES_H
#define WARPSIM_WEB_SIDES_H

#include "answer.h"

enum { MOST_UNITS = 1 << 16, MOST_CANDIDATES = 1 << 15, MOST_PADS = 65, MOST_SWIZZLES = 512, SEARCH_WORDS = 1 << 21 };

/* One side, or its error, as a field. */
static inline bool sides_side(ws_text *out, const char *name, const ws_layout *layout, const ws_op *op, const ws_profile *profile, int64_t warps) {
    static ws_counts counts[MOST_UNITS];
    static int64_t wavefronts[MOST_UNITS];
    const ws_counts zero = {0, 0, 0, 0, 0, 0};
    ws_counts sum = zero;
    ws_tiling tiling;
    ws_error error;
    int64_t i;
    json_key(out, name);
    json_open(out, "{");
    if (ws_tile_cover(layout, op, warps, &tiling, &error) != WS_OK || tiling.units > MOST_UNITS) {
        JSON_FIELD(out, "error", json_string(out, error.message));
        json_close(out, "}");
        return false;
    }
    ws_tile_count(layout, op, &tiling, WS_SIMD_AUTO, counts);
    for (i = 0; i < tiling.units; i++) {
        sum.instructions += counts[i].instructions;
        sum.requests += counts[i].requests;
        sum.wavefronts += counts[i].wavefronts;
        sum.ideal_wavefronts += counts[i].ideal_wavefronts;
        sum.bank_conflicts += counts[i].bank_conflicts;
        sum.sectors += counts[i].sectors;
        wavefronts[i] = (int64_t)counts[i].wavefronts;
    }
    JSON_FIELD(out, "traffic", answer_counts(out, &sum));
    JSON_FIELD(out, "cycles", json_double(out, ws_tile_cycles(op, profile, wavefronts, tiling.warps, tiling.steps)));
    json_close(out, "}");
    return true;
}

static inline void sides_findings(ws_text *out, const ws_layout *layout, const ws_op *store, const ws_op *load, const ws_profile *profile) {
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
        JSON_FIELD(out, "rule", json_string(out, ws_tile_rule_at(found[i].rule)->id));
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

/* Every padding of 0 to 64 elements with every swizzle of B 1..5, M 0..6, S -6..6 inside 14 bits, and none: as ws.search has them. */
static inline size_t sides_candidates(const ws_layout *tile) {
    const int64_t run = tile->col_major ? tile->rows : tile->cols;
    const int64_t whole = tile->packed ? 16 : tile->element_bits < 8 ? 8 / tile->element_bits : 1;
    size_t n = 0;
    int pad, b, m, s;
    for (pad = 0; pad < MOST_PADS; pad++) {
        if ((run + pad) % whole != 0) continue;
        for (b = 0; b <= 5; b++) {
            for (m = 0; m <= (b == 0 ? 0 : 6); m++) {
                for (s = b == 0 ? 0 : -6; s <= (b == 0 ? 0 : 6); s++) {
                    const int distance = s < 0 ? -s : s;
                    if (distance < b || m + b + distance > 14 || n >= MOST_CANDIDATES) continue;
                    candidates[n] = *tile;
                    candidates[n].pad = pad;
                    candidates[n].swizzle = ws_swizzle_make(b, m, s);
                    candidates[n].swizzle.unit_is_byte = tile->packed;
                    n++;
                }
            }
        }
    }
    return n;
}

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
