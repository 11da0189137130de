/* Lost updates: one place is loaded, changed and stored, and other threads do the same meanwhile.
 *
 *     ld.shared.u32 a, [p];  add.u32 b, a, 1;  st.shared.u32 [p], b;
 *
 * Only an atomic repairs that, wherever barriers stand. Where a loop computes the address anew in each round from its
 * counters alone, threads meet in different rounds, and a barrier is what is missing. Values are followed backwards from
 * register to register, through no more than WS_TRAIL of them. */
#ifndef WARPSIM_FINDING_UPDATE_H
#define WARPSIM_FINDING_UPDATE_H

#include "teller.h"
#include "told.h"

enum { WS_TRAIL = 64 };

/* Registers of a function that a value comes from, in the order in which they are met, and the statements that read them. */
typedef struct ws_trail {
    const ws_module *module;
    const ws_function *function;
    uint32_t registers[WS_TRAIL], readers[WS_TRAIL], count;
} ws_trail;

typedef struct ws_update {
    uint32_t load, store; /* statements */
    ws_change change;
} ws_update;

static inline ws_guess_kind ws_trail_kind(const ws_module *module, const ws_statement *statement) {
    return ws_said_guess(&module->opcodes[statement->opcode]);
}

static inline void ws_trail_add(ws_trail *trail, uint32_t number, uint32_t reader) {
    uint32_t i;
    for (i = 0; i < trail->count; i++) {
        if (trail->registers[i] == number && trail->readers[i] == reader) return;
    }
    if (trail->count == WS_TRAIL) return;
    trail->registers[trail->count] = number;
    trail->readers[trail->count++] = reader;
}

/* The registers of an operand that a statement reads. */
static inline void ws_trail_add_item(ws_trail *trail, const ws_item *item, uint32_t reader) {
    uint32_t i;
    if (item->kind == WS_ITEM_REGISTER || (item->kind == WS_ITEM_ADDRESS && item->base_kind == WS_ITEM_REGISTER))
        ws_trail_add(trail, item->index, reader);
    for (i = 0; i < item->part_count; i++)
        ws_trail_add_item(trail, &trail->module->items[item->first_part + i], reader);
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

static inline void ws_trail_add_sources(ws_trail *trail, uint32_t number) {
    const ws_statement *statement = &trail->module->statements[number];
    uint32_t i;
    if (statement->guard != WS_NO_INDEX) ws_trail_add(trail, statement->guard, number);
    for (i = 1; i < statement->item_count; i++)
        ws_trail_add_item(trail, &trail->module->items[statement->first_item + i], number);
}

/* The statement that a jump leads to; WS_NO_INDEX: it is no jump, or leads to a register's. */
static inline uint32_t ws_trail_target(const ws_module *module, uint32_t number) {
    const ws_statement *statement = &module->statements[number];
    const ws_item *to = ws_guess_item(module, statement, 0);
    if (ws_trail_kind(module, statement) != WS_GUESS_BRANCH || to == NULL || to->kind != WS_ITEM_LABEL)
        return WS_NO_INDEX;
    return to->index;
}

static inline bool ws_trail_passes(const ws_module *module, uint32_t number, uint32_t store) {
    const uint32_t target = number < store ? ws_trail_target(module, number) : WS_NO_INDEX;
    return target != WS_NO_INDEX && target > store;
}

/* Does a jump of the function lead to a statement? */
static inline bool ws_trail_is_target(const ws_trail *trail, uint32_t number) {
    const uint32_t from = trail->function->first_statement, end = from + trail->function->statement_count;
    uint32_t i;
    for (i = from; i < end; i++) {
        if (ws_trail_target(trail->module, i) == number) return true;
    }
    return false;
}

/* The one statement that can have written what a reader of the trail reads: the last one before it, with no way in between;
 * WS_NO_INDEX: there may be several. */
static inline uint32_t ws_trail_writer(const ws_trail *trail, uint32_t at) {
    const uint32_t reader = trail->readers[at], from = trail->function->first_statement;
    uint32_t i;
    for (i = reader; i > from && reader - i < WS_TRAIL && !ws_trail_is_target(trail, i); i--) {
        const ws_statement *before = &trail->module->statements[i - 1];
        if (ws_trail_kind(trail->module, before) == WS_GUESS_BRANCH) break;
        if (ws_trail_writes(trail, before, trail->registers[at]) && before->guard == WS_NO_INDEX) return i - 1;
    }
    return WS_NO_INDEX;
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

/* Does a statement load what memory holds, other than a parameter or a variable? */
static inline bool ws_trail_is_loaded(const ws_module *module, const ws_statement *statement) {
    const ws_item *address = ws_guess_item(module, statement, 1);
    if (ws_said_use(&module->opcodes[statement->opcode]) == WS_USE_CARRIES) return false;
    return address == NULL || address->kind != WS_ITEM_ADDRESS || address->base_kind != WS_ITEM_VARIABLE;
}

/* Does each round of the loop around a statement compute its address anew, of nothing but counters? */
static inline bool ws_trail_wanders(ws_trail trail, uint32_t number) {
    const ws_module *module = trail.module;
    const uint32_t from = trail.function->first_statement, end = from + trail.function->statement_count;
    uint32_t first = 0, last = 0, at, i;
    bool is_carried = false;
    if (!ws_trail_loop(&trail, number, &first, &last)) return false;
    trail.count = 0;
    ws_trail_add_item(&trail, &module->items[module->statements[number].first_item], number);
    for (at = 0; at < trail.count; at++) {
        bool inside = false, outside = false;
        for (i = from; i < end; i++) {
            const ws_statement *statement = &module->statements[i];
            const bool is_inside = i >= first && i <= last;
            if (!ws_trail_writes(&trail, statement, trail.registers[at])) continue;
            if (ws_trail_is_loaded(module, statement)) return false;
            inside = inside || is_inside;
            outside = outside || !is_inside;
            ws_trail_add_sources(&trail, i);
        }
        is_carried = is_carried || (inside && outside);
    }
    return is_carried;
}

/* Does the trail come to a load of the place? The first statement of it that changes what it reads says what an atomic must do. */
static inline bool ws_trail_loads(ws_trail *trail, const ws_item *place, ws_update *update) {
    const ws_module *module = trail->module;
    const uint32_t from = trail->function->first_statement, end = from + trail->function->statement_count;
    uint32_t at, i;
    for (at = 0; at < trail->count; at++) {
        const uint32_t writer = ws_trail_writer(trail, at);
        for (i = from; i < end; i++) {
            const ws_statement *one = &module->statements[i];
            const ws_opcode *opcode = &module->opcodes[one->opcode];
            if ((writer != WS_NO_INDEX && i != writer) || !ws_trail_writes(trail, one, trail->registers[at])) continue;
            if (ws_trail_kind(module, one) == WS_GUESS_LOAD) {
                if (!ws_guess_is_place(place, ws_guess_item(module, one, 1))) continue;
                update->load = i;
                return true;
            }
            if (ws_said_use(opcode) != WS_USE_CARRIES) continue;
            if (update->change == WS_CHANGE_ANY) update->change = ws_said_change(opcode);
            ws_trail_add_sources(trail, i);
        }
    }
    return false;
}

/* Does a predicate say how a value compares with what is at the place? */
static inline bool ws_trail_compares(ws_trail *trail, uint32_t predicate, const ws_item *value, const ws_item *place,
                                     ws_update *update) {
    const ws_module *module = trail->module;
    const uint32_t from = trail->function->first_statement, end = from + trail->function->statement_count;
    uint32_t i, k;
    if (value->kind != WS_ITEM_REGISTER) return false;
    for (i = from; i < end; i++) {
        const ws_statement *one = &module->statements[i];
        bool names = false;
        if (ws_trail_kind(module, one) != WS_GUESS_COMPARE || !ws_trail_writes(trail, one, predicate)) continue;
        for (k = 1; k < one->item_count; k++)
            names = names || ws_trail_names(module, &module->items[one->first_item + k], value->index);
        trail->count = 0;
        ws_trail_add_sources(trail, i);
        update->change = WS_CHANGE_BEST;
        if (names && ws_trail_loads(trail, place, update)) return true;
    }
    return false;
}

/* Is what a statement stores computed of what was loaded from the same place, or stored if that compares so with it? */
static inline bool ws_update_find(const ws_module *module, uint32_t store, ws_update *update) {
    const ws_statement *statement = &module->statements[store];
    const ws_item *place = ws_guess_item(module, statement, 0), *value = ws_guess_item(module, statement, 1);
    ws_trail trail;
    uint32_t i;
    trail.module = module;
    trail.function = &module->functions[statement->function];
    trail.count = 0;
    if (place == NULL || value == NULL || place->kind != WS_ITEM_ADDRESS || ws_trail_wanders(trail, store))
        return false;
    update->store = store;
    update->change = WS_CHANGE_ANY;
    ws_trail_add_item(&trail, value, store);
    if (ws_trail_loads(&trail, place, update)) return true;
    if (statement->guard != WS_NO_INDEX && ws_trail_compares(&trail, statement->guard, value, place, update))
        return true;
    for (i = trail.function->first_statement; i < store; i++) { /* what jumps past it, or is jumped to it */
        const uint32_t guard = module->statements[i].guard;
        const bool asks = ws_trail_passes(module, i, store) || ws_trail_passes(module, i + 1, store);
        if (asks && guard != WS_NO_INDEX && ws_trail_target(module, i) != WS_NO_INDEX &&
            ws_trail_compares(&trail, guard, value, place, update))
            return true;
    }
    return false;
}

/* Does a value come of no memory? What takes a lock writes such a one; a loop that updates by compare-and-swap does not. */
static inline bool ws_trail_is_bare(const ws_module *module, uint32_t reader, const ws_item *value) {
    ws_trail trail;
    uint32_t at, i;
    trail.module = module;
    trail.function = &module->functions[module->statements[reader].function];
    trail.count = 0;
    ws_trail_add_item(&trail, value, reader);
    for (at = 0; at < trail.count; at++) {
        for (i = 0; i < trail.function->statement_count; i++) {
            const uint32_t number = trail.function->first_statement + i;
            const ws_statement *one = &module->statements[number];
            if (!ws_trail_writes(&trail, one, trail.registers[at])) continue;
            if (ws_said_use(&module->opcodes[one->opcode]) != WS_USE_CARRIES) return false;
            ws_trail_add_sources(&trail, number);
        }
    }
    return true;
}

/* Does its function take a lock before an update? Then it is the lock that does not order. */
static inline bool ws_update_is_locked(const ws_teller *teller, const ws_update *update) {
    const ws_module *module = teller->module;
    const ws_function *function = &module->functions[module->statements[update->load].function];
    uint32_t i;
    for (i = function->first_statement; i < update->load; i++) {
        const uint8_t event = ws_teller_meant(teller, i)->event;
        const ws_item *value = ws_guess_item(module, &module->statements[i], event == WS_EVENT_SWAP ? 3 : 2);
        if ((event == WS_EVENT_SWAP || event == WS_EVENT_EXCHANGE) && value != NULL &&
            ws_trail_is_bare(module, i, value))
            return true;
    }
    return false;
}

/* The update whose value a statement loads. */
static inline bool ws_update_of_load(const ws_teller *teller, uint32_t load, ws_update *update) {
    const ws_module *module = teller->module;
    const ws_function *function = &module->functions[module->statements[load].function];
    const ws_item *place = ws_guess_item(module, &module->statements[load], 1);
    uint32_t i;
    for (i = function->first_statement; i < function->first_statement + function->statement_count; i++) {
        if (ws_guess_is_place(place, ws_guess_item(module, &module->statements[i], 0)) &&
            ws_teller_is(teller, i, WS_EVENT_STORE) && ws_update_find(module, i, update) && update->load == load)
            return true;
    }
    return false;
}

/* Is a race one of a thread's update with the same update of another thread, or with an atomic? */
static inline bool ws_update_is_lost(const ws_teller *teller, const ws_found *found, ws_update *update) {
    const ws_module *module = teller->module;
    uint32_t side;
    if ((!ws_told_is_race(found->rule) && found->rule != WS_RUN_VOLATILE) || found->other == WS_FOUND_NO_STEP ||
        found->is_copy || found->other_is_copy)
        return false;
    for (side = 0; side < 2; side++) {
        const uint32_t here = side == 0 ? found->step : found->other, there = side == 0 ? found->other : found->step;
        const bool is_write = side == 0 ? found->is_write : found->other_is_write,
                   meets_atomic = ws_event_is_atomic(ws_teller_meant(teller, there)->event);
        if (is_write ? !ws_update_find(module, here, update)
                     : !meets_atomic || !ws_update_of_load(teller, here, update))
            continue;
        if (meets_atomic || ws_told_is_one_line(module, there, update->load) ||
            ws_told_is_one_line(module, there, update->store))
            return !ws_update_is_locked(teller, update);
    }
    return false;
}

#endif
