/* cp.async: wavefronts that the two measured rules give by hand. */
#include "../ops.h"

#define CA(bytes) "cp.async.ca.shared.global [d], [s], " #bytes ";"
#define CG "cp.async.cg.shared.global [d], [s], 16;"

static ws_counts copy_counts(const char *text, const uint32_t to[WS_LANES], const uint64_t *from, uint32_t mask) {
    const ws_op op = op_of(text);
    ws_access access = ws_access_make(to, 1);
    ws_counts counts = {0, 0, 0, 0, 0, 0};
    access.source = from;
    access.active = &mask;
    CHECK_EQUAL(ws_count(&op, &access, &counts, NULL), WS_OK);
    return counts;
}

static void check_copy(const char *text, const uint32_t to[WS_LANES], const uint64_t *from, uint32_t mask,
                       int wavefronts, int ideal, int conflicts, int sectors) {
    const ws_counts counts = copy_counts(text, to, from, mask);
    bool ok = CHECK_EQUAL(counts.instructions, 1);
    ok &= CHECK_EQUAL(counts.requests, mask != 0);
    ok &= CHECK_EQUAL(counts.wavefronts, wavefronts);
    ok &= CHECK_EQUAL(counts.ideal_wavefronts, ideal);
    ok &= CHECK_EQUAL(counts.bank_conflicts, conflicts);
    ok &= CHECK_EQUAL(counts.sectors, sectors);
    if (!ok) fprintf(stderr, "    %s, mask %08x\n", text, (unsigned)mask);
}

static void steps(uint32_t to[WS_LANES], uint32_t to_step, uint64_t from[WS_LANES], uint64_t from_step) {
    for (uint32_t lane = 0; lane < WS_LANES; lane++) {
        to[lane] = lane * to_step;
        from[lane] = UINT64_C(0x7f0000000000) + lane * from_step;
    }
}

static void test_ca_groups_passes_and_source_banks(void) {
    uint32_t to[WS_LANES];
    uint64_t from[WS_LANES];
    steps(to, 4, from, 4);
    check_copy(CA(4), to, from, UINT32_MAX, 1, 1, 0, 4);
    check_copy(CA(4), to, from, 0x000000ff, 1, 1, 0, 1);
    check_copy(CA(4), to, from, 0, 0, 0, 0, 0);
    steps(to, 8, from, 8);
    check_copy(CA(8), to, from, UINT32_MAX, 2, 2, 0, 8);
    steps(to, 16, from, 16);
    check_copy(CA(16), to, from, UINT32_MAX, 4, 4, 0, 16);
    check_copy(CA(16), to, from, 0x00ff0100, 2, 2, 0, 5);
    steps(to, 128, from, 4); /* one bank: a pass for every lane */
    check_copy(CA(4), to, from, UINT32_MAX, 32, 1, 31, 4);
    steps(to, 0, from, 4); /* equal destinations do not merge */
    check_copy(CA(4), to, from, UINT32_MAX, 32, 1, 31, 4);
    steps(to, 4, from, 128); /* one pass, but all sources lie in one bank */
    check_copy(CA(4), to, from, UINT32_MAX, 32, 1, 31, 32);
    steps(to, 4, from, 0); /* equal sources do not merge either */
    check_copy(CA(4), to, from, UINT32_MAX, 32, 1, 31, 1);
    steps(to, 8, from, 4); /* two passes of 16 lanes, sources in 16 banks each */
    check_copy(CA(4), to, from, UINT32_MAX, 2, 1, 1, 4);
    steps(to, 32, from, 16); /* groups of 8, lanes l and l + 4 want the same banks */
    check_copy(CA(16), to, from, UINT32_MAX, 8, 4, 4, 16);
}

static void test_ca_pass_costs_its_busiest_source_bank(void) {
    const uint32_t to[WS_LANES] = {0, 8, 128 + 8, 128}; /* lanes 0 and 1 in pass 0, 2 and 3 in pass 1 */
    uint64_t from[WS_LANES] = {0, 64, 32, 96};
    check_copy(CA(8), to, from, 0xf, 2, 1, 1, 4);
    from[3] = 32; /* lanes 2 and 3 now read the same banks */
    check_copy(CA(8), to, from, 0xf, 3, 1, 2, 3);
    from[3] = 96;
    from[1] = 0; /* and now lanes 0 and 1 */
    check_copy(CA(8), to, from, 0xf, 3, 1, 2, 3);
}

static void test_cg_contiguous_and_swizzled_rows_are_ideal(void) {
    uint32_t to[WS_LANES];
    uint64_t from[WS_LANES];
    steps(to, 16, from, 16);
    check_copy(CG, to, from, UINT32_MAX, 4, 4, 0, 16);
    check_copy(CG, to, from, 0x000000ff, 1, 1, 0, 4);
    check_copy(CG, to, from, 0x00000001, 1, 1, 0, 1);
    check_copy(CG, to, from, 0x00000005, 1, 1, 0, 2);
    check_copy(CG, to, from, 0, 0, 0, 0, 0);
    for (uint32_t lane = 0; lane < WS_LANES; lane++) to[lane] = lane / 8 * 128 + (lane % 8 ^ lane / 8 * 2) * 16;
    check_copy(CG, to, from, UINT32_MAX, 4, 4, 0, 16);
}

static void test_cg_first_rows_of_a_padded_tile_by_hand(void) {
    static const int wavefronts[] = {1, 3, 2, 4}, sectors[] = {4, 8, 4, 8};
    uint32_t to[WS_LANES];
    uint64_t from[WS_LANES];
    for (uint32_t lane = 0; lane < WS_LANES; lane++) {
        to[lane] = lane / 8 * 144 + lane % 8 * 16;
        from[lane] = lane * 16;
    }
    for (uint32_t row = 0; row < 4; row++) {
        check_copy(CG, to, from, UINT32_C(0xff) << (8 * row), wavefronts[row], 1, 0, sectors[row]);
    }
    check_copy(CG, to, from, UINT32_MAX, 10, 4, 0, 24);
}

static void test_cg_equal_destinations_are_copied_once(void) {
    uint32_t to[WS_LANES];
    uint64_t from[WS_LANES];
    steps(to, 0, from, 16);
    check_copy(CG, to, from, UINT32_MAX, 1, 1, 0, 1);
    steps(to, 16, from, 16);
    to[1] = to[0];
    check_copy(CG, to, from, 0x3, 1, 1, 0, 1);
    check_copy(CG, to, from, UINT32_MAX, 5, 4, 0, 16); /* the first move writes one half alone: a class of its own */
}

static void test_cg_moves_of_one_class_share_a_wavefront(void) {
    uint32_t to[WS_LANES] = {0, 32};
    uint64_t from[WS_LANES] = {0, 32};
    check_copy(CG, to, from, 0x3, 1, 1, 0, 2);
    from[1] = 64; /* the sectors' parities differ: (S xor G) is 0 and 1 */
    check_copy(CG, to, from, 0x3, 2, 1, 0, 2);
    to[1] = 64; /* equal again */
    check_copy(CG, to, from, 0x3, 1, 1, 0, 2);
    from[1] = 0; /* one source sector for both */
    check_copy(CG, to, from, 0x3, 2, 1, 0, 2);
    from[1] = 128 + 64; /* another global line */
    check_copy(CG, to, from, 0x3, 2, 1, 0, 2);
    from[1] = 64;
    to[1] = 128 + 64; /* another shared line */
    check_copy(CG, to, from, 0x3, 2, 1, 0, 2);
    to[1] = 64;
    from[1] = 64 + 16; /* crossed: the lower half of S from the upper half of G */
    check_copy(CG, to, from, 0x3, 2, 1, 0, 2);
    to[1] = 64 + 16; /* not crossed, but the other half */
    check_copy(CG, to, from, 0x3, 2, 1, 0, 2);
}

static void test_source_left_out_is_consecutive(void) {
    uint32_t to[WS_LANES];
    uint64_t from[WS_LANES];
    ws_counts with_source, without;
    steps(to, 144, from, 16);
    with_source = copy_counts(CG, to, from, UINT32_MAX);
    without = copy_counts(CG, to, NULL, UINT32_MAX);
    CHECK_EQUAL(with_source.wavefronts, without.wavefronts);
    CHECK_EQUAL(with_source.sectors, without.sectors);
    steps(to, 4, from, 4);
    CHECK_EQUAL(copy_counts(CA(4), to, NULL, UINT32_MAX).sectors, 4);
    CHECK_EQUAL(copy_counts(CA(4), to, NULL, UINT32_MAX).wavefronts, 1);
}

CHECK_MAIN(test_ca_groups_passes_and_source_banks, test_ca_pass_costs_its_busiest_source_bank,
           test_cg_contiguous_and_swizzled_rows_are_ideal, test_cg_first_rows_of_a_padded_tile_by_hand,
           test_cg_equal_destinations_are_copied_once, test_cg_moves_of_one_class_share_a_wavefront,
           test_source_left_out_is_consecutive)
