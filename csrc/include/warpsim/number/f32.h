/* f32 as the hardware computes it: bits in, bits out.
 *
 *     add, sub, mul, fma        IEEE 754 with denormals, one rounding; every NaN result is 0x7fffffff
 *     .ftz                      denormal operands become zeros; so do results below 2^-126 after rounding to 24 bits with an
 *                               unbounded exponent
 *     .sat                      into [0, 1] after rounding, NaN to +0
 *
 * ..._near: to nearest, from C's arithmetic, without branches: compilers make vectors of loops over them. The others take
 * any rounding. */
#ifndef WARPSIM_NUMBER_F32_H
#define WARPSIM_NUMBER_F32_H

#include "exact.h"
#include "fused.h"

#define WS_SIGN_F32 UINT32_C(0x80000000)
#define WS_INFINITY_F32 UINT32_C(0x7f800000)
#define WS_TWO_64 18446744073709551616.0f
#define WS_TWO_MINUS_62 2.168404344971008868e-19f

WS_IN_LOOPS bool ws_f32_is_nan(uint32_t x) { return (int32_t)(x & ~WS_SIGN_F32) > (int32_t)WS_INFINITY_F32; }

/* Denormals to zeros of their sign, if .ftz. */
WS_IN_LOOPS uint32_t ws_f32_flush(uint32_t x, uint32_t how) {
    const uint32_t kept = (how & WS_HOW_FTZ) != 0 ? WS_SIGN_F32 : UINT32_MAX;
    return x & ws_pick((x & WS_INFINITY_F32) == 0, kept, UINT32_MAX);
}

WS_IN_LOOPS uint32_t ws_f32_canonical(float value) {
    return ws_pick(value != value, WS_NAN_F32, ws_bits_of(value)); /* NaN differs from itself */
}

WS_IN_LOOPS uint32_t ws_f32_saturate(uint32_t x, uint32_t how) {
    const uint32_t one = UINT32_C(0x3f800000);
    const uint32_t positive = ws_pick(((int32_t)x < 0) | ((int32_t)x > (int32_t)WS_INFINITY_F32), 0, x);
    const uint32_t bounded = ws_pick((int32_t)positive < (int32_t)one, positive, one);
    return ws_pick((how & WS_HOW_SAT) != 0, bounded, x);
}

/* The result of a sum: a tiny one is exact. */
WS_IN_LOOPS uint32_t ws_f32_close_sum(float sum, uint32_t how) {
    return ws_f32_saturate(ws_f32_flush(ws_f32_canonical(sum), how), how);
}

/* The result of a product or fused sum; `scaled` is 2^64 times the result, rounded with room below. */
WS_IN_LOOPS uint32_t ws_f32_close(float result, float scaled, uint32_t how) {
    const int tiny = (scaled < WS_TWO_MINUS_62) & (scaled > -WS_TWO_MINUS_62) & ((how & WS_HOW_FTZ) != 0);
    return ws_f32_saturate(ws_f32_canonical(result) & ws_pick(tiny, WS_SIGN_F32, UINT32_MAX), how);
}

/* 2^64 x a x b: the factor of smaller magnitude takes the 2^64. Where that overflows the product is not tiny. */
typedef struct ws_f32_factors {
    float scaled, other;
} ws_f32_factors;

WS_IN_LOOPS ws_f32_factors ws_f32_scale(uint32_t a, uint32_t b) {
    const int less = (int32_t)(a & ~WS_SIGN_F32) < (int32_t)(b & ~WS_SIGN_F32);
    ws_f32_factors factors;
    factors.scaled = ws_float_of(ws_pick(less, a, b)) * WS_TWO_64;
    factors.other = ws_float_of(ws_pick(less, b, a));
    return factors;
}

WS_IN_LOOPS uint32_t ws_f32_add_near(uint32_t a, uint32_t b, uint32_t how) {
    return ws_f32_close_sum(ws_float_of(ws_f32_flush(a, how)) + ws_float_of(ws_f32_flush(b, how)), how);
}

WS_IN_LOOPS uint32_t ws_f32_mul_near(uint32_t a, uint32_t b, uint32_t how) {
    const uint32_t x = ws_f32_flush(a, how), y = ws_f32_flush(b, how);
    const ws_f32_factors factors = ws_f32_scale(x, y);
    return ws_f32_close(ws_float_of(x) * ws_float_of(y), factors.scaled * factors.other, how);
}

WS_IN_LOOPS uint32_t ws_f32_fma_near(uint32_t a, uint32_t b, uint32_t c, uint32_t how) {
    const uint32_t x = ws_f32_flush(a, how), y = ws_f32_flush(b, how), z = ws_f32_flush(c, how);
    const ws_f32_factors factors = ws_f32_scale(x, y);
    const float scaled = ws_fused_f32(factors.scaled, factors.other, ws_float_of(z) * WS_TWO_64);
    return ws_f32_close(ws_fused_f32(ws_float_of(x), ws_float_of(y), ws_float_of(z)), scaled, how);
}

static inline uint32_t ws_f32_fma_exact(uint32_t a, uint32_t b, uint32_t c, uint32_t how) {
    bool invalid;
    uint32_t result;
    a = ws_f32_flush(a, how);
    b = ws_f32_flush(b, how);
    c = ws_f32_flush(c, how);
    if (ws_f32_is_nan(a) || ws_f32_is_nan(b) || ws_f32_is_nan(c)) return ws_f32_saturate(WS_NAN_F32, how);
    result = (uint32_t)ws_exact_fma(WS_FORMAT_F32, a, b, c, how, &invalid);
    return ws_f32_saturate(invalid ? WS_NAN_F32 : result, how);
}

static inline bool ws_how_is_near(uint32_t how) {
    return WS_HAS_EXACT_C && (how & WS_HOW_ROUNDING) == WS_ROUND_NEAREST;
}

static inline uint32_t ws_f32_add(uint32_t a, uint32_t b, uint32_t how) {
    if (ws_how_is_near(how)) return ws_f32_add_near(a, b, how);
    return ws_f32_fma_exact(a, UINT32_C(0x3f800000), b, how);
}

static inline uint32_t ws_f32_sub(uint32_t a, uint32_t b, uint32_t how) { return ws_f32_add(a, b ^ WS_SIGN_F32, how); }

WS_IN_LOOPS uint32_t ws_f32_mul(uint32_t a, uint32_t b, uint32_t how) {
    if (ws_how_is_near(how)) return ws_f32_mul_near(a, b, how);
    return ws_f32_fma_exact(a, b, (a ^ b) & WS_SIGN_F32, how);
}

static inline uint32_t ws_f32_fma(uint32_t a, uint32_t b, uint32_t c, uint32_t how) {
    if (ws_how_is_near(how)) return ws_f32_fma_near(a, b, c, how);
    return ws_f32_fma_exact(a, b, c, how);
}

/* A quotient is tiny only if 2^64 a is finite. */
WS_IN_LOOPS uint32_t ws_f32_div_near(uint32_t a, uint32_t b, uint32_t how) {
    const float x = ws_float_of(ws_f32_flush(a, how)), y = ws_float_of(ws_f32_flush(b, how));
    return ws_f32_close(x / y, x * WS_TWO_64 / y, how);
}

static inline uint32_t ws_f32_div(uint32_t a, uint32_t b, uint32_t how) {
    bool invalid;
    uint32_t result;
    if (ws_how_is_near(how)) return ws_f32_div_near(a, b, how);
    a = ws_f32_flush(a, how);
    b = ws_f32_flush(b, how);
    if (ws_f32_is_nan(a) || ws_f32_is_nan(b)) return WS_NAN_F32;
    result = (uint32_t)ws_exact_division(WS_FORMAT_F32, a, b, how, &invalid);
    return invalid ? WS_NAN_F32 : result;
}

static inline uint32_t ws_f32_rcp(uint32_t a, uint32_t how) { return ws_f32_div(UINT32_C(0x3f800000), a, how); }

static inline uint32_t ws_f32_sqrt(uint32_t a, uint32_t how) {
    bool invalid;
    uint32_t result;
    a = ws_f32_flush(a, how);
    if (WS_HAS_ROOT && ws_how_is_near(how)) return ws_f32_canonical(ws_float_root(ws_float_of(a)));
    if (ws_f32_is_nan(a)) return WS_NAN_F32;
    result = (uint32_t)ws_exact_root(WS_FORMAT_F32, a, how, &invalid);
    return invalid ? WS_NAN_F32 : result;
}

WS_IN_LOOPS uint32_t ws_f32_abs(uint32_t a, uint32_t how) {
    a = ws_f32_flush(a & ~WS_SIGN_F32, how);
    return ws_pick((int32_t)a > (int32_t)WS_INFINITY_F32, WS_NAN_F32, a);
}

WS_IN_LOOPS uint32_t ws_f32_neg(uint32_t a, uint32_t how) {
    a = ws_f32_flush(a ^ WS_SIGN_F32, how);
    return ws_pick(ws_f32_is_nan(a), WS_NAN_F32, a);
}

static inline uint32_t ws_f32_copysign(uint32_t a, uint32_t b) { return (a & WS_SIGN_F32) | (b & ~WS_SIGN_F32); }

#endif
