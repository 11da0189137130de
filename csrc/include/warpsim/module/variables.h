/* Declarations of variables, registers and parameters.
 *
 *     .visible .global .align 16 .v2 .f32 table[4][2] = {...}, more;
 *     .reg .b32 %r<10>, %x;      .param .u64 .ptr .global .align 16 a
 *
 * "State Spaces, Types, and Variables" of the PTX ISA. */
#ifndef WARPSIM_MODULE_VARIABLES_H
#define WARPSIM_MODULE_VARIABLES_H

#include "../base/apart.h"
#include "initial.h"

/* The type after the dot at the cursor: one that variables can have. Opaque ones have no type, but a size. */
static inline ws_status ws_variable_type(ws_parser *parser, ws_variable *variable) {
    const ws_span word = ws_parser_word(parser, true);
    int type;
    for (type = WS_TYPE_NONE + 1; type < WS_TYPE_COUNT; type++) {
        if (ws_parser_is(parser, word, ws_type_word(type))) break;
    }
    variable->type = WS_TYPE_NONE;
    if (ws_parser_is(parser, word, "texref") || ws_parser_is(parser, word, "samplerref") ||
        ws_parser_is(parser, word, "surfref")) {
        variable->nbytes = 8;
    } else {
        const bool plain = (type >= WS_TYPE_B8 && type <= WS_TYPE_F16) || type == WS_TYPE_F16X2 || type == WS_TYPE_B128;
        const bool predicate = type == WS_TYPE_PRED && variable->space == WS_NAME_REG;
        if (!plain && !predicate) return ws_parser_expected(parser, "a type that variables can have, such as .b32");
        variable->type = (uint8_t)type;
        variable->nbytes = (uint64_t)(ws_type_bits(type) + 7) / 8 * variable->vec;
        if (variable->nbytes > 16 || (predicate && variable->vec > 1)) {
            return ws_parser_expected(parser, "a vector of at most 128 bits");
        }
    }
    if (variable->align == 0) variable->align = (uint32_t)variable->nbytes;
    ws_parser_go(parser, word.end);
    return WS_OK;
}

static inline ws_status ws_variable_align(ws_parser *parser, uint32_t *align) {
    const size_t at = parser->cursor.at;
    if (!ws_parser_directive(parser, "align")) return WS_OK;
    WS_RETURN_IF_ERROR(ws_parser_number32(parser, align));
    if (*align != 0 && (*align & (*align - 1)) == 0) return WS_OK;
    return ws_parser_wrong(parser, ws_span_make(at, parser->cursor.at), "an alignment is a power of two");
}

/* .attribute(.managed), .attribute(.unified(1, 2)) */
WS_ONCE ws_status ws_variable_attribute(ws_parser *parser, ws_variable *variable) {
    uint64_t ignored;
    if (!ws_parser_directive(parser, "attribute")) return WS_OK;
    WS_RETURN_IF_ERROR(ws_parser_need(parser, '(', "'('"));
    do {
        if (ws_parser_directive(parser, "managed")) {
            variable->is_managed = true;
        } else if (ws_parser_directive(parser, "unified")) {
            WS_RETURN_IF_ERROR(ws_parser_need(parser, '(', "'('"));
            WS_RETURN_IF_ERROR(ws_parser_number(parser, UINT64_MAX, &ignored));
            WS_RETURN_IF_ERROR(ws_parser_need(parser, ',', "','"));
            WS_RETURN_IF_ERROR(ws_parser_number(parser, UINT64_MAX, &ignored));
            WS_RETURN_IF_ERROR(ws_parser_need(parser, ')', "')'"));
        } else {
            return ws_parser_expected(parser, ".managed or .unified");
        }
    } while (ws_parser_take(parser, ','));
    return ws_parser_need(parser, ')', "')'");
}

/* .ptr .global .align 16, of a parameter */
static inline ws_status ws_variable_pointer(ws_parser *parser, ws_variable *variable) {
    int space;
    if (!ws_parser_directive(parser, "ptr")) return WS_OK;
    variable->is_pointer = true;
    for (space = WS_NAME_REG + 1; space < WS_NAME_SPACE_COUNT; space++) {
        if (ws_parser_directive(parser, ws_name_space_word(space))) variable->pointer_space = (uint8_t)space;
    }
    return ws_variable_align(parser, &variable->pointer_align);
}

/* What the names after it share: space, alignment, vector, type. `header`: as a parameter. */
static inline ws_status ws_variable_prefix(ws_parser *parser, bool header, ws_variable *variable) {
    int space;
    WS_RETURN_IF_ERROR(ws_variable_attribute(parser, variable));
    WS_RETURN_IF_ERROR(ws_variable_align(parser, &variable->align));
    for (space = WS_NAME_REG; space < WS_NAME_SPACE_COUNT; space++) {
        if (ws_parser_directive(parser, ws_name_space_word(space))) break;
    }
    if (space == WS_NAME_SPACE_COUNT) return ws_parser_expected(parser, "a state space such as .global");
    variable->space = (uint8_t)space;
    if (header && space != WS_NAME_REG && space != WS_NAME_PARAM)
        return ws_parser_expected(parser, "a parameter in .param or .reg");
    WS_RETURN_IF_ERROR(ws_variable_attribute(parser, variable));
    WS_RETURN_IF_ERROR(ws_variable_align(parser, &variable->align));
    variable->vec = ws_parser_directive(parser, "v2") ? 2 : ws_parser_directive(parser, "v4") ? 4 : 1;
    WS_RETURN_IF_ERROR(ws_variable_type(parser, variable));
    return header ? ws_variable_pointer(parser, variable) : WS_OK;
}

static inline ws_variable ws_variable_make(uint32_t function) {
    static const ws_variable none = {{0, 0}, 0, 0, 0, 0, 0,     0,     0,     0,     0,    0,
                                     0,      0, 1, 0, 0, false, false, false, false, false};
    ws_variable variable = none;
    variable.function = function;
    variable.reg = WS_NO_INDEX;
    return variable;
}

/* [4][2], [] or [][2] after a name: bytes of each step, and of the whole. */
static inline ws_status ws_variable_extents(ws_parser *parser, ws_variable *variable, ws_initial *initial) {
    uint64_t bytes = variable->nbytes;
    uint32_t level;
    initial->levels = 0;
    initial->open = false;
    initial->element = bytes / variable->vec;
    while (ws_parser_take(parser, '[')) {
        uint64_t *extent = &initial->extent[initial->levels];
        *extent = 0;
        if (initial->levels == WS_MOST_EXTENTS) return ws_parser_expected(parser, "fewer dimensions");
        if (ws_parser_peek(parser) != ']' || initial->levels > 0) {
            WS_RETURN_IF_ERROR(ws_parser_number(parser, INT64_MAX, extent));
        }
        initial->open = initial->open || *extent == 0;
        if (*extent == 0 && initial->levels > 0) return ws_parser_expected(parser, "a dimension above 0");
        WS_RETURN_IF_ERROR(ws_parser_need(parser, ']', "']'"));
        initial->levels++;
    }
    variable->is_array = initial->levels > 0;
    if (variable->vec > 1) initial->extent[initial->levels++] = variable->vec;
    bytes = initial->element;
    for (level = initial->levels; level > 0; level--) {
        initial->stride[level - 1] = bytes;
        if (initial->extent[level - 1] != 0 && bytes > INT64_MAX / initial->extent[level - 1]) {
            return ws_parser_named(parser, variable->name, "is too large for any memory");
        }
        bytes *= initial->extent[level - 1];
    }
    variable->nbytes = bytes;
    return WS_OK;
}

/* Adds the variable, and makes its name mean it. */
static inline ws_status ws_variable_add(ws_parser *parser, ws_variable *variable) {
    ws_module *module = parser->module;
    const char *bytes = parser->cursor.text + variable->name.begin;
    const size_t length = variable->name.end - variable->name.begin;
    const uint32_t index = module->variable_count;
    const uint32_t top = ws_names_top(&parser->names, ws_name_hash(bytes, length), bytes, length);
    ws_name *before = top != 0 && parser->names.depth == 0 ? &parser->names.items[top - 1] : NULL;
    const ws_variable *old = NULL;
    WS_RETURN_IF_ERROR(ws_parser_room(parser, &module->variable_count, parser->room.variables, 1));
    variable->definition = index;
    module->variables[index] = *variable;
    if (before != NULL && before->declared.space == variable->space) old = &module->variables[before->declared.thing];
    if (old == NULL || (old->linkage != WS_LINKAGE_EXTERN && variable->linkage != WS_LINKAGE_EXTERN)) {
        return ws_symbol_declare(parser, variable->name, WS_NO_FAMILY, variable->space, index);
    }
    if (old->linkage == WS_LINKAGE_EXTERN) before->declared.thing = index;
    return WS_OK;
}

/* %r<10>: the number of names, or WS_NO_FAMILY. */
static inline ws_status ws_variable_family(ws_parser *parser, int64_t *count) {
    uint64_t number = 0;
    *count = WS_NO_FAMILY;
    if (!ws_parser_take(parser, '<')) return WS_OK;
    WS_RETURN_IF_ERROR(ws_parser_number(parser, UINT32_MAX, &number));
    *count = (int64_t)number;
    return ws_parser_need(parser, '>', "'>'");
}

static inline ws_status ws_register_declare(ws_parser *parser, const ws_variable *shared, ws_span name, int64_t count) {
    return ws_symbol_declare(parser, name, count, WS_NAME_REG, ws_symbol_register(shared->type, shared->vec));
}

/* One name of a declaration, with what belongs to it. */
static inline ws_status ws_variable_declare(ws_parser *parser, const ws_variable *shared) {
    ws_variable variable = *shared;
    ws_initial initial;
    int64_t count;
    variable.name = ws_parser_name(parser);
    if (ws_span_is_empty(variable.name) || ws_parser_is(parser, variable.name, "_")) {
        parser->cursor.at = variable.name.begin;
        return ws_parser_expected(parser, "a name");
    }
    WS_RETURN_IF_ERROR(ws_variable_family(parser, &count));
    if (shared->space == WS_NAME_REG) return ws_register_declare(parser, shared, variable.name, count);
    if (count != WS_NO_FAMILY) {
        ws_parser_named(parser, variable.name, "is not modelled: name each of these variables");
        return WS_NOT_MODELLED;
    }
    WS_RETURN_IF_ERROR(ws_variable_extents(parser, &variable, &initial));
    if (ws_parser_peek(parser) == '=') WS_RETURN_IF_ERROR(ws_initial_take(parser, &variable, &initial));
    if (initial.open && !variable.has_initial && variable.linkage != WS_LINKAGE_EXTERN) {
        return ws_parser_named(parser, variable.name, "does not say how large it is; only .extern leaves that open");
    }
    return ws_variable_add(parser, &variable);
}

/* A whole declaration, from .extern or the like, or the space, to the semicolon. */
static inline ws_status ws_variables_take(ws_parser *parser, int linkage) {
    const size_t at = parser->cursor.at;
    ws_variable shared = ws_variable_make(parser->function);
    shared.linkage = (uint8_t)linkage;
    WS_RETURN_IF_ERROR(ws_variable_prefix(parser, false, &shared));
    if (parser->function == WS_NO_INDEX && shared.space != WS_NAME_GLOBAL && shared.space != WS_NAME_CONST &&
        shared.space != WS_NAME_SHARED) {
        return ws_parser_wrong(parser, ws_span_make(at, parser->cursor.at),
                               "only functions have variables in this space");
    }
    if (ws_parser_take(parser, ';')) return WS_OK;
    do {
        WS_RETURN_IF_ERROR(ws_variable_declare(parser, &shared));
    } while (ws_parser_take(parser, ','));
    return ws_parser_need(parser, ';', "',' or ';'");
}

#endif
