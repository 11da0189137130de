/* Smaller and larger of floating-point numbers, and what class a number is of; f16, bf16 and f32 in 32 bits.
 *
 *     min, max         -0 < +0. One NaN: the other operand. Two, or one with .NaN: the NaN of the format
 *     .xorsign.abs     of the magnitudes; the sign is that of a xor that of b, those of NaN too
 *     three operands   .NaN and .abs as for two: PTX 8.8, sm_100 and later (not measured) */
#ifndef WARPSIM_NUMBER_ORDER_H
#define WARPSIM_NUMBER_ORDER_H

#include "bits.h"
#include "format.h"

/* A key that orders as numbers do: negative numbers run backward. */
WS_IN_LOOPS int32_t ws_order_key(uint32_t sign, uint32_t x) {
    return (int32_t)(x & (sign - 1)) ^ -(int32_t)((x & sign) != 0);
}

/* .ftz of an operand of up to 32 bits. */
WS_IN_LOOPS uint32_t ws_flush32(int format, uint32_t x, uint32_t how) {
    const uint32_t kept = (how & WS_HOW_FTZ) != 0 ? (uint32_t)ws_format_sign(format) : UINT32_MAX;
    return x & ws_pick((x & (uint32_t)ws_format_infinity(format)) == 0, kept, UINT32_MAX);
}

/* min (larger false) or max of two, operands clean of bits above the format. */
WS_IN_LOOPS uint32_t ws_choose(int format, uint32_t a, uint32_t b, uint32_t how, bool larger) {
    const uint32_t sign = (uint32_t)ws_format_sign(format);
    const int32_t infinity = (int32_t)ws_format_infinity(format);
    const uint32_t crossed = (how & WS_HOW_XORSIGN) != 0 ? sign : 0;
    const uint32_t p = ws_flush32(format, a, how) & ~crossed, q = ws_flush32(format, b, how) & ~crossed;
    const int p_nan = (int32_t)(p & (sign - 1)) > infinity, q_nan = (int32_t)(q & (sign - 1)) > infinity;
    const int first = (ws_order_key(sign, p) > ws_order_key(sign, q)) == larger;
    const uint32_t number = ws_pick(p_nan, q, ws_pick(q_nan | first, p, q)) | ((a ^ b) & crossed);
    return ws_pick((p_nan & q_nan) | (((how & WS_HOW_NAN) != 0) & (p_nan | q_nan)), sign - 1, number);
}

/* Of three; .abs: of their magnitudes, which is what .xorsign says here. */
WS_IN_LOOPS uint32_t ws_choose3(int format, uint32_t a, uint32_t b, uint32_t c, uint32_t how, bool larger) {
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
