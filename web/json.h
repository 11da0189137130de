/* JSON, written into a fixed buffer piece by piece. */
#ifndef WARPSIM_WEB_JSON_H
#define WARPSIM_WEB_JSON_H

#include <warpsim/warpsim.h>

/* Where the next comma goes is known from the byte before. */
static inline void json_comma(ws_text *text) {
    const char before = text->length > 0 ? text->bytes[text->length - 1] : '[';
    if (before != '[' && before != '{' && before != ':') ws_text_add(text, ",");
}

static inline void json_open(ws_text *text, const char *bracket) {
    json_comma(text);
    ws_text_add(text, bracket);
}

static inline void json_close(ws_text *text, const char *bracket) { ws_text_add(text, bracket); }

static inline void json_bytes(ws_text *text, const char *bytes, size_t count) {
    static const char digits[] = "0123456789abcdef";
    size_t i;
    json_comma(text);
    ws_text_add(text, "\"");
    for (i = 0; i < count; i++) {
        const unsigned char c = (unsigned char)bytes[i];
        if (c == '"' || c == '\\') ws_text_add(text, "\\");
        if (c >= ' ') {
            ws_text_add_bytes(text, bytes + i, 1);
        } else {
            ws_text_add(text, "\\u00");
            ws_text_add_bytes(text, &digits[c >> 4], 1);
            ws_text_add_bytes(text, &digits[c & 15], 1);
        }
    }
    ws_text_add(text, "\"");
}

static inline void json_string(ws_text *text, const char *string) {
    json_bytes(text, string, ws_string_length(string));
}

static inline void json_key(ws_text *text, const char *key) {
    json_string(text, key);
    ws_text_add(text, ":");
}

static inline void json_int(ws_text *text, int64_t value) {
    json_comma(text);
    ws_text_add_int(text, value);
}

/* A double exactly, as the hexadecimal digits of its bits: JavaScript reads them back. */
static inline void json_double(ws_text *text, double value) {
    union {
        double value;
        uint64_t bits;
    } as;
    as.value = value;
    json_comma(text);
    ws_text_add(text, "\"");
    ws_text_add_hex(text, as.bits);
    ws_text_add(text, "\"");
}

static inline void json_bool(ws_text *text, bool value) {
    json_comma(text);
    ws_text_add(text, value ? "true" : "false");
}

static inline void json_null(ws_text *text) {
    json_comma(text);
    ws_text_add(text, "null");
}

#define JSON_FIELD(text, key, write)                                                                                   \
    do {                                                                                                               \
        json_key(text, key);                                                                                           \
        write;                                                                                                         \
    } while (0)

#endif
