/* Whole numbers, bits and comparisons: values that an H200 gave, on both sides of each bound. */
#include "../check.h"

#include <warpsim/number/compare.h>
#include <warpsim/number/fields.h>
#include <warpsim/number/video.h>

static void test_division_by_zero_gives_ones(void) {
    CHECK_EQUAL(ws_quotient(7, 0, 32, true), UINT64_MAX);
    CHECK_EQUAL(ws_remainder(7, 0, 16, false), UINT64_MAX);
    CHECK_EQUAL(ws_quotient(0x80000000, 0xffffffff, 32, true), 0x80000000);
    CHECK_EQUAL(ws_remainder(0x80000000, 0xffffffff, 32, true), 0);
    CHECK_EQUAL(ws_quotient(UINT64_C(1) << 63, UINT64_MAX, 64, true), UINT64_C(1) << 63);
    CHECK_EQUAL((uint32_t)ws_quotient(0xfffffff9, 2, 32, true), 0xfffffffd);
    CHECK_EQUAL((uint32_t)ws_remainder(0xfffffff9, 2, 32, true), 0xffffffff);
    CHECK_EQUAL(ws_quotient(0xfff9, 2, 16, false), 0x7ffc);
}

static void test_sums_saturate_at_both_ends(void) {
    CHECK_EQUAL(ws_add_sat_s32(0x7fffffff, 1), 0x7fffffff);
    CHECK_EQUAL(ws_add_sat_s32(0x7ffffffe, 1), 0x7fffffff);
    CHECK_EQUAL(ws_add_sat_s32(0x80000000, 0xffffffff), 0x80000000);
    CHECK_EQUAL(ws_sub_sat_s32(0x80000000, 1), 0x80000000);
    CHECK_EQUAL(ws_sub_sat_s32(0, 0x80000000), 0x7fffffff);
    CHECK_EQUAL(ws_high_add_s32(0x80000000, 0x80000000, 0x40000000, WS_HOW_SAT), 0x7fffffff);
    CHECK_EQUAL(ws_high_add_s32(0x80000000, 0x80000000, 0x40000000, 0), 0x80000000);
    CHECK_EQUAL(ws_add_x2(0x0001ffff, 0x00010001), 0x00020000);
}

static void test_products_keep_the_half_that_is_asked_for(void) {
    CHECK_EQUAL(ws_high_64(UINT64_MAX, UINT64_MAX, false), UINT64_MAX - 1);
    CHECK_EQUAL(ws_high_64(UINT64_MAX, UINT64_MAX, true), 0);
    CHECK_EQUAL(ws_high_64(UINT64_C(1) << 63, UINT64_C(1) << 63, true), UINT64_C(1) << 62);
    CHECK_EQUAL(ws_product_24(0xff800000, 2, true, WS_CHOICE_LO), 0xff000000);
    CHECK_EQUAL(ws_product_24(0xff800000, 2, false, WS_CHOICE_HI), 0x100);
    CHECK_EQUAL(ws_dp4a(0xff01ff01, 0x01010101, 5, 0x80, 0), 5);
    CHECK_EQUAL(ws_dp4a(0xff01ff01, 0x01010101, 5, 0, 0), 517);
    CHECK_EQUAL(ws_dp2a(0xffff0002, 0x03040506, 0, 0x80, 0, WS_CHOICE_LO), 12 - 5);
    CHECK_EQUAL(ws_dp2a(0xffff0002, 0x03040506, 0, 0x80, 0, WS_CHOICE_HI), 8 - 3);
}

static void test_shifts_by_the_width_leave_nothing(void) {
    CHECK_EQUAL(ws_left_32(1, 31), 0x80000000);
    CHECK_EQUAL(ws_left_32(1, 32), 0);
    CHECK_EQUAL(ws_right_s32(0x80000000, UINT32_MAX), UINT32_MAX);
    CHECK_EQUAL(ws_right_64(UINT64_MAX, 64), 0);
    CHECK_EQUAL(ws_funnel_left(0x89abcdef, 0x01234567, 4, 0), 0x12345678);
    CHECK_EQUAL(ws_funnel_left(0x89abcdef, 0x01234567, 33, 0), 0x89abcdef);
    CHECK_EQUAL(ws_funnel_left(0x89abcdef, 0x01234567, 32, WS_HOW_WRAP), 0x01234567);
    CHECK_EQUAL(ws_funnel_right(0x89abcdef, 0x01234567, 4, 0), 0x789abcde);
    CHECK_EQUAL(ws_funnel_right(0x89abcdef, 0x01234567, 99, 0), 0x01234567);
}

static void test_fields_end_at_the_top(void) {
    CHECK_EQUAL(ws_bfe_u32(0x87654321, 28, 8), 8);
    CHECK_EQUAL(ws_bfe_s32(0x87654321, 28, 8), 0xfffffff8);
    CHECK_EQUAL(ws_bfe_s32(0x87654321, 4, 4), 2);
    CHECK_EQUAL(ws_bfe_s32(0x87654321, 256 + 4, 0x100), 0);
    CHECK_EQUAL(ws_bfe_s32(0x80000000, 40, 1), UINT32_MAX);
    CHECK_EQUAL(ws_bfe_u64(UINT64_MAX, 256, 4), 0);
    CHECK_EQUAL(ws_bfe_s64(UINT64_C(1) << 63, 0xffffffff, 0xffffffff), UINT64_MAX);
    CHECK_EQUAL(ws_bfi_32(0xff, 0, 28, 8), 0xf0000000);
    CHECK_EQUAL(ws_bfi_32(0xff, 0x12345678, 32, 8), 0x12345678);
    CHECK_EQUAL(ws_bfi_64(0xff, 1, 64, 8), 1);
    CHECK_EQUAL(ws_bmsk(31, 2, 0), 0x80000000);
    CHECK_EQUAL(ws_bmsk(32, 2, WS_HOW_WRAP), 3);
    CHECK_EQUAL(ws_szext(0x80, 8, true, 0), 0xffffff80);
    CHECK_EQUAL(ws_szext(0x80, 32, true, WS_HOW_WRAP), 0);
    CHECK_EQUAL(ws_szext(0x12345680, 32, true, 0), 0x12345680);
}

static void test_bits_are_found_and_counted(void) {
    CHECK_EQUAL(ws_bfind(0, 32, false, 0), UINT32_MAX);
    CHECK_EQUAL(ws_bfind(UINT64_MAX, 64, true, WS_HOW_SHIFTAMT), UINT32_MAX);
    CHECK_EQUAL(ws_bfind(0xfffffff7, 32, true, 0), 3);
    CHECK_EQUAL(ws_bfind(0x10, 32, false, WS_HOW_SHIFTAMT), 27);
    CHECK_EQUAL(ws_ones(UINT64_C(0xf00000000000000f)), 8);
    CHECK_EQUAL(ws_brev_64(2), UINT64_C(1) << 62);
    CHECK_EQUAL(ws_fns(0xf0, 0, 1), 4);
    CHECK_EQUAL(ws_fns(0xf0, 4, 0), 4);
    CHECK_EQUAL(ws_fns(0xf0, 3, 0), UINT32_MAX);
    CHECK_EQUAL(ws_fns(0xf0, 31, 0xfffffffe), 6);
    CHECK_EQUAL(ws_fns(0xf0, 0, 5), UINT32_MAX);
    CHECK_EQUAL(ws_fns(0xffffffff, 0, 33), UINT32_MAX);
    CHECK_EQUAL(ws_fns(0xffffffff, 31, 0x80000000), UINT32_MAX);
    CHECK_EQUAL(ws_fns(0xf0, 32, 1), UINT32_MAX);
}

static void test_bytes_are_permuted(void) {
    const uint32_t a = 0x83020100, b = 0x07060584;
    CHECK_EQUAL(ws_prmt(a, b, 0x7654), b);
    CHECK_EQUAL(ws_prmt(a, b, 0xffff8b0c), 0x00ff00ff);
    CHECK_EQUAL(ws_prmt_mode(a, b, 1, WS_CHOICE_F4E), 0x84830201);
    CHECK_EQUAL(ws_prmt_mode(a, b, 1, WS_CHOICE_B4E), 0x06070001);
    CHECK_EQUAL(ws_prmt_mode(a, b, 6, WS_CHOICE_RC8), 0x02020202);
    CHECK_EQUAL(ws_prmt_mode(a, b, 2, WS_CHOICE_ECL), 0x83020202);
    CHECK_EQUAL(ws_prmt_mode(a, b, 2, WS_CHOICE_ECR), 0x02020100);
    CHECK_EQUAL(ws_prmt_mode(a, b, 3, WS_CHOICE_RC16), 0x83028302);
}

/* Each table against its definition. */
static void test_each_table_of_three_bits(void) {
    const uint32_t a = 0xf0f0f0f0, b = 0xcccccccc, c = 0xaaaaaaaa; /* lane of bits i: 4 a + 2 b + c = i mod 8 */
    for (uint32_t table = 0; table < 256; table++) CHECK_EQUAL(ws_lop3(a, b, c, table), table * 0x01010101);
}

/* The comparisons in the order of their words, of 1 with 1, 2, NaN, and of 2 with 1: a bit each. */
static void test_each_comparison(void) {
    static const uint8_t held[] = {1, 2 | 8, 2,         3,     8,     9,     2,     3,         8,
                                   9, 1 | 4, 2 | 4 | 8, 2 | 4, 3 | 4, 8 | 4, 9 | 4, 1 | 2 | 8, 4};
    const uint32_t one = 0x3c00, two = 0x4000, nan = 0x7c01;
    const uint32_t pairs[4][2] = {{one, one}, {one, two}, {one, nan}, {two, one}};
    for (uint32_t choice = WS_CHOICE_EQ >> 16; choice <= WS_CHOICE_NAN >> 16; choice++) {
        uint32_t found = 0;
        for (uint32_t i = 0; i < 4; i++) {
            const uint32_t relation = ws_relation_float(WS_FORMAT_F16, pairs[i][0], pairs[i][1], 0);
            found |= (uint32_t)((relation & ws_wanted(choice << 16)) != 0) << i;
        }
        CHECK_EQUAL(found, held[choice - 1]);
    }
    CHECK_EQUAL(ws_relation_float(WS_FORMAT_F32, 0x80000000, 0, 0), WS_EQUAL);
    CHECK_EQUAL(ws_relation_float(WS_FORMAT_F32, 0x80000001, 0, 0), WS_LESS);
    CHECK_EQUAL(ws_relation_float(WS_FORMAT_F32, 0x80000001, 0, WS_HOW_FTZ), WS_EQUAL);
    CHECK_EQUAL(ws_relation_float(WS_FORMAT_BF16, 0xff80, 0xff7f, 0), WS_LESS);
    CHECK_EQUAL(ws_relation_f64(UINT64_C(0x7ff0000000000001), 0), WS_UNORDERED);
    CHECK_EQUAL(ws_relation_f64(UINT64_C(0xfff0000000000000), UINT64_C(0x7ff0000000000000)), WS_LESS);
    CHECK_EQUAL(ws_relation_s32(0x80000000, 0x7fffffff), WS_LESS);
    CHECK_EQUAL(ws_relation_u64(UINT64_C(1) << 63, 1), WS_GREATER);
}

/* All parts in their order; the flags of number/video.h. */
static uint64_t video_of(int bits, uint64_t flags) {
    return (bits == 16 ? UINT64_C(0x00320010) : UINT64_C(0x76543210)) |
           (bits == 16 ? UINT64_C(3) : UINT64_C(15)) << WS_VIDEO_MASK_AT | (uint64_t)bits << WS_VIDEO_BITS_AT | flags;
}

static void test_video_numbers_and_products(void) {
    const uint64_t s16 = video_of(16, UINT64_C(7) << WS_VIDEO_D_AT), u8 = video_of(8, 0);
    const uint64_t sum = video_of(8, UINT64_C(1) << WS_VIDEO_ADD_AT), low = ~(UINT64_C(14) << WS_VIDEO_MASK_AT);
    CHECK_EQUAL(ws_video_numbers(s16, 0x7fff8000, 0x0001ffff, 0, WS_CHOICE_VADD | WS_HOW_SAT), 0x7fff8000);
    CHECK_EQUAL(ws_video_numbers(s16, 0x7fff8000, 0x0001ffff, 0, WS_CHOICE_VADD), 0x80007fff);
    CHECK_EQUAL(ws_video_numbers(u8, 0x0102ff00, 0x02010100, 0, WS_CHOICE_VSUB | WS_HOW_SAT), 0x0001fe00);
    CHECK_EQUAL(ws_video_numbers(s16, 0xfffdfffc, 0, 0, WS_CHOICE_VAVRG), 0xfffefffe);
    CHECK_EQUAL(ws_video_numbers(sum, 0x01ff0000, 0xff010005, 100, WS_CHOICE_VABSDIFF), 613);
    CHECK_EQUAL(ws_video_numbers(sum & low, 0x01ff0000, 0xff010005, 100, WS_CHOICE_VABSDIFF), 105);
    CHECK_EQUAL(ws_video_numbers(u8 & low, 0x01020304, 0x01020305, 0xaabbccdd, WS_CHOICE_EQ), 0xaabbcc00);
    CHECK_EQUAL(ws_video_mad(WS_VIDEO_SIGNED, 0xffffffff, 128, 0, WS_CHOICE_SHR7), 0xffffffff);
    CHECK_EQUAL(ws_video_mad(0, 0xffffffff, 0xffffffff, 0, WS_HOW_SAT), 1);
    CHECK_EQUAL(ws_video_mad(0, 1, 0xffffffff, 0, WS_HOW_SAT), 0);
    CHECK_EQUAL(ws_video_mad(0, 1, 0xffffffff, 0, WS_HOW_SAT | WS_CHOICE_SHR7), 0xffffffff);
    CHECK_EQUAL(ws_video_mad(WS_VIDEO_SIGNED, 0x40000000, 4, 0, WS_HOW_SAT), 0x7fffffff);
    CHECK_EQUAL(ws_video_mad(WS_VIDEO_SIGNED | WS_VIDEO_MINUS_PRODUCT, 3, 5, 100, 0), 85);
    CHECK_EQUAL(ws_video_mad(WS_VIDEO_SIGNED | WS_VIDEO_MINUS_C, 3, 5, 100, 0), 0xffffffab);
    CHECK_EQUAL(ws_video_mad(WS_VIDEO_PLUS_ONE, 3, 5, 100, 0), 116);
}

CHECK_MAIN(test_division_by_zero_gives_ones, test_sums_saturate_at_both_ends,
           test_products_keep_the_half_that_is_asked_for, test_shifts_by_the_width_leave_nothing,
           test_fields_end_at_the_top, test_bits_are_found_and_counted, test_bytes_are_permuted,
           test_each_table_of_three_bits, test_each_comparison, test_video_numbers_and_products)
