/* The operands of an instruction: do they match its qualifiers?
 *
 *     ldmatrix  {d0, d1}, [a+16]      stmatrix  [a], {s0, s1}      movmatrix  d, a
 *     ld        d, [a]                st        [a], {s0, s1}      cp.async   [d], [s], 16
 *
 * Counts and shapes are checked; declared types need the declarations of a whole file and are not checked here. Source:
 * acceptance by ptxas 12.9, 13.0 and 13.5. */
#ifndef WARPSIM_PTX_OPERANDS_H
#define WARPSIM_PTX_OPERANDS_H

#include "constants.h"
#include "../isa/form.h"

enum { WS_MAX_VECTOR = 64 };

/* A register or a symbol; WARP_SZ is a constant. */
static inline bool ws_operand_name(ws_cursor *cursor, const char **word, size_t *count) {
    const size_t start = cursor->at;
    if (ws_lex_identifier(cursor, word, count) && !ws_bytes_equal(*word, *count, "WARP_SZ")) return true;
    cursor->at = start;
    return false;
}

/* [register], [symbol+16], [register+-32]; an address that is just a number exists only for .local. */
static inline ws_status ws_operand_address(ws_cursor *cursor) {
    const char *word;
    size_t count;
    uint64_t offset;
    if (!ws_lex_take(cursor, '[')) return ws_lex_expected(cursor, "an address in brackets, [a]");
    WS_RETURN_IF_ERROR(ws_lex_skip_space(cursor));
    if (!ws_operand_name(cursor, &word, &count)) {
        return ws_lex_expected(cursor, "a register or a symbol as address");
    }
    WS_RETURN_IF_ERROR(ws_lex_skip_space(cursor));
    if (ws_lex_take(cursor, '+')) {
        const size_t start = cursor->at;
        WS_RETURN_IF_ERROR(ws_constant(cursor, 0, 0, &offset));
        if (offset + UINT64_C(0x80000000) > UINT32_MAX) {
            ws_text text = ws_lex_complain(cursor, start, cursor->at - start);
            ws_text_add(&text, "the offset does not fit in a signed 32-bit integer; add it to the register");
            return WS_UNSUPPORTED;
        }
        WS_RETURN_IF_ERROR(ws_lex_skip_space(cursor));
    }
    if (!ws_lex_take(cursor, ']')) return ws_lex_expected(cursor, "']' or '+' and a constant");
    WS_RETURN_IF_ERROR(ws_lex_skip_space(cursor));
    if (ws_lex_peek(cursor, 0) != '.') return WS_OK;
    {
        ws_text text = ws_lex_complain(cursor, cursor->at, 1);
        ws_text_add(&text, "not modelled: a qualifier after the address");
        return WS_NOT_MODELLED;
    }
}

typedef enum ws_element_rule {
    WS_ELEMENT_REGISTER,
    WS_ELEMENT_OR_FLOAT,   /* or 0f3F800000 */
    WS_ELEMENT_OR_CONSTANT /* or that, or 7, -1 */
} ws_element_rule;

/* One register, or a constant if the rule allows it. *sink is set for "_". */
static inline ws_status ws_operand_element(ws_cursor *cursor, ws_element_rule rule, bool *sink) {
    const char *word;
    size_t count;
    uint64_t value;
    *sink = false;
    if (ws_operand_name(cursor, &word, &count)) {
        *sink = ws_bytes_equal(word, count, "_");
        return WS_OK;
    }
    if (rule != WS_ELEMENT_REGISTER && ws_lex_float(cursor, rule == WS_ELEMENT_OR_CONSTANT)) return WS_OK;
    return rule == WS_ELEMENT_OR_CONSTANT ? ws_constant(cursor, 0, 0, &value) : ws_lex_expected(cursor, "a register");
}

/* The same where "_" is not allowed. */
static inline ws_status ws_operand_register(ws_cursor *cursor, ws_element_rule rule) {
    bool sink;
    WS_RETURN_IF_ERROR(ws_operand_element(cursor, rule, &sink));
    if (!sink) return WS_OK;
    cursor->at--;
    return ws_lex_expected(cursor, "a register");
}

/* {r0, r1}: as many elements as `expected`; `load` is a destination, where some may be "_". `name`: of the opcode. */
static inline ws_status ws_operand_list(ws_cursor *cursor, const char *name, int expected, bool load) {
    const size_t start = cursor->at;
    ws_element_rule rule = WS_ELEMENT_REGISTER;
    int elements = 0, sinks = 0;
    if (!ws_lex_take(cursor, '{')) return ws_lex_expected(cursor, "registers in braces, {r}");
    do {
        bool sink;
        WS_RETURN_IF_ERROR(ws_lex_skip_space(cursor));
        if (!load) rule = expected > 1 ? WS_ELEMENT_OR_CONSTANT : WS_ELEMENT_OR_FLOAT;
        WS_RETURN_IF_ERROR(ws_operand_element(cursor, rule, &sink));
        WS_RETURN_IF_ERROR(ws_lex_skip_space(cursor));
        sinks += sink;
        elements++;
    } while (elements < WS_MAX_VECTOR && ws_lex_take(cursor, ','));
    if (!ws_lex_take(cursor, '}')) return ws_lex_expected(cursor, "',' or '}'");
    if (elements != expected) {
        ws_text text = ws_lex_complain(cursor, start, cursor->at - start);
        ws_text_add(&text, name);
        ws_text_add(&text, " with these qualifiers takes ");
        ws_text_add_uint(&text, (uint64_t)expected);
        ws_text_add(&text, expected == 1 ? " register, not " : " registers, not ");
        ws_text_add_uint(&text, (uint64_t)elements);
        return WS_SYNTAX;
    }
    if (sinks > 0 && (!load || sinks == elements)) {
        ws_text text = ws_lex_complain(cursor, start, cursor->at - start);
        ws_text_add(&text, load ? "at least one destination must be a register, not '_'"
                                : "'_' is not a source register; name one");
        return WS_SYNTAX;
    }
    return WS_OK;
}

static inline ws_status ws_operand_vector(ws_cursor *cursor, const ws_op *op, int expected, bool load) {
    return ws_operand_list(cursor, ws_kind_word(op->kind), expected, load);
}

/* What ld and st move: one register, with or without braces, or a vector of them. */
static inline ws_status ws_operand_plain(ws_cursor *cursor, const ws_op *op) {
    const bool load = op->kind == WS_LD;
    if (op->vec > 1 || ws_lex_peek(cursor, 0) == '{') return ws_operand_vector(cursor, op, op->vec, load);
    return ws_operand_register(cursor, load ? WS_ELEMENT_REGISTER : WS_ELEMENT_OR_CONSTANT);
}

static inline ws_status ws_operand_comma(ws_cursor *cursor) {
    WS_RETURN_IF_ERROR(ws_lex_skip_space(cursor));
    if (!ws_lex_take(cursor, ',')) return ws_lex_expected(cursor, "','");
    return ws_lex_skip_space(cursor);
}

/* The cp-size; a further operand (src-size, ignore-src, cache-policy) is legal PTX that is not modelled. */
static inline ws_status ws_operand_copy_size(ws_cursor *cursor, ws_op *op) {
    const size_t start = cursor->at;
    uint64_t size;
    WS_RETURN_IF_ERROR(ws_constant(cursor, 0, 0, &size));
    WS_RETURN_IF_ERROR(ws_lex_skip_space(cursor));
    op->size_bytes = size <= 16 ? (uint8_t)size : 255;
    if (ws_isa_find(op) == 0) {
        ws_text text = ws_lex_complain(cursor, start, cursor->at - start);
        ws_text_add(&text, "cp.async.");
        ws_text_add(&text, ws_cache_word(op->cache));
        ws_text_add(&text, op->cache == WS_CACHE_CG ? " copies 16 bytes, not " : " copies 4, 8 or 16 bytes, not ");
        ws_text_add_uint(&text, size);
        return WS_UNSUPPORTED;
    }
    if (ws_lex_peek(cursor, 0) == ',') {
        ws_text text = ws_lex_complain(cursor, cursor->at, 1);
        ws_text_add(&text, "not modelled: cp.async with a src-size, ignore-src or cache-policy operand");
        return WS_NOT_MODELLED;
    }
    return WS_OK;
}

/* wmma's stride, which is optional: a register, a register + constant, or a constant. */
static inline ws_status ws_operand_stride(ws_cursor *cursor) {
    const char *word;
    size_t count;
    uint64_t value;
    WS_RETURN_IF_ERROR(ws_lex_skip_space(cursor));
    if (!ws_lex_take(cursor, ',')) return WS_OK;
    WS_RETURN_IF_ERROR(ws_lex_skip_space(cursor));
    if (ws_operand_name(cursor, &word, &count)) {
        if (ws_bytes_equal(word, count, "_")) {
            cursor->at--;
            return ws_lex_expected(cursor, "a stride");
        }
        WS_RETURN_IF_ERROR(ws_lex_skip_space(cursor));
        return ws_lex_take(cursor, '+') ? ws_constant(cursor, 0, 0, &value) : WS_OK;
    }
    return ws_constant(cursor, 0, 0, &value);
}

/* All operands of `op`; cp.async gets its size from them. */
static inline ws_status ws_operands(ws_cursor *cursor, ws_op *op) {
    const int registers = op->form != 0 ? ws_op_num_registers(op) : 0;
    switch (op->kind) {
        case WS_LDMATRIX:
            WS_RETURN_IF_ERROR(ws_operand_vector(cursor, op, registers, true));
            WS_RETURN_IF_ERROR(ws_operand_comma(cursor));
            return ws_operand_address(cursor);
        case WS_STMATRIX:
            WS_RETURN_IF_ERROR(ws_operand_address(cursor));
            WS_RETURN_IF_ERROR(ws_operand_comma(cursor));
            return ws_operand_vector(cursor, op, registers, false);
        case WS_WMMA_LOAD:
            WS_RETURN_IF_ERROR(ws_operand_vector(cursor, op, registers, true));
            WS_RETURN_IF_ERROR(ws_operand_comma(cursor));
            WS_RETURN_IF_ERROR(ws_operand_address(cursor));
            return ws_operand_stride(cursor);
        case WS_WMMA_STORE:
            WS_RETURN_IF_ERROR(ws_operand_address(cursor));
            WS_RETURN_IF_ERROR(ws_operand_comma(cursor));
            WS_RETURN_IF_ERROR(ws_operand_vector(cursor, op, registers, false));
            return ws_operand_stride(cursor);
        case WS_LD:
            WS_RETURN_IF_ERROR(ws_operand_plain(cursor, op));
            WS_RETURN_IF_ERROR(ws_operand_comma(cursor));
            return ws_operand_address(cursor);
        case WS_ST:
            WS_RETURN_IF_ERROR(ws_operand_address(cursor));
            WS_RETURN_IF_ERROR(ws_operand_comma(cursor));
            return ws_operand_plain(cursor, op);
        case WS_CP_ASYNC:
            WS_RETURN_IF_ERROR(ws_operand_address(cursor));
            WS_RETURN_IF_ERROR(ws_operand_comma(cursor));
            WS_RETURN_IF_ERROR(ws_operand_address(cursor));
            WS_RETURN_IF_ERROR(ws_operand_comma(cursor));
            return ws_operand_copy_size(cursor, op);
        default: /* movmatrix */
            WS_RETURN_IF_ERROR(ws_operand_register(cursor, WS_ELEMENT_REGISTER));
            WS_RETURN_IF_ERROR(ws_operand_comma(cursor));
            return ws_operand_register(cursor, WS_ELEMENT_OR_FLOAT);
    }
}

#endif
