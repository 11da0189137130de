/* A statement whose form says all: its operands, one by one, become those of one step. */
#ifndef WARPSIM_DECODE_FORM_H
#define WARPSIM_DECODE_FORM_H

#include "operands.h"

/* What the operands of a statement have become so far. */
typedef struct ws_decoding {
    uint32_t d[2], s[WS_STEP_SOURCES];
    int d_count, s_count;
    const ws_item *widened; /* a destination that may be wider than its type */
    int widened_type;
    uint32_t list;
    uint8_t count;
    int64_t immediate;
    uint8_t space;
    bool is_inexact; /* no exact rule */
} ws_decoding;

static inline void ws_decoding_source(ws_decoder *decoder, ws_decoding *decoding, uint32_t reference) {
    if (decoding->s_count < WS_STEP_SOURCES) decoding->s[decoding->s_count++] = reference;
    else ws_decode_refuse(decoder, decoder->statement->at, "too many operands");
}

static inline void ws_decoding_destination(ws_decoder *decoder, ws_decoding *decoding, uint32_t reference) {
    if (decoding->d_count < 2) decoding->d[decoding->d_count++] = reference;
    else ws_decode_refuse(decoder, decoder->statement->at, "too many destinations");
}

/* A vector with as many elements as the instruction says, or a register for one. */
static inline bool ws_decode_has_elements(ws_decoder *decoder, const ws_item *item, const ws_opcode_match *match) {
    if ((item->kind == WS_ITEM_VECTOR ? item->part_count : 1) == match->elements) return true;
    ws_decode_refuse(decoder, item->at, "expected as many registers as the instruction has elements");
    return false;
}

static inline void ws_decode_vector(ws_decoder *decoder, ws_decoding *decoding, const ws_item *item,
                                    const ws_opcode_match *match, bool is_destination) {
    const int type = match->type[0];
    const ws_item *part = item->kind == WS_ITEM_VECTOR ? &decoder->module->items[item->first_part] : item;
    const uint32_t count = item->kind == WS_ITEM_VECTOR ? item->part_count : 1;
    uint32_t i;
    if (!ws_decode_has_elements(decoder, item, match)) return;
    decoding->list = decoder->program->num_list;
    decoding->count = (uint8_t)count;
    for (i = 0; i < count; i++) {
        const uint32_t reference =
            is_destination ? ws_decode_destination(decoder, &part[i], type) : ws_decode_source(decoder, &part[i], type);
        ws_decode_list(decoder, reference);
    }
}

/* The destinations of a vector that are wider than the type. */
static inline void ws_decode_widen_vector(ws_decoder *decoder, const ws_item *item, int type) {
    const ws_item *part = item->kind == WS_ITEM_VECTOR ? &decoder->module->items[item->first_part] : item;
    const uint32_t count = item->kind == WS_ITEM_VECTOR ? item->part_count : 1;
    uint32_t i;
    for (i = 0; i < count; i++) ws_decode_widen(decoder, &part[i], type);
}

static inline void ws_decode_out(ws_decoder *decoder, ws_decoding *decoding, const ws_token *token, const ws_item *item,
                                 int type) {
    const ws_item *first = item, *second = NULL;
    if (item->kind == WS_ITEM_PAIR) {
        first = &decoder->module->items[item->first_part];
        second = first + 1;
    }
    ws_decoding_destination(decoder, decoding,
                            token->kind == 'p' ? ws_decode_predicate_out(decoder, first)
                                               : ws_decode_destination(decoder, first, type));
    if (token->kind != 'p') decoding->widened = first;
    if (token->kind != 'p') decoding->widened_type = type;
    if (second != NULL && !token->has_predicate) ws_decode_refuse(decoder, item->at, "expected one destination here");
    else if (second != NULL) ws_decoding_destination(decoder, decoding, ws_decode_predicate_out(decoder, second));
}

/* A source that may be a part of a register: a byte or a half, extended as the type says. */
static inline uint32_t ws_decode_part(ws_decoder *decoder, const ws_item *item, int type) {
    const char *part = decoder->module->text + item->selector; /* .b0 or .h1 */
    const bool is_byte = part[1] == 'b', is_signed = ws_type_is_signed(type);
    const uint32_t bits = is_byte ? 8 : 16;
    ws_item whole = *item;
    ws_step *step;
    uint32_t row;
    whole.selector = 0;
    row = ws_decode_source(decoder, &whole, type);
    if (item->kind != WS_ITEM_REGISTER || item->selector == 0) return row;
    if ((uint32_t)(part[2] - '0') >= 32 / bits || (part[3] >= '0' && part[3] <= '9')) {
        ws_decode_refuse(decoder, item->at, "expected one byte or one half of the register here");
        return row;
    }
    step = ws_decode_emit(decoder, is_byte ? WS_DO_PART_8 : WS_DO_PART_16);
    step->s[0] = row;
    step->d[0] = row = ws_decode_temporary(decoder, 1);
    step->immediate = (int64_t)bits * (part[2] - '0');
    if (!is_signed) return row;
    step = ws_decode_emit(decoder, is_byte ? WS_DO_LOW_S8 : WS_DO_LOW_S16);
    step->s[0] = step->d[0] = row;
    return row;
}

static inline void ws_decode_operand(ws_decoder *decoder, ws_decoding *decoding, const ws_token *token,
                                     const ws_item *item, const ws_opcode_match *match) {
    const int type = ws_token_type(token, match);
    switch (token->kind) {
        case 'd':
        case 'p': ws_decode_out(decoder, decoding, token, item, type); break;
        case 'k':
            decoding->is_inexact = item->kind == WS_ITEM_FLOAT32 || item->kind == WS_ITEM_FLOAT64;
            ws_decoding_source(decoder, decoding, ws_decode_source(decoder, item, type));
            break;
        case 'c':
            if (!ws_decode_is_copied(decoder, item))
                ws_decode_refuse(decoder, item->at, "expected 4, 8 or 16 bytes here, with .cg 16");
            ws_decoding_source(decoder, decoding, ws_decode_source(decoder, item, type));
            break;
        case 's': ws_decoding_source(decoder, decoding, ws_decode_source(decoder, item, type)); break;
        case 'q': ws_decoding_source(decoder, decoding, ws_decode_predicate(decoder, item)); break;
        case 'z': {
            const bool is_predicate = ws_decode_is_predicate(decoder, item);
            if (is_predicate) decoding->count = 1;
            ws_decoding_source(decoder, decoding,
                               is_predicate ? ws_decode_predicate(decoder, item)
                                            : ws_decode_source(decoder, item, WS_TYPE_U32));
            break;
        }
        case 'i':
        case 'r':
            if (item->kind != WS_ITEM_INTEGER) ws_decode_refuse(decoder, item->at, "expected an integer here");
            else if (token->kind == 'r' && (item->value < 24 || item->value > 256 || item->value % 8 != 0))
                ws_decode_refuse(decoder, item->at, "expected 24 to 256 registers, a multiple of 8, here");
            decoding->immediate = (int64_t)item->value;
            break;
        case 'v':
        case 'w': ws_decode_vector(decoder, decoding, item, match, token->kind == 'v'); break;
        case 'm': {
            const ws_decoded_address address = ws_decode_address(decoder, item);
            ws_decoding_source(decoder, decoding, address.row);
            if (decoding->s_count > 1) decoding->list = (uint32_t)decoding->immediate; /* the second of two */
            decoding->immediate = address.offset;
            if (address.space != WS_AT_GENERIC) decoding->space = address.space;
            break;
        }
        default: ws_decode_refuse(decoder, item->at, "this operand is not understood");
    }
}

static inline ws_decoding ws_decoding_make(void) {
    ws_decoding decoding;
    int i;
    decoding.d[0] = decoding.d[1] = WS_NONE;
    for (i = 0; i < WS_STEP_SOURCES; i++) decoding.s[i] = WS_NONE;
    decoding.d_count = decoding.s_count = 0;
    decoding.widened = NULL;
    decoding.widened_type = WS_TYPE_NONE;
    decoding.list = 0;
    decoding.count = 0;
    decoding.immediate = 0;
    decoding.space = WS_AT_GENERIC;
    decoding.is_inexact = false;
    return decoding;
}

/* All operands of the statement, by the tokens of its form. */
static inline ws_decoding ws_decode_operands(ws_decoder *decoder, const ws_opcode_form *opcode) {
    ws_decoding decoding = ws_decoding_make();
    const char *text = opcode->form->operands;
    uint32_t number = 0;
    for (;;) {
        const ws_token token = ws_token_next(&text);
        if (token.kind == '\0') break;
        if (token.is_optional &&
            (token.kind == 'q' ? (opcode->match.how & WS_HOW_COMBINE) == 0
                               : decoder->statement->item_count - number <= ws_tokens_needed(text))) {
            decoding.s_count++; /* a source that is missing: WS_NONE */
            continue;
        }
        if (number == decoder->statement->item_count) {
            ws_decode_refuse(decoder, decoder->statement->at, "an operand is missing");
            return decoding;
        }
        ws_decode_operand(decoder, &decoding, &token, ws_decode_item(decoder, number++), &opcode->match);
    }
    if (number < decoder->statement->item_count)
        ws_decode_refuse(decoder, ws_decode_item(decoder, number)->at, "expected no further operand");
    return decoding;
}

/* The step of a statement, from its operands. */
static inline ws_step *ws_decode_step(ws_decoder *decoder, const ws_opcode_form *opcode, int meaning,
                                      const ws_decoding *decoding) {
    ws_step *step = ws_decode_emit(decoder, meaning);
    int i;
    step->how = opcode->match.how;
    step->type = opcode->match.type[0];
    step->type2 = opcode->match.type[1];
    step->d[0] = decoding->d[0];
    step->d[1] = decoding->d[1];
    for (i = 0; i < WS_STEP_SOURCES; i++) step->s[i] = decoding->s[i];
    step->list = decoding->list;
    step->count = decoding->count;
    step->immediate = decoding->immediate;
    step->space = decoding->space;
    if (decoding->is_inexact) {
        ws_decode_mean(decoder, step, WS_DO_INEXACT);
        step->list = (uint32_t)meaning;
        decoder->program->num_inexact++;
    }
    if (meaning == WS_DO_CP_ASYNC) decoder->program->num_copies++;
    if (meaning == WS_DO_BULK_COMMIT) decoder->program->num_bulks++; /* it counts groups, if there is no copy, too */
    return step;
}

static inline void ws_decode_plain(ws_decoder *decoder, const ws_opcode_form *opcode) {
    const ws_opcode *text = &decoder->module->opcodes[decoder->statement->opcode];
    const ws_decoding decoding = ws_decode_operands(decoder, opcode);
    ws_step *step = ws_decode_step(decoder, opcode, opcode->form->meaning, &decoding);
    if (step->space == WS_AT_GENERIC) step->space = ws_decode_space(text);
    if (decoding.widened != NULL) ws_decode_widen(decoder, decoding.widened, decoding.widened_type);
}

#endif
