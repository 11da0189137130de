/* Comparisons: how two values relate, and which relations a comparison wants.
 *
 *     setp.le: less or equal        setp.leu: less, equal or unordered
 *
 * Two values are related in exactly one of four ways, so one test of sets answers each comparison of each type. */
#ifndef WARPSIM_NUMBER_COMPARE_H
#define WARPSIM_NUMBER_COMPARE_H

#include "format.h"

enum { WS_LESS = 1, WS_EQUAL = 2, WS_GREATER = 4, WS_UNORDERED = 8 };

/* The relations that the comparison of `how` wants. */
static inline uint32_t ws_wanted(uint32_t how) {
    static const uint8_t rows[] = {0, /* no comparison; then in the order of WS_CHOICES */
                                   WS_EQUAL,
                                   WS_LESS | WS_GREATER,
                                   WS_LESS,
                                   WS_LESS | WS_EQUAL,
                                   WS_GREATER,
                                   WS_GREATER | WS_EQUAL,
                                   WS_LESS,
                                   WS_LESS | WS_EQUAL,
                                   WS_GREATER,
                                   WS_GREATER | WS_EQUAL, /* lo, ls, hi, hs */
                                   WS_EQUAL | WS_UNORDERED,
                                   WS_LESS | WS_GREATER | WS_UNORDERED,
                                   WS_LESS | WS_UNORDERED,
                                   WS_LESS | WS_EQUAL | WS_UNORDERED,
                                   WS_GREATER | WS_UNORDERED,
                                   WS_GREATER | WS_EQUAL | WS_UNORDERED,
                                   WS_LESS | WS_EQUAL | WS_GREATER,
                                   WS_UNORDERED}; /* num, nan */
    const uint32_t choice = (how & WS_HOW_CHOICE) >> 16;
    return choice < sizeof rows ? rows[choice] : 0;
}

static inline uint32_t ws_relation_u32(uint32_t a, uint32_t b) {
    return a < b ? WS_LESS : a == b ? WS_EQUAL : WS_GREATER;
}

static inline uint32_t ws_relation_s32(uint32_t a, uint32_t b) {
    return (int32_t)a < (int32_t)b ? WS_LESS : a == b ? WS_EQUAL : WS_GREATER;
}

static inline uint32_t ws_relation_u64(uint64_t a, uint64_t b) {
    return a < b ? WS_LESS : a == b ? WS_EQUAL : WS_GREATER;
}

static inline uint32_t ws_relation_s64(uint64_t a, uint64_t b) {
    return (int64_t)a < (int64_t)b ? WS_LESS : a == b ? WS_EQUAL : WS_GREATER;
}

/* Of floating-point values in 32 bits: magnitudes with their signs are ordered as whole numbers; -0 is +0. */
static inline uint32_t ws_relation_float(int format, uint32_t a, uint32_t b, uint32_t how) {
    const uint32_t sign = (uint32_t)ws_format_sign(format), infinity = (uint32_t)ws_format_infinity(format);
    const uint32_t least = (how & WS_HOW_FTZ) != 0 ? UINT32_C(1) << ws_format_mantissa(format) : 0;
    const uint32_t x = a & (sign - 1), y = b & (sign - 1), p = x < least ? 0 : x, q = y < least ? 0 : y;
    const uint32_t ordered = ws_relation_s32((a & sign) != 0 ? 0 - p : p, (b & sign) != 0 ? 0 - q : q);
    return x > infinity || y > infinity ? (uint32_t)WS_UNORDERED : ordered;
}

static inline uint32_t ws_relation_f64(uint64_t a, uint64_t b) {
    const uint64_t sign = ws_format_sign(WS_FORMAT_F64), infinity = ws_format_infinity(WS_FORMAT_F64);
    const uint64_t x = a & (sign - 1), y = b & (sign - 1);
    const uint32_t ordered = ws_relation_s64((a & sign) != 0 ? 0 - x : x, (b & sign) != 0 ? 0 - y : y);
    return x > infinity || y > infinity ? (uint32_t)WS_UNORDERED : ordered;
}

#endif
