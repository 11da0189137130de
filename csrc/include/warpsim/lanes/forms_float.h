/* Statements of floating point (form.h says how rows are read; the first row that fits counts). */
#ifndef WARPSIM_LANES_FORMS_FLOAT_H
#define WARPSIM_LANES_FORMS_FLOAT_H

#include "form.h"
#include "meanings.h"

/* clang-format off */
static inline const ws_statement_form *ws_forms_float(size_t *count) {
    static const ws_statement_form rows[] = {
        /* Often. */
        {"add{.rn|.rz|.rm|.rp}{.ftz}{.sat}.f32",                      "d0 s0 s0",     WS_DO_ADD_F32},
        {"sub{.rn|.rz|.rm|.rp}{.ftz}{.sat}.f32",                      "d0 s0 s0",     WS_DO_SUB_F32},
        {"mul{.rn|.rz|.rm|.rp}{.ftz}{.sat}.f32",                      "d0 s0 s0",     WS_DO_MUL_F32},
        {"fma(.rn|.rz|.rm|.rp){.ftz}{.sat}.f32",                      "d0 s0 s0 s0",  WS_DO_FMA_F32},
        {"mad(.rn|.rz|.rm|.rp){.ftz}{.sat}.f32",                      "d0 s0 s0 s0",  WS_DO_FMA_F32},
        {"min{.ftz}{.NaN}{.xorsign.abs|.abs}.f32",                    "d0 s0 s0 ?s0", WS_DO_MIN_F32},
        {"max{.ftz}{.NaN}{.xorsign.abs|.abs}.f32",                    "d0 s0 s0 ?s0", WS_DO_MAX_F32},
        {"abs{.ftz}.f32",                                             "d0 s0",        WS_DO_ABS_F32},
        {"neg{.ftz}.f32",                                             "d0 s0",        WS_DO_NEG_F32},
        /* f32. */
        {"div(.rn|.rz|.rm|.rp){.ftz}.f32",                            "d0 s0 s0",     WS_DO_DIV_F32},
        {"div.full{.ftz}.f32",                                        "d0 s0 s0",     WS_DO_DIV_FULL_F32},
        {"div.approx{.ftz}.f32",                                      "d0 s0 s0",     WS_DO_DIV_APPROX_F32},
        {"rcp(.rn|.rz|.rm|.rp){.ftz}.f32",                            "d0 s0",        WS_DO_RCP_F32},
        {"sqrt(.rn|.rz|.rm|.rp){.ftz}.f32",                           "d0 s0",        WS_DO_SQRT_F32},
        {"rcp.approx{.ftz}.f32",                                      "d0 s0",        WS_DO_RCP_APPROX_F32},
        {"sqrt.approx{.ftz}.f32",                                     "d0 s0",        WS_DO_SQRT_APPROX_F32},
        {"rsqrt.approx{.ftz}.f32",                                    "d0 k0",        WS_DO_RSQRT_APPROX_F32},
        {"lg2.approx{.ftz}.f32",                                      "d0 k0",        WS_DO_LG2_APPROX_F32},
        {"ex2.approx{.ftz}.f32",                                      "d0 s0",        WS_DO_EX2_APPROX_F32},
        {"sin.approx{.ftz}.f32",                                      "d0 k0",        WS_DO_SIN_APPROX_F32},
        {"cos.approx{.ftz}.f32",                                      "d0 k0",        WS_DO_COS_APPROX_F32},
        {"tanh.approx.f32",                                           "d0 s0",        WS_DO_TANH_APPROX_F32},
        {"copysign.f32",                                              "d0 s0 s0",     WS_DO_COPYSIGN_F32},
        {"testp(.finite|.infinite|.number|.notanumber|.normal|.subnormal).f32", "p s0",         WS_DO_TESTP_F32},
        {"copysign.f64",                                              "d0 s0 s0",     WS_DO_COPYSIGN_F64},
        {"testp(.finite|.infinite|.number|.notanumber|.normal|.subnormal).f64", "p s0",         WS_DO_TESTP_F64},
        /* Pairs of f32, and f32 with narrower operands: sm_100. */
        {"add{.rn|.rz|.rm|.rp}{.ftz}.f32x2",                          "d0 s0 s0",     WS_DO_ADD_F32X2},
        {"sub{.rn|.rz|.rm|.rp}{.ftz}.f32x2",                          "d0 s0 s0",     WS_DO_SUB_F32X2},
        {"mul{.rn|.rz|.rm|.rp}{.ftz}.f32x2",                          "d0 s0 s0",     WS_DO_MUL_F32X2},
        {"fma(.rn|.rz|.rm|.rp){.ftz}.f32x2",                          "d0 s0 s0 s0",  WS_DO_FMA_F32X2},
        {"add{.rn|.rz|.rm|.rp}{.sat}.f32.f16",                        "d0 s1 s0",     WS_DO_ADD_F32_F16},
        {"sub{.rn|.rz|.rm|.rp}{.sat}.f32.f16",                        "d0 s1 s0",     WS_DO_SUB_F32_F16},
        {"fma(.rn|.rz|.rm|.rp){.sat}.f32.f16",                        "d0 s1 s1 s0",  WS_DO_FMA_F32_F16},
        {"add{.rn|.rz|.rm|.rp}{.sat}.f32.bf16",                       "d0 s1 s0",     WS_DO_ADD_F32_BF16},
        {"sub{.rn|.rz|.rm|.rp}{.sat}.f32.bf16",                       "d0 s1 s0",     WS_DO_SUB_F32_BF16},
        {"fma(.rn|.rz|.rm|.rp){.sat}.f32.bf16",                       "d0 s1 s1 s0",  WS_DO_FMA_F32_BF16},
        /* f64. */
        {"add{.rn|.rz|.rm|.rp}.f64",                                  "d0 s0 s0",     WS_DO_ADD_F64},
        {"sub{.rn|.rz|.rm|.rp}.f64",                                  "d0 s0 s0",     WS_DO_SUB_F64},
        {"mul{.rn|.rz|.rm|.rp}.f64",                                  "d0 s0 s0",     WS_DO_MUL_F64},
        {"fma(.rn|.rz|.rm|.rp).f64",                                  "d0 s0 s0 s0",  WS_DO_FMA_F64},
        {"mad(.rn|.rz|.rm|.rp).f64",                                  "d0 s0 s0 s0",  WS_DO_FMA_F64},
        {"div(.rn|.rz|.rm|.rp).f64",                                  "d0 s0 s0",     WS_DO_DIV_F64},
        {"rcp(.rn|.rz|.rm|.rp){.ftz}.f64",                            "d0 s0",        WS_DO_RCP_F64},
        {"sqrt(.rn|.rz|.rm|.rp).f64",                                 "d0 s0",        WS_DO_SQRT_F64},
        {"rcp.approx.ftz.f64",                                        "d0 s0",        WS_DO_RCP_APPROX_F64},
        {"rsqrt.approx{.ftz}.f64",                                    "d0 s0",        WS_DO_RSQRT_APPROX_F64},
        {"min.f64",                                                   "d0 s0 s0",     WS_DO_MIN_F64},
        {"max.f64",                                                   "d0 s0 s0",     WS_DO_MAX_F64},
        {"abs.f64",                                                   "d0 s0",        WS_DO_ABS_F64},
        {"neg.f64",                                                   "d0 s0",        WS_DO_NEG_F64},
        /* f16. */
        {"add{.rn}{.ftz}{.sat}.f16",                                  "d0 s0 s0",     WS_DO_ADD_F16},
        {"sub{.rn}{.ftz}{.sat}.f16",                                  "d0 s0 s0",     WS_DO_SUB_F16},
        {"mul{.rn}{.ftz}{.sat}.f16",                                  "d0 s0 s0",     WS_DO_MUL_F16},
        {"fma.rn{.ftz}{.sat|.relu}.f16",                              "d0 s0 s0 s0",  WS_DO_FMA_F16},
        {"fma.rn.oob{.relu}.f16",                                     "d0 s0 s0 s0",  WS_DO_FMA_F16},
        {"abs{.ftz}.f16",                                             "d0 s0",        WS_DO_ABS_F16},
        {"neg{.ftz}.f16",                                             "d0 s0",        WS_DO_NEG_F16},
        {"min{.ftz}{.NaN}{.xorsign.abs}.f16",                         "d0 s0 s0",     WS_DO_MIN_F16},
        {"max{.ftz}{.NaN}{.xorsign.abs}.f16",                         "d0 s0 s0",     WS_DO_MAX_F16},
        {"ex2.approx.f16",                                            "d0 s0",        WS_DO_EX2_F16},
        {"tanh.approx.f16",                                           "d0 s0",        WS_DO_TANH_F16},
        /* f16x2. */
        {"add{.rn}{.ftz}{.sat}.f16x2",                                "d0 s0 s0",     WS_DO_ADD_F16X2},
        {"sub{.rn}{.ftz}{.sat}.f16x2",                                "d0 s0 s0",     WS_DO_SUB_F16X2},
        {"mul{.rn}{.ftz}{.sat}.f16x2",                                "d0 s0 s0",     WS_DO_MUL_F16X2},
        {"fma.rn{.ftz}{.sat|.relu}.f16x2",                            "d0 s0 s0 s0",  WS_DO_FMA_F16X2},
        {"fma.rn.oob{.relu}.f16x2",                                   "d0 s0 s0 s0",  WS_DO_FMA_F16X2},
        {"abs{.ftz}.f16x2",                                           "d0 s0",        WS_DO_ABS_F16X2},
        {"neg{.ftz}.f16x2",                                           "d0 s0",        WS_DO_NEG_F16X2},
        {"min{.ftz}{.NaN}{.xorsign.abs}.f16x2",                       "d0 s0 s0",     WS_DO_MIN_F16X2},
        {"max{.ftz}{.NaN}{.xorsign.abs}.f16x2",                       "d0 s0 s0",     WS_DO_MAX_F16X2},
        {"ex2.approx.f16x2",                                          "d0 s0",        WS_DO_EX2_F16X2},
        {"tanh.approx.f16x2",                                         "d0 s0",        WS_DO_TANH_F16X2},
        /* bf16. */
        {"add{.rn}.bf16",                                             "d0 s0 s0",     WS_DO_ADD_BF16},
        {"sub{.rn}.bf16",                                             "d0 s0 s0",     WS_DO_SUB_BF16},
        {"mul{.rn}.bf16",                                             "d0 s0 s0",     WS_DO_MUL_BF16},
        {"fma.rn{.relu}.bf16",                                        "d0 s0 s0 s0",  WS_DO_FMA_BF16},
        {"fma.rn.oob{.relu}.bf16",                                    "d0 s0 s0 s0",  WS_DO_FMA_BF16},
        {"abs.bf16",                                                  "d0 s0",        WS_DO_ABS_BF16},
        {"neg.bf16",                                                  "d0 s0",        WS_DO_NEG_BF16},
        {"min{.NaN}{.xorsign.abs}.bf16",                              "d0 s0 s0",     WS_DO_MIN_BF16},
        {"max{.NaN}{.xorsign.abs}.bf16",                              "d0 s0 s0",     WS_DO_MAX_BF16},
        {"ex2.approx.ftz.bf16",                                       "d0 s0",        WS_DO_EX2_BF16},
        {"tanh.approx.bf16",                                          "d0 s0",        WS_DO_TANH_BF16},
        /* bf16x2. */
        {"add{.rn}.bf16x2",                                           "d0 s0 s0",     WS_DO_ADD_BF16X2},
        {"sub{.rn}.bf16x2",                                           "d0 s0 s0",     WS_DO_SUB_BF16X2},
        {"mul{.rn}.bf16x2",                                           "d0 s0 s0",     WS_DO_MUL_BF16X2},
        {"fma.rn{.relu}.bf16x2",                                      "d0 s0 s0 s0",  WS_DO_FMA_BF16X2},
        {"fma.rn.oob{.relu}.bf16x2",                                  "d0 s0 s0 s0",  WS_DO_FMA_BF16X2},
        {"abs.bf16x2",                                                "d0 s0",        WS_DO_ABS_BF16X2},
        {"neg.bf16x2",                                                "d0 s0",        WS_DO_NEG_BF16X2},
        {"min{.NaN}{.xorsign.abs}.bf16x2",                            "d0 s0 s0",     WS_DO_MIN_BF16X2},
        {"max{.NaN}{.xorsign.abs}.bf16x2",                            "d0 s0 s0",     WS_DO_MAX_BF16X2},
        {"ex2.approx.ftz.bf16x2",                                     "d0 s0",        WS_DO_EX2_BF16X2},
        {"tanh.approx.bf16x2",                                        "d0 s0",        WS_DO_TANH_BF16X2},
    };
    *count = sizeof rows / sizeof rows[0];
    return rows;
}
/* clang-format on */

#endif
