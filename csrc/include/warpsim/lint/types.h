/* Which declared types of registers an instruction takes.
 *
 * A declared type is the word in the file, which PTX may not have. Source: acceptance by ptxas 12.9, 13.0 and 13.5. */
#ifndef WARPSIM_LINT_TYPES_H
#define WARPSIM_LINT_TYPES_H

#include "../ptx/text.h"
#include "../ptx/qualifiers.h"

#define WS_INTEGERS_32 "b32 s32 u32"
#define WS_ANY_32 "b32 f16x2 f32 s32 u32"
#define WS_ADDRESSES WS_INTEGERS_32 " b64 s64 u64"
#define WS_NARROW_ADDRESSES "b8 s8 u8 b16 s16 u16" /* of .shared: zero-extended */

static inline bool ws_lint_is_one_of(char c, const char *list) {
    while (*list != '\0' && *list != c) list++;
    return *list != '\0';
}

/* Declared types of the registers of a warp-wide instruction, in alphabetical order. */
static inline const char *ws_lint_registers(const ws_op *op) {
    if (!ws_op_is_wmma(op)) return WS_ANY_32;
    switch (op->type) {
        case WS_TYPE_S8:
        case WS_TYPE_U8:
        case WS_TYPE_S32: return WS_INTEGERS_32;
        case WS_TYPE_BF16:
        case WS_TYPE_TF32: return "b32";
        case WS_TYPE_F16: return "b32 f16x2";
        case WS_TYPE_F32: return "b32 f32";
        case WS_TYPE_F64: return "b64 f64";
        default: return WS_ANY_32;
    }
}

/* 32 for "f16x2"; 0 if the type does not have one width. Saturates. */
static inline uint64_t ws_lint_bits(const char *type, size_t length) {
    size_t at = 0, digits;
    uint64_t bits = 0;
    while (at < length && type[at] >= 'a' && type[at] <= 'z') at++;
    if (at == 0) return 0;
    for (digits = at; at < length && ws_ptx_digit(type[at]) >= 0; at++) {
        bits = 10 * bits + (uint64_t)ws_ptx_digit(type[at]);
        if (bits > UINT32_MAX) bits = UINT32_MAX;
    }
    if (at > digits && length - at == 2 && type[at] == 'x' && type[at + 1] == '2') return 2 * bits;
    return at > digits && at == length ? bits : 0;
}

static inline bool ws_lint_is_integer(char c) { return c == 'u' || c == 's'; }

/* May a register of that declared type hold what the instruction moves? */
static inline bool ws_lint_fits(const ws_op *op, const char *type, size_t length) {
    const char *word = ws_type_word(op->type);
    if (ws_op_is_collective(op)) return ws_word_in(type, length, ws_lint_registers(op));
    if (ws_bytes_equal(type, length, "pred") || ws_lint_bits(type, length) < (uint64_t)ws_type_bits(op->type))
        return false;
    if (word[0] == 'b' || type[0] == 'b') return true;
    return (ws_lint_is_integer(word[0]) && ws_lint_is_integer(type[0])) || ws_bytes_equal(type, length, word);
}

/* " takes .b32, .f32", or what a plain access needs: the end of a sentence about an unsuitable type. */
static inline void ws_text_add_lint_types(ws_text *text, const ws_op *op) {
    const char *list = ws_lint_registers(op);
    if (!ws_op_is_collective(op)) {
        ws_text_add(text, " needs ");
        ws_text_add_int(text, ws_type_bits(op->type));
        ws_text_add(text, " bits or more, of a compatible type");
        return;
    }
    ws_text_add(text, " takes .");
    for (; *list != '\0'; list++) {
        if (*list == ' ') ws_text_add(text, ", .");
        else ws_text_add_bytes(text, list, 1);
    }
}

/* May registers of these two types share one vector of a plain access? */
static inline bool ws_lint_go_together(const char *first, size_t first_length, const char *other, size_t other_length) {
    const bool integers = ws_lint_is_integer(first[0]) && ws_lint_is_integer(other[0]);
    size_t i = 0;
    if (ws_lint_bits(first, first_length) != ws_lint_bits(other, other_length)) return false;
    if (integers || first[0] == 'b' || other[0] == 'b') return true;
    while (i < first_length && i < other_length && first[i] == other[i]) i++;
    return i == first_length && i == other_length;
}

static inline bool ws_lint_is_address(const char *type, size_t length, bool narrow) {
    return ws_word_in(type, length, WS_ADDRESSES) || (narrow && ws_word_in(type, length, WS_NARROW_ADDRESSES));
}

/* Does it start like a float literal: 0f3F800000, 0d..., 1.5? */
static inline bool ws_lint_is_float(const char *code, size_t at, size_t end) {
    size_t digits;
    if (end - at > 2 && code[at] == '0' && ws_lint_is_one_of(code[at + 1], "fFdD")) {
        for (digits = at + 2; digits < end && ws_digit_value(code[digits]) < 16; digits++) {
        }
        if (digits - at >= 10) return true;
    }
    if (at < end && code[at] == '-') at++;
    digits = ws_ptx_skip_digits(code, at, end);
    return digits > at && digits < end && code[digits] == '.';
}

/* 0f3F800000, but not 0d... or 1.5, which have 64 bits. */
static inline bool ws_lint_is_single(const char *code, ws_span piece) {
    return code[piece.begin] == '0' && ws_lint_is_one_of(code[piece.begin + 1], "fF");
}

/* A float, or else an integer, instead of a register. */
static inline bool ws_lint_takes_constant(const ws_op *op, const char *code, ws_span piece) {
    const bool is_float = ws_lint_is_float(code, piece.begin, piece.end);
    if (ws_op_is_load(op)) return false;
    if (ws_op_is_wmma(op))
        return is_float ? op->type == WS_TYPE_F64 || ws_lint_is_single(code, piece) : op->type != WS_TYPE_F64;
    if (ws_op_is_collective(op)) return true;
    if (!is_float) return ws_type_word(op->type)[0] != 'f';
    if (op->type == WS_TYPE_F32 || op->type == WS_TYPE_F64) return true;
    return op->type == (ws_lint_is_single(code, piece) ? WS_TYPE_B32 : WS_TYPE_B64);
}

/* May a constant be beside a register of that declared type in the vector of a warp-wide store? */
static inline bool ws_lint_go_beside(const char *type, size_t length, bool is_float) {
    if (type[0] == 'b') return true;
    return is_float ? ws_word_in(type, length, "f32 f64") : ws_lint_is_integer(type[0]);
}

/* May a constant be the last element of a vector without registers? */
static inline bool ws_lint_stands_alone(const ws_op *op, const char *code, ws_span piece) {
    if (!ws_lint_is_float(code, piece.begin, piece.end)) return ws_op_is_wmma(op);
    return op->type != WS_TYPE_S32 && (op->type == WS_TYPE_F64 || ws_lint_is_single(code, piece));
}

#endif
