/* Threads that share an instruction, a memory, a layout and a pool; to be compiled with -fsanitize=thread.
 *
 * Every thread asks for everything that the core does, on its own and through the one pool, with 1, 2, 8 and more parts; all
 * must get what one thread alone gets. */
#include <pthread.h>
#include <stdlib.h>

#include "../c/ops.h"
#include "pool.h"

enum { THREADS = 8, WARPS = 384, BYTES = 64 * 1024, MOST_REGISTERS = 8, CANDIDATES = 60, NAMES = 64 };

static const char *const texts[] = {
    "ldmatrix.sync.aligned.m8n8.x4.shared.b16",
    "ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16",
    "ldmatrix.sync.aligned.m16n16.x2.trans.shared.b8",
    "ldmatrix.sync.aligned.m8n16.x4.shared.b8x16.b6x16_p32",
    "ldmatrix.sync.aligned.m8n16.x2.shared.b8x16.b4x16_p64",
    "ld.shared.v4.b32",
    "ld.shared.b64",
    "wmma.load.a.sync.aligned.row.m16n16k16.shared.f16",
};
enum { TEXTS = sizeof texts / sizeof texts[0] };

static const char file[] =
    ".version 8.0\n.target sm_90\n.visible .entry k(.param .b64 p)\n{\n.reg .b32 %r<8>; .reg .b64 %rd<4>;\n"
    "ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r0, %r1, %r2, %r3}, [%rd0];\nldmatrix.sync.aligned.m8n8.x3.shared.b16 "
    "{%r0}, [%rd0];\n}\n";

typedef struct answers { /* of everything; one thread's own */
    uint32_t registers[TEXTS][WARPS * WS_LANES * MOST_REGISTERS];
    ws_counts counts[TEXTS][WARPS];
    ws_search_row rows[CANDIDATES];
    ws_mainloop_cost loop;
    size_t lint_findings;
    size_t failed;
} answers;

static uint8_t image[BYTES]; /* shared by all; read only while threads run */
static uint32_t address[WARPS * WS_LANES];
static ws_op ops[TEXTS];
static ws_memory memory;
static ws_layout candidate[CANDIDATES];
static ws_profile profile;
static ws_pool pool;
static answers expected, found[THREADS];

typedef struct job {
    const ws_op *op;
    const ws_access *access;
    uint32_t *registers;
    ws_counts *counts;
    size_t first[WS_POOL_MOST + 1],
        parts; /* what each part began with, and how many there were: written by the workers */
} job;

static void work(void *context, size_t part, size_t parts) {
    job *todo = (job *)context;
    const size_t first = WARPS * part / parts, last = WARPS * (part + 1) / parts;
    const ws_plan plan = ws_plan_make(todo->op, todo->access);
    const ws_call call = ws_call_make(&plan, &memory, todo->access, todo->registers);
    ws_findings sink = {NULL, 0, 0};
    todo->first[part] = first;
    if (part == 0) todo->parts = parts;
    ws_execute_range(&call, first, last, &sink);
    ws_count_range(&plan, todo->access, first, last, todo->counts + first, NULL);
}

static void search(ws_search_row *rows) {
    ws_search_terms terms;
    ws_op store;
    void *storage;
    ws_parse("st.shared.v4.b32", &store, NULL);
    terms = ws_search_terms_make(&store, &ops[0], 4, &profile);
    storage = malloc(8 * ws_search_words(candidate, CANDIDATES, &terms) + 1);
    ws_search(candidate, CANDIDATES, &terms, storage, rows, NULL);
    free(storage);
}

static void mainloop(ws_mainloop_cost *cost) {
    ws_mainloop loop = {128, 128, 64, 4, 2, 3, false, candidate[0], candidate[1], WS_SIMD_AUTO, false, false, NULL};
    ws_mainloop_storage *storage = (ws_mainloop_storage *)malloc(sizeof *storage);
    memset(cost, 0, sizeof *cost);
    ws_mainloop_cost_of(&loop, &profile, storage, cost, NULL);
    free(storage);
}

static size_t lint(void) {
    char code[sizeof file], messages[4096];
    ws_name names[NAMES];
    uint32_t buckets[NAMES];
    ws_lint_finding findings[NAMES];
    ws_lint_instruction instructions[NAMES];
    ws_lint_storage storage;
    ws_lint_sink sink;
    memset(&storage, 0, sizeof storage);
    memset(&sink, 0, sizeof sink);
    storage.code = code;
    storage.code_capacity = sizeof file;
    storage.names = names;
    storage.buckets = buckets;
    storage.name_capacity = storage.bucket_count = NAMES;
    sink.findings = findings;
    sink.instructions = instructions;
    sink.messages = messages;
    sink.finding_capacity = sink.instruction_capacity = NAMES;
    sink.message_capacity = sizeof messages;
    ws_lint(file, sizeof file - 1, WS_NO_TARGET, 0, &storage, &sink, NULL);
    return sink.finding_count;
}

/* All there is to ask; `parts`: 0 for without the pool. */
static void ask(answers *own, size_t parts) {
    for (size_t i = 0; i < TEXTS; i++) {
        ws_access access = ws_access_make(address, WARPS);
        ws_op parsed;
        job todo = {&ops[i], &access, own->registers[i], own->counts[i], {0}, 0};
        own->failed += ws_parse(texts[i], &parsed, NULL) != WS_OK || !ws_op_equal(&parsed, &ops[i]);
        if (parts == 0) work(&todo, 0, 1);
        else ws_pool_run(&pool, work, &todo, parts);
        for (size_t k = 0; k < todo.parts || k == 0; k++) own->failed += todo.first[k] != WARPS * k / todo.parts;
    }
    search(own->rows);
    mainloop(&own->loop);
    own->lint_findings = lint();
}

static size_t differences(const answers *own) {
    return own->failed + (memcmp(own->registers, expected.registers, sizeof expected.registers) != 0) +
           (memcmp(own->counts, expected.counts, sizeof expected.counts) != 0) +
           (memcmp(own->rows, expected.rows, sizeof expected.rows) != 0) +
           (memcmp(&own->loop, &expected.loop, sizeof expected.loop) != 0) +
           (own->lint_findings != expected.lint_findings);
}

static int rounds = 4;
static size_t differed[THREADS];

static void *thread(void *argument) {
    static const size_t parts[] = {1, 2, 8, 3, 64, 0, 5, WS_POOL_MOST + 9}; /* the pool grows while others use it */
    const size_t me = (size_t)argument;
    for (int i = 0; i < rounds; i++) {
        ask(&found[me], parts[(me + (size_t)i) % 8]);
        differed[me] += differences(&found[me]);
    }
    return NULL;
}

int main(int count, char **arguments) {
    uint64_t random = 11;
    pthread_t threads[THREADS];
    if (count > 1) rounds = atoi(arguments[1]);
    check_random_bytes(&random, image, BYTES);
    for (size_t i = 0; i < WARPS * WS_LANES; i++)
        address[i] = (uint32_t)(check_random(&random) % (BYTES / 1024)) * 32; /* room for a wmma tile */
    for (size_t i = 0; i < TEXTS; i++) ops[i] = op_of(texts[i]);
    for (size_t i = 0; i < CANDIDATES; i++) {
        const ws_layout tile = {128,  64,  (int64_t)(i % 20) * 8, 16, false, false, {(int8_t)(i / 20 + 1), 3, 3, false},
                                NULL, NULL};
        candidate[i] = tile;
    }
    memory = ws_memory_make(image, BYTES, 0);
    profile = ws_profile_of(ws_target_find("sm_90"));
    CHECK(ws_pool_make(&pool));
    ask(&expected, 0);
    CHECK_EQUAL(expected.failed, 0);
    CHECK(expected.lint_findings > 0);
    CHECK(expected.loop.cycles > 0);
    for (size_t i = 0; i < THREADS; i++) CHECK(pthread_create(&threads[i], NULL, thread, (void *)i) == 0);
    for (size_t i = 0; i < THREADS; i++) CHECK(pthread_join(threads[i], NULL) == 0);
    for (size_t i = 0; i < THREADS; i++) CHECK_EQUAL(differed[i], 0);
    CHECK(pool.workers > 0);
    printf("%d threads, %d rounds, %zu workers\n", THREADS, rounds, pool.workers);
    return check_report();
}
