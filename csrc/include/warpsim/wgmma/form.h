/* A product of a warpgroup as a value, D = A x B + D of 64 x n results, and THE table of the forms that exist.
 *
 *     wgmma.mma_async           A: 64 x k, in registers or shared memory    B: k x n, in shared memory
 *     wgmma.mma_async.sp        A compressed: two of four elements are stored, metadata tells which
 *
 * A row of A is always 32 bytes, as stored; the warp j of the four has the rows 16 j to 16 j + 15 of A and D.
 *
 * Source: "Asynchronous Warpgroup Level Matrix Instructions" of the PTX ISA. This file knows nothing about memory and
 * arithmetic. */
#ifndef WARPSIM_WGMMA_FORM_H
#define WARPSIM_WGMMA_FORM_H

#include "../mma/form.h"

enum { WS_WGMMA_ROWS = 64, WS_WGMMA_WARPS = 4, WS_WGMMA_MOST_COLS = 256, WS_WGMMA_ROW_BYTES = 32 };

typedef struct ws_wgmma {
    uint16_t n, k;     /* columns of D; of A, the compressed ones too */
    uint8_t d, a, b;   /* ws_type of the elements */
    bool is_sparse;    /* .sp */
    uint8_t satfinite; /* 0, 1: integers */
    uint8_t form;      /* its row of the table */
} ws_wgmma;

typedef struct ws_wgmma_form {
    uint16_t k;            /* of the dense product; the sparse one's is twice that */
    uint64_t factors;      /* bit set of ws_type: A and B */
    uint64_t accumulators; /* bit set of ws_type: D */
    bool is_mixed;         /* A and B may differ in type */
    bool is_whole;         /* integers and bits: columns in steps of 16 from 32 on */
    bool has_sparse;
    bool has_scales; /* the signs of A and B are operands */
    bool has_majors; /* so is what is contiguous in shared memory: k, or rows and columns */
} ws_wgmma_form;

/* clang-format off */
static const ws_wgmma_form ws_wgmma_forms[] = {
#define WS_T(name) WS_BIT64(WS_TYPE_##name)
#define WS_HALF (WS_T(F16) | WS_T(F32))
    {0, 0, 0, false, false, false, false, false}, /* row 0: no product */
    /* k  A and B                       D            mixed  whole  sparse scales majors */
    {16,  WS_T(F16),                    WS_HALF,     false, false, true,  true,  true},
    {16,  WS_T(BF16),                   WS_T(F32),   false, false, true,  true,  true},
    {8,   WS_T(TF32),                   WS_T(F32),   false, false, true,  true,  false},
    {32,  WS_T(E4M3) | WS_T(E5M2),      WS_HALF,     true,  false, true,  true,  false},
    {32,  WS_T(S8) | WS_T(U8),          WS_T(S32),   true,  true,  true,  false, false},
    {256, WS_T(B1),                     WS_T(S32),   false, true,  false, false, false},
#undef WS_T
#undef WS_HALF
};
/* clang-format on */

enum { WS_WGMMA_FORM_COUNT = (int)(sizeof ws_wgmma_forms / sizeof ws_wgmma_forms[0]) };

static inline const ws_wgmma_form *ws_wgmma_form_at(int index) {
    return &ws_wgmma_forms[index >= 0 && index < WS_WGMMA_FORM_COUNT ? index : 0];
}

static inline bool ws_wgmma_has_cols(const ws_wgmma_form *form, int n) {
    if (n < 8 || n > WS_WGMMA_MOST_COLS || n % 8 != 0) return false;
    return !form->is_whole || n <= 32 || n % 16 == 0;
}

static inline bool ws_wgmma_matches(const ws_wgmma_form *form, const ws_wgmma *wgmma) {
    if (!ws_mma_takes_type(form->factors, wgmma->a) || !ws_mma_takes_type(form->factors, wgmma->b)) return false;
    if (!ws_mma_takes_type(form->accumulators, wgmma->d) || (wgmma->a != wgmma->b && !form->is_mixed)) return false;
    if (wgmma->satfinite && (!form->is_whole || !form->has_sparse)) return false; /* bits cannot be limited */
    if (wgmma->is_sparse && !form->has_sparse) return false;
    return wgmma->k == form->k * (wgmma->is_sparse ? 2 : 1) && ws_wgmma_has_cols(form, wgmma->n);
}

/* The row of a product, or 0. */
static inline int ws_wgmma_find(const ws_wgmma *wgmma) {
    int i;
    for (i = 1; i < WS_WGMMA_FORM_COUNT; i++) {
        if (ws_wgmma_matches(&ws_wgmma_forms[i], wgmma)) return i;
    }
    return 0;
}

/* 32-bit registers of a lane: of D; of A there are always four. */
static inline int ws_wgmma_registers(const ws_wgmma *wgmma) { return wgmma->n / (wgmma->d == WS_TYPE_F16 ? 4 : 2); }

enum { WS_WGMMA_A_REGISTERS = 4, WS_WGMMA_MOST_REGISTERS = 128 };

/* The product of 16 x 8 results that one warp makes of eight columns. */
static inline ws_mma ws_wgmma_tile(const ws_wgmma *wgmma) {
    ws_mma mma;
    mma.kind = (uint8_t)(wgmma->is_sparse ? WS_MMA_SPARSE : WS_MMA_DENSE);
    mma.m = 16;
    mma.n = 8;
    mma.k = wgmma->k;
    mma.a_layout = WS_LAYOUT_ROW;
    mma.b_layout = WS_LAYOUT_COL;
    mma.d = mma.c = wgmma->d;
    mma.a = wgmma->a;
    mma.b = wgmma->b;
    mma.satfinite = wgmma->satfinite;
    mma.bits = (uint8_t)(wgmma->a == WS_TYPE_B1 ? WS_MMA_AND : WS_MMA_NO_BITS);
    mma.rounding = WS_MMA_DEFAULT;
    mma.narrow = WS_MMA_PLAIN;
    mma.scale_vec = 0;
    mma.scale = WS_TYPE_NONE;
    mma.form = 0;
    return mma;
}

#endif
