/* Wavefronts and bank conflicts: answers that the measured rules give by hand. */
#include <stdlib.h>

#include "../ops.h"

#define LDMATRIX "ldmatrix.sync.aligned.m8n8."
#define ALL UINT32_MAX

typedef enum pattern {
    STEP,      /* lane * step */
    BROADCAST, /* every lane the same */
    ROWS,      /* lane % 8 rows of `step` bytes, lane / 8 pieces of 16 bytes to the right */
    PAIRS,     /* lanes 2k and 2k + 1 the same */
    QUADS      /* lanes l and l ^ 2 the same */
} pattern;

static void fill(uint32_t address[WS_LANES], pattern how, uint32_t step) {
    for (uint32_t lane = 0; lane < WS_LANES; lane++) {
        switch (how) {
            case STEP: address[lane] = lane * step; break;
            case BROADCAST: address[lane] = step; break;
            case ROWS: address[lane] = lane % 8 * step + lane / 8 * 16; break;
            case PAIRS: address[lane] = lane / 2 * step; break;
            case QUADS: address[lane] = (lane & ~UINT32_C(2)) * step; break;
        }
    }
}

static void check_counts(const char *text, const uint32_t address[WS_LANES], uint32_t mask, int wavefronts,
                         int conflicts) {
    const ws_counts counts = counts_of(text, address, mask);
    bool ok = CHECK_EQUAL(counts.wavefronts, wavefronts);
    ok &= CHECK_EQUAL(counts.bank_conflicts, conflicts);
    ok &= CHECK_EQUAL(counts.ideal_wavefronts, wavefronts - conflicts);
    ok &= CHECK_EQUAL(counts.instructions, 1);
    ok &= CHECK_EQUAL(counts.requests, mask != 0);
    ok &= CHECK_EQUAL(counts.sectors, 0);
    if (!ok) fprintf(stderr, "    %s, mask %08x\n", text, (unsigned)mask);
}

static void test_wavefronts_known_patterns(void) {
    static const struct {
        const char *text;
        pattern how;
        uint32_t step, mask;
        int wavefronts, conflicts;
    } cases[] = {
        {LDMATRIX "x4.shared.b16", ROWS, 256, ALL, 32, 28}, /* the example of the measurements */
        {LDMATRIX "x4.trans.shared.b16", ROWS, 256, ALL, 32, 28},
        {LDMATRIX "x4.shared.b16", ROWS, 64, ALL, 16, 12},
        {LDMATRIX "x4.shared.b16", ROWS, 144, ALL, 4, 0},
        {LDMATRIX "x4.shared.b16", STEP, 16, ALL, 4, 0},
        {LDMATRIX "x1.shared.b16", ROWS, 256, ALL, 8, 7},
        {LDMATRIX "x2.shared.b16", ROWS, 256, ALL, 16, 14},
        {LDMATRIX "x4.shared.b16", BROADCAST, 32, ALL, 4, 0}, /* matrices never merge */
        {"stmatrix.sync.aligned.m8n8.x4.shared.b16", ROWS, 256, ALL, 32, 28},
        {"stmatrix.sync.aligned.m8n8.x2.trans.shared.b16", STEP, 16, ALL, 2, 0},
        {"ldmatrix.sync.aligned.m8n16.x1.shared.s8.s4", STEP, 8, ALL, 1, 0},
        {"ldmatrix.sync.aligned.m8n16.x2.shared.s8.s4", STEP, 8, ALL, 1, 0},
        {"ldmatrix.sync.aligned.m8n16.x4.shared.s8.s4", STEP, 8, ALL, 2, 0},
        {"ldmatrix.sync.aligned.m8n16.x2.shared.s8.s4", STEP, 128, ALL, 16, 15},
        {"ldmatrix.sync.aligned.m8n16.x4.shared.s8.s4", STEP, 16, ALL, 4, 2},
        {"ld.shared.b32", STEP, 4, ALL, 1, 0},
        {"ld.shared.b32", STEP, 8, ALL, 2, 1},
        {"ld.shared.b32", STEP, 128, ALL, 32, 31},
        {"ld.shared.b32", STEP, 132, ALL, 1, 0},
        {"ld.shared.b32", BROADCAST, 4, ALL, 1, 0},
        {"ld.shared.u8", STEP, 1, ALL, 1, 0},
        {"ld.shared.u8", STEP, 128, ALL, 32, 31},
        {"ld.shared.b16", STEP, 2, ALL, 1, 0},
        {"st.shared.b32", STEP, 4, ALL, 1, 0},
        {"st.shared.b32", STEP, 128, 0x0000ffff, 16, 15},
        {"ld.shared.b64", STEP, 8, ALL, 2, 0},
        {"ld.shared.v2.b32", STEP, 16, ALL, 4, 2},
        {"ld.shared.b64", STEP, 8, 0x0000ffff, 1, 0},
        {"ld.shared.v4.b32", STEP, 16, ALL, 4, 0},
        {"ld.shared.v4.b32", STEP, 32, ALL, 8, 4},
        {"ld.shared.v2.b64", STEP, 16, 0xff0000ff, 2, 0},
        {"st.shared.v4.b32", STEP, 128, ALL, 32, 28},
        {"ld.shared.b64", BROADCAST, 8, ALL, 1, 0},     /* merged: one group of 32 */
        {"ld.shared.v4.b32", BROADCAST, 16, ALL, 2, 0}, /* merged: two groups of 16 */
        {"ld.shared.v4.b32", PAIRS, 16, ALL, 2, 0},
        {"ld.shared.v4.b32", QUADS, 16, ALL, 4, 2}, /* merged, but the 16 lanes ask for 8 pieces in 4 x 4 banks */
        {"ld.shared.b64", PAIRS, 8, ALL, 1, 0},
        {"st.shared.b64", BROADCAST, 8, ALL, 2, 0}, /* stores never merge */
        {"st.shared.v4.b32", PAIRS, 16, ALL, 4, 0},
        {"ld.b32", BROADCAST, 4, 0, 0, 0},
        {LDMATRIX "x4.shared.b16", ROWS, 256, 0, 0, 0},
        {"ld.shared.v4.b32", STEP, 16, 0, 0, 0},
        {LDMATRIX "x4.shared.b16", ROWS, 256, 1, 32, 28}, /* a partial mask of .aligned counts as full */
        {"ld.shared.b32", STEP, 128, 1, 1, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        uint32_t address[WS_LANES];
        fill(address, cases[i].how, cases[i].step);
        check_counts(cases[i].text, address, cases[i].mask, cases[i].wavefronts, cases[i].conflicts);
    }
}

static void test_conflict_one_lane_fewer_costs_one_pass_less(void) {
    uint32_t address[WS_LANES];
    fill(address, STEP, 4);
    address[5] = 37 * 4; /* with lane 5's own word no longer asked for: words 37, 69, 101 beside ... */
    address[6] = 69 * 4;
    address[7] = 101 * 4;
    address[8] = 5 * 4; /* bank 5: words 37, 69, 101, 5 */
    check_counts("ld.shared.b32", address, ALL, 4, 3);
    check_counts("ld.shared.b32", address, ALL & ~(UINT32_C(1) << 7), 3, 2);
    address[8] = 101 * 4; /* the same word twice is free */
    check_counts("ld.shared.b32", address, ALL, 3, 2);
}

static void test_conflict_wide_access_counts_every_word(void) {
    uint32_t address[WS_LANES];
    fill(address, STEP, 16);
    address[1] = 128; /* lanes 0 and 1: banks 0 to 3, different words */
    check_counts("ld.shared.v4.b32", address, 0xff, 2, 1);
    address[1] = 136; /* rounded down to 128 */
    check_counts("ld.shared.v4.b32", address, 0xff, 2, 1);
    address[1] = 128 + 16;
    check_counts("ld.shared.v4.b32", address, 0xff, 1, 0);
}

static void test_merge_stops_at_one_unequal_pair_of_active_lanes(void) {
    uint32_t address[WS_LANES];
    fill(address, PAIRS, 16);
    check_counts("ld.shared.v4.b32", address, ALL, 2, 0);
    address[31] += 16; /* one pair of the whole warp differs */
    check_counts("ld.shared.v4.b32", address, ALL, 4, 0);
    check_counts("ld.shared.v4.b32", address, ALL >> 1, 2, 0);   /* lane 31 inactive: its pair does not count */
    check_counts("ld.shared.v4.b32", address, 0x55555555, 2, 0); /* no pair at all for d = 1 */
    check_counts("ld.shared.v4.b32", address, 0x000000ff, 1, 0);
    fill(address, QUADS, 8);
    check_counts("ld.shared.b64", address, ALL, 2, 1);
    address[2] += 256; /* the same bank, another word: no longer merged */
    check_counts("ld.shared.b64", address, ALL, 3, 1);
}

static void test_lanes_beyond_the_rows_do_not_matter(void) {
    uint32_t address[WS_LANES];
    fill(address, STEP, 16);
    for (int lane = 8; lane < WS_LANES; lane++) address[lane] = UINT32_C(0xfffffff1);
    check_counts(LDMATRIX "x1.shared.b16", address, ALL, 1, 0);
    check_counts("ldmatrix.sync.aligned.m8n16.x1.shared.s8.s4", address, ALL, 1, 0);
}

static void test_passes_every_width_and_bank(void) {
    uint64_t address[WS_LANES];
    for (int width = 1; width <= 4; width *= 2) {
        for (int ways = 1; ways <= WS_LANES; ways++) {
            for (int lane = 0; lane < WS_LANES; lane++) address[lane] = (uint64_t)(lane < ways ? 128 * lane : 0);
            CHECK_EQUAL(ws_bank_passes(address, ALL, width), ways);
        }
    }
    CHECK_EQUAL(ws_bank_passes(address, 0, 4), 0);
}

static void test_count_many_warps_is_the_sum(void) {
    const ws_op op = op_of(LDMATRIX "x4.shared.b16");
    uint32_t address[3][WS_LANES];
    ws_access access = ws_access_make(&address[0][0], 3);
    ws_counts counts;
    fill(address[0], ROWS, 256);
    fill(address[1], ROWS, 144);
    fill(address[2], ROWS, 64);
    CHECK_EQUAL(ws_count(&op, &access, &counts, NULL), WS_OK);
    CHECK_EQUAL(counts.instructions, 3);
    CHECK_EQUAL(counts.requests, 3);
    CHECK_EQUAL(counts.wavefronts, 32 + 4 + 16);
    CHECK_EQUAL(counts.ideal_wavefronts, 12);
    CHECK_EQUAL(counts.bank_conflicts, 28 + 0 + 12);
}

/* The addresses end where their allocation ends. */
static void test_count_reads_the_addresses_of_its_warps_alone(void) {
    for (size_t n = 1; n <= 9; n++) {
        uint32_t *address = (uint32_t *)malloc(n * WS_LANES * sizeof address[0]);
        const ws_op op = op_of("ld.shared.b64");
        const ws_access access = ws_access_make(address, n);
        ws_counts counts;
        for (size_t i = 0; i < n * WS_LANES; i++) address[i] = (uint32_t)(8 * i);
        CHECK_EQUAL(ws_count(&op, &access, &counts, NULL), WS_OK);
        CHECK_EQUAL(counts.wavefronts, 2 * n);
        free(address);
    }
}

static void test_movmatrix_counts_no_shared_wavefront(void) {
    const ws_op op = op_of("movmatrix.sync.aligned.m8n8.trans.b16");
    const ws_access access = ws_access_make(NULL, 2);
    ws_counts counts;
    CHECK_EQUAL(ws_count(&op, &access, &counts, NULL), WS_OK);
    CHECK_EQUAL(counts.instructions, 2);
    CHECK_EQUAL(counts.wavefronts, 0);
    CHECK_EQUAL(counts.bank_conflicts, 0);
}

/* The cells of a count agree with it. */
static void test_explain_passes_of_a_group_are_its_wavefronts(void) {
    static const char *const texts[] = {
        LDMATRIX "x4.shared.b16",
        "ldmatrix.sync.aligned.m8n16.x4.shared.s8.s4",
        "stmatrix.sync.aligned.m8n8.x2.shared.b16",
        "ld.shared.v4.b32",
        "ld.shared.b64",
        "st.shared.b32",
        "ld.shared.u8",
    };
    uint64_t state = 9;
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        const ws_op op = op_of(texts[i]);
        for (int round = 0; round < 50; round++) {
            uint32_t address[WS_LANES], mask = (uint32_t)check_random(&state) | 1;
            ws_access access = ws_access_make(address, 1);
            ws_bank_cells cells;
            int wavefronts = 0, passes[WS_LANES] = {0};
            access.active = &mask;
            for (int lane = 0; lane < WS_LANES; lane++) address[lane] = (uint32_t)(check_random(&state) % 64) * 16;
            ws_explain_warp(&op, &access, 0, &cells);
            for (int cell = 0; cell < cells.cells; cell++) {
                const ws_bank_cell *c = &cells.cell[cell];
                CHECK_EQUAL(c->bank, c->word % WS_BANK_COUNT);
                CHECK(c->word >= address[c->lane] / 4 && c->word < address[c->lane] / 4 + 4);
                if (c->pass + 1 > passes[c->group]) passes[c->group] = c->pass + 1;
            }
            for (int group = 0; group < cells.groups; group++) {
                CHECK_EQUAL(cells.group_wavefronts[group], passes[group]);
                CHECK(passes[group] > 0); /* a group without lanes does not count */
                wavefronts += passes[group];
            }
            CHECK_EQUAL(counts_of(texts[i], address, mask).wavefronts, wavefronts);
        }
    }
}

static void test_counts_by_addresses_are_those_of_an_access(void) {
    const char *const texts[] = {LDMATRIX "x1.shared.b16", LDMATRIX "x2.trans.shared.b16",
                                 LDMATRIX "x4.shared.b16", "stmatrix.sync.aligned.m8n8.x4.shared.b16",
                                 "ld.shared.v4.b32",       "ld.shared.b64",
                                 "st.shared.v2.b32",       "ld.shared.u8"};
    uint64_t state = 11;
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        const ws_op op = op_of(texts[i]);
        for (int round = 0; round < 50; round++) {
            uint32_t address[WS_LANES];
            int64_t offset[WS_LANES];
            for (int lane = 0; lane < WS_LANES; lane++) {
                address[lane] = (uint32_t)(check_random(&state) % 64) * 16;
                if (round % 2 && lane % 2) address[lane] = address[lane - 1];
                offset[lane] = address[lane];
            }
            const ws_counts wanted = counts_of(texts[i], address, ALL), found = ws_count_addresses(&op, offset);
            CHECK(found.wavefronts == wanted.wavefronts && found.ideal_wavefronts == wanted.ideal_wavefronts);
            CHECK(found.bank_conflicts == wanted.bank_conflicts && found.requests == wanted.requests);
        }
    }
}

CHECK_MAIN(test_wavefronts_known_patterns, test_counts_by_addresses_are_those_of_an_access,
           test_conflict_one_lane_fewer_costs_one_pass_less, test_conflict_wide_access_counts_every_word,
           test_merge_stops_at_one_unequal_pair_of_active_lanes, test_lanes_beyond_the_rows_do_not_matter,
           test_passes_every_width_and_bank, test_count_many_warps_is_the_sum,
           test_count_reads_the_addresses_of_its_warps_alone, test_movmatrix_counts_no_shared_wavefront,
           test_explain_passes_of_a_group_are_its_wavefronts)
