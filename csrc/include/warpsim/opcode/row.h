/* What an opcode says to those who read a text and run nothing: the event of its form, the space and the bytes that it
 * names, whether its first operand is written, and of a product its shape.
 *
 * It knows no operands: whether %r1 is read twice is said by the module, not here. */
#ifndef WARPSIM_OPCODE_ROW_H
#define WARPSIM_OPCODE_ROW_H

#include "../decode/matrix.h"
#include "../decode/tables.h"
#include "../wgmma/parse.h"

/* D = A x B + C of a warp, or of a warpgroup. */
typedef struct ws_opcode_product {
    uint16_t m, n, k; /* 0: no product; k with the elements of A that .sp leaves out */
    uint8_t d, a;     /* ws_type of the elements */
    uint8_t warps;    /* that compute it together: 1, 4 */
    bool is_sparse;
} ws_opcode_product;

typedef struct ws_opcode_row {
    bool is_known;    /* it has a form; of other opcodes nobody knows what they do, and `writes` is true */
    bool writes;      /* the registers of its first operand, unless that has none */
    uint8_t event;    /* ws_event */
    uint8_t space;    /* WS_AT_SHARED ...; WS_AT_GENERIC: it names none */
    uint8_t source;   /* of a copy: the space that it names next, which it reads */
    bool is_tensor;   /* of a bulk copy: by a tensor map */
    uint8_t type;     /* ws_type: the last one that it names */
    uint8_t elements; /* 4 of .v4 */
    uint16_t nbytes;  /* of all elements of a lane, by the first type that it names */
    uint32_t how;     /* modifiers: number/how.h */
    ws_said said;
    ws_opcode_product product;
} ws_opcode_row;

/* What a form's meaning is, where the decoder makes steps of it by itself. */
static inline ws_event ws_opcode_event(int meaning, ws_said said) {
    switch (meaning) {
        case WS_DECODE_LOAD: return WS_EVENT_LOAD;
        case WS_DECODE_STORE: return WS_EVENT_STORE;
        case WS_DECODE_BRANCH:
        case WS_DECODE_BRX: return WS_EVENT_BRANCH;
        case WS_DECODE_CALL: return WS_EVENT_CALL;
        case WS_DECODE_RET: return WS_EVENT_RETURN;
        case WS_DECODE_BULK: return WS_EVENT_BULK;
        default: break;
    }
    return meaning < (int)WS_MEANING_COUNT ? (ws_event)ws_meaning_meant(meaning, said).event : WS_EVENT_NONE;
}

/* Is the first operand of a form a destination? */
static inline bool ws_opcode_writes(const ws_statement_form *form) {
    const char *operands = form->operands;
    switch (form->meaning) {
        case WS_DECODE_MOV:
        case WS_DECODE_ISSPACEP:
        case WS_DECODE_VIDEO:
        case WS_DECODE_VIDEO_MAD: return true;
        default: break;
    }
    return operands[0] == 'd' || operands[0] == 'p' || operands[0] == 'v';
}

/* The matrix instructions that move data: false of any other opcode. */
static inline bool ws_opcode_take_matrix(const ws_opcode *opcode, ws_opcode_row *row) {
    ws_error error;
    ws_op op;
    if (ws_parse_text(opcode->text, opcode->length, &op, &error) != WS_OK || !ws_decode_is_matrix(op.kind))
        return false;
    row->event = op.kind == WS_MOVMATRIX ? WS_EVENT_NONE : WS_EVENT_MATRIX;
    row->writes = op.kind == WS_MOVMATRIX || ws_op_is_load(&op);
    row->space = (uint8_t)ws_decode_matrix_space(&op);
    row->type = op.type;
    return true;
}

static inline bool ws_opcode_take_product(const ws_opcode *opcode, ws_opcode_row *row) {
    ws_opcode_product *product = &row->product;
    ws_error error;
    ws_wgmma wgmma;
    ws_mma mma;
    if (ws_mma_parse(opcode->text, opcode->length, &mma, &error) == WS_OK) {
        product->m = mma.m;
        product->n = mma.n;
        product->k = mma.k;
        product->d = mma.d;
        product->a = mma.a;
        product->warps = 1;
        product->is_sparse = ws_mma_is_sparse(&mma);
        return true;
    }
    if (!ws_wgmma_parse(opcode->text, opcode->length, &wgmma)) return false;
    row->event = WS_EVENT_PRODUCT;
    product->m = WS_WGMMA_ROWS;
    product->n = wgmma.n;
    product->k = wgmma.k;
    product->d = wgmma.d;
    product->a = wgmma.a;
    product->warps = WS_WGMMA_WARPS;
    product->is_sparse = wgmma.is_sparse;
    return true;
}

static inline void ws_opcode_take_form(const ws_statement_form *form, const ws_opcode_match *match,
                                       ws_opcode_row *row) {
    row->event = (uint8_t)ws_opcode_event(form->meaning, row->said);
    row->writes = ws_opcode_writes(form);
    row->how = match->how;
    row->elements = (uint8_t)match->elements;
    if (match->type_count == 0) return;
    row->type = match->type[match->type_count - 1];
    row->nbytes = (uint16_t)((uint32_t)ws_type_bits(match->type[0]) * match->elements / 8);
}

static inline ws_opcode_row ws_opcode_row_of(const ws_opcode *opcode) {
    static const ws_opcode_product none = {0, 0, 0, WS_TYPE_NONE, WS_TYPE_NONE, 0, false};
    ws_opcode_match match;
    const ws_statement_form *form = ws_forms_find(opcode->text, opcode->length, &match);
    ws_opcode_row row;
    row.said = ws_opcode_said(opcode);
    row.event = WS_EVENT_NONE;
    row.space = ws_decode_space(opcode);
    row.source = ws_decode_space_after(opcode, 1);
    row.is_tensor = ws_said_is_by_map(opcode);
    row.type = WS_TYPE_NONE;
    row.elements = 1;
    row.nbytes = 0;
    row.how = 0;
    row.writes = true;
    row.product = none;
    row.is_known = form != NULL;
    if (form != NULL) ws_opcode_take_form(form, &match, &row);
    else row.is_known = ws_opcode_take_matrix(opcode, &row) || ws_opcode_take_product(opcode, &row);
    return row;
}

/* The word of a choice: "hi" of mul.hi; empty if the opcode makes none. */
static inline const char *ws_opcode_choice(uint32_t how) {
#define WS_WORD(name, word) word,
    static const char *const words[] = {"", WS_CHOICES(WS_WORD)};
#undef WS_WORD
    return words[(how & WS_HOW_CHOICE) >> 16];
}

#endif
