/* Matrix instructions as steps: their forms are those of the core's own tables, not rows here. */
#ifndef WARPSIM_DECODE_MATRIX_H
#define WARPSIM_DECODE_MATRIX_H

#include "../ptx/parse.h"
#include "../ptx/tokens.h"
#include "move.h"

/* The length of a statement with operands in the text, with its semicolon: it follows the last one. */
static inline size_t ws_decode_statement_length(const ws_decoder *decoder) {
    const ws_module *module = decoder->module;
    const ws_item *last = ws_decode_item(decoder, decoder->statement->item_count - 1);
    size_t end = last->at + last->length, unended = 0;
    ws_span token;
    do {
        token = ws_ptx_token(module->text, module->length, end, &unended);
        end = token.end;
    } while (token.end > token.begin && module->text[token.begin] != ';');
    return end - decoder->statement->at;
}

/* All words of a fragment, in registers of a type: those of 64 bits give two references. */
static inline void ws_decode_fragment(ws_decoder *decoder, ws_step *step, const ws_item *item, uint32_t words, int type,
                                      bool is_written) {
    const ws_item *part = item->kind == WS_ITEM_VECTOR ? &decoder->module->items[item->first_part] : item;
    const uint32_t count = item->kind == WS_ITEM_VECTOR ? item->part_count : 1;
    const uint32_t rows = ws_rows_of_type(type);
    uint32_t i, k;
    step->count = (uint8_t)words;
    if (count * rows != words) {
        ws_decode_refuse(decoder, item->at, "expected as many registers as the fragment has");
        return;
    }
    for (i = 0; i < count; i++) {
        if (part[i].kind == WS_ITEM_REGISTER && !ws_decode_is_predicate(decoder, &part[i]) &&
            ws_rows_of_type(ws_decode_register(decoder, &part[i])->type) != rows)
            ws_decode_refuse(decoder, part[i].at, "expected registers as wide as those of the fragment");
        const uint32_t reference =
            is_written ? ws_decode_destination(decoder, &part[i], type) : ws_decode_source(decoder, &part[i], type);
        for (k = 0; k < rows; k++) ws_decode_list(decoder, reference + k);
    }
}

static inline bool ws_decode_is_matrix(int kind) {
    return kind == WS_LDMATRIX || kind == WS_STMATRIX || kind == WS_MOVMATRIX || kind == WS_WMMA_LOAD ||
           kind == WS_WMMA_STORE;
}

static inline int ws_decode_matrix_space(const ws_op *op) {
    if (ws_op_is_shared(op)) return WS_AT_SHARED;
    return op->space == WS_SPACE_GLOBAL ? WS_AT_GLOBAL : WS_AT_GENERIC;
}

/* False: the statement is none of them. */
WS_ONCE bool ws_decode_matrix(ws_decoder *decoder) {
    const ws_statement *statement = decoder->statement;
    const uint32_t items = statement->item_count;
    const ws_item *data, *address = NULL, *stride = NULL;
    ws_decoded_address place = {0, 0, WS_AT_SHARED, false};
    uint32_t stride_row = WS_NONE;
    ws_step *step;
    ws_error error;
    ws_op op;
    if (items < 2 ||
        ws_parse_text(decoder->module->text + statement->at, ws_decode_statement_length(decoder), &op, &error) !=
            WS_OK ||
        !ws_decode_is_matrix(op.kind)) {
        return false;
    }
    data = ws_decode_item(decoder, ws_op_is_load(&op) || op.kind == WS_MOVMATRIX ? 0 : 1);
    if (op.kind != WS_MOVMATRIX) address = ws_decode_item(decoder, ws_op_is_load(&op) ? 1 : 0);
    if (items > 2) stride = ws_decode_item(decoder, 2);
    if (address != NULL) place = ws_decode_address(decoder, address);
    if (stride != NULL) stride_row = ws_decode_source(decoder, stride, WS_TYPE_U32);
    if (op.kind == WS_MOVMATRIX) {
        const uint32_t from = ws_decode_source(decoder, ws_decode_item(decoder, 1), WS_TYPE_B32);
        const uint32_t to = ws_decode_destination(decoder, data, WS_TYPE_B32);
        step = ws_decode_row_step(decoder, WS_DO_MATRIX_MOVE, to, from);
    } else {
        step = ws_decode_emit(decoder, WS_DO_MATRIX);
        step->list = decoder->program->num_list;
        ws_decode_fragment(decoder, step, data, (uint32_t)(ws_op_num_registers(&op) * ws_op_register_bits(&op) / 32),
                           ws_op_register_bits(&op) == 64 ? WS_TYPE_B64 : WS_TYPE_B32, ws_op_is_load(&op));
    }
    if (op.kind != WS_MOVMATRIX) step->s[WS_S_ADDRESS] = place.row;
    step->s[WS_S_STRIDE] = stride_row;
    step->s[WS_S_INSTRUCTION] = decoder->program->num_ops;
    step->immediate = place.offset;
    step->space = (uint8_t)ws_decode_matrix_space(&op);
    if (decoder->program->num_ops == decoder->op_capacity) {
        ws_decode_refuse(decoder, statement->at, "this kernel has too many matrix instructions");
        return true;
    }
    decoder->program->ops[decoder->program->num_ops++] = op;
    return true;
}

#endif
