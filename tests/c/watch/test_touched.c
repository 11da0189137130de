/* Which sectors were read and written: of two regions, in and out of order, by two threads of the caller. */
#include "../check.h"
#include <stdlib.h>
#include <warpsim/run.h>

enum { FIRST = 4096, SECOND = 1 << 20, BYTES = 5000 };

static uint64_t room[2][1024];

static const ws_region regions[3] = {
    {FIRST, BYTES, NULL, 0, WS_REGION_ARGUMENT, false, NULL},
    {SECOND, BYTES, NULL, 1, WS_REGION_ARGUMENT, false, NULL},
    {UINT64_C(1) << 40, WS_TOUCHED_MOST + 1, NULL, 2, WS_REGION_ARGUMENT, false, NULL},
};
static const ws_space_map map = {regions, 3};

static ws_touched made(int of) {
    ws_arena arena = ws_arena_make(room[of], sizeof room[of]);
    ws_touched touched;
    ws_touched_make(&touched, &map, &arena);
    CHECK(arena.wanted <= arena.capacity);
    return touched;
}

static uint64_t ones(const uint64_t *words, size_t count) {
    uint64_t found = 0;
    size_t i;
    for (i = 0; i < count * 64; i++) found += words[i / 64] >> i % 64 & 1;
    return found;
}

/* `stride` bytes between lanes from an address on. */
static void see(ws_touched *touched, uint64_t base, uint64_t stride, uint32_t mask, bool is_write) {
    uint64_t address[WS_LANES];
    int lane;
    for (lane = 0; lane < WS_LANES; lane++) address[lane] = base + stride * (uint64_t)lane;
    ws_touched_see(touched, address, mask, is_write);
}

static void check_counts(const ws_touched *touched, uint64_t read, uint64_t written) {
    CHECK_EQUAL(ones(touched->words, touched->half), read);
    CHECK_EQUAL(ones(touched->words + touched->half, touched->half), written);
}

static void test_touched(void) {
    static uint64_t total[1024];
    ws_touched one = made(0), other;
    CHECK_EQUAL(ws_touched_words(&map), 2 * one.half);
    see(&one, FIRST, 4, WS_ALL_LANES, false);
    check_counts(&one, 4, 0);
    see(&one, FIRST + 64, 4, WS_ALL_LANES, true);
    check_counts(&one, 4, 4);
    see(&one, FIRST, 32, 0xff, false); /* sectors 2 to 5 are written: 0 and 1, and 6 and 7 */
    check_counts(&one, 6, 4);
    see(&one, SECOND + BYTES - 4, 0, WS_ALL_LANES, true);
    see(&one, SECOND + BYTES - 4, 0, WS_ALL_LANES, false);
    see(&one, FIRST + 31 * 32, (uint64_t)-32, 0x80000001, false); /* backwards, two lanes */
    check_counts(&one, 7, 5);
    see(&one, FIRST + BYTES, 4, 1, false);                    /* outside */
    see(&one, UINT64_C(1) << 40, 4, WS_ALL_LANES, true);      /* too large */
    see(&one, FIRST + 2048, SECOND - FIRST - 2048, 3, false); /* in both regions */
    check_counts(&one, 9, 5);
    other = made(1);
    see(&other, FIRST + 4096, 32, 3, false);
    ws_touched_add(total, &one);
    ws_touched_add(total, &other);
    CHECK_EQUAL(ones(total, one.half), 11);
    CHECK_EQUAL(ones(total + one.half, one.half), 5);
}

/* Ten regions of 1 GiB: the first eight are noted, and of those after them none. */
static void test_all_regions_together_have_a_bound(void) {
    ws_region many[10];
    ws_space_map all = {many, 0};
    ws_touched touched;
    const size_t each = (size_t)(WS_TOUCHED_MOST / WS_SECTOR_BYTES / 64 + 2);
    const size_t bytes = 2 * 8 * each * sizeof(uint64_t) + 4096;
    void *memory = malloc(bytes);
    ws_arena arena = ws_arena_make(memory, bytes);
    uint64_t i;
    for (i = 0; i < 10; i++) {
        const ws_region one = {(i + 1) << 40, WS_TOUCHED_MOST, NULL, (uint32_t)i, WS_REGION_ARGUMENT, false, NULL};
        many[i] = one;
        all.count++;
        CHECK_EQUAL(ws_touched_words(&all), 2 * each * (i < 8 ? i + 1 : 8));
    }
    ws_touched_make(&touched, &all, &arena);
    if (CHECK(memory != NULL && arena.wanted <= arena.capacity)) {
        for (i = 0; i < 10; i++) see(&touched, many[i].base + WS_TOUCHED_MOST - 4, 0, 1, i % 2 != 0);
        check_counts(&touched, 4, 4);
    }
    many[0].nbytes--; /* which leaves room for one byte */
    many[8].nbytes = 1;
    CHECK_EQUAL(ws_touched_words(&all), 2 * (8 * each - 1 + 2));
    free(memory);
}

CHECK_MAIN(test_touched, test_all_regions_together_have_a_bound)
