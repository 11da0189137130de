/* What a directive of a PTX file declares: registers and symbols, with their state space and type.
 *
 *     .visible .global .align 16 .b8 table[4] = {1, 2}, more      two symbols of .global
 *     .reg .b32 %r<10>, x                                         a family of registers, and one
 *
 * Source: "State Spaces, Types, and Variables" of the PTX ISA. Parts of a declaration that are skipped are cut out of
 * the code in place: a directive is read once. */
#ifndef WARPSIM_PTX_DECLARATIONS_H
#define WARPSIM_PTX_DECLARATIONS_H

#include "names.h"

enum { WS_MOST_TYPE_BYTES = 99 /* of a type's word: limits the work on absurd texts */ };

/* The state space after the dot at `at`, and where the rest of the declaration begins; WS_NAME_UNKNOWN if it does not
 * declare variables. */
static inline int ws_declaration_space(const char *code, size_t at, size_t end, size_t *rest) {
    size_t word, after;
    int space;
    for (;;) {
        static const char *const linkage[] = {"extern", "visible", "weak", "common"};
        size_t i;
        at = ws_ptx_skip_space(code, at, end);
        if (at >= end || code[at] != '.') return WS_NAME_UNKNOWN;
        word = at + 1;
        after = ws_ptx_skip_word(code, word, end);
        for (i = 0; i < 4 && !ws_bytes_equal(code + word, after - word, linkage[i]); i++) {
        }
        if (i == 4 || after >= end || !ws_ptx_is_space(code[after])) break;
        at = after;
    }
    for (space = WS_NAME_REG; space < WS_NAME_SPACE_COUNT; space++) {
        if (ws_bytes_equal(code + word, after - word, ws_name_space_word(space))) break;
    }
    if (space == WS_NAME_SPACE_COUNT || (after < end && code[after] == '$')) return WS_NAME_UNKNOWN;
    *rest = after;
    if (after + 1 < end && code[after] == ':' && code[after + 1] == ':') {
        const size_t scoped = ws_ptx_skip_word(code, after + 2, end);
        if (scoped > after + 2 && !(scoped < end && code[scoped] == '$')) *rest = scoped;
    }
    return space;
}

/* The end of ".align 16" or ".attribute(...)" at `at`, or `at`. */
static inline size_t ws_declaration_attribute(const char *code, size_t at, size_t end) {
    const size_t word = at + 1, align = ws_ptx_take(code, word, end, "align");
    size_t i;
    if (align > word) {
        const size_t value = ws_ptx_skip_space(code, align, end);
        i = ws_ptx_skip_word(code, value, end);
        return value > align && i > value ? i : at;
    }
    i = ws_ptx_take(code, word, end, "attribute");
    if (i == word) return at;
    i = ws_ptx_skip_space(code, i, end);
    if (i >= end || code[i] != '(') return at;
    for (i++; i < end && code[i] != '(' && code[i] != ')'; i++) {
    }
    return i < end && code[i] == ')' ? i + 1 : at;
}

/* Cuts attributes and initialisers out of a piece of the code, and returns its new end. */
static inline size_t ws_declaration_cut(char *code, size_t begin, size_t end) {
    size_t from = begin, to = begin;
    bool initialiser = false;
    while (from < end) {
        const char c = code[from];
        if (c == '.') {
            const size_t after = ws_declaration_attribute(code, from, end);
            if (after > from) {
                from = after;
                continue;
            }
        }
        initialiser = (initialiser && c != ',') || c == '=';
        if (!initialiser) code[to++] = c;
        from++;
    }
    return to;
}

/* The size in <10>, <0xA> or <012> (octal) at `at`, or WS_NO_FAMILY. One of more than 32 bits, which the assembler
 * rejects, counts as the largest that it takes. */
static inline int64_t ws_declaration_size(const char *code, size_t at, size_t end) {
    ws_cursor size = {code, end, ws_ptx_skip_space(code, at + 1, end), NULL};
    const size_t first = size.at;
    uint64_t value = 0;
    if (!ws_lex_integer(&size, &value)) {
        size.at = ws_ptx_skip_digits(code, first, end); /* of any script */
        for (value = 0, at = first; at < size.at && value < UINT32_MAX; at++) {
            value = 10 * value + (uint64_t)ws_ptx_digit(code[at]);
        }
    }
    at = ws_ptx_skip_space(code, size.at, end);
    if (size.at == first || at >= end || code[at] != '>') return WS_NO_FAMILY;
    return value < UINT32_MAX ? (int64_t)value : UINT32_MAX;
}

/* "%r<10>" or "x": one name of a declaration. */
static inline void ws_declare_name(ws_names *names, const char *code, size_t begin, size_t end,
                                   const ws_declared *declared) {
    const size_t name = ws_ptx_skip_space(code, begin, end), after = ws_ptx_skip_loose_name(code, name, end);
    const size_t at = ws_ptx_skip_space(code, after, end);
    int64_t count = WS_NO_FAMILY;
    if (after == name) return;
    if (at < end && code[at] == '<') count = ws_declaration_size(code, at, end);
    ws_names_add(names, code + name, after - name, count, declared);
}

/* `begin` is after the state space: " .b32 %r<4>, x". */
static inline void ws_declare_variables(ws_names *names, char *code, int space, size_t begin, size_t end) {
    ws_declared declared;
    ws_span type = ws_span_make(0, 0);
    bool vector = false;
    size_t at;
    end = ws_declaration_cut(code, begin, end);
    for (at = begin; at + 1 < end; at++) {
        if (code[at] != '.' || !ws_ptx_is_word(code[at + 1])) continue;
        if (type.end - type.begin == 2 && code[type.begin] == 'v') {
            vector =
                vector || code[type.begin + 1] == '2' || code[type.begin + 1] == '4' || code[type.begin + 1] == '8';
        }
        type = ws_span_make(at + 1, ws_ptx_skip_word(code, at + 1, end));
        at = type.end - 1;
    }
    if (type.end == 0) return;
    declared.space = (uint8_t)space;
    declared.thing = 0;
    declared.type = code + type.begin;
    declared.type_length = vector ? 0 : type.end - type.begin;
    if (declared.type_length > WS_MOST_TYPE_BYTES) declared.type_length = WS_MOST_TYPE_BYTES;
    for (at = type.end;; at++) {
        const size_t part = at;
        while (at < end && code[at] != ',') at++;
        ws_declare_name(names, code, part, at, &declared);
        if (at >= end) return;
    }
}

/* Variables, or every name of a directive that is unknown here, so that none of them looks undeclared. */
static inline void ws_declare(ws_names *names, char *code, size_t begin, size_t end) {
    size_t at = begin, rest = begin;
    const int space = ws_declaration_space(code, begin, end, &rest);
    const ws_declared unknown = {NULL, 0, WS_NAME_UNKNOWN, 0};
    if (space != WS_NAME_UNKNOWN) {
        ws_declare_variables(names, code, space, rest, end);
        return;
    }
    while (at < end) {
        const size_t after = ws_ptx_skip_loose_name(code, at, end);
        if (after > at && !(at > begin && code[at - 1] == '.')) {
            ws_names_add(names, code + at, after - at, WS_NO_FAMILY, &unknown);
        }
        at = after > at ? after : at + 1;
    }
}

/* The parameters in the header of a function. */
static inline void ws_declare_parameters(ws_names *names, char *code, size_t begin, size_t end) {
    size_t at;
    for (at = begin; at <= end; at++) {
        size_t rest = 0;
        int space;
        if (at < end && code[at] != ',' && code[at] != '(' && code[at] != ')') continue;
        space = ws_declaration_space(code, begin, at, &rest);
        if (space != WS_NAME_UNKNOWN) ws_declare_variables(names, code, space, rest, at);
        begin = at + 1;
    }
}

#endif
