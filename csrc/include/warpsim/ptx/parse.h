/* PTX text -> instruction.
 *
 *     @p  ldmatrix.sync.aligned.m8n8.x4.shared.b16   {%r1, %r2, %r3, %r4}, [%rd1+16] ;
 *         opcode    qualifiers                        operands (optional)
 *
 * Sources: the "Syntax" of each instruction in the PTX ISA, and what ptxas 12.9, 13.0 and 13.5 accept.
 * What the assembler accepts only by a quirk (.x8 on ldmatrix, .row on ldmatrix, .sync twice ...) is rejected. */
#ifndef WARPSIM_PTX_PARSE_H
#define WARPSIM_PTX_PARSE_H

#include "../isa/validate.h"

/* The instruction in `length` bytes of text; *op is ws_op_none() on failure. A text may contain the same instruction
 * several times and be enclosed in a block { }; two different ones are an error. */
WS_PUBLIC ws_status ws_parse_text(const char *bytes, size_t length, ws_op *op, ws_error *error);

/* The same for a text that ends with a zero byte. */
WS_PUBLIC ws_status ws_parse(const char *text, ws_op *op, ws_error *error);

#if WS_BODIES
#include "operands.h"
#include "qualifiers.h"

/* Labels before a statement: "$L__BB0_2:". */
static inline ws_status ws_parse_labels(ws_cursor *cursor) {
    for (;;) {
        const size_t start = cursor->at;
        const char *word;
        size_t count;
        if (!ws_lex_word(cursor, false, &word, &count)) return WS_OK;
        WS_RETURN_IF_ERROR(ws_lex_skip_space(cursor));
        if (!ws_lex_take(cursor, ':')) {
            cursor->at = start;
            return WS_OK;
        }
        WS_RETURN_IF_ERROR(ws_lex_skip_space(cursor));
    }
}

static inline ws_status ws_parse_predicate(ws_cursor *cursor) {
    const char *word;
    size_t count;
    if (!ws_lex_take(cursor, '@')) return WS_OK;
    WS_RETURN_IF_ERROR(ws_lex_skip_space(cursor));
    if (ws_lex_take(cursor, '!')) WS_RETURN_IF_ERROR(ws_lex_skip_space(cursor));
    if (!ws_lex_identifier(cursor, &word, &count)) return ws_lex_expected(cursor, "a predicate register");
    return ws_lex_skip_space(cursor);
}

/* Takes the opcode if it is exactly the word `name` with all its dots. */
static inline bool ws_parse_take_opcode(ws_cursor *cursor, const char *name) {
    const size_t count = ws_string_length(name);
    if (cursor->length - cursor->at < count || !ws_bytes_equal(cursor->text + cursor->at, count, name) ||
        ws_char_is_word(ws_lex_peek(cursor, count))) {
        return false;
    }
    cursor->at += count;
    return true;
}

/* The opcode: one fixed token, the dots of cp.async and wmma.load.a included. */
static inline ws_status ws_parse_opcode(ws_cursor *cursor, ws_op *op) {
    static const struct {
        const char *name;
        uint8_t kind, operand;
    } opcodes[] = {{"ldmatrix", WS_LDMATRIX, 0},
                   {"stmatrix", WS_STMATRIX, 0},
                   {"movmatrix", WS_MOVMATRIX, 0},
                   {"ld", WS_LD, 0},
                   {"st", WS_ST, 0},
                   {"cp.async", WS_CP_ASYNC, 0},
                   {"wmma.load.a", WS_WMMA_LOAD, WS_OPERAND_A},
                   {"wmma.load.b", WS_WMMA_LOAD, WS_OPERAND_B},
                   {"wmma.load.c", WS_WMMA_LOAD, WS_OPERAND_C},
                   {"wmma.store.d", WS_WMMA_STORE, WS_OPERAND_D}};
    const size_t start = cursor->at;
    const char *word;
    size_t count, i;
    ws_text text;
    for (i = 0; i < sizeof opcodes / sizeof opcodes[0]; i++) {
        if (!ws_parse_take_opcode(cursor, opcodes[i].name)) continue;
        op->kind = opcodes[i].kind;
        op->operand = opcodes[i].operand;
        return WS_OK;
    }
    if (!ws_lex_word(cursor, false, &word, &count)) return ws_lex_expected(cursor, "an instruction");
    text = ws_lex_complain(cursor, start, count);
    ws_text_add(&text, "unknown instruction '");
    ws_text_add_bytes(&text, word, count < 60 ? count : 60);
    ws_text_add(&text, "'; expected ");
    for (i = 0; i < sizeof opcodes / sizeof opcodes[0]; i++) {
        if (i > 0) ws_text_add(&text, ", ");
        ws_text_add(&text, opcodes[i].name);
    }
    return WS_SYNTAX;
}

static inline ws_status ws_parse_qualifiers(ws_cursor *cursor, ws_qualifiers *q) {
    for (;;) {
        const char *word;
        size_t count;
        WS_RETURN_IF_ERROR(ws_lex_skip_space(cursor));
        if (!ws_lex_take(cursor, '.')) return WS_OK;
        if (!ws_lex_word(cursor, true, &word, &count)) return ws_lex_expected(cursor, "a qualifier after the dot");
        WS_RETURN_IF_ERROR(ws_qualifier_take(cursor, q, (size_t)(word - cursor->text), count));
    }
}

/* All qualifiers have been seen: do they make an instruction? */
static inline ws_status ws_parse_finish(ws_cursor *cursor, ws_qualifiers *q, size_t start, size_t end) {
    ws_op *op = &q->op;
    ws_text text;
    const char *missing = NULL;
    if (ws_op_is_collective(op)) {
        if (!(q->seen & WS_BIT(WS_SLOT_ALIGNED)) && !ws_op_is_wmma(op)) missing = "needs .aligned";
        if (!(q->seen & WS_BIT(WS_SLOT_SYNC))) missing = "needs .sync";
    }
    if (op->kind == WS_CP_ASYNC && !q->cp_global) missing = "needs .shared.global";
    if (missing != NULL) {
        text = ws_lex_complain(cursor, start, end - start);
        ws_text_add(&text, ws_kind_word(op->kind));
        ws_text_add(&text, " ");
        ws_text_add(&text, missing);
        return WS_UNSUPPORTED;
    }
    if (op->kind == WS_MOVMATRIX) op->num = 1;
    if ((op->kind == WS_LD || op->kind == WS_ST) && op->vec == 0) op->vec = 1;
    op->type = (uint8_t)ws_qualifier_type(q);
    if (op->kind == WS_CP_ASYNC) {
        op->size_bytes = op->cache == WS_CACHE_CG ? 16 : 0;
        if (!ws_lex_at_end(cursor) && ws_lex_peek(cursor, 0) == '[') return WS_OK;
    }
    if (q->types > 0 && op->type == 0) {
        size_t i;
        text = ws_lex_complain(cursor, start, end - start);
        ws_text_add(&text, ws_kind_word(op->kind));
        ws_text_add(&text, " has no type .");
        for (i = 0; i < (size_t)q->types; i++) {
            if (i > 0) ws_text_add(&text, ".");
            ws_text_add_bytes(&text, q->type[i], q->type_count[i]);
        }
        return WS_UNSUPPORTED;
    }
    if (ws_op_validate(op, cursor->error) == WS_OK) return WS_OK;
    text = ws_lex_complain(cursor, start, end - start);
    return ws_op_say_why_not(op, &text);
}

/* A statement from its opcode through the first character of its operands: what follows changes no qualifier. */
typedef struct ws_parsed_head {
    const char *bytes;
    size_t length; /* 0: of none */
    ws_op op;      /* before its operands are seen */
} ws_parsed_head;

/* A register, a vector or an address begins here, or the statement ends. */
static inline bool ws_parse_at_operand(const ws_cursor *cursor) {
    const char c = ws_lex_peek(cursor, 0);
    return ws_char_is_word(c) || c == '%' || c == '{' || c == '[' || c == ';' || c == '}';
}

/* Opcode and qualifiers. `latest`: of an earlier statement that may begin alike, or NULL; becomes this one. */
static inline ws_status ws_parse_head(ws_cursor *cursor, ws_parsed_head *latest, ws_op *op) {
    ws_qualifiers q = ws_qualifiers_none();
    const size_t start = cursor->at;
    size_t end;
    if (latest != NULL && latest->length > 0 && latest->length <= cursor->length - start &&
        ws_bytes_same(cursor->text + start, latest->bytes, latest->length)) {
        cursor->at += latest->length - 1;
        *op = latest->op;
        return WS_OK;
    }
    WS_RETURN_IF_ERROR(ws_parse_opcode(cursor, &q.op));
    end = cursor->at;
    WS_RETURN_IF_ERROR(ws_parse_qualifiers(cursor, &q));
    if (cursor->at > end) {
        for (end = cursor->at; end > start && !ws_char_is_word(cursor->text[end - 1]); end--) {
        }
    }
    if (!ws_lex_at_end(cursor) && !ws_parse_at_operand(cursor))
        return ws_lex_expected(cursor, "a qualifier or operands");
    WS_RETURN_IF_ERROR(ws_parse_finish(cursor, &q, start, end));
    *op = q.op;
    if (latest == NULL || ws_lex_at_end(cursor)) return WS_OK;
    latest->bytes = cursor->text + start;
    latest->length = cursor->at - start + 1;
    latest->op = q.op;
    return WS_OK;
}

/* One statement, from its first character through its semicolon. */
static inline ws_status ws_parse_statement(ws_cursor *cursor, ws_parsed_head *latest, ws_op *op) {
    ws_op found;
    WS_RETURN_IF_ERROR(ws_parse_labels(cursor));
    WS_RETURN_IF_ERROR(ws_parse_predicate(cursor));
    WS_RETURN_IF_ERROR(ws_parse_head(cursor, latest, &found));
    if (!ws_lex_at_end(cursor)) {
        WS_RETURN_IF_ERROR(ws_operands(cursor, &found));
        WS_RETURN_IF_ERROR(ws_op_validate(&found, cursor->error));
        WS_RETURN_IF_ERROR(ws_lex_skip_space(cursor));
        if (!ws_lex_take(cursor, ';')) return ws_lex_expected(cursor, "';'");
    }
    *op = found;
    return ws_lex_skip_space(cursor);
}

/* As ws_parse_text does; `latest`: of the same file, or NULL. */
static inline ws_status ws_parse_after(const char *bytes, size_t length, ws_parsed_head *latest, ws_op *op,
                                       ws_error *error) {
    ws_cursor cursor = {bytes, length, 0, error};
    ws_op found = ws_op_none();
    int open = 0;
    ws_error_clear(error);
    *op = ws_op_none();
    WS_RETURN_IF_ERROR(ws_lex_skip_space(&cursor));
    while (ws_lex_take(&cursor, '{')) {
        open++;
        WS_RETURN_IF_ERROR(ws_lex_skip_space(&cursor));
    }
    do {
        ws_op next = ws_op_none();
        const size_t start = cursor.at;
        WS_RETURN_IF_ERROR(ws_parse_statement(&cursor, latest, &next));
        if (found.kind != WS_KIND_NONE && !ws_op_equal(&found, &next)) {
            ws_text text = ws_lex_complain(&cursor, start, 1);
            ws_text_add(&text, "a second, different instruction; give one at a time");
            return WS_SYNTAX;
        }
        found = next;
    } while (!ws_lex_at_end(&cursor) && ws_lex_peek(&cursor, 0) != '}');
    for (; open > 0 && ws_lex_take(&cursor, '}'); open--) WS_RETURN_IF_ERROR(ws_lex_skip_space(&cursor));
    if (open > 0) return ws_lex_expected(&cursor, "'}'");
    if (!ws_lex_at_end(&cursor)) return ws_lex_expected(&cursor, "the end of the text");
    *op = found;
    return WS_OK;
}

WS_PUBLIC ws_status ws_parse_text(const char *bytes, size_t length, ws_op *op, ws_error *error) {
    return ws_parse_after(bytes, length, NULL, op, error);
}

WS_PUBLIC ws_status ws_parse(const char *text, ws_op *op, ws_error *error) {
    if (op != NULL) *op = ws_op_none();
    if (text == NULL || op == NULL)
        return ws_error_set(error, WS_INVALID_ARGUMENT, "ws_parse: text and op must not be NULL");
    return ws_parse_text(text, ws_string_length(text), op, error);
}

#endif /* WS_BODIES */
#endif
