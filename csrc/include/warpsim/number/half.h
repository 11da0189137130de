/* f16 and bf16 as the hardware computes them: 16 bits in the low half in and out, one rounding to nearest.
 *
 *     add, sub, mul     in float, then to the format: float has more than twice the precision, so rounding twice is
 *                       rounding once
 *     fma               the exact sum in double, rounded to odd, then to the format
 *
 * NaN: 0x7fff. .ftz (f16 alone), .sat and .relu follow the rounding; .relu keeps NaN. .oob: a factor 0x7ff7 or 0xfff7
 * makes the result +0. Everything is without branches, for loops that become vectors. */
#ifndef WARPSIM_NUMBER_HALF_H
#define WARPSIM_NUMBER_HALF_H

#include "f32.h"
#include "order.h"

#define WS_TWO_MINUS_24 5.9604644775390625e-8f
#define WS_TINY_F16 6.1020255088806152344e-5f /* 2^-14 - 2^-26: less, rounded to 11 bits, is less than 2^-14 */

/* The value of the low half, exactly; a NaN stays one. */
WS_IN_LOOPS uint32_t ws_f16_widened(uint32_t x) {
    const uint32_t sign = (x & 0x8000) << 16, exponent = x & 0x7c00, field = (x & 0x7fff) << 13;
    const uint32_t denormal = ws_bits_of((float)(int32_t)(x & 0x3ff) * WS_TWO_MINUS_24);
    const uint32_t number = ws_pick(exponent == 0, denormal, field + (UINT32_C(112) << 23));
    return sign | ws_pick(exponent == 0x7c00, field | WS_INFINITY_F32, number);
}

/* A float, to nearest. */
WS_IN_LOOPS uint32_t ws_f16_of_float(float value) {
    const uint32_t bits = ws_bits_of(value), x = bits & ~WS_SIGN_F32, sign = bits >> 16 & 0x8000;
    const uint32_t normal = (x + 0xfff + (x >> 13 & 1) - (UINT32_C(112) << 23)) >> 13;
    const int small = (int32_t)x < 0x38800000;
    /* Adding 1/2 leaves denormals in the low bits, rounded. */
    const uint32_t denormal = ws_bits_of(ws_float_of(ws_pick(small, x, 0)) + 0.5f) - UINT32_C(0x3f000000);
    const uint32_t finite = ws_pick(small, denormal, ws_pick((int32_t)x < 0x47800000, normal, 0x7c00));
    return ws_pick((int32_t)x > (int32_t)WS_INFINITY_F32, WS_NAN_16, sign | finite);
}

WS_IN_LOOPS uint32_t ws_bf16_of_float(float value) {
    const uint32_t x = ws_bits_of(value);
    return ws_pick(ws_f32_is_nan(x), WS_NAN_16, (x + 0x7fff + (x >> 16 & 1)) >> 16);
}

/* A 16-bit format's operand, .ftz applied, and result. */
WS_IN_LOOPS float ws_half_value(int format, uint32_t x, uint32_t how) {
    const uint32_t clean = ws_flush32(format, x & 0xffff, how);
    return ws_float_of(format == WS_FORMAT_F16 ? ws_f16_widened(clean) : clean << 16);
}

WS_IN_LOOPS uint32_t ws_half_of_float(int format, float value) {
    return format == WS_FORMAT_F16 ? ws_f16_of_float(value) : ws_bf16_of_float(value);
}

/* .ftz, .sat, .relu of a result; `value` is what was rounded to it. */
WS_IN_LOOPS uint32_t ws_half_close(int format, uint32_t x, float value, uint32_t how) {
    const int32_t one = format == WS_FORMAT_F16 ? 0x3c00 : 0x3f80, infinity = format == WS_FORMAT_F16 ? 0x7c00 : 0x7f80;
    const int tiny = (value < WS_TINY_F16) & (value > -WS_TINY_F16) & (format == WS_FORMAT_F16);
    const uint32_t flushed = x & ws_pick(tiny & ((how & WS_HOW_FTZ) != 0), 0x8000, 0xffff);
    const uint32_t positive = ws_pick((int32_t)flushed < 0x8000, flushed, 0);
    const uint32_t number = ws_pick((int32_t)positive > infinity, 0, positive);
    const uint32_t bounded = ws_pick((int32_t)number < one, number, (uint32_t)one);
    return ws_pick((how & WS_HOW_SAT) != 0, bounded, ws_pick((how & WS_HOW_RELU) != 0, positive, flushed));
}

WS_IN_LOOPS uint32_t ws_half_add(int format, uint32_t a, uint32_t b, uint32_t how) {
    const float sum = ws_half_value(format, a, how) + ws_half_value(format, b, how);
    return ws_half_close(format, ws_half_of_float(format, sum), sum, how);
}

WS_IN_LOOPS uint32_t ws_half_sub(int format, uint32_t a, uint32_t b, uint32_t how) {
    return ws_half_add(format, a, b ^ 0x8000, how);
}

WS_IN_LOOPS uint32_t ws_half_mul(int format, uint32_t a, uint32_t b, uint32_t how) {
    const float product = ws_half_value(format, a, how) * ws_half_value(format, b, how);
    return ws_half_close(format, ws_half_of_float(format, product), product, how);
}

WS_IN_LOOPS int ws_half_is_oob(uint32_t x, uint32_t how) {
    return ((how & WS_HOW_OOB) != 0) & ((x & 0x7fff) == 0x7ff7);
}

/* fma by whole numbers, where C's sums are not to be trusted. */
static inline uint32_t ws_half_fma_exact(int format, uint32_t a, uint32_t b, uint32_t c, uint32_t how) {
    const uint32_t x = ws_flush32(format, a & 0xffff, how), y = ws_flush32(format, b & 0xffff, how);
    const uint32_t z = ws_flush32(format, c & 0xffff, how);
    bool invalid = ws_is_nan(format, x) || ws_is_nan(format, y) || ws_is_nan(format, z);
    const uint32_t sum = invalid ? 0 : (uint32_t)ws_exact_fma(format, x, y, z, how, &invalid);
    return ws_half_close(format, invalid ? WS_NAN_16 : sum, 1.0f, how);
}

WS_IN_LOOPS uint32_t ws_half_fma(int format, uint32_t a, uint32_t b, uint32_t c, uint32_t how) {
#if WS_HAS_EXACT_C
    const double product = (double)ws_half_value(format, a, how) * (double)ws_half_value(format, b, how);
    const double sum = ws_sum_to_odd(product, (double)ws_half_value(format, c, how));
    const double rounded = format == WS_FORMAT_F16 ? ws_to_grid(sum, 10, -14) : ws_to_grid(sum, 7, -126);
    const uint32_t result = ws_half_of_float(format, (float)rounded);
    const uint32_t closed = ws_half_close(format, result, (float)sum, how);
#else
    const uint32_t closed = ws_half_fma_exact(format, a, b, c, how);
#endif
    return ws_pick(ws_half_is_oob(a, how) | ws_half_is_oob(b, how), 0, closed);
}

WS_IN_LOOPS uint32_t ws_half_abs(int format, uint32_t a, uint32_t how) {
    const uint32_t x = ws_flush32(format, a & 0x7fff, how);
    return ws_pick((int32_t)x > (int32_t)ws_format_infinity(format), WS_NAN_16, x);
}

WS_IN_LOOPS uint32_t ws_half_neg(int format, uint32_t a, uint32_t how) {
    const uint32_t x = ws_flush32(format, (a & 0xffff) ^ 0x8000, how);
    return ws_pick((int32_t)(x & 0x7fff) > (int32_t)ws_format_infinity(format), WS_NAN_16, x);
}

WS_IN_LOOPS uint32_t ws_half_min(int format, uint32_t a, uint32_t b, uint32_t how) {
    return ws_choose(format, a & 0xffff, b & 0xffff, how, false);
}

WS_IN_LOOPS uint32_t ws_half_max(int format, uint32_t a, uint32_t b, uint32_t how) {
    return ws_choose(format, a & 0xffff, b & 0xffff, how, true);
}

#endif
