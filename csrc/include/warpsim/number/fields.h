/* Bits: shifts by any amount, fields, permutations, counts; tables of three bits.
 *
 *     amounts are unsigned 32-bit numbers; a shift by the width or more gives 0, or all copies of the sign
 *     bfe, bfi      position and length: their low 8 bits for 32-bit fields, all 32 bits for 64-bit fields */
#ifndef WARPSIM_NUMBER_FIELDS_H
#define WARPSIM_NUMBER_FIELDS_H

#include "integer.h"

static inline uint32_t ws_left_32(uint32_t a, uint32_t n) { return n < 32 ? a << (n & 31) : 0; }

static inline uint32_t ws_right_32(uint32_t a, uint32_t n) { return n < 32 ? a >> (n & 31) : 0; }

static inline uint32_t ws_right_s32(uint32_t a, uint32_t n) { return (uint32_t)((int32_t)a >> (n < 31 ? n : 31)); }

static inline uint64_t ws_left_64(uint64_t a, uint32_t n) { return n < 64 ? a << (n & 63) : 0; }

static inline uint64_t ws_right_64(uint64_t a, uint32_t n) { return n < 64 ? a >> (n & 63) : 0; }

static inline uint64_t ws_right_s64(uint64_t a, uint32_t n) { return (uint64_t)((int64_t)a >> (n < 63 ? n : 63)); }

/* shf: b:a shifted, its high word for .l, its low word for .r */
static inline uint32_t ws_funnel_amount(uint32_t n, uint32_t how) {
    return (how & WS_HOW_WRAP) != 0 ? n & 31 : ws_min_u32(n, 32);
}

static inline uint32_t ws_funnel_left(uint32_t a, uint32_t b, uint32_t c, uint32_t how) {
    const uint32_t n = ws_funnel_amount(c, how);
    return ws_left_32(b, n) | ws_right_32(a, 32 - n);
}

static inline uint32_t ws_funnel_right(uint32_t a, uint32_t b, uint32_t c, uint32_t how) {
    const uint32_t n = ws_funnel_amount(c, how);
    return ws_right_32(a, n) | ws_left_32(b, 32 - n);
}

static inline uint32_t ws_low_ones(uint32_t count) {
    return count < 32 ? (UINT32_C(1) << (count & 31)) - 1 : UINT32_MAX;
}

static inline uint64_t ws_low_ones_64(uint32_t count) {
    return count < 64 ? ((uint64_t)1 << (count & 63)) - 1 : UINT64_MAX;
}

static inline uint32_t ws_bfe_u32(uint32_t a, uint32_t b, uint32_t c) {
    return ws_right_32(a, b & 255) & ws_low_ones(c & 255);
}

/* The bits beyond the field or the top are the sign: the field's last bit, or the top bit. */
static inline uint32_t ws_bfe_s32(uint32_t a, uint32_t b, uint32_t c) {
    const uint32_t position = b & 255, length = c & 255;
    const uint32_t held = ws_right_32(UINT32_MAX, position) & ws_low_ones(length);
    const uint32_t sign = length == 0 ? 0 : ws_right_32(a, ws_min_u32(position + length - 1, 31)) & 1;
    return (ws_right_32(a, position) & held) | (~held & (0 - sign));
}

static inline uint64_t ws_bfe_u64(uint64_t a, uint32_t b, uint32_t c) { return ws_right_64(a, b) & ws_low_ones_64(c); }

static inline uint64_t ws_bfe_s64(uint64_t a, uint32_t b, uint32_t c) {
    const uint64_t held = ws_right_64(UINT64_MAX, b) & ws_low_ones_64(c), last = (uint64_t)b + c - 1;
    const uint64_t sign = c == 0 ? 0 : a >> (last < 63 ? last : 63) & 1;
    return (ws_right_64(a, b) & held) | (~held & (0 - sign));
}

static inline uint32_t ws_bfi_32(uint32_t a, uint32_t b, uint32_t c, uint32_t e) {
    const uint32_t field = ws_left_32(ws_low_ones(e & 255), c & 255);
    return (b & ~field) | (ws_left_32(a, c & 255) & field);
}

static inline uint64_t ws_bfi_64(uint64_t a, uint64_t b, uint32_t c, uint32_t e) {
    const uint64_t field = ws_left_64(ws_low_ones_64(e), c);
    return (b & ~field) | (ws_left_64(a, c) & field);
}

/* bmsk, szext: amounts of 32 and more are 32, or with .wrap modulo 32 */
static inline uint32_t ws_bmsk(uint32_t a, uint32_t b, uint32_t how) {
    return ws_left_32(ws_low_ones(ws_funnel_amount(b, how)), ws_funnel_amount(a, how));
}

static inline uint32_t ws_szext(uint32_t a, uint32_t b, bool is_signed, uint32_t how) {
    const uint32_t kept = ws_low_ones(ws_funnel_amount(b, how)), top = kept ^ kept >> 1;
    return is_signed && (a & top) != 0 ? a | ~kept : a & kept;
}

/* The highest 1, or of a negative number the highest 0: its position, or how far it lies below the top. */
static inline uint32_t ws_bfind(uint64_t x, int bits, bool is_signed, uint32_t how) {
    const uint64_t number = ws_whole(x, bits, is_signed), seen = is_signed && number >> 63 != 0 ? ~number : number;
    const uint32_t position = 63 - (uint32_t)ws_zeros_above(seen);
    if (seen == 0) return UINT32_MAX;
    return (how & WS_HOW_SHIFTAMT) != 0 ? (uint32_t)bits - 1 - position : position;
}

static inline uint32_t ws_ones(uint64_t x) {
    const uint64_t pairs = x - (x >> 1 & UINT64_C(0x5555555555555555)), two = UINT64_C(0x3333333333333333);
    const uint64_t fours = (pairs & two) + (pairs >> 2 & two);
    return (uint32_t)(((fours + (fours >> 4)) & UINT64_C(0x0f0f0f0f0f0f0f0f)) * UINT64_C(0x0101010101010101) >> 56);
}

/* The bits in the opposite order. */
static inline uint32_t ws_brev_32(uint32_t x) {
    x = (x >> 1 & UINT32_C(0x55555555)) | (x & UINT32_C(0x55555555)) << 1;
    x = (x >> 2 & UINT32_C(0x33333333)) | (x & UINT32_C(0x33333333)) << 2;
    x = (x >> 4 & UINT32_C(0x0f0f0f0f)) | (x & UINT32_C(0x0f0f0f0f)) << 4;
    x = (x >> 8 & UINT32_C(0x00ff00ff)) | (x & UINT32_C(0x00ff00ff)) << 8;
    return x >> 16 | x << 16;
}

static inline uint64_t ws_brev_64(uint64_t x) {
    return (uint64_t)ws_brev_32((uint32_t)x) << 32 | ws_brev_32((uint32_t)(x >> 32));
}

/* fns: the offset-th 1 of the mask from base on, upward or downward; offset 0: base itself, if it is one. */
static inline uint32_t ws_fns(uint32_t mask, uint32_t base, uint32_t offset) {
    const bool down = offset >> 31 != 0;
    const uint32_t at = base & 31;
    uint32_t seen, left = down ? 0 - offset : offset;
    if (base > 31) return UINT32_MAX;
    if (offset == 0) return mask >> at & 1 ? base : UINT32_MAX;
    seen = down ? mask & ws_low_ones(at + 1) : mask & ~ws_low_ones(at);
    if (left > 32) return UINT32_MAX;
    while (--left > 0) { /* without the nearest one */
        seen = down && seen != 0 ? seen & ~(UINT32_C(1) << (63 - ws_zeros_above(seen))) : seen & (seen - 1);
    }
    if (seen == 0) return UINT32_MAX;
    return 63 - (uint32_t)ws_zeros_above(down ? seen : seen & (0 - seen));
}

/* Byte `number` (its low 3 bits) of b:a. */
static inline uint32_t ws_byte_at(uint32_t a, uint32_t b, uint32_t number) {
    return ((number & 4) != 0 ? b : a) >> 8 * (number & 3) & 0xff;
}

static inline uint32_t ws_prmt_byte(uint32_t a, uint32_t b, uint32_t selector) {
    const uint32_t byte = ws_byte_at(a, b, selector), sign = (0 - (byte >> 7)) & 0xff;
    return (selector & 8) != 0 ? sign : byte;
}

static inline uint32_t ws_prmt(uint32_t a, uint32_t b, uint32_t c) {
    return ws_prmt_byte(a, b, c) | ws_prmt_byte(a, b, c >> 4) << 8 | ws_prmt_byte(a, b, c >> 8) << 16 |
           ws_prmt_byte(a, b, c >> 12) << 24;
}

/* The modes of prmt: which byte goes to place i when the selector is k. */
static inline uint32_t ws_prmt_mode(uint32_t a, uint32_t b, uint32_t c, uint32_t how) {
    const uint32_t k = c & 3;
    uint32_t result = 0, i, from;
    for (i = 0; i < 4; i++) {
        switch (how & WS_HOW_CHOICE) {
            case WS_CHOICE_F4E: from = k + i; break;
            case WS_CHOICE_B4E: from = k - i; break;
            case WS_CHOICE_RC8: from = k; break;
            case WS_CHOICE_ECL: from = ws_max_u32(i, k); break;
            case WS_CHOICE_ECR: from = ws_min_u32(i, k); break;
            default: from = (k & 1) * 2 + (i & 1); break; /* rc16 */
        }
        result |= ws_byte_at(a, b, from) << 8 * i;
    }
    return result;
}

/* Bit i of the result is bit 4 a + 2 b + c of the table, of bits i of a, b, c: choices by c, then by b, then by a. */
static inline uint32_t ws_lop3_choice(uint32_t by, uint32_t one, uint32_t zero) { return zero ^ (by & (zero ^ one)); }

static inline uint32_t ws_lop3(uint32_t a, uint32_t b, uint32_t c, uint32_t table) {
#define WS_BIT_OF(i) (0u - (table >> (i)&1))
    const uint32_t c0 = ws_lop3_choice(c, WS_BIT_OF(1), WS_BIT_OF(0)),
                   c1 = ws_lop3_choice(c, WS_BIT_OF(3), WS_BIT_OF(2));
    const uint32_t c2 = ws_lop3_choice(c, WS_BIT_OF(5), WS_BIT_OF(4)),
                   c3 = ws_lop3_choice(c, WS_BIT_OF(7), WS_BIT_OF(6));
#undef WS_BIT_OF
    return ws_lop3_choice(a, ws_lop3_choice(b, c3, c2), ws_lop3_choice(b, c1, c0));
}

#endif
