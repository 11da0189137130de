/* PTX text to instruction and back, complaints that point at the right byte, and texts without one. */
#include <stdlib.h>

#include "../ops.h"

enum { TEXT_BYTES = 256, FUZZED_TEXTS = 200000, LONG_TEXT_BYTES = 1000000 };

/* Parses a copy that ends where its allocation ends, so that reading on is an error of the sanitizer. */
static ws_status parse_at_the_end(const char *text, size_t length, ws_op *op, ws_error *error) {
    char *block = (char *)malloc(length + 1);
    ws_status status;
    memcpy(block + 1, text, length);
    status = ws_parse_text(block + 1, length, op, error);
    free(block);
    return status;
}

static size_t write_op(const ws_op *op, char *bytes, size_t capacity) {
    ws_text text = ws_text_make(bytes, capacity);
    ws_op_write(op, &text);
    return text.length;
}

static void check_round_trip(const ws_op *op) {
    char bytes[TEXT_BYTES];
    ws_op again = ws_op_none();
    ws_error error;
    const size_t length = write_op(op, bytes, sizeof bytes);
    if (!CHECK_EQUAL(parse_at_the_end(bytes, length, &again, &error), WS_OK)) {
        fprintf(stderr, "    %s: %s\n", bytes, error.message);
    }
    CHECK(ws_op_equal(&again, op));
    CHECK_EQUAL(again.form, op->form);
    CHECK_EQUAL(error.message[0], '\0');
    CHECK_EQUAL(error.column, WS_NO_COLUMN);
}

static void test_text_every_instruction_comes_back(void) {
    for (uint32_t index = 0; index < table_size(); index++) {
        const ws_op op = table_op(index);
        check_round_trip(&op);
    }
}

/* Only where the text shows every field of the combination. */
static void test_text_combination_without_row_is_refused(void) {
    for (uint32_t index = 0; index < CROSS_SIZE; index++) {
        const ws_op op = cross_op(index);
        const bool matrix = op.kind == WS_LDMATRIX || op.kind == WS_STMATRIX;
        const bool plain = (op.kind == WS_LD || op.kind == WS_ST) && op.shape == 0 && op.trans == 0 && op.vec > 1;
        char bytes[TEXT_BYTES];
        ws_op again;
        ws_error error;
        if (op.form != 0 || op.cache != 0 || !(matrix || plain)) continue;
        write_op(&op, bytes, sizeof bytes);
        if (!CHECK(ws_parse(bytes, &again, &error) != WS_OK)) fprintf(stderr, "    %s\n", bytes);
        CHECK(error.message[0] != '\0');
    }
}

static void test_text_buffer_too_small_is_cut_and_terminated(void) {
    const ws_op op = op_of("ldmatrix.sync.aligned.m8n8.x4.trans.shared::cta.b16");
    char whole[TEXT_BYTES];
    const size_t length = write_op(&op, whole, sizeof whole);
    for (size_t capacity = 0; capacity <= length + 1; capacity++) {
        char *bytes = (char *)malloc(capacity > 0 ? capacity : 1);
        const size_t written = write_op(&op, bytes, capacity);
        CHECK_EQUAL(written, capacity == 0 ? 0 : capacity - 1 < length ? capacity - 1 : length);
        if (capacity > 0) CHECK(bytes[written] == '\0' && memcmp(bytes, whole, written) == 0);
        free(bytes);
    }
}

/* Calls `visit` with every order of the words after the opcode. */
static void permute(const char *words[7], int fixed, void (*visit)(const char *words[7])) {
    if (fixed == 7) visit(words);
    for (int i = fixed; i < 7; i++) {
        const char *swapped = words[i];
        words[i] = words[fixed];
        words[fixed] = swapped;
        permute(words, fixed + 1, visit);
        swapped = words[i];
        words[i] = words[fixed];
        words[fixed] = swapped;
    }
}

static ws_status parse_words(const char *words[7], ws_op *op) {
    char bytes[TEXT_BYTES];
    ws_text text = ws_text_make(bytes, sizeof bytes);
    ws_text_add(&text, "ldmatrix");
    for (int i = 0; i < 7; i++) {
        ws_text_add(&text, ".");
        ws_text_add(&text, words[i]);
    }
    return parse_at_the_end(bytes, text.length, op, NULL);
}

static int orders, accepted_orders;

static void visit_free_order(const char *words[7]) {
    ws_op op = ws_op_none();
    orders++;
    CHECK_EQUAL(parse_words(words, &op), WS_OK);
    CHECK(op.kind == WS_LDMATRIX && op.shape == WS_SHAPE_M8N8 && op.num == 4 && op.trans == 1 &&
          op.type == WS_TYPE_B16 && op.space == WS_SPACE_SHARED);
}

static void visit_format_order(const char *words[7]) {
    ws_op op;
    orders++;
    accepted_orders += parse_words(words, &op) == WS_OK;
}

static void test_qualifiers_every_order_is_accepted(void) {
    const char *words[7] = {"sync", "aligned", "m8n8", "x4", "trans", "shared", "b16"};
    orders = 0;
    permute(words, 0, visit_free_order);
    CHECK_EQUAL(orders, 5040);
}

static void test_qualifiers_source_format_before_destination_format_is_refused(void) {
    const char *words[7] = {"sync", "aligned", "m8n16", "x1", "shared", "b8x16", "b4x16_p64"};
    orders = accepted_orders = 0;
    permute(words, 0, visit_format_order);
    CHECK_EQUAL(orders, 5040);
    CHECK_EQUAL(accepted_orders, 2520);
}

static void test_text_surroundings_change_nothing(void) {
    static const char *const texts[] = {
        "ldmatrix.sync.aligned.m8n8.x2.shared.b16",
        " \t\r\n\f\v ldmatrix.sync.aligned.m8n8.x2.shared.b16 // behind",
        "ldmatrix /* a */ .sync\n.aligned .m8n8.x2 .shared .b16",
        "ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%r1, %r2}, [%rd1+16];",
        "ldmatrix.sync.aligned.m8n8.x2.shared.b16{r1,_},[smem];",
        "@!%p1 ldmatrix.sync.aligned.m8n8.x2.shared.b16 { r1 , r1 } , [ a + -32 ] ;",
        "$L__BB0_2: L: @p ldmatrix.sync.aligned.m8n8.x2.shared.b16 {r1, r2}, [a+(1<<4)];",
        "{ ldmatrix.sync.aligned.m8n8.x2.shared.b16 {r1, r2}, [a]; }",
        "ldmatrix.sync.aligned.m8n8.x2.shared.b16 {r1, r2}, [a];\nldmatrix.sync.aligned.m8n8.x2.shared.b16 {r3, r4}, "
        "[b];",
    };
    const ws_op expected = op_of(texts[0]);
    for (size_t i = 1; i < sizeof texts / sizeof texts[0]; i++) {
        const ws_op op = op_of(texts[i]);
        CHECK(ws_op_equal(&op, &expected));
    }
}

#define X1 "ldmatrix.sync.aligned.m8n8.x1.shared.b16"

static void test_text_fills_its_buffer_and_not_a_byte_more(void) {
    char bytes[9] = "########";
    ws_text text = ws_text_make(bytes, 7);
    ws_text_add_int(&text, -1234);
    CHECK_TEXT(bytes, "-1234");
    ws_text_add_int(&text, 5678);
    CHECK_TEXT(bytes, "-12345");
    CHECK_EQUAL(text.length, 6);
    CHECK_EQUAL(text.wanted, 9);
    CHECK_EQUAL(bytes[7], '#');
    text = ws_text_make(bytes + 7, 0);
    ws_text_add(&text, "x");
    CHECK_EQUAL(text.wanted, 1);
    CHECK_EQUAL(bytes[7], '#');
}

static void test_numbers_at_their_ends_are_written_whole(void) {
    char bytes[64];
    ws_text text = ws_text_make(bytes, sizeof bytes);
    ws_text_add_int(&text, INT64_MIN);
    CHECK_TEXT(bytes, "-9223372036854775808");
    text = ws_text_make(bytes, sizeof bytes);
    ws_text_add_uint(&text, UINT64_MAX);
    CHECK_TEXT(bytes, "18446744073709551615");
    text = ws_text_make(bytes, sizeof bytes);
    ws_text_add_hex(&text, UINT64_MAX);
    CHECK_TEXT(bytes, "0xffffffffffffffff");
}

/* Of every operator both answers; the constant is a copy's size. */
static void test_constants_are_those_of_c(void) {
    static const char *const sixteen[] = {
        "64-32-16",   "020",        "0x10U",     "0b10000",    "16*(2<=2)",  "16*(1<2)",   "16*(2>=2)",
        "16*(2>1)",   "16*(1!=2)",  "16*(2==2)", "16*!(1!=1)", "16*!(2<2)",  "16*!(2>2)",  "16*!(3<=2)",
        "16*!(1>=2)", "16*!(1==2)", "1<<4",      "64>>2",      "1?16:4",     "0?4:16",     "32/2",
        "48%32",      "24&16|0",    "16^0",      "16|16",      "(1&&2)*16",  "16*!(1&&0)", "16*(0||2)",
        "16*!(0||0)", "~-17",       "+16",       "WARP_SZ/2",  "16+(1<<64)", "16+(1>>64)",
    };
    char text[128];
    for (size_t i = 0; i < sizeof sixteen / sizeof sixteen[0]; i++) {
        ws_op op;
        ws_error error;
        ws_text whole = ws_text_make(text, sizeof text);
        ws_text_add(&whole, "cp.async.ca.shared.global [d], [s], ");
        ws_text_add(&whole, sixteen[i]);
        ws_text_add(&whole, ";");
        if (!CHECK_EQUAL(ws_parse(text, &op, &error), WS_OK) || !CHECK_EQUAL(op.size_bytes, 16))
            fprintf(stderr, "    %s\n", text);
    }
}

static void check_status(const char *text, ws_status expected) {
    ws_op op;
    ws_error error;
    if (!CHECK_EQUAL(ws_parse(text, &op, &error), expected)) fprintf(stderr, "    %s\n", text);
}

static void test_operands_both_sides_of_their_bounds(void) {
    check_status("ld.shared.b32 r, [a+2147483647];", WS_OK);
    check_status("ld.shared.b32 r, [a+2147483648];", WS_UNSUPPORTED);
    check_status("ld.shared.b32 r, [a+-2147483648];", WS_OK);
    check_status("ld.shared.b32 r, [a+-2147483649];", WS_UNSUPPORTED);
    check_status("ld.shared.b32 r, [a+(((((((((((((((16)))))))))))))))];", WS_OK); /* 15 brackets */
    check_status("ld.shared.b32 r, [a+((((((((((((((((16))))))))))))))))];", WS_SYNTAX);
    check_status("stmatrix.sync.aligned.m8n8.x1.shared.b16 [a], {7};", WS_SYNTAX); /* one element: a float at most */
    check_status("stmatrix.sync.aligned.m8n8.x1.shared.b16 [a], {0f3F800000};", WS_OK);
    check_status("stmatrix.sync.aligned.m8n8.x2.shared.b16 [a], {7, r};", WS_OK);
    check_status("st.shared.f32 [a], -1.0e-5;", WS_OK);
    check_status("st.shared.f32 [a], 1a.0;", WS_SYNTAX);
    check_status("st.shared.f32 [a], 1.a;", WS_SYNTAX);
}

static void test_error_column_points_at_the_fault(void) {
    static const struct {
        const char *text;
        ws_status status;
        int column, length;
        const char *says;
    } cases[] = {
        {"", WS_SYNTAX, 0, 1, "expected an instruction, found the end of the text"},
        {"   ", WS_SYNTAX, 3, 1, "expected an instruction"},
        {"ldmatrx.sync", WS_SYNTAX, 0, 7, "unknown instruction 'ldmatrx'; expected"},
        {"LDMATRIX.sync", WS_SYNTAX, 0, 8, "unknown instruction 'LDMATRIX'"},
        {"@", WS_SYNTAX, 1, 1, "expected a predicate register"},
        {"@p @q " X1, WS_SYNTAX, 3, 1, "expected an instruction, found '@'"},
        {"@%p ldmatrix.sync.aligned.m8n8.x3.shared.b16", WS_SYNTAX, 31, 2, "PTX has no qualifier '.x3'"},
        {"ldmatrix..sync", WS_SYNTAX, 9, 1, "expected a qualifier after the dot, found '.'"},
        {"ldmatrix. sync", WS_SYNTAX, 9, 1, "expected a qualifier after the dot, found ' '"},
        {X1 ".", WS_SYNTAX, 41, 1, "found the end of the text"},
        {"ldmatrix.sync.aligned.m8n8.x8.shared.b16", WS_UNSUPPORTED, 0, 40, "expected .x1, .x2 or .x4"},
        {" ldmatrix.sync.aligned.m16n16.x1.shared.b8 {r}, [a];", WS_UNSUPPORTED, 1, 41, "only with .trans"},
        {"ldmatrix.sync.aligned.m8n8.x1.x2.shared.b16", WS_UNSUPPORTED, 30, 2, "too many: '.x2'"},
        {"ldmatrix.sync.aligned.m8n8.x1.volatile.b16", WS_UNSUPPORTED, 30, 8,
         "does not take the qualifier '.volatile'"},
        {"ld.volatile.shared.b32", WS_NOT_MODELLED, 3, 8, "not modelled: the qualifier '.volatile'"},
        {"ld.shared.v4.b64", WS_UNSUPPORTED, 0, 16, "at most 16 bytes per lane: vec is 1 or 2"},
        {"ld.global.v4.b64", WS_NOT_MODELLED, 0, 16, "not modelled beyond 16 bytes per lane: vec is 1 or 2"},
        {"ld.shared", WS_UNSUPPORTED, 0, 9, "needs a type"},
        {"cp.async.cg.global.shared", WS_UNSUPPORTED, 12, 6, "written '.shared.global'"},
        {"cp.async.ca.shared.global", WS_UNSUPPORTED, 0, 25, "4, 8 or 16"},
        {"cp.async.cg.shared.global [d], [s], 8;", WS_UNSUPPORTED, 36, 1, "copies 16 bytes, not 8"},
        {"cp.async.ca.shared.global [d], [s], 4, 4;", WS_NOT_MODELLED, 37, 1, "src-size"},
        {"  ldmatrix.sync.aligned.m8n8.x4.shared.b16 {r0, r1}, [a];", WS_SYNTAX, 43, 8, "4 registers, not 2"},
        {X1 " {_}, [a];", WS_SYNTAX, 41, 3, "must be a register, not '_'"},
        {X1 " {1}, [a];", WS_SYNTAX, 42, 1, "expected a register, found '1'"},
        {X1 " {r0} [a];", WS_SYNTAX, 46, 1, "expected ',', found '['"},
        {X1 " {r0}, [a", WS_SYNTAX, 49, 1, "found the end of the text"},
        {X1 " {r0}, [a]", WS_SYNTAX, 50, 1, "expected ';'"},
        {X1 " {r0}, [16];", WS_SYNTAX, 48, 2, "a register or a symbol as address"},
        {X1 " {r0}, [a-16];", WS_SYNTAX, 49, 1, "found '-'"},
        {X1 " {r0}, [a].unified;", WS_NOT_MODELLED, 50, 1, "a qualifier after the address"},
        {X1 ";", WS_SYNTAX, 40, 1, "found ';'"},
        {"st.shared.f32 [a], 1.0x;", WS_SYNTAX, 20, 1, "expected ';', found '.'"},
        {"movmatrix.sync.aligned.m8n8.trans.b16 {d}, a;", WS_SYNTAX, 38, 1, "expected a register, found '{'"},
        {"/* no end", WS_SYNTAX, 0, 2, "this comment does not end"},
        {X1 " /* no", WS_SYNTAX, 41, 2, "this comment does not end"},
        {X1 " {r0}, [a]; stmatrix.sync.aligned.m8n8.x1.shared.b16 [a], {r0};", WS_SYNTAX, 52, 1,
         "different instruction"},
        {"{ " X1 " {r0}, [a];", WS_SYNTAX, 53, 1, "expected '}'"},
        {X1 " {r0}, [a]; }", WS_SYNTAX, 52, 1, "expected the end of the text, found '}'"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        ws_op op;
        ws_error error;
        bool ok = CHECK_EQUAL(parse_at_the_end(cases[i].text, strlen(cases[i].text), &op, &error), cases[i].status);
        ok &= CHECK_EQUAL(error.column, cases[i].column);
        ok &= CHECK_EQUAL(error.length, cases[i].length);
        ok &= CHECK_HAS(error.message, cases[i].says);
        if (!ok) fprintf(stderr, "    %s: %s\n", cases[i].text, error.message);
    }
}

static void check_any_text(const char *bytes, size_t length) {
    ws_op op = ws_op_none(), silent = op;
    ws_error error;
    const ws_status status = parse_at_the_end(bytes, length, &op, &error);
    CHECK_EQUAL(ws_parse_text(bytes, length, &silent, NULL), status);
    if (status == WS_OK) {
        CHECK_EQUAL(op.form, ws_isa_find(&op));
        CHECK(op.form != 0);
        check_round_trip(&op);
        return;
    }
    CHECK(status == WS_SYNTAX || status == WS_UNSUPPORTED || status == WS_NOT_MODELLED);
    CHECK(error.message[0] != '\0' && memchr(error.message, '\0', sizeof error.message) != NULL);
    CHECK(error.column >= 0 && error.length >= 0 && (size_t)error.column + (size_t)error.length <= length + 1);
}

static size_t random_text(uint64_t *state, char *bytes, size_t capacity) {
    static const char common[] = " .;,{}[]()+-*/%@:_$0123456789abfxrsv\n";
    const size_t length = (size_t)(check_random(state) % capacity);
    const bool any_byte = check_random(state) % 2 == 0;
    for (size_t i = 0; i < length; i++) {
        const uint64_t random = check_random(state);
        bytes[i] = any_byte ? (char)(random & 0xff) : common[random % (sizeof common - 1)];
    }
    return length;
}

static const char *const seeds[] = {
    "ldmatrix.sync.aligned.m8n8.x4.trans.shared::cta.b16 {%r1, %r2, %r3, _}, [%rd1+-16];",
    "@!p ldmatrix.sync.aligned.m16n16.x1.trans.shared.b8x16.b6x16_p32 {r0, r1}, [smem+(3*(16+2)<<1)];",
    "stmatrix.sync.aligned.m16n8.x2.trans.shared.b8 [a+0x10], {r0, 0f3F800000}; // end",
    "L0: movmatrix.sync.aligned.m8n8.trans.b16 d, a;",
    "{ st.global.v4.f32 [a], {f0, 1.0, -2.5e3, f3}; st.global.v4.f32 [b], {f0, f1, f2, f3}; }",
    "ld.weak.shared.v2.u64 {a, b}, [c+WARP_SZ*(.s64)-1+~0+!1+(1?2:3)]; /* c */",
    "cp.async.cg.shared.global [d], [s+1024], 8*2;",
    "cp.async.ca.shared::cta.global [d], [s], 0b100;",
};

static const char *const pieces[] = {
    ".sync",  ".aligned", ".m8n8",    ".m16n16", ".x1",      ".x4",
    ".trans", ".shared",  "::cta",    ".b16",    ".b8x16",   ".b4x16_p64",
    ".s8",    ".s4",      "ldmatrix", "st",      "cp.async", ".global",
    ".ca",    "{",        "}",        "[a]",     ", ",       ";",
    "/*",     "*/",       "//",       "%",       "@p ",      "((((((((((((((((((",
    "))",     "0x",       "0f",       "0d1",     "1.",       "-",
    "~!",     "<<",       "?",        ":",       "_",        "18446744073709551616",
    "\n",     "L: ",      "U",
};

/* Cuts, doubles, replaces or inserts something, a few times. */
static size_t mutate(uint64_t *state, char *bytes, size_t length, size_t capacity) {
    int rounds = 1 + (int)(check_random(state) % 4);
    while (rounds-- > 0) {
        const char *piece = pieces[check_random(state) % (sizeof pieces / sizeof pieces[0])];
        size_t at = (size_t)(check_random(state) % (length + 1));
        size_t count = (size_t)(check_random(state) % 12), inserted = strlen(piece);
        char copy[TEXT_BYTES];
        switch (check_random(state) % 4) {
            case 0: inserted = 0; break;
            case 1: count = 0; break;
            case 2:
                if (at < length) bytes[at] = (char)(check_random(state) & 0xff);
                continue;
            default:
                inserted = (size_t)(check_random(state) % 30);
                piece = bytes + check_random(state) % (length + 1);
                if (inserted > length - (size_t)(piece - bytes)) inserted = length - (size_t)(piece - bytes);
        }
        if (count > length - at) count = length - at;
        if (length - count + inserted > capacity) continue;
        memcpy(copy, piece, inserted);
        memmove(bytes + at + inserted, bytes + at + count, length - at - count);
        memcpy(bytes + at, copy, inserted);
        length += inserted - count;
    }
    return length;
}

static void test_parse_random_bytes_are_refused_in_bounds(void) {
    uint64_t state = 1;
    char bytes[TEXT_BYTES];
    for (int i = 0; i < FUZZED_TEXTS / 4; i++) check_any_text(bytes, random_text(&state, bytes, 96));
}

static void test_parse_mutated_texts_never_break_an_invariant(void) {
    uint64_t state = 2;
    char bytes[TEXT_BYTES];
    int accepted = 0;
    for (int i = 0; i < FUZZED_TEXTS; i++) {
        const char *seed = seeds[check_random(&state) % (sizeof seeds / sizeof seeds[0])];
        size_t length = strlen(seed);
        ws_op op;
        memcpy(bytes, seed, length);
        length = mutate(&state, bytes, length, sizeof bytes);
        check_any_text(bytes, length);
        accepted += ws_parse_text(bytes, length, &op, NULL) == WS_OK;
    }
    CHECK(accepted > FUZZED_TEXTS / 100 && accepted < FUZZED_TEXTS / 2); /* the mutations reach both sides */
}

static void test_parse_after_an_earlier_statement_gives_the_same(void) {
    uint64_t state = 3;
    char bytes[TEXT_BYTES];
    int alike = 0;
    for (int i = 0; i < FUZZED_TEXTS / 4; i++) {
        const char *seed = seeds[check_random(&state) % (sizeof seeds / sizeof seeds[0])];
        size_t length = strlen(seed);
        ws_parsed_head latest = {NULL, 0, ws_op_none()};
        ws_op op, after;
        ws_error error, error_after;
        ws_parse_after(seed, length, &latest, &op, NULL);
        memcpy(bytes, seed, length);
        length = mutate(&state, bytes, length, sizeof bytes);
        alike += latest.length > 0 && latest.length <= length && memcmp(bytes, latest.bytes, latest.length) == 0;
        CHECK_EQUAL(ws_parse_after(bytes, length, &latest, &after, &error_after),
                    ws_parse_text(bytes, length, &op, &error));
        CHECK(memcmp(&op, &after, sizeof op) == 0);
        CHECK_TEXT(error_after.message, error.message);
        CHECK_EQUAL(error_after.column, error.column);
    }
    CHECK(alike > FUZZED_TEXTS / 400);
}

static void test_bytes_are_found_where_they_are(void) {
    for (size_t length = 1; length < 30; length++) {
        char *bytes = (char *)malloc(length);
        memset(bytes, ';' ^ 0x80, length);
        CHECK_EQUAL(ws_bytes_find(bytes, 0, length, ';', '{', ';'), length);
        for (size_t at = 0; at < length; at++) {
            bytes[at] = ";{"[at % 2];
            for (size_t from = 0; from <= at; from++) {
                CHECK_EQUAL(ws_bytes_find(bytes, from, length, ';', '{', ';'), at);
            }
            bytes[at] = ';' + 1;
        }
        free(bytes);
    }
}

static void test_parse_every_beginning_of_a_text_is_read_in_bounds(void) {
    for (size_t i = 0; i < sizeof seeds / sizeof seeds[0]; i++) {
        CHECK_EQUAL(parse_at_the_end(seeds[i], strlen(seeds[i]), &(ws_op){0}, NULL), WS_OK);
        for (size_t length = 0; length < strlen(seeds[i]); length++) check_any_text(seeds[i], length);
    }
}

static void test_parse_long_repetition_ends_without_deep_recursion(void) {
    static const char *const units[] = {"{", "(",     "-", "~", "1?", "1+", "a:", "@",
                                        ".", ".sync", " ", "/", "[",  "%",  "1,", "(.s64)"};
    static const char *const starts[] = {"", "ldmatrix", "st.shared.b32 [a], ", "st.shared.v4.b32 [a], {",
                                         "ld.shared.b32 r, [a+"};
    char *bytes = (char *)malloc(LONG_TEXT_BYTES);
    for (size_t i = 0; i < sizeof starts / sizeof starts[0]; i++) {
        for (size_t j = 0; j < sizeof units / sizeof units[0]; j++) {
            const size_t unit = strlen(units[j]);
            size_t length = strlen(starts[i]);
            memcpy(bytes, starts[i], length);
            for (; length + unit <= LONG_TEXT_BYTES; length += unit) memcpy(bytes + length, units[j], unit);
            check_any_text(bytes, length);
        }
    }
    free(bytes);
}

static void test_parse_null_is_an_invalid_argument(void) {
    ws_op op;
    ws_error error;
    CHECK_EQUAL(ws_parse(NULL, &op, &error), WS_INVALID_ARGUMENT);
    CHECK(op.kind == WS_KIND_NONE && op.vec == 0 && op.form == 0); /* as after every text that is not an instruction */
    CHECK_EQUAL(ws_parse(X1, NULL, &error), WS_INVALID_ARGUMENT);
    CHECK_EQUAL(ws_parse(X1, NULL, NULL), WS_INVALID_ARGUMENT);
    CHECK_EQUAL(ws_parse_text("", 0, &op, NULL), WS_SYNTAX);
}

CHECK_MAIN(test_text_every_instruction_comes_back, test_text_combination_without_row_is_refused,
           test_text_buffer_too_small_is_cut_and_terminated, test_qualifiers_every_order_is_accepted,
           test_qualifiers_source_format_before_destination_format_is_refused, test_text_surroundings_change_nothing,
           test_text_fills_its_buffer_and_not_a_byte_more, test_numbers_at_their_ends_are_written_whole,
           test_constants_are_those_of_c, test_operands_both_sides_of_their_bounds,
           test_error_column_points_at_the_fault, test_parse_random_bytes_are_refused_in_bounds,
           test_parse_mutated_texts_never_break_an_invariant, test_parse_after_an_earlier_statement_gives_the_same,
           test_bytes_are_found_where_they_are, test_parse_every_beginning_of_a_text_is_read_in_bounds,
           test_parse_long_repetition_ends_without_deep_recursion, test_parse_null_is_an_invalid_argument)
