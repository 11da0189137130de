/* The operands that have parts, and the operands of a whole statement.
 *
 *     [%rd1+16]   [%rd1, {%r1, %r2}]   {%r1, _, 3}   (param0, %r1)   %p1|%p2
 *
 * Parts come before the operand that has them, so no operand is ever moved and nothing here calls itself. */
#ifndef WARPSIM_MODULE_OPERANDS_H
#define WARPSIM_MODULE_OPERANDS_H

#include "items.h"

enum {
    WS_MOST_OPERANDS = 64,    /* of a statement */
    WS_MOST_ADDRESS_PARTS = 4 /* [texture, sampler, {x, y}] */
};

/* Adds the items that are the parts of `item`. */
static inline ws_status ws_item_parts(ws_parser *parser, const ws_item *parts, uint32_t count, ws_item *item) {
    uint32_t i;
    item->first_part = parser->module->item_count;
    item->part_count = count;
    for (i = 0; i < count; i++) WS_RETURN_IF_ERROR(ws_items_add(parser, &parts[i]));
    return WS_OK;
}

/* A vector register: its components. */
static inline ws_status ws_item_components(ws_parser *parser, ws_item *item) {
    ws_item part = ws_item_make(WS_ITEM_REGISTER, item->at, item->at + item->length);
    uint32_t i;
    item->first_part = parser->module->item_count;
    for (i = 0; i < item->part_count; i++) {
        part.index = item->index + i;
        WS_RETURN_IF_ERROR(ws_items_add(parser, &part));
    }
    return WS_OK;
}

/* {a, b} or (a, b); an empty list only in parentheses. */
static inline ws_status ws_item_list(ws_parser *parser, int kind, ws_item *item) {
    const size_t at = parser->cursor.at;
    const bool braces = kind == WS_ITEM_VECTOR;
    ws_item part;
    *item = ws_item_make(kind, at, at + 1);
    item->first_part = parser->module->item_count;
    ws_parser_take(parser, braces ? '{' : '(');
    if (!braces && ws_parser_take(parser, ')')) return WS_OK;
    do {
        const size_t begin = parser->cursor.at;
        WS_RETURN_IF_ERROR(ws_item_simple(parser, false, &part));
        if (part.kind == WS_ITEM_VECTOR) {
            return ws_parser_wrong(parser, ws_span_make(begin, parser->cursor.at), "name one component of this vector");
        }
        WS_RETURN_IF_ERROR(ws_items_add(parser, &part));
        item->part_count++;
    } while (ws_parser_take(parser, ','));
    item->length = (uint32_t)(parser->cursor.at + 1 - at);
    return ws_parser_need(parser, braces ? '}' : ')', braces ? "',' or '}'" : "',' or ')'");
}

static inline ws_status ws_item_address_base(ws_parser *parser, ws_item *item) {
    const ws_span name = ws_parser_name(parser);
    ws_item base;
    if (ws_span_is_empty(name)) {
        ws_folded value;
        WS_RETURN_IF_ERROR(ws_fold_integer(&parser->cursor, &value));
        item->base_kind = WS_ITEM_INTEGER;
        item->value = value.bits;
        return WS_OK;
    }
    WS_RETURN_IF_ERROR(ws_item_named(parser, name, false, &base));
    if (base.kind != WS_ITEM_REGISTER && base.kind != WS_ITEM_VARIABLE) {
        return ws_parser_named(parser, name, "is not an address: it takes a register, a variable or a number");
    }
    item->base_kind = base.kind;
    item->index = base.index;
    item->value = base.value;
    item->selector = base.selector;
    return WS_OK;
}

/* [base + offset], with more items after commas; .unified may follow. */
static inline ws_status ws_item_address(ws_parser *parser, ws_item *item) {
    const size_t at = parser->cursor.at;
    ws_item parts[WS_MOST_ADDRESS_PARTS];
    uint32_t count = 0;
    *item = ws_item_make(WS_ITEM_ADDRESS, at, at + 1);
    ws_parser_take(parser, '[');
    WS_RETURN_IF_ERROR(ws_item_address_base(parser, item));
    while (ws_parser_take(parser, ',')) {
        if (count == WS_MOST_ADDRESS_PARTS) return ws_parser_expected(parser, "']'");
        if (ws_parser_peek(parser) == '{') {
            WS_RETURN_IF_ERROR(ws_item_list(parser, WS_ITEM_VECTOR, &parts[count]));
        } else {
            WS_RETURN_IF_ERROR(ws_item_simple(parser, false, &parts[count]));
            if (parts[count].kind == WS_ITEM_VECTOR) WS_RETURN_IF_ERROR(ws_item_components(parser, &parts[count]));
        }
        count++;
    }
    item->length = (uint32_t)(parser->cursor.at + 1 - at);
    WS_RETURN_IF_ERROR(ws_parser_need(parser, ']', "']', or '+' and an offset"));
    if (ws_parser_peek(parser) == '.' && !ws_parser_directive(parser, "unified")) {
        return ws_parser_expected(parser, "',' or ';'");
    }
    return ws_item_parts(parser, parts, count, item);
}

/* d|p: two items that are registers or _. */
static inline ws_status ws_item_pair(ws_parser *parser, ws_item *item) {
    ws_item parts[2];
    const size_t at = item->at;
    parts[0] = *item;
    ws_parser_take(parser, '|');
    WS_RETURN_IF_ERROR(ws_item_simple(parser, false, &parts[1]));
    if (parts[1].kind != WS_ITEM_REGISTER && parts[1].kind != WS_ITEM_SINK) {
        return ws_parser_wrong(parser, ws_span_make(parts[1].at, parts[1].at + parts[1].length),
                               "a register or '_' goes after '|'");
    }
    *item = ws_item_make(WS_ITEM_PAIR, at, parts[1].at + parts[1].length);
    return ws_item_parts(parser, parts, 2, item);
}

/* Parentheses are a list in a call, elsewhere a constant: (1+2)*3. */
static inline ws_status ws_item_operand(ws_parser *parser, bool call, ws_item *item) {
    const char c = ws_parser_peek(parser);
    if (c == '{') return ws_item_list(parser, WS_ITEM_VECTOR, item);
    if (c == '[') return ws_item_address(parser, item);
    if (c == '(' && call) return ws_item_list(parser, WS_ITEM_PARENTHESES, item);
    WS_RETURN_IF_ERROR(ws_item_simple(parser, true, item));
    if (item->kind == WS_ITEM_VECTOR) return ws_item_components(parser, item);
    if (ws_parser_peek(parser) != '|') return WS_OK;
    if (item->kind != WS_ITEM_REGISTER && item->kind != WS_ITEM_SINK) return ws_parser_expected(parser, "',' or ';'");
    return ws_item_pair(parser, item);
}

/* All operands up to the semicolon, which is taken. */
static inline ws_status ws_operands_take(ws_parser *parser, bool call, uint32_t *first, uint32_t *count) {
    ws_item items[WS_MOST_OPERANDS], all = ws_item_make(0, 0, 0);
    uint32_t given = 0;
    if (ws_parser_peek(parser) == '}') return ws_parser_expected(parser, "an operand or ';'");
    if (ws_parser_peek(parser) != ';') {
        do {
            if (given == WS_MOST_OPERANDS) return ws_parser_expected(parser, "';' after 64 operands");
            WS_RETURN_IF_ERROR(ws_item_operand(parser, call, &items[given]));
            given++;
        } while (ws_parser_take(parser, ','));
    }
    WS_RETURN_IF_ERROR(ws_parser_need(parser, ';', given == 0 ? "an operand or ';'" : "',' or ';'"));
    WS_RETURN_IF_ERROR(ws_item_parts(parser, items, given, &all));
    *first = all.first_part;
    *count = given;
    return WS_OK;
}

#endif
