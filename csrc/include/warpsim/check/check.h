/* What is wrong with a kernel while its blocks run: races, copies in flight, uninitialised reads, barriers
 * and masks that lanes miss. It reports only what is certain.
 *
 *     ws_check_make(launch, module, arrays, journal, arena, &check)   once for each thread of the caller
 *     ws_check_block(&check, &block)                                  before each block starts
 *     check.judge.found                                               rows
 *
 * The arena must be zeros. `arrays` and `journal` are one for the launch, zeros at first. */
#ifndef WARPSIM_CHECK_CHECK_H
#define WARPSIM_CHECK_CHECK_H

#include "../run/setup.h"
#include "step.h"

#if WS_BODIES

static inline bool ws_check_has_atomics(const ws_kernel *program, const ws_checked *steps) {
    uint32_t i;
    for (i = 0; i < program->num_steps; i++) {
        if (steps[i].is_atomic && steps[i].is_write && program->steps[i].space != WS_AT_GLOBAL) return true;
    }
    return false;
}

/* Where a stamp has the rank in a cluster of so many blocks. */
static inline uint32_t ws_check_rank_shift(uint32_t ranks) {
    uint32_t shift = 32;
    while (ranks > UINT32_C(1) << (32 - shift)) shift--;
    return shift;
}

/* A kernel of fewer steps can be checked: a stamp names them beside the rank. */
static inline uint32_t ws_check_most_steps(uint32_t ranks) {
    return UINT32_C(1) << (ws_check_rank_shift(ranks) - WS_WHO_STEP);
}

static inline void ws_judge_make(ws_judge *judge, const ws_launch *launch, ws_journal *journal, ws_arena *arena) {
    const uint32_t ranks = ws_launch_ranks(launch);
    ws_found_table_make(&judge->found, (ws_found *)ws_arena_take(arena, WS_FOUND_CAPACITY, sizeof(ws_found)));
    judge->idle.found = &judge->found;
    judge->via = WS_FOUND_NO_STEP;
    judge->via_peer = judge->is_seen = false;
    judge->covered.time = 0;
    judge->journal = journal;
    judge->launch = launch;
    judge->stride = ws_launch_stride(launch);
    judge->rank_shift = ws_check_rank_shift(ranks);
    judge->who_warp = (uint32_t)((uint32_t)WS_WHO_WARP | ~((UINT64_C(1) << judge->rank_shift) - 1));
    ws_clock_make(&judge->clock, ws_launch_warps(launch), ranks, arena);
    ws_pendings_make(&judge->pendings, judge->clock.threads, arena);
    ws_sights_make(&judge->sights, judge->clock.threads, arena);
    judge->stored = (uint32_t *)ws_arena_take(arena, judge->clock.threads, sizeof(uint32_t));
    judge->orders = (uint8_t *)ws_arena_take(arena, launch->program->num_steps, 1);
}

/* What the judge knows of a step. */
static inline uint8_t ws_checked_orders(const ws_checked *checked, const ws_meant *meant) {
    const bool stores = checked->event == WS_EVENT_STORE || checked->event == WS_EVENT_EXCHANGE;
    return (uint8_t)(checked->scope | (meant->is_guess ? WS_ORDER_GUESS : 0) |
                     (checked->kind == WS_CHECKED_BULK ? WS_ORDER_BULK : 0) |
                     (checked->is_atomic && checked->event == WS_EVENT_LOAD ? WS_ORDER_LOAD : 0) |
                     (checked->is_atomic && stores ? WS_ORDER_STORE : 0));
}

/* Steps that are looked at even while no register has marks. */
static inline void ws_check_see(const ws_check *check, ws_checked *steps, uint32_t count) {
    uint32_t i;
    for (i = 0; i < count; i++) {
        const ws_idle_sinks sinks = check->judge.idle.sinks[i];
        const bool is_touched = check->products.groups != NULL && check->products.touches[i];
        steps[i].always = steps[i].kind != WS_CHECKED_NONE || is_touched || (sinks.values | sinks.guards) != 0;
    }
}

/* Does a step order some threads of a block, and not all? */
static inline bool ws_check_is_fine(const ws_checked *checked, const ws_step *step, const ws_meant *meant) {
    if (meant->event == WS_EVENT_BARRIER) return step->s[WS_S_THREADS] != WS_NONE;
    if (meant->event == WS_EVENT_LOAD || meant->event == WS_EVENT_STORE) return meant->said.is_strong;
    return checked->is_atomic || checked->meets ||
           (meant->event >= WS_EVENT_BARRIER_ARRIVE && meant->event <= WS_EVENT_CLUSTER_WAIT) ||
           (meant->event >= WS_EVENT_FENCE && meant->event <= WS_EVENT_BULK_WAIT);
}

/* Takes everything from the arena; false if it is too small (or none: then arena->wanted says how much it takes), or if
 * the kernel has more steps than a stamp can name. */
static inline bool ws_check_make(const ws_launch *launch, const ws_module *module, const ws_arrays *arrays,
                                 ws_journal *journal, ws_arena *arena, ws_check *check) {
    const ws_kernel *program = launch->program;
    const uint32_t warps = ws_launch_warps(launch), ranks = ws_launch_ranks(launch);
    ws_checked *steps = (ws_checked *)ws_arena_take(arena, program->num_steps, sizeof(ws_checked));
    const uint32_t shift = ws_check_shift(launch, WS_AT_SHARED);
    ws_bounds_room room;
    uint32_t i, agains = 0;
    bool has_begun = false, is_fine = ranks > 1;
    check->awaits = check->judge.is_scoped = false;
    ws_judge_make(&check->judge, launch, journal, arena);
    if (program->num_steps >= ws_check_most_steps(ranks)) return false;
    for (i = 0; i < program->num_steps; i++) {
        ws_checked one = ws_checked_of(&program->steps[i], &program->meant[i]);
        const bool is_again = one.is_quiet && one.kind == WS_CHECKED_ACCESS && program->steps[i].space == WS_AT_SHARED;
        const bool is_last =
            i + 1 == program->num_steps || program->steps[i + 1].statement != program->steps[i].statement;
        has_begun = has_begun && program->steps[i].statement == program->steps[i - 1].statement;
        one.is_begin = !has_begun && (is_last || !program->meant[i].prepares);
        has_begun = has_begun || one.is_begin;
        one.signals = ws_check_is_signal(&one, &program->steps[i]);
        one.again = is_again ? agains++ : WS_NO_INDEX;
        check->awaits = check->awaits || one.kind == WS_CHECKED_ASYNC || one.event == WS_EVENT_OBJECT_COPIES;
        is_fine = is_fine || ws_check_is_fine(&one, &program->steps[i], &program->meant[i]);
        check->judge.is_scoped = check->judge.is_scoped || (ranks > 1 && one.scope == WS_SCOPE_CTA);
        if (steps == NULL || check->judge.orders == NULL) continue;
        steps[i] = one;
        check->judge.orders[i] = ws_checked_orders(&one, &program->meant[i]);
    }
    room = ws_bounds_room_make(module, arena);
    if (steps != NULL) ws_bounds_name(steps, launch, module, &room);
    check->again = (ws_again *)ws_arena_take(arena, agains, sizeof(ws_again));
    check->memory = &launch->memory;
    check->uses.marks =
        (ws_mark *)ws_arena_take(arena, (size_t)warps * ranks * module->register_count, sizeof(ws_mark));
    check->uses.num_rows = warps * ranks * WS_USE_ROWS;
    check->uses.rows = (ws_mark_row *)ws_arena_take(arena, check->uses.num_rows, sizeof(ws_mark_row));
    check->uses.next_row = 0;
    ws_use_make(&check->uses, module, program, steps);
    ws_unset_make(&check->uses, program, steps, arena);
    if (steps != NULL) ws_fragments_find(&check->uses, program, steps);
    ws_ahead_make(&check->judge.idle, &check->ahead, module, program, steps, warps * ranks, arena);
    ws_check_make_warps(check, warps, ranks, arena);
    ws_locals_make(&check->locals, launch, module, arena);
    ws_products_make(&check->products, launch, &check->uses, steps, arena);
    if (!ws_shadow_make(&check->shared, ranks == 1 ? launch->shared_bytes : ranks * check->judge.stride, shift, is_fine,
                        arena))
        return false;
    ws_check_see(check, steps, program->num_steps);
    check->arrays = *arrays;
    check->steps = steps;
    check->threads = ws_launch_threads(launch);
    check->shared.has_atomics = ws_check_has_atomics(program, steps);
    check->observer.sees = ws_check_sees;
    check->observer.completes = ws_check_completes;
    check->observer.counts = ws_check_counts;
    check->version = 1;
    check->spent = 0;
    check->copies = program->num_copies != 0 || program->num_bulks != 0;
    return true;
}

static inline bool ws_check_has_others(const ws_launch *launch) {
    return ws_launch_clusters(launch, 0) != 1 || ws_launch_clusters(launch, 1) != 1 ||
           ws_launch_clusters(launch, 2) != 1;
}

/* Nobody has come to a barrier, or has accessed the memory of another block. */
static inline void ws_check_start_cluster(ws_check *check) {
    ws_meeting *meeting = &check->meeting;
    const uint32_t threads = check->judge.clock.threads, ranks = check->judge.clock.ranks;
    const ws_came none = {{0, 0, 0}, {0, 0, 0}, 0};
    uint32_t i, k;
    for (i = 0; i < threads / WS_LANES; i++) {
        check->joined[i] = check->stood[i] = meeting->arrived[i] = meeting->open[i] = 0;
        for (k = 0; k < WS_REACHES; k++) check->consistent[k][i].lanes = check->consistent[k][i].latest = 0;
        for (k = 0; k < WS_CHECK_BARRIERS; k++) *ws_order_came(check, k, i) = none;
    }
    meeting->parity = meeting->ended = 0;
    meeting->is_used = meeting->was_used = meeting->is_relaxed = meeting->was_relaxed = false;
    for (i = 0; i < ranks; i++) check->has_left[i] = 0;
    for (i = 0; i < ranks; i++) check->num_seen[i] = 0;
    for (i = 0; check->visitors != NULL && i < 2 * ranks * threads; i++) check->visitors[i].time = 0;
    check->num_visits = 0;
}

/* Before each cluster starts: its ordinal; of the block, where clusters have one. */
static inline void ws_check_start(ws_check *check, uint32_t ordinal) {
    ws_judge *judge = &check->judge;
    const bool is_late = judge->clock.now > WS_TIME_MOST;
    uint32_t i, k;
    check->version++;
    judge->covered.count = 0;
    ws_shadow_start(&check->shared);
    if (is_late) ws_clock_rewind(&judge->clock);
    if (is_late || check->copies || check->awaits)
        ws_shadow_clear(&check->shared); /* times are no longer what they were */
    ws_clock_start(&judge->clock);
    judge->block = ordinal;
    ws_journal_start(&judge->reader);
    ws_answers_start(&judge->answers);
    ws_pendings_start(&judge->pendings, judge->clock.threads);
    ws_sights_start(&judge->sights, judge->clock.threads);
    for (i = 0; i < judge->clock.threads; i++) {
        ws_fences *fences = &check->fences[i];
        for (k = 0; k < WS_FENCE_SCOPES; k++) fences->at[k].floor = fences->at[k].time = 0;
        for (k = 0; k < WS_FENCES_KEPT; k++)
            fences->consistent[WS_REACH_BLOCK][k] = fences->consistent[WS_REACH_GPU][k] = 0;
        fences->made = fences->init = check->proxies[i].time = 0;
        judge->stored[i] = check->tested[i].stamp.time = 0;
    }
    ws_check_start_cluster(check);
    ws_pause_start(&check->pause, ws_check_has_others(judge->launch), (ordinal + judge->launch->order) % 2 == 0);
    check->num_objects = check->first_awaited = check->num_awaited = 0;
    ws_products_start(&check->products);
    ws_locals_start(&check->locals, judge->clock.threads / WS_LANES);
    ws_use_start(&check->uses, judge->clock.threads / WS_LANES);
    ws_use_start(&check->ahead, judge->clock.threads / WS_LANES);
    ws_idle_start(&judge->idle);
}

static inline void ws_check_block(ws_check *check, ws_block *block) { ws_block_observe(block, &check->observer); }

#endif /* WS_BODIES */
#endif
