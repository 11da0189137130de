/* Conversions between numbers of any two types: one rounding each.
 *
 *     float to integer   saturates, .sat or not. NaN gives 0 from f16, bf16, f32 to at most 32 bits, else the top bit alone
 *     integer to float   rounds once; .sat is [0, 1]
 *     float to float     NaN from or to f64 keeps sign and leading payload, quiet; otherwise the NaN of the format
 *
 * A type is a number: of floating point a format (format.h), of whole numbers their bits and whether they are signed.
 * Results are extended to 64 bits: by the sign of a signed type. */
#ifndef WARPSIM_NUMBER_CONVERT_H
#define WARPSIM_NUMBER_CONVERT_H

#include "format.h"
#include "integer.h"

enum { WS_WHOLE_SIGNED = 128, WS_WHOLE_BITS = 127 };

static inline bool ws_is_format(int type) { return type >= 256; }

static inline bool ws_whole_is_signed(int type) { return (type & WS_WHOLE_SIGNED) != 0; }

/* The number that a register holds, and its nearest in a type: too large ones become the largest, too small the smallest. */
static inline uint64_t ws_whole_value(int type, uint64_t x) {
    return ws_whole(x, type & WS_WHOLE_BITS, ws_whole_is_signed(type));
}

static inline uint64_t ws_whole_clamped(int type, uint64_t magnitude, bool negative) {
    const uint64_t top = (uint64_t)1 << ((type & WS_WHOLE_BITS) - 1);
    if (!ws_whole_is_signed(type)) return negative ? 0 : magnitude < top - 1 + top ? magnitude : top - 1 + top;
    if (negative) return 0 - (magnitude < top ? magnitude : top);
    return magnitude < top ? magnitude : top - 1;
}

static inline uint64_t ws_whole_of_whole(int to, int from, uint64_t x, uint32_t how) {
    const uint64_t number = ws_whole_value(from, x);
    const bool negative = ws_whole_is_signed(from) && number >> 63 != 0;
    if ((how & WS_HOW_SAT) == 0) return ws_whole_value(to, number);
    return ws_whole_clamped(to, negative ? 0 - number : number, negative);
}

/* A finite value rounded to a whole number; what does not fit 64 bits becomes their largest. */
static inline uint64_t ws_whole_magnitude(ws_exact value, uint32_t how) {
    if (value.significand == 0) return 0;
    if (value.exponent > ws_zeros_above(value.significand)) return UINT64_MAX;
    if (value.exponent >= 0) return value.significand << value.exponent;
    return ws_round_off(value.significand, -value.exponent, value.negative, how);
}

static inline uint64_t ws_whole_of_float(int to, int from, uint64_t x, uint32_t how) {
    const uint64_t top = (uint64_t)1 << ((to & WS_WHOLE_BITS) - 1), value = ws_flush(from, x, how);
    if (ws_is_nan(from, x)) {
        return from == WS_FORMAT_F64 || top >> 63 != 0 ? ws_whole_value(to, top) : 0;
    }
    if (ws_is_infinite(from, x)) return ws_whole_clamped(to, UINT64_MAX, (x & ws_format_sign(from)) != 0);
    return ws_whole_clamped(to, ws_whole_magnitude(ws_exact_of(from, value), how), (x & ws_format_sign(from)) != 0);
}

static inline uint64_t ws_float_of_whole(int to, int from, uint64_t x, uint32_t how) {
    ws_exact value;
    uint64_t result;
    value.significand = ws_whole_value(from, x);
    value.negative = ws_whole_is_signed(from) && value.significand >> 63 != 0;
    if (value.negative) value.significand = 0 - value.significand;
    value.exponent = 0;
    result = ws_round(to, value, how);
    return (how & WS_HOW_SAT) != 0 ? ws_saturate(to, result) : result;
}

static inline uint64_t ws_format_nan(int format) {
    return format == WS_FORMAT_F64 ? WS_NAN_F64 : ws_format_sign(format) - 1;
}

/* A NaN in another format. */
static inline uint64_t ws_nan_of(int to, int from, uint64_t x) {
    const int more = ws_format_mantissa(to) - ws_format_mantissa(from);
    const uint64_t payload = x & (((uint64_t)1 << ws_format_mantissa(from)) - 1);
    if (to != WS_FORMAT_F64 && from != WS_FORMAT_F64) return ws_format_nan(to);
    return ((x & ws_format_sign(from)) != 0 ? ws_format_sign(to) : 0) | ws_format_infinity(to) |
           (uint64_t)1 << (ws_format_mantissa(to) - 1) | (more >= 0 ? payload << more : payload >> -more);
}

/* .satfinite, .sat, .relu of a result. */
static inline uint64_t ws_float_closed(int format, uint64_t x, uint32_t how) {
    if ((how & WS_HOW_SATFINITE) != 0 && ws_is_infinite(format, x)) x -= 1;
    if ((how & WS_HOW_SAT) != 0) x = ws_saturate(format, x);
    if ((how & WS_HOW_RELU) == 0) return x;
    return ws_is_nan(format, x) ? ws_format_nan(format) : (x & ws_format_sign(format)) != 0 ? 0 : x;
}

/* .rni .rzi .rmi .rpi: to a whole number of the same format; zeros keep the sign of the operand. */
static inline uint64_t ws_float_integral(int format, uint64_t x, uint32_t how) {
    const uint64_t value = ws_flush(format, x, how);
    ws_exact whole = ws_exact_of(format, value);
    if (ws_is_nan(format, value)) return ws_nan_of(format, format, value);
    if (whole.exponent >= 0) return value; /* infinities, too */
    whole.significand = ws_whole_magnitude(whole, how);
    whole.exponent = 0;
    return ws_round(format, whole, WS_ROUND_NEAREST);
}

/* Do bits pass untouched, signalling NaN too? */
static inline bool ws_float_moves(int to, int from, uint32_t how) {
    if ((how & (WS_HOW_FTZ | WS_HOW_SAT)) != 0) return false;
    return (to == WS_FORMAT_F32 && (from == to || from == WS_FORMAT_BF16)) || (to == WS_FORMAT_F64 && from == to);
}

/* .ftz of an f32 operand, except on its way to f16, where it changes nothing. */
static inline uint64_t ws_float_of_float(int to, int from, uint64_t x, uint32_t how) {
    const uint32_t kept = to == WS_FORMAT_F16 ? how & ~(uint32_t)WS_HOW_FTZ : how;
    uint64_t value = from == WS_FORMAT_F32 ? ws_flush(from, x, kept) : x;
    uint64_t result;
    if (ws_float_moves(to, from, how)) return from == WS_FORMAT_BF16 ? (x & 0xffff) << 16 : x;
    if (from == WS_FORMAT_F32 && (kept & WS_HOW_FTZ) != 0 && ws_is_nan(from, x)) value = WS_NAN_F32;
    if (ws_is_nan(from, value)) {
        result = ws_nan_of(to, from, value);
    } else if (ws_is_infinite(from, value)) {
        result = ws_format_infinity(to) | ((value & ws_format_sign(from)) != 0 ? ws_format_sign(to) : 0);
    } else {
        result = ws_round(to, ws_exact_of(from, value), to == WS_FORMAT_F32 ? kept : kept & ~(uint32_t)WS_HOW_FTZ);
    }
    return ws_float_closed(to, result, how);
}

/* Any cvt of one value. */
static inline uint64_t ws_convert(int to, int from, uint64_t x, uint32_t how) {
    if (!ws_is_format(from))
        return ws_is_format(to) ? ws_float_of_whole(to, from, x, how) : ws_whole_of_whole(to, from, x, how);
    x &= ws_format_sign(from) - 1 + ws_format_sign(from);
    if (!ws_is_format(to)) return ws_whole_of_float(to, from, x, how);
    if ((how & WS_HOW_INTEGRAL) != 0) return ws_float_closed(to, ws_float_integral(to, x, how), how);
    return ws_float_of_float(to, from, x, how);
}

#endif
