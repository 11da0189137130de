/* An access that a step makes time after time: to the same places, or to places that all lie equally far from those. The
 * banks see no difference, so that one count serves all. */
#ifndef WARPSIM_WATCH_REPEAT_H
#define WARPSIM_WATCH_REPEAT_H

#include "../base/mask.h"
#include "../isa/isa.h"

typedef struct ws_repeat {
    uint32_t offset[WS_LANES];
    uint32_t mask;
    uint32_t times; /* 0: none so far */
} ws_repeat;

/* `by`: what may lie between the two, a multiple of this. */
static inline bool ws_repeat_is_like(const ws_repeat *repeat, const uint32_t offset[WS_LANES], uint32_t mask,
                                     uint32_t by) {
    const uint32_t apart = offset[0] - repeat->offset[0];
    uint32_t differs = (mask ^ repeat->mask) | apart % by;
    int lane;
    for (lane = 0; lane < WS_LANES; lane++) differs |= offset[lane] - repeat->offset[lane] - apart;
    return repeat->times != 0 && differs == 0;
}

static inline void ws_repeat_begin(ws_repeat *repeat, const uint32_t offset[WS_LANES], uint32_t mask) {
    int lane;
    for (lane = 0; lane < WS_LANES; lane++) repeat->offset[lane] = offset[lane];
    repeat->mask = mask;
    repeat->times = 1;
}

#endif
