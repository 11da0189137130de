/* The body of a function: scopes, labels, directives and statements.
 *
 *     label: @!%p1 ld.global.v2.f32 {%f1, %f2}, [%rd1+8];
 *
 * "Syntax" and "Instruction Statements" of the PTX ISA, and what ptxas 13.0 accepts: blanks and comments before a dot of
 * an opcode but not after it or at "::". */
#ifndef WARPSIM_MODULE_BODY_H
#define WARPSIM_MODULE_BODY_H

#include "functions.h"
#include "lines.h"

/* The index of an opcode, by its spelling. */
static inline ws_status ws_opcode_index(ws_parser *parser, const char *text, size_t length, uint32_t *index) {
    ws_module *module = parser->module;
    ws_names *opcodes = &parser->opcodes;
    uint32_t number = ws_names_top(opcodes, ws_name_hash(text, length), text, length);
    if (number == 0) {
        const ws_declared nothing = {text, 0, 0, 0};
        WS_RETURN_IF_ERROR(ws_parser_room(parser, &module->opcode_count, parser->room.opcodes, 1));
        ws_names_add(opcodes, text, length, WS_NO_FAMILY, &nothing);
        number = module->opcode_count;
        module->opcodes[number - 1].text = text;
        module->opcodes[number - 1].length = (uint32_t)length;
        module->opcodes[number - 1].statement_count = 0;
    }
    *index = number - 1;
    module->opcodes[*index].statement_count++;
    return WS_OK;
}

/* Takes ".word", ".word::word" and so on after the first word of an opcode, which is taken: text[begin, at). */
static inline ws_status ws_opcode_take(ws_parser *parser, size_t begin, uint32_t *index) {
    ws_cursor *cursor = &parser->cursor;
    char *spelled = parser->spelled;
    size_t end = cursor->at, part = begin, i;
    const char *word;
    size_t count;
    bool apart = false;
    for (;;) {
        for (i = part; i < end; i++) *spelled++ = cursor->text[i];
        ws_skip(cursor);
        if (ws_parser_peek(parser) != '.') break;
        apart |= cursor->at != end;
        part = cursor->at++;
        if (!ws_lex_word(cursor, true, &word, &count)) return ws_parser_expected(parser, "a qualifier");
        end = cursor->at;
    }
    if (!apart) return ws_opcode_index(parser, cursor->text + begin, end - begin, index);
    word = parser->spelled;
    parser->spelled = spelled;
    return ws_opcode_index(parser, word, (size_t)(spelled - word), index);
}

/* @%p1 or @!%p1, if it is there. */
static inline ws_status ws_guard_take(ws_parser *parser, ws_statement *statement) {
    const ws_register *registers =
        parser->module->registers + parser->module->functions[parser->function].first_register;
    ws_span name;
    ws_item item;
    statement->guard = WS_NO_INDEX;
    statement->guard_is_negated = false;
    if (!ws_parser_take(parser, '@')) return WS_OK;
    statement->guard_is_negated = ws_parser_take(parser, '!');
    name = ws_parser_name(parser);
    if (ws_span_is_empty(name)) return ws_parser_expected(parser, "a predicate");
    WS_RETURN_IF_ERROR(ws_item_named(parser, name, false, &item));
    if (item.kind != WS_ITEM_REGISTER || registers[item.index].type != WS_TYPE_PRED || item.selector != 0 ||
        item.value != 0) {
        return ws_parser_named(parser, name, "is not a predicate; only a .pred guards a statement");
    }
    statement->guard = item.index;
    return WS_OK;
}

/* A statement after its labels. */
static inline ws_status ws_statement_take(ws_parser *parser) {
    ws_module *module = parser->module;
    ws_statement statement;
    ws_span word;
    bool call;
    statement.at = (uint32_t)parser->cursor.at;
    statement.function = parser->function;
    statement.location = parser->location;
    WS_RETURN_IF_ERROR(ws_guard_take(parser, &statement));
    word = ws_parser_word(parser, false);
    if (ws_span_is_empty(word) || ws_char_is_digit(ws_parser_peek(parser))) {
        return ws_parser_expected(parser, statement.guard != WS_NO_INDEX ? "an instruction"
                                                                         : "an instruction, a directive or '}'");
    }
    statement.opcode_at = (uint32_t)word.begin;
    call = ws_parser_is(parser, word, "call");
    parser->cursor.at = word.end;
    WS_RETURN_IF_ERROR(ws_opcode_take(parser, word.begin, &statement.opcode));
    WS_RETURN_IF_ERROR(ws_operands_take(parser, call, &statement.first_item, &statement.item_count));
    WS_RETURN_IF_ERROR(ws_parser_room(parser, &module->statement_count, parser->room.statements, 1));
    module->statements[module->statement_count - 1] = statement;
    return WS_OK;
}

/* A label and what it names, if there is one here; *found tells. */
static inline ws_status ws_label_take(ws_parser *parser, bool *found) {
    const size_t at = parser->cursor.at;
    const ws_span name = ws_parser_name(parser);
    bool list = false;
    *found = !ws_span_is_empty(name) && ws_parser_peek(parser) == ':' && ws_lex_peek(&parser->cursor, 1) != ':';
    if (!*found) {
        parser->cursor.at = at;
        return WS_OK;
    }
    ws_parser_take(parser, ':');
    WS_RETURN_IF_ERROR(ws_list_take(parser, name, &list));
    if (list) return WS_OK;
    if (ws_parser_peek(parser) == ';') return ws_parser_expected(parser, "an instruction");
    return ws_symbol_declare(parser, name, WS_NO_FAMILY, WS_NAME_LABEL, parser->module->statement_count);
}

/* A directive, label, scope or statement of a body; the end of the function closes depth 1. */
static inline ws_status ws_body_step(ws_parser *parser) {
    bool found;
    if (ws_parser_take(parser, '{')) return ws_symbols_open(parser);
    if (ws_parser_take(parser, '}')) {
        ws_symbols_close(parser);
        return WS_OK;
    }
    if (ws_parser_peek(parser) == '.') {
        if (ws_parser_directive(parser, "loc")) return ws_lines_location(parser);
        if (ws_parser_directive(parser, "pragma")) return ws_pragma_take(parser);
        return ws_variables_take(parser, WS_LINKAGE_NONE);
    }
    WS_RETURN_IF_ERROR(ws_label_take(parser, &found));
    return found ? WS_OK : ws_statement_take(parser);
}

/* The end of a body returns: if nothing comes before, this ret is the statement that whoever runs it is at. */
static inline ws_status ws_body_end(ws_parser *parser, const ws_function *function, size_t at) {
    ws_module *module = parser->module;
    ws_statement statement;
    if (module->statement_count > function->first_statement) return WS_OK;
    statement.at = statement.opcode_at = (uint32_t)at;
    statement.function = parser->function;
    statement.location = parser->location;
    statement.guard = WS_NO_INDEX;
    statement.guard_is_negated = false;
    statement.first_item = module->item_count;
    statement.item_count = 0;
    WS_RETURN_IF_ERROR(ws_opcode_index(parser, "ret", 3, &statement.opcode));
    WS_RETURN_IF_ERROR(ws_parser_room(parser, &module->statement_count, parser->room.statements, 1));
    module->statements[module->statement_count - 1] = statement;
    return WS_OK;
}

/* A function after .entry or .func, with its body or semicolon. */
static inline ws_status ws_function_take(ws_parser *parser, int linkage, bool is_entry, size_t at) {
    ws_module *module = parser->module;
    const uint32_t index = module->function_count;
    ws_function *function = &module->functions[index];
    size_t begin, end;
    WS_RETURN_IF_ERROR(ws_function_header(parser, linkage, is_entry, at));
    begin = end = parser->cursor.at;
    function->is_declaration = ws_parser_peek(parser) == ';';
    WS_RETURN_IF_ERROR(ws_function_settle(parser, index));
    if (ws_parser_take(parser, ';')) {
        ws_symbols_close(parser);
    } else {
        WS_RETURN_IF_ERROR(ws_parser_need(parser, '{', "a directive such as .maxntid, '{' or ';'"));
        while (parser->names.depth > 0) {
            if (ws_lex_at_end(&parser->cursor)) {
                return ws_parser_wrong(parser, ws_span_make(begin, begin + 1),
                                       "the body that begins here does not end; close it with '}'");
            }
            end = parser->cursor.at;
            WS_RETURN_IF_ERROR(ws_body_step(parser));
        }
        WS_RETURN_IF_ERROR(ws_body_end(parser, function, end));
    }
    WS_RETURN_IF_ERROR(ws_symbols_finish(parser));
    function->register_count = module->register_count - function->first_register;
    function->statement_count = module->statement_count - function->first_statement;
    parser->function = parser->location = WS_NO_INDEX;
    return WS_OK;
}

#endif
