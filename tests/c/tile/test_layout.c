/* Places of elements, swizzles, and the lane addresses that a layout gives an instruction. */
#include "../ops.h"

static const ws_layout half_tile = {16,   64,  0, 16, false, false, {0, 0, 0, false},
                                    NULL, NULL}; /* 16 x 64 halves: rows of 128 bytes */

/* Lane addresses at (row, col), or a failed check. */
static void lanes_of(const ws_layout *layout, const ws_op *op, int64_t row, int64_t col, bool by_row,
                     uint32_t address[WS_LANES]) {
    int64_t offsets[WS_LANES] = {0};
    CHECK(ws_layout_addresses(layout, op, &row, &col, by_row, offsets));
    for (int lane = 0; lane < WS_LANES; lane++) address[lane] = (uint32_t)offsets[lane];
}

static uint64_t wavefronts_at_origin(const ws_layout *layout, const char *text) {
    const ws_op op = op_of(text);
    uint32_t address[WS_LANES];
    lanes_of(layout, &op, 0, 0, false, address);
    return counts_of(text, address, UINT32_MAX).wavefronts;
}

#define X4 "ldmatrix.sync.aligned.m8n8.x4.shared.b16"

static void test_swizzle_3_4_3_bytes_of_128_byte_rows_is_the_usual_one(void) {
    const ws_layout swizzled = with_swizzle(half_tile, 3, 4, 3, true);
    const ws_layout in_elements = with_swizzle(half_tile, 3, 3, 3, false);
    for (int64_t row = 0; row < 16; row++) {
        for (int64_t col = 0; col < 64; col++) {
            const int64_t expected = row * 128 + (col / 8 ^ row % 8) * 16 + col % 8 * 2;
            CHECK_EQUAL(ws_layout_offset(&swizzled, row, col), expected);
            CHECK_EQUAL(ws_layout_offset(&in_elements, row, col), expected);
        }
    }
    CHECK_EQUAL(wavefronts_at_origin(&half_tile, X4), 32);
    CHECK_EQUAL(wavefronts_at_origin(&swizzled, X4), 4);
    CHECK_EQUAL(wavefronts_at_origin(&swizzled, "stmatrix.sync.aligned.m8n8.x4.trans.shared.b16"), 4);
}

static void test_padding_one_piece_frees_the_banks(void) {
    ws_layout padded = half_tile;
    padded.pad = 8;
    CHECK_EQUAL(ws_layout_pitch_bytes(&padded), 144);
    CHECK_EQUAL(ws_layout_nbytes(&padded), 144 * 16);
    CHECK_EQUAL(ws_layout_offset(&padded, 2, 3), 2 * 144 + 6);
    CHECK_EQUAL(wavefronts_at_origin(&padded, X4), 4);
}

static void test_swizzle_parameters_move_the_bits_that_they_name(void) {
    static const struct {
        ws_swizzle swizzle;
        uint64_t offset, expected;
    } cases[] = {
        {{0, 4, 3, true}, 0xfff, 0xfff},  {{3, 4, 3, true}, 0x000, 0x000},
        {{3, 4, 3, true}, 0x080, 0x090},  {{3, 4, 3, true}, 0x380, 0x3f0},
        {{3, 4, 3, true}, 0x3f0, 0x380},  {{3, 4, 3, true}, 0x400, 0x400}, /* bit 10 is not among the three */
        {{2, 4, 3, true}, 0x180, 0x1b0},  {{1, 4, 3, true}, 0x180, 0x190},
        {{1, 4, -3, true}, 0x010, 0x090}, /* a negative shift moves them up */
        {{2, 3, -2, true}, 0x018, 0x078}, {{1, 0, 1, true}, 0x003, 0x002},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        CHECK_EQUAL(ws_swizzle_apply(&cases[i].swizzle, cases[i].offset), cases[i].expected);
        CHECK_EQUAL(ws_swizzle_apply(&cases[i].swizzle, cases[i].expected), cases[i].offset); /* its own inverse */
    }
}

static void test_swizzle_every_offset_is_hit_once(void) {
    const ws_layout swizzled = with_swizzle(half_tile, 3, 4, 3, true);
    bool hit[16 * 128] = {false};
    for (int64_t row = 0; row < 16; row++) {
        for (int64_t col = 0; col < 64; col++) {
            const int64_t offset = ws_layout_offset(&swizzled, row, col);
            if (CHECK(offset >= 0 && offset < ws_layout_nbytes(&swizzled) && !hit[offset])) hit[offset] = true;
        }
    }
}

static void test_col_major_is_the_transposed_row_major(void) {
    const ws_layout col_major = {64, 16, 4, 16, false, true, {0, 0, 0, false}, NULL, NULL};
    const ws_layout row_major = {16, 64, 4, 16, false, false, {0, 0, 0, false}, NULL, NULL};
    const ws_layout swizzled_col = with_swizzle(col_major, 3, 4, 3, true),
                    swizzled_row = with_swizzle(row_major, 3, 4, 3, true);
    CHECK_EQUAL(ws_layout_pitch_bytes(&col_major), 136);
    CHECK_EQUAL(ws_layout_nbytes(&col_major), 136 * 16);
    CHECK_EQUAL(ws_layout_offset(&col_major, 3, 2), 2 * 136 + 6);
    for (int64_t row = 0; row < 64; row++) {
        for (int64_t col = 0; col < 16; col++) {
            CHECK_EQUAL(ws_layout_offset(&col_major, row, col), ws_layout_offset(&row_major, col, row));
            CHECK_EQUAL(ws_layout_offset(&swizzled_col, row, col), ws_layout_offset(&swizzled_row, col, row));
        }
    }
}

static void test_packed_and_sub_byte_elements_lie_in_their_pieces(void) {
    const ws_layout b6 = {8, 32, 0, 6, true, false, {0, 0, 0, false}, NULL, NULL},
                    b4 = {8, 32, 16, 4, true, false, {0, 0, 0, false}, NULL, NULL};
    const ws_layout nibbles = {8, 32, 0, 4, false, false, {0, 0, 0, false}, NULL, NULL};
    const ws_layout swizzled = with_swizzle(b6, 1, 4, 1, true), in_pieces = with_swizzle(b6, 1, 4, 1, false);
    CHECK_EQUAL(ws_layout_pitch_bytes(&b6), 32);
    CHECK_EQUAL(ws_layout_offset(&b6, 0, 15), 11); /* bit 90 */
    CHECK_EQUAL(ws_layout_offset(&b6, 0, 16), 16); /* after the padding */
    CHECK_EQUAL(ws_layout_offset(&b6, 3, 21), 3 * 32 + 16 + 3);
    CHECK_EQUAL(ws_layout_offset(&swizzled, 1, 0), 48); /* bit 5 onto bit 4: the pieces change places */
    CHECK_EQUAL(ws_layout_offset(&swizzled, 1, 17), 32);
    CHECK_EQUAL(ws_layout_offset(&swizzled, 2, 3), 64 + 2);
    CHECK_EQUAL(ws_layout_offset(&in_pieces, 1, 17), 32); /* packed elements have no other unit */
    CHECK_EQUAL(ws_layout_pitch_bytes(&b4), 48);
    CHECK_EQUAL(ws_layout_offset(&b4, 1, 31), 48 + 16 + 7);
    CHECK_EQUAL(ws_layout_pitch_bytes(&nibbles), 16);
    CHECK_EQUAL(ws_layout_offset(&nibbles, 1, 5), 16 + 2);
}

static void test_addresses_matrices_go_down_then_right_or_right_then_down(void) {
    const ws_op op = op_of(X4);
    uint32_t down[WS_LANES], right[WS_LANES];
    lanes_of(&half_tile, &op, 0, 8, false, down);
    lanes_of(&half_tile, &op, 0, 8, true, right);
    for (int lane = 0; lane < WS_LANES; lane++) {
        const int matrix = lane / 8, row = lane % 8;
        CHECK_EQUAL(down[lane], (row + 8 * (matrix % 2)) * 128 + 16 + 16 * (matrix / 2));
        CHECK_EQUAL(right[lane], (row + 8 * (matrix / 2)) * 128 + 16 + 16 * (matrix % 2));
    }
}

static void test_addresses_lanes_without_a_row_repeat_the_lower_ones(void) {
    const ws_op op = op_of("ldmatrix.sync.aligned.m8n8.x2.shared.b16");
    uint32_t address[WS_LANES];
    lanes_of(&half_tile, &op, 0, 0, false, address);
    for (int lane = 0; lane < WS_LANES; lane++) CHECK_EQUAL(address[lane], lane % 16 * 128);
}

static void test_addresses_packed_and_col_major_matrices(void) {
    const ws_layout b4 = {16, 32, 0, 4, true, false, {0, 0, 0, false}, NULL, NULL};
    const ws_layout col_major = {64, 16, 0, 16, false, true, {0, 0, 0, false}, NULL, NULL};
    const ws_layout nibbles = {8, 64, 0, 4, false, false, {0, 0, 0, false}, NULL, NULL};
    const ws_op m16n16 = op_of("ldmatrix.sync.aligned.m16n16.x2.trans.shared.b8x16.b4x16_p64"), x4 = op_of(X4);
    const ws_op s4 = op_of("ldmatrix.sync.aligned.m8n16.x2.shared.s8.s4");
    uint32_t address[WS_LANES];
    lanes_of(&b4, &m16n16, 0, 0, true, address); /* the second matrix lies 16 elements, 16 bytes, to the right */
    for (int lane = 0; lane < WS_LANES; lane++) CHECK_EQUAL(address[lane], lane % 16 * 32 + lane / 16 * 16);
    lanes_of(&col_major, &x4, 0, 0, false, address); /* below: 8 elements further in the column */
    for (int lane = 0; lane < WS_LANES; lane++) {
        CHECK_EQUAL(address[lane], (lane % 8 + lane / 16 * 8) * 128 + lane / 8 % 2 * 16);
    }
    lanes_of(&nibbles, &s4, 0, 16, true, address); /* a matrix is 16 nibbles, 8 bytes, wide */
    for (int lane = 0; lane < WS_LANES; lane++) CHECK_EQUAL(address[lane], lane % 8 * 32 + 8 + lane / 8 % 2 * 8);
}

static void test_addresses_plain_lanes_take_piece_after_piece(void) {
    const ws_op v4 = op_of("st.shared.v4.b32"), cg = op_of("cp.async.cg.shared.global [d], [s], 16;");
    uint32_t address[WS_LANES];
    lanes_of(&half_tile, &v4, 4, 0, false, address);
    for (int lane = 0; lane < WS_LANES; lane++) CHECK_EQUAL(address[lane], (4 + lane / 8) * 128 + lane % 8 * 16);
    lanes_of(&half_tile, &cg, 0, 32, false, address); /* half a row is left */
    for (int lane = 0; lane < WS_LANES; lane++) CHECK_EQUAL(address[lane], lane / 4 * 128 + 64 + lane % 4 * 16);
}

static void test_addresses_both_sides_of_the_matrix_end_differ(void) {
    static const struct {
        int64_t row, col;
        bool inside;
        int64_t at_row, at_col; /* where it leaves */
    } cases[] = {
        {0, 48, true, 0, 0},  {0, 49, false, 0, 57}, {0, 56, false, 0, 64},
        {1, 0, false, 16, 0}, {-1, 0, false, -1, 0}, {0, -1, false, 0, -1},
    };
    const ws_op op = op_of(X4);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        int64_t row = cases[i].row, col = cases[i].col, offsets[WS_LANES];
        CHECK_EQUAL(ws_layout_addresses(&half_tile, &op, &row, &col, false, offsets), cases[i].inside);
        if (cases[i].inside) continue;
        CHECK_EQUAL(row, cases[i].at_row);
        CHECK_EQUAL(col, cases[i].at_col);
    }
}

static void test_addresses_instructions_without_rows_have_none(void) {
    static const char *const texts[] = {"movmatrix.sync.aligned.m8n8.trans.b16",
                                        "wmma.load.a.sync.aligned.row.m16n16k16.shared.f16"};
    const ws_layout layout = {16, 16, 0, 16, false, false, {0, 0, 0, false}, NULL, NULL};
    int64_t address[WS_LANES];
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        const ws_op op = op_of(texts[i]);
        int64_t row = 0, col = 0;
        CHECK(!ws_layout_addresses(&layout, &op, &row, &col, false, address));
    }
}

CHECK_MAIN(test_addresses_instructions_without_rows_have_none,
           test_swizzle_3_4_3_bytes_of_128_byte_rows_is_the_usual_one, test_padding_one_piece_frees_the_banks,
           test_swizzle_parameters_move_the_bits_that_they_name, test_swizzle_every_offset_is_hit_once,
           test_col_major_is_the_transposed_row_major, test_packed_and_sub_byte_elements_lie_in_their_pieces,
           test_addresses_matrices_go_down_then_right_or_right_then_down,
           test_addresses_lanes_without_a_row_repeat_the_lower_ones, test_addresses_packed_and_col_major_matrices,
           test_addresses_plain_lanes_take_piece_after_piece, test_addresses_both_sides_of_the_matrix_end_differ)
