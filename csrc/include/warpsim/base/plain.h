/* The C++ names that PTX has in mangled form, without parameters and template arguments: "ns::gemm" of _ZN2ns4gemmEPf.
 *
 * A variable of a function has its own name alone: "tile" of _ZZ4gemmPfE4tile; a lambda, that of the function around it. What is not mangled stays as it is. */
#ifndef WARPSIM_BASE_PLAIN_H
#define WARPSIM_BASE_PLAIN_H

#include "apart.h"
#include "text.h"

/* A length and as many characters, "4gemm": where they begin, and how many they are; 0: there are none. */
static inline size_t ws_plain_word(const char *name, size_t length, size_t *at) {
    size_t count = 0, i = *at;
    while (i < length && name[i] >= '0' && name[i] <= '9' && count < length)
        count = 10 * count + (size_t)(name[i++] - '0');
    *at = i;
    return count <= length - i ? count : 0;
}

static inline bool ws_plain_begins(const char *name, size_t length, const char *with) {
    size_t i;
    for (i = 0; with[i] != '\0'; i++) {
        if (i >= length || name[i] != with[i]) return false;
    }
    return true;
}

#define WS_PLAIN_LAMBDA "a lambda of "

/* Is it the function of a lambda: _ZZ4gemmPfENKUliE_clEi? */
static inline bool ws_plain_is_lambda(const char *name, size_t length) {
    size_t i;
    for (i = 3; ws_plain_begins(name, length, "_ZZ") && i < length; i++) {
        if (ws_plain_begins(name + i, length - i, "ENKUl") || ws_plain_begins(name + i, length - i, "ENUl"))
            return true;
    }
    return false;
}

WS_ONCE void ws_text_add_plain(ws_text *text, const char *name, size_t length) {
    const bool is_lambda = ws_plain_is_lambda(name, length);
    size_t before, at = 2, count;
    bool is_nested;
    while (is_lambda && at < length && name[at] == 'Z') at++;
    is_nested = ws_plain_begins(name, length, "_Z") && at < length && name[at] == 'N';
    if (is_lambda) ws_text_add(text, WS_PLAIN_LAMBDA);
    before = text->wanted;
    at += is_nested;
    if (at < length && name[at] == 'L') at++;
    while (ws_plain_begins(name, length, "_Z") && (count = ws_plain_word(name, length, &at)) != 0) {
        if (!ws_plain_begins(name + at, count, "_GLOBAL__N_") && !ws_plain_begins(name + at, count, "_INTERNAL_")) {
            if (text->wanted != before) ws_text_add(text, "::");
            ws_text_add_bytes(text, name + at, count);
        }
        at += count;
        if (at < length && name[at] == 'L') at++;
        if (!is_nested) break;
    }
    if (text->wanted == before) ws_text_add_bytes(text, name, length);
}

/* Does a variable's name begin here and run to the end, except for a number after it, as in "4tile_1"? */
static inline size_t ws_plain_last(const char *name, size_t length, size_t *at) {
    const size_t count = ws_plain_word(name, length, at);
    size_t i = *at + count;
    if (i < length && name[i] == '_') i++;
    while (i < length && i > *at + count && name[i] >= '0' && name[i] <= '9') i++;
    return i == length ? count : 0;
}

static inline void ws_text_add_plain_variable(ws_text *text, const char *name, size_t length) {
    size_t e, at, count;
    for (e = length; ws_plain_begins(name, length, "_ZZ") && e-- > 0;) {
        at = e + 1;
        if (name[e] != 'E' || (count = ws_plain_last(name, length, &at)) == 0) continue;
        ws_text_add_bytes(text, name + at, count);
        return;
    }
    ws_text_add_plain(text, name, length);
}

#endif
