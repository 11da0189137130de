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
#include "cp_async.h"
#include "sectors.h"

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

/* Does every access of this instruction go to shared memory, to be counted by groups? */
WS_CONSTANT bool ws_op_counts_groups(const ws_op *op) { return ws_op_form(op)->rows > 0 || ws_op_is_shared(op); }

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

/* The copies of cp.async by the lanes of `mask`. */
WS_CONSTANT void ws_count_copies(const ws_op *op, const uint64_t to[WS_LANES], const uint64_t from[WS_LANES],
                                 uint32_t mask, ws_counts *counts) {
    const int group_lanes = ws_op_group_lanes(op);
    uint64_t wavefronts = 0, ideal = 0;
    int i;
    counts->requests += 1;
    if (op->cache == WS_CACHE_CG) {
        ws_cp_async_moves all;
        ws_cp_async_cg_moves(to, from, mask, &all);
        for (i = 0; i < all.classes; i++) wavefronts += (uint64_t)ws_cp_async_cg_class(&all, i);
        counts->wavefronts += wavefronts;
        counts->ideal_wavefronts += ((uint64_t)all.destinations * 16 + 127) / 128;
        counts->sectors += (uint64_t)all.moves;
        return;
    }
    for (i = 0; i < WS_LANES; i += group_lanes) {
        uint8_t pass_of[WS_LANES];
        wavefronts += (uint64_t)ws_cp_async_ca_group(to, from, mask, i, group_lanes, op->size_bytes, pass_of);
        ideal += (mask & (ws_lane_mask(group_lanes) << i)) != 0;
    }
    counts->wavefronts += wavefronts;
    counts->ideal_wavefronts += ideal;
    counts->bank_conflicts += wavefronts - ideal;
    counts->sectors += (uint64_t)ws_distinct_units(from, mask, WS_SECTOR_BYTES);
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
