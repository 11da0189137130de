/* Loads and mma of elements of 8 bits that the tensor pipe does not take: each mma.sync becomes two of 16 bits, after
 * conversions of its fragments, and four additions.
 *
 *     registers to spare    conversions and additions fill the time between mma: first the mma of the lower halves of a
 *                           step, then those of the upper ones
 *     else                  one group of fragments after another, as many as registers hold products of: load, convert,
 *                           multiply, add
 *     too few for a group   one product after another
 *
 * Read from loops as ptxas compiled them for sm_90a. */
#ifndef WARPSIM_LOOP_UNPACKED_H
#define WARPSIM_LOOP_UNPACKED_H

#include "sequence.h"

enum {
    WS_UNPACKED_LEAD = 12,      /* loads before the first mma */
    WS_UNPACKED_LEAD_SHORT = 5, /* where registers are short */
    WS_UNPACKED_LATER = 5,      /* mma between a product and its additions */
    WS_UNPACKED_CONVERTED = 5   /* cycles until an mma can read a conversion */
};

typedef struct ws_unpacked {
    int half;       /* conversions of half a step: four for a fragment of A, two for each column of mma */
    int products;   /* of a step */
    int converted;  /* conversions written */
    int multiplied; /* products that are complete */
    int added;      /* additions written */
} ws_unpacked;

/* The load that conversion number `at` reads. */
static inline int ws_unpacked_load(const ws_work *work, const ws_sequence *order, const ws_unpacked *to, int at) {
    const int in_half = at % to->half, all_b = 4 * work->loads_b;
    const bool is_b = in_half >= 4 && in_half < 4 + all_b;
    const int i = in_half < 4 ? 0 : is_b ? (in_half - 4) / 4 : 1 + (in_half - 4 - all_b) / 4;
    return at / (2 * to->half) * order->per_step + ws_sequence_place(work, is_b, i);
}

/* The next `count` conversions, in `stall` cycles; those of lower halves wait for their loads. */
static inline void ws_unpacked_convert(ws_schedule *schedule, const ws_work *work, ws_sequence *order, ws_unpacked *to,
                                       int count, int stall) {
    ws_schedule_instruction *one;
    uint8_t waits = 0;
    int i;
    for (i = to->converted; i < to->converted + count; i++) {
        const int load = ws_unpacked_load(work, order, to, i);
        while (order->issued <= load) (void)ws_sequence_load(schedule, work, order, 1);
        if (i / to->half % 2 == 0) waits = (uint8_t)(waits | ws_sequence_wait(order, load));
    }
    one = ws_schedule_add(schedule, WS_SCHEDULE_CONVERT, stall);
    one->slots = (uint8_t)count;
    one->waits = waits;
    to->converted += count;
}

static inline void ws_unpacked_product(ws_schedule *schedule, int index, bool upper, int stall) {
    ws_schedule_instruction *one = ws_schedule_add(schedule, WS_SCHEDULE_MMA, stall);
    one->index = (uint16_t)index;
    one->fresh = !upper;
}

/* Which accumulator product number `at` of full steps is in. */
static inline int ws_unpacked_index(int at) { return at % WS_SCHEDULE_SUMS; }

/* `count` of the four additions of a product. */
static inline void ws_unpacked_add(ws_schedule *schedule, int index, int count, int stall) {
    ws_schedule_instruction *one = ws_schedule_add(schedule, WS_SCHEDULE_ADD, stall);
    one->slots = (uint8_t)count;
    one->index = (uint16_t)index;
}

/* What fills the five cycles after an mma: three conversions, two additions beside them, or four additions. Conversions
 * go no further than number `limit`. */
static inline void ws_unpacked_fill(ws_schedule *schedule, const ws_work *work, ws_sequence *order, ws_unpacked *to,
                                    int limit) {
    int convert = limit - to->converted < 3 ? limit - to->converted : 3, most,
        add = 4 * (to->multiplied - WS_UNPACKED_LATER) - to->added;
    if (convert > 0 && ws_unpacked_load(work, order, to, to->converted + convert - 1) >= order->issued) convert = 0;
    most = convert > 0 ? 2 : 4 - to->added % 4;
    add = add > most ? most : add;
    if (convert > 0) ws_unpacked_convert(schedule, work, order, to, convert, add > 0 ? convert : 5);
    if (add > 0) {
        ws_unpacked_add(schedule, ws_unpacked_index(to->added / 4), add, convert > 0 ? 5 - convert : 5);
        to->added += add;
    }
    if (convert <= 0 && add <= 0) ws_schedule_last(schedule)->stall = WS_SEQUENCE_MMA;
}

/* One step whose conversions and additions run beside the mma. */
static inline void ws_unpacked_step(ws_schedule *schedule, const ws_work *work, ws_sequence *order, ws_unpacked *to,
                                    int step) {
    const int cols = 2 * work->loads_b, end = 2 * work->full_steps * to->half;
    int half, m;
    for (half = 0; half < 2; half++) {
        const int first = (2 * step + half) * to->half, ahead = first + 2 * to->half;
        for (m = 0; m < to->products; m++) {
            const int i = m / cols, j = m % cols,
                      missing = first + 4 + (i == 0 ? 2 * (j + 1) : 2 * cols + 4 * i) - to->converted;
            if (missing > 0) ws_unpacked_convert(schedule, work, order, to, missing, 2 * missing);
            ws_unpacked_product(schedule, ws_unpacked_index(step * to->products + m), half == 1, 1);
            to->multiplied += half;
            ws_unpacked_fill(schedule, work, order, to, ahead < end ? ahead : end);
            if (order->issued < work->full_steps * order->per_step && order->issued < (step + 3) * order->per_step)
                (void)ws_sequence_load(schedule, work, order, 1);
        }
    }
}

/* Converts a fragment, half (4) or whole (8), once load n has arrived. */
static inline ws_schedule_instruction *ws_unpacked_fragment(ws_schedule *schedule, const ws_work *work,
                                                            ws_sequence *order, int n, int slots) {
    ws_schedule_instruction *one;
    while (order->issued <= n) (void)ws_sequence_load(schedule, work, order, WS_SEQUENCE_LOAD);
    one = ws_schedule_add(schedule, WS_SCHEDULE_CONVERT, 2 * slots);
    one->slots = (uint8_t)slots;
    one->waits = ws_sequence_wait(order, n);
    return one;
}

static inline int ws_unpacked_least(int a, int b) { return a < b ? a : b; }

/* What is left of the additions. */
static inline void ws_unpacked_drain(ws_schedule *schedule, ws_unpacked *to, int stall) {
    while (to->added < 4 * to->multiplied) {
        const int add = 4 - to->added % 4;
        ws_unpacked_add(schedule, ws_unpacked_index(to->added / 4), add, stall);
        to->added += add;
    }
}

/* The next `slots` conversions of a group of `count` fragments, of one of them. */
static inline ws_schedule_instruction *ws_unpacked_part(ws_schedule *schedule, const ws_work *work, ws_sequence *order,
                                                        int load, int count, int *converted, int slots) {
    const int in = *converted % (4 * count) / 4;
    *converted += slots;
    return ws_unpacked_fragment(schedule, work, order, load + in, slots);
}

/* What fills the five cycles after an mma of a group. */
static inline void ws_unpacked_group_fill(ws_schedule *schedule, const ws_work *work, ws_sequence *order,
                                          ws_unpacked *to, int load, int count, int *converted) {
    int convert = ws_unpacked_least(ws_unpacked_least(8 * count - *converted, 3), 4 - *converted % 4),
        add = ws_unpacked_least(4 * (to->multiplied - WS_UNPACKED_LATER) - to->added, 4 - to->added % 4);
    if (load + *converted % (4 * count) / 4 >= order->issued) convert = 0;
    if (convert > 0) add = ws_unpacked_least(add, 2);
    if (convert <= 0 && add <= 0) return;
    ws_schedule_last(schedule)->stall = 1;
    if (convert > 0)
        ws_unpacked_part(schedule, work, order, load, count, converted, convert)->stall =
            (uint8_t)(add > 0 ? convert : 5);
    if (add > 0) {
        ws_unpacked_add(schedule, ws_unpacked_index(to->added / 4), add, convert > 0 ? 5 - convert : 5);
        to->added += add;
    }
}

/* `count` fragments from load number `load` on, with `unit` products each: their lower halves, then the upper ones. */
static inline void ws_unpacked_group(ws_schedule *schedule, const ws_work *work, ws_sequence *order, ws_unpacked *to,
                                     int load, int count, int unit) {
    const int base = to->multiplied;
    int converted = 0, half, m;
    for (half = 0; half < 2; half++) {
        for (m = 0; m < count * unit; m++) {
            const int needed = 4 * (half * count + m / unit + 1);
            while (converted < needed) {
                const int slots = ws_unpacked_least(4 - converted % 4, needed - converted);
                ws_schedule_instruction *one = ws_unpacked_part(schedule, work, order, load, count, &converted, slots);
                if (converted == needed) one->stall = (uint8_t)(one->stall + WS_UNPACKED_CONVERTED);
            }
            ws_unpacked_product(schedule, ws_unpacked_index(base + m), half == 1, WS_SEQUENCE_MMA);
            to->multiplied += half;
            ws_unpacked_group_fill(schedule, work, order, to, load, count, &converted);
        }
    }
}

/* A fragment whose `unit` products come one by one: the lower half of each, the additions of the one before, its upper
 * half. */
static inline void ws_unpacked_singles(ws_schedule *schedule, const ws_work *work, ws_sequence *order, ws_unpacked *to,
                                       int load, int unit) {
    int m;
    ws_unpacked_fragment(schedule, work, order, load, 4)->stall = 8 + WS_UNPACKED_CONVERTED;
    for (m = 0; m < unit; m++) {
        const int index = ws_unpacked_index(to->multiplied);
        ws_unpacked_product(schedule, index, false, WS_SEQUENCE_MMA);
        ws_unpacked_drain(schedule, to, 5);
        if (m == 0) (void)ws_unpacked_fragment(schedule, work, order, load, 4);
        ws_unpacked_product(schedule, index, true, WS_SEQUENCE_MMA);
        to->multiplied++;
    }
}

/* One step, in groups of fragments of the side that has more; after each group, a spilled register is read back. */
static inline void ws_unpacked_step_short(ws_schedule *schedule, const ws_work *work, ws_sequence *order,
                                          ws_unpacked *to, int step) {
    const bool down = work->loads_a < work->loads_b; /* A is held */
    const int held = down ? work->loads_a : work->loads_b, others = down ? work->loads_b : work->loads_a;
    const int first = step * order->per_step, fit = (work->side_by_side + held) / (2 * held), most = fit < 1 ? 1 : fit;
    bool again = false;
    int i, m;
    for (i = 0; i < held; i++) (void)ws_unpacked_fragment(schedule, work, order, first + i, 8);
    for (i = 0; i < others; i += most) {
        const int count = ws_unpacked_least(others - i, most), load = first + held + i, at = schedule->count;
        if (work->singly) ws_unpacked_singles(schedule, work, order, to, load, 2 * held);
        else ws_unpacked_group(schedule, work, order, to, load, count, 2 * held);
        if (again) schedule->instruction[at].waits = (uint8_t)(schedule->instruction[at].waits | 1);
        for (m = 0; m < count && order->issued < order->all; m++) (void)ws_sequence_load(schedule, work, order, 1);
        if (!work->singly) ws_unpacked_drain(schedule, to, 4);
        again = order->reloads-- > 0;
        if (again) ws_schedule_reload(schedule);
    }
}

static inline void ws_unpacked_compute(ws_schedule *schedule, const ws_work *work, ws_sequence *order) {
    const int most = order->per_step < WS_UNPACKED_LEAD_SHORT ? order->per_step : WS_UNPACKED_LEAD_SHORT;
    int lead = work->full_steps > 0 ? WS_UNPACKED_LEAD : most, step;
    ws_unpacked to = {0, 0, 0, 0, 0};
    to.half = 4 * order->per_step;
    to.products = 2 * work->loads_a * work->loads_b;
    lead = lead > order->all ? order->all : lead;
    while (order->issued < lead) (void)ws_sequence_load(schedule, work, order, WS_SEQUENCE_LOAD);
    for (step = 0; step < work->full_steps; step++) ws_unpacked_step(schedule, work, order, &to, step);
    ws_unpacked_drain(schedule, &to, 6);
    for (; step < work->steps; step++) ws_unpacked_step_short(schedule, work, order, &to, step);
    ws_unpacked_drain(schedule, &to, 6);
}

#endif
