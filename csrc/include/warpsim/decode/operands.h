/* The operands of a statement as references: rows and predicates. */
#ifndef WARPSIM_DECODE_OPERANDS_H
#define WARPSIM_DECODE_OPERANDS_H

#include "../number/convert.h"
#include "../run/special.h"
#include "address.h"

static inline bool ws_decode_is_predicate(const ws_decoder *decoder, const ws_item *item) {
    return item->kind == WS_ITEM_REGISTER && ws_decode_register(decoder, item)->type == WS_TYPE_PRED;
}

/* Is it no part of a register, without a sign and without an offset? A ! is no sign. */
static inline bool ws_item_is_whole(const ws_item *item) {
    return item->selector == 0 && !item->is_negative && item->value == 0;
}

/* A predicate as source; 1 and 0 stand for the one that always holds, and its opposite. */
static inline uint32_t ws_decode_predicate(ws_decoder *decoder, const ws_item *item) {
    if (item->kind == WS_ITEM_INTEGER) return item->value != 0 ? 0 : 1;
    if (!ws_decode_is_predicate(decoder, item) || !ws_item_is_whole(item)) {
        ws_decode_refuse(decoder, item->at, "expected a predicate here");
        return 0;
    }
    return ws_decode_row(decoder, item) << 1 | (uint32_t)item->is_inverted;
}

/* A predicate as destination. */
static inline uint32_t ws_decode_predicate_out(ws_decoder *decoder, const ws_item *item) {
    if (item->kind == WS_ITEM_SINK) return WS_NONE;
    if (item->kind != WS_ITEM_REGISTER || item->is_inverted)
        ws_decode_refuse(decoder, item->at, "expected a predicate that can be written here");
    return ws_decode_predicate(decoder, item) & ~UINT32_C(1);
}

static inline uint32_t ws_decode_special(ws_decoder *decoder, const ws_item *item, uint32_t rows) {
    const uint32_t special = ws_special_find(decoder->module->text + item->at, item->length, item->index);
    const ws_special_row *row;
    ws_step *step;
    if (special == WS_SPECIAL_COUNT) {
        if (item->is_negative || item->is_inverted) ws_decode_refuse(decoder, item->at, "a sign does not fit here");
        return ws_decode_value(decoder, 0, 2);
    }
    row = ws_special_at(special);
    if (rows == 2 && row->bits == 32) {
        ws_decode_refuse(decoder, item->at, "this special register has 32 bits, the type of the instruction 64");
    }
    switch (row->who) {
        case WS_KNOWN_OWN:
            return WS_ROW_REF(WS_WARP_ROWS,
                              special == WS_SPECIAL_WARPID ? (int)WS_OWN_WARPID : special - WS_SPECIAL_TID_X);
        case WS_KNOWN_LANE: return ws_decode_constant(decoder, ws_constant_make(WS_CONSTANT_LANE, 0, special, 1));
        case WS_KNOWN_BLOCK: return ws_decode_constant(decoder, ws_constant_make(WS_CONSTANT_SPECIAL, 0, special, 2));
        default: break;
    }
    step = ws_decode_emit(decoder, WS_DO_CLOCK);
    step->guard = 0;
    step->d[0] = ws_decode_temporary(decoder, 2);
    step->count = row->bits / 32;
    step->how = special == WS_SPECIAL_CLOCK_HI || special == WS_SPECIAL_GLOBALTIMER_HI;
    return step->d[0];
}

static inline const ws_function *ws_module_definition(const ws_module *module, uint32_t function) {
    const ws_function *row = &module->functions[function];
    if (row->is_declaration && row->definition != WS_NO_INDEX) row = &module->functions[row->definition];
    return row;
}

/* The bits of a number as a value of a type; those of 0f... are the low ones of an .f64, as ptxas has it. */
static inline uint64_t ws_decode_bits(const ws_item *item, int type) {
    if (item->kind == WS_ITEM_FLOAT64 && type == WS_TYPE_F32)
        return ws_convert(WS_FORMAT_F32, WS_FORMAT_F64, item->value, 0);
    return item->value;
}

/* Floating-point constants are no whole numbers, and of bits they have as many as the type: "Constants" of the PTX ISA, and
 * ptxas. Of whole numbers that are too wide it takes the low bits. */
static inline bool ws_decode_fits(const ws_item *item, int type) {
    const char *word = ws_type_word(type);
    const bool is_float = item->kind == WS_ITEM_FLOAT32 || item->kind == WS_ITEM_FLOAT64,
               is_sized = word[0] != '\0' && word[1] >= '0' && word[1] <= '9';
    if (!is_float || !is_sized || word[0] == 'f') return true;
    return word[0] == 'b' && ws_type_bits(type) == (item->kind == WS_ITEM_FLOAT32 ? 32 : 64);
}

/* Two rows or one that hold a register plus an offset: %r1+4. */
static inline uint32_t ws_decode_sum(ws_decoder *decoder, const ws_item *item) {
    const int type = ws_decode_register(decoder, item)->type;
    const uint32_t rows = ws_rows_of_type(type);
    ws_step *step;
    if (rows > 2 || ws_type_word(type)[0] == 'f') {
        ws_decode_refuse(decoder, item->at, "an offset fits after a register of up to 64 bits that is not a float");
        return ws_decode_row(decoder, item);
    }
    step = ws_decode_emit(decoder, rows == 2 ? WS_DO_OFFSET_64 : WS_DO_ADD_32);
    step->guard = 0;
    step->d[0] = ws_decode_temporary(decoder, rows);
    step->s[0] = ws_decode_row(decoder, item);
    if (rows == 1) step->s[1] = ws_decode_value(decoder, item->value, 1);
    else step->immediate = (int64_t)item->value;
    return step->d[0];
}

/* A source: `rows` rows that hold a value of a type. */
static inline uint32_t ws_decode_source(ws_decoder *decoder, const ws_item *item, int type) {
    const uint32_t rows = ws_rows_of_type(type);
    if (rows > 2 && item->kind != WS_ITEM_REGISTER) {
        ws_decode_refuse(decoder, item->at, "expected a register of 128 bits here");
        return WS_ROW_REF(WS_BLOCK_ROWS, 0);
    }
    if (!ws_decode_fits(item, type))
        ws_decode_refuse(
            decoder, item->at,
            "expected a whole number here; where the type is .b32 or .b64 its bits as 0f... or 0d..., too");
    switch (item->kind) {
        case WS_ITEM_REGISTER:
            if (ws_decode_is_predicate(decoder, item) ||
                ws_rows_of_type(ws_decode_register(decoder, item)->type) < rows) {
                ws_decode_refuse(decoder, item->at, "this register is too narrow for the type of the instruction");
            }
            if (item->selector != 0 || item->is_negative || item->is_inverted) {
                ws_decode_refuse(decoder, item->at, "expected a whole register without a sign here");
            }
            return item->value != 0 ? ws_decode_sum(decoder, item) : ws_decode_row(decoder, item);
        case WS_ITEM_INTEGER:
        case WS_ITEM_FLOAT32:
        case WS_ITEM_FLOAT64: return ws_decode_value(decoder, ws_decode_bits(item, type), rows);
        case WS_ITEM_VARIABLE: return ws_decode_address_of(decoder, item->index, item->value);
        case WS_ITEM_FUNCTION: {
            const ws_function *function = ws_module_definition(decoder->module, item->index);
            return ws_decode_value(decoder, ws_function_address((uint32_t)(function - decoder->module->functions)), 2);
        }
        case WS_ITEM_SPECIAL: return ws_decode_special(decoder, item, rows);
        default: break;
    }
    ws_decode_refuse(decoder, item->at, "expected a register or a number here");
    return WS_ROW_REF(WS_BLOCK_ROWS, 0);
}

/* A destination: a register, or rows that nobody reads. */
static inline uint32_t ws_decode_destination(ws_decoder *decoder, const ws_item *item, int type) {
    const uint32_t rows = ws_rows_of_type(type);
    if (item->kind == WS_ITEM_SINK) return ws_decode_temporary(decoder, rows);
    if (item->kind != WS_ITEM_REGISTER || !ws_item_is_whole(item) || item->is_inverted ||
        ws_decode_is_predicate(decoder, item) || ws_rows_of_type(ws_decode_register(decoder, item)->type) < rows) {
        ws_decode_refuse(decoder, item->at, "expected a register of the type of the instruction here");
        return 0;
    }
    return ws_decode_row(decoder, item);
}

/* A result of up to 32 bits in a register of 64: the high words follow. */
static inline void ws_decode_widen(ws_decoder *decoder, const ws_item *item, int type) {
    ws_step *step;
    if (item->kind != WS_ITEM_REGISTER || ws_rows_of_type(type) != 1) return;
    if (ws_rows_of_type(ws_decode_register(decoder, item)->type) != 2) return;
    step = ws_decode_emit(decoder, ws_type_at(type)->word[0] == 's' ? WS_DO_EXTEND_SIGN : WS_DO_EXTEND_ZERO);
    step->s[0] = ws_decode_row(decoder, item);
    step->d[0] = step->s[0] + 1;
}

/* What cp.async copies: .ca 4, 8 or 16 bytes, .cg 16. */
static inline bool ws_decode_is_copied(const ws_decoder *decoder, const ws_item *item) {
    const bool is_cg = ws_opcode_begins(&decoder->module->opcodes[decoder->statement->opcode], "cp.async.cg");
    const uint64_t n = item->kind == WS_ITEM_INTEGER ? item->value : 0;
    return n == 16 || (!is_cg && (n == 4 || n == 8));
}

#endif
