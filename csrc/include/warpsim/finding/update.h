/* Lost updates: one place is loaded, changed and stored, and other threads do the same meanwhile.
 *
 *     ld.shared.u32 a, [p];  add.u32 b, a, 1;  st.shared.u32 [p], b;
 *
 * Only an atomic repairs that, wherever barriers stand. Where a loop computes the address anew in each round from its
 * counters alone, threads meet in different rounds, and a barrier is what is missing. */
#ifndef WARPSIM_FINDING_UPDATE_H
#define WARPSIM_FINDING_UPDATE_H

#include "../module/places.h"
#include "../place/locked.h"
#include "changed.h"
#include "teller.h"
#include "told.h"

/* The update whose value a statement loads. */
static inline bool ws_update_of_load(const ws_teller *teller, uint32_t load, ws_update *update) {
    const ws_module *module = teller->module;
    const ws_function *function = &module->functions[module->statements[load].function];
    const ws_item *place = ws_guess_item(module, &module->statements[load], 1);
    uint32_t i;
    if (!ws_effort_take(module->effort, function->statement_count)) return false;
    for (i = function->first_statement; i < function->first_statement + function->statement_count; i++) {
        if (ws_effort_is_spent(module->effort)) return false;
        if (ws_guess_is_place(place, ws_guess_item(module, &module->statements[i], 0)) &&
            ws_teller_is(teller, i, WS_EVENT_STORE) && ws_update_find(module, i, update) && update->load == load)
            return true;
    }
    return false;
}

/* Is a statement the load or the store of an update, or of a copy of it in the same line, as loops that are unrolled have? */
static inline bool ws_update_is_part(const ws_teller *teller, uint32_t statement, const ws_update *update) {
    ws_update other;
    const ws_statement *all = teller->module->statements;
    if (statement == update->load || statement == update->store) return true;
    if (update->acts && all[statement].opcode != all[update->load].opcode &&
        all[statement].opcode != all[update->store].opcode)
        return false;
    if (!ws_told_is_one_line(teller->module, statement, update->load) &&
        !ws_told_is_one_line(teller->module, statement, update->store))
        return false;
    return ws_teller_is(teller, statement, WS_EVENT_STORE) || ws_update_of_load(teller, statement, &other);
}

/* Do a load and an atomic name one address? `red` has no register to write. */
static inline bool ws_update_is_one_place(const ws_module *module, uint32_t load, uint32_t atomic) {
    return ws_trail_is_one_place(module, load, 1, atomic, 0) || ws_trail_is_one_place(module, load, 1, atomic, 1);
}

/* Does what a statement loads come to an atomic, as its operand or by a branch around it? */
static inline bool ws_update_comes(const ws_module *module, uint32_t load, uint32_t atomic) {
    const ws_item *value = ws_guess_item(module, &module->statements[load], 0);
    ws_trail trail = ws_trail_of(module, load);
    uint32_t at, i;
    ws_trail_add_sources(&trail, atomic);
    for (i = load; i < atomic; i++) {
        if (ws_trail_kind(module, &module->statements[i]) == WS_GUESS_BRANCH) ws_trail_add_sources(&trail, i);
    }
    for (at = 0; at < trail.count && ws_trail_scans(&trail); at++) {
        if (value != NULL && value->kind == WS_ITEM_REGISTER && trail.registers[at] == value->index) return true;
        for (i = load; i < atomic; i++) {
            if (ws_trail_writes(&trail, &module->statements[i], trail.registers[at])) ws_trail_add_sources(&trail, i);
        }
    }
    return false;
}

/* Does a plain read race with an atomic of the same place that its thread makes because of what it has read? */
static inline bool ws_update_peeks(const ws_teller *teller, const ws_found *found) {
    const ws_module *module = teller->module;
    const uint32_t load = found->is_write ? found->other : found->step,
                   atomic = found->is_write ? found->step : found->other;
    const ws_statement *from = &module->statements[load], *to = &module->statements[atomic];
    uint32_t i;
    if (found->is_write == found->other_is_write || load >= atomic || from->function != to->function ||
        !ws_teller_is(teller, load, WS_EVENT_LOAD) || !ws_event_is_atomic(ws_teller_meant(teller, atomic)->event))
        return false;
    for (i = load; i < atomic && !ws_effort_is_spent(module->effort); i++) {
        if (ws_teller_is(teller, i, WS_EVENT_BARRIER)) return false;
    }
    return ws_update_is_one_place(module, load, atomic) && ws_update_comes(module, load, atomic);
}

/* Do the threads of a block wait for each other between the load and the store of an update? Then none of them is lost: a barrier
 * that no jump passes on the way. */
static inline bool ws_update_is_parted(const ws_teller *teller, const ws_update *update) {
    uint32_t past = 0, i;
    for (i = update->load; i < update->store && !ws_effort_is_spent(teller->module->effort); i++) {
        const uint32_t target = ws_trail_target(teller->module, i);
        if (i >= past && ws_teller_is(teller, i, WS_EVENT_BARRIER)) return true;
        if (target != WS_NO_INDEX && target <= update->store && target > past) past = target;
    }
    return false;
}

/* Is a race one of a thread's update with the same update of another thread, or with an atomic? `stores`: several threads
 * make the store. */
static inline bool ws_update_is_lost(const ws_teller *teller, const ws_found *found, bool stores, ws_update *update) {
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
        if ((meets_atomic && update->acts) ||
            (found->block == found->other_block && (meets_atomic || found->is_write != found->other_is_write) &&
             ws_update_is_parted(teller, update)))
            continue;
        if (meets_atomic ||
            ((stores || ws_update_is_straight(module, update)) && ws_update_is_part(teller, there, update)))
            return true;
    }
    return false;
}

/* The registers that depend on what an update loads. */
static inline ws_trail ws_update_spread(const ws_module *module, const ws_update *update) {
    ws_trail trail = ws_trail_of(module, update->load);
    const uint32_t from = trail.function->first_statement, end = from + trail.function->statement_count;
    uint32_t last = 0, count = WS_NO_INDEX, i;
    while (trail.count != count && ws_trail_scans(&trail)) {
        count = trail.count;
        for (i = from; i < end; i++) {
            const ws_statement *one = &module->statements[i];
            const ws_item *to = ws_guess_item(module, one, 0);
            const ws_guess_kind kind = ws_trail_kind(module, one);
            if (to == NULL || to->kind == WS_ITEM_ADDRESS || kind == WS_GUESS_USES || kind == WS_GUESS_BRANCH) continue;
            if (i == update->load || ws_trail_takes(&trail, i, &last) != 0) ws_trail_add_item(&trail, to, WS_NO_INDEX);
        }
    }
    return trail;
}

/* Can an atomic make the change of an update as a statement does, whose operand number `at` comes of the place? */
static inline bool ws_update_can(const ws_module *module, const ws_update *update, uint32_t number, uint32_t at) {
    const ws_opcode *opcode = &module->opcodes[module->statements[number].opcode],
                    *store = &module->opcodes[module->statements[update->store].opcode];
    const bool is_half = ws_said_is_of_halves(opcode) || ws_said_is_of_halves(store);
    return ws_said_change(opcode) == update->change && ws_said_is_as_atomic(opcode, at, is_half);
}

/* Is the one change on the way from the place to a value that of the update, made to what was loaded alone? */
static inline bool ws_update_is_pure(const ws_trail *spread, const ws_update *update, uint32_t reader) {
    const ws_module *module = spread->module;
    const uint32_t from = spread->function->first_statement, end = from + spread->function->statement_count;
    ws_trail trail = ws_trail_of(module, reader);
    uint32_t at, i, k, last = 0;
    ws_trail_add_sources(&trail, reader);
    for (at = 0; at < trail.count && ws_trail_scans(&trail); at++) {
        const uint32_t writer = ws_trail_writer(&trail, at);
        for (i = from; i < end; i++) {
            const ws_statement *one = &module->statements[i];
            const ws_opcode *opcode = &module->opcodes[one->opcode];
            uint32_t count;
            if ((writer != WS_NO_INDEX && i != writer) || !ws_trail_writes(&trail, one, trail.registers[at]) ||
                i == update->load)
                continue;
            count = ws_trail_takes(spread, i, &last);
            if (count == 0) continue;
            if (count == WS_NO_INDEX ||
                (!ws_said_copies(opcode) && (count != 1 || !ws_update_can(module, update, i, last))))
                return false;
            for (k = 1; k < one->item_count; k++) {
                const ws_item *item = ws_guess_item(module, one, k);
                if (ws_trail_has(spread, item)) ws_trail_add_item(&trail, item, i);
            }
        }
    }
    return trail.count < WS_TRAIL;
}

/* Is one byte stored, or one in each part of a vector? No atomic is so narrow. */
static inline bool ws_update_is_byte(const ws_module *module, const ws_update *update) {
    return ws_said_is_of_bytes(&module->opcodes[module->statements[update->store].opcode]);
}

/* Does an atomic do what an update does? Else a loop of compare-and-swap must. */
static inline bool ws_update_is_atomic(const ws_module *module, const ws_update *update) {
    const ws_statement *store = &module->statements[update->store];
    const ws_opcode *opcode = &module->opcodes[store->opcode];
    const bool is_best = update->change == WS_CHANGE_BEST;
    const ws_trail spread = ws_update_spread(module, update);
    uint32_t i, at = 0;
    if (update->acts || spread.count == WS_TRAIL || ws_update_is_byte(module, update)) return false;
    if (is_best) {
        return !ws_trail_has(&spread, ws_guess_item(module, store, 1)) && !ws_said_is_of_halves(opcode) &&
               !ws_said_is_of_floats(&module->opcodes[module->statements[update->asks].opcode]) &&
               ws_update_is_pure(&spread, update, update->asks);
    }
    for (i = update->load; i <= update->store; i++) {
        const bool is_branch = ws_trail_kind(module, &module->statements[i]) == WS_GUESS_BRANCH;
        if ((is_branch || i == update->store) && ws_trail_takes(&spread, i, &at) == WS_NO_INDEX) return false;
    }
    return ws_update_is_pure(&spread, update, update->store);
}

/* "Use atomicAdd() in place of what line 12 loads and line 14 stores" */
static inline void ws_fix_add_update(const ws_teller *teller, ws_text *text, const ws_update *update) {
    const ws_module *module = teller->module;
    const bool is_byte = ws_update_is_byte(module, update);
    const ws_change change = ws_update_is_atomic(module, update) ? update->change : WS_CHANGE_ANY;
    ws_text_add(text, change == WS_CHANGE_ANY && !update->acts ? "Use a loop of " : "Use ");
    ws_text_add(text, teller->words->change[change]);
    ws_text_add(text, is_byte ? " on the 32-bit word that holds the byte" : "");
    ws_text_add(text, " in place of what ");
    ws_teller_add_line(teller, text, update->load);
    ws_text_add(text, " loads and ");
    ws_teller_add_line(teller, text, update->store);
    ws_text_add(text, update->acts ? " stores, and ask what it returns: between the two another thread finds the same, "
                                     "and both go on."
                                   : " stores: between the two another thread does the same, and its update is lost.");
}

/* A plain read, and an atomic after it that checks what was read. */
static inline void ws_fix_add_peek(const ws_teller *teller, ws_text *text, const ws_found *found) {
    ws_text_add(text, "Make the read at ");
    ws_teller_add_line(teller, text, found->is_write ? found->other : found->step);
    ws_text_add(text, " ");
    ws_text_add(text, teller->words->peek);
    ws_text_add(text, ": other threads write there meanwhile, whatever barriers stand.");
}

#endif
