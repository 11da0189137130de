/* f64, for one level: included by blocks.h. */

WS_DO_FLOAT64(add_f64, 2, ws_f64_add_near(a, b), ws_f64_add(a, b, how), WS_AB64)
WS_DO_FLOAT64(sub_f64, 2, ws_f64_sub_near(a, b), ws_f64_sub(a, b, how), WS_AB64)
WS_DO_FLOAT64(mul_f64, 2, ws_f64_mul_near(a, b), ws_f64_mul(a, b, how), WS_AB64)
#if WS_HAS_FMA
WS_DO_FLOAT64(fma_f64, 3, ws_f64_close_fma(a, b, c, __builtin_fma(ws_double_of(a), ws_double_of(b), ws_double_of(c))),
              ws_f64_fma(a, b, c, how), WS_ABC64)
#else
WS_DO3_64(fma_f64, ws_f64_fma(a, b, c, how))
#endif
WS_DO_FLOAT64(div_f64, 2, ws_f64_div_near(a, b), ws_f64_div(a, b, how), WS_AB64)
WS_DO_FLOAT64(rcp_f64, 1, ws_f64_div_near(WS_ONE_F64, a), ws_f64_rcp(a, how), WS_A64)

WS_DO1_64(abs_f64, ws_f64_abs(a))
WS_DO1_64(neg_f64, ws_f64_neg(a))
WS_DO2_64(min_f64, ws_f64_choose(a, b, false))
WS_DO2_64(max_f64, ws_f64_choose(a, b, true))
