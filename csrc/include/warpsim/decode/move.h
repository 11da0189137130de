/* mov, cvta, isspacep, ld and st as steps. */
#ifndef WARPSIM_DECODE_MOVE_H
#define WARPSIM_DECODE_MOVE_H

#include "form.h"

static inline ws_step *ws_decode_row_step(ws_decoder *decoder, int meaning, uint32_t d, uint32_t a) {
    ws_step *step = ws_decode_emit(decoder, meaning);
    step->d[0] = d;
    step->s[0] = a;
    return step;
}

/* One, two or four elements of at least a byte, which ptxas takes where the type is one of bits. */
static inline bool ws_decode_has_parts(ws_decoder *decoder, const ws_item *vector, int type) {
    const uint32_t count = vector->part_count;
    if ((count == 1 || count == 2 || count == 4) && (uint32_t)ws_type_bits(type) / count >= 8 &&
        ws_type_word(type)[0] == 'b')
        return true;
    ws_decode_refuse(decoder, vector->at,
                     "expected one, two or four elements of at least 8 bits, and a type such as .b32");
    return false;
}

static inline int ws_decode_part_type(int bits) {
    return bits == 128  ? WS_TYPE_B128
           : bits == 64 ? WS_TYPE_B64
           : bits == 32 ? WS_TYPE_B32
           : bits == 16 ? WS_TYPE_B16
                        : WS_TYPE_B8;
}

/* d = {a, b, ...}. */
static inline void ws_decode_pack(ws_decoder *decoder, const ws_item *to, const ws_item *from, int type) {
    const ws_item *part = &decoder->module->items[from->first_part];
    const uint32_t count = from->part_count;
    const int bits = ws_type_bits(type) / (int)count, part_type = ws_decode_part_type(bits);
    const uint32_t d = ws_decode_destination(decoder, to, type);
    uint32_t i, half[2];
    if (count == 1 && bits == 16)
        ws_decode_row_step(decoder, WS_DO_MOV_32, d, ws_decode_source(decoder, part, part_type));
    if (bits >= 32) {
        for (i = 0; i < count; i++) {
            ws_decode_row_step(decoder, bits == 64 ? WS_DO_MOV_64 : WS_DO_MOV_32, d + i * (uint32_t)bits / 32,
                               ws_decode_source(decoder, &part[i], part_type));
        }
        return;
    }
    for (i = 0; i + 1 < count; i += 2) { /* pairs, and pairs of pairs of bytes */
        const uint32_t a = ws_decode_source(decoder, &part[i], part_type);
        const uint32_t b = ws_decode_source(decoder, &part[i + 1], part_type);
        const bool is_last = bits == 16 || count == 2;
        const uint32_t into = is_last ? d + i / 2 : ws_decode_temporary(decoder, 1);
        ws_decode_row_step(decoder, bits == 16 ? WS_DO_PAIR_16 : WS_DO_PAIR_8, into, a)->s[1] = b;
        half[i / 2 & 1] = into;
        if (!is_last && i == 2) ws_decode_row_step(decoder, WS_DO_PAIR_16, d, half[0])->s[1] = half[1];
    }
}

/* {a, b, ...} = s. */
static inline void ws_decode_unpack(ws_decoder *decoder, const ws_item *to, const ws_item *from, int type) {
    const ws_item *part = &decoder->module->items[to->first_part];
    const uint32_t count = to->part_count, s = ws_decode_source(decoder, from, type);
    const int bits = ws_type_bits(type) / (int)count, part_type = ws_decode_part_type(bits);
    uint32_t i;
    for (i = 0; i < count; i++) {
        const uint32_t first = i * (uint32_t)bits;
        ws_step *step;
        if (part[i].kind == WS_ITEM_SINK) continue;
        step = ws_decode_row_step(decoder,
                                  bits == 64   ? WS_DO_MOV_64
                                  : bits == 32 ? WS_DO_MOV_32
                                  : bits == 16 ? WS_DO_PART_16
                                               : WS_DO_PART_8,
                                  ws_decode_destination(decoder, &part[i], part_type), s + first / 32);
        step->immediate = first % 32;
    }
}

WS_ONCE void ws_decode_mov(ws_decoder *decoder, const ws_opcode_form *opcode) {
    const ws_item *to = ws_decode_item(decoder, 0), *from = ws_decode_item(decoder, 1);
    const int type = opcode->match.type[0];
    const uint32_t rows = ws_rows_of_type(type);
    uint32_t d, s, i;
    if (decoder->statement->item_count != 2) {
        ws_decode_refuse(decoder, decoder->statement->at, "mov has two operands");
        return;
    }
    if (type == WS_TYPE_PRED && from->kind == WS_ITEM_SPECIAL &&
        ws_bytes_equal(decoder->module->text + from->at, from->length, "%is_explicit_cluster")) {
        ws_decode_row_step(decoder, WS_DO_IS_CLUSTER, ws_decode_predicate_out(decoder, to), WS_NONE);
        return;
    }
    if (type == WS_TYPE_PRED) {
        const uint32_t p = ws_decode_predicate_out(decoder, to), q = ws_decode_predicate(decoder, from);
        ws_decode_row_step(decoder, WS_DO_MOV_PRED, p, q);
        return;
    }
    if (to->kind == WS_ITEM_VECTOR || from->kind == WS_ITEM_VECTOR) {
        const bool is_packed = from->kind == WS_ITEM_VECTOR;
        if (!ws_decode_has_parts(decoder, is_packed ? from : to, type)) return;
        if (is_packed) ws_decode_pack(decoder, to, from, type);
        else ws_decode_unpack(decoder, to, from, type);
        return;
    }
    s = ws_decode_source(decoder, from, type);
    d = ws_decode_destination(decoder, to, type);
    for (i = 0; i + 2 <= rows; i += 2) ws_decode_row_step(decoder, WS_DO_MOV_64, d + i, s + i);
    if (rows == 1) {
        ws_decode_row_step(decoder, WS_DO_MOV_32, d, s);
        ws_decode_widen(decoder, to, type);
    }
}

/* Where the window of constants or of parameters begins; 0 for other spaces. */
static inline uint64_t ws_decode_window_of(uint8_t space) {
    return space == WS_AT_CONST ? WS_FIRST_GLOBAL : space == WS_AT_PARAM ? WS_FIRST_PARAMETER : 0;
}

static inline void ws_decode_cvta(ws_decoder *decoder, const ws_opcode_form *opcode) {
    const ws_opcode *text = &decoder->module->opcodes[decoder->statement->opcode];
    const uint8_t space = ws_decode_space(text);
    const uint64_t window = space == WS_AT_SHARED || space == WS_AT_CLUSTER ? WS_SHARED_WINDOW
                            : space == WS_AT_LOCAL                          ? WS_LOCAL_WINDOW
                                                                            : 0;
    const bool is_back = ws_ptx_take(text->text, 0, text->length, "cvta.to") > 0;
    ws_decoding decoding = ws_decode_operands(decoder, opcode);
    if (ws_rows_of_type(opcode->match.type[0]) == 1) { /* as ptxas does */
        ws_decode_refuse(decoder, decoder->statement->at,
                         "an address of 32 bits in a program of 64-bit ones: use .u64");
        return;
    }
    if (ws_decode_window_of(space) != 0 && !is_back) { /* of an offset in the window, or of a whole address */
        decoding.s[1] = ws_decode_value(decoder, ws_decode_window_of(space), 2);
        ws_decode_step(decoder, opcode, WS_DO_OR_64, &decoding);
        return;
    }
    ws_decode_step(decoder, opcode, WS_DO_OFFSET_64, &decoding)->immediate = (int64_t)(is_back ? 0 - window : window);
}

static inline void ws_decode_isspacep(ws_decoder *decoder, const ws_opcode_form *opcode) {
    uint32_t d, s;
    if (decoder->statement->item_count != 2) {
        ws_decode_refuse(decoder, decoder->statement->at, "isspacep has two operands");
        return;
    }
    d = ws_decode_predicate_out(decoder, ws_decode_item(decoder, 0));
    s = ws_decode_source(decoder, ws_decode_item(decoder, 1), WS_TYPE_B64);
    ws_decode_row_step(decoder, WS_DO_ISSPACEP, d, s)->space =
        ws_decode_space(&decoder->module->opcodes[decoder->statement->opcode]);
    (void)opcode;
}

static inline bool ws_decode_is_beyond(const ws_variable *variable, const ws_item *from, uint64_t nbytes) {
    return from->value > variable->nbytes || nbytes > variable->nbytes - from->value;
}

/* A parameter of the kernel: its values are constants of the launch. */
WS_ONCE void ws_decode_load_parameter(ws_decoder *decoder, const ws_item *to, const ws_item *from, int type) {
    const ws_item *part = to->kind == WS_ITEM_VECTOR ? &decoder->module->items[to->first_part] : to;
    const uint32_t count = to->kind == WS_ITEM_VECTOR ? to->part_count : 1, rows = ws_rows_of_type(type);
    const uint32_t nbytes = (uint32_t)ws_type_bits(type) / 8;
    const ws_variable *variable = &decoder->module->variables[from->index];
    uint32_t i, k;
    if (ws_decode_is_beyond(variable, from, (uint64_t)count * nbytes)) {
        ws_decode_refuse(decoder, from->at, "this reads beyond the end of the parameter");
        return;
    }
    for (i = 0; i < count; i++) {
        const uint32_t d = ws_decode_destination(decoder, &part[i], type);
        for (k = 0; k < rows; k += 2) {
            const uint64_t at = decoder->offset_of[from->index] + from->value + i * nbytes + 4 * k;
            ws_constant_rows constant = ws_constant_make(WS_CONSTANT_PARAMETER, at, 0, rows > 1 ? 2 : 1);
            constant.nbytes = (uint8_t)(nbytes > 8 ? 8 : nbytes);
            constant.is_signed = ws_type_is_signed(type);
            ws_decode_row_step(decoder, rows > 1 ? WS_DO_MOV_64 : WS_DO_MOV_32, d + k,
                               ws_decode_constant(decoder, constant));
        }
        ws_decode_widen(decoder, &part[i], type);
    }
}

/* The space that an access uses: the opcode's, unless a variable of a frame says better. */
static inline void ws_decode_access_space(ws_decoder *decoder, ws_step *step, const ws_item *address, bool is_store) {
    const uint8_t named = ws_decode_space_here(decoder, address);
    if (step->space == WS_AT_GENERIC || step->space == WS_AT_PARAM) step->space = named;
    if (address->base_kind == WS_ITEM_REGISTER && step->space != WS_AT_SHARED && step->space != WS_AT_CLUSTER &&
        step->space != WS_AT_LOCAL && (is_store || ws_decode_window_of(named) == 0) &&
        ws_rows_of_type(ws_decode_register(decoder, address)->type) == 1) {
        ws_decode_refuse(decoder, address->at, "this address needs a register of 64 bits");
    }
}

/* A register of 32 bits as address of a constant or a parameter: an offset in their window. */
static inline void ws_decode_narrow_address(ws_decoder *decoder, ws_decoding *decoding, const ws_item *address) {
    const uint64_t window = ws_decode_window_of(ws_decode_space_here(decoder, address));
    uint32_t wide;
    if (window == 0 || address->base_kind != WS_ITEM_REGISTER ||
        ws_rows_of_type(ws_decode_register(decoder, address)->type) != 1) {
        return;
    }
    wide = ws_decode_temporary(decoder, 2);
    ws_decode_row_step(decoder, WS_DO_MOV_32, wide, decoding->s[0]);
    ws_decode_row_step(decoder, WS_DO_MOV_32, wide + 1, ws_decode_value(decoder, window >> 32, 1));
    decoding->s[0] = wide;
}

/* Does a load name a parameter of the kernel, at an aligned address? If that is misaligned, it is a load like others. */
static inline bool ws_decode_is_parameter(const ws_decoder *decoder, const ws_item *to, const ws_item *from, int type) {
    const uint64_t count = to->kind == WS_ITEM_VECTOR ? to->part_count : 1,
                   nbytes = count * (uint64_t)ws_type_bits(type) / 8;
    const ws_variable *variable;
    if (from->kind != WS_ITEM_ADDRESS || from->base_kind != WS_ITEM_VARIABLE) return false;
    variable = &decoder->module->variables[from->index];
    if (ws_decode_space_of(decoder, variable) != WS_AT_PARAM) return false;
    return ws_decode_is_beyond(variable, from, nbytes) ||
           ((decoder->offset_of[from->index] + from->value) & (nbytes - 1)) == 0;
}

static inline void ws_decode_load(ws_decoder *decoder, const ws_opcode_form *opcode) {
    const ws_item *to = ws_decode_item(decoder, 0), *from = ws_decode_item(decoder, 1);
    const int type = opcode->match.type[0];
    ws_decoding decoding;
    if (decoder->statement->item_count >= 2 && ws_decode_is_parameter(decoder, to, from, type)) {
        ws_decode_single(decoder, from);
        if (ws_decode_has_elements(decoder, to, &opcode->match)) ws_decode_load_parameter(decoder, to, from, type);
        return;
    }
    decoding = ws_decode_operands(decoder, opcode);
    if (decoder->is_lost) return;
    ws_decode_narrow_address(decoder, &decoding, from);
    ws_decode_access_space(decoder, ws_decode_step(decoder, opcode, WS_DO_LD, &decoding), from, false);
    ws_decode_widen_vector(decoder, to, type);
}

static inline void ws_decode_store(ws_decoder *decoder, const ws_opcode_form *opcode) {
    const ws_decoding decoding = ws_decode_operands(decoder, opcode);
    if (decoder->is_lost) return;
    ws_decode_access_space(decoder, ws_decode_step(decoder, opcode, WS_DO_ST, &decoding), ws_decode_item(decoder, 0),
                           true);
}

#endif
