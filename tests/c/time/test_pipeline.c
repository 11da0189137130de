/* Lists of instructions on an SM: what each of its parts takes of a warp's time. */
#include "../loops.h"

enum { MOST_LOADS = 32 * 5 * 14, MOST_COPIES = 24 * 32 };

/* All wavefronts alike: w of each load and copy. */
static ws_pipeline_work run_of(const ws_work *work, int warps, int w) {
    static uint16_t loads[MOST_LOADS], copies[MOST_COPIES];
    ws_pipeline_work run;
    for (int i = 0; i < MOST_LOADS; i++) loads[i] = (uint16_t)w;
    for (int i = 0; i < MOST_COPIES; i++) copies[i] = (uint16_t)w;
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

/* Without a barrier, warps drift apart where some are served more often than others. Those are done first, and leave the
 * SM to the rest: five warps with a load of 32 wavefronts each take 160 cycles, but for the end of the last one's. */
static void test_warps_that_are_done_leave_the_rest_alone(void) {
    const ws_work work = work_of(0, 1, 1, 1, 2);
    ws_profile profile = quick();
    begin();
    add(WS_SCHEDULE_LOAD)->sets = 1;
    add(WS_SCHEDULE_OTHER)->waits = 1 << 1;
    profile.constant[WS_WAVEFRONT_LATENCY].value = 2;
    for (int latency = 0; latency < 14; latency++) {
        const ws_pipeline_work run = run_of(&work, 5, 32);
        double cycles;
        profile.constant[WS_LOAD_LATENCY].value = latency;
        cycles = ws_pipeline_run(&storage.sm, &run, &profile, 6, 6);
        CHECK(cycles >= 160 && cycles < 163);
    }
    begin();
    add(WS_SCHEDULE_MMA);
    CHECK(near(period(4, 0, WS_MMA_INTERVAL, 100), 100));
    CHECK(near(period(5, 0, WS_MMA_INTERVAL, 100), 200)); /* two in the first sub-partition, which end last */
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

/* What waits for a copy waits until its registers have been read. */
static void test_copies_hold_their_registers(void) {
    begin();
    add(WS_SCHEDULE_COPY);
    add(WS_SCHEDULE_INTEGER);
    CHECK(near(period(1, 3, WS_COPY_PATH, 100), 2)); /* nothing waits for its data */
    CHECK(near(period(1, 3, WS_COPY_RELEASE, 100), 2));
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

/* Whatever goes to memory takes the port of its sub-partition. */
static void test_loads_and_copies_take_the_port(void) {
    static const int kinds[] = {WS_SCHEDULE_COPY, WS_SCHEDULE_LOAD, WS_SCHEDULE_RELOAD};
    for (int i = 0; i < 9; i++) {
        begin();
        add(kinds[i / 3]);
        add(kinds[i % 3])->index = kinds[i / 3] == kinds[i % 3];
        CHECK(near(period(1, 3, WS_LOAD_PORT, 100), 200));
        CHECK(near(period(4, 3, WS_LOAD_PORT, 100), 200));
        CHECK(near(period(8, 3, WS_LOAD_PORT, 100), 400));
    }
}

/* --- what sub-partitions hold, by hand ------------------------------------------------- */

enum { ROWS = 16, WARPS = 16, LOAD = WS_SCHEDULE_LOAD, RELOAD = WS_SCHEDULE_RELOAD, COPY = WS_SCHEDULE_COPY };

typedef struct row {
    int kind, warp, wavefronts;
    double issued, goes;
} row;

/* Everything goes when it should; warp k is of sub-partition k mod 4. */
static void check_rows(const ws_profile *profile, const row *rows, int count) {
    static uint16_t loads[WARPS * ROWS], copies[ROWS * WARPS];
    const ws_pipeline_work run = {WARPS, 3, ROWS, ROWS, &storage.schedule, loads, copies};
    ws_pipeline *sm = &storage.sm;
    double when = 0;
    int gone = 0;
    begin();
    sm->work = &run;
    sm->profile = profile;
    sm->partitions = 4;
    ws_pipeline_reset(sm);
    for (int i = 0; i < count; i++) add(rows[i].kind)->index = (uint16_t)i;
    for (int i = 0; i < count; i++) {
        loads[rows[i].warp * ROWS + i] = copies[i * WARPS + rows[i].warp] = (uint16_t)rows[i].wavefronts;
        ws_pipeline_hold(sm, rows[i].warp, &storage.schedule.instruction[i], rows[i].issued);
    }
    for (int sp = ws_pipeline_next(sm, &when); sp >= 0; sp = ws_pipeline_next(sm, &when)) {
        const ws_pipeline_queue *queue = &sm->queue[sp];
        const int i = (int)(queue->held[queue->first].one - storage.schedule.instruction);
        if (ws_pipeline_lands(sm, true, when)) {
            ws_pipeline_land(sm);
            continue;
        }
        if (!CHECK(near(when, rows[i].goes))) fprintf(stderr, "    row %d of %d at %g\n", i, count, when);
        ws_pipeline_serve(sm, sp, when);
        gone++;
    }
    CHECK_EQUAL(gone, count);
}

static ws_profile quick_with(ws_profile_constant constant, double value) {
    ws_profile profile = quick();
    profile.constant[constant].value = value;
    return profile;
}

/* A copy enters 10 cycles after another of the SM, and 20 after one of its sub-partition. */
static void test_loads_wait_for_the_copies_before_them(void) {
    static const row rows[] = {
        {COPY, 0, 1, 100, 100},   /* the first of all */
        {COPY, 4, 1, 101, 120},   /* of the same sub-partition */
        {LOAD, 0, 1, 102, 140},   /* 20 after that, though its own warp's copy was the first */
        {LOAD, 8, 1, 103, 140},   /* of a warp without a copy */
        {COPY, 1, 1, 104, 110},   /* of another sub-partition */
        {LOAD, 1, 1, 105, 130},   /* which waits for its own copies */
        {RELOAD, 1, 1, 106, 130}, /* and for no more than a load does */
        {LOAD, 2, 1, 107, 107},   /* there is no copy before it */
        {RELOAD, 2, 1, 108, 108}, /* nor before this */
        {COPY, 2, 1, 109, 130},   /* the fourth of the SM */
    };
    const ws_profile profile = quick_with(WS_COPY_ISSUE, 10);
    check_rows(&profile, rows, 10);
}

/* Two loads of 50 wavefronts have both halves of the data pipe until 200: the third waits, and so does the copy behind
 * it, but no copy of another sub-partition. */
static void test_copies_wait_for_the_loads_before_them(void) {
    static const row rows[] = {{LOAD, 1, 50, 100, 100}, {LOAD, 2, 50, 100, 100}, {LOAD, 0, 1, 101, 200},
                               {COPY, 4, 1, 102, 200},  {COPY, 1, 1, 103, 103},  {COPY, 3, 1, 104, 113}};
    const ws_profile profile = quick_with(WS_COPY_ISSUE, 10);
    check_rows(&profile, rows, 6);
}

/* Of those that could enter, the sub-partition whose last one is longest ago. */
static void test_copies_of_sub_partitions_take_turns(void) {
    static const row together[] = {{COPY, 0, 1, 100, 100}, {COPY, 0, 1, 100, 130}, {COPY, 1, 1, 100, 110},
                                   {COPY, 1, 1, 100, 140}, {COPY, 2, 1, 100, 120}, {COPY, 2, 1, 100, 150}};
    static const row backwards[] = {{COPY, 2, 1, 100, 100}, {COPY, 1, 1, 101, 110}, {COPY, 0, 1, 111, 120},
                                    {COPY, 0, 1, 112, 150}, {COPY, 1, 1, 112, 140}, {COPY, 2, 1, 112, 130}};
    static const row alone[] = {{COPY, 0, 1, 100, 100}, {COPY, 0, 1, 119, 120}, {COPY, 4, 1, 141, 141}};
    const ws_profile profile = quick_with(WS_COPY_ISSUE, 10);
    check_rows(&profile, together, 6);
    check_rows(&profile, backwards, 6);
    check_rows(&profile, alone, 3);
}

/* Each in two cycles per wavefront: the third goes when the second is done, at 101 + 2 * 4, the fourth after it. */
static void test_two_loads_share_the_data_pipe(void) {
    static const row rows[] = {
        {LOAD, 0, 10, 100, 100}, {LOAD, 4, 4, 101, 101}, {LOAD, 8, 1, 102, 109}, {LOAD, 12, 1, 103, 111}};
    /* in the order of issue, not of sub-partitions */
    static const row others[] = {
        {LOAD, 3, 10, 100, 100}, {LOAD, 2, 4, 101, 101}, {LOAD, 1, 1, 102, 109}, {LOAD, 0, 1, 103, 111}};
    /* the half that is free first, whichever it is */
    static const row halves_swapped[] = {
        {LOAD, 0, 4, 100, 100}, {LOAD, 1, 10, 101, 101}, {LOAD, 2, 1, 102, 108}, {LOAD, 3, 1, 103, 110}};
    /* a spilled register is a wavefront */
    static const row spilled[] = {{LOAD, 1, 50, 100, 100}, {RELOAD, 0, 7, 101, 101}, {LOAD, 2, 1, 102, 103}};
    const ws_profile profile = quick();
    check_rows(&profile, rows, 4);
    check_rows(&profile, others, 4);
    check_rows(&profile, halves_swapped, 4);
    check_rows(&profile, spilled, 3);
}

/* The data of four wavefronts come back until 100 + 4 * latency. A spilled register does not wait for them, and has the
 * other half until 103; the load of another warp, behind both, takes the half that is free first. */
static void test_loads_of_a_warp_go_one_after_another(void) {
    static const double second[] = {103, 104, 108, 112}, third[] = {105, 106, 108, 112};
    for (int latency = 0; latency <= 3; latency++) {
        const row rows[] = {{LOAD, 0, 4, 100, 100},
                            {RELOAD, 0, 1, 101, 101},
                            {LOAD, 0, 1, 102, second[latency]},
                            {LOAD, 4, 1, 103, third[latency]}};
        const ws_profile profile = quick_with(WS_WAVEFRONT_LATENCY, latency);
        check_rows(&profile, rows, 4);
    }
}

/* The data of a copy take one half from 100 on, a load of another warp the other half from 101 on. */
static void test_data_that_arrive_take_four_wavefronts_of_one_half(void) {
    static const int wavefronts[] = {1, 2, 3, 4, 5, 64}, until[] = {102, 104, 106, 108, 108, 108};
    const ws_profile profile = quick();
    for (int i = 0; i < 6; i++) {
        const row rows[] = {{COPY, 0, wavefronts[i], 100, 100}, {LOAD, 1, 50, 101, 101}, {LOAD, 2, 1, 102, until[i]}};
        check_rows(&profile, rows, 3);
    }
}

/* One half is taken, the other is free from 102 on: data that have arrived have it for eight cycles if no load wants it
 * then, and data that arrive later from then on. */
static void test_loads_go_before_data_that_have_arrived(void) {
    static const struct {
        double arrival, wanted, goes;
    } cases[] = {{0, 102, 102}, {0, 103, 110}, {2, 102, 102}, {2, 103, 110}, {3, 103, 103}, {3, 104, 111}};
    for (int i = 0; i < 6; i++) {
        const row rows[] = {{COPY, 0, 4, 100, 100},
                            {LOAD, 1, 50, 100, 100},
                            {LOAD, 2, 1, 100, 100},
                            {LOAD, 3, 1, cases[i].wanted, cases[i].goes}};
        const ws_profile profile = quick_with(WS_COPY_LATENCY, cases[i].arrival);
        check_rows(&profile, rows, 4);
    }
}

#include "queues.h"

CHECK_MAIN(test_pipeline_more_wavefronts_are_never_faster, test_stalls_and_branches,
           test_warps_of_a_sub_partition_share_its_slots, test_warps_that_are_done_leave_the_rest_alone,
           test_arithmetic_takes_the_alu, test_products_take_the_tensor_pipe_and_are_waited_for,
           test_data_are_waited_for_behind_their_scoreboard, test_spilled_registers,
           test_a_scoreboard_waits_for_all_that_set_it, test_constants_come_behind_their_scoreboard,
           test_others_take_their_issue_slot_and_no_more, test_copies_hold_their_registers,
           test_registers_are_read_behind_a_scoreboard, test_loads_and_copies_take_the_port,
           test_loads_wait_for_the_copies_before_them, test_copies_wait_for_the_loads_before_them,
           test_copies_of_sub_partitions_take_turns, test_two_loads_share_the_data_pipe,
           test_loads_of_a_warp_go_one_after_another, test_data_that_arrive_take_four_wavefronts_of_one_half,
           test_loads_go_before_data_that_have_arrived, test_warps_compute_on_while_loads_wait,
           test_warps_wait_where_the_memory_queue_is_full, test_a_copy_takes_three_slots_of_the_memory_queue,
           test_warps_of_a_sub_partition_share_the_memory_queue, test_copies_of_a_sub_partition_are_two_intervals_apart,
           test_copies_wait_where_the_queue_is_full, test_copies_of_all_sub_partitions_share_the_queue,
           test_each_copy_takes_the_stage_for_its_wavefronts, test_copies_of_no_thread,
           test_registers_are_read_when_a_copy_enters, test_data_are_on_their_way_from_the_queue,
           test_all_wavefronts_of_a_copy_are_waited_for, test_the_stage_is_busy_beside_the_data_pipe,
           test_slabs_are_waited_for, test_barriers_hold_all_warps, test_warps_at_a_barrier_compute_on,
           test_barriers_wait_for_the_last_warp, test_loops_short_of_registers)
