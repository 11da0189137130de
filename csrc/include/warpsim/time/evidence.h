/* How far the cost model is from measurement: for each law, the cases it was compared with and the error.
 *
 * The error is the 95th percentile of |model - measured| / measured, rounded up; for main loops, over the third that
 * was held out before anything was fitted. A test recomputes it. Only an H200 was measured: for other targets no error
 * is known. */
#ifndef WARPSIM_TIME_EVIDENCE_H
#define WARPSIM_TIME_EVIDENCE_H

#include "cost.h"

typedef enum ws_law {
    WS_LAW_STREAM = 0, /* 8 or more warps */
    WS_LAW_FEW_WARPS,
    WS_LAW_COPY,
    WS_LAW_COPY_FEW_WARPS,
    WS_LAW_WMMA,
    WS_LAW_GLOBAL,
    WS_LAW_PROGRAM,
    WS_LAW_MAINLOOP,
    WS_LAW_COUNT
} ws_law;

typedef struct ws_law_row {
    const char *name;
    const char *source;
    double error;
} ws_law_row;

static inline const ws_law_row *ws_law_at(int law) {
    /* clang-format off */
    static const ws_law_row table[WS_LAW_COUNT] = {
        {"stream", "H200: 1610 streams of 8 or more warps (timing_throughput); latency exact", 0.01},
        {"few warps", "H200: 2890 streams of fewer than 8 warps (timing_throughput); latency exact", 0.16},
        {"copies", "H200: streams of cp.async.cg, 8 or more warps, 6 wavefronts or more (timing_cp_async)", 0.02},
        {"other copies", "H200: streams of cp.async of few warps or wavefronts, and .ca (timing_cp_async)", 0.30},
        {"wmma", "H200: 104 chains of wmma.load, the combining of registers included (timing_latency)", 0.32},
        {"global", "H200: 22 chains of ld.global that hit L1 (timing_latency)", 0.22},
        {"program", "H200: 117 tiles read by ldmatrix (timing_tiles)", 0.10},
        {"main loop", "H200: 53 held-out main loops of 165 (timing_mainloop)", 0.20},
    };
    /* clang-format on */
    return &table[law >= 0 && law < WS_LAW_COUNT ? law : 0];
}

static inline int ws_law_of(const ws_op *op, const ws_counts *counts, int warps) {
    if (op->kind == WS_CP_ASYNC) {
        return warps >= 8 && counts->wavefronts >= 6 && op->cache == WS_CACHE_CG ? WS_LAW_COPY : WS_LAW_COPY_FEW_WARPS;
    }
    if (ws_op_is_wmma(op)) return WS_LAW_WMMA;
    if (op->space == WS_SPACE_GLOBAL) return WS_LAW_GLOBAL;
    return warps >= 8 ? WS_LAW_STREAM : WS_LAW_FEW_WARPS;
}

/* The relative error of a law on a profile's SM; negative if it was never measured or the user changed a constant. */
static inline double ws_law_error(int law, const ws_profile *profile) {
    int i;
    if (ws_target(profile->target)->number != 90) return -1;
    for (i = 0; i < WS_CONSTANT_COUNT; i++) {
        if (profile->constant[i].basis == WS_BASIS_USER || profile->constant[i].basis == WS_BASIS_ASSUMED) return -1;
    }
    return ws_law_at(law)->error;
}

#endif
