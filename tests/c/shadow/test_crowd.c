/* Those for whom a cell has no room: which rows a list has. */
#include "../check.h"

#include <warpsim/run.h>

enum { ROWS = 6, LIST = 4 };

static ws_judge judge;
static ws_crowd_row rows[ROWS];
static ws_crowd crowd;

static void begin(uint32_t list) {
    memset(&judge, 0, sizeof judge);
    judge.rank_shift = 32;
    judge.who_warp = WS_WHO_WARP;
    memset(rows, 0, sizeof rows);
    crowd = ws_crowd_make(rows, ROWS, list);
}

static void add(uint32_t *head, uint32_t time, uint32_t who, uint32_t block) {
    const ws_stamp stamp = {time, who};
    ws_crowd_add(&judge, &crowd, head, &stamp, block);
}

/* The rows of a list, and all their lanes. */
static uint32_t count(const uint32_t *head, uint32_t *lanes) {
    const ws_crowd_row *row;
    uint32_t number = 0;
    *lanes = 0;
    for (row = ws_crowd_at(&crowd, head, *head); row != NULL; row = ws_crowd_at(&crowd, head, row->next)) {
        *lanes |= row->lanes;
        number++;
    }
    return number;
}

static void test_lanes_of_one_access_share_a_row(void) {
    uint32_t head = 0, lanes, lane;
    begin(LIST);
    for (lane = 0; lane < WS_LANES; lane++) add(&head, 7, lane, 0);
    CHECK_EQUAL(count(&head, &lanes), 1);
    CHECK_EQUAL(lanes, WS_ALL_LANES);
    add(&head, 7, WS_WHO_ATOMIC, 0); /* an atomic is another kind, */
    add(&head, 7, 0, 1);             /* and another block another's */
    CHECK_EQUAL(count(&head, &lanes), 3);
    add(&head, 0, 5, 2); /* never */
    CHECK_EQUAL(count(&head, &lanes), 3);
}

static void test_a_thread_that_comes_again_has_one_row(void) {
    uint32_t head = 0, lanes;
    begin(LIST);
    add(&head, 7, 0, 0);
    add(&head, 7, 1, 0);
    add(&head, 8, 0, 0);
    CHECK_EQUAL(count(&head, &lanes), 2); /* lane 1 of then, lane 0 of now */
    CHECK_EQUAL(lanes, 3);
    add(&head, 6, 0, 0); /* that was before */
    CHECK_EQUAL(count(&head, &lanes), 2);
    add(&head, 8, 1, 0);
    CHECK_EQUAL(count(&head, &lanes), 1);
    CHECK_EQUAL(lanes, 3);
    CHECK_EQUAL(crowd.used, 2);
    add(&head, 9, WS_LANES, 0);
    CHECK_EQUAL(crowd.used, 2); /* the row that was given back */
}

static void test_a_list_and_the_rows_have_an_end(void) {
    const ws_visit reads = {{1, 0}, 0, 4, WS_AT_GLOBAL, false, true, false, false},
                   writes = {{1, WS_WHO_WRITES}, 0, 4, WS_AT_GLOBAL, true, false, false, false},
                   adds = {{1, WS_WHO_WRITES | WS_WHO_ATOMIC}, 0, 4, WS_AT_GLOBAL, true, true, false, false};
    uint32_t heads[2] = {0, 0}, lanes, i;
    begin(LIST);
    for (i = 0; i < LIST; i++) add(&heads[0], 1, 32 * i, 0);
    CHECK(!ws_crowd_lost(&heads[0], &writes));
    add(&heads[0], 1, 32 * LIST, 0);
    CHECK_EQUAL(count(&heads[0], &lanes), LIST);
    CHECK(ws_crowd_lost(&heads[0], &writes) && ws_crowd_lost(&heads[0], &adds) && !ws_crowd_lost(&heads[0], &reads));
    for (i = 0; i < ROWS - LIST; i++) add(&heads[1], 1, 32 * i, 0);
    CHECK(!ws_crowd_lost(&heads[1], &writes));
    add(&heads[1], 1, (32 * (ROWS - LIST)) | WS_WHO_ATOMIC, 0);
    CHECK_EQUAL(count(&heads[1], &lanes), ROWS - LIST);
    CHECK(ws_crowd_lost(&heads[1], &writes) && !ws_crowd_lost(&heads[1], &adds) && ws_crowd_lost(&heads[1], &reads));
}

static void test_a_list_that_was_emptied_has_no_rows(void) {
    uint32_t heads[2] = {0, 0}, lanes;
    begin(LIST);
    add(&heads[0], 5, 0, 0);
    CHECK_EQUAL(crowd.latest, 5);
    ws_crowd_clear(&crowd);
    CHECK_EQUAL(count(&heads[0], &lanes), 0);
    add(&heads[1], 6, 0, 0); /* takes the row */
    CHECK_EQUAL(count(&heads[0], &lanes), 0);
    CHECK_EQUAL(count(&heads[1], &lanes), 1);
    add(&heads[0], 7, 0, 0);
    CHECK_EQUAL(count(&heads[0], &lanes), 1);
    ws_crowd_clear(&crowd);
    add(&heads[0], 8, 0, 0); /* the old name of a row is not the next of one: */
    add(&heads[0], 8, WS_LANES, 0);
    CHECK_EQUAL(count(&heads[0], &lanes), 2);
    ws_crowd_clear(&crowd);
    add(&heads[0], 9, 0, 0); /* nor of that row itself */
    CHECK_EQUAL(count(&heads[0], &lanes), 1);
}

static void test_without_rows_nobody_is_kept_or_lost(void) {
    uint32_t head = 0;
    begin(LIST);
    crowd = ws_crowd_make(NULL, 0, 0);
    add(&head, 5, 0, 0);
    CHECK_EQUAL(head, 0);
}

CHECK_MAIN(test_lanes_of_one_access_share_a_row, test_a_thread_that_comes_again_has_one_row,
           test_a_list_and_the_rows_have_an_end, test_a_list_that_was_emptied_has_no_rows,
           test_without_rows_nobody_is_kept_or_lost)
