/* PTX text as a stream of words, and complaints that point into it.
 *
 * The lexical rules are those of NVIDIA's assembler: white space and comments are allowed before a dot but not after it
 * or around "::", and case matters.
 *
 * This file knows nothing about instructions. */
#ifndef WARPSIM_PTX_LEX_H
#define WARPSIM_PTX_LEX_H

#include "../base/apart.h"
#include "../base/bytes.h"
#include "../base/status.h"

typedef struct ws_cursor {
    const char *text;
    size_t length; /* bytes */
    size_t at;     /* 0 .. length */
    ws_error *error;
} ws_cursor;

static inline char ws_lex_peek(const ws_cursor *cursor, size_t ahead) {
    return cursor->at + ahead < cursor->length ? cursor->text[cursor->at + ahead] : '\0';
}

static inline bool ws_lex_at_end(const ws_cursor *cursor) { return cursor->at >= cursor->length; }

/* Begins a complaint about `count` bytes starting at `at`; the caller adds the sentence. */
static inline ws_text ws_lex_complain(ws_cursor *cursor, size_t at, size_t count) {
    ws_text text = ws_error_text(cursor->error);
    if (cursor->error != NULL) {
        cursor->error->column = at > INT32_MAX ? INT32_MAX : (int)at;
        cursor->error->length = count > 200 ? 200 : (int)count;
    }
    return text;
}

static inline bool ws_char_is_digit(char c) { return c >= '0' && c <= '9'; }

/* clang-format off */
/* Letters, digits, _ and $: a table, since branches on the letters of a text are hard to predict. */
static const bool ws_char_words[256] = {
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0,
    0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
    1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 1,
    0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
    1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0,
};
/* clang-format on */

static inline bool ws_char_is_word(char c) { return ws_char_words[(unsigned char)c]; }

/* A word; of a control character how C writes it, \0 or \x7f. */
static inline void ws_text_add_shown(ws_text *text, const char *word, size_t count) {
    static const char digits[] = "0123456789abcdef";
    const unsigned char c = (unsigned char)word[0];
    const char shown[3] = {digits[c >> 4], digits[c & 15], '\0'};
    if (count != 1 || (c >= ' ' && c != 127)) {
        ws_text_add_bytes(text, word, count);
        return;
    }
    ws_text_add(text, c == 0 ? "\\" : "\\x");
    ws_text_add(text, c == 0 ? "0" : shown);
}

/* "expected X, found 'y'"; NULL: nothing follows. */
static inline void ws_text_add_expected(ws_text *text, const char *expected, const char *found, size_t count) {
    ws_text_add(text, "expected ");
    ws_text_add(text, expected);
    ws_text_add(text, ", found ");
    if (found == NULL || *found == '\n') {
        ws_text_add(text, found == NULL ? "the end of the text" : "the end of the line");
        return;
    }
    ws_text_add(text, "'");
    ws_text_add_shown(text, found, count);
    ws_text_add(text, "'");
}

/* Complains about the word, or else the character, at the cursor. */
WS_ONCE ws_status ws_lex_expected(ws_cursor *cursor, const char *expected) {
    size_t count = 1;
    ws_text text;
    while (count < 60 && ws_char_is_word(ws_lex_peek(cursor, count - 1)) && ws_char_is_word(ws_lex_peek(cursor, count)))
        count++;
    text = ws_lex_complain(cursor, cursor->at, count);
    ws_text_add_expected(&text, expected, ws_lex_at_end(cursor) ? NULL : cursor->text + cursor->at, count);
    if (cursor->error != NULL) cursor->error->expected = expected;
    return WS_SYNTAX;
}

/* Skips white space and comments; a comment that never ends is an error. */
static inline ws_status ws_lex_skip_spaces(ws_cursor *cursor) {
    for (;;) {
        const char c = ws_lex_peek(cursor, 0);
        if (c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v') {
            cursor->at++;
        } else if (c == '/' && ws_lex_peek(cursor, 1) == '/') {
            while (!ws_lex_at_end(cursor) && ws_lex_peek(cursor, 0) != '\n') cursor->at++;
        } else if (c == '/' && ws_lex_peek(cursor, 1) == '*') {
            const size_t start = cursor->at;
            cursor->at += 2;
            while (!ws_lex_at_end(cursor) && !(ws_lex_peek(cursor, 0) == '*' && ws_lex_peek(cursor, 1) == '/')) {
                cursor->at++;
            }
            if (ws_lex_at_end(cursor)) {
                ws_text text = ws_lex_complain(cursor, start, 2);
                ws_text_add(&text, "this comment does not end; close it with */");
                return WS_SYNTAX;
            }
            cursor->at += 2;
        } else {
            return WS_OK;
        }
    }
}

static inline ws_status ws_lex_skip_space(ws_cursor *cursor) {
    const char c = ws_lex_peek(cursor, 0);
    return c > ' ' && c != '/' ? WS_OK : ws_lex_skip_spaces(cursor); /* mostly there is none */
}

/* Takes a word: letters, digits, _ and $; if `scoped`, also "::" inside, and non-ASCII bytes, so that a complaint names
 * the whole wrong qualifier. False if there is no word. */
static inline bool ws_lex_word(ws_cursor *cursor, bool scoped, const char **word, size_t *count) {
    const char *text = cursor->text;
    const size_t start = cursor->at, end = cursor->length;
    size_t at = start;
    for (;; at += 2) {
        while (at < end && (ws_char_is_word(text[at]) || (scoped && (text[at] & 0x80) != 0))) at++;
        if (!scoped || at == start || at + 2 >= end) break;
        if (text[at] != ':' || text[at + 1] != ':' || !ws_char_is_word(text[at + 2])) break;
    }
    cursor->at = at;
    *word = text + start;
    *count = at - start;
    return at > start;
}

/* Takes the character c, with space before it. */
static inline bool ws_lex_take(ws_cursor *cursor, char c) {
    if (ws_lex_at_end(cursor) || ws_lex_peek(cursor, 0) != c) return false;
    cursor->at++;
    return true;
}

/* A register or a symbol: %r1, r1, smem, $L__x. */
static inline bool ws_lex_identifier(ws_cursor *cursor, const char **word, size_t *count) {
    const size_t start = cursor->at;
    const char *rest;
    size_t rest_count;
    if (ws_lex_peek(cursor, 0) == '%') {
        cursor->at++;
    } else if (ws_char_is_digit(ws_lex_peek(cursor, 0))) {
        return false;
    }
    if (!ws_lex_word(cursor, false, &rest, &rest_count)) {
        cursor->at = start;
        return false;
    }
    *word = cursor->text + start;
    *count = cursor->at - start;
    return true;
}

static inline int ws_digit_value(char c) {
    if (ws_char_is_digit(c)) return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : 99;
}

/* A PTX integer literal: 16, 0x10, 020, 0b10000, with an optional U. Wraps at 64 bits. */
static inline bool ws_lex_integer(ws_cursor *cursor, uint64_t *value) {
    const size_t start = cursor->at;
    int base = 10;
    size_t digits = 0;
    if (!ws_char_is_digit(ws_lex_peek(cursor, 0))) return false;
    if (ws_lex_peek(cursor, 0) == '0') {
        const char kind = ws_lex_peek(cursor, 1);
        base = kind == 'x' || kind == 'X' ? 16 : kind == 'b' || kind == 'B' ? 2 : 8;
        cursor->at += base == 8 ? 0 : 2;
    }
    for (*value = 0; ws_digit_value(ws_lex_peek(cursor, 0)) < base; digits++, cursor->at++) {
        *value = *value * (uint64_t)base + (uint64_t)ws_digit_value(ws_lex_peek(cursor, 0));
    }
    if (digits > 0 && ws_lex_peek(cursor, 0) == 'U') cursor->at++;
    if (digits == 0 || ws_char_is_word(ws_lex_peek(cursor, 0))) {
        cursor->at = start;
        return false;
    }
    return true;
}

#endif
