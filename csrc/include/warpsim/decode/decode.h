/* A kernel of a module, decoded: every function that it reaches, statement by statement.
 *
 *     ws_arena arena = ws_arena_make(bytes, capacity);
 *     ws_chosen chosen = {kernel, target, WS_SIMD_AUTO, true};
 *     if (ws_kernel_make(&module, &chosen, &arena, &program, &refused, &err) == WS_OK) ...
 *
 * WS_NOT_MODELLED: some statements are not modelled; `refused` has them, in the file's order. WS_SYNTAX: an operand does
 * not fit; the error's column is its byte in the text. WS_INVALID_ARGUMENT: the arena is too small; arena->wanted says
 * how much is enough. */
#ifndef WARPSIM_DECODE_DECODE_H
#define WARPSIM_DECODE_DECODE_H

#include "async.h"
#include "control.h"
#include "product.h"
#include "rewrite.h"
#include "room.h"
#include "tables.h"

/* Statements that a kernel reaches and that are not modelled. */
typedef struct ws_refused {
    const uint32_t *statements;
    uint32_t count;
} ws_refused;

static inline const ws_opcode_form *ws_decode_opcode(ws_decoder *decoder, uint32_t number) {
    ws_opcode_form *opcode = &decoder->opcodes[number];
    const ws_opcode *text = &decoder->module->opcodes[number];
    if (opcode->is_known) return opcode;
    opcode->form = ws_forms_find(text->text, text->length, &opcode->match);
    opcode->is_known = true;
    return opcode;
}

/* Registers of the function to rows and predicates. */
static inline void ws_decode_registers(ws_decoder *decoder) {
    const ws_function *function = decoder->function;
    ws_callee *callee = decoder->callee;
    uint32_t i;
    callee->rows = 0;
    callee->predicates = 1;
    for (i = 0; i < function->register_count; i++) {
        const uint32_t number = function->first_register + i;
        const int type = decoder->module->registers[number].type;
        if (type == WS_TYPE_PRED) {
            decoder->row_of[number] = callee->predicates++;
        } else {
            decoder->row_of[number] = callee->rows;
            callee->rows += ws_rows_of_type(type);
        }
    }
}

static inline void ws_decode_place_variable(ws_decoder *decoder, uint32_t variable, uint64_t *at) {
    if (decoder->offset_of[variable] == WS_NO_INDEX)
        decoder->offset_of[variable] = ws_decode_put(decoder, &decoder->module->variables[variable], at);
}

/* Parameters, results, then what the body declares: bytes of the frame, or the parameters that all kernels share. */
WS_ONCE void ws_decode_frame(ws_decoder *decoder) {
    const ws_function *function = decoder->function;
    const uint32_t number = (uint32_t)(function - decoder->module->functions);
    uint64_t at = 0, parameters = 0, *passed = function->is_entry ? &parameters : &at;
    uint32_t i;
    for (i = 0; i < function->parameter_count; i++) {
        ws_decode_place_variable(decoder, function->first_parameter + i, passed);
    }
    for (i = 0; i < function->return_count; i++) ws_decode_place_variable(decoder, function->first_return + i, passed);
    for (i = function->first_parameter + function->parameter_count; i < decoder->module->variable_count; i++) {
        const ws_variable *variable = &decoder->module->variables[i];
        if (variable->function != number) break; /* a function's are one after another */
        if (variable->is_parameter) continue;
        if (variable->space == WS_NAME_LOCAL || variable->space == WS_NAME_PARAM)
            ws_decode_place_variable(decoder, i, &at);
    }
    decoder->callee->locals = (uint32_t)(at + 15) / 16 * 16;
    if (parameters > decoder->program->parameter_bytes) decoder->program->parameter_bytes = (uint32_t)parameters;
}

static inline void ws_decode_statement(ws_decoder *decoder, const ws_opcode_form *opcode) {
    switch (opcode->form->meaning) {
        case WS_DECODE_MOV: ws_decode_mov(decoder, opcode); break;
        case WS_DECODE_CVTA: ws_decode_cvta(decoder, opcode); break;
        case WS_DECODE_ISSPACEP: ws_decode_isspacep(decoder, opcode); break;
        case WS_DECODE_LOAD: ws_decode_load(decoder, opcode); break;
        case WS_DECODE_STORE: ws_decode_store(decoder, opcode); break;
        case WS_DECODE_VIDEO: ws_decode_video(decoder, opcode); break;
        case WS_DECODE_VIDEO_MAD: ws_decode_video_mad(decoder, opcode); break;
        case WS_DECODE_BRANCH: ws_decode_branch(decoder, opcode); break;
        case WS_DECODE_BRX: ws_decode_brx(decoder, opcode); break;
        case WS_DECODE_BULK: ws_decode_bulk(decoder, opcode); break;
        case WS_DECODE_CALL: ws_decode_call(decoder, opcode); break;
        case WS_DECODE_RET: ws_decode_ret(decoder, opcode); break;
        default: ws_decode_of_cluster(decoder, opcode) ? (void)0 : ws_decode_plain(decoder, opcode);
    }
}

/* Matrix instructions have parsers of their own. */
static inline void ws_decode_one(ws_decoder *decoder) {
    const ws_opcode_form *opcode = ws_decode_opcode(decoder, decoder->statement->opcode);
    if (opcode->form != NULL) {
        ws_decode_statement(decoder, opcode);
    } else if (!ws_decode_matrix(decoder) && !ws_decode_product(decoder) && !ws_decode_wgmma(decoder)) {
        ws_decode_unsupported(decoder);
    }
}

/* A step that no guard holds back. */
static inline void ws_decode_free(ws_decoder *decoder, uint32_t first) {
    for (; first < decoder->program->num_steps; first++) decoder->program->steps[first].guard = 0;
}

/* Targets of jumps, from statements to steps. */
static inline void ws_decode_patch(ws_decoder *decoder, uint32_t first_target) {
    ws_kernel *program = decoder->program;
    uint32_t i, k;
    for (i = decoder->callee->entry; i < program->num_steps; i++) {
        ws_step *step = &program->steps[i];
        if (ws_decode_means(decoder, step, WS_DO_BRA)) step->immediate = decoder->step_of[step->immediate];
    }
    for (i = first_target; i < program->num_targets; i += 1 + program->targets[i]) {
        for (k = 0; k < program->targets[i]; k++) {
            program->targets[i + 1 + k] = decoder->step_of[program->targets[i + 1 + k]];
        }
    }
}

static inline void ws_decode_body(ws_decoder *decoder) {
    const ws_function *function = decoder->function;
    const ws_statement *first = &decoder->module->statements[function->first_statement];
    ws_kernel *program = decoder->program;
    const uint32_t first_target = program->num_targets;
    uint32_t i, begin, most = 0;
    decoder->callee->entry = program->num_steps;
    decoder->statement = first;
    decoder->temporaries = 0;
    if (!function->is_entry) ws_decode_registers_passed(decoder, false);
    ws_decode_free(decoder, decoder->callee->entry);
    for (i = 0; i < function->statement_count && !decoder->is_lost; i++) {
        if (decoder->temporaries > most) most = decoder->temporaries;
        decoder->statement = first + i;
        decoder->step_of[function->first_statement + i] = program->num_steps;
        decoder->temporaries = 0;
        ws_decode_one(decoder);
    }
    if (decoder->temporaries > most) most = decoder->temporaries;
    begin = decoder->step_of[function->first_statement + function->statement_count] = program->num_steps;
    decoder->temporaries = 0;
    ws_decode_ret(decoder, NULL); /* the end of the text returns, too */
    ws_decode_free(decoder, begin);
    if (decoder->temporaries > most) most = decoder->temporaries;
    if (!decoder->is_lost && decoder->contracts) {
        ws_contract(decoder, decoder->callee->entry);
        ws_rewrite(decoder, decoder->callee->entry);
    }
    if (!decoder->is_lost) ws_decode_patch(decoder, first_target);
    decoder->callee->rows += most;
}

/* Adds a function to those that the kernel reaches. */
static inline void ws_decode_reach(ws_decoder *decoder, uint32_t number) {
    ws_kernel *program = decoder->program;
    const ws_function *function = ws_module_definition(decoder->module, number);
    ws_callee *callee = &program->callees[program->num_callees];
    number = (uint32_t)(function - decoder->module->functions);
    if (function->is_declaration || decoder->callee_of[number] != WS_NO_INDEX) return;
    decoder->callee_of[number] = program->num_callees++;
    callee->function = number;
    callee->address = ws_function_address(number);
    callee->entry = callee->rows = callee->predicates = callee->locals = 0;
}

/* The functions that a function names, whether it calls them or takes their address. */
static inline void ws_decode_reach_from(ws_decoder *decoder, const ws_function *function) {
    const ws_module *module = decoder->module;
    uint32_t i, k;
    for (i = 0; i < function->statement_count; i++) {
        const ws_statement *statement = &module->statements[function->first_statement + i];
        for (k = 0; k < statement->item_count; k++) {
            const ws_item *item = &module->items[statement->first_item + k];
            if (item->kind == WS_ITEM_FUNCTION) ws_decode_reach(decoder, item->index);
        }
    }
}

static inline void ws_decode_functions(ws_decoder *decoder, uint32_t kernel) {
    const ws_module *module = decoder->module;
    ws_kernel *program = decoder->program;
    uint32_t i;
    ws_decode_reach(decoder, kernel);
    for (i = 0; i < module->relocation_count; i++) {
        if (module->relocations[i].is_function) ws_decode_reach(decoder, module->relocations[i].symbol);
    }
    for (i = 0; i < program->num_callees; i++) {
        ws_decode_reach_from(decoder, &module->functions[program->callees[i].function]);
    }
    ws_decode_shared(decoder);
    for (i = 0; i < program->num_callees && !decoder->is_lost; i++) {
        decoder->callee = &program->callees[i];
        decoder->function = &module->functions[decoder->callee->function];
        ws_decode_registers(decoder);
        ws_decode_frame(decoder);
        ws_decode_body(decoder);
        program->most_rows += decoder->callee->rows;
        program->most_predicates += decoder->callee->predicates;
        program->most_locals += decoder->callee->locals + WS_RETURN_BYTES;
        if (program->most_locals > WS_MOST_FRAMES)
            ws_decode_refuse(
                decoder, (uint32_t)decoder->function->name.begin,
                "the variables of the kernel's functions take more than 1,073,741,824 bytes with this one");
    }
    program->is_recursive = program->num_callees > 1;
    ws_decode_guesses(decoder);
}

/* What to decode, and how. */
typedef struct ws_chosen {
    uint32_t kernel; /* function of the module */
    int target;      /* row of ws_target: the GPU to emulate */
    int simd;        /* WS_SIMD_AUTO, or a level */
    bool contracts;  /* mul and add that name no rounding become fma, as the assembler makes them */
} ws_chosen;

static inline ws_status ws_kernel_make(const ws_module *module, const ws_chosen *chosen, ws_arena *arena,
                                       ws_kernel *program, ws_refused *refused, ws_error *error) {
    ws_decoder decoder;
    ws_error_clear(error);
    *program = ws_kernel_empty(chosen->target);
    decoder.module = module;
    decoder.program = program;
    decoder.error = error;
    decoder.level = ws_simd_level(chosen->simd);
    decoder.contracts = chosen->contracts;
    refused->count = 0;
    if (!ws_decode_room(&decoder, chosen->kernel, arena))
        return ws_error_set(error, WS_INVALID_ARGUMENT,
                            "ws_kernel_make: the arena is too small; arena->wanted is enough");
    ws_decode_begin(&decoder);
    ws_decode_value(&decoder, 0, 2);
    ws_decode_functions(&decoder, chosen->kernel);
    program->static_shared_bytes = ws_decode_shared_end(&decoder);
    refused->statements = decoder.unsupported;
    refused->count = decoder.unsupported_count;
    if (refused->count > 0)
        return ws_error_set(error, WS_NOT_MODELLED, "the kernel has statements that are not modelled");
    return decoder.is_lost ? WS_SYNTAX : WS_OK;
}

#endif
