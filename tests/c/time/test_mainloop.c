/* Main loops: what is refused and in which words, what is counted, and that time behaves. */
#include "../loops.h"

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

/* Instructions of a warp in an iteration. */
static int length_of(const ws_mainloop *loop) {
    int64_t registers;
    const ws_work work = ws_compiled_work(loop, 0, 0, &registers);
    ws_iteration_write(&storage.schedule, &work);
    return storage.schedule.full ? -1 : storage.schedule.count;
}

/* Sixteen times eight fragments of unpacked elements, at ever larger K. */
static void test_iterations_that_are_too_long(void) {
    int64_t k = 16;
    int length = 0, before = 0;
    ws_mainloop loop;
    do {
        loop = plain(256, 128, k += 16, 1, 1, 0);
        loop.unpacked = true;
        before = length;
        length = length_of(&loop);
    } while (length >= 0 && k < 2704);
    CHECK(length < 0 && before > WS_SCHEDULE_MOST - 1000); /* a step is a few hundred */
    check_refused(&loop, "tile: too large; at most 65536 instructions of a warp per iteration", "; got 256 x 128 x ");
    loop = plain(256, 128, k - 16, 1, 1, 0);
    loop.unpacked = true;
    CHECK(finite_and_positive(cost_of(&loop).cycles));
    CHECK_EQUAL(storage.schedule.count, before);
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

static double value_of(ws_profile_constant constant) {
    const ws_profile profile = ws_profile_of(WS_NO_TARGET);
    return ws_profile_get(&profile, constant);
}

static void test_counts_by_hand(void) {
    ws_mainloop loop = loop_of(128, 128, 32, 2, 2, 3, false, 8); /* rows of 80 bytes: ldmatrix is free, .cg pays 15 */
    ws_mainloop_cost cost = cost_of(&loop);
    CHECK_EQUAL(cost.mma, 8 * 16 * 2);
    CHECK_EQUAL(cost.global_bytes, 2 * 256 * 32);
    CHECK_EQUAL(cost.shared_bytes, 3 * 2 * 128 * 80);
    CHECK_EQUAL(cost.load_wavefronts, 4 * 2 * (4 + 4) * 4);
    CHECK_EQUAL(cost.store_wavefronts, 32 * 15);
    CHECK(near(cost.part[WS_BOUND_TENSOR], 64 * value_of(WS_MMA_INTERVAL)));
    CHECK(near(cost.part[WS_BOUND_GLOBAL], 32 * 4 * value_of(WS_COPY_PATH)));
    CHECK(near(cost.part[WS_BOUND_ISSUE], slots_of(-1)));
    /* what the stage of the copies has to do: more than 256 of loads and four of each copy */
    CHECK(near(cost.part[WS_BOUND_DATA_PIPE], 32 * 15));
    CHECK(near(cost.tensor_fraction, 256 / cost.cycles));
    CHECK_EQUAL(count_of(WS_SCHEDULE_LOAD), 2 * (4 + 4));
    CHECK_EQUAL(count_of(WS_SCHEDULE_COPY), 2 * 4);

    loop = loop_of(64, 64, 32, 1, 1, 3, false, 8); /* of one warp: 64 wavefronts of loads, 16 copies */
    cost = cost_of(&loop);
    CHECK_EQUAL(cost.load_wavefronts, 64);
    CHECK(near(cost.part[WS_BOUND_DATA_PIPE], 16 * 15));
    loop.a.pad = loop.b.pad = 0;
    loop.a.swizzle = loop.b.swizzle = ws_swizzle_make(2, 3, 3); /* 4 of each copy */
    cost = cost_of(&loop);
    CHECK_EQUAL(cost.load_wavefronts, 64);
    CHECK(near(cost.part[WS_BOUND_DATA_PIPE], 64 + 16 * 4));

    loop = loop_of(128, 128, 64, 4, 2, 1, false, 0); /* rows of 128 bytes: every matrix in the same four banks */
    cost = cost_of(&loop);
    CHECK_EQUAL(cost.load_wavefronts, 4 * (8 * 2 + 8 * 4) * 32);
    CHECK_EQUAL(cost.store_wavefronts, 64 * 4);
    CHECK_EQUAL(cost.shared_bytes, 2 * 128 * 128);
    CHECK(near(cost.part[WS_BOUND_ISSUE], 2 * slots_of(-1))); /* two warps of a sub-partition */
    CHECK(near(cost.part[WS_BOUND_TENSOR], 2 * 64 * value_of(WS_MMA_INTERVAL)));

    loop = loop_of(64, 64, 32, 1, 1, 0, true, 8); /* B is K x N, rows of 144 bytes */
    cost = cost_of(&loop);
    CHECK_EQUAL(cost.mma, 4 * 8 * 2);
    CHECK_EQUAL(cost.load_wavefronts, 2 * (4 + 4) * 4);
    CHECK_EQUAL(cost.store_wavefronts, 0);
    CHECK_EQUAL(cost.global_bytes, 0);
    CHECK_EQUAL(cost.shared_bytes, 64 * 80 + 32 * 144);
    CHECK(near(cost.part[WS_BOUND_DATA_PIPE], 2 * (4 + 4) * 4));
}

static void check_copies(const ws_mainloop *loop, int copies, const int wavefronts[2]) {
    memset(&storage, 0x5a, sizeof storage);
    (void)cost_of(loop);
    for (int i = 0; i < copies; i++) CHECK_EQUAL(storage.copy_wavefronts[i], wavefronts[i >= copies / 2]);
}

/* Of 128 x 32 halves on 4 warps: a copy writes eight rows, in 15 wavefronts where they are 80 bytes apart. Those of B
 * come after the four of A. */
static void test_wavefronts_of_copies(void) {
    ws_mainloop loop = loop_of(128, 128, 32, 2, 2, 3, false, 0);
    check_copies(&loop, 2 * 4 * 4, (const int[]){4, 4});
    loop.a.pad = 8;
    check_copies(&loop, 2 * 4 * 4, (const int[]){15, 4});
    loop.b.pad = 8;
    check_copies(&loop, 2 * 4 * 4, (const int[]){15, 15});
    loop.a.pad = 0;
    check_copies(&loop, 2 * 4 * 4, (const int[]){4, 15});
    loop.b.pad = 0;
    loop.a.swizzle = loop.b.swizzle = ws_swizzle_make(2, 3, 3); /* all banks once in eight lanes */
    check_copies(&loop, 2 * 4 * 4, (const int[]){4, 4});
}

/* Rows of other lengths and paddings; where a copy begins in the midst of a line, every second one takes more. */
static void test_wavefronts_of_padded_rows(void) {
    static const struct {
        int64_t k, pad;
        int even, odd;
    } cases[] = {{16, 8, 24, 24}, {16, 16, 16, 16}, {16, 32, 12, 12}, {32, 32, 8, 8},
                 {64, 0, 4, 4},   {64, 8, 10, 11},  {64, 16, 7, 7},   {64, 32, 6, 6}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const ws_mainloop loop = loop_of(128, 128, cases[i].k, 2, 2, 3, false, cases[i].pad);
        (void)cost_of(&loop);
        for (int copy = 0; copy < 2 * 4 * cases[i].k / 8; copy++)
            CHECK_EQUAL(storage.copy_wavefronts[copy], copy % 2 == 0 ? cases[i].even : cases[i].odd);
    }
}

/* Sums of f16 lie two in a register; two mma instead of one multiply unpacked elements. */
static void test_sums_and_elements_of_other_widths(void) {
    ws_mainloop loop = loop_of(128, 128, 32, 2, 2, 3, false, 8);
    const ws_mainloop_cost wide = cost_of(&loop);
    ws_mainloop_cost other;
    loop.narrow_sums = true;
    other = cost_of(&loop);
    CHECK_EQUAL(wide.registers - other.registers, 4 * 4 * 4);
    CHECK(other.cycles <= wide.cycles);
    loop.narrow_sums = false;
    loop.unpacked = true;
    other = cost_of(&loop);
    CHECK_EQUAL(other.mma, wide.mma);
    CHECK(near(other.part[WS_BOUND_TENSOR], 2 * wide.part[WS_BOUND_TENSOR]));
    CHECK(other.cycles > wide.cycles);
}

/* --- time -------------------------------------------------------------------------------- */

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

/* Copies leave the data pipe to loads: where all of an iteration have room in the queue at once, a loop that is limited
 * by neither takes the time of the data pipe. The queue and the stage behind it add no more than the stage is busy: with
 * 64 copies of two rows each, that is a cycle for each of their wavefronts. */
static void test_copies_leave_the_data_pipe_to_loads(void) {
    /* rows 272 bytes apart, then swizzled ones */
    static const double stage[] = {64 / 4 * (8 + 12 + 12 + 10), 64 * 4};
    ws_mainloop loop = loop_of(64, 64, 128, 2, 2, 3, false, 8);
    for (int i = 0; i < 2; i++) {
        const ws_mainloop_cost cost = cost_of(&loop);
        ws_profile profile = ws_profile_of(WS_NO_TARGET);
        ws_mainloop_cost at_once;
        profile.constant[WS_COPY_ISSUE].value = 0;
        profile.constant[WS_COPY_QUEUE].value = 64;
        CHECK_EQUAL(ws_mainloop_cost_of(&loop, &profile, &storage, &at_once, NULL), WS_OK);
        CHECK(near(at_once.part[WS_BOUND_DATA_PIPE], 512 + 64 * 4));
        CHECK(at_once.cycles < at_once.part[WS_BOUND_DATA_PIPE] + at_once.part[WS_BOUND_TENSOR] / 2);
        CHECK(near((double)cost.store_wavefronts, stage[i]));
        CHECK(cost.cycles > at_once.cycles + 1 && cost.cycles < at_once.cycles + stage[i]);
        loop.a.pad = loop.b.pad = 0;
        loop.a.swizzle = loop.b.swizzle = ws_swizzle_make(3, 3, 4);
    }
}

/* Loops of which each is held up by something else: a constant that is much larger makes one of them slower. */
static void test_every_constant_of_a_loop_is_felt(void) {
    static const ws_profile_constant felt[] = {
        WS_LOAD_LATENCY,  WS_WAVEFRONT_LATENCY, WS_GLOBAL_LATENCY,  WS_LOAD_PORT,        WS_COPY_LATENCY,
        WS_COPY_PATH,     WS_COPY_ISSUE,        WS_COPY_RELEASE,    WS_MMA_INTERVAL,     WS_MMA_LATENCY,
        WS_SLOT_INTERVAL, WS_CONVERT_INTERVAL,  WS_BARRIER_LATENCY, WS_BARRIER_INTERVAL, WS_BRANCH_LATENCY,
    };
    ws_mainloop loops[] = {plain(64, 64, 32, 1, 1, 1), plain(64, 64, 32, 2, 2, 3), plain(64, 64, 32, 2, 2, 3),
                           plain(128, 128, 32, 1, 1, 2)}; /* the last with spilled registers */
    loops[2].unpacked = true;
    for (size_t i = 0; i < sizeof felt / sizeof felt[0]; i++) {
        bool slower = false, converted = false;
        for (size_t j = 0; j < 4; j++) {
            ws_profile profile = ws_profile_of(WS_NO_TARGET);
            ws_mainloop_cost cost;
            profile.constant[felt[i]].value += 1000;
            CHECK_EQUAL(ws_mainloop_cost_of(&loops[j], &profile, &storage, &cost, NULL), WS_OK);
            converted = cost.cycles > cost_of(&loops[j]).cycles + 1;
            slower |= converted;
            if (felt[i] == WS_CONVERT_INTERVAL) CHECK_EQUAL(converted, loops[j].unpacked);
        }
        if (!CHECK(slower)) fprintf(stderr, "    %s\n", ws_profile_constant_at((int)felt[i])->name);
    }
}

/* Where more copies have room in the queue, loads wait less for them. */
static void test_a_longer_queue_of_copies_saves_time(void) {
    static const double room[] = {1, 4, 11};
    const ws_mainloop loop = plain(64, 64, 32, 2, 2, 3);
    double before = 1e9;
    for (int i = 0; i < 3; i++) {
        ws_profile profile = ws_profile_of(WS_NO_TARGET);
        ws_mainloop_cost cost;
        profile.constant[WS_COPY_QUEUE].value = room[i];
        CHECK_EQUAL(ws_mainloop_cost_of(&loop, &profile, &storage, &cost, NULL), WS_OK);
        CHECK(cost.cycles < before - 1);
        before = cost.cycles;
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

CHECK_MAIN(test_sizes_warps_and_stages_from_both_sides, test_iterations_that_are_too_long, test_layouts_must_fit,
           test_rows_must_be_aligned, test_targets_without_cp_async_are_refused, test_counts_by_hand,
           test_wavefronts_of_copies, test_wavefronts_of_padded_rows, test_sums_and_elements_of_other_widths,
           test_cycles_are_never_below_the_busiest_pipe, test_copies_leave_the_data_pipe_to_loads,
           test_every_constant_of_a_loop_is_felt, test_a_longer_queue_of_copies_saves_time,
           test_result_does_not_depend_on_what_the_storage_held)
