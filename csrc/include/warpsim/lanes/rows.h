/* Functions of one step over the 32 lanes, from an expression: what the block headers are written in.
 *
 *     WS_DO2(add_32, a + b)      ws_do_add_32_<level>: d = a + b in each lane of the mask
 *
 * In the expression a, b, c, e are the sources of one lane, `how` the modifiers, `immediate` the step's number. With all
 * lanes the loop may write d at once; with fewer it fills a row aside, which is then written by the mask. The compiler
 * turns both into vector instructions.
 *
 * WS_AT_LEVEL, WS_LEVEL(name): what the including header defines for each level. */
#ifndef WARPSIM_LANES_ROWS_H
#define WARPSIM_LANES_ROWS_H

#include "../number/bits.h"
#include "../simd/level.h"
#include "step.h"

#define WS_DO_NAME(name) WS_LEVEL(ws_do_##name)

#define WS_DO_HEAD(name) WS_AT_LEVEL void WS_DO_NAME(name)(ws_lanes * lanes, const ws_step *step, uint32_t mask)

/* The rows of source i of a step: one, or the low and the high words of a 64-bit value; and a lane's value of it. */
#define WS_SOURCE(i) const uint32_t *const row##i = ws_row(lanes, step->s[i])
#define WS_VALUE32(i) row##i[lane]
#define WS_VALUE64(i) ((uint64_t)row##i[lane] | (uint64_t)row##i[lane + WS_LANES] << 32)
#define WS_SOURCES1 WS_SOURCE(0)
#define WS_SOURCES2                                                                                                    \
    WS_SOURCES1;                                                                                                       \
    WS_SOURCE(1)
#define WS_SOURCES3                                                                                                    \
    WS_SOURCES2;                                                                                                       \
    WS_SOURCE(2)
#define WS_SOURCES4                                                                                                    \
    WS_SOURCES3;                                                                                                       \
    WS_SOURCE(3)

/* The values of one lane, declared: what the expression reads. */
#define WS_A32 const uint32_t a = WS_VALUE32(0)
#define WS_AB32 WS_A32, b = WS_VALUE32(1)
#define WS_ABC32 WS_AB32, c = WS_VALUE32(2)
#define WS_ABCE32 WS_ABC32, e = WS_VALUE32(3)
#define WS_A64 const uint64_t a = WS_VALUE64(0)
#define WS_AB64 WS_A64, b = WS_VALUE64(1)
#define WS_ABC64 WS_AB64, c = WS_VALUE64(2)

#define WS_LOOP_BEGINS                                                                                                 \
    const uint32_t how = step->how;                                                                                    \
    const int64_t immediate = step->immediate;                                                                         \
    int lane;                                                                                                          \
    (void)how;                                                                                                         \
    (void)immediate

/* Lanes do not depend on each other, even if d is one of the sources: gcc, told so, may write d at once. */
#if defined(__GNUC__) && !defined(__clang__)
#define WS_LANES_INDEPENDENT _Pragma("GCC ivdep")
#define WS_WRITES_AT_ONCE(mask) ((mask) == WS_ALL_LANES)
#else
#define WS_LANES_INDEPENDENT
#define WS_WRITES_AT_ONCE(mask) false
#endif

/* Where a loop writes d: there, or aside. */
#define WS_OUT                                                                                                         \
    uint32_t *const d = ws_row(lanes, step->d[0]);                                                                     \
    uint32_t *const out = WS_WRITES_AT_ONCE(mask) ? d : lanes->aside
#define WS_OUT_ENDS(rows)                                                                                              \
    if (!WS_WRITES_AT_ONCE(mask)) {                                                                                    \
        WS_LEVEL(ws_row_write)(d, lanes->aside, mask);                                                                 \
        if ((rows) == 2) WS_LEVEL(ws_row_write)(d + WS_LANES, lanes->aside + WS_LANES, mask);                          \
    }

/* `rows` rows of d, word by word; what follows the expression declares the values. */
#define WS_TO_ROWS(rows, expression, ...)                                                                              \
    WS_OUT;                                                                                                            \
    WS_LOOP_BEGINS;                                                                                                    \
    WS_LANES_INDEPENDENT                                                                                               \
    for (lane = 0; lane < (rows)*WS_LANES; lane++) {                                                                   \
        __VA_ARGS__;                                                                                                   \
        out[lane] = (uint32_t)(expression);                                                                            \
    }                                                                                                                  \
    WS_OUT_ENDS(rows)

/* d of up to 32 bits; the words of a d of 64 bits, where those do not depend on each other. */
#define WS_TO32(expression, ...) WS_TO_ROWS(1, expression, __VA_ARGS__)
#define WS_TO_WORDS(expression, ...) WS_TO_ROWS(2, expression, __VA_ARGS__)

/* d of 64 bits. */
#define WS_TO64(expression, ...)                                                                                       \
    WS_OUT;                                                                                                            \
    WS_LOOP_BEGINS;                                                                                                    \
    WS_LANES_INDEPENDENT                                                                                               \
    for (lane = 0; lane < WS_LANES; lane++) {                                                                          \
        uint64_t value;                                                                                                \
        __VA_ARGS__;                                                                                                   \
        value = (uint64_t)(expression);                                                                                \
        out[lane] = (uint32_t)value;                                                                                   \
        out[lane + WS_LANES] = (uint32_t)(value >> 32);                                                                \
    }                                                                                                                  \
    WS_OUT_ENDS(2)

/* Any widths:
 *     WS_DO(mul_wide_u32, WS_TO64, 2, (uint64_t)a * b, WS_AB32)
 *     WS_DO(mad_wide_u32, WS_TO64, 3, (uint64_t)a * b + c, WS_AB32; const uint64_t c = WS_VALUE64(2)) */
#define WS_DO(name, TO, sources, expression, ...)                                                                      \
    WS_DO_HEAD(name) {                                                                                                 \
        WS_SOURCES##sources;                                                                                           \
        TO(expression, __VA_ARGS__);                                                                                   \
    }

/* d and all sources of up to 32 bits; of 64 bits. */
#define WS_DO1(name, expression) WS_DO(name, WS_TO32, 1, expression, WS_A32)
#define WS_DO2(name, expression) WS_DO(name, WS_TO32, 2, expression, WS_AB32)
#define WS_DO3(name, expression) WS_DO(name, WS_TO32, 3, expression, WS_ABC32)
#define WS_DO4(name, expression) WS_DO(name, WS_TO32, 4, expression, WS_ABCE32)
#define WS_DO1_64(name, expression) WS_DO(name, WS_TO64, 1, expression, WS_A64)
#define WS_DO2_64(name, expression) WS_DO(name, WS_TO64, 2, expression, WS_AB64)
#define WS_DO3_64(name, expression) WS_DO(name, WS_TO64, 3, expression, WS_ABC64)

/* d of 64 bits from 32-bit halves: `sum` is the low word, and a carry shows in it. */
#define WS_DO_HALVES(name, low, high)                                                                                  \
    WS_DO_HEAD(name) {                                                                                                 \
        int lane;                                                                                                      \
        WS_SOURCES2;                                                                                                   \
        WS_OUT;                                                                                                        \
        WS_LANES_INDEPENDENT                                                                                           \
        for (lane = 0; lane < WS_LANES; lane++) {                                                                      \
            const uint32_t a = row0[lane], a_high = row0[lane + WS_LANES];                                             \
            const uint32_t b = row1[lane], b_high = row1[lane + WS_LANES], sum = (low);                                \
            out[lane + WS_LANES] = (high);                                                                             \
            out[lane] = sum;                                                                                           \
        }                                                                                                              \
        WS_OUT_ENDS(2)                                                                                                 \
    }

/* A predicate from two values: d[0] = test op q, d[1] = !test op q; op: .and, .or, .xor of `how` with the predicate of
 * source 2, if there is one. */
#define WS_TEST(name, expression, ...)                                                                                 \
    WS_DO_HEAD(name) {                                                                                                 \
        const uint32_t *const bits = ws_lane_bits();                                                                   \
        uint32_t truth = 0;                                                                                            \
        WS_SOURCES2;                                                                                                   \
        WS_LOOP_BEGINS;                                                                                                \
        for (lane = 0; lane < WS_LANES; lane++) {                                                                      \
            __VA_ARGS__;                                                                                               \
            truth |= (0u - (uint32_t)(expression)) & bits[lane];                                                       \
        }                                                                                                              \
        ws_test_write(lanes, step, truth, mask);                                                                       \
    }
#define WS_TEST2(name, expression) WS_TEST(name, expression, WS_AB32)
#define WS_TEST2_64(name, expression) WS_TEST(name, expression, WS_AB64)

/* The bit of each lane: sums of them become vectors at each level, which shifts by the lane do not. */
static inline const uint32_t *ws_lane_bits(void) {
#define WS_FOUR(n) UINT32_C(1) << (n), UINT32_C(2) << (n), UINT32_C(4) << (n), UINT32_C(8) << (n)
    static const uint32_t bits[WS_LANES] = {WS_FOUR(0),  WS_FOUR(4),  WS_FOUR(8),  WS_FOUR(12),
                                            WS_FOUR(16), WS_FOUR(20), WS_FOUR(24), WS_FOUR(28)};
#undef WS_FOUR
    return bits;
}

/* A predicate as the q of a setp combines it. */
static inline uint32_t ws_combined(uint32_t how, uint32_t truth, uint32_t q) {
    const uint32_t by = how & WS_HOW_COMBINE;
    return by == WS_HOW_AND ? truth & q : by == WS_HOW_OR ? truth | q : truth ^ q;
}

static inline uint32_t ws_test_combine(const ws_lanes *lanes, const ws_step *step, uint32_t truth) {
    if ((step->how & WS_HOW_COMBINE) == 0) return truth;
    return ws_combined(step->how, truth, ws_predicate(lanes, step->s[2]));
}

/* Inlined: gcc 12 leaves the upper halves of vectors in use where a function of a level ends in a call of one without. */
WS_IN_LOOPS void ws_test_write(ws_lanes *lanes, const ws_step *step, uint32_t truth, uint32_t mask) {
    const uint32_t p = ws_test_combine(lanes, step, truth), q = ws_test_combine(lanes, step, ~truth);
    ws_predicate_set(lanes, step->d[0], p, mask);
    ws_predicate_set(lanes, step->d[1], q, mask);
}

#endif
