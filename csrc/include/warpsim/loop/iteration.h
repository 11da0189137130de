/* A whole iteration of a main loop, as instructions of a warp:
 *
 *     counter | wait, barrier | addresses and copies of the slab stages - 1 ahead | loads and mma | branch
 *
 * With one stage the copies come first: barrier, copies, wait, barrier. The numbers of integer instructions and their
 * stalls are means of loops as ptxas compiled them for sm_90a, without those that take no ALU; fitted are the stalls
 * before the first copy, 24 cycles (22 there), and of the branch, 18 (23). */
#ifndef WARPSIM_LOOP_ITERATION_H
#define WARPSIM_LOOP_ITERATION_H

#include "unpacked.h"

/* Addresses and copies of a slab. After the first few, those of a copy take the registers of an earlier one. */
static inline void ws_iteration_copies(ws_schedule *schedule, const ws_work *work) {
    const int copies = work->copies_a + work->copies_b, fresh = work->stages > 1 ? 4 : 10;
    int i;
    ws_schedule_integers(schedule, 11, 24, 0);
    for (i = 0; i < copies; i++) {
        const bool is_a = i < work->copies_a, later = (is_a ? i : i - work->copies_a) >= 2;
        const int after = i >= fresh && i >= work->copies_ahead ? i - work->copies_ahead + 1 : 0;
        ws_schedule_instruction *one;
        if (i < work->copy_reloads) ws_schedule_reload(schedule);
        ws_schedule_integers(schedule, 2 + (is_a ? work->uneven_slots_a : work->uneven_slots_b),
                             4 + (!later ? 0
                                  : is_a ? work->uneven_stall_a
                                         : work->uneven_stall_b),
                             after);
        one = ws_schedule_add(schedule, WS_SCHEDULE_COPY, i + 1 < copies ? 1 : 4);
        one->index = (uint16_t)i;
        one->waits = i > 0 && i <= work->copy_reloads ? 1 : 0;
    }
}

static inline void ws_iteration_write(ws_schedule *schedule, const ws_work *work) {
    ws_sequence order = ws_sequence_of(work);
    schedule->count = 0;
    schedule->full = false;
    ws_schedule_integers(schedule, 4, work->stages > 0 ? 16 : 14, 0);
    if (work->stages > 1) {
        ws_schedule_add(schedule, WS_SCHEDULE_WAIT, 4);
        ws_schedule_integers(schedule, 8, 11, 0);
        ws_schedule_add(schedule, WS_SCHEDULE_BARRIER, 1);
        ws_iteration_copies(schedule, work);
    } else if (work->stages == 1) {
        ws_schedule_add(schedule, WS_SCHEDULE_BARRIER, 1);
        ws_iteration_copies(schedule, work);
        ws_schedule_add(schedule, WS_SCHEDULE_WAIT, 4);
        ws_schedule_add(schedule, WS_SCHEDULE_BARRIER, 6);
    }
    if (work->unpacked) ws_unpacked_compute(schedule, work, &order);
    else ws_sequence_compute(schedule, work, &order);
    ws_schedule_add(schedule, WS_SCHEDULE_BRANCH, work->unpacked ? 1 : 18);
}

#endif
