/* What is loaded and may go unused, followed to its first use (idle.h): through moves by its registers, through arithmetic by
 * the statements that use what comes of it. */
#ifndef WARPSIM_USE_FOLLOW_H
#define WARPSIM_USE_FOLLOW_H

#include "sinks.h"

#if WS_BODIES

/* `steps`: NULL while the arena is being measured. */
static inline void ws_ahead_make(ws_idle *idle, ws_uses *uses, const ws_module *module, const ws_kernel *program,
                                 ws_checked *steps, uint32_t warps, ws_arena *arena) {
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
    ahead.uses = uses;
    ahead.held = (uint32_t *)ws_arena_take(arena, module->statement_count, sizeof(uint32_t));
    ahead.seen = (uint32_t *)ws_arena_take(arena, module->statement_count, sizeof(uint32_t));
    ahead.stack = (uint32_t *)ws_arena_take(arena, WS_AHEAD_STATEMENTS, sizeof(uint32_t));
    ahead.number = 0;
    ahead.takes_all = false;
    if (steps == NULL || ahead.stack == NULL) return;
    for (i = 0; i < program->num_steps && idle->num_loads < WS_AHEAD_LOADS; i++) {
        ahead.left = WS_AHEAD_STATEMENTS;
        if (!ws_ahead_is_load(&steps[i], program->steps[i].space) ||
            !ws_ahead_find(&ahead, program->steps[i].statement))
            continue;
        idle->loads[i] = ++idle->num_loads << 1 | (uint32_t)(steps[i].kind == WS_CHECKED_MATRIX);
        steps[i].again = WS_NO_INDEX;
    }
    ws_sinks_find(&ahead, idle, program, steps);
}

/* Lanes load. */
static inline void ws_ahead_loads(ws_idle *idle, ws_uses *uses, const ws_warp *warp, const ws_step *step,
                                  uint32_t number, uint32_t lanes, uint32_t now) {
    ws_use_walk walk = ws_use_walk_make(uses, step);
    uint32_t reg;
    ws_idle_loads(idle, number, warp->place, lanes, now);
    if (ws_idle_is_sunk(idle, number)) return;
    for (reg = ws_use_next(&walk); reg != WS_NO_INDEX && walk.is_first; reg = ws_use_next(&walk)) {
        if (!walk.is_address) ws_use_set(uses, warp, reg, lanes, lanes, number);
    }
}

/* The first step of a statement, before lanes of the mask execute it: they move what was loaded, or use it. */
static inline void ws_ahead_sees(ws_idle *idle, ws_uses *uses, ws_lanes *lanes, const ws_step *step, uint32_t mask) {
    const ws_warp *warp = ws_warp_of(lanes);
    const ws_statement *statement = &uses->module->statements[step->statement];
    const ws_opcode *opcode = &uses->module->opcodes[statement->opcode];
    const bool is_copy = ws_ahead_is_copy(opcode), selects = is_copy && ws_opcode_begins(opcode, "selp"),
               writes = ws_said_use(opcode) != WS_USE_ALL;
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
        ws_use_set(uses, warp, reg, 0, mask, mark.origin);
    }
    walk = ws_use_walk_make(uses, step);
    for (reg = writes ? ws_use_next(&walk) : WS_NO_INDEX; reg != WS_NO_INDEX && walk.is_first;
         reg = ws_use_next(&walk)) {
        if (!walk.is_address) ws_use_set(uses, warp, reg, found, mask, origin);
    }
}

#endif /* WS_BODIES */
#endif
