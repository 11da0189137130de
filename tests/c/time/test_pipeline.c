/* Lists of instructions on an SM: what each of its parts takes of a warp's time. */
#include "../loops.h"

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
        for (int w = 4; w <= 64; w *= 2) {
            const double cycles = cycles_of(&work, warps, w);
            CHECK(finite_and_positive(cycles));
            CHECK(cycles >= (work.unpacked ? 0.95 : 0.98) * before); /* warps that meet elsewhere can win a little */
            before = cycles;
        }
    }
}

/* --- a few instructions, by hand ----------------------------------------------------- */

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

/* The data of a copy arrive after its first load of three and are written after the last one, while the warp stalls. */
static void test_loads_go_before_data_that_have_arrived(void) {
    begin();
    add(WS_SCHEDULE_COPY);
    for (int i = 0; i < 3; i++) add(WS_SCHEDULE_LOAD)->sets = 2;
    add(WS_SCHEDULE_MMA)->waits = 1 << 2;
    ws_schedule_last(&storage.schedule)->stall = 20;
    CHECK(near(period(1, 3, WS_COPY_LATENCY, 2), 1 + 2 * 4 + 20));
}

static void test_barriers_hold_all_warps(void) {
    begin();
    add(WS_SCHEDULE_BARRIER);
    CHECK(near(period(4, 0, WS_BARRIER_LATENCY, 100), 100));
    CHECK(near(period(4, 0, WS_BARRIER_INTERVAL, 100), 3 * 100));
    CHECK(near(period(1, 0, WS_BARRIER_INTERVAL, 100), 1));
}

/* --- whole iterations ---------------------------------------------------------------- */

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

CHECK_MAIN(test_pipeline_more_wavefronts_are_never_faster, test_stalls_and_branches,
           test_warps_of_a_sub_partition_share_its_slots, test_arithmetic_takes_the_alu,
           test_products_take_the_tensor_pipe_and_are_waited_for, test_data_are_waited_for_behind_their_scoreboard,
           test_copies_hold_their_registers, test_slabs_are_waited_for, test_loads_go_before_data_that_have_arrived,
           test_barriers_hold_all_warps, test_loops_short_of_registers)
