/* Whole numbers as the hardware computes them: bits in, bits out, of 16, 32 and 64 bits.
 *
 *     a 16-bit operand lies in the low half; what is above it is dropped here
 *     quotient and remainder by 0 are all ones, signed and unsigned; the smallest number / -1 is itself, its remainder 0
 *
 * Without branches where loops over it are to become vectors. */
#ifndef WARPSIM_NUMBER_INTEGER_H
#define WARPSIM_NUMBER_INTEGER_H

#include "how.h"
#include "wide.h"

/* The low `bits` of x as a number, with or without a sign, in 64 bits. */
static inline uint64_t ws_whole(uint64_t x, int bits, bool is_signed) {
    const uint64_t sign = (uint64_t)1 << (bits - 1), low = x & (sign - 1 + sign);
    return is_signed ? (low ^ sign) - sign : low;
}

/* The low 8 or 16 bits with their sign. */
static inline uint32_t ws_signed8(uint32_t x) { return ((x & 0xff) ^ 0x80) - 0x80; }

static inline uint32_t ws_signed16(uint32_t x) { return ((x & 0xffff) ^ 0x8000) - 0x8000; }

static inline uint64_t ws_signed32(uint32_t x) { return (uint64_t)(int64_t)(int32_t)x; }

/* A sum within the signed 32-bit numbers. */
static inline uint32_t ws_add_sat_s32(uint32_t a, uint32_t b) {
    const uint32_t sum = a + b, limit = (a >> 31) + INT32_MAX;
    return ((~(a ^ b) & (a ^ sum)) >> 31) != 0 ? limit : sum;
}

static inline uint32_t ws_sub_sat_s32(uint32_t a, uint32_t b) {
    const uint32_t rest = a - b, limit = (a >> 31) + INT32_MAX;
    return (((a ^ b) & (a ^ rest)) >> 31) != 0 ? limit : rest;
}

/* The high halves of products. */
static inline uint32_t ws_high_u32(uint32_t a, uint32_t b) { return (uint32_t)((uint64_t)a * b >> 32); }

static inline uint32_t ws_high_s32(uint32_t a, uint32_t b) {
    return (uint32_t)((uint64_t)((int64_t)(int32_t)a * (int32_t)b) >> 32);
}

static inline uint64_t ws_high_64(uint64_t a, uint64_t b, bool is_signed) {
    const uint64_t high = ws_wide_product(a, b).high;
    return is_signed ? high - (a >> 63 != 0 ? b : 0) - (b >> 63 != 0 ? a : 0) : high;
}

/* mad.hi.s32, mad.hi.sat.s32 */
static inline uint32_t ws_high_add_s32(uint32_t a, uint32_t b, uint32_t c, uint32_t how) {
    const uint32_t high = ws_high_s32(a, b);
    return (how & WS_HOW_SAT) != 0 ? ws_add_sat_s32(high, c) : high + c;
}

/* mul24, mad24: 48 bits of product, the low 32 or those from bit 16. */
static inline uint32_t ws_product_24(uint32_t a, uint32_t b, bool is_signed, uint32_t how) {
    const uint64_t product = ws_whole(a, 24, is_signed) * ws_whole(b, 24, is_signed);
    return (uint32_t)((how & WS_HOW_CHOICE) == WS_CHOICE_HI ? product >> 16 : product);
}

static inline uint32_t ws_product_add_24(uint32_t a, uint32_t b, uint32_t c, bool is_signed, uint32_t how) {
    const uint32_t product = ws_product_24(a, b, is_signed, how);
    return (how & WS_HOW_SAT) != 0 ? ws_add_sat_s32(product, c) : product + c;
}

/* Quotient and remainder of numbers of `bits` bits: toward zero, the remainder has the sign of a. */
static inline uint64_t ws_quotient(uint64_t a, uint64_t b, int bits, bool is_signed) {
    const uint64_t x = ws_whole(a, bits, is_signed), y = ws_whole(b, bits, is_signed);
    const bool minus_x = is_signed && x >> 63 != 0, minus_y = is_signed && y >> 63 != 0;
    uint64_t quotient;
    if (y == 0) return UINT64_MAX;
    quotient = (minus_x ? 0 - x : x) / (minus_y ? 0 - y : y);
    return minus_x != minus_y ? 0 - quotient : quotient;
}

static inline uint64_t ws_remainder(uint64_t a, uint64_t b, int bits, bool is_signed) {
    const uint64_t y = ws_whole(b, bits, is_signed);
    if (y == 0) return UINT64_MAX;
    return ws_whole(a, bits, is_signed) - y * ws_quotient(a, b, bits, is_signed);
}

/* Halves of 32-bit pairs. */
static inline uint32_t ws_add_x2(uint32_t a, uint32_t b) {
    const uint32_t signs = UINT32_C(0x80008000);
    return ((a & ~signs) + (b & ~signs)) ^ ((a ^ b) & signs);
}

/* .relu of min and max */
static inline uint32_t ws_relu_s32(uint32_t x, uint32_t how) {
    return (how & WS_HOW_RELU) != 0 && x >> 31 != 0 ? 0 : x;
}

static inline uint32_t ws_min_u32(uint32_t a, uint32_t b) { return a < b ? a : b; }

static inline uint32_t ws_max_u32(uint32_t a, uint32_t b) { return a < b ? b : a; }

static inline uint32_t ws_min_s32(uint32_t a, uint32_t b) { return (int32_t)a < (int32_t)b ? a : b; }

static inline uint32_t ws_max_s32(uint32_t a, uint32_t b) { return (int32_t)a < (int32_t)b ? b : a; }

/* The bytes of a times those of b, each signed or not: 0x80 or 0 says which. */
static inline uint32_t ws_byte_of(uint32_t x, int number, uint32_t sign) {
    return ((x >> 8 * number & 0xff) ^ sign) - sign;
}

static inline uint32_t ws_dp4a(uint32_t a, uint32_t b, uint32_t c, uint32_t sign_a, uint32_t sign_b) {
    return c + ws_byte_of(a, 0, sign_a) * ws_byte_of(b, 0, sign_b) +
           ws_byte_of(a, 1, sign_a) * ws_byte_of(b, 1, sign_b) + ws_byte_of(a, 2, sign_a) * ws_byte_of(b, 2, sign_b) +
           ws_byte_of(a, 3, sign_a) * ws_byte_of(b, 3, sign_b);
}

/* The halves of a times two bytes of b: the low two, or with .hi the high two. */
static inline uint32_t ws_dp2a(uint32_t a, uint32_t b, uint32_t c, uint32_t sign_a, uint32_t sign_b, uint32_t how) {
    const uint32_t bytes = (how & WS_HOW_CHOICE) == WS_CHOICE_HI ? b >> 16 : b, sign = sign_a << 8;
    return c + (((a & 0xffff) ^ sign) - sign) * ws_byte_of(bytes, 0, sign_b) +
           ((a >> 16 ^ sign) - sign) * ws_byte_of(bytes, 1, sign_b);
}

#endif
