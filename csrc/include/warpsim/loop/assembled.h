/* A main loop whose machine code is known: its instructions, as a schedule.
 *
 * Stalls and scoreboards are those that the assembler wrote. They cover what has a fixed latency, such as one mma that
 * adds to the result of another. */
#ifndef WARPSIM_LOOP_ASSEMBLED_H
#define WARPSIM_LOOP_ASSEMBLED_H

#include "mainloop_shape.h"
#include "sequence.h"

/* Writes the schedule. Loads and copies keep the order of the estimate, so that each has its wavefronts. */
static inline ws_status ws_assembled_write(const ws_assembled *assembled, const ws_work *work, ws_schedule *schedule,
                                           ws_error *error) {
    const int64_t products = 2 * (int64_t)work->steps * work->loads_a * work->loads_b,
                  copies = work->copies_a + work->copies_b;
    int64_t found[WS_SCHEDULE_KINDS] = {0}, i;
    schedule->count = 0;
    schedule->full = false;
    for (i = 0; i < assembled->count && !schedule->full; i++) {
        const uint8_t *row = assembled->instruction[i];
        ws_schedule_instruction *one;
        if (row[WS_ASSEMBLED_KIND] >= WS_SCHEDULE_KINDS) {
            return ws_error_wrong(error, "assembled", "an instruction of no known kind");
        }
        if (row[WS_ASSEMBLED_KIND] == WS_SCHEDULE_WAIT && work->stages == 1 && found[WS_SCHEDULE_COPY] < copies) {
            return ws_error_wrong(error, "assembled", "with one stage, expected the wait after all cp.async");
        }
        one = ws_schedule_add(schedule, row[WS_ASSEMBLED_KIND], row[WS_ASSEMBLED_STALL]);
        one->waits = row[WS_ASSEMBLED_WAITS] & ((1 << WS_SCHEDULE_SCOREBOARDS) - 1);
        one->sets = row[WS_ASSEMBLED_SETS];
        one->frees = row[WS_ASSEMBLED_FREES];
        one->fresh = true;
        if (one->kind == WS_SCHEDULE_LOAD || one->kind == WS_SCHEDULE_COPY) one->index = (uint16_t)found[one->kind];
        found[one->kind]++;
    }
    if (schedule->full) return WS_OK;
    if (found[WS_SCHEDULE_LOAD] != (int64_t)work->steps * (work->loads_a + work->loads_b) ||
        found[WS_SCHEDULE_COPY] != copies || found[WS_SCHEDULE_MMA] != (work->unpacked ? 2 : 1) * products) {
        return ws_error_wrong(error, "assembled",
                              "the machine code is of another loop: other ldmatrix, cp.async or mma");
    }
    return WS_OK;
}

#endif
