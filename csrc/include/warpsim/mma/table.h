/* What a product is, and THE table of the forms that exist.
 *
 * This file knows nothing about how forms are found in it. */
#ifndef WARPSIM_MMA_TABLE_H
#define WARPSIM_MMA_TABLE_H

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

typedef enum ws_mma_narrow { /* .kind */
                             WS_MMA_PLAIN = 0,
                             WS_MMA_F8F6F4,
                             WS_MMA_MXF8F6F4,
                             WS_MMA_MXF4,
                             WS_MMA_MXF4NVF4,
                             WS_MMA_NARROW_COUNT
} ws_mma_narrow;

/* Which targets take a form, besides first_sm: all; those of one chip or its family (sm_100a, sm_100f); one chip's. */
typedef enum ws_mma_chips { WS_MMA_ALL_CHIPS = 0, WS_MMA_FAMILIES, WS_MMA_OWN_CHIP } ws_mma_chips;

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
    uint8_t narrow;     /* ws_mma_narrow */
    uint8_t scale_vec;  /* factors of a row of A: 0 (no .block_scale), 1, 2, 4 */
    uint8_t scale;      /* ws_type of the factors */
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
    uint8_t narrow;        /* ws_mma_narrow */
    uint8_t scale_vec;     /* as of ws_mma */
    uint8_t scale;         /* ws_type, as of ws_mma */
    uint8_t chips;         /* ws_mma_chips */
} ws_mma_form;

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
#define WS_FP6 (WS_T(E3M2) | WS_T(E2M3) | WS_T(E2M1))
#define WS_ROW(kinds, m, n, k, factors, accumulators, mixed, relation, bits, layouts, sm, ptx) \
    {kinds, m, n, k, factors, accumulators, mixed, WS_MMA_##relation, WS_BITS(bits), layouts, sm, ptx, 0, 0, 0, 0}
#define WS_NARROW(kinds, k, factors, accumulators, narrow, vec, scale, chips, sm, ptx) \
    {kinds, 16, 8, k, factors, accumulators, true, WS_MMA_EQUAL, WS_BITS(NO_BITS), false, sm, ptx, \
     WS_MMA_##narrow, vec, WS_TYPE_##scale, WS_MMA_##chips}
#define WS_DENSE(m, n, k, factors, accumulators, mixed, bits, sm, ptx) \
    WS_ROW(WS_K(DENSE), m, n, k, factors, accumulators, mixed, EQUAL, bits, false, sm, ptx)
#define WS_SPARSE(k, factors, accumulators, mixed, sm, ptx) \
    WS_ROW(WS_SPARSE_KINDS, 16, 8, k, factors, accumulators, mixed, EQUAL, NO_BITS, false, sm, ptx)
#define WS_WMMA3(factors, accumulators, relation, sm, ptx) /* the three shapes of 256 results and k16 */ \
    WS_ROW(WS_K(WMMA), 16, 16, 16, factors, accumulators, false, relation, NO_BITS, true, sm, ptx), \
    WS_ROW(WS_K(WMMA), 32, 8, 16, factors, accumulators, false, relation, NO_BITS, true, sm, ptx), \
    WS_ROW(WS_K(WMMA), 8, 32, 16, factors, accumulators, false, relation, NO_BITS, true, sm, ptx)
    {0, 0, 0, 0, 0, 0, false, 0, 0, false, 0, 0, 0, 0, 0, 0}, /* row 0: no product */
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
    WS_NARROW(WS_K(ORDERED), 64, WS_FP8, WS_T(F16), PLAIN, 0, NONE, FAMILIES, 120, 87),
    /*                        K    A and B          C and D    kind      scales   chips     sm   PTX */
    WS_NARROW(WS_K(DENSE),   16,  WS_FP8,          WS_HALF,   F8F6F4,   0, NONE,  FAMILIES, 100, 87),
    WS_NARROW(WS_K(DENSE),   32,  WS_FP8,          WS_T(F32), F8F6F4,   0, NONE,  FAMILIES, 100, 86),
    WS_NARROW(WS_K(DENSE),   32,  WS_FP8,          WS_T(F16), F8F6F4,   0, NONE,  FAMILIES, 100, 87),
    WS_NARROW(WS_K(ORDERED), 64,  WS_FP8,          WS_T(F32), F8F6F4,   0, NONE,  FAMILIES, 100, 86),
    WS_NARROW(WS_K(DENSE),   32,  WS_FP8 | WS_FP6, WS_HALF,   F8F6F4,   0, NONE,  FAMILIES, 120, 87),
    WS_NARROW(WS_K(ORDERED), 64,  WS_FP8 | WS_FP6, WS_HALF,   F8F6F4,   0, NONE,  FAMILIES, 120, 87),
    WS_NARROW(WS_K(DENSE),   32,  WS_FP8 | WS_FP6, WS_T(F32), MXF8F6F4, 1, UE8M0, FAMILIES, 120, 87),
    WS_NARROW(WS_K(ORDERED), 64,  WS_FP8 | WS_FP6, WS_T(F32), MXF8F6F4, 1, UE8M0, FAMILIES, 120, 87),
    WS_NARROW(WS_K(DENSE),   64,  WS_T(E2M1),      WS_T(F32), MXF4,     2, UE8M0, FAMILIES, 120, 87),
    WS_NARROW(WS_K(DENSE),   64,  WS_T(E2M1),      WS_T(F32), MXF4NVF4, 2, UE8M0, FAMILIES, 120, 87),
    WS_NARROW(WS_K(DENSE),   64,  WS_T(E2M1),      WS_T(F32), MXF4NVF4, 4, UE4M3, FAMILIES, 120, 87),
    WS_NARROW(WS_K(DENSE),   64,  WS_T(E2M1),      WS_T(F32), MXF4NVF4, 4, UE8M0, FAMILIES, 120, 91),
    WS_NARROW(WS_K(ORDERED), 128, WS_T(E2M1),      WS_T(F32), MXF4,     2, UE8M0, OWN_CHIP, 120, 87),
    WS_NARROW(WS_K(ORDERED), 128, WS_T(E2M1),      WS_T(F32), MXF4NVF4, 2, UE8M0, OWN_CHIP, 120, 87),
    WS_NARROW(WS_K(ORDERED), 128, WS_T(E2M1),      WS_T(F32), MXF4NVF4, 4, UE4M3, OWN_CHIP, 120, 87),
    WS_NARROW(WS_K(ORDERED), 128, WS_T(E2M1),      WS_T(F32), MXF4NVF4, 4, UE8M0, OWN_CHIP, 120, 91),
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
#undef WS_FP6
#undef WS_NARROW
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

#endif
