/* ws_lint: any bytes, and whole files of legal instructions at any version and target. Findings lie inside the text, sinks count on
 * when they are full, and a file is free of errors exactly if the reference takes every form in it. */
#include "decode.h"

enum { MOST_TEXT = 8192 };

#include "text.h"

static void check_place(const char *text, size_t length, const ws_lint_finding *one) {
    size_t line = 1, begin = 0;
    FUZZ_CHECK(one->at <= length && one->length <= length - one->at);
    for (size_t i = 0; i < one->at; i++) {
        if (text[i] != '\n') continue;
        line++;
        begin = i + 1;
    }
    FUZZ_CHECK_EQUAL(one->line, line);
    FUZZ_CHECK_EQUAL(one->column, one->at - begin + 1);
    for (size_t i = one->at; i < one->at + one->length; i++) FUZZ_CHECK(text[i] != '\n');
}

static void check_sink(const char *text, size_t length, const ws_lint_sink *sink) {
    for (size_t i = 0; i < sink->finding_count; i++) {
        const ws_lint_finding *one = &sink->findings[i];
        FUZZ_CHECK(one->rule >= WS_RULES_LINT && one->rule < WS_RULE_COUNT);
        FUZZ_CHECK(one->message < sink->message_count);
        FUZZ_CHECK(memchr(sink->messages + one->message, 0, sink->message_count - one->message) != NULL);
        FUZZ_CHECK(sink->messages[one->message] != 0);
        check_place(text, length, one);
    }
    for (size_t i = 0; i < sink->instruction_count; i++) {
        const ws_lint_instruction *one = &sink->instructions[i];
        FUZZ_CHECK(one->opcode.begin < one->opcode.end && one->opcode.end <= length);
        FUZZ_CHECK(one->op.kind == WS_KIND_NONE || ws_op_is_valid(&one->op));
    }
}

static bool has_error(const ws_lint_sink *sink) {
    for (size_t i = 0; i < sink->finding_count; i++) {
        if (ws_rule_at(sink->findings[i].rule)->severity == WS_ERROR) return true;
    }
    return false;
}

/* A run in what is surely room enough for a text of this fuzzer. */
static bool lint_at_once(const char *text, size_t length, int target, int ptx) {
    static char code[MOST_TEXT], messages[1 << 18];
    static ws_name names[1024];
    static uint32_t buckets[1024];
    static ws_lint_finding findings[2048];
    static ws_lint_instruction instructions[1024];
    ws_lint_storage storage = {code, length, names, 1024, buckets, 1024, 0};
    ws_lint_sink sink = {findings, 2048, 0, instructions, 1024, 0, messages, sizeof messages, 0, {0, 0}, {0, 0}};
    ws_error error;
    FUZZ_CHECK_EQUAL(ws_lint(text, length, target, ptx, &storage, &sink, &error), WS_OK);
    FUZZ_CHECK_EQUAL(error.message[0], 0);
    check_sink(text, length, &sink);
    return has_error(&sink);
}

/* Once without room, then with exactly what that asked for. Gives whether an error was found. */
static bool lint_in_exact_room(const char *text, size_t length, int target, int ptx) {
    char *code = (char *)fuzz_block(length);
    ws_name none;
    uint32_t buckets[16];
    ws_lint_storage storage = {code, length, &none, 0, buckets, 16, 0};
    ws_lint_sink sink = {NULL, 0, 0, NULL, 0, 0, NULL, 0, 0, {0, 0}, {0, 0}};
    ws_error error;
    ws_status status = ws_lint(text, length, target, ptx, &storage, &sink, &error);
    size_t names = storage.names_wanted, tries = 0;
    bool found;
    while (status != WS_OK) {
        FUZZ_CHECK_EQUAL(status, WS_INVALID_ARGUMENT);
        FUZZ_CHECK(tries++ < 6); /* the first run tells the names, the second the rest */
        free(sink.findings);
        free(sink.instructions);
        free(sink.messages);
        if (storage.names != &none) free(storage.names);
        names = storage.names_wanted;
        storage.names = (ws_name *)fuzz_block(names * sizeof(ws_name));
        storage.name_capacity = names;
        sink.finding_capacity = sink.finding_count;
        sink.instruction_capacity = sink.instruction_count;
        sink.message_capacity = sink.message_count;
        sink.findings = (ws_lint_finding *)fuzz_block(sink.finding_capacity * sizeof *sink.findings);
        sink.instructions = (ws_lint_instruction *)fuzz_block(sink.instruction_capacity * sizeof *sink.instructions);
        sink.messages = (char *)fuzz_block(sink.message_capacity);
        status = ws_lint(text, length, target, ptx, &storage, &sink, &error);
    }
    FUZZ_CHECK_EQUAL(error.message[0], 0);
    check_sink(text, length, &sink);
    found = has_error(&sink);
    free(sink.findings);
    free(sink.instructions);
    free(sink.messages);
    if (storage.names != &none) free(storage.names);
    free(code);
    return found;
}

/* Of every four texts, one in exact room. Gives whether an error was found. */
static bool lint(const char *bytes, size_t length, int target, int ptx, bool in_exact_room) {
    char *text = (char *)fuzz_copy(bytes, length);
    const bool found = (in_exact_room ? lint_in_exact_room : lint_at_once)(text, length, target, ptx);
    free(text);
    return found;
}

static void add_operands(text_of *text, const ref_form *f, const char *pointer) {
    const char *name = f->register_bits == 64 ? "%rd" : "%r";
    char vector[128] = "", one[32];
    for (int i = 0; i < f->registers; i++) {
        snprintf(one, sizeof one, "%s%s%d", i == 0 ? "" : ", ", name, i + 1);
        strcat(vector, one);
    }
    if (f->kind == REF_MOVMATRIX) {
        add(text, "%r1, %r2");
    } else if (ref_is_load(f)) {
        add(text, "{");
        add(text, vector);
        add(text, "}, [");
        add(text, pointer);
        add(text, "]");
    } else {
        add(text, "[");
        add(text, pointer);
        add(text, "], {");
        add(text, vector);
        add(text, "}");
    }
}

static void add_statement(fuzz_input *in, text_of *text, const ref_form *f) {
    static const char *const guards[] = {"", "", "@%p1 ", "@!%p2 ", "L: ", "/* ; */ ", "// }\n\t"};
    char opcode[128];
    ref_form_text(f, opcode, sizeof opcode);
    add(text, "\t");
    add(text, FUZZ_CHOOSE(in, guards));
    if (f->kind == REF_CP_ASYNC) {
        snprintf(opcode, sizeof opcode, "cp.async.%s.shared.global [%%r1], [%%rd1], %d", f->cache, f->size);
        add(text, opcode);
    } else {
        add(text, opcode);
        add(text, " ");
        add_operands(text, f, f->shared && fuzz_u8(in) % 2 == 0 ? "%r9+16" : "%rd9");
    }
    add(text, ";\n");
}

static void check_file(fuzz_input *in) {
    const uint8_t how = fuzz_u8(in);
    const int number = fuzz_u8(in) % REF_TARGETS;
    const ref_target *target = &ref_targets[number];
    const int statements = fuzz_u8(in) % 4;
    int ptx = 60 + fuzz_u8(in) % 36, i;
    bool legal, used = false;
    text_of text;
    char line[64];
    while (!ref_ptx_exists(ptx)) ptx--;
    legal = ptx >= target->first && ptx <= target->last;
    text.length = 0;
    snprintf(line, sizeof line, ".version %d.%d\n.target %s\n", ptx / 10, ptx % 10, target->name);
    add(&text, line);
    add(&text, ".address_size 64\n.visible .entry k(.param .u64 p)\n{\n");
    add(&text, "\t.reg .pred %p<4>;\n");
    if (how % 16 != 15) add(&text, "\t.reg .b32 %r<16>;\n\t.reg .b64 %rd<16>;\n");
    for (i = 0; i < statements; i++) {
        fuzz_case c;
        fuzz_take_form(in, &c);
        add_statement(in, &text, c.form);
        legal &= ref_is_legal(c.form, number, ptx);
        used = true;
    }
    add(&text, "\tret;\n}\n");
    if (how % 16 == 15) legal &= !used; /* the registers are not declared */
    if (lint(text.bytes, text.length, WS_NO_TARGET, 0, how % 64 < 16) == legal) {
        fprintf(stderr, "%s: legal: %d\n", text.bytes, (int)legal);
        abort();
    }
}

/* Lines that a file has, and bytes at random between them. */
static void check_pieces(fuzz_input *in, int target, int ptx, bool in_exact_room) {
    static const char *const pieces[] = {".version 8.0\n",
                                         ".target sm_90a\n",
                                         ".target sm_75, texmode_unified\n",
                                         ".reg .b32 %r<4>;",
                                         ".reg .pred p;",
                                         "{",
                                         "}",
                                         ".entry k(",
                                         ".func (.reg .b32 x) f(.reg .b64 y)",
                                         ")",
                                         ".shared .align 16 .b8 s[64];",
                                         ".reg .v2 .b32 v;",
                                         ".param .u64 q",
                                         ",",
                                         "@p ",
                                         "ld.shared.v4.b32",
                                         " {%r1, %r2, %r3, %r0}",
                                         ", [s+4];",
                                         "wmma.load.a.sync.aligned.row.m16n16k16.shared.f16",
                                         ", 24;",
                                         "\"",
                                         "\\",
                                         "//",
                                         "/*",
                                         "*/",
                                         "\n",
                                         "ldmatrix.sync.aligned.m8n8.x2.shared.b16",
                                         " {%r1, _}, [%rd1];",
                                         "cp.async.cg.shared.global",
                                         " [s], [%rd2], 16;",
                                         ".const .f32 c = 1.0;",
                                         ".global .b8 g[8] = {1, 2};",
                                         "st.global.f64",
                                         " [g], 0d3FF0000000000000;",
                                         "$L: ",
                                         ".loc 1 2 3\n",
                                         ".section .debug {",
                                         "movmatrix.sync.aligned.m8n8.trans.b16"};
    text_of text;
    text.length = 0;
    while (in->at < in->end && text.length < MOST_TEXT - 300) {
        const uint8_t which = fuzz_u8(in);
        if (which < 200) {
            add(&text, pieces[which % (sizeof pieces / sizeof pieces[0])]);
        } else {
            for (int i = which % 8; i >= 0; i--) text.bytes[text.length++] = (char)fuzz_u8(in);
        }
    }
    (void)lint(text.bytes, text.length, target, ptx, in_exact_room);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fuzz_input in = fuzz_input_make(data, size);
    const uint8_t how = fuzz_u8(&in), place = fuzz_u8(&in);
    const int target = place % 4 == 3 ? place / 4 % WS_TARGET_COUNT : WS_NO_TARGET, ptx = place / 4 % 4 == 3 ? 80 : 0;
    const bool in_exact_room = how / 64 == 0;
    if (how % 4 == 0) check_file(&in);
    else if (how % 4 < 3) check_pieces(&in, target, ptx, in_exact_room);
    else (void)lint((const char *)in.at, (size_t)(in.end - in.at), target, ptx, in_exact_room);
    return 0;
}
