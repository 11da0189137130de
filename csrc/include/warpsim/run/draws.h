/* Who takes work from a queue: an atomic that counts in a word of global memory, and gives what was there. */
#ifndef WARPSIM_RUN_DRAWS_H
#define WARPSIM_RUN_DRAWS_H

#include "pieces.h"

/* Lanes count; `adds`: what they add, which may be nothing. */
static inline void ws_warp_draws(ws_lanes *lanes, const ws_step *step, uint32_t mask, bool adds) {
    const uint32_t *row;
    if (step->d[0] == WS_NONE || step->count != 0) return; /* a vector has no row of its own */
    row = ws_row(lanes, step->s[WS_S_VALUE]);
    while (adds && mask != 0 && row[ws_first_lane(mask)] == 0) mask &= mask - 1;
    if (mask != 0) ws_warp_of(lanes)->has_drawn = true;
}

#endif
