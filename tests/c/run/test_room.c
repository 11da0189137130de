/* How much memory a kernel of a module takes: that of its own text, however many kernels stand beside it; how much its
 * blocks and clusters take, and that they run in it. */
#include "../check.h"
#include <warpsim/run.h>

enum { SPACE = 1 << 24, KERNELS = 64, STATEMENTS = 100 };

static char written[SPACE];
static uint8_t module_space[SPACE], program_space[SPACE];

static void text_begins(void) { strcpy(written, ".version 8.6\n.target sm_90a\n.address_size 64\n"); }

/* A kernel of many statements, one of them as given. */
static void text_kernel(int number, const char *statement) {
    char *at = written + strlen(written);
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
    CHECK(ws_module_bytes(written, strlen(written)) < SPACE);
    CHECK_EQUAL(ws_module_parse(written, strlen(written), module_space, &module, &error), WS_OK);
    CHECK_EQUAL(ws_kernel_make(&module, &chosen, &arena, program, &refused, &error), WS_INVALID_ARGUMENT);
    CHECK(arena.wanted < SPACE);
    arena = ws_arena_make(program_space, arena.wanted);
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
    size_t rest;
    int i;
    rest = of_many("", KERNELS - 1, &program);
    text_begins();
    text_kernel(0, "call k0;");
    for (i = 1; i < KERNELS; i++) text_kernel(i, "");
    CHECK(decoded(KERNELS - 1, &program) > 4 * rest);
}

enum { BLOCKS = 3, EACH = 40 };

static uint32_t results[BLOCKS * EACH];

/* Each thread leaves twice the number of its block and its own; those beyond the second block trap. */
static const char blocks_text[] =
    ".version 8.6\n.target sm_90a\n.address_size 64\n"
    ".func (.reg .b32 o) twice (.reg .b32 i) { add.u32 o, i, i; ret; }\n"
    ".visible .entry k(.param .u64 out) { .reg .b32 %r<9>; .reg .b64 %d<2>; .reg .pred %p; .shared .b32 s[40];\n"
    "ld.param.u64 %d0, [out]; mov.u32 %r0, %tid.x; mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ntid.x;\n"
    "setp.gt.u32 %p, %r1, 1; @%p trap; mad.lo.u32 %r3, %r0, 4, s; mad.lo.u32 %r4, %r1, 1000, %r0;\n"
    "st.shared.u32 [%r3], %r4; bar.sync 0; ld.shared.u32 %r5, [%r3]; call (%r6), twice, (%r5);\n"
    "mad.lo.u32 %r7, %r1, %r2, %r0; mad.wide.u32 %d1, %r7, 4, %d0; st.global.u32 [%d1], %r6; ret; }\n";

/* The launch of its blocks; what it points to lives as long as the program. */
static ws_launch launch_of_blocks(void) {
    static const ws_region region = {
        WS_FIRST_GLOBAL, sizeof results, (uint8_t *)results, 0, WS_REGION_ARGUMENT, false, NULL};
    static const uint64_t variables[2] = {0, 0};
    static uint8_t parameters[8];
    static ws_kernel program;
    ws_launch launch;
    strcpy(written, blocks_text);
    (void)decoded(1, &program);
    CHECK_EQUAL(program.static_shared_bytes, 4 * EACH);
    CHECK_EQUAL(program.parameter_bytes, sizeof parameters);
    ws_store_u64(parameters, WS_FIRST_GLOBAL);
    launch = ws_launch_make(&program, BLOCKS, EACH);
    launch.memory.regions = &region;
    launch.memory.count = 1;
    launch.variables = variables;
    launch.parameters = parameters;
    return launch;
}

/* An arena of just so many bytes: the sanitizer sees who writes beyond them. */
static ws_arena arena_of(size_t bytes) {
    void *memory = malloc(bytes);
    if (memory == NULL) abort();
    return ws_arena_make(memory, bytes);
}

/* One block that may take so many steps: why it stops, and what it leaves. */
static void check_block(ws_block *block, uint32_t number, uint64_t most, int stop) {
    const uint32_t index[3] = {number, 0, 0};
    uint32_t i;
    memset(results, 0xff, sizeof results);
    CHECK_EQUAL(ws_block_run(block, index, most), stop == WS_RUN_NONE);
    CHECK_EQUAL(block->stop.kind, stop);
    for (i = 0; i < BLOCKS * EACH; i++) {
        if (i / EACH != number || stop == WS_RUN_TRAP) CHECK_EQUAL(results[i], UINT32_MAX);
        else if (stop == WS_RUN_NONE)
            CHECK_EQUAL(ws_load_u32((const uint8_t *)&results[i]), 2 * (1000 * number + i % EACH));
    }
}

static void test_blocks_run_in_the_room_that_is_told(void) {
    const ws_launch launch = launch_of_blocks();
    const size_t bytes = ws_block_bytes(&launch);
    ws_arena small = arena_of(bytes - 1), room = arena_of(bytes);
    ws_block block;
    uint64_t before, steps;
    CHECK(bytes > 4 * EACH);
    CHECK(!ws_block_make(&launch, &small, &block));
    CHECK_EQUAL(small.wanted, bytes);
    CHECK(ws_block_make(&launch, &room, &block));
    check_block(&block, 0, 1000000, WS_RUN_NONE);
    before = block.steps;
    check_block(&block, 1, 1000000, WS_RUN_NONE);
    steps = block.steps - before;
    check_block(&block, 1, steps, WS_RUN_NONE);
    check_block(&block, 1, steps - 1, WS_RUN_STEPS);
    check_block(&block, 2, 1000000, WS_RUN_TRAP);
    check_block(&block, 0, 1000000, WS_RUN_NONE); /* whatever ran before */
    free(small.bytes);
    free(room.bytes);
}

static void test_clusters_are_made_in_the_room_that_is_told(void) {
    ws_launch launch = launch_of_blocks();
    const size_t alone = ws_block_bytes(&launch);
    uint32_t count;
    for (count = 1; count <= 8; count *= 2) {
        ws_arena small, room;
        ws_cluster cluster;
        size_t bytes;
        launch.grid[0] = launch.cluster[0] = count;
        bytes = ws_cluster_bytes(&launch);
        CHECK(bytes >= count * alone);
        small = arena_of(bytes - 1);
        room = arena_of(bytes);
        CHECK(!ws_cluster_make(&launch, &small, &cluster));
        CHECK_EQUAL(small.wanted, bytes);
        CHECK(ws_cluster_make(&launch, &room, &cluster));
        CHECK_EQUAL(cluster.count, count);
        CHECK_EQUAL(room.used, bytes);
        free(small.bytes);
        free(room.bytes);
    }
}

/* The number of bytes does not wrap: what is wanted stays more than there is. */
static void test_an_arena_counts_what_no_memory_has(void) {
    ws_arena arena = ws_arena_make(program_space, SPACE);
    CHECK(ws_arena_take(&arena, 1, 8) == program_space);
    CHECK(ws_arena_take(&arena, SIZE_MAX / 8 + 2, 8) == NULL);
    CHECK_EQUAL(arena.wanted, SIZE_MAX / 4);
    CHECK(ws_arena_take(&arena, 1, 8) == NULL);
    CHECK_EQUAL(arena.wanted, SIZE_MAX / 4);
    CHECK_EQUAL(arena.used, WS_ARENA_ALIGN + WS_ARENA_GAP);
}

CHECK_MAIN(test_other_kernels_take_no_room, test_kernels_that_are_named_do,
           test_one_kernel_that_names_another_is_enough, test_blocks_run_in_the_room_that_is_told,
           test_clusters_are_made_in_the_room_that_is_told, test_an_arena_counts_what_no_memory_has)
