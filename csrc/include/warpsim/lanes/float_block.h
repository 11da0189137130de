/* Floating point, for one level: included by level_block.h. */

/* a x b + c, rounded once. */
WS_AT_LEVEL float WS_LEVEL(ws_fused)(float a, float b, float c) {
#if WS_HAS_FMA
    return __builtin_fmaf(a, b, c);
#else
    return ws_fused_f32(a, b, c);
#endif
}

WS_AT_LEVEL uint32_t WS_LEVEL(ws_fma_near)(uint32_t a, uint32_t b, uint32_t c, uint32_t how) {
    const uint32_t x = ws_f32_flush(a, how), y = ws_f32_flush(b, how), z = ws_f32_flush(c, how);
    const ws_f32_factors factors = ws_f32_scale(x, y);
    const float scaled = WS_LEVEL(ws_fused)(factors.scaled, factors.other, ws_float_of(z) * WS_TWO_64);
    return ws_f32_close(WS_LEVEL(ws_fused)(ws_float_of(x), ws_float_of(y), ws_float_of(z)), scaled, how);
}

#define WS_AB_SUB const uint32_t a = WS_VALUE32(0), b = WS_VALUE32(1) ^ WS_SIGN_F32
#define WS_ADD_EXACT ws_f32_fma_exact(a, WS_F32_ONE, b, how)
#define WS_MUL_EXACT ws_f32_fma_exact(a, b, (a ^ b) & WS_SIGN_F32, how)

WS_DO_FLOAT(add_f32, 1, 2, ws_f32_add_near(a, b, how), WS_ADD_EXACT, WS_AB32)
WS_DO_FLOAT(sub_f32, 1, 2, ws_f32_add_near(a, b, how), WS_ADD_EXACT, WS_AB_SUB)
WS_DO_FLOAT(mul_f32, 1, 2, ws_f32_mul_near(a, b, how), WS_MUL_EXACT, WS_AB32)
WS_DO_FLOAT(fma_f32, 1, 3, WS_LEVEL(ws_fma_near)(a, b, c, how), ws_f32_fma_exact(a, b, c, how), WS_ABC32)
WS_DO_FLOAT(div_f32, 1, 2, ws_f32_div_near(a, b, how), ws_f32_div(a, b, how), WS_AB32)
WS_DO_FLOAT(rcp_f32, 1, 1, ws_f32_div_near(WS_F32_ONE, a, how), ws_f32_rcp(a, how), WS_A32)

WS_DO_FLOAT(add_f32x2, 2, 2, ws_f32_add_near(a, b, how), WS_ADD_EXACT, WS_AB32)
WS_DO_FLOAT(sub_f32x2, 2, 2, ws_f32_add_near(a, b, how), WS_ADD_EXACT, WS_AB_SUB)
WS_DO_FLOAT(mul_f32x2, 2, 2, ws_f32_mul_near(a, b, how), WS_MUL_EXACT, WS_AB32)
WS_DO_FLOAT(fma_f32x2, 2, 3, WS_LEVEL(ws_fma_near)(a, b, c, how), ws_f32_fma_exact(a, b, c, how), WS_ABC32)

#undef WS_AB_SUB
#undef WS_ADD_EXACT
#undef WS_MUL_EXACT

WS_DO_EITHER(abs_f32, 1, ws_f32_abs(a, how), WS_A32)
WS_DO_EITHER(neg_f32, 1, ws_f32_neg(a, how), WS_A32)

/* Of two, or of three (PTX 8.8, sm_100). */
WS_DO_EITHER(min2_f32, 2, ws_choose(WS_FORMAT_F32, a, b, how, false), WS_AB32)
WS_DO_EITHER(max2_f32, 2, ws_choose(WS_FORMAT_F32, a, b, how, true), WS_AB32)
WS_DO_EITHER(min3_f32, 3, ws_choose3(WS_FORMAT_F32, a, b, c, how | (step->how & WS_HOW_ABS), false), WS_ABC32)
WS_DO_EITHER(max3_f32, 3, ws_choose3(WS_FORMAT_F32, a, b, c, how | (step->how & WS_HOW_ABS), true), WS_ABC32)
WS_DO_HEAD(min_f32) { (step->s[2] == WS_NONE ? WS_DO_NAME(min2_f32) : WS_DO_NAME(min3_f32))(lanes, step, mask); }
WS_DO_HEAD(max_f32) { (step->s[2] == WS_NONE ? WS_DO_NAME(max2_f32) : WS_DO_NAME(max3_f32))(lanes, step, mask); }

WS_DO_EITHER(rcp_approx_f32, 1, ws_rcp_approx(a, how), WS_A32)
WS_DO_EITHER(sqrt_approx_f32, 1, ws_sqrt_approx(a, how), WS_A32)
WS_DO_EITHER(rsqrt_approx_f32, 1, ws_rsqrt_approx(a, how), WS_A32)
WS_DO_EITHER(lg2_approx_f32, 1, ws_lg2_approx(a, how), WS_A32)
WS_DO_EITHER(ex2_approx_f32, 1, ws_ex2_approx(a, how), WS_A32)
WS_DO1(sin_approx_f32, ws_sin_approx(a))
WS_DO1(cos_approx_f32, ws_cos_approx(a))
WS_DO1(tanh_approx_f32, ws_mufu_tanh(a))
WS_DO_EITHER(div_approx_f32, 2, ws_div_approx(a, b, how), WS_AB32)
WS_DO_EITHER(div_full_f32, 2, ws_div_full(a, b, how), WS_AB32)

/* f64. */
WS_DO_FLOAT64(add_f64, 2, x + y, ws_f64_add_near(a, b), ws_f64_add(a, b, how), WS_AB64)
WS_DO_FLOAT64(sub_f64, 2, x - y, ws_f64_sub_near(a, b), ws_f64_sub(a, b, how), WS_AB64)
/* Of two NaN, the first operand survives. */
WS_DO_FLOAT64(sub_first_f64, 2, x - y, ws_f64_survivor(a, b, ws_f64_sub_near(a, b)),
              ws_f64_survivor(a, b, ws_f64_sub(a, b, how)), WS_AB64)
WS_DO_FLOAT64(mul_f64, 2, x *y, ws_f64_mul_near(a, b), ws_f64_mul(a, b, how), WS_AB64)
#if WS_HAS_FMA
#define WS_FUSED_F64 __builtin_fma(ws_double_of(a), ws_double_of(b), ws_double_of(c))
WS_DO_FLOAT64(fma_f64, 3, WS_FUSED(x, y, z), ws_f64_close_fma(a, b, c, WS_FUSED_F64), ws_f64_fma(a, b, c, how),
              WS_ABC64)
#undef WS_FUSED_F64
#else
WS_DO3_64(fma_f64, ws_f64_fma(a, b, c, how))
#endif

WS_AT_LEVEL uint64_t WS_LEVEL(ws_fused_f64)(uint64_t a, uint64_t b, uint64_t c) {
#if WS_HAS_FMA
    return ws_bits64_of(__builtin_fma(ws_double_of(a), ws_double_of(b), ws_double_of(c)));
#else
    return ws_f64_fma(a, b, c, 0);
#endif
}
WS_DO1_64(rsqrt_approx_f64, ws_rsqrt_approx_f64(a, how, WS_LEVEL(ws_fused_f64)))
WS_DO_FLOAT64(div_f64, 2, x / y, ws_f64_div_near(a, b), ws_f64_div(a, b, how), WS_AB64)
WS_DO_FLOAT64(rcp_f64, 1, WS_SPLAT(1.0) / x, ws_f64_div_near(WS_ONE_F64, a), ws_f64_rcp(a, how), WS_A64)

WS_DO1_64(abs_f64, ws_f64_abs(a))
WS_DO1_64(neg_f64, ws_f64_neg(a))
WS_DO2_64(min_f64, ws_f64_choose(a, b, false))
WS_DO2_64(max_f64, ws_f64_choose(a, b, true))

/* f16, bf16 and pairs of them; bits above 16-bit values are dropped. */
/* Operations of one type: `type` in names, `FORMAT` of the elements, scalars and pairs. */
#define WS_HALF_OPERATIONS(type, FORMAT)                                                                               \
    WS_DO_EITHER(add_##type, 2, ws_half_add(FORMAT, a, b, how), WS_AB32)                                               \
    WS_DO_EITHER(sub_##type, 2, ws_half_sub(FORMAT, a, b, how), WS_AB32)                                               \
    WS_DO_EITHER(mul_##type, 2, ws_half_mul(FORMAT, a, b, how), WS_AB32)                                               \
    WS_DO_EITHER(fma_##type, 3, ws_half_fma(FORMAT, a, b, c, how), WS_ABC32)                                           \
    WS_DO_EITHER(abs_##type, 1, ws_half_abs(FORMAT, a, how), WS_A32)                                                   \
    WS_DO_EITHER(neg_##type, 1, ws_half_neg(FORMAT, a, how), WS_A32)                                                   \
    WS_DO_EITHER(min_##type, 2, ws_half_min(FORMAT, a, b, how), WS_AB32)                                               \
    WS_DO_EITHER(max_##type, 2, ws_half_max(FORMAT, a, b, how), WS_AB32)                                               \
    WS_DO1(ex2_##type, ws_half_ex2(FORMAT, a))                                                                         \
    WS_DO1(tanh_##type, ws_half_tanh(FORMAT, a))                                                                       \
    WS_DO_EITHER(add_##type##x2, 2, WS_PAIR2(ws_half_add, FORMAT), WS_AB32)                                            \
    WS_DO_EITHER(sub_##type##x2, 2, WS_PAIR2(ws_half_sub, FORMAT), WS_AB32)                                            \
    WS_DO_EITHER(mul_##type##x2, 2, WS_PAIR2(ws_half_mul, FORMAT), WS_AB32)                                            \
    WS_DO_EITHER(fma_##type##x2, 3, WS_PAIR3(ws_half_fma, FORMAT), WS_ABC32)                                           \
    WS_DO_EITHER(abs_##type##x2, 1, WS_PAIR1(ws_half_abs, FORMAT), WS_A32)                                             \
    WS_DO_EITHER(neg_##type##x2, 1, WS_PAIR1(ws_half_neg, FORMAT), WS_A32)                                             \
    WS_DO_EITHER(min_##type##x2, 2, WS_PAIR2(ws_half_min, FORMAT), WS_AB32)                                            \
    WS_DO_EITHER(max_##type##x2, 2, WS_PAIR2(ws_half_max, FORMAT), WS_AB32)                                            \
    WS_DO1(ex2_##type##x2, ws_half_ex2(FORMAT, a & 0xffff) | ws_half_ex2(FORMAT, a >> 16) << 16)                       \
    WS_DO1(tanh_##type##x2, ws_half_tanh(FORMAT, a & 0xffff) | ws_half_tanh(FORMAT, a >> 16) << 16)

WS_HALF_OPERATIONS(f16, WS_FORMAT_F16)
WS_HALF_OPERATIONS(bf16, WS_FORMAT_BF16)

#undef WS_HALF_OPERATIONS
