/* What a straight-line program costs: every warp of a block runs its accesses in order, back to back.
 *
 *     cycles = latency + start + max(data pipe + drain, sub-partition, warp)
 *
 *     latency         after a warp's last wavefronts, until the last of its results can be used
 *     start           warps start one after another, two at a time
 *     data pipe       wavefronts of all warps, one per cycle
 *     drain           at the end nothing overlaps: the last access of all warps but two needs 2 cycles per wavefront
 *     sub-partition   the port's cycles of the fullest sub-partition, before its last access
 *     warp            the slowest warp alone
 *
 * Drain and start were observed in short sequences on an H200 (benchmarks/device/streams.json.gz); tiles are predicted
 * within 4 % (median). */
#ifndef WARPSIM_TIME_PROGRAM_H
#define WARPSIM_TIME_PROGRAM_H

#include "cost.h"

typedef enum ws_program_part {
    WS_PROGRAM_LATENCY = 0,
    WS_PROGRAM_START,
    WS_PROGRAM_DATA_PIPE,
    WS_PROGRAM_DRAIN,
    WS_PROGRAM_SUB_PARTITION,
    WS_PROGRAM_WARP,
    WS_PROGRAM_PART_COUNT
} ws_program_part;

static inline const char *ws_program_part_word(int part) {
    static const char *const words[WS_PROGRAM_PART_COUNT] = {"latency", "start",         "data pipe",
                                                             "drain",   "sub-partition", "warp"};
    return part >= 0 && part < WS_PROGRAM_PART_COUNT ? words[part] : "?";
}

typedef struct ws_program {
    double slope; /* cycles of a warp per wavefront */
    double start_interval;
    int partitions;
    int64_t warps; /* begun */
    double pipe, fixed, chain;
    double port[WS_MOST_PARTITIONS];
    double port_last[WS_MOST_PARTITIONS];    /* of the last access there: nothing waits for it */
    double last_sum, last_most, last_second; /* wavefronts of the warps' last accesses */
    double at;                               /* of the current warp: when its next access can issue, */
    double done;                             /* when all its wavefronts so far are done, */
    double slowest, after; /* of the access whose result comes last: its wavefronts done, and the latency from there, */
    ws_demand last;        /* and its last access */
    bool any;
} ws_program;

typedef struct ws_program_cost {
    double cycles;
    double wavefronts;
    int bound; /* ws_bound */
    double part[WS_PROGRAM_PART_COUNT];
} ws_program_cost;

WS_PUBLIC ws_program ws_program_begin(const ws_profile *profile);

/* Begins another warp: what is added next belongs to it. */
WS_PUBLIC void ws_program_warp(ws_program *program);

/* One more access of the warp. */
WS_PUBLIC void ws_program_add(ws_program *program, const ws_demand *demand);

WS_PUBLIC ws_program_cost ws_program_end(ws_program *program);

#if WS_BODIES

WS_PUBLIC ws_program ws_program_begin(const ws_profile *profile) {
    ws_program program;
    int i;
    program.slope = ws_profile_get(profile, WS_WAVEFRONT_LATENCY);
    program.start_interval = ws_profile_get(profile, WS_START_INTERVAL);
    program.partitions = ws_profile_partitions(profile);
    program.warps = 0;
    program.pipe = program.fixed = program.chain = 0;
    for (i = 0; i < WS_MOST_PARTITIONS; i++) program.port[i] = program.port_last[i] = 0;
    program.last_sum = program.last_most = program.last_second = 0;
    program.at = program.done = program.slowest = program.after = 0;
    program.any = false;
    return program;
}

/* Wavefronts of a warp's last access. */
static inline void ws_program_last(ws_program *program, double wavefronts) {
    program->last_sum += wavefronts;
    if (wavefronts > program->last_most) {
        program->last_second = program->last_most;
        program->last_most = wavefronts;
    } else if (wavefronts > program->last_second) {
        program->last_second = wavefronts;
    }
}

/* A warp's accesses take the port of its sub-partition for `cycles` in total, the last one for `last` of them. */
static inline void ws_program_port(ws_program *program, int64_t warp, double cycles, double last) {
    program->port[warp % program->partitions] += cycles;
    program->port_last[warp % program->partitions] = last;
}

/* The current warp has no more accesses. */
static inline void ws_program_close(ws_program *program) {
    if (!program->any) return;
    program->fixed = ws_max(program->fixed, program->after - (program->done - program->slowest));
    program->chain = ws_max(program->chain, program->done);
    ws_program_last(program, program->last.wavefronts);
    program->any = false;
}

WS_PUBLIC void ws_program_warp(ws_program *program) {
    ws_program_close(program);
    program->warps++;
    program->at = program->done = program->slowest = program->after = 0;
}

WS_PUBLIC void ws_program_add(ws_program *program, const ws_demand *demand) {
    const double wavefronts = ws_demand_own(demand, program->slope);
    if (program->any) { /* a load cannot pass a store */
        const double waits = program->last.fixed + ws_demand_own(&program->last, program->slope);
        program->at += program->last.store && !demand->store ? waits : ws_demand_alone(&program->last, program->slope);
    }
    program->done = ws_max(program->done, program->at + wavefronts);
    if (program->at + wavefronts + demand->fixed >= program->slowest + program->after) {
        program->slowest = program->at + wavefronts;
        program->after = demand->fixed;
    }
    program->pipe += demand->wavefronts;
    ws_program_port(program, program->warps - 1, demand->port, demand->port);
    program->last = *demand;
    program->any = true;
}

WS_PUBLIC ws_program_cost ws_program_end(ws_program *program) {
    ws_program_cost cost;
    double most = 0, work;
    int i;
    ws_program_close(program);
    for (i = 0; i < program->partitions; i++) most = ws_max(most, program->port[i] - program->port_last[i]);
    cost.wavefronts = program->pipe;
    cost.part[WS_PROGRAM_LATENCY] = program->fixed;
    cost.part[WS_PROGRAM_START] = program->warps > 2 ? program->start_interval * (double)(program->warps - 2) : 0;
    cost.part[WS_PROGRAM_DATA_PIPE] = program->pipe;
    cost.part[WS_PROGRAM_DRAIN] =
        ws_max(0, program->slope - 1) * (program->last_sum - program->last_most - program->last_second);
    cost.part[WS_PROGRAM_SUB_PARTITION] = most;
    cost.part[WS_PROGRAM_WARP] = program->chain;
    work = ws_max(program->pipe + cost.part[WS_PROGRAM_DRAIN], ws_max(most, program->chain));
    cost.cycles = program->fixed + cost.part[WS_PROGRAM_START] + work;
    if (work < program->fixed + cost.part[WS_PROGRAM_START]) cost.bound = WS_BOUND_LATENCY;
    else if (work <= program->chain) cost.bound = WS_BOUND_WARP;
    else cost.bound = work <= most ? WS_BOUND_SUB_PARTITION : WS_BOUND_DATA_PIPE;
    return cost;
}

#endif /* WS_BODIES */
#endif
