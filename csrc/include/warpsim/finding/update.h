/* Lost updates: one place is loaded, changed and stored, and other threads do the same meanwhile.
 *
 *     ld.shared.u32 a, [p];  add.u32 b, a, 1;  st.shared.u32 [p], b;
 *
 * Only an atomic repairs that, wherever barriers stand. Where a loop computes the address anew in each round from its
 * counters alone, threads meet in different rounds, and a barrier is what is missing. */
#ifndef WARPSIM_FINDING_UPDATE_H
#define WARPSIM_FINDING_UPDATE_H

#include "teller.h"
#include "told.h"

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

/* Is a statement the load or the store of an update, or of a copy of it in the same line, as loops that are unrolled have? */
static inline bool ws_update_is_part(const ws_teller *teller, uint32_t statement, const ws_update *update) {
    ws_update other;
    if (statement == update->load || statement == update->store) return true;
    if (!ws_told_is_one_line(teller->module, statement, update->load) &&
        !ws_told_is_one_line(teller->module, statement, update->store))
        return false;
    return ws_teller_is(teller, statement, WS_EVENT_STORE) || ws_update_of_load(teller, statement, &other);
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
            return !ws_update_is_locked(teller, update);
    }
    return false;
}

#endif
