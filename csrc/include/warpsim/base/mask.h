/* Lanes of a warp as the bits of a word. */
#ifndef WARPSIM_BASE_MASK_H
#define WARPSIM_BASE_MASK_H

#include <stdint.h>

/* The lowest lane of a mask; 31 if it has none. */
static inline int ws_first_lane(uint32_t mask) {
#if defined(__GNUC__) || defined(__clang__)
    return __builtin_ctz(mask | UINT32_C(0x80000000));
#else
    int lane = 0;
    while (lane < 31 && !(mask >> lane & 1)) lane++;
    return lane;
#endif
}

static inline int ws_lane_count(uint32_t mask) {
    int n = 0;
    for (; mask != 0; mask &= mask - 1) n++;
    return n;
}

#endif
