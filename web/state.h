/* What the page asks, as lines "key=value": the same keys as in its URL. */
#ifndef WARPSIM_WEB_STATE_H
#define WARPSIM_WEB_STATE_H

#include <warpsim/warpsim.h>

enum { STATE_NO_NUMBER = -1 };

typedef struct state_value {
    const char *bytes; /* NULL: the key is missing */
    size_t count;
} state_value;

/* The value of a key in the lines. */
static inline state_value state_find(const char *text, size_t length, const char *key) {
    const size_t name = ws_string_length(key);
    size_t begin = 0, end;
    state_value none = {NULL, 0};
    for (; begin < length; begin = end + 1) {
        for (end = begin; end < length && text[end] != '\n'; end++) {
        }
        if (end - begin > name && text[begin + name] == '=' && ws_bytes_equal(text + begin, name, key)) {
            state_value found;
            found.bytes = text + begin + name + 1;
            found.count = end - begin - name - 1;
            return found;
        }
    }
    return none;
}

/* A number of up to 18 digits with its sign, or 0x and up to 16 hexadecimal ones; false if there is none, or more after
 * it. */
static inline bool state_number(const char *bytes, size_t count, int64_t *number) {
    const bool minus = count > 0 && bytes[0] == '-';
    const bool hex = count > 2 && bytes[0] == '0' && bytes[1] == 'x';
    uint64_t value = 0;
    size_t i = hex ? 2 : minus ? 1 : 0;
    if (i == count || count - i > (hex ? 15 : 18)) return false;
    for (; i < count; i++) {
        const char c = bytes[i];
        const int digit = c >= '0' && c <= '9' ? c - '0' : hex && c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
        if (digit < 0) return false;
        value = value * (hex ? 16 : 10) + (uint64_t)digit;
    }
    *number = minus ? -(int64_t)value : (int64_t)value;
    return true;
}

/* The number of a key; `fallback` where it is missing or none. */
static inline int64_t state_int(const char *text, size_t length, const char *key, int64_t fallback) {
    const state_value found = state_find(text, length, key);
    int64_t number;
    return found.bytes != NULL && state_number(found.bytes, found.count, &number) ? number : fallback;
}

static inline bool state_is(const char *text, size_t length, const char *key, const char *word) {
    const state_value found = state_find(text, length, key);
    return found.bytes != NULL && ws_bytes_equal(found.bytes, found.count, word);
}

/* A value as a string of its own; false if it does not fit. */
static inline bool state_copy(state_value value, char *to, size_t capacity) {
    size_t i;
    if (value.bytes == NULL || value.count + 1 > capacity) return false;
    for (i = 0; i < value.count; i++) to[i] = value.bytes[i];
    to[i] = '\0';
    return true;
}

#endif
