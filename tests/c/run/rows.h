/* Tables of kernels: a body each, and what it must leave. */
#ifndef ROWS_H
#define ROWS_H

#include "../check.h"
#include <warpsim/run.h>

enum { THREADS = 96, ROOM = 1 << 22, KERNEL = 4, HEAP = 4096 };

#define HEAD                                                                                                           \
    ".version 8.6\n.target sm_90a\n.address_size 64\n"                                                                 \
    ".extern .func (.param .b64 at) malloc (.param .b64 n); .extern .func free (.param .b64 at);\n"                    \
    ".func (.reg .b32 o) twice (.reg .b32 i) { add.u32 o, i, i; ret; }\n"                                              \
    ".func (.reg .b32 o) sum (.reg .b32 i) { .reg .pred p; .reg .b32 j; mov.u32 o, i; setp.eq.u32 p, i, 0;\n"          \
    "@p ret; sub.u32 j, i, 1; call (j), sum, (j); add.u32 o, i, j; ret; }\n"                                           \
    ".visible .entry k(.param .u64 out) {\n"                                                                           \
    ".reg .b32 %r<20>; .reg .b64 %d<9>; .reg .pred %p<6>; .reg .f32 %f<9>; .shared .align 16 .b8 s[512];\n"            \
    "mov.u32 %r0, %tid.x; ld.param.u64 %d0, [out]; mad.wide.u32 %d1, %r0, 4, %d0; mov.u32 %r1, 0;\n"                   \
    "mov.u32 %r9, %laneid; setp.lt.u32 %p1, %r9, 16; setp.lt.u32 %p3, %r0, 32; setp.eq.u32 %p2, %r0, 0;\n"
#define TAIL "\nst.global.u32 [%d1], %r1;\nret;\n}\n"

/* A body that leaves its result in %r1, the stop, and what threads 0, 1, 17 and 31 then hold (all ran before: 7). */
typedef struct kernel_row {
    const char *name, *body;
    int threads, stop;
    uint32_t expected[4];
} kernel_row;

static uint8_t of_module[ROOM], of_program[ROOM], of_block[ROOM], of_watch[ROOM], of_check[ROOM], heap[HEAP];
static ws_line counted; /* by the latest run, all its steps */
static ws_watch watch;
static uint8_t made;   /* of each step that accesses shared memory */
static ws_check check; /* what it found by the latest run: check.judge.found */
static ws_journal journal;
static ws_array_cell cells[4 * THREADS];
static uint32_t blocks = 1;
static uint32_t begins; /* the time of the check before the first block; 0: as it is made */
static bool strict;     /* the launch is */
static bool by_cluster; /* a block of its own, or that of a cluster */

/* What takes its room from an arena says how much that is, and needs no byte more or less. */
#define CHECK_SIZE(room, make)                                                                                         \
    do {                                                                                                               \
        ws_arena exact = ws_arena_make(NULL, 0);                                                                       \
        size_t wanted;                                                                                                 \
        CHECK(!(make));                                                                                                \
        wanted = exact.wanted;                                                                                         \
        exact = ws_arena_make(room, wanted - 1);                                                                       \
        CHECK(!(make));                                                                                                \
        exact = ws_arena_make(room, wanted);                                                                           \
        CHECK(make);                                                                                                   \
    } while (0)

/* The tables of a module that decoding reads, in memory of just their size: the sanitizer sees who reads beyond them. */
#define EACH_TABLE(X)                                                                                                  \
    X(functions, function_count)                                                                                       \
    X(variables, variable_count)                                                                                       \
    X(statements, statement_count)                                                                                     \
    X(items, item_count) X(opcodes, opcode_count) X(registers, register_count) X(lists, list_count)

static void *exact_bytes(const void *bytes, size_t count) {
    void *exact = malloc(count + (count == 0));
    if (exact == NULL) abort();
    if (count != 0) memcpy(exact, bytes, count);
    return exact;
}

static void exact_tables(ws_module *module) {
#define EXACT(table, count) module->table = exact_bytes(module->table, module->count * sizeof *module->table);
    EACH_TABLE(EXACT)
#undef EXACT
}

static void free_tables(ws_module *module) {
#define FREE(table, count) free(module->table);
    EACH_TABLE(FREE)
#undef FREE
}

/* A check of blocks that nobody has seen yet; the array of results was never written if `unwritten`. */
static void check_begins(const ws_launch *launch, const ws_module *module, bool unwritten) {
    static const ws_region array = {WS_FIRST_GLOBAL, sizeof cells / sizeof cells[0], NULL, 0, 0, false, NULL};
    static ws_array_shadow shadows[2];
    const ws_arrays arrays = {shadows, ws_check_shift(launch, WS_AT_GLOBAL), NULL, NULL};
    ws_arena arena = ws_arena_make(of_check, ROOM);
    CHECK_SIZE(of_check, ws_check_make(launch, module, &arrays, &journal, &exact, &check));
    ASAN_UNPOISON_MEMORY_REGION(of_check, ROOM);
    memset(of_check, 0, ROOM);
    memset(cells, 0, sizeof cells);
    memset(&check, 0, sizeof check);
    memset(&journal, 255, sizeof journal);
    ws_journal_begin(&journal);
    ws_array_shadow_make(&shadows[0], &array, cells);
    shadows[0].is_unwritten = unwritten;
    CHECK(ws_check_make(launch, module, &arrays, &journal, &arena, &check));
}

static int run(const char *text, int threads, int simd, uint8_t *out) {
    const uint64_t heap_base = WS_FIRST_GLOBAL + 65536;
    const ws_region regions[2] = {{WS_FIRST_GLOBAL, 4 * THREADS, out, 0, WS_REGION_ARGUMENT, false, NULL},
                                  {heap_base, HEAP, heap, 1, WS_REGION_HEAP, false, NULL}};
    static ws_heap_piece pieces[THREADS];
    ws_output output = {NULL, 0, 0, 0, 0, 0, 0, 0, NULL, 0, 0, 0, {0}};
    ws_arena arena = ws_arena_make(of_program, ROOM), room = ws_arena_make(of_block, ROOM);
    ws_arena watches = ws_arena_make(of_watch, ROOM);
    static const uint64_t variables[4] = {0, 0, 0, 0};
    const ws_chosen chosen = {KERNEL, ws_target_find("sm_90a"), simd, true};
    uint8_t parameters[8], steps[1024] = {0};
    ws_module module;
    ws_kernel program;
    ws_refused refused;
    ws_launch launch;
    ws_block own, *block = &own;
    ws_cluster cluster;
    ws_error error;
    uint32_t i, number;
    if (!CHECK(ws_module_bytes(text, strlen(text)) < ROOM) ||
        !CHECK_EQUAL(ws_module_parse(text, strlen(text), of_module, &module, &error), WS_OK) ||
        !CHECK_EQUAL(ws_module_check(&module, &error), WS_OK)) {
        fprintf(stderr, "%s\n", error.message);
        return -1;
    }
    exact_tables(&module);
    if (!CHECK_EQUAL(ws_kernel_make(&module, &chosen, &arena, &program, &refused, &error), WS_OK)) {
        fprintf(stderr, "%s\n", error.message);
        return -1;
    }
    ws_store_u64(parameters, WS_FIRST_GLOBAL);
    memset(&launch, 0, sizeof launch);
    launch.program = &program;
    launch.memory.regions = regions;
    launch.memory.count = 2;
    output.heap_base = heap_base;
    output.heap_bytes = HEAP;
    output.pieces = pieces;
    output.piece_capacity = THREADS;
    launch.output = &output;
    launch.stack_bytes = 4096;
    launch.variables = variables;
    launch.parameters = parameters;
    launch.grid[0] = launch.grid[1] = launch.grid[2] = launch.threads[1] = launch.threads[2] = 1;
    launch.threads[0] = (uint32_t)threads;
    launch.grid[0] = blocks;
    launch.cluster[0] = launch.cluster[1] = launch.cluster[2] = 1;
    launch.simd = simd;
    launch.is_strict = strict;
    launch.shared_bytes = 512;
    CHECK_SIZE(of_block, ws_block_make(&launch, &exact, &own));
    CHECK_SIZE(of_block, ws_cluster_make(&launch, &exact, &cluster));
    CHECK_SIZE(of_watch, ws_watch_make(&launch, &exact, &watch));
    if (!CHECK(by_cluster ? ws_cluster_make(&launch, &room, &cluster) : ws_block_make(&launch, &room, &own))) return -1;
    if (by_cluster) block = &cluster.blocks[0];
    if (!CHECK(ws_watch_make(&launch, &watches, &watch))) return -1;
    for (i = 0; i < watch.num_steps && CHECK(i < sizeof steps); i++) {
        steps[i] = watch.watched[i].kind != WS_WATCHED_NONE && program.steps[i].space == WS_AT_SHARED ? made : 0;
    }
    ws_watch_as_made(&watch, steps);
    ws_watch_block(&watch, block);
    check_begins(&launch, &module, strstr(text, "/* unwritten */") != NULL);
    ws_check_block(&check, block);
    if (begins != 0) check.judge.clock.now = begins;
    for (number = 0; number < blocks; number++) {
        ws_check_start(&check, number);
        if (by_cluster) ws_cluster_start(&cluster, number);
        else ws_block_start(block, number, 0, 0);
        if (!CHECK(by_cluster ? ws_cluster_go_on(&cluster, 1000000) : ws_block_go_on(block, 1000000)))
            fprintf(stderr, "    %s\n", text + sizeof HEAD - 1);
    }
    ws_watch_end(&watch);
    counted = ws_line_none();
    for (i = 0; i < watch.num_steps; i++) ws_line_add(&counted, &watch.lines[i]);
    free_tables(&module);
    return block->stop.kind;
}

static inline void check_rows(const kernel_row *rows, size_t count) {
    static const int at[4] = {0, 1, 17, 31};
    size_t i;
    int k, simd;
    for (i = 0; i < 2 * count * (size_t)ws_simd_best(); i++) {
        const kernel_row *one = &rows[i / 2 % count];
        uint8_t out[4 * THREADS] = {0};
        char text[4096];
        bool ok;
        simd = WS_SIMD_PORTABLE + (int)(i / 2 / count);
        by_cluster = i % 2 != 0;
        for (k = 0; k < THREADS; k++) out[4 * k] = 7;
        snprintf(text, sizeof text, "%s%s%s", HEAD, one->body, TAIL);
        ok = CHECK_EQUAL(run(text, one->threads, simd, out), one->stop);
        for (k = 0; k < 4; k++) ok = CHECK_EQUAL(ws_load_u32(out + 4 * at[k]), one->expected[k]) && ok;
        if (!ok) fprintf(stderr, "    %s at %s\n", one->name, ws_simd_word(simd));
    }
}

#endif
