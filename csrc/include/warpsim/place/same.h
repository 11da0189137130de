/* Whether operands of two statements name one place: one variable, or copies of one pointer. */
#ifndef WARPSIM_PLACE_SAME_H
#define WARPSIM_PLACE_SAME_H

#include "trail.h"

/* The item that an address stands for: the variable whose address its register holds, else the item itself. */
static inline const ws_item *ws_trail_place(const ws_module *module, uint32_t statement, uint32_t at) {
    const ws_item *item = ws_guess_item(module, &module->statements[statement], at), *named = NULL;
    ws_trail trail = ws_trail_of(module, statement);
    uint32_t writer = WS_NO_INDEX;
    if (item != NULL && item->kind == WS_ITEM_ADDRESS && item->base_kind == WS_ITEM_REGISTER && item->value == 0) {
        ws_trail_add(&trail, item->index, statement);
        writer = ws_trail_writer(&trail, 0);
    }
    if (writer != WS_NO_INDEX) named = ws_guess_item(module, &module->statements[writer], 1);
    return named != NULL && named->kind == WS_ITEM_VARIABLE ? named : item;
}

/* The register that one is a copy of, if one statement alone writes each. */
static inline uint32_t ws_trail_root(const ws_module *module, uint32_t statement, uint32_t number) {
    const ws_trail trail = ws_trail_of(module, statement);
    const uint32_t from = trail.function->first_statement, end = from + trail.function->statement_count;
    uint32_t steps, writer, i;
    for (steps = 0; steps < WS_TRAIL && ws_trail_scans(&trail); steps++) {
        const ws_item *source;
        for (i = from, writer = WS_NO_INDEX; i < end; i++) {
            if (!ws_trail_writes(&trail, &module->statements[i], number)) continue;
            if (writer != WS_NO_INDEX) return number;
            writer = i;
        }
        if (writer == WS_NO_INDEX || !ws_said_copies(&module->opcodes[module->statements[writer].opcode]))
            return number;
        source = ws_guess_item(module, &module->statements[writer], 1);
        if (source == NULL || source->kind != WS_ITEM_REGISTER) return number;
        number = source->index;
    }
    return number;
}

/* Are two addresses of one function the same pointer, with or without its space? */
static inline bool ws_trail_is_one_root(const ws_module *module, uint32_t one, const ws_item *a, uint32_t other,
                                        const ws_item *b) {
    return a != NULL && b != NULL && module->statements[one].function == module->statements[other].function &&
           a->kind == WS_ITEM_ADDRESS && b->kind == WS_ITEM_ADDRESS && a->base_kind == WS_ITEM_REGISTER &&
           b->base_kind == WS_ITEM_REGISTER && a->value == b->value && a->part_count == 0 && b->part_count == 0 &&
           ws_trail_root(module, one, a->index) == ws_trail_root(module, other, b->index);
}

/* Do an operand of one statement and one of another name the same place? */
static inline bool ws_trail_is_one_place(const ws_module *module, uint32_t one, uint32_t at, uint32_t other,
                                         uint32_t other_at) {
    const ws_item *a = ws_trail_place(module, one, at), *b = ws_trail_place(module, other, other_at);
    const bool are_named = a != NULL && b != NULL && (a->kind == WS_ITEM_VARIABLE || b->kind == WS_ITEM_VARIABLE);
    if (!are_named) return ws_guess_is_place(a, b) || ws_trail_is_one_root(module, one, a, other, b);
    return a->index == b->index && a->value == b->value && a->part_count == 0 && b->part_count == 0 &&
           (a->kind == WS_ITEM_VARIABLE || a->base_kind == WS_ITEM_VARIABLE) &&
           (b->kind == WS_ITEM_VARIABLE || b->base_kind == WS_ITEM_VARIABLE);
}

#endif
