/* Stores of what was loaded from the same place, changed. */
#ifndef WARPSIM_FINDING_CHANGED_H
#define WARPSIM_FINDING_CHANGED_H

#include "../place/trail.h"
#include "../shadow/found.h"

typedef struct ws_update {
    uint32_t load, store; /* statements */
    uint32_t asks;        /* WS_CHANGE_BEST: the comparison */
    ws_change change;
} ws_update;

/* Does the trail come to a load of the place? The first statement of it that changes what it reads says what an atomic must do. */
static inline bool ws_trail_loads(ws_trail *trail, const ws_item *place, ws_update *update) {
    const ws_module *module = trail->module;
    const uint32_t from = trail->function->first_statement, end = from + trail->function->statement_count;
    uint32_t at, i;
    for (at = 0; at < trail->count && ws_trail_scans(trail); at++) {
        const uint32_t writer = ws_trail_writer(trail, at);
        for (i = from; i < end; i++) {
            const ws_statement *one = &module->statements[i];
            const ws_opcode *opcode = &module->opcodes[one->opcode];
            if ((writer != WS_NO_INDEX && i != writer) || !ws_trail_writes(trail, one, trail->registers[at])) continue;
            if (i > trail->readers[at] && !ws_trail_returns(trail, i, trail->readers[at])) continue;
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

/* Does a statement compare a value? */
static inline bool ws_trail_asks(const ws_trail *trail, uint32_t number, const ws_item *value) {
    const ws_module *module = trail->module;
    const ws_statement *one = &module->statements[number];
    uint32_t k;
    for (k = 1; k < one->item_count; k++) {
        if (ws_trail_names(module, &module->items[one->first_item + k], value->index))
            return ws_trail_kind(module, one) == WS_GUESS_COMPARE;
    }
    return false;
}

/* The first statement of the function that compares a value; its end: none does. */
static inline uint32_t ws_trail_first_asks(const ws_trail *trail, const ws_item *value) {
    const uint32_t end = trail->function->first_statement + trail->function->statement_count;
    uint32_t i = trail->function->first_statement;
    if (value->kind != WS_ITEM_REGISTER || !ws_trail_scans(trail)) return end;
    while (i < end && !ws_trail_asks(trail, i, value)) i++;
    return i;
}

/* Does a predicate say how a value compares with what is at the place? `from`: no earlier statement compares the value. */
static inline bool ws_trail_compares(ws_trail *trail, uint32_t predicate, const ws_item *value, const ws_item *place,
                                     uint32_t from, ws_update *update) {
    const uint32_t end = trail->function->first_statement + trail->function->statement_count;
    uint32_t i;
    if (from < end && !ws_trail_scans(trail)) return false;
    for (i = from; i < end; i++) {
        if (!ws_trail_writes(trail, &trail->module->statements[i], predicate) || !ws_trail_asks(trail, i, value))
            continue;
        trail->count = 0;
        ws_trail_add_sources(trail, i);
        update->change = WS_CHANGE_BEST;
        update->asks = i;
        if (ws_trail_loads(trail, place, update)) return true;
    }
    return false;
}

/* Is what a statement stores computed of what was loaded from the same place, or stored if that compares so with it? */
static inline bool ws_update_find(const ws_module *module, uint32_t store, ws_update *update) {
    const ws_statement *statement = &module->statements[store];
    const ws_item *place = ws_guess_item(module, statement, 0), *value = ws_guess_item(module, statement, 1);
    ws_trail trail = ws_trail_of(module, store);
    uint32_t from, last = WS_NO_INDEX, i;
    if (place == NULL || value == NULL || place->kind != WS_ITEM_ADDRESS || ws_trail_wanders(trail, store))
        return false;
    update->store = store;
    update->asks = WS_NO_INDEX;
    update->change = WS_CHANGE_ANY;
    ws_trail_add_item(&trail, value, store);
    if (ws_trail_loads(&trail, place, update)) return true;
    from = ws_trail_first_asks(&trail, value);
    if (from == trail.function->first_statement + trail.function->statement_count) return false;
    if (statement->guard != WS_NO_INDEX && ws_trail_compares(&trail, statement->guard, value, place, from, update))
        return true;
    for (i = trail.function->first_statement; i < store; i++) { /* what jumps past it, or is jumped to it */
        const uint32_t guard = module->statements[i].guard;
        const bool asks = ws_trail_passes(module, i, store) || ws_trail_passes(module, i + 1, store);
        if (!asks || guard == WS_NO_INDEX || guard == last || ws_trail_target(module, i) == WS_NO_INDEX) continue;
        last = guard; /* which has the same answer again */
        if (ws_trail_compares(&trail, guard, value, place, from, update)) return true;
    }
    return false;
}

/* Does it matter how often a change is made? A smallest value, or a bit that is set, stays what it is. */
static inline bool ws_change_counts(ws_change change) { return change == WS_CHANGE_ADD || change == WS_CHANGE_XOR; }

/* Several lanes of a branch store one value in one place: it is a change that counts, made once in place of many times. */
static inline bool ws_update_counts(const ws_module *module, uint32_t store) {
    ws_update update;
    return ws_update_find(module, store, &update) && ws_change_counts(update.change);
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

/* Do all threads that load go on to store, with no branch between? */
static inline bool ws_update_is_straight(const ws_module *module, const ws_update *update) {
    ws_trail trail = ws_trail_of(module, update->load);
    uint32_t i;
    for (i = update->load; i < update->store; i++) {
        if (ws_trail_kind(module, &module->statements[i]) == WS_GUESS_BRANCH ||
            (i > update->load && ws_trail_is_target(&trail, i)))
            return false;
    }
    return update->load < update->store &&
           module->statements[update->load].guard == module->statements[update->store].guard;
}

/* Has a lane stored what it loaded, changed, after another lane of its warp had loaded, too, which then stores? `rows`: as they
 * were found, the later access first. */
static inline bool ws_update_is_lost_in_warp(const ws_found *rows, uint32_t count, uint32_t at,
                                             const ws_module *module) {
    const ws_found *row = &rows[at];
    bool stores = false, differ = false;
    ws_update update;
    uint32_t i;
    if (row->rule != WS_RUN_WARP_RACE || !row->is_write || row->other == WS_FOUND_NO_STEP || row->other_is_write ||
        row->is_copy || row->other_is_copy || !ws_update_find(module, row->step, &update) || update.load != row->other)
        return false;
    for (i = 0; i < count; i++) {
        const bool is_its = rows[i].step == row->step && rows[i].other == row->step && rows[i].other_is_write;
        stores = stores || is_its;
        differ = differ || (is_its && rows[i].rule == WS_RUN_CLASH);
    }
    return (differ || ws_change_counts(update.change)) && (stores || ws_update_is_straight(module, &update));
}

/* Updates that lanes of one warp lose are lost on every GPU: a race like one between warps. */
static inline void ws_update_lose(ws_found *rows, uint32_t count, const ws_module *module) {
    uint32_t i, k;
    for (i = 0; i < count; i++) {
        const uint32_t load = rows[i].other, store = rows[i].step;
        if (!ws_update_is_lost_in_warp(rows, count, i, module)) continue;
        for (k = 0; k < count; k++) {
            const bool is_its =
                (rows[k].step == store && rows[k].other == load) || (rows[k].step == load && rows[k].other == store);
            if (is_its && rows[k].rule == WS_RUN_WARP_RACE)
                rows[k].rule = rows[k].space == WS_AT_SHARED ? WS_RUN_RACE : WS_RUN_ARRAY_RACE;
        }
    }
}

#endif
