/* Instructions for the tests: by text, and every combination of fields that there could be. */
#ifndef OPS_H
#define OPS_H

#include <warpsim/warpsim.h>

#include "check.h"

enum {
    CROSS_COUNTS = 17,
    CROSS_SIZE = WS_KIND_COUNT * WS_SHAPE_COUNT * WS_TYPE_COUNT * CROSS_COUNTS * 2 * WS_SPACE_COUNT * WS_CACHE_COUNT
};

static inline uint8_t cross_digit(uint32_t *index, int base) {
    const uint32_t digit = *index % (uint32_t)base;
    *index /= (uint32_t)base;
    return (uint8_t)digit;
}

/* The index-th of CROSS_SIZE combinations; its form is set where the table has a row. */
static inline ws_op cross_op(uint32_t index) {
    ws_op op = ws_op_none();
    uint8_t count;
    op.kind = cross_digit(&index, WS_KIND_COUNT);
    op.shape = cross_digit(&index, WS_SHAPE_COUNT);
    op.type = cross_digit(&index, WS_TYPE_COUNT);
    op.space = cross_digit(&index, WS_SPACE_COUNT);
    op.cache = cross_digit(&index, WS_CACHE_COUNT);
    op.trans = cross_digit(&index, 2);
    count = cross_digit(&index, CROSS_COUNTS);
    if (op.kind == WS_CP_ASYNC) op.size_bytes = count;
    else if (op.kind == WS_WMMA_LOAD || op.kind == WS_WMMA_STORE) {
        op.operand = (uint8_t)(count % WS_OPERAND_COUNT);
        op.layout = (uint8_t)(count / WS_OPERAND_COUNT % WS_LAYOUT_COUNT);
    } else if (op.kind == WS_LD || op.kind == WS_ST) op.vec = count;
    else op.num = count;
    op.form = (uint8_t)ws_isa_find(&op);
    return op;
}

static inline int bits_in(uint32_t set) {
    int count = 0;
    for (; set != 0; set &= set - 1) count++;
    return count;
}

/* The next of the values in a bit set, chosen by a digit of *index. */
static inline uint8_t set_digit(uint32_t *index, uint32_t set) {
    uint8_t digit = cross_digit(index, bits_in(set)), value = 0;
    for (;; value++) {
        if ((set >> value & 1) && digit-- == 0) return value;
    }
}

/* How many instructions a row of the table makes: every value of its bit sets with every other. */
static inline uint32_t row_size(const ws_form *form) {
    const uint32_t trans = form->trans == WS_TRANS_MAY ? 2 : 1;
    if (form->kind == WS_KIND_NONE) return 0;
    return trans * (uint32_t)(bits_in(form->shapes) * bits_in(form->types) * bits_in(form->counts) *
                              bits_in(form->spaces) * bits_in(form->operands) * bits_in(form->layouts));
}

static inline uint32_t table_size(void) {
    uint32_t size = 0;
    for (int form = 0; form < WS_FORM_COUNT; form++) size += row_size(ws_isa_form(form));
    return size;
}

/* The index-th of the table_size() instructions that there are, made from the columns of its row. */
static inline ws_op table_op(uint32_t index) {
    ws_op op = ws_op_none();
    const ws_form *form;
    uint8_t number;
    while (index >= row_size(ws_isa_form(op.form))) index -= row_size(ws_isa_form(op.form++));
    form = ws_isa_form(op.form);
    op.kind = form->kind;
    op.cache = form->cache;
    op.shape = set_digit(&index, form->shapes);
    op.type = set_digit(&index, form->types);
    op.space = set_digit(&index, form->spaces);
    op.operand = set_digit(&index, form->operands);
    op.layout = set_digit(&index, form->layouts);
    number = set_digit(&index, form->counts);
    op.trans = form->trans == WS_TRANS_MAY ? cross_digit(&index, 2) : form->trans == WS_TRANS_MUST;
    switch (ws_kind_at(op.kind)->number) {
        case WS_NUMBER_NUM: op.num = number; break;
        case WS_NUMBER_VEC: op.vec = number; break;
        case WS_NUMBER_SIZE: op.size_bytes = number; break;
        default: break;
    }
    return op;
}

/* Bits [first, first + width) of bytes, the low one first. */
static inline uint64_t get_bits(const uint8_t *bytes, uint64_t first, int width) {
    uint64_t value = 0;
    for (int bit = 0; bit < width; bit++, first++) value |= (uint64_t)(bytes[first / 8] >> first % 8 & 1) << bit;
    return value;
}

static inline bool near(double a, double b) { return a - b < 1e-9 && b - a < 1e-9; }

static inline ws_layout halves(int64_t rows, int64_t cols, int64_t pad) {
    ws_layout layout = ws_layout_make(rows, cols, 16);
    layout.pad = pad;
    return layout;
}

static inline ws_layout with_swizzle(ws_layout layout, int bits, int base, int shift, bool unit_is_byte) {
    layout.swizzle = ws_swizzle_make(bits, base, shift);
    layout.swizzle.unit_is_byte = unit_is_byte;
    return layout;
}

static inline ws_op op_of(const char *text) {
    ws_op op;
    ws_error error;
    if (!CHECK(ws_parse(text, &op, &error) == WS_OK)) fprintf(stderr, "    %s: %s\n", text, error.message);
    return op;
}

/* What one warp's issue counts, all of whose lanes in `mask` are active. */
static inline ws_counts counts_of(const char *text, const uint32_t address[WS_LANES], uint32_t mask) {
    const ws_op op = op_of(text);
    ws_access access = ws_access_make(address, 1);
    ws_counts counts = {0, 0, 0, 0, 0, 0};
    access.active = &mask;
    CHECK_EQUAL(ws_count(&op, &access, &counts, NULL), WS_OK);
    return counts;
}

#endif
