/* What is loaded and may go unused, followed to its first use (idle.h): through moves by its registers, through arithmetic by
 * the statements that use what comes of it. */
#ifndef WARPSIM_USE_FOLLOW_H
#define WARPSIM_USE_FOLLOW_H

#include "sinks.h"

#if WS_BODIES

/* `steps`: NULL while the arena is being measured. */
static inline void ws_ahead_make(ws_idle *idle, ws_uses *uses, const ws_module *module, const ws_kernel *program,
                                 const ws_checked *steps, uint32_t warps, ws_arena *arena) {
    ws_ahead ahead;
    uint32_t i;
    idle->loads = (uint32_t *)ws_arena_take(arena, program->num_steps, sizeof(uint32_t));
    idle->rows = (ws_idle_row *)ws_arena_take(arena, (size_t)WS_AHEAD_LOADS * warps, sizeof(ws_idle_row));
    idle->held = (ws_idle_held *)ws_arena_take(arena, WS_IDLE_HELD, sizeof(ws_idle_held));
    idle->sinks = (ws_idle_sinks *)ws_arena_take(arena, program->num_steps, sizeof(ws_idle_sinks));
    idle->num_sunk = 0;
    idle->num_loads = 0;
    idle->num_warps = warps;
    uses->module = module;
    uses->registers = module->register_count;
    uses->is_dirty = false;
    uses->num_unset = 0;
    uses->marks = (ws_mark *)ws_arena_take(arena, (size_t)warps * module->register_count, sizeof(ws_mark));
    uses->marked = (uint32_t *)ws_arena_take(arena, warps, sizeof(uint32_t));
    uses->ways = (uint8_t *)ws_arena_take(arena, module->opcode_count, 1);
    ahead.uses = uses;
    ahead.held = (uint32_t *)ws_arena_take(arena, module->statement_count, sizeof(uint32_t));
    ahead.seen = (uint32_t *)ws_arena_take(arena, module->statement_count, sizeof(uint32_t));
    ahead.stack = (uint32_t *)ws_arena_take(arena, WS_AHEAD_STATEMENTS, sizeof(uint32_t));
    ahead.number = 0;
    ahead.work = WS_AHEAD_WORK;
    ahead.takes_all = false;
    if (steps == NULL || ahead.stack == NULL) return;
    for (i = 0; i < module->opcode_count; i++) uses->ways[i] = ws_way_of(&module->opcodes[i]);
    for (i = 0; i < program->num_steps && idle->num_loads < WS_AHEAD_LOADS; i++) {
        if (!ws_ahead_is_load(&steps[i], program->steps[i].space) ||
            !ws_ahead_find(&ahead, program->steps[i].statement))
            continue;
        ws_idle_add(idle, i, steps[i].kind == WS_CHECKED_MATRIX, false);
    }
    ws_sinks_find(&ahead, idle, program, steps);
}

/* The registers that lanes load. */
static inline void ws_ahead_marks(const ws_idle *idle, ws_uses *uses, const ws_warp *warp, const ws_step *step,
                                  uint32_t number, uint32_t lanes) {
    ws_use_walk walk = ws_use_walk_make(uses, step);
    uint32_t reg;
    if (idle->loads[number] == 0 || (idle->loads[number] & WS_IDLE_IS_SUNK)) return;
    for (reg = ws_use_next(&walk); reg != WS_NO_INDEX && walk.is_first; reg = ws_use_next(&walk)) {
        if (!walk.is_address) ws_use_lanes(uses, warp, reg, lanes, lanes, number);
    }
}

/* Lanes are to load again: those of them that have no copy of what they loaded before will never use it. */
static inline void ws_ahead_forgets(ws_idle *idle, ws_uses *uses, const ws_warp *warp, const ws_step *step,
                                    uint32_t number, uint32_t lanes) {
    ws_use_walk walk = ws_use_walk_make(uses, step);
    uint32_t reg, copies = 0;
    if (idle->num_held == 0 || (idle->loads[number] & WS_IDLE_IS_SUNK)) return;
    for (reg = ws_use_next(&walk); reg != WS_NO_INDEX && walk.is_first; reg = ws_use_next(&walk)) {
        if (!walk.is_address) ws_use_set(uses, warp, reg, 0, lanes, number);
    }
    for (reg = 0; reg < uses->registers; reg++) {
        const ws_mark *mark = ws_use_mark(uses, warp, reg);
        if (mark->origin == number) copies |= mark->lanes & lanes;
    }
    copies = copies != 0 ? ws_idle_lanes(idle, number, copies) : 0;
    ws_idle_forgets(idle, number, warp->place, ws_idle_lanes(idle, number, lanes) & ~copies);
}

/* Lanes load. Where they load the very same again, the marks alone are new: what was used stays used. */
static inline void ws_ahead_loads(ws_idle *idle, ws_uses *uses, const ws_warp *warp, const ws_step *step,
                                  uint32_t number, uint32_t lanes, uint32_t now) {
    if (idle->loads[number] != 0) {
        ws_ahead_forgets(idle, uses, warp, step, number, lanes);
        ws_idle_loads(idle, number, warp->place, lanes, now);
    }
    ws_ahead_marks(idle, uses, warp, step, number, lanes);
}

/* The first step of a statement, before lanes of the mask execute it: they move what was loaded, or use it. */
static inline void ws_ahead_sees(ws_idle *idle, ws_uses *uses, ws_lanes *lanes, const ws_step *step, uint32_t mask) {
    const ws_warp *warp = ws_warp_of(lanes);
    const ws_statement *statement = &uses->module->statements[step->statement];
    const uint8_t way = ws_way_at(uses, statement);
    const bool is_copy = way & WS_WAY_COPIES, selects = way & WS_WAY_SELECTS, writes = way & WS_WAY_WRITES;
    const uint32_t holds = selects ? ws_predicate(lanes, step->s[2]) : 0;
    const uint32_t first = uses->module->functions[statement->function].first_register;
    ws_use_walk walk = ws_use_walk_make(uses, step);
    uint32_t origin = 0, found = 0, reg;
    if (statement->guard != WS_NO_INDEX) {
        ws_mark *mark = ws_use_mark(uses, warp, first + statement->guard);
        if (mark->lanes & lanes->active) ws_idle_uses(idle, mark->origin, warp->place, mark->lanes & lanes->active);
    }
    while ((reg = ws_use_next(&walk)) != WS_NO_INDEX) {
        const ws_mark mark = *ws_use_mark(uses, warp, reg);
        const uint32_t taken = !selects || walk.operand == 3 ? WS_ALL_LANES : walk.operand == 1 ? holds : ~holds;
        if (writes && walk.is_first && !walk.is_address) continue;
        if ((mark.lanes & mask) == 0) continue;
        if (is_copy && walk.operand != 3) {
            found |= mark.lanes & mask & taken;
            origin = mark.origin;
            continue;
        }
        ws_idle_uses(idle, mark.origin, warp->place, mark.lanes & mask);
        ws_use_lanes(uses, warp, reg, 0, mask, mark.origin);
    }
    walk = ws_use_walk_make(uses, step);
    for (reg = writes ? ws_use_next(&walk) : WS_NO_INDEX; reg != WS_NO_INDEX && walk.is_first;
         reg = ws_use_next(&walk)) {
        if (!walk.is_address) ws_use_lanes(uses, warp, reg, found, mask, origin);
    }
}

#endif /* WS_BODIES */
#endif
