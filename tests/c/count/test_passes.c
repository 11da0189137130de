/* Bank passes: every level that this CPU has gives what the scalar rule of simd/banks.h gives. */
#include <warpsim/warpsim.h>

#include "../check.h"

enum { GROUPS = 4096, FENCE = 64 };

static uint32_t addresses[GROUPS * 32];
static uint8_t passes[GROUPS + FENCE], expected[GROUPS];
static size_t warps_compared[WS_SIMD_COUNT];

static int unit_bytes_of(int lanes) { return 128 / lanes; }

/* banks.h, one group at a time, by words. */
static void expect(const uint32_t *address, size_t groups, int lanes) {
    const uint32_t unit_bytes = (uint32_t)unit_bytes_of(lanes);
    for (size_t group = 0; group < groups; group++) {
        uint64_t wide[32] = {0};
        for (int lane = 0; lane < lanes; lane++)
            wide[lane] = address[group * (size_t)lanes + (size_t)lane] / unit_bytes * unit_bytes;
        expected[group] = (uint8_t)ws_bank_passes(wide, lanes == 32 ? UINT32_MAX : (1u << lanes) - 1, (int)unit_bytes);
    }
}

static void compare(const char *what, size_t groups, int lanes) {
    expect(addresses, groups, lanes);
    for (int level = WS_SIMD_PORTABLE; level <= ws_simd_best(); level++) {
        bool same = true;
        memset(passes, 0xee, sizeof passes);
        ws_passes(addresses, groups, lanes, passes, level);
        for (size_t i = 0; i < groups; i++) same &= passes[i] == expected[i];
        for (size_t i = groups; i < groups + FENCE; i++) same &= passes[i] == 0xee;
        if (!CHECK(same))
            fprintf(stderr, "    %s, %d lanes, %zu groups, %s\n", what, lanes, groups, ws_simd_word(level));
        warps_compared[level] += groups * (size_t)lanes / 32;
    }
}

typedef enum pattern { RANDOM, FEW_ROWS, ONE_BANK, PERMUTED, EQUAL, STRIDED, MISALIGNED, MIXED, PATTERNS } pattern;

static void fill(pattern kind, size_t groups, int lanes, uint32_t limit_units, uint64_t *seed) {
    const uint32_t unit = (uint32_t)unit_bytes_of(lanes), banks = (uint32_t)lanes;
    for (size_t group = 0; group < groups; group++) {
        const pattern here = kind == MIXED ? (pattern)(check_random(seed) % MIXED) : kind;
        const uint32_t one = (uint32_t)check_random(seed) % limit_units, stride = 1 + (uint32_t)check_random(seed) % 64;
        for (uint32_t lane = 0; lane < (uint32_t)lanes; lane++) {
            const uint32_t any = (uint32_t)(check_random(seed) >> 32) % limit_units;
            uint32_t at = any;
            switch (here) {
                case FEW_ROWS: at = (one + any % 3 * banks + any % 5) % limit_units; break;
                case ONE_BANK: at = (one % banks + any % 40 * banks) % limit_units; break;
                case PERMUTED: at = any / banks * banks + (lane * 5 + one) % banks; break; /* 5 is odd: no conflict */
                case EQUAL: at = one; break;
                case STRIDED: at = (one + lane * stride) % limit_units; break;
                default: break;
            }
            if (at >= limit_units) at %= limit_units;
            addresses[group * (size_t)lanes + lane] = at * unit + (here == MISALIGNED ? any % unit : 0);
        }
    }
}

/* At least a million warps at every level. */
static void test_random_and_adversarial_warps_agree(void) {
    uint64_t seed = 1;
    for (int round = 0; round < 24; round++) {
        for (int lanes = 8; lanes <= 32; lanes *= 2) {
            for (int kind = 0; kind < PATTERNS; kind++) {
                const size_t groups = GROUPS * 32 / 4 / (size_t)lanes;
                fill((pattern)kind, groups, lanes, round % 3 == 0 ? 3072 : 14336, &seed);
                compare("pattern", groups, lanes);
            }
        }
    }
    for (int level = WS_SIMD_PORTABLE; level <= ws_simd_best(); level++) CHECK(warps_compared[level] > 500000);
}

static void test_every_number_of_groups_agrees(void) {
    uint64_t seed = 2;
    for (int lanes = 8; lanes <= 32; lanes *= 2) {
        for (size_t groups = 0; groups <= 100; groups++) {
            fill(MIXED, groups, lanes, 14336, &seed);
            compare("number of groups", groups, lanes);
        }
    }
}

/* Kernels that look for conflicts first must look at every group. */
static void test_one_group_among_free_ones_is_found(void) {
    enum { MANY = 130 };
    uint64_t seed = 6;
    for (int lanes = 8; lanes <= 32; lanes *= 2) {
        for (int group = 0; group < MANY; group++) {
            fill(PERMUTED, MANY, lanes, 3072, &seed);
            for (int lane = 0; lane < lanes; lane++) addresses[group * lanes + lane] = (uint32_t)lane * 128;
            compare("one group", MANY, lanes);
            CHECK_EQUAL(expected[group], lanes);
        }
    }
}

/* The last units that vectors of 16 bits hold, and the first that they do not: at every lane, alone among small ones. */
static void test_sixteen_bits_both_sides(void) {
    uint64_t seed = 3;
    for (int lanes = 8; lanes <= 32; lanes *= 2) {
        for (int lane = 0; lane < lanes; lane++) {
            for (int i = -3; i <= 3; i++) {
                const uint32_t unit = (uint32_t)unit_bytes_of(lanes);
                fill(MIXED, 70, lanes, 3072, &seed);
                addresses[37 * lanes + lane] = (uint32_t)(0x10000 + i) * unit;
                addresses[37 * lanes + (lane + 1) % lanes] =
                    (uint32_t)i * unit + (i < 0 ? 0x10000 * unit : 0); /* the same, cut */
                compare("sixteen bits", 70, lanes);
            }
            addresses[lane] = UINT32_MAX;
            compare("all bits", 1, lanes);
        }
    }
}

/* Totals and single counts of an instruction, at every level and with everything that sends groups through a batch. */
static void test_counts_agree_with_the_scalar_rule(void) {
    static const char *const texts[] = {
        "ldmatrix.sync.aligned.m8n8.x1.shared.b16",
        "ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16",
        "ldmatrix.sync.aligned.m8n8.x4.shared.b16",
        "ldmatrix.sync.aligned.m8n16.x2.shared.s8.s4",
        "stmatrix.sync.aligned.m8n8.x4.shared.b16",
        "ld.shared.v4.b32",
        "ld.shared.v2.b32",
        "ld.shared.b64",
        "ld.shared.b32",
        "ld.shared.u8",
        "ld.shared.v2.b16",
        "st.shared.v4.b32",
        "st.shared.b64",
        "st.shared.b8",
    };
    uint64_t seed = 4;
    uint32_t active[200], exited[200];
    for (size_t text = 0; text < sizeof texts / sizeof *texts; text++) {
        ws_error error;
        ws_op op;
        CHECK_EQUAL(ws_parse(texts[text], &op, &error), WS_OK);
        for (int round = 0; round < 12; round++) {
            const size_t n = 1 + (size_t)check_random(&seed) % 200;
            ws_counts total = {0, 0, 0, 0, 0, 0}, one[200];
            ws_access access = ws_access_make(addresses, n);
            ws_plan plan;
            fill(round % 4 == 1 ? EQUAL : MIXED, n, 32, 57344, &seed);
            for (size_t i = 0; i < n; i++) {
                active[i] = check_random(&seed) % 4 == 0 ? 0 : (uint32_t)check_random(&seed);
                exited[i] = (uint32_t)(check_random(&seed) & check_random(&seed));
                if (round % 4 == 2) { /* pairs: loads merge */
                    for (size_t lane = 0; lane < 32; lane++) {
                        addresses[32 * i + lane] =
                            addresses[32 * i + (i % 2 == 0 ? lane / 2 * 2 : lane / 4 * 4 + lane % 2)];
                    }
                }
            }
            if (round % 2 == 1) access.active = active;
            if (round % 3 == 1) access.exited = exited;
            plan = ws_plan_make(&op, &access);
            for (size_t i = 0; i < n; i++) {
                one[i] = ws_count_warp(&plan, &access, i);
                ws_counts_add(&total, &one[i]);
            }
            for (int level = WS_SIMD_AUTO; level <= ws_simd_best(); level++) {
                ws_counts found[200], sum;
                access.simd = level;
                memset(found, 0xee, sizeof found);
                plan = ws_plan_make(&op, &access);
                ws_count_range(&plan, &access, 0, n, found, NULL);
                CHECK_EQUAL(ws_count(&op, &access, &sum, &error), WS_OK);
                CHECK(memcmp(&sum, &total, sizeof sum) == 0);
                if (!CHECK(memcmp(found, one, n * sizeof *one) == 0))
                    fprintf(stderr, "    %s, %s\n", texts[text], ws_simd_word(level));
            }
        }
    }
}

static void test_levels_are_named_and_clamped(void) {
    CHECK_EQUAL(ws_simd_level(WS_SIMD_PORTABLE), WS_SIMD_PORTABLE);
    CHECK_EQUAL(ws_simd_level(WS_SIMD_AUTO), ws_simd_best());
    CHECK_EQUAL(ws_simd_level(WS_SIMD_COUNT), ws_simd_best());
    CHECK_EQUAL(ws_simd_level(-1), ws_simd_best());
    CHECK(ws_simd_level(WS_SIMD_SSE2) <= WS_SIMD_SSE2);
    CHECK_TEXT(ws_simd_word(WS_SIMD_AVX512), "avx512");
    CHECK_TEXT(ws_simd_word(WS_SIMD_COUNT), "?");
}

CHECK_MAIN(test_random_and_adversarial_warps_agree, test_every_number_of_groups_agrees,
           test_one_group_among_free_ones_is_found, test_sixteen_bits_both_sides,
           test_counts_agree_with_the_scalar_rule, test_levels_are_named_and_clamped)
