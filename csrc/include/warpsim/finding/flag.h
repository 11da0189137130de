/* Volatile flags, by which one thread tells others that it has come so far. */
#ifndef WARPSIM_FINDING_FLAG_H
#define WARPSIM_FINDING_FLAG_H

#include "../place/polls.h"
#include "../shadow/found.h"
#include "group.h"

/* Is what a statement loads compared, and nothing else? */
static inline bool ws_flag_is_compared(const ws_module *module, uint32_t load) {
    const ws_function *function = &module->functions[module->statements[load].function];
    const uint32_t end = function->first_statement + function->statement_count;
    const ws_item *to = ws_guess_item(module, &module->statements[load], 0);
    bool is_compared = false;
    uint32_t i, k;
    if (to == NULL || to->kind != WS_ITEM_REGISTER) return false;
    for (i = function->first_statement; i < end; i++) {
        const ws_statement *statement = &module->statements[i];
        const bool compares = ws_trail_kind(module, statement) == WS_GUESS_COMPARE;
        for (k = i == load ? 1 : 0; k < statement->item_count; k++) {
            const ws_item *item = ws_guess_item(module, statement, k);
            const bool is_address = item->kind == WS_ITEM_ADDRESS && item->base_kind == WS_ITEM_REGISTER;
            if (!ws_trail_names(module, item, to->index) && !(is_address && item->index == to->index)) continue;
            if (!compares) return false;
            is_compared = true;
        }
    }
    return is_compared;
}

/* Does a statement store a constant, as a flag is set? */
static inline bool ws_flag_is_constant(const ws_module *module, uint32_t store) {
    const ws_item *value = ws_guess_item(module, &module->statements[store], 1);
    ws_trail trail = ws_trail_of(module, store);
    uint32_t i, end;
    bool is_set = false;
    if (value == NULL || value->kind != WS_ITEM_REGISTER) return value != NULL && value->kind == WS_ITEM_INTEGER;
    end = trail.function->first_statement + trail.function->statement_count;
    for (i = trail.function->first_statement; i < end; i++) {
        const ws_statement *statement = &module->statements[i];
        const ws_item *from = ws_guess_item(module, statement, 1);
        if (!ws_trail_writes(&trail, statement, value->index)) continue;
        if (!ws_said_copies(&module->opcodes[statement->opcode]) || from->kind != WS_ITEM_INTEGER) return false;
        is_set = true;
    }
    return is_set;
}

/* Is the same place loaded in every round of a loop? */
static inline bool ws_flag_is_asked(const ws_module *module, uint32_t load) {
    const ws_item *place = ws_guess_item(module, &module->statements[load], 1);
    uint32_t first = 0, last = 0, i;
    ws_trail trail = ws_trail_of(module, load);
    if (place == NULL || place->kind != WS_ITEM_ADDRESS || !ws_trail_loop(&trail, load, &first, &last)) return false;
    for (i = first; i <= last && place->base_kind == WS_ITEM_REGISTER; i++) {
        if (ws_trail_writes(&trail, &module->statements[i], place->index)) return false;
    }
    return true;
}

static inline bool ws_flag_is_volatile(const ws_module *module, uint32_t statement) {
    return ws_opcode_said(&module->opcodes[module->statements[statement].opcode]).is_volatile;
}

/* What is known of statements that are polled, beside other marks. */
enum { WS_FLAG_IS_ASKED = 64, WS_FLAG_IS_POLLED = 128 };

/* Is a load polled? Many rows ask that of one. */
static inline bool ws_flag_polls(const ws_module *module, uint32_t load, uint8_t *marks) {
    if ((marks[load] & WS_FLAG_IS_ASKED) == 0)
        marks[load] |= (uint8_t)(WS_FLAG_IS_ASKED | (ws_polls(module, load) ? WS_FLAG_IS_POLLED : 0));
    return (marks[load] & WS_FLAG_IS_POLLED) != 0;
}

/* A volatile flag that is polled, or compared where it is set to a constant or loaded in every round of a loop, is unordered
 * by its nature: what it guards is told. */
static inline bool ws_flag_is_flag(const ws_found *row, const ws_module *module, uint8_t *marks) {
    const bool is_one = row->other != WS_FOUND_NO_STEP && row->is_write != row->other_is_write;
    const uint32_t read = row->is_write ? row->other : row->step, write = row->is_write ? row->step : row->other;
    if (!is_one || (row->rule != WS_RUN_VOLATILE && row->rule != WS_RUN_WARP_RACE && row->rule != WS_RUN_UNACQUIRED))
        return false;
    if (!ws_flag_is_volatile(module, row->step) || !ws_flag_is_volatile(module, row->other)) return false;
    return ws_flag_polls(module, read, marks) ||
           (ws_flag_is_compared(module, read) &&
            (ws_flag_is_constant(module, write) || ws_flag_is_asked(module, read)));
}

/* Strong reads that may be stale: a poll reads again, and where one line writes both, as an array is filled, neither is the flag
 * of the other. */
static inline bool ws_flag_may_be_stale(const ws_found *row, const ws_module *module, uint8_t *marks) {
    const uint32_t read = row->is_write ? row->other : row->step, write = row->is_write ? row->step : row->other;
    return row->is_seen && (ws_flag_polls(module, read, marks) ||
                            (row->rule == WS_RUN_ARRAY_RACE && ws_told_is_one_line(module, row->via, write)));
}

#endif
