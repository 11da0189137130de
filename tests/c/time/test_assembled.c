/* Main loops whose machine code is known: it is run as it is, and must be of that loop. */
#include "../loops.h"

enum { NONE = WS_SCHEDULE_NOTHING, MOST_ROWS = WS_SCHEDULE_MOST + 1, REGISTERS = 77 };

static uint8_t rows[MOST_ROWS][WS_ASSEMBLED_FIELDS];
static ws_assembled code;

static void begin(void) {
    code.instruction = (const uint8_t(*)[WS_ASSEMBLED_FIELDS])rows;
    code.count = 0;
    code.registers = REGISTERS;
}

static void add(int kind, int stall, int waits, int sets, int frees) {
    uint8_t *row = rows[code.count++];
    row[WS_ASSEMBLED_KIND] = (uint8_t)kind;
    row[WS_ASSEMBLED_STALL] = (uint8_t)stall;
    row[WS_ASSEMBLED_WAITS] = (uint8_t)waits;
    row[WS_ASSEMBLED_SETS] = (uint8_t)sets;
    row[WS_ASSEMBLED_FREES] = (uint8_t)frees;
}

static void add_some(int count, int kind) {
    for (int i = 0; i < count; i++) add(kind, 1, 0, NONE, NONE);
}

/* One warp of 16 x 16 x 16: a load of A, one of B, two mma; with stages a copy of A and one of B. */
static ws_mainloop tiny(int stages) {
    ws_mainloop loop = plain(16, 16, 16, 1, 1, stages);
    loop.assembled = &code;
    return loop;
}

static ws_mainloop_cost cost_with(const ws_mainloop *loop, ws_profile_constant constant, double value) {
    ws_profile profile = quick();
    ws_mainloop_cost cost;
    ws_error error;
    memset(&cost, 0, sizeof cost);
    profile.constant[constant].value = value;
    if (!CHECK_EQUAL(ws_mainloop_cost_of(loop, &profile, &storage, &cost, &error), WS_OK))
        fprintf(stderr, "    %s\n", error.message);
    return cost;
}

static double cycles_with(const ws_mainloop *loop, ws_profile_constant constant, double value) {
    return cost_with(loop, constant, value).cycles;
}

static void check_refused(const ws_mainloop *loop, const char *message) {
    const ws_profile profile = ws_profile_of(WS_NO_TARGET);
    ws_mainloop_cost cost;
    ws_error error;
    CHECK_EQUAL(ws_mainloop_cost_of(loop, &profile, &storage, &cost, &error), WS_INVALID_ARGUMENT);
    CHECK_TEXT(error.message, message);
    CHECK_EQUAL(strncmp(error.message, error.argument, strlen(error.argument)), 0);
    CHECK_EQUAL(ws_mainloop_cost_of(loop, &profile, &storage, &cost, NULL), WS_INVALID_ARGUMENT);
}

/* Stalls of 10, 20, 6, 30 and 5 cycles; the first mma waits for both loads, of which the second is issued at 10. */
static void test_instructions_take_what_the_assembler_wrote(void) {
    const ws_mainloop loop = tiny(0);
    begin();
    add(WS_SCHEDULE_LOAD, 10, 0, 1, NONE);
    add(WS_SCHEDULE_LOAD, 20, 0, 2, NONE);
    add(WS_SCHEDULE_MMA, 6, 1 << 1 | 1 << 2, NONE, NONE);
    add(WS_SCHEDULE_MMA, 30, 0, NONE, NONE);
    add(WS_SCHEDULE_BRANCH, 5, 0, NONE, NONE);
    CHECK(near(cycles_with(&loop, WS_LOAD_LATENCY, 0), 10 + 20 + 6 + 30 + 5));
    CHECK(near(cycles_with(&loop, WS_LOAD_LATENCY, 20), 71));
    CHECK(near(cycles_with(&loop, WS_LOAD_LATENCY, 21), 72));
    CHECK(near(cycles_with(&loop, WS_LOAD_LATENCY, 100), 10 + 100 + 6 + 30 + 5));
    CHECK(near(cycles_with(&loop, WS_BRANCH_LATENCY, 100), 171));
    CHECK(near(cycles_with(&loop, WS_MMA_LATENCY, 1000), 71)); /* stalls cover sums */
    rows[2][WS_ASSEMBLED_WAITS] = 1 << 1;
    CHECK(near(cycles_with(&loop, WS_LOAD_LATENCY, 100), 100 + 6 + 30 + 5));
    rows[2][WS_ASSEMBLED_WAITS] = 1 << 6 | 1 << 7; /* there are six scoreboards */
    CHECK(near(cycles_with(&loop, WS_LOAD_LATENCY, 100), 71));
    rows[1][WS_ASSEMBLED_SETS] = 6;
    CHECK(near(cycles_with(&loop, WS_LOAD_LATENCY, 100), 71));
    rows[4][WS_ASSEMBLED_STALL] = 0; /* a cycle at least */
    CHECK(near(cycles_with(&loop, WS_LOAD_LATENCY, 0), 67));
}

/* A load frees its registers 100 cycles after it is issued, a parameter comes as late. */
static void test_scoreboards_of_registers_and_parameters(void) {
    const ws_mainloop loop = tiny(0);
    begin();
    add(WS_SCHEDULE_LOAD, 10, 0, NONE, 3);
    add(WS_SCHEDULE_LOAD, 20, 0, NONE, NONE);
    add(WS_SCHEDULE_CONSTANT, 1, 0, 5, NONE);
    add(WS_SCHEDULE_OTHER, 4, 1 << 3, NONE, NONE);
    add(WS_SCHEDULE_CONVERT, 5, 1 << 5, NONE, NONE);
    add_some(2, WS_SCHEDULE_MMA);
    CHECK(near(cycles_with(&loop, WS_COPY_RELEASE, 0), 10 + 20 + 1 + 4 + 5 + 2));
    CHECK(near(cycles_with(&loop, WS_COPY_RELEASE, 100), 100 + 4 + 5 + 2));
    CHECK(near(cycles_with(&loop, WS_GLOBAL_LATENCY, 100), 30 + 100 + 5 + 2));
}

/* Each keeps its place among those of its kind, so that it has its wavefronts. */
static void test_loads_and_copies_are_numbered(void) {
    const ws_mainloop loop = tiny(3);
    static const int indices[] = {0, 0, 0, 1, 1, 0, 0, 0, 0};
    begin();
    add(WS_SCHEDULE_WAIT, 1, 0, NONE, NONE);
    add(WS_SCHEDULE_COPY, 1, 0, NONE, NONE);
    add(WS_SCHEDULE_LOAD, 1, 0, NONE, NONE);
    add(WS_SCHEDULE_COPY, 1, 0, NONE, NONE);
    add(WS_SCHEDULE_LOAD, 1, 0, NONE, NONE);
    add(WS_SCHEDULE_BARRIER, 1, 0, NONE, NONE);
    add_some(2, WS_SCHEDULE_MMA);
    add(WS_SCHEDULE_BRANCH, 200, 0, NONE, NONE);
    /* of one sub-partition, copies enter the queue twice the interval apart */
    CHECK(near(cycles_with(&loop, WS_COPY_ISSUE, 100), 2 * 2 * 100));
    CHECK(near(cycles_with(&loop, WS_COPY_ISSUE, 30), 8 + 200)); /* which takes no longer than the rest */
    CHECK_EQUAL(storage.schedule.count, 9);
    for (int i = 0; i < 9; i++) CHECK_EQUAL(storage.schedule.instruction[i].index, indices[i]);
    /* three stages: two iterations for copies of which the first is requested one cycle after the wait, arrives 1000
     * later, and then they are written one after the other */
    CHECK(near(cycles_with(&loop, WS_COPY_LATENCY, 1000),
               (1 + 1000 + storage.copy_wavefronts[0] + storage.copy_wavefronts[1]) / 2.0));
}

static void test_registers_are_those_of_the_machine_code(void) {
    ws_mainloop loop = tiny(0);
    begin();
    add_some(2, WS_SCHEDULE_LOAD);
    add_some(2, WS_SCHEDULE_MMA);
    CHECK_EQUAL(cost_with(&loop, WS_LOAD_LATENCY, 100).registers, REGISTERS);
    CHECK(near(cycles_with(&loop, WS_LOAD_LATENCY, 100), 2 * 4)); /* the wavefronts of its loads */
    loop.assembled = NULL;
    /* estimated: 8, sums of two mma, 8 for addresses, four loads of two steps ahead */
    CHECK_EQUAL(cost_with(&loop, WS_LOAD_LATENCY, 100).registers, 8 + 8 + 8 + 4 * 4);
    CHECK(cycles_with(&loop, WS_LOAD_LATENCY, 100) > 100);
    CHECK_EQUAL(count_of(WS_SCHEDULE_BRANCH), 1);
    CHECK_EQUAL(code.count, 4);
}

static void test_machine_code_must_be_of_the_loop(void) {
    static const char other[] = "assembled: the machine code is of another loop: other ldmatrix, cp.async or mma";
    for (int stages = 0; stages <= 3; stages += 3) {
        for (int change = 0; change < 27; change++) { /* one less, as many, one more of each */
            const int loads = change % 3 - 1, copies = change / 3 % 3 - 1, mmas = change / 9 - 1;
            const ws_mainloop loop = tiny(stages);
            begin();
            add_some(2 + loads, WS_SCHEDULE_LOAD);
            add_some((stages > 0 ? 2 : 1) + copies, WS_SCHEDULE_COPY);
            add_some(2 + mmas, WS_SCHEDULE_MMA);
            if (loads == 0 && mmas == 0 && (stages > 0 ? copies == 0 : copies == -1))
                CHECK(finite_and_positive(cycles_with(&loop, WS_LOAD_LATENCY, 0)));
            else check_refused(&loop, other);
        }
    }
    for (int mmas = 1; mmas <= 5; mmas++) { /* two for one of unpacked elements */
        ws_mainloop loop = tiny(0);
        loop.unpacked = true;
        begin();
        add_some(2, WS_SCHEDULE_LOAD);
        add_some(mmas, WS_SCHEDULE_MMA);
        if (mmas == 4) CHECK(finite_and_positive(cycles_with(&loop, WS_LOAD_LATENCY, 0)));
        else check_refused(&loop, other);
    }
    begin();
    check_refused(&(ws_mainloop){0}, "tile: expected M, N and K from 1 to 4096; got 0 x 0 x 0");
    const ws_mainloop loop = tiny(0);
    check_refused(&loop, other); /* no instruction at all */
}

/* With one stage a warp that waits for copies that it has yet to request would wait for ever. Others wait for what was
 * requested stages - 1 iterations before, or one more where the wait comes last. */
static void test_copies_are_requested_before_they_are_waited_for(void) {
    for (int place = 0; place <= 2; place++) {
        for (int stages = 1; stages <= 3; stages++) {
            const ws_mainloop loop = tiny(stages);
            begin();
            add_some(place, WS_SCHEDULE_COPY);
            add_some(1, WS_SCHEDULE_WAIT);
            add_some(2 - place, WS_SCHEDULE_COPY);
            add_some(2, WS_SCHEDULE_LOAD);
            add_some(2, WS_SCHEDULE_MMA);
            if (stages == 1 && place < 2)
                check_refused(&loop, "assembled: with one stage, expected the wait after all cp.async");
            else {
                /* and until they are written; seven instructions are issued meanwhile, of which the loads, and so the
                 * copies behind them, can wait for other data: four wavefronts on each half of the data pipe */
                const double cycles = (stages - 1 + (place == 2)) * cycles_with(&loop, WS_COPY_LATENCY, 1000);
                const int written = storage.copy_wavefronts[0] + storage.copy_wavefronts[1];
                CHECK(cycles >= 1000 && cycles <= 1000 + written + 7 + 2 * 4);
            }
        }
    }
}

static void test_kinds_must_be_known(void) {
    const ws_mainloop loop = tiny(0);
    for (int kind = WS_SCHEDULE_KINDS - 1; kind < 256; kind++) {
        begin();
        add_some(2, WS_SCHEDULE_LOAD);
        add_some(2, WS_SCHEDULE_MMA);
        add(kind, 1, 0, NONE, NONE);
        if (kind < WS_SCHEDULE_KINDS) CHECK(finite_and_positive(cycles_with(&loop, WS_LOAD_LATENCY, 0)));
        else check_refused(&loop, "assembled: an instruction of no known kind");
    }
}

static void test_machine_code_of_any_length_that_the_model_takes(void) {
    const ws_mainloop loop = tiny(0);
    begin();
    add_some(2, WS_SCHEDULE_LOAD);
    add_some(2, WS_SCHEDULE_MMA);
    add_some(WS_SCHEDULE_MOST - 4, WS_SCHEDULE_OTHER);
    CHECK(near(cycles_with(&loop, WS_LOAD_LATENCY, 0), WS_SCHEDULE_MOST));
    CHECK_EQUAL(storage.schedule.count, WS_SCHEDULE_MOST);
    add_some(1, WS_SCHEDULE_OTHER);
    check_refused(&loop, "tile: too large; at most 65536 instructions of a warp per iteration; got 16 x 16 x 16");
}

CHECK_MAIN(test_instructions_take_what_the_assembler_wrote, test_scoreboards_of_registers_and_parameters,
           test_loads_and_copies_are_numbered, test_registers_are_those_of_the_machine_code,
           test_machine_code_must_be_of_the_loop, test_copies_are_requested_before_they_are_waited_for,
           test_kinds_must_be_known, test_machine_code_of_any_length_that_the_model_takes)
