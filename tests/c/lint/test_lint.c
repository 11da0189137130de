/* Whole PTX files: findings with their places, declarations, storage that is too small, and texts that are not PTX. */
#include <stdlib.h>

#include "../ops.h"

enum {
    FINDINGS = 64,
    INSTRUCTIONS = 64,
    NAMES = 256,
    MESSAGES = 8192,
    FUZZED_TEXTS = 40000,
    LONG_TEXT_BYTES = 1000000
};

#define VERSION ".version 8.0"
#define TARGET ".target sm_90"
#define HEAD VERSION "\n" TARGET "\n.visible .entry k(.param .b64 p)\n{\n"
#define REGISTERS ".reg .b32 %r<8>; .reg .b64 %rd<4>; .reg .f32 %f<4>; .reg .pred %p<2>;\n"
#define X4 "ldmatrix.sync.aligned.m8n8.x4.b16"
#define S2 "stmatrix.sync.aligned.m8n8.x2.b16 [p], "
#define VECTORS HEAD ".reg .b32 r; .reg .u32 u; .reg .s32 s; .reg .f32 f; .reg .f16x2 h; .reg .b64 p; .reg .f64 d; "
#define X1 "ldmatrix.sync.aligned.m8n8.x1.shared.b16"
#define WMMA "wmma.load.a.sync.aligned.row.m16n16k16.shared.f16 {%r0,%r1,%r2,%r3,%r4,%r5,%r6,%r7}, [%rd0], "

typedef struct linted {
    ws_status status;
    ws_lint_storage storage;
    ws_lint_sink sink;
    ws_lint_finding findings[FINDINGS];
    ws_lint_instruction instructions[INSTRUCTIONS];
    ws_name names[NAMES];
    uint32_t buckets[NAMES];
    char messages[MESSAGES];
    ws_error error;
} linted;

static linted found; /* what the last call gave */

static void lay_out(void) {
    memset(&found, 0xEE, sizeof found);
    found.storage.names = found.names;
    found.storage.name_capacity = NAMES;
    found.storage.buckets = found.buckets;
    found.storage.bucket_count = NAMES;
    found.sink.findings = found.findings;
    found.sink.finding_capacity = FINDINGS;
    found.sink.instructions = found.instructions;
    found.sink.instruction_capacity = INSTRUCTIONS;
    found.sink.messages = found.messages;
    found.sink.message_capacity = MESSAGES;
}

/* With copies of text and code that end where their allocations end. */
static void run(const char *text, size_t length, int target, int ptx) {
    char *block = (char *)malloc(length + 1), *code = (char *)malloc(length + 1);
    memcpy(block + 1, text, length);
    found.storage.code = code + 1;
    found.storage.code_capacity = length;
    found.status = ws_lint(block + 1, length, target, ptx, &found.storage, &found.sink, &found.error);
    free(block);
    free(code);
}

static void lint(const char *text) {
    lay_out();
    run(text, strlen(text), WS_NO_TARGET, 0);
    CHECK_EQUAL(found.status, WS_OK);
    CHECK_EQUAL(found.error.message[0], 0);
}

static const char *message(size_t i) { return found.messages + found.findings[i].message; }

/* The text has this one finding; rule < 0: none. */
static void check_only(const char *text, int rule, const char *says) {
    lint(text);
    if (!CHECK_EQUAL(found.sink.finding_count, rule >= 0)) fprintf(stderr, "    %s\n    %s\n", text, message(0));
    if (rule < 0 || found.sink.finding_count != 1) return;
    if (!CHECK_EQUAL(found.findings[0].rule, rule)) fprintf(stderr, "    %s\n", message(0));
    CHECK_HAS(message(0), says);
    CHECK_EQUAL(found.sink.message_count, strlen(message(0)) + 1);
}

static void test_file_has_its_instructions_and_findings_with_places(void) {
    lint(HEAD REGISTERS
         "/* ld.foo; */ .loc 1 2 3\n    " X1 " {%r1}, [%rd0];\n"
         "@%p0 ld.shared.f32\t%f9, [%rd0+4];\n    ld.volatile.global.u32 %r1, [%rd0]; mov.b32 %r1, %r2;\n"
         "    " X1 "\n      {%r1, %r2}, [%rd0];\n}\n");
    CHECK_EQUAL(found.sink.instruction_count, 4);
    CHECK_EQUAL(found.instructions[0].line, 7);
    CHECK_EQUAL(found.instructions[0].op.kind, WS_LDMATRIX);
    CHECK_EQUAL(found.instructions[0].opcode.end - found.instructions[0].opcode.begin, strlen(X1));
    CHECK_EQUAL(found.instructions[1].line, 8);
    CHECK_EQUAL(found.instructions[1].op.kind, WS_LD);
    CHECK_EQUAL(found.instructions[2].line, 9);
    CHECK_EQUAL(found.instructions[2].op.kind, WS_KIND_NONE);
    CHECK_EQUAL(found.instructions[3].line, 10);
    CHECK_EQUAL(found.instructions[3].op.kind, WS_KIND_NONE);
    CHECK_EQUAL(found.sink.finding_count, 2);
    CHECK_EQUAL(found.findings[0].rule, WS_LINT_UNDECLARED);
    CHECK_EQUAL(found.findings[0].line, 8);
    CHECK_EQUAL(found.findings[0].column, 20);
    CHECK_EQUAL(found.findings[0].length, 3);
    CHECK_TEXT(message(0), "undeclared register or symbol '%f9'");
    CHECK_EQUAL(found.findings[1].rule, WS_LINT_SYNTAX);
    CHECK_EQUAL(found.findings[1].line, 11);
    CHECK_EQUAL(found.findings[1].column, 7);
    CHECK_EQUAL(found.findings[1].length, 10);
    CHECK_TEXT(message(1), "ldmatrix with these qualifiers takes 1 register, not 2");
    CHECK_EQUAL(found.sink.version.end - found.sink.version.begin, 3);
    CHECK_EQUAL(found.sink.target.end - found.sink.target.begin, 5);
}

static void test_every_rule_has_a_text(void) {
    check_only(HEAD X1 ".foo {%r1}, [%rd0];", WS_LINT_SYNTAX, "no qualifier '.foo'");
    check_only(HEAD "{" X1 " {%r1}, [%rd0] }", WS_LINT_SYNTAX, "expected ';', found '}'");
    check_only(HEAD "ld.shared.b32 %r1, }", WS_LINT_SYNTAX, "expected an address in brackets, [a], found '}'");
    check_only(HEAD "ld.shared.\nb32 %r1, [a];", WS_LINT_SYNTAX, "found the end of the line");
    check_only(HEAD "ld.global.v4.b64 {%r1, %r1, %r1, %r1}, [a];", -1, "");
    check_only(HEAD "ld.shared.b32", WS_LINT_SYNTAX, "expected ';' after the instruction");
    check_only(HEAD X1 ".b8 {%r1}, [%rd0];", WS_LINT_NOWHERE, "has no type");
    check_only(HEAD "ldmatrix.sync.aligned.m16n16.x1.trans.shared.b8;}", WS_LINT_SYNTAX, "expected registers");
    check_only(HEAD "wmma.load.a.sync.row.m16n16k16.f16 {a,b,c,d,e,f,g,h}, [i];", WS_LINT_ALIGNED,
               "needs .aligned in PTX 6.3 and later");
    check_only(".version 6.0 .target sm_90 ld.u32 a, [b];", WS_LINT_NO_SUCH_TARGET, "does not exist in PTX 6.0");
    check_only(".version 9.9 .target sm_90 ld.u32 a, [b];", WS_LINT_NOT_JUDGED, "PTX 9.9 is unknown");
    check_only(".version 9.0 .target sm_52 ld.u32 a, [b];", WS_LINT_NOT_JUDGED, "target sm_52 is unknown");
    check_only(HEAD REGISTERS X1 " {%r8}, [%rd0];", WS_LINT_UNDECLARED, "'%r8'");
    check_only(HEAD REGISTERS X1 " {%rd1}, [%rd0];", WS_LINT_REGISTER,
               "'%rd1' is a .b64 register: ldmatrix of .b16 takes .b32, .f16x2, .f32, .s32, .u32");
    check_only(HEAD REGISTERS "st.shared.u32 [%rd0], %f1;", WS_LINT_REGISTER,
               "needs 32 bits or more, of a compatible type");
    check_only(HEAD REGISTERS "st.shared.u32 [%rd0], p;", WS_LINT_REGISTER, "'p' is a .param symbol, not a register");
    check_only(HEAD REGISTERS "ld.shared.v2.b32 {%r1, %rd1}, [%rd0];", WS_LINT_VECTOR,
               "'%rd1' (.b64) and '%r1' (.b32) cannot");
    check_only(HEAD REGISTERS "st.shared.f32 [%rd0], 1;", WS_LINT_CONSTANT,
               "st of .f32 does not take an integer constant");
    check_only(HEAD REGISTERS X1 " {%r1}, [%f1];", WS_LINT_ADDRESS,
               "'%f1' is a .f32 register, which cannot hold a 32- or 64-bit address");
    check_only(HEAD REGISTERS X1 " {%r1}, [p];", WS_LINT_SPACE, "'p' is in .param: ldmatrix here takes .shared");
    check_only(HEAD REGISTERS WMMA "%rd1;", WS_LINT_STRIDE, "'%rd1' is a .b64 register: a stride is a 32-bit integer");
    check_only(HEAD REGISTERS "@%r1 ld.shared.f32 %f1, [%rd0];", WS_LINT_GUARD,
               "'%r1' is a .b32 register, not a predicate");
}

/* In one vector neighbours are compared; .b32 goes with all. */
static void test_vectors_go_together(void) {
    check_only(VECTORS X4 " {u, r, f, r}, [p];", -1, "");
    check_only(VECTORS X4 " {r, u, f, r}, [p];", WS_LINT_VECTOR, "'f' (.f32) and 'u' (.u32) cannot share one vector");
    check_only(VECTORS "ld.v4.b32 {r, u, f, r}, [p];", WS_LINT_VECTOR, "'f' (.f32) and 'u' (.u32)");
    check_only(VECTORS X4 " {u, s, u, _}, [p];", -1, "");
    check_only(VECTORS X4 " {f, r, h, _}, [p];", -1, "");
    check_only(VECTORS X4 " {f, h, r, r}, [p];", WS_LINT_VECTOR, "'h' (.f16x2) and 'f' (.f32)");
    check_only(VECTORS S2 "{r, 7};", -1, "");
    check_only(VECTORS S2 "{7, u};", -1, "");
    check_only(VECTORS S2 "{7, f};", WS_LINT_VECTOR, "an integer constant cannot share a vector with 'f' (.f32)");
    check_only(VECTORS S2 "{0f00000000, f};", -1, "");
    check_only(VECTORS S2 "{u, 0f00000000};", WS_LINT_VECTOR, "a float constant cannot share a vector with 'u' (.u32)");
    check_only(VECTORS S2 "{0f00000000, 0f3F800000};", -1, "");
    check_only(VECTORS S2 "{7, 8};", WS_LINT_VECTOR, "an integer constant needs a register beside it here");
    check_only(VECTORS S2 "{0f00000000, 1.5};", WS_LINT_VECTOR, "a float constant needs a register beside it here");
    check_only(VECTORS "wmma.store.d.sync.aligned.row.m8n8k32.s32 [p], {7, 8};", -1, "");
    check_only(VECTORS "wmma.store.d.sync.aligned.row.m8n8k32.s32 [p], {r, 1.5};", WS_LINT_CONSTANT,
               "a float constant");
    check_only(VECTORS "wmma.store.d.sync.aligned.row.m8n8k4.f64 [p], {d, 1.5};", -1, "");
    check_only(VECTORS "wmma.store.d.sync.aligned.row.m8n8k4.f64 [p], {d, 7};", WS_LINT_CONSTANT,
               "an integer constant");
}

static void test_bounds_from_both_sides(void) {
    check_only(HEAD REGISTERS X1 " {%r7}, [%rd0+-32];", -1, "");
    check_only(HEAD REGISTERS X1 " {%r7}, [%rd0 + 8 ];", WS_LINT_OFFSET, "offset 8 is not a multiple of 16");
    check_only(HEAD REGISTERS X1 " {%r7}, [%rd0+-8];", WS_LINT_OFFSET, "offset -8 is");
    check_only(HEAD REGISTERS WMMA "16;", -1, "");
    check_only(HEAD REGISTERS WMMA "15;", WS_LINT_STRIDE_UNDEFINED, "stride 15 is below the default, 16");
    check_only(HEAD REGISTERS WMMA "17;", WS_LINT_STRIDE_UNDEFINED,
               "stride 17 (34 bytes) is not a multiple of 16 bytes");
    check_only(HEAD REGISTERS WMMA "24;", WS_LINT_STRIDE_FRAGMENT,
               "stride 24 (48 bytes) is not a multiple of the fragment's size, 32");
    check_only(HEAD REGISTERS WMMA "0x7ffffff0;", -1, "");
    check_only(HEAD REGISTERS WMMA "0x80000000;", WS_LINT_STRIDE_UNDEFINED, "stride 2147483648 is wider than 31 bits");
    check_only(HEAD REGISTERS WMMA "-16;", WS_LINT_STRIDE_UNDEFINED, "stride -16 is below");
    check_only(".version 6.2 .target sm_70 wmma.load.a.sync.row.m16n16k16.f16 {a,b,c,d,e,f,g,h}, [i];", -1, "");
    check_only(".version 6.0 .target sm_70 wmma.load.a.sync.row.m8n32k16.f16 {a,b,c,d,e,f,g,h}, [i];", WS_LINT_NOT_HERE,
               "wmma .m8n32k16 needs PTX 6.1 or later, not 6.0");
    check_only(".version 6.1 .target sm_70 wmma.load.a.sync.row.m8n32k16.f16 {a,b,c,d,e,f,g,h}, [i];", -1, "");
    check_only(".version 7.7 .target sm_80 cp.async.cg.shared::cta.global [a], [b], 16;", WS_LINT_NOT_HERE,
               "::cta needs PTX 7.8");
    check_only(".version 7.8 .target sm_80 cp.async.cg.shared::cta.global [a], [b], 16;", -1, "");
    check_only(".version 7.8 .target sm_70 ld.weak.u32 a, [b];", -1, "");
    check_only(".version 7.8 .target sm_62 ld.weak.u32 a, [b];", WS_LINT_NOT_HERE,
               ".weak needs sm_70 or higher, not sm_62");
    check_only(".target sm_80\nstmatrix.sync.aligned.m8n8.x1.shared.b16 [a], {b};", WS_LINT_NOT_HERE,
               "stmatrix needs sm_90 or higher");
}

static void test_target_and_version_of_the_caller_count(void) {
    const char text[] = ".version 8.0 .target sm_90 " X1 " {a}, [b];";
    lay_out();
    run(text, sizeof text - 1, ws_target_find("sm_72"), ws_ptx_find("6.5"));
    CHECK_EQUAL(found.sink.finding_count, 1);
    CHECK_HAS(message(0), "sm_72 has no ldmatrix");
    lay_out();
    run(text, sizeof text - 1, WS_NO_TARGET, ws_ptx_find("7.7"));
    CHECK_EQUAL(found.findings[0].rule, WS_LINT_NO_SUCH_TARGET);
    CHECK_EQUAL(found.findings[0].column, 22);
}

/* wmma before PTX 6.3 had no .aligned. */
static void test_wmma_of_old_versions(void) {
    const char *const old = ".version 6.0 .target sm_70 .reg .f32 f<8>; .reg .b64 p; wmma.load.c.sync.row.";
    const char *const registers = ".shared.f32 {f0,f1,f2,f3,f4,f5,f6,f7}, [p];";
    char text[256];
    snprintf(text, sizeof text, "%sm16n16k16%s", old, registers);
    check_only(text, -1, "");
    snprintf(text, sizeof text, "%sm16n16k8%s", old, registers);
    lint(text);
    CHECK_EQUAL(found.sink.finding_count, 2);
    CHECK_HAS(message(0), "needs sm_80 or higher");
    CHECK_HAS(message(1), "needs PTX 7.0 or later, not 6.0");
}

static void test_declarations_are_those_of_the_scope(void) {
    check_only(".reg .f32 x; { .reg .b32 x; { .reg .f32 x; } st.u32 [a0], x; } .reg .b64 a<1>;", WS_LINT_UNDECLARED,
               "'a0'");
    check_only(".reg .b64 a; .reg .f32 x; { .reg .b32 x; { .reg .f32 x; } } st.u32 [a], x;", WS_LINT_REGISTER,
               "'x' is a .f32");
    check_only(".reg .b64 a<3>; ld.u64 a2, [a0];", -1, "");
    check_only(".reg .b64 a<3>; ld.u64 a3, [a0];", WS_LINT_UNDECLARED, "'a3'");
    check_only(".reg .b64 a<3>; ld.u64 a02, [a0000000000000];", -1, "");
    check_only(".reg .b64 a<3>; ld.u64 a1, [a4294967298];", WS_LINT_UNDECLARED, "'a4294967298'");
    check_only(".reg .b64 a, a1<3>; ld.u64 a11, [a];", WS_LINT_UNDECLARED, "'a11'");
    check_only(".reg .f64 a1<3>; .reg .b64 a<20>; ld.u64 a11, [a0];", -1, "");
    check_only(".reg .b64 a<999999999>; ld.u64 a999999998, [a0];", -1, "");
    check_only(".reg .b64 a, %r1<3>; .reg .f64 %r<20>; { .reg .u64 %r12; st.b64 [a], %r12; } st.f64 [a], %r13;", -1,
               "");
    check_only(
        ".extern .shared .align 16 .b8 s[]; .global .u32 t[2] = {1, 2}, u = 5; .reg .b32 a; ld.shared.u32 a, [t];",
        WS_LINT_SPACE, "'t' is in .global");
    check_only(".global .attribute(.managed, .x) .u32 t = {1}, u; .reg .b32 a; ld.global.u32 a, [u];", -1, "");
    check_only(".extern .global .u32 t; .reg .b32 a; ld.shared.u32 a, [t];", WS_LINT_SPACE, "'t' is in .global");
    check_only(".reg .b32 a\xC3\xA9; .reg .b64 p; ld.b32 a, [p];", WS_LINT_UNDECLARED, "'a'");
    check_only(".reg .b64 .attribute(.managed) a; .reg .f32 f; ld.f32 f, [a];", -1, "");
    check_only(".reg .v2 .f32 v; .reg .b64 a; ld.global.v2.f32 v, [a];", -1, "");
    check_only(".reg .v4 .f32 v; .reg .b64 a; ld.global.v4.f32 v, [a];", -1, "");
    check_only(".section .x { .reg .b32 a; } .func f (.reg .b64 a, .param .b32 b) { ld.u64 c, [a];", WS_LINT_UNDECLARED,
               "'c'");
}

static void test_sizes_of_families_are_read_as_the_assembler_reads_them(void) {
    check_only(".reg .b64 a, b< 2147483648 >; ld.u64 b2147483647, [a];", -1, "");
    check_only(".reg .b64 a<4294967295>; ld.u64 a1, [a4294967295];", WS_LINT_UNDECLARED, "'a4294967295'");
    check_only(".reg .b64 a<99999999999999999999>; ld.u64 a4294967294, [a0];", -1, "");
    check_only(".reg .b64 a<0x10>, b<0b11U>, c<012>; ld.u64 a15, [b2]; ld.u64 b1, [c10];", WS_LINT_UNDECLARED, "'c10'");
}

/* An inner family hides an outer one only where it has the number; the search stops after a fixed number of them. */
static void test_names_families_one_inside_the_other_are_bounded(void) {
    for (int inner = WS_MOST_FAMILIES - 1; inner <= WS_MOST_FAMILIES; inner++) {
        char text[64 + 20 * WS_MOST_FAMILIES] = ".reg .b64 a<8>;";
        for (int i = 0; i < inner; i++) strcat(text, "{ .reg .b64 a<7>;");
        strcat(text, "ld.u64 a0, [a7];");
        check_only(text, inner < WS_MOST_FAMILIES ? -1 : WS_LINT_UNDECLARED, "'a7'");
    }
}

static void check_blank(const char *text, const char *expected) {
    char code[64];
    const size_t length = strlen(text);
    memset(code, 'x', sizeof code);
    ws_ptx_blank(text, length, code);
    CHECK_EQUAL(code[length], 'x');
    code[length] = '\0';
    CHECK_TEXT(code, expected);
}

static void test_text_comments_and_strings_are_blanked(void) {
    check_blank("a//b\nc", "a   \nc");
    check_blank("a/*b\n*/c", "a   \n  c");
    check_blank("a/*/b", "a    ");
    check_blank("a\"b;\\\"{\"c", "a       c");
    check_blank("\"b\nc\"d", "\"b\nc\"d");
    check_blank("\"\\\"\\\"//x\n\"y\"", "\"\\\"\\\"   \n   ");
    check_blank("\"\\", "\"\\");
    check_blank("/", "/");
    check_blank("\xEF\xBB\xBF.b", "   .b");
}

/* The bytes that represent non-ASCII letters whose lower or upper case is i, k, s. */
static void test_case_of_opcodes_is_folded(void) {
    char next;
    CHECK(ws_lint_says("L\xC0N\xC1\xFF.", 0, 6, "links", &next) && next == '.');
    CHECK(!ws_lint_says("L\xC2NKS.", 0, 6, "links", &next));
}

static void test_storage_too_small_says_how_much_is_needed(void) {
    static const char text[] = REGISTERS X1 " {%r8}, [%rd9]; ld.shared.u32 %r9, [%rd0];";
    ws_lint_sink full;
    size_t names;
    lint(text);
    full = found.sink;
    names = found.storage.names_wanted;
    CHECK_EQUAL(full.finding_count, 3);
    CHECK_EQUAL(full.instruction_count, 2);
    CHECK_EQUAL(names, 4);
    for (int missing = 0; missing < 5; missing++) {
        lay_out();
        found.storage.name_capacity = names - (missing == 1);
        found.sink.finding_capacity = full.finding_count - (missing == 2);
        found.sink.instruction_capacity = full.instruction_count - (missing == 3);
        found.sink.message_capacity = full.message_count - (missing == 4);
        run(text, sizeof text - 1, WS_NO_TARGET, 0);
        CHECK_EQUAL(found.status, missing == 0 ? WS_OK : WS_INVALID_ARGUMENT);
        CHECK_EQUAL(found.error.message[0] != 0, missing != 0);
        CHECK_EQUAL(found.storage.names_wanted, names);
        if (missing == 1) continue;
        CHECK_EQUAL(found.sink.finding_count, full.finding_count);
        CHECK_EQUAL(found.sink.instruction_count, full.instruction_count);
        CHECK_EQUAL(found.sink.message_count, full.message_count);
    }
    lay_out();
    found.storage.name_capacity = found.sink.finding_capacity = 0;
    found.sink.instruction_capacity = found.sink.message_capacity = 0;
    found.storage.names = NULL;
    found.sink.findings = NULL;
    found.sink.instructions = NULL;
    found.sink.messages = NULL;
    run(text, sizeof text - 1, WS_NO_TARGET, 0);
    CHECK_EQUAL(found.status, WS_INVALID_ARGUMENT);
    CHECK_EQUAL(found.storage.names_wanted, names);
}

static void test_wrong_arguments_are_refused(void) {
    char code[4];
    lay_out();
    found.storage.bucket_count = 3;
    run("ld;", 3, WS_NO_TARGET, 0);
    CHECK_EQUAL(found.status, WS_INVALID_ARGUMENT);
    CHECK_HAS(found.error.message, "power of two");
    lay_out();
    found.storage.code = code;
    found.storage.code_capacity = 2;
    CHECK_EQUAL(ws_lint("ld;", 3, WS_NO_TARGET, 0, &found.storage, &found.sink, NULL), WS_INVALID_ARGUMENT);
    CHECK_EQUAL(ws_lint(NULL, 3, WS_NO_TARGET, 0, &found.storage, &found.sink, NULL), WS_INVALID_ARGUMENT);
    CHECK_EQUAL(ws_lint("ld;", 3, WS_NO_TARGET, 0, NULL, &found.sink, NULL), WS_INVALID_ARGUMENT);
    CHECK_EQUAL(ws_lint("ld;", 3, WS_NO_TARGET, 0, &found.storage, NULL, NULL), WS_INVALID_ARGUMENT);
}

static void test_text_empty_or_with_zero_bytes(void) {
    static const char zeros[] = "\0\0ld.shared.b32 a, [b];\0.reg .b32 \0;";
    lint("");
    CHECK_EQUAL(found.sink.instruction_count, 0);
    lay_out();
    found.status = ws_lint(NULL, 0, WS_NO_TARGET, 0, &found.storage, &found.sink, &found.error);
    CHECK_EQUAL(found.status, WS_OK);
    lay_out();
    run(zeros, sizeof zeros - 1, WS_NO_TARGET, 0);
    CHECK_EQUAL(found.status, WS_OK);
    CHECK_EQUAL(found.sink.instruction_count, 1);
    CHECK_EQUAL(found.sink.finding_count, 0);
}

static void test_random_texts_keep_places_inside(void) {
    static const char *const pieces[] = {
        "ld",       "st", ".shared", ".u32", " ",    "\n",       "{",           "}",        "[",        "]",
        ",",        ";",  "%r",      "1",    "9",    ".reg",     " .b32 ",      "<",        ">",        "//",
        "/*",       "*/", "\"",      "\\",   "@",    "!",        "=",           ".section", ".loc 1 2", TARGET,
        VERSION,    ":",  "::",      "+",    "(",    ".align 4", ".attribute(", ")",        ".v4",      "wmma.load.a",
        "cp.async", "_",  "0x10",    "\xF6", "\x80", X1,         "$",           "@@DWARF",  ".func",
    };
    uint64_t state = 5;
    unsigned long findings = 0;
    for (int i = 0; i < FUZZED_TEXTS; i++) {
        char text[1024];
        size_t length = 0, k, count = (size_t)(check_random(&state) % 60);
        for (k = 0; k < count; k++) {
            const char *piece = pieces[check_random(&state) % (sizeof pieces / sizeof pieces[0])];
            memcpy(text + length, piece, strlen(piece));
            length += strlen(piece);
        }
        lay_out();
        run(text, length, WS_NO_TARGET, 0);
        if (found.status != WS_OK) continue;
        for (k = 0; k < found.sink.finding_count; k++) {
            const ws_lint_finding *finding = &found.findings[k];
            if (finding->at > length || finding->line == 0 || finding->column == 0 || finding->rule < WS_RULES_LINT ||
                finding->rule >= WS_RULE_COUNT || (k > 0 && finding->at < finding[-1].at)) {
                CHECK(false);
            }
            findings++;
        }
    }
    CHECK(findings > 5000);
}

static void test_absurd_text_takes_no_long_time(void) {
    static const char *const pieces[] = {"{",  "}",  "%r<9>",       ".reg .b32 %r<9>;", "\"\\\"",
                                         "/*", "a:", ".loc 1 2\n,", "ld.u32 a, [b];"};
    char *text = (char *)malloc(LONG_TEXT_BYTES);
    for (size_t i = 0; i < sizeof pieces / sizeof pieces[0]; i++) {
        const size_t count = strlen(pieces[i]);
        for (size_t at = 0; at < LONG_TEXT_BYTES; at++) text[at] = pieces[i][at % count];
        lay_out();
        run(text, LONG_TEXT_BYTES, WS_NO_TARGET, 0);
        CHECK(found.status == WS_OK || found.storage.names_wanted > NAMES ||
              found.sink.instruction_count > INSTRUCTIONS);
    }
    free(text);
}

/* A line of 150 bytes is shown in a window of 100, which begins at most 40 bytes before the mark. */
static void test_a_mark_ends_with_what_is_shown_of_its_line(void) {
    char text[152];
    memset(text, 'a', sizeof text);
    text[150] = '\n';
    CHECK_EQUAL(ws_lint_shown(text, sizeof text, 0, 120), 100);
    CHECK_EQUAL(ws_lint_shown(text, sizeof text, 60, 120), 60);
    CHECK_EQUAL(ws_lint_shown(text, sizeof text, 60, 20), 20);
    CHECK_EQUAL(ws_lint_shown(text, sizeof text, 140, 120), 10);
    CHECK_EQUAL(ws_lint_shown(text, sizeof text, 150, 5), 1);
    CHECK_EQUAL(ws_lint_shown(text + 50, 100, 0, 120), 100);
    CHECK_EQUAL(ws_lint_shown(text + 49, 101, 45, 120), 56);
}

CHECK_MAIN(test_file_has_its_instructions_and_findings_with_places, test_every_rule_has_a_text,
           test_vectors_go_together, test_bounds_from_both_sides, test_target_and_version_of_the_caller_count,
           test_wmma_of_old_versions, test_declarations_are_those_of_the_scope,
           test_sizes_of_families_are_read_as_the_assembler_reads_them,
           test_names_families_one_inside_the_other_are_bounded, test_text_comments_and_strings_are_blanked,
           test_case_of_opcodes_is_folded, test_storage_too_small_says_how_much_is_needed,
           test_wrong_arguments_are_refused, test_text_empty_or_with_zero_bytes, test_random_texts_keep_places_inside,
           test_absurd_text_takes_no_long_time, test_a_mark_ends_with_what_is_shown_of_its_line)
