/* Runs a kernel of a PTX text, block by block, in memory that this program owns.
 *
 *     cc $(python3 -m warpsim --includes) run.c -o run && ./run */
#include <stdio.h>
#include <string.h>
#include <warpsim/run.h>

enum { BLOCKS = 2, THREADS = 64, ROOM = 1 << 20 };

/* y[i] = 2 * x[i] + y[i] */
static const char ptx[] =
    ".version 7.8\n"
    ".target sm_80\n"
    ".address_size 64\n"
    ".visible .entry saxpy(.param .u64 x, .param .u64 y) {\n"
    "    .reg .u32 %r<4>; .reg .u64 %d<4>; .reg .f32 %f<4>;\n"
    "    ld.param.u64 %d0, [x]; ld.param.u64 %d1, [y];\n"
    "    mov.u32 %r0, %ctaid.x; mov.u32 %r1, %ntid.x; mov.u32 %r2, %tid.x; mad.lo.u32 %r3, %r0, %r1, %r2;\n"
    "    mad.wide.u32 %d0, %r3, 4, %d0; mad.wide.u32 %d1, %r3, 4, %d1;\n"
    "    ld.global.f32 %f0, [%d0]; ld.global.f32 %f1, [%d1];\n"
    "    fma.rn.f32 %f1, %f0, 2.0, %f1; st.global.f32 [%d1], %f1;\n"
    "    ret;\n"
    "}\n";

static uint64_t of_module[ROOM / 8], of_program[ROOM / 8], of_block[ROOM / 8];
static float x[BLOCKS * THREADS], y[BLOCKS * THREADS];

/* The text, and its kernel decoded for the best instructions of this machine. */
static int decode(ws_module *module, ws_kernel *program, ws_chosen *chosen) {
    ws_arena arena = ws_arena_make(of_program, sizeof of_program);
    ws_refused refused;
    ws_error error;
    if (ws_module_bytes(ptx, strlen(ptx)) > sizeof of_module) return 1;
    if (ws_module_parse(ptx, strlen(ptx), of_module, module, &error) != WS_OK) {
        fprintf(stderr, "%s\n", error.message);
        return 1;
    }
    chosen->kernel = ws_module_kernel(module, "saxpy");
    chosen->target = ws_target_find("sm_80");
    chosen->simd = WS_SIMD_AUTO;
    chosen->contracts = true;
    if (chosen->kernel == WS_NO_INDEX) return 1;
    if (ws_kernel_make(module, chosen, &arena, program, &refused, &error) == WS_OK) return 0;
    fprintf(stderr, "%s: %lu statements are not modelled\n", error.message, (unsigned long)refused.count);
    return 1;
}

/* All blocks, one after the other. */
static int run(const ws_launch *launch) {
    ws_arena arena = ws_arena_make(of_block, sizeof of_block);
    ws_block block;
    uint32_t index[3] = {0, 0, 0};
    if (!ws_block_make(launch, &arena, &block)) {
        fprintf(stderr, "a block needs %lu bytes\n", (unsigned long)ws_block_bytes(launch));
        return 1;
    }
    for (index[0] = 0; index[0] < BLOCKS; index[0]++) {
        if (ws_block_run(&block, index, 1000000)) continue;
        fprintf(stderr, "%s\n", ws_rule_at(WS_RULES_KERNEL + block.stop.kind - 1)->title);
        return 1;
    }
    return 0;
}

int main(void) {
    /* where the kernel finds the arrays: addresses with a gap between them, so that no index leads from one to the other */
    const ws_region regions[] = {
        {WS_FIRST_GLOBAL, sizeof x, (uint8_t *)x, 0, WS_REGION_ARGUMENT, true, NULL},
        {WS_FIRST_GLOBAL + 65536, sizeof y, (uint8_t *)y, 1, WS_REGION_ARGUMENT, false, NULL},
    };
    uint8_t parameters[16];
    ws_module module;
    ws_kernel program;
    ws_chosen chosen;
    ws_launch launch;
    uint32_t i;
    for (i = 0; i < BLOCKS * THREADS; i++) x[i] = y[i] = (float)i;
    if (decode(&module, &program, &chosen) != 0) return 1;
    for (i = 0; i < 2; i++) {
        const uint32_t at = program.offset_of[module.functions[chosen.kernel].first_parameter + i];
        ws_store_u64(parameters + at, regions[i].base);
    }
    launch = ws_launch_make(&program, BLOCKS, THREADS);
    launch.memory.regions = regions;
    launch.memory.count = 2;
    launch.parameters = parameters;
    if (run(&launch) != 0) return 1;
    printf("y[1] = %g, y[%d] = %g\n", (double)y[1], BLOCKS * THREADS - 1, (double)y[BLOCKS * THREADS - 1]);
    return 0;
}
