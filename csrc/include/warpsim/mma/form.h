/* A product of a warp as a value, D = A x B + C: which row of the table it is, its operands and registers.
 *
 *     mma.sync          shapes of 8 or 16 rows, 8 columns: operands in registers by fixed fragments
 *     mma.sp            A compressed: two of four elements are stored, metadata tells which
 *     .kind::...        elements of 8, 6 and 4 bits, in bytes or (mxf4, mxf4nvf4) packed; with .block_scale, each chunk
 *                       of a row of A and of a column of B has a factor
 *     wmma.mma          fragments as wmma.load makes them
 *
 * Sources: PTX ISA, "Warp-level matrix instructions", mma, mma.sp, wmma.mma; acceptance by ptxas 12.9 and 13.0.
 *
 * This file knows nothing about fragments and arithmetic. */
#ifndef WARPSIM_MMA_FORM_H
#define WARPSIM_MMA_FORM_H

#include "table.h"

enum { WS_MMA_ORDERED_PTX = 85, WS_MMA_MAX_REGISTERS = 16 };

enum { WS_MMA_FORM_COUNT = (int)(sizeof ws_mma_forms / sizeof ws_mma_forms[0]) };

static inline const ws_mma_form *ws_mma_form_at(int index) {
    return &ws_mma_forms[index >= 0 && index < WS_MMA_FORM_COUNT ? index : 0];
}

static inline bool ws_mma_is_sparse(const ws_mma *mma) {
    return mma->kind == WS_MMA_SPARSE || mma->kind == WS_MMA_ORDERED;
}

static inline bool ws_mma_takes_type(uint64_t set, int type) { return type > 0 && type < 64 && (set >> type & 1) != 0; }

static inline bool ws_mma_types_match(const ws_mma_form *form, const ws_mma *mma) {
    if (!ws_mma_takes_type(form->factors, mma->a) || !ws_mma_takes_type(form->factors, mma->b)) return false;
    if (!ws_mma_takes_type(form->accumulators, mma->c) || !ws_mma_takes_type(form->accumulators, mma->d)) return false;
    if (mma->a != mma->b && !form->is_mixed) return false;
    if (form->relation == WS_MMA_EQUAL) return mma->c == mma->d;
    return form->relation == WS_MMA_ANY || ws_type_bits(mma->d) >= ws_type_bits(mma->c);
}

static inline bool ws_mma_modifiers_match(const ws_mma_form *form, const ws_mma *mma) {
    const bool row_col = mma->a_layout == WS_LAYOUT_ROW && mma->b_layout == WS_LAYOUT_COL;
    if (mma->a_layout < WS_LAYOUT_ROW || mma->a_layout > WS_LAYOUT_COL) return false;
    if (mma->b_layout < WS_LAYOUT_ROW || mma->b_layout > WS_LAYOUT_COL) return false;
    if (!row_col && !form->any_layout) return false;
    if (mma->satfinite > 1 || (mma->satfinite && (mma->d != WS_TYPE_S32 || mma->a == WS_TYPE_B1))) return false;
    if (mma->rounding >= WS_MMA_ROUNDING_COUNT || (mma->rounding != 0 && mma->d != WS_TYPE_F64)) return false;
    if (form->narrow != mma->narrow || form->scale_vec != mma->scale_vec || form->scale != mma->scale) return false;
    return ws_in(form->bits, mma->bits);
}

static inline bool ws_mma_matches(const ws_mma_form *form, const ws_mma *mma) {
    return mma->kind != WS_MMA_NONE && ws_in(form->kinds, mma->kind) && form->m == mma->m && form->n == mma->n &&
           form->k == mma->k && ws_mma_types_match(form, mma) && ws_mma_modifiers_match(form, mma);
}

/* The row of a product, or 0. */
static inline int ws_mma_find(const ws_mma *mma) {
    int i;
    for (i = 1; i < WS_MMA_FORM_COUNT; i++) {
        if (ws_mma_matches(&ws_mma_forms[i], mma)) return i;
    }
    return 0;
}

static inline bool ws_mma_equal(const ws_mma *x, const ws_mma *y) {
    return x->form == y->form && x->kind == y->kind && x->a_layout == y->a_layout && x->b_layout == y->b_layout &&
           x->d == y->d && x->a == y->a && x->b == y->b && x->c == y->c && x->satfinite == y->satfinite &&
           x->bits == y->bits && x->rounding == y->rounding; /* what remains is the row's */
}

/* Made by ws_mma_parse or with the row that ws_mma_find gave, and unchanged since. */
static inline bool ws_mma_is_valid(const ws_mma *mma) { return ws_mma_matches(ws_mma_form_at(mma->form), mma); }

static inline int ws_mma_min_ptx(const ws_mma *mma) {
    const int form = ws_mma_form_at(mma->form)->min_ptx;
    return mma->kind == WS_MMA_ORDERED && form < WS_MMA_ORDERED_PTX ? (int)WS_MMA_ORDERED_PTX : form;
}

/* The type of one operand's elements; WS_TYPE_NONE for no operand. */
static inline int ws_mma_type(const ws_mma *mma, int operand) {
    switch (operand) {
        case WS_OPERAND_A: return mma->a;
        case WS_OPERAND_B: return mma->b;
        case WS_OPERAND_C: return mma->c;
        case WS_OPERAND_D: return mma->d;
        default: return WS_TYPE_NONE;
    }
}

/* Bits of one element in a register: e2m1 fills a byte, but is packed in mxf4 and mxf4nvf4. */
static inline int ws_mma_bits_of(const ws_mma *mma, int operand) {
    const bool is_packed = mma->narrow >= WS_MMA_MXF4 && operand <= WS_OPERAND_B;
    return is_packed ? 4 : ws_type_bits(ws_mma_type(mma, operand));
}

static inline int ws_mma_rows(const ws_mma *mma, int operand) { return operand == WS_OPERAND_B ? mma->k : mma->m; }

/* Columns; of A of mma.sp those that are stored. */
static inline int ws_mma_cols(const ws_mma *mma, int operand) {
    if (operand != WS_OPERAND_A) return mma->n;
    return ws_mma_is_sparse(mma) ? mma->k / 2 : mma->k;
}

/* Products that one instruction makes: m8n8k4 of f16 makes four, one for each group of eight lanes. */
static inline int ws_mma_products(const ws_mma *mma) {
    return mma->kind == WS_MMA_DENSE && mma->a == WS_TYPE_F16 && mma->k == 4 ? 4 : 1;
}

/* 32-bit registers of a lane that hold different elements. */
static inline int ws_mma_distinct_registers(const ws_mma *mma, int operand) {
    const int elements = ws_mma_rows(mma, operand) * ws_mma_cols(mma, operand) * ws_mma_products(mma);
    return elements * ws_mma_bits_of(mma, operand) / (WS_LANES * 32);
}

/* 32-bit registers of a lane: a and b of wmma f16 are repeated until there are 8. An f64 value takes two. */
static inline int ws_mma_registers(const ws_mma *mma, int operand) {
    const bool repeated = mma->kind == WS_MMA_WMMA && mma->a == WS_TYPE_F16 && operand <= WS_OPERAND_B;
    return repeated ? 8 : ws_mma_distinct_registers(mma, operand);
}

#endif
