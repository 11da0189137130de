/* How much memory a kernel of a module takes: that of its own text, however many kernels stand beside it. */
#include "../check.h"
#include <warpsim/run.h>

enum { ROOM = 1 << 24, KERNELS = 64, STATEMENTS = 100 };

static char text[ROOM];
static uint8_t of_module[ROOM], of_program[ROOM];

static void text_begins(void) { strcpy(text, ".version 8.6\n.target sm_90a\n.address_size 64\n"); }

/* A kernel of many statements, one of them as given. */
static void text_kernel(int number, const char *statement) {
    char *at = text + strlen(text);
    int i;
    at += sprintf(at, ".visible .entry k%d() { .reg .b32 %%r<3>; .reg .b64 %%d; %s\n", number, statement);
    for (i = 0; i < STATEMENTS; i++) at += sprintf(at, "add.u32 %%r1, %%r1, %d;\n", i);
    strcpy(at, "ret; }\n");
}

/* Decodes a kernel; the bytes it takes. */
static size_t decoded(uint32_t kernel, ws_kernel *program) {
    const ws_chosen chosen = {kernel, ws_target_find("sm_90a"), WS_SIMD_AUTO, true};
    ws_arena arena = ws_arena_make(NULL, 0);
    ws_module module;
    ws_refused refused;
    ws_error error;
    CHECK(ws_module_bytes(text, strlen(text)) < ROOM);
    CHECK_EQUAL(ws_module_parse(text, strlen(text), of_module, &module, &error), WS_OK);
    CHECK_EQUAL(ws_kernel_make(&module, &chosen, &arena, program, &refused, &error), WS_INVALID_ARGUMENT);
    CHECK(arena.wanted < ROOM);
    arena = ws_arena_make(of_program, arena.wanted);
    CHECK_EQUAL(ws_kernel_make(&module, &chosen, &arena, program, &refused, &error), WS_OK);
    return arena.wanted;
}

/* `kernel`: of many, each with the statement; the bytes it takes. */
static size_t of_many(const char *statement, uint32_t kernel, ws_kernel *program) {
    int i;
    text_begins();
    for (i = 0; i < KERNELS; i++) text_kernel(i, statement);
    return decoded(kernel, program);
}

static void test_other_kernels_take_no_room(void) {
    ws_kernel program;
    size_t alone, first, last;
    text_begins();
    text_kernel(0, "");
    alone = decoded(0, &program);
    CHECK_EQUAL(program.num_steps, STATEMENTS + 2);
    first = of_many("", 0, &program);
    CHECK_EQUAL(program.num_steps, STATEMENTS + 2);
    last = of_many("", KERNELS - 1, &program);
    CHECK_EQUAL(program.num_steps, STATEMENTS + 2);
    CHECK_EQUAL(first, last);
    CHECK(first > alone && first < 4 * alone); /* a few words for each statement of the others */
}

/* Each takes the address of the first one, which is decoded behind it. */
static void test_kernels_that_are_named_do(void) {
    ws_kernel program;
    size_t alone;
    text_begins();
    text_kernel(0, "");
    alone = decoded(0, &program);
    CHECK(of_many("mov.u64 %d, k0;", KERNELS - 1, &program) > 20 * alone);
    CHECK_EQUAL(program.num_callees, 2);
    CHECK_EQUAL(program.num_steps, 2 * (STATEMENTS + 3));
}

/* Wherever it is named: here by the first operand of the module. */
static void test_one_kernel_that_names_another_is_enough(void) {
    ws_kernel program;
    size_t others;
    int i;
    others = of_many("", KERNELS - 1, &program);
    text_begins();
    text_kernel(0, "call k0;");
    for (i = 1; i < KERNELS; i++) text_kernel(i, "");
    CHECK(decoded(KERNELS - 1, &program) > 4 * others);
}

CHECK_MAIN(test_other_kernels_take_no_room, test_kernels_that_are_named_do,
           test_one_kernel_that_names_another_is_enough)
