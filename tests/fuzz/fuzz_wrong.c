/* ws_kernel_make, ws_cluster_go_on and both observers: kernels whose accesses are wrong on purpose, misaligned, outside by
 * one, overlapping, divergent, in every state space. Whoever is wrong is found, nobody else; nothing else is touched; each
 * level of instructions, watched, checked or neither, ends alike where it has paused as often. */
#include "launch/expect.h"

/* The kernel of the first bytes: kept for the next input that begins with them. */
static wrong_kernel *kernel_of(const uint8_t *bytes, size_t size) {
    static uint8_t latest[64];
    static wrong_kernel kernel;
    static text_of text;
    static bool is_there;
    uint8_t head[64] = {0};
    fuzz_input in = fuzz_input_make(head, sizeof head);
    ws_error error;
    memcpy(head, bytes, size < sizeof head ? size : sizeof head);
    if (is_there && memcmp(head, latest, sizeof head) == 0) return &kernel;
    fuzz_kernel_free(&kernel.decoded);
    memset(&kernel, 0, sizeof kernel);
    memcpy(latest, head, sizeof head);
    kernel.count = 1 + fuzz_below(&in, WRONG_OPS);
    kernel.threads = (const uint32_t[]){32, 64, 20, 32}[fuzz_u8(&in) % 4];
    kernel.ranks = 1 + fuzz_u8(&in) % 4 / 3;
    kernel.blocks = kernel.ranks == 2 || fuzz_u8(&in) % 4 == 0 ? 2 : 1;
    kernel.shared = (const uint32_t[]){256, 512, 100, 1028}[fuzz_u8(&in) % 4];
    kernel.dynamic = fuzz_u8(&in) % 4 == 0 ? 20 : 0;
    kernel.order = fuzz_u8(&in) % 4;
    wrong_text(&kernel, &text, &in);
    if (fuzz_prints) fputs(text.bytes, stdout);
    is_there = fuzz_kernel_read(&kernel.decoded, text.bytes, text.length, &error) &&
               fuzz_kernel_decode(&kernel.decoded, 3, "sm_100a") == WS_OK;
    if (!is_there) fprintf(stderr, "%s\n%s\n", text.bytes, error.message);
    FUZZ_CHECK(is_there);
    return &kernel;
}

static void launch_of(const wrong_kernel *kernel, fuzz_launch *launch, fuzz_input *in) {
    const ws_module *module = &kernel->decoded.module;
    const ws_kernel *program = &kernel->decoded.programs[0];
    uint32_t i;
    memset(launch, 0, sizeof *launch);
    aim_regions(launch);
    for (i = 0; i < module->variable_count; i++) {
        const uint8_t space = module->variables[i].space;
        launch->variables[i] = program->offset_of[i] != WS_NO_INDEX ? program->offset_of[i] : 0;
        if (space == WS_NAME_GLOBAL) launch->variables[i] = launch->regions[AIM_VARIABLE].base;
        if (space == WS_NAME_CONST) launch->variables[i] = launch->regions[AIM_CONSTANT].base;
    }
    for (i = 0; i < 3; i++) launch->grid[i] = launch->threads[i] = launch->cluster[i] = 1;
    launch->grid[0] = kernel->blocks;
    launch->cluster[0] = kernel->ranks;
    launch->threads[0] = kernel->threads;
    launch->shared_bytes = program->static_shared_bytes + kernel->dynamic;
    launch->stack_bytes = 512;
    launch->order = kernel->order;
    launch->steps = 5000;
    aim_launch(kernel, launch, in);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static fuzz_left first, other;
    const size_t head = size < 64 ? size : 64;
    const wrong_kernel *kernel = kernel_of(data, head);
    fuzz_input in = fuzz_input_make(data + head, size - head);
    const uint8_t how = fuzz_u8(&in);
    fuzz_launch launch;
    int level;
    launch_of(kernel, &launch, &in);
    fuzz_run(&kernel->decoded, 0, &launch, FUZZ_CHECKED | FUZZ_WATCHED, &first);
    expect_launch(kernel, &launch, &first);
    fuzz_run(&kernel->decoded, 0, &launch, 0, &other);
    fuzz_same(&launch, &first, &other);
    level = kernel->decoded.levels == 1 ? 0 : 1 + (how >> 4) % (kernel->decoded.levels - 1);
    fuzz_run(&kernel->decoded, level, &launch, (how >> 2) % 4 | (how & 1 ? FUZZ_CHECKED : 0), &other);
    fuzz_same(&launch, &first, &other);
    if (how % 4 != 0) return 0;
    launch.stops_at = ~UINT64_C(0); /* it ends at the first finding */
    fuzz_run(&kernel->decoded, 0, &launch, FUZZ_CHECKED, &first);
    fuzz_run(&kernel->decoded, kernel->decoded.levels - 1, &launch, FUZZ_CHECKED | FUZZ_WATCHED, &other);
    fuzz_same(&launch, &first, &other);
    return 0;
}
