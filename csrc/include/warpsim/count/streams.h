/* The address streams of every form: what banks and sectors get to see of one warp's issue.
 *
 * A stream is the addresses of some lanes, all of one width, with the groups in which the hardware takes the lanes. An instruction
 * makes one stream for each memory that it touches: a generic access may touch two.
 * Addresses are rounded down to their alignment: a misaligned row is counted as the row that it lies in. */
#ifndef WARPSIM_COUNT_STREAMS_H
#define WARPSIM_COUNT_STREAMS_H

#include "../data/wmma_lowering.h"

typedef struct ws_stream {
    uint64_t address[WS_LANES];
    uint32_t mask;  /* lanes that take part */
    ws_where where; /* WS_IN_SHARED or WS_IN_GLOBAL */
    bool store;
    bool may_merge;  /* a load whose neighbouring groups can become one */
    int width_bytes; /* 1 to 16 */
    int group_lanes; /* 8, 16 or 32 */
} ws_stream;

/* Lanes whose addresses count: a partial mask of an .aligned instruction counts as full. */
static inline uint32_t ws_stream_lanes(const ws_op *op, const ws_access *access, size_t warp) {
    const uint32_t active = ws_access_active(access, warp);
    if (active == 0) return 0;
    return ws_op_is_collective(op) ? ws_lane_mask(ws_op_row_lanes(op)) : ws_access_running(access, warp);
}

/* Does every access of this instruction go to shared memory, to be counted by groups? */
static inline bool ws_op_counts_groups(const ws_op *op) {
    const bool shared = op->space == WS_SPACE_SHARED || op->space == WS_SPACE_SHARED_CTA;
    if (op->kind == WS_LDMATRIX || op->kind == WS_STMATRIX) return true;
    return shared && (op->kind == WS_LD || op->kind == WS_ST || ws_op_is_wmma(op));
}

static inline bool ws_op_may_merge(const ws_op *op) { return op->kind == WS_LD && ws_op_access_bytes(op) >= 8; }

/* Whether an address of this instruction is one of shared memory. */
static inline bool ws_stream_is_shared(const ws_op *op, const ws_access *access, uint64_t address) {
    if (op->space != WS_SPACE_GENERIC || op->kind == WS_LDMATRIX || op->kind == WS_STMATRIX) {
        return op->space != WS_SPACE_GLOBAL;
    }
    return address >= access->shared_window && address - access->shared_window < WS_SHARED_WINDOW_BYTES;
}

/* The part of an issue of ldmatrix, stmatrix, ld or st that goes to `where`; an empty mask if there is none. */
static inline void ws_stream_make(const ws_op *op, const ws_access *access, size_t warp, ws_where where,
                                  ws_stream *stream) {
    const uint64_t bytes = (uint64_t)ws_op_access_bytes(op);
    const uint32_t lanes = ws_stream_lanes(op, access, warp);
    int lane;
    stream->mask = 0;
    stream->where = where;
    stream->store = ws_op_writes_memory(op);
    stream->may_merge = op->kind == WS_LD && where == WS_IN_SHARED && bytes >= 8;
    stream->width_bytes = (int)bytes;
    stream->group_lanes = ws_op_group_lanes(op);
    for (lane = 0; lane < WS_LANES; lane++) {
        uint64_t address;
        if (!(lanes >> lane & 1)) continue;
        address = ws_access_address(access, warp, lane) / bytes * bytes;
        if (ws_stream_is_shared(op, access, address) != (where == WS_IN_SHARED)) continue;
        stream->address[lane] = address;
        stream->mask |= UINT32_C(1) << lane;
    }
}

/* The part of one wmma access that goes to `where`. */
static inline void ws_stream_wmma(const ws_op *op, const ws_wmma_code *code, const ws_access *access, size_t warp,
                                  int unit, ws_where where, ws_stream *stream) {
    const uint64_t bytes = (uint64_t)code->width_bytes;
    uint32_t lanes = 0;
    int i, lane;
    for (i = unit; i < unit + code->units_per_access && i < code->units; i++) {
        lanes |= ws_wmma_unit_addresses(op, code, access, warp, i, stream->address);
    }
    stream->mask = 0;
    stream->where = where;
    stream->store = op->kind == WS_WMMA_STORE;
    stream->may_merge = !stream->store && code->mode != WS_WMMA_ROWS && where == WS_IN_SHARED && bytes >= 8;
    stream->width_bytes = (int)bytes;
    stream->group_lanes = ws_group_lanes_of_width((int)bytes);
    for (lane = 0; lane < WS_LANES; lane++) {
        if (!(lanes >> lane & 1)) continue;
        stream->address[lane] = stream->address[lane] / bytes * bytes;
        if (ws_stream_is_shared(op, access, stream->address[lane]) == (where == WS_IN_SHARED)) {
            stream->mask |= UINT32_C(1) << lane;
        }
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
