/* The characters of a whole PTX file, and its text without comments and strings.
 *
 * Comments and strings become blanks, so positions in the text do not change. Non-ASCII bytes are letters; of the bytes
 * that never occur in UTF-8, 0xF5 .. 0xFE are the digits 0 .. 9 of other scripts, and 0xC0, 0xC1, 0xFF are letters that
 * equal i, k and s where case does not matter: a caller that knows Unicode may replace each character by one byte.
 *
 * This file knows nothing about statements. */
#ifndef WARPSIM_PTX_TEXT_H
#define WARPSIM_PTX_TEXT_H

#include "lex.h"

/* A piece of a text: bytes begin .. end - 1. */
typedef struct ws_span {
    size_t begin, end;
} ws_span;

static inline ws_span ws_span_make(size_t begin, size_t end) {
    ws_span span;
    span.begin = begin;
    span.end = end;
    return span;
}

static inline bool ws_ptx_is_space(char c) {
    return c == ' ' || (c >= '\t' && c <= '\r') || (c >= '\x1c' && c <= '\x1f');
}

/* The value of a digit, or -1. */
static inline int ws_ptx_digit(char c) {
    const unsigned char byte = (unsigned char)c;
    if (byte >= '0' && byte <= '9') return byte - '0';
    return byte >= 0xF5 && byte <= 0xFE ? byte - 0xF5 : -1;
}

/* A character inside a name; names of directives do not contain $. */
static inline bool ws_ptx_is_word(char c) { return (ws_char_is_word(c) && c != '$') || ((unsigned char)c & 0x80) != 0; }

static inline bool ws_ptx_is_name(char c) { return ws_char_is_word(c) || ((unsigned char)c & 0x80) != 0; }

/* A character that begins a name. */
static inline bool ws_ptx_is_start(char c) { return ws_char_is_word(c) && !ws_char_is_digit(c); }

/* Lower case, for words in which case does not matter. */
static inline char ws_ptx_fold(char c) {
    if (c >= 'A' && c <= 'Z') return (char)(c - 'A' + 'a');
    switch ((unsigned char)c) {
        case 0xC0: return 'i';
        case 0xC1: return 'k';
        case 0xFF: return 's';
        default: return c;
    }
}

static inline size_t ws_ptx_skip_space(const char *code, size_t at, size_t end) {
    while (at < end && ws_ptx_is_space(code[at])) at++;
    return at;
}

static inline size_t ws_ptx_skip_digits(const char *code, size_t at, size_t end) {
    while (at < end && ws_ptx_digit(code[at]) >= 0) at++;
    return at;
}

static inline size_t ws_ptx_skip_word(const char *code, size_t at, size_t end) {
    while (at < end && ws_ptx_is_word(code[at])) at++;
    return at;
}

static inline size_t ws_ptx_skip_name(const char *code, size_t at, size_t end) {
    while (at < end && ws_ptx_is_name(code[at])) at++;
    return at;
}

/* What is taken for a name if nothing checks its first character: %r1, 7, $x%y. */
static inline size_t ws_ptx_skip_loose_name(const char *code, size_t at, size_t end) {
    while (at < end && (code[at] == '%' || ws_ptx_is_name(code[at]))) at++;
    return at;
}

static inline size_t ws_ptx_trim(const char *code, size_t begin, size_t end) {
    while (end > begin && ws_ptx_is_space(code[end - 1])) end--;
    return end;
}

/* The end of the word at `at` if it is this one, letter by letter, whatever follows; else `at`. */
static inline size_t ws_ptx_take(const char *code, size_t at, size_t end, const char *word) {
    const size_t count = ws_string_length(word);
    return end - at >= count && ws_bytes_equal(code + at, count, word) ? at + count : at;
}

/* A name such as %r1 or smem that begins at `at`; empty if there is no name. */
static inline ws_span ws_ptx_name_at(const char *code, size_t at, size_t end) {
    size_t start = at;
    if (start < end && code[start] == '%') start++;
    if (start >= end || !ws_ptx_is_start(code[start])) return ws_span_make(at, at);
    return ws_span_make(at, ws_ptx_skip_name(code, start, end));
}

/* The first name in a piece; empty if there is no name. */
static inline ws_span ws_ptx_find_name(const char *code, size_t at, size_t end) {
    for (; at < end; at++) {
        const ws_span name = ws_ptx_name_at(code, at, end);
        if (name.end > name.begin) return name;
    }
    return ws_span_make(end, end);
}

/* The end of the string that begins at `at`, or `at` if it does not end on its line; then no string begins before
 * *none_before: every quote there is escaped. */
static inline size_t ws_ptx_string_end(const char *text, size_t length, size_t at, size_t *none_before) {
    size_t i = at + 1;
    while (i < length && text[i] != '\n') {
        if (text[i] == '"') return i + 1;
        if (text[i] == '\\' && i + 1 == length) break;
        i += text[i] == '\\' && text[i + 1] != '\n' ? 2 : 1;
    }
    *none_before = i;
    return at;
}

static inline size_t ws_ptx_comment_end(const char *text, size_t length, size_t at) {
    size_t i = at + 2;
    if (text[at + 1] == '/') {
        while (i < length && text[i] != '\n') i++;
        return i;
    }
    while (i + 1 < length && !(text[i] == '*' && text[i + 1] == '/')) i++;
    return i + 1 < length ? i + 2 : length;
}

/* Fills code with the text from `at` (0, then what the previous call returned) to `until` or to the end of whatever
 * begins before it; comments and strings are blanked out except for their line ends, and so is a byte order mark.
 * Returns the end. *none_before: 0 at first; the caller keeps it. */
static inline size_t ws_ptx_blank_some(const char *text, size_t length, size_t at, size_t until, char *code,
                                       size_t *none_before) {
    if (at == 0 && length >= 3 && ws_bytes_equal(text, 3, "\xEF\xBB\xBF")) {
        for (; at < 3; at++) code[at] = ' ';
    }
    while (at < until) {
        size_t end = ws_bytes_find(text, at, until, '/', '"', '"');
        for (; at < end; at++) code[at] = text[at];
        if (at == until) break;
        if (text[at] == '/' && at + 1 < length && (text[at + 1] == '/' || text[at + 1] == '*')) {
            end = ws_ptx_comment_end(text, length, at);
        } else if (text[at] == '"' && at >= *none_before) {
            end = ws_ptx_string_end(text, length, at, none_before);
        }
        if (end == at) code[end++] = text[at++];
        for (; at < end; at++) code[at] = text[at] == '\n' ? '\n' : ' ';
    }
    return at;
}

/* The whole text. */
static inline void ws_ptx_blank(const char *text, size_t length, char *code) {
    size_t none_before = 0;
    ws_ptx_blank_some(text, length, 0, length, code, &none_before);
}

#endif
