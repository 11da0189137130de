/* The stride of wmma in a file: a register of the right type, or a constant that obeys the rules of execution.
 *
 * Source: "Warp-level Matrix Load Instruction: wmma.load" of the PTX ISA. */
#ifndef WARPSIM_LINT_STRIDE_H
#define WARPSIM_LINT_STRIDE_H

#include "operands.h"

/* "stride 20 (40 bytes) is not a multiple of": begins that sentence; the stride has `bits` bits. */
static inline ws_text ws_lint_stride_text(const ws_lint_check *check, int64_t value, int64_t bits) {
    ws_text text = ws_lint_begin(check->lint);
    ws_text_add(&text, "stride ");
    ws_text_add_int(&text, value);
    if (bits % 8 == 0) {
        ws_text_add(&text, " (");
        ws_text_add_int(&text, bits / 8);
        ws_text_add(&text, " bytes)");
    }
    ws_text_add(&text, " is not a multiple of ");
    return text;
}

static inline void ws_lint_stride_value(const ws_lint_check *check, ws_span piece, int64_t value) {
    const ws_op *op = check->op;
    const int64_t fallback = ws_wmma_line_elements(op), fragment = ws_op_access_bytes(op);
    const int64_t least = fragment < 16 ? fragment : 16, most = INT32_MAX;
    ws_text text;
    int64_t bits;
    if (value == fallback) return;
    if (value < fallback || value > most) {
        text = ws_lint_begin(check->lint);
        ws_text_add(&text, "stride ");
        ws_text_add_int(&text, value);
        ws_text_add(&text, value > most ? " is wider than 31 bits" : " is below the default, ");
        if (value <= most) ws_text_add_int(&text, fallback);
        ws_lint_end_at(check->lint, WS_LINT_STRIDE_UNDEFINED, piece, &text);
        return;
    }
    bits = value * (ws_op_register_bits(op) / ws_op_fields(op));
    if (bits % (8 * fragment) == 0) return;
    text = ws_lint_stride_text(check, value, bits);
    if (bits % (8 * least) != 0) {
        ws_text_add_int(&text, least);
        ws_text_add(&text, " bytes");
        ws_lint_end_at(check->lint, WS_LINT_STRIDE_UNDEFINED, piece, &text);
    } else {
        ws_text_add(&text, "the fragment's size, ");
        ws_text_add_int(&text, fragment);
        ws_text_add(&text, " bytes");
        ws_lint_end_at(check->lint, WS_LINT_STRIDE_FRAGMENT, piece, &text);
    }
}

static inline void ws_lint_stride(const ws_lint_check *check, ws_span operand) {
    const char *code = check->lint->code;
    const ws_span name = ws_ptx_name_at(code, operand.begin, operand.end);
    const ws_declared *declared;
    bool is_register;
    ws_text text;
    int64_t value;
    if (name.end == name.begin || ws_bytes_equal(code + name.begin, name.end - name.begin, "WARP_SZ")) {
        if (ws_lint_constant(check, operand, &value)) ws_lint_stride_value(check, operand, value);
        return;
    }
    declared = ws_lint_find(check, name);
    if (declared == NULL || declared->space == WS_NAME_UNKNOWN) return;
    is_register = declared->space == WS_NAME_REG;
    if (is_register &&
        (declared->type_length == 0 || ws_word_in(declared->type, declared->type_length, WS_INTEGERS_32)))
        return;
    text = ws_lint_name(check, name, declared);
    ws_text_add(&text, ": a stride is a 32-bit integer");
    ws_lint_end_at(check->lint, WS_LINT_STRIDE, operand, &text);
}

#endif
