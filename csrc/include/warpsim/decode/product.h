/* Products as steps: their forms are those of the room mma. */
#ifndef WARPSIM_DECODE_PRODUCT_H
#define WARPSIM_DECODE_PRODUCT_H

#include "../isa/targets.h"
#include "../mma/parse.h"
#include "matrix.h"

/* The plan of a product: one for each opcode and selector. WS_NO_INDEX: not modelled for this target. */
static inline uint32_t ws_decode_plan(ws_decoder *decoder, const ws_mma *mma, int selector) {
    ws_kernel *program = decoder->program;
    const int sm = program->target == WS_NO_TARGET ? 90 : ws_target(program->target)->number;
    uint32_t i;
    ws_error error;
    for (i = 0; i < program->num_plans; i++) {
        if (program->plan_opcode[i] == decoder->statement->opcode && program->plans[i].selector == selector) return i;
    }
    if (i == program->plan_capacity ||
        ws_mma_plan_make(mma, sm, selector, decoder->level, &program->plans[i], &error) != WS_OK) {
        return WS_NO_INDEX;
    }
    program->plan_opcode[i] = decoder->statement->opcode;
    return program->num_plans++;
}

/* False: the statement is not a product, or one that is not modelled. */
static inline bool ws_decode_product(ws_decoder *decoder) {
    const ws_statement *statement = decoder->statement;
    const ws_opcode *opcode = &decoder->module->opcodes[statement->opcode];
    const uint32_t items = statement->item_count;
    ws_step *step;
    ws_mma mma;
    ws_error error;
    int selector = 0, operand;
    uint32_t plan, first, metadata = WS_NONE;
    if (ws_mma_parse(opcode->text, opcode->length, &mma, &error) != WS_OK || items < 4) return false;
    if (ws_mma_is_sparse(&mma)) {
        if (items < 5) return false;
        if (items > 5) selector = (int)ws_decode_item(decoder, 5)->value;
        metadata = ws_decode_source(decoder, ws_decode_item(decoder, 4), WS_TYPE_B32);
    }
    plan = ws_decode_plan(decoder, &mma, selector);
    if (plan == WS_NO_INDEX) return false;
    first = decoder->program->num_list;
    step = ws_decode_emit(decoder, WS_DO_PRODUCT);
    for (operand = 0; operand < 4; operand++) {
        static const int order[4] = {WS_OPERAND_A, WS_OPERAND_B, WS_OPERAND_C, WS_OPERAND_D};
        const uint32_t item = (uint32_t)(operand + 1) % 4; /* d comes first in the text */
        ws_decode_fragment(decoder, step, ws_decode_item(decoder, item),
                           (uint32_t)ws_mma_registers(&mma, order[operand]));
    }
    step->list = first;
    step->s[0] = metadata;
    step->s[4] = plan;
    decoder->program->num_inexact += !ws_mma_plan_is_measured(&decoder->program->plans[plan]);
    return true;
}

#endif
