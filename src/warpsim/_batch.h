/* What a thread does with its part of a batch: the binding's side of ws_execute_range and ws_count_range. */
#ifndef WARPSIM_BATCH_H
#define WARPSIM_BATCH_H

#include <warpsim/warpsim.h>

#include "_pool.h"

typedef enum ws_batch_job { WS_BATCH_CHECK, WS_BATCH_EXECUTE, WS_BATCH_COUNT } ws_batch_job;

typedef struct ws_batch {
    ws_batch_job job;
    const ws_op *op;
    const ws_memory *memory;
    const ws_access *access;
    const uint32_t *source;    /* movmatrix: registers of warp 0 */
    void *registers;           /* of warp 0 */
    int checked, large;        /* as ws_execute_range has them */
    ws_counts *counts;         /* of warp 0; execute counts, too, where there is one of these two */
    int64_t *wavefronts;       /* of warp 0, where they tell all */
    size_t first, last;
    int stopped[WS_POOL_MOST]; /* of each part: a warp ended it, or there were findings */
} ws_batch;

static void ws_batch_count(const ws_batch *batch, size_t first, size_t last) {
    if (batch->counts != NULL) ws_count_range(batch->op, batch->access, first, last, batch->counts + first, NULL);
    if (batch->wavefronts != NULL) ws_count_wavefronts(batch->op, batch->access, first, last, batch->wavefronts + first);
}

/* Executes and counts a piece at a time, while its addresses are at hand. */
static int ws_batch_execute(const ws_batch *batch, size_t first, size_t last, ws_findings *sink) {
    enum { PIECE = 1024 /* warps */ };
    const size_t step = ws_warp_register_bytes(batch->op);
    const int counts = batch->counts != NULL || batch->wavefronts != NULL;
    size_t end;
    for (; first < last; first = end) {
        const uint32_t *source = batch->source != NULL ? batch->source + first * WS_LANES : NULL;
        void *registers = batch->registers != NULL ? (char *)batch->registers + first * step : NULL;
        end = counts && last - first > PIECE ? first + PIECE : last;
        if (ws_execute_range(batch->op, batch->memory, batch->access, first, end, source, registers, batch->checked, batch->large,
                             sink) != end) return 0;
        if (counts) ws_batch_count(batch, first, end);
    }
    return 1;
}

static void ws_batch_part(void *context, size_t part, size_t parts) {
    ws_batch *batch = (ws_batch *)context;
    const size_t n = batch->last - batch->first;
    const size_t first = batch->first + n / parts * part + n % parts * part / parts;
    const size_t last = batch->first + n / parts * (part + 1) + n % parts * (part + 1) / parts;
    ws_findings sink = {NULL, 0, 0};
    int done = 1;
    if (batch->job == WS_BATCH_COUNT) ws_batch_count(batch, first, last);
    else if (batch->job == WS_BATCH_EXECUTE) done = ws_batch_execute(batch, first, last, &sink);
    else done = ws_check_range(batch->op, batch->memory, batch->access, first, last, NULL, &sink, NULL) == WS_OK;
    batch->stopped[part] = !done || sink.count != 0;
}

/* 0 if a warp ended its part or something was found. */
static int ws_batch_run(ws_batch *batch, ws_pool *pool, size_t first, size_t last, size_t threads) {
    size_t i;
    batch->first = first;
    batch->last = last;
    for (i = 0; i < threads; i++) batch->stopped[i] = 0;
    ws_pool_run(pool, ws_batch_part, batch, threads);
    for (i = 0; i < threads; i++) {
        if (batch->stopped[i]) return 0;
    }
    return 1;
}

#endif
