/* st.async, red.async and clusterlaunchcontrol as steps: an address, values, and the address of an mbarrier object. */
#ifndef WARPSIM_DECODE_ASYNC_H
#define WARPSIM_DECODE_ASYNC_H

#include "form.h"

static inline bool ws_opcode_says(const ws_opcode *opcode, const char *word) {
    size_t at, i;
    for (at = 0; at < opcode->length; at++) {
        for (i = 0; word[i] != '\0' && at + i < opcode->length && opcode->text[at + i] == word[i]; i++) {
        }
        if (word[i] == '\0') return true;
    }
    return false;
}

/* The row of a whole address: base and offset. */
static inline uint32_t ws_decode_whole_address(ws_decoder *decoder, const ws_item *item) {
    const ws_decoded_address address = ws_decode_address(decoder, item);
    ws_step *step;
    if (address.offset == 0) return address.row;
    step = ws_decode_emit(decoder, WS_DO_OFFSET_64);
    step->s[0] = address.row;
    step->d[0] = ws_decode_temporary(decoder, 2);
    step->immediate = address.offset;
    return step->d[0];
}

/* clusterlaunchcontrol.try_cancel. Operands: where, the object. */
static inline void ws_decode_cancel(ws_decoder *decoder, const ws_opcode_form *opcode) {
    const ws_opcode *text = &decoder->module->opcodes[decoder->statement->opcode];
    ws_decoding decoding = ws_decoding_make();
    ws_decoded_address to;
    if (decoder->statement->item_count != 2) {
        ws_decode_refuse(decoder, decoder->statement->at, "expected an address and an mbarrier object");
        return;
    }
    to = ws_decode_address(decoder, ws_decode_item(decoder, 0));
    decoding.s[2] = ws_decode_whole_address(decoder, ws_decode_item(decoder, 1));
    decoding.s[WS_S_BYTES] = ws_decode_value(decoder, WS_CANCEL_BYTES, 1);
    decoding.s[0] = to.row;
    decoding.immediate = to.offset;
    decoding.count = (uint8_t)ws_opcode_says(text, ".multicast");
    ws_decode_step(decoder, opcode, WS_DO_TRY_CANCEL, &decoding)->space = ws_decode_space(text);
}

/* Operands: a register or four, the response; one register: of an axis. */
static inline void ws_decode_first_ctaid(ws_decoder *decoder, const ws_opcode_form *opcode) {
    const ws_opcode *text = &decoder->module->opcodes[decoder->statement->opcode];
    const int64_t axis = ws_opcode_says(text, "ctaid::y") ? 1 : ws_opcode_says(text, "ctaid::z") ? 2 : 0;
    const ws_decoding decoding = ws_decode_operands(decoder, opcode);
    ws_decode_step(decoder, opcode, WS_DO_FIRST_CTAID, &decoding)->immediate = axis;
}

/* Operands: where, what, the object. The assembler takes as many values as there are, whatever .v2 says. */
static inline void ws_decode_async(ws_decoder *decoder, const ws_opcode_form *opcode) {
    ws_decoding decoding = ws_decoding_make();
    ws_opcode_match match = opcode->match;
    ws_decoded_address to;
    uint32_t object, nbytes;
    if (decoder->statement->item_count != 3) {
        ws_decode_refuse(decoder, decoder->statement->at, "expected an address, values and an mbarrier object");
        return;
    }
    to = ws_decode_address(decoder, ws_decode_item(decoder, 0));
    object = ws_decode_whole_address(decoder, ws_decode_item(decoder, 2));
    match.elements = ws_decode_item(decoder, 1)->part_count;
    if (match.elements == 0) match.elements = 1;
    if (match.elements > 4 || match.elements == 3 || match.elements * (uint32_t)ws_type_bits(match.type[0]) > 128) {
        ws_decode_refuse(decoder, ws_decode_item(decoder, 1)->at, "expected 1, 2 or 4 values of 128 bits at most");
        return;
    }
    ws_decode_vector(decoder, &decoding, ws_decode_item(decoder, 1), &match, false);
    if (decoder->is_lost) return;
    nbytes = decoding.count * (uint32_t)ws_type_bits(opcode->match.type[0]) / 8;
    decoding.s[0] = to.row;
    decoding.s[1] = decoder->program->list != NULL ? decoder->program->list[decoding.list] : WS_NONE;
    decoding.s[2] = object;
    decoding.s[WS_S_BYTES] = ws_decode_value(decoder, nbytes, 1);
    decoding.immediate = to.offset;
    ws_decode_step(decoder, opcode, opcode->form->meaning, &decoding)->space =
        to.is_narrow || to.space == WS_AT_SHARED
            ? (uint8_t)WS_AT_CLUSTER
            : ws_decode_space(&decoder->module->opcodes[decoder->statement->opcode]);
}

/* Is it a statement of this file? Then it is decoded. */
WS_ONCE bool ws_decode_of_cluster(ws_decoder *decoder, const ws_opcode_form *opcode) {
    switch (opcode->form->meaning) {
        case WS_DO_TRY_CANCEL: ws_decode_cancel(decoder, opcode); return true;
        case WS_DO_FIRST_CTAID: ws_decode_first_ctaid(decoder, opcode); return true;
        case WS_DO_ST_ASYNC:
        case WS_DO_RED_ASYNC_ADD:
        case WS_DO_RED_ASYNC_MIN:
        case WS_DO_RED_ASYNC_MAX:
        case WS_DO_RED_ASYNC_INC:
        case WS_DO_RED_ASYNC_DEC:
        case WS_DO_RED_ASYNC_LOGIC: ws_decode_async(decoder, opcode); return true;
        default: return false;
    }
}

#endif
