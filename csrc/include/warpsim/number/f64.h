/* f64 as the hardware computes it: as f32 without .ftz and .sat, but a NaN operand survives.
 *
 *     NaN            of several operands, quieted, sign and payload kept: add, sub, mul: b before a; fma: b, c, a;
 *                    div: a before b; min, max of two NaN: b. Invalid operations give 0xfff8000000000000
 *     a - NaN        the NaN keeps its sign; abs and neg of a NaN quiet it alone
 *
 * ..._near: to nearest, from C's arithmetic, without branches. */
#ifndef WARPSIM_NUMBER_F64_H
#define WARPSIM_NUMBER_F64_H

#include "bits.h"
#include "exact.h"

#define WS_SIGN_F64 (UINT64_C(1) << 63)
#define WS_INFINITY_F64 (UINT64_C(0x7ff) << 52)
#define WS_QUIET_F64 (UINT64_C(1) << 51)
#define WS_ONE_F64 (UINT64_C(1023) << 52)

WS_IN_LOOPS bool ws_f64_is_nan(uint64_t x) { return (int64_t)(x & ~WS_SIGN_F64) > (int64_t)WS_INFINITY_F64; }

/* The result unless an operand, the first before the second, is a NaN. */
WS_IN_LOOPS uint64_t ws_f64_survivor(uint64_t first, uint64_t second, uint64_t result) {
    const double x = ws_double_of(first), y = ws_double_of(second);
    return ws_pick64(x != x, first | WS_QUIET_F64, ws_pick64(y != y, second | WS_QUIET_F64, result));
}

WS_IN_LOOPS uint64_t ws_f64_canonical(double value) {
    return ws_pick64(value != value, WS_NAN_F64, ws_bits64_of(value));
}

WS_IN_LOOPS uint64_t ws_f64_add_near(uint64_t a, uint64_t b) {
    return ws_f64_survivor(b, a, ws_f64_canonical(ws_double_of(a) + ws_double_of(b)));
}

WS_IN_LOOPS uint64_t ws_f64_sub_near(uint64_t a, uint64_t b) {
    return ws_f64_survivor(b, a, ws_f64_canonical(ws_double_of(a) - ws_double_of(b)));
}

WS_IN_LOOPS uint64_t ws_f64_mul_near(uint64_t a, uint64_t b) {
    return ws_f64_survivor(b, a, ws_f64_canonical(ws_double_of(a) * ws_double_of(b)));
}

/* `fused` is a x b + c as a machine rounds it. */
WS_IN_LOOPS uint64_t ws_f64_close_fma(uint64_t a, uint64_t b, uint64_t c, double fused) {
    return ws_f64_survivor(b, c, ws_f64_survivor(a, a, ws_f64_canonical(fused)));
}

static inline uint64_t ws_f64_fma(uint64_t a, uint64_t b, uint64_t c, uint32_t how) {
    bool invalid;
    uint64_t result;
    if (ws_f64_is_nan(a) || ws_f64_is_nan(b) || ws_f64_is_nan(c)) {
        return ws_f64_survivor(b, c, a | WS_QUIET_F64);
    }
    result = ws_exact_fma(WS_FORMAT_F64, a, b, c, how, &invalid);
    return invalid ? WS_NAN_F64 : result;
}

static inline bool ws_f64_is_near(uint32_t how) {
    return WS_HAS_EXACT_C && (how & WS_HOW_ROUNDING) == WS_ROUND_NEAREST;
}

static inline uint64_t ws_f64_add(uint64_t a, uint64_t b, uint32_t how) {
    if (ws_f64_is_near(how)) return ws_f64_add_near(a, b);
    return ws_f64_survivor(b, a, ws_f64_fma(a, WS_ONE_F64, b, how));
}

static inline uint64_t ws_f64_sub(uint64_t a, uint64_t b, uint32_t how) {
    if (ws_f64_is_near(how)) return ws_f64_sub_near(a, b);
    return ws_f64_survivor(b, a, ws_f64_fma(a, WS_ONE_F64, b ^ WS_SIGN_F64, how));
}

static inline uint64_t ws_f64_mul(uint64_t a, uint64_t b, uint32_t how) {
    if (ws_f64_is_near(how)) return ws_f64_mul_near(a, b);
    return ws_f64_fma(a, b, (a ^ b) & WS_SIGN_F64, how);
}

WS_IN_LOOPS uint64_t ws_f64_div_near(uint64_t a, uint64_t b) {
    return ws_f64_survivor(a, b, ws_f64_canonical(ws_double_of(a) / ws_double_of(b)));
}

static inline uint64_t ws_f64_div(uint64_t a, uint64_t b, uint32_t how) {
    bool invalid;
    uint64_t result;
    if (ws_f64_is_near(how)) return ws_f64_div_near(a, b);
    if (ws_f64_is_nan(a) || ws_f64_is_nan(b)) return ws_f64_survivor(a, b, 0);
    /* .ftz says nothing here */
    result = ws_exact_division(WS_FORMAT_F64, a, b, how & WS_HOW_ROUNDING, &invalid);
    return invalid ? WS_NAN_F64 : result;
}

static inline uint64_t ws_f64_rcp(uint64_t a, uint32_t how) { return ws_f64_div(WS_ONE_F64, a, how); }

static inline uint64_t ws_f64_sqrt(uint64_t a, uint32_t how) {
    bool invalid;
    uint64_t result;
    if (ws_f64_is_nan(a)) return a | WS_QUIET_F64;
    if (WS_HAS_ROOT && ws_f64_is_near(how)) return ws_f64_canonical(ws_double_root(ws_double_of(a)));
    result = ws_exact_root(WS_FORMAT_F64, a, how, &invalid);
    return invalid ? WS_NAN_F64 : result;
}

WS_IN_LOOPS uint64_t ws_f64_abs(uint64_t a) { return ws_f64_is_nan(a) ? a | WS_QUIET_F64 : a & ~WS_SIGN_F64; }

WS_IN_LOOPS uint64_t ws_f64_neg(uint64_t a) { return ws_pick64(ws_f64_is_nan(a), a | WS_QUIET_F64, a ^ WS_SIGN_F64); }

/* min (larger false) or max: -0 < +0; one NaN: the other operand. */
WS_IN_LOOPS uint64_t ws_f64_choose(uint64_t a, uint64_t b, bool larger) {
    const int64_t p = (int64_t)(a & ~WS_SIGN_F64) ^ -(int64_t)(a >> 63),
                  q = (int64_t)(b & ~WS_SIGN_F64) ^ -(int64_t)(b >> 63);
    const uint64_t chosen = ws_pick64((p > q) == larger, a, b), a_nan = ws_f64_is_nan(a), b_nan = ws_f64_is_nan(b);
    return ws_pick64((int)a_nan, b, ws_pick64((int)b_nan, a, chosen)) |
           ws_pick64((int)(a_nan & b_nan), WS_QUIET_F64, 0);
}

static inline uint64_t ws_f64_copysign(uint64_t a, uint64_t b) { return (a & WS_SIGN_F64) | (b & ~WS_SIGN_F64); }

#endif
