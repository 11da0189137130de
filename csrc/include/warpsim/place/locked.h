/* Locks and tickets that a thread takes before it loads a place to change it. */
#ifndef WARPSIM_PLACE_LOCKED_H
#define WARPSIM_PLACE_LOCKED_H

#include "../module/places.h"
#include "../run/kernel.h"
#include "same.h"

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

/* Does an operand name the block's own index, or the thread's? */
static inline bool ws_update_names(const ws_module *module, const ws_statement *statement, const char *name) {
    const size_t length = ws_string_length(name);
    uint32_t i;
    for (i = 0; i < statement->item_count; i++) {
        const ws_item *item = ws_guess_item(module, statement, i);
        const ws_span text = ws_item_text(module, item);
        if (item->kind == WS_ITEM_SPECIAL && text.end - text.begin >= length &&
            ws_bytes_equal(module->text + text.begin, length, name))
            return true;
    }
    return false;
}

/* Does a loop end by a value of the block's own, or the thread's, as one that waits for its turn? What memory holds is nobody's
 * own. */
static inline bool ws_update_is_turn(const ws_module *module, uint32_t first, uint32_t last, const char *name) {
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
            if (ws_update_names(module, statement, name)) return true;
            if (kind == WS_GUESS_ATOMIC || kind == WS_GUESS_SWAP || ws_trail_is_loaded(module, statement)) continue;
            ws_trail_add_sources(&trail, i);
        }
    }
    return false;
}

/* Does a loop end when what it polls is what an atomic of another place has given its thread: a ticket? */
static inline bool ws_update_is_ticket(const ws_module *module, uint32_t poll, uint32_t first, uint32_t last) {
    ws_trail trail = ws_trail_of(module, first);
    uint32_t at, i;
    for (i = first; i <= last; i++) {
        if (ws_said_is_equality(&module->opcodes[module->statements[i].opcode])) ws_trail_add_sources(&trail, i);
    }
    for (at = 0; at < trail.count && ws_trail_scans(&trail); at++) {
        for (i = trail.function->first_statement; i < first; i++) {
            const ws_statement *statement = &module->statements[i];
            if (!ws_trail_writes(&trail, statement, trail.registers[at])) continue;
            if (ws_trail_kind(module, statement) == WS_GUESS_ATOMIC && !ws_trail_is_one_place(module, poll, 1, i, 1))
                return true;
            if (ws_said_copies(&module->opcodes[statement->opcode])) ws_trail_add_sources(&trail, i);
        }
    }
    return false;
}

/* Do threads wait for each other at a barrier between two statements of the text? */
static inline bool ws_update_meets(const ws_module *module, const ws_kernel *program, uint32_t from, uint32_t to) {
    uint32_t k;
    if (!ws_effort_take(module->effort, program->num_steps)) return false;
    for (k = 0; k < program->num_steps; k++) {
        const uint32_t i = program->steps[k].statement;
        if (i >= from && i < to && program->meant[k].event == WS_EVENT_BARRIER) return true;
    }
    return false;
}

/* Is a step the wait for a lock: a strong read or an atomic that is repeated until it gives the right value, with no barrier
 * between it and the load, unless each block waits for a value of its own? Of threads of one block each must, since else they
 * all go on together. */
static inline bool ws_update_waits(const ws_module *module, const ws_kernel *program, uint32_t step, uint32_t load,
                                   bool crosses) {
    const ws_meant *meant = &program->meant[step];
    const uint32_t poll = program->steps[step].statement;
    const bool is_strong = meant->event == WS_EVENT_ATOMIC || (meant->event == WS_EVENT_LOAD && meant->said.is_strong);
    uint32_t first = 0, end = 0;
    if (!is_strong || !ws_update_wait(module, poll, &first, &end) || end >= load) return false;
    return (crosses && !ws_update_meets(module, program, end, load)) || ws_update_is_ticket(module, poll, first, end) ||
           ws_update_is_turn(module, first, end, crosses ? "%ctaid" : "%tid");
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

/* Does its function take a lock before what a statement loads is changed? Then it is the lock that does not order. `gives`: a
 * flag may be written after it, as who has waited for a ticket gives it on; `crosses`: of another block. */
static inline bool ws_update_is_locked(const ws_module *module, const ws_kernel *program, uint32_t load, bool gives,
                                       bool crosses) {
    const uint32_t first = module->functions[module->statements[load].function].first_statement;
    uint32_t k;
    for (k = 0; k < program->num_steps && !ws_effort_is_spent(module->effort); k++) {
        const uint32_t i = program->steps[k].statement;
        const uint8_t event = program->meant[k].event;
        const ws_item *value;
        if (event == WS_EVENT_NONE || i < first || i >= load) continue;
        value = ws_guess_item(module, &module->statements[i], event == WS_EVENT_SWAP ? 3 : 2);
        if (gives && ws_update_waits(module, program, k, load, crosses)) return true;
        if ((event == WS_EVENT_SWAP || (event == WS_EVENT_EXCHANGE && ws_update_is_read(module, i))) && value != NULL &&
            ws_trail_is_bare(module, i, value))
            return true;
    }
    return false;
}

#endif
