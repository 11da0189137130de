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

/* --- the queue of the copies and the stage behind it ----------------------------------- */

enum { PAUSE = 40 * 200 /* in which the stage is done with all copies */ };

/* So many copies, then one of the kind, then the pause. */
static void begin_queue(int copies, int kind) {
    begin();
    for (int i = 0; i < copies; i++) add(WS_SCHEDULE_COPY)->index = (uint16_t)i;
    if (kind != WS_SCHEDULE_COPY) add(kind);
    for (int i = 0; i < 40; i++) add(WS_SCHEDULE_OTHER)->stall = PAUSE / 40;
}

/* Cycles beside the pause: a copy enters the queue `issue` cycles after another, `room` have room there, and the stage
 * takes `stage` cycles for each, its wavefronts. */
static double queued(int warps, double issue, double room, int stage) {
    ws_work work = work_of(3, 1, 1, 1, 2);
    ws_profile profile = quick();
    ws_pipeline_work run;
    work.copies_a = count_of(WS_SCHEDULE_COPY);
    run = run_of(&work, warps, stage);
    profile.constant[WS_COPY_ISSUE].value = issue;
    profile.constant[WS_COPY_QUEUE].value = room;
    return ws_pipeline_run(&storage.sm, &run, &profile, 6, 6) - PAUSE;
}

/* The second copy is issued at 1 and enters `issue` cycles after the first, which entered at 0. A load goes then, but
 * no sooner than at 2; the pause begins one cycle after it. */
static void test_loads_wait_until_copies_are_in_the_queue(void) {
    static const int waits[] = {WS_SCHEDULE_LOAD, WS_SCHEDULE_RELOAD};
    static const int others[] = {WS_SCHEDULE_MMA,  WS_SCHEDULE_INTEGER,  WS_SCHEDULE_CONVERT, WS_SCHEDULE_ADD,
                                 WS_SCHEDULE_WAIT, WS_SCHEDULE_CONSTANT, WS_SCHEDULE_BRANCH,  WS_SCHEDULE_OTHER};
    for (int i = 0; i < 2; i++) {
        begin_queue(2, waits[i]);
        CHECK(near(queued(1, 0, 64, 1), 2 + 1));
        CHECK(near(queued(1, 2, 64, 1), 2 + 1));
        CHECK(near(queued(1, 3, 64, 1), 3 + 1));
        CHECK(near(queued(1, 100, 64, 1), 100 + 1));
        CHECK(near(queued(1, 0, 64, 1000), 2 + 1)); /* for the queue, not for the stage behind it */
        CHECK(near(queued(1, 0, 1, 2), 2 + 1));
        CHECK(near(queued(1, 0, 1, 3), 3 + 1)); /* unless it is full */
    }
    for (int i = 0; i < 8; i++) { /* others do not need the port */
        begin_queue(2, others[i]);
        CHECK(near(queued(1, 100, 64, 1), 2 + 1));
        CHECK(near(queued(1, 0, 1, 100), 2 + 1));
    }
}

/* What comes after the third copy goes at 2 * 30, when it enters, if it needs the port, else one cycle after it was
 * issued, at 30. The first, after the pause, waits for none. */
static void test_copies_enter_one_after_another(void) {
    begin_queue(3, WS_SCHEDULE_LOAD);
    CHECK(near(queued(1, 30, 64, 1), 2 * 30 + 1));
    CHECK(near(queued(1, 30, 64, 30), 2 * 30 + 1)); /* the stage is as fast */
    CHECK(near(queued(1, 30, 1, 30), 2 * 30 + 1));
    CHECK(near(queued(1, 30, 1, 31), 2 * 31 + 1)); /* or holds up the queue */
    CHECK(near(queued(1, 30, 2, 40), 2 * 30 + 1)); /* which has room while the third enters: the first left at 40 */
    CHECK(near(queued(1, 30, 2, 61), 61 + 1));
    begin_queue(3, WS_SCHEDULE_INTEGER);
    CHECK(near(queued(1, 30, 64, 1), 30 + 1 + 1));
    begin_queue(1, WS_SCHEDULE_LOAD);
    CHECK(near(queued(1, 30, 64, 1), 1 + 1));
}

/* Where n copies have room, the one after them enters when the first has left the stage, after 100 cycles, and so on:
 * the last of n + 3 enters at 300. */
static void test_copies_wait_where_the_queue_is_full(void) {
    static const struct {
        double queue;
        int room;
    } cases[] = {{0, 1},   {0.5, 1},   {1, 1},   {1.9, 1}, {2, 2},    {3, 3},   {11, 11},
                 {63, 63}, {63.9, 63}, {64, 64}, {65, 64}, {200, 64}, {1e9, 64}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        for (int copies = cases[i].room; copies <= cases[i].room + 3; copies++) {
            const int wait = (copies - cases[i].room) * 100;
            begin_queue(copies, WS_SCHEDULE_LOAD);
            CHECK(near(queued(1, 0, cases[i].queue, 100), (wait > 0 ? wait : copies) + 1));
        }
    }
}

/* One of each of four sub-partitions at the same time, when the last warp has come to the barrier; that warp itself
 * issues a cycle later, as it does alone. Where no barrier brings warps together, they come in turn and none waits. */
static void test_copies_of_all_sub_partitions_share_the_queue(void) {
    begin_queue(1, WS_SCHEDULE_LOAD);
    CHECK(near(queued(4, 30, 64, 1), 1 + 1));
    CHECK(near(queued(4, 0, 1, 30), 1 + 1));
    add(WS_SCHEDULE_BARRIER);
    CHECK(near(queued(1, 30, 64, 1), 1 + 1 + 1));
    CHECK(near(queued(4, 0, 4, 30), 1 + 1 + 1));
    CHECK(near(queued(4, 30, 64, 1), 3 * 30 + 1));
    CHECK(near(queued(4, 0, 3, 30), 30 + 1)); /* the last of four enters when the first has left */
    CHECK(near(queued(4, 0, 2, 30), 2 * 30 + 1));
    CHECK(near(queued(4, 0, 1, 30), 3 * 30 + 1));
}

/* Cycles of a warp of such copies, beside the pause. */
static double queued_of(const uint16_t *wavefronts, double issue, double room) {
    ws_work work = work_of(3, 1, 1, 1, 2);
    ws_profile profile = quick();
    ws_pipeline_work run;
    work.copies_a = count_of(WS_SCHEDULE_COPY);
    run = run_of(&work, 1, 4);
    run.copy_wavefronts = wavefronts;
    profile.constant[WS_COPY_ISSUE].value = issue;
    profile.constant[WS_COPY_QUEUE].value = room;
    return ws_pipeline_run(&storage.sm, &run, &profile, 6, 6) - PAUSE;
}

/* Of three copies the last enters when both others have left, and what it takes itself holds up nobody. */
static void test_each_copy_takes_the_stage_for_its_wavefronts(void) {
    static const uint16_t wavefronts[][3] = {{10, 20, 400}, {20, 400, 10}, {400, 10, 20}};
    static const int last[] = {10 + 20, 20 + 400, 400 + 10};
    for (int i = 0; i < 3; i++) {
        begin_queue(3, WS_SCHEDULE_LOAD);
        CHECK(near(queued_of(wavefronts[i], 0, 1), last[i] + 1));
        CHECK(near(queued_of(wavefronts[i], 0, 2), (wavefronts[i][0] > 3 ? wavefronts[i][0] : 3) + 1));
    }
}

/* A copy of no thread of its warp enters one after another like all, but takes no place in the queue. */
static void test_copies_of_no_thread(void) {
    static const uint16_t none[] = {0, 0, 0}, first[] = {50, 0, 0}, middle[] = {50, 0, 50};
    begin_queue(3, WS_SCHEDULE_LOAD);
    CHECK(near(queued_of(none, 100, 1), 2 * 100 + 1));
    CHECK(near(queued_of(first, 0, 1), 3 + 1));
    CHECK(near(queued_of(middle, 0, 2), 3 + 1));
    CHECK(near(queued_of(middle, 0, 1), 50 + 1)); /* the others do */
}

/* The second copy of two enters 50 cycles after it could, and only then reads its registers: where copies enter one
 * after another, where the queue is full, and where the way there is long. */
static void test_registers_of_a_copy_are_read_in_the_queue(void) {
    static const struct {
        double issue, room, port;
        int stage, enters;
    } cases[] = {
        {50, 64, 0, 1, 50}, {0, 1, 0, 50, 50}, {0, 64, 50, 1, 50 + 50}}; /* its turn is when the first enters */
    for (int i = 0; i < 6; i++) {
        ws_work work = work_of(3, 1, 1, 1, 2);
        ws_profile profile = quick();
        ws_pipeline_work run;
        begin();
        add(WS_SCHEDULE_COPY);
        add(WS_SCHEDULE_COPY)->index = 1;
        add(WS_SCHEDULE_INTEGER);
        if (i % 2 == 0) {
            storage.schedule.instruction[1].frees = 3;
            storage.schedule.instruction[2].waits = 1 << 3;
        } else storage.schedule.instruction[2].after = 2; /* the same by the number of the copy */
        work.copies_a = 2;
        run = run_of(&work, 1, cases[i / 2].stage);
        profile.constant[WS_COPY_ISSUE].value = cases[i / 2].issue;
        profile.constant[WS_COPY_QUEUE].value = cases[i / 2].room;
        profile.constant[WS_LOAD_PORT].value = cases[i / 2].port;
        profile.constant[WS_COPY_RELEASE].value = 100;
        CHECK(near(ws_pipeline_run(&storage.sm, &run, &profile, 6, 6), cases[i / 2].enters + 100 + 1));
    }
}

/* A copy enters at 50, its data come 100 cycles later and are written in 30; the stage, which has it until 80, keeps
 * others from the queue and not the data. */
static void test_data_are_on_their_way_from_the_queue(void) {
    ws_work work = work_of(1, 1, 1, 0, 2);
    ws_profile profile = quick();
    ws_pipeline_work run;
    begin();
    add(WS_SCHEDULE_COPY);
    add(WS_SCHEDULE_WAIT);
    work.copies_a = 1;
    run = run_of(&work, 1, 30);
    profile.constant[WS_LOAD_PORT].value = 50;
    profile.constant[WS_COPY_LATENCY].value = 100;
    CHECK(near(ws_pipeline_run(&storage.sm, &run, &profile, 6, 6), 50 + 100 + 30 + 1));
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

/* Two warps of a load and three copies of as many wavefronts: the data pipe has those of the loads and writes four of
 * each copy. The stage takes a cycle for each, or the time until the next copy enters where that is longer. */
static void test_the_stage_is_busy_beside_the_data_pipe(void) {
    static const struct {
        int wavefronts;
        double issue, busy;
    } cases[] = {{8, 0, 6 * 8}, {8, 7.5, 6 * 8},       {8, 8.5, 6 * 8.5},     {4, 0, 2 * 4 + 6 * 4},
                 {4, 6, 6 * 6}, {4, 5, 2 * 4 + 6 * 4}, {5, 0, 2 * 5 + 6 * 4}, {16, 3, 6 * 16}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ws_work work = work_of(3, 1, 1, 0, 2);
        ws_profile profile = quick();
        ws_pipeline_work run;
        begin();
        work.copies_a = 3;
        profile.constant[WS_COPY_ISSUE].value = cases[i].issue;
        run = run_of(&work, 2, cases[i].wavefronts);
        CHECK(near(ws_pipeline_busy_of(&run, &profile).pipe, cases[i].busy));
    }
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

/* Barrier, one of the kind that stalls, load: what stops before the barrier lets pass goes at 100 and the load after
 * the stall; what does not goes at 1. The load goes at 100 at the earliest, and the next barrier after it. */
static void test_warps_at_a_barrier_compute_on(void) {
    static const bool stops[WS_SCHEDULE_KINDS] = {[WS_SCHEDULE_LOAD] = true,
                                                  [WS_SCHEDULE_RELOAD] = true,
                                                  [WS_SCHEDULE_COPY] = true,
                                                  [WS_SCHEDULE_BARRIER] = true};
    for (int i = 0; i < WS_SCHEDULE_KINDS * 2; i++) {
        const int kind = i / 2, warps = i % 2 == 0 ? 1 : 4;
        begin();
        add(WS_SCHEDULE_BARRIER);
        add(kind)->stall = 98;
        add(WS_SCHEDULE_LOAD);
        if (kind == WS_SCHEDULE_BARRIER) { /* a load waits for both */
            CHECK(near(period(warps, 3, WS_BARRIER_LATENCY, 100), 100 + 100 + 1));
            continue;
        }
        CHECK(near(period(warps, 3, WS_BARRIER_LATENCY, 100), (stops[kind] ? 100 + 98 : 100) + 1));
        storage.schedule.instruction[1].stall = 99;
        CHECK(near(period(warps, 3, WS_BARRIER_LATENCY, 100), (stops[kind] ? 100 + 99 : 100) + 1));
        storage.schedule.instruction[1].stall = 100;
        CHECK(near(period(warps, 3, WS_BARRIER_LATENCY, 100), (stops[kind] ? 100 + 100 : 101) + 1));
    }
}

/* A load of 50 wavefronts of the second warp, then one of 100 of the first; a wavefront comes back in two cycles. The
 * first warp waits at the barrier between them, where it has been for long, and computes meanwhile. */
static void test_barriers_wait_for_the_last_warp(void) {
    static const uint16_t wavefronts[] = {1, 100, 50, 1};
    ws_work work = work_of(0, 1, 1, 1, 2);
    ws_profile profile = quick();
    ws_pipeline_work run;
    begin();
    for (int i = 0; i < 2; i++) {
        ws_schedule_instruction *load = add(WS_SCHEDULE_LOAD);
        load->index = (uint16_t)i;
        load->sets = 2;
        add(WS_SCHEDULE_OTHER)->waits = 1 << 2;
        add(WS_SCHEDULE_BARRIER);
        add(WS_SCHEDULE_INTEGER);
    }
    run = run_of(&work, 2, 1);
    run.load_wavefronts = wavefronts;
    profile.constant[WS_WAVEFRONT_LATENCY].value = 2;
    /* from one barrier to the other: what is waited for, and one cycle of what waited */
    CHECK(near(ws_pipeline_run(&storage.sm, &run, &profile, 6, 6), 100 + 1 + 200 + 1));
    storage.schedule.instruction[3].stall = 30;
    CHECK(near(ws_pipeline_run(&storage.sm, &run, &profile, 6, 6), 100 + 1 + 200 + 1));
    storage.schedule.instruction[3].stall = 60; /* from 54 on */
    CHECK(near(ws_pipeline_run(&storage.sm, &run, &profile, 6, 6), 54 + 60 + 200 + 1));
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
           test_loads_wait_until_copies_are_in_the_queue, test_copies_enter_one_after_another,
           test_copies_wait_where_the_queue_is_full, test_copies_of_all_sub_partitions_share_the_queue,
           test_each_copy_takes_the_stage_for_its_wavefronts, test_copies_of_no_thread,
           test_registers_of_a_copy_are_read_in_the_queue, test_data_are_on_their_way_from_the_queue,
           test_copies_that_arrive_take_four_cycles_of_the_data_pipe, test_the_stage_is_busy_beside_the_data_pipe,
           test_slabs_are_waited_for, test_loads_go_before_data_that_have_arrived, test_barriers_hold_all_warps,
           test_warps_at_a_barrier_compute_on, test_barriers_wait_for_the_last_warp, test_loops_short_of_registers)
