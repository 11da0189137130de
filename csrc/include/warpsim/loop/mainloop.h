/* One iteration of the main loop of a tensor-core kernel, on one SM: a block of warps_m x warps_n warps multiplies
 * slabs of A (M x K) and B (N x K, or K x N) of elements of 8, 16 or 32 bits:
 *     cp.async.cg (16 bytes per lane) fills the slab stages - 1 ahead, ldmatrix.x4 reads, mma.sync multiplies: m16n8
 *     and 32 bytes along K, which is k32, k16 or k8
 *
 * Wavefronts of both sides are counted exactly; pipeline.h simulates the warps. The storage is the caller's:
 * ws_mainloop_storage. */
#ifndef WARPSIM_LOOP_MAINLOOP_H
#define WARPSIM_LOOP_MAINLOOP_H

#include "../time/cost.h"
#include "mainloop_shape.h"

enum { WS_MAINLOOP_WARM = 4, WS_MAINLOOP_MEASURED = 6 };

typedef struct ws_mainloop_cost {
    double cycles;               /* per iteration, in the steady state */
    int bound;                   /* ws_bound: what is busiest, or latency where nothing is busy most of the time */
    double part[WS_BOUND_COUNT]; /* busy cycles per iteration; WS_BOUND_LATENCY: cycles in which the busiest is idle */
    int64_t load_wavefronts, store_wavefronts;
    int64_t mma;            /* mma.sync per block and iteration */
    int64_t global_bytes;   /* per iteration */
    int64_t shared_bytes;   /* of all stages */
    int64_t registers;      /* per thread, estimated unless assembled */
    double tensor_fraction; /* of the dense peak */
} ws_mainloop_cost;

typedef struct ws_mainloop_storage {
    ws_pipeline sm;
    ws_schedule schedule;
    uint16_t load_wavefronts[WS_MAINLOOP_LOADS];
    uint16_t copy_wavefronts[WS_MAINLOOP_COPIES];
} ws_mainloop_storage;

WS_PUBLIC ws_status ws_mainloop_cost_of(const ws_mainloop *loop, const ws_profile *profile,
                                        ws_mainloop_storage *storage, ws_mainloop_cost *cost, ws_error *error);

#if WS_BODIES
#include "assembled.h"
#include "compiled.h"
#include "iteration.h"
#include "pipeline.h"
#include "wavefronts.h"

/* What is busiest. Warps drift apart, so a few iterations can take fewer cycles than the work they issue. */
static inline void ws_mainloop_bound(ws_mainloop_cost *cost, ws_pipeline_busy busy) {
    int i, most = WS_BOUND_DATA_PIPE;
    for (i = 0; i < WS_BOUND_COUNT; i++) cost->part[i] = 0;
    cost->part[WS_BOUND_DATA_PIPE] = busy.pipe;
    cost->part[WS_BOUND_TENSOR] = busy.tensor;
    cost->part[WS_BOUND_GLOBAL] = busy.path;
    cost->part[WS_BOUND_ISSUE] = busy.slots;
    for (i = 0; i < WS_BOUND_COUNT; i++) most = cost->part[i] > cost->part[most] ? i : most;
    cost->cycles = ws_max(cost->cycles, cost->part[most]);
    cost->part[WS_BOUND_LATENCY] = cost->cycles - cost->part[most];
    cost->bound = cost->part[WS_BOUND_LATENCY] > cost->part[most] ? (int)WS_BOUND_LATENCY : most;
}

/* Wavefronts of all loads and copies in the order of the instructions, and these. */
static inline ws_status ws_mainloop_write(const ws_mainloop *loop, ws_mainloop_storage *storage, ws_work *work,
                                          int64_t *registers, ws_error *error) {
    bool whole = true;
    int copies_a = 0, copies_b = 0;
    if (loop->stages > 0) {
        const int64_t warps = loop->warps_m * loop->warps_n;
        uint16_t *wavefronts = storage->copy_wavefronts;
        copies_a = ws_mainloop_copies(loop, false, wavefronts, &whole);
        copies_b = ws_mainloop_copies(loop, true, wavefronts + copies_a * warps, &whole);
    }
    *work = ws_compiled_work(loop, copies_a, copies_b, registers);
    ws_mainloop_loads(loop, work, false, storage->load_wavefronts, &whole);
    ws_mainloop_loads(loop, work, true, storage->load_wavefronts, &whole);
    if (!whole) {
        return ws_error_wrong(error, "a, b",
                              "a row of 16 bytes is not aligned to 16; pad by multiples of 8 elements of 16 bits, and "
                              "swizzle them with M >= 3 (of 8 bits: 16 and 4, of 32 bits: 4 and 2)");
    }
    if (loop->assembled == NULL) {
        ws_iteration_write(&storage->schedule, work);
    } else {
        *registers = loop->assembled->registers;
        if (ws_assembled_write(loop->assembled, work, &storage->schedule, error) != WS_OK) return WS_INVALID_ARGUMENT;
    }
    if (storage->schedule.full) {
        const int64_t tile[3] = {loop->m, loop->n, loop->k};
        return ws_mainloop_wrong(error, "tile", "too large; at most 65536 instructions of a warp per iteration", tile,
                                 3);
    }
    return WS_OK;
}

/* The profile, with the mma.sync of this loop: on sm_90 it takes 6.1 cycles in loops with f16 accumulators, and 6.5
 * with others or alone. */
static inline ws_profile ws_mainloop_profile(const ws_mainloop *loop, const ws_profile *profile) {
    ws_profile found = *profile;
    if (loop->narrow_sums && !loop->unpacked && ws_target(profile->target)->number == 90)
        found.constant[WS_MMA_INTERVAL].value *= 6.1 / 6.5;
    return found;
}

WS_PUBLIC ws_status ws_mainloop_cost_of(const ws_mainloop *loop, const ws_profile *profile,
                                        ws_mainloop_storage *storage, ws_mainloop_cost *cost, ws_error *error) {
    const ws_profile own = ws_mainloop_profile(loop, profile);
    ws_pipeline_work all;
    ws_work work;
    int64_t warps, i;
    ws_error_clear(error);
    if (ws_mainloop_check(loop, error) != WS_OK) return WS_INVALID_ARGUMENT;
    if (ws_target(profile->target)->number < 80) {
        (void)ws_error_wrong(error, "target", "cp.async and mma.sync.m16n8k16 need sm_80 or higher");
        return WS_UNSUPPORTED;
    }
    if (ws_mainloop_write(loop, storage, &work, &cost->registers, error) != WS_OK) return WS_INVALID_ARGUMENT;
    warps = loop->warps_m * loop->warps_n; /* checked above, so it does not overflow */
    all.warps = (int)warps;
    all.stages = work.stages;
    all.loads = work.steps * (work.loads_a + work.loads_b);
    all.copies = work.copies_a + work.copies_b;
    all.schedule = &storage->schedule;
    all.load_wavefronts = storage->load_wavefronts;
    all.copy_wavefronts = storage->copy_wavefronts;
    cost->cycles = ws_pipeline_run(&storage->sm, &all, &own, WS_MAINLOOP_WARM, WS_MAINLOOP_MEASURED);
    ws_mainloop_bound(cost, ws_pipeline_busy_of(&all, &own));
    cost->load_wavefronts = cost->store_wavefronts = 0;
    for (i = 0; i < warps * all.loads; i++) cost->load_wavefronts += storage->load_wavefronts[i];
    for (i = 0; i < warps * all.copies; i++) cost->store_wavefronts += storage->copy_wavefronts[i];
    cost->mma = warps * work.steps * 2 * work.loads_a * work.loads_b;
    cost->global_bytes = loop->stages > 0 ? 16 * (loop->m + loop->n) * loop->k / ws_mainloop_piece(loop) : 0;
    cost->shared_bytes =
        (loop->stages > 1 ? loop->stages : 1) * (ws_layout_nbytes(&loop->a) + ws_layout_nbytes(&loop->b));
    cost->tensor_fraction = (double)(cost->mma * 16 * 8 * 2 * ws_mainloop_piece(loop)) /
                            ws_profile_get(profile, WS_DENSE_FMA) / cost->cycles;
    return WS_OK;
}

#endif /* WS_BODIES */
#endif
