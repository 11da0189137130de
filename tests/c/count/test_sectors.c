/* Global accesses: sectors, and the passes of the tag stage, by hand. */
#include "../ops.h"

enum { LINE = 128 };

static ws_counts global_counts(const char *text, const uint64_t address[WS_LANES], uint32_t mask) {
    const ws_op op = op_of(text);
    ws_access access = ws_access_make_64(address, 1);
    ws_counts counts = {0, 0, 0, 0, 0, 0};
    access.active = &mask;
    CHECK_EQUAL(ws_count(&op, &access, &counts, NULL), WS_OK);
    return counts;
}

static void check_global(const char *text, const uint64_t address[WS_LANES], uint32_t mask, int wavefronts,
                         int sectors) {
    const ws_counts counts = global_counts(text, address, mask);
    bool ok = CHECK_EQUAL(counts.wavefronts, wavefronts);
    ok &= CHECK_EQUAL(counts.sectors, sectors);
    ok &= CHECK_EQUAL(counts.requests, mask != 0);
    ok &= CHECK_EQUAL(counts.bank_conflicts, 0);
    ok &= CHECK_EQUAL(counts.ideal_wavefronts, 0); /* a word of shared memory only */
    if (!ok) fprintf(stderr, "    %s, mask %08x\n", text, (unsigned)mask);
}

static void steps(uint64_t address[WS_LANES], uint64_t step) {
    for (uint64_t lane = 0; lane < WS_LANES; lane++) address[lane] = lane * step;
}

/* The second of two warps crosses an aligned window of 32 MiB. */
static void test_wavefronts_are_inexact_where_any_warp_crosses_a_window(void) {
    const ws_op op = op_of("ld.global.b32");
    uint64_t address[2][WS_LANES];
    const ws_access access = ws_access_make_64(address[0], 2);
    steps(address[0], 4);
    steps(address[1], 4);
    CHECK_EQUAL(ws_count_inexact(&op, &access), 0);
    address[1][31] = 1 << 25;
    CHECK_EQUAL(ws_count_inexact(&op, &access), WS_BIT(WS_COUNTER_WAVEFRONTS));
}

static void test_tag_bank_every_known_address_bit_has_its_parity(void) {
    for (int bit = 0; bit < 64; bit++) {
        const uint64_t line = bit < 7 ? 0 : UINT64_C(1) << (bit - 7);
        const int high = (line & 0x37AB5) != 0, low = (line & 0x2D5DA) != 0;
        CHECK_EQUAL(ws_tag_bank(UINT64_C(1) << bit), 2 * high + low);
        if (bit >= 7 && bit <= 24) CHECK(high + low > 0); /* each of these bits counts */
    }
    CHECK_EQUAL(ws_tag_bank(0), 0);
    CHECK_EQUAL(ws_tag_bank(LINE), 2);
    CHECK_EQUAL(ws_tag_bank(2 * LINE), 1);
    CHECK_EQUAL(ws_tag_bank(3 * LINE), 3);
}

static void test_load_lines_of_different_tag_banks_share_a_pass(void) {
    uint64_t address[WS_LANES];
    steps(address, 4);
    check_global("ld.global.b32", address, UINT32_MAX, 1, 4);
    steps(address, 16); /* lines 0 to 3 lie in banks 0, 2, 1, 3: one pass, groups of 8 */
    check_global("ld.global.v4.b32", address, UINT32_MAX, 4, 16);
    check_global("ld.global.v4.b32", address, 0x000000ff, 1, 4);
    check_global("ld.global.v4.b32", address, 0, 0, 0);
    steps(address, 0);
    check_global("ld.global.b32", address, UINT32_MAX, 1, 1);
    check_global("ld.global.v4.b32", address, UINT32_MAX, 4, 1); /* no merging here */
}

static void test_load_lines_of_one_tag_bank_take_a_pass_each(void) {
    uint64_t address[WS_LANES] = {0}, found = 0;
    for (uint64_t line = 0; found < 4; line++) {
        if (ws_tag_bank(line * LINE) != 0) continue;
        address[found] = line * LINE + found * 4; /* no data bank twice */
        found++;
    }
    check_global("ld.global.b32", address, 0x1, 1, 1);
    check_global("ld.global.b32", address, 0x3, 2, 2);
    check_global("ld.global.b32", address, 0xf, 4, 4);
    check_global("st.global.b32", address, 0xf, 1, 4); /* a store serves up to eight lines of a bank at once */
    address[3] = address[0];
    check_global("ld.global.b32", address, 0xf, 3, 3);
}

static void test_sectors_both_sides_of_a_boundary_differ(void) {
    uint64_t address[WS_LANES] = {28, 31, 32, 63, 64};
    CHECK_EQUAL(ws_distinct_units(address, 0x3, WS_SECTOR_BYTES), 1);
    CHECK_EQUAL(ws_distinct_units(address, 0x6, WS_SECTOR_BYTES), 2);
    CHECK_EQUAL(ws_distinct_units(address, 0xc, WS_SECTOR_BYTES), 1);
    CHECK_EQUAL(ws_distinct_units(address, 0x1f, WS_SECTOR_BYTES), 3);
    CHECK_EQUAL(ws_distinct_units(address, 0, WS_SECTOR_BYTES), 0);
}

static void test_tag_banks_are_known_inside_one_window_of_32_mib(void) {
    uint64_t address[WS_LANES] = {0, (UINT64_C(1) << 25) - 128, UINT64_C(1) << 25};
    CHECK(ws_tag_banks_are_known(address, 0x3));
    CHECK(!ws_tag_banks_are_known(address, 0x7));
    CHECK(ws_tag_banks_are_known(address, 0x4));
    CHECK(ws_tag_banks_are_known(address, 0));
}

static void test_lanes_that_take_no_part_are_in_no_later_pass(void) {
    uint64_t address[WS_LANES];
    uint8_t pass_of[WS_LANES];
    for (int lane = 0; lane < WS_LANES; lane++) address[lane] = (uint64_t)lane << 20;
    memset(pass_of, 0xff, sizeof pass_of);
    CHECK(ws_tag_passes(address, 0x0f0f0f0f, 1, pass_of) > 1);
    for (int lane = 0; lane < WS_LANES; lane++) {
        if (!(0x0f0f0f0f >> lane & 1)) CHECK_EQUAL(pass_of[lane], 0);
    }
}

static void test_generic_access_to_both_memories_counts_in_both(void) {
    uint64_t address[WS_LANES];
    ws_counts counts;
    for (int lane = 0; lane < WS_LANES; lane++)
        address[lane] = (lane < 16 ? WS_SHARED_WINDOW : 4096) + (uint64_t)lane * 4;
    counts = global_counts("ld.b32", address, UINT32_MAX);
    CHECK_EQUAL(counts.requests, 1);
    CHECK_EQUAL(counts.wavefronts, 2);
    CHECK_EQUAL(counts.ideal_wavefronts, 1);
    CHECK_EQUAL(counts.sectors, 2);
}

static void test_generic_address_both_sides_of_the_shared_window(void) {
    uint64_t address[WS_LANES] = {WS_SHARED_WINDOW + WS_SHARED_WINDOW_BYTES - 4};
    CHECK_EQUAL(global_counts("ld.b32", address, 1).sectors, 0);
    address[0] += 4;
    CHECK_EQUAL(global_counts("ld.b32", address, 1).sectors, 1);
    address[0] = WS_SHARED_WINDOW;
    CHECK_EQUAL(global_counts("ld.b32", address, 1).sectors, 0);
    address[0] -= 4;
    CHECK_EQUAL(global_counts("ld.b32", address, 1).sectors, 1);
}

CHECK_MAIN(test_tag_bank_every_known_address_bit_has_its_parity, test_load_lines_of_different_tag_banks_share_a_pass,
           test_load_lines_of_one_tag_bank_take_a_pass_each, test_sectors_both_sides_of_a_boundary_differ,
           test_tag_banks_are_known_inside_one_window_of_32_mib, test_lanes_that_take_no_part_are_in_no_later_pass,
           test_generic_access_to_both_memories_counts_in_both, test_generic_address_both_sides_of_the_shared_window,
           test_wavefronts_are_inexact_where_any_warp_crosses_a_window)
