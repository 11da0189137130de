/* Binary floating-point formats, and the one rounding: any exact value to any format, in any mode.
 *
 *     sign 1 | exponent e bits, bias 2^(e-1) - 1 | mantissa m bits          f16 5, 10   bf16 8, 7   f32 8, 23   f64 11, 52
 *
 * An exact value is significand x 2^exponent with a sign, the lowest bit of the significand sticky (wide.h). Formats
 * without infinities (e4m3) are rounded here as if they had them. It refuses to know of NaN: who calls has sorted them
 * out. */
#ifndef WARPSIM_NUMBER_FORMAT_H
#define WARPSIM_NUMBER_FORMAT_H

#include "how.h"
#include "wide.h"

/* A format: bits of the exponent << 8 | bits of the mantissa. */
enum {
    WS_FORMAT_F16 = 5 << 8 | 10,
    WS_FORMAT_BF16 = 8 << 8 | 7,
    WS_FORMAT_TF32 = 8 << 8 | 10,
    WS_FORMAT_F32 = 8 << 8 | 23,
    WS_FORMAT_F64 = 11 << 8 | 52,
    WS_FORMAT_E4M3 = 4 << 8 | 3,
    WS_FORMAT_E5M2 = 5 << 8 | 2
};

#define WS_NAN_16 UINT32_C(0x7fff) /* the NaN of f16 and bf16, f32, f64: what invalid operations give */
#define WS_NAN_F32 UINT32_C(0x7fffffff)
#define WS_NAN_F64 UINT64_C(0xfff8000000000000)

static inline int ws_format_mantissa(int format) { return format & 255; }

static inline int ws_format_bits(int format) { return (format & 255) + (format >> 8) + 1; }

static inline int ws_format_bias(int format) { return (1 << ((format >> 8) - 1)) - 1; }

static inline uint64_t ws_format_sign(int format) { return (uint64_t)1 << (ws_format_bits(format) - 1); }

static inline uint64_t ws_format_infinity(int format) {
    return (((uint64_t)1 << (format >> 8)) - 1) << ws_format_mantissa(format);
}

static inline uint64_t ws_magnitude(int format, uint64_t x) { return x & (ws_format_sign(format) - 1); }

static inline bool ws_is_nan(int format, uint64_t x) { return ws_magnitude(format, x) > ws_format_infinity(format); }

static inline bool ws_is_infinite(int format, uint64_t x) {
    return ws_magnitude(format, x) == ws_format_infinity(format);
}

/* .ftz of an operand: a denormal becomes the zero of its sign. */
static inline uint64_t ws_flush(int format, uint64_t x, uint32_t how) {
    const bool tiny = ws_magnitude(format, x) >> ws_format_mantissa(format) == 0;
    return (how & WS_HOW_FTZ) != 0 && tiny ? x & ws_format_sign(format) : x;
}

/* A finite value, exactly. */
typedef struct ws_exact {
    uint64_t significand;
    int exponent;
    bool negative;
} ws_exact;

static inline ws_exact ws_exact_of(int format, uint64_t x) {
    const int mantissa = ws_format_mantissa(format);
    const uint64_t magnitude = ws_magnitude(format, x);
    const int exponent = (int)(magnitude >> mantissa);
    ws_exact value;
    value.significand = magnitude & (((uint64_t)1 << mantissa) - 1);
    if (exponent != 0) value.significand |= (uint64_t)1 << mantissa;
    value.exponent = (exponent != 0 ? exponent : 1) - ws_format_bias(format) - mantissa;
    value.negative = (x & ws_format_sign(format)) != 0;
    return value;
}

/* v without its lowest `drop` > 0 bits, rounded. */
static inline uint64_t ws_round_off(uint64_t v, int drop, bool negative, uint32_t how) {
    const uint64_t kept = drop < 64 ? v >> drop : 0;
    const uint64_t rest = drop <= 64 ? v << (64 - drop) % 64 : 0; /* what is cut off, in units of 2^-64 */
    const bool is_half = drop <= 64 && rest == (uint64_t)1 << 63;
    const bool is_more = drop <= 64 && rest > (uint64_t)1 << 63;
    if (v == 0 || (drop < 64 && rest == 0)) return kept;
    switch (how & WS_HOW_ROUNDING) {
        case WS_ROUND_NEAREST: return kept + (is_more || (is_half && (kept & 1) != 0));
        case WS_ROUND_AWAY: return kept + (is_more || is_half);
        case WS_ROUND_UP: return kept + !negative;
        case WS_ROUND_DOWN: return kept + negative;
        default: return kept;
    }
}

/* Beyond the largest finite number: infinity, or that number if the mode goes the other way. */
static inline uint64_t ws_round_overflow(int format, bool negative, uint32_t how) {
    const uint32_t mode = how & WS_HOW_ROUNDING;
    const bool up =
        mode == WS_ROUND_NEAREST || mode == WS_ROUND_AWAY || (negative ? mode == WS_ROUND_DOWN : mode == WS_ROUND_UP);
    return ws_format_infinity(format) - (up ? 0 : 1);
}

/* The exact value in a format, rounded once; the sign is that of the value, of zeros too. With .ftz a result that is
 * below the smallest normal number, rounded to the format's precision with an unbounded exponent, becomes zero. */
static inline uint64_t ws_round(int format, ws_exact value, uint32_t how) {
    const int mantissa = ws_format_mantissa(format), bias = ws_format_bias(format);
    const uint64_t sign = value.negative ? ws_format_sign(format) : 0;
    const int zeros = ws_zeros_above(value.significand);
    const uint64_t v = zeros < 64 ? value.significand << zeros : 0;
    const int top = value.exponent - zeros + 63; /* v = 1.xxx x 2^top */
    uint64_t kept;
    if (v == 0) return sign;
    if (top < 1 - bias) { /* a denormal, or just below the normal numbers */
        if ((how & WS_HOW_FTZ) != 0) {
            kept = ws_round_off(v, 63 - mantissa, value.negative, how);
            return sign | (top == -bias && kept >> mantissa == 2 ? (uint64_t)1 << mantissa : 0);
        }
        return sign | ws_round_off(v, 64 - mantissa - bias - top, value.negative, how);
    }
    kept = ws_round_off(v, 63 - mantissa, value.negative, how);
    if (top > bias || (top == bias && kept >> mantissa == 2)) {
        return sign | ws_round_overflow(format, value.negative, how);
    }
    return sign | (((uint64_t)(top + bias - 1) << mantissa) + kept); /* a carry goes into the exponent */
}

/* .sat: into [0, 1]; NaN and -0 become +0. */
static inline uint64_t ws_saturate(int format, uint64_t x) {
    const uint64_t one = (uint64_t)ws_format_bias(format) << ws_format_mantissa(format);
    if (ws_is_nan(format, x) || (x & ws_format_sign(format)) != 0) return 0;
    return x < one ? x : one;
}

#endif
