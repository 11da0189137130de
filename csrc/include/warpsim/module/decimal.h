/* Decimal numbers as the bits of the nearest double, ties to even, and doubles as floats; exact, by integers alone.
 *
 * Digits beyond the 800th can only break a tie, so they count as one bit. */
#ifndef WARPSIM_MODULE_DECIMAL_H
#define WARPSIM_MODULE_DECIMAL_H

#include "../base/status.h"

enum {
    WS_DECIMAL_DIGITS = 800,
    WS_DECIMAL_WORDS = 160 /* of 32 bits: 800 digits, or 10^1150 and 64 bits */
};

/* A natural number; words[0] is the lowest. */
typedef struct ws_natural {
    uint32_t words[WS_DECIMAL_WORDS];
    int count;
} ws_natural;

/* number = number * factor + addend */
static inline void ws_natural_multiply(ws_natural *number, uint32_t factor, uint32_t addend) {
    uint64_t carry = addend;
    int i;
    for (i = 0; i < number->count; i++) {
        carry += (uint64_t)number->words[i] * factor;
        number->words[i] = (uint32_t)carry;
        carry >>= 32;
    }
    if (carry != 0 && number->count < WS_DECIMAL_WORDS) number->words[number->count++] = (uint32_t)carry;
}

/* number = number / divisor; returns the remainder. */
static inline uint32_t ws_natural_divide(ws_natural *number, uint32_t divisor) {
    uint64_t rest = 0;
    int i;
    for (i = number->count - 1; i >= 0; i--) {
        rest = rest << 32 | number->words[i];
        number->words[i] = (uint32_t)(rest / divisor);
        rest %= divisor;
    }
    while (number->count > 0 && number->words[number->count - 1] == 0) number->count--;
    return (uint32_t)rest;
}

/* number = number << 32 * words */
static inline void ws_natural_shift(ws_natural *number, int words) {
    int i;
    for (i = number->count - 1; i >= 0; i--) number->words[i + words] = number->words[i];
    for (i = 0; i < words; i++) number->words[i] = 0;
    number->count += words;
}

/* Rounds (mantissa + a fraction that is not 0 if `sticky`) * 2^exponent, mantissa >= 2^63, to a float of this many bits
 * of mantissa (with the hidden one) and this least exponent of its last bit; bits without sign. */
static inline uint64_t ws_float_round(uint64_t mantissa, bool sticky, int exponent, int bits, int least) {
    int drop = 64 - bits;
    uint64_t kept, dropped;
    if (exponent + drop < least) drop = least - exponent;
    if (drop > 64) return 0;
    kept = drop == 64 ? 0 : mantissa >> drop;
    dropped = mantissa << (64 - drop);
    kept += dropped > UINT64_C(1) << 63 || (dropped == UINT64_C(1) << 63 && (sticky || (kept & 1) != 0));
    return ((uint64_t)(exponent + drop - least) << (bits - 1)) + kept;
}

/* digits * 10^exponent as a double; `sticky`: and a little more. UINT64_MAX: too large. */
static inline uint64_t ws_decimal_bits(ws_natural *digits, bool sticky, int exponent) {
    int binary = 0, top, i;
    uint64_t mantissa = 0, bits;
    if (digits->count == 0) return 0;
    for (; exponent >= 9; exponent -= 9) ws_natural_multiply(digits, 1000000000, 0);
    for (; exponent > 0; exponent--) ws_natural_multiply(digits, 10, 0);
    if (exponent < 0) {
        int words = (-exponent * 107 / 1000 + 3 + 3) - digits->count;
        if (words < 3) words = 3;
        ws_natural_shift(digits, words);
        binary = -32 * words;
        for (; exponent <= -9; exponent += 9) sticky |= ws_natural_divide(digits, 1000000000) != 0;
        for (; exponent < 0; exponent++) sticky |= ws_natural_divide(digits, 10) != 0;
    }
    while (digits->count < 3) {
        ws_natural_shift(digits, 1);
        binary -= 32;
    }
    top = digits->count - 1;
    for (i = top - 3; i >= 0; i--) sticky |= digits->words[i] != 0;
    mantissa = (uint64_t)digits->words[top] << 32 | digits->words[top - 1];
    binary += 32 * (top - 1);
    for (i = 31; i >= 0 && mantissa >> 63 == 0; i--, binary--) {
        mantissa = mantissa << 1 | (digits->words[top - 2] >> i & 1);
    }
    sticky |= i >= 0 && (digits->words[top - 2] & ((UINT32_C(2) << i) - 1)) != 0;
    bits = binary > 1024 ? UINT64_MAX : ws_float_round(mantissa, sticky, binary, 53, -1074);
    return bits < UINT64_C(0x7FF) << 52 ? bits : UINT64_MAX;
}

/* The float nearest to a double. */
static inline uint32_t ws_float32_of_float64(uint64_t bits) {
    const uint32_t sign = (uint32_t)(bits >> 63) << 31, infinity = UINT32_C(0x7F800000);
    const int exponent = (int)(bits >> 52 & 0x7FF);
    const uint64_t fraction = bits & ((UINT64_C(1) << 52) - 1);
    uint64_t rounded;
    if (exponent == 0x7FF) return sign | infinity | (fraction != 0 ? UINT32_C(0x7FFFFF) : 0);
    if (exponent < 800) return sign; /* far below the smallest float */
    rounded = ws_float_round(UINT64_C(1) << 63 | fraction << 11, false, exponent - 1075 - 11, 24, -149);
    return sign | (rounded < infinity ? (uint32_t)rounded : infinity);
}

/* The double that equals a float. */
static inline uint64_t ws_float64_of_float32(uint32_t bits) {
    const uint64_t sign = (uint64_t)(bits >> 31) << 63;
    uint32_t fraction = bits & 0x7FFFFF;
    int exponent = (int)(bits >> 23 & 0xFF);
    if (exponent == 0xFF) return sign | UINT64_C(0x7FF) << 52 | (uint64_t)fraction << 29;
    if (exponent == 0) {
        if (fraction == 0) return sign;
        for (exponent = 1; (fraction & 0x800000) == 0; exponent--) fraction <<= 1;
        fraction &= 0x7FFFFF;
    }
    return sign | (uint64_t)(exponent + 896) << 52 | (uint64_t)fraction << 29;
}

#endif
