/* Constant expressions of a PTX file, folded as the assembler folds them.
 *
 * "Constant Expressions" of the PTX ISA: integers are signed unless they have a U, do not fit, or meet one that is not;
 * shifts count modulo 64. Doubles are added, subtracted, multiplied, divided and compared, with doubles alone. Nesting is bounded, so no text can exhaust the stack. */
#ifndef WARPSIM_MODULE_CONSTANT_H
#define WARPSIM_MODULE_CONSTANT_H

#include "../number/bits.h"
#include "literal.h"

enum { WS_CONSTANT_NESTING = 64, WS_CONSTANT_UNARY = 11 /* binds tighter than every operator */ };

static inline ws_status ws_fold(ws_cursor *cursor, int depth, int binds, ws_folded *value);

/* ( expression ), or a cast such as (.s64) before a factor; the parenthesis is taken. */
static inline ws_status ws_fold_bracket(ws_cursor *cursor, int depth, ws_folded *value) {
    const char *word;
    size_t count;
    bool is_unsigned;
    ws_skip(cursor);
    if (!ws_lex_take(cursor, '.')) {
        WS_RETURN_IF_ERROR(ws_fold(cursor, depth + 1, 0, value));
        return ws_lex_take(cursor, ')') ? WS_OK : ws_lex_expected(cursor, "')'");
    }
    if (!ws_lex_word(cursor, false, &word, &count)) return ws_lex_expected(cursor, "a cast to .s64 or .u64");
    is_unsigned = ws_bytes_equal(word, count, "u64");
    if (!is_unsigned && !ws_bytes_equal(word, count, "s64")) {
        cursor->at -= count;
        return ws_lex_expected(cursor, "a cast to .s64 or .u64");
    }
    ws_skip(cursor);
    if (!ws_lex_take(cursor, ')')) return ws_lex_expected(cursor, "')'");
    WS_RETURN_IF_ERROR(ws_fold(cursor, depth + 1, WS_CONSTANT_UNARY, value));
    if (ws_folded_is_float(value)) return ws_lex_expected(cursor, "an integer after a cast");
    value->kind = is_unsigned ? WS_CONSTANT_U64 : WS_CONSTANT_S64;
    return WS_OK;
}

static inline ws_status ws_fold_sign(ws_cursor *cursor, int depth, char sign, ws_folded *value) {
    const size_t start = cursor->at++;
    WS_RETURN_IF_ERROR(ws_fold(cursor, depth + 1, WS_CONSTANT_UNARY, value));
    if (value->kind == WS_CONSTANT_F32 || (value->kind == WS_CONSTANT_F64 && sign != '-' && sign != '+')) {
        return ws_lex_wrong(cursor, start, 1, "this sign does not go before such a number");
    }
    if (value->kind == WS_CONSTANT_F64) {
        if (sign == '-') value->bits ^= UINT64_C(1) << 63;
        return WS_OK;
    }
    if (sign == '-') value->bits = (uint64_t)0 - value->bits;
    if (sign == '~') value->bits = ~value->bits;
    if (sign != '!') return WS_OK;
    value->bits = value->bits == 0;
    value->kind = WS_CONSTANT_S64;
    return WS_OK;
}

static inline ws_status ws_fold_factor(ws_cursor *cursor, int depth, ws_folded *value) {
    const char c = ws_lex_peek(cursor, 0);
    const char *word;
    size_t count;
    if (depth >= WS_CONSTANT_NESTING) return ws_lex_expected(cursor, "a simpler constant");
    if (c == '+' || c == '-' || c == '~' || c == '!') return ws_fold_sign(cursor, depth, c, value);
    if (ws_lex_take(cursor, '(')) return ws_fold_bracket(cursor, depth, value);
    if (ws_constant_hex_float(cursor, value)) return WS_OK;
    if (ws_constant_is_decimal(cursor)) return ws_constant_decimal(cursor, value);
    if (ws_char_is_digit(c)) return ws_constant_integer(cursor, value);
    value->bits = WS_LANES;
    value->kind = WS_CONSTANT_S64;
    if (ws_lex_word(cursor, false, &word, &count)) {
        if (ws_bytes_equal(word, count, "WARP_SZ")) return WS_OK;
        cursor->at -= count;
    }
    return ws_lex_expected(cursor, "a constant");
}

/* left = left operator right, of integers. */
static inline void ws_fold_apply(const char *word, ws_folded *left, const ws_folded *right) {
    const bool is_signed = left->kind == WS_CONSTANT_S64 && right->kind == WS_CONSTANT_S64;
    const uint64_t sign = UINT64_C(1) << 63, a = left->bits, b = right->bits;
    const bool twice = word[1] == word[0];
    const unsigned shift = (unsigned)(b & 63);
    const bool minus = is_signed && a >> 63 != 0, other_minus = is_signed && b >> 63 != 0;
    uint64_t result;
    if ((word[0] == '<' || word[0] == '>') && twice) { /* the sign of the left alone */
        left->bits = word[0] == '<' ? a << shift
                     : left->kind == WS_CONSTANT_S64 && a >> 63 && shift != 0
                         ? a >> shift | ~UINT64_C(0) << (64 - shift)
                         : a >> shift;
        return;
    }
    if (word[0] == '/' || word[0] == '%') {
        const uint64_t top = minus ? (uint64_t)0 - a : a, bottom = other_minus ? (uint64_t)0 - b : b;
        result = word[0] == '/' ? top / bottom : top % bottom;
        if (word[0] == '/' ? minus != other_minus : minus) result = (uint64_t)0 - result;
    } else if ((word[0] == '<' || word[0] == '>') && is_signed) {
        result = ws_constant_apply(word, a ^ sign, b ^ sign);
    } else {
        result = ws_constant_apply(word, a, b);
    }
    left->bits = result;
    left->kind = is_signed || (twice && (word[0] == '&' || word[0] == '|')) || word[0] == '<' || word[0] == '>' ||
                         word[0] == '=' || word[0] == '!'
                     ? WS_CONSTANT_S64
                     : WS_CONSTANT_U64;
}

/* left = left operator right, of doubles; false: the operator takes integers. */
static inline bool ws_fold_apply_double(const char *word, ws_folded *left, const ws_folded *right) {
    const double a = ws_double_of(left->bits), b = ws_double_of(right->bits);
    const bool or_equal = word[1] == '=', is_equal = !(a < b) && !(a > b) && a >= b;
    bool holds;
    if (word[1] == '\0' && (word[0] == '+' || word[0] == '-' || word[0] == '*' || word[0] == '/')) {
        left->bits = ws_bits64_of(word[0] == '+' ? a + b : word[0] == '-' ? a - b : word[0] == '*' ? a * b : a / b);
        return true;
    }
    if (word[1] != '\0' && !or_equal) return false;
    switch (word[0]) {
        case '<': holds = a < b || (or_equal && is_equal); break;
        case '>': holds = a > b || (or_equal && is_equal); break;
        case '=': holds = is_equal; break;
        case '!': holds = !is_equal; break;
        default: return false;
    }
    left->bits = holds;
    left->kind = WS_CONSTANT_S64;
    return true;
}

/* left = left operator right, which is at byte `start`. */
static inline ws_status ws_fold_two(ws_cursor *cursor, size_t start, const char *word, ws_folded *left,
                                    const ws_folded *right) {
    const bool is_float = ws_folded_is_float(left) || ws_folded_is_float(right);
    const bool is_zero = (ws_folded_is_float(right) ? right->bits << 1 : right->bits) == 0;
    const size_t length = ws_string_length(word);
    if (is_float && (left->kind != WS_CONSTANT_F64 || right->kind != WS_CONSTANT_F64))
        return ws_lex_wrong(cursor, start, length, "expected two integers, or two numbers such as 1.0, to combine");
    if ((word[0] == '/' || word[0] == '%') && is_zero) return ws_lex_wrong(cursor, start, 1, "this divides by zero");
    if (!is_float) ws_fold_apply(word, left, right);
    else if (!ws_fold_apply_double(word, left, right))
        return ws_lex_wrong(cursor, start, length, "this operator takes integers alone");
    return WS_OK;
}

/* value ? a : b; the question mark is taken. */
static inline ws_status ws_fold_choice(ws_cursor *cursor, int depth, ws_folded *value) {
    ws_folded first, second;
    WS_RETURN_IF_ERROR(ws_fold(cursor, depth + 1, 0, &first));
    if (!ws_lex_take(cursor, ':')) return ws_lex_expected(cursor, "':'");
    WS_RETURN_IF_ERROR(ws_fold(cursor, depth + 1, 0, &second));
    *value = value->bits != 0 ? first : second;
    return WS_OK;
}

/* An expression of operators that bind at least as tightly as `binds`, and the blanks on both sides of it. */
static inline ws_status ws_fold(ws_cursor *cursor, int depth, int binds, ws_folded *value) {
    ws_skip(cursor);
    WS_RETURN_IF_ERROR(ws_fold_factor(cursor, depth, value));
    for (;;) {
        const ws_constant_operator *operation;
        ws_folded right;
        size_t start;
        ws_skip(cursor);
        start = cursor->at;
        operation = ws_constant_operator_at(cursor);
        if (operation == NULL || operation->binds < binds) return WS_OK;
        if (value->kind == WS_CONSTANT_F32 || (ws_folded_is_float(value) && operation->word[0] == '?'))
            return ws_lex_expected(cursor, "the end of a constant: this takes integers alone");
        cursor->at += ws_string_length(operation->word);
        if (operation->word[0] == '?') {
            WS_RETURN_IF_ERROR(ws_fold_choice(cursor, depth, value));
            continue;
        }
        WS_RETURN_IF_ERROR(ws_fold(cursor, depth + 1, operation->binds + 1, &right));
        WS_RETURN_IF_ERROR(ws_fold_two(cursor, start, operation->word, value, &right));
    }
}

/* The same where only an integer fits. */
static inline ws_status ws_fold_integer(ws_cursor *cursor, ws_folded *value) {
    const size_t start = cursor->at;
    WS_RETURN_IF_ERROR(ws_fold(cursor, 0, 0, value));
    if (!ws_folded_is_float(value)) return WS_OK;
    cursor->at = start;
    return ws_lex_expected(cursor, "an integer");
}

#endif
