/* Where statements come from: .file, .loc, and the names in .debug_str.
 *
 *     .file 1 "kernel.cu"
 *     .loc 1 30 5
 *     .loc 1 12 9, function_name $L__info_string0+7, inlined_at 1 30 5
 *
 * "Debugging Directives" of the PTX ISA. Other sections are passed over. LLVM numbers the lines of inline assembly on from
 * the statement that has it, which is no place in a source: of the .loc in there the first alone counts. */
#ifndef WARPSIM_MODULE_LINES_H
#define WARPSIM_MODULE_LINES_H

#include "symbols.h"

enum { WS_MOST_FUNCTION_NAME = 4096 /* bytes */ };

/* .file 1 "path", 1700000000, 1234 */
static inline ws_status ws_lines_file(ws_parser *parser) {
    ws_module *module = parser->module;
    const uint32_t index = module->file_count;
    uint64_t number = 0, ignored;
    ws_span name;
    int i;
    WS_RETURN_IF_ERROR(ws_parser_number(parser, UINT64_MAX, &number));
    WS_RETURN_IF_ERROR(ws_parser_string(parser, &name));
    for (i = 0; i < 2 && ws_parser_take(parser, ','); i++) {
        WS_RETURN_IF_ERROR(ws_parser_number(parser, UINT64_MAX, &ignored));
    }
    WS_RETURN_IF_ERROR(ws_parser_room(parser, &module->file_count, parser->room.files, 1));
    module->files[index].number = number;
    module->files[index].name = name;
    if (ws_keys_add(&parser->files, number, index) == NULL) return ws_parser_full(parser);
    return WS_OK;
}

/* The declaration of a string's label; `thing` is where it begins in module->bytes, or WS_NO_INDEX as long as that is not known. */
static inline ws_name *ws_lines_string(ws_parser *parser, ws_span name) {
    const char *bytes = parser->cursor.text + name.begin;
    const size_t length = name.end - name.begin;
    const ws_declared unknown = {bytes, 0, 0, WS_NO_INDEX};
    ws_names *strings = &parser->strings;
    uint32_t number = ws_names_top(strings, ws_name_hash(bytes, length), bytes, length);
    if (number == 0) {
        if (strings->count >= strings->capacity) return NULL;
        ws_names_add(strings, bytes, length, WS_NO_FAMILY, &unknown);
        number = (uint32_t)strings->count;
    }
    return &strings->items[number - 1];
}

/* File, line and column, as one number. */
static inline ws_status ws_lines_place(ws_parser *parser, ws_location *location, uint64_t *key) {
    uint64_t line = 0, column = 0;
    WS_RETURN_IF_ERROR(ws_parser_number32(parser, &location->file));
    WS_RETURN_IF_ERROR(ws_parser_number(parser, INT32_MAX, &line));
    WS_RETURN_IF_ERROR(ws_parser_number(parser, INT32_MAX, &column));
    location->line = (uint32_t)line;
    location->column = (uint32_t)column;
    *key = (uint64_t)(location->file & 0xFFFF) << 48 | (uint64_t)(location->column & 0xFFFF) << 32 | location->line;
    return WS_OK;
}

/* ", function_name label+n, inlined_at file line column" */
static inline ws_status ws_lines_inlined(ws_parser *parser, ws_location *location) {
    const size_t at = parser->cursor.at;
    uint64_t key, addend = 0;
    ws_location outer;
    ws_span name;
    const ws_name *string;
    const ws_key *known;
    if (!ws_parser_keyword(parser, "function_name")) return ws_parser_expected(parser, "function_name");
    name = ws_parser_name(parser);
    if (ws_span_is_empty(name)) return ws_parser_expected(parser, "a label");
    if (ws_parser_take(parser, '+')) WS_RETURN_IF_ERROR(ws_parser_number(parser, UINT32_MAX, &addend));
    string = ws_lines_string(parser, name);
    if (string == NULL) return ws_parser_full(parser);
    location->function_name = ws_span_make((size_t)(string - parser->strings.items), (size_t)addend);
    WS_RETURN_IF_ERROR(ws_parser_need(parser, ',', "','"));
    if (!ws_parser_keyword(parser, "inlined_at")) return ws_parser_expected(parser, "inlined_at");
    WS_RETURN_IF_ERROR(ws_lines_place(parser, &outer, &key));
    known = ws_keys_find(&parser->places, key);
    if (known == NULL) {
        return ws_parser_wrong(parser, ws_span_make(at, parser->cursor.at),
                               "no .loc before this one is of the place that it is inlined at");
    }
    location->inlined_at = known->value;
    return WS_OK;
}

/* "// begin inline asm": does a comment begin here, and say this? */
static inline bool ws_lines_says(const ws_cursor *cursor, size_t at, const char *words) {
    size_t i, length = ws_string_length(words);
    at += 2;
    while (at < cursor->length && cursor->text[at] == ' ') at++;
    if (cursor->length - at < length) return false;
    for (i = 0; i < length && cursor->text[at + i] == words[i]; i++) {
    }
    return i == length;
}

/* Is the cursor inside inline assembly? */
static inline bool ws_lines_in_assembly(ws_parser *parser) {
    const ws_cursor *cursor = &parser->cursor;
    ws_assembly *assembly = &parser->assembly;
    size_t at;
    for (at = assembly->searched; at + 1 < cursor->at; at++) {
        if (cursor->text[at] != '/' || cursor->text[at + 1] != '/') continue;
        if (ws_lines_says(cursor, at, "begin inline asm")) {
            assembly->is_inside = true;
        } else if (ws_lines_says(cursor, at, "end inline asm")) {
            assembly->is_inside = false;
        }
    }
    assembly->searched = cursor->at;
    return assembly->is_inside;
}

static inline ws_status ws_lines_location(ws_parser *parser) {
    ws_module *module = parser->module;
    const uint32_t index = module->location_count;
    const bool is_inside = ws_lines_in_assembly(parser);
    ws_location location;
    uint64_t key;
    ws_key *place;
    location.inlined_at = WS_NO_INDEX;
    location.function_name = ws_span_make(0, 0);
    WS_RETURN_IF_ERROR(ws_lines_place(parser, &location, &key));
    if (ws_parser_take(parser, ',')) WS_RETURN_IF_ERROR(ws_lines_inlined(parser, &location));
    if (is_inside && parser->location != WS_NO_INDEX) return WS_OK; /* it counts the lines of the assembly's own text */
    WS_RETURN_IF_ERROR(ws_parser_room(parser, &module->location_count, parser->room.locations, 1));
    module->locations[index] = location;
    place = ws_keys_add(&parser->places, key, index);
    if (place == NULL) return ws_parser_full(parser);
    place->value = index;
    parser->location = index;
    return WS_OK;
}

/* .b8 1, 2, 3: into module->bytes. */
static inline ws_status ws_lines_bytes(ws_parser *parser) {
    ws_module *module = parser->module;
    uint64_t value = 0;
    do {
        WS_RETURN_IF_ERROR(ws_parser_number(parser, 255, &value));
        WS_RETURN_IF_ERROR(ws_parser_room(parser, &module->byte_count, parser->room.bytes, 1));
        module->bytes[module->byte_count - 1] = (uint8_t)value;
    } while (ws_parser_take(parser, ','));
    return WS_OK;
}

/* .section .debug_str { label: .b8 107, 0 }; of other sections nothing is kept. */
static inline ws_status ws_lines_section(ws_parser *parser) {
    const ws_span name = ws_parser_word(parser, true);
    const bool strings = ws_parser_is(parser, name, "debug_str");
    if (ws_span_is_empty(name)) return ws_parser_expected(parser, "the name of a section");
    ws_parser_go(parser, name.end);
    WS_RETURN_IF_ERROR(ws_parser_need(parser, '{', "'{'"));
    while (parser->cursor.at < parser->cursor.length && ws_parser_peek(parser) != '}') {
        const ws_span label = strings ? ws_parser_name(parser) : ws_span_make(0, 0);
        const char c = ws_parser_peek(parser);
        if (!ws_span_is_empty(label)) {
            ws_name *string = ws_lines_string(parser, label);
            WS_RETURN_IF_ERROR(ws_parser_need(parser, ':', "':'"));
            if (string == NULL) return ws_parser_full(parser);
            string->declared.thing = parser->module->byte_count;
        } else if (strings && ws_parser_directive(parser, "b8")) {
            WS_RETURN_IF_ERROR(ws_lines_bytes(parser));
        } else {
            if (strings || c == '{' || c == ';' || c == '"') return ws_parser_expected(parser, "data, or '}'");
            ws_parser_go(parser, parser->cursor.at + 1);
        }
    }
    return ws_parser_need(parser, '}', "'}'");
}

/* At the end of the file: numbers of files become indices, labels the names that they stand for. */
static inline void ws_lines_finish(ws_parser *parser) {
    ws_module *module = parser->module;
    uint32_t i;
    for (i = 0; i < module->location_count; i++) {
        ws_location *location = &module->locations[i];
        const ws_key *file = ws_keys_find(&parser->files, location->file);
        const ws_span name = location->function_name;
        size_t begin, end, most = module->byte_count;
        location->file = file != NULL ? file->value : WS_NO_INDEX;
        location->function_name = ws_span_make(0, 0);
        if (location->inlined_at == WS_NO_INDEX) continue;
        begin = parser->strings.items[name.begin].declared.thing;
        if (begin == WS_NO_INDEX || begin + name.end >= most) continue;
        begin += name.end;
        if (most - begin > WS_MOST_FUNCTION_NAME) most = begin + WS_MOST_FUNCTION_NAME;
        for (end = begin; end < most && module->bytes[end] != 0; end++) {
        }
        location->function_name = ws_span_make(begin, end);
    }
}

#endif
