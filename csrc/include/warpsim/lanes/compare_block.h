/* Comparisons and choices, for one level: included by level_block.h. */
#include "../number/compare.h"
#include "../number/integer.h"

/* set: all ones or 1.0 where true. */
WS_AT_LEVEL void WS_LEVEL(ws_set_write)(ws_lanes *lanes, const ws_step *step, uint32_t truth, uint32_t mask) {
    const uint32_t *const bits = ws_lane_bits(), one = ws_truth_value(step->type),
                          held = ws_test_combine(lanes, step, truth);
    uint32_t out[WS_LANES];
    int lane;
    for (lane = 0; lane < WS_LANES; lane++) out[lane] = (held & bits[lane]) != 0 ? one : 0;
    WS_LEVEL(ws_row_write)(ws_row(lanes, step->d[0]), out, mask);
}

/* setp and set of one type, from the relation of two values. */
#define WS_COMPARE(name, relation, ...)                                                                                \
    WS_AT_LEVEL uint32_t WS_LEVEL(ws_truth_##name)(const ws_lanes *lanes, const ws_step *step) {                       \
        uint32_t truth = 0;                                                                                            \
        const uint32_t *const bits = ws_lane_bits(), wanted = ws_wanted(step->how);                                    \
        WS_SOURCES2;                                                                                                   \
        WS_LOOP_BEGINS;                                                                                                \
        for (lane = 0; lane < WS_LANES; lane++) {                                                                      \
            __VA_ARGS__;                                                                                               \
            truth |= (0u - (uint32_t)(((relation)&wanted) != 0)) & bits[lane];                                         \
        }                                                                                                              \
        return truth;                                                                                                  \
    }                                                                                                                  \
    WS_DO_HEAD(test_##name) { ws_test_write(lanes, step, WS_LEVEL(ws_truth_##name)(lanes, step), mask); }              \
    WS_DO_HEAD(set_##name) { WS_LEVEL(ws_set_write)(lanes, step, WS_LEVEL(ws_truth_##name)(lanes, step), mask); }

WS_COMPARE(u16, ws_relation_u32(a & 0xffff, b & 0xffff), WS_AB32)
WS_COMPARE(s16, ws_relation_s32(ws_signed16(a), ws_signed16(b)), WS_AB32)
WS_COMPARE(u32, ws_relation_u32(a, b), WS_AB32)
WS_COMPARE(s32, ws_relation_s32(a, b), WS_AB32)
WS_COMPARE(u64, ws_relation_u64(a, b), WS_AB64)
WS_COMPARE(s64, ws_relation_s64(a, b), WS_AB64)
WS_COMPARE(f16, ws_relation_float(WS_FORMAT_F16, a, b, how), WS_AB32)
WS_COMPARE(bf16, ws_relation_float(WS_FORMAT_BF16, a, b, how), WS_AB32)
WS_COMPARE(f32, ws_relation_float(WS_FORMAT_F32, a, b, how), WS_AB32)
WS_COMPARE(f64, ws_relation_f64(a, b), WS_AB64)
#undef WS_COMPARE

/* Of pairs: p from the low halves, q from the high ones; set fills each half. */
#define WS_COMPARE_X2(name, format)                                                                                    \
    WS_AT_LEVEL void WS_LEVEL(ws_truths_##name)(const ws_lanes *lanes, const ws_step *step, uint32_t *truth) {         \
        uint32_t low = 0, high = 0;                                                                                    \
        const uint32_t *const bits = ws_lane_bits(), wanted = ws_wanted(step->how);                                    \
        WS_SOURCES2;                                                                                                   \
        WS_LOOP_BEGINS;                                                                                                \
        for (lane = 0; lane < WS_LANES; lane++) {                                                                      \
            WS_AB32;                                                                                                   \
            low |= (0u - (uint32_t)((ws_relation_float(format, a, b, how) & wanted) != 0)) & bits[lane];               \
            high |= (0u - (uint32_t)((ws_relation_float(format, a >> 16, b >> 16, how) & wanted) != 0)) & bits[lane];  \
        }                                                                                                              \
        truth[0] = ws_test_combine(lanes, step, low);                                                                  \
        truth[1] = ws_test_combine(lanes, step, high);                                                                 \
    }                                                                                                                  \
    WS_DO_HEAD(test_##name) {                                                                                          \
        uint32_t truth[2];                                                                                             \
        WS_LEVEL(ws_truths_##name)(lanes, step, truth);                                                                \
        ws_predicate_set(lanes, step->d[0], truth[0], mask);                                                           \
        ws_predicate_set(lanes, step->d[1], truth[1], mask);                                                           \
    }                                                                                                                  \
    WS_DO_HEAD(set_##name) {                                                                                           \
        const uint32_t one = ws_truth_value(step->type) & 0xffff;                                                      \
        uint32_t truth[2], out[WS_LANES];                                                                              \
        int lane;                                                                                                      \
        WS_LEVEL(ws_truths_##name)(lanes, step, truth);                                                                \
        for (lane = 0; lane < WS_LANES; lane++) {                                                                      \
            out[lane] = one * (truth[0] >> lane & 1) | one * (truth[1] >> lane & 1) << 16;                             \
        }                                                                                                              \
        WS_LEVEL(ws_row_write)(ws_row(lanes, step->d[0]), out, mask);                                                  \
    }
WS_COMPARE_X2(f16x2, WS_FORMAT_F16)
WS_COMPARE_X2(bf16x2, WS_FORMAT_BF16)
#undef WS_COMPARE_X2

/* selp: a where the predicate holds. slct: a where c >= 0. */
#define WS_SELECT(name, TO, sources, condition, ...)                                                                   \
    WS_DO_HEAD(name) {                                                                                                 \
        const uint32_t chosen = step->s[2];                                                                            \
        WS_SOURCES##sources;                                                                                           \
        (void)chosen;                                                                                                  \
        TO((condition) ? a : b, __VA_ARGS__);                                                                          \
    }
#define WS_CHOSEN const uint32_t p = ws_predicate(lanes, chosen) & ws_lane_bits()[lane]
#define WS_AT_LEAST_0 (ws_relation_float(WS_FORMAT_F32, c, 0, how) & (WS_EQUAL | WS_GREATER)) != 0
WS_SELECT(select_32, WS_TO32, 2, p != 0, WS_AB32; WS_CHOSEN)
WS_SELECT(select_64, WS_TO64, 2, p != 0, WS_AB64; WS_CHOSEN)
WS_SELECT(select_s32_32, WS_TO32, 3, c >> 31 == 0, WS_ABC32)
WS_SELECT(select_s32_64, WS_TO64, 3, c >> 31 == 0, WS_AB64; const uint32_t c = WS_VALUE32(2))
WS_SELECT(select_f32_32, WS_TO32, 3, WS_AT_LEAST_0, WS_ABC32)
WS_SELECT(select_f32_64, WS_TO64, 3, WS_AT_LEAST_0, WS_AB64; const uint32_t c = WS_VALUE32(2))
#undef WS_SELECT
#undef WS_CHOSEN
#undef WS_AT_LEAST_0
