/* Counters of every step of a kernel while blocks run, as Nsight Compute's source page has them by line.
 *
 *     ws_watch_make(launch, arena, &watch)               once for each thread of the caller
 *     ws_watch_as_made(&watch, made)                     if wanted: accesses as the machine code has them
 *     ws_watch_block(&watch, &block)                     the block is watched from here on
 *     watch.samples.block = index                        before each block
 *     ws_watch_end(&watch)                               watch.lines[step], .samples and .touched are complete
 *
 * Accesses to shared memory are collected and counted many at a time. */
#ifndef WARPSIM_WATCH_WATCH_H
#define WARPSIM_WATCH_WATCH_H

#include "../base/apart.h"
#include "access.h"

#if WS_BODIES

static inline void ws_watch_executed(ws_line *line, const ws_lanes *lanes, uint32_t living, uint32_t mask) {
    line->executed++;
    line->threads += (uint64_t)(mask == WS_ALL_LANES ? (int)WS_LANES : ws_lane_count(mask));
    line->divergent += lanes->active != living;
}

/* A step that counts more than who executes it. */
WS_APART void ws_watch_step(ws_watch *watch, ws_lanes *lanes, const ws_step *step, uint32_t number, uint32_t mask) {
    const ws_warp *warp = ws_warp_of(lanes);
    ws_line *line = &watch->lines[number];
    if (!ws_made_begins(&watch->watched[number], lanes, step, mask)) return;
    ws_watch_executed(line, lanes, warp->living, mask);
    if (mask == 0) return;
    if (watch->watched[number].kind == WS_WATCHED_PRODUCT) ws_watch_product(line, warp, step);
    else if (watch->watched[number].kind == WS_WATCHED_COPY) ws_watch_copy(watch, lanes, step, number, mask);
    else if (watch->watched[number].kind == WS_WATCHED_MATRIX) ws_watch_matrix(watch, lanes, step, number, mask);
    else ws_watch_plain(watch, lanes, step, number, mask);
}

static inline void ws_watch_sees(ws_observer *observer, ws_lanes *lanes, const ws_step *step, uint32_t mask) {
    ws_watch *watch = (ws_watch *)(void *)observer;
    const ws_warp *warp = ws_warp_of(lanes);
    const uint32_t number = ws_step_pc(warp->block, step);
    if (warp->group[warp->current].state == WS_GROUP_GO_ON) return; /* it was seen when it began to wait */
    if (watch->watched[number].kind != WS_WATCHED_NONE) ws_watch_step(watch, lanes, step, number, mask);
    else ws_watch_executed(&watch->lines[number], lanes, warp->living, mask);
}

/* Takes everything from the arena; false if it is too small (or none: then arena->wanted says how much it takes). */
WS_ONCE bool ws_watch_make(const ws_launch *launch, ws_arena *arena, ws_watch *watch) {
    const ws_kernel *program = launch->program;
    const int level = ws_simd_level(launch->simd);
    ws_access access = ws_access_make(NULL, 1);
    ws_watched *watched = (ws_watched *)ws_arena_take(arena, program->num_steps, sizeof(ws_watched));
    ws_line *lines = (ws_line *)ws_arena_take(arena, program->num_steps, sizeof(ws_line));
    ws_plan *plans = (ws_plan *)ws_arena_take(arena, (size_t)WS_WATCHED_COPIES + program->num_ops, sizeof(ws_plan));
    uint32_t i;
    int k;
    ws_samples_make(&watch->samples, program, arena);
    ws_touched_make(&watch->touched, &launch->memory, arena);
    watch->repeats = (ws_repeat *)ws_arena_take(arena, watch->samples.count, sizeof(ws_repeat));
    if (arena->wanted > arena->capacity) return false;
    access.target = program->target;
    access.simd = launch->simd;
    for (i = 0; i < program->num_steps; i++) {
        watched[i] = ws_watched_of(program, i);
        lines[i] = ws_line_none();
    }
    for (i = 0; i < watch->samples.count; i++) watch->repeats[i].times = 0;
    for (i = 0; i < WS_WATCHED_COPIES + program->num_ops; i++) {
        const ws_op op = i < WS_WATCHED_COPIES ? ws_watched_copy((int)i) : program->ops[i - WS_WATCHED_COPIES];
        plans[i] = ws_plan_make(&op, &access);
    }
    for (i = 0; i < program->num_steps; i++) {
        const ws_plan *plan = &plans[WS_WATCHED_COPIES + program->steps[i].s[WS_S_INSTRUCTION]];
        if (watched[i].kind != WS_WATCHED_MATRIX || plan->is_wmma) continue;
        watched[i].nbytes = (uint8_t)ws_op_access_bytes(&plan->op);
        watched[i].batch = (uint8_t)ws_watched_batch(plan->group_lanes);
    }
    for (k = 0; k < WS_WATCH_BATCHES; k++) {
        watch->batches[k].accesses = 0;
        ws_group_batch_clear(&watch->batches[k].batch, 32 >> k);
    }
    watch->observer.sees = ws_watch_sees;
    watch->observer.completes = NULL;
    watch->observer.counts = NULL;
    watch->watched = watched;
    watch->plans = plans;
    watch->lines = lines;
    watch->num_steps = program->num_steps;
    watch->level = level;
    return true;
}

/* `made`: of each step. */
static inline void ws_watch_as_made(ws_watch *watch, const uint8_t *made) {
    uint32_t i;
    for (i = 0; i < watch->num_steps; i++) ws_made_apply(&watch->watched[i], made[i]);
}

static inline void ws_watch_block(ws_watch *watch, ws_block *block) { ws_block_observe(block, &watch->observer); }

static inline void ws_watch_end(ws_watch *watch) {
    uint32_t i;
    int k;
    for (i = 0; i < watch->samples.count; i++) {
        const uint32_t step = watch->samples.rows[i].step;
        ws_watch_wait(watch, step, &watch->watched[step], &watch->repeats[i]);
        watch->repeats[i].times = 0;
    }
    for (k = 0; k < WS_WATCH_BATCHES; k++) ws_watch_flush(watch, &watch->batches[k]);
}

#endif /* WS_BODIES */
#endif
