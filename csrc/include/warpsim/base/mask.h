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
    mask -= mask >> 1 & UINT32_C(0x55555555);
    mask = (mask & UINT32_C(0x33333333)) + (mask >> 2 & UINT32_C(0x33333333));
    mask = (mask + (mask >> 4)) & UINT32_C(0x0f0f0f0f);
    return (int)(mask * UINT32_C(0x01010101) >> 24);
}

#endif
