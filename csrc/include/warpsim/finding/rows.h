/* What a launch has found as rows of statements: what its checks found, and what malloc gave that nobody freed. */
#ifndef WARPSIM_FINDING_ROWS_H
#define WARPSIM_FINDING_ROWS_H

#include "../shadow/found.h"
#include "../run/kernel.h"
#include "../run/output.h"
#include "../run/space.h"

/* The rows of a table, with statements instead of steps; at most WS_FOUND_CAPACITY. */
static inline uint32_t ws_told_take(const ws_found_table *table, const ws_kernel *program, ws_found *rows) {
    uint32_t i;
    for (i = 0; i < table->count; i++) {
        ws_found *row = &rows[i];
        *row = table->rows[i];
        row->step = program->steps[row->step].statement;
        if (row->other != WS_FOUND_NO_STEP) row->other = program->steps[row->other].statement;
        if (row->via != WS_FOUND_NO_STEP) row->via = program->steps[row->via].statement;
    }
    return table->count;
}

/* What malloc gave and nobody freed, of a launch that has ended. */
static inline uint32_t ws_told_leaks(const ws_output *output, const ws_kernel *program, ws_found *rows,
                                     uint32_t capacity) {
    const ws_found none = {1,
                           0,
                           0,
                           0,
                           WS_RUN_LEAK,
                           0,
                           WS_FOUND_NO_STEP,
                           WS_FOUND_NO_STEP,
                           0,
                           0,
                           0,
                           0,
                           WS_AT_GLOBAL,
                           false,
                           false,
                           false,
                           false,
                           false,
                           false,
                           false,
                           {WS_FOUND_NO_STEP, false, 0, 0}};
    uint32_t count = 0, i;
    for (i = 0; i < output->piece_count && count < capacity; i++) {
        const ws_heap_piece *piece = &output->pieces[i];
        ws_found *row = &rows[count];
        if (!piece->is_used) continue;
        *row = none;
        row->step = program->steps[piece->owner.step].statement;
        row->block = row->other_block = piece->owner.block;
        row->thread = row->other_thread = piece->owner.thread;
        row->lanes = UINT32_C(1) << piece->owner.thread % WS_LANES;
        row->address = output->heap_base + piece->at;
        row->nbytes = (uint32_t)piece->nbytes;
        count++;
    }
    return count;
}

#endif
