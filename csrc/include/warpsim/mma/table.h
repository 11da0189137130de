/* The forms of products: THE table. Included by form.h alone. */
#ifndef WARPSIM_MMA_TABLE_H
#define WARPSIM_MMA_TABLE_H

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
