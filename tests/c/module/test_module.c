/* A whole PTX file as tables: functions, statements, operands, labels, lines. What is fine and what is not was asked of ptxas 13.0.88. */
#include "module.h"

static void test_head_says_version_targets_and_sizes(void) {
    CHECK_EQUAL(test_parse("\n.version 8.7 .target sm_100a, sm_90\n, debug .address_size 32\n"), WS_OK);
    CHECK_EQUAL(m.version, 87);
    CHECK_EQUAL(m.target_count, 2);
    CHECK(test_reads(m.targets[0], "sm_100a") && test_reads(m.targets[1], "sm_90"));
    CHECK(m.is_debug);
    CHECK_EQUAL(m.address_size, 32);
    CHECK_EQUAL(test_parse(".version 6.0\n.target sm_70"), WS_OK);
    CHECK_EQUAL(m.address_size, 32);
    CHECK_EQUAL(m.version, 60);
    CHECK(!m.is_debug);
}

static void test_opcodes_are_spelled_once_without_blanks(void) {
    test_is_fine("add .s32 %r1, %r2, 1; add/* c */\n.s32 %r1, %r2, 2; add.s32 %r1, %r2, 3; ld.shared::cta.b32%r1,[S];");
    CHECK_EQUAL(m.statement_count, 5);
    CHECK_EQUAL(m.opcode_count, 3);
    CHECK_EQUAL(m.statements[2].opcode, 0);
    CHECK_EQUAL(m.opcodes[0].statement_count, 3);
    CHECK(ws_bytes_equal(m.opcodes[0].text, m.opcodes[0].length, "add.s32"));
    CHECK(ws_bytes_equal(m.opcodes[1].text, m.opcodes[1].length, "ld.shared::cta.b32"));
}

static void test_guards_are_predicates(void) {
    test_is_fine("@%p1 ret; @! %p2 ret; ret;");
    CHECK(m.statements[0].guard != WS_NO_INDEX && !m.statements[0].guard_is_negated);
    CHECK(m.statements[1].guard != m.statements[0].guard && m.statements[1].guard_is_negated);
    CHECK_EQUAL(m.statements[2].guard, WS_NO_INDEX);
    CHECK_EQUAL(m.registers[m.functions[1].first_register + m.statements[1].guard].type, WS_TYPE_PRED);
    CHECK_EQUAL(m.text[m.statements[1].at], '@');
}

static void test_registers_get_indices_when_they_occur(void) {
    test_is_fine("mov.b32 %r7, %r2; { .reg .b64 %r<9>; mov.b64 %r7, 1; } mov.b32 %r07, %r2;");
    CHECK_EQUAL(m.functions[1].register_count, 3);
    CHECK_EQUAL(test_item(0, 0)->index, 0);
    CHECK_EQUAL(test_item(0, 1)->index, 1);
    CHECK_EQUAL(test_item(1, 0)->index, 2);
    CHECK_EQUAL(test_item(2, 0)->index, 0);
    CHECK_EQUAL(m.registers[m.functions[1].first_register + 2].type, WS_TYPE_B64);
    CHECK(test_reads(m.registers[m.functions[1].first_register].name, "%r7"));
}

static void test_registers_of_each_function_begin_at_0(void) {
    test_is_fine("!.entry a(){ .reg .b32 x; mov.b32 x, 1; } .func (.reg .b32 r) b(.reg .b64 s, .param .b32 t) {"
                 " .reg .b32 x; mov.b32 x, 1; mov.b32 r, x; }");
    CHECK_EQUAL(m.functions[1].first_register, 1);
    CHECK_EQUAL(m.functions[1].register_count, 3);
    CHECK_EQUAL(m.variables[m.functions[1].first_return].reg, 0);
    CHECK_EQUAL(m.variables[m.functions[1].first_parameter].reg, 1);
    CHECK_EQUAL(m.variables[m.functions[1].first_parameter + 1].reg, WS_NO_INDEX);
    CHECK_EQUAL(test_item(1, 0)->index, 2);
    CHECK_EQUAL(test_item(2, 0)->index, 0);
}

static void test_operands_of_each_kind(void) {
    static const struct {
        const char *text;
        int kind;
        uint64_t value;
    } cases[] = {{"%r1", WS_ITEM_REGISTER, 0},
                 {"%r1+4", WS_ITEM_REGISTER, 4},
                 {"%v.y", WS_ITEM_REGISTER, 0},
                 {"-17", WS_ITEM_INTEGER, (uint64_t)-17},
                 {"(1<<4)|1", WS_ITEM_INTEGER, 17},
                 {"WARP_SZ-1", WS_ITEM_INTEGER, 31},
                 {"0f3F800000", WS_ITEM_FLOAT32, 0x3F800000},
                 {"1.5", WS_ITEM_FLOAT64, UINT64_C(0x3FF8000000000000)},
                 {"G", WS_ITEM_VARIABLE, 0},
                 {"G+8", WS_ITEM_VARIABLE, 8},
                 {"G[3]", WS_ITEM_VARIABLE, 12},
                 {"F", WS_ITEM_FUNCTION, 0},
                 {"%v", WS_ITEM_VECTOR, 0},
                 {"{%r1, 2, _}", WS_ITEM_VECTOR, 0},
                 {"_", WS_ITEM_SINK, 0},
                 {"%p1|_", WS_ITEM_PAIR, 0},
                 {"%clock64", WS_ITEM_SPECIAL, 0},
                 {"[%d1]", WS_ITEM_ADDRESS, 0},
                 {"[S+16]", WS_ITEM_ADDRESS, 16},
                 {"[64]", WS_ITEM_ADDRESS, 64}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char body[64];
        snprintf(body, sizeof body, "x %s;", cases[i].text);
        test_is_fine(body);
        CHECK_EQUAL(m.statements[0].item_count, 1);
        if (!CHECK_EQUAL(test_item(0, 0)->kind, cases[i].kind)) fprintf(stderr, "    %s\n", cases[i].text);
        CHECK_EQUAL(test_item(0, 0)->value, cases[i].value);
        CHECK(ws_bytes_equal(m.text + test_item(0, 0)->at, test_item(0, 0)->length, cases[i].text) ||
              cases[i].value != 0 || cases[i].kind == WS_ITEM_REGISTER);
    }
}

static void test_parts_of_operands(void) {
    const ws_item *item, *part;
    test_is_fine("x {%r1, -2}, [%d1, {%r2, 3}], %p1|%p2, %v, !%p3, %tid.y, %r1.b2, -%r2;");
    item = test_item(0, 0);
    part = &m.items[item->first_part];
    CHECK_EQUAL(item->part_count, 2);
    CHECK(part[0].kind == WS_ITEM_REGISTER && part[1].kind == WS_ITEM_INTEGER && part[1].is_negative);
    item = test_item(0, 1);
    part = &m.items[item->first_part];
    CHECK(item->base_kind == WS_ITEM_REGISTER && item->part_count == 1 && part->kind == WS_ITEM_VECTOR);
    CHECK(part->part_count == 2 && m.items[part->first_part + 1].value == 3);
    item = test_item(0, 2);
    CHECK(m.items[item->first_part].index != m.items[item->first_part + 1].index);
    item = test_item(0, 3);
    CHECK_EQUAL(item->part_count, 4);
    CHECK_EQUAL(m.items[item->first_part + 3].index, m.items[item->first_part].index + 3);
    CHECK_EQUAL(m.registers[m.functions[1].first_register + m.items[item->first_part + 3].index].part, 3);
    CHECK(test_item(0, 4)->is_inverted);
    CHECK_EQUAL(test_item(0, 5)->index, 1);
    CHECK_EQUAL(m.text[test_item(0, 6)->selector + 1], 'b');
    CHECK(test_item(0, 7)->is_negative && test_item(0, 7)->kind == WS_ITEM_REGISTER);
}

/* As those of textures are: a vector, a register, one register that is a vector. */
static void test_addresses_have_parts(void) {
    const ws_item *item, *part;
    test_is_fine("x [G, S, {%r1, %r2}], [%d1, %r3], [G+4, %v].unified;");
    item = test_item(0, 0);
    part = &m.items[item->first_part];
    CHECK(item->base_kind == WS_ITEM_VARIABLE && item->index == 0 && item->part_count == 2);
    CHECK(part[0].kind == WS_ITEM_VARIABLE && part[0].index == 1);
    CHECK(part[1].kind == WS_ITEM_VECTOR && part[1].part_count == 2);
    item = test_item(0, 1);
    part = &m.items[item->first_part];
    CHECK(item->part_count == 1 && part->kind == WS_ITEM_REGISTER);
    CHECK(test_reads(m.registers[m.functions[1].first_register + part->index].name, "%r3"));
    item = test_item(0, 2);
    part = &m.items[item->first_part];
    CHECK(item->value == 4 && item->part_count == 1 && part->kind == WS_ITEM_VECTOR && part->part_count == 4);
    CHECK_EQUAL(m.items[part->first_part + 3].index, m.items[part->first_part].index + 3);
}

static void test_parentheses_are_lists_in_calls_alone(void) {
    test_is_fine(
        "P: .callprototype (.param .b32 _) _ (.param .b8 _[12]) .noreturn; call.uni (%r1), F, (G, 3), P; x (3);");
    CHECK_EQUAL(m.statements[0].item_count, 4);
    CHECK_EQUAL(test_item(0, 0)->kind, WS_ITEM_PARENTHESES);
    CHECK_EQUAL(test_item(0, 2)->part_count, 2);
    CHECK_EQUAL(test_item(1, 0)->kind, WS_ITEM_INTEGER);
}

static void test_lists_hold_targets_and_prototypes(void) {
    test_is_fine("T: .branchtargets A, B; brx.idx %r1, T; A: C: .calltargets F; B: "
                 "P: .callprototype (.param .b32 _) _ (.param .b64 x, .param .b8 _[12]); x P;");
    CHECK_EQUAL(m.list_count, 3);
    CHECK(m.lists[0].kind == WS_LIST_BRANCHTARGETS && m.lists[0].item_count == 2);
    CHECK(m.items[m.lists[0].first_item].kind == WS_ITEM_LABEL && m.items[m.lists[0].first_item].index == 1);
    CHECK_EQUAL(m.items[m.lists[0].first_item + 1].index, 1);
    CHECK_EQUAL(test_item(0, 1)->kind, WS_ITEM_LIST);
    CHECK_EQUAL(m.items[m.lists[1].first_item].kind, WS_ITEM_FUNCTION);
    CHECK(m.lists[2].return_count == 1 && m.lists[2].parameter_count == 2);
    CHECK_EQUAL(m.variables[m.lists[2].first_parameter + 1].nbytes, 12);
    CHECK_EQUAL(test_item(1, 0)->index, 2);
    test_is_fine("P: .callprototype _ (.param .b32 a) .noreturn .abi_preserve 8 .abi_preserve_control 4; x P;");
    CHECK(m.list_count == 1 && m.lists[0].noreturn);
}

static void test_labels_belong_to_their_scopes(void) {
    test_is_fine("b L; { b L; { b L; } L: { b L; } b M; } L: b L; M: {b E;} E:");
    CHECK_EQUAL(test_item(0, 0)->index, 5); /* the outer L, after the inner scope */
    CHECK_EQUAL(test_item(1, 0)->index, 3);
    CHECK_EQUAL(test_item(2, 0)->index, 3);
    CHECK_EQUAL(test_item(3, 0)->index, 3);
    CHECK_EQUAL(test_item(4, 0)->index, 6);
    CHECK_EQUAL(test_item(5, 0)->index, 5);
    CHECK_EQUAL(test_item(6, 0)->index, 7);
    test_is_fine("b %L; b %M; b %N; %L: %M: ret; %N : b %M;");
    CHECK(test_item(0, 0)->index == 3 && test_item(1, 0)->index == 3 && test_item(2, 0)->index == 4);
    test_is_fine("!.entry a(){ b E; E: } .entry b(){ E: ret; b E; }");
    CHECK_EQUAL(test_item(0, 0)->index, 1);
    CHECK_EQUAL(m.functions[0].statement_count, 1);
    CHECK_EQUAL(test_item(2, 0)->index, 1);
}

static void test_functions_have_parameters_and_directives(void) {
    const ws_function *f;
    test_is_fine("!.visible .entry k(.param .u64 .ptr .global .align 16 a, .param .align 8 .b8 b[24]) .maxntid 32, 2 "
                 ".minnctapersm 3\n"
                 ".maxnreg 64 .reqnctapercluster 2 .explicitcluster .pragma \"nounroll\"; { ret; }\n"
                 ".weak .func (.param .b32 r) f(.param .b32 x) .noreturn { trap; } .extern .func g;");
    f = m.functions;
    CHECK_EQUAL(m.function_count, 3);
    CHECK(f[0].is_entry && !f[1].is_entry && f[2].is_declaration && !f[1].is_declaration);
    CHECK(f[0].linkage == WS_LINKAGE_VISIBLE && f[1].linkage == WS_LINKAGE_WEAK && f[2].linkage == WS_LINKAGE_EXTERN);
    CHECK(f[0].maxntid.x == 32 && f[0].maxntid.y == 2 && f[0].maxntid.z == 1 && f[0].reqntid.x == 0);
    CHECK(f[0].minnctapersm == 3 && f[0].maxnreg == 64 && f[0].cluster.x == 2 && f[0].explicit_cluster);
    CHECK(f[1].noreturn && f[1].return_count == 1 && f[1].parameter_count == 1);
    CHECK(m.pragma_count == 1 && test_reads(m.pragmas[0].text, "nounroll") && m.pragmas[0].function == 0);
    CHECK(m.variables[0].is_pointer && m.variables[0].pointer_space == WS_NAME_GLOBAL &&
          m.variables[0].pointer_align == 16);
    CHECK(m.variables[1].nbytes == 24 && m.variables[1].align == 8 && m.variables[1].is_parameter);
}

static void test_attributes_and_what_a_function_preserves(void) {
    test_is_fine(
        "!.global .attribute(.managed, .unified(19, 95)) .u32 a; .global .attribute(.unified(0x10, 2)) .u32 b = 7;"
        ".func .attribute(.unified(1, 2)) f() .abi_preserve 8 .abi_preserve_control 4 { ret; }"
        ".entry k() .local_maxnreg 4 { P: .callprototype _ (.param .b32 x) .noreturn .abi_preserve 8;"
        " Q: .callprototype _ () .abi_preserve_control 8; ret; }");
    CHECK(m.variables[0].is_managed && !m.variables[1].is_managed && m.variables[1].has_initial);
    CHECK_EQUAL(m.variables[0].nbytes, 4);
    CHECK(!m.functions[0].is_declaration && !m.functions[0].noreturn && m.functions[1].maxnreg == 0);
    CHECK_EQUAL(m.list_count, 2);
    CHECK(m.lists[0].noreturn && m.lists[0].parameter_count == 1 && !m.lists[1].noreturn);
}

/* Those that can be launched: not functions, and not what has no body. */
static void test_kernels_are_found_by_name(void) {
    test_is_fine("!.entry kk() { ret; } .entry k(); .func f() { ret; } .entry k() { ret; } .entry d();");
    CHECK_EQUAL(ws_module_kernel(&m, "kk"), 0);
    CHECK_EQUAL(ws_module_kernel(&m, "k"), 3);
    CHECK_EQUAL(ws_module_kernel(&m, "f"), WS_NO_INDEX);
    CHECK_EQUAL(ws_module_kernel(&m, "d"), WS_NO_INDEX);
    CHECK_EQUAL(ws_module_kernel(&m, "kkk"), WS_NO_INDEX);
    CHECK_EQUAL(ws_module_kernel(&m, ""), WS_NO_INDEX);
}

/* Whoever runs a body is at a statement of its own, not at the next function's, nor behind the last. */
static void test_an_empty_body_is_a_ret(void) {
    test_is_fine(
        "!.file 1 \"a.cu\"\n.func f() { .reg .b32 x; }\n.func g() { a; L: }\n.entry k() { {L:} }\n.entry j(){}");
    CHECK_EQUAL(m.statement_count, 4);
    CHECK_EQUAL(m.functions[0].statement_count, 1);
    CHECK_EQUAL(m.functions[1].statement_count, 1);
    CHECK_EQUAL(m.functions[3].first_statement, 3);
    CHECK(ws_bytes_equal(m.opcodes[m.statements[0].opcode].text, m.opcodes[m.statements[0].opcode].length, "ret"));
    CHECK(m.opcodes[m.statements[3].opcode].statement_count == 3 && m.statements[3].function == 3);
    CHECK(m.statements[3].item_count == 0 && m.statements[3].guard == WS_NO_INDEX);
    CHECK_EQUAL(m.text[m.statements[0].at], '}');
    CHECK_EQUAL(m.text[m.statements[3].at], '}');
}

static void test_names_that_are_declared_twice_have_one_definition(void) {
    test_is_fine(
        "!.extern .global .u32 x; .func f(); .visible .global .u32 x = 3; .func f() { ret; } .extern .global .u32 x;\n"
        ".func f(); .visible .func g(); .alias g, f; .entry k() { call g; }");
    CHECK_EQUAL(m.variables[0].definition, 1);
    CHECK_EQUAL(m.variables[1].definition, 1);
    CHECK_EQUAL(m.variables[2].definition, 1);
    CHECK_EQUAL(m.functions[0].definition, 1);
    CHECK_EQUAL(m.functions[2].definition, 1);
    CHECK_EQUAL(m.functions[3].definition, 1);
    CHECK_EQUAL(test_item(1, 0)->index, 1);
}

static void test_lines_come_from_loc(void) {
    const ws_location *l;
    test_is_fine("!.file 1 \"a.cu\", 5, 6\n.file 7 \"b.h\"\n.entry k() { ret; .loc 1 10 2\nret; .loc 7 3 4, "
                 "function_name L+3, inlined_at 1 10 2\nret;\n"
                 ".loc 9 0 0\nret; }\n.section .debug_str { M: .b8 65 L: .b8 66, 67, 0 \n.b8 102,110,0 }\n.section "
                 ".debug_info { .b32 x+4 .b64 a-b }");
    l = m.locations;
    CHECK_EQUAL(m.statements[0].location, WS_NO_INDEX);
    CHECK_EQUAL(m.statements[2].location, 1);
    CHECK(l[0].file == 0 && l[0].line == 10 && l[0].column == 2 && l[0].inlined_at == WS_NO_INDEX);
    CHECK(l[1].file == 1 && l[1].inlined_at == 0);
    CHECK(ws_bytes_equal((const char *)m.bytes + l[1].function_name.begin,
                         l[1].function_name.end - l[1].function_name.begin, "fn"));
    CHECK_EQUAL(l[2].file, WS_NO_INDEX);
    CHECK(test_reads(m.files[1].name, "b.h"));
    CHECK_EQUAL(ws_module_place(&m, m.statements[1].at).line, 7);
    CHECK_EQUAL(ws_module_place(&m, m.statements[1].at).column, 1);
    CHECK_EQUAL(ws_module_place(&m, 0).line, 1);
    test_is_fine("!.entry k() { .loc 1 2147483647 2147483647\n ret; }");
    CHECK(m.locations[0].line == INT32_MAX && m.locations[0].column == INT32_MAX);
}

CHECK_MAIN(test_head_says_version_targets_and_sizes, test_opcodes_are_spelled_once_without_blanks,
           test_guards_are_predicates, test_registers_get_indices_when_they_occur,
           test_registers_of_each_function_begin_at_0, test_operands_of_each_kind, test_parts_of_operands,
           test_addresses_have_parts, test_parentheses_are_lists_in_calls_alone, test_lists_hold_targets_and_prototypes,
           test_labels_belong_to_their_scopes, test_functions_have_parameters_and_directives,
           test_attributes_and_what_a_function_preserves, test_kernels_are_found_by_name, test_an_empty_body_is_a_ret,
           test_names_that_are_declared_twice_have_one_definition, test_lines_come_from_loc)
