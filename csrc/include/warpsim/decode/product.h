/* Products as steps: their forms are those of the rooms mma and wgmma. */
#ifndef WARPSIM_DECODE_PRODUCT_H
#define WARPSIM_DECODE_PRODUCT_H

#include "../isa/targets.h"
#include "../wgmma/parse.h"
#include "matrix.h"

/* The generation that a kernel runs on: 90 of sm_90a. */
static inline int ws_decode_generation(const ws_decoder *decoder) {
    const int target = decoder->program->target;
    return target == WS_NO_TARGET ? 90 : ws_target(target)->number;
}

/* The plan of a product, `mma` or `wgmma`: one for each opcode and selector. WS_NO_INDEX: not modelled for this target. */
static inline uint32_t ws_decode_plan(ws_decoder *decoder, const ws_mma *mma, const ws_wgmma *wgmma, int selector) {
    ws_kernel *program = decoder->program;
    ws_status status;
    uint32_t i;
    ws_error error;
    for (i = 0; i < program->num_plans; i++) {
        if (program->plan_opcode[i] == decoder->statement->opcode && program->plans[i].selector == selector) return i;
    }
    if (i == program->plan_capacity) return WS_NO_INDEX;
    status = wgmma != NULL ? ws_wgmma_plan_make(wgmma, selector, decoder->level, &program->plans[i], &error)
                           : ws_mma_plan_make(mma, ws_decode_generation(decoder), selector, decoder->level,
                                              &program->plans[i], &error);
    if (status != WS_OK) return WS_NO_INDEX;
    program->plan_opcode[i] = decoder->statement->opcode;
    return program->num_plans++;
}

/* An immediate operand that has one of two values. */
static inline int64_t ws_decode_choice(ws_decoder *decoder, uint32_t item, int64_t low, int64_t high) {
    const ws_item *number = ws_decode_item(decoder, item);
    const int64_t value = (int64_t)number->value;
    if (number->kind == WS_ITEM_INTEGER && (value == low || value == high)) return value;
    ws_decode_refuse(decoder, number->at, low == 0 ? "expected 0 or 1 here" : "expected 1 or -1 here");
    return high;
}

/* The immediate operand that says which threads have the metadata. */
static inline int ws_decode_selector(ws_decoder *decoder, uint32_t item) {
    const ws_item *number = ws_decode_item(decoder, item);
    if (number->kind == WS_ITEM_INTEGER && number->value <= 3) return (int)number->value;
    ws_decode_refuse(decoder, number->at, "expected 0 to 3 here");
    return 0;
}

/* How many operands a warpgroup's product has. */
static inline uint32_t ws_decode_wgmma_items(const ws_wgmma *wgmma, bool shares_a) {
    const ws_wgmma_form *form = ws_wgmma_form_at(wgmma->form);
    const uint32_t majors = !form->has_majors ? 0u : shares_a ? 2u : 1u;
    return 4 + (wgmma->is_sparse ? 2u : 0u) + (form->has_scales ? 2u : 0u) + majors;
}

/* The immediate operands of a warpgroup's product, from `item` on: signs, what is contiguous. */
static inline uint32_t ws_decode_wgmma_how(ws_decoder *decoder, const ws_wgmma *wgmma, bool shares_a, uint32_t item) {
    const ws_wgmma_form *form = ws_wgmma_form_at(wgmma->form);
    uint32_t how = shares_a ? (uint32_t)WS_WGMMA_SHARES_A : 0;
    if (form->has_scales) {
        const int64_t a = ws_decode_choice(decoder, item++, -1, 1), b = ws_decode_choice(decoder, item++, -1, 1);
        if (a != b) how |= WS_WGMMA_NEGATES;
    }
    if (form->has_majors && shares_a && ws_decode_choice(decoder, item++, 0, 1) != 0) how |= WS_WGMMA_LINE_A;
    if (form->has_majors && ws_decode_choice(decoder, item, 0, 1) != 0) how |= WS_WGMMA_LINE_B;
    return how;
}

/* False: the statement is no product of a warpgroup, or not one that is modelled. */
WS_ONCE bool ws_decode_wgmma(ws_decoder *decoder) {
    const ws_opcode *opcode = &decoder->module->opcodes[decoder->statement->opcode];
    uint32_t source[WS_STEP_SOURCES], next = 3, i;
    const ws_item *a;
    ws_step *step;
    ws_wgmma wgmma;
    int selector = 0;
    bool shares_a;
    if (!ws_wgmma_parse(opcode->text, opcode->length, &wgmma) || decoder->statement->item_count < 4 ||
        ws_decode_generation(decoder) != WS_WGMMA_SM)
        return false;
    a = ws_decode_item(decoder, 1);
    shares_a = a->kind != WS_ITEM_VECTOR;
    if (decoder->statement->item_count != ws_decode_wgmma_items(&wgmma, shares_a)) {
        ws_decode_refuse(decoder, decoder->statement->at, "expected as many operands as this product has");
        return true;
    }
    source[0] = shares_a ? ws_decode_source(decoder, a, WS_TYPE_B64) : WS_NONE;
    source[1] = ws_decode_source(decoder, ws_decode_item(decoder, 2), WS_TYPE_B64);
    source[3] = wgmma.is_sparse ? ws_decode_source(decoder, ws_decode_item(decoder, next++), WS_TYPE_B32) : WS_NONE;
    if (wgmma.is_sparse) selector = ws_decode_selector(decoder, next++);
    source[2] = ws_decode_predicate(decoder, ws_decode_item(decoder, next++));
    source[4] = ws_decode_plan(decoder, NULL, &wgmma, selector);
    if (source[4] == WS_NO_INDEX) return false;
    step = ws_decode_emit(decoder, WS_DO_WGMMA);
    for (i = 0; i < WS_STEP_SOURCES; i++) step->s[i] = source[i];
    step->list = decoder->program->num_list;
    ws_decode_fragment(decoder, step, ws_decode_item(decoder, 0), (uint32_t)ws_wgmma_registers(&wgmma), WS_TYPE_B32,
                       true);
    if (!shares_a) ws_decode_fragment(decoder, step, a, WS_WGMMA_A_REGISTERS, WS_TYPE_B32, false);
    step->count = (uint8_t)ws_wgmma_registers(&wgmma);
    step->immediate = wgmma.n;
    step->how = ws_decode_wgmma_how(decoder, &wgmma, shares_a, next);
    return true;
}

/* The factors of A and B, from `item` on: the row of the words, of the byte-id and of the thread-id of each. */
static inline void ws_decode_scales(ws_decoder *decoder, uint32_t item) {
    uint32_t i;
    for (i = 0; i < 2; i++, item += 2) {
        const ws_item *word = ws_decode_item(decoder, item), *id = ws_decode_item(decoder, item + 1);
        if (word->kind == WS_ITEM_VECTOR) word = &decoder->module->items[word->first_part];
        if (id->kind != WS_ITEM_VECTOR || id->part_count != 2) {
            ws_decode_refuse(decoder, id->at, "expected {byte-id, thread-id} here");
            return;
        }
        ws_decode_list(decoder, ws_decode_source(decoder, word, WS_TYPE_B32));
        ws_decode_list(decoder, ws_decode_source(decoder, &decoder->module->items[id->first_part], WS_TYPE_U16));
        ws_decode_list(decoder, ws_decode_source(decoder, &decoder->module->items[id->first_part + 1], WS_TYPE_U16));
    }
}

/* False: the statement is not a product, or one that is not modelled. */
WS_ONCE bool ws_decode_product(ws_decoder *decoder) {
    const ws_statement *statement = decoder->statement;
    const ws_opcode *opcode = &decoder->module->opcodes[statement->opcode];
    const uint32_t items = statement->item_count;
    ws_step *step;
    ws_mma mma;
    ws_error error;
    int selector = 0, operand;
    uint32_t plan, first, scales, metadata = WS_NONE;
    if (ws_mma_parse(opcode->text, opcode->length, &mma, &error) != WS_OK || items < 4) return false;
    scales = 4 + (ws_mma_is_sparse(&mma) ? 2u : 0u);
    if (items != scales + (mma.scale_vec != 0 ? 4u : 0u)) {
        ws_decode_refuse(decoder, statement->at, "expected as many operands as this product has");
        return true;
    }
    if (ws_mma_is_sparse(&mma)) {
        selector = ws_decode_selector(decoder, 5);
        metadata = ws_decode_source(decoder, ws_decode_item(decoder, 4), WS_TYPE_B32);
    }
    plan = ws_decode_plan(decoder, &mma, NULL, selector);
    if (plan == WS_NO_INDEX) return false;
    first = decoder->program->num_list;
    step = ws_decode_emit(decoder, WS_DO_PRODUCT);
    for (operand = 0; operand < 4; operand++) {
        static const int order[4] = {WS_OPERAND_A, WS_OPERAND_B, WS_OPERAND_C, WS_OPERAND_D};
        const uint32_t item = (uint32_t)(operand + 1) % 4; /* d comes first in the text */
        ws_decode_fragment(decoder, step, ws_decode_item(decoder, item),
                           (uint32_t)ws_mma_registers(&mma, order[operand]),
                           mma.d == WS_TYPE_F64 ? WS_TYPE_B64 : WS_TYPE_B32, order[operand] == WS_OPERAND_D);
    }
    if (mma.scale_vec != 0) ws_decode_scales(decoder, scales);
    step->list = first;
    step->s[WS_S_METADATA] = metadata;
    step->s[WS_S_PLAN] = plan;
    decoder->program->num_inexact += !ws_mma_plan_is_measured(&decoder->program->plans[plan]);
    return true;
}

#endif
