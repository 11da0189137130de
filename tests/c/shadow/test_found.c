/* The table of findings: what it keeps when it is full. */
#include "../check.h"

#include <warpsim/shadow/found.h>

static void find(ws_found_table *table, ws_kernel_rule rule, uint32_t step) {
    ws_found one = {0};
    one.rule = (uint32_t)rule;
    one.step = step;
    ws_found_add(table, &one);
}

/* Rows of a rule, and the sum of their steps. */
static void check_kept(const ws_found_table *table, ws_kernel_rule rule, uint32_t count, uint64_t steps) {
    uint32_t i;
    for (i = 0; i < WS_FOUND_CAPACITY; i++) {
        if (table->rows[i].count == 0 || table->rows[i].rule != (uint32_t)rule) continue;
        count--;
        steps -= table->rows[i].step;
    }
    CHECK(count == 0 && steps == 0);
}

static void test_no_error_is_lost_to_what_is_less_severe(void) {
    static ws_found found[WS_FOUND_CAPACITY];
    static ws_found_table table;
    const uint64_t all = (uint64_t)WS_FOUND_CAPACITY * (WS_FOUND_CAPACITY - 1) / 2, last = WS_FOUND_CAPACITY - 1;
    uint32_t i;
    ws_found_table_make(&table, found);
    for (i = 0; i < WS_FOUND_CAPACITY; i++) find(&table, i == 5 ? WS_RUN_SAME_VALUE : WS_RUN_CLASH, i);
    find(&table, WS_RUN_CLASH, 7);
    find(&table, WS_RUN_UNUSED_READ, 2000);
    CHECK_EQUAL(table.lost, 1); /* a note finds no less severe one */
    find(&table, WS_RUN_RACE, 3000);
    check_kept(&table, WS_RUN_SAME_VALUE, 0, 0);
    check_kept(&table, WS_RUN_CLASH, WS_FOUND_CAPACITY - 1, all - 5);
    find(&table, WS_RUN_RACE, 3000);
    find(&table, WS_RUN_UNWRITTEN, 3001);
    check_kept(&table, WS_RUN_CLASH, WS_FOUND_CAPACITY - 2, all - 5 - last);
    check_kept(&table, WS_RUN_RACE, 1, 3000);
    check_kept(&table, WS_RUN_UNWRITTEN, 1, 3001);
    CHECK_EQUAL(table.lost, 3);
    for (i = 0; i < WS_FOUND_CAPACITY; i++) find(&table, WS_RUN_RACE, 4000 + i);
    check_kept(&table, WS_RUN_CLASH, 0, 0); /* 7 was there twice */
    check_kept(&table, WS_RUN_RACE, WS_FOUND_CAPACITY - 1, 3000 + 4000 * (last - 1) + (last - 1) * (last - 2) / 2);
    CHECK_EQUAL(table.lost, 3 + last + 2);
    for (i = 0; i < WS_FOUND_CAPACITY; i++)
        find(&table, WS_RUN_RACE, 4000 + i); /* each finds its row, but for the last two */
    check_kept(&table, WS_RUN_RACE, WS_FOUND_CAPACITY - 1, 3000 + 4000 * (last - 1) + (last - 1) * (last - 2) / 2);
    CHECK_EQUAL(table.lost, 3 + last + 4);
}

CHECK_MAIN(test_no_error_is_lost_to_what_is_less_severe)
