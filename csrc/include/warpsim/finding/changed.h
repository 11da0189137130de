/* Stores of what was loaded from the same place, changed. */
#ifndef WARPSIM_FINDING_CHANGED_H
#define WARPSIM_FINDING_CHANGED_H

#include "../place/trail.h"
#include "../shadow/found.h"

typedef struct ws_update {
    uint32_t load, store; /* statements */
    uint32_t asks;        /* WS_CHANGE_BEST: the comparison; `acts`: the jump past the store, or itself */
    ws_change change;
    bool acts; /* the store hangs on what was loaded, as where only the first is to make it */
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

/* Does a predicate come of a load of the place, in the loop that the store is in? */
static inline bool ws_trail_asked(ws_trail *trail, uint32_t predicate, const ws_item *place, ws_update *update) {
    const uint32_t from = trail->function->first_statement;
    uint32_t loops[4] = {0, 0, 0, 0}, i;
    trail->count = 0;
    for (i = from; i < update->store; i++) {
        const ws_statement *one = &trail->module->statements[i];
        if (ws_trail_kind(trail->module, one) == WS_GUESS_COMPARE && ws_trail_writes(trail, one, predicate))
            ws_trail_add_sources(trail, i);
    }
    if (trail->count == 0 || !ws_trail_scans(trail) || !ws_trail_loads(trail, place, update)) return false;
    (void)ws_trail_loop(trail, update->load, &loops[0], &loops[1]);
    (void)ws_trail_loop(trail, update->store, &loops[2], &loops[3]);
    return update->load < update->store && loops[0] == loops[2] && loops[1] == loops[3];
}

/* Is a store made only where a load of the same place says so? Jumps out of the loop around it are no such choice. */
static inline bool ws_update_acts(ws_trail *trail, const ws_item *place, ws_update *update) {
    const ws_module *module = trail->module;
    const uint32_t guard = module->statements[update->store].guard;
    uint32_t first = 0, last = UINT32_MAX, i;
    update->acts = guard != WS_NO_INDEX && ws_trail_asked(trail, guard, place, update);
    update->asks = update->store;
    (void)ws_trail_loop(trail, update->store, &first, &last);
    for (i = trail->function->first_statement; i < update->store && !update->acts; i++) {
        const ws_statement *one = &module->statements[i];
        if (one->guard != WS_NO_INDEX && ws_trail_passes(module, i, update->store) && i >= first &&
            ws_trail_target(module, i) <= last) {
            update->acts = ws_trail_asked(trail, one->guard, place, update);
            update->asks = i;
        }
    }
    update->change = WS_CHANGE_ANY;
    return update->acts;
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
    update->acts = false;
    ws_trail_add_item(&trail, value, store);
    if (ws_trail_loads(&trail, place, update)) return true;
    from = ws_trail_first_asks(&trail, value);
    if (from == trail.function->first_statement + trail.function->statement_count)
        return ws_update_acts(&trail, place, update);
    if (statement->guard != WS_NO_INDEX && ws_trail_compares(&trail, statement->guard, value, place, from, update))
        return true;
    for (i = trail.function->first_statement; i < store; i++) { /* what jumps past it, or is jumped to it */
        const uint32_t guard = module->statements[i].guard;
        const bool asks = ws_trail_passes(module, i, store) || ws_trail_passes(module, i + 1, store);
        if (!asks || guard == WS_NO_INDEX || guard == last || ws_trail_target(module, i) == WS_NO_INDEX) continue;
        last = guard; /* which has the same answer again */
        if (ws_trail_compares(&trail, guard, value, place, from, update)) return true;
    }
    return ws_update_acts(&trail, place, update);
}

/* Does it matter how often a change is made? A smallest value, or a bit that is set, stays what it is. */
static inline bool ws_change_counts(ws_change change) { return change == WS_CHANGE_ADD || change == WS_CHANGE_XOR; }

/* Several lanes of a branch store one value in one place: it is a change that counts, made once in place of many times. */
static inline bool ws_update_counts(const ws_module *module, uint32_t store) {
    ws_update update;
    return ws_update_find(module, store, &update) && ws_change_counts(update.change);
}

/* Do all threads that load go on to store, with no branch between other than one that asks what they have loaded? */
static inline bool ws_update_is_straight(const ws_module *module, const ws_update *update) {
    const uint32_t asks = update->acts ? update->asks : WS_NO_INDEX;
    ws_trail trail = ws_trail_of(module, update->load);
    uint32_t i;
    for (i = update->load; i < update->store; i++) {
        if ((ws_trail_kind(module, &module->statements[i]) == WS_GUESS_BRANCH && i != asks) ||
            (i > update->load && ws_trail_is_target(&trail, i)))
            return false;
    }
    return update->load < update->store &&
           (asks == update->store || module->statements[update->load].guard == module->statements[update->store].guard);
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
        row->is_copy || row->other_is_copy || !ws_update_find(module, row->step, &update) || update.acts ||
        update.load != row->other)
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
