/* Loops of floating point over rows, where modifiers choose between a fast loop and an exact one: what the blocks of
 * floating point are written in, beside rows.h. In the expressions `how` is what the loop knows of the modifiers. */
#ifndef WARPSIM_LANES_FLOAT_ROWS_H
#define WARPSIM_LANES_FLOAT_ROWS_H

#include "../base/apart.h"
#include "../number/approx.h"
#include "../number/narrow.h"
#include "rows.h"

/* The number type of a PTX type (number/convert.h). */
static inline int ws_number_type(int type) {
    switch (type) {
        case WS_TYPE_F16:
        case WS_TYPE_F16X2: return WS_FORMAT_F16;
        case WS_TYPE_BF16:
        case WS_TYPE_BF16X2: return WS_FORMAT_BF16;
        case WS_TYPE_F32: return WS_FORMAT_F32;
        case WS_TYPE_F64: return WS_FORMAT_F64;
        case WS_TYPE_E4M3X2: return WS_FORMAT_E4M3;
        case WS_TYPE_E5M2X2: return WS_FORMAT_E5M2;
        case WS_TYPE_E2M3X2: return WS_FORMAT_E2M3;
        case WS_TYPE_E3M2X2: return WS_FORMAT_E3M2;
        case WS_TYPE_E2M1X2: return WS_FORMAT_E2M1;
        case WS_TYPE_UE8M0X2: return WS_FORMAT_UE8M0;
        case WS_TYPE_S2:
        case WS_TYPE_S4: return ws_type_bits(type) | WS_WHOLE_SIGNED;
        default: return ws_type_bits(type) | (ws_type_is_signed(type) ? WS_WHOLE_SIGNED : 0);
    }
}

/* What set writes where it is true. */
static inline uint32_t ws_truth_value(int type) {
    const int number = ws_number_type(type);
    return ws_is_format(number) ? (uint32_t)ws_format_bias(number) << ws_format_mantissa(number) : UINT32_MAX;
}

/* Modifiers that change what a loop without any computes. */
#define WS_HOW_EFFECTS                                                                                                 \
    (+WS_HOW_ROUNDING | WS_HOW_FTZ | WS_HOW_SAT | WS_HOW_RELU | WS_HOW_NAN | WS_HOW_XORSIGN | WS_HOW_OOB)

static inline bool ws_how_has_near(uint32_t how) { return WS_HAS_EXACT_C && (how & WS_HOW_ROUNDING) == 0; }

/* One loop over `count` lanes into out, `how` being `modifiers`. */
#define WS_FLOAT_LOOP(count, modifiers, expression, ...)                                                               \
    do {                                                                                                               \
        const uint32_t how = (modifiers);                                                                              \
        (void)how;                                                                                                     \
        WS_LANES_INDEPENDENT                                                                                           \
        for (lane = 0; lane < (count); lane++) {                                                                       \
            __VA_ARGS__;                                                                                               \
            out[lane] = (uint32_t)(expression);                                                                        \
        }                                                                                                              \
    } while (0)

/* `near` while rounding to nearest, without modifiers and with .ftz alone in loops of their own; else `exact`. `rows`
 * is 2 for pairs of f32 in 64 bits: their rows follow each other. */
#define WS_DO_FLOAT(name, rows, sources, near, exact, ...)                                                             \
    WS_APART WS_TARGET void WS_LEVEL(ws_rare_##name)(ws_lanes * lanes, const ws_step *step, uint32_t mask) {           \
        const uint32_t effects = step->how & WS_HOW_EFFECTS;                                                           \
        int lane;                                                                                                      \
        WS_OUT;                                                                                                        \
        WS_SOURCES##sources;                                                                                           \
        if (ws_how_has_near(effects)) {                                                                                \
            WS_FLOAT_LOOP(WS_LANES *(rows), effects, near, __VA_ARGS__);                                               \
        } else {                                                                                                       \
            WS_FLOAT_LOOP(WS_LANES *(rows), effects, exact, __VA_ARGS__);                                              \
        }                                                                                                              \
        WS_OUT_ENDS(rows)                                                                                              \
    }                                                                                                                  \
    WS_DO_HEAD(name) {                                                                                                 \
        const uint32_t effects = step->how & WS_HOW_EFFECTS;                                                           \
        int lane;                                                                                                      \
        WS_OUT;                                                                                                        \
        WS_SOURCES##sources;                                                                                           \
        if (!WS_HAS_EXACT_C || (effects | WS_HOW_FTZ) != WS_HOW_FTZ) {                                                 \
            WS_LEVEL(ws_rare_##name)(lanes, step, mask);                                                               \
            return;                                                                                                    \
        }                                                                                                              \
        if (effects == 0) {                                                                                            \
            WS_FLOAT_LOOP(WS_LANES *(rows), 0, near, __VA_ARGS__);                                                     \
        } else {                                                                                                       \
            WS_FLOAT_LOOP(WS_LANES *(rows), WS_HOW_FTZ, near, __VA_ARGS__);                                            \
        }                                                                                                              \
        WS_OUT_ENDS(rows)                                                                                              \
    }

/* The same expression in a loop without modifiers, and in one with those that are there. */
#define WS_DO_EITHER(name, sources, expression, ...)                                                                   \
    WS_DO_HEAD(name) {                                                                                                 \
        WS_OUT;                                                                                                        \
        const uint32_t effects = step->how & WS_HOW_EFFECTS;                                                           \
        int lane;                                                                                                      \
        WS_SOURCES##sources;                                                                                           \
        if (effects == 0) {                                                                                            \
            WS_FLOAT_LOOP(WS_LANES, 0, expression, __VA_ARGS__);                                                       \
        } else if (effects == WS_HOW_FTZ) {                                                                            \
            WS_FLOAT_LOOP(WS_LANES, WS_HOW_FTZ, expression, __VA_ARGS__);                                              \
        } else {                                                                                                       \
            WS_FLOAT_LOOP(WS_LANES, effects, expression, __VA_ARGS__);                                                 \
        }                                                                                                              \
        WS_OUT_ENDS(1)                                                                                                 \
    }

/* A loop of doubles x, y, z from sources into rows of out: false if some result is not finite. WS_QUICK_ROWS lane by lane;
 * WS_QUICK_VECTORS pairs the words of many lanes at once (rows_block.h). */
#define WS_OF_LANE(i) ws_double_of(WS_VALUE64(i))
#define WS_OF_LANES(i) WS_LEVEL(ws_doubles)(row##i + lane, part)
#define WS_DOUBLES1(type, of) const type x = of(0)
#define WS_DOUBLES2(type, of) WS_DOUBLES1(type, of), y = of(1)
#define WS_DOUBLES3(type, of) WS_DOUBLES2(type, of), z = of(2)
#define WS_QUICK_HEAD(name)                                                                                            \
    WS_AT_LEVEL bool WS_LEVEL(ws_quick_##name)(const ws_lanes *lanes, const ws_step *step, uint32_t *out)
#define WS_QUICK_ROWS(name, sources, quick)                                                                            \
    WS_QUICK_HEAD(name) {                                                                                              \
        uint32_t odd = 0;                                                                                              \
        int lane;                                                                                                      \
        WS_SOURCES##sources;                                                                                           \
        WS_LANES_INDEPENDENT                                                                                           \
        for (lane = 0; lane < WS_LANES; lane++) {                                                                      \
            WS_DOUBLES##sources(double, WS_OF_LANE);                                                                   \
            const uint64_t value = ws_bits64_of(quick);                                                                \
            const uint32_t top = (uint32_t)(value >> 32);                                                              \
            odd |= (top & UINT32_C(0x7ff00000)) + UINT32_C(0x100000);                                                  \
            out[lane] = (uint32_t)value;                                                                               \
            out[lane + WS_LANES] = top;                                                                                \
        }                                                                                                              \
        return !(odd >> 31);                                                                                           \
    }
#define WS_QUICK_VECTORS(name, sources, quick)                                                                         \
    WS_QUICK_HEAD(name) {                                                                                              \
        WS_DOUBLES odd = WS_MM(setzero_pd)();                                                                          \
        int lane, part;                                                                                                \
        WS_SOURCES##sources;                                                                                           \
        for (lane = 0; lane < WS_LANES; lane += WS_VECTOR_WORDS) {                                                     \
            WS_DOUBLES found[2];                                                                                       \
            for (part = 0; part < 2; part++) {                                                                         \
                WS_DOUBLES##sources(WS_DOUBLES, WS_OF_LANES);                                                          \
                found[part] = quick;                                                                                   \
                odd = odd + (found[part] - found[part]); /* NaN once one is not finite */                              \
            }                                                                                                          \
            WS_LEVEL(ws_doubles_write)(out + lane, found[0], found[1]);                                                \
        }                                                                                                              \
        return WS_HAS_NO_NAN(odd);                                                                                     \
    }

/* f64 to nearest: `quick` is right where all results are finite; else all lanes are made by `near`, so that d must not be
 * a source before. Other roundings: `exact`. */
#define WS_DO_FLOAT64(name, sources, quick, near, exact, ...)                                                          \
    WS_QUICK(name, sources, quick)                                                                                     \
    WS_APART WS_TARGET void WS_LEVEL(ws_near_##name)(ws_lanes * lanes, const ws_step *step, uint32_t mask) {           \
        WS_SOURCES##sources;                                                                                           \
        WS_TO64(near, __VA_ARGS__);                                                                                    \
    }                                                                                                                  \
    WS_APART WS_TARGET void WS_LEVEL(ws_exact_##name)(ws_lanes * lanes, const ws_step *step, uint32_t mask) {          \
        WS_SOURCES##sources;                                                                                           \
        WS_TO64(exact, __VA_ARGS__);                                                                                   \
    }                                                                                                                  \
    WS_DO_HEAD(name) {                                                                                                 \
        uint32_t *const d = ws_row(lanes, step->d[0]);                                                                 \
        const bool is_source = step->d[0] == step->s[0] || step->d[0] == step->s[1] || step->d[0] == step->s[2];       \
        uint32_t *const out = WS_WRITES_AT_ONCE(mask) && !is_source ? d : lanes->aside;                                \
        if (!ws_how_has_near(step->how)) {                                                                             \
            WS_LEVEL(ws_exact_##name)(lanes, step, mask);                                                              \
        } else if (!WS_LEVEL(ws_quick_##name)(lanes, step, out)) {                                                     \
            WS_LEVEL(ws_near_##name)(lanes, step, mask);                                                               \
        } else if (out != d) {                                                                                         \
            WS_LEVEL(ws_row_write)(d, out, mask);                                                                      \
            WS_LEVEL(ws_row_write)(d + WS_LANES, out + WS_LANES, mask);                                                \
        }                                                                                                              \
    }

/* A predicate from one value. */
#define WS_TEST1(name, expression, ...)                                                                                \
    WS_DO_HEAD(name) {                                                                                                 \
        uint32_t truth = 0;                                                                                            \
        WS_SOURCES1;                                                                                                   \
        WS_LOOP_BEGINS;                                                                                                \
        for (lane = 0; lane < WS_LANES; lane++) {                                                                      \
            __VA_ARGS__;                                                                                               \
            truth |= (uint32_t)(expression) << lane;                                                                   \
        }                                                                                                              \
        ws_predicate_set(lanes, step->d[0], truth, mask);                                                              \
    }

/* What a function of 16-bit values of a format makes of both halves. */
#define WS_PAIR1(function, format) (function(format, a & 0xffff, how) | function(format, a >> 16, how) << 16)
#define WS_PAIR2(function, format)                                                                                     \
    (function(format, a & 0xffff, b & 0xffff, how) | function(format, a >> 16, b >> 16, how) << 16)
#define WS_PAIR3(function, format)                                                                                     \
    (function(format, a & 0xffff, b & 0xffff, c & 0xffff, how) | function(format, a >> 16, b >> 16, c >> 16, how) << 16)

#endif
