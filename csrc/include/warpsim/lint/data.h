/* The data operands of an instruction, checked against the declarations around it: registers and constants, alone and
 * in a vector.
 *
 * The parser has already checked their number and form. Source: acceptance by ptxas 12.9, 13.0 and 13.5. */
#ifndef WARPSIM_LINT_DATA_H
#define WARPSIM_LINT_DATA_H

#include "findings.h"
#include "types.h"
#include "../ptx/names.h"

/* One instruction, and where its findings go. */
typedef struct ws_lint_check {
    ws_lint_text *lint;
    const ws_names *names;
    const ws_op *op;
} ws_lint_check;

/* "'%r1' is a .f32 register": begins a sentence about a name. */
static inline ws_text ws_lint_name(const ws_lint_check *check, ws_span name, const ws_declared *declared) {
    ws_text text = ws_lint_begin(check->lint);
    ws_text_add(&text, "'");
    ws_text_add_code(&text, check->lint, name);
    ws_text_add(&text, "' is a .");
    if (declared->space == WS_NAME_REG) {
        ws_text_add_bytes(&text, declared->type, declared->type_length);
        ws_text_add(&text, " register");
    } else {
        ws_text_add(&text, ws_name_space_word(declared->space));
        ws_text_add(&text, " symbol");
    }
    return text;
}

/* What a name means, or NULL. An undeclared name is a finding, unless no register is declared at all. */
static inline const ws_declared *ws_lint_find(const ws_lint_check *check, ws_span name) {
    const ws_lint_text *lint = check->lint;
    const ws_declared *declared = ws_names_find(check->names, lint->code + name.begin, name.end - name.begin);
    if (declared == NULL && check->names->registers > 0) {
        ws_text text = ws_lint_begin(lint);
        ws_text_add(&text, "undeclared register or symbol '");
        ws_text_add_code(&text, lint, name);
        ws_text_add(&text, "'");
        ws_lint_end_at(check->lint, WS_LINT_UNDECLARED, name, &text);
    }
    return declared;
}

/* A constant instead of a register: does the instruction take it? */
static inline bool ws_lint_data_constant(const ws_lint_check *check, ws_span piece) {
    const char *code = check->lint->code;
    const bool is_float = ws_lint_is_float(code, piece.begin, piece.end);
    ws_text text;
    if (ws_lint_takes_constant(check->op, code, piece)) return true;
    text = ws_lint_begin(check->lint);
    ws_text_add(&text, ws_kind_word(check->op->kind));
    ws_text_add(&text, " of .");
    ws_text_add(&text, ws_type_word(check->op->type));
    ws_text_add(&text, is_float ? " does not take a float constant" : " does not take an integer constant");
    ws_lint_end_at(check->lint, WS_LINT_CONSTANT, piece, &text);
    return false;
}

/* A name used as a register: does the instruction take it? */
static inline bool ws_lint_register(const ws_lint_check *check, ws_span name, const ws_declared *declared) {
    const ws_op *op = check->op;
    const bool is_register = declared->space == WS_NAME_REG;
    ws_text text;
    if (is_register && (declared->type_length == 0 || ws_lint_fits(op, declared->type, declared->type_length)))
        return true;
    text = ws_lint_name(check, name, declared);
    if (!is_register) {
        ws_text_add(&text, ", not a register");
    } else {
        ws_text_add(&text, ": ");
        ws_text_add(&text, ws_kind_word(op->kind));
        if (op->type != WS_TYPE_NONE) {
            ws_text_add(&text, " of .");
            ws_text_add(&text, ws_type_word(op->type));
        }
        ws_text_add_lint_types(&text, op);
    }
    ws_lint_end_at(check->lint, WS_LINT_REGISTER, name, &text);
    return false;
}

/* Elements that cannot share one vector: `first` was fine. */
static inline void ws_lint_vector(const ws_lint_check *check, ws_span name, const ws_declared *declared,
                                  ws_span first_name, const ws_declared *first) {
    ws_text text;
    if (ws_lint_go_together(first->type, first->type_length, declared->type, declared->type_length)) return;
    text = ws_lint_begin(check->lint);
    ws_text_add(&text, "'");
    ws_text_add_code(&text, check->lint, name);
    ws_text_add(&text, "' (.");
    ws_text_add_bytes(&text, declared->type, declared->type_length);
    ws_text_add(&text, ") and '");
    ws_text_add_code(&text, check->lint, first_name);
    ws_text_add(&text, "' (.");
    ws_text_add_bytes(&text, first->type, first->type_length);
    ws_text_add(&text, ") cannot share one vector");
    ws_lint_end_at(check->lint, WS_LINT_VECTOR, name, &text);
}

/* A constant in the vector of a warp-wide store must match the registers beside it; alone, it must match the type. */
static inline void ws_lint_beside(const ws_lint_check *check, ws_span piece, const ws_declared *first,
                                  ws_span first_name) {
    const bool is_float = ws_lint_is_float(check->lint->code, piece.begin, piece.end);
    ws_text text;
    if (piece.end == 0 || !ws_op_is_collective(check->op)) return;
    if (first != NULL ? ws_lint_go_beside(first->type, first->type_length, is_float)
                      : ws_lint_stands_alone(check->op, check->lint->code, piece)) {
        return;
    }
    text = ws_lint_begin(check->lint);
    ws_text_add(&text, is_float ? "a float constant" : "an integer constant");
    ws_text_add(&text, first != NULL ? " cannot share a vector with '" : " needs a register beside it here");
    if (first != NULL) {
        ws_text_add_code(&text, check->lint, first_name);
        ws_text_add(&text, "' (.");
        ws_text_add_bytes(&text, first->type, first->type_length);
        ws_text_add(&text, ")");
    }
    ws_lint_end_at(check->lint, WS_LINT_VECTOR, piece, &text);
}

/* A character between the registers and constants of a vector. */
static inline bool ws_lint_is_between(char c) { return c == ',' || c == '{' || c == '}' || c == '[' || c == ']'; }

/* A register, or several in braces. */
static inline void ws_lint_data(const ws_lint_check *check, ws_span operand) {
    const char *code = check->lint->code;
    ws_span last_name = ws_span_make(0, 0), constants[2] = {{0, 0}, {0, 0}}; /* the last integer and the last float */
    const ws_declared *last = NULL;
    bool known = true;
    size_t at = operand.begin;
    while (at < operand.end) {
        const ws_declared *declared;
        ws_span piece, name;
        if (ws_ptx_is_space(code[at]) || ws_lint_is_between(code[at])) {
            at++;
            continue;
        }
        piece.begin = at;
        while (at < operand.end && !ws_lint_is_between(code[at])) at++;
        piece.end = ws_ptx_trim(code, piece.begin, at);
        if (piece.end - piece.begin == 1 && code[piece.begin] == '_') continue;
        name = ws_ptx_name_at(code, piece.begin, piece.end);
        if (name.end != piece.end || ws_bytes_equal(code + piece.begin, piece.end - piece.begin, "WARP_SZ")) {
            if (ws_lint_data_constant(check, piece)) constants[ws_lint_is_float(code, piece.begin, piece.end)] = piece;
            continue;
        }
        declared = ws_lint_find(check, name);
        if (declared != NULL && declared == last) { /* of the family of its neighbour, which was fine */
            last_name = name;
            continue;
        }
        known = known && declared != NULL && declared->space == WS_NAME_REG && declared->type_length != 0;
        if (declared == NULL || declared->space == WS_NAME_UNKNOWN) continue;
        if (!ws_lint_register(check, name, declared) || declared->type_length == 0) continue;
        if (last != NULL) ws_lint_vector(check, name, declared, last_name, last); /* neighbours are compared */
        last = declared;
        last_name = name;
    }
    for (at = 0; at < 2 && known; at++) ws_lint_beside(check, constants[at], last, last_name);
}

#endif
