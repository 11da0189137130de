/* Conversions of any types, value by value; included once, by levels.h. */
#include "../number/narrow.h"

#define WS_CONVERT(name, TO, ...)                                                                                      \
    WS_DO_HEAD(name) {                                                                                                 \
        const int to = ws_number_type(step->type), from = ws_number_type(step->type2);                                 \
        WS_SOURCES1;                                                                                                   \
        TO(ws_convert(to, from, a, how), __VA_ARGS__);                                                                 \
    }
WS_CONVERT(convert_32_32, WS_TO32, WS_A32)
WS_CONVERT(convert_32_64, WS_TO32, WS_A64)
WS_CONVERT(convert_64_32, WS_TO64, WS_A32)
WS_CONVERT(convert_64_64, WS_TO64, WS_A64)
#undef WS_CONVERT

/* Pairs: the first source, or the high half, goes to the high half. */
#define WS_CONVERT_PAIR(name, sources, expression, ...)                                                                \
    WS_DO_HEAD(name) {                                                                                                 \
        const int to = ws_number_type(step->type), from = ws_number_type(step->type2);                                 \
        WS_SOURCES##sources;                                                                                           \
        WS_TO32(expression, __VA_ARGS__);                                                                              \
    }
WS_CONVERT_PAIR(pair_of_f32, 2, ws_convert(to, from, b, how) | ws_convert(to, from, a, how) << 16, WS_AB32)
WS_CONVERT_PAIR(narrow_of_f32, 2, ws_narrowed(to, from, b, how) | ws_narrowed(to, from, a, how) << ws_narrow_bits(to),
                WS_AB32)
WS_CONVERT_PAIR(narrow_of_pair, 1,
                ws_narrowed(to, from, a & 0xffff, how) | ws_narrowed(to, from, a >> 16, how) << ws_narrow_bits(to),
                WS_A32)
WS_CONVERT_PAIR(pair_of_narrow, 1,
                ws_widened(to, from, a, how) | ws_widened(to, from, a >> ws_narrow_bits(from), how) << 16, WS_A32)
#undef WS_CONVERT_PAIR

WS_DO1(tf32_of_f32, ws_tf32_of_f32(a, how))
WS_DO2(pack_whole, ws_pack_s32(ws_number_type(step->type), a, b, 0))
WS_DO3(pack_whole_into, ws_pack_s32(ws_number_type(step->type), a, b, c))
