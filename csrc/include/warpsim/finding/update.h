/* Lost updates: one place is loaded, changed and stored, and other threads do the same meanwhile.
 *
 *     ld.shared.u32 a, [p];  add.u32 b, a, 1;  st.shared.u32 [p], b;
 *
 * Only an atomic repairs that, wherever barriers stand. Where a loop computes the address anew in each round from its
 * counters alone, threads meet in different rounds, and a barrier is what is missing. Values are followed backwards from
 * register to register, through no more than WS_TRAIL of them. */
#ifndef WARPSIM_FINDING_UPDATE_H
#define WARPSIM_FINDING_UPDATE_H

#include "../decode/said.h"
#include "told.h"

enum { WS_TRAIL = 64 };

/* Registers of a function that a value comes from, in the order in which they are met. */
typedef struct ws_trail {
    const ws_module *module;
    const ws_function *function;
    uint32_t registers[WS_TRAIL], count;
} ws_trail;

typedef struct ws_update {
    uint32_t load, store; /* statements */
    ws_change change;
} ws_update;

static inline ws_guess_kind ws_trail_kind(const ws_module *module, const ws_statement *statement) {
    return ws_said_guess(&module->opcodes[statement->opcode]);
}

static inline void ws_trail_add(ws_trail *trail, uint32_t number) {
    uint32_t i;
    for (i = 0; i < trail->count; i++) {
        if (trail->registers[i] == number) return;
    }
    if (trail->count < WS_TRAIL) trail->registers[trail->count++] = number;
}

/* The registers of an operand. */
static inline void ws_trail_add_item(ws_trail *trail, const ws_item *item) {
    uint32_t i;
    if (item->kind == WS_ITEM_REGISTER || (item->kind == WS_ITEM_ADDRESS && item->base_kind == WS_ITEM_REGISTER))
        ws_trail_add(trail, item->index);
    for (i = 0; i < item->part_count; i++) ws_trail_add_item(trail, &trail->module->items[item->first_part + i]);
}

static inline bool ws_trail_names(const ws_module *module, const ws_item *item, uint32_t number) {
    uint32_t i;
    if (item->kind == WS_ITEM_REGISTER && item->index == number) return true;
    for (i = 0; i < item->part_count; i++) {
        if (ws_trail_names(module, &module->items[item->first_part + i], number)) return true;
    }
    return false;
}

/* Does a statement write a register? */
static inline bool ws_trail_writes(const ws_trail *trail, const ws_statement *statement, uint32_t number) {
    const ws_guess_kind kind = ws_trail_kind(trail->module, statement);
    if (kind == WS_GUESS_USES || kind == WS_GUESS_BRANCH || statement->item_count == 0) return false;
    return ws_trail_names(trail->module, &trail->module->items[statement->first_item], number);
}

static inline void ws_trail_add_sources(ws_trail *trail, const ws_statement *statement) {
    uint32_t i;
    if (statement->guard != WS_NO_INDEX) ws_trail_add(trail, statement->guard);
    for (i = 1; i < statement->item_count; i++)
        ws_trail_add_item(trail, &trail->module->items[statement->first_item + i]);
}

/* The statement that a jump leads to; WS_NO_INDEX: it is no jump, or leads to a register's. */
static inline uint32_t ws_trail_target(const ws_module *module, uint32_t number) {
    const ws_statement *statement = &module->statements[number];
    const ws_item *to = ws_guess_item(module, statement, 0);
    if (ws_trail_kind(module, statement) != WS_GUESS_BRANCH || to == NULL || to->kind != WS_ITEM_LABEL)
        return WS_NO_INDEX;
    return to->index;
}

/* The innermost loop around a statement: its first and its last one; false: none. */
static inline bool ws_trail_loop(const ws_trail *trail, uint32_t number, uint32_t *first, uint32_t *last) {
    const uint32_t end = trail->function->first_statement + trail->function->statement_count;
    uint32_t i;
    bool found = false;
    for (i = number; i < end; i++) {
        const uint32_t target = ws_trail_target(trail->module, i);
        if (target > number || (found && i - target >= *last - *first)) continue;
        *first = target;
        *last = i;
        found = true;
    }
    return found;
}

/* Does each round of the loop around a statement compute its address anew, of nothing but registers? */
static inline bool ws_trail_wanders(ws_trail trail, uint32_t number) {
    const ws_module *module = trail.module;
    const uint32_t from = trail.function->first_statement, end = from + trail.function->statement_count;
    uint32_t first = 0, last = 0, at, i;
    bool is_carried = false, is_loaded = false;
    if (!ws_trail_loop(&trail, number, &first, &last)) return false;
    trail.count = 0;
    ws_trail_add_item(&trail, &module->items[module->statements[number].first_item]);
    for (at = 0; at < trail.count; at++) {
        bool inside = false, outside = false;
        for (i = from; i < end; i++) {
            const ws_statement *statement = &module->statements[i];
            const bool is_inside = i >= first && i <= last;
            if (!ws_trail_writes(&trail, statement, trail.registers[at])) continue;
            inside = inside || is_inside;
            outside = outside || !is_inside;
            if (!is_inside) continue;
            if (ws_said_use(&module->opcodes[statement->opcode]) == WS_USE_CARRIES) ws_trail_add_sources(&trail, statement);
            else is_loaded = true;
        }
        is_carried = is_carried || (inside && outside);
    }
    return is_carried && !is_loaded;
}

/* The change that a statement of the trail makes; the first one says what an atomic must do. */
static inline ws_change ws_trail_change(const ws_trail *trail, const ws_statement *statement, const ws_item *value) {
    const ws_opcode *opcode = &trail->module->opcodes[statement->opcode];
    uint32_t i;
    if (ws_trail_kind(trail->module, statement) != WS_GUESS_COMPARE) return ws_said_change(opcode);
    for (i = 1; i < statement->item_count && value->kind == WS_ITEM_REGISTER; i++) {
        if (ws_trail_names(trail->module, &trail->module->items[statement->first_item + i], value->index))
            return WS_CHANGE_BEST;
    }
    return WS_CHANGE_ANY;
}

/* Is what a statement stores, or whether it does, computed of what was loaded from the same place? */
static inline bool ws_update_find(const ws_module *module, uint32_t store, ws_update *update) {
    const ws_statement *statement = &module->statements[store];
    const ws_item *place = ws_guess_item(module, statement, 0), *value = ws_guess_item(module, statement, 1);
    const uint32_t from = module->functions[statement->function].first_statement,
                   end = from + module->functions[statement->function].statement_count;
    ws_trail trail;
    uint32_t at, i;
    if (place == NULL || value == NULL || place->kind != WS_ITEM_ADDRESS) return false;
    trail.module = module;
    trail.function = &module->functions[statement->function];
    trail.count = 0;
    if (ws_trail_wanders(trail, store)) return false;
    update->store = store;
    update->change = WS_CHANGE_ANY;
    ws_trail_add_item(&trail, value);
    if (statement->guard != WS_NO_INDEX) ws_trail_add(&trail, statement->guard);
    for (i = from; i < store; i++) { /* what jumps past it asks */
        const uint32_t target = ws_trail_target(module, i), guard = module->statements[i].guard;
        if (target != WS_NO_INDEX && target > store && guard != WS_NO_INDEX) ws_trail_add(&trail, guard);
    }
    for (at = 0; at < trail.count; at++) {
        for (i = from; i < end; i++) {
            const ws_statement *one = &module->statements[i];
            if (!ws_trail_writes(&trail, one, trail.registers[at])) continue;
            if (ws_trail_kind(module, one) == WS_GUESS_LOAD) {
                if (!ws_guess_is_place(place, ws_guess_item(module, one, 1))) continue;
                update->load = i;
                return true;
            }
            if (ws_said_use(&module->opcodes[one->opcode]) != WS_USE_CARRIES) continue;
            if (update->change == WS_CHANGE_ANY) update->change = ws_trail_change(&trail, one, value);
            ws_trail_add_sources(&trail, one);
        }
    }
    return false;
}

/* Is a race one of a thread's update with the same update of another thread? */
static inline bool ws_update_is_lost(const ws_module *module, const ws_found *found, ws_update *update) {
    uint32_t side;
    if (!ws_told_is_race(found->rule) || found->other == WS_FOUND_NO_STEP || found->is_copy || found->other_is_copy)
        return false;
    for (side = 0; side < 2; side++) {
        const uint32_t here = side == 0 ? found->step : found->other, there = side == 0 ? found->other : found->step;
        const bool is_write = side == 0 ? found->is_write : found->other_is_write;
        if (!is_write || !ws_update_find(module, here, update)) continue;
        if (there == update->load || there == update->store || ws_told_is_one_line(module, there, update->load) ||
            ws_told_is_one_line(module, there, update->store))
            return true;
    }
    return false;
}

#endif
