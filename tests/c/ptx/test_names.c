/* The table of names: what it finds against a search from the top of the stack, and in how many steps. All names share
 * one bucket wherever that is worse, as names can be made to do under any hash. */
#include <stdlib.h>

#include <warpsim/lint.h>

#include "../check.h"

enum { NAMES = 60000, LETTERS = 6, DEEP = 2000, ACTIONS = 200000, STACK = 40, SHORT = 4 };

static ws_name items[NAMES];
static uint32_t buckets[16];
static char text[NAMES * LETTERS];

static const ws_declared plain = {NULL, 0, WS_NAME_REG, 0};

static size_t steps(const ws_names *names, const char *bytes, size_t length) {
    const uint32_t *link = ws_names_bucket(names, ws_name_hash(bytes, length));
    size_t count = 0;
    for (; !ws_names_ends(names, link, 16 * (uint64_t)length); count++) {
        link = ws_names_step(names, link, bytes, length);
    }
    return count;
}

static void test_names_of_one_bucket_take_n_log_n_steps(void) {
    ws_names names = ws_names_make(items, NAMES, buckets, 1);
    uint64_t state = 1;
    size_t all = 0, i;
    for (i = 0; i < sizeof text; i++) text[i] = (char)('a' + check_random(&state) % 26);
    for (i = 0; i < NAMES; i++) ws_names_add(&names, text + LETTERS * i, LETTERS, WS_NO_FAMILY, &plain);
    for (i = 0; i < NAMES; i++) {
        CHECK(ws_names_find(&names, text + LETTERS * i, LETTERS) != NULL);
        all += steps(&names, text + LETTERS * i, LETTERS);
    }
    CHECK(all > NAMES && all < 2 * 16 * NAMES); /* 2^16 > NAMES */
}

/* a, aa, aaa ...: one tree as deep as there are names. */
static void test_steps_are_bounded_by_the_bytes_of_the_name(void) {
    ws_names names = ws_names_make(items, NAMES, buckets, 1);
    size_t i;
    memset(text, 'a', DEEP);
    names.depth = 1;
    for (i = DEEP; i > 0; i--) ws_names_add(&names, text, i, WS_NO_FAMILY, &plain);
    for (i = 1; i <= DEEP; i++) {
        CHECK(ws_names_find(&names, text, i) == &items[DEEP - i].declared);
        CHECK(steps(&names, text, i) <= 9 * i + 1);
    }
    CHECK(steps(&names, "z", 1) <= 10);
    CHECK(ws_names_find(&names, "z", 1) == NULL);
    ws_names_close(&names);
    CHECK_EQUAL(names.count, 0);
    CHECK_EQUAL(buckets[0], 0);
}

/* What a short name asks for is not among long ones that begin as it does: they branch beyond its end. */
static void test_a_short_name_does_not_go_down_among_long_ones(void) {
    ws_names names = ws_names_make(items, NAMES, buckets, 1);
    size_t i;
    memset(text, 'a', sizeof text);
    for (i = 0; i < 100; i++) text[200 * i + 50 + i] = 'b';
    for (i = 0; i < 100; i++) ws_names_add(&names, text + 200 * i, 150, WS_NO_FAMILY, &plain);
    CHECK_EQUAL(steps(&names, "a", 1), 0);
    CHECK(ws_names_find(&names, "a", 1) == NULL);
    CHECK(steps(&names, text, 150) > 90 || steps(&names, text + 200 * 99, 150) > 90);
}

static const ws_declared *from_the_top(const ws_names *names, const char *bytes, size_t length) {
    size_t i = names->count;
    while (i-- > 0) {
        if (items[i].length == length && memcmp(items[i].bytes, bytes, length) == 0) return &items[i].declared;
    }
    return NULL;
}

static void test_scopes_find_what_a_search_from_the_top_finds(void) {
    size_t many;
    uint64_t state = 2;
    for (many = 1; many <= 16; many *= 4) {
        ws_names names = ws_names_make(items, STACK, buckets, many);
        size_t i, found = 0;
        for (i = 0; i < sizeof text; i++) text[i] = "ab\xC3\0"[check_random(&state) % SHORT];
        for (i = 0; i < ACTIONS; i++) {
            const char *name = text + check_random(&state) % (sizeof text - SHORT);
            const size_t length = 1 + check_random(&state) % SHORT;
            const ws_declared *declared = from_the_top(&names, name, length);
            found += declared != NULL;
            CHECK(ws_names_find(&names, name, length) == declared);
            if (i % 3 == 0) ws_names_add(&names, name, length, WS_NO_FAMILY, &plain);
            else if (i % 10 == 1) ws_names_open(&names);
            else if (i % 8 == 1) ws_names_close(&names);
            if (names.count == STACK) names = ws_names_make(items, STACK, buckets, many);
        }
        CHECK(found > ACTIONS / 20);
    }
}

CHECK_MAIN(test_names_of_one_bucket_take_n_log_n_steps, test_steps_are_bounded_by_the_bytes_of_the_name,
           test_a_short_name_does_not_go_down_among_long_ones, test_scopes_find_what_a_search_from_the_top_finds)
