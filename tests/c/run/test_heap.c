/* The heap: the first free piece that is large enough is taken again, and only what is new lies behind the last. */
#include "../check.h"
#include <string.h>
#include <warpsim/run.h>

enum { PIECES = 64, BASE = 1 << 20, SMALL = 16, LARGE = 64 };
enum { OF_SMALL = SMALL / 16 + 1, OF_LARGE = LARGE / 16 + 1 }; /* sizes of pieces, in 16 bytes */

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
    CHECK_EQUAL(output.first_free[OF_SMALL], PIECES - 2);
    CHECK_EQUAL(take(SMALL), 0);
    CHECK_EQUAL(output.first_free[OF_SMALL], PIECES);
    CHECK(ws_heap_give(&output, at[9]) && ws_heap_give(&output, at[4]) && ws_heap_give(&output, at[21]));
    CHECK_EQUAL(output.first_free[OF_SMALL], 4);
    CHECK(!ws_heap_give(&output, at[4]) && !ws_heap_give(&output, at[9] + 16));
    CHECK_EQUAL(take(LARGE), at[9]); /* past the small one, which stays free */
    CHECK_EQUAL(output.first_free[OF_LARGE], 9);
    CHECK_EQUAL(output.first_free[OF_SMALL], 4);
    CHECK_EQUAL(take(SMALL), at[4]);
    CHECK_EQUAL(take(SMALL), at[21]);
    CHECK_EQUAL(take(SMALL), 0);
    CHECK_EQUAL(output.first_free[OF_SMALL], PIECES);
    CHECK(ws_heap_give(&output, at[2]));
    CHECK_EQUAL(take(LARGE), 0); /* past all of them once, and never again for what the small one gives */
    CHECK_EQUAL(output.first_free[OF_LARGE], PIECES);
    CHECK(ws_heap_give(&output, at[63]));
    CHECK_EQUAL(take(LARGE + 1), 0); /* larger than what is free */
    CHECK_EQUAL(take(LARGE), at[63]);
    CHECK_EQUAL(take(SMALL), at[2]);
}

/* Pieces of more sizes than are told apart: the first one that is large enough. */
static void test_large_pieces_are_looked_for_together(void) {
    uint64_t at[3], i;
    memset(&output, 0, sizeof output);
    output.heap_base = BASE;
    output.heap_bytes = 1 << 16;
    output.pieces = pieces;
    output.piece_capacity = 3;
    for (i = 0; i < 3; i++) CHECK((at[i] = take(2048 * (i + 1))) != 0);
    for (i = 0; i < 3; i++) CHECK(ws_heap_give(&output, at[i]));
    CHECK_EQUAL(take(4096), at[1]);
    CHECK_EQUAL(output.first_free[WS_HEAP_SIZES - 1], 0);
    CHECK_EQUAL(take(4096), at[2]);
    CHECK_EQUAL(take(4096), 0);
    CHECK_EQUAL(take(SMALL), at[0]);
    CHECK_EQUAL(take(SMALL), 0);
}

CHECK_MAIN(test_the_first_free_piece_is_taken_again, test_large_pieces_are_looked_for_together)
