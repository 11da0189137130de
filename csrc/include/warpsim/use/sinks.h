/* Loads whose values arithmetic takes, and that may go unused all the same: which statements use what comes of them. */
#ifndef WARPSIM_USE_SINKS_H
#define WARPSIM_USE_SINKS_H

#include "ahead.h"

#if WS_BODIES

enum { WS_SINK_WORK = 1 << 18 /* statements that all searches look at */ };

/* Adds the registers of a statement that carries the value on; true: there is a new one. */
static inline bool ws_sinks_spread(ws_ahead *ahead, uint32_t number) {
    const ws_statement *statement = &ahead->uses->module->statements[number];
    const uint32_t before = ahead->num_holders;
    if (!ws_ahead_carries(ahead, statement)) return false;
    (void)ws_ahead_touches(ahead, statement, ws_use_walk_of(ahead->uses, number), UINT32_MAX);
    return ahead->num_holders != before;
}

/* All registers that hold a value that depends on what a statement loads, wherever they stand. */
static inline bool ws_sinks_slice(ws_ahead *ahead, uint32_t load) {
    const ws_module *module = ahead->uses->module;
    const ws_function *function = &module->functions[module->statements[load].function];
    const uint32_t end = function->first_statement + function->statement_count;
    ws_use_walk walk = ws_use_walk_of(ahead->uses, load);
    uint32_t reg, i;
    bool goes_on = true;
    ahead->num_holders = 0;
    for (reg = ws_use_next(&walk); reg != WS_NO_INDEX && walk.is_first; reg = ws_use_next(&walk))
        if (!walk.is_address) (void)ws_ahead_bit(ahead, reg, true);
    while (goes_on && !ahead->is_full && ahead->left != 0) {
        goes_on = false;
        for (i = function->first_statement; i < end && ahead->left != 0; i++, ahead->left--)
            goes_on = ws_sinks_spread(ahead, i) || goes_on;
    }
    return !ahead->is_full && !goes_on;
}

/* The steps whose statements use it. */
static inline void ws_sinks_mark(ws_ahead *ahead, ws_idle *idle, const ws_kernel *program, const ws_checked *steps,
                                 uint32_t function) {
    const ws_module *module = ahead->uses->module;
    const uint32_t bit = UINT32_C(1) << idle->num_sunk, first = module->functions[function].first_register;
    uint32_t i;
    for (i = 0; i < program->num_steps; i++) {
        const ws_statement *statement = &module->statements[program->steps[i].statement];
        const bool is_one = steps[i].is_begin && statement->function == function && !ws_ahead_carries(ahead, statement);
        if (!is_one) continue;
        if (ws_ahead_touches(ahead, statement, ws_use_walk_of(ahead->uses, program->steps[i].statement), 0).read != 0)
            idle->sinks[i].values |= bit;
        if (statement->guard != WS_NO_INDEX && ws_ahead_bit(ahead, first + statement->guard, false) != 0)
            idle->sinks[i].guards |= bit;
    }
}

/* Loads whose values go through arithmetic, and from there to stores that not all lanes make: Triton has one element in
 * several threads, of which one stores. */
static inline void ws_sinks_find(ws_ahead *ahead, ws_idle *idle, const ws_kernel *program, const ws_checked *steps) {
    uint32_t work = WS_SINK_WORK, i;
    ahead->takes_all = true;
    for (i = 0; i < program->num_steps; i++) {
        const uint32_t statement = program->steps[i].statement;
        if (idle->num_loads == WS_AHEAD_LOADS || idle->num_sunk == WS_IDLE_SUNK || work == 0) return;
        if (idle->loads[i] != 0 || !ws_ahead_is_load(&steps[i], program->steps[i].space)) continue;
        if (!ws_ahead_find(ahead, statement)) continue;
        ahead->left = work;
        ahead->is_full = false;
        if (ws_sinks_slice(ahead, statement)) {
            ws_sinks_mark(ahead, idle, program, steps, ahead->uses->module->statements[statement].function);
            ws_idle_add(idle, i, steps[i].kind == WS_CHECKED_MATRIX, true);
        }
        work = ahead->left;
    }
}

#endif /* WS_BODIES */
#endif
