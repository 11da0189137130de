/* The heap: the first free piece that is large enough is taken again, and only what is new lies behind the last. */
#include "../check.h"
#include <string.h>
#include <warpsim/run.h>

enum { PIECES = 64, BASE = 1 << 20, SMALL = 16, LARGE = 64 };

static ws_heap_piece pieces[PIECES];
static ws_output output;

static uint64_t take(uint64_t nbytes) {
    ws_heap_owner owner;
    memset(&owner, 0, sizeof owner);
    return ws_heap_take(&output, nbytes, &owner);
}

static void test_the_first_free_piece_is_taken_again(void) {
    uint64_t at[PIECES], i;
    memset(&output, 0, sizeof output);
    output.heap_base = BASE;
    output.heap_bytes = 1 << 16;
    output.pieces = pieces;
    output.piece_capacity = PIECES;
    for (i = 0; i < PIECES; i++) CHECK((at[i] = take(i % 2 != 0 ? LARGE : SMALL)) != 0);
    CHECK_EQUAL(output.first_free, PIECES - 1);
    CHECK_EQUAL(take(SMALL), 0);
    CHECK_EQUAL(output.first_free, PIECES);
    CHECK(ws_heap_give(&output, at[9]) && ws_heap_give(&output, at[4]) && ws_heap_give(&output, at[21]));
    CHECK_EQUAL(output.first_free, 4);
    CHECK(!ws_heap_give(&output, at[4]) && !ws_heap_give(&output, at[9] + 16));
    CHECK_EQUAL(take(LARGE), at[9]); /* past the small one, which stays free */
    CHECK_EQUAL(output.first_free, 4);
    CHECK_EQUAL(take(SMALL), at[4]);
    CHECK_EQUAL(take(SMALL), at[21]);
    CHECK_EQUAL(take(SMALL), 0);
    CHECK_EQUAL(output.first_free, PIECES);
}

CHECK_MAIN(test_the_first_free_piece_is_taken_again)
