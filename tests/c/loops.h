/* Main loops for the tests: whole ones, and what a warp does in one. */
#ifndef LOOPS_H
#define LOOPS_H

#include "ops.h"

static ws_mainloop_storage storage;

static inline ws_mainloop loop_of(int64_t m, int64_t n, int64_t k, int64_t warps_m, int64_t warps_n, int64_t stages,
                                  bool trans_b, int64_t pad) {
    ws_mainloop loop;
    loop.m = m;
    loop.n = n;
    loop.k = k;
    loop.warps_m = warps_m;
    loop.warps_n = warps_n;
    loop.stages = stages;
    loop.trans_b = trans_b;
    loop.a = halves(m, k, pad);
    loop.b = trans_b ? halves(k, n, pad) : halves(n, k, pad);
    loop.simd = WS_SIMD_AUTO;
    loop.narrow_sums = loop.unpacked = false;
    loop.assembled = NULL;
    return loop;
}

static inline ws_mainloop plain(int64_t m, int64_t n, int64_t k, int64_t warps_m, int64_t warps_n, int64_t stages) {
    return loop_of(m, n, k, warps_m, warps_n, stages, false, 8);
}

/* A profile without a latency or an interval, whose queues are as long as can be, but for those that a test
 * sets. */
static inline ws_profile quick(void) {
    static const ws_profile_constant zero[] = {
        WS_LOAD_LATENCY,    WS_WAVEFRONT_LATENCY, WS_GLOBAL_LATENCY, WS_LOAD_PORT,     WS_COPY_LATENCY,
        WS_COPY_PATH,       WS_COPY_ISSUE,        WS_COPY_RELEASE,   WS_MMA_INTERVAL,  WS_MMA_LATENCY,
        WS_BARRIER_LATENCY, WS_BARRIER_INTERVAL,  WS_BRANCH_LATENCY, WS_SLOT_INTERVAL, WS_CONVERT_INTERVAL,
    };
    ws_profile profile = ws_profile_of(WS_NO_TARGET);
    for (size_t i = 0; i < sizeof zero / sizeof zero[0]; i++) profile.constant[zero[i]].value = 0;
    profile.constant[WS_COPY_QUEUE].value = WS_PIPELINE_QUEUE;
    profile.constant[WS_MEMORY_QUEUE].value = WS_PIPELINE_HELD;
    return profile;
}

static inline bool finite_and_positive(double x) { return x > 0 && x < 1e9; }

static inline int64_t pick(uint64_t *state, int64_t count) { return (int64_t)(check_random(state) % (uint64_t)count); }

/* Issue slots of the schedule that was written last: of one kind, or (negative) of all; and its instructions. */
static inline int slots_of(int kind) {
    int slots = 0;
    for (int i = 0; i < storage.schedule.count; i++) {
        if (kind < 0 || storage.schedule.instruction[i].kind == kind) slots += storage.schedule.instruction[i].slots;
    }
    return slots;
}

static inline int count_of(int kind) {
    int count = 0;
    for (int i = 0; i < storage.schedule.count; i++) count += storage.schedule.instruction[i].kind == kind;
    return count;
}

static inline ws_work work_of(int stages, int steps, int loads_a, int loads_b, int room) {
    ws_work work;
    memset(&work, 0, sizeof work);
    work.stages = stages;
    work.steps = steps;
    work.loads_a = loads_a;
    work.loads_b = loads_b;
    work.room = room;
    work.copies_ahead = 1;
    return work;
}

/* One that a compiler could leave. */
static inline ws_work some_work(uint64_t *state) {
    ws_work work =
        work_of((int)pick(state, 4), 1 + (int)pick(state, 5), 1 + (int)pick(state, 7), 1 + (int)pick(state, 7), 0);
    const int per_step = work.loads_a + work.loads_b;
    const int held = work.loads_a < work.loads_b ? work.loads_a : work.loads_b;
    work.room = held + 1 + (int)pick(state, 2 * per_step - held);
    work.by_columns = work.loads_a < work.loads_b && work.room < per_step;
    work.load_slots = (int)pick(state, 3);
    work.copies_a = work.stages > 0 ? 1 + (int)pick(state, 12) : 0;
    work.copies_b = work.stages > 0 ? 1 + (int)pick(state, 12) : 0;
    work.uneven_slots_a = (int)pick(state, 10);
    work.uneven_stall_b = (int)pick(state, 10);
    work.copies_ahead = 1 + (int)pick(state, 3);
    work.copy_reloads = (int)pick(state, 4);
    work.load_reloads = (int)pick(state, 4);
    return work;
}

#endif
