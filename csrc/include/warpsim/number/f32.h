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

static inline bool ws_f32_is_nan(uint32_t x) { return (x & ~WS_SIGN_F32) > WS_INFINITY_F32; }

/* Denormals to zeros of their sign, if .ftz. */
static inline uint32_t ws_f32_flush(uint32_t x, uint32_t how) {
    const uint32_t kept = (how & WS_HOW_FTZ) != 0 ? WS_SIGN_F32 : UINT32_MAX;
    return (x & WS_INFINITY_F32) == 0 ? x & kept : x;
}

static inline uint32_t ws_f32_canonical(float value) {
    return value != value ? WS_NAN_F32 : ws_bits_of(value); /* NaN differs from itself */
}

static inline uint32_t ws_f32_saturate(uint32_t x, uint32_t how) {
    const uint32_t one = UINT32_C(0x3f800000);
    const uint32_t bounded = (int32_t)x < 0 || x > WS_INFINITY_F32 ? 0 : x < one ? x : one;
    return (how & WS_HOW_SAT) != 0 ? bounded : x;
}

/* The result of a sum: a tiny one is exact. */
static inline uint32_t ws_f32_close_sum(float sum, uint32_t how) {
    return ws_f32_saturate(ws_f32_flush(ws_f32_canonical(sum), how), how);
}

/* The result of a product or fused sum; `scaled` is 2^64 times the result, rounded with room below. */
static inline uint32_t ws_f32_close(float result, float scaled, uint32_t how) {
    const bool tiny = scaled < WS_TWO_MINUS_62 && scaled > -WS_TWO_MINUS_62;
    const uint32_t bits = ws_f32_canonical(result);
    return ws_f32_saturate((how & WS_HOW_FTZ) != 0 && tiny ? bits & WS_SIGN_F32 : bits, how);
}

/* The factor of smaller magnitude times 2^64, and the other one. Where this overflows the product is not tiny. */
static inline float ws_f32_scaled_factor(float a, float b) {
    return (ws_bits_of(a) & ~WS_SIGN_F32) < (ws_bits_of(b) & ~WS_SIGN_F32) ? a * WS_TWO_64 : b * WS_TWO_64;
}

static inline float ws_f32_other_factor(float a, float b) {
    return (ws_bits_of(a) & ~WS_SIGN_F32) < (ws_bits_of(b) & ~WS_SIGN_F32) ? b : a;
}

static inline uint32_t ws_f32_add_near(uint32_t a, uint32_t b, uint32_t how) {
    return ws_f32_close_sum(ws_float_of(ws_f32_flush(a, how)) + ws_float_of(ws_f32_flush(b, how)), how);
}

static inline uint32_t ws_f32_mul_near(uint32_t a, uint32_t b, uint32_t how) {
    const float x = ws_float_of(ws_f32_flush(a, how)), y = ws_float_of(ws_f32_flush(b, how));
    return ws_f32_close(x * y, ws_f32_scaled_factor(x, y) * ws_f32_other_factor(x, y), how);
}

static inline uint32_t ws_f32_fma_near(uint32_t a, uint32_t b, uint32_t c, uint32_t how) {
    const float x = ws_float_of(ws_f32_flush(a, how)), y = ws_float_of(ws_f32_flush(b, how));
    const float z = ws_float_of(ws_f32_flush(c, how));
    const float scaled = ws_fused_f32(ws_f32_scaled_factor(x, y), ws_f32_other_factor(x, y), z * WS_TWO_64);
    return ws_f32_close(ws_fused_f32(x, y, z), scaled, how);
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

static inline uint32_t ws_f32_mul(uint32_t a, uint32_t b, uint32_t how) {
    if (ws_how_is_near(how)) return ws_f32_mul_near(a, b, how);
    return ws_f32_fma_exact(a, b, (a ^ b) & WS_SIGN_F32, how);
}

static inline uint32_t ws_f32_fma(uint32_t a, uint32_t b, uint32_t c, uint32_t how) {
    if (ws_how_is_near(how)) return ws_f32_fma_near(a, b, c, how);
    return ws_f32_fma_exact(a, b, c, how);
}

/* A quotient is tiny only if 2^64 a is finite. */
static inline uint32_t ws_f32_div_near(uint32_t a, uint32_t b, uint32_t how) {
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
    if (ws_f32_is_nan(a)) return WS_NAN_F32;
    result = (uint32_t)ws_exact_root(WS_FORMAT_F32, a, how, &invalid);
    return invalid ? WS_NAN_F32 : result;
}

static inline uint32_t ws_f32_abs(uint32_t a, uint32_t how) {
    a = ws_f32_flush(a & ~WS_SIGN_F32, how);
    return a > WS_INFINITY_F32 ? WS_NAN_F32 : a;
}

static inline uint32_t ws_f32_neg(uint32_t a, uint32_t how) {
    a = ws_f32_flush(a ^ WS_SIGN_F32, how);
    return ws_f32_is_nan(a) ? WS_NAN_F32 : a;
}

static inline uint32_t ws_f32_copysign(uint32_t a, uint32_t b) { return (a & WS_SIGN_F32) | (b & ~WS_SIGN_F32); }

#endif
