/* What an instruction costs in time: from counts and the constants of an SM to cycles. Never reads memory or addresses.
 *
 *     latency     fixed + 2 per wavefront: when an instruction that needs the result can issue; global memory: 1 per tag
 *                 pass and 2 per pass of L1's banks
 *     interval    an endless stream: the slowest of the data pipe (a wavefront per cycle; global memory: a pass of the tags or
 *                 the banks, whichever are more), a sub-partition's port, one warp (a wavefront per 2 cycles, an access per 4), and the
 *                 path from L2
 *
 * The laws were fitted to an H200 (profile_table.h names the measurement of each constant); streams of 8 or more warps
 * are predicted within 1 %; evidence.h has the errors of all laws. */
#ifndef WARPSIM_TIME_COST_H
#define WARPSIM_TIME_COST_H

#include "profile.h"
#include "../count/asked.h"

/* What limits a cost; ws_bound_word has the words. */
typedef enum ws_bound {
    WS_BOUND_DATA_PIPE = 0,
    WS_BOUND_SUB_PARTITION,
    WS_BOUND_WARP,
    WS_BOUND_LATENCY,
    WS_BOUND_GLOBAL,
    WS_BOUND_TENSOR,
    WS_BOUND_ISSUE,
    WS_BOUND_COUNT
} ws_bound;

static inline const char *ws_bound_word(int bound) {
    static const char *const words[WS_BOUND_COUNT] = {"data pipe",    "sub-partition", "warp", "latency",
                                                      "global bytes", "tensor pipe",   "issue"};
    return bound >= 0 && bound < WS_BOUND_COUNT ? words[bound] : "?";
}

/* What one issue takes from the SM, in cycles. */
typedef struct ws_demand {
    double wavefronts; /* of the data pipe */
    double fixed;      /* latency without wavefronts */
    double port;       /* of the sub-partition */
    double alone;      /* of one warp */
    double path;       /* from L2 */
    double arrival;    /* of the data pipe, for lines that arrive in L1 */
    double overlap;    /* of the wavefronts: tag passes that no warp waits for */
    double gap;        /* of one warp between such accesses in a stream */
    bool store;
} ws_demand;

typedef struct ws_cost {
    double latency;
    double interval; /* per instruction of the SM */
    int bound;       /* ws_bound: of the interval */
    double
        part[WS_BOUND_COUNT]; /* the interval each alone would allow; WS_BOUND_LATENCY: the fixed part of the latency */
} ws_cost;

WS_PUBLIC ws_cost ws_cost_of(const ws_op *op, const ws_counts *counts, const ws_profile *profile, int warps);

/* `warps` warps, spread evenly over the sub-partitions, repeat one issue endlessly. */
WS_PUBLIC ws_cost ws_cost_of_demand(ws_demand demand, const ws_profile *profile, int warps);

/* What counters alone tell (ws_asked_guess); exact for instructions on shared memory. */
WS_PUBLIC ws_demand ws_demand_of(const ws_op *op, const ws_counts *counts, const ws_profile *profile);

WS_PUBLIC ws_demand ws_demand_at(const ws_op *op, const ws_counts *counts, const ws_asked *asked,
                                 const ws_profile *profile);

#if WS_BODIES

/* 32-bit registers of a lane that the instruction reads or writes. */
static inline int ws_op_words(const ws_op *op) { return ws_op_num_registers(op) * ws_op_register_bits(op) / 32; }

/* Cycles in which one warp waits for its own wavefronts. */
static inline double ws_demand_own(const ws_demand *demand, double slope) {
    return slope * (demand->wavefronts - demand->overlap);
}

/* wmma: its accesses one after another, plus a MOVM for each unit where the assembler transposes. */
static inline ws_demand ws_demand_of_wmma(const ws_op *op, const ws_counts *counts, const ws_asked *asked,
                                          const ws_profile *profile, ws_demand demand) {
    const ws_wmma_code code = ws_wmma_code_of(op, profile->target);
    const double accesses = ws_max((double)counts->requests, 1), step = ws_profile_get(profile, WS_ACCESS_INTERVAL);
    const double slope = ws_profile_get(profile, WS_WAVEFRONT_LATENCY), all = ws_demand_own(&demand, slope);
    const double address = ws_profile_get(profile, WS_WMMA_ADDRESS_LATENCY) * (op->space == WS_SPACE_SHARED ? 1 : 2);
    demand.fixed += address - asked->tags * (1 - 1 / accesses);
    demand.fixed += ws_max(0, step * (accesses - 1) + all / accesses - all);
    demand.port *= accesses;
    demand.alone = ws_max(demand.alone, step * accesses);
    if (accesses > 1) demand.gap = 0;
    if (code.mode == WS_WMMA_TRANSPOSED) {
        demand.fixed += ws_profile_get(profile, WS_MOVMATRIX_LATENCY);
        demand.port += ws_profile_get(profile, WS_LOAD_PORT) * code.units;
        if (op->space != WS_SPACE_GLOBAL || ws_op_is_load(op)) demand.wavefronts += code.units; /* else: counted */
    }
    return demand;
}

static inline ws_demand ws_demand_of_copy(const ws_op *op, const ws_asked *asked, const ws_profile *profile,
                                          ws_demand demand) {
    const bool by_l1 = op->cache == WS_CACHE_CA;
    if (by_l1) demand.arrival = ws_profile_get(profile, WS_COPY_CA_ARRIVAL);
    else demand.path = ws_profile_get(profile, WS_COPY_PATH) * asked->lines; /* one after another */
    demand.fixed = ws_profile_get(profile, WS_COPY_LATENCY);
    demand.port = ws_profile_get(profile, WS_LOAD_PORT);
    demand.alone = ws_profile_get(profile, by_l1 ? WS_COPY_CA_ALONE : WS_COPY_ALONE);
    return demand;
}

static inline ws_demand ws_demand_of_load(const ws_op *op, const ws_counts *counts, const ws_asked *asked,
                                          const ws_profile *profile, ws_demand demand) {
    const bool narrow = op->kind == WS_LD && op->vec == 1 && ws_type_bits(op->type)<32, global = asked->tags> 0;
    demand.wavefronts = asked->shared + asked->slower;
    demand.overlap = asked->slower - asked->banks;
    demand.fixed = ws_profile_get(profile, global ? WS_GLOBAL_LATENCY : WS_LOAD_LATENCY) + asked->tags;
    if (narrow) demand.fixed += ws_profile_get(profile, WS_NARROW_LATENCY);
    if (op->kind == WS_LD && counts->ideal_wavefronts > 1) {
        demand.fixed += ws_profile_get(profile, WS_GROUP_LATENCY) * (double)(counts->ideal_wavefronts - 1);
    }
    demand.port = ws_profile_get(profile, WS_LOAD_PORT);
    demand.alone = ws_max(ws_profile_get(profile, WS_ACCESS_INTERVAL), demand.port);
    if (demand.alone <= ws_profile_get(profile, WS_ACCESS_INTERVAL)) {
        demand.gap = ws_profile_get(profile, global ? WS_GLOBAL_GAP : WS_LOAD_GAP);
    }
    return demand;
}

WS_PUBLIC ws_demand ws_demand_at(const ws_op *op, const ws_counts *counts, const ws_asked *asked,
                                 const ws_profile *profile) {
    const double slope = ws_profile_get(profile, WS_WAVEFRONT_LATENCY), words = ws_op_words(op);
    ws_demand demand;
    demand.wavefronts = asked->shared;
    demand.store = !ws_op_is_load(op) && op->kind != WS_MOVMATRIX;
    demand.path = demand.arrival = demand.overlap = demand.gap = 0;
    if (op->kind == WS_MOVMATRIX) {
        demand.wavefronts = 1;
        demand.fixed = ws_profile_get(profile, WS_MOVMATRIX_LATENCY) - slope;
        demand.port = ws_profile_get(profile, WS_LOAD_PORT);
        demand.alone = ws_profile_get(profile, WS_MOVMATRIX_INTERVAL);
        return demand;
    }
    if (op->kind == WS_CP_ASYNC) return ws_demand_of_copy(op, asked, profile, demand);
    if (demand.store) {
        demand.fixed = ws_profile_get(profile, WS_STORE_LATENCY) +
                       ws_profile_get(profile, WS_STORE_REGISTER_LATENCY) * (words - 1);
        demand.port = ws_profile_get(profile, WS_STORE_PORT) + ws_profile_get(profile, WS_STORE_REGISTER_PORT) * words;
        demand.alone = ws_max(ws_profile_get(profile, WS_ACCESS_INTERVAL), demand.port);
    } else {
        demand = ws_demand_of_load(op, counts, asked, profile, demand);
    }
    return ws_op_is_wmma(op) ? ws_demand_of_wmma(op, counts, asked, profile, demand) : demand;
}

WS_PUBLIC ws_demand ws_demand_of(const ws_op *op, const ws_counts *counts, const ws_profile *profile) {
    const ws_asked asked = ws_asked_guess(op, counts);
    return ws_demand_at(op, counts, &asked, profile);
}

/* Cycles after which one warp can issue its next access. */
static inline double ws_demand_alone(const ws_demand *demand, double slope) {
    return ws_max(demand->path > 0 ? 0 : ws_demand_own(demand, slope), demand->alone);
}

static inline double ws_demand_latency(const ws_demand *demand, const ws_profile *profile) {
    const double slope = demand->path > 0 ? 1 : ws_profile_get(profile, WS_WAVEFRONT_LATENCY);
    return demand->fixed + ws_demand_own(demand, slope);
}

WS_PUBLIC ws_cost ws_cost_of_demand(ws_demand demand, const ws_profile *profile, int warps) {
    const double slope = ws_profile_get(profile, WS_WAVEFRONT_LATENCY);
    const int partitions = ws_profile_partitions(profile), fullest = (warps + partitions - 1) / partitions;
    ws_cost cost;
    int i;
    for (i = 0; i < WS_BOUND_COUNT; i++) cost.part[i] = 0;
    cost.latency = ws_demand_latency(&demand, profile);
    cost.part[WS_BOUND_LATENCY] = demand.fixed;
    cost.part[WS_BOUND_DATA_PIPE] = ws_max(demand.wavefronts, 1) + demand.arrival;
    cost.part[WS_BOUND_SUB_PARTITION] = demand.port * fullest / warps;
    cost.part[WS_BOUND_WARP] = (ws_demand_alone(&demand, slope) + demand.gap) / warps;
    cost.part[WS_BOUND_GLOBAL] = demand.path;
    cost.interval = 0;
    cost.bound = WS_BOUND_DATA_PIPE;
    for (i = 0; i < WS_BOUND_COUNT; i++) {
        if (i == WS_BOUND_LATENCY || cost.part[i] <= cost.interval) continue;
        cost.interval = cost.part[i];
        cost.bound = i;
    }
    return cost;
}

WS_PUBLIC ws_cost ws_cost_of(const ws_op *op, const ws_counts *counts, const ws_profile *profile, int warps) {
    return ws_cost_of_demand(ws_demand_of(op, counts, profile), profile, warps);
}

#endif /* WS_BODIES */
#endif
