/* The tables of a kernel that is decoded: where they lie in the arena, and how they begin. And where the variables of shared
 * memory lie: those that the kernel's functions name, in the order of their declarations; those of functions, then those of
 * the module. So ptxas does it. */
#ifndef WARPSIM_DECODE_ROOM_H
#define WARPSIM_DECODE_ROOM_H

#include "../module/places.h"
#include "operands.h"

enum { WS_MOST_RESULTS = 1 << 18 }; /* passed in registers, at all places: for more, a kernel has too many steps */

/* Results that are passed in registers, at each place where a function may return. */
static inline size_t ws_decode_most_results(const ws_module *module) {
    uint64_t results = 0;
    uint32_t i;
    for (i = 0; i < module->function_count; i++) {
        const ws_function *function = &module->functions[i];
        if (!function->is_entry) results += (uint64_t)function->return_count * (function->statement_count + 1);
    }
    return results < WS_MOST_RESULTS ? (size_t)results : (size_t)WS_MOST_RESULTS;
}

/* Statements that may be bulk copies. */
static inline size_t ws_decode_most_bulks(const ws_module *module) {
    size_t count = 0;
    uint32_t i;
    for (i = 0; i < module->statement_count; i++) {
        const ws_opcode *opcode = &module->opcodes[module->statements[i].opcode];
        count += opcode->length > 3 && ws_form_same(opcode->text, "cp.", 3);
    }
    return count;
}

/* Does a statement or a variable name a kernel, so that another one may reach it? */
static inline bool ws_decode_names_kernels(const ws_module *module) {
    uint32_t i;
    for (i = 0; i < module->item_count; i++) {
        const ws_item *item = &module->items[i];
        if (item->kind == WS_ITEM_FUNCTION && module->functions[item->index].is_entry) return true;
    }
    for (i = 0; i < module->relocation_count; i++) {
        const ws_relocation *relocation = &module->relocations[i];
        if (relocation->is_function && module->functions[relocation->symbol].is_entry) return true;
    }
    return false;
}

/* The module without the bodies of its other kernels: of a thousand of them, each would take room for all. */
static inline void ws_decode_leave_out(const ws_module *module, uint32_t kernel, size_t *statements, size_t *items) {
    uint32_t i, k;
    if (ws_decode_names_kernels(module)) return;
    for (i = 0; i < module->function_count; i++) {
        const ws_function *function = &module->functions[i];
        if (!function->is_entry || i == kernel) continue;
        *statements -= function->statement_count;
        for (k = 0; k < function->statement_count; k++)
            *items -= module->statements[function->first_statement + k].item_count;
    }
}

/* Room for everything that the kernel can need. */
WS_ONCE bool ws_decode_room(ws_decoder *decoder, uint32_t kernel, ws_arena *arena) {
    const ws_module *module = decoder->module;
    ws_kernel *program = decoder->program;
    size_t items = (size_t)module->item_count + 64, statements = (size_t)module->statement_count + 1;
    const size_t variables = (size_t)module->variable_count + 1, functions = (size_t)module->function_count + 1;
    size_t buckets = 64;
    const size_t results = ws_decode_most_results(module);
    ws_decode_leave_out(module, kernel, &statements, &items);
    while (buckets < 4 * items) buckets *= 2;
    decoder->step_capacity = (uint32_t)(statements + 3 * items + 4 * functions + 4 * variables + 2 * results);
    decoder->list_capacity =
        (uint32_t)(2 * items + 2 * variables + results + WS_BULK_OPERANDS * ws_decode_most_bulks(module));
    decoder->constant_capacity = (uint32_t)(2 * items);
    decoder->op_capacity = decoder->unsupported_capacity = (uint32_t)statements;
    decoder->bucket_mask = (uint32_t)buckets - 1;
    program->steps = (ws_step *)ws_arena_take(arena, (size_t)decoder->step_capacity + 1, sizeof(ws_step));
    program->meant = (ws_meant *)ws_arena_take(arena, (size_t)decoder->step_capacity + 1, sizeof(ws_meant));
    program->list = (uint32_t *)ws_arena_take(arena, decoder->list_capacity, sizeof(uint32_t));
    program->constants = (ws_constant_rows *)ws_arena_take(arena, decoder->constant_capacity, sizeof(ws_constant_rows));
    program->callees = (ws_callee *)ws_arena_take(arena, functions, sizeof(ws_callee));
    program->targets =
        (uint32_t *)ws_arena_take(arena, (size_t)module->item_count + module->list_count + 64, sizeof(uint32_t));
    program->ops = (ws_op *)ws_arena_take(arena, decoder->op_capacity, sizeof(ws_op));
    program->plan_capacity = module->opcode_count + 64;
    program->plans = (ws_mma_plan *)ws_arena_take(arena, program->plan_capacity, sizeof(ws_mma_plan));
    program->plan_opcode = (uint32_t *)ws_arena_take(arena, program->plan_capacity, sizeof(uint32_t));
    decoder->opcodes = (ws_opcode_form *)ws_arena_take(arena, (size_t)module->opcode_count + 1, sizeof(ws_opcode_form));
    decoder->kinds = (uint8_t *)ws_arena_take(arena, (size_t)module->opcode_count + 1, 1);
    decoder->callee_of = (uint32_t *)ws_arena_take(arena, functions, sizeof(uint32_t));
    decoder->row_of = (uint32_t *)ws_arena_take(arena, (size_t)module->register_count + 1, sizeof(uint32_t));
    decoder->offset_of = (uint32_t *)ws_arena_take(arena, variables, sizeof(uint32_t));
    decoder->step_of = (uint32_t *)ws_arena_take(arena, (size_t)module->statement_count + 2, sizeof(uint32_t));
    decoder->table_of = (uint32_t *)ws_arena_take(arena, (size_t)module->list_count + 1, sizeof(uint32_t));
    decoder->buckets = (uint32_t *)ws_arena_take(arena, buckets, sizeof(uint32_t));
    decoder->unsupported = (uint32_t *)ws_arena_take(arena, statements, sizeof(uint32_t));
    decoder->uses = (uint32_t *)ws_arena_take(arena, 4 * (size_t)module->register_count + 1, sizeof(uint32_t));
    decoder->is_label = (uint8_t *)ws_arena_take(arena, (size_t)module->statement_count + 2, 1);
    program->offset_of = decoder->offset_of;
    return arena->wanted <= arena->capacity;
}

WS_ONCE void ws_decode_begin(ws_decoder *decoder) {
    const ws_module *module = decoder->module;
    uint32_t i;
    for (i = 0; i < module->opcode_count; i++) decoder->opcodes[i].is_known = decoder->opcodes[i].is_said = false;
    for (i = 0; i < module->function_count; i++) decoder->callee_of[i] = WS_NO_INDEX;
    for (i = 0; i < module->variable_count; i++) decoder->offset_of[i] = WS_NO_INDEX;
    for (i = 0; i < module->list_count; i++) decoder->table_of[i] = WS_NO_INDEX;
    for (i = 0; i <= decoder->bucket_mask; i++) decoder->buckets[i] = 0;
    ws_module_labels(module, decoder->is_label);
    decoder->unsupported_count = 0;
    decoder->shared_used = 0;
    decoder->is_lost = false;
}

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
