/* Statements of conversion (form.h says how rows are read; the first row that fits counts). */
#ifndef WARPSIM_LANES_FORMS_CONVERT_H
#define WARPSIM_LANES_FORMS_CONVERT_H

#include "form.h"
#include "meanings.h"

#define WS_WHOLE_32 "(.u8|.s8|.u16|.s16|.u32|.s32)"
#define WS_WHOLE_64 "(.u64|.s64)"
#define WS_FLOAT_32 "(.f16|.bf16|.f32)"
#define WS_INTEGRAL "(.rni|.rzi|.rmi|.rpi)"
#define WS_ROUNDED "(.rn|.rz|.rm|.rp)"
#define WS_CLOSED "{.relu.satfinite|.satfinite.relu|.relu|.satfinite}" /* in either order */

/* clang-format off */
static inline const ws_statement_form *ws_forms_convert(size_t *count) {
    static const ws_statement_form rows[] = {
        /* Often. */
        {"cvt(.u32|.s32)(.u32|.s32|.u64|.s64)",                   "d0 s1", WS_DO_MOV_32},
        {"cvt(.u16|.u32|.s32).u16",                               "d0 s1", WS_DO_LOW_U16},
        {"cvt.u16(.u32|.s32|.u64|.s64)",                          "d0 s1", WS_DO_LOW_U16},
        {"cvt(.s16|.u32|.s32).s16",                               "d0 s1", WS_DO_LOW_S16},
        {"cvt.s16(.u32|.s32|.u64|.s64)",                          "d0 s1", WS_DO_LOW_S16},
        {"cvt(.u8|.u16|.s16|.u32|.s32).u8",                       "d0 s1", WS_DO_LOW_U8},
        {"cvt.u8(.u16|.s16|.u32|.s32|.u64|.s64)",                 "d0 s1", WS_DO_LOW_U8},
        {"cvt(.s8|.s16|.u32|.s32).s8",                            "d0 s1", WS_DO_LOW_S8},
        {"cvt.s8(.u16|.s16|.u32|.s32|.u64|.s64)",                 "d0 s1", WS_DO_LOW_S8},
        {"cvt(.u64|.s64).u32",                                    "d0 s1", WS_DO_WIDEN_U32},
        {"cvt(.u64|.s64).s32",                                    "d0 s1", WS_DO_WIDEN_S32},
        {"cvt(.u64|.s64)(.u64|.s64)",                             "d0 s1", WS_DO_MOV_64},
        {"cvt.rn{.ftz}.f32.s32",                                  "d0 s1", WS_DO_F32_OF_S32},
        {"cvt.rn{.ftz}.f32.u32",                                  "d0 s1", WS_DO_F32_OF_U32},
        {"cvt.rzi{.ftz}{.sat}.s32.f32",                           "d0 s1", WS_DO_S32_OF_F32},
        {"cvt.rzi{.ftz}{.sat}.u32.f32",                           "d0 s1", WS_DO_U32_OF_F32},
        {"cvt.rn{.ftz}.f16.f32",                                  "d0 s1", WS_DO_F16_OF_F32},
        {"cvt.rn{.ftz}.bf16.f32",                                 "d0 s1", WS_DO_BF16_OF_F32},
        {"cvt.rn.f16x2.f32",                                      "d0 s1 s1", WS_DO_F16X2_OF_F32},
        {"cvt.rn.bf16x2.f32",                                     "d0 s1 s1", WS_DO_BF16X2_OF_F32},
        {"cvt{.ftz}.f32.f16",                                     "d0 s1", WS_DO_F32_OF_F16},
        {"cvt{.rn|.rz|.rm|.rp}.f32.bf16",                         "d0 s1", WS_DO_F32_OF_BF16},
        {"cvt.f64.f32",                                           "d0 s1", WS_DO_F64_OF_F32},
        /* Whole numbers. */
        {"cvt{.sat}" WS_WHOLE_32 WS_WHOLE_32,                     "d0 s1", WS_DO_CONVERT_32_32},
        {"cvt{.sat}" WS_WHOLE_32 WS_WHOLE_64,                     "d0 s1", WS_DO_CONVERT_32_64},
        {"cvt{.sat}" WS_WHOLE_64 WS_WHOLE_32,                     "d0 s1", WS_DO_CONVERT_64_32},
        {"cvt{.sat}" WS_WHOLE_64 WS_WHOLE_64,                     "d0 s1", WS_DO_CONVERT_64_64},
        {"cvt" WS_INTEGRAL "{.ftz}{.sat}" WS_WHOLE_32 WS_FLOAT_32, "d0 s1", WS_DO_CONVERT_32_32},
        {"cvt" WS_INTEGRAL "{.sat}" WS_WHOLE_32 ".f64",           "d0 s1", WS_DO_CONVERT_32_64},
        {"cvt" WS_INTEGRAL "{.ftz}{.sat}" WS_WHOLE_64 WS_FLOAT_32, "d0 s1", WS_DO_CONVERT_64_32},
        {"cvt" WS_INTEGRAL "{.sat}" WS_WHOLE_64 ".f64",           "d0 s1", WS_DO_CONVERT_64_64},
        {"cvt" WS_ROUNDED "{.ftz}{.sat}" WS_FLOAT_32 WS_WHOLE_32, "d0 s1", WS_DO_CONVERT_32_32},
        {"cvt" WS_ROUNDED "{.ftz}{.sat}" WS_FLOAT_32 WS_WHOLE_64, "d0 s1", WS_DO_CONVERT_32_64},
        {"cvt" WS_ROUNDED "{.sat}.f64" WS_WHOLE_32,               "d0 s1", WS_DO_CONVERT_64_32},
        {"cvt" WS_ROUNDED "{.sat}.f64" WS_WHOLE_64,               "d0 s1", WS_DO_CONVERT_64_64},
        /* Floating point: the same format, wider, narrower. */
        {"cvt{.rni|.rzi|.rmi|.rpi}{.sat}.f16.f16",                "d0 s1", WS_DO_CONVERT_32_32},
        {"cvt{.rni|.rzi|.rmi|.rpi}.bf16.bf16",                    "d0 s1", WS_DO_CONVERT_32_32},
        {"cvt{.rni|.rzi|.rmi|.rpi}{.ftz}{.sat}.f32.f32",          "d0 s1", WS_DO_CONVERT_32_32},
        {"cvt{.rni|.rzi|.rmi|.rpi}{.sat}.f64.f64",                "d0 s1", WS_DO_CONVERT_64_64},
        {"cvt{.ftz}{.sat}.f32.f16",                               "d0 s1", WS_DO_CONVERT_32_32},
        {"cvt{.rn|.rz|.rm|.rp}{.ftz}.f32.bf16",                   "d0 s1", WS_DO_CONVERT_32_32},
        {"cvt{.ftz}{.sat}.f64(.f16|.f32)",                        "d0 s1", WS_DO_CONVERT_64_32},
        {"cvt{.rn|.rz|.rm|.rp}.f64.bf16",                         "d0 s1", WS_DO_CONVERT_64_32},
        {"cvt{.rn|.rz|.rm|.rp}.f16.bf16",                         "d0 s1", WS_DO_CONVERT_32_32},
        {"cvt{.rn|.rz|.rm|.rp}.bf16.f16",                         "d0 s1", WS_DO_CONVERT_32_32},
        {"cvt" WS_ROUNDED "{.ftz}{.sat}(.f16|.bf16).f32",         "d0 s1", WS_DO_CONVERT_32_32},
        {"cvt" WS_ROUNDED "{.ftz}{.sat}" WS_FLOAT_32 ".f64",      "d0 s1", WS_DO_CONVERT_32_64},
        {"cvt(.rn|.rz)" WS_CLOSED "(.f16|.bf16).f32",              "d0 s1", WS_DO_CONVERT_32_32},
        {"cvt(.rn|.rz)" WS_CLOSED "(.f16x2|.bf16x2).f32",          "d0 s1 s1", WS_DO_PAIR_OF_F32},
        {"cvt(.rn|.rz)" WS_CLOSED ".tf32.f32",                     "d.b32 s1", WS_DO_TF32_OF_F32},
        {"cvt.rna{.satfinite}.tf32.f32",                          "d.b32 s1", WS_DO_TF32_OF_F32},
        /* Narrow formats, in pairs; and packed whole numbers. */
        {"cvt.rn.satfinite{.relu}(.e4m3x2|.e5m2x2|.e2m3x2|.e3m2x2|.e2m1x2).f32",        "d0 s1 s1", WS_DO_NARROW_OF_F32},
        {"cvt.rn.satfinite{.relu}(.e4m3x2|.e5m2x2|.e2m3x2|.e3m2x2|.e2m1x2)(.f16x2|.bf16x2)", "d0 s1", WS_DO_NARROW_OF_PAIR},
        {"cvt(.rz|.rp){.satfinite}.ue8m0x2.f32",                  "d0 s1 s1", WS_DO_NARROW_OF_F32},
        {"cvt(.rz|.rp){.satfinite}.ue8m0x2.bf16x2",               "d0 s1", WS_DO_NARROW_OF_PAIR},
        {"cvt.rn{.relu}(.f16x2|.bf16x2)(.e4m3x2|.e5m2x2|.e2m3x2|.e3m2x2|.e2m1x2)", "d0 s1", WS_DO_PAIR_OF_NARROW},
        {"cvt.rn.bf16x2.ue8m0x2",                                 "d0 s1", WS_DO_PAIR_OF_NARROW},
        {"cvt.pack.sat(.u16|.s16).s32",                           "d.b32 s1 s1", WS_DO_PACK_WHOLE},
        {"cvt.pack.sat(.u8|.s8|.u4|.s4|.u2|.s2).s32.b32",         "d.b32 s1 s1 s.b32", WS_DO_PACK_WHOLE_INTO},
    };
    *count = sizeof rows / sizeof rows[0];
    return rows;
}
/* clang-format on */

#undef WS_WHOLE_32
#undef WS_WHOLE_64
#undef WS_FLOAT_32
#undef WS_INTEGRAL
#undef WS_ROUNDED
#undef WS_CLOSED

#endif
