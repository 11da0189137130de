/* What one side of a tile costs in time, and how much shared memory a block may have. */
#ifndef WARPSIM_TILE_COST_H
#define WARPSIM_TILE_COST_H

#include "arch.h"

/* Cycles in which `warps` warps make `steps` accesses each, wavefronts[warps][steps]. */
static inline double ws_tile_cycles(const ws_op *op, int target, const int64_t *wavefronts, int64_t warps, int64_t steps) {
    int64_t total = 0, most = 0, i;
    (void)op;
    (void)target;
    for (i = 0; i < warps * steps; i++) {
        total += wavefronts[i];
        most = wavefronts[i] > most ? wavefronts[i] : most;
    }
    return (double)(total + 21 + 2 * most); /* one wavefront a cycle, and the latency of the slowest access */
}

/* Bytes that one block may have. */
static inline int64_t ws_target_shared_bytes(int target) {
    (void)target;
    return 232448;
}

#endif
