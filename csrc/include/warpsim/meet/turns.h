/* Warps take turns: a warp runs until all its groups wait or its turn is over, then the next one; a block ends when all
 * lanes have.
 *
 * If no warp can run, the lanes wait for each other for ever: a deadlock. */
#ifndef WARPSIM_MEET_TURNS_H
#define WARPSIM_MEET_TURNS_H

#include "../base/apart.h"
#include "choose.h"
#include "barrier.h"
#include "../run/control.h"
#include "../run/setup.h"

enum { WS_TURN_STEPS = 4096 };

/* Chooses a group and makes it current; false if none can run. */
static inline bool ws_warp_next(ws_warp *warp) {
    int chosen;
    if (warp->groups > 1) ws_warp_merge(warp);
    chosen = ws_warp_choose(warp);
    if (chosen < 0) return false;
    warp->current = chosen;
    ws_warp_enter(warp);
    return true;
}

/* The turn ends before a step, or is held there. */
static inline uint32_t ws_group_pause(ws_warp *warp, uint32_t pc, uint32_t done) {
    ws_warp_group(warp)->pc = pc;
    warp->pauses = !warp->is_held;
    return done;
}

/* A step, before it is executed; true: an observer asks for a pause, and those after it have not seen the step, or what they have
 * spent holds the turn, and none has. */
WS_APART bool ws_group_shows(ws_observer *observer, ws_lanes *lanes, const ws_step *step, uint32_t mask) {
    ws_warp *warp = ws_warp_of(lanes);
    if (WS_RARELY(warp->spent >= WS_TURN_BYTES)) {
        warp->spent = 0;
        warp->is_held = true;
        return true;
    }
    do {
        observer->sees(observer, lanes, step, mask);
        if (lanes->event == WS_ASKS_PAUSE) return true;
        observer = observer->next;
    } while (observer != NULL);
    return false;
}

/* Runs the current group until it meets another one, waits, splits or has used up `most`; returns the steps done: those
 * that wait are done when they go on. */
static inline uint32_t ws_group_run(ws_warp *warp, uint32_t most) {
    ws_lanes *lanes = &warp->lanes;
    const ws_step *const steps = warp->block->program->steps;
    ws_observer *const first = warp->block->observer;
    const uint32_t limit = warp->groups > 1 ? ws_warp_limit(warp) : UINT32_MAX;
    const uint32_t budget = ws_warp_meeting(warp) >= 0 ? 1 : most;
    uint32_t pc = ws_warp_group(warp)->pc, done = 0;
    lanes->event = WS_ASKS_NONE;
    warp->origin = warp->block->steps - pc;
    while (done < budget && pc != limit) {
        const uint32_t ahead = limit > pc && limit - pc < budget - done ? limit - pc : budget - done;
        const ws_step *const begin = &steps[pc], *const end = begin + ahead, *step = begin;
        do {
            const uint32_t mask = lanes->active & ws_predicate(lanes, step->guard);
            if (WS_RARELY(first != NULL) && ws_group_shows(first, lanes, step, mask))
                return ws_group_pause(warp, pc + (uint32_t)(step - begin), done + (uint32_t)(step - begin));
            step->run(lanes, step, mask);
            step++;
        } while (lanes->event == WS_ASKS_NONE && step != end);
        done += (uint32_t)(step - begin);
        pc += (uint32_t)(step - begin);
        if (lanes->event == WS_ASKS_NONE) continue;
        if (lanes->event != WS_ASKS_JUMP) return done - (lanes->event == WS_ASKS_WAIT);
        pc = warp->next;
        warp->origin = warp->block->steps + done - pc;
        lanes->event = WS_ASKS_NONE;
    }
    ws_warp_group(warp)->pc = pc;
    return done;
}

static inline bool ws_block_is_done(const ws_block *block) {
    uint32_t i;
    for (i = 0; i < block->num_warps; i++) {
        if (block->warps[i].living != 0) return false;
    }
    return true;
}

/* One turn of a warp, or what is left of one that was held; returns the steps done: 0 if all its lanes wait. Who has held it
 * goes on with it before anybody else has a turn: nothing depends on whether it was. */
static inline uint32_t ws_warp_turn(ws_warp *warp, uint32_t budget) {
    ws_block *block = warp->block;
    bool goes_on = warp->is_held;
    uint32_t done = 0;
    if (!goes_on) {
        warp->yields = warp->drew = warp->pauses = false;
        warp->moved = 0;
    }
    warp->is_held = false;
    while (done < budget && !warp->yields && !warp->drew && !warp->pauses && warp->moved < WS_TURN_BYTES &&
           warp->living != 0 && !warp->is_held) {
        uint32_t steps;
        if (!goes_on && !ws_warp_next(warp) && (!ws_warp_waits(warp) || !ws_warp_next(warp))) break;
        goes_on = false;
        steps = ws_group_run(warp, budget - done);
        done += steps;
        block->steps += steps;
        if (block->stop.kind != WS_RUN_NONE) return done;
        if (warp->living == 0) ws_barriers_warp_left(warp);
        if (warp->living == 0 && block->land != NULL && ws_block_is_done(block))
            block->land(block, (uint32_t)WS_NO_BARRIER);
    }
    return done;
}

/* Splitmix64: the order of turns. */
static inline uint64_t ws_block_draw(ws_block *block) {
    uint64_t z = block->random += UINT64_C(0x9E3779B97F4A7C15);
    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return z ^ (z >> 31);
}

static inline uint32_t ws_turn_most(const ws_block *block) {
    const uint64_t most = WS_TURN_STEPS;
    return (uint32_t)(most < block->steps_left ? most : block->steps_left);
}

static inline uint32_t ws_turn_budget(ws_block *block) {
    const uint64_t most = block->launch->order == 0 ? (uint64_t)WS_TURN_STEPS : 1 + ws_block_draw(block) % 256;
    return (uint32_t)(most < block->steps_left ? most : block->steps_left);
}

static inline ws_warp *ws_block_next_warp(ws_block *block) {
    if (block->launch->order != 0) block->turn = (uint32_t)(ws_block_draw(block) % block->num_warps);
    else block->turn = block->turn + 1 < block->num_warps ? block->turn + 1 : 0;
    return &block->warps[block->turn];
}

/* Its lanes wait for ever: a deadlock, told of the first of them. */
static inline void ws_block_never(ws_block *block) {
    uint32_t i;
    for (i = 0; i < block->num_warps; i++) {
        ws_warp *warp = &block->warps[i];
        if (warp->living == 0) continue;
        warp->current = 0;
        ws_stop_at(&warp->lanes, &block->program->steps[warp->group[0].pc], WS_RUN_DEADLOCK, warp->group[0].mask);
        if (warp->waits_for != WS_NONE && ws_group_can_run(&warp->group[0])) block->stop.statement = warp->waits_at;
        return;
    }
}

/* Nobody can run: waits that only fewer lanes can satisfy are satisfied; else it is a deadlock. */
static inline void ws_block_stuck(ws_block *block) {
    if (!ws_barriers_settle(block)) ws_block_never(block);
}

static inline bool ws_block_can_run(const ws_block *block) {
    uint32_t i;
    int k;
    for (i = 0; i < block->num_warps; i++) {
        for (k = 0; k < block->warps[i].groups; k++) {
            if (ws_group_can_run(&block->warps[i].group[k])) return true;
        }
    }
    return false;
}

/* Runs up to `steps` steps of the block; true when it is done or stopped (block->stop). */
static inline bool ws_block_go_on(ws_block *block, uint64_t steps) {
    uint32_t idle = 0;
    block->steps_left = steps;
    while (block->steps_left > 0 && block->stop.kind == WS_RUN_NONE) {
        ws_warp *const warp = ws_block_next_warp(block);
        const uint32_t budget = ws_turn_budget(block);
        uint32_t done = 0;
        do done += ws_warp_turn(warp, budget - done);
        while (warp->is_held);
        block->steps_left -= done;
        idle = done != 0 ? 0 : idle + 1;
        if (idle < block->num_warps * (block->launch->order != 0 ? 16 : 1)) continue;
        if (ws_block_is_done(block)) return true;
        idle = 0;
        if (!ws_block_can_run(block)) ws_block_stuck(block);
    }
    return block->stop.kind != WS_RUN_NONE || ws_block_is_done(block);
}

/* One block from its first step to its last, of at most `most` steps. False: block->stop says what ended it. */
static inline bool ws_block_run(ws_block *block, const uint32_t index[3], uint64_t most) {
    ws_block_start(block, index[0], index[1], index[2]);
    if (!ws_block_go_on(block, most)) block->stop.kind = WS_RUN_STEPS;
    return block->stop.kind == WS_RUN_NONE;
}

#endif
