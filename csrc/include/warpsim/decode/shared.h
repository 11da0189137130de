/* Where the variables of shared memory lie: those that the kernel's functions name, in the order of their declarations;
 * those of functions, then those of the module. So ptxas does it. */
#ifndef WARPSIM_DECODE_SHARED_H
#define WARPSIM_DECODE_SHARED_H

#include "operands.h"

/* Marks the variable that an operand names. */
static inline void ws_decode_shared_mark(ws_decoder *decoder, const ws_item *item) {
    const bool is_base = item->kind == WS_ITEM_ADDRESS && item->base_kind == WS_ITEM_VARIABLE;
    const ws_variable *variable;
    if (item->kind != WS_ITEM_VARIABLE && !is_base) return;
    variable = &decoder->module->variables[item->index];
    if (variable->space != WS_NAME_SHARED || ws_variable_is_dynamic(variable)) return;
    decoder->offset_of[item->index] = 0;
}

static inline void ws_decode_shared_named(ws_decoder *decoder, const ws_function *function) {
    const ws_module *module = decoder->module;
    uint32_t i, k, part;
    for (i = 0; i < function->statement_count; i++) {
        const ws_statement *statement = &module->statements[function->first_statement + i];
        for (k = 0; k < statement->item_count; k++) {
            const ws_item *item = &module->items[statement->first_item + k];
            ws_decode_shared_mark(decoder, item);
            for (part = 0; part < item->part_count; part++) {
                ws_decode_shared_mark(decoder, &module->items[item->first_part + part]);
            }
        }
    }
}

static inline void ws_decode_shared_place(ws_decoder *decoder, uint32_t number) {
    decoder->offset_of[number] = ws_decode_put(decoder, &decoder->module->variables[number], &decoder->shared_used);
}

/* Where the arrays whose size the launch gives begin: at 16 or their own alignment, whether the kernel names them or not.
 * Without one in the module nothing is rounded. */
static inline uint32_t ws_decode_shared_end(const ws_decoder *decoder) {
    const ws_module *module = decoder->module;
    uint32_t align = 1, i;
    for (i = 0; i < module->variable_count; i++) {
        const ws_variable *variable = &module->variables[i];
        if (!ws_variable_is_dynamic(variable)) continue;
        if (align < 16) align = 16;
        if (variable->align > align) align = variable->align;
    }
    return (uint32_t)((decoder->shared_used + align - 1) / align * align);
}

static inline void ws_decode_shared(ws_decoder *decoder) {
    const ws_module *module = decoder->module;
    const ws_kernel *program = decoder->program;
    uint32_t i;
    int of_module;
    for (i = 0; i < program->num_callees; i++) {
        ws_decode_shared_named(decoder, &module->functions[program->callees[i].function]);
    }
    for (of_module = 0; of_module < 2; of_module++) {
        for (i = 0; i < module->variable_count; i++) {
            const ws_variable *variable = &module->variables[i];
            if (variable->space != WS_NAME_SHARED || decoder->offset_of[i] == WS_NO_INDEX) continue;
            if ((variable->function == WS_NO_INDEX) == of_module) ws_decode_shared_place(decoder, i);
        }
    }
}

#endif
