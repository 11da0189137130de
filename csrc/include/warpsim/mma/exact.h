/* One step of a floating-point product, exactly, whatever the numbers are: the definition.
 *
 *     E = the largest exponent of the nonzero products and of C, at least the floor
 *     D = round(sum of all, each cut toward zero at 2^(E - fraction))
 *
 * A product's exponent is the sum of its factors' exponents, not normalized. Denormal numbers count in full. A zero result
 * is +0; a NaN is 0x7fffffff or 0x7fff. It is slow: level_block.h does the common cases. */
#ifndef WARPSIM_MMA_EXACT_H
#define WARPSIM_MMA_EXACT_H

#include "../number/exact.h"
#include "../number/fused.h"
#include "tile.h"

enum { WS_MMA_NO_EXPONENT = -1000000 };

/* What a step is, apart from its numbers. */
typedef struct ws_mma_step {
    int a_format, b_format, floor, fraction, kept;
    int scale; /* exponent of what all products are multiplied by */
    bool is_f16;
} ws_mma_step;

/* Adds up one result. */
typedef struct ws_mma_sum {
    int64_t total;
    int exponent;          /* E; the total counts in 2^(E - fraction) */
    bool plus, minus, nan; /* infinities, invalid */
} ws_mma_sum;

static inline bool ws_mma_number_is_nan(int format, uint32_t x) {
    if (ws_format_bits(format) <= 6) return false;
    return format == WS_FORMAT_E4M3 ? (x & 0x7f) == 0x7f : ws_is_nan(format, x);
}

static inline bool ws_mma_number_is_infinite(int format, uint32_t x) {
    return format != WS_FORMAT_E4M3 && ws_format_bits(format) > 6 && ws_is_infinite(format, x);
}

/* significand x 2^exponent in units of 2^unit, cut toward zero. */
static inline int64_t ws_mma_cut(uint64_t significand, int exponent, int unit, bool negative) {
    const int shift = exponent - unit;
    uint64_t cut;
    if (significand == 0 || shift <= -64) return 0;
    cut = shift >= 0 ? significand << shift : significand >> -shift;
    return negative ? -(int64_t)cut : (int64_t)cut;
}

static inline void ws_mma_note_infinity(ws_mma_sum *sum, bool negative) {
    sum->plus = sum->plus || !negative;
    sum->minus = sum->minus || negative;
}

/* What one product means for the special values and for E. */
static inline void ws_mma_survey(const ws_mma_step *step, uint32_t a, uint32_t b, ws_mma_sum *sum) {
    const bool infinite = ws_mma_number_is_infinite(step->a_format, a) || ws_mma_number_is_infinite(step->b_format, b);
    const ws_exact x = ws_exact_of(step->a_format, a), y = ws_exact_of(step->b_format, b);
    const int exponent =
        x.exponent + y.exponent + ws_format_mantissa(step->a_format) + ws_format_mantissa(step->b_format) + step->scale;
    if (ws_mma_number_is_nan(step->a_format, a) || ws_mma_number_is_nan(step->b_format, b)) sum->nan = true;
    if (x.significand == 0 || y.significand == 0) {
        sum->nan = sum->nan || infinite;
    } else if (infinite) {
        ws_mma_note_infinity(sum, x.negative != y.negative);
    } else if (exponent > sum->exponent) {
        sum->exponent = exponent;
    }
}

/* The sum, rounded: toward zero (f32) or to nearest even (f16). */
static inline uint32_t ws_mma_round(const ws_mma_step *step, const ws_mma_sum *sum) {
    const int format = step->is_f16 ? WS_FORMAT_F16 : WS_FORMAT_F32;
    ws_exact value;
    uint32_t bits;
    value.negative = sum->total < 0;
    value.significand = value.negative ? 0 - (uint64_t)sum->total : (uint64_t)sum->total;
    value.exponent = sum->exponent - step->fraction;
    if (sum->total == 0) return 0;
    if (!step->is_f16 && value.exponent + 63 - ws_zeros_above(value.significand) > 127) {
        return (value.negative ? UINT32_C(0x80000000) : 0) | (uint32_t)ws_format_infinity(format);
    }
    bits = (uint32_t)ws_round(format, value, step->is_f16 ? WS_ROUND_NEAREST : WS_ROUND_ZERO);
    if (!step->is_f16) bits &= UINT32_MAX << (WS_MMA_F32_BITS - step->kept);
    return ws_magnitude(format, bits) == 0 ? 0 : bits;
}

/* D of one result from `count` products and c. */
static inline uint32_t ws_mma_exact_step(const ws_mma_step *step, const uint32_t *a, const uint32_t *b, int count,
                                         uint32_t c) {
    const int format = step->is_f16 ? WS_FORMAT_F16 : WS_FORMAT_F32;
    const ws_exact z = ws_exact_of(format, c);
    ws_mma_sum sum = {0, WS_MMA_NO_EXPONENT, false, false, false};
    int k, unit;
    for (k = 0; k < count; k++) ws_mma_survey(step, a[k], b[k], &sum);
    if (ws_is_nan(format, c)) sum.nan = true;
    if (ws_is_infinite(format, c)) ws_mma_note_infinity(&sum, z.negative);
    if (sum.nan || (sum.plus && sum.minus)) return step->is_f16 ? WS_NAN_16 : WS_NAN_F32;
    if (sum.plus || sum.minus) {
        return (uint32_t)(ws_format_infinity(format) | (sum.minus ? ws_format_sign(format) : 0));
    }
    if (z.significand != 0 && z.exponent + ws_format_mantissa(format) > sum.exponent) {
        sum.exponent = z.exponent + ws_format_mantissa(format);
    }
    if (sum.exponent < step->floor) sum.exponent = step->floor;
    unit = sum.exponent - step->fraction;
    for (k = 0; k < count; k++) {
        const ws_exact x = ws_exact_of(step->a_format, a[k]), y = ws_exact_of(step->b_format, b[k]);
        sum.total += ws_mma_cut(x.significand * y.significand, x.exponent + y.exponent + step->scale, unit,
                                x.negative != y.negative);
    }
    sum.total += ws_mma_cut(z.significand, z.exponent, unit, z.negative);
    return ws_mma_round(step, &sum);
}

/* An fp8 number as f16, exactly. */
static inline uint32_t ws_mma_widen(int format, uint32_t x) {
    if (format == WS_FORMAT_E5M2) return x << 8;
    if ((x & 0x7f) == 0x7f) return WS_NAN_16;
    return (uint32_t)ws_round(WS_FORMAT_F16, ws_exact_of(WS_FORMAT_E4M3, x), WS_ROUND_NEAREST);
}

/* f16 and f32 from each other: exactly, or to nearest even. */
static inline uint32_t ws_mma_f32_of_f16(uint32_t x) {
    if (ws_is_nan(WS_FORMAT_F16, x)) return WS_NAN_F32;
    if (ws_is_infinite(WS_FORMAT_F16, x)) return (x & 0x8000) << 16 | UINT32_C(0x7f800000);
    return (uint32_t)ws_round(WS_FORMAT_F32, ws_exact_of(WS_FORMAT_F16, x), WS_ROUND_NEAREST);
}

static inline uint32_t ws_mma_f16_of_f32(uint32_t x) {
    if (ws_is_nan(WS_FORMAT_F32, x)) return WS_NAN_16;
    if (ws_is_infinite(WS_FORMAT_F32, x)) return (x >> 16 & 0x8000) | 0x7c00;
    return (uint32_t)ws_round(WS_FORMAT_F16, ws_exact_of(WS_FORMAT_F32, x), WS_ROUND_NEAREST);
}

/* a + b by one ordinary instruction. */
static inline uint32_t ws_mma_ordinary_sum(int format, uint32_t a, uint32_t b) {
    const uint32_t one = format == WS_FORMAT_F16 ? 0x3c00 : 0x3f800000,
                   nan = format == WS_FORMAT_F16 ? WS_NAN_16 : WS_NAN_F32;
    bool invalid;
    uint64_t sum;
    if (ws_is_nan(format, a) || ws_is_nan(format, b)) return nan;
    sum = ws_exact_fma(format, a, one, b, WS_ROUND_NEAREST, &invalid);
    return invalid ? nan : (uint32_t)sum;
}

#endif
