/* The memory traffic of an instruction, in the counters of Nsight Compute.
 *
 *     wavefronts        passes of the data banks, summed over the groups of lanes
 *     bank_conflicts    wavefronts beyond one per group (after merging) that has a lane
 *     ideal_wavefronts  wavefronts - bank_conflicts; cp.async.cg: distinct destination bytes / 128, rounded up
 *     sectors           32-byte sectors of global memory; cp.async.cg: moves
 *     requests          memory accesses that the hardware makes for the instruction
 *
 * Counting reads only addresses, never memory; it ignores legality and undefined behaviour. */
#ifndef WARPSIM_COUNT_TRAFFIC_H
#define WARPSIM_COUNT_TRAFFIC_H

#include "../data/access.h"
#include "shared.h"

enum { WS_COUNTER_COUNT = 6 };

typedef enum ws_counter {
    WS_COUNTER_INSTRUCTIONS = 0,
    WS_COUNTER_REQUESTS,
    WS_COUNTER_WAVEFRONTS,
    WS_COUNTER_IDEAL_WAVEFRONTS,
    WS_COUNTER_BANK_CONFLICTS,
    WS_COUNTER_SECTORS
} ws_counter;

static inline const char *ws_counter_word(int counter) {
    static const char *const words[] = {"instructions",     "requests",       "wavefronts",
                                        "ideal_wavefronts", "bank_conflicts", "sectors"};
    return counter >= 0 && counter < WS_COUNTER_COUNT ? words[counter] : "?";
}

/* Bit set of ws_counter: the counters that are approximations for these accesses. */
WS_PUBLIC uint32_t ws_count_inexact(const ws_op *op, const ws_access *access);

#if WS_BODIES
#include "sectors.h"
#include "streams.h"

/* Each tag pass accesses the banks separately. */
static inline void ws_count_global(const ws_stream *stream, ws_counts *counts) {
    uint8_t pass_of[WS_LANES];
    uint64_t groups = 0;
    const int passes = ws_tag_passes(stream->address, stream->mask, stream->store ? WS_STORE_LINES : 1, pass_of);
    int pass, lane;
    for (pass = 0; pass < passes; pass++) {
        uint32_t served = 0;
        for (lane = 0; lane < WS_LANES; lane++) {
            if ((stream->mask >> lane & 1) && pass_of[lane] == pass) served |= UINT32_C(1) << lane;
        }
        counts->wavefronts += ws_count_groups(stream, served, stream->group_lanes, &groups);
    }
    counts->requests += 1;
    counts->sectors += (uint64_t)ws_distinct_units(stream->address, stream->mask, WS_SECTOR_BYTES);
}

static inline void ws_count_copy(const ws_plan *plan, const ws_access *access, size_t warp, ws_counts *counts) {
    uint64_t to[WS_LANES], from[WS_LANES];
    const uint32_t mask = ws_stream_copy(&plan->op, access, warp, to, from);
    ws_count_copies(&plan->op, to, from, mask, counts);
}

/* The sum over the accesses that wmma is lowered to; one request each, whichever memories it touches. */
static inline void ws_count_wmma(const ws_plan *plan, const ws_access *access, size_t warp, ws_counts *counts) {
    const ws_wmma_code *code = &plan->code;
    uint64_t requests = 0;
    int unit;
    for (unit = 0; unit < code->units; unit += code->units_per_access) {
        ws_stream stream;
        ws_stream_wmma(plan, access, warp, unit, WS_IN_SHARED, &stream);
        if (stream.mask != 0) ws_count_shared(&stream, counts);
        ws_stream_wmma(plan, access, warp, unit, WS_IN_GLOBAL, &stream);
        if (stream.mask != 0) {
            ws_count_global(&stream, counts);
            if (code->mode == WS_WMMA_TRANSPOSED) counts->wavefronts++; /* MOVM uses the same pipe */
        }
        requests++;
    }
    counts->requests = requests;
}

/* The counts of one warp's issue. */
static inline ws_counts ws_count_warp(const ws_plan *plan, const ws_access *access, size_t warp) {
    ws_counts counts = {1, 0, 0, 0, 0, 0};
    ws_stream stream;
    if (plan->op.kind == WS_MOVMATRIX || ws_stream_lanes(plan, access, warp) == 0) return counts;
    if (plan->op.kind == WS_CP_ASYNC) {
        ws_count_copy(plan, access, warp, &counts);
        return counts;
    }
    if (plan->is_wmma) {
        ws_count_wmma(plan, access, warp, &counts);
        return counts;
    }
    ws_stream_make(plan, access, warp, WS_IN_SHARED, &stream);
    if (stream.mask != 0) ws_count_shared(&stream, &counts);
    ws_stream_make(plan, access, warp, WS_IN_GLOBAL, &stream);
    if (stream.mask != 0) ws_count_global(&stream, &counts);
    counts.requests = 1;
    return counts;
}

/* The active lanes read one run of bytes without gaps, in lane order. */
static inline bool ws_source_is_contiguous(const ws_op *op, const ws_access *access, size_t warp) {
    const uint32_t mask = ws_access_running(access, warp);
    int lane, before = -1;
    for (lane = 0; lane < WS_LANES; lane++) {
        if (!(mask >> lane & 1)) continue;
        if (before >= 0 && ws_access_source(access, op, warp, lane) - ws_access_source(access, op, warp, before) !=
                               (uint64_t)(lane - before) * op->size_bytes) {
            return false;
        }
        before = lane;
    }
    return true;
}

/* Does one access of a global load touch several windows of 32 MiB? Then its tag banks are not known. */
static inline bool ws_count_crosses_windows(const ws_plan *plan, const ws_access *access, size_t warp) {
    const ws_wmma_code *code = &plan->code;
    ws_stream stream;
    bool known = true;
    int unit;
    if (!plan->is_wmma) {
        ws_stream_make(plan, access, warp, WS_IN_GLOBAL, &stream);
        return !ws_tag_banks_are_known(stream.address, stream.mask);
    }
    if (ws_stream_lanes(plan, access, warp) == 0) return false;
    for (unit = 0; unit < code->units && known; unit += code->units_per_access) {
        ws_stream_wmma(plan, access, warp, unit, WS_IN_GLOBAL, &stream);
        known = ws_tag_banks_are_known(stream.address, stream.mask);
    }
    return !known;
}

/* Bit set of ws_counter: the counters that are approximations for the accesses of the warps first <= w < last. */
static inline uint32_t ws_count_inexact_range(const ws_plan *plan, const ws_access *access, size_t first, size_t last) {
    const uint32_t banks = WS_BIT(WS_COUNTER_WAVEFRONTS) | WS_BIT(WS_COUNTER_BANK_CONFLICTS);
    const ws_op *op = &plan->op;
    const bool global = op->space == WS_SPACE_GLOBAL;
    size_t warp;
    if (!plan->form->counters_measured) return banks | WS_BIT(WS_COUNTER_IDEAL_WAVEFRONTS);
    if (ws_op_writes_memory(op) && global) return WS_BIT(WS_COUNTER_WAVEFRONTS);
    if ((op->kind == WS_LD || op->kind == WS_ST || plan->is_wmma) && op->space == WS_SPACE_GENERIC) return banks;
    for (warp = first; op->cache == WS_CACHE_CA && warp < last; warp++) {
        if (!ws_source_is_contiguous(op, access, warp)) return banks;
    }
    for (warp = first; global && warp < last; warp++) {
        if (ws_count_crosses_windows(plan, access, warp)) return WS_BIT(WS_COUNTER_WAVEFRONTS);
    }
    return 0;
}

WS_PUBLIC uint32_t ws_count_inexact(const ws_op *op, const ws_access *access) {
    const ws_plan plan = ws_plan_make(op, access);
    return ws_count_inexact_range(&plan, access, 0, access->n);
}

#endif /* WS_BODIES */
#endif
