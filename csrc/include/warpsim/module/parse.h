/* From the text of a PTX file to a module.
 *
 *     .version 8.6    .target sm_90a, debug    .address_size 64    variables, functions, .file, .section, .alias
 *
 * Linear in the length of the text, for any input. "PTX Module Directives" of the PTX ISA. */
#ifndef WARPSIM_MODULE_PARSE_H
#define WARPSIM_MODULE_PARSE_H

#include "../base/apart.h"
#include "body.h"

#define WS_MODULE_TABLE(field, type, count) module->field = (type *)ws_module_take(arena, count, sizeof(type))

static inline ws_names ws_module_names(ws_arena *arena, uint64_t count) {
    ws_name *items = (ws_name *)ws_module_take(arena, count, sizeof(ws_name));
    uint64_t buckets = 1;
    uint32_t *links;
    while (buckets < count && buckets < WS_MODULE_BUCKETS) buckets *= 2;
    links = (uint32_t *)ws_module_take(arena, buckets, sizeof(uint32_t));
    return ws_names_make(items, (size_t)count, links, links != NULL ? (size_t)buckets : 0);
}

static inline ws_keys ws_module_keys(ws_arena *arena, uint64_t count) {
    return ws_keys_make((ws_key *)ws_module_take(arena, count, sizeof(ws_key)), (uint32_t)count);
}

/* Lays the tables into the arena; only counts bytes if it has no memory. */
WS_ONCE void ws_module_lay(ws_arena *arena, const ws_module_room *room, size_t length, ws_parser *parser) {
    ws_module *module = parser->module;
    WS_MODULE_TABLE(targets, ws_span, WS_MODULE_TARGETS);
    WS_MODULE_TABLE(variables, ws_variable, room->variables);
    WS_MODULE_TABLE(runs, ws_initial_run, room->runs);
    WS_MODULE_TABLE(relocations, ws_relocation, room->relocations);
    WS_MODULE_TABLE(bytes, uint8_t, room->bytes);
    WS_MODULE_TABLE(functions, ws_function, room->functions);
    WS_MODULE_TABLE(registers, ws_register, room->registers);
    WS_MODULE_TABLE(statements, ws_statement, room->statements);
    WS_MODULE_TABLE(items, ws_item, room->items);
    WS_MODULE_TABLE(opcodes, ws_opcode, room->opcodes);
    WS_MODULE_TABLE(lists, ws_list, room->lists);
    WS_MODULE_TABLE(pragmas, ws_pragma, room->pragmas);
    WS_MODULE_TABLE(locations, ws_location, room->locations);
    WS_MODULE_TABLE(files, ws_file, room->files);
    WS_MODULE_TABLE(lines, uint32_t, room->lines);
    parser->spelled = (char *)ws_module_take(arena, length, 1);
    parser->scopes = (uint32_t *)ws_module_take(arena, room->scopes, sizeof(uint32_t));
    parser->names = ws_module_names(arena, room->names);
    parser->wanted = ws_module_names(arena, room->wanted);
    parser->opcodes = ws_module_names(arena, room->opcodes);
    parser->strings = ws_module_names(arena, room->strings);
    parser->registers = ws_module_keys(arena, room->registers);
    parser->places = ws_module_keys(arena, room->locations);
    parser->files = ws_module_keys(arena, room->files);
}

#undef WS_MODULE_TABLE

/* Bytes of arena that ws_module_parse needs for this text; SIZE_MAX: more than this machine can address. */
static inline size_t ws_module_bytes(const char *text, size_t length) {
    ws_arena arena = ws_arena_make(NULL, 0);
    const ws_module_room room = ws_module_count(text, length);
    ws_module module;
    ws_parser parser;
    parser.module = &module;
    ws_module_lay(&arena, &room, length, &parser);
    return arena.wanted >= SIZE_MAX / 4 ? SIZE_MAX : arena.wanted + WS_ARENA_ALIGN;
}

static inline void ws_module_lines(ws_module *module) {
    size_t i;
    module->line_count = 1;
    module->lines[0] = 0;
    for (i = 0; i < module->length; i++) {
        if (module->text[i] == '\n') module->lines[module->line_count++] = (uint32_t)(i + 1);
    }
}

/* .version 8.6 */
static inline ws_status ws_module_version(ws_parser *parser) {
    ws_cursor *cursor = &parser->cursor;
    uint32_t major = 0, minor = 0;
    size_t digits;
    if (!ws_parser_directive(parser, "version")) return ws_parser_expected(parser, ".version");
    for (digits = 0; digits < 3 && ws_char_is_digit(ws_parser_peek(parser)); digits++, cursor->at++) {
        major = 10 * major + (uint32_t)(ws_parser_peek(parser) - '0');
    }
    if (digits == 0 || !ws_lex_take(cursor, '.') || !ws_char_is_digit(ws_parser_peek(parser))) {
        return ws_parser_expected(parser, "a version such as 8.0");
    }
    for (digits = 0; digits < 3 && ws_char_is_digit(ws_parser_peek(parser)); digits++, cursor->at++) {
        minor = 10 * minor + (uint32_t)(ws_parser_peek(parser) - '0');
    }
    if (minor > 9 || ws_char_is_word(ws_parser_peek(parser)) || ws_parser_peek(parser) == '.') {
        return ws_parser_expected(parser, "the end of the version");
    }
    parser->module->version = 10 * major + minor;
    ws_skip(cursor);
    return WS_OK;
}

/* .target sm_90a, debug */
static inline ws_status ws_module_target(ws_parser *parser) {
    static const char *const modes[] = {"debug", "texmode_unified", "texmode_independent", "map_f64_to_f32"};
    ws_module *module = parser->module;
    size_t at;
    if (!ws_parser_directive(parser, "target")) return ws_parser_expected(parser, ".target");
    do {
        const ws_span word = ws_parser_word(parser, false);
        const size_t count = word.end - word.begin;
        const char *bytes = module->text + word.begin;
        size_t i;
        for (i = 0; i < 4 && !ws_parser_is(parser, word, modes[i]); i++) {
        }
        module->is_debug |= i == 0;
        if (i == 4 || module->target_count == 0) {
            const bool is_target =
                (count > 3 && ws_bytes_equal(bytes, 3, "sm_")) || (count > 8 && ws_bytes_equal(bytes, 8, "compute_"));
            if (!is_target) return ws_parser_expected(parser, "a target such as sm_90");
            if (module->target_count == WS_MODULE_TARGETS) return ws_parser_expected(parser, "fewer targets");
            module->targets[module->target_count++] = word;
        }
        ws_parser_go(parser, word.end);
    } while (ws_parser_take(parser, ','));
    if (!ws_parser_directive(parser, "address_size")) return WS_OK;
    at = parser->cursor.at;
    WS_RETURN_IF_ERROR(ws_parser_number32(parser, &module->address_size));
    if (module->address_size == 32 || module->address_size == 64) return WS_OK;
    return ws_parser_wrong(parser, ws_parser_word_at(parser, at), ".address_size is 32 or 64");
}

/* .alias name, other; */
static inline ws_status ws_module_alias(ws_parser *parser) {
    ws_name *found[2];
    int i;
    for (i = 0; i < 2; i++) {
        const ws_span name = ws_parser_name(parser);
        const char *bytes = parser->cursor.text + name.begin;
        const size_t length = name.end - name.begin;
        const uint32_t top = ws_names_top(&parser->names, ws_name_hash(bytes, length), bytes, length);
        if (top == 0 || parser->names.items[top - 1].declared.space != WS_NAME_FUNCTION) {
            parser->cursor.at = name.begin;
            return ws_parser_expected(parser, "the name of a function that is declared");
        }
        found[i] = &parser->names.items[top - 1];
        WS_RETURN_IF_ERROR(ws_parser_need(parser, i == 0 ? ',' : ';', i == 0 ? "','" : "';'"));
    }
    found[0]->declared.thing = found[1]->declared.thing;
    return WS_OK;
}

static inline ws_status ws_module_step(ws_parser *parser) {
    static const char *const words[] = {"extern", "visible", "weak", "common"};
    const size_t at = parser->cursor.at;
    int linkage = WS_LINKAGE_NONE, i;
    if (ws_parser_directive(parser, "file")) return ws_lines_file(parser);
    if (ws_parser_directive(parser, "section")) return ws_lines_section(parser);
    if (ws_parser_directive(parser, "alias")) return ws_module_alias(parser);
    if (ws_parser_directive(parser, "pragma")) return ws_pragma_take(parser);
    for (i = 0; i < 4 && linkage == WS_LINKAGE_NONE; i++) {
        if (ws_parser_directive(parser, words[i])) linkage = WS_LINKAGE_EXTERN + i;
    }
    if (ws_parser_directive(parser, "entry")) return ws_function_take(parser, linkage, true, at);
    if (ws_parser_directive(parser, "func")) return ws_function_take(parser, linkage, false, at);
    if (ws_parser_peek(parser) != '.') return ws_parser_expected(parser, "a directive such as .entry or .global");
    return ws_variables_take(parser, linkage);
}

/* What each name of the file means in the end. */
static inline void ws_module_definitions(ws_parser *parser) {
    ws_module *module = parser->module;
    uint32_t i;
    for (i = 0; i < module->function_count + module->variable_count; i++) {
        const bool is_function = i < module->function_count;
        ws_function *function = &module->functions[is_function ? i : 0];
        ws_variable *variable = &module->variables[is_function ? 0 : i - module->function_count];
        const ws_span name = is_function ? function->name : variable->name;
        const ws_declared *declared;
        if (!is_function && variable->function != WS_NO_INDEX) continue;
        declared = ws_names_find(&parser->names, module->text + name.begin, name.end - name.begin);
        if (declared == NULL) continue;
        if (is_function) function->definition = declared->thing;
        else variable->definition = declared->thing;
    }
}

/* The error of a comment that does not end, if there is one: everything else relies on that. */
static inline ws_status ws_module_comments(ws_cursor cursor) {
    size_t none_before = 0;
    while (cursor.at < cursor.length) {
        size_t end = cursor.at;
        if (ws_lex_peek(&cursor, 0) == '/' && (ws_lex_peek(&cursor, 1) == '/' || ws_lex_peek(&cursor, 1) == '*')) {
            WS_RETURN_IF_ERROR(ws_lex_skip_space(&cursor));
            continue;
        }
        if (ws_lex_peek(&cursor, 0) == '"' && cursor.at >= none_before) {
            end = ws_ptx_string_end(cursor.text, cursor.length, cursor.at, &none_before);
        }
        cursor.at = end > cursor.at ? end : cursor.at + 1;
    }
    return WS_OK;
}

/* Fills *module from the text, both of which it keeps pointers into; `memory` has ws_module_bytes(text, length) bytes.
 * An error's column is a byte of the text: ws_module_place tells its line, even of a module that failed. */
static inline ws_status ws_module_parse(const char *text, size_t length, void *memory, ws_module *module,
                                        ws_error *error) {
    static const ws_module none = {NULL, 0,    0,    0,    false, NULL, NULL, NULL, NULL, NULL, NULL, NULL,
                                   NULL, NULL, NULL, NULL, NULL,  NULL, NULL, NULL, 0,    0,    0,    0,
                                   0,    0,    0,    0,    0,     0,    0,    0,    0,    0,    0,    NULL};
    ws_parser parser;
    const size_t odd = (size_t)((uintptr_t)memory % WS_ARENA_ALIGN);
    ws_arena arena = ws_arena_make((uint8_t *)memory + (odd != 0 ? WS_ARENA_ALIGN - odd : 0), SIZE_MAX / 4);
    ws_error_clear(error);
    *module = none;
    if (length >= INT32_MAX) return ws_error_wrong(error, "text", "must be shorter than 2 GiB");
    module->text = text;
    module->length = length;
    module->address_size = 32;
    parser.cursor.text = text;
    parser.cursor.length = length;
    parser.cursor.at = 0;
    parser.cursor.error = error;
    parser.module = module;
    parser.room = ws_module_count(text, length);
    parser.function = parser.location = WS_NO_INDEX;
    parser.assembly.searched = 0;
    parser.assembly.is_inside = false;
    ws_module_lay(&arena, &parser.room, length, &parser);
    ws_names_open(&parser.wanted);
    ws_module_lines(module);
    WS_RETURN_IF_ERROR(ws_module_comments(parser.cursor));
    ws_skip(&parser.cursor);
    WS_RETURN_IF_ERROR(ws_module_version(&parser));
    WS_RETURN_IF_ERROR(ws_module_target(&parser));
    while (!ws_lex_at_end(&parser.cursor)) WS_RETURN_IF_ERROR(ws_module_step(&parser));
    ws_module_definitions(&parser);
    ws_lines_finish(&parser);
    return WS_OK;
}

#endif
