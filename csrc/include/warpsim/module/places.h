/* Statements by where they are: the one at a line and column, and those that jumps lead to; what operands are called. */
#ifndef WARPSIM_MODULE_PLACES_H
#define WARPSIM_MODULE_PLACES_H

#include "module.h"

/* The name of a special register; .h1 where an operand is a part of a register; else empty. */
static inline ws_span ws_item_text(const ws_module *module, const ws_item *item) {
    if (item->kind == WS_ITEM_SPECIAL) return ws_span_make(item->at, item->at + (size_t)item->length);
    if (item->kind != WS_ITEM_REGISTER || item->selector == 0) return ws_span_make(0, 0);
    return ws_span_make(item->selector, ws_ptx_skip_word(module->text, item->selector + (size_t)1, module->length));
}

/* Which statements jumps name; of the label at the end of the last function, too. */
static inline void ws_module_labels(const ws_module *module, uint8_t *is_label) {
    uint32_t i;
    for (i = 0; i <= module->statement_count; i++) is_label[i] = 0;
    for (i = 0; i < module->item_count; i++) {
        if (module->items[i].kind == WS_ITEM_LABEL) is_label[module->items[i].index] = 1;
    }
}

/* The statement that is at a line and column, both from 1, or the one before; WS_NO_INDEX: no statement is before. */
static inline uint32_t ws_module_statement_at(const ws_module *module, uint32_t line, uint32_t column) {
    uint32_t low = 0, high = module->statement_count;
    if (line == 0 || line > module->line_count || column == 0) return WS_NO_INDEX;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (module->statements[middle].at <= module->lines[line - 1] + (uint64_t)column - 1) low = middle + 1;
        else high = middle;
    }
    return low == 0 ? WS_NO_INDEX : low - 1;
}

#endif
