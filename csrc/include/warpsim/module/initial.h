/* Initial values of variables, as the bytes that they are.
 *
 *     = 5      = {{1, 2}, {3}}      = {1.0, 0f3F800000}      = generic(table)+8      = {0xFF(f), 0xFF00(f)}
 *
 * "Initializers" of the PTX ISA. Braces are counted, not nested calls; what is left out is 0. */
#ifndef WARPSIM_MODULE_INITIAL_H
#define WARPSIM_MODULE_INITIAL_H

#include "../base/apart.h"
#include "symbols.h"

enum { WS_MOST_EXTENTS = 16 };

/* The shape of an array of vectors. */
typedef struct ws_initial {
    uint64_t extent[WS_MOST_EXTENTS + 1]; /* of each dimension, the outermost first; a vector is the last one */
    uint64_t stride[WS_MOST_EXTENTS + 1]; /* bytes from one to the next */
    uint64_t index[WS_MOST_EXTENTS + 1];
    uint64_t element; /* bytes of one scalar */
    uint32_t levels;
    bool open; /* the first extent is not known */
} ws_initial;

static inline uint64_t ws_initial_at(const ws_initial *initial) {
    uint64_t at = 0;
    uint32_t i;
    for (i = 0; i < initial->levels; i++) at += initial->index[i] * initial->stride[i];
    return at;
}

/* Bytes of a value, the lowest first; of 128 bits the upper half is 0, as the assembler has it. */
static inline ws_status ws_initial_bytes(ws_parser *parser, ws_variable *variable, uint64_t at, uint64_t bits,
                                         uint64_t count) {
    ws_module *module = parser->module;
    const uint32_t first = module->byte_count;
    ws_initial_run *run = variable->run_count > 0 ? &module->runs[module->run_count - 1] : NULL;
    uint64_t i;
    WS_RETURN_IF_ERROR(ws_parser_room(parser, &module->byte_count, parser->room.bytes, count));
    for (i = 0; i < count; i++) module->bytes[first + i] = (uint8_t)(i < 8 ? bits >> 8 * i : 0);
    if (run == NULL || run->at + run->count != at) {
        if (run == NULL) variable->first_run = module->run_count;
        WS_RETURN_IF_ERROR(ws_parser_room(parser, &module->run_count, parser->room.runs, 1));
        run = &module->runs[module->run_count - 1];
        run->at = at;
        run->first = first;
        run->count = 0;
        variable->run_count++;
    }
    run->count += count;
    return WS_OK;
}

/* A constant as an element of the variable's type. */
static inline ws_status ws_initial_constant(ws_parser *parser, ws_variable *variable, const ws_initial *initial,
                                            size_t at, const ws_folded *value) {
    const int type = variable->type;
    const bool is_float = type == WS_TYPE_F32 || type == WS_TYPE_F64;
    const bool holds_float = is_float || type == WS_TYPE_B32 || type == WS_TYPE_B64;
    uint64_t bits = value->bits;
    if (ws_folded_is_float(value) ? !holds_float : is_float || type == WS_TYPE_F16 || type == WS_TYPE_F16X2) {
        return ws_parser_wrong(parser, ws_span_make(at, parser->cursor.at),
                               is_float ? "this variable takes numbers such as 1.0" : "this variable takes integers");
    }
    if (value->kind == WS_CONSTANT_F64 && initial->element == 4) bits = ws_float32_of_float64(bits);
    return ws_initial_bytes(parser, variable, ws_initial_at(initial), bits, initial->element);
}

/* name, name+4, generic(name), generic(name)+4 */
static inline ws_status ws_initial_symbol(ws_parser *parser, ws_relocation *relocation) {
    ws_span name = ws_parser_name(parser);
    const ws_declared *declared;
    ws_folded addend;
    relocation->is_generic = ws_parser_is(parser, name, "generic") && ws_parser_take(parser, '(');
    if (relocation->is_generic) name = ws_parser_name(parser);
    if (ws_span_is_empty(name)) return ws_parser_expected(parser, "the name of a variable or a function");
    if (relocation->is_generic) WS_RETURN_IF_ERROR(ws_parser_need(parser, ')', "')'"));
    declared = ws_names_find(&parser->names, parser->cursor.text + name.begin, name.end - name.begin);
    if (declared == NULL) return ws_parser_named(parser, name, "is not declared; declare it before it is used");
    relocation->is_function = declared->space == WS_NAME_FUNCTION;
    if (!relocation->is_function && declared->space != WS_NAME_GLOBAL && declared->space != WS_NAME_CONST) {
        return ws_parser_named(parser, name, "has no address that is known before the kernel runs");
    }
    relocation->symbol = declared->thing;
    if (!ws_parser_take(parser, '+')) return WS_OK;
    WS_RETURN_IF_ERROR(ws_fold_integer(&parser->cursor, &addend));
    relocation->addend = addend.bits;
    return WS_OK;
}

/* The address of a symbol, or the byte of it that the mask has; `at`: where the element begins in the text. */
static inline ws_status ws_initial_address(ws_parser *parser, ws_variable *variable, const ws_initial *initial,
                                           size_t at, const ws_folded *mask) {
    ws_module *module = parser->module;
    ws_relocation relocation = {0, 0, 0, 0, 0, false, false};
    relocation.at = ws_initial_at(initial);
    relocation.nbytes = (uint8_t)initial->element;
    if (mask != NULL) {
        while (relocation.shift < 64 && mask->bits != UINT64_C(0xFF) << relocation.shift) relocation.shift += 8;
        if (relocation.shift == 64) {
            return ws_parser_wrong(parser, ws_span_make(at, parser->cursor.at), "a mask has one byte, as 0xFF00 has");
        }
        ws_parser_take(parser, '(');
    }
    WS_RETURN_IF_ERROR(ws_initial_symbol(parser, &relocation));
    if (mask != NULL) WS_RETURN_IF_ERROR(ws_parser_need(parser, ')', "')'"));
    if (mask == NULL && (initial->element < 4 || initial->element > 8)) {
        return ws_parser_wrong(parser, ws_span_make(at, parser->cursor.at), "an address takes 32 or 64 bits");
    }
    if (variable->relocation_count == 0) variable->first_relocation = module->relocation_count;
    WS_RETURN_IF_ERROR(ws_parser_room(parser, &module->relocation_count, parser->room.relocations, 1));
    module->relocations[module->relocation_count - 1] = relocation;
    variable->relocation_count++;
    return WS_OK;
}

WS_ONCE ws_status ws_initial_element(ws_parser *parser, ws_variable *variable, const ws_initial *initial) {
    const size_t at = parser->cursor.at;
    const ws_span name = ws_parser_name(parser);
    ws_folded value;
    parser->cursor.at = at;
    if (!ws_span_is_empty(name)) return ws_initial_address(parser, variable, initial, at, NULL);
    WS_RETURN_IF_ERROR(ws_fold(&parser->cursor, 0, 0, &value));
    if (ws_parser_peek(parser) == '(') return ws_initial_address(parser, variable, initial, at, &value);
    return ws_initial_constant(parser, variable, initial, at, &value);
}

/* After an element at this depth: closes what ends. *depth: of the next element, or 0 at the end. */
static inline ws_status ws_initial_next(ws_parser *parser, const ws_variable *variable, ws_initial *initial,
                                        uint32_t *depth) {
    while (*depth > 0) {
        const uint32_t level = *depth - 1;
        const bool is_vector = variable->vec > 1 && *depth == initial->levels;
        initial->index[level]++;
        if (ws_parser_peek(parser) == ',') {
            if (initial->index[level] >= initial->extent[level] && !(level == 0 && initial->open)) {
                return ws_parser_expected(parser, "'}': there are no more elements");
            }
            ws_parser_take(parser, ',');
            return WS_OK;
        }
        if (is_vector && initial->index[level] != initial->extent[level]) {
            return ws_parser_expected(parser, "',': a vector has all its elements");
        }
        WS_RETURN_IF_ERROR(ws_parser_need(parser, '}', "',' or '}'"));
        --*depth;
    }
    return WS_OK;
}

/* { addr_mode_0 = clamp_to_edge, ... } of a sampler: nothing of it is kept. */
static inline ws_status ws_initial_opaque(ws_parser *parser) {
    WS_RETURN_IF_ERROR(ws_parser_need(parser, '{', "'{'"));
    while (parser->cursor.at < parser->cursor.length && ws_parser_peek(parser) != '}') {
        if (ws_parser_peek(parser) == ';') break;
        ws_parser_go(parser, parser->cursor.at + 1);
    }
    return ws_parser_need(parser, '}', "'}'");
}

/* Takes "= ..."; of x[] the first extent is what the braces hold. */
static inline ws_status ws_initial_take(ws_parser *parser, ws_variable *variable, ws_initial *initial) {
    uint32_t depth = 0, i;
    if (variable->space != WS_NAME_GLOBAL && variable->space != WS_NAME_CONST) {
        return ws_parser_expected(parser, "',' or ';': only .global and .const have initial values");
    }
    ws_parser_take(parser, '=');
    variable->has_initial = true;
    if (variable->type == WS_TYPE_NONE) return ws_initial_opaque(parser);
    for (i = 0; i < initial->levels; i++) initial->index[i] = 0;
    if (initial->levels == 0) return ws_initial_element(parser, variable, initial);
    do {
        bool empty = false;
        while (depth < initial->levels && !empty) {
            WS_RETURN_IF_ERROR(ws_parser_need(parser, '{', "'{'"));
            initial->index[depth++] = 0;
            empty = ws_parser_peek(parser) == '}';
        }
        if (empty) {
            ws_parser_take(parser, '}');
            depth--;
        } else {
            WS_RETURN_IF_ERROR(ws_initial_element(parser, variable, initial));
        }
        WS_RETURN_IF_ERROR(ws_initial_next(parser, variable, initial, &depth));
    } while (depth > 0);
    if (!initial->open) return WS_OK;
    if (initial->stride[0] > INT64_MAX / (initial->index[0] + 1)) return ws_parser_expected(parser, "a smaller array");
    variable->nbytes = initial->index[0] * initial->stride[0];
    return WS_OK;
}

#endif
