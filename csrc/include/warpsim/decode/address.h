/* Where variables lie, and the operands that are addresses. */
#ifndef WARPSIM_DECODE_ADDRESS_H
#define WARPSIM_DECODE_ADDRESS_H

#include "decoder.h"

/* Where a variable of a frame or of shared memory lies. */
static inline uint32_t ws_decode_offset(const ws_decoder *decoder, uint32_t variable) {
    return decoder->offset_of[variable];
}

/* Is it the array whose size the launch gives? */
static inline bool ws_variable_is_dynamic(const ws_variable *variable) {
    return variable->space == WS_NAME_SHARED && variable->linkage == WS_LINKAGE_EXTERN;
}

static inline bool ws_decode_is_in_frame(const ws_decoder *decoder, const ws_variable *variable) {
    return variable->space == WS_NAME_LOCAL ||
           (variable->space == WS_NAME_PARAM && !(decoder->function->is_entry && variable->is_parameter));
}

/* The state space of a variable's address. */
static inline uint8_t ws_decode_space_of(const ws_decoder *decoder, const ws_variable *variable) {
    if (ws_decode_is_in_frame(decoder, variable)) return WS_AT_LOCAL;
    switch (variable->space) {
        case WS_NAME_SHARED: return WS_AT_SHARED;
        case WS_NAME_PARAM: return WS_AT_PARAM;
        case WS_NAME_CONST: return WS_AT_CONST;
        default: return WS_AT_GLOBAL;
    }
}

/* The state space that an opcode names after `skipped` others; WS_AT_GENERIC: none. */
static inline uint8_t ws_decode_space_after(const ws_opcode *opcode, uint32_t skipped) {
    static const struct {
        const char *word;
        uint8_t space;
    } rows[] = {{".shared::cluster", WS_AT_CLUSTER},
                {".shared", WS_AT_SHARED},
                {".global", WS_AT_GLOBAL},
                {".local", WS_AT_LOCAL},
                {".const", WS_AT_CONST},
                {".param", WS_AT_PARAM}};
    size_t i;
    uint32_t at;
    for (at = 0; at < opcode->length; at++) {
        for (i = 0; i < sizeof rows / sizeof rows[0]; i++) {
            const size_t after = ws_ptx_take(opcode->text, at, opcode->length, rows[i].word);
            const bool is_field = after < opcode->length && opcode->text[after] == '_'; /* .global_dim */
            if (after == at || is_field) continue;
            if (skipped-- == 0) return rows[i].space;
            break;
        }
    }
    return WS_AT_GENERIC;
}

static inline uint8_t ws_decode_space(const ws_opcode *opcode) { return ws_decode_space_after(opcode, 0); }

/* The state space of an access's opcode. In a function parameters are its own, which lie in its frame, unless .param::entry
 * says other. */
static inline uint8_t ws_decode_space_here(const ws_decoder *decoder, const ws_item *address) {
    const ws_opcode *opcode = &decoder->module->opcodes[decoder->statement->opcode];
    const uint8_t named = ws_decode_space(opcode);
    if (named != WS_AT_PARAM || address->base_kind != WS_ITEM_REGISTER) return named;
    if (decoder->function->is_entry ? ws_opcode_has(opcode, ".param::func") : !ws_opcode_has(opcode, ".param::entry"))
        return WS_AT_LOCAL;
    return named;
}

/* Two rows that hold the address of a variable, plus an addend. */
static inline uint32_t ws_decode_address_of(ws_decoder *decoder, uint32_t index, uint64_t addend) {
    const ws_variable *variable = &decoder->module->variables[index];
    if (ws_decode_is_in_frame(decoder, variable)) {
        ws_step *step = ws_decode_emit(decoder, WS_DO_FRAME_ADDRESS);
        step->guard = 0;
        step->d[0] = ws_decode_temporary(decoder, 2);
        step->immediate = (int64_t)(ws_decode_offset(decoder, index) + addend);
        return step->d[0];
    }
    if (variable->space == WS_NAME_SHARED && !ws_variable_is_dynamic(variable)) {
        return ws_decode_constant(
            decoder,
            ws_constant_make(WS_CONSTANT_SHARED, ws_decode_offset(decoder, index) + addend, WS_NO_VARIABLE, 2));
    }
    return ws_decode_constant(
        decoder, ws_constant_make(variable->space == WS_NAME_SHARED ? WS_CONSTANT_SHARED : WS_CONSTANT_GLOBAL, addend,
                                  index, 2));
}

/* [base + offset]: a row for source `at` of the step that is emitted next, its offset, its space if the text has none. */
typedef struct ws_decoded_address {
    uint32_t row;
    int64_t offset;
    uint8_t space;  /* of a variable; else WS_AT_GENERIC */
    bool is_narrow; /* a register of 32 bits */
} ws_decoded_address;

/* Of an address, [base + offset] alone fits. */
static inline void ws_decode_single(ws_decoder *decoder, const ws_item *address) {
    if (address->part_count == 0) return;
    ws_decode_refuse(decoder, decoder->module->items[address->first_part].at,
                     "expected no further part of the address");
}

static inline ws_decoded_address ws_decode_address(ws_decoder *decoder, const ws_item *item) {
    ws_decoded_address address = {WS_ROW_REF(WS_BLOCK_ROWS, 0), 0, WS_AT_GENERIC, false};
    if (item->kind != WS_ITEM_ADDRESS) {
        ws_decode_refuse(decoder, item->at, "expected an address in brackets here");
        return address;
    }
    ws_decode_single(decoder, item);
    address.offset = (int64_t)item->value;
    if (item->base_kind == WS_ITEM_VARIABLE) {
        address.row = ws_decode_address_of(decoder, item->index, 0);
        address.space = ws_decode_space_of(decoder, &decoder->module->variables[item->index]);
    } else if (item->base_kind == WS_ITEM_REGISTER) {
        if (item->selector != 0) ws_decode_refuse(decoder, item->at, "expected a whole register as address");
        address.row = ws_decode_row(decoder, item);
        address.is_narrow = ws_rows_of_type(ws_decode_register(decoder, item)->type) == 1;
    } else {
        address.row = ws_decode_value(decoder, 0, 2);
    }
    return address;
}

#endif
