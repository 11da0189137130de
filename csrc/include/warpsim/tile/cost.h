/* What one side of a tile costs in time: the warps' accesses as a straight-line program of one instruction.
 *
 * The same cycles as program.h, computed as sums: a search needs millions of them.
 * This file knows nothing about layouts: its caller has counted the wavefronts. */
#ifndef WARPSIM_TILE_COST_H
#define WARPSIM_TILE_COST_H

#include "../time/program.h"

/* Cycles in which `warps` warps make `steps` accesses each (at least one), with wavefronts[warps][steps]. */
WS_PUBLIC double ws_tile_cycles(const ws_op *op, const ws_profile *profile, const int64_t *wavefronts, int64_t warps,
                                int64_t steps);

#if WS_BODIES

/* What each access of the op takes from the SM, except its wavefronts. */
static inline ws_demand ws_tile_demand(const ws_op *op, const ws_profile *profile) {
    ws_counts counts = {1, 1, 0, 0, 0, 0};
    counts.ideal_wavefronts = (uint64_t)(WS_LANES / ws_op_group_lanes(op));
    return ws_demand_of(op, &counts, profile);
}

/* Cycles of a warp until its last access is done: an access waits for the wavefronts of the one before, or for its
 * turn. */
static inline double ws_tile_chain(const ws_demand *demand, double slope, const int64_t *wavefronts, int64_t steps) {
    const double turn = demand->path > 0 ? 0 : demand->alone / slope;
    const int64_t least = turn < 1e9 ? (int64_t)turn : -1; /* the user's slope may be 0 */
    int64_t sum = 0, i;
    if (demand->path > 0 || (double)least < turn || (double)least > turn) {
        ws_demand one = *demand;
        double at = 0, done = 0; /* a copy does not wait for the wavefronts of the one before, which may finish later */
        for (i = 0; i < steps; i++) {
            one.wavefronts = (double)wavefronts[i];
            done = ws_max(done, at + slope * one.wavefronts);
            at += ws_demand_alone(&one, slope);
        }
        return done;
    }
    for (i = 0; i + 1 < steps; i++) sum += wavefronts[i] > least ? wavefronts[i] : least;
    return slope * (double)(sum + wavefronts[steps - 1]);
}

WS_PUBLIC double ws_tile_cycles(const ws_op *op, const ws_profile *profile, const int64_t *wavefronts, int64_t warps,
                                int64_t steps) {
    const ws_demand demand = ws_tile_demand(op, profile);
    ws_program program = ws_program_begin(profile);
    int64_t warp, i, total = 0;
    program.warps = warps;
    program.fixed = demand.fixed;
    for (i = 0; i < warps * steps; i++) total += wavefronts[i];
    program.pipe = (double)total;
    for (warp = 0; warp < warps; warp++) {
        const int64_t *own = wavefronts + warp * steps;
        program.chain = ws_max(program.chain, ws_tile_chain(&demand, program.slope, own, steps));
        ws_program_port(&program, warp, demand.port * (double)steps, demand.port);
        ws_program_last(&program, (double)own[steps - 1]);
    }
    return ws_program_end(&program).cycles;
}

#endif /* WS_BODIES */
#endif
