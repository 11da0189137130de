/* The operands of one instruction that are not data, guard and addresses, checked against the declarations around them.
 *
 * The parser has already checked their number and form; what is left is what the names mean: declared types of
 * registers, state spaces of symbols, and the values of constants. Source: acceptance by ptxas 12.9, 13.0 and 13.5. */
#ifndef WARPSIM_LINT_OPERANDS_H
#define WARPSIM_LINT_OPERANDS_H

#include "../ptx/constants.h"
#include "data.h"
#include "../data/wmma_map.h"

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

static inline int ws_lint_space(const ws_op *op, bool is_source) {
    if (op->kind != WS_CP_ASYNC) return op->space;
    return is_source ? WS_SPACE_GLOBAL : WS_SPACE_SHARED;
}

/* A symbol as address. */
static inline void ws_lint_symbol(const ws_lint_check *check, ws_span name, const ws_declared *declared,
                                  bool is_source) {
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

/* The value of a piece that is one constant expression. */
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

/* The constant after the plus of an address: does it misalign an aligned base? */
static inline void ws_lint_offset(const ws_lint_check *check, ws_span piece) {
    const int bytes = ws_op_access_bytes(check->op), unit = bytes < 16 ? bytes : 16;
    int64_t value;
    ws_text text;
    if (!ws_op_is_collective(check->op) || !ws_lint_constant(check, piece, &value) || value % unit == 0) return;
    text = ws_lint_begin(check->lint);
    ws_text_add(&text, "offset ");
    ws_text_add_int(&text, value);
    ws_text_add(&text, " is not a multiple of ");
    ws_text_add_int(&text, unit);
    ws_text_add(&text, ": misaligned unless the base makes up for it");
    ws_lint_end_at(check->lint, WS_LINT_OFFSET, piece, &text);
}

/* A register as address. ptxas accepts any integer of 32 or 64 bits, but a generic address of a matrix instruction has
 * 64. */
static inline void ws_lint_address_register(const ws_lint_check *check, ws_span name, const ws_declared *declared) {
    const int space = ws_lint_space(check->op, false);
    const bool narrow = !ws_op_is_collective(check->op) && (space == WS_SPACE_SHARED || space == WS_SPACE_SHARED_CTA);
    ws_text text;
    if (declared->type_length == 0) return;
    if (!ws_lint_is_address(declared->type, declared->type_length, narrow)) {
        text = ws_lint_name(check, name, declared);
        ws_text_add(&text, ", which cannot hold a 32- or 64-bit address");
        ws_lint_end_at(check->lint, WS_LINT_ADDRESS, name, &text);
    } else if (ws_op_is_collective(check->op) && space == WS_SPACE_GENERIC &&
               ws_word_in(declared->type, declared->type_length, WS_INTEGERS_32)) {
        text = ws_lint_name(check, name, declared);
        ws_text_add(&text, ": a generic address has 64 bits; write .shared if this is a shared-memory address");
        ws_lint_end_at(check->lint, WS_LINT_GENERIC, name, &text);
    }
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
        ws_lint_address_register(check, name, declared);
    } else if (declared != NULL && declared->space != WS_NAME_UNKNOWN) {
        ws_lint_symbol(check, name, declared, is_source);
    }
    while (end > name.end && (code[end - 1] == ']' || code[end - 1] == ' ')) end--;
    end = ws_ptx_trim(code, name.end, end);
    plus = ws_ptx_skip_space(code, name.end, end);
    if (plus < end && code[plus] == '+') ws_lint_offset(check, ws_span_make(plus + 1, end));
}

#endif
