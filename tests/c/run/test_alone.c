/* Every statement alone in a kernel: what it needs is there, though no other statement asked for it.
 *
 * Memory of a launch is as large as its statements need, and each of these launches has exactly that much. */
#include "../check.h"
#define LLVMFuzzerTestOneInput fuzz_drawn
#include "../../fuzz/fuzz_run.c"
#undef LLVMFuzzerTestOneInput
#define LLVMFuzzerTestOneInput fuzz_checked
#define MOST_STEPS MOST_STEPS_CHECKED
#define ARGUMENT ARGUMENT_CHECKED
#include "../../fuzz/fuzz_mutated.c"

int fuzz_prints = 0;
unsigned long fuzz_launches = 0;

enum { TIMES = 12, BYTES = 64, HOW = 8 /* bytes that say how a text is launched with checks */ };

static unsigned long launched;

static void run_checked(const text_of *text, const uint8_t *how) {
    static uint8_t bytes[HOW + MOST_TEXT];
    memcpy(bytes, how, HOW);
    memcpy(bytes + HOW, text->bytes, text->length);
    (void)fuzz_checked(bytes, HOW + text->length);
}

/* Its words and operands are drawn by the bytes. */
static void run_alone(const ws_statement_form *form, const char *other, const uint8_t *bytes) {
    static text_of text;
    fuzz_input in = fuzz_input_make(bytes, BYTES);
    text.length = 0;
    add(&text, HEAD);
    if (form != NULL) add_form(&text, form, &in);
    else add(&text, other);
    add(&text, ";\nL0: L1: L2: L3: L4: L5: E: ret;\n}\n");
    check_text(&text);
    run_checked(&text, bytes);
    launched++;
}

static void test_every_row(void) {
    uint8_t bytes[BYTES];
    uint32_t table, row, k;
    for (table = 0; ws_form_table_at((int)table).forms != NULL; table++) {
        const ws_form_table rows = ws_form_table_at((int)table);
        for (row = 0; row < rows.count; row++) {
            for (k = 0; k < TIMES; k++) {
                fuzz_fill(table << 20 | row << 8 | k, bytes, BYTES);
                run_alone(&rows.forms[row], NULL, bytes);
            }
        }
    }
    CHECK(launched > 4000 && fuzz_launches > launched);
}

static void test_every_other(void) {
    const uint8_t bytes[BYTES] = {0};
    size_t i;
    for (i = 0; i < sizeof others / sizeof others[0]; i++) run_alone(NULL, others[i], bytes);
}

static void test_all(void) {
    test_every_row();
    test_every_other();
}

CHECK_MAIN(test_all)
