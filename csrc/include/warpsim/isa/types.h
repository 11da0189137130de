/* The types of PTX as words: of elements in memory, of registers, and of what is packed in either.
 *
 * This file knows nothing about which instruction takes which. */
#ifndef WARPSIM_ISA_TYPES_H
#define WARPSIM_ISA_TYPES_H

/* clang-format off */
/*    name             word               bits of one value in a register or in plain memory; 0: rows of it are packed (see isa.h)
                                              does ld extend its sign? */
#define WS_TYPE_LIST(X)                                                                                                \
    X(B8,              "b8",              8,  false)                                                                   \
    X(B16,             "b16",             16, false)                                                                   \
    X(B32,             "b32",             32, false)                                                                   \
    X(B64,             "b64",             64, false)                                                                   \
    X(U8,              "u8",              8,  false)                                                                   \
    X(U16,             "u16",             16, false)                                                                   \
    X(U32,             "u32",             32, false)                                                                   \
    X(U64,             "u64",             64, false)                                                                   \
    X(S8,              "s8",              8,  true)                                                                    \
    X(S16,             "s16",             16, true)                                                                    \
    X(S32,             "s32",             32, true)                                                                    \
    X(S64,             "s64",             64, true)                                                                    \
    X(F32,             "f32",             32, false)                                                                   \
    X(F64,             "f64",             64, false)                                                                   \
    X(F16,             "f16",             16, false)                                                                   \
    X(BF16,            "bf16",            16, false)                                                                   \
    X(TF32,            "tf32",            32, false)                                                                   \
    X(S4,              "s4",              4,  false)                                                                   \
    X(U4,              "u4",              4,  false)                                                                   \
    X(B1,              "b1",              1,  false)                                                                   \
    X(B8X16_B6X16_P32, "b8x16.b6x16_p32", 0,  false)                                                                   \
    X(B8X16_B4X16_P64, "b8x16.b4x16_p64", 0,  false)                                                                   \
    X(S8_S4,           "s8.s4",           0,  false)                                                                   \
    X(F16X2,           "f16x2",          32, false)                                                                    \
    X(BF16X2,          "bf16x2",         32, false)                                                                    \
    X(F32X2,           "f32x2",          64, false)                                                                    \
    X(U16X2,           "u16x2",          32, false)                                                                    \
    X(S16X2,           "s16x2",          32, false)                                                                    \
    X(B128,            "b128",           128,false)                                                                    \
    X(PRED,            "pred",           1,  false)                                                                    \
    X(E4M3,            "e4m3",           8,  false)                                                                    \
    X(E5M2,            "e5m2",           8,  false)                                                                    \
    X(E2M3,            "e2m3",           8,  false)                                                                    \
    X(E3M2,            "e3m2",           8,  false)                                                                    \
    X(E2M1,            "e2m1",           8,  false)                                                                    \
    X(UE8M0,           "ue8m0",          8,  false)                                                                    \
    X(UE4M3,           "ue4m3",          8,  false)                                                                    \
    X(E4M3X2,          "e4m3x2",         16, false)                                                                    \
    X(E5M2X2,          "e5m2x2",         16, false)                                                                    \
    X(E2M3X2,          "e2m3x2",         16, false)                                                                    \
    X(E3M2X2,          "e3m2x2",         16, false)                                                                    \
    X(E2M1X2,          "e2m1x2",         8,  false)                                                                    \
    X(UE8M0X2,         "ue8m0x2",        16, false)                                                                    \
    X(E4M3X4,          "e4m3x4",         32, false)                                                                    \
    X(E5M2X4,          "e5m2x4",         32, false)                                                                    \
    X(E2M3X4,          "e2m3x4",         32, false)                                                                    \
    X(E3M2X4,          "e3m2x4",         32, false)                                                                    \
    X(E2M1X4,          "e2m1x4",         16, false)                                                                    \
    X(S2,              "s2",             2,  false)                                                                    \
    X(U2,              "u2",             2,  false)
/* clang-format on */

#endif
