/* Lists of instructions on an SM: what each of its parts takes of a warp's time. */
#include "../loops.h"

/* All wavefronts alike: w of each load and copy, of which those of a copy beyond four hold up others. */
static ws_pipeline_work run_of(const ws_work *work, int warps, int w) {
    static uint16_t loads[32 * 5 * 14], copies[24 * 32], conflicts[24 * 32];
    ws_pipeline_work run;
    for (int i = 0; i < 32 * 5 * 14; i++) loads[i] = (uint16_t)w;
    for (int i = 0; i < 24 * 32; i++) copies[i] = (uint16_t)w;
    for (int i = 0; i < 24 * 32; i++) conflicts[i] = (uint16_t)(w > 4 ? w - 4 : 0);
    run.warps = warps;
    run.stages = work->stages;
    run.loads = work->steps * (work->loads_a + work->loads_b);
    run.copies = work->copies_a + work->copies_b;
    run.schedule = &storage.schedule;
    run.load_wavefronts = loads;
    run.copy_wavefronts = copies;
    run.copy_conflicts = conflicts;
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
}

/* A spilled register comes back behind the scoreboard that it names, if any; it takes a wavefront of the data pipe. */
static void test_spilled_registers(void) {
    begin();
    ws_schedule_reload(&storage.schedule);
    add(WS_SCHEDULE_MMA)->waits = 1;
    CHECK(near(period(1, 0, WS_GLOBAL_LATENCY, 100), 101));
    CHECK(near(period(1, 0, WS_LOAD_PORT, 100), 100));
    storage.schedule.instruction[0].sets = 4;
    CHECK(near(period(1, 0, WS_GLOBAL_LATENCY, 100), 2));
    storage.schedule.instruction[1].waits = 1 << 4;
    CHECK(near(period(1, 0, WS_GLOBAL_LATENCY, 100), 101));
    storage.schedule.instruction[0].sets = WS_SCHEDULE_NOTHING; /* a spill: nothing comes back */
    for (int i = 0; i < WS_SCHEDULE_SCOREBOARDS; i++) {
        storage.schedule.instruction[1].waits = (uint8_t)(1 << i);
        CHECK(near(period(1, 0, WS_GLOBAL_LATENCY, 100), 2));
    }
    begin();
    add(WS_SCHEDULE_LOAD);
    add(WS_SCHEDULE_RELOAD);
    add(WS_SCHEDULE_LOAD)->sets = 2;
    add(WS_SCHEDULE_MMA)->waits = 1 << 2;
    CHECK(near(period(1, 0, WS_GLOBAL_LATENCY, 100), 4 + 1 + 4)); /* what the data pipe has to do */
    storage.schedule.instruction[1].kind = WS_SCHEDULE_OTHER;
    CHECK(near(period(1, 0, WS_GLOBAL_LATENCY, 100), 4 + 4));
}

/* Two that share a scoreboard are both waited for, also where the second one is there first. */
static void test_a_scoreboard_waits_for_all_that_set_it(void) {
    begin();
    add(WS_SCHEDULE_RELOAD)->sets = 2;
    add(WS_SCHEDULE_LOAD)->sets = 2;
    add(WS_SCHEDULE_MMA)->waits = 1 << 2;
    CHECK(near(period(1, 0, WS_GLOBAL_LATENCY, 100), 100 + 1));
}

static void test_constants_come_behind_their_scoreboard(void) {
    begin();
    add(WS_SCHEDULE_CONSTANT)->sets = 2;
    add(WS_SCHEDULE_INTEGER)->waits = 1 << 2;
    CHECK(near(period(1, 0, WS_GLOBAL_LATENCY, 100), 101));
    CHECK(near(period(4, 0, WS_GLOBAL_LATENCY, 100), 101)); /* nobody has to wait for another's */
    CHECK(near(period(1, 0, WS_LOAD_LATENCY, 100), 2));
    CHECK(near(period(1, 0, WS_LOAD_PORT, 100), 2));
    storage.schedule.instruction[1].waits = 1 << 3;
    CHECK(near(period(1, 0, WS_GLOBAL_LATENCY, 100), 2));
    storage.schedule.instruction[1].waits = 1 << 2;
    storage.schedule.instruction[0].sets = WS_SCHEDULE_NOTHING;
    CHECK(near(period(1, 0, WS_GLOBAL_LATENCY, 100), 2));
}

static void test_others_take_their_issue_slot_and_no_more(void) {
    static const ws_profile_constant constants[] = {WS_SLOT_INTERVAL,  WS_CONVERT_INTERVAL, WS_LOAD_PORT,
                                                    WS_GLOBAL_LATENCY, WS_BRANCH_LATENCY,   WS_MMA_INTERVAL};
    for (int i = 0; i < 6; i++) {
        begin();
        add(WS_SCHEDULE_OTHER);
        CHECK(near(period(1, 0, constants[i], 100), 1));
        CHECK(near(period(4, 0, constants[i], 100), 1));
        CHECK(near(period(8, 0, constants[i], 100), 2)); /* two warps of a sub-partition */
        storage.schedule.instruction[0].sets = storage.schedule.instruction[0].frees = 2;
        add(WS_SCHEDULE_OTHER)->waits = 1 << 2; /* its registers are read, and written, at once */
        CHECK(near(period(1, 0, constants[i], 100), 2));
    }
}

static void test_copies_hold_their_registers(void) {
    begin();
    add(WS_SCHEDULE_COPY);
    add(WS_SCHEDULE_INTEGER);
    CHECK(near(period(1, 3, WS_COPY_ISSUE, 100), 100));
    CHECK(near(period(8, 3, WS_COPY_ISSUE, 100), 8 * 100)); /* of all sub-partitions, one after another */
    CHECK(near(period(1, 3, WS_COPY_PATH, 100), 2));        /* nothing waits for its data */
    CHECK(period(1, 3, WS_COPY_RELEASE, 100) < 100);
    storage.schedule.instruction[1].after = 1;
    CHECK(near(period(1, 3, WS_COPY_RELEASE, 100), 101));
}

/* What waits for a scoreboard that a load or a copy frees waits until its registers have been read. */
static void test_registers_are_read_behind_a_scoreboard(void) {
    static const int kinds[] = {WS_SCHEDULE_COPY, WS_SCHEDULE_LOAD, WS_SCHEDULE_RELOAD};
    for (int i = 0; i < 3; i++) {
        begin();
        add(kinds[i])->frees = 3;
        add(WS_SCHEDULE_INTEGER)->waits = 1 << 3;
        CHECK(near(period(1, 3, WS_COPY_RELEASE, 100), 101));
        storage.schedule.instruction[1].waits = 1 << 2;
        CHECK(near(period(1, 3, WS_COPY_RELEASE, 100), 2));
        storage.schedule.instruction[0].frees = WS_SCHEDULE_NOTHING;
        storage.schedule.instruction[1].waits = 1 << 3;
        CHECK(near(period(1, 3, WS_COPY_RELEASE, 100), 2));
    }
    begin();
    add(WS_SCHEDULE_INTEGER)->frees = 3;
    add(WS_SCHEDULE_INTEGER)->waits = 1 << 3;
    CHECK(near(period(1, 3, WS_COPY_RELEASE, 100), 2));
}

/* --- the stage that takes the addresses of copies ------------------------------------- */

/* Cycles of copies of so many conflicts each: the stage takes `issue` cycles, and `each` of a conflict; a sub-partition
 * is `ahead` cycles ahead of it. */
static double staged(int warps, int conflicts, double issue, double each, double ahead) {
    ws_work work = work_of(3, 1, 1, 1, 2);
    ws_profile profile = quick();
    ws_pipeline_work run;
    work.copies_a = count_of(WS_SCHEDULE_COPY);
    run = run_of(&work, warps, 4 + conflicts);
    profile.constant[WS_COPY_ISSUE].value = issue;
    profile.constant[WS_COPY_CONFLICT].value = each;
    profile.constant[WS_COPY_AHEAD].value = ahead;
    return ws_pipeline_run(&storage.sm, &run, &profile, 6, 6);
}

/* So many copies, then one of the kind, then a pause in which the stage is done. */
static void begin_staged(int copies, int kind) {
    begin();
    for (int i = 0; i < copies; i++) add(WS_SCHEDULE_COPY)->index = (uint16_t)i;
    if (kind != WS_SCHEDULE_COPY) add(kind);
    add(WS_SCHEDULE_OTHER)->stall = 200;
}

/* A copy at 0 leaves the stage at 100, so a load goes at 100 - ahead, but no sooner than at 1; the pause begins one
 * cycle after it and takes 200. */
static void test_loads_wait_for_the_stage_of_the_copies(void) {
    static const int kinds[] = {WS_SCHEDULE_LOAD, WS_SCHEDULE_RELOAD};
    for (int i = 0; i < 2; i++) {
        begin_staged(1, kinds[i]);
        CHECK(near(staged(1, 0, 100, 0, 0), 100 + 1 + 200));
        CHECK(near(staged(1, 0, 100, 0, 24), 76 + 1 + 200));
        CHECK(near(staged(1, 0, 100, 0, 98), 2 + 1 + 200));
        CHECK(near(staged(1, 0, 100, 0, 99), 1 + 1 + 200));
        CHECK(near(staged(1, 0, 100, 0, 500), 1 + 1 + 200));
        CHECK(near(staged(1, 0, 25, 0, 24), 1 + 1 + 200));
        CHECK(near(staged(1, 0, 26, 0, 24), 2 + 1 + 200));
    }
    begin_staged(1, WS_SCHEDULE_MMA); /* others do not need the port */
    CHECK(near(staged(1, 0, 100, 0, 0), 1 + 1 + 200));
}

/* The second copy goes at 30 - 24, the third at 2 * 30 - 24, what comes after it at 3 * 30 - 24. */
static void test_copies_of_a_warp_go_through_one_stage(void) {
    begin_staged(3, WS_SCHEDULE_LOAD);
    CHECK(near(staged(1, 0, 30, 0, 24), 3 * 30 - 24 + 1 + 200));
    begin_staged(3, WS_SCHEDULE_INTEGER);
    CHECK(near(staged(1, 0, 30, 0, 24), 2 * 30 - 24 + 1 + 1 + 200));
    begin_staged(3, WS_SCHEDULE_LOAD);
    CHECK(near(staged(1, 5, 10, 4, 24), 3 * (10 + 5 * 4) - 24 + 1 + 200)); /* conflicts take the stage */
    CHECK(near(staged(1, 5, 30, 0, 24), 3 * 30 - 24 + 1 + 200));
    CHECK(near(staged(1, 0, 10, 4, 24), 3 * 10 - 24 + 1 + 200));
    CHECK(near(staged(1, 60, 0, 1, 24), 3 * 60 - 24 + 1 + 200)); /* all of them */
}

/* One in each of four sub-partitions at the same time, when the last warp has come to the barrier: the last load goes
 * at 4 * 30 - 24. A warp alone leaves the barrier one cycle after it came. Where no barrier brings warps together, they
 * come in turn and none waits. */
static void test_copies_of_all_sub_partitions_go_through_one_stage(void) {
    begin_staged(1, WS_SCHEDULE_LOAD);
    CHECK(near(staged(4, 0, 30, 0, 24), 6 + 1 + 200));
    add(WS_SCHEDULE_BARRIER);
    CHECK(near(staged(1, 0, 30, 0, 24), 6 + 1 + 200 + 1));
    CHECK(near(staged(4, 0, 30, 0, 24), 4 * 30 - 24 + 1 + 200));
    CHECK(near(staged(4, 5, 10, 4, 24), 4 * (10 + 5 * 4) - 24 + 1 + 200));
}

/* The second copy of two has its turn 50 cycles after it was issued, and only then reads its registers. */
static void test_registers_of_a_copy_are_read_in_its_turn(void) {
    ws_work work = work_of(3, 1, 1, 1, 2);
    ws_profile profile = quick();
    begin();
    add(WS_SCHEDULE_COPY);
    add(WS_SCHEDULE_COPY)->index = 1;
    storage.schedule.instruction[1].frees = 3;
    add(WS_SCHEDULE_INTEGER)->waits = 1 << 3;
    work.copies_a = 2;
    profile.constant[WS_COPY_ISSUE].value = profile.constant[WS_COPY_AHEAD].value = 50;
    profile.constant[WS_COPY_RELEASE].value = 100;
    for (int i = 0; i < 2; i++) {
        const ws_pipeline_work run = run_of(&work, 1, 4);
        CHECK(near(ws_pipeline_run(&storage.sm, &run, &profile, 6, 6), 50 + 100 + 1));
        storage.schedule.instruction[1].frees = WS_SCHEDULE_NOTHING; /* the same by the number of the copy */
        storage.schedule.instruction[2].waits = 0;
        storage.schedule.instruction[2].after = 2;
    }
}

/* A load that begins while w wavefronts of a copy are written, one cycle after these began: its data pipe is free after
 * four at most, though all are waited for. */
static void test_copies_that_arrive_take_four_cycles_of_the_data_pipe(void) {
    static const int wavefronts[] = {1, 2, 3, 4, 5, 64}, cycles[] = {3, 3, 4, 5, 5, 5};
    for (int i = 0; i < 6; i++) {
        ws_work work = work_of(3, 1, 1, 0, 2);
        const ws_profile profile = quick();
        const uint16_t one = 1;
        ws_pipeline_work run;
        begin();
        add(WS_SCHEDULE_COPY);
        add(WS_SCHEDULE_LOAD)->sets = 2;
        add(WS_SCHEDULE_MMA)->waits = 1 << 2;
        work.copies_a = 1;
        run = run_of(&work, 1, wavefronts[i]);
        run.load_wavefronts = &one;
        CHECK(near(ws_pipeline_run(&storage.sm, &run, &profile, 6, 6), cycles[i]));
        begin();
        add(WS_SCHEDULE_COPY);
        add(WS_SCHEDULE_WAIT);
        run.stages = 1;
        CHECK(near(ws_pipeline_run(&storage.sm, &run, &profile, 6, 6), wavefronts[i] + 1));
    }
}

/* Two warps of three copies, each of 8 wavefronts of which 4 conflict: the data pipe writes 4 of each, the stage takes
 * 5 cycles and 1.5 per conflict. */
static void test_the_stage_is_busy_beside_the_data_pipe(void) {
    ws_work work = work_of(3, 1, 1, 0, 2);
    ws_profile profile = quick();
    ws_pipeline_work run;
    begin();
    work.copies_a = 3;
    profile.constant[WS_COPY_ISSUE].value = 5;
    profile.constant[WS_COPY_CONFLICT].value = 1.5;
    run = run_of(&work, 2, 8);
    CHECK(near(ws_pipeline_busy_of(&run, &profile).pipe, 6 * (5 + 4 * 1.5))); /* more than 2 * 8 + 6 * 4 */
    profile.constant[WS_COPY_CONFLICT].value = 0.25;
    CHECK(near(ws_pipeline_busy_of(&run, &profile).pipe, 2 * 8 + 6 * 4)); /* more than 6 * (5 + 4 * 0.25) */
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
           test_spilled_registers, test_a_scoreboard_waits_for_all_that_set_it,
           test_constants_come_behind_their_scoreboard, test_others_take_their_issue_slot_and_no_more,
           test_copies_hold_their_registers, test_registers_are_read_behind_a_scoreboard,
           test_loads_wait_for_the_stage_of_the_copies, test_copies_of_a_warp_go_through_one_stage,
           test_copies_of_all_sub_partitions_go_through_one_stage, test_registers_of_a_copy_are_read_in_its_turn,
           test_copies_that_arrive_take_four_cycles_of_the_data_pipe, test_the_stage_is_busy_beside_the_data_pipe,
           test_slabs_are_waited_for, test_loads_go_before_data_that_have_arrived, test_barriers_hold_all_warps,
           test_loops_short_of_registers)
