/* Constants of a PTX file: literals, and expressions of them, folded as the assembler folds them.
 *
 * "Constants" and "Constant Expressions" of the PTX ISA: integers have 64 bits and are signed unless they have a U, do
 * not fit, or meet one that is not; shifts count modulo 64. Nesting is bounded, so no text can exhaust the stack. */
#ifndef WARPSIM_MODULE_CONSTANT_H
#define WARPSIM_MODULE_CONSTANT_H

#include "decimal.h"
#include "../ptx/constants.h"

enum { WS_CONSTANT_NESTING = 64, WS_CONSTANT_UNARY = 11 /* binds tighter than every operator */ };

typedef enum ws_constant_kind { WS_CONSTANT_S64, WS_CONSTANT_U64, WS_CONSTANT_F32, WS_CONSTANT_F64 } ws_constant_kind;

typedef struct ws_folded {
    uint64_t bits;
    uint8_t kind; /* ws_constant_kind; F32: 0f3F800000 */
} ws_folded;

static inline bool ws_folded_is_float(const ws_folded *value) { return value->kind >= WS_CONSTANT_F32; }

static inline bool ws_folded_is_negative(const ws_folded *value) {
    return value->kind == WS_CONSTANT_S64 && value->bits >> 63 != 0;
}

/* Spaces and comments; the text's comments are known to end. */
static inline void ws_skip(ws_cursor *cursor) {
    if (ws_lex_skip_space(cursor) != WS_OK) cursor->at = cursor->length;
}

static inline ws_status ws_lex_wrong(ws_cursor *cursor, size_t at, size_t count, const char *message) {
    ws_text text = ws_lex_complain(cursor, at, count);
    ws_text_add(&text, message);
    return WS_SYNTAX;
}

/* 1.5, 1., .5, 1e3: the digits from `at`; not a float if neither a dot nor an exponent is among them. */
static inline bool ws_constant_is_decimal(const ws_cursor *cursor) {
    size_t i = 0;
    char next;
    while (ws_char_is_digit(ws_lex_peek(cursor, i))) i++;
    next = ws_lex_peek(cursor, i);
    if (next == '.') return i > 0 || ws_char_is_digit(ws_lex_peek(cursor, 1));
    return i > 0 && (next == 'e' || next == 'E');
}

/* Takes digits into the number; *exponent counts those that are left out or follow the dot. */
static inline void ws_decimal_take(ws_cursor *cursor, bool fraction, ws_natural *digits, int *taken, bool *sticky,
                                   int64_t *exponent) {
    for (; ws_char_is_digit(ws_lex_peek(cursor, 0)); cursor->at++) {
        const uint32_t digit = (uint32_t)(ws_lex_peek(cursor, 0) - '0');
        if (*taken >= WS_DECIMAL_DIGITS) {
            *sticky |= digit != 0;
            *exponent += !fraction;
            continue;
        }
        if (digits->count == 0 && digit != 0) digits->words[digits->count++] = digit;
        else ws_natural_multiply(digits, 10, digit);
        *taken += digits->count > 0;
        *exponent -= fraction;
    }
}

static inline ws_status ws_constant_decimal(ws_cursor *cursor, ws_folded *value) {
    const size_t start = cursor->at;
    ws_natural digits;
    bool sticky = false, minus;
    int taken = 0;
    int64_t exponent = 0, power = 0;
    digits.count = 0;
    ws_decimal_take(cursor, false, &digits, &taken, &sticky, &exponent);
    if (ws_lex_take(cursor, '.')) ws_decimal_take(cursor, true, &digits, &taken, &sticky, &exponent);
    if (ws_lex_take(cursor, 'e') || ws_lex_take(cursor, 'E')) {
        minus = ws_lex_take(cursor, '-');
        if (!minus) ws_lex_take(cursor, '+');
        if (!ws_char_is_digit(ws_lex_peek(cursor, 0))) return ws_lex_expected(cursor, "the digits of an exponent");
        for (; ws_char_is_digit(ws_lex_peek(cursor, 0)); cursor->at++) {
            if (power < INT32_MAX) power = 10 * power + (ws_lex_peek(cursor, 0) - '0');
        }
        exponent += minus ? -power : power;
    }
    if (ws_char_is_word(ws_lex_peek(cursor, 0))) return ws_lex_expected(cursor, "the end of a number");
    value->kind = WS_CONSTANT_F64;
    value->bits = 0;
    if (digits.count == 0 || exponent + taken < -400) return WS_OK;
    value->bits = exponent + taken > 400 ? UINT64_MAX : ws_decimal_bits(&digits, sticky, (int)exponent);
    if (value->bits != UINT64_MAX) return WS_OK;
    return ws_lex_wrong(cursor, start, cursor->at - start, "this number is too large for a double");
}

/* 0f3F800000, 0d3FF0000000000000: exactly 8 and 16 digits. */
static inline bool ws_constant_hex_float(ws_cursor *cursor, ws_folded *value) {
    const size_t start = cursor->at;
    if (!ws_lex_float(cursor, false)) return false;
    value->kind = cursor->at - start == 10 ? WS_CONSTANT_F32 : WS_CONSTANT_F64;
    value->bits = 0;
    for (cursor->at = start + 2; ws_digit_value(ws_lex_peek(cursor, 0)) < 16; cursor->at++) {
        value->bits = value->bits << 4 | (uint64_t)ws_digit_value(ws_lex_peek(cursor, 0));
    }
    return true;
}

/* 16, 0x10, 020, 0b10000, and any of them with a U. */
static inline ws_status ws_constant_integer(ws_cursor *cursor, ws_folded *value) {
    const size_t start = cursor->at;
    const char mark = ws_lex_peek(cursor, 1);
    const bool is_hex = mark == 'x' || mark == 'X', is_binary = mark == 'b' || mark == 'B';
    const uint64_t base = ws_lex_peek(cursor, 0) != '0' ? 10 : is_hex ? 16 : is_binary ? 2 : 8;
    uint64_t before = 0;
    size_t i = base == 16 || base == 2 ? 2 : 0;
    if (!ws_lex_integer(cursor, &value->bits)) return ws_lex_expected(cursor, "a number");
    for (; start + i < cursor->at && cursor->text[start + i] != 'U'; i++) {
        if (before > UINT64_MAX / base ||
            before * base > UINT64_MAX - (uint64_t)ws_digit_value(cursor->text[start + i])) {
            return ws_lex_wrong(cursor, start, cursor->at - start, "this number does not fit in 64 bits");
        }
        before = before * base + (uint64_t)ws_digit_value(cursor->text[start + i]);
    }
    value->kind = value->bits >> 63 != 0 || cursor->text[cursor->at - 1] == 'U' ? WS_CONSTANT_U64 : WS_CONSTANT_S64;
    return WS_OK;
}

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
        if (ws_folded_is_float(value))
            return ws_lex_expected(cursor, "the end of a constant: only integers are combined");
        cursor->at += ws_string_length(operation->word);
        if (operation->word[0] == '?') {
            WS_RETURN_IF_ERROR(ws_fold_choice(cursor, depth, value));
            continue;
        }
        WS_RETURN_IF_ERROR(ws_fold(cursor, depth + 1, operation->binds + 1, &right));
        if (ws_folded_is_float(&right)) return ws_lex_wrong(cursor, start, 1, "only integers are combined");
        if ((operation->word[0] == '/' || operation->word[0] == '%') && right.bits == 0) {
            return ws_lex_wrong(cursor, start, 1, "this divides by zero");
        }
        ws_fold_apply(operation->word, value, &right);
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
