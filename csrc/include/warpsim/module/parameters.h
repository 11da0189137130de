/* Parameters of functions and prototypes: what they take and what they return.
 *
 *     (.param .u64 .ptr .global .align 16 a, .reg .b32 %b, .param .align 8 .b8 c[24])
 *
 * "Kernel Function Parameters" and "Device Function Parameters" of the PTX ISA. */
#ifndef WARPSIM_MODULE_PARAMETERS_H
#define WARPSIM_MODULE_PARAMETERS_H

#include "variables.h"

/* A parameter, whose name means nothing yet. */
static inline ws_status ws_parameter_take(ws_parser *parser) {
    ws_module *module = parser->module;
    ws_variable variable = ws_variable_make(parser->function);
    ws_initial initial;
    variable.is_parameter = true;
    WS_RETURN_IF_ERROR(ws_variable_prefix(parser, true, &variable));
    variable.name = ws_parser_name(parser);
    if (ws_span_is_empty(variable.name)) return ws_parser_expected(parser, "the name of a parameter");
    WS_RETURN_IF_ERROR(ws_variable_extents(parser, &variable, &initial));
    variable.definition = module->variable_count;
    WS_RETURN_IF_ERROR(ws_parser_room(parser, &module->variable_count, parser->room.variables, 1));
    module->variables[variable.definition] = variable;
    return WS_OK;
}

/* Makes the names of parameters mean them, in the innermost scope. */
static inline ws_status ws_parameters_declare(ws_parser *parser, uint32_t first, uint32_t count) {
    uint32_t i;
    for (i = first; i < first + count; i++) {
        ws_variable *variable = &parser->module->variables[i];
        const ws_span name = variable->name;
        int64_t number;
        if (ws_parser_is(parser, name, "_")) return ws_parser_named(parser, name, "is not a name for a parameter");
        if (variable->space != WS_NAME_REG) {
            WS_RETURN_IF_ERROR(ws_symbol_declare(parser, name, WS_NO_FAMILY, variable->space, i));
            continue;
        }
        if (parser->module->functions[parser->function].is_entry) {
            return ws_parser_named(parser, name, "is in .reg; the parameters of an entry are in .param");
        }
        WS_RETURN_IF_ERROR(ws_register_declare(parser, variable, name, WS_NO_FAMILY));
        WS_RETURN_IF_ERROR(ws_symbol_use(
            parser,
            ws_names_declaration(&parser->names, parser->cursor.text + name.begin, name.end - name.begin, &number), 0,
            name, &variable->reg));
    }
    return WS_OK;
}

/* (.param .b32 a, .param .b64 b), or nothing. */
static inline ws_status ws_parameters_take(ws_parser *parser, uint32_t *first, uint32_t *count) {
    *first = parser->module->variable_count;
    *count = 0;
    if (!ws_parser_take(parser, '(')) return WS_OK;
    if (ws_parser_take(parser, ')')) return WS_OK;
    do {
        WS_RETURN_IF_ERROR(ws_parameter_take(parser));
    } while (ws_parser_take(parser, ','));
    *count = parser->module->variable_count - *first;
    return ws_parser_need(parser, ')', "',' or ')'");
}

#endif
