/* The approximate functions of PTX: the sequences that its assembler writes around the special function unit, so that
 * denormal arguments and results count unless .ftz says otherwise. */
#ifndef WARPSIM_NUMBER_APPROX_H
#define WARPSIM_NUMBER_APPROX_H

#include "f64.h"
#include "half.h"
#include "mufu.h"

#define WS_F32_ONE UINT32_C(0x3f800000)
#define WS_F32_QUARTER UINT32_C(0x3e800000)
#define WS_F32_TWO_24 UINT32_C(0x4b800000)
#define WS_F32_TWO_12 UINT32_C(0x45800000)
#define WS_F32_TWO_MINUS_12 UINT32_C(0x39800000)
#define WS_F32_TWO_126 UINT32_C(0x7e800000)
#define WS_F32_SMALLEST UINT32_C(0x00800000) /* 2^-126 */

WS_IN_LOOPS int ws_f32_is_small(uint32_t x) { return (int32_t)(x & ~WS_SIGN_F32) < (int32_t)WS_F32_SMALLEST; }

/* What makes a small number normal. */
WS_IN_LOOPS uint32_t ws_f32_small_scale(uint32_t x) { return ws_pick(ws_f32_is_small(x), WS_F32_TWO_24, WS_F32_ONE); }

/* Above 2^126, infinities too: the reciprocal would be denormal. */
WS_IN_LOOPS int ws_f32_is_huge(uint32_t x) {
    const int32_t magnitude = (int32_t)(x & ~WS_SIGN_F32);
    return (magnitude > (int32_t)WS_F32_TWO_126) & (magnitude <= (int32_t)WS_INFINITY_F32);
}

WS_IN_LOOPS uint32_t ws_rcp_approx(uint32_t a, uint32_t how) {
    const uint32_t scale = ws_pick(ws_f32_is_huge(a), WS_F32_QUARTER, ws_f32_small_scale(a));
    const bool flushes = (how & WS_HOW_FTZ) != 0;
    const uint32_t result = ws_mufu_rcp(flushes ? a : ws_f32_mul(a, scale, 0));
    return flushes ? result : ws_f32_mul(scale, result, 0);
}

WS_IN_LOOPS uint32_t ws_sqrt_approx(uint32_t a, uint32_t how) {
    const int scales = ws_f32_is_small(a) & ((how & WS_HOW_FTZ) == 0);
    const uint32_t result = ws_mufu_sqrt(ws_pick(scales, ws_f32_mul(a, WS_F32_TWO_24, 0), a));
    return ws_pick(scales, ws_f32_mul(result, WS_F32_TWO_MINUS_12, 0), result);
}

WS_IN_LOOPS uint32_t ws_rsqrt_approx(uint32_t a, uint32_t how) {
    const int scales = ws_f32_is_small(a) & ((how & WS_HOW_FTZ) == 0);
    const uint32_t result = ws_mufu_rsqrt(ws_pick(scales, ws_f32_mul(a, WS_F32_TWO_24, 0), a));
    return ws_pick(scales, ws_f32_mul(result, WS_F32_TWO_12, 0), result);
}

WS_IN_LOOPS uint32_t ws_lg2_approx(uint32_t a, uint32_t how) {
    const int scales = ws_f32_is_small(a) & ((how & WS_HOW_FTZ) == 0);
    const uint32_t result = ws_mufu_lg2(ws_pick(scales, ws_f32_mul(a, WS_F32_TWO_24, 0), a));
    return ws_pick(scales, ws_f32_add(result, UINT32_C(0xc1c00000), 0), result); /* - 24 */
}

/* Below -126: the square of the root of the result. */
WS_IN_LOOPS uint32_t ws_ex2_approx(uint32_t a, uint32_t how) {
    const int32_t size = (int32_t)(a & ~WS_SIGN_F32);
    const int low = ((int32_t)a < 0) & (size > 0x42fc0000) & (size <= (int32_t)WS_INFINITY_F32);
    const int halves = low & ((how & WS_HOW_FTZ) == 0);
    const uint32_t result = ws_mufu_ex2(ws_pick(halves, ws_f32_mul(a, UINT32_C(0x3f000000), 0), a));
    return ws_pick(halves, ws_f32_mul(result, result, 0), result);
}

WS_IN_LOOPS uint32_t ws_sin_approx(uint32_t a) { return ws_mufu_sine(a, 0); }

WS_IN_LOOPS uint32_t ws_cos_approx(uint32_t a) { return ws_mufu_sine(a, 1); }

WS_IN_LOOPS uint32_t ws_div_approx(uint32_t a, uint32_t b, uint32_t how) {
    const uint32_t scale = ws_f32_small_scale(b);
    if ((how & WS_HOW_FTZ) != 0) return ws_f32_mul(a, ws_mufu_rcp(b), WS_HOW_FTZ);
    return ws_f32_mul(ws_mufu_rcp(ws_f32_mul(b, scale, 0)), ws_f32_mul(a, scale, 0), 0);
}

WS_IN_LOOPS uint32_t ws_div_full(uint32_t a, uint32_t b, uint32_t how) {
    const uint32_t flush = how & WS_HOW_FTZ;
    const uint32_t small = flush == 0 ? ws_f32_small_scale(b) : WS_F32_ONE;
    const uint32_t scale = ws_pick(ws_f32_is_huge(b), WS_F32_QUARTER, small);
    return ws_f32_mul(ws_f32_mul(a, scale, flush), ws_mufu_rcp(ws_f32_mul(b, scale, flush)), flush);
}

/* An f32 cut to f16 or bf16, toward zero. */
WS_IN_LOOPS uint32_t ws_half_cut(int format, uint32_t b) {
    const uint32_t e = b >> 23 & 255, m = (b & 0x7fffff) | 0x800000, sign = b >> 16 & 0x8000;
    const int32_t above = (int32_t)e - 112;
    const uint32_t shift = (uint32_t)(14 - ws_pick(above < 0, (uint32_t)above, 0));
    const uint32_t denormal = ws_pick(above < -16, 0, m >> (shift & 31));
    const uint32_t normal = (uint32_t)above << 10 | (m >> 13 & 0x3ff);
    const uint32_t f16 = sign | ws_pick(above >= 31, 0x7c00, ws_pick(above > 0, normal, denormal));
    return ws_pick(ws_f32_is_nan(b), WS_NAN_16, format == WS_FORMAT_F16 ? f16 : b >> 16);
}

WS_IN_LOOPS uint32_t ws_half_widened(int format, uint32_t x) {
    return format == WS_FORMAT_F16 ? ws_f16_widened(x) : x << 16;
}

WS_IN_LOOPS uint32_t ws_half_ex2(int format, uint32_t x) {
    return ws_half_cut(format, ws_mufu_ex2(ws_half_widened(format, x)));
}

WS_IN_LOOPS uint32_t ws_half_tanh(int format, uint32_t x) {
    return ws_half_cut(format, ws_mufu_tanh(ws_half_widened(format, x)));
}

static inline uint64_t ws_rcp_approx_f64(uint64_t a) { return (uint64_t)ws_mufu_rcp64h((uint32_t)(a >> 32)) << 32; }

/* a x b + c of finite numbers, to nearest. */
typedef uint64_t ws_fused_f64_function(uint64_t a, uint64_t b, uint64_t c);

/* One correction of the unit's y: y + y e (1/2 + 3/8 e), e = 1 - a y^2. */
static inline uint64_t ws_rsqrt_corrected_f64(uint64_t a, ws_fused_f64_function *fused) {
    const uint64_t y = (uint64_t)ws_mufu_rsqrt64h((uint32_t)(a >> 32)) << 32;
    const uint64_t e = fused(a, ws_f64_mul(y, y, 0) ^ WS_SIGN_F64, WS_ONE_F64);
    const uint64_t factor = fused(e, UINT64_C(0x3fd8000000000000), UINT64_C(0x3fe0000000000000));
    return fused(factor, ws_f64_mul(y, e, 0), y);
}

static inline uint64_t ws_rsqrt_approx_f64(uint64_t a, uint32_t how, ws_fused_f64_function *fused) {
    const uint64_t two_54 = UINT64_C(0x4350000000000000), two_27 = UINT64_C(0x41a0000000000000);
    if ((how & WS_HOW_FTZ) != 0) return (uint64_t)ws_mufu_rsqrt64h((uint32_t)(a >> 32)) << 32;
    if ((a & ~WS_SIGN_F64) == 0) return a | WS_INFINITY_F64;
    if (ws_f64_is_nan(a)) return a | WS_QUIET_F64;
    if ((a & WS_SIGN_F64) != 0) return WS_NAN_F64;
    if (a == WS_INFINITY_F64) return 0;
    if (a >> 52 != 0) return ws_rsqrt_corrected_f64(a, fused);
    return ws_f64_mul(ws_rsqrt_corrected_f64(ws_f64_mul(a, two_54, 0), fused), two_27, 0);
}

#endif
