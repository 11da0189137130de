/* Tests of test_pipeline.c: copies and loads that wait in queues, for slabs, at barriers. */
enum { START = 200 /* where nothing is left of what came before */ };

static ws_profile slow; /* of the test */

static void begin_together(void) {
    begin();
    add(WS_SCHEDULE_OTHER)->stall = START;
    slow = quick();
}

static void add_copies(int count) {
    for (int i = 0; i < count; i++) add(WS_SCHEDULE_COPY)->index = (uint16_t)i;
}

static void add_some(int count, int kind) {
    for (int i = 0; i < count; i++) add(kind);
}

/* When the last warp issues its last instruction, since START: every copy has so many wavefronts, a load one. */
static double last(int warps, int wavefronts) {
    static uint16_t loads[MOST_LOADS];
    ws_work work = work_of(3, 1, 1, 1, 2);
    ws_pipeline_work run;
    for (int i = 0; i < MOST_LOADS; i++) loads[i] = 1;
    work.copies_a = count_of(WS_SCHEDULE_COPY);
    run = run_of(&work, warps, wavefronts);
    run.load_wavefronts = loads;
    return ws_pipeline_run(&storage.sm, &run, &slow, 0, 1) - START;
}

/* Two copies at 0 and 1, a load at 2, then what uses its data, at 3 where these are there. */
static void test_warps_compute_on_while_loads_wait(void) {
    static const int waits[] = {WS_SCHEDULE_LOAD, WS_SCHEDULE_RELOAD};
    for (int i = 0; i < 2; i++) {
        begin_together();
        add_copies(2);
        add(waits[i])->sets = 2;
        add(WS_SCHEDULE_MMA)->waits = 1 << 2;
        slow.constant[WS_COPY_LATENCY].value = 5000; /* no data come meanwhile */
        CHECK(near(last(1, 1), 3));
        CHECK(near(last(1, 1000), 3)); /* it waits for the queue, not for the stage behind it */
        slow.constant[WS_COPY_ISSUE].value = 0.75;
        CHECK(near(last(1, 1), 3));
        slow.constant[WS_COPY_ISSUE].value = 1;
        CHECK(near(last(1, 1), 4)); /* twice two intervals */
        slow.constant[WS_COPY_ISSUE].value = 30;
        CHECK(near(last(1, 1), 4 * 30));
        slow.constant[WS_COPY_ISSUE].value = 0;
        slow.constant[WS_COPY_QUEUE].value = 1;
        CHECK(near(last(1, 3), 3));
        CHECK(near(last(1, 4), 4)); /* until the first has left the stage */
        CHECK(near(last(1, 100), 100));
        ws_schedule_last(&storage.schedule)->waits = 1 << 3; /* for nothing */
        CHECK(near(last(1, 100), 3));
    }
    for (int kind = 0; kind < WS_SCHEDULE_KINDS; kind++) { /* nothing keeps a warp from the next instruction */
        begin_together();
        add_copies(2);
        add(kind)->index = kind == WS_SCHEDULE_COPY ? 2 : 0;
        add(WS_SCHEDULE_OTHER);
        slow.constant[WS_COPY_ISSUE].value = 30;
        CHECK(near(last(1, 1), 3));
    }
}

/* The copy enters at 0 and loads follow at 100 at the earliest: as many as have room are issued at 1, 2 and so on, the
 * next one when the first of them goes. */
static void test_warps_wait_where_the_memory_queue_is_full(void) {
    static const struct {
        double given;
        int room;
    } cases[] = {{-5, 1}, {0, 1},     {0.5, 1}, {1, 1},   {1.9, 1}, {2, 2},
                 {9, 9},  {47.9, 47}, {48, 48}, {49, 48}, {1e9, 48}};
    for (int i = 0; i < 22; i++) {
        const int kind = i % 2 == 0 ? WS_SCHEDULE_LOAD : WS_SCHEDULE_RELOAD, room = cases[i / 2].room;
        begin_together();
        add_copies(1);
        add_some(room, kind);
        add(WS_SCHEDULE_OTHER);
        slow.constant[WS_COPY_ISSUE].value = 50;
        slow.constant[WS_MEMORY_QUEUE].value = cases[i / 2].given;
        CHECK(near(last(1, 1), 1 + room));
        ws_schedule_last(&storage.schedule)->kind = (uint8_t)kind;
        add(WS_SCHEDULE_OTHER);
        CHECK(near(last(1, 1), 100 + 1));
    }
}

/* The first copy enters at 0, the second at 100 and the third at 200; each takes three slots until then. Of five slots
 * two are left for loads beside a copy, and three more when it has entered; the sixth load waits until loads go. */
static void test_a_copy_takes_three_slots_of_the_memory_queue(void) {
    static const struct {
        int copies, loads, room;
        double cycles;
    } cases[] = {
        {2, 0, 1, 2},   {3, 0, 1, 101}, /* an empty queue takes a copy that has no room */
        {3, 0, 5, 101}, {3, 0, 6, 3},   {4, 0, 6, 101}, {4, 0, 8, 101}, {4, 0, 9, 4},   {2, 1, 3, 101}, {2, 1, 4, 3},
        {2, 3, 5, 101}, {2, 3, 6, 5},   {2, 5, 5, 103}, {2, 6, 5, 201}, {3, 1, 6, 101}, {3, 1, 7, 4},
    };
    for (int i = 0; i < 15; i++) {
        begin_together();
        add_copies(cases[i].copies);
        add_some(cases[i].loads, WS_SCHEDULE_LOAD);
        add(WS_SCHEDULE_OTHER);
        slow.constant[WS_COPY_ISSUE].value = 50;
        slow.constant[WS_MEMORY_QUEUE].value = cases[i].room;
        if (!CHECK(near(last(1, 1), cases[i].cycles))) fprintf(stderr, "    case %d: %g\n", i, last(1, 1));
    }
}

/* Copies at 0 and 1, of which the second is held until 100; loads at 2 and 3, which one queue holds if it has five
 * slots. Two queues hold both, whose warps issue each on its own. */
static void test_warps_of_a_sub_partition_share_the_memory_queue(void) {
    begin_together();
    add_copies(1);
    add(WS_SCHEDULE_LOAD);
    add(WS_SCHEDULE_OTHER);
    slow.constant[WS_COPY_ISSUE].value = 50;
    slow.constant[WS_MEMORY_QUEUE].value = 5;
    slow.constant[WS_SUB_PARTITIONS].value = 1;
    CHECK(near(last(2, 1), 5));
    slow.constant[WS_MEMORY_QUEUE].value = 4;
    CHECK(near(last(2, 1), 100 + 1));
    slow.constant[WS_SUB_PARTITIONS].value = 2;
    CHECK(near(last(2, 1), 2));
}

/* Copies that are all issued in the first cycles; the last one enters when all intervals are over. */
static void test_copies_of_a_sub_partition_are_two_intervals_apart(void) {
    static const struct {
        int partitions, warps, intervals;
    } cases[] = {{4, 1, 0}, {4, 2, 1}, {4, 4, 3}, {4, 8, 7}, {1, 2, 2}, {1, 4, 6}, {2, 4, 3}, {3, 6, 5}, {2, 3, 2}};
    for (int i = 0; i < 9; i++) {
        begin_together();
        add(WS_SCHEDULE_COPY)->frees = 3;
        add(WS_SCHEDULE_INTEGER)->waits = 1 << 3;
        slow.constant[WS_COPY_ISSUE].value = 15;
        slow.constant[WS_SUB_PARTITIONS].value = cases[i].partitions;
        CHECK(near(last(cases[i].warps, 1), cases[i].intervals > 0 ? cases[i].intervals * 15 : 1));
    }
}

/* The last of so many copies frees a scoreboard when it enters, and then goes what waits for that. */
static void begin_entering(int copies) {
    begin_together();
    add_copies(copies);
    ws_schedule_last(&storage.schedule)->frees = 3;
    add(WS_SCHEDULE_INTEGER)->waits = 1 << 3;
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
            begin_entering(copies);
            slow.constant[WS_COPY_QUEUE].value = cases[i].queue;
            CHECK(near(last(1, 100), ws_max(copies, (copies - cases[i].room) * 100)));
        }
    }
}

/* One of each of four sub-partitions at the same time. */
static void test_copies_of_all_sub_partitions_share_the_queue(void) {
    for (int room = 1; room <= 4; room++) {
        begin_entering(1);
        slow.constant[WS_COPY_QUEUE].value = room;
        CHECK(near(last(1, 30), 1));
        CHECK(near(last(4, 30), room < 4 ? (4 - room) * 30 : 1)); /* one enters whenever another has left */
    }
}

/* When the last of three such copies enters. */
static double entered_of(const uint16_t *wavefronts, double issue, double room) {
    ws_work work = work_of(3, 1, 1, 1, 2);
    ws_pipeline_work run;
    begin_entering(3);
    work.copies_a = 3;
    run = run_of(&work, 1, 1);
    run.copy_wavefronts = wavefronts;
    slow.constant[WS_COPY_ISSUE].value = issue;
    slow.constant[WS_COPY_QUEUE].value = room;
    return ws_pipeline_run(&storage.sm, &run, &slow, 0, 1) - START;
}

/* Of three copies the last enters when both others have left, and what it takes itself holds up nobody. */
static void test_each_copy_takes_the_stage_for_its_wavefronts(void) {
    static const uint16_t wavefronts[][3] = {{10, 20, 400}, {20, 400, 10}, {400, 10, 20}};
    static const int both[] = {10 + 20, 20 + 400, 400 + 10};
    for (int i = 0; i < 3; i++) {
        CHECK(near(entered_of(wavefronts[i], 0, 1), both[i]));
        CHECK(near(entered_of(wavefronts[i], 0, 2), wavefronts[i][0])); /* when the first has left */
        CHECK(near(entered_of(wavefronts[i], 0, 3), 3));
    }
}

/* A copy of no thread of its warp enters one after another like all, but takes no place in the queue. */
static void test_copies_of_no_thread(void) {
    static const uint16_t none[] = {0, 0, 0}, first[] = {50, 0, 0}, middle[] = {50, 0, 50};
    CHECK(near(entered_of(none, 50, 1), 2 * 2 * 50));
    CHECK(near(entered_of(first, 0, 1), 3));
    CHECK(near(entered_of(middle, 0, 2), 3));
    CHECK(near(entered_of(middle, 0, 1), 50)); /* the others do */
}

/* The second copy of two enters at 50 and only then reads its registers, in 30 cycles: where copies enter one after
 * another, and where the queue is full. So does a load behind them, for which the stage need not be free. */
static void test_registers_are_read_when_a_copy_enters(void) {
    for (int i = 0; i < 2; i++) {
        const int wavefronts = i == 0 ? 1 : 50;
        begin_together();
        add_copies(2);
        slow.constant[WS_COPY_ISSUE].value = i == 0 ? 25 : 0;
        slow.constant[WS_COPY_QUEUE].value = i == 0 ? 64 : 1;
        slow.constant[WS_COPY_RELEASE].value = 30;
        add(WS_SCHEDULE_INTEGER)->after = 2;
        CHECK(near(last(1, wavefronts), 50 + 30));
        ws_schedule_last(&storage.schedule)->after = 1; /* the first one enters at 0 */
        CHECK(near(last(1, wavefronts), 30));
        ws_schedule_last(&storage.schedule)->after = 0;
        CHECK(near(last(1, wavefronts), 2));
        ws_schedule_last(&storage.schedule)->waits = 1 << 3;
        storage.schedule.instruction[2].frees = 3; /* the same by a scoreboard */
        CHECK(near(last(1, wavefronts), 50 + 30));
        storage.schedule.instruction[1].frees = 3; /* which both free */
        CHECK(near(last(1, wavefronts), 50 + 30));
        storage.schedule.instruction[2].frees = WS_SCHEDULE_NOTHING;
        CHECK(near(last(1, wavefronts), 30));
        storage.schedule.instruction[1].frees = WS_SCHEDULE_NOTHING;
        ws_schedule_last(&storage.schedule)->kind = WS_SCHEDULE_LOAD;
        ws_schedule_last(&storage.schedule)->waits = 0;
        ws_schedule_last(&storage.schedule)->frees = 3;
        add(WS_SCHEDULE_INTEGER)->waits = 1 << 3;
        CHECK(near(last(1, wavefronts), 50 + (i == 0 ? 50 : 0) + 30));
    }
}

/* The second copy enters at 100, its data come 100 cycles later and are written in 30; the stage, which has it until
 * 130, keeps others from the queue and not the data. */
static void test_data_are_on_their_way_from_the_queue(void) {
    ws_work work = work_of(1, 1, 1, 0, 2);
    ws_pipeline_work run;
    begin_together();
    add_copies(2);
    add(WS_SCHEDULE_WAIT);
    work.copies_a = 2;
    run = run_of(&work, 1, 30);
    slow.constant[WS_COPY_ISSUE].value = 50;
    slow.constant[WS_COPY_LATENCY].value = 100;
    CHECK(near(ws_pipeline_run(&storage.sm, &run, &slow, 0, 1) - START, 100 + 100 + 30));
}

/* Though data have the data pipe for four wavefronts at most, all of them are waited for. */
static void test_all_wavefronts_of_a_copy_are_waited_for(void) {
    for (int wavefronts = 1; wavefronts <= 64; wavefronts *= 2) {
        ws_work work = work_of(1, 1, 1, 0, 2);
        ws_pipeline_work run;
        begin_together();
        add_copies(1);
        add(WS_SCHEDULE_WAIT);
        work.copies_a = 1;
        run = run_of(&work, 1, wavefronts);
        CHECK(near(ws_pipeline_run(&storage.sm, &run, &slow, 0, 1) - START, wavefronts));
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
    CHECK(near(period(1, 3, WS_COPY_ISSUE, 50), 2 * 50)); /* it enters when the warp is two iterations on */
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
    storage.schedule.instruction[3].stall = 95; /* from 6 on: its load was issued at 2 and took two cycles */
    CHECK(near(ws_pipeline_run(&storage.sm, &run, &profile, 6, 6), 100 + 1 + 200 + 1));
    storage.schedule.instruction[3].stall = 120;
    CHECK(near(ws_pipeline_run(&storage.sm, &run, &profile, 6, 6), 6 + 120 + 200 + 1));
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
