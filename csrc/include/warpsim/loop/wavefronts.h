/* The wavefronts of a main loop's loads and copies, counted one by one. */
#ifndef WARPSIM_LOOP_WAVEFRONTS_H
#define WARPSIM_LOOP_WAVEFRONTS_H

#include "../count/count.h"
#include "../isa/validate.h"
#include "mainloop_shape.h"
#include "sequence.h"

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

/* ldmatrix.x4 of 16 rows or columns of one side, at every step of K, for each warp along that side. `found`:
 * [warps][loads]. */
static inline void ws_mainloop_loads(const ws_mainloop *loop, const ws_work *work, bool is_b, uint16_t *found,
                                     bool *whole) {
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
                    found[(warp * steps + step) * (loads_a + loads_b) + in_step] = wavefronts;
                }
            }
        }
    }
}

/* cp.async of one side, thread after thread along its rows; returns their number per warp. `found`:
 * [copies][warps]. */
static inline int ws_mainloop_copies(const ws_mainloop *loop, bool is_b, uint16_t *found, bool *whole) {
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
            found[copy * warps + warp] = ws_mainloop_count(&op, address, source, active, loop->simd, whole);
        }
    }
    return copies;
}

#endif
