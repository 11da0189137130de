/* What a step can mean to the lanes of a warp: one name, one function.
 *
 *     X(ADD_32, add_32, VECTOR)     compiled for each level of vector instructions: in integer_block.h and its like
 *     X(DIV_S32, div_s32, SCALAR)   compiled once: in ..._scalar.h */
#ifndef WARPSIM_LANES_MEANINGS_H
#define WARPSIM_LANES_MEANINGS_H

#include "meanings_whole.h"
#include "rows.h"

/* clang-format off */
#define WS_MEANINGS_MOVE(X) X(MOV_32, mov_32, VECTOR) X(MOV_64, mov_64, VECTOR) X(MOV_PRED, mov_pred, SCALAR)          \
    X(EXTEND_SIGN, extend_sign, VECTOR) X(EXTEND_ZERO, extend_zero, VECTOR) X(PART_16, part_16, VECTOR)                \
    X(PART_8, part_8, VECTOR) X(PAIR_16, pair_16, VECTOR) X(PAIR_8, pair_8, VECTOR) X(OFFSET_64, offset_64, VECTOR)

#define WS_MEANINGS_WIDE_FLOAT(X) X(ADD_F32, add_f32, VECTOR) X(SUB_F32, sub_f32, VECTOR) X(MUL_F32, mul_f32, VECTOR)  \
    X(FMA_F32, fma_f32, VECTOR) X(DIV_F32, div_f32, VECTOR) X(RCP_F32, rcp_f32, VECTOR)                                \
    X(ADD_F32X2, add_f32x2, VECTOR) X(SUB_F32X2, sub_f32x2, VECTOR) X(MUL_F32X2, mul_f32x2, VECTOR)                    \
    X(FMA_F32X2, fma_f32x2, VECTOR) X(ABS_F32, abs_f32, VECTOR) X(NEG_F32, neg_f32, VECTOR)                            \
    X(MIN_F32, min_f32, VECTOR) X(MAX_F32, max_f32, VECTOR) X(RCP_APPROX_F32, rcp_approx_f32, VECTOR)                  \
    X(SQRT_APPROX_F32, sqrt_approx_f32, VECTOR) X(RSQRT_APPROX_F32, rsqrt_approx_f32, VECTOR)                          \
    X(LG2_APPROX_F32, lg2_approx_f32, VECTOR) X(EX2_APPROX_F32, ex2_approx_f32, VECTOR)                                \
    X(SIN_APPROX_F32, sin_approx_f32, VECTOR) X(COS_APPROX_F32, cos_approx_f32, VECTOR)                                \
    X(TANH_APPROX_F32, tanh_approx_f32, VECTOR) X(DIV_APPROX_F32, div_approx_f32, VECTOR)                              \
    X(DIV_FULL_F32, div_full_f32, VECTOR) X(ADD_F64, add_f64, VECTOR) X(SUB_F64, sub_f64, VECTOR)                      \
    X(MUL_F64, mul_f64, VECTOR) X(FMA_F64, fma_f64, VECTOR) X(DIV_F64, div_f64, VECTOR) X(RCP_F64, rcp_f64, VECTOR)    \
    X(ABS_F64, abs_f64, VECTOR) X(NEG_F64, neg_f64, VECTOR) X(MIN_F64, min_f64, VECTOR) X(MAX_F64, max_f64, VECTOR)

#define WS_MEANINGS_HALF(X) X(ADD_F16, add_f16, VECTOR) X(SUB_F16, sub_f16, VECTOR) X(MUL_F16, mul_f16, VECTOR)        \
    X(FMA_F16, fma_f16, VECTOR) X(ABS_F16, abs_f16, VECTOR) X(NEG_F16, neg_f16, VECTOR) X(MIN_F16, min_f16, VECTOR)    \
    X(MAX_F16, max_f16, VECTOR) X(EX2_F16, ex2_f16, VECTOR) X(TANH_F16, tanh_f16, VECTOR)                              \
    X(ADD_F16X2, add_f16x2, VECTOR) X(SUB_F16X2, sub_f16x2, VECTOR) X(MUL_F16X2, mul_f16x2, VECTOR)                    \
    X(FMA_F16X2, fma_f16x2, VECTOR) X(ABS_F16X2, abs_f16x2, VECTOR) X(NEG_F16X2, neg_f16x2, VECTOR)                    \
    X(MIN_F16X2, min_f16x2, VECTOR) X(MAX_F16X2, max_f16x2, VECTOR) X(EX2_F16X2, ex2_f16x2, VECTOR)                    \
    X(TANH_F16X2, tanh_f16x2, VECTOR) X(ADD_BF16, add_bf16, VECTOR) X(SUB_BF16, sub_bf16, VECTOR)                      \
    X(MUL_BF16, mul_bf16, VECTOR) X(FMA_BF16, fma_bf16, VECTOR) X(ABS_BF16, abs_bf16, VECTOR)                          \
    X(NEG_BF16, neg_bf16, VECTOR) X(MIN_BF16, min_bf16, VECTOR) X(MAX_BF16, max_bf16, VECTOR)                          \
    X(EX2_BF16, ex2_bf16, VECTOR) X(TANH_BF16, tanh_bf16, VECTOR) X(ADD_BF16X2, add_bf16x2, VECTOR)                    \
    X(SUB_BF16X2, sub_bf16x2, VECTOR) X(MUL_BF16X2, mul_bf16x2, VECTOR) X(FMA_BF16X2, fma_bf16x2, VECTOR)              \
    X(ABS_BF16X2, abs_bf16x2, VECTOR) X(NEG_BF16X2, neg_bf16x2, VECTOR) X(MIN_BF16X2, min_bf16x2, VECTOR)              \
    X(MAX_BF16X2, max_bf16x2, VECTOR) X(EX2_BF16X2, ex2_bf16x2, VECTOR) X(TANH_BF16X2, tanh_bf16x2, VECTOR)

#define WS_MEANINGS_FLOAT_ONCE(X) X(SQRT_F32, sqrt_f32, SCALAR) X(SQRT_F64, sqrt_f64, SCALAR)                          \
    X(RCP_APPROX_F64, rcp_approx_f64, SCALAR) X(RSQRT_APPROX_F64, rsqrt_approx_f64, SCALAR)                            \
    X(COPYSIGN_F32, copysign_f32, SCALAR) X(COPYSIGN_F64, copysign_f64, SCALAR) X(TESTP_F32, testp_f32, SCALAR)        \
    X(TESTP_F64, testp_f64, SCALAR) X(ADD_F32_F16, add_f32_f16, SCALAR) X(SUB_F32_F16, sub_f32_f16, SCALAR)            \
    X(FMA_F32_F16, fma_f32_f16, SCALAR) X(ADD_F32_BF16, add_f32_bf16, SCALAR) X(SUB_F32_BF16, sub_f32_bf16, SCALAR)    \
    X(FMA_F32_BF16, fma_f32_bf16, SCALAR)

#define WS_MEANINGS_FLOAT(X) WS_MEANINGS_WIDE_FLOAT(X) WS_MEANINGS_HALF(X) WS_MEANINGS_FLOAT_ONCE(X)
/* clang-format on */

#define WS_LANE_MEANINGS(X)                                                                                            \
    WS_MEANINGS_MOVE(X) WS_MEANINGS_FLOAT(X) WS_MEANINGS_INTEGER(X) WS_MEANINGS_INTEGER_ONCE(X)                        \
    WS_MEANINGS_COMPARE(X) WS_MEANINGS_CONVERT(X) WS_MEANINGS_CONVERT_ONCE(X)

#define WS_ENUM(NAME, name, kind) WS_DO_##NAME,
enum { WS_LANE_MEANINGS(WS_ENUM) WS_LANE_MEANING_COUNT };
#undef WS_ENUM

#endif
