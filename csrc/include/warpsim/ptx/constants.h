/* Integer constant expressions, and float literals, as operands hold them.
 *
 * "Constant Expressions" of the PTX ISA: C's operators and their precedence. Values are unsigned 64 bits that wrap, and
 * every comparison is unsigned; casts are accepted and ignored. Nesting is bounded, so no text can exhaust the
 * stack. */
#ifndef WARPSIM_PTX_CONSTANTS_H
#define WARPSIM_PTX_CONSTANTS_H

#include "lex.h"
#include "../isa/op.h"

enum { WS_MAX_NESTING = 16 };

static inline ws_status ws_constant(ws_cursor *cursor, int depth, int binds, uint64_t *value);

/* ( expression ), or a cast such as (.s64) before a factor. */
static inline ws_status ws_constant_bracket(ws_cursor *cursor, int depth, uint64_t *value) {
    const char *word;
    size_t count;
    if (!ws_lex_take(cursor, '.')) {
        WS_RETURN_IF_ERROR(ws_constant(cursor, depth + 1, 0, value));
        return ws_lex_take(cursor, ')') ? WS_OK : ws_lex_expected(cursor, "')'");
    }
    if (!ws_lex_word(cursor, false, &word, &count) ||
        !(ws_bytes_equal(word, count, "s64") || ws_bytes_equal(word, count, "u64"))) {
        return ws_lex_expected(cursor, "a cast to .s64 or .u64");
    }
    if (!ws_lex_take(cursor, ')')) return ws_lex_expected(cursor, "')'");
    return ws_constant(cursor, depth + 1, WS_MAX_NESTING, value);
}

static inline ws_status ws_constant_factor(ws_cursor *cursor, int depth, uint64_t *value) {
    const char *word;
    size_t count;
    char sign;
    WS_RETURN_IF_ERROR(ws_lex_skip_space(cursor));
    if (depth >= WS_MAX_NESTING) return ws_lex_expected(cursor, "a simpler constant");
    sign = ws_lex_peek(cursor, 0);
    if (sign == '+' || sign == '-' || sign == '~' || sign == '!') {
        cursor->at++;
        WS_RETURN_IF_ERROR(ws_constant_factor(cursor, depth + 1, value));
        if (sign == '-') *value = (uint64_t)0 - *value;
        if (sign == '~') *value = ~*value;
        if (sign == '!') *value = *value == 0;
        return WS_OK;
    }
    if (ws_lex_take(cursor, '(')) return ws_constant_bracket(cursor, depth, value);
    if (ws_lex_integer(cursor, value)) return WS_OK;
    if (!ws_char_is_digit(ws_lex_peek(cursor, 0)) && ws_lex_word(cursor, false, &word, &count)) {
        if (ws_bytes_equal(word, count, "WARP_SZ")) {
            *value = WS_LANES;
            return WS_OK;
        }
        cursor->at -= count;
    }
    return ws_lex_expected(cursor, "an integer constant");
}

typedef struct ws_constant_operator {
    char word[3];
    uint8_t binds; /* higher: more tightly */
} ws_constant_operator;

/* The operator at the cursor, or NULL; longer operators come before their prefixes. */
static inline const ws_constant_operator *ws_constant_operator_at(const ws_cursor *cursor) {
    static const ws_constant_operator operators[] = {
        {"||", 1}, {"&&", 2}, {"==", 6}, {"!=", 6}, {"<=", 7}, {">=", 7}, {"<<", 8}, {">>", 8}, {"?", 0}, {"|", 3},
        {"^", 4},  {"&", 5},  {"<", 7},  {">", 7},  {"+", 9},  {"-", 9},  {"*", 10}, {"/", 10}, {"%", 10}};
    const char c = ws_lex_peek(cursor, 0);
    size_t i;
    if (c == ']' || c == ';') return NULL; /* as nearly always */
    for (i = 0; i < sizeof operators / sizeof operators[0]; i++) {
        const char *word = operators[i].word;
        if (c == word[0] && (word[1] == '\0' || ws_lex_peek(cursor, 1) == word[1])) {
            return &operators[i];
        }
    }
    return NULL;
}

static inline uint64_t ws_constant_apply(const char *word, uint64_t a, uint64_t b) {
    const bool twice = word[1] == word[0], or_equal = word[1] == '=';
    switch (word[0]) {
        case '*': return a * b;
        case '/': return b != 0 ? a / b : 0;
        case '%': return b != 0 ? a % b : 0;
        case '+': return a + b;
        case '-': return a - b;
        case '^': return a ^ b;
        case '=': return a == b;
        case '!': return a != b;
        case '&': return twice ? a != 0 && b != 0 : a & b;
        case '|': return twice ? a != 0 || b != 0 : a | b;
        case '<': return twice ? (b < 64 ? a << b : 0) : or_equal ? a <= b : a < b;
        default: return twice ? (b < 64 ? a >> b : 0) : or_equal ? a >= b : a > b;
    }
}

/* An expression of operators that bind at least as tightly as `binds`. */
static inline ws_status ws_constant(ws_cursor *cursor, int depth, int binds, uint64_t *value) {
    WS_RETURN_IF_ERROR(ws_constant_factor(cursor, depth, value));
    for (;;) {
        const ws_constant_operator *operation;
        uint64_t right = 0, other = 0;
        WS_RETURN_IF_ERROR(ws_lex_skip_space(cursor));
        operation = ws_constant_operator_at(cursor);
        if (operation == NULL || operation->binds < binds) return WS_OK;
        cursor->at += ws_string_length(operation->word);
        if (operation->word[0] == '?') {
            WS_RETURN_IF_ERROR(ws_constant(cursor, depth + 1, 0, &right));
            if (!ws_lex_take(cursor, ':')) return ws_lex_expected(cursor, "':'");
            WS_RETURN_IF_ERROR(ws_constant(cursor, depth + 1, 0, &other));
            *value = *value != 0 ? right : other;
            continue;
        }
        WS_RETURN_IF_ERROR(ws_constant(cursor, depth + 1, operation->binds + 1, &right));
        if ((operation->word[0] == '/' || operation->word[0] == '%') && right == 0) {
            return ws_lex_expected(cursor, "no division by zero");
        }
        *value = ws_constant_apply(operation->word, *value, right);
    }
}

static inline size_t ws_lex_digits(ws_cursor *cursor, int base) {
    const size_t start = cursor->at;
    while (ws_digit_value(ws_lex_peek(cursor, 0)) < base) cursor->at++;
    return cursor->at - start;
}

/* 1.0, -1.5e3: digits on both sides of the dot. */
static inline bool ws_lex_decimal(ws_cursor *cursor) {
    ws_lex_take(cursor, '-');
    if (ws_lex_digits(cursor, 10) == 0 || !ws_lex_take(cursor, '.') || ws_lex_digits(cursor, 10) == 0) return false;
    if (ws_lex_take(cursor, 'e') || ws_lex_take(cursor, 'E')) {
        if (!ws_lex_take(cursor, '-')) ws_lex_take(cursor, '+');
        if (ws_lex_digits(cursor, 10) == 0) return false;
    }
    return !ws_char_is_word(ws_lex_peek(cursor, 0));
}

/* Takes 0f and 8 or 0d and 16 hexadecimal digits; if `decimal`, also 1.0. Otherwise false, and takes nothing. */
static inline bool ws_lex_float(ws_cursor *cursor, bool decimal) {
    const size_t start = cursor->at;
    const char kind = ws_lex_peek(cursor, 1);
    if (ws_lex_peek(cursor, 0) == '0' && (kind == 'f' || kind == 'F' || kind == 'd' || kind == 'D')) {
        cursor->at += 2;
        if (ws_lex_digits(cursor, 16) == (kind == 'f' || kind == 'F' ? 8u : 16u) &&
            !ws_char_is_word(ws_lex_peek(cursor, 0))) {
            return true;
        }
        cursor->at = start;
        return false;
    }
    if (decimal && ws_lex_decimal(cursor)) return true;
    cursor->at = start;
    return false;
}

#endif
