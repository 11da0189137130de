/* The operands without parts.
 *
 *     %r1   %v.x   %r1.b0   -%r1   !%p1   _   smem+4   smem[1]   label   7   0f3F800000   %tid.x
 *
 * "Instruction Operands" of the PTX ISA, and what ptxas 13.0 accepts. */
#ifndef WARPSIM_MODULE_ITEMS_H
#define WARPSIM_MODULE_ITEMS_H

#include "symbols.h"

static inline ws_item ws_item_make(int kind, size_t at, size_t end) {
    ws_item item = {0, 0, false, false, 0, 0, 0, 0, 0, 0, 0};
    item.kind = (uint8_t)kind;
    item.at = (uint32_t)at;
    item.length = (uint32_t)(end - at);
    return item;
}

static inline ws_status ws_items_add(ws_parser *parser, const ws_item *item) {
    ws_module *module = parser->module;
    const uint32_t index = module->item_count;
    WS_RETURN_IF_ERROR(ws_parser_room(parser, &module->item_count, parser->room.items, 1));
    module->items[index] = *item;
    return item->kind == WS_ITEM_LABEL && item->index == WS_NO_INDEX ? ws_symbol_want(parser, index) : WS_OK;
}

/* "+ constant" after a register or a variable. */
static inline ws_status ws_item_addend(ws_parser *parser, uint64_t *addend) {
    ws_folded value;
    *addend = 0;
    if (!ws_parser_take(parser, '+')) return WS_OK;
    WS_RETURN_IF_ERROR(ws_fold_integer(&parser->cursor, &value));
    *addend = value.bits;
    return WS_OK;
}

/* Is it a register that PTX predefines? *vector: one with .x .y .z .w. */
static inline bool ws_item_is_special(const ws_parser *parser, ws_span name, bool *vector) {
    static const char *const words[] = {"tid",
                                        "ntid",
                                        "ctaid",
                                        "nctaid",
                                        "clusterid",
                                        "nclusterid",
                                        "cluster_ctaid",
                                        "cluster_nctaid", /* vectors */
                                        "laneid",
                                        "warpid",
                                        "nwarpid",
                                        "smid",
                                        "nsmid",
                                        "gridid",
                                        "is_explicit_cluster",
                                        "cluster_ctarank",
                                        "cluster_nctarank",
                                        "lanemask_eq",
                                        "lanemask_le",
                                        "lanemask_lt",
                                        "lanemask_ge",
                                        "lanemask_gt",
                                        "clock",
                                        "clock_hi",
                                        "clock64",
                                        "globaltimer",
                                        "globaltimer_lo",
                                        "globaltimer_hi",
                                        "reserved_smem_offset_begin",
                                        "reserved_smem_offset_end",
                                        "reserved_smem_offset_cap",
                                        "reserved_smem_offset_0",
                                        "reserved_smem_offset_1",
                                        "total_smem_size",
                                        "aggr_smem_size",
                                        "dynamic_smem_size",
                                        "current_graph_exec",
                                        "pm0_64",
                                        "pm1_64",
                                        "pm2_64",
                                        "pm3_64",
                                        "pm4_64",
                                        "pm5_64",
                                        "pm6_64",
                                        "pm7_64"};
    const char *word = parser->cursor.text + name.begin + 1;
    const size_t count = name.end - name.begin - 1;
    size_t i;
    *vector = false;
    if (word[-1] != '%') return false;
    for (i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (ws_bytes_equal(word, count, words[i])) {
            *vector = i < 8;
            return true;
        }
    }
    if (count == 3 && word[0] == 'p' && word[1] == 'm') return word[2] >= '0' && word[2] <= '7';
    if (count < 7 || count > 8 || !ws_bytes_equal(word, 6, "envreg") || !ws_char_is_digit(word[6])) return false;
    return count == 7 ||
           (word[6] >= '1' && word[6] <= '3' && word[7] >= '0' && word[7] <= (word[6] == '3' ? '1' : '9'));
}

/* The component that .x, .y, .z, .w or .r, .g, .b, .a names, or -1. */
static inline int ws_item_component(const ws_parser *parser, ws_span word) {
    static const char letters[] = "xyzwrgba";
    const char c = parser->cursor.text[word.begin];
    int i;
    if (word.end - word.begin != 1) return -1;
    for (i = 0; i < 8 && letters[i] != c; i++) {
    }
    return i < 8 ? i % 4 : -1;
}

static inline ws_status ws_item_special(ws_parser *parser, ws_span name, bool vector, ws_item *item) {
    const ws_span word = ws_parser_word(parser, true);
    *item = ws_item_make(WS_ITEM_SPECIAL, name.begin, name.end);
    item->index = WS_NO_INDEX;
    if (!vector || ws_parser_peek(parser) != '.') return WS_OK;
    if (ws_item_component(parser, word) < 0) return ws_parser_expected(parser, ".x, .y, .z or .w");
    item->index = (uint32_t)ws_item_component(parser, word);
    ws_parser_go(parser, word.end);
    return WS_OK;
}

/* %r1, with .b0 or .h1 after it, or %v.x; a whole vector register becomes its parts, where that fits. */
static inline ws_status ws_item_register(ws_parser *parser, const ws_name *declaration, int64_t number, ws_span name,
                                         ws_item *item) {
    const ws_span word = ws_parser_word(parser, true);
    const uint32_t vec = declaration->declared.thing >> 8;
    const char *letters = parser->cursor.text + word.begin;
    const int component = vec > 1 && !ws_span_is_empty(word) ? ws_item_component(parser, word) : 0;
    size_t i;
    *item = ws_item_make(WS_ITEM_REGISTER, name.begin, name.end);
    WS_RETURN_IF_ERROR(ws_symbol_use(parser, declaration, number, name, &item->index));
    if (ws_parser_peek(parser) != '.') {
        if (vec == 1) return ws_item_addend(parser, &item->value);
        item->kind = WS_ITEM_VECTOR;
        item->part_count = vec;
        return WS_OK;
    }
    if (vec > 1) {
        if (component < 0 || component >= (int)vec) return ws_parser_expected(parser, "a component such as .x");
        item->index += (uint32_t)component;
    } else {
        for (i = 1; i < word.end - word.begin && ws_char_is_digit(letters[i]); i++) {
        }
        if (i < 2 || i < word.end - word.begin || (letters[0] != 'b' && letters[0] != 'h')) {
            return ws_parser_expected(parser, "a part of a register such as .b0 or .h1");
        }
        item->selector = (uint32_t)parser->cursor.at;
    }
    ws_parser_go(parser, word.end);
    return WS_OK;
}

/* A variable: smem, smem+4, smem[1]. */
static inline ws_status ws_item_variable(ws_parser *parser, ws_item *item) {
    const ws_variable *variable = &parser->module->variables[item->index];
    ws_folded value;
    if (ws_parser_peek(parser) != '[') return ws_item_addend(parser, &item->value);
    ws_parser_take(parser, '[');
    WS_RETURN_IF_ERROR(ws_fold_integer(&parser->cursor, &value));
    item->value = value.bits * ((uint64_t)variable->vec * (uint64_t)ws_type_bits(variable->type) / 8);
    return ws_parser_need(parser, ']', "']'");
}

/* What a name stands for, with what may follow it. `label`: it may be a label that is declared later. */
static inline ws_status ws_item_named(ws_parser *parser, ws_span name, bool label, ws_item *item) {
    int64_t number;
    bool vector;
    const ws_name *declaration =
        ws_names_declaration(&parser->names, parser->cursor.text + name.begin, name.end - name.begin, &number);
    *item = ws_item_make(WS_ITEM_LABEL, name.begin, name.end);
    item->index = WS_NO_INDEX;
    if (declaration == NULL) {
        if (ws_item_is_special(parser, name, &vector)) return ws_item_special(parser, name, vector, item);
        label = label && (parser->cursor.text[name.begin] != '%' || parser->room.percent_labels);
        return label ? WS_OK : ws_parser_named(parser, name, "is not declared; declare it before it is used");
    }
    item->index = declaration->declared.thing;
    switch (declaration->declared.space) {
        case WS_NAME_REG: return ws_item_register(parser, declaration, number, name, item);
        case WS_NAME_FUNCTION: item->kind = WS_ITEM_FUNCTION; return WS_OK;
        case WS_NAME_LABEL: return WS_OK;
        case WS_NAME_LIST: item->kind = WS_ITEM_LIST; return WS_OK;
        default: item->kind = WS_ITEM_VARIABLE; return ws_item_variable(parser, item);
    }
}

static inline ws_status ws_item_constant(ws_parser *parser, ws_item *item) {
    const size_t at = parser->cursor.at;
    size_t end;
    ws_folded value;
    WS_RETURN_IF_ERROR(ws_fold(&parser->cursor, 0, 0, &value));
    for (end = parser->cursor.at; end > at + 1 && ws_ptx_is_space(parser->cursor.text[end - 1]);) end--;
    *item = ws_item_make(WS_ITEM_INTEGER, at, end);
    item->value = value.bits;
    item->is_negative = ws_folded_is_negative(&value);
    if (ws_folded_is_float(&value)) item->kind = value.kind == WS_CONSTANT_F32 ? WS_ITEM_FLOAT32 : WS_ITEM_FLOAT64;
    return WS_OK;
}

/* A name, with ! or - before it, a constant, or _. */
static inline ws_status ws_item_simple(ws_parser *parser, bool label, ws_item *item) {
    const size_t at = parser->cursor.at;
    const char sign = ws_parser_peek(parser);
    const bool is_signed = sign == '!' || sign == '-';
    ws_span name;
    if (is_signed) ws_parser_take(parser, sign);
    name = ws_parser_name(parser);
    if (ws_span_is_empty(name)) {
        ws_parser_go(parser, at);
        return ws_item_constant(parser, item);
    }
    if (ws_parser_is(parser, name, "_") && !is_signed) {
        *item = ws_item_make(WS_ITEM_SINK, at, name.end);
        return WS_OK;
    }
    WS_RETURN_IF_ERROR(ws_item_named(parser, name, label && !is_signed, item));
    if (!is_signed) return WS_OK;
    if (item->kind != WS_ITEM_REGISTER && item->kind != WS_ITEM_SPECIAL) {
        return ws_parser_named(parser, name, "is not a register: a sign does not fit here");
    }
    item->is_inverted = sign == '!';
    item->is_negative = sign == '-';
    item->length += (uint32_t)(item->at - at);
    item->at = (uint32_t)at;
    return WS_OK;
}

#endif
