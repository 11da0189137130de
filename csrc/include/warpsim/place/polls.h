/* Loads that are polled: they read again until the value is as wanted. */
#ifndef WARPSIM_PLACE_POLLS_H
#define WARPSIM_PLACE_POLLS_H

#include "trail.h"

/* Does the guard of a statement depend on what is loaded among the statements from the first to the last? */
static inline bool ws_polls_guards(const ws_module *module, uint32_t load, uint32_t statement, uint32_t first,
                                   uint32_t last) {
    ws_trail trail = ws_trail_of(module, load);
    uint32_t at, k;
    if (module->statements[statement].guard == WS_NO_INDEX) return false;
    ws_trail_add(&trail, module->statements[statement].guard, statement);
    for (at = 0; at < trail.count && ws_effort_take(module->effort, last - first + 1); at++) {
        for (k = first; k <= last; k++) {
            if (!ws_trail_writes(&trail, &module->statements[k], trail.registers[at])) continue;
            if (k == load) return true;
            ws_trail_add_sources(&trail, k);
        }
    }
    return false;
}

/* Does a loop around a load go on as long as its value says so: by the jump back, or if that has no guard, by one out? */
static inline bool ws_polls_in_loop(const ws_module *module, uint32_t load) {
    const ws_function *function = &module->functions[module->statements[load].function];
    const uint32_t end = function->first_statement + function->statement_count;
    uint32_t i, k;
    if (!ws_effort_take(module->effort, end - load)) return false;
    for (i = load; i < end; i++) {
        const uint32_t first = ws_trail_target(module, i);
        const bool is_guarded = module->statements[i].guard != WS_NO_INDEX;
        if (first == WS_NO_INDEX || first > load) continue;
        if (ws_polls_guards(module, load, i, first, i)) return true;
        if (!is_guarded && !ws_effort_take(module->effort, i - first)) return false;
        for (k = first; k < i && !is_guarded; k++) {
            const ws_statement *one = &module->statements[k];
            const ws_item *out = ws_guess_item(module, one, 0);
            if (one->guard == WS_NO_INDEX || out == NULL || out->kind != WS_ITEM_LABEL) continue;
            if (out->index >= first && out->index <= i) continue; /* to read the opcode takes longer */
            if (ws_trail_target(module, k) != WS_NO_INDEX && ws_polls_guards(module, load, k, first, i)) return true;
        }
    }
    return false;
}

/* Is it the first round of such a loop, which compilers put before it? Its value leads past the loop. */
static inline bool ws_polls_before_loop(const ws_module *module, uint32_t load) {
    const ws_statement *statement = &module->statements[load];
    const ws_function *function = &module->functions[statement->function];
    const uint32_t end = function->first_statement + function->statement_count;
    uint32_t i = load + 1, past, k;
    while (i < end && ws_trail_target(module, i) == WS_NO_INDEX) i++;
    past = i < end ? ws_trail_target(module, i) : 0;
    if (past <= i || !ws_polls_guards(module, load, i, load, i)) return false;
    if (!ws_effort_take(module->effort, end - load)) return false;
    for (k = i + 1; k < past && k < end; k++) {
        const ws_statement *one = &module->statements[k];
        if (one->opcode == statement->opcode &&
            ws_guess_is_place(ws_guess_item(module, one, 1), ws_guess_item(module, statement, 1)) &&
            ws_polls_in_loop(module, k))
            return true;
    }
    return false;
}

/* Is what a statement loads read again until it is as wanted? */
static inline bool ws_polls(const ws_module *module, uint32_t load) {
    return ws_polls_in_loop(module, load) || ws_polls_before_loop(module, load);
}

#endif
