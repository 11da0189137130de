/* What a thread does with its part of a batch: the binding's side of ws_execute_range and ws_count_range. */
#ifndef WARPSIM_BATCH_H
#define WARPSIM_BATCH_H

#include <time.h>
#include <warpsim/mma.h>
#include <warpsim/warpsim.h>

#include "pool.h"

enum {
    WS_LOOK_NS = 20 * 1000 * 1000 /* between two looks for Ctrl-C */,
    WS_BATCH_PIECE = 1024 /* warps between two looks at the clock */
};

typedef enum ws_batch_job { WS_BATCH_CHECK, WS_BATCH_EXECUTE, WS_BATCH_COUNT, WS_BATCH_MULTIPLY } ws_batch_job;

typedef struct ws_batch {
    ws_batch_job job;
    const ws_call *call;
    const ws_mma_plan *plan; /* multiply: these two instead of a call */
    const ws_mma_batch *operands;
    ws_counts *counts;         /* of warp 0; execute counts, too, where there is one of these two */
    int64_t *wavefronts;       /* of warp 0, where they tell all */
    int stops;                 /* at the first finding */
    size_t ranges;             /* the warps, dealt as evenly as can be */
    size_t next[WS_POOL_MOST]; /* of each range: the warp to go on with */
    size_t end[WS_POOL_MOST];
    int found[WS_POOL_MOST]; /* of each range: a warp ended it, or there were findings */
    uint64_t until_ns;       /* when a round ends; 0: with its last warp */
} ws_batch;

/* Of a clock that nobody sets, where the system has one: a round must end. */
static inline uint64_t ws_clock_ns(void) {
    struct timespec now;
#ifdef CLOCK_MONOTONIC
    clock_gettime(CLOCK_MONOTONIC, &now);
#else
    timespec_get(&now, TIME_UTC);
#endif
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static void ws_batch_count(const ws_batch *batch, size_t first, size_t last) {
    const ws_plan *plan = batch->call->plan;
    const ws_access *access = batch->call->access;
    if (batch->counts != NULL) ws_count_range(plan, access, first, last, batch->counts + first, NULL);
    if (batch->wavefronts != NULL) ws_count_wavefronts(plan, access, first, last, batch->wavefronts + first);
}

/* One piece of a range; 0 if a warp ended it. */
static int ws_batch_piece(const ws_batch *batch, size_t first, size_t last, ws_findings *sink) {
    if (batch->job == WS_BATCH_MULTIPLY) {
        ws_mma_multiply_range(batch->plan, batch->operands, first, last);
        return 1;
    }
    if (batch->job == WS_BATCH_CHECK) return ws_check_range(batch->call, first, last, NULL, sink, NULL) == WS_OK;
    if (batch->job == WS_BATCH_EXECUTE && ws_execute_range(batch->call, first, last, sink) != last) return 0;
    ws_batch_count(batch, first, last);
    return 1;
}

/* Goes on with a range until it or the round ends, a piece at a time, while its addresses are at hand. */
static void ws_batch_range(ws_batch *batch, size_t range) {
    ws_findings sink = {NULL, 0, 0};
    while (batch->next[range] < batch->end[range]) {
        const size_t first = batch->next[range], left = batch->end[range] - first;
        const size_t last = first + (left < WS_BATCH_PIECE ? left : WS_BATCH_PIECE);
        const int done = ws_batch_piece(batch, first, last, &sink);
        if (!done || sink.count != 0) batch->found[range] = 1;
        batch->next[range] = !done || (batch->stops && sink.count != 0) ? batch->end[range] : last;
        if (batch->until_ns != 0 && ws_clock_ns() >= batch->until_ns) return;
    }
}

static void ws_batch_part(void *context, size_t part, size_t parts) {
    ws_batch *batch = (ws_batch *)context;
    for (; part < batch->ranges; part += parts) ws_batch_range(batch, part);
}

/* Deals n warps to as many ranges as there are threads. */
static void ws_batch_deal(ws_batch *batch, size_t n, size_t threads, int stops) {
    size_t i, first = 0;
    batch->ranges = threads;
    batch->stops = stops;
    batch->until_ns = 0;
    for (i = 0; i < threads; i++) {
        batch->next[i] = first;
        first += n / threads + (i < n % threads);
        batch->end[i] = first;
        batch->found[i] = 0;
    }
}

/* Works for a while; 1 when all is done. */
static int ws_batch_round(ws_batch *batch, ws_pool *pool) {
    size_t i;
    batch->until_ns = ws_clock_ns() + WS_LOOK_NS;
    ws_pool_run(pool, ws_batch_part, batch, batch->ranges);
    for (i = 0; i < batch->ranges; i++) {
        if (batch->stops && batch->found[i]) return 1;
    }
    for (i = 0; i < batch->ranges; i++) {
        if (batch->next[i] < batch->end[i]) return 0;
    }
    return 1;
}

/* Was nothing found, and no range ended by a warp? */
static int ws_batch_is_clean(const ws_batch *batch) {
    size_t i;
    for (i = 0; i < batch->ranges; i++) {
        if (batch->found[i]) return 0;
    }
    return 1;
}

#endif
