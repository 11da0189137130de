/* Headers of functions, and the lists that labels name: targets of branches, of calls, and prototypes.
 *
 *     .visible .entry name(.param .u64 a) .maxntid 256, 1, 1 .minnctapersm 2
 *     .func (.param .b32 r) name(.param .b32 a) .noreturn;
 *     label: .callprototype (.param .b32 _) _ (.param .b64 _);
 *
 * "Kernel and Function Directives", "Performance-Tuning Directives" and "Control Flow Directives" of the PTX ISA. */
#ifndef WARPSIM_MODULE_FUNCTIONS_H
#define WARPSIM_MODULE_FUNCTIONS_H

#include "operands.h"
#include "parameters.h"

/* .pragma "nounroll", "other"; */
static inline ws_status ws_pragma_take(ws_parser *parser) {
    ws_module *module = parser->module;
    do {
        ws_pragma pragma;
        WS_RETURN_IF_ERROR(ws_parser_string(parser, &pragma.text));
        WS_RETURN_IF_ERROR(ws_parser_room(parser, &module->pragma_count, parser->room.pragmas, 1));
        pragma.function = parser->function;
        pragma.statement = module->statement_count;
        module->pragmas[module->pragma_count - 1] = pragma;
    } while (ws_parser_take(parser, ','));
    return ws_parser_need(parser, ';', "',' or ';'");
}

/* Takes a number that is at least `least`. */
static inline ws_status ws_function_number(ws_parser *parser, uint32_t least, uint32_t *number) {
    const size_t at = parser->cursor.at;
    WS_RETURN_IF_ERROR(ws_parser_number32(parser, number));
    if (*number >= least) return WS_OK;
    return ws_parser_wrong(parser, ws_parser_word_at(parser, at), "this number must be at least 1");
}

/* One to three numbers, such as 8, 8, 4, each at least `least`; y and z are 1 where they are left out. */
static inline ws_status ws_function_extent(ws_parser *parser, uint32_t least, ws_extent *extent) {
    extent->y = extent->z = 1;
    WS_RETURN_IF_ERROR(ws_function_number(parser, least, &extent->x));
    if (!ws_parser_take(parser, ',')) return WS_OK;
    WS_RETURN_IF_ERROR(ws_function_number(parser, least, &extent->y));
    return ws_parser_take(parser, ',') ? ws_function_number(parser, least, &extent->z) : WS_OK;
}

/* One directive between the header and the body; *more: whether there was one, so that another may follow. */
static inline ws_status ws_function_directive(ws_parser *parser, ws_function *function, bool *more) {
    uint32_t ignored;
    *more = true;
    if (ws_parser_directive(parser, "maxntid")) return ws_function_extent(parser, 1, &function->maxntid);
    if (ws_parser_directive(parser, "reqntid")) return ws_function_extent(parser, 1, &function->reqntid);
    if (ws_parser_directive(parser, "reqnctapercluster")) return ws_function_extent(parser, 0, &function->cluster);
    if (ws_parser_directive(parser, "minnctapersm")) return ws_function_number(parser, 1, &function->minnctapersm);
    if (ws_parser_directive(parser, "maxnreg")) return ws_function_number(parser, 1, &function->maxnreg);
    if (ws_parser_directive(parser, "maxclusterrank")) return ws_parser_number32(parser, &function->maxclusterrank);
    if (ws_parser_directive(parser, "maxnctapersm") || ws_parser_directive(parser, "local_maxnreg") ||
        ws_parser_directive(parser, "abi_preserve") || ws_parser_directive(parser, "abi_preserve_control")) {
        return ws_parser_number32(parser, &ignored);
    }
    if (ws_parser_directive(parser, "pragma")) return ws_pragma_take(parser);
    if (ws_parser_directive(parser, "explicitcluster")) {
        function->explicit_cluster = true;
    } else if (!function->is_entry && ws_parser_directive(parser, "noreturn")) {
        function->noreturn = true;
    } else if (!ws_parser_directive(parser, "blocksareclusters")) {
        *more = false;
    }
    return WS_OK;
}

/* Makes the name mean this function, unless it means one with a body already. */
static inline ws_status ws_function_name(ws_parser *parser, ws_span name, uint32_t index) {
    const char *bytes = parser->cursor.text + name.begin;
    const size_t length = name.end - name.begin;
    const uint32_t top = ws_names_top(&parser->names, ws_name_hash(bytes, length), bytes, length);
    parser->module->functions[index].name = name;
    if (ws_span_is_empty(name)) return ws_parser_expected(parser, "the name of a function");
    if (top == 0 || parser->names.items[top - 1].declared.space != WS_NAME_FUNCTION) {
        return ws_symbol_declare(parser, name, WS_NO_FAMILY, WS_NAME_FUNCTION, index);
    }
    return WS_OK;
}

/* Once it is known whether the function has a body. */
static inline ws_status ws_function_settle(ws_parser *parser, uint32_t index) {
    const ws_module *module = parser->module;
    const ws_span name = module->functions[index].name;
    const char *bytes = parser->cursor.text + name.begin;
    const size_t length = name.end - name.begin;
    const uint32_t top = ws_names_top(&parser->names, ws_name_hash(bytes, length), bytes, length);
    ws_declared *declared = &parser->names.items[top - 1].declared;
    if (declared->space != WS_NAME_FUNCTION) return WS_OK; /* a parameter of this name hides it */
    if (declared->thing == index || module->functions[index].is_declaration) return WS_OK;
    if (!module->functions[declared->thing].is_declaration) return ws_parser_named(parser, name, "has two bodies");
    declared->thing = index;
    return WS_OK;
}

/* From .entry or .func on, which is taken, to '{' or ';', which is not. */
static inline ws_status ws_function_header(ws_parser *parser, int linkage, bool is_entry, size_t at) {
    static const ws_function none = {{0, 0}, 0,     0,     0,     0,     0,         0,         0,         0, 0, 0,
                                     0,      false, false, false, false, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}, 0, 0, 0};
    ws_module *module = parser->module;
    const uint32_t index = module->function_count;
    ws_function *function = &module->functions[index];
    ws_variable unused = ws_variable_make(index);
    bool more = true;
    WS_RETURN_IF_ERROR(ws_parser_room(parser, &module->function_count, parser->room.functions, 1));
    *function = none;
    function->at = (uint32_t)at;
    function->linkage = (uint8_t)linkage;
    function->is_entry = is_entry;
    function->first_register = module->register_count;
    function->first_statement = module->statement_count;
    function->definition = index;
    parser->function = index;
    parser->location = WS_NO_INDEX;
    ws_keys_clear(&parser->registers);
    WS_RETURN_IF_ERROR(ws_variable_attribute(parser, &unused));
    if (!is_entry) WS_RETURN_IF_ERROR(ws_parameters_take(parser, &function->first_return, &function->return_count));
    WS_RETURN_IF_ERROR(ws_function_name(parser, ws_parser_name(parser), index));
    WS_RETURN_IF_ERROR(ws_parameters_take(parser, &function->first_parameter, &function->parameter_count));
    WS_RETURN_IF_ERROR(ws_symbols_open(parser));
    WS_RETURN_IF_ERROR(ws_parameters_declare(parser, function->first_return, function->return_count));
    WS_RETURN_IF_ERROR(ws_parameters_declare(parser, function->first_parameter, function->parameter_count));
    while (more) WS_RETURN_IF_ERROR(ws_function_directive(parser, function, &more));
    return WS_OK;
}

/* L, M or f, g: branches go to labels, which may come later, calls to functions. */
static inline ws_status ws_targets_take(ws_parser *parser, bool are_labels) {
    do {
        ws_item item;
        const ws_span target = ws_parser_name(parser);
        if (ws_span_is_empty(target))
            return ws_parser_expected(parser, are_labels ? "a label" : "the name of a function");
        WS_RETURN_IF_ERROR(ws_item_named(parser, target, are_labels, &item));
        if (are_labels && item.kind != WS_ITEM_LABEL)
            return ws_parser_named(parser, target, "is not a label; .branchtargets lists labels of this function");
        if (!are_labels && item.kind != WS_ITEM_FUNCTION)
            return ws_parser_named(parser, target, "is not a function; .calltargets lists functions");
        WS_RETURN_IF_ERROR(ws_items_add(parser, &item));
    } while (ws_parser_take(parser, ','));
    return WS_OK;
}

/* .branchtargets, .calltargets or .callprototype after a label; *found: whether one of them stands there. */
static inline ws_status ws_list_take(ws_parser *parser, ws_span name, bool *found) {
    static const char *const words[] = {"branchtargets", "calltargets", "callprototype"};
    ws_module *module = parser->module;
    const uint32_t index = module->list_count;
    ws_list list = {{0, 0}, 0, false, 0, 0, 0, 0, 0, 0};
    int kind;
    for (kind = 0; kind < 3 && !ws_parser_directive(parser, words[kind]); kind++) {
    }
    *found = kind < 3;
    if (!*found) return WS_OK;
    list.name = name;
    list.kind = (uint8_t)kind;
    WS_RETURN_IF_ERROR(ws_parser_room(parser, &module->list_count, parser->room.lists, 1));
    WS_RETURN_IF_ERROR(ws_symbol_declare(parser, name, WS_NO_FAMILY, WS_NAME_LIST, index));
    list.first_item = module->item_count;
    if (kind == WS_LIST_CALLPROTOTYPE) {
        WS_RETURN_IF_ERROR(ws_parameters_take(parser, &list.first_return, &list.return_count));
        if (!ws_parser_keyword(parser, "_")) return ws_parser_expected(parser, "'_'");
        WS_RETURN_IF_ERROR(ws_parameters_take(parser, &list.first_parameter, &list.parameter_count));
        list.noreturn = ws_parser_directive(parser, "noreturn");
        while (ws_parser_directive(parser, "abi_preserve") || ws_parser_directive(parser, "abi_preserve_control")) {
            uint32_t ignored;
            WS_RETURN_IF_ERROR(ws_parser_number32(parser, &ignored));
        }
    } else {
        WS_RETURN_IF_ERROR(ws_targets_take(parser, kind == WS_LIST_BRANCHTARGETS));
    }
    list.item_count = module->item_count - list.first_item;
    module->lists[index] = list;
    return ws_parser_need(parser, ';', "',' or ';'");
}

#endif
