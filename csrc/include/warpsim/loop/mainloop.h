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

enum { WS_MAINLOOP_WARM = 6, WS_MAINLOOP_MEASURED = 6 };

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
    uint16_t copy_conflicts[WS_MAINLOOP_COPIES];
} ws_mainloop_storage;

WS_PUBLIC ws_status ws_mainloop_cost_of(const ws_mainloop *loop, const ws_profile *profile,
                                        ws_mainloop_storage *storage, ws_mainloop_cost *cost, ws_error *error);

#if WS_BODIES
#include "../count/count.h"
#include "../isa/validate.h"
#include "assembled.h"
#include "compiled.h"
#include "iteration.h"
#include "pipeline.h"

static inline ws_op ws_mainloop_op(int kind, bool trans) {
    ws_op op = ws_op_none();
    ws_error error;
    op.kind = (uint8_t)kind;
    if (kind == WS_CP_ASYNC) {
        op.size_bytes = 16;
        op.cache = WS_CACHE_CG;
    } else {
        op.shape = WS_SHAPE_M8N8;
        op.type = WS_TYPE_B16;
        op.space = WS_SPACE_SHARED;
        op.num = 4;
        op.trans = trans;
    }
    (void)ws_op_validate(&op, &error);
    return op;
}

/* Wavefronts of one instruction; *whole: every address is a multiple of 16. */
static inline uint16_t ws_mainloop_count(const ws_op *op, const uint32_t address[WS_LANES], const uint64_t *source,
                                         uint32_t active, int simd, bool *whole) {
    ws_access access = ws_access_make(address, 1);
    ws_counts counts;
    ws_plan plan;
    int lane;
    for (lane = 0; lane < WS_LANES; lane++) *whole = *whole && address[lane] % 16 == 0;
    access.source = source;
    access.active = &active;
    access.simd = simd;
    plan = ws_plan_make(op, &access);
    ws_count_range(&plan, &access, 0, 1, &counts, NULL);
    return (uint16_t)counts.wavefronts;
}

/* ldmatrix.x4 of 16 rows or columns of one side, at every step of K, for each warp along that side. `put`: index in the
 * wavefronts of the first one of warp w and step s. */
static inline void ws_mainloop_loads(const ws_mainloop *loop, const ws_work *work, bool is_b,
                                     ws_mainloop_storage *storage, bool *whole) {
    const ws_layout *layout = is_b ? &loop->b : &loop->a;
    const bool trans = is_b && loop->trans_b;
    const ws_op op = ws_mainloop_op(WS_LDMATRIX, trans);
    const int64_t piece = ws_mainloop_piece(loop), steps = loop->k / (2 * piece),
                  base = is_b ? ws_layout_nbytes(&loop->a) : 0;
    const int64_t loads_a = loop->m / loop->warps_m / 16, loads_b = loop->n / loop->warps_n / 16,
                  loads = is_b ? loads_b : loads_a;
    const int64_t along = is_b ? loop->warps_n : loop->warps_m, across = is_b ? loop->warps_m : loop->warps_n;
    int64_t part, step, i, other;
    for (part = 0; part < along; part++) {
        for (step = 0; step < steps; step++) {
            for (i = 0; i < loads; i++) {
                const int64_t outer = (part * loads + i) * 16, inner = step * 2 * piece;
                uint32_t address[WS_LANES];
                uint16_t wavefronts;
                int64_t lane;
                for (lane = 0; lane < WS_LANES;
                     lane++) { /* B as N x K: the second matrix is to the right, the third below */
                    const int64_t down = is_b && !trans ? lane % 8 + lane / 16 * 8 : lane % 16;
                    const int64_t right = is_b && !trans ? lane / 8 % 2 * piece : lane / 16 * piece;
                    const int64_t row = trans ? inner + down : outer + down,
                                  col = trans ? outer + right : inner + right;
                    address[lane] = (uint32_t)(base + ws_layout_offset(layout, row, col));
                }
                wavefronts = ws_mainloop_count(&op, address, NULL, UINT32_MAX, loop->simd, whole);
                for (other = 0; other < across; other++) {
                    const int64_t warp = is_b ? other * loop->warps_n + part : part * loop->warps_n + other;
                    const int64_t in_step = ws_sequence_place(work, is_b, (int)i);
                    storage->load_wavefronts[(warp * steps + step) * (loads_a + loads_b) + in_step] = wavefronts;
                }
            }
        }
    }
}

/* Wavefronts of a copy beyond the four that its 512 bytes need, or one for each run of consecutive bytes that it writes:
 * those hold up other copies and loads. */
static inline uint16_t ws_mainloop_conflicts(uint16_t wavefronts, const uint32_t address[WS_LANES]) {
    int runs = 1, lane;
    for (lane = 1; lane < WS_LANES; lane++) runs += address[lane] != address[lane - 1] + 16;
    runs = runs > 4 ? runs : 4;
    return (uint16_t)(wavefronts > runs ? wavefronts - runs : 0);
}

/* cp.async of one side, thread after thread along its rows; returns their number per warp. `first`: how many A has. */
static inline int ws_mainloop_copies(const ws_mainloop *loop, bool is_b, int first, ws_mainloop_storage *storage,
                                     bool *whole) {
    const ws_layout *layout = is_b ? &loop->b : &loop->a;
    const ws_op op = ws_mainloop_op(WS_CP_ASYNC, false);
    const int64_t warps = loop->warps_m * loop->warps_n, threads = warps * WS_LANES, in_piece = ws_mainloop_piece(loop),
                  per_row = layout->cols / in_piece;
    const int64_t pieces = layout->rows * per_row, base = is_b ? ws_layout_nbytes(&loop->a) : 0;
    const int copies = (int)((pieces + threads - 1) / threads);
    int copy;
    for (copy = 0; copy < copies; copy++) {
        int64_t warp;
        for (warp = 0; warp < warps; warp++) {
            uint32_t address[WS_LANES], active = 0;
            uint64_t source[WS_LANES];
            int64_t lane;
            for (lane = 0; lane < WS_LANES; lane++) {
                const int64_t piece = copy * threads + warp * WS_LANES + lane, safe = piece < pieces ? piece : 0;
                if (piece < pieces) active |= UINT32_C(1) << lane;
                address[lane] = (uint32_t)(base + ws_layout_offset(layout, safe / per_row, safe % per_row * in_piece));
                source[lane] = (uint64_t)(safe * 16);
            }
            storage->copy_wavefronts[(first + copy) * warps + warp] =
                ws_mainloop_count(&op, address, source, active, loop->simd, whole);
            storage->copy_conflicts[(first + copy) * warps + warp] =
                ws_mainloop_conflicts(storage->copy_wavefronts[(first + copy) * warps + warp], address);
        }
    }
    return copies;
}

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
        copies_a = ws_mainloop_copies(loop, false, 0, storage, &whole);
        copies_b = ws_mainloop_copies(loop, true, copies_a, storage, &whole);
    }
    *work = ws_compiled_work(loop, copies_a, copies_b, registers);
    ws_mainloop_loads(loop, work, false, storage, &whole);
    ws_mainloop_loads(loop, work, true, storage, &whole);
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

WS_PUBLIC ws_status ws_mainloop_cost_of(const ws_mainloop *loop, const ws_profile *profile,
                                        ws_mainloop_storage *storage, ws_mainloop_cost *cost, ws_error *error) {
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
    all.copy_conflicts = storage->copy_conflicts;
    cost->cycles = ws_pipeline_run(&storage->sm, &all, profile, WS_MAINLOOP_WARM, WS_MAINLOOP_MEASURED);
    ws_mainloop_bound(cost, ws_pipeline_busy_of(&all, profile));
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
