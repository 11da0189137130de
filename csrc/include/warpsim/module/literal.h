/* Literals of a PTX file: integers of 64 bits, floats by their bits or in decimal.
 *
 *     16   0x10   020   0b10000   16U      0f3F800000   0d3FF0000000000000   1.5   1.   .5   1e-3
 *
 * "Constants" of the PTX ISA, and what ptxas 13.0 accepts. */
#ifndef WARPSIM_MODULE_LITERAL_H
#define WARPSIM_MODULE_LITERAL_H

#include "../base/apart.h"
#include "decimal.h"
#include "../ptx/constants.h"

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

WS_ONCE ws_status ws_constant_decimal(ws_cursor *cursor, ws_folded *value) {
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

#endif
