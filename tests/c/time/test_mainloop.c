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

/* Issue slots of the schedule that was written last: of one kind, or (negative) of all; and its instructions. */
static int slots_of(int kind) {
    int slots = 0;
    for (int i = 0; i < storage.schedule.count; i++) {
        if (kind < 0 || storage.schedule.instruction[i].kind == kind) slots += storage.schedule.instruction[i].slots;
    }
    return slots;
}

static int count_of(int kind) {
    int count = 0;
    for (int i = 0; i < storage.schedule.count; i++) count += storage.schedule.instruction[i].kind == kind;
    return count;
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
    CHECK(near(cost.part[WS_BOUND_DATA_PIPE],
               256 + 32 * 4 + 32 * 9 * (value_of(WS_COPY_CONFLICT_ISSUE) + value_of(WS_COPY_CONFLICT_ARRIVAL))));
    CHECK(near(cost.tensor_fraction, 256 / cost.cycles));
    CHECK_EQUAL(count_of(WS_SCHEDULE_LOAD), 2 * (4 + 4));
    CHECK_EQUAL(count_of(WS_SCHEDULE_COPY), 2 * 4);

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

/* --- what a compiler makes of it --------------------------------------------------------- */

static int64_t pick(uint64_t *state, int64_t count) { return (int64_t)(check_random(state) % (uint64_t)count); }

static void test_registers_of_a_thread(void) {
    static const struct { int warps, most; } cases[] = {{1, 255}, {8, 255}, {9, 224}, {16, 128}, {32, 64}};
    for (int i = 0; i < 5; i++) CHECK_EQUAL(ws_compiled_most_registers(cases[i].warps), cases[i].most);
}

/* Fewer registers to spare: never more room, never fewer spills. */
static void test_room_goes_with_registers(void) {
    uint64_t state = 3;
    for (int round = 0; round < 400; round++) {
        ws_mainloop loop = plain(16 * (1 + pick(&state, 8)), 16 * (1 + pick(&state, 8)), 32 * (1 + pick(&state, 4)), 1,
                                 1, pick(&state, 4));
        ws_work work, before;
        loop.unpacked = round % 3 == 0;
        loop.a.swizzle.bits = round % 2 == 0 ? 2 : 0;
        memset(&before, 0, sizeof before);
        for (int64_t spare = -60; spare <= 250; spare++) {
            int64_t registers;
            work = ws_compiled_work(&loop, 3, 5, &registers);
            ws_compiled_room(&loop, &work, spare);
            CHECK(work.room >= 1 && work.room <= 2 * (work.loads_a + work.loads_b));
            CHECK(work.full_steps <= (loop.unpacked ? work.steps : 0));
            CHECK(!work.by_columns || (work.loads_a < work.loads_b && work.room < work.loads_a + work.loads_b));
            CHECK(work.copy_reloads == 0 || loop.a.swizzle.bits == 0);
            CHECK(work.load_reloads == 0 || loop.a.swizzle.bits > 0 || loop.unpacked);
            if (spare > -60) {
                CHECK(work.room >= before.room && work.full_steps >= before.full_steps);
                CHECK(work.copies_ahead >= before.copies_ahead && work.copies_ahead <= 3);
                CHECK(work.copy_reloads <= before.copy_reloads && work.load_reloads <= before.load_reloads);
            } else {
                CHECK_EQUAL(work.copies_ahead, 1);
                CHECK(work.copy_reloads + work.load_reloads > 0 && work.full_steps == 0);
            }
            before = work;
        }
        CHECK(work.copies_ahead > 1 && work.copy_reloads + work.load_reloads == 0);
        CHECK(work.full_steps > 0 || !loop.unpacked);
    }
}

static ws_work compiled(const ws_mainloop *loop, int copies_a, int copies_b) {
    int64_t registers;
    return ws_compiled_work(loop, copies_a, copies_b, &registers);
}

/* 32 x 32 elements of 16 bits are a copy for each of 128 threads; 48 x 32 are one and a half. */
static void test_uneven_copies_need_more_instructions(void) {
    ws_mainloop loop = plain(64, 64, 32, 2, 2, 3);
    ws_work work = compiled(&loop, 2, 2), ragged;
    CHECK_EQUAL(work.uneven_slots_a + work.uneven_slots_b + work.uneven_stall_a + work.uneven_stall_b, 0);
    loop = plain(96, 64, 16, 2, 2, 3);
    work = compiled(&loop, 2, 1);
    CHECK(work.uneven_slots_a > 0 && work.uneven_stall_a > 0 && work.uneven_slots_b + work.uneven_stall_b == 0);
    loop = plain(64, 96, 16, 2, 2, 3);
    work = compiled(&loop, 1, 2);
    CHECK(work.uneven_slots_b > 0 && work.uneven_stall_b > 0 && work.uneven_slots_a + work.uneven_stall_a == 0);
    loop = plain(96, 96, 48, 2, 2, 3); /* six pieces a row: copies begin in the middle of rows */
    ragged = compiled(&loop, 5, 5);
    CHECK(ragged.uneven_slots_a > 0 && ragged.uneven_stall_b > work.uneven_stall_b);
    loop = plain(96, 96, 16, 2, 2, 0);
    work = compiled(&loop, 0, 0);
    CHECK_EQUAL(work.uneven_slots_a + work.uneven_slots_b + work.uneven_stall_a + work.uneven_stall_b, 0);
}

static void test_swizzled_rows_need_addresses(void) {
    ws_mainloop loop = loop_of(64, 64, 64, 2, 2, 3, false, 0);
    int64_t plain_registers, swizzled_registers;
    int along_n;
    CHECK_EQUAL(ws_compiled_work(&loop, 4, 4, &plain_registers).load_slots, 0);
    loop.b.swizzle.bits = 3;
    along_n = ws_compiled_work(&loop, 4, 4, &swizzled_registers).load_slots;
    CHECK(along_n > 0 && swizzled_registers > plain_registers);
    loop.trans_b = true;
    CHECK(compiled(&loop, 4, 4).load_slots > along_n);
    loop.stages = 1;
    CHECK_EQUAL(compiled(&loop, 4, 4).load_slots, 0);
}

/* --- the order of instructions ----------------------------------------------------------- */

static ws_work work_of(int stages, int steps, int loads_a, int loads_b, int room) {
    ws_work work;
    memset(&work, 0, sizeof work);
    work.stages = stages;
    work.steps = steps;
    work.loads_a = loads_a;
    work.loads_b = loads_b;
    work.room = room;
    work.copies_ahead = 1;
    return work;
}

/* One that a compiler could leave. */
static ws_work some_work(uint64_t *state) {
    ws_work work =
        work_of((int)pick(state, 4), 1 + (int)pick(state, 5), 1 + (int)pick(state, 7), 1 + (int)pick(state, 7), 0);
    const int per_step = work.loads_a + work.loads_b;
    const int held = work.loads_a < work.loads_b ? work.loads_a : work.loads_b;
    work.room = held + 1 + (int)pick(state, 2 * per_step - held);
    work.by_columns = work.loads_a < work.loads_b && work.room < per_step;
    work.load_slots = (int)pick(state, 3);
    work.copies_a = work.stages > 0 ? 1 + (int)pick(state, 12) : 0;
    work.copies_b = work.stages > 0 ? 1 + (int)pick(state, 12) : 0;
    work.uneven_slots_a = (int)pick(state, 10);
    work.uneven_stall_b = (int)pick(state, 10);
    work.copies_ahead = 1 + (int)pick(state, 3);
    work.copy_reloads = (int)pick(state, 4);
    work.load_reloads = (int)pick(state, 4);
    return work;
}

static const ws_schedule_instruction *next_of(int kind, int *at) {
    while (storage.schedule.instruction[*at].kind != kind) {
        if (!CHECK(++*at < storage.schedule.count)) return &storage.schedule.instruction[0];
    }
    return &storage.schedule.instruction[(*at)++];
}

static void test_order_of_a_step_by_hand(void) {
    static const int rows_first[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
    static const int columns_first[] = {0, 6, 1, 7, 2, 8, 3, 9, 4, 10, 5, 11};
    ws_work work = work_of(0, 1, 2, 3, 10);
    for (int pass = 0; pass < 2; pass++) {
        int at = 0;
        work.by_columns = pass == 1;
        CHECK_EQUAL(ws_order_place(&work, false, 0), 0);
        CHECK_EQUAL(ws_order_place(&work, true, 0), 1);
        CHECK_EQUAL(ws_order_place(&work, true, 1), pass == 0 ? 2 : 3); /* A0 B0 B1 B2 A1, or A0 B0 A1 B1 B2 */
        CHECK_EQUAL(ws_order_place(&work, true, 2), pass == 0 ? 3 : 4);
        CHECK_EQUAL(ws_order_place(&work, false, 1), pass == 0 ? 4 : 2);
        ws_iteration_write(&storage.schedule, &work);
        for (int m = 0; m < 12; m++) {
            CHECK_EQUAL(next_of(WS_SCHEDULE_MMA, &at)->index, (pass == 0 ? rows_first : columns_first)[m]);
        }
    }
}

static void test_places_of_loads_are_all_of_a_step(void) {
    for (int grid = 0; grid < 9 * 9 * 2; grid++) {
        const int loads_a = 1 + grid % 9, loads_b = 1 + grid / 9 % 9;
        ws_work work = work_of(0, 1, loads_a, loads_b, 2);
        uint32_t seen = 0;
        work.by_columns = grid / 81 == 1;
        for (int i = 0; i < loads_a + loads_b; i++) {
            const bool is_b = i >= loads_a;
            const int place = ws_order_place(&work, is_b, is_b ? i - loads_a : i);
            CHECK_EQUAL(ws_order_is_a(&work, place), !is_b);
            seen |= UINT32_C(1) << place;
        }
        CHECK_EQUAL(seen, (UINT32_C(1) << (loads_a + loads_b)) - 1);
    }
}

/* What somebody who reads the list finds out. */
typedef struct reader {
    int issued, live, most_live, shared, waits;
    int pending[512]; /* scoreboard of a load that nothing has waited for; 0: none */
    int uses[512];
} reader;

static void read_waits(reader *to, int mask) {
    for (int n = 0; n < to->issued; n++) {
        if (to->pending[n] != 0 && (mask >> to->pending[n] & 1) == 1) to->pending[n] = 0;
    }
}

/* A load takes the first scoreboard behind which there is nothing; the last one given, where there is none. */
static void read_load(reader *to, const ws_work *work, const ws_schedule_instruction *one, int *last) {
    const int n = to->issued++, in_step = n % (work->loads_a + work->loads_b);
    bool taken[WS_SCHEDULE_SCOREBOARDS] = {false};
    int first = 1;
    CHECK_EQUAL(one->index, n);
    to->uses[n] = 2 * (ws_order_is_a(work, in_step) ? work->loads_b : work->loads_a);
    to->most_live = ++to->live > to->most_live ? to->live : to->most_live;
    if (in_step == 0) {
        CHECK_EQUAL(one->sets, WS_SCHEDULE_NOTHING);
        return;
    }
    for (int i = 0; i < n; i++) taken[to->pending[i]] = true;
    while (first < WS_SCHEDULE_SCOREBOARDS && taken[first]) first++;
    to->shared += first == WS_SCHEDULE_SCOREBOARDS;
    if (first < WS_SCHEDULE_SCOREBOARDS) *last = first;
    CHECK_EQUAL(one->sets, *last);
    to->pending[n] = one->sets;
}

static void read_mma(reader *to, const ws_work *work, const ws_schedule_instruction *one, int step) {
    const int first = step * (work->loads_a + work->loads_b), cols = 2 * work->loads_b;
    const int reads[] = {first + ws_order_place(work, false, one->index / cols),
                         first + ws_order_place(work, true, one->index % cols / 2)};
    for (int i = 0; i < 2; i++) {
        CHECK(reads[i] < to->issued && to->pending[reads[i]] == 0);
        to->live -= --to->uses[reads[i]] == 0;
    }
}

static reader read_of(const ws_work *work) {
    const int mmas = 2 * work->loads_a * work->loads_b;
    int last = 1, mma = 0;
    reader to;
    memset(&to, 0, sizeof to);
    for (int i = 0; i < storage.schedule.count; i++) {
        const ws_schedule_instruction *one = &storage.schedule.instruction[i];
        read_waits(&to, one->waits);
        to.waits += one->waits != 0;
        if (one->kind == WS_SCHEDULE_LOAD) read_load(&to, work, one, &last);
        if (one->kind == WS_SCHEDULE_MMA && !work->unpacked) read_mma(&to, work, one, mma++ / mmas);
    }
    return to;
}

static void test_what_an_iteration_has(void) {
    uint64_t state = 11;
    int shared = 0, by_columns = 0;
    for (int round = 0; round < 300; round++) {
        const ws_work work = some_work(&state);
        const int per_step = work.loads_a + work.loads_b, loads = work.steps * per_step;
        const int held = work.loads_a < work.loads_b ? work.loads_a : work.loads_b;
        const int copies = work.copies_a + work.copies_b;
        reader found;
        ws_iteration_write(&storage.schedule, &work);
        CHECK(!storage.schedule.full);
        CHECK_EQUAL(count_of(WS_SCHEDULE_LOAD), loads);
        CHECK_EQUAL(count_of(WS_SCHEDULE_MMA), work.steps * 2 * work.loads_a * work.loads_b);
        CHECK_EQUAL(count_of(WS_SCHEDULE_COPY), copies);
        CHECK_EQUAL(count_of(WS_SCHEDULE_WAIT), work.stages > 0);
        CHECK_EQUAL(count_of(WS_SCHEDULE_BARRIER), work.stages == 1 ? 2 : work.stages > 0);
        CHECK_EQUAL(count_of(WS_SCHEDULE_RELOAD), (work.copy_reloads < copies ? work.copy_reloads : copies) +
                                                      (work.load_reloads < loads ? work.load_reloads : loads));
        CHECK_EQUAL(storage.schedule.instruction[storage.schedule.count - 1].kind, WS_SCHEDULE_BRANCH);
        CHECK_EQUAL(slots_of(WS_SCHEDULE_CONVERT) + slots_of(WS_SCHEDULE_ADD), 0);
        found = read_of(&work);
        CHECK_EQUAL(found.live, 0);
        CHECK(found.most_live <= (work.room > held + 1 ? work.room : held + 1));
        CHECK(found.waits >= work.steps);
        shared += found.shared > 0;
        by_columns += work.by_columns;
    }
    CHECK(shared > 50 && by_columns > 20);
}

/* Loads ahead fill the room that there is. */
static void test_loads_go_as_far_ahead_as_there_is_room(void) {
    int before = 0;
    for (int room = 5; room <= 16; room++) {
        const ws_work work = work_of(0, 6, 4, 4, room);
        int live;
        ws_iteration_write(&storage.schedule, &work);
        live = read_of(&work).most_live;
        CHECK(live <= room && live >= before);
        before = live;
    }
    CHECK(before > 8);
}

/* What reads address registers of a copy waits for that copy, which is in the list. */
static void test_copies_wait_for_registers(void) {
    uint64_t state = 12;
    int of_loads = 0, of_copies = 0;
    for (int round = 0; round < 200; round++) {
        const ws_work work = some_work(&state);
        int copies = 0;
        ws_iteration_write(&storage.schedule, &work);
        for (int i = 0; i < storage.schedule.count; i++) {
            const ws_schedule_instruction *one = &storage.schedule.instruction[i];
            if (one->kind == WS_SCHEDULE_COPY) CHECK_EQUAL(one->index, copies++);
            if (one->after == 0) continue;
            CHECK(work.stages > 0 && one->after <= copies && copies - one->after < WS_PIPELINE_RELEASES);
            if (one->kind == WS_SCHEDULE_INTEGER) CHECK_EQUAL(one->after, copies - work.copies_ahead + 1);
            else CHECK(one->kind == WS_SCHEDULE_LOAD && work.stages > 1);
            *(one->kind == WS_SCHEDULE_LOAD ? &of_loads : &of_copies) += 1;
        }
    }
    CHECK(of_loads > 100 && of_copies > 100);
}

/* Of spilled addresses, each comes back before what needs it, which waits for it. */
static void test_spilled_addresses_come_back(void) {
    uint64_t state = 13;
    for (int round = 0; round < 200; round++) {
        const ws_work work = some_work(&state);
        int reloads = 0, waiting = 0;
        ws_iteration_write(&storage.schedule, &work);
        for (int i = 0; i < storage.schedule.count; i++) {
            const ws_schedule_instruction *one = &storage.schedule.instruction[i];
            reloads += one->kind == WS_SCHEDULE_RELOAD;
            CHECK(one->kind != WS_SCHEDULE_RELOAD || one->sets == 0);
            if ((one->waits & 1) == 0) continue;
            CHECK(reloads > 0 && (one->kind == WS_SCHEDULE_COPY || one->kind == WS_SCHEDULE_LOAD));
            CHECK(one->index <= (one->kind == WS_SCHEDULE_COPY ? work.copy_reloads : work.load_reloads));
            waiting++;
        }
        CHECK(waiting <= reloads);
        CHECK((waiting > 0) == (work.load_reloads > 0 ? work.steps * (work.loads_a + work.loads_b) > 1
                                                      : work.copy_reloads > 0 && work.copies_a > 0));
    }
}

static void test_integers_come_in_parts(void) {
    for (int slots = 0; slots <= 13; slots++) {
        int stall = 0;
        storage.schedule.count = 0;
        storage.schedule.full = false;
        ws_schedule_integers(&storage.schedule, slots, 40, 7);
        CHECK_EQUAL(slots_of(WS_SCHEDULE_INTEGER), slots);
        CHECK_EQUAL(count_of(WS_SCHEDULE_INTEGER), (slots + WS_SCHEDULE_CHUNK - 1) / WS_SCHEDULE_CHUNK);
        for (int i = 0; i < storage.schedule.count; i++) {
            stall += storage.schedule.instruction[i].stall;
            CHECK_EQUAL(storage.schedule.instruction[i].after, i == 0 ? 7 : 0);
        }
        CHECK_EQUAL(stall, slots > 0 ? 40 : 0);
    }
}

/* A list that is full keeps what it has. */
static void test_a_list_ends_where_it_is_full(void) {
    storage.schedule.count = 0;
    storage.schedule.full = false;
    for (int i = 0; i < WS_SCHEDULE_MOST; i++) ws_schedule_add(&storage.schedule, WS_SCHEDULE_MMA, 0);
    CHECK(!storage.schedule.full && storage.schedule.count == WS_SCHEDULE_MOST);
    CHECK_EQUAL(ws_schedule_last(&storage.schedule)->stall, 1);
    ws_schedule_add(&storage.schedule, WS_SCHEDULE_MMA, 0);
    CHECK(storage.schedule.full && storage.schedule.count == WS_SCHEDULE_MOST);
}

/* An addition reads a product that is complete: of the lower half of K, which begins at zero, and the upper one. */
static void check_products(void) {
    int lower[WS_SCHEDULE_SUMS] = {0}, upper[WS_SCHEDULE_SUMS] = {0}, added[WS_SCHEDULE_SUMS] = {0};
    for (int i = 0; i < storage.schedule.count; i++) {
        const ws_schedule_instruction *one = &storage.schedule.instruction[i];
        if (one->kind == WS_SCHEDULE_MMA) {
            CHECK(added[one->index] == 4 * upper[one->index]); /* the one before has been added */
            (one->fresh ? lower : upper)[one->index]++;
            CHECK_EQUAL(lower[one->index] - upper[one->index], one->fresh);
        } else if (one->kind == WS_SCHEDULE_ADD) {
            added[one->index] += one->slots;
            CHECK(lower[one->index] == upper[one->index] && added[one->index] <= 4 * upper[one->index]);
        }
    }
}

static void test_unpacked_elements_are_converted_and_products_added(void) {
    uint64_t state = 14;
    for (int round = 0; round < 300; round++) {
        ws_work work = some_work(&state);
        const int loads = work.steps * (work.loads_a + work.loads_b);
        const int mma = work.steps * 2 * work.loads_a * work.loads_b;
        work.unpacked = true;
        work.by_columns = false;
        for (work.full_steps = 0; work.full_steps <= work.steps; work.full_steps++) {
            ws_iteration_write(&storage.schedule, &work);
            CHECK_EQUAL(count_of(WS_SCHEDULE_LOAD), loads);
            CHECK_EQUAL(slots_of(WS_SCHEDULE_CONVERT), 8 * loads);
            CHECK_EQUAL(count_of(WS_SCHEDULE_MMA), 2 * mma);
            CHECK_EQUAL(slots_of(WS_SCHEDULE_ADD), 4 * mma);
            CHECK(read_of(&work).waits > 0);
            check_products();
        }
    }
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

/* All wavefronts alike: w of each load and copy. */
static ws_pipeline_work run_of(const ws_work *work, int warps, int w) {
    static uint16_t loads[32 * 5 * 14], copies[24 * 32];
    ws_pipeline_work run;
    for (int i = 0; i < 32 * 5 * 14; i++) loads[i] = (uint16_t)w;
    for (int i = 0; i < 24 * 32; i++) copies[i] = (uint16_t)w;
    run.warps = warps;
    run.stages = work->stages;
    run.loads = work->steps * (work->loads_a + work->loads_b);
    run.copies = work->copies_a + work->copies_b;
    run.schedule = &storage.schedule;
    run.load_wavefronts = loads;
    run.copy_wavefronts = copies;
    return run;
}

static double cycles_of(const ws_work *work, int warps, int w) {
    const ws_profile profile = ws_profile_of(WS_NO_TARGET);
    const ws_pipeline_work run = run_of(work, warps, w);
    ws_iteration_write(&storage.schedule, work);
    return ws_pipeline_run(&storage.sm, &run, &profile, 6, 6);
}

static void test_pipeline_more_wavefronts_are_never_faster(void) {
    uint64_t state = 5;
    for (int round = 0; round < 60; round++) {
        ws_work work = some_work(&state);
        const int warps = 1 << pick(&state, 5);
        double before = 0;
        work.unpacked = round % 4 == 0;
        work.full_steps = work.unpacked ? (int)pick(&state, work.steps + 1) : 0;
        for (int w = 4; w <= 36; w += 4) {
            const double cycles = cycles_of(&work, warps, w);
            CHECK(finite_and_positive(cycles));
            CHECK(cycles >= 0.98 * before);
            before = cycles;
        }
    }
}

/* --- a few instructions, by hand --------------------------------------------------------- */

/* A profile without a latency or an interval, but for those that a test sets. */
static ws_profile quick(void) {
    static const ws_profile_constant zero[] = {
        WS_LOAD_LATENCY,  WS_WAVEFRONT_LATENCY, WS_GLOBAL_LATENCY,  WS_LOAD_PORT,           WS_COPY_LATENCY,
        WS_COPY_PATH,     WS_COPY_ISSUE,        WS_COPY_RELEASE,    WS_COPY_CONFLICT_ISSUE, WS_COPY_CONFLICT_ARRIVAL,
        WS_MMA_INTERVAL,  WS_MMA_LATENCY,       WS_BARRIER_LATENCY, WS_BARRIER_INTERVAL,    WS_BRANCH_LATENCY,
        WS_SLOT_INTERVAL, WS_CONVERT_INTERVAL,
    };
    ws_profile profile = ws_profile_of(WS_NO_TARGET);
    for (size_t i = 0; i < sizeof zero / sizeof zero[0]; i++) profile.constant[zero[i]].value = 0;
    return profile;
}

static void begin(void) {
    storage.schedule.count = 0;
    storage.schedule.full = false;
}

static ws_schedule_instruction *add(int kind) { return ws_schedule_add(&storage.schedule, kind, 1); }

/* Cycles per iteration of these instructions, where `constant` is `value`: of so many warps and stages. */
static double period(int warps, int stages, ws_profile_constant constant, double value) {
    ws_work work = work_of(stages, 1, 1, 1, 2);
    ws_profile profile = quick();
    ws_pipeline_work run;
    work.copies_a = count_of(WS_SCHEDULE_COPY);
    run = run_of(&work, warps, 4);
    profile.constant[constant].value = value;
    return ws_pipeline_run(&storage.sm, &run, &profile, 6, 6);
}

static void test_stalls_and_branches(void) {
    begin();
    add(WS_SCHEDULE_INTEGER)->stall = 30;
    add(WS_SCHEDULE_BRANCH)->stall = 5;
    CHECK(near(period(1, 0, WS_BRANCH_LATENCY, 0), 35));
    CHECK(near(period(1, 0, WS_BRANCH_LATENCY, 100), 135));
    CHECK(near(period(4, 0, WS_BRANCH_LATENCY, 100), 135)); /* each in its own sub-partition */
}

static void test_warps_of_a_sub_partition_share_its_slots(void) {
    begin();
    add(WS_SCHEDULE_BRANCH)->slots = 10;
    CHECK(near(period(4, 0, WS_BRANCH_LATENCY, 0), 10));
    CHECK(near(period(8, 0, WS_BRANCH_LATENCY, 0), 20));
    CHECK(near(period(12, 0, WS_BRANCH_LATENCY, 0), 30));
}

/* Integer instructions, conversions and additions take one ALU. */
static void test_arithmetic_takes_the_alu(void) {
    static const struct {
        int kind;
        ws_profile_constant constant;
    } cases[] = {{WS_SCHEDULE_INTEGER, WS_SLOT_INTERVAL},
                 {WS_SCHEDULE_CONVERT, WS_CONVERT_INTERVAL},
                 {WS_SCHEDULE_ADD, WS_CONVERT_INTERVAL}};
    for (int i = 0; i < 9; i++) {
        begin();
        add(cases[i / 3].kind)->slots = 4;
        add(cases[i % 3].kind)->slots = 2;
        if (cases[i / 3].constant == cases[i % 3].constant) {
            CHECK(near(period(1, 0, cases[i / 3].constant, 100), 600));
            CHECK(near(period(8, 0, cases[i / 3].constant, 100), 1200));
        } else CHECK(near(period(1, 0, cases[i / 3].constant, 100), 400 + 2)); /* the others go behind the ALU */
    }
}

static void test_products_take_the_tensor_pipe_and_are_waited_for(void) {
    begin();
    add(WS_SCHEDULE_MMA);
    add(WS_SCHEDULE_MMA)->index = 1;
    CHECK(near(period(1, 0, WS_MMA_INTERVAL, 100), 200));
    CHECK(near(period(8, 0, WS_MMA_INTERVAL, 100), 400));
    CHECK(near(period(1, 0, WS_MMA_LATENCY, 100), 100)); /* the two do not wait for one another */
    storage.schedule.instruction[1].index = 0;
    CHECK(near(period(1, 0, WS_MMA_LATENCY, 100), 200));
    storage.schedule.instruction[1].fresh = true;
    CHECK(near(period(1, 0, WS_MMA_LATENCY, 100), 101)); /* begins at zero right behind the first */
    begin();
    add(WS_SCHEDULE_MMA)->fresh = true;
    add(WS_SCHEDULE_ADD);
    CHECK(near(period(1, 0, WS_MMA_LATENCY, 100), 100 - WS_PIPELINE_SOONER + 1));
    storage.schedule.instruction[1].index = 1; /* of another product */
    CHECK(near(period(1, 0, WS_MMA_LATENCY, 100), 2));
}

static void test_data_are_waited_for_behind_their_scoreboard(void) {
    begin();
    add(WS_SCHEDULE_LOAD)->sets = 2;
    add(WS_SCHEDULE_MMA)->waits = 1 << 2;
    CHECK(near(period(1, 0, WS_LOAD_LATENCY, 100), 101));
    CHECK(near(period(1, 0, WS_WAVEFRONT_LATENCY, 100), 401));
    CHECK(near(period(1, 0, WS_LOAD_PORT, 100), 100));
    CHECK(near(period(8, 0, WS_LOAD_PORT, 100), 200));
    storage.schedule.instruction[1].waits = 1 << 3; /* of nothing */
    CHECK(near(period(1, 0, WS_LOAD_LATENCY, 100), 2));
    storage.schedule.instruction[1].waits = 1 << 2;
    storage.schedule.instruction[0].sets = WS_SCHEDULE_NOTHING;
    CHECK(near(period(1, 0, WS_LOAD_LATENCY, 100), 2));
    begin();
    ws_schedule_reload(&storage.schedule);
    add(WS_SCHEDULE_MMA)->waits = 1;
    CHECK(near(period(1, 0, WS_GLOBAL_LATENCY, 100), 101));
    CHECK(near(period(1, 0, WS_LOAD_PORT, 100), 100));
}

static void test_copies_hold_their_registers(void) {
    begin();
    add(WS_SCHEDULE_COPY);
    add(WS_SCHEDULE_INTEGER);
    CHECK(near(period(1, 3, WS_COPY_ISSUE, 100), 100));
    CHECK(near(period(8, 3, WS_COPY_ISSUE, 100), 200));
    CHECK(near(period(1, 3, WS_COPY_PATH, 100), 2)); /* nothing waits for its data */
    CHECK(period(1, 3, WS_COPY_RELEASE, 100) < 100);
    storage.schedule.instruction[1].after = 1;
    CHECK(near(period(1, 3, WS_COPY_RELEASE, 100), 101));
}

/* With one stage what has just been asked for is waited for, with three what was asked for two iterations before. */
static void test_slabs_are_waited_for(void) {
    begin();
    add(WS_SCHEDULE_COPY);
    add(WS_SCHEDULE_WAIT);
    CHECK(period(1, 1, WS_COPY_LATENCY, 1000) >= 1000);
    CHECK(period(1, 1, WS_COPY_LATENCY, 1000) < 1010);
    begin();
    add(WS_SCHEDULE_WAIT);
    add(WS_SCHEDULE_COPY);
    CHECK(period(1, 3, WS_COPY_LATENCY, 1000) >= 500 && period(1, 3, WS_COPY_LATENCY, 1000) < 510);
    CHECK(period(1, 4, WS_COPY_LATENCY, 1000) >= 333 && period(1, 4, WS_COPY_LATENCY, 1000) < 343);
    CHECK(near(period(1, 3, WS_COPY_PATH, 100), 4 * 100));
    CHECK(near(period(4, 3, WS_COPY_PATH, 100), 4 * 4 * 100));
}

static void test_barriers_hold_all_warps(void) {
    begin();
    add(WS_SCHEDULE_BARRIER);
    CHECK(near(period(4, 0, WS_BARRIER_LATENCY, 100), 100));
    CHECK(near(period(4, 0, WS_BARRIER_INTERVAL, 100), 3 * 100));
    CHECK(near(period(1, 0, WS_BARRIER_INTERVAL, 100), 1));
}

/* --- whole loops ------------------------------------------------------------------------- */

/* Loads are issued ahead while there are registers for them; without, each is waited for. */
static void test_loops_short_of_registers(void) {
    ws_work work = work_of(0, 4, 7, 1, 16);
    const double ahead = cycles_of(&work, 1, 4);
    double slower;
    work.room = 2;
    CHECK(cycles_of(&work, 1, 4) > 1.1 * ahead);
    work = work_of(3, 2, 4, 4, 16);
    work.copies_a = work.copies_b = 8;
    work.copies_ahead = 3;
    slower = cycles_of(&work, 4, 4);
    work.copies_ahead = 1;
    CHECK(cycles_of(&work, 4, 4) > slower);
    slower = cycles_of(&work, 4, 4);
    work.copy_reloads = 8;
    CHECK(cycles_of(&work, 4, 4) > slower);
    work = work_of(0, 4, 4, 2, 12);
    work.unpacked = true;
    work.full_steps = 4;
    slower = cycles_of(&work, 4, 4);
    work.full_steps = 0;
    CHECK(cycles_of(&work, 4, 4) > slower);
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
        WS_LOAD_LATENCY,   WS_WAVEFRONT_LATENCY, WS_GLOBAL_LATENCY,      WS_LOAD_PORT,
        WS_COPY_LATENCY,   WS_COPY_PATH,         WS_COPY_ISSUE,          WS_COPY_RELEASE,
        WS_MMA_INTERVAL,   WS_MMA_LATENCY,       WS_COPY_CONFLICT_ISSUE, WS_COPY_CONFLICT_ARRIVAL,
        WS_SLOT_INTERVAL,  WS_CONVERT_INTERVAL,  WS_BARRIER_LATENCY,     WS_BARRIER_INTERVAL,
        WS_BRANCH_LATENCY,
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
           test_sums_and_elements_of_other_widths, test_registers_of_a_thread, test_room_goes_with_registers,
           test_uneven_copies_need_more_instructions, test_swizzled_rows_need_addresses, test_order_of_a_step_by_hand,
           test_places_of_loads_are_all_of_a_step, test_what_an_iteration_has,
           test_loads_go_as_far_ahead_as_there_is_room, test_copies_wait_for_registers,
           test_spilled_addresses_come_back, test_integers_come_in_parts, test_a_list_ends_where_it_is_full,
           test_unpacked_elements_are_converted_and_products_added, test_cycles_are_never_below_the_busiest_pipe,
           test_pipeline_more_wavefronts_are_never_faster, test_stalls_and_branches,
           test_warps_of_a_sub_partition_share_its_slots, test_arithmetic_takes_the_alu,
           test_products_take_the_tensor_pipe_and_are_waited_for, test_data_are_waited_for_behind_their_scoreboard,
           test_copies_hold_their_registers, test_slabs_are_waited_for, test_barriers_hold_all_warps,
           test_loops_short_of_registers, test_loads_go_before_data_that_have_arrived,
           test_every_constant_of_a_loop_is_felt, test_result_does_not_depend_on_what_the_storage_held)
