/* What is told of rows that a check has found, and which barriers order them. */
#include "../check.h"
#include <warpsim/run.h>

enum { TOLD_ROOM = 1 << 20, MOST = 64, NONE = -1 };

/* eleven statements: 3 is bar.sync, 7 bar.warp.sync, 9 goes back to the first */
static const char text[] =
    ".version 8.6\n.target sm_90a\n.address_size 64\n.visible .entry k() { .reg .b32 %r<3>; .reg .pred %p; BEGIN:\n"
    "add.u32 %r0, %r1, 0; add.u32 %r0, %r1, 1; add.u32 %r0, %r1, 2; bar.sync 0;\n"
    "add.u32 %r0, %r1, 4; add.u32 %r0, %r1, 5; add.u32 %r0, %r1, 6; bar.warp.sync -1;\n"
    "add.u32 %r0, %r1, 8; @%p bra BEGIN; ret; }\n";

typedef struct given {
    ws_kernel_rule rule;
    int step, other; /* statements */
    bool is_write, other_is_write;
    uint32_t count, block, other_block, thread;
} given;

static uint8_t told_of_module[TOLD_ROOM], told_of_program[TOLD_ROOM], of_told[TOLD_ROOM];
static ws_module module;
static ws_kernel program;
static ws_told told;
static ws_repair *repairs;

static void decode(void) {
    const ws_chosen chosen = {0, ws_target_find("sm_90a"), WS_SIMD_AUTO, true};
    ws_arena arena = ws_arena_make(told_of_program, TOLD_ROOM);
    ws_refused refused;
    ws_error error;
    CHECK_EQUAL(ws_module_parse(text, strlen(text), told_of_module, &module, &error), WS_OK);
    CHECK_EQUAL(ws_kernel_make(&module, &chosen, &arena, &program, &refused, &error), WS_OK);
}

static void tell(const given *rows, uint32_t count) {
    const ws_ran ran = ws_ran_unknown();
    ws_found found[MOST];
    ws_arena arena = ws_arena_make(NULL, 0);
    uint32_t i;
    memset(found, 0, sizeof found);
    for (i = 0; i < count; i++) {
        found[i].rule = (uint32_t)rows[i].rule;
        found[i].step = (uint32_t)rows[i].step;
        found[i].other = rows[i].other == NONE ? WS_FOUND_NO_STEP : (uint32_t)rows[i].other;
        found[i].is_write = rows[i].is_write;
        found[i].other_is_write = rows[i].other_is_write;
        found[i].count = rows[i].count;
        found[i].block = rows[i].block;
        found[i].other_block = rows[i].other_block;
        found[i].thread = rows[i].thread;
        found[i].other_thread = 40;
        found[i].address = 100 + i;
        found[i].nbytes = i + 1;
    }
    CHECK(!ws_told_make(found, count, &module, &arena, &told));
    CHECK(arena.wanted < TOLD_ROOM / 2);
    arena = ws_arena_make(of_told, TOLD_ROOM);
    CHECK(ws_told_make(found, count, &module, &arena, &told));
    repairs = ws_repairs_make(&told, &program, &ran, &arena);
    CHECK(repairs != NULL);
}

static void test_counts_of_a_pair_add_up(void) {
    const given rows[] = {
        {WS_RUN_RACE, 5, 4, true, false, 3, 1, 1, 9}, /* turned: the read of statement 4 comes first */
        {WS_RUN_RACE, 4, 5, false, true, 2, 0, 0, 7},
        {WS_RUN_RACE, 4, 5, true, true, 1, 0, 0, 1},
    };
    tell(rows, 3);
    CHECK_EQUAL(told.count, 2);
    CHECK_EQUAL(told.rows[0].count, 5);
    CHECK_EQUAL(told.rows[0].block, 0);
    CHECK_EQUAL(told.rows[0].thread, 7);
    CHECK(!told.rows[0].is_write && told.rows[0].other_is_write);
    CHECK_EQUAL(told.rows[1].count, 1);
}

static void test_a_read_and_a_write_of_a_pair_are_told_apart(void) {
    const given rows[] = {
        {WS_RUN_RACE, 4, 5, true, true, 2, 0, 0, 1},
        {WS_RUN_RACE, 4, 5, true, false, 3, 0, 0, 2},
    };
    tell(rows, 2);
    CHECK_EQUAL(told.count, 2);
    CHECK(!told.rows[0].other_is_write && told.rows[1].other_is_write);
    CHECK_EQUAL(told.rows[0].count, 3);
}

static void test_nothing_is_told_twice(void) {
    const given rows[] = {
        {WS_RUN_UNUSED_READ, 0, NONE, false, false, 1, 0, 0, 1}, /* it is used */
        {WS_RUN_UNWRITTEN, 0, 2, false, false, 1, 0, 0, 1},
        {WS_RUN_UNWRITTEN, 0, 4, false, false, 1, 0, 0, 2},
        {WS_RUN_UNUSED_READ, 1, NONE, false, false, 1, 0, 0, 1}, /* it races */
        {WS_RUN_RACE, 1, 2, false, true, 1, 0, 0, 1},
        {WS_RUN_RACE, 5, 6, false, true, 1, 0, 0, 1}, /* it meets a copy */
        {WS_RUN_IN_FLIGHT, 5, 6, false, true, 1, 0, 0, 1},
        {WS_RUN_UNUSED_READ, 8, NONE, false, false, 1, 0, 0, 1},
        {WS_RUN_UNUSED_READ, 9, NONE, true, false, 1, 0, 0, 1}, /* of an exchange */
    };
    tell(rows, 9);
    CHECK_EQUAL(told.count, 4);
    CHECK_EQUAL(told.rows[0].rule, WS_RUN_UNWRITTEN);
    CHECK_EQUAL(told.rows[0].count, 2);
    CHECK_EQUAL(told.rows[0].nbytes, 1); /* where it was read */
    CHECK_EQUAL(told.rows[1].rule, WS_RUN_RACE);
    CHECK_EQUAL(told.rows[2].rule, WS_RUN_IN_FLIGHT);
    CHECK_EQUAL(told.rows[3].rule, WS_RUN_UNUSED_READ);
}

static void test_no_row_comes_before_itself(void) {
    const given rows[] = {{WS_RUN_RACE, 4, 5, true, true, 2, 0, 0, 1},
                          {WS_RUN_UNWRITTEN, 8, 9, false, false, 1, 0, 0, 1}};
    uint32_t i;
    tell(rows, 2);
    CHECK_EQUAL(told.count, 2);
    for (i = 0; i < told.count; i++) {
        CHECK(!ws_told_by_text(&told.rows[i], &told.rows[i]));
        CHECK(!ws_told_by_group(&told.rows[i], &told.rows[i]));
    }
}

static void expect(uint32_t row, uint32_t pairs, uint32_t after, uint32_t before, ws_repair_kind kind, bool in_loop) {
    CHECK_EQUAL(repairs[row].pairs, pairs);
    CHECK_EQUAL(repairs[row].after, after);
    CHECK_EQUAL(repairs[row].before, before);
    CHECK_EQUAL(repairs[row].kind, kind);
    CHECK_EQUAL(repairs[row].in_loop, in_loop);
}

static void test_one_barrier_orders_all_that_have_begun(void) {
    const given rows[] = {
        {WS_RUN_WARP_RACE, 0, 2, true, false, 1, 0, 0, 1},
        {WS_RUN_RACE, 1, 2, true, false, 1, 0, 0, 1},
        {WS_RUN_RACE, 4, 6, true, false, 1, 0, 0, 1},
    };
    tell(rows, 3);
    expect(0, 2, 1, 2, WS_REPAIR_BLOCK, false);
    expect(1, 2, 1, 2, WS_REPAIR_BLOCK, false);
    expect(2, 1, 4, 6, WS_REPAIR_BLOCK, false);
}

static void test_where_a_barrier_stands_the_next_round_needs_one(void) {
    const given rows[] = {
        {WS_RUN_RACE, 2, 4, true, false, 1, 0, 0, 1},
        {WS_RUN_RACE, 6, 8, true, false, 1, 0, 0, 1},      /* bar.warp.sync is none of the block */
        {WS_RUN_WARP_RACE, 5, 8, true, false, 1, 0, 0, 1}, /* of the warp it is */
        {WS_RUN_RACE, 1, 5, true, false, 1, 0, 1, 1},      /* nor is bar.sync one of the cluster */
        {WS_RUN_RACE, 3, 3, true, false, 1, 0, 0, 1},
        {WS_RUN_ARRAY_RACE, 0, 8, true, false, 1, 0, 0, 1},
    };
    tell(rows, 6);
    CHECK_EQUAL(told.count, 6);
    expect(0, 0, 0, 0, WS_REPAIR_CLUSTER, true); /* in global memory */
    expect(1, 1, 1, 5, WS_REPAIR_CLUSTER, false);
    expect(2, 1, 4, 2, WS_REPAIR_BLOCK, true);
    expect(3, 0, 0, 0, WS_REPAIR_CLUSTER, false); /* one statement */
    expect(4, 1, 8, 5, WS_REPAIR_WARP, true);
    expect(5, 1, 6, 8, WS_REPAIR_BLOCK, false);
}

static void expect_fix(uint32_t row, const char *expected) {
    const ws_teller teller = ws_teller_make(&module, &program, WS_CUDA);
    char words[1024];
    ws_text fix = ws_text_make(words, sizeof words);
    ws_fix_add(&teller, &fix, &told.rows[row], &repairs[row]);
    CHECK_TEXT(words, expected);
}

static void test_fixes_say_what_to_put_where(void) {
    const given rows[] = {
        {WS_RUN_RACE, 0, 4, true, false, 1, 0, 1, 1},
        {WS_RUN_WARP_RACE, 5, 5, true, true, 1, 0, 0, 1},
        {WS_RUN_ZERO, 6, NONE, false, false, 1, 0, 0, 1},
    };
    tell(rows, 3);
    expect_fix(0, "Put cluster.sync() (barrier.cluster.arrive and barrier.cluster.wait) between line 5 and line 6;"
                  " in a loop, also before the next round begins.");
    expect_fix(1,
               "Put __syncwarp() (bar.warp.sync) into the loop around line 6, or give each thread bytes of its own.");
    expect_fix(2, "Check the divisor first.");
}

static void test_many_rows_are_sorted(void) {
    given rows[MOST];
    uint32_t i;
    for (i = 0; i < MOST; i++) {
        const given one = {WS_RUN_RACE, (int)(i * 37 % 8), 9, true, false, 1, i % 3, i % 3, MOST - i};
        rows[i] = one;
    }
    tell(rows, MOST);
    CHECK_EQUAL(told.count, 8);
    for (i = 0; i < told.count; i++) {
        CHECK_EQUAL(told.rows[i].step, i);
        CHECK_EQUAL(told.rows[i].count, MOST / 8);
        CHECK_EQUAL(told.rows[i].block, 0);
    }
}

/* The same as by asking each of them. */
static void test_the_nearest_array_is_found(void) {
    static const ws_named named[] = {{"a", 512, 100}, {"b", 1024, 1}, {"c", 1100, 0}, {"d", 2048, 64}, {"e", 2048, 64}};
    uint32_t count, i;
    uint64_t at;
    CHECK(ws_near_of(named, 0, 512).name == NULL);
    for (count = 1; count <= 5; count++) {
        for (at = 500; at < 2200; at++) {
            const ws_near near = ws_near_of(named, count, at);
            uint32_t best = 0;
            for (i = 1; i < count; i++) {
                if (ws_named_distance(&named[i], at) < ws_named_distance(&named[best], at)) best = i;
            }
            CHECK(near.name == named[best].name && near.nbytes == named[best].nbytes && !near.is_local);
        }
    }
    CHECK_EQUAL(ws_near_of(named, 5, 2049).offset, 1);
    CHECK_EQUAL(ws_near_of(named, 5, 510).offset, -2);
    CHECK(ws_near_of(named, 5, UINT64_MAX).name == NULL);
}

static void test_large_numbers_are_grouped(void) {
    static const struct {
        uint64_t number;
        const char *text;
    } rows[] = {{0, "0"},        {999, "999"},    {1000, "1,000"},         {1007, "1,007"},
                {1070, "1,070"}, {1234, "1,234"}, {20005060, "20,005,060"}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char bytes[64];
        ws_text grouped = ws_text_make(bytes, sizeof bytes);
        ws_text_add_grouped(&grouped, rows[i].number);
        CHECK(strcmp(bytes, rows[i].text) == 0);
    }
}

static void test_told(void) {
    decode();
    test_the_nearest_array_is_found();
    test_counts_of_a_pair_add_up();
    test_a_read_and_a_write_of_a_pair_are_told_apart();
    test_nothing_is_told_twice();
    test_no_row_comes_before_itself();
    test_one_barrier_orders_all_that_have_begun();
    test_where_a_barrier_stands_the_next_round_needs_one();
    test_fixes_say_what_to_put_where();
    test_many_rows_are_sorted();
    test_large_numbers_are_grouped();
}

CHECK_MAIN(test_told)
