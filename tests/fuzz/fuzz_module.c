/* ws_module_parse: any bytes, and pieces of PTX in any order. Every row of a module lies inside the text and refers to rows that
 * exist; the memory that was asked for suffices; a comment for a blank changes nothing. */
#include <warpsim/module/parse.h>

#include "fuzz.h"

enum { MOST_TEXT = 8192 };

#include "text.h"

static void check_span(const ws_module *m, ws_span span) {
    FUZZ_CHECK(span.begin <= span.end && span.end <= m->length);
}

static void check_range(uint32_t first, uint32_t count, uint32_t most) {
    FUZZ_CHECK(count == 0 || (first < most && count <= most - first));
}

static void check_item(const ws_module *m, const ws_item *item, const ws_function *function) {
    const int kind = item->kind == WS_ITEM_ADDRESS ? item->base_kind : item->kind;
    FUZZ_CHECK(item->at <= m->length && item->length <= m->length - item->at && item->selector < m->length);
    FUZZ_CHECK(item->part_count == 0 || item->first_part + item->part_count <= (uint32_t)(item - m->items) ||
               item->first_part > (uint32_t)(item - m->items) - 64);
    check_range(item->first_part, item->part_count, m->item_count);
    if (kind == WS_ITEM_REGISTER) FUZZ_CHECK(item->index < function->register_count);
    if (kind == WS_ITEM_VARIABLE) FUZZ_CHECK(item->index < m->variable_count);
    if (kind == WS_ITEM_FUNCTION) FUZZ_CHECK(item->index < m->function_count);
    if (kind == WS_ITEM_LIST) FUZZ_CHECK(item->index < m->list_count);
    if (kind == WS_ITEM_LABEL) FUZZ_CHECK(item->index - function->first_statement <= function->statement_count);
    if (kind == WS_ITEM_PAIR) FUZZ_CHECK_EQUAL(item->part_count, 2);
}

static void check_statements(const ws_module *m, const ws_function *function) {
    for (uint32_t i = function->first_statement; i < function->first_statement + function->statement_count; i++) {
        const ws_statement *one = &m->statements[i];
        FUZZ_CHECK(one->at < m->length && (i == 0 || one->at > one[-1].at));
        FUZZ_CHECK(&m->functions[one->function] == function && one->opcode < m->opcode_count);
        FUZZ_CHECK(one->guard == WS_NO_INDEX || one->guard < function->register_count);
        FUZZ_CHECK(one->location == WS_NO_INDEX || one->location < m->location_count);
        check_range(one->first_item, one->item_count, m->item_count);
        for (uint32_t j = 0; j < one->item_count; j++) {
            const ws_item *item = &m->items[one->first_item + j];
            check_item(m, item, function);
            for (uint32_t k = 0; k < item->part_count; k++) check_item(m, &m->items[item->first_part + k], function);
        }
    }
}

static void check_variables(const ws_module *m) {
    for (uint32_t i = 0; i < m->variable_count; i++) {
        const ws_variable *one = &m->variables[i];
        check_span(m, one->name);
        FUZZ_CHECK(one->definition < m->variable_count && (one->align & (one->align - 1)) == 0 && one->align != 0);
        check_range(one->first_run, one->run_count, m->run_count);
        check_range(one->first_relocation, one->relocation_count, m->relocation_count);
        for (uint32_t j = one->first_run; j < one->first_run + one->run_count; j++) {
            const ws_initial_run *run = &m->runs[j];
            FUZZ_CHECK(run->first + run->count <= m->byte_count && run->at + run->count <= one->nbytes);
        }
        for (uint32_t j = one->first_relocation; j < one->first_relocation + one->relocation_count; j++) {
            const ws_relocation *address = &m->relocations[j];
            FUZZ_CHECK(address->symbol < (address->is_function ? m->function_count : m->variable_count));
            FUZZ_CHECK(address->at + address->nbytes <= one->nbytes);
        }
    }
}

static void check_module(const ws_module *m) {
    uint32_t i, statements = 0, registers = 0;
    for (i = 0; i < m->function_count; i++) {
        const ws_function *one = &m->functions[i];
        FUZZ_CHECK(one->first_statement == statements && one->first_register == registers);
        FUZZ_CHECK(one->definition < m->function_count);
        statements += one->statement_count;
        registers += one->register_count;
        check_range(one->first_parameter, one->parameter_count, m->variable_count);
        check_statements(m, one);
    }
    FUZZ_CHECK(statements == m->statement_count && registers == m->register_count);
    check_variables(m);
    for (i = 0; i < m->location_count; i++) {
        const ws_location *one = &m->locations[i];
        FUZZ_CHECK(one->inlined_at == WS_NO_INDEX || one->inlined_at < i);
        FUZZ_CHECK(one->function_name.end <= m->byte_count);
    }
    for (i = 0; i < m->register_count; i++) FUZZ_CHECK(m->registers[i].type != WS_TYPE_NONE);
    for (i = 0, statements = 0; i < m->opcode_count; i++) statements += m->opcodes[i].statement_count;
    FUZZ_CHECK_EQUAL(statements, m->statement_count);
}

/* In exactly the memory that is asked for. Gives the statements and items, or -1 of an error. */
static long parse(const char *bytes, size_t length) {
    char *text = (char *)fuzz_copy(bytes, length);
    void *arena = fuzz_block(ws_module_bytes(text, length));
    ws_module m;
    ws_error error;
    const ws_status status = ws_module_parse(text, length, arena, &m, &error);
    long found = -1;
    if (status == WS_OK) {
        check_module(&m);
        found = (long)m.statement_count + (long)m.item_count;
    } else {
        FUZZ_CHECK(status == WS_SYNTAX || status == WS_NOT_MODELLED);
        FUZZ_CHECK(error.column >= 0 && (size_t)error.column <= length);
        FUZZ_CHECK(strstr(error.message, "more than it seems") == NULL);
    }
    free(arena);
    free(text);
    return found;
}

/* Each blank of a text without quotes or comments becomes a comment. */
static void check_comments(const char *bytes, size_t length, long found) {
    static char text[6 * MOST_TEXT];
    size_t count = 0;
    if (length > MOST_TEXT || memchr(bytes, '"', length) != NULL || memchr(bytes, '/', length) != NULL) return;
    for (size_t i = 0; i < length; i++) {
        memcpy(text + count, "/*;*/", 5);
        count += bytes[i] == ' ' ? 5 : 0;
        text[count++] = bytes[i];
    }
    FUZZ_CHECK_EQUAL(parse(text, count), found);
}

static void check_pieces(fuzz_input *in) {
    static const char *const pieces[] = {"a ",
                                         "x.b::c ",
                                         "%r1",
                                         "%r2",
                                         "%p1",
                                         "%v",
                                         "%v.y",
                                         "%d1",
                                         "_",
                                         "S",
                                         "G",
                                         "L",
                                         "M",
                                         "3",
                                         "-1",
                                         "1.5",
                                         "0f3F800000",
                                         "F",
                                         ", ",
                                         ";\n",
                                         "[",
                                         "]",
                                         "+ ",
                                         "{",
                                         "}",
                                         "(",
                                         ")",
                                         "|",
                                         "!",
                                         "-",
                                         "@%p1 ",
                                         "L: ",
                                         "M:",
                                         "call ",
                                         "%tid.x",
                                         ".b0",
                                         "* ",
                                         "? ",
                                         ": ",
                                         "<",
                                         ">",
                                         "= ",
                                         ".reg .b32 ",
                                         "%r<4>;",
                                         ".reg .pred ",
                                         "q",
                                         ".reg .v2 .b16 w;",
                                         ".local ",
                                         ".shared ",
                                         ".b8 ",
                                         ".global ",
                                         ".const ",
                                         ".u64 ",
                                         ".v2 ",
                                         ".align 8 ",
                                         ".param ",
                                         "[4]",
                                         "[]",
                                         "{1, 2}",
                                         "generic(",
                                         "0xFF(",
                                         ".extern ",
                                         ".visible ",
                                         ".entry ",
                                         ".func ",
                                         "k",
                                         "f",
                                         "() {\n",
                                         "{ ret; }\n",
                                         ".maxntid 8, 2 ",
                                         ".noreturn ",
                                         ".alias ",
                                         ".loc 1 2 3 ",
                                         ", function_name L, inlined_at 1 2 3 ",
                                         ".file 1 \"a\"\n",
                                         ".section .debug_str { L: .b8 65 }\n",
                                         ".branchtargets ",
                                         ".calltargets ",
                                         ".callprototype ",
                                         ".pragma \"p\"",
                                         "/*",
                                         "*/",
                                         "//",
                                         "\n",
                                         "\"",
                                         "ret;\n",
                                         "{ L: ",
                                         "bra L;\n",
                                         "add .s32 %r1, %r2, ",
                                         "ld.b32 %r1, [%d1+8];\n",
                                         "x {%r1, %r2}, [S, {%r3, 1}];\n",
                                         ".samplerref s = {x = y};",
                                         "WARP_SZ",
                                         ".ptr "};
    text_of text;
    const uint8_t how = fuzz_u8(in);
    text.length = 0;
    if (how % 8 != 0) add(&text, ".version 8.6\n.target sm_90\n.address_size 64\n");
    if (how % 4 != 0) {
        add(&text, ".global .u32 G[4];\n.func F(.param .b32 a);\n.shared .b8 S[64];\n.visible .entry main(.param .u64 "
                   "a)\n{\n");
        add(&text, ".reg .b32 %r<4>;\n.reg .b64 %d<4>;\n.reg .pred %p<4>;\n.reg .v4 .b32 %v;\n");
    }
    while (in->at < in->end && text.length < MOST_TEXT - 300) {
        const uint8_t which = fuzz_u8(in);
        if (which < 250) add(&text, pieces[which % (sizeof pieces / sizeof pieces[0])]);
        else text.bytes[text.length++] = (char)fuzz_u8(in);
    }
    if (how % 4 != 0) add(&text, "\nret;\n}\n");
    check_comments(text.bytes, text.length, parse(text.bytes, text.length));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fuzz_input in = fuzz_input_make(data, size);
    if (fuzz_u8(&in) % 4 != 0) check_pieces(&in);
    else (void)parse((const char *)in.at, (size_t)(in.end - in.at));
    return 0;
}
