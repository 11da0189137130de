/* What the parser of a PTX file knows at a point of the text, and the words and marks that it reads there.
 *
 * The cursor is always at a token: whatever is taken takes the blanks and comments after it along. */
#ifndef WARPSIM_MODULE_PARSER_H
#define WARPSIM_MODULE_PARSER_H

#include "../base/apart.h"
#include "constant.h"
#include "room.h"

/* What names stand for, after the spaces of variables. */
enum { WS_NAME_FUNCTION = WS_NAME_SPACE_COUNT, WS_NAME_LABEL, WS_NAME_LIST };

/* What compilers put around inline assembly, "// begin inline asm" and "// end inline asm". */
typedef struct ws_assembly {
    size_t searched; /* bytes of the text where these comments were looked for */
    bool is_inside;
} ws_assembly;

typedef struct ws_parser {
    ws_cursor cursor;
    ws_module *module;
    ws_module_room room;
    ws_names names;    /* declared here */
    ws_names wanted;   /* labels of this function that are used and not declared yet: the latest item of each */
    ws_names opcodes;  /* by spelling */
    ws_names strings;  /* labels of .debug_str and function_name: where they begin in module->bytes */
    ws_keys registers; /* of this function: the name's declaration, and its number in a family */
    ws_keys places;    /* file, line, column of each .loc */
    ws_keys files;     /* by number */
    uint32_t *scopes;  /* items before each open brace of this function */
    char *spelled;     /* opcodes that have blanks or comments inside */
    uint32_t function; /* WS_NO_INDEX between functions */
    uint32_t location; /* of the latest .loc */
    ws_assembly assembly;
} ws_parser;

static inline char ws_parser_peek(const ws_parser *parser) { return ws_lex_peek(&parser->cursor, 0); }

static inline ws_status ws_parser_expected(ws_parser *parser, const char *expected) {
    return ws_lex_expected(&parser->cursor, expected);
}

/* Complains about a piece of the text. */
static inline ws_status ws_parser_wrong(ws_parser *parser, ws_span at, const char *message) {
    return ws_lex_wrong(&parser->cursor, at.begin, at.end - at.begin, message);
}

/* 'name' is ...: what is wrong with a name. */
WS_ONCE ws_status ws_parser_named(ws_parser *parser, ws_span name, const char *message) {
    ws_text text = ws_lex_complain(&parser->cursor, name.begin, name.end - name.begin);
    ws_text_add(&text, "'");
    ws_text_add_bytes(&text, parser->cursor.text + name.begin,
                      name.end - name.begin < 200 ? name.end - name.begin : 200);
    ws_text_add(&text, "' ");
    ws_text_add(&text, message);
    return WS_SYNTAX;
}

static inline bool ws_parser_take(ws_parser *parser, char c) {
    if (!ws_lex_take(&parser->cursor, c)) return false;
    ws_skip(&parser->cursor);
    return true;
}

static inline ws_status ws_parser_need(ws_parser *parser, char c, const char *expected) {
    return ws_parser_take(parser, c) ? WS_OK : ws_parser_expected(parser, expected);
}

/* The bytes of the word that begins there; empty without a word. */
static inline ws_span ws_parser_word_at(const ws_parser *parser, size_t begin) {
    const ws_cursor *cursor = &parser->cursor;
    size_t end = begin;
    while (end < cursor->length && ws_char_is_word(cursor->text[end])) end++;
    return ws_span_make(begin, end);
}

/* That of the word after a dot, or after no dot. Takes nothing. */
static inline ws_span ws_parser_word(const ws_parser *parser, bool dot) {
    const size_t begin = parser->cursor.at + dot;
    return dot && ws_parser_peek(parser) != '.' ? ws_span_make(begin, begin) : ws_parser_word_at(parser, begin);
}

static inline bool ws_parser_is(const ws_parser *parser, ws_span word, const char *string) {
    return ws_bytes_equal(parser->cursor.text + word.begin, word.end - word.begin, string);
}

static inline void ws_parser_go(ws_parser *parser, size_t at) {
    parser->cursor.at = at;
    ws_skip(&parser->cursor);
}

/* Takes ".word" if it is this one. */
static inline bool ws_parser_directive(ws_parser *parser, const char *string) {
    const ws_span word = ws_parser_word(parser, true);
    if (!ws_parser_is(parser, word, string)) return false;
    ws_parser_go(parser, word.end);
    return true;
}

/* Takes "word" if it is this one. */
static inline bool ws_parser_keyword(ws_parser *parser, const char *string) {
    const ws_span word = ws_parser_word(parser, false);
    if (!ws_parser_is(parser, word, string)) return false;
    ws_parser_go(parser, word.end);
    return true;
}

/* Takes a name such as %r1 or smem; empty without a name. WARP_SZ is a number. */
static inline ws_span ws_parser_name(ws_parser *parser) {
    const size_t at = parser->cursor.at;
    const char *word;
    size_t count;
    if (!ws_lex_identifier(&parser->cursor, &word, &count)) return ws_span_make(at, at);
    if (ws_bytes_equal(word, count, "WARP_SZ")) {
        parser->cursor.at = at;
        return ws_span_make(at, at);
    }
    ws_skip(&parser->cursor);
    return ws_span_make(at, at + count);
}

static inline bool ws_span_is_empty(ws_span span) { return span.end == span.begin; }

/* Takes "text", which must end on its line; the span is without the quotes. */
static inline ws_status ws_parser_string(ws_parser *parser, ws_span *string) {
    const size_t at = parser->cursor.at;
    size_t none_before = 0, end = at;
    if (ws_parser_peek(parser) == '"') {
        end = ws_ptx_string_end(parser->cursor.text, parser->cursor.length, at, &none_before);
    }
    if (end == at) return ws_parser_expected(parser, "a text in quotes");
    *string = ws_span_make(at + 1, end - 1);
    ws_parser_go(parser, end);
    return WS_OK;
}

/* Takes a number without a sign. */
static inline ws_status ws_parser_number(ws_parser *parser, uint64_t most, uint64_t *number) {
    const size_t at = parser->cursor.at;
    ws_folded value;
    if (!ws_char_is_digit(ws_parser_peek(parser))) return ws_parser_expected(parser, "a number");
    WS_RETURN_IF_ERROR(ws_constant_integer(&parser->cursor, &value));
    if (value.bits > most)
        return ws_parser_wrong(parser, ws_span_make(at, parser->cursor.at), "this number is too large");
    *number = value.bits;
    ws_skip(&parser->cursor);
    return WS_OK;
}

static inline ws_status ws_parser_number32(ws_parser *parser, uint32_t *number) {
    uint64_t value = 0;
    WS_RETURN_IF_ERROR(ws_parser_number(parser, UINT32_MAX - 1, &value));
    *number = (uint32_t)value;
    return WS_OK;
}

/* The text was counted before, so there is room for every row, unless a text fools the count. */
static inline ws_status ws_parser_full(ws_parser *parser) {
    return ws_parser_expected(parser, "a simpler text here: this declares more than it seems to");
}

/* Makes room for more rows of a table. */
static inline ws_status ws_parser_room(ws_parser *parser, uint32_t *count, uint64_t room, uint64_t more) {
    if (room - *count < more || room > UINT32_MAX - 1) return ws_parser_full(parser);
    *count += (uint32_t)more;
    return WS_OK;
}

#endif
