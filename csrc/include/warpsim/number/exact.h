/* Sum, product, quotient and root of floating-point numbers by whole numbers: every format, every rounding, one
 * rounding.
 *
 *     a x b + c      significands of 64 bits -> product of 128 -> aligned sum, sticky -> ws_round
 *
 * What rounds as C does has faster functions (f32.h, f64.h); these are for directed roundings and for machines without
 * fused instructions. NaN operands are the callers', whose rules differ; an invalid operation gives *invalid. */
#ifndef WARPSIM_NUMBER_EXACT_H
#define WARPSIM_NUMBER_EXACT_H

#include "format.h"

/* Finite and not zero: the highest bit of the significand set. */
static inline ws_exact ws_exact_normalized(ws_exact value) {
    const int zeros = ws_zeros_above(value.significand);
    if (zeros == 64) return value;
    value.significand <<= zeros;
    value.exponent -= zeros;
    return value;
}

/* A sum of two that are aligned: bits of both at the same exponent. */
static inline uint64_t ws_exact_sum(int format, ws_wide a, bool a_negative, ws_wide b, bool b_negative, int exponent,
                                    uint32_t how) {
    ws_exact sum;
    ws_wide total;
    int above;
    sum.negative = a_negative;
    if (a_negative == b_negative) {
        total = ws_wide_sum(a, b);
    } else if (ws_wide_less(a, b)) {
        total = ws_wide_difference(b, a);
        sum.negative = b_negative;
    } else {
        total = ws_wide_difference(a, b);
    }
    sum.significand = ws_wide_top(total, &above);
    sum.exponent = exponent + above;
    if (sum.significand == 0) sum.negative = (how & WS_HOW_ROUNDING) == WS_ROUND_DOWN;
    return ws_round(format, sum, how);
}

/* a x b + c of finite numbers. */
static inline uint64_t ws_exact_finite_fma(int format, ws_exact a, ws_exact b, ws_exact c, uint32_t how) {
    const bool negative = a.negative != b.negative;
    ws_wide product, addend;
    int exponent, behind;
    if (a.significand == 0 || b.significand == 0) {
        if (c.significand == 0 && c.negative != negative) c.negative = (how & WS_HOW_ROUNDING) == WS_ROUND_DOWN;
        return ws_round(format, c, how);
    }
    a = ws_exact_normalized(a);
    b = ws_exact_normalized(b);
    product =
        ws_wide_sticky_shift(ws_wide_product(a.significand, b.significand), 2); /* below 2^126: room for a carry */
    exponent = a.exponent + b.exponent + 2;
    addend.high = addend.low = 0;
    if (c.significand != 0) {
        c = ws_exact_normalized(c);
        addend.high = c.significand >> 2;
        behind = exponent - (c.exponent - 62);
        if (behind >= 0) {
            addend = ws_wide_sticky_shift(addend, behind);
        } else {
            product = ws_wide_sticky_shift(product, -behind);
            exponent -= behind;
        }
    }
    return ws_exact_sum(format, product, negative, addend, c.significand != 0 ? c.negative : negative, exponent, how);
}

/* a x b + c; no operand is a NaN. */
static inline uint64_t ws_exact_fma(int format, uint64_t a, uint64_t b, uint64_t c, uint32_t how, bool *invalid) {
    const uint64_t sign = (a ^ b) & ws_format_sign(format), infinity = ws_format_infinity(format);
    if (ws_is_infinite(format, a) || ws_is_infinite(format, b)) {
        *invalid = ws_magnitude(format, a) == 0 || ws_magnitude(format, b) == 0 ||
                   c == ((sign | infinity) ^ ws_format_sign(format));
        return sign | infinity;
    }
    *invalid = false;
    if (ws_is_infinite(format, c)) return c;
    return ws_exact_finite_fma(format, ws_exact_of(format, a), ws_exact_of(format, b), ws_exact_of(format, c), how);
}

/* 64 bits of a / b, sticky: both have their highest bit set. */
static inline uint64_t ws_exact_quotient(uint64_t a, uint64_t b) {
    uint64_t quotient = 0, rest = a >> 1; /* below b */
    int i;
    for (i = 0; i < 64; i++) {
        const bool carries = rest >> 63 != 0;
        rest <<= 1;
        quotient <<= 1;
        if (carries || rest >= b) {
            rest -= b;
            quotient |= 1;
        }
    }
    return quotient | (rest != 0);
}

/* a / b; no operand is a NaN. */
static inline uint64_t ws_exact_division(int format, uint64_t a, uint64_t b, uint32_t how, bool *invalid) {
    const uint64_t sign = (a ^ b) & ws_format_sign(format), infinity = ws_format_infinity(format);
    ws_exact dividend, divisor;
    *invalid = (ws_is_infinite(format, a) && ws_is_infinite(format, b)) ||
               (ws_magnitude(format, a) == 0 && ws_magnitude(format, b) == 0);
    if (ws_is_infinite(format, a) || ws_magnitude(format, b) == 0) return sign | infinity;
    if (ws_is_infinite(format, b) || ws_magnitude(format, a) == 0) return sign;
    dividend = ws_exact_normalized(ws_exact_of(format, a));
    divisor = ws_exact_normalized(ws_exact_of(format, b));
    dividend.significand = ws_exact_quotient(dividend.significand, divisor.significand);
    dividend.exponent -= divisor.exponent + 63;
    dividend.negative = sign != 0;
    return ws_round(format, dividend, how);
}

/* The root of a positive number: 62 bits, one of them a step, the lowest sticky. */
static inline uint64_t ws_exact_root_of(uint64_t v) {
    uint64_t root = 0, rest = 0;
    int i;
    for (i = 0; i < 60; i++) { /* two more bits of v, then zeros */
        rest = rest << 2 | v >> 62;
        v <<= 2;
        root <<= 1;
        if (rest > root << 1) {
            rest -= root << 1 | 1;
            root |= 1;
        }
    }
    return root << 1 | (rest != 0);
}

/* The square root; the operand is not a NaN. */
static inline uint64_t ws_exact_root(int format, uint64_t a, uint32_t how, bool *invalid) {
    ws_exact value;
    *invalid = false;
    if (ws_magnitude(format, a) == 0) return a;
    *invalid = (a & ws_format_sign(format)) != 0;
    if (*invalid || ws_is_infinite(format, a)) return a;
    value = ws_exact_normalized(ws_exact_of(format, a));
    if ((value.exponent & 1) != 0) { /* an even exponent, and room for it */
        value.significand >>= 1;
        value.exponent += 1;
    }
    value.significand = ws_exact_root_of(value.significand);
    value.exponent = value.exponent / 2 - 29;
    return ws_round(format, value, how);
}

#endif
