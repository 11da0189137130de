/* The order in which a compiler leaves the loads and mma of a slab.
 *
 *     first loads | mma, with a load of a later step after each that was the last to read one | last mma
 *
 * Loads of a step come as A0, all of B, A1, A2 ...; where registers are short and A has fewer, as A0, B0, all of A,
 * then B1, B2 ... Read from two thousand loops as ptxas compiled them for sm_90a. This file knows nothing about how
 * long anything takes, except for the stalls that the compiler itself writes down. */
#ifndef WARPSIM_LOOP_SEQUENCE_H
#define WARPSIM_LOOP_SEQUENCE_H

#include "schedule.h"

enum {
    WS_SEQUENCE_WINDOW = 512, /* loads of two steps */
    WS_SEQUENCE_LEAD = 11,    /* loads before the first mma */
    WS_SEQUENCE_MMA = 6,      /* cycles from one mma to the next, as the compiler writes them */
    WS_SEQUENCE_LOAD = 4
};

/* What every warp does for one slab. */
typedef struct ws_work {
    int stages;                         /* 0: nothing is copied; 1: copy, wait, compute; n: n - 1 slabs ahead */
    int steps;                          /* of 32 bytes along K */
    int loads_a, loads_b;               /* ldmatrix of a warp and step; mma: loads_a rows x 2 loads_b columns */
    int load_slots;                     /* integer instructions for the addresses of two loads */
    int copies_a, copies_b;             /* cp.async of a warp and slab */
    int uneven_slots_a, uneven_slots_b; /* more for each copy of A, of B, where the last is for some threads only */
    int uneven_stall_a, uneven_stall_b;
    bool unpacked;                  /* elements of 8 bits are converted to 16: two mma for one, and additions */
    int room;                       /* loads whose data registers can hold at once */
    bool by_columns;                /* mma go down the columns of B: A is held */
    int side_by_side;               /* unpacked: products that registers hold at once, beside their fragments */
    bool singly;                    /* unpacked: they hold fewer than a fragment has */
    int full_steps;                 /* unpacked: steps for which registers hold everything */
    int copies_ahead;               /* copies until their address registers are used again */
    int copy_reloads, load_reloads; /* spilled registers that copies, that loads need */
} ws_work;

/* Loads that are under way while instructions are written. */
typedef struct ws_sequence {
    int per_step, all;
    int issued, live;                       /* loads issued; those whose last mma is to come */
    int last;                               /* scoreboard given last */
    int oldest;                             /* load that something has yet to wait for */
    int reloads;                            /* spilled registers to come */
    uint8_t scoreboard[WS_SEQUENCE_WINDOW]; /* that a load's data release and nothing has waited for yet */
    int uses[WS_SEQUENCE_WINDOW];           /* mma to come that read a load */
    int pending[WS_SCHEDULE_SCOREBOARDS];   /* loads that have yet to release a scoreboard */
} ws_sequence;

static inline ws_sequence ws_sequence_of(const ws_work *work) {
    ws_sequence order;
    int i;
    order.per_step = work->loads_a + work->loads_b;
    order.all = work->steps * order.per_step;
    order.issued = order.live = order.oldest = 0;
    order.last = 1;
    order.reloads = work->load_reloads;
    for (i = 0; i < WS_SCHEDULE_SCOREBOARDS; i++) order.pending[i] = 0;
    return order;
}

/* Where in a step the load number i of A or B comes. */
static inline int ws_sequence_place(const ws_work *work, bool is_b, int i) {
    if (work->by_columns) return is_b ? (i == 0 ? 1 : work->loads_a + i) : (i == 0 ? 0 : i + 1);
    return is_b ? i + 1 : (i == 0 ? 0 : work->loads_b + i);
}

static inline bool ws_sequence_is_a(const ws_work *work, int in_step) {
    return in_step == 0 || (work->by_columns ? in_step >= 2 && in_step <= work->loads_a : in_step > work->loads_b);
}

/* The next load. The first of a step has no scoreboard, unless it is converted: its mma waits for the second, whose data
 * come later. Where registers are spilled, the address of the next one is read back after it. */
static inline ws_schedule_instruction *ws_sequence_load(ws_schedule *schedule, const ws_work *work, ws_sequence *order,
                                                        int stall) {
    const int n = order->issued++, in_step = n % order->per_step, slot = n % WS_SEQUENCE_WINDOW;
    const bool reloaded = !work->unpacked && n > 0 && n <= work->load_reloads;
    ws_schedule_instruction *one;
    int i = 1;
    if (work->load_slots > 0 && n % 2 == 1) ws_schedule_integers(schedule, work->load_slots, 1, 0);
    one = ws_schedule_add(schedule, WS_SCHEDULE_LOAD, stall);
    one->index = (uint16_t)n;
    one->waits = reloaded ? 1 : 0;
    order->live++;
    order->uses[slot] = 2 * (ws_sequence_is_a(work, in_step) ? work->loads_b : work->loads_a);
    order->scoreboard[slot] = WS_SCHEDULE_NOTHING;
    if (in_step != 0 || work->unpacked) {
        while (i < WS_SCHEDULE_SCOREBOARDS && order->pending[i] > 0) i++;
        if (i < WS_SCHEDULE_SCOREBOARDS) order->last = i;
        one->sets = order->scoreboard[slot] = (uint8_t)order->last;
        order->pending[order->last]++;
    }
    if (!work->unpacked && order->reloads > 0) {
        order->reloads--;
        ws_schedule_reload(schedule);
    }
    return one;
}

/* The mask of scoreboards for which an instruction that reads load n waits. */
static inline uint8_t ws_sequence_wait(ws_sequence *order, int n) {
    const int scoreboard = order->scoreboard[n % WS_SEQUENCE_WINDOW];
    int other;
    if (scoreboard == WS_SCHEDULE_NOTHING) return 0;
    while (order->scoreboard[order->oldest % WS_SEQUENCE_WINDOW] == WS_SCHEDULE_NOTHING) order->oldest++;
    for (other = order->oldest; other < order->issued; other++) {
        uint8_t *its = &order->scoreboard[other % WS_SEQUENCE_WINDOW];
        if (*its == scoreboard) *its = WS_SCHEDULE_NOTHING;
    }
    order->pending[scoreboard] = 0;
    return (uint8_t)(1 << scoreboard);
}

/* Loads that follow an mma, while registers have room: one, or two where it was the last to read one. */
static inline void ws_sequence_ahead(ws_schedule *schedule, const ws_work *work, ws_sequence *order, int step,
                                     bool freed) {
    const int mma = schedule->count - 1, most = freed ? 2 : 1;
    int done = 0;
    while (done < most && order->issued < order->all && order->issued < (step + 3) * order->per_step &&
           order->live < work->room) {
        (void)ws_sequence_load(schedule, work, order, WS_SEQUENCE_LOAD);
        done++;
    }
    if (done == 0) return;
    schedule->instruction[mma].stall = done == 1 ? 1 : 3;
    ws_schedule_last(schedule)->stall = done == 1 ? WS_SEQUENCE_MMA - 1 : 1;
}

/* Number m of a step's mma. */
static inline void ws_sequence_mma(ws_schedule *schedule, const ws_work *work, ws_sequence *order, int step, int m) {
    const int rows = work->loads_a, cols = 2 * work->loads_b;
    const int i = work->by_columns ? m % rows : m / cols, j = work->by_columns ? m / rows : m % cols;
    const int a = step * order->per_step + ws_sequence_place(work, false, i),
              b = step * order->per_step + ws_sequence_place(work, true, j / 2);
    ws_schedule_instruction *one;
    bool freed;
    uint8_t waits;
    while (order->issued <= (a > b ? a : b)) (void)ws_sequence_load(schedule, work, order, WS_SEQUENCE_LOAD);
    waits = ws_sequence_wait(order, a);
    waits = (uint8_t)(waits | ws_sequence_wait(order, b));
    one = ws_schedule_add(schedule, WS_SCHEDULE_MMA, WS_SEQUENCE_MMA);
    one->waits = waits;
    one->index = (uint16_t)(i * cols + j);
    freed = --order->uses[a % WS_SEQUENCE_WINDOW] == 0;
    if (freed) order->live--;
    if (--order->uses[b % WS_SEQUENCE_WINDOW] == 0) {
        order->live--;
        freed = true;
    }
    ws_sequence_ahead(schedule, work, order, step, freed);
}

/* Loads and mma of a slab. The last of the first loads wait until the copies have read the registers that they use
 * again. */
static inline void ws_sequence_compute(ws_schedule *schedule, const ws_work *work, ws_sequence *order) {
    const int mmas = 2 * work->loads_a * work->loads_b, copies = work->copies_a + work->copies_b;
    int lead = 2 * order->per_step, step, m;
    lead = lead > WS_SEQUENCE_LEAD ? WS_SEQUENCE_LEAD : lead;
    lead = lead > work->room ? work->room : lead;
    lead = lead > order->all ? order->all : lead;
    while (order->issued < lead) {
        ws_schedule_instruction *one = ws_sequence_load(schedule, work, order, WS_SEQUENCE_LOAD);
        const int after = copies - (lead - order->issued);
        if (work->stages > 1 && order->issued > 1 && after > 0) one->after = (uint16_t)after;
    }
    for (step = 0; step < work->steps; step++) {
        for (m = 0; m < mmas; m++) ws_sequence_mma(schedule, work, order, step, m);
    }
}

#endif
