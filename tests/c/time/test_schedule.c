/* The instructions of a main loop: what registers leave room for, and that the list is one that a warp can run. */
#include "../loops.h"

/* --- what a compiler makes of a loop ------------------------------------------------- */

static void test_registers_of_a_thread(void) {
    static const struct { int warps, most; } cases[] = {{1, 255}, {8, 255}, {9, 224}, {16, 128}, {32, 64}};
    for (int i = 0; i < 5; i++) CHECK_EQUAL(ws_compiled_most_registers(cases[i].warps), cases[i].most);
}

static ws_work compiled(const ws_mainloop *loop, int copies_a, int copies_b) {
    int64_t registers;
    return ws_compiled_work(loop, copies_a, copies_b, &registers);
}

/* Of what is spilled below 8 spare registers, first the addresses of swizzled loads, then those of copies. */
static void check_spills(const ws_mainloop *loop, const ws_work *work, int64_t spare) {
    const int64_t spilled = (loop->unpacked ? 60 : 8) - spare;
    const int loads = loop->a.swizzle.bits > 0 ? work->steps * (work->loads_a + work->loads_b) : 0;
    CHECK_EQUAL(work->copy_reloads, spilled > loads ? spilled - loads : 0);
    if (loop->unpacked) CHECK_EQUAL(work->load_reloads, spilled > 0 ? spilled : 0); /* fragments, too */
    else CHECK_EQUAL(work->load_reloads + work->copy_reloads, spilled > 0 ? spilled : 0);
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
            CHECK(registers >= work.loads_a * work.loads_b * 8 + 4 * work.room);
            ws_compiled_room(&loop, &work, spare);
            CHECK(work.room >= 1 && work.room <= 2 * (work.loads_a + work.loads_b));
            CHECK(work.full_steps <= (loop.unpacked ? work.steps : 0));
            CHECK(!work.by_columns || (work.loads_a < work.loads_b && work.room < work.loads_a + work.loads_b));
            check_spills(&loop, &work, spare);
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
        if (loop.unpacked) CHECK_EQUAL(work.full_steps > 0, 8 * work.loads_a * work.loads_b + 64 <= 250);
    }
}

static void test_spills_by_hand(void) {
    static const struct {
        bool swizzled, unpacked;
        int spare, loads, copies, ahead;
    } cases[] = {
        {false, false, 56, 0, 0, 3}, {false, false, 55, 0, 0, 2}, {false, false, 10, 0, 0, 2},
        {false, false, 9, 0, 0, 1},  {false, false, 8, 0, 0, 1},  {false, false, 7, 0, 1, 1},
        {true, false, 8, 0, 0, 1},   {true, false, 7, 1, 0, 1},   {true, false, -8, 16, 0, 1}, /* 4 steps of 4 loads */
        {true, false, -9, 16, 1, 1}, {true, true, 60, 0, 0, 3},   {true, true, 59, 1, 0, 3},
        {true, true, 44, 16, 0, 2},  {true, true, 43, 17, 1, 2},  {false, true, 60, 0, 0, 3},
        {false, true, 59, 1, 1, 3},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        ws_mainloop loop = loop_of(64, 64, 64, 2, 2, 3, false, 0);
        ws_work work = compiled(&loop, 4, 4);
        loop.b.swizzle.bits = cases[i].swizzled ? 3 : 0;
        loop.unpacked = cases[i].unpacked;
        ws_compiled_room(&loop, &work, cases[i].spare);
        CHECK_EQUAL(work.load_reloads, cases[i].loads);
        CHECK_EQUAL(work.copy_reloads, cases[i].copies);
        CHECK_EQUAL(work.copies_ahead, cases[i].ahead);
    }
}

/* Registers of addresses: without 8 of any thread, 2 x 2 x 8 sums (64 x 64 on four warps), and four for each load that
 * is held, here the 8 of two steps. */
static int64_t registers_of(const ws_mainloop *loop, int copies_a, int copies_b) {
    int64_t registers;
    CHECK_EQUAL(ws_compiled_work(loop, copies_a, copies_b, &registers).room, 8);
    return registers - 8 - 2 * 2 * 8 - 4 * 8;
}

static void test_registers_of_addresses_by_hand(void) {
    ws_mainloop loop = loop_of(64, 64, 64, 2, 2, 3, false, 0);
    CHECK_EQUAL(registers_of(&loop, 4, 4), 15 + 2 * 4);
    CHECK_EQUAL(registers_of(&loop, 4, 5), 15 + 2 * 5); /* shared by A and B */
    CHECK_EQUAL(registers_of(&loop, 6, 5), 15 + 2 * 6);
    loop.stages = 2;
    CHECK_EQUAL(registers_of(&loop, 4, 4), 15 + 2 * 4);
    loop.stages = 1; /* shared in shared memory only */
    CHECK_EQUAL(registers_of(&loop, 4, 4), 15 + 2 * (4 + 4) + 4);
    CHECK_EQUAL(registers_of(&loop, 4, 6), 15 + 2 * (4 + 6) + 6);
    loop.stages = 0;
    CHECK_EQUAL(registers_of(&loop, 0, 0), 8);
    loop = loop_of(64, 64, 64, 2, 2, 3, false, 0);
    loop.a.pad = 8;
    CHECK_EQUAL(registers_of(&loop, 4, 4), 15 + 3 * 4);
    loop.a.pad = 0, loop.b.pad = 8;
    CHECK_EQUAL(registers_of(&loop, 4, 4), 15 + 3 * 4);
    loop = loop_of(64, 64, 64, 2, 2, 3, false, 0);
    loop.a.swizzle.bits = 3; /* and an address for each of 4 x 4 loads */
    CHECK_EQUAL(registers_of(&loop, 4, 4), 15 + 3 * 4 + 4 * 4);
    loop.stages = 0;
    CHECK_EQUAL(registers_of(&loop, 0, 0), 8 + 4 * 4);
    loop = loop_of(64, 64, 64, 2, 2, 3, true, 0);
    CHECK_EQUAL(registers_of(&loop, 4, 4), 15 + 2 * 4); /* K x N: as long where K is N */
    loop = loop_of(64, 64, 32, 2, 2, 3, true, 0);
    CHECK_EQUAL(registers_of(&loop, 4, 5), 15 + 2 * (4 + 5));
}

/* Elements of 8 bits: the rows of copies are apart where they are padded and not swizzled, while registers last. */
static void test_rows_of_bytes_take_registers(void) {
    for (int stages = 0; stages <= 3; stages++) {
        for (int how = 0; how < 4; how++) {
            ws_mainloop loop = loop_of(64, 64, 64, 2, 2, stages, false, 0);
            ws_work work;
            int64_t registers;
            loop.a = ws_layout_make(64, 64, how == 3 ? 16 : 8);
            loop.b = ws_layout_make(64, 64, how == 3 ? 16 : 8);
            loop.a.pad = how > 0 ? 16 : 0;
            loop.b.swizzle.bits = how == 2 ? 3 : 0;
            work = ws_compiled_work(&loop, 4, 4, &registers);
            for (int64_t spare = -2; spare <= 9; spare++) {
                const int64_t most = how == 1 && stages > 1 ? 4 : 0, left = spare < 0 ? 0 : spare;
                CHECK_EQUAL(ws_compiled_rows(&loop, &work, spare), most < left ? most : left);
            }
            CHECK_EQUAL(registers, 8 + 2 * 2 * 8 + 4 * work.room + ws_compiled_addresses(&loop, &work) +
                                       (how == 1 && stages > 1 ? 4 : 0));
        }
    }
}

/* Loads at least ahead with few registers: 2 x 2, 5 x 2, and 6 x 6 fragments a step. */
static void test_least_loads_ahead_by_hand(void) {
    static const struct {
        int64_t m, n, stages, spare;
        int room;
    } cases[] = {
        {64, 64, 3, 0, 4},   {64, 64, 3, -1, 3},  {64, 64, 1, 0, 3},     {64, 64, 1, -1, 3},
        {160, 64, 3, 0, 4},  {160, 64, 1, 0, 3},  {192, 192, 3, 0, 10},  {192, 192, 1, 0, 7},
        {128, 128, 3, 0, 5}, {128, 128, 1, 0, 5}, {192, 192, 1, 44, 11},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        ws_mainloop loop = loop_of(cases[i].m, cases[i].n, 64, 2, 2, cases[i].stages, false, 0);
        ws_work work = compiled(&loop, 4, 4);
        ws_compiled_room(&loop, &work, cases[i].spare);
        CHECK_EQUAL(work.room, cases[i].room);
    }
}

/* All of a step's products at once need eight registers for each of A with B, and 64. */
static void test_full_steps_need_registers_for_their_products(void) {
    for (int rows = 1; rows <= 4; rows++) {
        ws_mainloop loop = loop_of(32 * rows, 64, 64, 2, 2, 3, false, 0);
        ws_work work = compiled(&loop, 4, 4);
        loop.unpacked = true;
        ws_compiled_room(&loop, &work, 8 * rows * 2 + 63);
        CHECK_EQUAL(work.full_steps, 0);
        ws_compiled_room(&loop, &work, 8 * rows * 2 + 64);
        CHECK(work.full_steps > 0);
        CHECK_EQUAL(work.side_by_side, (8 * rows * 2 + 64) / 10);
    }
}

/* A group needs four registers for each of its 2 x (fragments held) products and 8 for a fragment. */
static void test_products_come_singly_where_a_group_has_no_registers(void) {
    for (int rows = 1; rows <= 4; rows++) {
        for (int cols = 1; cols <= 4; cols++) {
            ws_mainloop loop = loop_of(32 * rows, 32 * cols, 64, 2, 2, 3, false, 0);
            const int group = 4 * 2 * (rows < cols ? rows : cols) + 8;
            ws_work work = compiled(&loop, 4, 4);
            ws_compiled_room(&loop, &work, group - 1);
            CHECK(!work.singly);
            loop.unpacked = true;
            ws_compiled_room(&loop, &work, group - 1);
            CHECK(work.singly);
            ws_compiled_room(&loop, &work, group);
            CHECK(!work.singly);
        }
    }
}

/* Singly each product is complete before the next begins; in groups, several are under way. */
static void test_products_at_once_go_with_registers(void) {
    for (int at_once = 0; at_once <= 12; at_once++) {
        ws_work work = work_of(0, 1, 1, 4, 8);
        int open = 0, most = 0;
        work.unpacked = true;
        work.side_by_side = at_once;
        work.singly = at_once < 3;
        ws_iteration_write(&storage.schedule, &work);
        for (int i = 0; i < storage.schedule.count; i++) {
            const ws_schedule_instruction *one = &storage.schedule.instruction[i];
            if (one->kind == WS_SCHEDULE_MMA) open += one->fresh ? 1 : -1;
            most = open > most ? open : most;
        }
        CHECK_EQUAL(most, at_once < 3 ? 1 : (at_once + 1) / 2 < 4 ? 2 * ((at_once + 1) / 2) : 8);
    }
}

/* 32 x 32 elements of 16 bits are a copy for each of 128 threads; 48 x 32 are one and a half. */
static void test_uneven_copies_need_more_instructions(void) {
    ws_mainloop loop = plain(64, 64, 32, 2, 2, 3);
    ws_work work = compiled(&loop, 2, 2);
    CHECK_EQUAL(work.uneven_slots_a + work.uneven_slots_b + work.uneven_stall_a + work.uneven_stall_b, 0);
    loop = plain(96, 64, 16, 2, 2, 3);
    work = compiled(&loop, 2, 1);
    CHECK(work.uneven_slots_a > 0 && work.uneven_stall_a > 0 && work.uneven_slots_b + work.uneven_stall_b == 0);
    loop = plain(64, 96, 16, 2, 2, 3);
    work = compiled(&loop, 1, 2);
    CHECK(work.uneven_slots_b > 0 && work.uneven_stall_b > 0 && work.uneven_slots_a + work.uneven_stall_a == 0);
    loop = plain(96, 96, 16, 2, 2, 0);
    work = compiled(&loop, 0, 0);
    CHECK_EQUAL(work.uneven_slots_a + work.uneven_slots_b + work.uneven_stall_a + work.uneven_stall_b, 0);
}

static void test_swizzled_rows_need_addresses(void) {
    ws_mainloop loop = loop_of(64, 64, 64, 2, 2, 3, false, 0);
    int64_t plain_registers, swizzled_registers, of_more_copies;
    int along_n;
    CHECK_EQUAL(ws_compiled_work(&loop, 4, 4, &plain_registers).load_slots, 0);
    loop.b.swizzle.bits = 3;
    along_n = ws_compiled_work(&loop, 4, 4, &swizzled_registers).load_slots;
    CHECK(along_n > 0 && swizzled_registers > plain_registers);
    (void)ws_compiled_work(&loop, 6, 4, &of_more_copies);
    CHECK(of_more_copies > swizzled_registers);
    loop.trans_b = true;
    CHECK(compiled(&loop, 4, 4).load_slots > along_n);
    loop.stages = 1;
    CHECK_EQUAL(compiled(&loop, 4, 4).load_slots, 0);
}

/* --- the order of instructions ------------------------------------------------------- */

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
        CHECK_EQUAL(ws_sequence_place(&work, false, 0), 0);
        CHECK_EQUAL(ws_sequence_place(&work, true, 0), 1);
        CHECK_EQUAL(ws_sequence_place(&work, true, 1), pass == 0 ? 2 : 3); /* A0 B0 B1 B2 A1, or A0 B0 A1 B1 B2 */
        CHECK_EQUAL(ws_sequence_place(&work, true, 2), pass == 0 ? 3 : 4);
        CHECK_EQUAL(ws_sequence_place(&work, false, 1), pass == 0 ? 4 : 2);
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
            const int place = ws_sequence_place(&work, is_b, is_b ? i - loads_a : i);
            CHECK_EQUAL(ws_sequence_is_a(&work, place), !is_b);
            seen |= UINT32_C(1) << place;
        }
        CHECK_EQUAL(seen, (UINT32_C(1) << (loads_a + loads_b)) - 1);
    }
}

/* What somebody who reads the list finds out. */
typedef struct reader {
    int issued, live, most_live, shared, waits;
    int left;         /* loads that nobody has waited for */
    int pending[512]; /* scoreboard of a load that nothing has waited for; 0: none */
    int uses[512];
} reader;

/* Whoever waits for a scoreboard waits for a load behind it. */
static void read_waits(reader *to, int mask) {
    int behind = 1; /* the first is that of reloads */
    for (int n = 0; n < to->issued; n++) {
        if (to->pending[n] == 0 || (mask >> to->pending[n] & 1) == 0) continue;
        behind |= 1 << to->pending[n];
        to->pending[n] = 0;
    }
    CHECK_EQUAL(mask & ~behind, 0);
}

/* A load takes the first scoreboard behind which there is nothing; the last one given, where there is none. */
static void read_load(reader *to, const ws_work *work, const ws_schedule_instruction *one, int *last) {
    const int n = to->issued++, in_step = n % (work->loads_a + work->loads_b);
    bool taken[WS_SCHEDULE_SCOREBOARDS] = {false};
    int first = 1;
    CHECK_EQUAL(one->index, n);
    to->uses[n] = 2 * (ws_sequence_is_a(work, in_step) ? work->loads_b : work->loads_a);
    to->most_live = ++to->live > to->most_live ? to->live : to->most_live;
    if (in_step == 0 && !work->unpacked) {
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
    const int reads[] = {first + ws_sequence_place(work, false, one->index / cols),
                         first + ws_sequence_place(work, true, one->index % cols / 2)};
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
    for (int n = 0; n < to.issued; n++) to.left += to.pending[n] != 0;
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
        CHECK_EQUAL(found.left, 0);
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

/* Issue slots and stalls of the integer instructions between one copy and the next. */
static void check_addresses(const ws_work *work, int slots, int stalls) {
    int at = 0;
    ws_iteration_write(&storage.schedule, work);
    (void)next_of(WS_SCHEDULE_COPY, &at);
    for (int i = 1; i < work->copies_a + work->copies_b; i++) {
        const bool is_a = i < work->copies_a, later = (is_a ? i : i - work->copies_a) >= 2;
        int found = 0, stalled = 0;
        for (; storage.schedule.instruction[at].kind == WS_SCHEDULE_INTEGER; at++) {
            found += storage.schedule.instruction[at].slots;
            stalled += storage.schedule.instruction[at].stall;
        }
        CHECK_EQUAL(storage.schedule.instruction[at].kind, WS_SCHEDULE_COPY);
        CHECK_EQUAL(storage.schedule.instruction[at++].stall, i + 1 < work->copies_a + work->copies_b ? 1 : 4);
        CHECK_EQUAL(found, slots + (is_a ? work->uneven_slots_a : work->uneven_slots_b));
        CHECK_EQUAL(stalled, stalls + (!later ? 0 : is_a ? work->uneven_stall_a : work->uneven_stall_b));
    }
}

static void test_addresses_of_copies_by_hand(void) {
    for (int uneven = 0; uneven < 2; uneven++) {
        ws_work work = work_of(3, 1, 2, 2, 8);
        work.copies_a = work.copies_b = 4;
        work.uneven_slots_a = 7 * uneven, work.uneven_slots_b = 2 * uneven;
        work.uneven_stall_a = 20 * uneven, work.uneven_stall_b = 10 * uneven;
        check_addresses(&work, 2, 4);
        work.stages = 2;
        check_addresses(&work, 2, 4);
        work.stages = 1;
        check_addresses(&work, 2, 4);
    }
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
        work.side_by_side = round % 13;
        work.singly = round % 13 < 3;
        for (work.full_steps = 0; work.full_steps <= work.steps; work.full_steps++) {
            ws_iteration_write(&storage.schedule, &work);
            CHECK_EQUAL(count_of(WS_SCHEDULE_LOAD), loads);
            CHECK_EQUAL(slots_of(WS_SCHEDULE_CONVERT), 8 * loads);
            CHECK_EQUAL(count_of(WS_SCHEDULE_MMA), 2 * mma);
            CHECK_EQUAL(slots_of(WS_SCHEDULE_ADD), 4 * mma);
            CHECK_EQUAL(read_of(&work).left, 0);
            check_products();
        }
    }
}

CHECK_MAIN(test_registers_of_a_thread, test_room_goes_with_registers, test_spills_by_hand,
           test_registers_of_addresses_by_hand, test_rows_of_bytes_take_registers, test_least_loads_ahead_by_hand,
           test_full_steps_need_registers_for_their_products, test_products_come_singly_where_a_group_has_no_registers,
           test_products_at_once_go_with_registers, test_uneven_copies_need_more_instructions,
           test_swizzled_rows_need_addresses, test_order_of_a_step_by_hand, test_places_of_loads_are_all_of_a_step,
           test_what_an_iteration_has, test_loads_go_as_far_ahead_as_there_is_room, test_copies_wait_for_registers,
           test_addresses_of_copies_by_hand, test_spilled_addresses_come_back, test_integers_come_in_parts,
           test_a_list_ends_where_it_is_full, test_unpacked_elements_are_converted_and_products_added)
