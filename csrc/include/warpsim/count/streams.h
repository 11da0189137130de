/* The address streams of every form: what banks and sectors see of one warp's issue.
 *
 * A stream is the addresses of some lanes, all of one width, with the groups in which the hardware takes the lanes. An
 * instruction makes one stream for each memory it touches; a generic access may touch two. Addresses are rounded down
 * to their alignment: a misaligned row counts as the row that contains its address. */
#ifndef WARPSIM_COUNT_STREAMS_H
#define WARPSIM_COUNT_STREAMS_H

#include "../data/plan.h"
#include "shared.h"

/* Lanes whose addresses count: for an .aligned instruction, a partial mask counts as full. */
static inline uint32_t ws_stream_lanes(const ws_plan *plan, const ws_access *access, size_t warp) {
    const uint32_t active = ws_access_active(access, warp);
    if (active == 0) return 0;
    return plan->is_collective ? ws_lane_mask(plan->row_lanes) : ws_access_running(access, warp);
}

/* Whether an address of this instruction is in shared memory. */
static inline bool ws_stream_is_shared(const ws_plan *plan, const ws_access *access, uint64_t address) {
    if (plan->op.space != WS_SPACE_GENERIC || plan->form->rows > 0) return plan->op.space != WS_SPACE_GLOBAL;
    return address >= access->shared_window && address - access->shared_window < WS_SHARED_WINDOW_BYTES;
}

/* The stream of an instruction to one memory, before its lanes are known. */
static inline void ws_stream_begin(const ws_plan *plan, ws_where where, int width_bytes, ws_stream *stream) {
    stream->mask = 0;
    stream->where = where;
    stream->store = ws_op_writes_memory(&plan->op);
    stream->may_merge = plan->merges_groups && where == WS_IN_SHARED;
    stream->width_bytes = width_bytes;
    stream->group_lanes = plan->group_lanes;
}

/* Adds one lane, if its address belongs to the stream's memory. */
static inline void ws_stream_add(const ws_plan *plan, const ws_access *access, int lane, uint64_t address,
                                 ws_stream *stream) {
    const uint64_t bytes = (uint64_t)stream->width_bytes;
    stream->address[lane] = address / bytes * bytes;
    if (ws_stream_is_shared(plan, access, stream->address[lane]) == (stream->where == WS_IN_SHARED)) {
        stream->mask |= UINT32_C(1) << lane;
    }
}

/* The part of an issue of ldmatrix, stmatrix, ld or st that goes to `where`; an empty mask if no lane does. */
static inline void ws_stream_make(const ws_plan *plan, const ws_access *access, size_t warp, ws_where where,
                                  ws_stream *stream) {
    const uint32_t lanes = ws_stream_lanes(plan, access, warp);
    int lane;
    ws_stream_begin(plan, where, plan->access_bytes, stream);
    for (lane = 0; lane < WS_LANES; lane++) {
        if (lanes >> lane & 1) ws_stream_add(plan, access, lane, ws_access_address(access, warp, lane), stream);
    }
}

/* The part of one wmma access that goes to `where`. */
static inline void ws_stream_wmma(const ws_plan *plan, const ws_access *access, size_t warp, int unit, ws_where where,
                                  ws_stream *stream) {
    const ws_wmma_code *code = &plan->code;
    uint64_t address[WS_LANES];
    uint32_t lanes = 0;
    int i, lane;
    for (i = unit; i < unit + code->units_per_access && i < code->units; i++) {
        lanes |= ws_wmma_unit_addresses(&plan->op, code, access, warp, i, address);
    }
    ws_stream_begin(plan, where, code->width_bytes, stream);
    for (lane = 0; lane < WS_LANES; lane++) {
        if (lanes >> lane & 1) ws_stream_add(plan, access, lane, address[lane], stream);
    }
}

/* Destinations and sources of one cp.async. */
static inline uint32_t ws_stream_copy(const ws_op *op, const ws_access *access, size_t warp, uint64_t to[WS_LANES],
                                      uint64_t from[WS_LANES]) {
    int lane;
    for (lane = 0; lane < WS_LANES; lane++) {
        to[lane] = ws_access_address(access, warp, lane) / op->size_bytes * op->size_bytes;
        from[lane] = ws_access_source(access, op, warp, lane) / op->size_bytes * op->size_bytes;
    }
    return ws_access_running(access, warp);
}

#endif
