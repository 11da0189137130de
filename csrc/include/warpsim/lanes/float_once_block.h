/* Rare or heavy operations of floating point, compiled once: included by levels.h. */

WS_DO1(sqrt_f32, ws_f32_sqrt(a, how))
WS_DO1_64(sqrt_f64, ws_f64_sqrt(a, how))
WS_DO1_64(rcp_approx_f64, ws_rcp_approx_f64(a))
WS_DO2(copysign_f32, ws_f32_copysign(a, b))
WS_DO2_64(copysign_f64, ws_f64_copysign(a, b))
WS_TEST1(testp_f32, ws_is_of_class(WS_FORMAT_F32, a, how), WS_A32)
WS_TEST1(testp_f64, ws_is_of_class(WS_FORMAT_F64, a, how), WS_A64)

/* f32 with f16 or bf16 (sm_100): the narrow operands widened, then as f32. */
#define WS_MIXED(type, FORMAT)                                                                                         \
    WS_DO2(add_f32_##type, ws_f32_add(ws_half_widened(FORMAT, a), b, how))                                             \
    WS_DO2(sub_f32_##type, ws_f32_sub(ws_half_widened(FORMAT, a), b, how))                                             \
    WS_DO3(fma_f32_##type, ws_f32_fma(ws_half_widened(FORMAT, a), ws_half_widened(FORMAT, b), c, how))
WS_MIXED(f16, WS_FORMAT_F16)
WS_MIXED(bf16, WS_FORMAT_BF16)
#undef WS_MIXED
