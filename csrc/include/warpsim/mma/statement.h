/* PTX text -> product: a statement, or its opcode alone.
 *
 *     mma.sp.sync.aligned.m16n8k16...  {d0, d1, d2, d3}, {a0, a1}, {b0, b1}, {c0, c1, c2, c3}, e, 0x0;
 *     ... with .block_scale:           ..., scale-a, {byte-id-a, thread-id-a}, scale-b, {byte-id-b, thread-id-b};
 *
 * Numbers of registers and the selector are checked, declared types are not. */
#ifndef WARPSIM_MMA_STATEMENT_H
#define WARPSIM_MMA_STATEMENT_H

#include "form.h"

/* Whether the text begins, after labels and predicate, with mma or wmma.mma. */
WS_PUBLIC bool ws_mma_is_text(const char *bytes, size_t length);

/* The product in `length` bytes of text, which may contain it several times and be enclosed in a block { }. */
WS_PUBLIC ws_status ws_mma_parse_text(const char *bytes, size_t length, ws_mma *mma, ws_error *error);

#if WS_BODIES
#include "metadata.h"
#include "parse.h"
#include "../ptx/parse.h"

enum { WS_MMA_OPCODE_BYTES = 256 };

/* An opcode without the white space and comments before its dots, and where each byte was. */
typedef struct ws_mma_opcode {
    char text[WS_MMA_OPCODE_BYTES];
    size_t at[WS_MMA_OPCODE_BYTES + 1];
    size_t length;
} ws_mma_opcode;

static inline ws_status ws_mma_opcode_part(ws_cursor *cursor, ws_mma_opcode *opcode, size_t from) {
    for (; from < cursor->at; from++) {
        if (opcode->length == WS_MMA_OPCODE_BYTES) return ws_lex_expected(cursor, "a shorter opcode");
        opcode->at[opcode->length] = from;
        opcode->text[opcode->length++] = cursor->text[from];
    }
    opcode->at[opcode->length] = from;
    return WS_OK;
}

static inline ws_status ws_mma_read_opcode(ws_cursor *cursor, ws_mma *mma) {
    ws_mma_opcode opcode;
    ws_status status;
    const char *word;
    size_t count, from = cursor->at;
    opcode.length = 0;
    if (!ws_lex_word(cursor, false, &word, &count)) return ws_lex_expected(cursor, "an instruction");
    WS_RETURN_IF_ERROR(ws_mma_opcode_part(cursor, &opcode, from));
    for (;;) {
        WS_RETURN_IF_ERROR(ws_lex_skip_space(cursor));
        from = cursor->at;
        if (!ws_lex_take(cursor, '.')) break;
        if (!ws_lex_word(cursor, true, &word, &count)) return ws_lex_expected(cursor, "a qualifier after the dot");
        WS_RETURN_IF_ERROR(ws_mma_opcode_part(cursor, &opcode, from));
    }
    status = ws_mma_parse(opcode.text, opcode.length, mma, cursor->error);
    if (status != WS_OK && cursor->error != NULL && cursor->error->column != WS_NO_COLUMN) {
        const size_t column = (size_t)cursor->error->column;
        cursor->error->column = (int)opcode.at[column < opcode.length ? column : opcode.length];
    }
    return status;
}

/* The registers of one operand, in braces; an f64 value is one register. */
static inline ws_status ws_mma_read_operand(ws_cursor *cursor, const ws_mma *mma, int operand) {
    const int words = ws_type_bits(ws_mma_type(mma, operand)) == 64 ? 2 : 1;
    return ws_operand_list(cursor, ws_mma_kind_word(mma->kind), ws_mma_registers(mma, operand) / words,
                           operand == WS_OPERAND_D);
}

/* ", e, 0": the metadata and the selector of mma.sp. */
static inline ws_status ws_mma_read_metadata(ws_cursor *cursor, const ws_mma *mma) {
    const int selectors = ws_mma_selectors(mma);
    uint64_t selector;
    size_t start;
    WS_RETURN_IF_ERROR(ws_operand_comma(cursor));
    WS_RETURN_IF_ERROR(ws_operand_register(cursor, WS_ELEMENT_REGISTER));
    WS_RETURN_IF_ERROR(ws_operand_comma(cursor));
    start = cursor->at;
    WS_RETURN_IF_ERROR(ws_constant(cursor, 0, 0, &selector));
    if (selector >= (uint64_t)selectors) {
        ws_text text = ws_lex_complain(cursor, start, cursor->at - start);
        ws_text_add(&text, ws_mma_kind_word(mma->kind));
        ws_text_add(&text, selectors == 1 ? " of this form has the selector 0 alone, not "
                                          : " of this form has selectors below ");
        if (selectors > 1) ws_text_add_uint(&text, (uint64_t)selectors);
        if (selectors > 1) ws_text_add(&text, ", not ");
        ws_text_add_uint(&text, selector);
        return WS_UNSUPPORTED;
    }
    return WS_OK;
}

/* A number or register that says which byte or thread has the scale. */
static inline ws_status ws_mma_read_id(ws_cursor *cursor, int count, int unit) {
    const size_t start = cursor->at;
    uint64_t id;
    WS_RETURN_IF_ERROR(ws_lex_skip_space(cursor));
    if (ws_lex_peek(cursor, 0) < '0' || ws_lex_peek(cursor, 0) > '9') {
        WS_RETURN_IF_ERROR(ws_operand_register(cursor, WS_ELEMENT_REGISTER));
        return ws_lex_skip_space(cursor);
    }
    WS_RETURN_IF_ERROR(ws_constant(cursor, 0, 0, &id));
    if (id < (uint64_t)(count * unit) && id % (uint64_t)unit == 0) return ws_lex_skip_space(cursor);
    {
        ws_text text = ws_lex_complain(cursor, start, cursor->at - start);
        ws_text_add(&text, "this form has no scale at byte or thread ");
        ws_text_add_uint(&text, id);
        return WS_UNSUPPORTED;
    }
}

/* ", scale, {byte-id, thread-id}": the factors of A or of B; the register may stand in braces. */
static inline ws_status ws_mma_read_scale(ws_cursor *cursor, const ws_mma *mma, int operand) {
    WS_RETURN_IF_ERROR(ws_operand_comma(cursor));
    if (ws_lex_peek(cursor, 0) == '{') {
        WS_RETURN_IF_ERROR(ws_operand_list(cursor, ws_mma_kind_word(mma->kind), 1, false));
    } else {
        WS_RETURN_IF_ERROR(ws_operand_register(cursor, WS_ELEMENT_REGISTER));
    }
    WS_RETURN_IF_ERROR(ws_operand_comma(cursor));
    if (!ws_lex_take(cursor, '{')) return ws_lex_expected(cursor, "{byte-id, thread-id}");
    WS_RETURN_IF_ERROR(ws_mma_read_id(cursor, 4 / mma->scale_vec, mma->scale_vec));
    if (!ws_lex_take(cursor, ',')) return ws_lex_expected(cursor, "','");
    WS_RETURN_IF_ERROR(ws_mma_read_id(cursor, ws_mma_scale_threads(operand), 1));
    if (!ws_lex_take(cursor, '}')) return ws_lex_expected(cursor, "'}'");
    return WS_OK;
}

/* One statement, from its first character through its semicolon. */
static inline ws_status ws_mma_read_statement(ws_cursor *cursor, ws_mma *mma) {
    static const uint8_t operands[] = {WS_OPERAND_D, WS_OPERAND_A, WS_OPERAND_B, WS_OPERAND_C};
    int i;
    WS_RETURN_IF_ERROR(ws_parse_labels(cursor));
    WS_RETURN_IF_ERROR(ws_parse_predicate(cursor));
    WS_RETURN_IF_ERROR(ws_mma_read_opcode(cursor, mma));
    if (ws_lex_at_end(cursor)) return WS_OK;
    if (!ws_parse_at_operand(cursor)) return ws_lex_expected(cursor, "a qualifier or operands");
    for (i = 0; i < 4; i++) {
        if (i > 0) WS_RETURN_IF_ERROR(ws_operand_comma(cursor));
        WS_RETURN_IF_ERROR(ws_mma_read_operand(cursor, mma, operands[i]));
    }
    if (ws_mma_is_sparse(mma)) WS_RETURN_IF_ERROR(ws_mma_read_metadata(cursor, mma));
    for (i = WS_OPERAND_A; mma->scale_vec != 0 && i <= (int)WS_OPERAND_B; i++) {
        WS_RETURN_IF_ERROR(ws_mma_read_scale(cursor, mma, i));
    }
    WS_RETURN_IF_ERROR(ws_lex_skip_space(cursor));
    if (!ws_lex_take(cursor, ';')) return ws_lex_expected(cursor, "';'");
    return ws_lex_skip_space(cursor);
}

/* Braces that open a block, or that close it. */
static inline ws_status ws_mma_read_braces(ws_cursor *cursor, char brace, int *count) {
    WS_RETURN_IF_ERROR(ws_lex_skip_space(cursor));
    while (ws_lex_take(cursor, brace)) {
        ++*count;
        WS_RETURN_IF_ERROR(ws_lex_skip_space(cursor));
    }
    return WS_OK;
}

WS_PUBLIC bool ws_mma_is_text(const char *bytes, size_t length) {
    ws_cursor cursor = {bytes, length, 0, NULL};
    int open = 0;
    if (ws_mma_read_braces(&cursor, '{', &open) != WS_OK) return false;
    if (ws_parse_labels(&cursor) != WS_OK || ws_parse_predicate(&cursor) != WS_OK) return false;
    return ws_parse_take_opcode(&cursor, "mma") || ws_parse_take_opcode(&cursor, "wmma.mma");
}

WS_PUBLIC ws_status ws_mma_parse_text(const char *bytes, size_t length, ws_mma *mma, ws_error *error) {
    ws_cursor cursor = {bytes, length, 0, error};
    int open = 0, closed = 0;
    ws_mma found, next;
    bool is_first = true;
    ws_error_clear(error);
    mma->kind = mma->form = 0;
    WS_RETURN_IF_ERROR(ws_mma_read_braces(&cursor, '{', &open));
    do {
        const size_t start = cursor.at;
        WS_RETURN_IF_ERROR(ws_mma_read_statement(&cursor, &next));
        if (!is_first && !ws_mma_equal(&found, &next)) {
            ws_text text = ws_lex_complain(&cursor, start, 1);
            ws_text_add(&text, "a second, different instruction; give one at a time");
            return WS_SYNTAX;
        }
        found = next;
        is_first = false;
    } while (!ws_lex_at_end(&cursor) && ws_lex_peek(&cursor, 0) != '}');
    WS_RETURN_IF_ERROR(ws_mma_read_braces(&cursor, '}', &closed));
    if (open > closed) return ws_lex_expected(&cursor, "'}'");
    if (closed > open || !ws_lex_at_end(&cursor)) return ws_lex_expected(&cursor, "the end of the text");
    *mma = found;
    return WS_OK;
}

#endif /* WS_BODIES */
#endif
