/* What the memories do for one issue, as time sees it.
 *
 * A counter of wavefronts adds up what happens in turn. In global memory two things overlap: the tag stage of L1, and
 * its banks, which serve the lines of all tag passes together. Time is that of the slower one.
 *
 * This file knows nothing about cycles. */
#ifndef WARPSIM_COUNT_ASKED_H
#define WARPSIM_COUNT_ASKED_H

#include "traffic.h"

typedef struct ws_asked {
    double shared; /* wavefronts in shared memory; stores to global memory: theirs */
    double tags;   /* loads from global memory, summed over the accesses: tag passes, */
    double banks;  /* passes of the banks, */
    double slower; /* and the larger of the two */
    int lines;     /* of 128 bytes that cp.async reads */
    bool usual;    /* all lanes take part, and a copy reads sectors of 32 bytes whole: what was timed */
} ws_asked;

/* Of one warp's issue. */
WS_PUBLIC ws_asked ws_asked_of(const ws_op *op, const ws_access *access, size_t warp);

/* What counters alone tell: all lanes take part, accesses are as conflict-free in the tag stage as in the banks, and
 * the sources of a copy are consecutive. */
WS_PUBLIC ws_asked ws_asked_guess(const ws_op *op, const ws_counts *counts);

#if WS_BODIES

static inline void ws_asked_add(ws_asked *asked, const ws_stream *stream) {
    uint8_t pass_of[WS_LANES];
    uint64_t groups = 0, passes;
    double tags, banks;
    if (stream->mask == 0) return;
    tags = ws_tag_passes(stream->address, stream->mask, 1, pass_of);
    passes = ws_count_groups(stream, stream->mask, stream->group_lanes, &groups);
    banks = (double)passes;
    asked->tags += tags;
    asked->banks += banks;
    asked->slower += tags > banks ? tags : banks;
}

/* The part of a load that goes to global memory. */
static inline void ws_asked_global(const ws_plan *plan, const ws_access *access, size_t warp, ws_asked *asked) {
    const ws_wmma_code *code = &plan->code;
    ws_stream stream;
    int unit;
    if (!plan->is_wmma) {
        ws_stream_make(plan, access, warp, WS_IN_GLOBAL, &stream);
        ws_asked_add(asked, &stream);
        return;
    }
    for (unit = 0; unit < code->units; unit += code->units_per_access) {
        ws_stream_wmma(plan, access, warp, unit, WS_IN_GLOBAL, &stream);
        ws_asked_add(asked, &stream);
    }
}

/* Wavefronts in shared memory. */
static inline double ws_asked_shared(const ws_plan *plan, const ws_access *access, size_t warp) {
    const ws_wmma_code *code = &plan->code;
    ws_counts counts = {1, 0, 0, 0, 0, 0};
    ws_stream stream;
    int unit;
    if (!plan->is_wmma) {
        ws_stream_make(plan, access, warp, WS_IN_SHARED, &stream);
        if (stream.mask != 0) ws_count_shared(&stream, &counts);
        return (double)counts.wavefronts;
    }
    for (unit = 0; unit < code->units; unit += code->units_per_access) {
        ws_stream_wmma(plan, access, warp, unit, WS_IN_SHARED, &stream);
        if (stream.mask != 0) ws_count_shared(&stream, &counts);
    }
    return (double)counts.wavefronts;
}

static inline void ws_asked_copy(const ws_plan *plan, const ws_access *access, size_t warp, ws_asked *asked) {
    const uint32_t mask = ws_access_running(access, warp);
    uint64_t source[WS_LANES];
    int lane;
    for (lane = 0; lane < WS_LANES; lane++) source[lane] = ws_access_source(access, &plan->op, warp, lane);
    asked->lines = ws_copy_lines(source, mask);
    asked->usual = asked->usual &&
                   ws_distinct_units(source, mask, WS_SECTOR_BYTES) * WS_SECTOR_BYTES == plan->op.size_bytes * WS_LANES;
}

WS_PUBLIC ws_asked ws_asked_of(const ws_op *op, const ws_access *access, size_t warp) {
    const ws_plan plan = ws_plan_make(op, access);
    const ws_counts counts = ws_count_warp(&plan, access, warp);
    ws_asked asked = {0, 0, 0, 0, 0, true};
    asked.usual = ws_access_running(access, warp) == UINT32_MAX;
    asked.shared = (double)counts.wavefronts;
    if (op->kind == WS_CP_ASYNC) ws_asked_copy(&plan, access, warp, &asked);
    if (op->space == WS_SPACE_SHARED || !ws_op_is_load(op) || op->kind == WS_CP_ASYNC) return asked;
    asked.shared = ws_asked_shared(&plan, access, warp);
    if (ws_op_form(op)->rows == 0) ws_asked_global(&plan, access, warp, &asked);
    return asked;
}

WS_PUBLIC ws_asked ws_asked_guess(const ws_op *op, const ws_counts *counts) {
    const bool global = op->space == WS_SPACE_GLOBAL && ws_op_is_load(op);
    const double wavefronts = (double)counts->wavefronts;
    ws_asked asked = {0, 0, 0, 0, 0, true};
    asked.lines = op->size_bytes * WS_LANES / WS_LINE_BYTES;
    if (global) asked.tags = asked.banks = asked.slower = wavefronts;
    else asked.shared = wavefronts;
    return asked;
}

#endif /* WS_BODIES */
#endif
