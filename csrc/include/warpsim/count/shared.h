/* What a stream of addresses costs shared memory.
 *
 * A stream is the addresses of some lanes, all of one width, with the groups in which the hardware takes the lanes. In
 * C++20 these functions are constant expressions.
 *
 * This file knows nothing about instructions other than their groups. */
#ifndef WARPSIM_COUNT_SHARED_H
#define WARPSIM_COUNT_SHARED_H

#include "../isa/form.h"
#include "../simd/banks.h"

typedef struct ws_counts {
    uint64_t instructions;
    uint64_t requests;
    uint64_t wavefronts;
    uint64_t ideal_wavefronts;
    uint64_t bank_conflicts;
    uint64_t sectors;
} ws_counts;

WS_CONSTANT void ws_counts_add(ws_counts *total, const ws_counts *one) {
    total->instructions += one->instructions;
    total->requests += one->requests;
    total->wavefronts += one->wavefronts;
    total->ideal_wavefronts += one->ideal_wavefronts;
    total->bank_conflicts += one->bank_conflicts;
    total->sectors += one->sectors;
}

typedef struct ws_stream {
    uint64_t address[WS_LANES];
    uint32_t mask;  /* lanes that participate */
    ws_where where; /* WS_IN_SHARED or WS_IN_GLOBAL */
    bool store;
    bool may_merge;  /* a load whose neighbouring groups can merge */
    int width_bytes; /* 1 to 16 */
    int group_lanes; /* 8, 16 or 32 */
} ws_stream;

/* Lanes per group of a stream, after merging. */
WS_CONSTANT int ws_stream_group_lanes(const ws_stream *stream) {
    const bool merge = stream->may_merge && ws_bank_merge_distance(stream->address, stream->mask) != 0;
    return merge ? 2 * stream->group_lanes : stream->group_lanes;
}

/* Bank passes over the lanes of `mask`, group by group; *groups counts those that have a lane. */
WS_CONSTANT uint64_t ws_count_groups(const ws_stream *stream, uint32_t mask, int group_lanes, uint64_t *groups) {
    uint64_t wavefronts = 0;
    int first;
    for (first = 0; first < WS_LANES; first += group_lanes) {
        const uint32_t group = mask & (ws_lane_mask(group_lanes) << first);
        if (group == 0) continue;
        wavefronts += (uint64_t)ws_bank_passes(stream->address, group, stream->width_bytes);
        (*groups)++;
    }
    return wavefronts;
}

WS_CONSTANT void ws_count_shared(const ws_stream *stream, ws_counts *counts) {
    uint64_t groups = 0;
    const uint64_t wavefronts = ws_count_groups(stream, stream->mask, ws_stream_group_lanes(stream), &groups);
    counts->requests += 1;
    counts->wavefronts += wavefronts;
    counts->ideal_wavefronts += groups;
    counts->bank_conflicts += wavefronts - groups;
}

/* The counts of an issue of ldmatrix, stmatrix, ld or st, all of whose lanes access shared memory at `address`. */
WS_CONSTANT ws_counts ws_count_addresses(const ws_op *op, const int64_t address[WS_LANES]) {
    const int bytes = ws_op_access_bytes(op);
    ws_counts counts = {1, 0, 0, 0, 0, 0};
    ws_stream stream;
    int lane;
    stream.mask = ws_lane_mask(ws_op_row_lanes(op));
    stream.where = WS_IN_SHARED;
    stream.store = ws_op_writes_memory(op);
    stream.may_merge = ws_op_merges_groups(op);
    stream.width_bytes = bytes;
    stream.group_lanes = ws_op_group_lanes(op);
    for (lane = 0; lane < WS_LANES; lane++) stream.address[lane] = (uint64_t)(address[lane] / bytes * bytes);
    ws_count_shared(&stream, &counts);
    return counts;
}

#endif
