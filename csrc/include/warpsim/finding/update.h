/* Lost updates: one place is loaded, changed and stored, and other threads do the same meanwhile.
 *
 *     ld.shared.u32 a, [p];  add.u32 b, a, 1;  st.shared.u32 [p], b;
 *
 * Only an atomic repairs that, wherever barriers stand. Where a loop computes the address anew in each round from its
 * counters alone, threads meet in different rounds, and a barrier is what is missing. */
#ifndef WARPSIM_FINDING_UPDATE_H
#define WARPSIM_FINDING_UPDATE_H

#include <string.h>

#include "../module/places.h"
#include "teller.h"
#include "told.h"

/* Does a branch of a loop go by what a statement of it gives? */
static inline bool ws_update_is_asked(const ws_module *module, uint32_t statement, uint32_t first, uint32_t last) {
    ws_trail trail = ws_trail_of(module, statement);
    uint32_t at, i;
    for (i = first; i <= last; i++) {
        const uint32_t target = ws_trail_target(module, i), guard = module->statements[i].guard;
        if (guard != WS_NO_INDEX && (i == last || target < first || target > last)) ws_trail_add(&trail, guard, i);
    }
    for (at = 0; at < trail.count && ws_trail_scans(&trail); at++) {
        if (ws_trail_writes(&trail, &module->statements[statement], trail.registers[at])) return true;
        for (i = first; i <= last; i++) {
            if (ws_trail_writes(&trail, &module->statements[i], trail.registers[at])) ws_trail_add_sources(&trail, i);
        }
    }
    return false;
}

/* Finds the loop around a statement that repeats it until its value is the right one; false if it is in no such loop. */
static inline bool ws_update_wait(const ws_module *module, uint32_t statement, uint32_t *first, uint32_t *last) {
    ws_trail trail = ws_trail_of(module, statement);
    return ws_trail_loop(&trail, statement, first, last) && ws_update_is_asked(module, statement, *first, *last);
}

/* Does an operand name the block's own index? */
static inline bool ws_update_names_block(const ws_module *module, const ws_statement *statement) {
    static const char name[] = "%ctaid";
    uint32_t i;
    for (i = 0; i < statement->item_count; i++) {
        const ws_item *item = ws_guess_item(module, statement, i);
        const ws_span text = ws_item_text(module, item);
        if (item->kind == WS_ITEM_SPECIAL && text.end - text.begin >= sizeof name - 1 &&
            memcmp(module->text + text.begin, name, sizeof name - 1) == 0)
            return true;
    }
    return false;
}

/* Does a loop end by a value of the block's own, as one that waits for its turn? What memory holds is nobody's own. */
static inline bool ws_update_is_turn(const ws_module *module, uint32_t first, uint32_t last) {
    ws_trail trail = ws_trail_of(module, first);
    uint32_t at, i;
    for (i = first; i <= last; i++) {
        if (ws_trail_kind(module, &module->statements[i]) == WS_GUESS_BRANCH) ws_trail_add_sources(&trail, i);
    }
    for (at = 0; at < trail.count && ws_trail_scans(&trail); at++) {
        for (i = trail.function->first_statement; i <= last; i++) {
            const ws_statement *statement = &module->statements[i];
            const ws_guess_kind kind = ws_trail_kind(module, statement);
            if (!ws_trail_writes(&trail, statement, trail.registers[at])) continue;
            if (ws_update_names_block(module, statement)) return true;
            if (kind == WS_GUESS_ATOMIC || kind == WS_GUESS_SWAP || ws_trail_is_loaded(module, statement)) continue;
            ws_trail_add_sources(&trail, i);
        }
    }
    return false;
}

/* Is a statement the wait for a ticket: a strong read or an atomic that is repeated until it gives the right value, with no
 * barrier between it and the update, unless each block waits for a value of its own? */
static inline bool ws_update_waits(const ws_teller *teller, uint32_t statement, const ws_meant *meant,
                                   const ws_update *update) {
    const bool is_strong = meant->event == WS_EVENT_ATOMIC || (meant->event == WS_EVENT_LOAD && meant->said.is_strong);
    uint32_t first = 0, end = 0, i;
    if (!is_strong || !ws_update_wait(teller->module, statement, &first, &end) || end >= update->load) return false;
    for (i = end; i < update->load && !ws_effort_is_spent(teller->module->effort); i++) {
        if (ws_teller_is(teller, i, WS_EVENT_BARRIER)) return ws_update_is_turn(teller->module, first, end);
    }
    return true;
}

/* Does a statement read what an exchange gives? Who takes a lock so asks for that; a flag is but written. */
static inline bool ws_update_is_read(const ws_module *module, uint32_t exchange) {
    const ws_item *old = ws_guess_item(module, &module->statements[exchange], 0);
    ws_trail trail = ws_trail_of(module, exchange);
    uint32_t i, at = 0;
    ws_trail_add_item(&trail, old, exchange);
    if (!ws_trail_scans(&trail)) return true;
    for (i = 0; i < trail.function->statement_count; i++) {
        if (ws_trail_takes(&trail, trail.function->first_statement + i, &at) != 0) return true;
    }
    return false;
}

/* Does its function take a lock before an update? Then it is the lock that does not order. `gives`: a flag may be written
 * after it, as who has waited for a ticket gives it on. */
static inline bool ws_update_is_locked(const ws_teller *teller, const ws_update *update, bool gives) {
    const ws_module *module = teller->module;
    const uint32_t first = module->functions[module->statements[update->load].function].first_statement;
    const ws_kernel *program = teller->program;
    uint32_t k;
    for (k = 0; k < program->num_steps && !ws_effort_is_spent(module->effort); k++) {
        const uint32_t i = program->steps[k].statement;
        const uint8_t event = program->meant[k].event;
        const ws_item *value;
        if (event == WS_EVENT_NONE || i < first || i >= update->load) continue;
        value = ws_guess_item(module, &module->statements[i], event == WS_EVENT_SWAP ? 3 : 2);
        if (gives && ws_update_waits(teller, i, &program->meant[k], update)) return true;
        if ((event == WS_EVENT_SWAP || (event == WS_EVENT_EXCHANGE && ws_update_is_read(module, i))) && value != NULL &&
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
    if (statement == update->load || statement == update->store) return true;
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
        if (meets_atomic ||
            ((stores || ws_update_is_straight(module, update)) && ws_update_is_part(teller, there, update)))
            return true;
    }
    return false;
}

/* Does an atomic do what an update does? Else a loop of compare-and-swap must. */
static inline bool ws_update_is_atomic(const ws_module *module, const ws_update *update) {
    const ws_statement *store = &module->statements[update->store];
    const ws_opcode *opcode = &module->opcodes[store->opcode];
    const bool is_best = update->change == WS_CHANGE_BEST;
    const ws_trail spread = ws_update_spread(module, update);
    uint32_t i, at = 0;
    if (spread.count == WS_TRAIL || ws_update_is_byte(module, update)) return false;
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
    const bool is_atomic = ws_update_is_atomic(module, update), is_byte = ws_update_is_byte(module, update);
    ws_text_add(text, "Use ");
    ws_text_add(text, teller->words->change[is_atomic ? update->change : WS_CHANGE_ANY]);
    ws_text_add(text, is_byte ? " on the 32-bit word that holds the byte" : "");
    ws_text_add(text, " in place of what ");
    ws_teller_add_line(teller, text, update->load);
    ws_text_add(text, " loads and ");
    ws_teller_add_line(teller, text, update->store);
    ws_text_add(text, " stores: between the two another thread does the same, and its update is lost.");
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
