/* The meanings of whole numbers, logic, bits, comparisons and conversions: a part of meanings.h. */
#ifndef WARPSIM_LANES_MEANINGS_WHOLE_H
#define WARPSIM_LANES_MEANINGS_WHOLE_H

/* clang-format off */
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
    X(VIDEO_2, video_2, SCALAR) X(VIDEO_2_SUM, video_2_sum, SCALAR) X(VIDEO_4, video_4, SCALAR)                        \
    X(VIDEO_4_SUM, video_4_sum, SCALAR) X(VIDEO_MAD, video_mad, SCALAR) X(AND_PREDICATE, and_predicate, SCALAR)        \
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

/* clang-format on */

#endif
