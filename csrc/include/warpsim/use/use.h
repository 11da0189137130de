/* Where uninitialised values come from, and where they are used: registers as the text has them.
 *
 *     ld, ldmatrix, a shuffle from a lane that is absent      mark lanes of a register
 *     arithmetic, moves, products                             carry the marks on
 *     a store to shared or local memory, and what reads it    likewise (carry.h)
 *     an address, a branch, a guard, global memory, an atomic uses the value: a finding at the read
 *
 * Statements are told by their opcodes: the first operand is what they write, the others what they read. A warp without
 * marks costs nothing. */
#ifndef WARPSIM_USE_USE_H
#define WARPSIM_USE_USE_H

#include "../base/apart.h"
#include "fragments.h"
#include "moves.h"
#include "padding.h"
#include "unset.h"
#include "../shadow/shadow.h"

#if WS_BODIES

/* Atomics whose results are read are told: they take, and read what was there. Until the first block begins, marks stand
 * for registers that are read. */
static inline void ws_use_make(ws_uses *uses, const ws_module *module, const ws_kernel *program, ws_checked *steps) {
    uint32_t i, reg;
    uses->module = module;
    uses->registers = module->register_count;
    if (steps == NULL || uses->marks == NULL) return;
    for (i = 0; i < program->num_steps; i++) {
        ws_use_walk walk = ws_use_walk_make(uses, &program->steps[i]);
        while (steps[i].is_begin && (reg = ws_use_next(&walk)) != WS_NO_INDEX) {
            if (!walk.is_first || walk.is_address || steps[i].use == WS_USE_ALL) uses->marks[reg].origin = WS_NO_INDEX;
        }
    }
    for (i = 0; i < program->num_steps; i++) {
        ws_use_walk walk = ws_use_walk_make(uses, &program->steps[i]);
        if (steps[i].kind != WS_CHECKED_ACCESS || steps[i].use != WS_USE_ATOMIC) continue;
        while ((reg = ws_use_next(&walk)) != WS_NO_INDEX && walk.is_first)
            steps[i].takes = steps[i].takes || uses->marks[reg].origin == WS_NO_INDEX;
        steps[i].reads = steps[i].reads || steps[i].takes;
    }
    ws_padding_ignore(module, program, steps);
}

/* A block begins. */
static inline void ws_use_start(ws_uses *uses, uint32_t warps) {
    size_t i;
    uses->num_merged = 0;
    for (i = 0; i < (size_t)warps * uses->registers && uses->is_dirty; i++) uses->marks[i].lanes = 0;
    ws_unset_start(uses, warps);
}

/* What a statement writes: `lanes` have read uninitialised memory; `pass`: those of each element, or NULL. */
static inline void ws_use_begin(ws_check *check, const ws_warp *warp, const ws_step *step, uint32_t number,
                                uint32_t lanes, const ws_pass *pass, const ws_visit *read) {
    ws_use_walk walk = ws_use_walk_make(&check->uses, step);
    const uint8_t padding = ws_padding_of(check, step, pass);
    const bool is_quiet = padding == WS_PADDING_MOST || (padding == WS_PADDING_BESIDE && ws_padding_is_inside(pass));
    ws_found one;
    uint32_t reg;
    if (lanes == 0) return;
    one = ws_check_about_lanes(check, WS_RUN_UNUSED_READ, number, warp->place, lanes);
    one.address = read->space == WS_AT_SHARED ? ws_judge_address(&check->judge, read->address) : read->address;
    one.nbytes = read->nbytes;
    one.space = read->space;
    one.is_write = read->is_write || is_quiet; /* told only if it is used: told.h */
    ws_found_add(&check->judge.found, &one);
    for (reg = ws_use_next(&walk); reg != WS_NO_INDEX && walk.is_first; reg = ws_use_next(&walk)) {
        const bool is_known = pass != NULL && walk.element < WS_PASS_ELEMENTS;
        const ws_mark *mark = ws_use_mark(&check->uses, warp, reg);
        ws_marked given;
        int lane;
        if (walk.is_address) continue;
        if (check->steps[number].kind == WS_CHECKED_PRODUCT && mark->lanes != 0)
            ws_use_merge(&check->uses, mark->origin);
        given.lanes = is_known ? pass->holes[walk.element] : lanes;
        given.origin = number;
        given.padding = padding;
        for (lane = 0; lane < WS_LANES; lane++)
            given.bits[lane] = is_known ? ws_bits_of_bytes(pass->bits->holes[walk.element][lane]) : WS_BITS_EVERY;
        ws_use_put(&check->uses, warp, reg, lanes, &given);
    }
}

/* The value is used: the finding names the step that read it, and as the other party the one that uses it. */
WS_ONCE void ws_use_report(ws_check *check, const ws_warp *warp, uint32_t origin, uint32_t number, uint32_t lanes) {
    const bool is_direct = origin == WS_NO_INDEX; /* nobody has set the register */
    ws_found one = ws_check_about_lanes(check, WS_RUN_UNWRITTEN, is_direct ? number : origin, warp->place, lanes);
    const uint32_t reg = ws_unset_of(&check->uses, &warp->block->program->steps[one.step]);
    uint32_t i;
    if (!is_direct) one.other = number;
    one.other_thread = one.thread;
    if (reg != WS_NO_INDEX) {
        one.space = WS_AT_REGISTER;
        one.address = reg;
    }
    ws_found_add(&check->judge.found, &one);
    for (i = 0; i < check->uses.num_merged; i++) {
        one = ws_check_about_lanes(check, WS_RUN_UNUSED_READ, check->uses.merged[i], warp->place, lanes);
        one.other_is_write = true; /* it is used: told.h */
        ws_found_add(&check->judge.found, &one);
    }
    check->uses.num_merged = 0;
}

/* The marks of all that a statement reads; `uses`: reports those of lanes of the mask, or of addresses alone. */
static inline uint32_t ws_use_read(ws_check *check, const ws_warp *warp, const ws_step *step, uint32_t number,
                                   uint32_t mask, uint32_t *origin) {
    const bool uses_all = check->steps[number].use == WS_USE_ALL || check->steps[number].use == WS_USE_ATOMIC;
    const bool skips_first = check->steps[number].use != WS_USE_ALL;
    ws_use_walk walk = ws_use_walk_make(&check->uses, step);
    uint32_t found = 0, reg;
    while ((reg = ws_use_next(&walk)) != WS_NO_INDEX) {
        const ws_mark *mark = ws_use_mark(&check->uses, warp, reg);
        if ((walk.is_first && skips_first && !walk.is_address) || mark->lanes == 0) continue;
        if ((uses_all || walk.is_address) && (mark->lanes & mask))
            ws_use_report(check, warp, mark->origin, number, mark->lanes & mask);
        *origin = ws_use_earlier(&check->uses, found != 0, *origin, mark);
        found |= mark->lanes;
    }
    return found;
}

static inline void ws_use_guard(ws_check *check, const ws_warp *warp, const ws_step *step, uint32_t number,
                                uint32_t active) {
    const ws_statement *statement = &check->uses.module->statements[step->statement];
    const ws_mark *mark;
    if (statement->guard == WS_NO_INDEX) return;
    mark = ws_use_mark(&check->uses, warp,
                       check->uses.module->functions[statement->function].first_register + statement->guard);
    if (mark->lanes & active) ws_use_report(check, warp, mark->origin, number, mark->lanes & active);
}

/* Lanes come to an exchange and wait: the marks of what they give are kept. */
static inline void ws_use_waits(ws_check *check, ws_lanes *lanes, const ws_step *step, uint32_t number, uint32_t mask) {
    const ws_warp *warp = ws_warp_of(lanes);
    ws_marked *held = &check->uses.held[warp->place], gives;
    uint32_t origin = held->origin, found = 0, left;
    ws_marked_clear(&gives);
    if (check->uses.marked[warp->place] != 0) found = ws_use_read(check, warp, step, number, mask, &origin);
    if (found != 0) ws_use_gives(&check->uses, warp, step, mask, &gives);
    for (left = gives.lanes; left != 0; left &= left - 1)
        held->bits[ws_first_lane(left)] = gives.bits[ws_first_lane(left)];
    held->padding = gives.padding;
    held->lanes = (held->lanes & ~mask) | (found & mask);
    held->origin = origin == WS_NO_INDEX ? number : origin;
}

/* A shuffle, of lanes of the mask and of those that have waited for them. */
static inline void ws_use_shuffles(ws_check *check, ws_lanes *lanes, const ws_step *step, uint32_t number,
                                   uint32_t mask, uint32_t met) {
    const ws_warp *warp = ws_warp_of(lanes);
    const ws_marked *held = &check->uses.held[warp->place];
    const uint32_t others = held->lanes & met & ~mask;
    ws_use_walk walk = ws_use_walk_make(&check->uses, step);
    ws_marked gives, found;
    uint32_t reg, left;
    ws_marked_clear(&gives);
    ws_marked_clear(&found);
    if (check->uses.marked[warp->place] != 0) ws_use_gives(&check->uses, warp, step, mask, &gives);
    for (left = others; left != 0; left &= left - 1) gives.bits[ws_first_lane(left)] = held->bits[ws_first_lane(left)];
    gives.lanes |= others;
    if (others != 0) gives.padding = ws_padding_least(gives.padding, held->padding);
    found.origin = others != 0 ? held->origin : gives.lanes != 0 ? gives.origin : number;
    ws_use_shuffled(step, lanes, (int)check->steps[number].use - WS_USE_SHUFFLE, mask, met, &gives, &found);
    if (found.lanes == 0 && check->uses.marked[warp->place] == 0) return;
    for (reg = ws_use_next(&walk); reg != WS_NO_INDEX && walk.is_first; reg = ws_use_next(&walk))
        ws_use_put(&check->uses, warp, reg, mask, &found);
}

/* The first step of a statement, before it executes; `mask`: lanes whose guard holds. `met`: those that have waited for
 * each other, or 0. */
static inline void ws_use_sees(ws_check *check, ws_lanes *lanes, const ws_step *step, uint32_t number, uint32_t mask,
                               uint32_t met) {
    const ws_warp *warp = ws_warp_of(lanes);
    const ws_use_kind use = (ws_use_kind)check->steps[number].use;
    const ws_marked *held = &check->uses.held[warp->place];
    const bool is_alone = met == 0 || (held->lanes & met & ~mask) == 0;
    uint32_t found = 0, origin = number, reg;
    ws_use_walk walk = ws_use_walk_make(&check->uses, step);
    bool adds; /* to the accumulators of a warpgroup, whose marks stay */
    check->uses.now = number;
    if (check->uses.marked[warp->place] != 0) {
        ws_use_guard(check, warp, step, number, lanes->active);
        if (use == WS_USE_CARRIES || use == WS_USE_SELECT) {
            ws_use_moves(&check->uses, lanes, step, mask);
            return;
        }
        found = ws_use_read(check, warp, step, number, mask, &origin);
        if ((use == WS_USE_WARP || use == WS_USE_PRODUCT) && ((found & mask) || !is_alone)) found = WS_ALL_LANES;
        if (use == WS_USE_LOAD || use == WS_USE_ATOMIC) found = 0;
    }
    if (use == WS_USE_PRODUCT && ws_fragments_carry(check, warp, step, number)) return;
    if (use >= WS_USE_SHUFFLE) {
        ws_use_shuffles(check, lanes, step, number, mask, met);
        return;
    }
    if (!is_alone) origin = held->origin;
    if (met != 0) found = (found & mask) | (held->lanes & met & ~mask);
    if (use == WS_USE_ALL || use == WS_USE_STORE || (found == 0 && check->uses.marked[warp->place] == 0)) return;
    adds = check->steps[number].kind == WS_CHECKED_PRODUCT && (ws_predicate(lanes, step->s[WS_S_ADDS]) & 1);
    for (reg = ws_use_next(&walk); reg != WS_NO_INDEX && walk.is_first; reg = ws_use_next(&walk)) {
        const ws_mark *mark = ws_use_mark(&check->uses, warp, reg);
        if (walk.is_address) continue;
        if (adds && mark->lanes != 0) ws_use_set(&check->uses, warp, reg, mark->lanes | found, mask, mark->origin);
        else ws_use_set(&check->uses, warp, reg, found, mask, origin);
    }
}

#endif /* WS_BODIES */
#endif
