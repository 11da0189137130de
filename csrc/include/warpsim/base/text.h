/* Text built piece by piece in a fixed buffer: it is truncated silently at the end of the buffer and always
 * zero-terminated.
 *
 * Freestanding: no allocation, no printf, no locale. */
#ifndef WARPSIM_BASE_TEXT_H
#define WARPSIM_BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A text that grows inside a fixed buffer. */
typedef struct ws_text {
    char *bytes;     /* owned by the caller; always terminated */
    size_t capacity; /* bytes, including the terminating zero */
    size_t length;   /* bytes written, without the zero */
    size_t wanted;   /* bytes appended, including those beyond capacity */
} ws_text;

static inline ws_text ws_text_make(char *bytes, size_t capacity) {
    ws_text text;
    text.bytes = bytes;
    text.capacity = capacity;
    text.length = 0;
    text.wanted = 0;
    if (capacity > 0) bytes[0] = '\0';
    return text;
}

static inline void ws_text_add_bytes(ws_text *text, const char *bytes, size_t count) {
    const size_t room = text->capacity > 0 ? text->capacity - 1 - text->length : 0;
    const size_t taken = count < room ? count : room;
    size_t i;
    text->wanted += count;
    if (text->capacity == 0) return;
    for (i = 0; i < taken; i++) text->bytes[text->length + i] = bytes[i];
    text->length += taken;
    text->bytes[text->length] = '\0';
}

static inline size_t ws_string_length(const char *string) {
    size_t n = 0;
    while (string[n] != '\0') n++;
    return n;
}

static inline void ws_text_add(ws_text *text, const char *string) {
    ws_text_add_bytes(text, string, ws_string_length(string));
}

static inline void ws_text_add_uint(ws_text *text, uint64_t value) {
    char digits[20];
    size_t n = sizeof digits;
    do {
        digits[--n] = (char)('0' + (int)(value % 10));
        value /= 10;
    } while (value != 0);
    ws_text_add_bytes(text, digits + n, sizeof digits - n);
}

static inline void ws_text_add_int(ws_text *text, int64_t value) {
    if (value < 0) ws_text_add(text, "-");
    ws_text_add_uint(text, value < 0 ? (uint64_t)0 - (uint64_t)value : (uint64_t)value);
}

static inline void ws_text_add_hex(ws_text *text, uint64_t value) {
    char digits[16];
    size_t n = sizeof digits;
    do {
        digits[--n] = "0123456789abcdef"[value & 15];
        value >>= 4;
    } while (value != 0);
    ws_text_add(text, "0x");
    ws_text_add_bytes(text, digits + n, sizeof digits - n);
}

static inline bool ws_bytes_equal(const char *bytes, size_t count, const char *string) {
    size_t i;
    for (i = 0; i < count; i++) {
        if (string[i] == '\0' || string[i] != bytes[i]) return false;
    }
    return string[count] == '\0';
}

#endif
