/* How much each table of a module can need: counts of the characters and words that its rows are made of.
 *
 * The parser is strict, this is not: it needs no more than that every row has at least one of these in the text. */
#ifndef WARPSIM_MODULE_ROOM_H
#define WARPSIM_MODULE_ROOM_H

#include "../base/arena.h"
#include "keys.h"
#include "module.h"
#include "../base/arena.h"

enum { WS_MODULE_TARGETS = 16, WS_MODULE_BUCKETS = 4096 };

typedef struct ws_module_room {
    uint64_t variables, runs, relocations, bytes, functions, registers, statements, items, opcodes, lists, pragmas,
        locations, files, lines, names, wanted, strings, scopes;
    bool percent_labels; /* some label begins with %, as registers do */
} ws_module_room;

typedef enum ws_room_mode { WS_ROOM_STATEMENT, WS_ROOM_DECLARATION, WS_ROOM_INITIAL, WS_ROOM_SECTION } ws_room_mode;

typedef struct ws_room_scan {
    const char *text;
    size_t length, at;
    ws_module_room room;
    ws_room_mode mode;
    uint32_t depth; /* of braces in an initialiser */
    uint32_t width; /* bytes of the latest type */
    bool fresh;     /* no name yet in this statement */
    bool vectors;   /* vector registers may occur */
    uint64_t percent_words;
} ws_room_scan;

/* The word of a directive, without its dot. */
static inline void ws_room_directive(ws_room_scan *scan, const char *word, size_t count) {
    static const char *const declaring[] = {"reg",   "param",  "local",   "shared", "global", "const",
                                            "align", "extern", "visible", "weak",   "common", "callprototype"};
    const bool is_function = ws_bytes_equal(word, count, "entry") || ws_bytes_equal(word, count, "func");
    size_t i;
    scan->room.functions += is_function;
    scan->room.lists += ws_bytes_equal(word, count, "branchtargets") || ws_bytes_equal(word, count, "calltargets") ||
                        ws_bytes_equal(word, count, "callprototype");
    scan->room.locations += ws_bytes_equal(word, count, "loc");
    scan->room.files += ws_bytes_equal(word, count, "file");
    if (is_function) scan->mode = WS_ROOM_DECLARATION;
    if (ws_bytes_equal(word, count, "section")) scan->mode = WS_ROOM_SECTION;
    for (i = 0; i < sizeof declaring / sizeof declaring[0]; i++) {
        if (ws_bytes_equal(word, count, declaring[i])) scan->mode = WS_ROOM_DECLARATION;
    }
    if (scan->mode != WS_ROOM_DECLARATION) return;
    if (count == 2 && word[0] == 'v') {
        scan->vectors = true;
        return;
    }
    for (i = 1; i < count && !ws_char_is_digit(word[i]); i++) {
    }
    if (i != 1 || count > 4) return; /* no type: b8, f64, b128 */
    for (scan->width = 0; i < count; i++) scan->width = 10 * scan->width + (uint32_t)(word[i] - '0') % 10;
    scan->width = (scan->width + 7) / 8;
}

static inline void ws_room_word(ws_room_scan *scan, bool after_dot, size_t begin) {
    const char *word = scan->text + begin;
    const size_t count = scan->at - begin;
    ws_module_room *room = &scan->room;
    if (after_dot) {
        ws_room_directive(scan, word, count);
    } else if (scan->mode == WS_ROOM_SECTION) {
        room->bytes += ws_char_is_digit(*word);
    } else if (!ws_char_is_digit(*word)) {
        room->relocations += scan->mode == WS_ROOM_INITIAL;
        room->wanted += scan->mode != WS_ROOM_INITIAL && !scan->fresh; /* "call .reg a, b" declares nothing */
        room->strings += ws_bytes_equal(word, count, "function_name");
        scan->fresh = false;
    }
}

static inline void ws_room_initial(ws_room_scan *scan, char c) {
    ws_module_room *room = &scan->room;
    if (c == '{' || c == ',') room->bytes += scan->width;
    room->runs += c == '{';
    scan->depth += c == '{';
    scan->depth -= c == '}' && scan->depth > 0;
    if (c == ',' && scan->depth == 0) scan->mode = WS_ROOM_DECLARATION;
}

static inline void ws_room_mark(ws_room_scan *scan, char c) {
    ws_module_room *room = &scan->room;
    const char before = scan->at > 0 ? scan->text[scan->at - 1] : ' ';
    const char after = scan->at + 1 < scan->length ? scan->text[scan->at + 1] : ' ';
    if (c == ':' && before != ':' && after != ':') {
        room->names++;
        room->strings += scan->mode == WS_ROOM_SECTION;
    }
    room->scopes += c == '{';
    room->statements += c == ';';
    room->registers += c == '@';
    room->pragmas += c == '"';
    if (scan->mode == WS_ROOM_INITIAL) {
        ws_room_initial(scan, c);
    } else if (scan->mode != WS_ROOM_SECTION) {
        room->items += c == ',' || c == ';' || c == '[' || c == '{' || c == '(' || c == '|' || c == '=';
        room->items += c == '|';
        room->names += scan->mode == WS_ROOM_DECLARATION && (c == ',' || c == ';' || c == ')' || c == '{' || c == '(');
    }
    if (scan->mode == WS_ROOM_DECLARATION && c == '=' && after != '=' && before != '=' && before != '!' &&
        before != '<' && before != '>') {
        scan->mode = WS_ROOM_INITIAL;
        scan->depth = 0;
        room->names++;
        room->runs++;
        room->bytes += scan->width;
    }
    if (c == ';' ||
        (scan->mode != WS_ROOM_INITIAL && (c == '{' || c == '}') && !(scan->mode == WS_ROOM_SECTION && c == '{'))) {
        scan->mode = WS_ROOM_STATEMENT;
        scan->fresh = c == ';';
    }
}

/* A name that begins with %: nearly always a register, but it may be a label. */
static inline void ws_room_percent(ws_room_scan *scan) {
    const size_t at = ws_ptx_skip_space(scan->text, scan->at, scan->length);
    scan->percent_words++;
    if (at + 1 < scan->length && scan->text[at] == ':' && scan->text[at + 1] != ':') scan->room.percent_labels = true;
}

/* One comment, string, word or other character. */
static inline void ws_room_step(ws_room_scan *scan, size_t *none_before) {
    const char *text = scan->text;
    const size_t begin = scan->at, length = scan->length;
    const char c = text[begin];
    size_t end;
    if (c == '/' && begin + 1 < length && (text[begin + 1] == '/' || text[begin + 1] == '*')) {
        scan->at = ws_ptx_comment_end(text, length, begin);
        for (end = begin; end < scan->at; end++) scan->room.lines += text[end] == '\n';
        return;
    }
    if (ws_char_is_word(c)) {
        const char before = begin > 0 ? text[begin - 1] : ' ';
        while (scan->at < length && ws_char_is_word(text[scan->at])) scan->at++;
        if (begin > 1 && before == ':' && text[begin - 2] == ':') return;
        if (before == '.' && scan->mode == WS_ROOM_STATEMENT && begin > 1 && ws_char_is_word(text[begin - 2])) return;
        if (before != '%') ws_room_word(scan, before == '.', begin);
        else ws_room_percent(scan);
        return;
    }
    scan->room.lines += c == '\n';
    ws_room_mark(scan, c);
    end = c == '"' && begin >= *none_before ? ws_ptx_string_end(text, length, begin, none_before) : begin;
    scan->at = end > begin ? end : begin + 1;
}

static inline ws_module_room ws_module_count(const char *text, size_t length) {
    /* what is not complete needs its row, too, before the error is found */
    static const ws_module_room least = {1, 1, 1, 16, 1, 4, 1, 5, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2, false};
    ws_room_scan scan;
    size_t none_before = 0;
    ws_module_room *room = &scan.room;
    scan.text = text;
    scan.length = length;
    scan.at = 0;
    scan.room = least;
    scan.mode = WS_ROOM_STATEMENT;
    scan.depth = 0;
    scan.width = 1;
    scan.percent_words = 0;
    scan.fresh = scan.vectors = false;
    while (scan.at < length) ws_room_step(&scan, &none_before);
    if (room->percent_labels) room->wanted += scan.percent_words;
    if (scan.vectors) room->items *= 5;
    room->registers += room->items + room->names;
    if (scan.vectors) room->registers += 3 * room->names;
    room->variables = room->names;
    room->statements += room->functions; /* the ret of an empty body */
    room->opcodes = room->statements;
    return *room;
}

static inline void *ws_module_take(ws_arena *arena, uint64_t count, size_t bytes) {
    return ws_arena_take(arena, count > SIZE_MAX / 4 ? SIZE_MAX / 4 : (size_t)count, bytes);
}

#endif
