/* How warps cover a tile, what is wrong with it, and what both sides count. */
#include "../ops.h"

#define X4 "ldmatrix.sync.aligned.m8n8.x4.shared.b16"
#define FILL "st.shared.v4.b32"
#define M16N16 "ldmatrix.sync.aligned.m16n16.x1.trans.shared.b8"
#define HALVES(rows, cols, pad, b, m, s, in_bytes)                                                                     \
    { rows, cols, pad, 16, false, false, {b, m, s, in_bytes}, NULL, NULL }
#define COPY "cp.async.cg.shared.global [a], [b], 16;"

enum { SM_90 = 11, SM_100A = 14, MOST_UNITS = 64 };

static void test_swizzle_end_is_one_past_the_highest_place(void) {
    uint64_t state = 1;
    for (int round = 0; round < 4000; round++) {
        const int bits = (int)(check_random(&state) % 4), distance = bits + (int)(check_random(&state) % 3);
        const ws_swizzle swizzle = {(int8_t)bits, (int8_t)(check_random(&state) % 4),
                                    (int8_t)(check_random(&state) % 2 ? distance : -distance), true};
        const uint64_t count = 1 + check_random(&state) % 600;
        uint64_t end = 0;
        for (uint64_t place = 0; place < count; place++) {
            const uint64_t moved = ws_swizzle_apply(&swizzle, place) + 1;
            if (moved > end) end = moved;
        }
        CHECK_EQUAL(ws_swizzle_end(&swizzle, count), end);
    }
}

static void test_target_rows_are_the_ones_meant_here(void) {
    CHECK_EQUAL(ws_target_find("sm_90"), SM_90);
    CHECK_EQUAL(ws_target_find("sm_100a"), SM_100A);
}

static void test_steps_blocks_go_along_the_rows_and_are_dealt_to_warps(void) {
    const ws_layout tile = halves(32, 64, 0);
    const ws_op op = op_of(X4);
    ws_tiling tiling;
    int64_t address[8][WS_LANES];
    CHECK_EQUAL(ws_tile_cover(&tile, &op, 2, &tiling, NULL), WS_OK);
    CHECK_EQUAL(tiling.units, 8);
    CHECK_EQUAL(tiling.steps, 4);
    ws_tile_steps(&tile, &op, &tiling, &address[0][0]);
    for (int warp = 0; warp < 2; warp++) {
        for (int step = 0; step < 4; step++) {
            const int unit = step * 2 + warp;
            for (int lane = 0; lane < WS_LANES; lane++) {
                const int row = unit / 4 * 16 + lane % 16, col = unit % 4 * 16 + lane / 16 * 8;
                CHECK_EQUAL(address[warp * 4 + step][lane], row * 128 + col * 2);
            }
        }
    }
}

static void test_steps_only_the_last_unit_of_pieces_is_partial(void) {
    const ws_layout tile = halves(5, 64, 8);
    const ws_op op = op_of(FILL);
    ws_tiling tiling;
    int64_t address[2][WS_LANES];
    CHECK_EQUAL(ws_tile_cover(&tile, &op, 1, &tiling, NULL), WS_OK);
    CHECK_EQUAL(tiling.pieces, 40);
    CHECK_EQUAL(tiling.units, 2);
    ws_tile_steps(&tile, &op, &tiling, &address[0][0]);
    for (int lane = 0; lane < WS_LANES; lane++) {
        CHECK_EQUAL(address[0][lane], lane / 8 * 144 + lane % 8 * 16);
        CHECK_EQUAL(address[1][lane], 4 * 144 + (lane < 7 ? lane : 7) * 16);
    }
}

static void test_steps_of_any_layout_reach_every_byte_once(void) {
    static const char *const texts[] = {X4,
                                        "ldmatrix.sync.aligned.m8n8.x2.shared.b16",
                                        "ldmatrix.sync.aligned.m8n8.x1.shared.b16",
                                        "ldmatrix.sync.aligned.m16n16.x2.trans.shared.b8",
                                        FILL,
                                        "st.shared.b64",
                                        COPY};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        for (int order = 0; order < 2; order++) {
            const ws_op op = op_of(texts[i]);
            ws_layout tile = with_swizzle(halves(32, 32, 0), 2, 3, 2, false);
            static int64_t address[256][WS_LANES];
            bool hit[2048] = {false};
            int64_t unit, bytes = ws_op_access_bytes(&op), hits = 0;
            ws_tiling tiling;
            tile.col_major = order == 1;
            if (!CHECK(ws_tile_cover(&tile, &op, 1, &tiling, NULL) == WS_OK)) continue;
            ws_tile_steps(&tile, &op, &tiling, &address[0][0]);
            for (unit = 0; unit < tiling.units; unit++) {
                for (int lane = 0; lane < ws_op_row_lanes(&op); lane++) {
                    CHECK(!hit[address[unit][lane]]);
                    hit[address[unit][lane]] = true;
                    hits++;
                }
            }
            CHECK_EQUAL(hits * bytes, 2048);
        }
    }
}

static void cover_fails(const ws_layout *layout, const char *text, int64_t warps, const char *message) {
    const ws_op op = op_of(text);
    ws_tiling tiling;
    ws_error error;
    CHECK_EQUAL(ws_tile_cover(layout, &op, warps, &tiling, &error), WS_INVALID_ARGUMENT);
    CHECK_HAS(error.message, message);
    CHECK_EQUAL(strncmp(error.message, error.argument, strlen(error.argument)), 0);
    CHECK_EQUAL(strncmp(ws_error_sentence(&error) - 2, ": ", 2), 0);
}

static void test_cover_names_the_nearest_that_divides(void) {
    const ws_layout tile = halves(64, 64, 0), odd = halves(60, 60, 0), small = halves(8, 8, 0);
    const ws_layout packed = {8, 24, 8, 6, true, false, {0, 0, 0, false}, NULL, NULL};
    cover_fails(
        &odd, X4, 1,
        "cols: ldmatrix takes whole blocks of matrices; expected a multiple of 16, the nearest are 48 and 64; got 60");
    cover_fails(&small, X4, 1, "the nearest is 16; got 8");
    cover_fails(&odd, FILL, 1,
                "cols: st takes whole pieces; expected a multiple of 8, the nearest are 56 and 64; got 60");
    cover_fails(&packed, "ld.shared.b32", 1, "expected a multiple of 16");
    cover_fails(
        &tile, FILL, 3,
        "warps: 16 instructions cover the tile; expected a number that divides them, the nearest are 2 and 4; got 3");
    cover_fails(&tile, FILL, 64, "the nearest is 16; got 64");
    cover_fails(&tile, FILL, 65, "warps: expected 1 to 64; got 65");
    cover_fails(&tile, FILL, 0, "warps: expected 1 to 64; got 0");
    cover_fails(&tile, "st.shared.b8", 1, "hold at least one element");
    cover_fails(&tile, "movmatrix.sync.aligned.m8n8.trans.b16", 1, "lane addresses");
    cover_fails(&tile, "wmma.load.a.sync.aligned.row.m16n16k16.shared.f16", 1, "lane addresses");
}

/* The rules that a tile breaks, in order, as digits: side and number of the rule. */
static void found_rules(const ws_layout *layout, const char *store, const char *load, int target, char rules[32]) {
    const ws_op fill = op_of(store), reads = op_of(load);
    ws_tile_finding found[WS_TILE_MAX_FINDINGS];
    ws_text text = ws_text_make(rules, 32);
    const ws_profile profile = ws_profile_of(target);
    const int count = ws_tile_find(layout, &fill, &reads, &profile, found);
    for (int i = 0; i < count; i++) {
        ws_text_add_bytes(&text, ws_tile_side_word(found[i].side), 1);
        ws_text_add_uint(&text, found[i].rule - WS_RULES_TILE + 1u);
    }
}

static void test_findings_of_both_sides(void) {
    static const struct {
        ws_layout layout;
        const char *store, *load, *rules;
        int target;
    } cases[] = {
        {HALVES(64, 64, 0, 0, 0, 0, false), FILL, X4, "", SM_90},
        {HALVES(64, 64, 8, 0, 0, 0, false), FILL, X4, "", SM_90},
        {HALVES(64, 64, 4, 0, 0, 0, false), FILL, X4, "s2l2", SM_90},
        {HALVES(64, 64, 4, 0, 0, 0, false), "st.shared.b64", X4, "l2", SM_90},
        {HALVES(1, 64, 4, 0, 0, 0, false), FILL, "ld.shared.v4.b32", "", SM_90},
        {HALVES(64, 64, 0, 3, 3, 3, false), FILL, X4, "", SM_90},
        {HALVES(64, 64, 0, 3, 2, 3, false), FILL, X4, "s3l3", SM_90},
        {HALVES(64, 64, 0, 3, 2, 3, false), "st.shared.b16", X4, "l3", SM_90},
        {HALVES(64, 64, 0, 3, 4, 3, true), FILL, X4, "", SM_90},
        {HALVES(64, 64, 0, 3, 3, 3, true), FILL, X4, "s3l3", SM_90},
        {HALVES(64, 64, 0, 1, 0, 12, false), FILL, X4, "", SM_90}, /* bit 12 of 4096 halves is never set */
        {HALVES(64, 64, 0, 1, 0, 11, false), FILL, X4, "s3l3", SM_90},
        {HALVES(64, 64, 0, 0, 0, 0, false), FILL, M16N16, "l1", SM_90},
        {{64, 64, 0, 8, false, false, {0, 0, 0, false}, NULL, NULL}, FILL, M16N16, "", SM_100A},
        {HALVES(227, 512, 0, 0, 0, 0, false), FILL, "ld.shared.v4.b32", "", SM_90},
        {HALVES(228, 512, 0, 0, 0, 0, false), FILL, "ld.shared.v4.b32", "t4", SM_90},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char rules[32];
        found_rules(&cases[i].layout, cases[i].store, cases[i].load, cases[i].target, rules);
        if (!CHECK_TEXT(rules, cases[i].rules)) fprintf(stderr, "    case %zu\n", i);
    }
}

static void test_findings_say_what_would_do(void) {
    const ws_profile sm_90 = ws_profile_of(SM_90);
    const ws_layout padded = halves(64, 64, 7), swizzled = with_swizzle(halves(64, 64, 0), 3, 2, 3, false);
    const ws_op op = op_of(X4), wide = op_of(M16N16);
    ws_tile_finding finding = {WS_TILE_PITCH, WS_TILE_LOAD};
    char message[512];
    ws_text text = ws_text_make(message, sizeof message);
    ws_tile_finding_write(&padded, &op, &sm_90, &finding, &text);
    CHECK_HAS(message, "the pitch of 142 bytes is not a multiple of the 16 bytes");
    CHECK_HAS(message, "144 bytes (pad 8) and 128 bytes (pad 0)");
    finding.rule = WS_TILE_SWIZZLE;
    text = ws_text_make(message, sizeof message);
    ws_tile_finding_write(&swizzled, &op, &sm_90, &finding, &text);
    CHECK_HAS(message, "Swizzle<3,2,3> (in elements) splits or misaligns the 16-byte accesses of ");
    CHECK_HAS(message, "use M >= 3");
    finding.rule = WS_TILE_ILLEGAL;
    text = ws_text_make(message, sizeof message);
    ws_tile_finding_write(&padded, &wide, &sm_90, &finding, &text);
    CHECK_HAS(message, "sm_90 has no ldmatrix.m16n16.b8");
    CHECK_TEXT(ws_rule_at(WS_TILE_TOO_LARGE)->id, "WS-TILE-004");
    CHECK_TEXT(ws_tile_side_word(WS_TILE_BOTH), "tile");
    CHECK_TEXT(ws_tile_side_word(9), "?");
}

static uint64_t counted(const ws_layout *layout, const char *text) {
    static ws_counts counts[MOST_UNITS];
    const ws_op op = op_of(text);
    ws_tiling tiling;
    uint64_t sum = 0;
    if (!CHECK(ws_tile_cover(layout, &op, 1, &tiling, NULL) == WS_OK) || !CHECK(tiling.units <= MOST_UNITS)) return 0;
    ws_tile_count(layout, &op, &tiling, WS_SIMD_AUTO, counts);
    for (int64_t i = 0; i < tiling.units; i++) sum += counts[i].wavefronts;
    return sum;
}

static void test_counts_of_copies_into_padded_rows_are_the_measured_ones(void) {
    const ws_layout plain = halves(64, 64, 0), padded = halves(64, 64, 8), narrow = halves(64, 16, 8);
    const ws_layout swizzled = with_swizzle(plain, 3, 3, 3, false);
    CHECK_EQUAL(counted(&plain, COPY), 16 * 4);
    CHECK_EQUAL(counted(&padded, COPY), 16 * 21 / 2);
    CHECK_EQUAL(counted(&narrow, COPY), 4 * 24);
    CHECK_EQUAL(counted(&swizzled, COPY), 16 * 4);
    CHECK_EQUAL(counted(&plain, X4), 16 * 32);
    CHECK_EQUAL(counted(&padded, X4), 16 * 4);
    CHECK_EQUAL(counted(&swizzled, X4), 16 * 4);
    CHECK_EQUAL(counted(&padded, FILL), 16 * 4);
}

/* Copies that are found again cost what they cost alone. */
static void test_counts_of_recent_copies_equal_those_of_each(void) {
    static ws_counts counts[MOST_UNITS];
    uint64_t state = 7;
    for (int round = 0; round < 60; round++) {
        ws_layout tile = halves(64, 64, 8 * (int64_t)(check_random(&state) % 6));
        const ws_op op = op_of(round % 2 ? "cp.async.ca.shared.global [a], [b], 16;" : COPY);
        const int bits = 1 + (int)(check_random(&state) % 3);
        ws_tiling tiling;
        tile = with_swizzle(tile, bits, 3 + (int)(check_random(&state) % 3), bits + (int)(check_random(&state) % 4),
                            false);
        CHECK_EQUAL(ws_tile_cover(&tile, &op, 1, &tiling, NULL), WS_OK);
        ws_tile_count(&tile, &op, &tiling, WS_SIMD_AUTO, counts);
        for (int64_t unit = 0; unit < tiling.units; unit++) {
            int64_t offset[WS_LANES];
            uint32_t address[WS_LANES];
            uint64_t source[WS_LANES];
            ws_access access = ws_access_make(address, 1);
            const ws_plan plan = ws_plan_make(&op, &access);
            ws_counts one;
            ws_tile_unit(&tile, &op, &tiling, unit, offset);
            for (int lane = 0; lane < WS_LANES; lane++) {
                address[lane] = (uint32_t)ws_layout_swizzled(&tile, (uint64_t)offset[lane] * 8);
                source[lane] = (uint64_t)(unit * 512 + lane * 16);
            }
            access.source = source;
            one = ws_count_warp(&plan, &access, 0);
            CHECK_EQUAL(counts[unit].wavefronts, one.wavefronts);
            CHECK_EQUAL(counts[unit].sectors, one.sectors);
        }
    }
}

static void test_inexact_is_ca_with_a_last_unit_that_repeats(void) {
    const ws_op ca = op_of("cp.async.ca.shared.global [a], [b], 16;");
    const ws_layout whole = halves(64, 64, 0), part = halves(5, 64, 0);
    ws_tiling tiling;
    CHECK_EQUAL(ws_tile_cover(&whole, &ca, 1, &tiling, NULL), WS_OK);
    CHECK_EQUAL(ws_tile_inexact(&ca, &tiling), 0);
    CHECK_EQUAL(ws_tile_cover(&part, &ca, 1, &tiling, NULL), WS_OK);
    CHECK(ws_tile_inexact(&ca, &tiling) != 0);
}

/* Two boxes of 8 x 16 halves beside each other, the second 256 elements on; columns of 4 that do not lie together. */
static void test_tables_place_rows_and_columns(void) {
    int64_t rows[16], cols[32], narrow[32];
    ws_layout boxes = halves(16, 32, 0), plain = halves(16, 32, 8), parted = halves(16, 32, 0);
    const ws_op fill = op_of(FILL), read = op_of(X4), four = op_of("ld.shared.b64"), two = op_of("ld.shared.b32");
    ws_tiling tiling;
    ws_layout swizzled;
    int64_t address[4][WS_LANES], same[4][WS_LANES];
    for (int i = 0; i < 16; i++) rows[i] = i * 16;
    for (int i = 0; i < 32; i++) cols[i] = i % 16 + i / 16 * 256;
    for (int i = 0; i < 32; i++) narrow[i] = i % 2 + i / 2 * 32;
    boxes.row_at = parted.row_at = rows;
    boxes.col_at = cols;
    parted.col_at = narrow;
    CHECK_EQUAL(ws_layout_offset(&boxes, 3, 17), 2 * (3 * 16 + 256 + 1));
    CHECK_EQUAL(ws_layout_nbytes(&boxes), 1024);
    CHECK_EQUAL(ws_layout_nbytes(&parted), 2 * (15 * 16 + 15 * 32 + 2));
    swizzled = boxes;
    swizzled.swizzle = ws_swizzle_make(1, 3, 3);
    CHECK_EQUAL(ws_layout_offset(&swizzled, 4, 17), 2 * (4 * 16 + 256 + 1 + 8));
    CHECK(ws_tile_pitch_fits(&boxes, &read) && ws_tile_swizzle_fits(&swizzled, &read));
    CHECK(!ws_tile_pitch_fits(&parted, &read) && !ws_tile_pitch_fits(&parted, &four));
    CHECK(ws_tile_pitch_fits(&parted, &two));
    cols[16]--; /* which the piece before it still has, and its own no more */
    CHECK(!ws_tile_pitch_fits(&boxes, &two));
    cols[16]++;
    rows[1]++;
    CHECK(!ws_tile_pitch_fits(&boxes, &two));
    rows[1]--;
    for (int i = 8; i < 32; i++) cols[i]++; /* the pieces behind the first are whole, but begin off their places */
    CHECK(!ws_tile_pitch_fits(&boxes, &read));
    for (int i = 8; i < 32; i++) cols[i]--;
    CHECK(ws_tile_pitch_fits(&boxes, &read));
    CHECK_EQUAL(ws_tile_cover(&boxes, &read, 1, &tiling, NULL), WS_OK);
    ws_tile_steps(&boxes, &read, &tiling, address[0]);
    for (int lane = 0; lane < WS_LANES; lane++) {
        const int row = lane / 8 % 2 * 8 + lane % 8, col = lane / 16 * 8;
        CHECK_EQUAL(address[1][lane], ws_layout_offset(&boxes, row, 16 + col));
    }
    for (int i = 0; i < 16; i++) rows[i] = i * 40; /* the tables of a padded layout are that layout */
    for (int i = 0; i < 32; i++) cols[i] = i;
    CHECK_EQUAL(ws_tile_cover(&boxes, &fill, 2, &tiling, NULL), WS_OK);
    ws_tile_steps(&boxes, &fill, &tiling, address[0]);
    ws_tile_steps(&plain, &fill, &tiling, same[0]);
    CHECK(memcmp(address, same, (size_t)tiling.units * sizeof same[0]) == 0);
}

CHECK_MAIN(test_tables_place_rows_and_columns, test_target_rows_are_the_ones_meant_here,
           test_swizzle_end_is_one_past_the_highest_place, test_steps_blocks_go_along_the_rows_and_are_dealt_to_warps,
           test_steps_only_the_last_unit_of_pieces_is_partial, test_steps_of_any_layout_reach_every_byte_once,
           test_cover_names_the_nearest_that_divides, test_findings_of_both_sides, test_findings_say_what_would_do,
           test_counts_of_copies_into_padded_rows_are_the_measured_ones,
           test_counts_of_recent_copies_equal_those_of_each, test_inexact_is_ca_with_a_last_unit_that_repeats)
