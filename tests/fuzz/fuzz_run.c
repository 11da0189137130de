/* ws_kernel_make and ws_block_go_on: kernels of statements drawn from THE tables of forms, and bodies of any bytes. Nothing outside of
 * the regions of the launch is touched; two levels of instructions, watched or not, end alike and leave the same bytes. */
#include <warpsim/run.h>

#include "fuzz.h"

enum {
    MOST_TEXT = 16384,
    MOST_STATEMENTS = 24,
    MOST_STEPS = 2000,
    ARGUMENT = 256,
    VARIABLE = 64,
    REGIONS = 4,
    RUN_THREADS = 64
};

#include "text.h"

#define HEAD                                                                                                           \
    ".version 8.8\n.target sm_90a\n.address_size 64\n.global .align 16 .b8 G[64];\n.const .align 16 .b8 C[64];\n"      \
    ".func (.reg .b32 o) F (.reg .b32 i) { .local .b32 x; .reg .pred p; .reg .b32 j; st.local.b32 [x], i;\n"           \
    "setp.gt.s32 p, i, 3; @p ret; add.s32 j, i, 1; call (o), F, (j); ld.local.b32 j, [x]; add.s32 o, o, j; ret; }\n"   \
    ".visible .entry k(.param .u64 a, .param .b32 n) {\n.reg .pred %p<6>; .reg .b16 %h<8>; .reg .b32 %r<16>;\n"        \
    ".reg .b64 %d<8>; .reg .b128 %q<4>; .shared .align 16 .b8 S[256]; .local .align 16 .b8 M[64];\n"                   \
    "mov.u32 %r0, %tid.x; mov.u32 %r1, %laneid; ld.param.u64 %d0, [a]; mad.wide.u32 %d1, %r1, 4, %d0;\n"               \
    "mov.u32 %r2, S; mad.lo.u32 %r2, %r1, 4, %r2; mov.u64 %d2, S; cvta.shared.u64 %d2, %d2;\n"                         \
    "mov.u64 %d3, M; cvta.local.u64 %d3, %d3; setp.lt.u32 %p1, %r1, 16; setp.eq.u32 %p2, %r0, 0;\n"                    \
    "T: .branchtargets L0, L1, L2;\n"

/* Matrix instructions and products, which have tables of their own; calls, which have no row that says all. */
static const char *const others[] = {
    "ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r4}, [%r2+0]",
    "ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%r4, %r5, %r6, %r7}, [S]",
    "ldmatrix.sync.aligned.m8n8.x2.b16 {%r4, %r5}, [%d2+16]",
    "stmatrix.sync.aligned.m8n8.x2.shared.b16 [%r2], {%r4, %r5}",
    "movmatrix.sync.aligned.m8n8.trans.b16 %r4, %r5",
    "wmma.load.a.sync.aligned.row.m16n16k16.shared.f16 {%r4, %r5, %r6, %r7, %r8, %r9, %r10, %r11}, [S], %r12",
    "wmma.store.d.sync.aligned.row.m16n16k16.global.f16 [%d0], {%r4, %r5, %r6, %r7}, %r12",
    "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%r4, %r5, %r6, %r7}, {%r8, %r9, %r10, %r11}, {%r12, %r13}, "
    "{%r4, %r5, %r6, %r7}",
    "mma.sync.aligned.m16n8k32.row.col.satfinite.s32.s8.u8.s32 {%r4, %r5, %r6, %r7}, {%r8, %r9, %r10, %r11}, {%r12, "
    "%r13}, "
    "{%r4, %r5, %r6, %r7}",
    "mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%d4, %d5}, {%d6}, {%d7}, {%d4, %d5}",
    "mma.sp::ordered_metadata.sync.aligned.m16n8k32.row.col.f16.f16.f16.f16 {%r4, %r5}, {%r6, %r7, %r8, %r9}, "
    "{%r10, %r11, %r12, %r13}, {%r4, %r5}, %r14, 0",
    "call (%r4), F, (%r5)",
    "mov.u64 %d4, F",
    "call (%r4), %d4, (%r5)",
    "brx.idx %r5, T",
    "mov.b64 {%r4, %r5}, %d1",
    "mov.b32 %r4, {%h1, %h2}",
    "ret",
};

static const char *const offsets[] = {"+0",  "+4",   "+8",   "+16",   "-4",     "+60",        "+62",
                                      "+64", "+252", "+256", "+4096", "-65536", "+2147483644"};

/* A word of an opcode's pattern after the other; every choice costs a byte. */
static void add_opcode(text_of *text, const char *pattern, fuzz_input *in) {
    while (*pattern != '\0') {
        if (*pattern == '{' || *pattern == '(') {
            const bool optional = *pattern == '{';
            int count = 1, chosen;
            const char *p = ++pattern;
            for (; *p != '}' && *p != ')'; p++) count += *p == '|';
            chosen = fuzz_below(in, optional ? 2 * count : count) - (optional ? count : 0);
            for (; *pattern != '}' && *pattern != ')'; pattern++) {
                if (*pattern == '|') chosen--;
                else if (chosen == 0) text->bytes[text->length++] = *pattern;
            }
            pattern++;
        } else {
            text->bytes[text->length++] = *pattern++;
        }
    }
    text->bytes[text->length] = '\0';
}

static void add_register(text_of *text, int bits, fuzz_input *in) {
    static const char *const of_16[] = {"%h1", "%h2", "%h3", "%h4", "%r4", "%r5", "%d4"};
    static const char *const of_32[] = {"%r0", "%r1", "%r2", "%r4", "%r5", "%r6", "%r7", "%r8", "%r9", "%d4"};
    static const char *const of_64[] = {"%d0", "%d1", "%d2", "%d3", "%d4", "%d5", "%d6", "%d7"};
    static const char *const of_128[] = {"%q0", "%q1", "%q2"};
    if (bits <= 16) add(text, FUZZ_CHOOSE(in, of_16));
    else if (bits == 32) add(text, FUZZ_CHOOSE(in, of_32));
    else if (bits == 64) add(text, FUZZ_CHOOSE(in, of_64));
    else add(text, FUZZ_CHOOSE(in, of_128));
}

static void add_source(text_of *text, int bits, fuzz_input *in) {
    static const char *const numbers[] = {"0",          "1",
                                          "-1",         "7",
                                          "31",         "32",
                                          "0x80000000", "0x7fffffff",
                                          "0xffff",     "64",
                                          "0f7fc00000", "0f00000001",
                                          "0fff800000", "0d7ff0000000000000",
                                          "1.5",        "%tid.x",
                                          "%laneid",    "%lanemask_lt",
                                          "%clock",     "S",
                                          "16",         "0xffffffff"};
    if (fuzz_u8(in) % 3 == 0) add(text, FUZZ_CHOOSE(in, numbers));
    else add_register(text, bits, in);
}

static void add_address(text_of *text, const char *opcode, fuzz_input *in) {
    static const char *const any[] = {"%d0", "%d1", "%d2", "%d3", "%d4", "%r2", "%r4", "S", "G", "M", "C", "a"};
    static const char *const in_shared[] = {"S", "%r2", "S", "%r2", "%r4"};
    static const char *const in_global[] = {"%d1", "%d0", "G", "%d2", "%d3", "%d4"};
    const uint8_t how = fuzz_u8(in);
    add(text, "[");
    if (how % 16 == 0) add(text, FUZZ_CHOOSE(in, any));
    else if (strstr(opcode, ".shared") != NULL || strncmp(opcode, "mbarrier", 8) == 0)
        add(text, FUZZ_CHOOSE(in, in_shared));
    else if (strstr(opcode, ".local") != NULL) add(text, "M");
    else if (strstr(opcode, ".const") != NULL) add(text, "C");
    else if (strstr(opcode, ".param") != NULL) add(text, "a");
    else add(text, FUZZ_CHOOSE(in, in_global));
    add(text, how < 128 ? offsets[how % 4] : FUZZ_CHOOSE(in, offsets));
    add(text, "]");
}

static void add_operand(text_of *text, const ws_token *token, const ws_opcode_match *match, const char *opcode,
                        fuzz_input *in) {
    static const char *const predicates[] = {"%p3", "%p4", "%p1", "_"};
    static const char *const tests[] = {"%p1", "%p2", "!%p3", "%p4"};
    static const char *const labels[] = {"L0", "L1", "L2", "L3", "L4", "L5", "E"};
    static const char *const integers[] = {"0", "1", "2", "16", "128"};
    const int bits = ws_type_bits(ws_token_type(token, match));
    uint32_t i;
    switch (token->kind) {
        case 'd': add_register(text, bits, in); break;
        case 'p': add(text, FUZZ_CHOOSE(in, predicates)); break;
        case 'q': add(text, FUZZ_CHOOSE(in, tests)); break;
        case 'l': add(text, FUZZ_CHOOSE(in, labels)); break;
        case 'i': add(text, FUZZ_CHOOSE(in, integers)); break;
        case 'm': add_address(text, opcode, in); break;
        case 'v':
        case 'w':
            if (match->elements > 1) add(text, "{");
            for (i = 0; i < match->elements; i++) {
                if (i > 0) add(text, ", ");
                if (token->kind == 'w') add_source(text, bits, in);
                else add_register(text, bits, in);
            }
            if (match->elements > 1) add(text, "}");
            break;
        default: add_source(text, bits, in);
    }
    if (token->has_predicate && fuzz_u8(in) % 2 == 0) add(text, "|%p3");
}

/* A row of the tables, as a statement. */
static void add_form(text_of *text, const ws_statement_form *form, fuzz_input *in) {
    const size_t from = text->length;
    const char *operands = form->operands;
    char opcode[256];
    ws_opcode_match match;
    int count = 0;
    add_opcode(text, form->opcode, in);
    if (text->length - from >= sizeof opcode) abort();
    strcpy(opcode, text->bytes + from);
    if (!ws_form_matches(form, opcode, strlen(opcode), &match))
        return; /* a word of an earlier choice was taken for one of a later one */
    if (form->meaning == WS_DECODE_MOV) operands = "d0 s0";
    if (form->meaning == WS_DECODE_ISSPACEP) operands = "p s.u64";
    for (;;) {
        const ws_token token = ws_token_next(&operands);
        if (token.kind == '\0' || (token.is_optional && fuzz_u8(in) % 2 == 0)) break;
        add(text, count++ == 0 ? " " : ", ");
        add_operand(text, &token, &match, opcode, in);
    }
}

static const ws_statement_form *draw_form(fuzz_input *in) {
    const uint16_t number = fuzz_u16(in);
    size_t total = 0, at;
    int table;
    for (table = 0; ws_form_table_at(table).forms != NULL; table++) total += ws_form_table_at(table).count;
    at = number % total;
    for (table = 0; at >= ws_form_table_at(table).count; table++) at -= ws_form_table_at(table).count;
    return &ws_form_table_at(table).forms[at];
}

static void add_statements(text_of *text, fuzz_input *in) {
    static const char *const guards[] = {"", "", "", "", "@%p1 ", "@!%p1 ", "@%p2 ", "@%p3 "};
    char label[16];
    int i;
    for (i = 0; i < MOST_STATEMENTS && (in->at < in->end || i < 6); i++) {
        if (i % 4 == 0 && i / 4 < 6) {
            snprintf(label, sizeof label, "L%d: ", i / 4);
            add(text, label);
        }
        if (in->at >= in->end) continue;
        add(text, FUZZ_CHOOSE(in, guards));
        if (fuzz_u8(in) % 8 == 0) add(text, FUZZ_CHOOSE(in, others));
        else add_form(text, draw_form(in), in);
        add(text, ";\n");
    }
    for (i = (i + 3) / 4; i < 6; i++) {
        snprintf(label, sizeof label, "L%d: ", i);
        add(text, label);
    }
}

/* All that a launch leaves. */
typedef struct outcome {
    ws_status status;
    ws_stop stop;
    bool ended;
    uint64_t steps;
    uint8_t *bytes[REGIONS];
} outcome;

static const size_t region_bytes[REGIONS] = {ARGUMENT, VARIABLE, VARIABLE, 16};

static void launch_kernel(const ws_module *module, const ws_kernel *program, bool watched, outcome *out) {
    static const uint8_t kinds[REGIONS] = {WS_REGION_ARGUMENT, WS_REGION_VARIABLE, WS_REGION_CONSTANT,
                                           WS_REGION_PARAMETERS};
    ws_region regions[REGIONS];
    ws_output output = {NULL, 0, 0, 0, 0, 0, 0, 0, NULL, 0, 0, 0, {0}};
    ws_arena arena = ws_arena_make(NULL, 0), watches = ws_arena_make(NULL, 0);
    uint64_t *variables = (uint64_t *)fuzz_block(module->variable_count * sizeof(uint64_t));
    ws_watch *watch = (ws_watch *)fuzz_block(sizeof(ws_watch));
    void *memory, *watch_memory;
    ws_launch launch;
    ws_block block;
    uint32_t i, k;
    for (i = 0; i < REGIONS; i++) {
        const ws_region region = {
            WS_FIRST_GLOBAL + 1024 * i, region_bytes[i], out->bytes[i], i, kinds[i], i >= 2, NULL};
        regions[i] = region;
    }
    for (i = 0; i < module->variable_count; i++) {
        variables[i] = program->offset_of[i] != WS_NO_INDEX ? program->offset_of[i] : 0;
        for (k = 1; k < 3; k++) {
            if (module->variables[i].space == (k == 1 ? WS_NAME_GLOBAL : WS_NAME_CONST)) variables[i] = regions[k].base;
        }
        if (module->variables[i].space == WS_NAME_PARAM && program->offset_of[i] != WS_NO_INDEX)
            variables[i] = regions[3].base + program->offset_of[i];
    }
    memset(&launch, 0, sizeof launch);
    launch.program = program;
    launch.cluster[0] = launch.cluster[1] = launch.cluster[2] = 1;
    launch.memory.regions = regions;
    launch.memory.count = REGIONS;
    launch.variables = variables;
    launch.parameters = out->bytes[3];
    launch.grid[0] = launch.grid[1] = launch.grid[2] = launch.threads[1] = launch.threads[2] = 1;
    launch.threads[0] = RUN_THREADS;
    launch.shared_bytes = program->static_shared_bytes < 4096 ? program->static_shared_bytes : 4096;
    launch.stack_bytes = 512;
    launch.output = &output;
    ws_block_make(&launch, &arena, &block);
    memory = fuzz_block(arena.wanted);
    arena = ws_arena_make(memory, arena.wanted);
    FUZZ_CHECK(ws_block_make(&launch, &arena, &block));
    ws_watch_make(&launch, &watches, watch);
    watch_memory = fuzz_block(watches.wanted);
    memset(watch_memory, 0xa5, watches.wanted); /* nothing may rest on zeros */
    watches = ws_arena_make(watch_memory, watches.wanted);
    FUZZ_CHECK(ws_watch_make(&launch, &watches, watch));
    if (watched) ws_watch_block(watch, &block);
    ws_block_start(&block, 0, 0, 0);
    out->ended = ws_block_go_on(&block, MOST_STEPS);
    ws_watch_end(watch);
    for (i = 0; i < watch->num_steps; i++) {
        const ws_line *line = &watch->lines[i];
        FUZZ_CHECK(line->threads <= 32 * line->executed && line->divergent <= line->executed);
        FUZZ_CHECK(line->ideal_sectors <= line->sectors &&
                   (line->ideal_wavefronts <= line->wavefronts || line->inexact));
    }
    out->stop = block.stop;
    out->steps = block.steps;
    free(watch_memory);
    free(memory);
    free(watch);
    free(variables);
}

static void decode_and_run(const ws_module *module, uint32_t kernel, int simd, bool watched, outcome *out) {
    const ws_chosen chosen = {kernel, ws_target_find("sm_90a"), simd, true};
    ws_arena arena = ws_arena_make(NULL, 0);
    ws_kernel program;
    ws_refused refused;
    ws_error error;
    void *memory;
    int i;
    (void)ws_kernel_make(module, &chosen, &arena, &program, &refused, &error);
    memory = fuzz_block(arena.wanted);
    arena = ws_arena_make(memory, arena.wanted);
    out->status = ws_kernel_make(module, &chosen, &arena, &program, &refused, &error);
    for (i = 0; i < REGIONS; i++) {
        out->bytes[i] = (uint8_t *)fuzz_block(region_bytes[i]);
        fuzz_fill((uint64_t)i + 5, out->bytes[i], region_bytes[i]);
    }
    ws_store_u64(out->bytes[3], WS_FIRST_GLOBAL);
    if (out->status == WS_OK && program.parameter_bytes <= region_bytes[3])
        launch_kernel(module, &program, watched, out);
    free(memory);
}

static void check_text(const text_of *written) {
    char *text = (char *)fuzz_copy(written->bytes, written->length);
    void *memory = fuzz_block(ws_module_bytes(text, written->length));
    outcome first, second;
    ws_module module;
    ws_error error;
    uint32_t kernel = 0;
    int i;
    if (ws_module_parse(text, written->length, memory, &module, &error) == WS_OK &&
        ws_module_check(&module, &error) == WS_OK) {
        memset(&first, 0, sizeof first);
        memset(&second, 0, sizeof second);
        while (!module.functions[kernel].is_entry) kernel++;
        decode_and_run(&module, kernel, WS_SIMD_PORTABLE, true, &first);
        decode_and_run(&module, kernel, WS_SIMD_AUTO, false, &second);
        FUZZ_CHECK_EQUAL(first.status, second.status);
        FUZZ_CHECK_EQUAL(first.ended, second.ended);
        FUZZ_CHECK_EQUAL(first.steps, second.steps);
        FUZZ_CHECK_EQUAL(first.stop.kind, second.stop.kind);
        if (first.stop.kind != WS_RUN_NONE) {
            FUZZ_CHECK_EQUAL(first.stop.lanes, second.stop.lanes);
            FUZZ_CHECK_EQUAL(first.stop.statement, second.stop.statement);
        }
        for (i = 0; i < REGIONS; i++) {
            FUZZ_CHECK(memcmp(first.bytes[i], second.bytes[i], region_bytes[i]) == 0);
            free(first.bytes[i]);
            free(second.bytes[i]);
        }
    }
    free(memory);
    free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static text_of text;
    fuzz_input in = fuzz_input_make(data, size);
    text.length = 0;
    add(&text, HEAD);
    if (fuzz_u8(&in) % 16 != 0) {
        add_statements(&text, &in);
    } else {
        while (in.at < in.end && text.length < MOST_TEXT - 300) text.bytes[text.length++] = (char)fuzz_u8(&in);
        add(&text, "\nL0: L1: L2: ");
    }
    add(&text, "E: st.global.b32 [%d1], %r4; st.global.b64 [%d0+128], %d4; ret;\n}\n");
    if (fuzz_prints) fputs(text.bytes, stdout);
    check_text(&text);
    return 0;
}
