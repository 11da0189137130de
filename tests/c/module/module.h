/* A module of a text, in memory of exactly the size that was asked for. */
#ifndef TEST_MODULE_H
#define TEST_MODULE_H

#include <stdlib.h>

#include <warpsim/module/parse.h>

#include "../check.h"

#define HEAD ".version 8.6\n.target sm_90a, debug\n.address_size 64\n"
#define BEFORE                                                                                                         \
    HEAD ".global .align 4 .u32 G[4];\n.shared .b8 S[64];\n.func F(.param .b32 a);\n"                                  \
         ".visible .entry k(.param .u64 a, .param .u32 n) {\n"                                                         \
         ".reg .b32 %r<10>; .reg .b64 %d<4>; .reg .pred %p<4>; .reg .v4 .b32 %v; .reg .f32 %f<4>;\n"

enum { TEXT = 1 << 16 };

static char test_text[TEXT], *test_own;
static void *test_arena;
static ws_module m;
static ws_error test_error;

static inline ws_status test_parse(const char *text) {
    const size_t length = strlen(text);
    const size_t bytes = ws_module_bytes(text, length);
    free(test_arena);
    free(test_own);
    test_arena = malloc(bytes);
    test_own = (char *)malloc(length + 1);
    if (test_arena == NULL || test_own == NULL) abort();
    memcpy(test_own, text, length + 1);
    return ws_module_parse(test_own, length, test_arena, &m, &test_error);
}

/* A text of the whole file after "!", else of a body. */
static inline ws_status test_take(const char *text) {
    const bool whole = *text == '!';
    snprintf(test_text, sizeof test_text, "%s%s%s", whole ? HEAD : BEFORE, text + whole, whole ? "" : "\nret;\n}\n");
    return test_parse(test_text);
}

static inline void test_is_fine(const char *text) {
    if (!CHECK_EQUAL(test_take(text), WS_OK)) fprintf(stderr, "    %s: %s\n", text, test_error.message);
}

/* The span is this text. */
static inline bool test_reads(ws_span span, const char *text) {
    return ws_bytes_equal(m.text + span.begin, span.end - span.begin, text);
}

static inline const ws_item *test_item(uint32_t statement, uint32_t i) {
    return &m.items[m.statements[statement].first_item + i];
}

#endif
