/* Branches, calls and returns as steps. */
#ifndef WARPSIM_DECODE_CONTROL_H
#define WARPSIM_DECODE_CONTROL_H

#include "move.h"

/* The step that a branch names is known when all statements are decoded: until then, the statement. */
static inline void ws_decode_branch(ws_decoder *decoder, const ws_opcode_form *opcode) {
    const ws_item *label = ws_decode_item(decoder, 0);
    (void)opcode;
    if (decoder->statement->item_count != 1 || label->kind != WS_ITEM_LABEL) {
        ws_decode_refuse(decoder, decoder->statement->at, "bra needs a label of this function");
        return;
    }
    ws_decode_emit(decoder, WS_DO_BRA)->immediate = label->index;
}

WS_ONCE void ws_decode_brx(ws_decoder *decoder, const ws_opcode_form *opcode) {
    const ws_item *index = ws_decode_item(decoder, 0), *list = ws_decode_item(decoder, 1);
    ws_kernel *program = decoder->program;
    ws_step *step;
    uint32_t s, i;
    (void)opcode;
    if (decoder->statement->item_count != 2 || list->kind != WS_ITEM_LIST ||
        decoder->module->lists[list->index].kind != WS_LIST_BRANCHTARGETS) {
        ws_decode_refuse(decoder, decoder->statement->at, "brx.idx needs an index and a list of .branchtargets");
        return;
    }
    if (decoder->table_of[list->index] == WS_NO_INDEX) {
        const ws_list *row = &decoder->module->lists[list->index];
        decoder->table_of[list->index] = program->num_targets;
        program->targets[program->num_targets++] = row->item_count;
        for (i = 0; i < row->item_count; i++) {
            const ws_item *target = &decoder->module->items[row->first_item + i];
            if (target->kind != WS_ITEM_LABEL) ws_decode_refuse(decoder, target->at, "expected a label here");
            program->targets[program->num_targets++] = target->index;
        }
    }
    s = ws_decode_source(decoder, index, WS_TYPE_U32);
    step = ws_decode_emit(decoder, WS_DO_BRX);
    step->s[0] = s;
    step->immediate = decoder->table_of[list->index];
}

/* Who is called: the parameters and results that both sides agree on. */
typedef struct ws_signature {
    uint32_t first_parameter, parameter_count, first_return, return_count;
} ws_signature;

/* One argument from the caller's frame or registers to the callee's frame, or a result the other way; `at`: its offset
 * there, before the .local variables. */
static inline void ws_decode_pass(ws_decoder *decoder, const ws_item *item, const ws_variable *variable, uint32_t at,
                                  bool is_result) {
    const uint32_t there = decoder->callee->locals + WS_RETURN_BYTES + at;
    ws_step *step;
    if (item->kind == WS_ITEM_SINK) return;
    if (item->kind == WS_ITEM_VARIABLE && ws_decode_is_in_frame(decoder, &decoder->module->variables[item->index])) {
        const uint32_t here = ws_decode_offset(decoder, item->index);
        step = ws_decode_emit(decoder, WS_DO_PASS);
        step->list = is_result ? there : here;
        step->immediate = is_result ? here : there;
        step->s[WS_S_PASSED] = (uint32_t)variable->nbytes;
        return;
    }
    {
        const uint32_t reference = is_result ? ws_decode_destination(decoder, item, variable->type)
                                             : ws_decode_source(decoder, item, variable->type);
        ws_step *address = ws_decode_emit(decoder, WS_DO_FRAME_ADDRESS);
        const uint32_t row = address->d[0] = ws_decode_temporary(decoder, 2);
        address->immediate = there;
        address->list = there + (uint32_t)variable->nbytes;
        step = ws_decode_emit(decoder, is_result ? WS_DO_LD : WS_DO_ST);
        step->s[0] = row;
        step->space = WS_AT_LOCAL;
        step->type = variable->type;
        step->count = 1;
        step->list = decoder->program->num_list;
        ws_decode_list(decoder, reference);
    }
}

static inline void ws_decode_pass_all(ws_decoder *decoder, const ws_item *items, const ws_signature *signature,
                                      bool is_result) {
    const uint32_t wanted = is_result ? signature->return_count : signature->parameter_count;
    const uint32_t given = items == NULL ? 0 : items->kind == WS_ITEM_PARENTHESES ? items->part_count : 1;
    const ws_variable *variables = decoder->module->variables;
    uint64_t used = 0; /* parameters, then results, each aligned */
    uint32_t i;
    if (given != wanted) {
        ws_decode_refuse(decoder, decoder->statement->at, "the call does not have as many operands as the function");
        return;
    }
    for (i = 0; i < signature->parameter_count && is_result; i++)
        (void)ws_decode_put(decoder, &variables[signature->first_parameter + i], &used);
    for (i = 0; i < given; i++) {
        const ws_item *item =
            items->kind == WS_ITEM_PARENTHESES ? &decoder->module->items[items->first_part + i] : items;
        const ws_variable *variable =
            &variables[(is_result ? signature->first_return : signature->first_parameter) + i];
        ws_decode_pass(decoder, item, variable, ws_decode_put(decoder, variable, &used), is_result);
    }
}

/* The operands of a call: (results), function, (arguments), prototype. */
typedef struct ws_call_items {
    const ws_item *results, *function, *arguments, *list;
} ws_call_items;

/* The operand at `*next`, if there is one and it has the kind. */
static inline const ws_item *ws_decode_call_item(const ws_decoder *decoder, ws_item_kind kind, uint32_t *next) {
    if (*next >= decoder->statement->item_count || ws_decode_item(decoder, *next)->kind != kind) return NULL;
    return ws_decode_item(decoder, (*next)++);
}

static inline ws_call_items ws_decode_call_items(ws_decoder *decoder) {
    ws_call_items found;
    uint32_t next = 0;
    found.results = ws_decode_call_item(decoder, WS_ITEM_PARENTHESES, &next);
    found.function = ws_decode_call_item(decoder, WS_ITEM_FUNCTION, &next);
    if (found.function == NULL) found.function = ws_decode_call_item(decoder, WS_ITEM_REGISTER, &next);
    found.arguments = ws_decode_call_item(decoder, WS_ITEM_PARENTHESES, &next);
    found.list = ws_decode_call_item(decoder, WS_ITEM_LIST, &next);
    if (found.function == NULL)
        ws_decode_refuse(decoder, decoder->statement->at, "call needs a function, or a register that has its address");
    else if (next < decoder->statement->item_count)
        ws_decode_refuse(decoder, ws_decode_item(decoder, next)->at, "expected a .callprototype or .calltargets here");
    return found;
}

static inline ws_signature ws_signature_of_function(const ws_function *function) {
    const ws_signature signature = {function->first_parameter, function->parameter_count, function->first_return,
                                    function->return_count};
    return signature;
}

/* Of an indirect call: a prototype, or the first function of .calltargets. */
static inline ws_signature ws_signature_of_list(ws_decoder *decoder, const ws_item *item) {
    const ws_list *list = &decoder->module->lists[item->index];
    const ws_item *target = &decoder->module->items[list->first_item];
    ws_signature signature = {list->first_parameter, list->parameter_count, list->first_return, list->return_count};
    if (list->kind == WS_LIST_CALLPROTOTYPE) return signature;
    if (list->kind == WS_LIST_CALLTARGETS && list->item_count > 0 && target->kind == WS_ITEM_FUNCTION)
        return ws_signature_of_function(&decoder->module->functions[target->index]);
    ws_decode_refuse(decoder, item->at, "an indirect call needs a .callprototype or .calltargets");
    return signature;
}

/* The meaning of a function that the driver provides; WS_MEANING_COUNT: not modelled. */
static inline int ws_system_find(const char *name, size_t length) {
    static const struct {
        const char *name;
        int meaning;
    } rows[] = {
        {"vprintf", WS_DO_VPRINTF}, {"malloc", WS_DO_MALLOC}, {"free", WS_DO_FREE}, {"__assertfail", WS_DO_ASSERTFAIL}};
    size_t i;
    for (i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (ws_bytes_equal(name, length, rows[i].name)) return rows[i].meaning;
    }
    return WS_MEANING_COUNT;
}

static inline void ws_decode_call_step(ws_decoder *decoder, const ws_call_items *items, uint32_t address) {
    const ws_function *function = items->function->kind == WS_ITEM_FUNCTION
                                      ? ws_module_definition(decoder->module, items->function->index)
                                      : NULL;
    const uint32_t caller = (uint32_t)(decoder->callee - decoder->program->callees);
    ws_step *step;
    if (function != NULL && function->is_declaration) {
        const char *name = decoder->module->text + function->name.begin;
        const int meaning = ws_system_find(name, function->name.end - function->name.begin);
        if (meaning == WS_MEANING_COUNT) {
            ws_decode_unsupported(decoder);
            return;
        }
        step = ws_decode_emit(decoder, meaning);
        step->immediate = decoder->callee->locals + WS_RETURN_BYTES;
        decoder->program->num_system_calls++;
    } else if (function != NULL) {
        step = ws_decode_emit(decoder, WS_DO_CALL);
        step->immediate = decoder->callee_of[function - decoder->module->functions];
    } else {
        step = ws_decode_emit(decoder, WS_DO_CALL_INDIRECT);
        step->s[WS_S_TARGET] = address;
    }
    step->s[WS_S_CALLER] = caller;
}

WS_ONCE void ws_decode_call(ws_decoder *decoder, const ws_opcode_form *opcode) {
    const ws_call_items items = ws_decode_call_items(decoder);
    ws_signature signature = {0, 0, 0, 0};
    uint32_t address = WS_NONE;
    (void)opcode;
    if (decoder->is_lost) return;
    if (items.function->kind == WS_ITEM_FUNCTION) {
        signature = ws_signature_of_function(ws_module_definition(decoder->module, items.function->index));
        if (items.list != NULL) ws_decode_refuse(decoder, items.list->at, "only an indirect call takes a prototype");
    } else if (items.list != NULL) {
        signature = ws_signature_of_list(decoder, items.list);
        address = ws_decode_source(decoder, items.function, WS_TYPE_B64);
    } else {
        ws_decode_refuse(decoder, items.function->at, "an indirect call needs a .callprototype or .calltargets");
    }
    if (decoder->is_lost) return;
    ws_decode_pass_all(decoder, items.arguments, &signature, false);
    ws_decode_call_step(decoder, &items, address);
    ws_decode_pass_all(decoder, items.results, &signature, true);
}

/* Parameters and results that are registers come from the frame and go there. */
static inline void ws_decode_registers_passed(ws_decoder *decoder, bool is_result) {
    const ws_function *function = decoder->function;
    const uint32_t first = is_result ? function->first_return : function->first_parameter;
    const uint32_t count = is_result ? function->return_count : function->parameter_count;
    uint32_t i;
    for (i = 0; i < count; i++) {
        const ws_variable *variable = &decoder->module->variables[first + i];
        ws_step *step;
        uint32_t row;
        if (variable->reg == WS_NO_INDEX) continue;
        step = ws_decode_emit(decoder, WS_DO_FRAME_ADDRESS);
        row = step->d[0] = ws_decode_temporary(decoder, 2);
        step->immediate = decoder->offset_of[first + i];
        step = ws_decode_emit(decoder, is_result ? WS_DO_ST : WS_DO_LD);
        step->s[0] = row;
        step->space = WS_AT_LOCAL;
        step->type = variable->type;
        step->count = 1;
        step->list = decoder->program->num_list;
        ws_decode_list(decoder, decoder->row_of[function->first_register + variable->reg]);
    }
}

static inline void ws_decode_ret(ws_decoder *decoder, const ws_opcode_form *opcode) {
    if (opcode != NULL && opcode->form->meaning == WS_DECODE_RET && decoder->statement->item_count != 0)
        ws_decode_refuse(decoder, decoder->statement->at, "ret has no operand");
    if (!decoder->function->is_entry) ws_decode_registers_passed(decoder, true);
    ws_decode_emit(decoder, WS_DO_RET);
}

#endif
