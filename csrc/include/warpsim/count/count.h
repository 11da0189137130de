/* Counts of many warps: those of traffic.h, with the groups of shared memory counted by the vector kernels.
 *
 *     all lanes, 32-bit addresses    the caller's array is already what the kernels take
 *     masks, x1, x2, merging loads, wmma, 64-bit addresses    groups are copied into a batch first
 *     global memory, cp.async, lanes of wmma that differ      warp by warp */
#ifndef WARPSIM_COUNT_COUNT_H
#define WARPSIM_COUNT_COUNT_H

#include "traffic.h"

/* Totals over all n warps. */
WS_PUBLIC ws_status ws_count(const ws_op *op, const ws_access *access, ws_counts *counts, ws_error *error);

#if WS_BODIES
#include "group_batch.h"
#include "wmma_pattern.h"

enum { WS_CHUNK_WARPS = 256 };

/* Wavefronts and groups of a warp's accesses to shared memory. */
typedef struct ws_tally {
    uint16_t wavefronts;
    uint8_t groups;
    uint8_t requests;
} ws_tally;

static inline ws_counts ws_tally_counts(ws_tally tally) {
    const ws_counts counts = {
        1, tally.requests, tally.wavefronts, tally.groups, (uint64_t)(tally.wavefronts - tally.groups), 0};
    return counts;
}

/* Can the kernels take the caller's addresses as they are? */
static inline bool ws_count_is_direct(const ws_plan *plan, const ws_access *access) {
    return ws_op_counts_groups(&plan->op) && access->address_bytes == 4 && access->active == NULL &&
           plan->row_lanes == WS_LANES && (access->exited == NULL || plan->is_collective);
}

/* Does any warp's load merge its groups? The first lanes nearly always decide. */
static inline bool ws_count_any_merges(const uint32_t *address, size_t warps, int group_lanes) {
    const uint32_t unit_bytes = 128 / (uint32_t)group_lanes;
    size_t warp;
    if (!ws_first_lanes_meet(address, warps, group_lanes)) return false;
    for (warp = 0; warp < warps; warp++, address += WS_LANES) {
        uint64_t units[WS_LANES];
        int lane;
        if (!ws_first_lanes_meet(address, 1, group_lanes)) continue;
        for (lane = 0; lane < WS_LANES; lane++) units[lane] = address[lane] / unit_bytes;
        if (ws_bank_merge_distance(units, UINT32_MAX) != 0) return true;
    }
    return false;
}

/* The counters of warps that have `groups` groups each, from the passes of the groups. */
static inline void ws_counts_fill(const uint8_t *passes, int groups, size_t warps, ws_counts *counts) {
    ws_tally tally;
    size_t warp;
    int i;
    tally.groups = (uint8_t)groups;
    tally.requests = 1;
    for (warp = 0; warp < warps; warp++) {
        uint32_t wavefronts = *passes++;
        for (i = 1; i < groups; i++) wavefronts += *passes++;
        tally.wavefronts = (uint16_t)wavefronts;
        counts[warp] = ws_tally_counts(tally);
    }
}

/* Counts warps whose addresses the kernels take as they are: one each, or (counts NULL) their sum into *total. */
static inline void ws_count_direct(const ws_plan *plan, const ws_access *access, size_t first, size_t warps,
                                   ws_counts *counts, ws_counts *total) {
    const int lanes = plan->group_lanes;
    const size_t groups = warps * (size_t)(WS_LANES / lanes);
    uint8_t passes[WS_CHUNK_WARPS * 4];
    uint32_t wavefronts = 0;
    size_t i;
    ws_passes((const uint32_t *)access->address + first * WS_LANES, groups, lanes, passes, plan->level);
    if (counts != NULL) {
        if (lanes == 8) ws_counts_fill(passes, 4, warps, counts);
        else if (lanes == 16) ws_counts_fill(passes, 2, warps, counts);
        else ws_counts_fill(passes, 1, warps, counts);
        return;
    }
    for (i = 0; i < groups; i++) wavefronts += passes[i];
    total->instructions += warps;
    total->requests += warps;
    total->wavefronts += wavefronts;
    total->ideal_wavefronts += groups;
    total->bank_conflicts += wavefronts - groups;
}

/* The 32 addresses of a warp in 32 bits; false if they are not in one window of 4 GiB. */
static inline bool ws_count_narrow(const ws_access *access, size_t warp, uint32_t mask, uint32_t address[WS_LANES]) {
    uint64_t high = 0;
    bool first = true;
    int lane;
    for (lane = 0; lane < WS_LANES; lane++) {
        uint64_t wide;
        address[lane] = 0;
        if (!(mask >> lane & 1)) continue;
        wide = ws_access_address(access, warp, lane);
        if (first) high = wide >> 32;
        first = false;
        if (wide >> 32 != high) return false;
        address[lane] = (uint32_t)wide;
    }
    return true;
}

/* The groups of one wmma, whose lanes pass the same p and stride; false if they do not. */
static inline bool ws_count_add_wmma(const ws_plan *plan, const ws_access *access, size_t warp,
                                     ws_wmma_pattern *pattern, ws_group_batch *batch, ws_tally *tally) {
    const uint32_t stride = ws_access_stride(access, warp, 0, ws_wmma_default_stride(&plan->op));
    const uint32_t p = (uint32_t)ws_access_address(access, warp, 0);
    uint32_t address[WS_LANES];
    int groups = 0, i, lane;
    if (!ws_wmma_is_uniform(access, warp)) return false;
    if (pattern->accesses == 0 || pattern->stride != stride) ws_wmma_pattern_make(plan, stride, pattern);
    for (i = 0; i < pattern->accesses; i++) {
        for (lane = 0; lane < WS_LANES; lane++) address[lane] = p + pattern->offset[i][lane];
        groups += plan->merges_groups ? ws_group_batch_add_merging(batch, address, pattern->mask[i])
                                      : ws_group_batch_add(batch, address, pattern->mask[i]);
    }
    tally->requests = (uint8_t)pattern->accesses;
    tally->groups = (uint8_t)groups;
    return true;
}

/* Adds one warp's groups to the batch; false if this warp must be counted on its own. */
static inline bool ws_count_add(const ws_plan *plan, const ws_access *access, size_t warp, ws_wmma_pattern *pattern,
                                ws_group_batch *batch, ws_tally *tally) {
    const uint32_t mask = ws_stream_lanes(plan, access, warp);
    uint32_t narrow[WS_LANES];
    const uint32_t *address = narrow;
    int groups = 0;
    if (mask != 0 && plan->is_wmma) return ws_count_add_wmma(plan, access, warp, pattern, batch, tally);
    if (mask != 0) {
        if (access->address_bytes == 4) address = (const uint32_t *)access->address + warp * WS_LANES;
        else if (!ws_count_narrow(access, warp, mask, narrow)) return false;
        groups = plan->merges_groups ? ws_group_batch_add_merging(batch, address, mask)
                                     : ws_group_batch_add(batch, address, mask);
    }
    tally->requests = mask != 0;
    tally->groups = (uint8_t)groups;
    return true;
}

/* Counts a chunk through a batch; false if some warp must be counted on its own. */
static inline bool ws_count_batch(const ws_plan *plan, const ws_access *access, size_t first, size_t warps,
                                  ws_wmma_pattern *pattern, ws_tally *tally) {
    ws_group_batch batch;
    const uint8_t *passes = batch.passes;
    size_t warp;
    int i;
    ws_group_batch_clear(&batch, plan->group_lanes);
    for (warp = 0; warp < warps; warp++) {
        if (!ws_count_add(plan, access, first + warp, pattern, &batch, &tally[warp])) return false;
    }
    ws_group_batch_count(&batch, plan->level);
    for (warp = 0; warp < warps; warp++) {
        uint32_t wavefronts = 0;
        for (i = 0; i < tally[warp].groups; i++) wavefronts += *passes++;
        tally[warp].wavefronts = (uint16_t)wavefronts;
    }
    return true;
}

/* Counts of one chunk that is not direct, one each or (counts NULL) added to *total. */
static inline void ws_count_chunk(const ws_plan *plan, const ws_access *access, size_t first, size_t warps,
                                  ws_wmma_pattern *pattern, ws_counts *counts, ws_counts *total) {
    ws_tally tally[WS_BATCH_ACCESSES];
    const bool done = ws_op_counts_groups(&plan->op) && ws_count_batch(plan, access, first, warps, pattern, tally);
    size_t warp;
    for (warp = 0; warp < warps; warp++) {
        const ws_counts one = done ? ws_tally_counts(tally[warp]) : ws_count_warp(plan, access, first + warp);
        if (counts != NULL) counts[warp] = one;
        else ws_counts_add(total, &one);
    }
}

/* Counts of the warps first <= w < last, one each; if `counts` is NULL, they are added to *total. */
static inline void ws_count_range(const ws_plan *plan, const ws_access *access, size_t first, size_t last,
                                  ws_counts *counts, ws_counts *total) {
    const bool direct = ws_count_is_direct(plan, access), may_merge = plan->merges_groups;
    const size_t batch = plan->is_wmma ? (size_t)WS_BATCH_ACCESSES / WS_WMMA_MAX_ACCESSES : (size_t)WS_BATCH_ACCESSES;
    ws_wmma_pattern pattern;
    pattern.accesses = 0;
    pattern.stride = 0;
    while (first < last) {
        const uint32_t *address = direct ? (const uint32_t *)access->address + first * WS_LANES : NULL;
        size_t warps = direct ? (size_t)WS_CHUNK_WARPS : batch;
        bool merging = false;
        if (warps > last - first) warps = last - first;
        if (direct && may_merge && ws_count_any_merges(address, warps, plan->group_lanes)) {
            warps = warps < batch ? warps : batch;
            merging = ws_count_any_merges(address, warps, plan->group_lanes);
        }
        if (direct && !merging) ws_count_direct(plan, access, first, warps, counts, total);
        else ws_count_chunk(plan, access, first, warps, &pattern, counts, total);
        if (counts != NULL) counts += warps;
        first += warps;
    }
}

/* Do all warps have the same counters except for wavefronts and conflicts? Then ws_count_wavefronts is all that is
 * needed. */
static inline bool ws_count_is_uniform(const ws_plan *plan, const ws_access *access) {
    return ws_count_is_direct(plan, access) && !plan->merges_groups;
}

/* Wavefronts of the warps first <= w < last, of which each has WS_LANES / group_lanes without conflicts. */
static inline void ws_count_wavefronts(const ws_plan *plan, const ws_access *access, size_t first, size_t last,
                                       int64_t *wavefronts) {
    const int lanes = plan->group_lanes, groups = WS_LANES / lanes;
    while (first < last) {
        const size_t warps = last - first < WS_CHUNK_WARPS ? last - first : (size_t)WS_CHUNK_WARPS;
        uint8_t passes[WS_CHUNK_WARPS * 4];
        size_t i;
        ws_passes((const uint32_t *)access->address + first * WS_LANES, warps * (size_t)groups, lanes, passes,
                  plan->level);
        for (i = 0; i < warps; i++) {
            const uint8_t *of_warp = passes + i * (size_t)groups;
            wavefronts[i] = groups == 4   ? of_warp[0] + of_warp[1] + of_warp[2] + of_warp[3]
                            : groups == 2 ? of_warp[0] + of_warp[1]
                                          : of_warp[0];
        }
        wavefronts += warps;
        first += warps;
    }
}

WS_PUBLIC ws_status ws_count(const ws_op *op, const ws_access *access, ws_counts *counts, ws_error *error) {
    const ws_counts zero = {0, 0, 0, 0, 0, 0};
    ws_plan plan;
    ws_error_clear(error);
    if (counts != NULL) *counts = zero;
    if (op == NULL || access == NULL || counts == NULL || !ws_op_is_valid(op)) {
        return ws_error_set(error, WS_INVALID_ARGUMENT, "ws_count: op, access and counts must be valid");
    }
    plan = ws_plan_make(op, access);
    ws_count_range(&plan, access, 0, access->n, NULL, counts);
    return WS_OK;
}

#endif /* WS_BODIES */
#endif
