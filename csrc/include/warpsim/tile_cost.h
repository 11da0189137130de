/* What one side of a tile costs in time: the warps' accesses as a straight-line program.
 *
 * This file refuses to know layouts: its caller has counted the wavefronts. */
#ifndef WARPSIM_TILE_COST_H
#define WARPSIM_TILE_COST_H

#include "program.h"

/* Cycles in which `warps` warps make `steps` accesses each, wavefronts[warps][steps]. */
static inline double ws_tile_cycles(const ws_op *op, const ws_profile *profile, const int64_t *wavefronts, int64_t warps, int64_t steps) {
    ws_counts counts = {1, 1, 0, 0, 0, 0};
    ws_program program = ws_program_begin(profile);
    ws_demand demand;
    int64_t warp, step;
    counts.ideal_wavefronts = (uint64_t)(WS_LANES / ws_op_group_lanes(op));
    demand = ws_demand_of(op, &counts, profile);
    for (warp = 0; warp < warps; warp++) {
        ws_program_warp(&program);
        for (step = 0; step < steps; step++) {
            demand.wavefronts = (double)wavefronts[warp * steps + step];
            ws_program_add(&program, &demand);
        }
    }
    return ws_program_end(&program).cycles;
}

#endif
