/* Every candidate counted, rejected with its reason, ranked: at every level, and against tile/count.h one by one. */
#include <math.h>
#include <stdlib.h>

#include "../ops.h"

enum { SM_90 = 11, MOST = 20000 };

static ws_layout candidate[MOST];
static ws_search_row row[MOST], other[MOST];
static int64_t order[MOST], scratch[MOST], front[MOST];

static size_t add(size_t n, ws_layout layout, int64_t pad, int bits, int base, int shift) {
    layout.pad = pad;
    layout.swizzle.bits = (int8_t)bits;
    layout.swizzle.base = (int8_t)base;
    layout.swizzle.shift = (int8_t)shift;
    candidate[n] = layout;
    return n + 1;
}

/* Paddings 0, step, 2 * step ... to 64, each with no swizzle and with those of at most `most_bits`. */
static size_t fill_space(ws_layout layout, int step, int most_bits) {
    size_t n = 0;
    for (int pad = 0; pad <= 64; pad += step) {
        n = add(n, layout, pad, 0, 0, 0);
        for (int bits = 1; bits <= most_bits; bits++) {
            for (int base = 0; base <= 6; base++) {
                for (int shift = -6; shift <= 6; shift++) {
                    const int distance = shift < 0 ? -shift : shift;
                    if (distance >= bits && base + bits + distance <= 14) n = add(n, layout, pad, bits, base, shift);
                }
            }
        }
    }
    return n;
}

static ws_profile sm_90;

static ws_search_terms terms_of(const char *store, const char *load, int64_t warps) {
    const ws_op fill = op_of(store), read = op_of(load);
    sm_90 = ws_profile_of(SM_90);
    return ws_search_terms_make(&fill, &read, warps, &sm_90);
}

static void run(size_t n, const ws_search_terms *terms, ws_search_row *rows) {
    ws_layout *exact = (ws_layout *)malloc(n * sizeof exact[0]); /* which ends where its allocation ends */
    size_t words;
    void *storage;
    memcpy(exact, candidate, n * sizeof exact[0]);
    words = ws_search_words(exact, n, terms);
    storage = malloc(8 * words + 1);
    CHECK(storage != NULL);
    CHECK_EQUAL(ws_search(exact, n, terms, storage, rows, NULL), WS_OK);
    free(storage);
    free(exact);
}

static const ws_layout classic = {128, 64, 0, 16, false, false, {0, 0, 0, false}, NULL, NULL};

static void test_the_classic_tile_has_its_known_answer(void) {
    const ws_search_terms terms = terms_of("st.shared.v4.b32", "ldmatrix.sync.aligned.m8n8.x4.shared.b16", 4);
    const size_t n = fill_space(classic, 1, 5);
    size_t counted, minimal = 0, reasons[WS_SEARCH_REASON_COUNT] = {0};
    CHECK_EQUAL(n, 17095);
    run(n, &terms, row);
    for (size_t i = 0; i < n; i++) {
        reasons[row[i].rejected]++;
        if (row[i].rejected == WS_SEARCH_COUNTED && row[i].store_wavefronts + row[i].load_wavefronts == 256) minimal++;
    }
    CHECK_EQUAL(reasons[WS_SEARCH_COUNTED], 1287);
    CHECK_EQUAL(reasons[WS_SEARCH_PITCH], 14728);
    CHECK_EQUAL(reasons[WS_SEARCH_SWIZZLE], 1080);
    CHECK_EQUAL(minimal, 366);
    CHECK_EQUAL(row[0].store_wavefronts + row[0].load_wavefronts, 1152);
    counted = ws_search_rank(candidate, row, n, order, scratch);
    CHECK_EQUAL(counted, 1287);
    CHECK_EQUAL(candidate[order[0]].pad, 0);
    CHECK_EQUAL(candidate[order[0]].swizzle.bits, 3);
    CHECK_EQUAL(candidate[order[0]].swizzle.base, 3);
    CHECK_EQUAL(candidate[order[0]].swizzle.shift, 3);
    CHECK_EQUAL(ws_search_pareto(row, order, counted, front), 1);
    CHECK_EQUAL(front[0], 0);
}

/* What one candidate counts by itself. */
static int64_t alone(const ws_layout *layout, const ws_op *op, int64_t warps) {
    static ws_counts counts[512];
    ws_tiling tiling;
    int64_t sum = 0;
    CHECK_EQUAL(ws_tile_cover(layout, op, warps, &tiling, NULL), WS_OK);
    ws_tile_count(layout, op, &tiling, WS_SIMD_PORTABLE, counts);
    for (int64_t i = 0; i < tiling.units; i++) sum += (int64_t)counts[i].wavefronts;
    return sum;
}

static void test_every_candidate_counts_what_it_counts_alone_at_every_level(void) {
    static const struct {
        const char *store, *load;
        ws_layout layout;
    } cases[] = {
        {"st.shared.v4.b32",
         "ldmatrix.sync.aligned.m8n8.x4.shared.b16",
         {48, 80, 0, 16, false, false, {0, 0, 0, false}, NULL, NULL}},
        {"st.shared.b32",
         "ldmatrix.sync.aligned.m8n8.x2.shared.b16",
         {16, 24, 0, 16, false, false, {0, 0, 0, false}, NULL, NULL}},
        {"cp.async.cg.shared.global [a], [b], 16;",
         "ld.shared.v4.b32",
         {20, 40, 0, 16, false, true, {0, 0, 0, false}, NULL, NULL}},
        {"cp.async.ca.shared.global [a], [b], 8;",
         "ld.shared.v2.b32",
         {12, 20, 0, 32, false, false, {0, 0, 0, false}, NULL, NULL}},
        {"st.shared.b8", "ld.shared.b16", {9, 34, 0, 8, false, false, {0, 0, 0, false}, NULL, NULL}},
        {"st.shared.v4.b32",
         "ldmatrix.sync.aligned.m8n16.x2.shared.b8x16.b6x16_p32",
         {16, 48, 0, 6, true, false, {0, 0, 0, true}, NULL, NULL}},
        {"st.shared.v2.b32",
         "ldmatrix.sync.aligned.m8n16.x4.shared.s8.s4",
         {16, 64, 0, 4, false, false, {0, 0, 0, false}, NULL, NULL}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        ws_search_terms terms = terms_of(cases[i].store, cases[i].load, 1);
        const size_t n = fill_space(cases[i].layout, 8, 3);
        const int best = ws_simd_best();
        run(n, &terms, row);
        for (size_t k = 0; k < n; k += 3) {
            if (row[k].rejected != WS_SEARCH_COUNTED) continue;
            CHECK_EQUAL(row[k].store_wavefronts, alone(&candidate[k], &terms.op[0], 1));
            CHECK_EQUAL(row[k].load_wavefronts, alone(&candidate[k], &terms.op[1], 1));
            CHECK_EQUAL(row[k].bytes, ws_layout_nbytes(&candidate[k]));
        }
        for (int level = WS_SIMD_PORTABLE; level <= best; level++) {
            terms.simd = level;
            run(n, &terms, other);
            CHECK(memcmp(row, other, n * sizeof row[0]) == 0);
        }
    }
}

static void test_bit_moves_are_the_same_at_every_level(void) {
    uint64_t state = 3;
    for (int round = 0; round < 200; round++) {
        const int down = (int)(check_random(&state) % 13) - 6;
        const ws_bit_move move = {(uint32_t)(check_random(&state) & 0xfff) << 6, down};
        uint32_t offset[48], expected[48], found[48];
        for (int i = 0; i < 48; i++) {
            offset[i] = (uint32_t)check_random(&state) & 0xffffff;
            expected[i] =
                offset[i] ^ (down < 0 ? (offset[i] & move.source) << -down : (offset[i] & move.source) >> down);
        }
        for (int level = WS_SIMD_PORTABLE; level <= ws_simd_best(); level++) {
            ws_bit_move_all(&move, offset, 48, found, level);
            for (int i = 0; i < 48; i++) CHECK_EQUAL(found[i], expected[i]);
        }
    }
}

/* Rows of 24 KiB, all in the same banks: bits 16 and 17 of the place spread them further than bit 17 does. */
static void test_swizzles_of_far_bits_are_told_apart(void) {
    const ws_search_terms terms = terms_of("st.shared.v4.b32", "ldmatrix.sync.aligned.m8n8.x1.shared.b16", 1);
    const ws_layout long_rows = {8, 12288, 0, 16, false, false, {0, 0, 0, false}, NULL, NULL};
    run(add(add(0, long_rows, 0, 2, 4, 11), long_rows, 0, 1, 5, 11), &terms, row);
    run(add(0, long_rows, 0, 1, 5, 11), &terms, other);
    CHECK_EQUAL(row[0].load_wavefronts, 1536 * 3);
    CHECK_EQUAL(row[1].load_wavefronts, other[0].load_wavefronts);
    CHECK(row[1].load_wavefronts > row[0].load_wavefronts);
}

static void test_reasons_come_in_their_order(void) {
    ws_search_terms terms = terms_of("st.shared.v4.b32", "ldmatrix.sync.aligned.m8n8.x4.shared.b16", 1);
    const ws_layout nibbles = {16, 64, 0, 4, false, false, {0, 0, 0, false}, NULL, NULL},
                    odd = {24, 64, 0, 16, false, false, {0, 0, 0, false}, NULL, NULL};
    const ws_layout large = {227, 512, 0, 16, false, false, {0, 0, 0, false}, NULL, NULL};
    size_t n = 0;
    static const int64_t expected[] = {WS_SEARCH_PAD,     WS_SEARCH_COVER,   WS_SEARCH_PITCH, WS_SEARCH_PITCH,
                                       WS_SEARCH_SWIZZLE, WS_SEARCH_COUNTED, WS_SEARCH_BYTES, WS_SEARCH_SWIZZLE};
    terms.max_bytes = 17000;
    n = add(n, nibbles, 1, 0, 0, 0);
    n = add(n, odd, 0, 0, 0, 0);
    n = add(n, classic, 4, 0, 0, 0);
    n = add(n, classic, 4, 3, 2, 3); /* the pitch is checked first */
    n = add(n, classic, 0, 3, 2, 3);
    n = add(n, classic, 0, 3, 3, 3);
    n = add(n, classic, 8, 3, 3, 3);
    n = add(n, classic, 8, 3, 2, 3); /* too many bytes, too */
    run(n, &terms, row);
    for (size_t i = 0; i < n; i++) {
        if (!CHECK_EQUAL(row[i].rejected, expected[i])) fprintf(stderr, "    candidate %zu\n", i);
        if (expected[i] == WS_SEARCH_COUNTED) continue;
        CHECK(row[i].store_wavefronts == 0 && row[i].load_wavefronts == 0 && row[i].bytes == 0 && row[i].cycles == 0);
    }
    terms = terms_of("st.shared.v4.b32", "ld.shared.v4.b32", 1);
    n = add(0, large, 0, 0, 0, 0);
    n = add(n, large, 8, 0, 0, 0);
    run(n, &terms, row);
    CHECK_EQUAL(row[0].rejected, WS_SEARCH_COUNTED);
    CHECK_EQUAL(row[1].rejected, WS_SEARCH_SHARED);
    for (size_t i = 0; i < WS_SEARCH_REASON_COUNT; i++) CHECK(ws_string_length(ws_search_reason_word((int)i)) > 6);
    CHECK_TEXT(ws_search_reason_word(-1), "?");
}

static void test_ranking_is_a_total_order_and_pareto_is_what_nothing_beats(void) {
    uint64_t state = 5;
    for (int round = 0; round < 40; round++) {
        const size_t n = 1 + (size_t)(check_random(&state) % 90);
        size_t i, k, counted, fronts, found = 0;
        for (i = 0; i < n; i++) {
            add(i, classic, (int64_t)(check_random(&state) % 2), (int)(check_random(&state) % 2),
                (int)(check_random(&state) % 2), (int)(check_random(&state) % 4) * 2 - 3);
            candidate[i].col_major = check_random(&state) % 2;
            row[i].rejected = check_random(&state) % 8 == 0 ? WS_SEARCH_PITCH : WS_SEARCH_COUNTED;
            row[i].cycles = (double)(check_random(&state) % 3);
            row[i].bytes = (int64_t)(check_random(&state) % 3);
        }
        counted = ws_search_rank(candidate, row, n, order, scratch);
        for (i = 0; i + 1 < counted; i++) CHECK(ws_search_compare(candidate, row, order[i], order[i + 1]) < 0);
        for (i = 0, k = 0; i < n; i++) k += row[i].rejected == WS_SEARCH_COUNTED;
        CHECK_EQUAL(counted, k);
        fronts = ws_search_pareto(row, order, counted, front);
        for (i = 0; i < counted; i++) {
            bool beaten = false;
            for (k = 0; k < counted; k++) {
                const ws_search_row *a = &row[order[k]], *b = &row[order[i]];
                beaten |=
                    a->cycles <= b->cycles && a->bytes <= b->bytes && (a->cycles < b->cycles || a->bytes < b->bytes);
            }
            if (!beaten && CHECK(found < fronts)) CHECK_EQUAL(front[found++], i);
        }
        CHECK_EQUAL(found, fronts);
    }
}

static void test_several_instructions_add_up_by_their_weights(void) {
    ws_search_terms terms = terms_of("st.shared.v4.b32", "ldmatrix.sync.aligned.m8n8.x4.shared.b16", 2), one = terms;
    const size_t n = fill_space(classic, 8, 2);
    static ws_search_row alone_row[3][MOST];
    ws_error error;
    terms.op[2] = op_of("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16");
    terms.weight[1] = 0.5;
    terms.weight[2] = 3.0;
    terms.count = 3;
    run(n, &terms, row);
    one.count = 1;
    for (int i = 0; i < 3; i++) {
        one.op[0] = terms.op[i];
        run(n, &one, alone_row[i]);
    }
    for (size_t k = 0; k < n; k++) {
        const ws_search_row *part[] = {&alone_row[0][k], &alone_row[1][k], &alone_row[2][k]};
        const bool all = part[0]->rejected == 0 && part[1]->rejected == 0 && part[2]->rejected == 0;
        CHECK_EQUAL(row[k].rejected == WS_SEARCH_COUNTED, all);
        if (!all) continue;
        CHECK_EQUAL(row[k].store_wavefronts, part[0]->store_wavefronts);
        CHECK_EQUAL(row[k].load_wavefronts, part[1]->load_wavefronts + part[2]->load_wavefronts);
        CHECK(fabs(row[k].cycles - part[0]->cycles - 0.5 * part[1]->cycles - 3.0 * part[2]->cycles) < 1e-6);
    }
    terms.count = WS_SEARCH_MOST_OPS + 1;
    CHECK_EQUAL(ws_search(candidate, 1, &terms, NULL, row, &error), WS_INVALID_ARGUMENT);
    CHECK_HAS(error.message, "1 to 16 instructions");
    terms.count = 0;
    CHECK_EQUAL(ws_search(candidate, 1, &terms, NULL, row, &error), WS_INVALID_ARGUMENT);
    terms.count = WS_SEARCH_MOST_OPS;
    for (int i = 0; i < terms.count; i++) {
        terms.op[i] = one.op[0];
        terms.weight[i] = 1.0;
    }
    run(1, &terms, row);
    run(1, &one, other);
    CHECK_EQUAL(row[0].load_wavefronts, WS_SEARCH_MOST_OPS * other[0].load_wavefronts);
}

static void test_instructions_without_lane_addresses_are_refused(void) {
    ws_search_terms terms = terms_of("st.shared.b32", "wmma.load.a.sync.aligned.row.m16n16k16.shared.f16", 1);
    ws_error error;
    add(0, classic, 0, 0, 0, 0);
    CHECK_EQUAL(ws_search_words(candidate, 1, &terms) > 0, 1);
    CHECK_EQUAL(ws_search(candidate, 1, &terms, NULL, row, &error), WS_INVALID_ARGUMENT);
    CHECK_HAS(error.message, "lane addresses");
}

CHECK_MAIN(test_the_classic_tile_has_its_known_answer, test_every_candidate_counts_what_it_counts_alone_at_every_level,
           test_bit_moves_are_the_same_at_every_level, test_swizzles_of_far_bits_are_told_apart,
           test_reasons_come_in_their_order, test_ranking_is_a_total_order_and_pareto_is_what_nothing_beats,
           test_several_instructions_add_up_by_their_weights, test_instructions_without_lane_addresses_are_refused)
