/* A product of a warp as a value, D = A x B + C, and THE table of the forms that exist.
 *
 *     mma.sync          shapes of 8 or 16 rows, 8 columns: operands in registers by fixed fragments
 *     mma.sp            A compressed: two of four elements are stored, metadata tells which
 *     wmma.mma          fragments as wmma.load makes them
 *
 * Sources: PTX ISA, "Warp-level matrix instructions", mma, mma.sp, wmma.mma; acceptance by ptxas 12.9 and 13.0.
 *
 * This file knows nothing about fragments and arithmetic. */
#ifndef WARPSIM_MMA_FORM_H
#define WARPSIM_MMA_FORM_H

#include "../isa/isa.h"

typedef enum ws_mma_kind {
    WS_MMA_NONE = 0,
    WS_MMA_DENSE,
    WS_MMA_SPARSE,  /* mma.sp */
    WS_MMA_ORDERED, /* mma.sp::ordered_metadata */
    WS_MMA_WMMA,
    WS_MMA_KIND_COUNT
} ws_mma_kind;

typedef enum ws_mma_rounding { /* of f64; 0: not written, which means .rn */
                               WS_MMA_DEFAULT = 0,
                               WS_MMA_RN,
                               WS_MMA_RZ,
                               WS_MMA_RM,
                               WS_MMA_RP,
                               WS_MMA_ROUNDING_COUNT
} ws_mma_rounding;

typedef enum ws_mma_bits { WS_MMA_NO_BITS = 0, WS_MMA_XOR, WS_MMA_AND, WS_MMA_BITS_COUNT } ws_mma_bits;

typedef struct ws_mma {
    uint8_t kind;       /* ws_mma_kind */
    uint8_t m, n;       /* rows and columns of D */
    uint16_t k;         /* columns of A, the compressed ones of mma.sp too */
    uint8_t a_layout;   /* ws_matrix_layout */
    uint8_t b_layout;   /* ws_matrix_layout */
    uint8_t d, a, b, c; /* ws_type of the elements */
    uint8_t satfinite;  /* 0, 1: integers */
    uint8_t bits;       /* ws_mma_bits: b1 */
    uint8_t rounding;   /* ws_mma_rounding: f64 */
    uint8_t form;       /* its row of the table */
} ws_mma;

/* How the types of D and C relate. */
typedef enum ws_mma_accumulators { WS_MMA_EQUAL = 0, WS_MMA_D_NOT_NARROWER, WS_MMA_ANY } ws_mma_accumulators;

typedef struct ws_mma_form {
    uint8_t kinds;         /* bit set of ws_mma_kind */
    uint8_t m, n;          /* the shape */
    uint16_t k;            /* the shape */
    uint64_t factors;      /* bit set of ws_type: A and B */
    uint64_t accumulators; /* bit set of ws_type: C and D */
    bool is_mixed;         /* A and B may differ in type */
    uint8_t relation;      /* ws_mma_accumulators */
    uint8_t bits;          /* bit set of ws_mma_bits */
    bool any_layout;       /* else .row.col alone */
    uint8_t first_sm;      /* 80: sm_80 and later */
    uint8_t min_ptx;       /* 70 is PTX 7.0; at least 8.5 for ordered metadata */
} ws_mma_form;

enum { WS_MMA_ORDERED_PTX = 85, WS_MMA_MAX_REGISTERS = 16 };

#define WS_BIT64(value) (UINT64_C(1) << (value))
/* clang-format off */
static const ws_mma_form ws_mma_forms[] = {
#define WS_T(name) WS_BIT64(WS_TYPE_##name)
#define WS_FP8 (WS_T(E4M3) | WS_T(E5M2))
#define WS_INT8 (WS_T(S8) | WS_T(U8))
#define WS_INT4 (WS_T(S4) | WS_T(U4))
#define WS_HALF (WS_T(F16) | WS_T(F32))
#define WS_BITS(name) WS_BIT(WS_MMA_##name)
#define WS_K(name) WS_BIT(WS_MMA_##name)
#define WS_SPARSE_KINDS (WS_K(SPARSE) | WS_K(ORDERED))
#define WS_ROW(kinds, m, n, k, factors, accumulators, mixed, relation, bits, layouts, sm, ptx) \
    {kinds, m, n, k, factors, accumulators, mixed, WS_MMA_##relation, WS_BITS(bits), layouts, sm, ptx}
#define WS_DENSE(m, n, k, factors, accumulators, mixed, bits, sm, ptx) \
    WS_ROW(WS_K(DENSE), m, n, k, factors, accumulators, mixed, EQUAL, bits, false, sm, ptx)
#define WS_SPARSE(k, factors, accumulators, mixed, sm, ptx) \
    WS_ROW(WS_SPARSE_KINDS, 16, 8, k, factors, accumulators, mixed, EQUAL, NO_BITS, false, sm, ptx)
#define WS_WMMA3(factors, accumulators, relation, sm, ptx) /* the three shapes of 256 results and k16 */ \
    WS_ROW(WS_K(WMMA), 16, 16, 16, factors, accumulators, false, relation, NO_BITS, true, sm, ptx), \
    WS_ROW(WS_K(WMMA), 32, 8, 16, factors, accumulators, false, relation, NO_BITS, true, sm, ptx), \
    WS_ROW(WS_K(WMMA), 8, 32, 16, factors, accumulators, false, relation, NO_BITS, true, sm, ptx)
    {0, 0, 0, 0, 0, 0, false, 0, 0, false, 0, 0}, /* row 0: no product */
    WS_ROW(WS_K(DENSE), 8, 8, 4, WS_T(F16), WS_HALF, false, D_NOT_NARROWER, NO_BITS, true, 70, 64),
    /*        M   N  K    A and B    C and D   mixed  bits     sm  PTX */
    WS_DENSE(16, 8, 8,   WS_T(F16), WS_HALF,   false, NO_BITS, 75, 65),
    WS_DENSE(16, 8, 16,  WS_T(F16), WS_HALF,   false, NO_BITS, 80, 70),
    WS_DENSE(16, 8, 8,   WS_T(BF16), WS_T(F32), false, NO_BITS, 80, 70),
    WS_DENSE(16, 8, 16,  WS_T(BF16), WS_T(F32), false, NO_BITS, 80, 70),
    WS_DENSE(16, 8, 4,   WS_T(TF32), WS_T(F32), false, NO_BITS, 80, 70),
    WS_DENSE(16, 8, 8,   WS_T(TF32), WS_T(F32), false, NO_BITS, 80, 70),
    WS_DENSE(16, 8, 16,  WS_FP8,    WS_HALF,   true,  NO_BITS, 89, 87),
    WS_DENSE(16, 8, 32,  WS_FP8,    WS_T(F32), true,  NO_BITS, 89, 84),
    WS_DENSE(16, 8, 32,  WS_FP8,    WS_T(F16), true,  NO_BITS, 89, 87),
    WS_DENSE(8,  8, 4,   WS_T(F64), WS_T(F64), false, NO_BITS, 80, 70),
    WS_DENSE(16, 8, 4,   WS_T(F64), WS_T(F64), false, NO_BITS, 90, 78),
    WS_DENSE(16, 8, 8,   WS_T(F64), WS_T(F64), false, NO_BITS, 90, 78),
    WS_DENSE(16, 8, 16,  WS_T(F64), WS_T(F64), false, NO_BITS, 90, 78),
    WS_DENSE(8,  8, 16,  WS_INT8,   WS_T(S32), true,  NO_BITS, 75, 65),
    WS_DENSE(16, 8, 16,  WS_INT8,   WS_T(S32), true,  NO_BITS, 80, 70),
    WS_DENSE(16, 8, 32,  WS_INT8,   WS_T(S32), true,  NO_BITS, 80, 70),
    WS_DENSE(8,  8, 32,  WS_INT4,   WS_T(S32), true,  NO_BITS, 75, 65),
    WS_DENSE(16, 8, 32,  WS_INT4,   WS_T(S32), true,  NO_BITS, 80, 70),
    WS_DENSE(16, 8, 64,  WS_INT4,   WS_T(S32), true,  NO_BITS, 80, 70),
    WS_DENSE(8,  8, 128, WS_T(B1),  WS_T(S32), false, XOR,     75, 70),
    WS_DENSE(16, 8, 128, WS_T(B1),  WS_T(S32), false, XOR,     80, 70),
    WS_DENSE(16, 8, 256, WS_T(B1),  WS_T(S32), false, XOR,     80, 70),
    WS_DENSE(8,  8, 128, WS_T(B1),  WS_T(S32), false, AND,     80, 71),
    WS_DENSE(16, 8, 128, WS_T(B1),  WS_T(S32), false, AND,     80, 71),
    WS_DENSE(16, 8, 256, WS_T(B1),  WS_T(S32), false, AND,     80, 71),
    /*        K   A and B     C and D    mixed sm  PTX */
    WS_SPARSE(16, WS_T(F16),  WS_HALF,   false, 80, 71),
    WS_SPARSE(32, WS_T(F16),  WS_HALF,   false, 80, 71),
    WS_SPARSE(16, WS_T(BF16), WS_T(F32), false, 80, 71),
    WS_SPARSE(32, WS_T(BF16), WS_T(F32), false, 80, 71),
    WS_SPARSE(8,  WS_T(TF32), WS_T(F32), false, 80, 71),
    WS_SPARSE(16, WS_T(TF32), WS_T(F32), false, 80, 71),
    WS_SPARSE(64, WS_FP8,     WS_T(F32), true,  89, 84),
    WS_SPARSE(32, WS_INT8,    WS_T(S32), true,  80, 71),
    WS_SPARSE(64, WS_INT8,    WS_T(S32), true,  80, 71),
    WS_SPARSE(64, WS_INT4,    WS_T(S32), true,  80, 71),
    WS_SPARSE(128, WS_INT4,   WS_T(S32), true,  80, 71),
    /*       A and B     C and D    relation sm PTX */
    WS_WMMA3(WS_T(F16),  WS_HALF,   ANY,   70, 63),
    WS_WMMA3(WS_T(BF16), WS_T(F32), EQUAL, 80, 70),
    WS_WMMA3(WS_INT8,    WS_T(S32), EQUAL, 72, 63),
    WS_ROW(WS_K(WMMA), 16, 16, 8, WS_T(TF32), WS_T(F32), false, EQUAL, NO_BITS, true, 80, 70),
    WS_ROW(WS_K(WMMA), 8, 8, 4, WS_T(F64), WS_T(F64), false, EQUAL, NO_BITS, true, 80, 70),
    WS_ROW(WS_K(WMMA), 8, 8, 32, WS_INT4, WS_T(S32), false, EQUAL, NO_BITS, false, 75, 63),
    WS_ROW(WS_K(WMMA), 8, 8, 128, WS_T(B1), WS_T(S32), false, EQUAL, XOR, false, 75, 63),
    WS_ROW(WS_K(WMMA), 8, 8, 128, WS_T(B1), WS_T(S32), false, EQUAL, AND, false, 80, 71),
#undef WS_T
#undef WS_FP8
#undef WS_INT8
#undef WS_INT4
#undef WS_HALF
#undef WS_BITS
#undef WS_K
#undef WS_SPARSE_KINDS
#undef WS_ROW
#undef WS_DENSE
#undef WS_SPARSE
#undef WS_WMMA3
};
/* clang-format on */

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
           x->bits == y->bits && x->rounding == y->rounding;
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
    return elements * ws_type_bits(ws_mma_type(mma, operand)) / (WS_LANES * 32);
}

/* 32-bit registers of a lane: a and b of wmma f16 are repeated until there are 8. An f64 value takes two. */
static inline int ws_mma_registers(const ws_mma *mma, int operand) {
    const bool repeated = mma->kind == WS_MMA_WMMA && mma->a == WS_TYPE_F16 && operand <= WS_OPERAND_B;
    return repeated ? 8 : ws_mma_distinct_registers(mma, operand);
}

#endif
