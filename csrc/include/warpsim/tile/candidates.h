/* The layouts that a search tries where its caller names none: every padding of 0 to 64 elements with every swizzle of
 * B 1..5, M 0..6, S -6..6 inside 14 bits, and with none. */
#ifndef WARPSIM_TILE_CANDIDATES_H
#define WARPSIM_TILE_CANDIDATES_H

#include "layout.h"

enum { WS_SEARCH_PAD_MAX = 64, WS_SEARCH_BITS_MAX = 14, WS_SEARCH_SWIZZLES_MAX = 512 };

/* The swizzles, no swizzle first; how many. */
static inline size_t ws_search_swizzles(ws_swizzle swizzle[WS_SEARCH_SWIZZLES_MAX]) {
    size_t count = 0;
    int bits, base, shift;
    swizzle[count++] = ws_swizzle_make(0, 0, 0);
    for (bits = 1; bits <= 5; bits++) {
        for (base = 0; base <= 6; base++) {
            for (shift = -6; shift <= 6; shift++) {
                const int distance = shift < 0 ? -shift : shift;
                if (distance < bits || base + bits + distance > WS_SEARCH_BITS_MAX) continue;
                swizzle[count++] = ws_swizzle_make(bits, base, shift);
            }
        }
    }
    return count;
}

/* Every padding that the type allows with every swizzle, in the order of `tile`; how many there are, also beyond capacity. */
static inline size_t ws_search_candidates(const ws_layout *tile, ws_layout *candidate, size_t capacity) {
    const int64_t run = tile->col_major ? tile->rows : tile->cols, unit = ws_layout_run_unit(tile);
    ws_swizzle swizzle[WS_SEARCH_SWIZZLES_MAX];
    const size_t swizzles = ws_search_swizzles(swizzle);
    size_t n = 0, i;
    int pad;
    for (pad = 0; pad <= WS_SEARCH_PAD_MAX; pad++) {
        if ((run + pad) % unit != 0) continue;
        for (i = 0; i < swizzles; i++, n++) {
            if (n >= capacity) continue;
            candidate[n] = *tile;
            candidate[n].pad = pad;
            candidate[n].swizzle = swizzle[i];
            candidate[n].swizzle.unit_is_byte = tile->packed;
        }
    }
    return n;
}

#endif
