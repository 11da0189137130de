/* f32, for one level: included by blocks.h. */

/* a x b + c, rounded once. */
WS_AT_LEVEL float WS_LEVEL(ws_fused)(float a, float b, float c) {
#if WS_HAS_FMA
    return __builtin_fmaf(a, b, c);
#else
    return ws_fused_f32(a, b, c);
#endif
}

WS_AT_LEVEL uint32_t WS_LEVEL(ws_fma_near)(uint32_t a, uint32_t b, uint32_t c, uint32_t how) {
    const float x = ws_float_of(ws_f32_flush(a, how)), y = ws_float_of(ws_f32_flush(b, how));
    const float z = ws_float_of(ws_f32_flush(c, how));
    const float result = WS_LEVEL(ws_fused)(x, y, z);
    const float factor = ws_f32_scaled_factor(x, y), other = ws_f32_other_factor(x, y);
    if ((how & WS_HOW_FTZ) == 0) return ws_f32_saturate(ws_f32_canonical(result), how);
    return ws_f32_close(result, WS_LEVEL(ws_fused)(factor, other, z * WS_TWO_64), how);
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
WS_DO_EITHER(min3_f32, 3, ws_choose3(WS_FORMAT_F32, a, b, c, how, false), WS_ABC32)
WS_DO_EITHER(max3_f32, 3, ws_choose3(WS_FORMAT_F32, a, b, c, how, true), WS_ABC32)
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
