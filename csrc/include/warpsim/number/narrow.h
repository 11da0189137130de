/* Floating point of 8, 6 and 4 bits, powers of two in 8 bits, tf32; packed conversions.
 *
 *              exponent, mantissa   largest     NaN
 *     e4m3     4, 3                 448         0x7f
 *     e5m2     5, 2                 57344       0x7f; infinities 0x7c
 *     e2m3     2, 3                 7.5         none: NaN becomes the largest
 *     e3m2     3, 2                 28          none
 *     e2m1     2, 1                 6           none
 *     ue8m0    2^(x - 127)          2^127       0xff
 *
 * To nearest, to the largest finite number at most. fp8 and tf32 are as measured; the others as PTX 9.0 defines them. */
#ifndef WARPSIM_NUMBER_NARROW_H
#define WARPSIM_NUMBER_NARROW_H

#include "convert.h"

enum {
    WS_FORMAT_E2M3 = 2 << 8 | 3,
    WS_FORMAT_E3M2 = 3 << 8 | 2,
    WS_FORMAT_E2M1 = 2 << 8 | 1,
    WS_FORMAT_UE8M0 = 8 << 8
};

/* The largest finite magnitude of a format, and what NaN becomes in it. */
static inline uint32_t ws_narrow_largest(int format) {
    switch (format) {
        case WS_FORMAT_E4M3: return 0x7e;
        case WS_FORMAT_E5M2: return 0x7b;
        default: return (uint32_t)ws_format_sign(format) - 1;
    }
}

static inline uint32_t ws_narrow_nan(int format) { return (uint32_t)ws_format_sign(format) - 1; }

/* A finite value, to nearest: below the normal numbers the last bit has their lowest exponent. */
static inline uint32_t ws_narrow_round(int format, ws_exact value) {
    const int mantissa = ws_format_mantissa(format), least = 1 - ws_format_bias(format);
    const int zeros = ws_zeros_above(value.significand), top = value.exponent - zeros + 63;
    const int binade = (top > least ? top : least) - least;
    const uint64_t v = zeros < 64 ? value.significand << zeros : 0;
    const uint64_t kept = ws_round_off(v, 63 - mantissa + (binade + least - top), value.negative, WS_ROUND_NEAREST);
    const uint64_t magnitude = kept + ((uint64_t)binade << mantissa), largest = ws_narrow_largest(format);
    if (v == 0) return 0;
    return (uint32_t)(magnitude < largest ? magnitude : largest);
}

static inline uint32_t ws_narrow_of_float(int to, int from, uint64_t x, uint32_t how) {
    const bool negative = (x & ws_format_sign(from)) != 0;
    const uint32_t sign = negative ? (uint32_t)ws_format_sign(to) : 0;
    if (ws_is_nan(from, x)) return ws_narrow_nan(to);
    if (negative && (how & WS_HOW_RELU) != 0) return 0;
    if (ws_is_infinite(from, x)) return sign | ws_narrow_largest(to);
    return sign | ws_narrow_round(to, ws_exact_of(from, x));
}

/* The magnitude as a power of two: rounded up or toward zero, within 2^-127 and 2^127. */
static inline uint32_t ws_power_of_float(int from, uint64_t x, uint32_t how) {
    const bool bounded = (how & WS_HOW_SATFINITE) != 0;
    ws_exact value;
    int exponent;
    if (ws_is_nan(from, x)) return 0xff;
    if (ws_is_infinite(from, x)) return bounded ? 0xfe : 0xff;
    value = ws_exact_of(from, x);
    if (value.significand == 0) return 0;
    exponent = value.exponent + 63 - ws_zeros_above(value.significand) + 127;
    if ((how & WS_HOW_ROUNDING) == WS_ROUND_UP && (value.significand & (value.significand - 1)) != 0) exponent++;
    if (exponent > 0xfe) return bounded ? 0xfe : 0xff;
    return exponent > 0 ? (uint32_t)exponent : 0;
}

/* One of a pair, of any of these formats, from f32, f16 or bf16; and the other way. */
static inline uint32_t ws_narrowed(int to, int from, uint64_t x, uint32_t how) {
    return to == WS_FORMAT_UE8M0 ? ws_power_of_float(from, x, how) : ws_narrow_of_float(to, from, x, how);
}

static inline bool ws_narrow_is_nan(int format, uint32_t magnitude) {
    return format == WS_FORMAT_E4M3 ? magnitude == 0x7f : format == WS_FORMAT_E5M2 && magnitude > 0x7c;
}

static inline uint32_t ws_widened(int to, int from, uint32_t x, uint32_t how) {
    const uint32_t magnitude = (uint32_t)ws_magnitude(from, x);
    ws_exact value;
    if (from == WS_FORMAT_UE8M0) {
        value.significand = 1;
        value.exponent = (int)(x & 0xff) - 127;
        value.negative = false;
        return (x & 0xff) == 0xff ? WS_NAN_16 : (uint32_t)ws_round(to, value, how);
    }
    value = ws_exact_of(from, x);
    if (ws_narrow_is_nan(from, magnitude)) return WS_NAN_16;
    if (value.negative && (how & WS_HOW_RELU) != 0) return 0;
    if (from == WS_FORMAT_E5M2 && magnitude == 0x7c) {
        return (uint32_t)(ws_format_infinity(to) | (value.negative ? ws_format_sign(to) : 0));
    }
    return (uint32_t)ws_round(to, value, WS_ROUND_NEAREST);
}

/* Where the second of a pair lies: e2m1 packs four bits, the others bytes. */
static inline int ws_narrow_bits(int format) { return format == WS_FORMAT_E2M1 ? 4 : 8; }

/* cvt to tf32: rn and rz keep 10 bits of the mantissa. rna is a sequence of whole-number instructions: it only cuts
 * infinities and NaN, and a NaN of low bits alone becomes an infinity. */
static inline uint32_t ws_tf32_of_f32(uint32_t x, uint32_t how) {
    const uint32_t infinity = UINT32_C(0x7f800000), low = 0x1fff, magnitude = x & INT32_MAX,
                   sign = x & ~(uint32_t)INT32_MAX;
    uint32_t more = 0, cut;
    if ((how & WS_HOW_ROUNDING) == WS_ROUND_AWAY) {
        cut = (magnitude + (magnitude < infinity ? 0x1000 : 0)) & ~low;
        return sign | ((how & WS_HOW_SATFINITE) != 0 && cut >= infinity ? cut - 0x2000 : cut);
    }
    if (magnitude > infinity) return UINT32_C(0x7fffe000);
    if (sign != 0 && (how & WS_HOW_RELU) != 0) return 0;
    if ((how & WS_HOW_ROUNDING) == WS_ROUND_NEAREST) more = 0xfff + (magnitude >> 13 & 1);
    cut = (magnitude + (magnitude < infinity ? more : 0)) & ~low;
    return sign | ((how & WS_HOW_SATFINITE) != 0 && cut >= infinity ? infinity - 0x2000 : cut);
}

/* cvt.pack: a and b, clamped to the type, above each other and below what is left of c. */
static inline uint32_t ws_pack_s32(int to, uint32_t a, uint32_t b, uint32_t c) {
    const int bits = to & WS_WHOLE_BITS, s32 = 32 | WS_WHOLE_SIGNED;
    const uint32_t mask = (UINT32_C(1) << bits) - 1;
    const uint32_t high = (uint32_t)ws_whole_of_whole(to, s32, a, WS_HOW_SAT) & mask;
    const uint32_t low = (uint32_t)ws_whole_of_whole(to, s32, b, WS_HOW_SAT) & mask;
    return (bits < 16 ? c << 2 * bits : 0) | high << bits | low;
}

#endif
