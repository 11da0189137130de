/* Conversions of any types, value by value; included once, by levels.h. */
#include "../number/narrow.h"

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
