/* The operands of one instruction against the declarations around it.
 *
 * The parser has checked their number and form; what is left is what the names stand for: declared types of registers, state
 * spaces of symbols, and the values of constants. Source: acceptance by ptxas 12.9, 13.0 and 13.5. */
#ifndef WARPSIM_LINT_OPERANDS_H
#define WARPSIM_LINT_OPERANDS_H

#include "constants.h"
#include "lint_findings.h"
#include "lint_types.h"
#include "names.h"
#include "wmma_map.h"

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

/* What a name stands for, or NULL. A missing one is a finding, but where no register is declared at all. */
static inline const ws_declared *ws_lint_find(const ws_lint_check *check, ws_span name) {
    const ws_lint_text *lint = check->lint;
    const ws_declared *declared = ws_names_find(check->names, lint->code + name.begin, name.end - name.begin);
    if (declared == NULL && check->names->registers > 0) {
        ws_text text = ws_lint_begin(lint);
        ws_text_add(&text, "no register or symbol '");
        ws_text_add_code(&text, lint, name);
        ws_text_add(&text, "' is declared here");
        ws_lint_end_at(check->lint, WS_LINT_UNDECLARED, name, &text);
    }
    return declared;
}

static inline void ws_lint_guard(const ws_lint_check *check, ws_span name) {
    const ws_declared *declared = ws_lint_find(check, name);
    ws_text text;
    if (declared == NULL || declared->type_length == 0) return;
    if (ws_bytes_equal(declared->type, declared->type_length, "pred")) return;
    text = ws_lint_begin(check->lint);
    ws_text_add(&text, "'");
    ws_text_add_code(&text, check->lint, name);
    ws_text_add(&text, "' is a .");
    ws_text_add_bytes(&text, declared->type, declared->type_length);
    ws_text_add(&text, " register, not a predicate");
    ws_lint_end_at(check->lint, WS_LINT_GUARD, name, &text);
}

/* A constant in the place of a register. */
static inline void ws_lint_data_constant(const ws_lint_check *check, ws_span piece) {
    const char *code = check->lint->code;
    const bool is_float = ws_lint_is_float(code, piece.begin, piece.end);
    ws_text text;
    if (ws_lint_takes_constant(check->op, code, piece)) return;
    text = ws_lint_begin(check->lint);
    ws_text_add(&text, ws_kind_word(check->op->kind));
    ws_text_add(&text, " of .");
    ws_text_add(&text, ws_type_word(check->op->type));
    ws_text_add(&text, is_float ? " does not take a float constant" : " does not take an integer constant");
    ws_lint_end_at(check->lint, WS_LINT_CONSTANT, piece, &text);
}

/* A name in the place of a register. */
static inline void ws_lint_register(const ws_lint_check *check, ws_span name, const ws_declared *declared) {
    const ws_op *op = check->op;
    const bool is_register = declared->space == WS_NAME_REG;
    ws_text text;
    if (is_register && (declared->type_length == 0 || ws_lint_fits(op, declared->type, declared->type_length))) return;
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
}

/* Registers of one vector that do not go together: `first` was fine. */
static inline void ws_lint_vector(const ws_lint_check *check, ws_span name, const ws_declared *declared, ws_span first_name,
                                  const ws_declared *first) {
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
    ws_text_add(&text, ") do not go together in one vector");
    ws_lint_end_at(check->lint, WS_LINT_VECTOR, name, &text);
}

/* A register, or several in braces. */
static inline void ws_lint_data(const ws_lint_check *check, ws_span operand) {
    const char *code = check->lint->code;
    ws_span first_name = ws_span_make(0, 0);
    const ws_declared *first = NULL;
    size_t at = operand.begin;
    while (at < operand.end) {
        const ws_declared *declared;
        ws_span piece, name;
        if (ws_ptx_is_space(code[at]) || ws_lint_is_one_of(code[at], ",{}[]")) {
            at++;
            continue;
        }
        piece.begin = at;
        while (at < operand.end && !ws_lint_is_one_of(code[at], ",{}[]")) at++;
        piece.end = ws_ptx_trim(code, piece.begin, at);
        if (piece.end - piece.begin == 1 && code[piece.begin] == '_') continue;
        name = ws_ptx_name_at(code, piece.begin, piece.end);
        if (name.end != piece.end || ws_bytes_equal(code + piece.begin, piece.end - piece.begin, "WARP_SZ")) {
            ws_lint_data_constant(check, piece);
            continue;
        }
        declared = ws_lint_find(check, name);
        if (declared == NULL || declared->space == WS_NAME_UNKNOWN) continue;
        ws_lint_register(check, name, declared);
        if (declared->space != WS_NAME_REG || declared->type_length == 0 || ws_op_is_collective(check->op)) continue;
        if (first != NULL) {
            ws_lint_vector(check, name, declared, first_name, first);
        } else {
            first = declared;
            first_name = name;
        }
    }
}

static inline int ws_lint_space(const ws_op *op, bool is_source) {
    if (op->kind != WS_CP_ASYNC) return op->space;
    return is_source ? WS_SPACE_GLOBAL : WS_SPACE_SHARED;
}

/* A symbol as address. */
static inline void ws_lint_symbol(const ws_lint_check *check, ws_span name, const ws_declared *declared, bool is_source) {
    const ws_op *op = check->op;
    const int space = ws_lint_space(op, is_source), has = declared->space;
    ws_text text;
    if (space != WS_SPACE_GENERIC) {
        if (has == (space == WS_SPACE_GLOBAL ? WS_NAME_GLOBAL : WS_NAME_SHARED)) return;
    } else if (has == WS_NAME_SHARED || (has == WS_NAME_GLOBAL && (!ws_op_is_collective(op) || ws_op_is_wmma(op))) ||
               (has == WS_NAME_LOCAL && !ws_op_is_collective(op))) {
        return;
    }
    text = ws_lint_begin(check->lint);
    ws_text_add(&text, "'");
    ws_text_add_code(&text, check->lint, name);
    ws_text_add(&text, "' is in .");
    ws_text_add(&text, ws_name_space_word(has));
    ws_text_add(&text, ": ");
    ws_text_add(&text, ws_kind_word(op->kind));
    ws_text_add(&text, " here takes ");
    ws_text_add(&text, space != WS_SPACE_GENERIC ? "." : "a generic address");
    ws_text_add(&text, ws_space_word(space));
    ws_lint_end_at(check->lint, WS_LINT_SPACE, name, &text);
}

/* The value of a constant expression that is all of a piece. */
static inline bool ws_lint_constant(const ws_lint_check *check, ws_span piece, int64_t *value) {
    ws_cursor cursor;
    uint64_t bits = 0;
    cursor.text = check->lint->code;
    cursor.length = piece.end;
    cursor.at = piece.begin;
    cursor.error = NULL;
    if (ws_constant(&cursor, 0, 0, &bits) != WS_OK || ws_lex_skip_space(&cursor) != WS_OK) return false;
    *value = bits <= INT64_MAX ? (int64_t)bits : -(int64_t)(UINT64_MAX - bits) - 1;
    return ws_lex_at_end(&cursor);
}

/* The constant behind the plus of an address: one that takes an aligned base out of alignment. */
static inline void ws_lint_offset(const ws_lint_check *check, ws_span piece) {
    const int bytes = ws_op_access_bytes(check->op), unit = bytes < 16 ? bytes : 16;
    int64_t value;
    ws_text text;
    if (!ws_op_is_collective(check->op) || !ws_lint_constant(check, piece, &value) || value % unit == 0) return;
    text = ws_lint_begin(check->lint);
    ws_text_add(&text, "offset ");
    ws_text_add_int(&text, value);
    ws_text_add(&text, " is no multiple of ");
    ws_text_add_int(&text, unit);
    ws_text_add(&text, ": the base must make up for it");
    ws_lint_end_at(check->lint, WS_LINT_OFFSET, piece, &text);
}

/* [register], [symbol + constant]. */
static inline void ws_lint_address(const ws_lint_check *check, ws_span operand, bool is_source) {
    const char *code = check->lint->code;
    const ws_span name = ws_ptx_find_name(code, operand.begin, operand.end);
    const ws_declared *declared;
    size_t plus, end = operand.end;
    if (name.begin == name.end) return;
    declared = ws_lint_find(check, name);
    if (declared != NULL && declared->space == WS_NAME_REG) {
        const int space = ws_lint_space(check->op, false);
        const bool narrow = !ws_op_is_collective(check->op) && (space == WS_SPACE_SHARED || space == WS_SPACE_SHARED_CTA);
        if (declared->type_length != 0 && !ws_lint_is_address(declared->type, declared->type_length, narrow)) {
            ws_text text = ws_lint_name(check, name, declared);
            ws_text_add(&text, ", no 32- or 64-bit address");
            ws_lint_end_at(check->lint, WS_LINT_ADDRESS, name, &text);
        }
    } else if (declared != NULL && declared->space != WS_NAME_UNKNOWN) {
        ws_lint_symbol(check, name, declared, is_source);
    }
    while (end > name.end && (code[end - 1] == ']' || code[end - 1] == ' ')) end--;
    end = ws_ptx_trim(code, name.end, end);
    plus = ws_ptx_skip_space(code, name.end, end);
    if (plus < end && code[plus] == '+') ws_lint_offset(check, ws_span_make(plus + 1, end));
}

#endif
