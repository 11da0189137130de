/* Conversions: values that an H200 gave, on both sides of each bound; and the narrow formats, all of their values. */
#include "../check.h"

#include <warpsim/number/narrow.h>
#include <warpsim/number/near.h>

/* Types and modifiers by short names. */
/* clang-format off */
enum {
    U8 = 8, U16 = 16, U32 = 32, U64 = 64, S = WS_WHOLE_SIGNED, S8 = S | 8, S16 = S | 16, S32 = S | 32, S64 = S | 64,
    F16 = WS_FORMAT_F16, BF16 = WS_FORMAT_BF16, F32 = WS_FORMAT_F32, F64 = WS_FORMAT_F64,
    RN = WS_ROUND_NEAREST, RZ = WS_ROUND_ZERO, RM = WS_ROUND_DOWN, RP = WS_ROUND_UP, I = WS_HOW_INTEGRAL,
    FTZ = WS_HOW_FTZ, SAT = WS_HOW_SAT, RELU = WS_HOW_RELU, FINITE = WS_HOW_SATFINITE
};
/* clang-format on */

/* The type of the result, that of the operand; modifiers; operand and result, extended to 64 bits. */
static const struct {
    int to, from;
    uint32_t how;
    uint64_t operand, result;
} rows[] = {
    /* clang-format off */
    {U8, S32, RN, 0x1ff, 0xff}, {S8, U32, RN, 0x180, UINT64_C(0xffffffffffffff80)}, {U8, S32, SAT, 0xffffffff, 0x0},
    {U8, S32, SAT, 0x100, 0xff}, {U8, S32, SAT, 0xff, 0xff}, {S8, S32, SAT, 0x7f, 0x7f}, {S8, S32, SAT, 0x80, 0x7f},
    {S8, S32, SAT, 0xffffff80, UINT64_C(0xffffffffffffff80)}, {S8, S32, SAT, 0xffffff7f, UINT64_C(0xffffffffffffff80)},
    {S64, U64, SAT, UINT64_C(0x7fffffffffffffff), UINT64_C(0x7fffffffffffffff)},
    {S64, U64, SAT, UINT64_C(0x8000000000000000), UINT64_C(0x7fffffffffffffff)},
    {U32, S64, SAT, UINT64_C(0x100000000), 0xffffffff}, {U32, S64, SAT, 0xffffffff, 0xffffffff},
    {U32, S64, SAT, UINT64_C(0xffffffffffffffff), 0x0}, {S32, F32, I | RZ, 0x4effffff, 0x7fffff80},
    {S32, F32, I | RZ, 0x4f000000, 0x7fffffff}, {S32, F32, I | RZ, 0xcf000000, UINT64_C(0xffffffff80000000)},
    {S32, F32, I | RZ, 0xcf000001, UINT64_C(0xffffffff80000000)}, {S32, F32, I | RZ, 0x7fc00000, 0x0},
    {S32, F32, I | RZ, 0xff800000, UINT64_C(0xffffffff80000000)}, {S32, F32, I, 0x3f000000, 0x0},
    {S32, F32, I, 0x3fc00000, 0x2}, {S32, F32, I, 0x40200000, 0x2}, {S32, F32, I, 0xbf000000, 0x0},
    {S32, F32, I | RM, 0xbf800001, UINT64_C(0xfffffffffffffffe)},
    {S32, F32, I | RM, 0x80000001, UINT64_C(0xffffffffffffffff)}, {S32, F32, I | RP, 0x1, 0x1},
    {S32, F32, I | RP, 0x3f800001, 0x2}, {S32, F32, I | RM | FTZ, 0x80000001, 0x0}, {U8, F32, I, 0x437f8000, 0xff},
    {U8, F32, I, 0x437f7fff, 0xff}, {U8, F32, I, 0xbf800000, 0x0},
    {S32, F64, I | RZ, UINT64_C(0x7ff8000000000000), UINT64_C(0xffffffff80000000)},
    {S32, F64, I | RZ, UINT64_C(0x41dfffffffffffff), 0x7fffffff},
    {S32, F64, I | RZ, UINT64_C(0xc1e0000000200000), UINT64_C(0xffffffff80000000)},
    {S64, F32, I | RZ, 0x7fc00000, UINT64_C(0x8000000000000000)},
    {S64, F32, I | RZ, 0x5effffff, UINT64_C(0x7fffff8000000000)},
    {S64, F32, I | RZ, 0x5f000000, UINT64_C(0x7fffffffffffffff)},
    {S64, F32, I | RZ, 0xdf000000, UINT64_C(0x8000000000000000)},
    {U64, F64, I | RZ, UINT64_C(0x43f0000000000000), UINT64_C(0xffffffffffffffff)},
    {U64, F64, I | RZ, UINT64_C(0x43efffffffffffff), UINT64_C(0xfffffffffffff800)},
    {U64, F64, I | RZ, UINT64_C(0xbff0000000000000), 0x0},
    {S8, F64, I | RZ, UINT64_C(0x7ff8000000000000), UINT64_C(0xffffffffffffff80)}, {U16, F16, I, 0x7e00, 0x0},
    {U16, F16, I, 0x7bff, 0xffe0}, {F32, S64, RN, UINT64_C(0x7fffffffffffffff), 0x5f000000},
    {F32, S64, RN, UINT64_C(0x8000000000000000), 0xdf000000}, {F32, S64, RN, 0x1000001, 0x4b800000},
    {F32, S64, RN, 0x1000003, 0x4b800002}, {F32, U32, RP, 0x1000001, 0x4b800001},
    {F32, S32, RZ, 0xfeffffff, 0xcb800000}, {F16, U64, RN, 0xffef, 0x7bff}, {F16, U64, RN, 0xfff0, 0x7c00},
    {F16, U64, RN, 0x10000, 0x7c00}, {F16, U64, RZ, 0xfff0, 0x7bff}, {F32, S32, RN | SAT, 0x2, 0x3f800000},
    {F32, S32, RN | SAT, 0xffffffff, 0x0}, {F64, U64, RN, UINT64_C(0xffffffffffffffff), UINT64_C(0x43f0000000000000)},
    {F64, U64, RN, UINT64_C(0x20000000000001), UINT64_C(0x4340000000000000)}, {F16, F32, RN, 0x477fefff, 0x7bff},
    {F16, F32, RN, 0x477ff000, 0x7c00}, {F16, F32, RN, 0x33000000, 0x0}, {F16, F32, RN, 0x33000001, 0x1},
    {F16, F32, RN, 0xff812345, 0x7fff}, {F16, F32, RN, 0x387fffff, 0x400}, {F16, F32, RZ, 0x7f000000, 0x7bff},
    {F16, F32, RP | FTZ, 0x1, 0x1}, {F16, F32, RN | FINITE, 0x7f800000, 0x7bff},
    {F16, F32, RN | FINITE, 0xff800000, 0xfbff}, {F16, F32, RN | FINITE, 0x7f812345, 0x7fff},
    {F16, F32, RN | RELU, 0xbf800000, 0x0}, {F16, F32, RN | RELU, 0x80000000, 0x0},
    {F16, F32, RN | RELU, 0x7fc00000, 0x7fff}, {F16, F32, RN | SAT, 0x7fc00000, 0x0},
    {F16, F32, RN | SAT, 0xc0000000, 0x0}, {F16, F32, RN | SAT, 0x40000000, 0x3c00},
    {BF16, F32, RN, 0x3f808000, 0x3f80}, {BF16, F32, RN, 0x3f818000, 0x3f82}, {BF16, F32, RN, 0x7f7f8000, 0x7f80},
    {BF16, F32, RN, 0xffc00001, 0x7fff}, {BF16, F32, RN | FTZ, 0x7fffff, 0x0}, {BF16, F32, RM, 0xbf800001, 0xbf81},
    {F32, F64, RN, UINT64_C(0x3690000000000000), 0x0}, {F32, F64, RN, UINT64_C(0x3690000000000001), 0x1},
    {F32, F64, RN, UINT64_C(0x47efffffe0000000), 0x7f7fffff}, {F32, F64, RN, UINT64_C(0x47efffffefffffff), 0x7f7fffff},
    {F32, F64, RN, UINT64_C(0x47effffff0000000), 0x7f800000}, {F32, F64, RN, UINT64_C(0xfff8000020000000), 0xffc00001},
    {F32, F64, RN, UINT64_C(0x7ff0000000000001), 0x7fc00000}, {F32, F64, RN | FTZ, UINT64_C(0x380fffffe0000000), 0x0},
    {F32, F64, RN | FTZ, UINT64_C(0x380ffffff0000000), 0x800000},
    {F32, F64, RN | FTZ, UINT64_C(0x380fffffffffffff), 0x800000},
    {F32, F64, RZ | FTZ, UINT64_C(0x380fffffffffffff), 0x0}, {F16, F64, RN, UINT64_C(0x40effdffffffffff), 0x7bff},
    {F16, F64, RN, UINT64_C(0x40effe0000000000), 0x7c00}, {F16, F64, RN, UINT64_C(0x3e60000000000001), 0x1},
    {F16, F64, RN, UINT64_C(0x3e60000000000000), 0x0}, {F64, F32, RN, 0xff812345, UINT64_C(0xfff82468a0000000)},
    {F64, F32, RN, 0x1, UINT64_C(0x36a0000000000000)}, {F64, F32, FTZ, 0x7f812345, UINT64_C(0x7fffffffe0000000)},
    {F64, F32, FTZ, 0x1, 0x0}, {F32, F16, RN, 0x1, 0x33800000}, {F32, F16, RN, 0xfc00, 0xff800000},
    {F32, F16, RN, 0x7c01, 0x7fffffff}, {F32, F16, RN, 0x83ff, 0xb87fc000}, {F32, BF16, RN, 0xff81, 0xff810000},
    {F32, BF16, FTZ, 0x1, 0x0}, {F32, BF16, FTZ, 0xff81, 0x7fffffff}, {F32, F32, RN, 0xff812345, 0xff812345},
    {F32, F32, SAT, 0xff812345, 0x0}, {F32, F32, SAT, 0x80000000, 0x0}, {F32, F32, SAT, 0x3f800001, 0x3f800000},
    {F16, F16, RN, 0xfc01, 0x7fff}, {F64, F64, RN, UINT64_C(0x7ff0000000000001), UINT64_C(0x7ff0000000000001)},
    {F32, F32, I, 0xbf000000, 0x80000000}, {F32, F32, I, 0x3fc00000, 0x40000000},
    {F32, F32, I, 0x4affffff, 0x4b000000}, {F32, F32, I, 0xcb7fffff, 0xcb7fffff},
    {F32, F32, I, 0xff812345, 0x7fffffff}, {F32, F32, I | RP, 0xbf7fffff, 0x80000000},
    {F64, F64, I | RM, UINT64_C(0xbfe0000000000000), UINT64_C(0xbff0000000000000)},
    {F64, F64, I | RM, UINT64_C(0x7ff0000000000001), UINT64_C(0x7ff8000000000001)}, {F16, F16, I | RZ, 0xbbff, 0x8000},
    {F16, F16, I | RZ, 0x7c01, 0x7fff},
    /* clang-format on */
};

static void test_each_conversion_gives_what_the_hardware_gave(void) {
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        CHECK_EQUAL(ws_convert(rows[i].to, rows[i].from, rows[i].operand, rows[i].how), rows[i].result);
    }
}

/* The functions of the rows above that loops are made of. */
static void test_the_fast_conversions_agree_with_the_exact_ones(void) {
    uint32_t x = 0, i;
    for (i = 0; i < 200000; i++, x = x * 1664525 + 1013904223) {
        const uint32_t bits = i < 66000 ? x << 13 : x;
        CHECK_EQUAL(ws_s32_of_float(ws_float_of(bits)), (uint32_t)ws_convert(S32, F32, bits, WS_ROUND_ZERO));
        CHECK_EQUAL(ws_u32_of_float(ws_float_of(bits)), (uint32_t)ws_convert(U32, F32, bits, WS_ROUND_ZERO));
        CHECK_EQUAL(ws_f16_of_float(ws_float_of(bits)), ws_convert(WS_FORMAT_F16, WS_FORMAT_F32, bits, 0));
        CHECK_EQUAL(ws_bf16_of_float(ws_float_of(bits)), ws_convert(WS_FORMAT_BF16, WS_FORMAT_F32, bits, 0));
        CHECK_EQUAL(ws_f64_of_f32(bits), ws_convert(WS_FORMAT_F64, WS_FORMAT_F32, bits, 0));
    }
}

/* Each value widens and comes back; the sign of a NaN does not. */
static void test_narrow_values_survive_the_way_through_f16(void) {
    static const int formats[] = {WS_FORMAT_E4M3, WS_FORMAT_E5M2, WS_FORMAT_E2M3, WS_FORMAT_E3M2, WS_FORMAT_E2M1};
    for (size_t f = 0; f < sizeof formats / sizeof formats[0]; f++) {
        const int format = formats[f];
        const uint32_t nan = ws_narrow_nan(format), largest = ws_narrow_largest(format);
        for (uint32_t x = 0; x < 2 * ws_format_sign(format); x++) {
            const uint32_t magnitude = x & nan, wide = ws_widened(WS_FORMAT_F16, format, x, 0);
            const uint32_t back = ws_narrowed(format, WS_FORMAT_F16, wide, WS_HOW_SATFINITE);
            const bool is_nan = ws_narrow_is_nan(format, magnitude);
            CHECK_EQUAL(back, is_nan ? nan : magnitude > largest ? (x & ~nan) | largest : x);
        }
    }
}

static void test_narrow_values_round_to_even_and_stay_finite(void) {
    static const struct {
        int to;
        float value;
        uint32_t result;
    } cases[] = {
        {WS_FORMAT_E4M3, 448.0f, 0x7e},   {WS_FORMAT_E4M3, -1e30f, 0xfe},        {WS_FORMAT_E4M3, 1.0625f, 0x38},
        {WS_FORMAT_E4M3, 1.1875f, 0x3a},  {WS_FORMAT_E4M3, 0.0009765625f, 0x00}, {WS_FORMAT_E4M3, 0.00097656256f, 0x01},
        {WS_FORMAT_E4M3, -0.0f, 0x80},    {WS_FORMAT_E5M2, 57344.0f, 0x7b},      {WS_FORMAT_E5M2, 61440.0f, 0x7b},
        {WS_FORMAT_E5M2, 1.125f, 0x3c},   {WS_FORMAT_E5M2, 1.375f, 0x3e},        {WS_FORMAT_E2M1, 5.0f, 0x6},
        {WS_FORMAT_E2M1, 2.5f, 0x4},      {WS_FORMAT_E2M1, 0.25f, 0x0},          {WS_FORMAT_E2M1, -0.26f, 0x9},
        {WS_FORMAT_E2M1, 100.0f, 0x7},    {WS_FORMAT_E2M3, 7.25f, 0x1e},         {WS_FORMAT_E2M3, 8.0f, 0x1f},
        {WS_FORMAT_E3M2, 0.03125f, 0x00}, {WS_FORMAT_E3M2, 26.0f, 0x1e},         {WS_FORMAT_E3M2, -29.0f, 0x3f},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        CHECK_EQUAL(ws_narrowed(cases[i].to, WS_FORMAT_F32, ws_bits_of(cases[i].value), 0), cases[i].result);
    }
    CHECK_EQUAL(ws_narrowed(WS_FORMAT_E4M3, WS_FORMAT_F32, 0xffc00000, 0), 0x7f);
    CHECK_EQUAL(ws_narrowed(WS_FORMAT_E4M3, WS_FORMAT_F32, 0xbf800000, WS_HOW_RELU), 0);
    CHECK_EQUAL(ws_narrowed(WS_FORMAT_E2M1, WS_FORMAT_F32, 0x7fc00000, 0), 7);
}

static void test_powers_of_two_round_up_or_toward_zero(void) {
    const int to = WS_FORMAT_UE8M0, from = WS_FORMAT_F32;
    CHECK_EQUAL(ws_narrowed(to, from, 0x3f800000, WS_ROUND_UP), 127);
    CHECK_EQUAL(ws_narrowed(to, from, 0x3f800001, WS_ROUND_UP), 128);
    CHECK_EQUAL(ws_narrowed(to, from, 0x3fffffff, WS_ROUND_ZERO), 127);
    CHECK_EQUAL(ws_narrowed(to, from, 0x7f7fffff, WS_ROUND_UP | WS_HOW_SATFINITE), 254);
    CHECK_EQUAL(ws_narrowed(to, from, 0x7f7fffff, WS_ROUND_UP), 255);
    CHECK_EQUAL(ws_narrowed(to, from, 0x00400000, WS_ROUND_ZERO), 0);
    CHECK_EQUAL(ws_narrowed(to, from, 0x00400001, WS_ROUND_UP), 1);
    CHECK_EQUAL(ws_widened(WS_FORMAT_BF16, to, 0, 0), 0x0040);
    CHECK_EQUAL(ws_widened(WS_FORMAT_BF16, to, 254, 0), 0x7f00);
    CHECK_EQUAL(ws_widened(WS_FORMAT_BF16, to, 255, 0), 0x7fff);
}

static void test_tf32_keeps_ten_bits(void) {
    CHECK_EQUAL(ws_tf32_of_f32(0x3f801000, WS_ROUND_NEAREST), 0x3f800000);
    CHECK_EQUAL(ws_tf32_of_f32(0x3f803000, WS_ROUND_NEAREST), 0x3f804000);
    CHECK_EQUAL(ws_tf32_of_f32(0x3f801fff, WS_ROUND_ZERO), 0x3f800000);
    CHECK_EQUAL(ws_tf32_of_f32(0x3f801000, WS_ROUND_AWAY), 0x3f802000);
    CHECK_EQUAL(ws_tf32_of_f32(0x7f800001, WS_ROUND_AWAY), 0x7f800000);
    CHECK_EQUAL(ws_tf32_of_f32(0x7fc00000, WS_ROUND_AWAY | WS_HOW_SATFINITE), 0x7fbfe000);
    CHECK_EQUAL(ws_tf32_of_f32(0xff800001, WS_ROUND_NEAREST), 0x7fffe000);
    CHECK_EQUAL(ws_tf32_of_f32(0xbf800000, WS_ROUND_ZERO | WS_HOW_RELU), 0);
}

/* Half of a unit more than 1, and of the even number behind it. */
static void test_halves_round_away_from_zero_where_that_is_asked_for(void) {
    CHECK_EQUAL(ws_convert(F16, F32, 0x3f801000, RN), 0x3c00);
    CHECK_EQUAL(ws_convert(F16, F32, 0x3f801000, WS_ROUND_AWAY), 0x3c01);
    CHECK_EQUAL(ws_convert(F16, F32, 0xbf801000, WS_ROUND_AWAY), 0xbc01);
    CHECK_EQUAL(ws_convert(F16, F32, 0x3f800fff, WS_ROUND_AWAY), 0x3c00);
    CHECK_EQUAL(ws_convert(F16, F32, 0x3f803000, WS_ROUND_AWAY), 0x3c02);
}

/* (1 + 2^-23)^2 = 1 + 2^-22 + 2^-46 */
static void test_a_product_rounds_as_it_is_told(void) {
    CHECK_EQUAL(ws_f32_mul(0x3f800001, 0x3f800001, RN), 0x3f800002);
    CHECK_EQUAL(ws_f32_mul(0x3f800001, 0x3f800001, RZ), 0x3f800002);
    CHECK_EQUAL(ws_f32_mul(0x3f800001, 0x3f800001, RM), 0x3f800002);
    CHECK_EQUAL(ws_f32_mul(0x3f800001, 0x3f800001, RP), 0x3f800003);
    CHECK_EQUAL(ws_f32_mul(0xbf800001, 0x3f800001, RM), 0xbf800003);
    CHECK_EQUAL(ws_f32_mul(0xbf800001, 0x3f800001, RP), 0xbf800002);
    CHECK_EQUAL(ws_f32_mul(0x80000000, 0x3f800001, RP), 0x80000000);
    CHECK_EQUAL(ws_f32_mul(0x00000000, 0x7f800000, RP), 0x7fffffff);
}

static void test_packed_numbers_are_clamped(void) {
    CHECK_EQUAL(ws_pack_s32(S16, 0x8000, 0xffff7fff, 0), 0x7fff8000);
    CHECK_EQUAL(ws_pack_s32(U8, 256, 0xffffffff, 0x12345678), 0x5678ff00);
    CHECK_EQUAL(ws_pack_s32(2 | S, 2, 0xfffffffd, 0xf), 0xf6);
}

CHECK_MAIN(test_each_conversion_gives_what_the_hardware_gave, test_the_fast_conversions_agree_with_the_exact_ones,
           test_narrow_values_survive_the_way_through_f16, test_narrow_values_round_to_even_and_stay_finite,
           test_powers_of_two_round_up_or_toward_zero, test_tf32_keeps_ten_bits,
           test_halves_round_away_from_zero_where_that_is_asked_for, test_a_product_rounds_as_it_is_told,
           test_packed_numbers_are_clamped)
