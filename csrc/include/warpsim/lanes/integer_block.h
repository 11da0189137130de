/* Whole numbers, logic, bits, for one level: included by level_block.h. */
#include "../number/fields.h"

WS_DO2(add_32, a + b)
WS_DO2(sub_32, a - b)
WS_DO1(neg_32, 0u - a)
WS_DO2(mul_32, a *b)
WS_DO3(mad_32, a *b + c)
WS_DO_HALVES(add_64, a + b, a_high + b_high + (sum < a))
WS_DO_HALVES(sub_64, a - b, a_high - b_high - (a < b))
WS_DO1_64(neg_64, 0u - a)
WS_DO2_64(mul_64, a *b)
WS_DO3_64(mad_64, a *b + c)
WS_DO2(add_sat_s32, ws_add_sat_s32(a, b))
WS_DO2(sub_sat_s32, ws_sub_sat_s32(a, b))
WS_DO2(add_x2, ws_add_x2(a, b))

WS_DO1(abs_s16, a & 0x8000 ? 0u - a : a)
WS_DO1(abs_s32, a >> 31 ? 0u - a : a)
WS_DO1_64(abs_s64, a >> 63 ? 0u - a : a)
WS_DO3(sad_u16, c + ws_max_u32(a & 0xffff, b & 0xffff) - ws_min_u32(a & 0xffff, b & 0xffff))
WS_DO3(sad_s16, c + ws_max_s32(ws_signed16(a), ws_signed16(b)) - ws_min_s32(ws_signed16(a), ws_signed16(b)))
WS_DO3(sad_u32, c + ws_max_u32(a, b) - ws_min_u32(a, b))
WS_DO3(sad_s32, c + ws_max_s32(a, b) - ws_min_s32(a, b))
WS_DO3_64(sad_u64, c + (a < b ? b - a : a - b))
WS_DO3_64(sad_s64, c + ((int64_t)a < (int64_t)b ? b - a : a - b))

/* A product, and the sum of it and c, which is as wide as the result. */
#define WS_PRODUCT(name, product) WS_DO2(mul_##name, product) WS_DO3(mad_##name, (product) + c)
#define WS_PRODUCT_WIDE(name, product)                                                                                 \
    WS_DO(mul_wide_##name, WS_TO64, 2, product, WS_AB32)                                                               \
    WS_DO(mad_wide_##name, WS_TO64, 3, (product) + c, WS_AB32; const uint64_t c = WS_VALUE64(2))
WS_PRODUCT(high_u16, (a & 0xffff) * (b & 0xffff) >> 16)
WS_PRODUCT(high_s16, ws_signed16(a) * ws_signed16(b) >> 16)
WS_PRODUCT(wide_u16, (a & 0xffff) * (b & 0xffff))
WS_PRODUCT(wide_s16, ws_signed16(a) * ws_signed16(b))
WS_PRODUCT(high_u32, ws_high_u32(a, b))
WS_PRODUCT_WIDE(u32, (uint64_t)a *b)
WS_PRODUCT_WIDE(s32, ws_signed32(a) * ws_signed32(b))
WS_DO2(mul_high_s32, ws_high_s32(a, b))
WS_DO3(mad_high_s32, ws_high_add_s32(a, b, c, how))
#undef WS_PRODUCT
#undef WS_PRODUCT_WIDE

/* min and max of each type, from its order. */
#define WS_EXTREMES(name, WS_DO2_OF, less) WS_DO2_OF(min_##name, less ? a : b) WS_DO2_OF(max_##name, less ? b : a)
WS_EXTREMES(u16, WS_DO2, (a & 0xffff) < (b & 0xffff))
WS_EXTREMES(s16, WS_DO2, (int32_t)ws_signed16(a) < (int32_t)ws_signed16(b))
WS_EXTREMES(u32, WS_DO2, a < b)
WS_EXTREMES(u64, WS_DO2_64, a < b)
WS_EXTREMES(s64, WS_DO2_64, (int64_t)a < (int64_t)b)
WS_DO2(min_s32, ws_relu_s32(ws_min_s32(a, b), how))
WS_DO2(max_s32, ws_relu_s32(ws_max_s32(a, b), how))
WS_DO2(min_u16x2, ws_min_u32(a & 0xffff, b & 0xffff) | ws_min_u32(a >> 16, b >> 16) << 16)
WS_DO2(max_u16x2, ws_max_u32(a & 0xffff, b & 0xffff) | ws_max_u32(a >> 16, b >> 16) << 16)
#define WS_SIGNED_HALVES(pick)                                                                                         \
    (ws_relu_s32(pick(ws_signed16(a), ws_signed16(b)), how) & 0xffff) |                                                \
        ws_relu_s32(pick(ws_signed16(a >> 16), ws_signed16(b >> 16)), how) << 16
WS_DO2(min_s16x2, WS_SIGNED_HALVES(ws_min_s32))
WS_DO2(max_s16x2, WS_SIGNED_HALVES(ws_max_s32))
#undef WS_SIGNED_HALVES
#undef WS_EXTREMES

#define WS_BYTE_SIGN(type) (ws_type_is_signed(type) ? 0x80u : 0u)
WS_DO3(dp4a, ws_dp4a(a, b, c, WS_BYTE_SIGN(step->type), WS_BYTE_SIGN(step->type2)))
WS_DO3(dp2a, ws_dp2a(a, b, c, WS_BYTE_SIGN(step->type), WS_BYTE_SIGN(step->type2), how))
#undef WS_BYTE_SIGN

WS_DO2(and_32, a &b)
WS_DO2(or_32, a | b)
WS_DO2(xor_32, a ^ b)
WS_DO1(not_32, ~a)
WS_DO1(cnot_16, (a & 0xffff) == 0 ? 1u : 0u)
WS_DO1(cnot_32, a == 0 ? 1u : 0u)
WS_DO(and_64, WS_TO_WORDS, 2, a &b, WS_AB32)
WS_DO(or_64, WS_TO_WORDS, 2, a | b, WS_AB32)
WS_DO(xor_64, WS_TO_WORDS, 2, a ^ b, WS_AB32)
WS_DO(not_64, WS_TO_WORDS, 1, ~a, WS_A32)
WS_DO1_64(cnot_64, a == 0 ? 1u : 0u)
WS_DO3(lop3, ws_lop3(a, b, c, (uint32_t)immediate))

/* lop3.BoolOp: also (d != 0) op the predicate of source 3. */
WS_DO_HEAD(lop3_test) {
    const uint32_t *const bits = ws_lane_bits();
    uint32_t truth = 0, out[WS_LANES];
    WS_SOURCES3;
    WS_LOOP_BEGINS;
    for (lane = 0; lane < WS_LANES; lane++) {
        out[lane] = ws_lop3(row0[lane], row1[lane], row2[lane], (uint32_t)immediate);
        truth |= (0u - (uint32_t)(out[lane] != 0)) & bits[lane];
    }
    truth = ws_combined(how, truth, ws_predicate(lanes, step->s[3]));
    WS_LEVEL(ws_row_write)(ws_row(lanes, step->d[0]), out, mask);
    ws_predicate_set(lanes, step->d[1], truth, mask);
}

#define WS_SHIFT_64(name, expression)                                                                                  \
    WS_DO(name, WS_TO64, 2, expression, const uint64_t a = WS_VALUE64(0); const uint32_t b = WS_VALUE32(1))
WS_DO2(left_32, ws_left_32(a, b))
WS_DO2(right_16, ws_right_32(a & 0xffff, b))
WS_DO2(right_32, ws_right_32(a, b))
WS_DO2(right_s16, ws_right_s32(ws_signed16(a), b))
WS_DO2(right_s32, ws_right_s32(a, b))
WS_SHIFT_64(left_64, ws_left_64(a, b))
WS_SHIFT_64(right_64, ws_right_64(a, b))
WS_SHIFT_64(right_s64, ws_right_s64(a, b))
#undef WS_SHIFT_64
WS_DO3(funnel_left, ws_funnel_left(a, b, c, how))
WS_DO3(funnel_right, ws_funnel_right(a, b, c, how))
WS_DO3(bfe_u32, ws_bfe_u32(a, b, c))
WS_DO3(bfe_s32, ws_bfe_s32(a, b, c))
WS_DO4(bfi_32, ws_bfi_32(a, b, c, e))
WS_DO3(prmt, ws_prmt(a, b, c))
