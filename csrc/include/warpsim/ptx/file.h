/* A PTX file as statements: version, target, declarations and scopes.
 *
 * PTX ignores line ends: a statement ends at its semicolon, .loc and the like end by their grammar, and a brace is a
 * scope, a vector, an initialiser or a data section, depending on its position.
 *
 * This file knows nothing about instructions. */
#ifndef WARPSIM_PTX_FILE_H
#define WARPSIM_PTX_FILE_H

#include "declarations.h"

/* Names, version and target as of the latest statement; the first version and the first target count. */
typedef struct ws_ptx_file {
    char *code; /* the text without comments and strings; directives are destroyed once read */
    size_t length;
    size_t at;
    ws_names names;
    ws_span version; /* "8.0" in the code; empty if missing */
    ws_span target;
} ws_ptx_file;

static inline ws_ptx_file ws_ptx_file_make(char *code, size_t length, ws_names names) {
    ws_ptx_file file;
    file.code = code;
    file.length = length;
    file.at = 0;
    file.names = names;
    file.version = file.target = ws_span_make(0, 0);
    return file;
}

/* After white space, zero bytes and labels. */
static inline size_t ws_ptx_skip_labels(const char *code, size_t at, size_t end) {
    while (at < end && (ws_ptx_is_space(code[at]) || code[at] == '\0')) at++;
    for (;;) {
        size_t i = at;
        if (i >= end || !(code[i] == '%' || ws_ptx_is_start(code[i]))) return at;
        i = ws_ptx_skip_space(code, ws_ptx_skip_name(code, i + 1, end), end);
        if (i >= end || code[i] != ':' || (i + 1 < end && code[i + 1] == ':')) return at;
        at = ws_ptx_skip_space(code, i + 1, end);
    }
}

/* Does a directive of this grammar end here? */
static inline bool ws_ptx_ends(const char *code, size_t at, size_t end) {
    return at >= end || !ws_ptx_is_name(code[at]);
}

/* sm_90a, texmode_independent: returns the end of the list, or `at` without one. */
static inline size_t ws_ptx_target_end(const char *code, size_t at, size_t end, ws_span *first) {
    size_t last = at, i = ws_ptx_skip_word(code, at, end);
    *first = ws_span_make(at, i);
    while (i > last) {
        size_t next = ws_ptx_skip_space(code, i, end);
        if (ws_ptx_ends(code, i, end)) last = i;
        if (next >= end || code[next] != ',') break;
        next = ws_ptx_skip_space(code, next + 1, end);
        i = ws_ptx_skip_word(code, next, end);
        if (i == next) break;
    }
    return last;
}

/* .loc 1 2 3, function_name x, ...: the numbers, and whatever follows commas up to the end of the line. */
static inline size_t ws_ptx_location_end(const char *code, size_t at, size_t end) {
    size_t last = at, i;
    for (;;) {
        const size_t number = ws_ptx_skip_space(code, last, end);
        i = ws_ptx_skip_digits(code, number, end);
        if (number == last || i == number) break;
        last = i;
    }
    if (last == at) return at;
    for (i = ws_ptx_skip_space(code, last, end); i < end && code[i] == ','; i = ws_ptx_skip_space(code, last, end)) {
        while (i < end && code[i] != '\n' && code[i] != ';') i++;
        last = i;
    }
    return ws_ptx_ends(code, last, end) ? last : at;
}

/* The end of a directive that has no semicolon; of any other, its beginning. */
static inline size_t ws_ptx_take_unterminated(ws_ptx_file *file) {
    const char *code = file->code;
    const size_t at = file->at, end = file->length, word = at + 1;
    size_t i, value, last;
    ws_span first;
    if (code[at] == '@') {
        i = ws_ptx_take(code, at, end, "@@DWARF");
        while (i > at && i < end && code[i] != '\n') i++;
        return i;
    }
    i = ws_ptx_skip_word(code, word, end);
    value = ws_ptx_skip_space(code, i, end);
    if (value == i) return at;
    if (ws_bytes_equal(code + word, i - word, "loc") || ws_bytes_equal(code + word, i - word, "file")) {
        last = ws_ptx_location_end(code, i, end);
        return last > i ? last : at;
    }
    if (ws_bytes_equal(code + word, i - word, "target")) {
        last = ws_ptx_target_end(code, value, end, &first);
        if (last > value && file->target.end == 0) file->target = first;
        return last > value ? last : at;
    }
    if (ws_bytes_equal(code + word, i - word, "address_size")) {
        last = ws_ptx_skip_digits(code, value, end);
        return last > value && ws_ptx_ends(code, last, end) ? last : at;
    }
    if (!ws_bytes_equal(code + word, i - word, "version")) return at;
    i = ws_ptx_skip_digits(code, value, end);
    if (i == value || i >= end || code[i] != '.') return at;
    last = ws_ptx_skip_digits(code, i + 1, end);
    if (last == i + 1 || !ws_ptx_ends(code, last, end)) return at;
    if (file->version.end == 0) file->version = ws_span_make(value, last);
    return last;
}

/* After the semicolon, or at the `}` of the scope if that comes first. */
static inline size_t ws_ptx_statement_end(const char *code, size_t at, size_t end) {
    size_t depth = 0;
    for (; at < end; at++) {
        at = ws_bytes_find(code, at, end, ';', '{', '}');
        if (at == end) break;
        if (code[at] == ';') return at + 1;
        if (code[at] == '{') depth++;
        if (code[at] == '}' && depth-- == 0) return at;
    }
    return end;
}

/* After the `}` that belongs to the `{` at `at`. */
static inline size_t ws_ptx_skip_braces(const char *code, size_t at, size_t end) {
    size_t depth = 0;
    for (; at < end; at++) {
        if (code[at] == '{') depth++;
        if (code[at] == '}' && --depth == 0) return at + 1;
    }
    return end;
}

static inline bool ws_ptx_has_byte(const char *code, size_t begin, size_t end, char c) {
    while (begin < end && code[begin] != c) begin++;
    return begin < end;
}

/* Declares what the directive at `at` declares; returns its end. */
static inline size_t ws_ptx_take_directive(ws_ptx_file *file) {
    char *code = file->code;
    const size_t begin = file->at, end = file->length;
    size_t at = begin, kept = begin; /* the directive without its initialisers is code[begin, kept) */
    bool values = false;
    for (;;) {
        for (; at < end && code[at] != ';' && code[at] != '{' && code[at] != '}'; at++) code[kept++] = code[at];
        if (at >= end || code[at] == '}') return at;
        if (code[at] == ';') {
            ws_declare(&file->names, code, begin, kept);
            return at + 1;
        }
        if (values || ws_ptx_has_byte(code, begin, kept, '=')) {
            values = true;
        } else if (ws_ptx_take(code, begin, kept, ".section") > begin) {
            return ws_ptx_skip_braces(code, at, end);
        } else {
            ws_names_open(&file->names);
            ws_declare_parameters(&file->names, code, begin, kept);
            return at + 1;
        }
        at = ws_ptx_skip_braces(code, at, end);
    }
}

/* What a piece of a file is. */
typedef enum ws_ptx_piece { WS_PTX_END, WS_PTX_PASSED /* a directive or a brace */, WS_PTX_STATEMENT } ws_ptx_piece;

/* Reads one piece; for an instruction, returns its position, including the semicolon if there is one. */
static inline ws_ptx_piece ws_ptx_file_next(ws_ptx_file *file, ws_span *statement) {
    const size_t at = ws_ptx_skip_labels(file->code, file->at, file->length);
    char c;
    file->at = at;
    if (at >= file->length) return WS_PTX_END;
    c = file->code[at];
    if (c == ';' || c == '{' || c == '}') {
        if (c == '{') ws_names_open(&file->names);
        if (c == '}') ws_names_close(&file->names);
        file->at++;
        return WS_PTX_PASSED;
    }
    if (c == '.' || c == '@') file->at = ws_ptx_take_unterminated(file);
    if (file->at > at) return WS_PTX_PASSED;
    if (c == '.') {
        file->at = ws_ptx_take_directive(file);
        return WS_PTX_PASSED;
    }
    file->at = ws_ptx_statement_end(file->code, at, file->length);
    *statement = ws_span_make(at, file->at);
    return WS_PTX_STATEMENT;
}

#endif
