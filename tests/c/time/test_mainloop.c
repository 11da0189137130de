/* Main loops: what is refused and in which words, what is counted, and that time behaves. */
#include "../ops.h"

static ws_mainloop_storage storage;

static ws_mainloop loop_of(int64_t m, int64_t n, int64_t k, int64_t warps_m, int64_t warps_n, int64_t stages,
                           bool trans_b, int64_t pad) {
    ws_mainloop loop;
    loop.m = m;
    loop.n = n;
    loop.k = k;
    loop.warps_m = warps_m;
    loop.warps_n = warps_n;
    loop.stages = stages;
    loop.trans_b = trans_b;
    loop.a = halves(m, k, pad);
    loop.b = trans_b ? halves(k, n, pad) : halves(n, k, pad);
    loop.simd = WS_SIMD_AUTO;
    loop.narrow_sums = loop.unpacked = false;
    return loop;
}

static ws_mainloop plain(int64_t m, int64_t n, int64_t k, int64_t warps_m, int64_t warps_n, int64_t stages) {
    return loop_of(m, n, k, warps_m, warps_n, stages, false, 8);
}

static bool finite_and_positive(double x) { return x > 0 && x < 1e9; }

static ws_mainloop_cost cost_at(const ws_mainloop *loop, const char *target) {
    const ws_profile profile = ws_profile_of(ws_target_find(target));
    ws_mainloop_cost cost;
    ws_error error;
    memset(&cost, 0, sizeof cost);
    if (!CHECK_EQUAL(ws_mainloop_cost_of(loop, &profile, &storage, &cost, &error), WS_OK)) {
        fprintf(stderr, "    %d x %d x %d: %s\n", (int)loop->m, (int)loop->n, (int)loop->k, error.message);
    }
    return cost;
}

static ws_mainloop_cost cost_of(const ws_mainloop *loop) { return cost_at(loop, "sm_90"); }

/* --- arguments --------------------------------------------------------------------------- */

static void check_refused(const ws_mainloop *loop, const char *expected, const char *given) {
    const ws_profile profile = ws_profile_of(WS_NO_TARGET);
    ws_mainloop_cost cost;
    ws_error error;
    CHECK_EQUAL(ws_mainloop_cost_of(loop, &profile, &storage, &cost, &error), WS_INVALID_ARGUMENT);
    CHECK_HAS(error.message, expected);
    CHECK_HAS(error.message, given);
    CHECK_EQUAL(strncmp(error.message, error.argument, strlen(error.argument)), 0);
    CHECK_EQUAL(strncmp(ws_error_sentence(&error) - 2, ": ", 2), 0);
    CHECK_EQUAL(ws_mainloop_cost_of(loop, &profile, &storage, &cost, NULL), WS_INVALID_ARGUMENT);
}

static void test_sizes_warps_and_stages_from_both_sides(void) {
    static const struct {
        int64_t m, n, k, warps_m, warps_n, stages;
        const char *expected, *given; /* NULL: it is taken */
    } cases[] = {
        {64, 64, 16, 2, 2, 2, NULL, NULL},
        {64, 64, 24, 2, 2, 2, "tile: expected K a multiple of 32 bytes", "; got 64 x 64 x 24"},
        {48, 64, 16, 2, 2, 2, "tile: expected M a multiple", "48 x 64 x 16"},
        {64, 80, 16, 2, 2, 2, "tile: expected M a multiple", "64 x 80 x 16"},
        {64, 64, 8, 2, 2, 2, "tile: expected K a multiple of 32 bytes", "64 x 64 x 8"},
        {0, 64, 16, 2, 2, 2, "tile: expected M, N and K from 1 to 4096", "; got 0 x 64 x 16"},
        {64, -16, 16, 2, 2, 2, "tile: expected M, N and K from 1 to 4096", "; got 64 x -16 x 16"},
        {64, 64, 4112, 2, 2, 2, "tile: expected M, N and K from 1 to 4096", "; got 64 x 64 x 4112"},
        {INT64_MAX, INT64_MAX, INT64_MAX, 2, 2, 2, "tile: expected M, N and K from 1 to 4096", "9223372036854775807"},
        {256, 128, 16, 1, 1, 2, NULL, NULL}, /* 16 x 16 mma of one warp */
        {256, 512, 16, 1, 4, 2, NULL, NULL}, /* of each of four warps */
        {256, 144, 16, 1, 1, 2, "tile: too large for the warps", "256 x 144 x 16"},
        {4096, 4096, 16, 1, 1, 0, "tile: too large for the warps", "4096 x 4096 x 16"},
        {16, 16, 4096, 1, 1, 0, NULL, NULL},   /* 512 loads */
        {256, 256, 2032, 2, 2, 2, NULL, NULL}, /* 8128 loads, 4072 copies */
        {256, 256, 2048, 2, 2, 2, "tile: too large; at most 8192 ldmatrix and 4096 cp.async", "256 x 256 x 2048"},
        {256, 256, 2064, 2, 2, 0, "tile: too large; at most", "256 x 256 x 2064"},
        {128, 64, 16, 8, 4, 2, NULL, NULL},
        {16 * 32, 16, 16, 32, 1, 2, NULL, NULL},
        {16 * 33, 16, 16, 33, 1, 2, "warps: expected a grid of 1 to 32 warps", "; got 33 x 1"},
        {16 * 11, 16 * 3, 16, 11, 3, 2, "warps: expected", "11 x 3"},
        {64, 64, 16, 0, 2, 2, "warps: expected", "0 x 2"},
        {64, 64, 16, 2, -1, 2, "warps: expected", "2 x -1"},
        {64, 64, 16, INT64_MAX, INT64_MAX, 2, "warps: expected", "9223372036854775807"},
        {64, 64, 32, 2, 2, 0, NULL, NULL},
        {64, 64, 32, 2, 2, 15, NULL, NULL},
        {64, 64, 32, 2, 2, 16, "stages: expected 0 to 15", "; got 16"},
        {64, 64, 32, 2, 2, -1, "stages: expected 0 to 15", "; got -1"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const ws_mainloop loop =
            plain(cases[i].m, cases[i].n, cases[i].k, cases[i].warps_m, cases[i].warps_n, cases[i].stages);
        if (cases[i].expected != NULL) check_refused(&loop, cases[i].expected, cases[i].given);
        else CHECK(finite_and_positive(cost_of(&loop).cycles));
    }
}

static void test_layouts_must_fit(void) {
    ws_mainloop loop = plain(64, 32, 16, 2, 2, 2);
    loop.a = halves(64, 32, 0);
    check_refused(&loop, "a: expected a row-major layout of M x K", "");
    loop = plain(64, 32, 16, 2, 2, 2);
    loop.b = halves(16, 32, 0);
    check_refused(&loop, "b: expected a row-major layout of N x K", "");
    loop.trans_b = true;
    (void)cost_of(&loop);
    loop.b = halves(32, 16, 0);
    check_refused(&loop, "b: expected a row-major layout of K x N", "");
    loop = plain(64, 32, 16, 2, 2, 2);
    loop.a.element_bits = 8;
    check_refused(&loop, "b: expected", "as wide as those of A");
    loop.b.element_bits = 8;
    check_refused(&loop, "tile: expected K a multiple of 32 bytes", "64 x 32 x 16");
    loop.trans_b = true;
    check_refused(&loop, "a: expected", "with trans_b 16");
    loop.a.element_bits = 4;
    check_refused(&loop, "a: expected", "8, 16 or 32 bits");
    loop = plain(64, 32, 16, 2, 2, 2);
    loop.b.col_major = true;
    check_refused(&loop, "b: expected", "row-major");
}

static void test_rows_must_be_aligned(void) {
    static const int64_t pads[] = {1, 2, 4, 7, 12};
    for (int i = 0; i < (int)(sizeof pads / sizeof *pads); i++) {
        ws_mainloop loop = plain(64, 64, 32, 2, 2, 2);
        loop.a.pad = pads[i];
        check_refused(&loop, "a, b: a row of 16 bytes is not aligned", "pad by multiples of 8");
        loop = plain(64, 64, 32, 2, 2, 0);
        loop.b.pad = pads[i];
        check_refused(&loop, "a, b: a row of 16 bytes is not aligned", "");
    }
    for (int i = 0; i <= 64; i += 8) {
        const ws_mainloop loop = loop_of(64, 64, 32, 2, 2, 2, false, i);
        (void)cost_of(&loop);
    }
}

static void test_targets_without_cp_async_are_refused(void) {
    const ws_mainloop loop = plain(64, 64, 32, 2, 2, 2);
    const ws_profile turing = ws_profile_of(ws_target_find("sm_75"));
    ws_mainloop_cost cost;
    ws_error error;
    CHECK_EQUAL(ws_mainloop_cost_of(&loop, &turing, &storage, &cost, &error), WS_UNSUPPORTED);
    CHECK_HAS(error.message, "target: cp.async and mma.sync.m16n8k16 need sm_80");
    CHECK(finite_and_positive(cost_at(&loop, "sm_80").cycles));
}

/* --- counts ------------------------------------------------------------------------------ */

static void test_counts_by_hand(void) {
    ws_mainloop loop = loop_of(128, 128, 32, 2, 2, 3, false, 8); /* rows of 80 bytes: ldmatrix is free, .cg pays 15 */
    ws_mainloop_cost cost = cost_of(&loop);
    CHECK_EQUAL(cost.mma, 8 * 16 * 2);
    CHECK_EQUAL(cost.registers, 8 + 4 * 4 * 8 + 3 * 8 + 5 * 12);
    CHECK_EQUAL(cost.global_bytes, 2 * 256 * 32);
    CHECK_EQUAL(cost.shared_bytes, 3 * 2 * 128 * 80);
    CHECK_EQUAL(cost.load_wavefronts, 4 * 2 * (4 + 4) * 4);
    CHECK_EQUAL(cost.store_wavefronts, 32 * 15);
    CHECK(near(cost.part[WS_BOUND_TENSOR], 64 * 6.5));
    CHECK(near(cost.part[WS_BOUND_GLOBAL], 32 * 4 * 1.06));
    CHECK(near(cost.part[WS_BOUND_ISSUE], 25 + 5 * 8 + 16 + 64 + 5 * 8));
    CHECK(near(cost.tensor_fraction, 256 / cost.cycles));

    loop = loop_of(128, 128, 64, 4, 2, 1, false, 0); /* rows of 128 bytes: every matrix in the same four banks */
    cost = cost_of(&loop);
    CHECK_EQUAL(cost.load_wavefronts, 4 * (8 * 2 + 8 * 4) * 32);
    CHECK_EQUAL(cost.store_wavefronts, 64 * 4);
    CHECK_EQUAL(cost.shared_bytes, 2 * 128 * 128);

    loop = loop_of(64, 64, 32, 1, 1, 0, true, 8); /* B is K x N, rows of 144 bytes */
    cost = cost_of(&loop);
    CHECK_EQUAL(cost.mma, 4 * 8 * 2);
    CHECK_EQUAL(cost.load_wavefronts, 2 * (4 + 4) * 4);
    CHECK_EQUAL(cost.store_wavefronts, 0);
    CHECK_EQUAL(cost.global_bytes, 0);
    CHECK_EQUAL(cost.shared_bytes, 64 * 80 + 32 * 144);
    CHECK(near(cost.part[WS_BOUND_DATA_PIPE], 2 * (4 + 4) * 4));
}

static void test_loads_alternate_between_a_and_b(void) {
    ws_pipeline_work work;
    memset(&work, 0, sizeof work);
    work.loads_a = 2;
    work.loads_b = 2; /* A0 B0 A1 B1: 2 mma after two loads, 4 after three, all 8 after four */
    for (int m = 0; m < 8; m++) CHECK_EQUAL(ws_pipeline_need(&work, m), m < 2 ? 1 : m < 4 ? 2 : 3);
    work.loads_a = 1;
    work.loads_b = 4;
    for (int m = 0; m < 8; m++) CHECK_EQUAL(ws_pipeline_need(&work, m), 1 + m / 2);
}

/* --- time -------------------------------------------------------------------------------- */

static int64_t pick(uint64_t *state, int64_t count) { return (int64_t)(check_random(state) % (uint64_t)count); }

static void test_cycles_are_never_below_the_busiest_pipe(void) {
    static const char *const targets[] = {"sm_80", "sm_86", "sm_89", "sm_90", "sm_100a", "sm_103", "sm_120"};
    for (int round = 0; round < 7 * 3 * 4 * 3; round++) {
        const int grid = 1 << round / 7 % 3, per_warp = 1 + round / 21 % 4;
        const ws_mainloop loop =
            loop_of(16 * grid * per_warp, 32 * per_warp, 32, grid, 2, round / 84, round % 2 == 1, 8);
        const ws_mainloop_cost cost = cost_at(&loop, targets[round % 7]);
        CHECK(finite_and_positive(cost.cycles) && cost.tensor_fraction > 0 && cost.tensor_fraction <= 1);
        for (int part = 0; part < WS_BOUND_COUNT; part++) {
            CHECK(cost.part[part] >= 0 && (part == WS_BOUND_LATENCY || cost.part[part] <= cost.cycles));
        }
    }
}

/* Each load of one warp and slab: w wavefronts, then w + 1. */
static void test_pipeline_more_wavefronts_are_never_faster(void) {
    static uint16_t loads[32 * 4 * 8], copies[16 * 32];
    const ws_profile profile = ws_profile_of(WS_NO_TARGET);
    uint64_t state = 5;
    for (int round = 0; round < 40; round++) {
        ws_pipeline_work work;
        double before = 0;
        work.warps = 1 << pick(&state, 5);
        work.barrier = true;
        work.stages = (int)pick(&state, 5);
        work.steps = 1 + (int)pick(&state, 4);
        work.loads_a = work.rows = 1 + (int)pick(&state, 4);
        work.loads_b = 1 + (int)pick(&state, 4);
        work.cols = 2 * work.loads_b;
        work.lead = 1 + (int)pick(&state, 12);
        work.spare = (int)pick(&state, 12);
        work.load_slots = (int)pick(&state, 2);
        work.mma_slots = (double)pick(&state, 8);
        work.copies = work.stages > 0 ? 1 + (int)pick(&state, 16) : 0;
        work.load_wavefronts = loads;
        work.copy_wavefronts = copies;
        for (int w = 4; w <= 36; w += 4) {
            double cycles;
            for (int i = 0; i < 32 * 4 * 8; i++) loads[i] = (uint16_t)w;
            for (int i = 0; i < 16 * 32; i++) copies[i] = (uint16_t)w;
            cycles = ws_pipeline_run(&storage.sm, &work, &profile, 6, 6);
            CHECK(finite_and_positive(cycles));
            CHECK(cycles >= 0.98 * before);
            before = cycles;
        }
    }
}

/* One warp that loads A and B once and multiplies twice, without a barrier, where `constant` has that value. */
static double cycles_of_a_warp(int stages, int copies, int constant, double value) {
    static uint16_t wavefronts[2] = {4, 4};
    ws_profile profile = ws_profile_of(WS_NO_TARGET);
    ws_pipeline_work work;
    memset(&work, 0, sizeof work);
    work.warps = work.steps = work.rows = work.loads_a = work.loads_b = 1;
    work.cols = 2;
    work.stages = stages;
    work.copies = copies;
    work.barrier = copies > 0; /* which waits for them */
    work.load_wavefronts = work.copy_wavefronts = wavefronts;
    profile.constant[constant].value = value;
    return ws_pipeline_run(&storage.sm, &work, &profile, 6, 6);
}

static void test_pipeline_of_one_warp(void) {
    const double none = cycles_of_a_warp(0, 0, WS_MMA_INTERVAL, 6.5);
    CHECK(near(cycles_of_a_warp(0, 0, WS_MMA_INTERVAL, 1000), 2 * 1000)); /* nothing else takes that long */
    CHECK(cycles_of_a_warp(2, 2, WS_COPY_PATH, 1000) >= 2 * 4 * 1000);
    /* which looks for a copy to issue, and at its stage */
    CHECK(near(cycles_of_a_warp(2, 0, WS_MMA_INTERVAL, 6.5), none + 1 + 10 * 1.35));
}

/* Loads are issued ahead while there are registers for them; without, each waits for itself. */
static void test_loops_short_of_registers(void) {
    static uint16_t loads[4 * 8];
    const ws_profile profile = ws_profile_of(WS_NO_TARGET);
    ws_pipeline_work work;
    double ahead;
    for (int i = 0; i < 4 * 8; i++) loads[i] = 4;
    memset(&work, 0, sizeof work);
    work.warps = 1;
    work.steps = 4;
    work.rows = work.loads_a = 7;
    work.loads_b = 1;
    work.cols = 2;
    work.load_wavefronts = work.copy_wavefronts = loads;
    work.lead = 12;
    work.spare = 10;
    ahead = ws_pipeline_run(&storage.sm, &work, &profile, 6, 6);
    work.lead = 2;
    work.spare = 0;
    CHECK(ws_pipeline_run(&storage.sm, &work, &profile, 6, 6) > 1.2 * ahead);
    work.lead = 12;
    work.spare = 10;
    work.mma_slots = 10; /* conversions: 16.5 cycles a sub-partition for each mma */
    CHECK(ws_pipeline_run(&storage.sm, &work, &profile, 6, 6) >= 16.5 * 4 * 14);
}

/* Copies leave the data pipe to loads: two stages that are limited by neither take the time of the mma. */
static void test_loads_go_before_data_that_have_arrived(void) {
    const ws_mainloop loop = loop_of(64, 64, 128, 2, 2, 3, false, 8);
    const ws_mainloop_cost cost = cost_of(&loop);
    CHECK(cost.cycles < cost.part[WS_BOUND_DATA_PIPE] + cost.part[WS_BOUND_TENSOR] / 2);
}

/* Loops of which each is held up by something else: a constant that is much larger makes one of them slower. */
static void test_every_constant_of_a_loop_is_felt(void) {
    static const ws_profile_constant felt[] = {
        WS_LOAD_LATENCY,  WS_WAVEFRONT_LATENCY, WS_LOAD_PORT,       WS_COPY_LATENCY,        WS_COPY_PATH,
        WS_COPY_ISSUE,    WS_COPY_SLOTS,        WS_COPY_SETUP,      WS_COPY_CONFLICT_ISSUE, WS_COPY_CONFLICT_ARRIVAL,
        WS_MMA_INTERVAL,  WS_MMA_LATENCY,       WS_BARRIER_LATENCY, WS_BARRIER_INTERVAL,    WS_LOOP_SLOTS,
        WS_SLOT_INTERVAL, WS_STAGE_SLOTS,
    };
    const ws_mainloop loops[] = {plain(64, 64, 32, 1, 1, 1), plain(64, 64, 32, 2, 2, 3)};
    for (size_t i = 0; i < sizeof felt / sizeof felt[0]; i++) {
        bool slower = false;
        for (size_t j = 0; j < 2; j++) {
            ws_profile profile = ws_profile_of(WS_NO_TARGET);
            ws_mainloop_cost cost;
            profile.constant[felt[i]].value += 1000;
            CHECK_EQUAL(ws_mainloop_cost_of(&loops[j], &profile, &storage, &cost, NULL), WS_OK);
            slower |= cost.cycles > cost_of(&loops[j]).cycles + 1;
        }
        if (!CHECK(slower)) fprintf(stderr, "    %s\n", ws_profile_constant_at((int)felt[i])->name);
    }
}

static void test_result_does_not_depend_on_what_the_storage_held(void) {
    const ws_mainloop loop = plain(128, 128, 32, 2, 2, 4);
    ws_mainloop_cost first, second;
    memset(&storage, 0x00, sizeof storage);
    first = cost_of(&loop);
    memset(&storage, 0x5a, sizeof storage);
    second = cost_of(&loop);
    CHECK(near(first.cycles, second.cycles));
    CHECK_EQUAL(first.bound, second.bound);
}

CHECK_MAIN(test_sizes_warps_and_stages_from_both_sides, test_layouts_must_fit, test_rows_must_be_aligned,
           test_targets_without_cp_async_are_refused, test_counts_by_hand, test_loads_alternate_between_a_and_b,
           test_cycles_are_never_below_the_busiest_pipe, test_pipeline_more_wavefronts_are_never_faster,
           test_pipeline_of_one_warp, test_loops_short_of_registers, test_loads_go_before_data_that_have_arrived,
           test_every_constant_of_a_loop_is_felt, test_result_does_not_depend_on_what_the_storage_held)
