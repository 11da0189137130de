/* Smaller and larger of floating-point numbers, and what class a number is of; f16, bf16 and f32 in 32 bits.
 *
 *     min, max         -0 < +0. One NaN: the other operand. Two, or one with .NaN: the NaN of the format
 *     .xorsign.abs     of the magnitudes; the sign is that of a xor that of b, those of NaN too
 *     three operands   .NaN and .abs as for two: PTX 8.8, sm_100 and later (not measured) */
#ifndef WARPSIM_NUMBER_ORDER_H
#define WARPSIM_NUMBER_ORDER_H

#include "format.h"

/* A key that orders as numbers do: negative numbers run backward. */
static inline int32_t ws_order_key(uint32_t sign, uint32_t x) {
    const int32_t magnitude = (int32_t)(x & (sign - 1));
    return (x & sign) != 0 ? -1 - magnitude : magnitude;
}

/* min (larger false) or max of two, operands clean of bits above the format. */
static inline uint32_t ws_choose(int format, uint32_t a, uint32_t b, uint32_t how, bool larger) {
    const uint32_t sign = (uint32_t)ws_format_sign(format), infinity = (uint32_t)ws_format_infinity(format);
    const bool crossed = (how & WS_HOW_XORSIGN) != 0, keeps = (how & WS_HOW_NAN) != 0;
    const uint32_t x = (uint32_t)ws_flush(format, a, how), y = (uint32_t)ws_flush(format, b, how);
    const uint32_t p = crossed ? x & ~sign : x, q = crossed ? y & ~sign : y;
    const bool p_nan = (p & ~sign) > infinity, q_nan = (q & ~sign) > infinity;
    const bool first = (ws_order_key(sign, p) > ws_order_key(sign, q)) == larger;
    const uint32_t number = p_nan ? q : q_nan ? p : first ? p : q;
    const uint32_t signed_number = crossed ? number | ((a ^ b) & sign) : number;
    return (p_nan && q_nan) || (keeps && (p_nan || q_nan)) ? sign - 1 : signed_number;
}

/* Of three; .abs: of their magnitudes, which is what .xorsign says here. */
static inline uint32_t ws_choose3(int format, uint32_t a, uint32_t b, uint32_t c, uint32_t how, bool larger) {
    const uint32_t kept = (uint32_t)ws_format_sign(format) - 1;
    const uint32_t mask = (how & WS_HOW_ABS) != 0 ? kept : UINT32_MAX, plain = how & ~(uint32_t)WS_HOW_XORSIGN;
    return ws_choose(format, ws_choose(format, a & mask, b & mask, plain, larger), c & mask, plain, larger);
}

/* testp: zeros count as normal. */
static inline bool ws_is_of_class(int format, uint64_t x, uint32_t how) {
    const uint64_t magnitude = ws_magnitude(format, x), infinity = ws_format_infinity(format);
    const bool subnormal = magnitude != 0 && magnitude >> ws_format_mantissa(format) == 0;
    switch (how & WS_HOW_CHOICE) {
        case WS_CHOICE_FINITE: return magnitude < infinity;
        case WS_CHOICE_INFINITE: return magnitude == infinity;
        case WS_CHOICE_NUMBER: return magnitude <= infinity;
        case WS_CHOICE_NOTANUMBER: return magnitude > infinity;
        case WS_CHOICE_SUBNORMAL: return subnormal;
        default: return magnitude < infinity && !subnormal;
    }
}

#endif
