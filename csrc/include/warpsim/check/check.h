/* What is wrong with a kernel while its blocks run: races, copies in flight, reads of what nobody has written, barriers
 * and masks that lanes miss. What the check cannot be sure of it does not tell.
 *
 *     ws_check_make(launch, module, arrays, journal, arena, &check)   once for each thread of the caller
 *     ws_check_block(&check, &block)                                  before each block starts
 *     check.judge.found                                               rows
 *
 * The arena must be zeros. `arrays` and `journal` are one for the launch, zeros at first. */
#ifndef WARPSIM_CHECK_CHECK_H
#define WARPSIM_CHECK_CHECK_H

#include "../run/setup.h"
#include "matrix.h"

#if WS_BODIES

/* The frame of the callee begins after that of the caller. */
static inline void ws_check_call(ws_check *check, const ws_warp *warp, const ws_step *step, uint32_t number,
                                 uint32_t mask) {
    const ws_callee *caller = &warp->block->program->callees[step->s[3]];
    const uint32_t base = warp->group[warp->current].frame.locals + caller->locals + WS_RETURN_BYTES;
    const uint32_t callee = check->steps[number].at == 0 ? (uint32_t)step->immediate : WS_NO_INDEX;
    ws_locals_call(&check->locals, warp->number, mask, callee, base);
}

static inline void ws_check_step(ws_check *check, ws_lanes *lanes, const ws_step *step, uint32_t mask) {
    const ws_warp *warp = ws_warp_of(lanes);
    const uint32_t number = ws_step_pc(warp->block, step);
    const ws_checked *checked = &check->steps[number];
    const bool goes_on = warp->group[warp->current].state == WS_GROUP_GO_ON;
    if (checked->is_begin && (check->uses.marked[warp->number] != 0 || checked->use >= WS_USE_SHUFFLE) &&
        goes_on == (goes_on && checked->kind == WS_CHECKED_MEMBERS) &&
        !ws_order_waits(check, lanes, step, number, mask))
        ws_use_sees(check, lanes, step, number, mask);
    if (checked->kind == WS_CHECKED_NONE || mask == 0) return;
    if (goes_on && checked->kind != WS_CHECKED_MEMBERS && checked->kind != WS_CHECKED_CLUSTER_WAIT) return;
    check->version += !checked->is_quiet;
    switch (checked->kind) {
        case WS_CHECKED_ACCESS: ws_check_access(check, lanes, step, number, mask); break;
        case WS_CHECKED_COPY: ws_check_copy(check, lanes, step, number, mask); break;
        case WS_CHECKED_MATRIX: ws_check_matrix(check, lanes, step, number, mask); break;
        case WS_CHECKED_BARRIER:
        case WS_CHECKED_ARRIVE: ws_order_barrier(check, lanes, step, number, mask); break;
        case WS_CHECKED_CLUSTER_ARRIVE:
        case WS_CHECKED_CLUSTER_WAIT: ws_order_cluster(check, warp, number, mask); break;
        case WS_CHECKED_MEMBERS: ws_order_members(check, lanes, step, number, mask); break;
        case WS_CHECKED_FENCE: ws_order_fence(check, warp, mask); break;
        case WS_CHECKED_OBJECT: ws_check_object_step(check, lanes, step, number, mask); break;
        case WS_CHECKED_LAND:
            ws_check_land(check, warp, mask, checked->at != 0 ? 0 : (uint32_t)step->immediate, checked->at != 0);
            break;
        case WS_CHECKED_CALL: ws_check_call(check, warp, step, number, mask); break;
        default: ws_check_divide(check, lanes, step, number, mask);
    }
}

static inline void ws_check_sees(ws_observer *observer, ws_lanes *lanes, const ws_step *step, uint32_t mask) {
    ws_check *check = (ws_check *)(void *)observer;
    ws_check_step(check, lanes, step, mask);
    if (check->judge.found.stops) ws_stop_at(lanes, step, WS_STOP_FOUND, mask);
}

/* Bytes of the smallest access of a step to shared or global memory, or more; those that are told as they run: 4. */
static inline uint32_t ws_check_least(const ws_kernel *program, const ws_step *step, const ws_checked *checked) {
    const ws_op *op;
    if (checked->kind == WS_CHECKED_NONE || checked->kind == WS_CHECKED_DIVIDE) return WS_CHECK_MOST;
    if (checked->kind == WS_CHECKED_ACCESS) return checked->nbytes;
    if (checked->kind == WS_CHECKED_COPY) return checked->is_whole ? WS_CHECK_MOST : 4;
    if (checked->kind == WS_CHECKED_OBJECT) return 4;
    if (checked->kind != WS_CHECKED_MATRIX) return WS_CHECK_MOST;
    op = &program->ops[step->s[4]];
    return ws_op_is_wmma(op) ? 4 : (uint32_t)ws_op_access_bytes(op);
}

/* log2 of the smallest access that the kernel makes to a space: 2 at most, 4 in shared memory, which begins at 0. */
static inline uint32_t ws_check_shift(const ws_launch *launch, const ws_module *module, int space) {
    const ws_kernel *program = launch->program;
    const int level = ws_simd_level(launch->simd);
    uint32_t least = space == WS_AT_SHARED ? WS_CHECK_MOST : 4, shift = 0, i;
    for (i = 0; i < program->num_steps; i++) {
        const ws_checked one = ws_checked_of(module, &program->steps[i], level);
        const uint8_t of = program->steps[i].space;
        if (one.kind == WS_CHECKED_ACCESS && of != space && of != WS_AT_GENERIC) continue;
        least |= ws_check_least(program, &program->steps[i], &one);
    }
    while (!(least >> shift & 1)) shift++;
    return shift;
}

static inline void ws_check_completes(ws_observer *observer, ws_block *block, uint32_t barrier) {
    ((ws_check *)(void *)observer)->version++;
    ws_order_completes(observer, block, barrier);
}

static inline bool ws_check_has_atomics(const ws_kernel *program, const ws_checked *steps) {
    uint32_t i;
    for (i = 0; i < program->num_steps; i++) {
        if (steps[i].is_atomic && steps[i].is_write && program->steps[i].space != WS_AT_GLOBAL) return true;
    }
    return false;
}

/* Takes everything from the arena; false if it is too small (or none: then arena->wanted says how much it takes), or if
 * the kernel has more steps than a stamp can name. */
static inline bool ws_check_make(const ws_launch *launch, const ws_module *module, const ws_arrays *arrays,
                                 ws_journal *journal, ws_arena *arena, ws_check *check) {
    const ws_kernel *program = launch->program;
    const int level = ws_simd_level(launch->simd);
    const uint32_t warps = ws_launch_warps(launch);
    ws_checked *steps = (ws_checked *)ws_arena_take(arena, program->num_steps, sizeof(ws_checked));
    const uint32_t shift = ws_check_shift(launch, module, WS_AT_SHARED);
    uint32_t i, agains = 0;
    if (program->num_steps >= WS_WHO_STEPS) return false;
    for (i = 0; i < program->num_steps; i++) {
        ws_checked one = ws_checked_of(module, &program->steps[i], level);
        const bool is_again = one.is_quiet && one.kind == WS_CHECKED_ACCESS && program->steps[i].space == WS_AT_SHARED;
        one.is_begin = i == 0 || program->steps[i].statement != program->steps[i - 1].statement;
        one.again = is_again ? agains++ : WS_NO_INDEX;
        if (steps != NULL) steps[i] = one;
    }
    check->again = (ws_again *)ws_arena_take(arena, agains, sizeof(ws_again));
    check->fences = (ws_fence *)ws_arena_take(arena, (size_t)warps * WS_LANES, sizeof(ws_fence));
    check->uses.marks = (ws_mark *)ws_arena_take(arena, (size_t)warps * module->register_count, sizeof(ws_mark));
    check->uses.module = module;
    check->uses.registers = module->register_count;
    check->judge.found.rows = (ws_found *)ws_arena_take(arena, WS_FOUND_CAPACITY, sizeof(ws_found));
    ws_clock_make(&check->judge.clock, warps, arena);
    ws_locals_make(&check->locals, launch, module, arena);
    if (!ws_shadow_make(&check->shared, launch->shared_bytes, shift, arena)) return false;
    check->judge.found.lost = 0;
    check->judge.journal = journal;
    check->arrays = *arrays;
    check->steps = steps;
    check->threads = ws_launch_threads(launch);
    check->shared.has_atomics = ws_check_has_atomics(program, steps);
    check->observer.sees = ws_check_sees;
    check->observer.completes = ws_check_completes;
    check->version = 1;
    check->copies = program->num_copies != 0;
    return true;
}

/* Before each block starts. */
static inline void ws_check_start(ws_check *check, uint32_t block) {
    ws_judge *judge = &check->judge;
    const bool is_late = judge->clock.now > WS_TIME_MOST;
    uint32_t i, k;
    check->version++;
    if (is_late) ws_clock_rewind(&judge->clock);
    if (is_late || check->copies) ws_shadow_clear(&check->shared); /* times are no longer what they were */
    ws_clock_start(&judge->clock);
    judge->block = block;
    judge->reader.count = 0;
    judge->reader.knows_all = false;
    for (i = 0; i < check->judge.clock.threads; i++) check->fences[i].time = 0;
    for (i = 0; i < WS_CLOCK_WARPS; i++) {
        check->joined[i] = 0;
        for (k = 0; k < WS_CHECK_BARRIERS; k++) check->came[k].all[i] = check->came[k].waits[i] = 0;
    }
    check->num_objects = 0;
    for (i = 0; i < check->judge.clock.threads / WS_LANES; i++) ws_locals_call(&check->locals, i, WS_ALL_LANES, 0, 0);
    ws_use_start(&check->uses, check->judge.clock.threads / WS_LANES);
}

static inline void ws_check_block(ws_check *check, ws_block *block) { ws_block_observe(block, &check->observer); }

#endif /* WS_BODIES */
#endif
