/* Names of a PTX file and what they stand for; scopes; labels that are used before they are declared.
 *
 *     { bra L;        L is wanted: item 0
 *       { bra L; }    L is wanted: item 1, then 0
 *       L:  }         at the end of the scope of L all items from its beginning on are this L
 *
 * A register of a family gets its index when it occurs first, so a family of a million costs nothing. */
#ifndef WARPSIM_MODULE_SYMBOLS_H
#define WARPSIM_MODULE_SYMBOLS_H

#include "parser.h"

/* Registers: the type, and the components of a vector. */
static inline uint32_t ws_symbol_register(int type, int vec) { return (uint32_t)type | (uint32_t)vec << 8; }

/* Adds a name; `declared->type` is where it is. */
static inline ws_status ws_symbol_add(ws_parser *parser, ws_names *names, int64_t count, const ws_declared *declared,
                                      size_t length) {
    if (names->count >= names->capacity) return ws_parser_full(parser);
    ws_names_add(names, declared->type, length, count, declared);
    return WS_OK;
}

/* Declares a name in the innermost scope; a family of `count`, or WS_NO_FAMILY. */
static inline ws_status ws_symbol_declare(ws_parser *parser, ws_span name, int64_t count, int space, uint32_t thing) {
    const char *bytes = parser->cursor.text + name.begin;
    const size_t length = name.end - name.begin;
    ws_names *names = &parser->names;
    ws_declared declared = {NULL, 0, 0, 0};
    const ws_name *before;
    int64_t number;
    if (count == WS_NO_FAMILY) {
        before = ws_names_declaration(names, bytes, length, &number);
    } else {
        const uint32_t top = ws_names_top(names, ws_name_hash(bytes, length), bytes, length);
        before = top != 0 ? &names->items[top - 1] : NULL;
        if (before != NULL && before->count == WS_NO_FAMILY) before = NULL;
    }
    if (before != NULL && before->depth == names->depth) return ws_parser_named(parser, name, "is declared twice");
    declared.type = bytes;
    declared.space = (uint8_t)space;
    declared.thing = thing;
    return ws_symbol_add(parser, names, count, &declared, length);
}

/* The index of a register that was declared by this name; of its first component, if it is a vector. */
static inline ws_status ws_symbol_use(ws_parser *parser, const ws_name *declaration, int64_t number, ws_span name,
                                      uint32_t *index) {
    ws_module *module = parser->module;
    const uint64_t begin = (uint64_t)(declaration->bytes - parser->cursor.text);
    const uint64_t key = begin << 32 | (declaration->count == WS_NO_FAMILY ? 0 : (uint64_t)number);
    const uint32_t thing = declaration->declared.thing, first = module->functions[parser->function].first_register;
    const ws_key *known = ws_keys_find(&parser->registers, key);
    uint32_t at = module->register_count, part;
    if (known != NULL) {
        *index = known->value;
        return WS_OK;
    }
    WS_RETURN_IF_ERROR(ws_parser_room(parser, &module->register_count, parser->room.registers, thing >> 8));
    *index = at - first;
    if (ws_keys_add(&parser->registers, key, *index) == NULL) return ws_parser_full(parser);
    for (part = 0; part < thing >> 8; part++) {
        ws_register *reg = &module->registers[at + part];
        reg->name = name;
        reg->type = (uint8_t)thing;
        reg->part = (uint8_t)part;
    }
    return WS_OK;
}

/* Adds an item whose label is not known yet to those that want it: its index becomes that of the one before. */
static inline ws_status ws_symbol_want(ws_parser *parser, uint32_t item) {
    ws_module *module = parser->module;
    ws_names *wanted = &parser->wanted;
    const char *bytes = parser->cursor.text + module->items[item].at;
    const size_t length = module->items[item].length;
    uint32_t number = ws_names_top(wanted, ws_name_hash(bytes, length), bytes, length);
    if (number == 0) {
        const ws_declared nothing = {bytes, 0, 0, WS_NO_INDEX};
        WS_RETURN_IF_ERROR(ws_symbol_add(parser, wanted, WS_NO_FAMILY, &nothing, length));
        number = (uint32_t)wanted->count;
    }
    module->items[item].index = wanted->items[number - 1].declared.thing;
    wanted->items[number - 1].declared.thing = item;
    return WS_OK;
}

/* Gives a label of the scope that ends to the items since its beginning that want it. */
static inline void ws_symbol_settle(ws_parser *parser, const ws_name *label, uint32_t first_item) {
    ws_names *wanted = &parser->wanted;
    const uint32_t number =
        ws_names_top(wanted, ws_name_hash(label->bytes, label->length), label->bytes, label->length);
    uint32_t item;
    if (number == 0) return;
    item = wanted->items[number - 1].declared.thing;
    while (item != WS_NO_INDEX && item >= first_item) {
        ws_item *use = &parser->module->items[item];
        item = use->index;
        use->index = label->declared.thing;
    }
    wanted->items[number - 1].declared.thing = item;
}

static inline ws_status ws_symbols_open(ws_parser *parser) {
    ws_names_open(&parser->names);
    if (parser->names.depth >= parser->room.scopes) return ws_parser_full(parser);
    parser->scopes[parser->names.depth] = parser->module->item_count;
    return WS_OK;
}

static inline void ws_symbols_close(ws_parser *parser) {
    const ws_names *names = &parser->names;
    size_t i;
    for (i = names->count; i > 0 && names->items[i - 1].depth == names->depth; i--) {
        if (names->items[i - 1].declared.space == WS_NAME_LABEL) {
            ws_symbol_settle(parser, &names->items[i - 1], parser->scopes[names->depth]);
        }
    }
    ws_names_close(&parser->names);
}

/* At the end of a function: no label may be wanted any more. */
static inline ws_status ws_symbols_finish(ws_parser *parser) {
    ws_names *wanted = &parser->wanted;
    size_t i;
    for (i = 0; i < wanted->count; i++) {
        const uint32_t item = wanted->items[i].declared.thing;
        if (item != WS_NO_INDEX) {
            const ws_item *use = &parser->module->items[item];
            return ws_parser_named(parser, ws_span_make(use->at, use->at + use->length),
                                   "is not declared; declare it before it is used, or put this label into the scope");
        }
    }
    ws_names_close(wanted);
    ws_names_open(wanted);
    return WS_OK;
}

#endif
