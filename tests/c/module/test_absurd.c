/* Texts that nobody would write: each ends, in time that grows with its length, in the memory that was asked for. */
#include "module.h"

enum { ABSURD = 400000 };

typedef struct absurd {
    const char *begin, *again, *middle, *more, *end; /* `again` and `more` as often as fits into half of the text */
    bool fine;
} absurd;

static const absurd absurds[] = {
    {"", "{", "", "{", "", false},
    {HEAD ".entry k(){", "{", "", "}", "}", true},
    {HEAD ".entry k(){", "{", "", "{", "", false},
    {HEAD ".entry k(){", "{b X;", "X:", "X:}", "}", false},
    {HEAD ".entry k(){", "{b X;", "", "X:}", "}", true},
    {HEAD ".entry k(){", "{b X;", "", "}", "X:}", true},
    {HEAD ".entry k(){{{{{{{{", "b X;", "}X:b X;}}}}}}", "X:", "}", false},
    {HEAD ".entry k(){", "{.reg .b32 %r<9>;", "a %r8;", "}", "}", true},
    {HEAD ".entry k(){.reg .v4 .b32 v;", "a v;", "", "@p b;", "}", false},
    {HEAD ".entry k(){.reg .v4 .b32 v;.reg .pred p;", "a v;", "", "@p b;", "}", true},
    {HEAD ".entry k(){.reg .b32 %r<4000000000>;", "a %r1;", "", "a %r3999999999;", "}", true},
    {HEAD ".entry k(){", "a;", "", "b .c;", "}", true},
    {HEAD ".func a();.entry k(){call a,(", "1,", "1),(", "1,", "1);}", true},
    {HEAD ".entry k(){a {", "1,", "1},{", "1,", "1};}", true},
    {HEAD ".entry k(){a ", "1,", "", "1,", "1;}", false},
    {HEAD ".entry k(){T:.branchtargets ", "A,", "A;", "{}", "A:}", true},
    {HEAD ".global .b64 x[]={", "1,", "", "-2,", "3};", true},
    {HEAD ".global .b64 x[][2]={", "{1},", "", "{1,2},", "{}};", true},
    {HEAD ".global .b64 x;.global .u64 y[]={", "x,", "", "generic(x),", "x};", true},
    {HEAD ".global .b64 x=", "1+", "", "1*", "1;", true},
    {HEAD ".global .b64 x=", "(", "", ")", ";", false},
    {HEAD ".global .f64 x=0.", "0", "", "1", ";", true},
    {HEAD ".global .f64 x=", "1", "", "0", ".0;", false},
    {HEAD ".global .b8 x", "[1]", "", "[1]", ";", false},
    {HEAD ".global .b8 ", "x", "", "y", ";", true},
    {HEAD, ".func f();", "", ".func f();", "", true},
    {HEAD, ".extern .global .b8 x;", "", ".extern .global .b8 x;", "", true},
    {HEAD ".pragma ", "\"", "", "\\\"", ";", false},
    {HEAD, "/**/", "", "//\n", "", true},
    {HEAD, "/*", "", "/*", "", false},
    {HEAD ".file 1 \"a\" .entry k(){.loc 1 1 1 ", ".loc 1 1 1,function_name X,inlined_at 1 1 1 ",
     "} .section .debug_str {X:", ".b8 7,7 ", "}", true},
    {HEAD ".section .debug_str {", "X:.b8 1 ", "", "X:.b8 0,1 ", "}", true},
};

static void test_absurd_texts_end(void) {
    char *text = (char *)malloc(ABSURD + 4096);
    for (size_t i = 0; text != NULL && i < sizeof absurds / sizeof absurds[0]; i++) {
        const absurd *one = &absurds[i];
        const size_t again = strlen(one->again), more = strlen(one->more);
        const size_t most = again > more ? again : more;
        char *at = text;
        at += strlen(strcpy(at, one->begin));
        for (size_t j = 0; j < ABSURD / 2 / most; j++, at += again) memcpy(at, one->again, again);
        at += strlen(strcpy(at, one->middle));
        for (size_t j = 0; j < ABSURD / 2 / most; j++, at += more) memcpy(at, one->more, more);
        strcpy(at, one->end);
        if (!CHECK_EQUAL(test_parse(text), one->fine ? WS_OK : WS_SYNTAX)) {
            fprintf(stderr, "    %s%s...: %s\n", one->begin, one->again, test_error.message);
        }
        CHECK(ws_module_bytes(text, strlen(text)) < 200 * (uint64_t)ABSURD);
    }
    free(text);
}

/* Names and keys by the hundred thousand, all different. */
static void test_many_names_take_n_log_n(void) {
    enum { MANY = 50000 };
    char *text = (char *)malloc(64 * MANY);
    char *at = text;
    if (text == NULL) return;
    at += strlen(strcpy(at, HEAD ".entry k(){.reg .b32 %r<4000000000>;"));
    for (uint32_t i = 0; i < MANY; i++) at += sprintf(at, "o%u %%r%u,L%u;", i, i * 80000 + i % 7, i);
    for (uint32_t i = 0; i < MANY; i++) at += sprintf(at, "L%u:", i);
    strcpy(at, "}");
    CHECK_EQUAL(test_parse(text), WS_OK);
    CHECK_EQUAL(m.functions[0].register_count, MANY);
    CHECK_EQUAL(m.opcode_count, MANY);
    CHECK_EQUAL(test_item(7, 1)->index, MANY);
    free(text);
}

static void test_a_key_is_found_among_all_others(void) {
    enum { KEYS = 3000 };
    static ws_key items[KEYS];
    ws_keys keys = ws_keys_make(items, KEYS);
    uint64_t state = 5;
    CHECK(ws_keys_find(&keys, 0) == NULL);
    for (uint32_t i = 0; i < KEYS; i++) CHECK(ws_keys_add(&keys, check_random(&state) >> i % 64, i) != NULL);
    state = 5;
    for (uint32_t i = 0; i < KEYS; i++) {
        const uint64_t key = check_random(&state) >> i % 64;
        const ws_key *found = ws_keys_find(&keys, key);
        CHECK(found != NULL && found->key == key && found->value <= i);
    }
    while (keys.count < KEYS) ws_keys_add(&keys, check_random(&state), 0);
    CHECK(ws_keys_add(&keys, 12345678901, 0) == NULL);
    ws_keys_clear(&keys);
    CHECK(ws_keys_find(&keys, items[0].key) == NULL);
}

CHECK_MAIN(test_absurd_texts_end, test_many_names_take_n_log_n, test_a_key_is_found_among_all_others)
