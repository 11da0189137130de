/* What a step can mean to the lanes of a warp: one name, one function.
 *
 *     X(ADD_32, add_32, VECTOR)     compiled for each level of vector instructions: in integer_block.h and its like
 *     X(DIV_S32, div_s32, SCALAR)   compiled once: in ..._once_block.h */
#ifndef WARPSIM_LANES_MEANINGS_H
#define WARPSIM_LANES_MEANINGS_H

#include "rows.h"

/* clang-format off */
#define WS_MEANINGS_MOVE(X) X(MOV_32, mov_32, VECTOR) X(MOV_64, mov_64, VECTOR) X(MOV_PRED, mov_pred, SCALAR)          \
    X(EXTEND_SIGN, extend_sign, VECTOR) X(EXTEND_ZERO, extend_zero, VECTOR) X(PART_16, part_16, VECTOR)                \
    X(PART_8, part_8, VECTOR) X(PAIR_16, pair_16, VECTOR) X(PAIR_8, pair_8, VECTOR) X(OFFSET_64, offset_64, VECTOR)

#define WS_MEANINGS_INTEGER(X)                                                                                         \
    X(ADD_32, add_32, VECTOR) X(SUB_32, sub_32, VECTOR) X(NEG_32, neg_32, VECTOR) X(MUL_32, mul_32, VECTOR)            \
    X(MAD_32, mad_32, VECTOR) X(ADD_64, add_64, VECTOR) X(SUB_64, sub_64, VECTOR) X(NEG_64, neg_64, VECTOR)            \
    X(MUL_64, mul_64, VECTOR) X(MAD_64, mad_64, VECTOR) X(ADD_SAT_S32, add_sat_s32, VECTOR)                            \
    X(SUB_SAT_S32, sub_sat_s32, VECTOR) X(ADD_X2, add_x2, VECTOR) X(ABS_S16, abs_s16, VECTOR)                          \
    X(ABS_S32, abs_s32, VECTOR) X(ABS_S64, abs_s64, VECTOR) X(SAD_U16, sad_u16, VECTOR) X(SAD_S16, sad_s16, VECTOR)    \
    X(SAD_U32, sad_u32, VECTOR) X(SAD_S32, sad_s32, VECTOR) X(SAD_U64, sad_u64, VECTOR) X(SAD_S64, sad_s64, VECTOR)    \
    X(MUL_HIGH_U16, mul_high_u16, VECTOR) X(MAD_HIGH_U16, mad_high_u16, VECTOR) X(MUL_HIGH_S16, mul_high_s16, VECTOR)  \
    X(MAD_HIGH_S16, mad_high_s16, VECTOR) X(MUL_WIDE_U16, mul_wide_u16, VECTOR) X(MAD_WIDE_U16, mad_wide_u16, VECTOR)  \
    X(MUL_WIDE_S16, mul_wide_s16, VECTOR) X(MAD_WIDE_S16, mad_wide_s16, VECTOR) X(MUL_HIGH_U32, mul_high_u32, VECTOR)  \
    X(MAD_HIGH_U32, mad_high_u32, VECTOR) X(MUL_WIDE_U32, mul_wide_u32, VECTOR) X(MAD_WIDE_U32, mad_wide_u32, VECTOR)  \
    X(MUL_WIDE_S32, mul_wide_s32, VECTOR) X(MAD_WIDE_S32, mad_wide_s32, VECTOR) X(MUL_HIGH_S32, mul_high_s32, VECTOR)  \
    X(MAD_HIGH_S32, mad_high_s32, VECTOR) X(MIN_U16, min_u16, VECTOR) X(MAX_U16, max_u16, VECTOR)                      \
    X(MIN_S16, min_s16, VECTOR) X(MAX_S16, max_s16, VECTOR) X(MIN_U32, min_u32, VECTOR) X(MAX_U32, max_u32, VECTOR)    \
    X(MIN_U64, min_u64, VECTOR) X(MAX_U64, max_u64, VECTOR) X(MIN_S64, min_s64, VECTOR) X(MAX_S64, max_s64, VECTOR)    \
    X(MIN_S32, min_s32, VECTOR) X(MAX_S32, max_s32, VECTOR) X(MIN_U16X2, min_u16x2, VECTOR)                            \
    X(MAX_U16X2, max_u16x2, VECTOR) X(MIN_S16X2, min_s16x2, VECTOR) X(MAX_S16X2, max_s16x2, VECTOR)                    \
    X(DP4A, dp4a, VECTOR) X(DP2A, dp2a, VECTOR) X(AND_32, and_32, VECTOR) X(OR_32, or_32, VECTOR)                      \
    X(XOR_32, xor_32, VECTOR) X(NOT_32, not_32, VECTOR) X(CNOT_16, cnot_16, VECTOR) X(CNOT_32, cnot_32, VECTOR)        \
    X(AND_64, and_64, VECTOR) X(OR_64, or_64, VECTOR) X(XOR_64, xor_64, VECTOR) X(NOT_64, not_64, VECTOR)              \
    X(CNOT_64, cnot_64, VECTOR) X(LOP3, lop3, VECTOR) X(LOP3_TEST, lop3_test, VECTOR) X(LEFT_32, left_32, VECTOR)      \
    X(RIGHT_16, right_16, VECTOR) X(RIGHT_32, right_32, VECTOR) X(RIGHT_S16, right_s16, VECTOR)                        \
    X(RIGHT_S32, right_s32, VECTOR) X(LEFT_64, left_64, VECTOR) X(RIGHT_64, right_64, VECTOR)                          \
    X(RIGHT_S64, right_s64, VECTOR) X(FUNNEL_LEFT, funnel_left, VECTOR) X(FUNNEL_RIGHT, funnel_right, VECTOR)          \
    X(BFE_U32, bfe_u32, VECTOR) X(BFE_S32, bfe_s32, VECTOR) X(BFI_32, bfi_32, VECTOR) X(PRMT, prmt, VECTOR)

#define WS_MEANINGS_INTEGER_ONCE(X)                                                                                    \
    X(DIV_32, div_32, SCALAR) X(REM_32, rem_32, SCALAR) X(DIV_64, div_64, SCALAR) X(REM_64, rem_64, SCALAR)            \
    X(MUL_HIGH_64, mul_high_64, SCALAR) X(MAD_HIGH_64, mad_high_64, SCALAR) X(MUL24, mul24, SCALAR)                    \
    X(MAD24, mad24, SCALAR) X(BFE_U64, bfe_u64, SCALAR) X(BFE_S64, bfe_s64, SCALAR) X(BFI_64, bfi_64, SCALAR)          \
    X(BFIND_32, bfind_32, SCALAR) X(BFIND_64, bfind_64, SCALAR) X(CLZ_32, clz_32, SCALAR) X(CLZ_64, clz_64, SCALAR)    \
    X(POPC_32, popc_32, SCALAR) X(POPC_64, popc_64, SCALAR) X(BREV_32, brev_32, SCALAR) X(BREV_64, brev_64, SCALAR)    \
    X(FNS, fns, SCALAR) X(SZEXT, szext, SCALAR) X(BMSK, bmsk, SCALAR) X(PRMT_MODE, prmt_mode, SCALAR)                  \
    X(VIDEO, video, SCALAR) X(VIDEO_MAD, video_mad, SCALAR) X(AND_PREDICATE, and_predicate, SCALAR)        \
    X(OR_PREDICATE, or_predicate, SCALAR) X(XOR_PREDICATE, xor_predicate, SCALAR)                                      \
    X(NOT_PREDICATE, not_predicate, SCALAR) X(ADD_CARRY_32, add_carry_32, SCALAR)                                      \
    X(ADD_CARRY_64, add_carry_64, SCALAR) X(SUB_CARRY_32, sub_carry_32, SCALAR) X(SUB_CARRY_64, sub_carry_64, SCALAR)  \
    X(MAD_CARRY_32, mad_carry_32, SCALAR) X(MAD_CARRY_64, mad_carry_64, SCALAR)

#define WS_MEANINGS_COMPARE(X)                                                                                         \
    X(TEST_U16, test_u16, VECTOR) X(SET_U16, set_u16, VECTOR) X(TEST_S16, test_s16, VECTOR)                            \
    X(SET_S16, set_s16, VECTOR) X(TEST_U32, test_u32, VECTOR) X(SET_U32, set_u32, VECTOR)                              \
    X(TEST_S32, test_s32, VECTOR) X(SET_S32, set_s32, VECTOR) X(TEST_U64, test_u64, VECTOR)                            \
    X(SET_U64, set_u64, VECTOR) X(TEST_S64, test_s64, VECTOR) X(SET_S64, set_s64, VECTOR)                              \
    X(TEST_F16, test_f16, VECTOR) X(SET_F16, set_f16, VECTOR) X(TEST_BF16, test_bf16, VECTOR)                          \
    X(SET_BF16, set_bf16, VECTOR) X(TEST_F32, test_f32, VECTOR) X(SET_F32, set_f32, VECTOR)                            \
    X(TEST_F64, test_f64, VECTOR) X(SET_F64, set_f64, VECTOR) X(TEST_F16X2, test_f16x2, VECTOR)                        \
    X(SET_F16X2, set_f16x2, VECTOR) X(TEST_BF16X2, test_bf16x2, VECTOR) X(SET_BF16X2, set_bf16x2, VECTOR)              \
    X(SELECT_32, select_32, VECTOR) X(SELECT_64, select_64, VECTOR) X(SELECT_S32_32, select_s32_32, VECTOR)            \
    X(SELECT_S32_64, select_s32_64, VECTOR) X(SELECT_F32_32, select_f32_32, VECTOR)                                    \
    X(SELECT_F32_64, select_f32_64, VECTOR)

#define WS_MEANINGS_CONVERT(X)                                                                                         \
    X(LOW_U8, low_u8, VECTOR) X(LOW_S8, low_s8, VECTOR) X(LOW_U16, low_u16, VECTOR) X(LOW_S16, low_s16, VECTOR)        \
    X(WIDEN_U32, widen_u32, VECTOR) X(WIDEN_S32, widen_s32, VECTOR) X(F32_OF_S32, f32_of_s32, VECTOR)                  \
    X(F32_OF_U32, f32_of_u32, VECTOR) X(F16_OF_F32, f16_of_f32, VECTOR) X(F16X2_OF_F32, f16x2_of_f32, VECTOR)          \
    X(BF16_OF_F32, bf16_of_f32, VECTOR) X(BF16X2_OF_F32, bf16x2_of_f32, VECTOR) X(F32_OF_F16, f32_of_f16, VECTOR)      \
    X(F32_OF_BF16, f32_of_bf16, VECTOR) X(F64_OF_F32, f64_of_f32, VECTOR) X(S32_OF_F32, s32_of_f32, VECTOR)            \
    X(U32_OF_F32, u32_of_f32, VECTOR)

#define WS_MEANINGS_CONVERT_ONCE(X)                                                                                    \
    X(CONVERT_32_32, convert_32_32, SCALAR) X(CONVERT_32_64, convert_32_64, SCALAR)                                    \
    X(CONVERT_64_32, convert_64_32, SCALAR) X(CONVERT_64_64, convert_64_64, SCALAR)                                    \
    X(PAIR_OF_F32, pair_of_f32, SCALAR) X(NARROW_OF_F32, narrow_of_f32, SCALAR)                                        \
    X(NARROW_OF_PAIR, narrow_of_pair, SCALAR) X(PAIR_OF_NARROW, pair_of_narrow, SCALAR)                                \
    X(TF32_OF_F32, tf32_of_f32, SCALAR) X(PACK_WHOLE, pack_whole, SCALAR) X(PACK_WHOLE_INTO, pack_whole_into, SCALAR)

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
    X(SUB_FIRST_F64, sub_first_f64, VECTOR) X(MUL_F64, mul_f64, VECTOR) X(FMA_F64, fma_f64, VECTOR) X(DIV_F64, div_f64, VECTOR) X(RCP_F64, rcp_f64, VECTOR)    \
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
    X(RCP_APPROX_F64, rcp_approx_f64, SCALAR) X(RSQRT_APPROX_F64, rsqrt_approx_f64, VECTOR)                            \
    X(COPYSIGN_F32, copysign_f32, SCALAR) X(COPYSIGN_F64, copysign_f64, SCALAR) X(TESTP_F32, testp_f32, SCALAR)        \
    X(TESTP_F64, testp_f64, SCALAR) X(ADD_F32_F16, add_f32_f16, SCALAR) X(SUB_F32_F16, sub_f32_f16, SCALAR)            \
    X(FMA_F32_F16, fma_f32_f16, SCALAR) X(ADD_F32_BF16, add_f32_bf16, SCALAR) X(SUB_F32_BF16, sub_f32_bf16, SCALAR)    \
    X(FMA_F32_BF16, fma_f32_bf16, SCALAR)

#define WS_MEANINGS_FLOAT(X) WS_MEANINGS_WIDE_FLOAT(X) WS_MEANINGS_HALF(X) WS_MEANINGS_FLOAT_ONCE(X)
/* clang-format on */

#define WS_LANE_MEANINGS(X)                                                                                            \
    WS_MEANINGS_MOVE(X)                                                                                                \
    WS_MEANINGS_FLOAT(X)                                                                                               \
    WS_MEANINGS_INTEGER(X)                                                                                             \
    WS_MEANINGS_INTEGER_ONCE(X) WS_MEANINGS_COMPARE(X) WS_MEANINGS_CONVERT(X) WS_MEANINGS_CONVERT_ONCE(X)

#define WS_ENUM(NAME, name, kind) WS_DO_##NAME,
enum { WS_LANE_MEANINGS(WS_ENUM) WS_LANE_MEANING_COUNT };
#undef WS_ENUM

#endif
